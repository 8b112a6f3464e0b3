"""A chart of how the chances moved; Matplotlib draws it."""

from __future__ import annotations

from pathlib import Path

from number_duels.review.game import Review


def save_chart(review: Review, names: tuple[str, str], path: Path) -> None:
    """Player 1's chances after every turn, with the mistakes marked, as .svg or .png."""
    from matplotlib.figure import Figure

    game = review.record.game.replace("-", " ").title()
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    chances = [50 * (1 + value) for value in review.course]
    turns = range(len(chances))
    axes.fill_between(turns, chances, 50, alpha=0.2, step=None)
    axes.plot(turns, chances, marker="o")
    axes.axhline(50, linewidth=0.8, color="grey")
    for grade in review.grades:
        if grade.loss:
            place = min(grade.turn, len(chances) - 1)
            axes.annotate(
                f"{names[grade.seat]}: {grade.drawn}{grade.move} costs {grade.loss:.2f}",
                (place, chances[place]),
                textcoords="offset points",
                xytext=(4, 6 if grade.seat == 0 else -12),
                fontsize=7,
            )
    axes.set(
        xlabel="turn",
        ylabel=f"{names[0]}'s chances in percent",
        ylim=(-5, 105),
        xlim=(0, max(1, len(chances) - 1) + 0.5),
        title=f"{game}: {names[0]} - {names[1]}  {review.record.result}",
    )
    figure.savefig(path)
