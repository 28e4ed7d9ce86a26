"""What the engine tells: progress while it thinks, solved positions, and the lines that its answers are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple


class Variation(NamedTuple):
    """One of the best lines: what it is worth to the player to move, plies to the win or the loss, and its moves."""

    value: float
    distance: int | None
    line: tuple[Any, ...]


@dataclass(frozen=True)
class Progress:
    """What the engine has found so far, told after each depth; where several lines are asked for, all of them."""

    depth: int
    value: float
    distance: int | None
    exact: bool
    line: tuple[Any, ...]
    nodes: int
    seconds: float
    deepest: int = 0  # the ply that the search has come to, beyond its depth
    lines: tuple[Variation, ...] = ()

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


class Solved(NamedTuple):
    """The proven value of one of many positions, for the player to move."""

    value: float
    distance: int | None  # plies to the win or the loss
    action: Any


@dataclass(frozen=True)
class Counts:
    """What a search has cost, and how well its moves were ordered.

    nodes        states visited
    leaves       those of them at which it came to an end of the game or to its horizon
    estimates    how often it had to estimate, whether there and then or by way of the table
    cuts         nodes at which some move was good enough, so that the others were left out
    first_cuts   those of them at which it was the first move that was tried
    table_cuts   nodes at which the table had the answer
    quiescent    nodes beyond the horizon
    """

    value: float
    nodes: int = 0
    leaves: int = 0
    estimates: int = 0
    cuts: int = 0
    first_cuts: int = 0
    table_cuts: int = 0
    quiescent: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Found:
    """One line: its score, its moves, and whether it is proven."""

    score: int
    line: tuple[Any, ...]
    exact: bool
