"""States that random play came through, kept for the verdict on the evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sample:
    """A state, with the states before it and the moves between them; of an end also what it is worth."""

    state: Any
    path: tuple[tuple[Any, Any], ...]
    utilities: tuple[float, ...] = ()

    @property
    def earlier(self) -> list[Any]:
        """The states before this one."""
        return [s for s, _ in self.path]
