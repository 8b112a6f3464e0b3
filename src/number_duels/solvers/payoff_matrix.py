"""The matrix of a state in which both choose at once, for notebooks and other programs."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Generic

from number_duels.core.game import M

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Which of all matrices are ours, and may be written again.
NFG_MARK = 'NFG 1 R "Number Duels: '


@dataclass(frozen=True)
class PayoffMatrix(Generic[M]):
    """What each pair of moves is worth to Player 1, if both play perfectly after it.

    >>> import number_duels as nd
    >>> game = nd.load("number-bid", numbers=3)
    >>> matrix = nd.solve(game, cache=False).matrix(game.start())
    >>> [str(move) for move in matrix.rows]
    ['1', '2', '3']
    >>> matrix.values
    ((0.0, -1.0, -1.0), (1.0, 0.0, -1.0), (1.0, 1.0, 0.0))
    """

    #: What it is called.
    title: str
    #: The moves of Player 1.
    rows: tuple[M, ...]
    #: The moves of Player 2.
    columns: tuple[M, ...]
    #: A row for each move of Player 1.
    values: tuple[tuple[float, ...], ...]

    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The payoffs of Player 1 and of Player 2, as NumPy's arrays and as nashpy takes them."""
        import numpy as np

        one = np.array(self.values)
        return one, 0.0 - one

    def nfg(self, title: str | None = None) -> str:
        """The text of a file that Gambit reads (`.nfg`).

        >>> import number_duels as nd
        >>> game = nd.load("number-bid", numbers=2)
        >>> print(nd.solve(game, cache=False).matrix(game.start()).nfg(), end="")
        NFG 1 R "Number Duels: Number Bid" { "Player 1" "Player 2" }
        { { "1" "2" } { "1" "2" } }
        <BLANKLINE>
        0 0 1 -1
        -1 1 0 0
        """
        # Without quotes Gambit would take a number for something else.
        labels = (
            " ".join(f'"{escaped(str(move))}"' for move in moves)
            for moves in (self.rows, self.columns)
        )
        strategies = " ".join(f"{{ {said} }}" for said in labels)
        head = f'{NFG_MARK}{escaped(title or self.title)}" {{ "Player 1" "Player 2" }}'
        # Player 1's moves come one after another before Player 2's next move.
        payoffs = (
            " ".join(f"{digits(value)} {digits(0.0 - value)}" for value in column)
            for column in zip(*self.values, strict=True)
        )
        return "\n".join([head, f"{{ {strategies} }}", "", *payoffs, ""])


def escaped(label: str) -> str:
    """A label as it is written between quotes."""
    return label.replace('"', '\\"')


def digits(value: float) -> str:
    """All digits of a number, without an exponent.

    >>> digits(1.0), digits(-0.25), digits(1e-7)
    ('1', '-0.25', '0.0000001')
    """
    return f"{Decimal(repr(value)):f}".removesuffix(".0")
