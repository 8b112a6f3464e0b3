"""Replace "Player 1" and "Player 2" in text with the players' names. One name may be "You".

>>> put_in("Player 1 wins the round and earns 1 point.", ("You", "Computer"))
'You win the round and earn 1 point.'
>>> put_in("Number 5 is not on Player 1's grid, and Player 2 wins.", ("You", "Computer"))
'Number 5 is not on your grid, and Computer wins.'
>>> put_in("If Player 1 guesses Player 2's choice, Player 2 loses.", ("You", "Computer"))
"If you guess Computer's choice, Computer loses."
>>> put_in("Player 2 wins. Player 1 leads Player 2.", ("You", "your opponent"))
'Your opponent wins. You lead your opponent.'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias
from unicodedata import bidirectional, category, combining

Names: TypeAlias = tuple[str, str]
#: Names that leave "Player 1" and "Player 2" in a text unchanged.
SEAT_NAMES: Names = ("Player 1", "Player 2")
#: The name of the only person in a game, if that person chose no name.
YOU = "You"
#: The other player's name in sentences to a learner. It is capitalized at the start of a sentence.
OPPONENT = "your opponent"
PLAYER = re.compile(r"\bPlayer ([12])\b")
ADDRESS = re.compile(r"^(?:Player [12]|You), (\w)")
REGULAR_VERBS = (
    *("add", "bid", "choose", "draw", "earn", "eliminate", "exceed", "forfeit", "gain", "get"),
    *("give", "keep", "lead", "leave", "lose", "make", "move", "need", "play", "remove"),
    *("resign", "reveal", "score", "start", "strike", "subtract", "take", "throw", "turn", "win"),
)
#: Verbs after a player's name, and their form after "You".
VERBS = {
    "guesses": "guess",
    "is": "are",
    "was": "were",
    "has": "have",
    "does": "do",
    "goes": "go",
    "passes": "pass",
    "reaches": "reach",
    **{f"{verb}s": verb for verb in REGULAR_VERBS},
}
#: A name after one of these words is not the subject of the sentence.
OBJECT = re.compile(r"\b(?:against|by|for|from|leaves|of|than|to|with) $", re.IGNORECASE)
#: The text before a name that begins a sentence, a line or a column.
BEGIN = re.compile(r"(?:^|[.!?…\n|-])\s*$")
CLAUSE_END = re.compile(r"[.!?](?=\s|$)|[:;\n]")
#: A verb that begins a clause or follows a comma, "and" or "or". Also "their" before "own".
VERB = re.compile(
    rf"(?P<before>^(?: never| always)? |, | and | or )(?P<verb>{'|'.join(VERBS)})\b"
    r"|\b(?P<own>their)(?= own\b)"
)


def put_in(text: str, names: tuple[str, str]) -> str:
    return "".join(part for part, _ in named_parts(text, names))


def named_parts(text: str, names: tuple[str, str]) -> Iterator[tuple[str, int | None]]:
    """Yield the text in pieces, with the names filled in, and the seat that each piece names.

    The seat is 0 or 1, or None if the piece is not a name.

    >>> list(named_parts("Player 2's Turn", ("Ann", "Bo")))
    [('Bo', 1), ("'s Turn", None)]
    """
    place, to_you = 0, False
    for found in PLAYER.finditer(text):
        before = text[place : found.start()]
        if before:
            yield (said_to_you(before) if to_you else before), None
        to_you = to_you and not CLAUSE_END.search(before)
        seat, place = int(found[1]) - 1, found.end()
        name = names[seat]
        if name == YOU:
            name, place = second_person(text, found)
        elif name == OPPONENT and BEGIN.search(text[: found.start()]):
            name = OPPONENT.capitalize()
        if not OBJECT.search(text[: found.start()]):
            to_you = names[seat] == YOU == name.capitalize()
        yield name, seat
    rest = text[place:]
    if rest:
        yield (said_to_you(rest) if to_you else rest), None


def without_address(prompt: str) -> str:
    """Return a prompt without the player's name.

    >>> without_address("Player 1, enter your bid"), without_address("You, enter your bid")
    ('Enter your bid', 'Enter your bid')
    """
    return ADDRESS.sub(lambda found: found[1].upper(), prompt)


def second_person(text: str, found: re.Match[str]) -> tuple[str, int]:
    """Return "you" or "your" in place of a name, and the index where the name ends."""
    word, place = "you", found.end()
    after = text[place : place + 2]
    if after == "'s":
        word, place = "your", place + 2
    elif after[:1] == " " and after[1:].isupper():  # Player 1 Score: 7
        word = "your"
    return (word.capitalize() if BEGIN.search(text[: found.start()]) else word), place


def said_to_you(text: str) -> str:
    """Change the verbs of the first clause to agree with "you", such as "wins" to "win"."""
    end = CLAUSE_END.search(text)
    clause = text[: end.start()] if end else text
    return VERB.sub(base_form, clause) + text[len(clause) :]


def base_form(found: re.Match[str]) -> str:
    return "your" if found["own"] else found["before"] + VERBS[found["verb"]]


# ---- joiners in names --------------------------------------------------------


NON_JOINER, JOINER = "\u200c", "\u200d"
JOINERS = NON_JOINER + JOINER
VIRAMA = 9


def without_joiners(text: str) -> str:
    r"""Remove the zero-width joiners that change how the characters around them look.

    >>> without_joiners("Persian \u0645\u06cc\u200c\u062e") == "Persian \u0645\u06cc\u062e"
    True
    >>> without_joiners("A\u200dnn")
    'A\u200dnn'
    """
    return "".join(
        sign
        for place, sign in enumerate(text)
        if sign not in JOINERS or not _is_seen(sign, text[:place], text[place + 1 :])
    )


def _is_seen(joiner: str, before: str, after: str) -> bool:
    if before and combining(before[-1]) == VIRAMA:
        return not after.startswith(tuple(JOINERS))
    if not before or not after:
        return False
    base = next((sign for sign in reversed(before) if not _is_added(sign)), "")
    pair = (base, after[0])
    cursive = all(sign and bidirectional(sign) == "AL" for sign in pair)
    pictures = all(sign and category(sign) == "So" for sign in pair)
    return cursive or (joiner == JOINER and pictures)


def _is_added(sign: str) -> bool:
    return category(sign)[0] == "M" or category(sign) == "Sk"
