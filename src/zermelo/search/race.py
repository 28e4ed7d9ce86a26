"""How many states each technique of the engine saves: the same positions, with one technique after the other.

All of them search the same trees to the same depth and must find the same value, so that only the order of moves and
what is remembered differ. Beside them stand minimax, which looks at everything, and the fewest leaves that any order
of moves allows.
"""

from __future__ import annotations

import csv
import dataclasses
import io
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.kernel.routine import why_not_fixed_width
from zermelo.kernel.worker import PLIES, Stopped, plain_python, run, run_plain
from zermelo.search.bookkeeping import DEEPEST, NODE_LIMIT, NODES
from zermelo.search.checks import UNLIMITED, require_two_sides, whole_number
from zermelo.search.engine import PLAIN, Counts, Engine
from zermelo.search.minimax import minimax
from zermelo.search.race_chart import draw
from zermelo.search.registry import find
from zermelo.search.search import DEPTH_LIMIT, ESTIMATES, Search
from zermelo.search.textbook import DEFAULT_WIDTH

MINIMAX_NODES = 20_000_000
"""How many states minimax may visit in a race: more would take longer than all else together."""

OPENING_PLIES = (2, 6)
"""How many moves are made at random before a position is taken, at least and at most."""

ATTEMPTS = 200
"""How many random openings may in turn lead to positions seen before: then the game has few others."""

MINIMAX, PLAIN_SEARCH = "minimax", "alpha-beta"


@dataclass(frozen=True)
class Technique:
    """One row of a race: what it adds to the options of the row before."""

    name: str
    adds: dict[str, Any]
    needs: str = ""  # a method without which a game has nothing of the kind
    sees_further: bool = False  # may it know what lies beyond the horizon?
    deepening: bool = False


TECHNIQUES = (
    Technique("+ promise", {"promise": True}),
    Technique("+ killers", {"killers": True}),
    Technique("+ counter-moves", {"counters": True}),
    Technique("+ history", {"history": True}),
    Technique("+ scout", {"scout": True}),
    Technique("+ table", {"table": True}),
    Technique("+ replies looked up first", {"table_first": 1}),
    Technique("+ bounds", {"bounds": True}, "bounds", sees_further=True),
    Technique("+ safe moves", {"safe": True}, "safe_actions", sees_further=True),
    Technique("+ deepening, aspiration", {"aspiration": True}, deepening=True),
    Technique("MTD(f) instead", {"mtdf": True}, deepening=True),
)


@dataclass(frozen=True)
class Row:
    """What one technique, on top of those before it, took for all positions together."""

    technique: str
    nodes: int
    leaves: int
    seconds: float
    cuts: int = 0
    first_cuts: int = 0
    note: str = ""

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    @property
    def first_move_share(self) -> float | None:
        """The share of cutoffs that the first move brought about; None where there are none."""
        return self.first_cuts / self.cuts if self.cuts else None


