"""One small game that keeps the protocol, and the list of those that break it, each in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from zermelo import Game

BROKEN: list[tuple[type[Game], tuple[str, ...]]] = []
"""Games, each with the codes that are found in it."""


def breaks(*codes: str) -> Callable[[type[Game]], type[Game]]:
    """Note that the check finds just these codes in a game."""

    def note(cls: type[Game]) -> type[Game]:
        BROKEN.append((cls, codes))
        return cls

    return note


class Race(Game):
    """Two players add 1 or 2 in turn; who reaches 7 wins. The state is the total and the mover."""

    utility_range = (-1, 1)
    max_actions = 2

    def initial(self) -> Any:
        return (0, 0)

    def to_move(self, s: Any) -> int:
        return int(s[1])

    def actions(self, s: Any) -> Iterator[Any]:
        if not self.is_terminal(s):
            yield 1
            yield 2

    def result(self, s: Any, a: Any) -> Any:
        return (s[0] + a, 1 - s[1])

    def is_terminal(self, s: Any) -> bool:
        return bool(s[0] >= 7)

    def utility(self, s: Any, p: int) -> float:
        return -1 if s[1] == p else 1

    def evaluate(self, s: Any, p: int) -> float:
        if self.is_terminal(s):
            return self.utility(s, p)
        good = s[0] % 3 != 1  # whoever leaves 1 or 4 wins
        return 0.5 if good == (s[1] == p) else -0.5
