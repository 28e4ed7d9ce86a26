"""How many nodes each technique of the engine saves: the same positions, with one technique after the other.

All of them search the same trees to the same depth and must find the same value, so that only the order of moves and
the use of memory differ. For comparison there are minimax, which visits every node, and the fewest leaves that any
order of moves allows. Other textbook algorithms, and your own, can take part.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of
from zermelo.kernel.random import Random
from zermelo.kernel.tabular import Tabular
from zermelo.search.checks import require_two_sides, whole_number
from zermelo.search.race_census import whole_trees
from zermelo.search.race_chart import draw
from zermelo.search.race_contest import PLAIN_SEARCH, Contest, Row
from zermelo.search.registry import Algorithm, find, require_suitable

MINIMAX_NODES = 20_000_000
"""How many states minimax may visit in a race: more would take longer than all other rows together."""

OPENING_PLIES = (2, 6)
"""How many random moves lead to a position, at least and at most."""

ATTEMPTS = 200
"""After this many random openings in a row that lead to known positions, the search for new ones ends."""


@dataclass(frozen=True)
class Race(Tabular):
    """A race that has been run.

    best_case      the fewest leaves that any order of moves allows, for all positions together: b^⌈m/2⌉ + b^⌊m/2⌋ - 1
                   (Knuth and Moore 1975), if the whole tree has b^m leaves
    branching      b, on average over the positions
    counted_depth  the depth to which minimax counted the leaves, which give b
    plies          how deep the trees are: less than the depth if the game ends earlier
    to_the_end     was nothing estimated?
    left_out       techniques without a row, each with the reason
    stopped        did Ctrl-C end it early? Then rows are missing
    """

    game: str
    depth: int
    positions: int
    seed: int | None
    rows: tuple[Row, ...]
    left_out: tuple[tuple[str, str], ...]
    values: tuple[float, ...]
    best_case: float
    branching: float
    counted_depth: int
    plies: float
    to_the_end: bool
    stopped: bool = False

    def row(self, technique: str) -> Row:
        """The row of that name."""
        for row in self.rows:
            if row.technique == technique:
                return row
        raise KeyError(f"{technique!r} is not one of {', '.join(row.technique for row in self.rows)}")

    def ratio(self, row: Row) -> float:
        """Nodes, as a multiple of plain alpha-beta's."""
        return row.nodes / self.row(PLAIN_SEARCH).nodes

    def over_best(self, row: Row) -> float:
        """Leaves, as a multiple of the best case."""
        return row.leaves / self.best_case

    def effective_branching(self, row: Row) -> float:
        """The branching of the uniform tree of this depth that has as many nodes (the textbook's b*)."""
        return effective_branching(row.nodes / self.positions, self.plies)

    def table(self) -> list[dict[str, Any]]:
        """The rows as plain data."""
        return [
            {
                "technique": row.technique,
                "nodes": row.nodes,
                "leaves": row.leaves,
                "seconds": row.seconds,
                "nodes_per_second": row.nodes_per_second,
                "ratio": self.ratio(row),
                "leaves_over_best": self.over_best(row),
                "effective_branching": self.effective_branching(row),
                "first_move_share": row.first_move_share,
                "note": row.note,
            }
            for row in self.rows
        ]

    def to_json(self) -> dict[str, Any]:
        """The race as plain data."""
        return {
            **{f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.name not in ("rows", "left_out")},
            "values": list(self.values),
            "rows": self.table(),
            "left_out": [{"technique": name, "reason": reason} for name, reason in self.left_out],
        }

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_svg(self) -> str:
        """The nodes as bars, with the leaves marked in them and the best case beside them."""
        what = "to the end of the game" if self.to_the_end else f"to depth {self.depth}"
        where = "the start position" if self.seed is None else f"{self.positions} positions"
        bars = [(row.technique, row.nodes, row.leaves, self.ratio(row)) for row in self.rows]
        return draw(f"{self.game}: {where}, {what}", bars, self.best_case)


