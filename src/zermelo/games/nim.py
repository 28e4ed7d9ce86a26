"""Nim: piles of counters; the player who takes the last one wins, or loses in misère play.

Its theory is complete (Bouton 1901): the exclusive or of the piles, the nim-sum, determines the winner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from zermelo.game.board import Board
from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.game.state import u8
from zermelo.games.parameters import whole_number
from zermelo.kernel.bits import replaced

PILES = 8
"""The number of piles in a state; unused ones are empty."""

BOUTON = 0.5
"""The estimate of a position that theory calls won: less than a proven win."""


class NimState(NamedTuple):
    """The size of each pile, and whose turn it is."""

    piles: tuple[u8, u8, u8, u8, u8, u8, u8, u8]
    mover: u8


class Nim(Game):
    """In turn, take one or more counters from one pile. A move is 256 · pile + counters, with piles from 0."""

    utility_range = (-1.0, 1.0)
    may_be_drawn = False

    def __init__(self, piles: Iterable[int] | int = (3, 4, 5), misere: bool = False):
        self.piles = (piles,) if isinstance(piles, int) else tuple(piles)
        self.misere = bool(misere)
        if not 1 <= len(self.piles) <= PILES:
            raise GameError(f"there are 1 to {PILES} piles, not {len(self.piles)}")
        for number, pile in enumerate(self.piles, 1):
            whole_number(f"pile {number}", pile, 0, 255)
        if not any(self.piles):
            raise GameError("at least one pile must have a counter to take")
        self.max_actions = sum(self.piles)

    def initial(self) -> NimState:
        a, b, c, d, e, f, g, h = self.piles + (0,) * (PILES - len(self.piles))
        return NimState((a, b, c, d, e, f, g, h), 0)

    def to_move(self, s: NimState) -> int:
        return s.mover

    def actions(self, s: NimState) -> Iterator[int]:
        for pile in range(PILES):
            for counters in range(1, s.piles[pile] + 1):
                yield 256 * pile + counters

    def result(self, s: NimState, a: int) -> NimState:
        pile, counters = a >> 8, a & 255
        return NimState(replaced(s.piles, pile, s.piles[pile] - counters), 1 - s.mover)

    def is_terminal(self, s: NimState) -> bool:
        return max(s.piles) == 0

    def utility(self, s: NimState, p: int) -> float:
        took_the_last = p != s.mover
        return 1.0 if took_the_last != self.misere else -1.0

    # Theory.

    def nim_sum(self, s: NimState) -> int:
        """The exclusive or of the piles."""
        total = 0
        for pile in s.piles:
            total ^= pile
        return total

    def mover_wins(self, s: NimState) -> bool:
        """Does the player to move win with best play? By a nim-sum other than 0, says Bouton.

        In misère play the same holds as long as some pile has two or more; of single counters one wants an even number.
        """
        if self.misere and max(s.piles) <= 1:
            return self.nim_sum(s) == 0
        return self.nim_sum(s) != 0

    def evaluate(self, s: NimState, p: int) -> float:
        """Bouton's verdict, strictly between a loss and a win."""
        return BOUTON if self.mover_wins(s) == (p == s.mover) else -BOUTON

    # For people.

    def action_name(self, s: NimState, a: int) -> str:
        return f"{_letter(a >> 8)}{a & 255}"

    def picture(self, s: NimState) -> Board:
        return Board(heaps=tuple((_letter(i), pile) for i, pile in enumerate(s.piles[: len(self.piles)])))

    def paths(self, s: NimState, a: int) -> Iterable[tuple[str, ...]]:
        """The first of the counters to be taken: all from there on go."""
        pile, counters = a >> 8, a & 255
        return ((f"{_letter(pile)}{s.piles[pile] - counters + 1}",),)

    def text(self, s: NimState) -> str:
        piles = s.piles[: len(self.piles)]
        width = len(str(max(self.piles)))
        return "\n".join(f"{_letter(i)} {pile:>{width}} {'o' * pile}".rstrip() for i, pile in enumerate(piles))


def _letter(pile: int) -> str:
    return "ABCDEFGH"[pile]
