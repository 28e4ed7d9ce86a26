"""The compiled race with all that an engine can use. Where the modes differ is in a table, so it is one program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from broken.compiled import Wide, WideRace, scrambled
from zermelo import u64

TOLD = (
    "safe_actions",
    "noisy_actions",
    "bounds",
    "may_stand",
    "canonical_key",
    "features",
    "is_noisy",
    "gain",
    "forcing_actions",
    "may_pass",
    "after_pass",
    "plies_left",
    "recurs",
    "count_actions",
    "list_actions",
    "list_noisy_actions",
    "list_forcing_actions",
    "mirror_image",
    "move_kind",
)
SAMPLED = ("nth_action", "rollout", "playout", "prior")


class WideTelling(WideRace):
    """The race with a total of 64 bits, which tells an engine something else compiled in one of its methods."""

    uses_history = True

    def __init__(self, where: str):
        super().__init__("")
        self.differs = np.array([where == method for method in TOLD], np.int64)
        self.weights = np.array([0.0, 0.0])

    def agrees(self, s: Any, method: int) -> bool:
        return bool(self.differs[method] == 0 or scrambled(s.total) < 500)

    def safe_actions(self, s: Any) -> Iterator[int]:
        if self.agrees(s, 0):
            yield 1
        yield 2

    def noisy_actions(self, s: Any) -> Iterator[int]:
        yield 1 if self.agrees(s, 1) else 2

    def bounds(self, s: Any) -> tuple[float, float]:
        return (-1000.0, 1000.0 - self.differs[2] * scrambled(s.total))

    def may_stand(self, s: Any) -> bool:
        return self.agrees(s, 3)

    def canonical_key(self, s: Any) -> int:
        return u64(2 * s.total + s.mover + self.differs[4] * 1000 * scrambled(s.total))

    def feature_names(self) -> tuple[str, ...]:
        return ("one", "another")

    def features(self, s: Any, p: int) -> Iterator[tuple[int, float]]:
        yield 0, 1.0 + self.differs[5] * scrambled(s.total)

    def is_noisy(self, s: Any, a: int) -> bool:
        return bool(a == 1 and self.agrees(s, 6))

    def gain(self, s: Any, a: int) -> float:
        return 1.0 + self.differs[7] * scrambled(s.total)

    def forcing_actions(self, s: Any) -> Iterator[int]:
        if self.agrees(s, 8):
            yield 2

    def may_pass(self, s: Any) -> bool:
        return self.agrees(s, 9)

    def after_pass(self, s: Any) -> Any:
        return Wide(s.total + self.differs[10] * scrambled(s.total), 1 - s.mover)

    def plies_left(self, s: Any) -> int:
        return 10 if self.agrees(s, 11) else 20

    def recurs(self, s: Any) -> bool:
        return not self.agrees(s, 12)

    def mirror_image(self, s: Any) -> Any:
        return Wide(s.total + self.differs[17] * scrambled(s.total), s.mover)

    def move_kind(self, s: Any, a: int) -> int:
        return a + int(self.differs[18] * scrambled(s.total))

    def count_actions(self, s: Any) -> int:
        return 2 if self.agrees(s, 13) else 3

    def list_actions(self, s: Any, room: Any) -> int:
        room[0], room[1] = 1, 2
        return 2 if self.agrees(s, 14) else 1

    def list_noisy_actions(self, s: Any, room: Any) -> int:
        room[0] = 1 if self.agrees(s, 1) else 2
        return 1 if self.agrees(s, 15) else 0

    def list_forcing_actions(self, s: Any, room: Any) -> int:
        room[0] = 2
        return 1 if self.agrees(s, 8) and self.agrees(s, 16) else 0


class WideSampling(WideRace):
    """The race with a total of 64 bits, which tells Monte Carlo tree search something else compiled."""

    def __init__(self, where: str):
        super().__init__("")
        self.differs = np.array([where == method for method in SAMPLED], np.int64)

    def agrees(self, s: Any, method: int) -> bool:
        return bool(self.differs[method] == 0 or scrambled(s.total) < 500)

    def nth_action(self, s: Any, n: int) -> int:
        return n + 1 if self.agrees(s, 0) else 2 - n

    def rollout(self, s: Any, random: Any) -> int:
        return 1 if self.agrees(s, 1) else 2

    def playout(self, s: Any, random: Any, played: Any) -> Any:
        while not self.is_terminal(s):
            played.note(s.mover, 1 if self.agrees(s, 2) else 2)
            s = self.result(s, 2)
        return s

    def prior(self, s: Any, a: int) -> float:
        return 1.0 if self.agrees(s, 3) else 0.5
