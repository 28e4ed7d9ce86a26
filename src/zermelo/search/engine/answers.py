"""What the engine returns: progress while it thinks, analyses, solved positions, and the cost of searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.search.analysis import Analysis, Move


class Variation(NamedTuple):
    """One of the best lines: its value for the player to move, the plies to the win or the loss, and its moves."""

    value: float
    distance: int | None
    line: tuple[Any, ...]


@dataclass(frozen=True)
class Progress:
    """What the engine has found so far, reported after each depth; with several lines, all of them."""

    depth: int
    value: float
    distance: int | None
    exact: bool
    line: tuple[Any, ...]
    nodes: int
    seconds: float
    deepest: int = 0  # the deepest ply visited, which extensions move beyond the depth
    lines: tuple[Variation, ...] = ()
    endgames: int = 0  # nodes answered by endgame tables
    counted: str = "depth"  # what `depth` counts, if not plies

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
    leaves       nodes at the end of the game or at the horizon
    estimates    how often the value was estimated, directly or by the table
    cuts         nodes with a beta cutoff
    first_cuts   nodes at which the first move caused the cutoff
    table_cuts   nodes that the table answered
    quiescent    nodes beyond the horizon
    endgames     nodes answered by endgame tables
    """

    value: float
    nodes: int = 0
    leaves: int = 0
    estimates: int = 0
    cuts: int = 0
    first_cuts: int = 0
    table_cuts: int = 0
    quiescent: int = 0
    endgames: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Found:
    """One line: its score, its moves, and whether it is proven."""

    score: int
    line: tuple[Any, ...]
    exact: bool


class EngineAnalysis(Analysis):
    """An analysis that makes its list of moves when it is first read: naming all legal moves can take a millisecond.

    searched   value, distance, line and exactness of each move that was searched, the best first
    legal      all moves to choose from
    """

    searched: tuple[tuple[float, int | None, tuple[Any, ...], bool], ...]
    legal: tuple[Any, ...]

    def __init__(self, **fields: Any):
        vars(self).update(fields)

    def __getattr__(self, name: str) -> Any:
        if name != "moves":
            raise AttributeError(name)
        game, s = self.game, self.state
        moves = [
            Move(line[0], game.action_name(s, line[0]), value, True, line, distance, exact)
            for value, distance, line, exact in self.searched
        ]
        seen = {move.action for move in moves}
        moves += [Move(a, game.action_name(s, a), None, False) for a in self.legal if a not in seen]
        vars(self)["moves"] = tuple(moves)
        return self.moves
