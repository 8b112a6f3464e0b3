"""Lines, full screen, HTTP and a page without a server say exactly the words of the session."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time, timedelta
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TypeAlias

import httpx
import pytest
from textual.widgets import Label, OptionList, Static

from number_duels.core.clock import SystemClock
from number_duels.core.game import AnyGame, Seat
from number_duels.core.record import Record, shown_names
from number_duels.core.scene import ASKED, OVER, JsonObject, Scene, Table, scene_json
from number_duels.sessions.analyze import AnalyzeSession
from number_duels.sessions.replay import ReplaySession
from number_duels.sessions.review import ReviewSession
from number_duels.sessions.scene_tables import worded
from number_duels.sessions.train import MIN_SERIES, Plan, TrainSession, spot_after
from number_duels.solvers import solve
from number_duels.terminal.app.analysis_page import AnalysisScreen
from number_duels.terminal.app.board_view import Ending, Notice
from number_duels.terminal.app.drill import DrillScreen
from number_duels.terminal.app.review_page import ReviewScreen
from number_duels.terminal.app.table import ReplayScreen
from number_duels.terminal.errors import DONE
from number_duels.terminal.line.console import BARE_BLOCKS
from number_duels.trainer.book import AddCard, Book, BookFile, TrainingEvent, event_json, read_event
from number_duels.trainer.drills import Scope
from number_duels.trainer.exercise import MIXED, NAMED_FORMS
from number_duels.trainer.puzzles import puzzles
from tests.clock import START
from tests.review.positions import SMALL as SMALL_SETTINGS
from tests.sessions.test_review import reviewed
from tests.sessions.test_train import answer_to, day_with
from tests.sessions.training import MemoryBook, worked
from tests.some_games import SOME_GAMES, sample
from tests.terminal.app.conftest import patient_pilot  # noqa: F401 # a fixture
from tests.terminal.app.drill_driver import sitting_at
from tests.terminal.app.idle import awaited
from tests.terminal.app.page_driver import opened, press, settle, text_of
from tests.terminal.desk import Desk, close_up
from tests.terminal.training import CARDS, KNOT, book_file, drill_plan, loaded
from tests.web.in_browser import in_browser
from tests.web.local import LocalServer
from tests.web.people import Guest, pair, play_out
from tests.web.training import Training

SMALL = loaded(KNOT.name, numbers=6)
DAY = day_with(KNOT.name)
#: What is done where something is asked.
WRONG, RIGHT, ADD, SKIP = "wrong", "right", "add", "skip"
#: An action, what is typed with it, and what is said to it.
Deed: TypeAlias = tuple[str, str, str]
#: The keys of the full screen.
KEYS = {"skip": ["x"], "add": ["f3"], "next": ["enter"]}
NAMED = {":": "colon", " ": "space", ".": "full_stop"}


@dataclass(frozen=True)
class Sitting:
    """Some training, as it is asked for."""

    plan: Plan
    #: What the command line says after `duels train`.
    words: tuple[str, ...]
    #: What is done where something is asked; after that every answer is right.
    deeds: tuple[str, ...]


def small_words(seed: int, count: int) -> tuple[str, ...]:
    return (KNOT.name, "--set", "numbers=6", "--seed", str(seed), "--count", str(count))


CARD_WORDS = (CARDS.name, "--set", "cards=5", "--set", "rounds=3", "--seed", "3", "--count", "2")
SITTINGS = {
    "drills": Sitting(
        drill_plan(SMALL, 3, 4), small_words(3, 4), (WRONG, ADD, SKIP, RIGHT, ADD, WRONG)
    ),
    "the daily puzzle": Sitting(Plan("daily", day=DAY), ("daily",), (WRONG,) * 3),
    "a card": Sitting(Plan("book"), ("today",), (WRONG, RIGHT)),
    "mixed": Sitting(
        drill_plan(CARDS, 3, 2, Scope(form=MIXED)),
        (*CARD_WORDS, "--as", "mixed"),
        (WRONG, RIGHT),
    ),
    "one spot": Sitting(
        drill_plan(CARDS, 3, MIN_SERIES, Scope(spot=spot_after(CARDS, None, "", 1).spot)),
        (*CARD_WORDS[:-1], str(MIN_SERIES), "--moves", "", "--seat", "1"),
        (WRONG, WRONG),
    ),
    "a puzzle": Sitting(
        Plan("puzzle", KNOT.name, grade=1, count=2, seed=3),
        ("puzzles", KNOT.name, "--grade", "1", "--count", "2", "--seed", "3"),
        (WRONG, RIGHT),
    ),
    "a lesson": Sitting(Plan("lesson", KNOT.name), ("lesson", KNOT.name), (WRONG, RIGHT, SKIP)),
}


class Noon(SystemClock):
    """A clock on which it is noon for a whole test, and no two moments are the same."""

    def __init__(self) -> None:
        self.moments = count()

    def now(self) -> datetime:
        return datetime.combine(DAY, time(12), UTC) + timedelta(milliseconds=next(self.moments))


def book_before() -> list[TrainingEvent]:
    """Two cards that are due."""
    spots = [puzzle.spot.open() for puzzle in puzzles(KNOT.name)[:2]]
    days = (START, START + timedelta(days=1))
    return [
        AddCard.of(spot, day, source="analysis", cost=0.5)
        for spot, day in zip(spots, days, strict=True)
    ]


@pytest.fixture(scope="module")
def server() -> Iterator[LocalServer]:
    with TemporaryDirectory() as folder:
        found = LocalServer(Path(folder), f"sqlite:///{folder}/games.sqlite3", clock=Noon())
        found.start()
        yield found
        found.stop()


@pytest.mark.parametrize("name", sample(SITTINGS, 3))
def test_every_face_writes_and_says_the_same(
    name: str, tmp_path: Path, server: LocalServer
) -> None:
    sitting, cards = SITTINGS[name], book_before()
    deeds, scenes, expected = rehearse(sitting, cards)

    desk = Desk(tmp_path / "desk")
    desk.folder.mkdir()
    book_file(desk).append(*cards)
    typed = [text or key for key, text, _ in deeds if key != "next"]
    done = desk.run("train", *sitting.words, typed=typed, clock=Noon())
    assert (done.status, done.err) == (DONE, "")
    assert written(book_file(desk).read()) == expected
    heard = close_up(done.out)
    for text in filter(None, in_lines(deeds, scenes)):
        before, found, heard = heard.partition(close_up(text))
        assert found, f"{text!r} is not in {before}"

    BookFile().append(*cards)
    on_screen(sitting, deeds, scenes)
    assert written(BookFile().read()) == expected

    for clients in (server.client(), in_browser(tmp_path / "page", clock=Noon())):
        with clients as http:
            seen, book = by_http(http, sitting, cards, deeds)
        assert written(book) == expected
        assert seen == [json.loads(json.dumps(scene_json(scene))) for scene in scenes]


def rehearse(
    sitting: Sitting, cards: list[TrainingEvent]
) -> tuple[list[Deed], list[Scene], list[JsonObject]]:
    """The session without a face: what is done in it, what is seen, and what its book has then."""
    session = TrainSession(sitting.plan, MemoryBook(*cards), Noon())
    left, deeds = iter(sitting.deeds), list[Deed]()
    scenes = [worked(session)]
    while scenes[-1].stage != OVER:
        key, text = "next", ""
        if scenes[-1].stage == ASKED:
            key = next(left, RIGHT)
        if key in (WRONG, RIGHT):
            text = answer_to(session.asked_task(), right=key == RIGHT)
            key = "answer"
        deeds.append((key, text, session.act(key, text)))
        scenes.append(worked(session))
    assert next(left, None) is None, "something was to be done, and nothing was asked"
    return deeds, scenes, written(session.store.read())


def written(book: Book) -> list[JsonObject]:
    """What a book has, whenever that happened; every event has an id of its own."""
    assert len({event.id for event in book.events}) == len(book.events)
    # A mistake and the card that it makes have the same time; chance orders their ids.
    events = sorted(book.events, key=lambda event: (event.time, event.event))
    return [event_json(replace(event, id="", time=START)) for event in events]


def words_of(scene: Scene) -> Iterator[str]:
    """What a scene says, in its order."""
    *status, last = scene.status or ("",)
    standing = last if last.endswith(" right") else ""
    if not scene.verdict:
        yield from (scene.title, *status, *([] if standing else [last]), scene.path)
        yield from (*scene.lines, scene.prompt)
        return
    yield from (scene.verdict.headline, *scene.verdict.sentences)
    for table in scene.tables:
        yield from (*table.sentences, *table_words(table))
    yield from (*scene.notes, standing, *scene.lines)


def table_words(table: Table) -> Iterator[str]:
    """The words of each row. Options with equal figures share a row."""
    if table.kind in ("mixed", "series"):
        yield from (row.words for row in table.rows)
    else:
        yield from (words for _, words in worded(table))


def in_lines(deeds: list[Deed], scenes: list[Scene]) -> Iterator[str]:
    """What is said line by line: what is asked once, and then what is said to each action."""
    yield from words_of(scenes[0])
    for (_, _, said), scene in zip(deeds, scenes[1:], strict=True):
        yield from [said] if said else words_of(scene)


# ---- on the full screen ----------------------------------------------------------


@awaited
async def on_screen(sitting: Sitting, deeds: list[Deed], scenes: list[Scene]) -> None:
    """Press the keys; what every scene says can be read."""
    async with sitting_at(sitting.plan, Noon()) as (screen, pilot):
        for scene, (key, text, _) in zip(scenes, [*deeds, ("", "", "")], strict=True):
            assert screen.scene == scene
            shown = shown_on(screen)
            assert [one for one in words_of(scene) if close_up(one) not in shown] == []
            pressed = KEYS.get(key) or [NAMED.get(letter, letter) for letter in text]
            confirm = ["enter"] if key == "answer" else []
            await press(pilot, *pressed, *confirm, "@")


def shown_on(screen: DrillScreen) -> str:
    widgets = (*screen.query(Label), *screen.query(Notice), screen.query_one("#drill-said", Static))
    said = [str(one.content) for one in widgets]
    ending = screen.query_one(Ending)
    if ending.display:  # a band, whose sentence has no full stop
        said.append(f"{ending.headline}.")
    return close_up(" ".join(said))


# ---- by HTTP ---------------------------------------------------------------------


def by_http(
    http: httpx.Client, sitting: Sitting, cards: list[TrainingEvent], deeds: list[Deed]
) -> tuple[list[JsonObject], Book]:
    """What is sent to somebody with a profile, and the book of it."""
    http.post("/api/me", json={"name": "Ann"})
    body = {"events": [event_json(card) for card in cards]}
    assert http.post("/api/train/book/file", json=body).json() == {"added": len(cards)}
    one = Training(http, plan_json(sitting.plan))
    seen = [one.scene]
    for key, text, said in deeds:
        seen.append(one.act(key, text))
        assert one.said == said
    lines = http.get("/api/train/book/file").text.splitlines()
    for scene in seen:
        assert scene.pop("over") == (scene["stage"] == OVER)
        assert bool(scene.pop("question")) == (scene["stage"] == ASKED)
    return seen, Book(tuple(read_event(json.loads(line)) for line in lines))


def plan_json(plan: Plan) -> JsonObject:
    """A plan as a page sends it."""
    scope, spot = plan.scope, plan.scope.spot
    return {
        "kind": plan.kind,
        "game": plan.game,
        "settings": dict(plan.settings),
        "form": next(name for name, form in NAMED_FORMS.items() if form == scope.form),
        "spot": spot and spot.to_json(),
        "grade": plan.grade,
        "count": plan.count,
        "seed": plan.seed,
        "day": str(DAY),
    }


# ---- a game looked at afterwards -------------------------------------------------


@pytest.mark.parametrize("game", SOME_GAMES)
def test_every_face_reviews_and_replays_the_same(
    game: str, tmp_path: Path, server: LocalServer
) -> None:
    with server.client() as http:
        people = pair(http, game, settings=SMALL_SETTINGS[game], seed=8)
        play_out(people, Random(0))
        record = Record.from_json(people[0].get("record").text)
        review = people[0].get("review").json()
        steps = Guest(http, people[0].id).get("steps").json()
    match, names = record.match(), shown_names(record.players)
    replay = ReplaySession.of(match, None, names)
    assert [step["said"] for step in steps] == [frame.said for frame in replay.frames]
    assert [[*filter(None, step["lines"])] for step in steps[1:]] == [
        [*filter(None, frame.lines)] for frame in replay.frames[1:]
    ]
    # The page calls its reader "You".
    scene = reviewed(match, ("You", names[Seat.TWO]), Seat.ONE).scene()
    assert scene.findings
    assert review["scene"] == json.loads(json.dumps(scene_json(scene)))
    assert review["text"] == list(scene.lines)
    told = [grade.get("why", "") for grade in review["grades"]]
    assert told == [
        "" if one.verdict.right else " ".join([*one.verdict.sentences, one.right])
        for one in scene.findings
    ]

    desk = Desk(tmp_path)
    desk.keep(record)
    both = reviewed(match, names)
    lines = "".join(both.scene().lines).translate(BARE_BLOCKS)
    assert close_up(lines) in close_up(desk.run("review", "game.json").out)
    watched = close_up(desk.run("replay", "game.json").out)
    assert watched == close_up("".join(line for frame in replay.frames for line in frame.lines))

    afterwards_on_screen(record, both, replay)


@awaited
async def afterwards_on_screen(
    record: Record, session: ReviewSession, replay: ReplaySession
) -> None:
    """Go through the moves, and then through the turns; what every scene says can be read."""
    async with opened(size=(120, 40)) as (app, pilot):
        await app.push_screen(ReviewScreen(record))
        await settle(pilot)
        assert text_of(app, "#verdict") == session.scene().headline
        moves = app.screen.query_one(OptionList)
        for place, finding in enumerate((None, *session.scene().findings)):
            session.act("go", finding.key if finding else "")
            scene, line = session.scene(), str(moves.get_option_at_index(place).prompt)
            said = text_of(app, "#why")
            if scene.verdict and finding:
                verdict = f"{scene.verdict.headline} " + "\n".join(scene.verdict.sentences)
                assert said.split("\n\n")[0] == verdict
                assert ("show the answer" in said) == scene.offers("solve")
                assert line.endswith("forced" if finding.forced else finding.cost or "·")
            else:
                figures = "\n".join(scene.tables[0].sentences)
                own = "next mistake, f: try again." in said
                assert own == session.has_own_mistakes
                shown = said.split("\n\n")
                told = [figures, scene.detail, *scene.notes]
                assert [one for one in shown if one in told] == [*filter(None, told)]
                assert any(one.startswith(scene.prompt) for one in shown)
                assert scene.status[-1] in line
            assert text_of(app, "#when") == scene.path
            await press(pilot, "down")
        await app.push_screen(ReplayScreen.of(record))
        for _ in replay.frames:
            scene = replay.scene()
            assert text_of(app, "#table-title") == "  ·  ".join([scene.title, *scene.status])
            lines = [f"{one.turn}{one.short}" for one in scene.log if one.turn]
            assert close_up(text_of(app, "#log-lines")) == close_up("".join(lines))
            replay.act("next")
            await press(pilot, "right")


# ---- analyses --------------------------------------------------------------------


@dataclass(frozen=True)
class Walk:
    """An analysis, as it is asked for."""

    game: AnyGame
    #: An action, and what is typed with it.
    deeds: tuple[tuple[str, str], ...]


WALKS = {
    "an analysis": Walk(
        loaded("high-low-battle", cards=4, rounds=2),
        (("type", "2"), ("back", ""), ("type", "4"), ("type", "1"), ("type", "3/3"), ("back", "")),
    ),
    "an analysis with cards": Walk(
        loaded("number-stack-showdown", target=10, highest=3, copies=2),
        (("type", "3"), ("type", "keep"), ("type", "1g 2"), ("back", "")),
    ),
    "an analysis to the end": Walk(
        loaded("number-knot", numbers=6, life=5),
        (("type", "s 4"), ("type", "A3 S5"), ("back", ""), ("back", "")),
    ),
}


def walked(walk: Walk) -> list[tuple[str, Scene]]:
    """Every position of an analysis without a face, and what is seen there."""
    session = AnalyzeSession(walk.game)
    found = [(session.at, analyzed(session))]
    for key, text in walk.deeds:
        session.act(key, text)
        found.append((session.at, analyzed(session)))
    return found


def analyzed(session: AnalyzeSession) -> Scene:
    while work := session.work():
        work.run(solve(work.game))
    return session.scene()


def set_words(game: AnyGame) -> list[str]:
    return [f"{name}={value}" for name, value in game.settings.items() if name != "first"]


@pytest.mark.parametrize("name", sample(WALKS, 2))
def test_every_face_analyzes_the_same(name: str, tmp_path: Path, server: LocalServer) -> None:
    walk, desk = WALKS[name], Desk(tmp_path)
    seen = walked(walk)
    settings = set_words(walk.game)
    for at, scene in seen:
        chosen = [word for pair in settings for word in ("--set", pair)]
        heard = close_up(desk.run("analyze", walk.game.name, *chosen, "--moves", at).out)
        words = analysis_words(scene, in_lines=True)
        assert [one for one in words if close_up(one) not in heard] == []
    on_analysis_screen(walk, [scene for _, scene in seen])
    line = ""
    with server.client() as http:
        for at, scene in seen:
            asked = {"game": walk.game.name, "set": settings, "moves": at, "line": line}
            answer = http.get("/api/analysis", params=asked).json()
            # The page asks on its board; a terminal asks in words.
            assert bool(answer["scene"].pop("question")) == bool(scene.to_move)
            assert answer["scene"] == json.loads(json.dumps(scene_json(scene)))
            assert answer["verdict"] == scene.detail
            line = answer["scene"]["tables"][0]["rows"][-1]["key"]


def analysis_words(
    scene: Scene, *, seats: tuple[Seat, ...] = tuple(Seat), in_lines: bool = False
) -> Iterator[str]:
    """What an analysis says, and the figures of the seats that are shown."""
    yield from (scene.path, scene.detail, *scene.notes)
    for table in scene.tables:
        if table.kind == "options" and table.rows[0].seat in seats:
            yield from (*table.sentences, *table.columns)
            if in_lines:  # options with equal figures share a line
                yield from (words for _, words in worded(table))
            else:
                yield from (row.words for row in table.rows)
            yield from (cell for row in table.rows for cell in row.cells)


@awaited
async def on_analysis_screen(walk: Walk, scenes: list[Scene]) -> None:
    """Press the keys; the screen shows what the scene says of the next seat to choose."""
    async with opened(size=(120, 40)) as (app, pilot):
        screen = AnalysisScreen(walk.game, None, "")
        await app.push_screen(screen)
        for scene, (key, text) in zip(scenes, [*walk.deeds, ("", "")], strict=True):
            await press(pilot, "@")
            assert screen.scene == scene
            lines = [option.prompt for option in screen.query_one(OptionList).options]
            widgets = [str(one.content) for one in screen.query(Static)]
            shown = close_up(" ".join([*widgets, *map(str, lines)])).casefold()
            words = analysis_words(scene, seats=scene.to_move[:1])
            assert [one for one in words if close_up(one).casefold() not in shown] == []
            await press(pilot, *(["backspace"] if key == "back" else [*text, "enter"]))
