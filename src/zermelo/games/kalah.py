"""Kalah: sow seeds around the board and collect more of them than the opponent (Champion 1940)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from zermelo.game.board import Board, Piece
from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.game.state import u8
from zermelo.games.parameters import whole_number
from zermelo.kernel.bits import replaced

HOUSES = 6
"""The most houses of a player."""
SIDES = "ab"
"""The letters of the players' houses."""
Pits: TypeAlias = tuple[u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8, u8]


class KalahState(NamedTuple):
    """The seeds in South's houses and store, then in North's houses and store, and the player to move.

    They are in the order of sowing. With fewer than six houses, the last places are unused.
    """

    pits: Pits
    mover: u8


class Kalah(Game):
    """Sow the seeds of one of your houses. A last seed in your store earns another move.

    Seeds are sown one by one, counterclockwise, into your store too, but not into the opponent's. If the last one falls
    into an empty house of yours, it goes to your store with the seeds opposite. When a player's houses are empty, the
    other player collects what is left, and the fuller store wins. A move is the number of a house, from 0.

    empty_captures   the last seed goes to the store also if there are no seeds opposite, as in the published solutions
    """

    utility_range = (-1.0, 1.0)

    def __init__(self, houses: int = 6, seeds: int = 4, empty_captures: bool = True):
        self.houses = whole_number("houses", houses, 1, HOUSES)
        self.seeds = whole_number("seeds", seeds, 1, 255)
        self.empty_captures = bool(empty_captures)
        self.total = 2 * self.houses * self.seeds
        if self.total > 255:
            raise GameError(f"there is room for 255 seeds, not for {self.total}")
        self.max_actions = self.houses

    def initial(self) -> KalahState:
        side = (self.seeds,) * self.houses + (0,)
        pits = (*side, *side, *(0,) * 2 * (HOUSES - self.houses))
        a, b, c, d, e, f, g, h, i, j, k, m, n, o = pits
        return KalahState((a, b, c, d, e, f, g, h, i, j, k, m, n, o), 0)

    def to_move(self, s: KalahState) -> int:
        return s.mover

    def place(self, p: int, step: int) -> int:
        """The pit so many steps after a player's first house: `houses` steps lead to the player's store."""
        return (p * (self.houses + 1) + step) % (2 * self.houses + 2)

    def store(self, s: KalahState, p: int) -> int:
        """The seeds in a player's store."""
        return s.pits[self.place(p, self.houses)]

    def actions(self, s: KalahState) -> Iterator[int]:
        for house in range(self.houses):
            if s.pits[self.place(s.mover, house)] > 0:
                yield house

    def result(self, s: KalahState, a: int) -> KalahState:
        pits, p, store = s.pits, s.mover, self.houses
        step, at = a, self.place(p, a)
        left = pits[at]
        pits = replaced(pits, at, 0)
        while left > 0:
            step = step + 1 if step < 2 * store else 0  # the opponent's store is left out
            at = self.place(p, step)
            pits = replaced(pits, at, pits[at] + 1)
            left -= 1
        opposite = self.place(p, 2 * store - step)
        if step < store and pits[at] == 1 and (self.empty_captures or pits[opposite] > 0):
            own = self.place(p, store)
            pits = replaced(pits, own, pits[own] + pits[opposite] + 1)
            pits = replaced(replaced(pits, at, 0), opposite, 0)
        if self.seeds_of(pits, 0) == 0 or self.seeds_of(pits, 1) == 0:
            pits = self.collected(pits)
        return KalahState(pits, p if step == store else 1 - p)

    def seeds_of(self, pits: tuple[int, ...], p: int) -> int:
        """The seeds in a player's houses."""
        total = 0
        for house in range(self.houses):
            total += pits[self.place(p, house)]
        return total

    def collected(self, pits: Pits) -> Pits:
        """The end of the game: both players put the seeds of their houses into their stores."""
        for p in range(2):
            own = self.place(p, self.houses)
            pits = replaced(pits, own, pits[own] + self.seeds_of(pits, p))
            for house in range(self.houses):
                pits = replaced(pits, self.place(p, house), 0)
        return pits

    def is_terminal(self, s: KalahState) -> bool:
        return self.store(s, 0) + self.store(s, 1) == self.total

    def utility(self, s: KalahState, p: int) -> float:
        own, other = self.store(s, p), self.store(s, 1 - p)
        return 1.0 if own > other else -1.0 if own < other else 0.0

    def evaluate(self, s: KalahState, p: int) -> float:
        """The lead as a share of all seeds, which are not all in one store before the end."""
        return (self.store(s, p) - self.store(s, 1 - p)) / self.total

    # For people.

    def player_name(self, p: int) -> str:
        return ("South", "North")[p]

    def action_name(self, s: KalahState, a: int) -> str:
        return f"{SIDES[s.mover]}{a + 1}"

    def standing(self, s: KalahState, p: int) -> str:
        count = self.store(s, p)
        return f"{count} seed{'s' * (count != 1)}"

    def paths(self, s: KalahState, a: int) -> Iterable[tuple[str, ...]]:
        return ((self.action_name(s, a),),)

    def picture(self, s: KalahState) -> Board:
        """North's houses above South's, each player's store at the right hand, numbers for seeds."""
        south, north = ([f"{side}{house + 1}" for house in range(self.houses)] for side in SIDES)
        rows = (("N", *north[::-1], ""), ("", *south, "S"))
        names = (*south, "S", *north, "N")
        counts = dict(zip(names, s.pits, strict=False))
        pieces = {name: seeds(count, name in "SN") for name, count in counts.items() if count > 0 or name in "SN"}
        return Board(rows, pieces, "lines", numbered=True, facing=True)

    def text(self, s: KalahState) -> str:
        north = [f"{s.pits[self.place(1, house)]:>3}" for house in reversed(range(self.houses))]
        south = [f"{s.pits[self.place(0, house)]:>3}" for house in range(self.houses)]
        width = 3 * self.houses
        return "\n".join(
            (
                "      " + "".join(f" b{house + 1}" for house in reversed(range(self.houses))),
                "      " + "".join(north),
                f"N {self.store(s, 1):>3} {'':{width}}   {self.store(s, 0)} S",
                "      " + "".join(south),
                "      " + "".join(f" a{house + 1}" for house in range(self.houses)),
            )
        )


def seeds(count: int, is_store: bool) -> Piece:
    """So many seeds, as a number on a disc."""
    return Piece(f"{count} seed{'s' * (count != 1)}", colour="yellow" if is_store else "white", symbol=str(count))
