"""The prompt: the game's own rules, the position, the history, the moves; and no names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import number_duels as nd
from number_duels.core.game import SomeGame
from number_duels.core.match import Match
from number_duels.core.player import AnyMatch, Situation, situation
from number_duels.core.record import Person
from number_duels.core.runner import play_match
from number_duels.core.text import in_force, rules_text
from number_duels.players.builtin import RandomPlayer
from number_duels.players.llm.prompt import question
from tests.players.bots import Recorder
from tests.players.model_players import knot
from tests.some_games import SOME_GAMES


def text(asked: Situation) -> str:
    return question(asked)["content"]


def decisions(game: SomeGame, seed: int) -> list[Situation]:
    """What was told at every turn of a game between random players."""
    people = (Person("Zebedee", "human"), Person("Quirinus", "llm:tiny"))
    match: AnyMatch = Match(game, seed=seed, players=people)
    told: list[Situation] = []
    play_match(match, {one: Recorder(RandomPlayer(game), told) for one in nd.Seat})
    return told


@pytest.mark.parametrize("name", SOME_GAMES)
def test_every_prompt_has_the_rules_the_history_and_each_legal_move(name: str) -> None:
    game = nd.load(name)
    told = [in_force(one) for one in game.rule_sections() if not one.for_keyboard]
    rules = rules_text(told).strip()
    for asked in decisions(game, seed=5):
        prompt = text(asked)
        assert rules in prompt
        assert f"You are {asked.seat};" in prompt
        assert f"\n{asked.history or 'Nothing has been played yet.'}\n" in prompt
        listed = prompt.partition("YOUR LEGAL MOVES\n")[2].partition("\n\n")[0].splitlines()
        assert [line.partition(": ")[0] for line in listed] == list(map(str, asked.options))
        assert all(line.partition(": ")[2] for line in listed)


@pytest.mark.parametrize("name", nd.games())
def test_no_prompt_has_a_name_or_speaks_of_a_keyboard(name: str) -> None:
    for asked in decisions(nd.load(name), seed=6):
        prompt = text(asked).casefold()
        assert "zebedee" not in prompt
        assert "quirinus" not in prompt
        assert "keyboard" not in prompt


@pytest.mark.parametrize("name", nd.games())
def test_no_prompt_speaks_of_a_command_line_or_of_settings_that_are_not_in_force(name: str) -> None:
    for settings in settings_of(name):
        prompt = text(decisions(nd.load(name, **settings), seed=6)[0])
        assert "--" not in prompt
        rules = prompt.partition("SETTINGS")[0]
        assert "instead" not in rules.partition("RULINGS")[2]


def settings_of(name: str) -> Iterator[dict[str, int | str]]:
    """The usual settings, and each choice of words once."""
    yield {}
    for setting, known in nd.load(name).describe_settings().items():
        for value in known.choices or ():
            yield {setting: value}


def test_a_ruling_is_the_one_in_force() -> None:
    draw, other = text(knot()), text(knot(exhausted="higher-life"))
    assert "both players are alive, the game is a draw." in " ".join(draw.split())
    assert "higher life total" not in draw
    assert "alive, the higher life total wins" in " ".join(other.split())
    assert "the game is a draw" not in other


@pytest.mark.parametrize("name", ["high-low-battle", "number-bid"])
def test_a_secret_choice_of_the_others_changes_no_prompt(name: str) -> None:
    match: AnyMatch = Match(nd.load(name), seed=7)
    before = text(situation(match, nd.Seat.TWO))
    match.submit(nd.Seat.ONE, match.options(nd.Seat.ONE)[-1])
    assert text(situation(match, nd.Seat.TWO)) == before


def test_settings_that_differ_are_told_with_what_they_mean() -> None:
    assert "All settings are the usual ones" in text(knot())
    changed = text(knot(life=12, first=2))
    assert "life = 12 (usually 10): the life total that both start with" in changed
    assert "numbers =" not in changed
    assert "12" in changed.partition("SETTINGS")[0]  # the rules are those of this game
    assert "Player 2 began." in changed
    assert "You are Player 2;" in changed


def test_the_position_is_in_words() -> None:
    assert "Player 1 Life Total: 10\nPlayer 2 Life Total: 5\nAvailable Numbers: 1 2 3 4" in text(
        knot("S5")
    )


def test_the_same_game_asks_the_same() -> None:
    game = nd.load("number-drop")
    first, again = decisions(game, seed=8), decisions(game, seed=8)
    assert list(map(text, first)) == list(map(text, again))
