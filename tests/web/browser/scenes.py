"""Every page in every state that is looked at: by axe, at all widths, on paper, in pictures.

Games are brought to a point by HTTP, with the cookies of the browser, so that only what is looked
at is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from random import Random

import number_duels as nd
from tests.some_games import CARDS, SECRET
from tests.web.browser.visitor import Visitor, short
from tests.web.people import Json

#: As long and as wide as names come, one without a space; pictures have shorter ones.
NAMES = ["Wilhelmina Wagnerova", "Wolfeschlegelsteinha"]
#: What can be touched to play.
PLAYABLE = ".board .offer"

Settings = Mapping[str, int | str]


def ask(visitor: Visitor, path: str, body: Json = None) -> Json:
    """A request with the cookies of a visitor."""
    http = visitor.context.request
    answer = http.get(path) if body is None else http.post(path, data=body)
    assert answer.ok, answer.text()
    return answer.json()


def start_game(
    ann: Visitor, game: str, opponent: str = "friend", settings: Settings | None = None
) -> str:
    """A game in which a visitor has a seat; its id."""
    who = {"name": NAMES[0], "opponent": opponent}
    wish = {"game": game, **who, "seed": 5, "settings": settings or {}}
    return str(ask(ann, "/api/games", wish)["id"])


def seat_friend(bo: Visitor, game: str) -> None:
    """Give the other seat to a visitor."""
    ask(bo, f"/api/games/{game}/seats", {"name": NAMES[1]})


def take_step(visitor: Visitor, game: str, rng: Random) -> bool:
    """Do what there is to do, if anything."""
    view = ask(visitor, f"/api/games/{game}")
    turn = view["turn"]
    if view["draw"]:
        ask(visitor, f"/api/games/{game}/draw", {"turn": turn})
    elif view["options"]:
        move = rng.choice(view["options"])
        ask(visitor, f"/api/games/{game}/moves", {"turn": turn, "move": move})
    else:
        return False
    return True


def play_until(
    players: list[Visitor], game: str, seed: int, reached: Callable[[Json], bool]
) -> Json:
    """Play on until the first player's view shows what is wanted, or to the end; that view."""
    rng = Random(seed)
    while not (reached(view := ask(players[0], f"/api/games/{game}")) or view["over"]):
        for player in players:
            if take_step(player, game, rng):
                break
    return view


def is_third_turn(view: Json) -> bool:
    """Whether something has happened, and the player is to choose."""
    return view["turn"] > 2 and bool(view["options"])


def open_at(visitor: Visitor, address: str, ready: str) -> None:
    visitor.page.goto(address)
    visitor.page.locator(ready).first.wait_for()


def front(ann: Visitor, _: Visitor) -> None:
    open_at(ann, "/", ".game")
    ann.page.locator(f".daily-card {PLAYABLE}").first.wait_for(state="attached")


def home(ann: Visitor, bo: Visitor) -> None:
    """The front page of somebody with a game to go on with, one to wait for, and results."""
    ask(ann, "/api/me", {"name": NAMES[0]})
    seat_friend(bo, start_game(ann, SECRET))
    start_game(ann, CARDS)
    for _ in range(2):
        over = start_game(ann, SECRET, "random", short(SECRET))
        ask(ann, f"/api/games/{over}/resign", {})
    open_at(ann, "/", ".ended")


def daily(ann: Visitor, _: Visitor) -> None:
    """The puzzle of a day, explained after three tries, with its rules unfolded."""
    ann.page.goto("/")  # another page: the puzzle may be open already
    open_at(ann, "/daily/2026-11-01", f"{PLAYABLE}, .squares")
    while not ann.page.locator(".squares").count():
        with ann.page.expect_response("**/api/train/daily*"):  # after each answer
            ann.page.locator(PLAYABLE).first.click()
        ann.page.locator(f"{PLAYABLE}, .squares").first.wait_for()
    ann.page.get_by_text("Rules of").click()
    ann.page.locator(".rule-text li").first.wait_for()


def record(ann: Visitor, bo: Visitor) -> None:
    home(ann, bo)
    open_at(ann, "/record", ".empty")


def transfer(ann: Visitor, _: Visitor) -> None:
    ask(ann, "/api/me", {"name": NAMES[0]})
    open_at(ann, "/", ".profile")
    ann.page.get_by_role("button", name="Use on another device").click()
    ann.page.locator(".transfer-code").wait_for()


def start_dialog(ann: Visitor, _: Visitor) -> None:
    open_at(ann, f"/#{nd.games()[0]}", "dialog[open]")
    ann.page.locator("dialog details summary").click()


def rules(ann: Visitor, _: Visitor) -> None:
    open_at(ann, f"/rules/{SECRET}", ".prose")


