"""Names of people who meet on a server: nobody can be taken for another, or for nobody."""

from __future__ import annotations

from unicodedata import category, combining, normalize

from number_duels.core.names import JOINERS
from number_duels.core.record import check_names

#: Letters of other alphabets, and digits, that look like a letter of ours, in small letters.
LOOK_ALIKES = str.maketrans(
    "\u0430\u0432\u0435\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0456\u0458\u0455"
    "\u0501\u051b\u051d\u04bb\u0433\u03b1\u03b2\u03b5\u03b6\u03b7\u03b9\u03ba\u03bc\u03bd\u03bf"
    "\u03c1\u03c4\u03c5\u03c7\u03c9\u0131\u0585\u057d\u0570\u0578\u044c01|",
    "abekmhopctyxijsdqwhrabezhikmnoptyxwiouhnboll",
)
#: Capitals that look like a small letter of ours.
CAPITAL_LOOK_ALIKES = str.maketrans("I\u0406\u0399", "lll")
#: Between other signs nobody sees whether they are there: joiners, and ways to draw a picture.
VARIATIONS = (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
UNSEEN = str.maketrans("", "", JOINERS + "".join(map(chr, VARIATIONS)))
#: Printable to Python, and nothing to see.
BLANKS = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u2061\u2062\u2063\u2064"
MAX_MARKS = 2


def check_player_names(one: str, two: str) -> None:
    """Refuse names that cannot be seen or told apart; a ValueError says why.

    >>> check_player_names("Ann", "\u0410nn")
    Traceback (most recent call last):
    ValueError: The two names look alike; choose another.
    """
    check_names(one, two)
    for name in (one, two):
        if all(category(sign)[0] in "CMZ" for sign in name) or any(sign in BLANKS for sign in name):
            raise ValueError("A name has letters, digits or signs that can be seen.")
        if most_marks(name) > MAX_MARKS:
            raise ValueError(f"A letter of a name has at most {MAX_MARKS} accents.")
    if name_skeleton(one) == name_skeleton(two):
        raise ValueError("The two names look alike; choose another.")


def name_skeleton(name: str) -> str:
    """What is left when look-alikes, capitals and spaces are not told apart."""
    seen = normalize("NFKC", name.translate(UNSEEN))
    plain = seen.translate(CAPITAL_LOOK_ALIKES).casefold()
    return "".join(normalize("NFKD", plain).translate(LOOK_ALIKES).split())


def most_marks(name: str) -> int:
    """The most accents on one letter."""
    most = marks = 0
    for sign in normalize("NFD", name):
        marks = marks + 1 if combining(sign) else 0
        most = max(most, marks)
    return most
