"""Games with hidden information for tests: random ones with perfect recall, and some that are wrong in one way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from zlib import crc32

from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u8

History = tuple[tuple[int, int], ...]
"""Who moved, and the move."""


class RandomHidden(Game):
    """A random zero-sum game: whose turn it is, what a player observes of a move and the utilities follow from a seed.

    A player knows its own moves and what it has observed, in order, so it has perfect recall.
    """

    chance = True
    hidden = True
    utility_range = (-10.0, 10.0)

    def __init__(self, seed: int, plies: int = 5):
        self.seed, self.plies = seed, plies

    def number(self, *about: Any) -> int:
        return crc32(repr((self.seed, about)).encode()) >> 3

    def initial(self) -> History:
        return ()

    def to_move(self, s: History) -> int:
        return (
            (CHANCE, 0, 1, 0, 1, 1, 0)[self.number("mover", len(s)) % 3 if len(s) else 0] if len(s) < 2 else len(s) % 2
        )

    def count(self, s: History) -> int:
        mover = self.to_move(s)
        known = len(s) if mover == CHANCE else self.information(s, mover)
        return 2 + self.number("count", mover, known) % 2

    def actions(self, s: History) -> Iterator[int]:
        if not self.is_terminal(s):
            yield from range(self.count(s))

    def outcomes(self, s: History) -> Iterator[tuple[int, float]]:
        weights = [1 + self.number("odds", s, a) % 5 for a in range(self.count(s))]
        for a, weight in enumerate(weights):
            yield a, weight / sum(weights)

    def result(self, s: History, a: int) -> History:
        return (*s, (self.to_move(s), a))

    def is_terminal(self, s: History) -> bool:
        return len(s) >= self.plies or (len(s) > 2 and self.number("end", s) % 6 == 0)

    def utility(self, s: History, p: int) -> float:
        worth = self.number("worth", s) % 21 - 10
        return float(worth if p == 0 else -worth)

    def information(self, s: History, p: int) -> tuple[Any, ...]:
        seen: list[Any] = [len(s)]
        for ply, (mover, a) in enumerate(s):
            seen.append(a if mover == p else -1 - self.number("seen", p, s[:ply], a) % 2)
        return tuple(seen)


class Coins(NamedTuple):
    """The moves so far as digits, the first lowest, from 1."""

    moves: u8
    count: u8


class Forgetful(Game):
    """The first player moves twice and forgets its first move."""

    hidden = True

    def initial(self) -> Coins:
        return Coins(0, 0)

    def to_move(self, s: Coins) -> int:
        return 0

    def actions(self, s: Coins) -> Iterator[int]:
        if s.count < 2:
            yield 1
            yield 2

    def result(self, s: Coins, a: int) -> Coins:
        return Coins(s.moves * 4 + a, s.count + 1)

    def is_terminal(self, s: Coins) -> bool:
        return s.count == 2

    def utility(self, s: Coins, p: int) -> float:
        same = 1.0 if s.moves in (5, 10) else -1.0
        return same if p == 0 else -same

    def information(self, s: Coins, p: int) -> int:
        return s.count


class Endless(Forgetful):
    """Nobody ever gets anywhere."""

    def actions(self, s: Coins) -> Iterator[int]:
        yield 1

    def result(self, s: Coins, a: int) -> Coins:
        return s

    def is_terminal(self, s: Coins) -> bool:
        return False


class Confused(Forgetful):
    """Legal moves depend on what the player does not know."""

    def actions(self, s: Coins) -> Iterator[int]:
        if s.count < 2:
            yield 1
            if s.moves != 1:
                yield 2