def wrong_address(ann: Visitor, _: Visitor) -> None:
    with ann.page.expect_console_message(lambda message: "404" in message.text):
        open_at(ann, "/play/nothing", "h1")
    ann.errors.clear()


def invitation(ann: Visitor, _: Visitor) -> None:
    open_at(ann, f"/play/{start_game(ann, SECRET)}", ".invitation")


def joining(ann: Visitor, bo: Visitor) -> None:
    open_at(ann, f"/play/{start_game(bo, SECRET)}", ".invitation")


def playing(game: str, **settings: int | str) -> Scene:
    """The scene of a game in the middle, at a visitor's turn."""

    def middle(ann: Visitor, bo: Visitor) -> None:
        for seed in count():
            played = start_game(ann, game, settings=settings)
            seat_friend(bo, played)
            if not play_until([ann, bo], played, seed, is_third_turn)["over"]:
                break
        open_at(ann, f"/play/{played}", PLAYABLE)

    return middle


def watching(ann: Visitor, bo: Visitor) -> None:
    played = start_game(bo, CARDS, "random")
    play_until([bo], played, 1, is_third_turn)
    open_at(ann, f"/play/{played}", ".board")


def hint(ann: Visitor, _: Visitor) -> None:
    played = start_game(ann, SECRET, "level:2", short(SECRET))
    open_at(ann, f"/play/{played}", PLAYABLE)
    ann.page.locator("[data-key=hint]").click()
    ann.page.get_by_role("button", name="Show the move").click()
    ann.page.get_by_role("button", name="Show why").click()
    ann.page.locator(".hint table").wait_for()


def review(ann: Visitor, bo: Visitor) -> None:
    played = start_game(ann, SECRET, settings=short(SECRET))
    seat_friend(bo, played)
    play_until([ann, bo], played, 1, lambda _: False)
    open_at(ann, f"/play/{played}", ".review .chart")


def analysis(ann: Visitor, _: Visitor) -> None:
    settings = "&".join(f"{name}={value}" for name, value in short(SECRET).items())
    open_at(ann, f"/analysis/{SECRET}?{settings}", ".chances h2")


def train(ann: Visitor, _: Visitor) -> None:
    """What there is to practise, for somebody with a card in the book."""
    ask(ann, "/api/me", {"name": NAMES[0]})
    spot = {"game": SECRET, "settings": short(SECRET), "seat": 1}
    ask(ann, "/api/train/book", {"spot": spot, "source": "analysis"})
    open_at(ann, "/train", ".door .button")


def book(ann: Visitor, bo: Visitor) -> None:
    """The cards of the mistake book."""
    train(ann, bo)
    open_at(ann, "/train#book", ".cards-list li")


def drill(ann: Visitor, _: Visitor) -> None:
    """A drill that waits for an answer."""
    settings = "&".join(f"{name}={value}" for name, value in short(SECRET).items())
    # Another query each time: the same address with another hash is the same page.
    ann.page.goto("/")
    open_at(ann, f"/train?game={SECRET}&{settings}#drills", PLAYABLE)


def drilled(ann: Visitor, bo: Visitor) -> None:
    """A drill that was answered twice."""
    drill(ann, bo)
    while not ann.page.locator("[data-key=again]").count():
        ann.page.locator(PLAYABLE).first.click()
        ann.page.locator("[data-key=next]").wait_for()
        if not ann.page.locator("[data-key=again]").count():
            ann.page.locator("[data-key=next]").click()
    ann.page.locator("[data-key=again]").click()
    ann.page.locator(PLAYABLE).last.click()
    ann.page.locator("[data-key=next]").wait_for()


def mixed(ann: Visitor, bo: Visitor) -> None:
    drill(ann, bo)
    ann.page.goto(ann.page.url.replace("#drills", "#mixed"))
    ann.page.locator(".sliders").wait_for()


def lesson(ann: Visitor, _: Visitor) -> None:
    ann.page.goto("/")
    open_at(ann, f"/train?game={SECRET}#lesson", ".lesson [data-key=next]")


Scene = Callable[[Visitor, Visitor], None]
SCENES: dict[str, Scene] = {
    "front": front,
    "home": home,
    "daily": daily,
    "record": record,
    "transfer": transfer,
    "start": start_dialog,
    "rules": rules,
    "404": wrong_address,
    "invitation": invitation,
    "joining": joining,
    **{f"play-{game}": playing(game) for game in nd.games()},
    "watching": watching,
    "hint": hint,
    "review": review,
    "analysis": analysis,
    "train": train,
    "book": book,
    "drilled": drilled,
    "mixed": mixed,
    "lesson": lesson,
}
