"""Players described in a TOML file: what is read, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from number_duels.players.external import Limits, ModelOptions, Resources
from number_duels.players.players_file import read_players

EXAMPLE = Path(__file__).parents[2] / "examples" / "players.toml"


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def test_every_key_is_granted(tmp_path: Path) -> None:
    path = tmp_path / "players.toml"
    path.write_text(
        """
        [players.thinker]
        who = "llm:org/model"
        url = "http://localhost:8000/v1"
        key_variable = "OTHER_KEY"
        seconds = 120
        retries = 0
        patience = 600
        temperature = 0.7
        top_p = 0.9
        max_tokens = 4000
        reasoning_effort = "low"
        think = "text"
        system = "You play well."
        extra_body = { top_k = 20 }

        [players.mine]
        who = "bot:sh bot.sh"
        memory_mib = 512
        processes = 8
        open_files = 99
        pass_env = ["HF_HOME"]
        """
    )
    file = read_players(path, Limits(seconds=5, url="http://usual/v1"))
    assert file.players["thinker"].limits == Limits(
        seconds=120,
        starting=120,
        retries=0,
        patience=600,
        url="http://localhost:8000/v1",
        model=ModelOptions(
            key_variable="OTHER_KEY",
            temperature=0.7,
            top_p=0.9,
            max_tokens=4000,
            reasoning_effort="low",
            extra_body='{"top_k": 20}',
            system="You play well.",
            think="text",
        ),
    )
    assert file.players["mine"].limits == Limits(
        seconds=5,
        url="http://usual/v1",
        resources=Resources(512, 8, 99),
        pass_env=("HF_HOME",),
    )
    assert file.who("mine") == "bot:sh bot.sh"
    assert file.who("perfect") == "perfect"
    granted = file.limits({"me": "mine", "Player 2": "random"})
    assert granted.of("me") == file.players["mine"].limits
    assert granted.of("Player 2").resources == Resources()


@pytest.mark.parametrize(
    ("table", "sent"),
    [
        ("", True),
        ("url = 'http://usual/v1'", True),
        ("url = 'http://elsewhere/v1'", False),
        ("url = 'http://elsewhere/v1'\nkey_variable = 'OTHER_KEY'", True),
    ],
)
def test_an_address_of_the_file_gets_a_key_only_if_the_table_names_it(
    table: str, sent: bool, tmp_path: Path
) -> None:
    path = tmp_path / "players.toml"
    path.write_text(f"[players.tiny]\nwho = 'llm:tiny'\n{table}\n")
    found = read_players(path, Limits(url="http://usual/v1"))
    assert found.players["tiny"].limits.send_key is sent


MODEL, BOT = "who = 'llm:tiny'\n", "who = 'bot:sh x'\n"


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("seconds = 3", 'who must name an external or built-in player, such as "bot:COMMAND".'),
        ("who = 'human'", "who must name"),
        ("who = 'nobody'", "There is no player 'nobody'; choose random"),
        (
            MODEL + "colour = 1",
            "unknown key 'colour'; a language model can have who, seconds, retries",
        ),
        (
            BOT + "temperature = 1",
            "unknown key 'temperature'; a bot can have who, seconds, retries",
        ),
        ("who = 'perfect'\nseconds = 3", "'seconds'; a built-in player can have only who."),
        (MODEL + "temperature = 9", "temperature must be a number from 0 to 5."),
        (MODEL + "temperature = 'hot'", "temperature must be a number from 0 to 5."),
        (MODEL + "temperature = true", "temperature must be a number from 0 to 5."),
        (MODEL + "temperature = nan", "temperature must be a number from 0 to 5."),
        (MODEL + "max_tokens = 1.5", "max_tokens must be a whole number from 1 to"),
        (MODEL + "think = 'hard'", "think must be one of no, field, text."),
        (MODEL + "extra_body = {model = 'x'}", "extra_body must be a table of at most 20000"),
        (MODEL + "extra_body = {when = 2026-01-01}", "extra_body must be a table"),
        (
            MODEL + "key_variable = 'sk-1'",
            "the name of an environment variable, not the key itself.",
        ),
        (MODEL + "url = 'localhost'", "url must be an address such as http://localhost:8000/v1."),
        (BOT + "memory_mib = -1", "memory_mib must be a whole number from 0 (no limit) to"),
        (BOT + "pass_env = 'HOME'", "pass_env must be a list of environment variables"),
        (BOT + "seconds = 0", "seconds must be a number of seconds for one move, more than 0"),
        (BOT + "seconds = inf", "seconds must be a number of seconds for one move, more than 0"),
    ],
)
def test_a_mistake_in_a_table_is_one_sentence(table: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "players.toml"
    path.write_text(f"[players.me]\n{table}\n")
    with pytest.raises(ValueError, match=r"players\.toml: \[players\.me\]: ") as found:
        read_players(path, Limits())
    assert sentence in str(found.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "it has no players; write a table [players.NAME] for each player."),
        ("pairs = 3", "unknown key 'pairs'; write a table [players.NAME] for each player."),
        ("players = 3", "it has no players;"),
        ("[players]\nme = 'perfect'", "[players.me]: it must be a table with the key who."),
        ("[players.perfect]\nwho = 'random'", "cannot be one of human, random"),
        ("[players.'a:b']\nwho = 'random'", "a name must have 1 to 20 characters without : or ="),
        ("[players.abcdefghijklmnopqrstu]\nwho = 'random'", "a name must have 1 to 20 characters"),
        ("players = [", "is not TOML"),
    ],
)
def test_a_mistake_in_a_file_is_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "players.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"players\.toml") as found:
        read_players(path, Limits())
    assert sentence in str(found.value)
    assert "\n" not in str(found.value)


def test_the_example_is_right() -> None:
    kinds = {one.who.partition(":")[0] for one in read_players(EXAMPLE, Limits()).players.values()}
    assert kinds == {"bot", "llm"}
