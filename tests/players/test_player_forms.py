"""A player or a policy may be a word, a file, a function, an array or an object, everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import number_duels as nd
from number_duels.adapters import jax, pettingzoo
from number_duels.adapters.batch import Batch
from number_duels.adapters.encoding import Encoding
from number_duels.adapters.gymnasium import DuelEnv
from number_duels.adapters.gymnasium_vector import VectorDuel
from number_duels.adapters.tables import Tables
from number_duels.adapters.text import TextEnv
from number_duels.bench.run import run_bench
from number_duels.bench.suite import CORE_2, Size
from number_duels.players.registry import PlayerLike
from number_duels.terminal.reports import trouble_lines
from tests.some_games import sample

SETTINGS: Any = {"numbers": 3, "life": 4}
KNOT: Any = nd.load("number-knot", **SETTINGS)


class Chooser:
    def choose(self, situation: nd.Situation) -> object:
        return situation.options[0]


def uniform(view: Any, seat: nd.Seat) -> dict[str, float]:
    turn = KNOT.turn(view)
    assert isinstance(turn, nd.Decision)
    return {str(move): 1 / len(turn.options[seat]) for move in turn.options[seat]}


class Known:
    """An object that knows its probabilities, and nothing else."""

    policy = staticmethod(uniform)


#: Ways to say "plays at random", each of which tells its probabilities.
POLICIES: dict[str, Callable[[Path], PlayerLike]] = {
    "word": lambda _: "random",
    "function": lambda _: uniform,
    "array": lambda _: np.ones(Tables(KNOT).masks.shape),
    "file": lambda folder: saved(folder / "random.npz"),
    "name of a file": lambda folder: str(saved(folder / "random.npz")),
    "file of an array": lambda folder: saved_array(folder / "array.npz"),
    "player": lambda _: nd.player("random", KNOT),
    "trained player": lambda folder: nd.player(f"policy:{saved(folder / 'random.npz')}", KNOT),
    "object": lambda _: Known(),
}
#: Ways to choose a move without telling any probability.
CHOOSERS: dict[str, PlayerLike] = {
    "object that chooses": Chooser(),
    "function of the situation": lambda situation: situation.options[0],
    "function of the options": lambda _, options, __: options[0],
}


def saved(path: Path) -> Path:
    tables = Tables(KNOT)
    tables.with_odds(np.ones(tables.masks.shape)).save(path)
    return path


def saved_array(path: Path) -> Path:
    np.savez(path, odds=np.ones(Tables(KNOT).masks.shape))
    return path


@pytest.mark.parametrize("form", POLICIES)
def test_a_policy_in_any_form_is_the_same_policy(form: str, tmp_path: Path) -> None:
    given = POLICIES[form](tmp_path)
    assert Tables(KNOT, given).exploitability() == pytest.approx(0.375)
    assert nd.exploitability(KNOT, given) == pytest.approx(nd.exploitability(KNOT, "random"))
    assert list(nd.best_response(KNOT, given).values.values()) == pytest.approx([0.75, 0])


@pytest.mark.parametrize("form", [*sample(POLICIES, 1), *CHOOSERS])
def test_many_games_at_once_take_a_policy_in_any_form(form: str, tmp_path: Path) -> None:
    given = CHOOSERS[form] if form in CHOOSERS else POLICIES[form](tmp_path)
    batch = Batch(KNOT, 4, rival=nd.Seat.TWO, policy=given)
    batch.step(np.argmax(batch.masks[:, 0], axis=1))
    assert not batch.illegal.any()
    seen, _ = VectorDuel(2, "number-knot", opponent=given, seat=2, **SETTINGS).reset(seed=1)
    first = KNOT.play(KNOT.start(), {nd.Seat.ONE: KNOT.parse("A1")})
    if form in CHOOSERS:  # it has played its first option
        assert (seen == Encoding(KNOT).observation(first, nd.Seat.TWO)).all()


def test_a_move_that_an_opponent_may_not_play_is_refused() -> None:
    with pytest.raises(nd.IllegalMove, match=r"^S9 is not available; choose one of A1, "):
        VectorDuel(2, "number-knot", opponent=lambda _: "S9", seat=2, **SETTINGS).reset(seed=1)


@pytest.mark.parametrize("form", [*POLICIES, *CHOOSERS])
def test_a_player_in_any_form_plays_wherever_players_play(form: str, tmp_path: Path) -> None:
    given = CHOOSERS[form] if form in CHOOSERS else POLICIES[form](tmp_path)
    nd.play_match(nd.Match(KNOT, seed=1), [given, "perfect"])
    nd.play_match(nd.Match(KNOT, seed=1), {nd.Seat.TWO: given, nd.Seat.ONE: given})
    assert nd.arena({"one": given, "best": "perfect"}, [KNOT], pairs=1).games == 2
    DuelEnv("number-knot", opponent=given, seat=2, **SETTINGS).reset(seed=1)
    TextEnv("number-knot", opponent=given, seat=2, **SETTINGS).reset(seed=1)


@pytest.mark.parametrize("given", CHOOSERS.values(), ids=CHOOSERS)
def test_nobody_knows_what_a_chooser_would_lose(given: PlayerLike) -> None:
    with pytest.raises(ValueError, match=r"so its probabilities are unknown; pass a function"):
        nd.exploitability(KNOT, given)


def test_the_record_of_a_match_names_the_words_that_played_it() -> None:
    match = nd.Match(KNOT, seed=1)
    nd.play_match(match, ["random", Chooser()])
    assert [one.who for one in match.record.players] == ["random", "human"]
    named = nd.Match(KNOT, seed=1, players=(nd.Person("Ann"), nd.Person("Bob", "mine")))
    nd.play_match(named, ["random", "random"])
    assert [one.who for one in named.record.players] == ["human", "mine"]


def test_a_response_plays_its_strategy_and_a_solution_plays_perfectly() -> None:
    response = nd.best_response(KNOT, "random")
    assert nd.exploitability(KNOT, response) == nd.exploitability(KNOT, response.strategy)
    assert nd.exploitability(KNOT, response) != nd.exploitability(KNOT, "random")
    assert nd.exploitability(KNOT, nd.solve(KNOT)) == 0.0
    players: list[PlayerLike] = [response, response.strategy]
    matches = [nd.Match(KNOT, seed=3) for _ in players]
    for match, player in zip(matches, players, strict=True):
        nd.play_match(match, [player, "random"])
    assert matches[0].history == matches[1].history


@pytest.mark.parametrize("given", [None, 7, object()])
def test_anything_else_is_refused_with_what_would_do(given: Any) -> None:
    with pytest.raises(
        ValueError, match=r"^A player must be a word such as 'perfect', an .npz file, "
    ):
        nd.exploitability(KNOT, given)
    with pytest.raises(
        ValueError, match=r"^A player must be a word such as 'perfect', an .npz file, "
    ):
        nd.play_match(nd.Match(KNOT), [given, "random"])


def test_a_class_is_refused_with_what_to_write() -> None:
    with pytest.raises(ValueError, match=r"^Chooser is a class; pass an object, Chooser\(…\)\.$"):
        nd.play_match(nd.Match(KNOT), [Chooser, "random"])


def test_an_array_of_another_game_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^Probabilities must have the shape \(\d+, 6\), not \(2, 2\)"
    ):
        nd.exploitability(KNOT, np.ones((2, 2)))


def test_a_file_of_other_settings_is_refused_with_the_settings(tmp_path: Path) -> None:
    saved(tmp_path / "random.npz")
    with pytest.raises(ValueError, match=r"does not fit Number Knot with first=1, life=10, num"):
        nd.exploitability("number-knot", tmp_path / "random.npz")
    saved_array(tmp_path / "array.npz")
    with pytest.raises(ValueError, match=r"does not fit Number Knot with first=1, .* the shape"):
        nd.exploitability("number-knot", tmp_path / "array.npz")


# ---- arenas and benches of objects ---------------------------------------------------------


def test_an_arena_has_a_row_per_player_with_names_that_say_who() -> None:
    found = nd.arena([Chooser(), uniform, "random", "perfect"], [KNOT], pairs=2, seed=3)
    rows = {str(row["player"]): row for row in found.table()}
    assert rows.keys() == {"Chooser", "uniform", "random", "perfect"}
    assert rows["perfect"]["loss_per_decision"] == 0.0
    assert all(row["games"] == 12 and row["forfeits"] == 0 for row in rows.values())
    again = nd.arena(["random", "perfect"], [KNOT], pairs=2, seed=3)
    assert again == nd.arena(["random", "perfect"], [KNOT], pairs=2, seed=3)


def test_an_arena_computes_the_exact_exploitability_of_whatever_tells_its_probabilities() -> None:
    array = np.ones(Tables(KNOT).masks.shape)
    players = {"array": array, "function": uniform, "word": "random", "mine": "perfect"}
    other = nd.load("knot", numbers=2, life=2)
    rows = nd.arena({**players, "chooser": Chooser()}, [KNOT], pairs=2).table()
    found = {row["player"]: row["exploitability"] for row in rows}
    exact = nd.exploitability(KNOT, "random")
    known = {"array": exact, "function": exact, "word": exact, "mine": 0.0, "chooser": None}
    assert found == pytest.approx(known)
    rows = nd.arena({"word": "random", "best": "perfect"}, [KNOT, other], pairs=1).table()
    (mean,) = (row["exploitability"] for row in rows[:2] if row["player"] == "word")
    assert mean == pytest.approx((exact + nd.exploitability(other, "random")) / 2)


class Broken:
    def choose(self, situation: nd.Situation) -> object:
        raise ZeroDivisionError("a sentence that is longer than twenty letters")


FAILURES: dict[str, PlayerLike] = {
    "object": Broken(),
    "function of the situation": Broken().choose,
    "function of the options": lambda view, _, __: Broken().choose(view),
    "policy": lambda view, _: Broken().choose(view),
}


@pytest.mark.parametrize("form", FAILURES)
def test_an_own_player_that_fails_forfeits_and_the_report_says_why(form: str) -> None:
    found = nd.arena({"bad": FAILURES[form], "other": "random"}, [KNOT], pairs=1)
    (row,) = (row for row in found.table() if row["player"] == "bad")
    assert row["forfeits"] == 2
    reason = "it raised ZeroDivisionError: a sentence that is longer than twenty letters"
    assert str(row["first_forfeit"]).endswith(reason)
    assert any(line.endswith(reason) for line in trouble_lines(found))
    (measured,) = run_bench(FAILURES[form], [KNOT], Size(1, 2), 5, CORE_2).table()
    assert measured["forfeits"] == 14


@pytest.mark.parametrize("answer", [None, "S9", {"S1": 0.5}])
def test_an_own_player_with_an_illegal_answer_forfeits(answer: object) -> None:
    given: PlayerLike = (lambda _, __: answer) if isinstance(answer, dict) else lambda _: answer
    found = nd.arena({"bad": given, "other": "random"}, [KNOT], pairs=1)
    (row,) = (row for row in found.rows if row.name == "bad")
    assert row.forfeits == {"illegal": 2}


def test_the_name_of_a_built_in_player_is_reserved() -> None:
    with pytest.raises(ValueError, match=r"^perfect is the name of a built-in player; choose"):
        nd.arena({"perfect": Chooser(), "other": "random"}, [KNOT], pairs=1)
    assert nd.arena({"perfect": "perfect", "other": "random"}, [KNOT], pairs=1).games == 2


def test_one_game_needs_no_list() -> None:
    (row, _) = nd.arena(["random", "perfect"], "knot", pairs=1).table()
    assert row["event"] == "number-knot"
    assert nd.arena(["random", "perfect"], KNOT, pairs=1).games == 2
    assert [row["event"] for row in nd.bench("perfect", "bid").table()] == ["number-bid"]


def test_a_bench_measures_a_player_in_any_form_as_the_word_for_it(tmp_path: Path) -> None:
    (word,), (function,) = (nd.bench(one, [KNOT], seed=5).table() for one in ("random", uniform))
    assert word["loss"] == pytest.approx(function["loss"])
    for form in ("array", "file", "object"):
        (row,) = nd.bench(POLICIES[form](tmp_path), [KNOT], seed=5).table()
        assert row["loss"] == pytest.approx(word["loss"]), form
    for form, one in CHOOSERS.items():
        (chooser,) = nd.bench(one, [KNOT], seed=5).table()
        assert isinstance(chooser["loss"], float), form
        assert isinstance(word["loss"], float)
        assert chooser["loss"] > word["loss"] > 0.0 == chooser["loss of perfect"], form
    with pytest.raises(ValueError, match=r"^core-2 uses other settings; to use yours"):
        nd.bench("random", [KNOT])


# ---- names and seats -----------------------------------------------------------------------


def test_a_game_may_be_given_by_its_name() -> None:
    assert nd.Match("knot", seed=7).game == nd.load("number-knot")
    assert nd.solve("knot").game == nd.load("number-knot")
    assert Batch("knot", 3).game == nd.load("number-knot")
    assert Tables("knot").game == nd.load("number-knot")
    assert nd.player("random", "knot").game == nd.load("number-knot")  # type: ignore[attr-defined]  # a built-in player has it


def test_an_adapter_takes_a_game_or_a_name_with_settings() -> None:
    makers: list[Callable[..., Any]] = [
        *(Encoding, Tables, TextEnv, DuelEnv, pettingzoo.env, jax.make),
        lambda *game, **settings: VectorDuel(2, *game, **settings),
    ]
    for make in makers:
        for made in (make(KNOT), make("knot(numbers=3)", life=4)):
            env = getattr(made, "unwrapped", made)
            assert getattr(env, "game", None) in (KNOT, None)
            assert getattr(env, "encoding", Encoding(KNOT)) == Encoding(KNOT)
        with pytest.raises(ValueError, match=r"^A game object already has settings; pass life"):
            make(KNOT, life=5)
    with pytest.raises(ValueError, match=r"^'S1' is text, not a move; pass game.parse\('S1'\)"):
        Encoding(KNOT).action("S1")


@pytest.mark.parametrize("name", ["Batch", "DuelEnv", "Tables", "TextEnv", "VectorDuel"])
def test_a_name_of_an_adapter_is_answered_with_what_to_write(name: str) -> None:
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'; write: ") as refusal:
        getattr(nd, name)
    _, _, line = str(refusal.value).partition("; write: ")
    found: dict[str, object] = {}
    exec(line, found)
    assert name in found


def test_what_is_no_game_no_match_and_no_word_is_refused_with_what_to_write() -> None:
    uses: list[Callable[[Any], object]] = [nd.solve, nd.Match, lambda game: Batch(game, 3), Tables]
    for use in uses:
        with pytest.raises(ValueError, match=r"^A game must be a name .*; write NumberKnot\(\)\.$"):
            use(nd.NumberKnot)
    not_matches: list[Any] = ["knot", KNOT]
    for wrong in not_matches:
        with pytest.raises(ValueError, match=r"^play_match needs a match; pass nd\.Match\("):
            nd.play_match(wrong, ["random", "random"])
    with pytest.raises(ValueError, match=r"^A match has two players: pass \[one, two\]"):
        nd.play_match(nd.Match(KNOT), "random")
    with pytest.raises(ValueError, match=r"^A player must be a name such as 'perfect', not N"):
        nd.player(KNOT, "perfect")
    with pytest.raises(nd.IllegalMove, match=r"^5 is not a move; pass the text '5'"):
        nd.Match("bid").submit(nd.Seat.ONE, 5)  # type: ignore[arg-type]  # that is the point


def test_a_match_is_not_taken_for_its_state() -> None:
    match, solution = nd.Match(KNOT), nd.solve(KNOT)
    asked: list[Callable[[Any], object]] = [
        solution.value,
        lambda state: solution.values(state, nd.Seat.ONE),
        lambda state: solution.strategy(state, nd.Seat.ONE),
    ]
    for ask in asked:
        with pytest.raises(ValueError, match=r"^Pass match.state, not the match itself"):
            ask(match)


def test_a_bare_number_is_never_taken_for_a_seat() -> None:
    match, solution = nd.Match(KNOT), nd.solve(KNOT)
    move = match.options(nd.Seat.ONE)[0]
    calls: list[Callable[[Any], object]] = [
        lambda seat: match.submit(seat, "S1"),
        match.options,
        match.choice,
        match.view,
        match.history.seen,
        lambda seat: KNOT.view(match.state, seat),
        lambda seat: nd.load("stack").view(nd.load("stack").start(), seat),
        match.take_back,
        lambda seat: match.concede(seat, "resigned."),
        lambda seat: KNOT.play(match.state, {seat: move}),
        lambda seat: solution.strategy(match.state, seat),
        lambda seat: solution.values(match.state, seat),
        lambda seat: nd.play_match(match, {seat: "random", nd.Seat.TWO: "random"}),
        lambda seat: nd.review(match).players[seat],
        lambda seat: nd.best_response(KNOT, "random").values[seat],
        lambda seat: nd.best_response(KNOT, "random").gains[seat],
        lambda seat: Encoding(KNOT).observation(match.state, seat),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"^A seat must be Seat.ONE or Seat.TWO, not 0\.$"):
            call(0)
    assert not match.history.steps


@pytest.mark.parametrize("seat", nd.Seat)
def test_a_seat_means_itself_wherever_a_number_of_a_player_is_taken(seat: nd.Seat) -> None:
    for one in (seat, seat + 1, str(seat + 1)):
        env: Any = DuelEnv("number-knot", seat=one)  # type: ignore[arg-type]  # also as text
        assert env.reset(seed=1)[1]["seat"] == seat + 1
        vector = VectorDuel(2, "number-knot", seat=one)  # type: ignore[arg-type]  # idem
        assert set(vector.reset(seed=1)[1]["seat"]) == {seat + 1}
        text = TextEnv("number-knot", opponent="random", seat=one)  # type: ignore[arg-type]  # idem
        assert list(text.reset(seed=1)) == [seat]
    with pytest.raises(ValueError, match=rf"first must be 1 or 2, not {seat!r}\.$"):
        nd.load("knot", first=seat)


class Agent(Chooser):
    """An agent of a learning library, whose `policy` is a network."""

    policy = staticmethod(lambda *layers: layers)


def tempered(view: Any, seat: nd.Seat, temperature: float = 1.0) -> dict[str, float]:
    return {move: chance * temperature for move, chance in uniform(view, seat).items()}


def remembering(_: Any, options: tuple[Any, ...], __: object = ()) -> object:
    return options[0]


def test_a_function_with_a_default_is_what_its_arguments_say() -> None:
    assert nd.exploitability(KNOT, tempered) == nd.exploitability(KNOT, "random")
    agent: Any = Agent()
    players: dict[str, PlayerLike] = {"a": tempered, "b": remembering, "c": agent}
    rows = nd.arena(players, [KNOT], pairs=2).table()
    assert {row["forfeits"] for row in rows} == {0}


def test_a_function_that_takes_anything_is_refused() -> None:
    with pytest.raises(ValueError, match="a function that takes the view and the seat"):
        nd.play_match(nd.Match(KNOT), [lambda *anything: anything, "random"])


def test_no_game_and_no_size_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        nd.arena(["random", "perfect"], [])
    with pytest.raises(ValueError, match="at least one game"):
        nd.bench("random", [])
    with pytest.raises(ValueError, match="There is no size 'medium'"):
        nd.bench("random", size="medium")


# ---- a first hour --------------------------------------------------------------------------


def test_rows_name_the_scale_of_their_figures() -> None:
    (row, _) = nd.arena(["random", "level:1"], "knot", pairs=3).table()
    assert {"result", "result_without_luck", "loss_per_decision"} < row.keys()
    found = nd.arena(["random", "level:1"], "knot", pairs=3)
    assert row["result"] == found.rows[0].score.mean
    assert repr(found) == "<Report of 6 games between level:1, random>"
    assert len(repr(nd.bench("perfect", "bid"))) < 80
    assert repr(nd.review(nd.Match("knot"))) == "<Review of number-knot: *>"


def test_a_first_call_that_cannot_work_says_what_to_write() -> None:
    bid, knot = nd.load("bid", numbers=4), KNOT
    perfect = nd.solve(bid).strategy
    calls: dict[str, Callable[[], object]] = {
        "Pass a function, such as lambda view": lambda: nd.exploitability(knot, {1: 2}),  # type: ignore[arg-type]  # what people write
        "This is a policy for Number Bid, not for Number Knot": lambda: nd.play_match(
            nd.Match(knot), [perfect, "random"]
        ),
        "cannot play; pass a function that takes the view and the seat, or": lambda: nd.play_match(
            nd.Match(knot), [lambda: "S1", "random"]
        ),
        "cannot play; pass a function": lambda: nd.play_match(
            nd.Match(knot), [lambda view, options: (view, options), "random"]
        ),
        "Pass the moves by seat, such as": lambda: knot.play(knot.start(), "S1"),
        r"two or more players: pass \[<function": lambda: nd.arena(uniform, "knot"),  # type: ignore[arg-type]  # idem
        "A seat must be Seat.ONE or": lambda: nd.Lock(1, "never", ("4",)),  # type: ignore[arg-type]  # idem
    }
    for sentence, call in calls.items():
        with pytest.raises(ValueError, match=sentence):
            call()
    locked = nd.solve(bid, locks="2 never 4")
    assert locked.value() == locked.value(bid.start()) == 1.0


def test_the_only_player_to_move_need_not_be_named() -> None:
    knot, bid = nd.solve(nd.load("knot", numbers=3, life=3)), nd.solve(nd.load("bid", numbers=3))
    start = knot.game.start()
    assert knot.value() == knot.value(start)
    assert knot.values(start) == knot.values(start, nd.Seat.ONE)
    assert knot.guarantees(start) == knot.guarantees(start, nd.Seat.ONE)
    assert knot.strategy(start) == knot.strategy(start, nd.Seat.ONE)
    with pytest.raises(ValueError, match=r"^Both players decide here; pass a state and a seat"):
        bid.strategy(bid.game.start())
    with pytest.raises(ValueError, match=r"^Pass match\.state"):
        knot.strategy(nd.Match(knot.game))  # type: ignore[arg-type]  # what people write


def test_a_policy_may_name_a_move_by_its_number() -> None:
    bid = nd.load("bid", numbers=4)
    named = nd.exploitability(bid, lambda view, _: {str(view.pool[0]): 1.0})
    assert nd.exploitability(bid, lambda view, _: {view.pool[0]: 1.0}) == named


def test_first_calls_work_or_say_what_to_write() -> None:
    bid = nd.load("bid", numbers=4)
    assert len(dict(nd.states("bid", numbers=4))) == len(dict(nd.states(bid)))
    with pytest.raises(ValueError, match="two or more players"):
        nd.arena("random", "knot")
    with pytest.raises(TypeError) as failed:
        nd.play_match(nd.Match("knot"), ["random", lambda _, legal: legal[0]])
    assert "is a policy, so it is called with a view and a seat" in failed.value.__notes__[0]
