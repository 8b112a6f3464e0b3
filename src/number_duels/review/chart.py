"""A chart of what skill and luck made of a game; Matplotlib draws it."""

from __future__ import annotations

import os
from pathlib import Path

from number_duels.core.record import with_names
from number_duels.core.storage import BY_UMASK, check_replaceable, replace_file
from number_duels.review.game import Review
from number_duels.review.grades import Grade

#: Which of all pictures are ours, and may be drawn again.
TITLE = "Number Duels: what skill and luck made of a game"


def skill_points(review: Review) -> list[tuple[float, float, Grade | None]]:
    """The line of skill: turn, height, and the mistake that led there.

    Where both went wrong in one turn Player 1's mistake stands half a turn earlier, so that every
    mistake of Player 1 ends a falling piece of the line and every one of Player 2 a rising one.
    """
    height = review.course[0]
    points: list[tuple[float, float, Grade | None]] = [(0.0, height, None)]
    for turn in range(1, len(review.course)):
        made = [grade for grade in review.grades if grade.turn == turn and grade.loss]
        for place, grade in enumerate(made, start=1):
            height -= grade.loss * (1, -1)[grade.seat]
            points.append((turn - (len(made) - place) / 2, height, grade))
        if not made:
            points.append((float(turn), height, None))
    return points


def in_percent(value: float) -> float:
    """Return a value as a winning chance, for an axis."""
    return 50 * (1 + value)


def save_chart(review: Review, names: tuple[str, str], path: Path) -> None:
    """Skill and luck after every turn, for Player 1, with the mistakes named, as .svg or .png.

    A file that is no such picture is not written over: a ValueError says so.
    """
    check_replaceable(path, TITLE.encode(), "a picture that this program drew")
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator, PercentFormatter

    game = review.record.game.replace("-", " ").title()
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    points = skill_points(review)
    xs, ys = [x for x, _, _ in points], [in_percent(y) for _, y, _ in points]
    luck = [in_percent(height) for height in review.luck]
    axes.plot(xs, ys, color="C0", label="skill: the chance less mistakes")
    axes.plot(range(len(luck)), luck, "--", color="C1", label="luck so far (50%: none)")
    axes.axhline(50, linewidth=0.8, color="grey")
    for x, y, (_, _, grade) in zip(xs, ys, points, strict=True):
        if grade:
            axes.plot(x, y, marker="o", color=("C2", "C3")[grade.seat])
            axes.annotate(
                f"{names[grade.seat]}: {grade.drawn} {grade.words}".replace(":  ", ": "),
                (x, y),
                textcoords="offset points",
                xytext=(4, -12 if grade.seat == 0 else 6),
                fontsize=7,
            )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))
    axes.set(
        xlabel="turn",
        ylabel=with_names("for Player 1: win 100%, draw 50%, loss 0%", names),
        ylim=(min(-5.0, *ys, *luck) - 5, max(105.0, *ys, *luck) + 5),
        xlim=(0, max(1, len(review.course) - 1) + 0.5),
        title=f"{game}: {names[0]} - {names[1]}  {review.record.result}",
    )
    axes.legend(fontsize=7)
    with replace_file(Path(os.path.realpath(path)), mode=BY_UMASK) as file:
        figure.savefig(file, format=path.suffix[1:], metadata={"Title": TITLE})