@dataclass(frozen=True)
class Race:
    """A race that has been run.

    best_case      leaves that no order of moves can do without, for all positions together: b^⌈m/2⌉ + b^⌊m/2⌋ - 1
                   (Knuth and Moore 1975), where b^m are the leaves of the whole tree
    branching      b, on average over the positions
    counted_depth  the depth to which minimax counted the leaves that b is taken from
    plies          how deep the trees are: less than the depth where the game is over before
    to_the_end     was nothing estimated?
    left_out       techniques without a row, each with the reason
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

    def row(self, technique: str) -> Row:
        """The row of that name."""
        for row in self.rows:
            if row.technique == technique:
                return row
        raise KeyError(f"{technique!r} is none of {', '.join(row.technique for row in self.rows)}")

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

    def to_csv(self) -> str:
        """The rows as text, separated by commas."""
        rows = self.table()
        text = io.StringIO()
        writer = csv.DictWriter(text, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_svg(self) -> str:
        """The nodes as bars, with the leaves marked in them and the best case beside them."""
        what = "to the end of the game" if self.to_the_end else f"to depth {self.depth}"
        where = "the start position" if self.seed is None else f"{self.positions} positions"
        bars = [(row.technique, row.nodes, row.leaves, self.ratio(row)) for row in self.rows]
        return draw(f"{self.game}: {where}, {what}", bars, self.best_case)


def race(
    game: Game,
    *,
    depth: int | None = None,
    positions: int | None = None,
    seed: int = 0,
    table: float = 64,
    minimax_nodes: int = MINIMAX_NODES,
) -> Race:
    """Search the same positions with one technique after the other.

    depth          by default as deep as minimax can count within its limit
    positions      so many, after random openings; by default the start position alone
    seed           of the random openings
    table          MiB for the transposition table
    minimax_nodes  how many states minimax may visit
    """
    require_two_sides("the engine", game)
    depth = whole_number("depth", depth)
    count = whole_number("positions", positions)
    starts = [((), game.initial())] if count is None else openings(game, count, seed)
    counted = _whole_trees(game, starts, depth, minimax_nodes)
    if depth is None:
        depth = len(counted)
    contest = _Contest(game, starts, depth, table)
    contest.run(counted)
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
    )


def openings(game: Game, count: int, seed: int) -> list[tuple[tuple[Any, ...], Any]]:
    """So many positions after moves at random, no two alike, each with the states before it."""
    random = Random(seed)
    found: dict[Any, tuple[tuple[Any, ...], Any]] = {}
    least, most = OPENING_PLIES
    in_vain = 0
    while len(found) < count and in_vain < ATTEMPTS:
        past = [game.initial()]
        for _ in range(least + random.below(most - least + 1)):
            legal = game.remembering(past).legal(past[-1])
            if not legal:
                break
            past.append(game.result(past[-1], legal[random.below(len(legal))]))
        in_vain += 1
        if past[-1] not in found and game.remembering(past).legal(past[-1]):
            found[past[-1]] = tuple(past[:-1]), past[-1]
            in_vain = 0
    if len(found) < count:
        raise ValueError(f"{game.name} has too few openings for {count} positions: {len(found)} were found")
    return list(found.values())


def leaves_in_best_order(branching: float, plies: int) -> float:
    """What alpha-beta cannot do without, and all that it looks at in the best order (Knuth and Moore 1975)."""
    return branching ** math.ceil(plies / 2) + branching ** (plies // 2) - 1


def effective_branching(nodes: float, plies: float) -> float:
    """The b for which 1 + b + b² + … + b^plies are so many nodes."""
    low, high = 0.0, max(nodes, 2.0)
    for _ in range(100):
        middle = (low + high) / 2
        total = plies + 1 if abs(middle - 1) < 1e-12 else (middle ** (plies + 1) - 1) / (middle - 1)
        if total < nodes:
            low = middle
        else:
            high = middle
    return high


# The engine's part.


class _Contest:
    """The rows so far, and the values that the next one must find too."""

    def __init__(self, game: Game, starts: Sequence[tuple[tuple[Any, ...], Any]], depth: int, table: float):
        self.game, self.starts, self.depth, self.mebibytes = game, starts, depth, table
        self.rows: list[Row] = []
        self.left_out: list[tuple[str, str]] = []
        self.values: list[float] = []
        self.first_values: list[float] = []
        self.before = ""
        self.to_the_end = False

    def run(self, counted: list[list[_Tree]]) -> None:
        trees = counted[-1]
        if len(counted) == self.depth or all(tree.estimates == 0 for tree in trees):
            self.values, self.before = [tree.value for tree in trees], MINIMAX
            nodes, leaves = sum(tree.nodes for tree in trees), sum(tree.leaves for tree in trees)
            self.rows.append(Row(MINIMAX, nodes, leaves, math.fsum(tree.seconds for tree in trees)))
        else:
            self.left_out.append((MINIMAX, f"it has more states than it may visit; depth {len(counted)} is in reach"))
        # Whatever looks deeper than the depth asked for would make the rows differ in more than what they cost.
        options = {**dataclasses.asdict(PLAIN), "strict_depth": True, "table_from": 1, "table": False}
        plain = self.search(Technique(PLAIN_SEARCH, {}), options)
        self.first_values = list(self.values)
        self.to_the_end = all(found.estimates == 0 for found in plain)
        options["strict_depth"] = not self.to_the_end  # what is proven is true at any depth
        for technique in TECHNIQUES:
            reason = self.objection(technique)
            if reason is None:
                options |= technique.adds
                self.search(technique, options)
            else:
                self.left_out.append((technique.name, reason))

    def objection(self, technique: Technique) -> str | None:
        """Why this game has no such row."""
        game = self.game
        if technique.needs and not game.offers(technique.needs):
            return f"the game has no {technique.needs} of its own"
        if "promise" in technique.adds and not (game.offers("promise") or game.offers("evaluate")):
            return "the game has neither a promise of its own nor an evaluation"
        if "table_first" in technique.adds and not self.to_the_end:
            return "it takes replies that are proven, and a search to a fixed depth keeps none as such"
        return None

    def search(self, technique: Technique, options: dict[str, Any]) -> list[Counts]:
        """One more row."""
        engine = Engine(self.game, **{**options, "table": self.mebibytes if options["table"] else 0})
        found: list[Counts] = []
        for past, state in self.starts:
            engine.clear()
            found.append(engine.search(state, depth=self.depth, deepening=technique.deepening, history=past))
        note = self.compare(technique, [counts.value for counts in found])
        total = {name: sum(getattr(c, name) for c in found) for name in ("nodes", "leaves", "cuts", "first_cuts")}
        self.rows.append(Row(technique.name, seconds=math.fsum(c.seconds for c in found), note=note, **total))
        return found

    def compare(self, technique: Technique, values: list[float]) -> str:
        """A note where values differ because it is known what lies beyond the horizon; an error where they may not."""
        differ = [i for i, (a, b) in enumerate(zip(self.values, values, strict=False)) if a != b]
        if differ and not (technique.sees_further and not self.to_the_end):
            i = differ[0]
            raise GameError(
                f"{self.game.name}, position {i + 1}: {technique.name!r} finds {values[i]:g}, {self.before!r} "
                f"{self.values[i]:g}, and they must agree; is canonical_key, bounds or safe_actions wrong? "
                f"`zermelo check` looks at them"
            )
        self.values, self.before = values, technique.name
        return f"sees beyond the horizon in {len(differ)} of {len(values)} positions" if differ else ""


# Minimax's part.


@dataclass(frozen=True)
class _Tree:
    """The whole tree of a position, as minimax counts it."""

    value: float
    nodes: int
    leaves: int
    estimates: int
    plies: int
    seconds: float


class _Census(Search):
    """Bookkeeping that also counts the inner nodes: those that are neither an end nor at the horizon."""

    def __init__(self, **settings: Any):
        Search.__init__(self, **settings)
        self.inner = np.zeros(1, np.int64)

    def cutoff(self, ply: int) -> bool:
        if ply >= self.limits[DEPTH_LIMIT]:
            return True
        self.inner[0] += 1
        return False


def _whole_trees(game: Game, starts: Sequence[Any], depth: int | None, limit: int) -> list[list[_Tree]]:
    """The trees of all positions for depth 1, 2 and so on, as far as that goes within the limit of nodes."""
    counted: list[list[_Tree]] = []
    for current in range(1, (depth or PLIES) + 1):
        left = limit
        trees: list[_Tree] = []
        try:
            for past, state in starts:
                trees.append(_whole_tree(game, past, state, current, left))
                left -= trees[-1].nodes
        except Stopped:
            break
        counted.append(trees)
        if all(tree.estimates == 0 for tree in trees):
            break
    if not counted:
        raise ValueError(f"minimax_nodes = {limit} are too few for {game.name} to look even one move ahead")
    return counted


def _whole_tree(game: Game, past: Sequence[Any], state: Any, depth: int, limit: int) -> _Tree:
    player = game.to_move(state)
    compiled = why_not_fixed_width(type(state)) is None
    search = _Census(
        compiled=compiled,
        plies=min(PLIES, depth + 2),
        root_moves=max(1, len(game.legal(state))),
        columns=1,
        bounds=game.utility_bounds(player),
        width=game.max_actions or DEFAULT_WIDTH,
    )
    search.limits[DEPTH_LIMIT], search.limits[NODE_LIMIT] = depth, min(limit, UNLIMITED)
    rules = game.remembering(past, PLIES + 2)
    routine = find(minimax).routine
    assert routine is not None
    if compiled:
        program = routine.compiled(rules, player, search)
        began = time.perf_counter()
        value = run(lambda: program(state), search.stop)
    else:
        began = time.perf_counter()
        with plain_python():
            value = run_plain(lambda: routine.run_plain(rules, state, player, search), search.stop)
    seconds = time.perf_counter() - began
    nodes, estimates = int(search.counts[NODES]), int(search.counts[ESTIMATES])
    leaves = nodes - int(search.inner[0])
    return _Tree(float(value), nodes, leaves, estimates, int(search.counts[DEEPEST]), seconds)
