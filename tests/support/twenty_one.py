"""Take one, two or three of the counters; whoever takes the last one wins. Plain Python: nothing is compiled."""

from __future__ import annotations

from collections.abc import Iterator

import zermelo


class TwentyOne(zermelo.Game):
    max_actions = 3
    utility_range = (-1.0, 1.0)

    def __init__(self, counters: int = 21):
        self.counters = counters

    def initial(self) -> tuple[str, int]:
        return "first", self.counters

    def to_move(self, s: tuple[str, int]) -> int:
        return 0 if s[0] == "first" else 1

    def actions(self, s: tuple[str, int]) -> Iterator[int]:
        yield from range(1, min(3, s[1]) + 1)

    def result(self, s: tuple[str, int], a: int) -> tuple[str, int]:
        return "second" if s[0] == "first" else "first", s[1] - a

    def is_terminal(self, s: tuple[str, int]) -> bool:
        return s[1] == 0

    def utility(self, s: tuple[str, int], p: int) -> float:
        return -1.0 if self.to_move(s) == p else 1.0
