"""The rows of a race: minimax, plain alpha-beta, the engine's techniques one after the other, and other algorithms."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.kernel.worker import Stopped
from zermelo.search.engine import PLAIN, Counts, Engine
from zermelo.search.race_census import Tree, searched_trees
from zermelo.search.registry import Algorithm

MINIMAX, PLAIN_SEARCH = "minimax", "alpha-beta"


@dataclass(frozen=True)
class Technique:
    """One row of a race: what it adds to the options of the row before."""

    name: str
    adds: dict[str, Any]
    needs: str = ""  # a method that the game must define
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
    """What one technique, added to those before it, needed for all positions together."""

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
        """The share of cutoffs that were caused by the first move; None if there were none."""
        return self.first_cuts / self.cuts if self.cuts else None


class Contest:
    """The rows so far, and the values that the next row must find too."""

    def __init__(self, game: Game, starts: Sequence[tuple[tuple[Any, ...], Any]], depth: int, table: float):
        self.game, self.starts, self.depth, self.mebibytes = game, starts, depth, table
        self.rows: list[Row] = []
        self.left_out: list[tuple[str, str]] = []
        self.values: list[float] = []
        self.first_values: list[float] = []
        self.before = ""
        self.to_the_end = False

    def run(self, counted: list[list[Tree]]) -> None:
        """Minimax, whose trees are counted already, and then the engine's techniques."""
        trees = counted[-1]
        if len(counted) == self.depth or all(tree.estimates == 0 for tree in trees):
            self.values, self.before = [tree.value for tree in trees], MINIMAX
            self.rows.append(_row(MINIMAX, trees))
        else:
            self.left_out.append((MINIMAX, f"it reaches its limit of nodes; depth {len(counted)} is possible"))
        # A technique that looks deeper than the depth asked for would make rows differ in more than their cost.
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

    def add(self, algorithm: Algorithm, limit: int) -> None:
        """A row for a textbook algorithm, or a user's own: it may find other values, which the row then notes."""
        try:
            trees = searched_trees(algorithm, self.game, self.starts, self.depth, limit)
        except Stopped:
            self.left_out.append((algorithm.name, f"it reaches its limit of {limit:,} nodes"))
            return
        differ = sum(tree.value != value for tree, value in zip(trees, self.first_values, strict=True))
        note = f"finds another value in {differ} of {len(trees)} positions" if differ else ""
        self.rows.append(_row(algorithm.name, trees, note))

    def objection(self, technique: Technique) -> str | None:
        """Why this game has no such row."""
        game = self.game
        if technique.needs and not game.offers(technique.needs):
            return f"the game has no {technique.needs} of its own"
        if "promise" in technique.adds and not (game.offers("promise") or game.offers("evaluate")):
            return "the game has neither a promise of its own nor an evaluation"
        if "table_first" in technique.adds and not self.to_the_end:
            return "it uses proven replies, and a search to a fixed depth stores none"
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
        """A note if values differ because a technique sees beyond the horizon; an error if they must not differ."""
        differ = [i for i, (a, b) in enumerate(zip(self.values, values, strict=False)) if a != b]
        if differ and not (technique.sees_further and not self.to_the_end):
            i = differ[0]
            raise GameError(
                f"{self.game.title}, position {i + 1}: {technique.name!r} finds {values[i]:g}, {self.before!r} "
                f"{self.values[i]:g}, and they must agree; is canonical_key, bounds or safe_actions wrong? "
                f"`zermelo check` looks at them"
            )
        self.values, self.before = values, technique.name
        return f"sees beyond the horizon in {len(differ)} of {len(values)} positions" if differ else ""


def _row(name: str, trees: list[Tree], note: str = "") -> Row:
    nodes, leaves = sum(tree.nodes for tree in trees), sum(tree.leaves for tree in trees)
    return Row(name, nodes, leaves, math.fsum(tree.seconds for tree in trees), note=note)
