"""A small game for networks: take one to three stones; whoever takes the last one wins. It has features and phases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo import Game, u8

MOST = 21


class Heap(NamedTuple):
    left: u8
    mover: u8


class Stones(Game):
    """Features: one for each number of stones, and the share of stones that are left, less for the other player."""

    utility_range = (-1, 1)
    max_actions = 3

    def initial(self) -> Heap:
        return Heap(MOST, 0)

    def to_move(self, s: Heap) -> int:
        return s.mover

    def actions(self, s: Heap) -> Iterator[int]:
        for a in range(1, min(s.left, 3) + 1):
            yield a

    def result(self, s: Heap, a: int) -> Heap:
        return Heap(s.left - a, 1 - s.mover)

    def is_terminal(self, s: Heap) -> bool:
        return s.left == 0

    def utility(self, s: Heap, p: int) -> float:
        return -1.0 if s.mover == p else 1.0

    def feature_names(self) -> tuple[str, ...]:
        return (*(f"{n} stones" for n in range(1, MOST + 1)), "share", "to move")

    def features(self, s: Heap, p: int) -> Iterator[tuple[int, float]]:
        yield s.left - 1, 1.0
        yield MOST, s.left / MOST
        yield MOST + 1, 0.5 if s.mover == p else -0.5
        yield MOST + 1, 0.5 if s.mover == p else -0.5

    def phase(self, s: Heap) -> int:
        return 0 if s.left > 8 else 1

    def phase_names(self) -> tuple[str, ...]:
        return "many", "few"


class RememberingStones(Stones):
    """The same game, which compares a state with the last one: it remembers the number of stones, plus 1."""

    def list_changes(self, s: Heap, p: int, last: Any, numbers: Any, amounts: Any) -> int:
        numbers[0], amounts[0] = MOST, s.left / MOST
        numbers[1], amounts[1] = MOST + 1, 1.0 if s.mover == p else -1.0
        numbers[2], amounts[2] = s.left - 1, 1.0
        before = int(last[0])
        last[0] = s.left + 1
        if before == 0 or before == s.left + 1:
            return 3
        numbers[3], amounts[3] = before - 2, 0.0
        return 4