def race(
    game: Game | str,
    *,
    depth: int | None = None,
    positions: int | None = None,
    seed: int = 0,
    table: float = 64,
    minimax_nodes: int = MINIMAX_NODES,
    algorithms: Sequence[Any] = (),
) -> Race:
    """Search the same positions with one technique after the other.

    depth          by default as deep as minimax can count within its limit
    positions      how many positions after random openings; by default only the start position
    seed           seed of the random openings
    table          MiB for the transposition table
    minimax_nodes  how many states minimax, and each of the `algorithms`, may visit
    algorithms     further rows: textbook algorithms by name, or your own functions

    Ctrl-C ends it early and keeps the rows so far.
    """
    game = game_of(game)
    require_two_sides("the engine", game)
    others = [_textbook(each, game) for each in algorithms]
    depth = whole_number("depth", depth)
    count = whole_number("positions", positions)
    starts = [((), game.initial())] if count is None else openings(game, count, seed)
    counted = whole_trees(game, starts, depth, minimax_nodes)
    if depth is None:
        depth = len(counted)
    contest = Contest(game, starts, depth, table)
    stopped = False
    try:
        contest.run(counted)
        for each in others:
            contest.add(each, minimax_nodes)
    except KeyboardInterrupt:
        if not contest.first_values:
            raise  # there is nothing to compare with
        stopped = True
    trees = counted[-1]
    branchings = [tree.leaves ** (1 / max(tree.plies, 1)) for tree in trees]
    plies = [depth if tree.estimates else tree.plies for tree in trees]
    best = [leaves_in_best_order(b, m) for b, m in zip(branchings, plies, strict=True)]
    return Race(
        game=game.name,
        depth=depth,
        positions=len(starts),
        seed=None if count is None else seed,
        rows=tuple(contest.rows),
        left_out=tuple(contest.left_out),
        values=tuple(contest.first_values),
        best_case=math.fsum(best),
        branching=math.fsum(branchings) / len(branchings),
        counted_depth=len(counted),
        plies=sum(plies) / len(plies),
        to_the_end=contest.to_the_end,
        stopped=stopped,
    )


def _textbook(algorithm: Any, game: Game) -> Algorithm:
    chosen = find(algorithm)
    require_suitable(chosen, game)
    if not chosen.observable or chosen.vector or chosen.randomised:
        raise Unsuitable(f"{chosen.name} cannot race: it must be a textbook algorithm with one exact value")
    return chosen


def openings(game: Game, count: int, seed: int) -> list[tuple[tuple[Any, ...], Any]]:
    """Different positions after random moves, each with the states before it."""
    random = Random(seed)
    found: dict[Any, tuple[tuple[Any, ...], Any]] = {}
    least, most = OPENING_PLIES
    attempts = 0
    while len(found) < count and attempts < ATTEMPTS:
        past = [game.initial()]
        for _ in range(least + random.below(most - least + 1)):
            legal = game.remembering(past).legal(past[-1])
            if not legal:
                break
            past.append(game.result(past[-1], legal[random.below(len(legal))]))
        attempts += 1
        if past[-1] not in found and game.remembering(past).legal(past[-1]):
            found[past[-1]] = tuple(past[:-1]), past[-1]
            attempts = 0
    if len(found) < count:
        raise ValueError(f"{game.title} has too few openings for {count} positions: {len(found)} were found")
    return list(found.values())


def leaves_in_best_order(branching: float, plies: int) -> float:
    """The fewest leaves of alpha-beta: those that it visits in the best order (Knuth and Moore 1975)."""
    return branching ** math.ceil(plies / 2) + branching ** (plies // 2) - 1


def effective_branching(nodes: float, plies: float) -> float:
    """The b for which 1 + b + b² + … + b^plies is this number of nodes."""
    low, high = 0.0, max(nodes, 2.0)
    for _ in range(100):
        middle = (low + high) / 2
        total = plies + 1 if abs(middle - 1) < 1e-12 else (middle ** (plies + 1) - 1) / (middle - 1)
        if total < nodes:
            low = middle
        else:
            high = middle
    return high
