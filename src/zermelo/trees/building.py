"""From parsed text to a valid tree: `Builder` checks every node as it is made, in any notation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.game.protocol import CHANCE
from zermelo.trees.source import LETTERS, MAX_NODES, Source, mover_name
from zermelo.trees.tree import MAX, Node, Number, Tree, filled

EVERYTHING = (-math.inf, math.inf)


@dataclass(frozen=True)
class ParsedTree:
    """A parsed tree with its declarations. `to_game` makes a game of it."""

    root: Node
    players: int = 2
    first: int = MAX  # the player at the root, unless the root says otherwise
    utility_range: tuple[float, float] = EVERYTHING
    depth: int | None = None  # the search depth that the author wants
    notes: dict[str, str] = field(default_factory=dict, compare=False)  # a title, a CS188 file's other lines

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The names of the unknown leaves, from left to right."""
        found: dict[str, None] = {}
        waiting = [self.root]
        while waiting:
            at = waiting.pop()
            if at.unknown:
                found[at.unknown] = None
            waiting.extend(reversed(at.children))
        return tuple(found)

    def to_game(self, **values: Number) -> Tree:
        """The game, its unknown leaves given their values by name."""
        return Tree(filled(self.root, values), self.players, self.first, self.utility_range)


class Builder:
    """Makes the nodes of one tree, bottom up, and remembers what must agree all over it."""

    def __init__(self, source: Source):
        self.source = source
        self.count = 0
        self.length: tuple[int, int] | None = None  # numbers per leaf, and where that was first seen
        self.estimates: tuple[int, int] | None = None  # the same of estimates
        self.highest: tuple[int, int] = (-1, 0)  # the player with the greatest number, and its position in the text
        self.extremes: dict[str, tuple[Number, int]] = {}  # the least and the greatest utility, and their positions

    def leaf(
        self,
        at: int,
        utility: Sequence[Number] = (),
        unknown: str = "",
        estimate: Sequence[Number] = (),
        name: str = "",
    ) -> Node:
        """A leaf. A leaf with only an estimate is a cutoff and has that value."""
        self._counted(at)
        if not utility and not unknown:
            utility = estimate
        if not utility and not unknown:
            self.source.fail(at, "a leaf without a value; give it a number, (1, 2, 6), or a word if it is unknown")
        self._agree(at, len(utility) or 1)
        self._estimate(at, estimate)
        for u in utility:
            if "least" not in self.extremes or u < self.extremes["least"][0]:
                self.extremes["least"] = u, at
            if "greatest" not in self.extremes or u > self.extremes["greatest"][0]:
                self.extremes["greatest"] = u, at
        return Node(utility=tuple(utility), unknown=unknown, estimate=tuple(estimate), name=name)

    def interior(
        self,
        at: int,
        mover: int | None,
        children: Sequence[Node],
        odds: Sequence[Number | None] = (),
        labels: Sequence[str] = (),
        estimate: Sequence[Number] = (),
        name: str = "",
    ) -> Node:
        """A node with children. A chance node that says nothing of probabilities has equally likely outcomes."""
        self._counted(at)
        if not children:
            self.source.fail(at, "a node without children; give it some, or write a number for a leaf")
        self._estimate(at, estimate)
        if mover is not None and mover > self.highest[0]:
            self.highest = mover, at
        chances: tuple[Number, ...] = ()
        if mover == CHANCE:
            chances = self._odds(at, odds or [None] * len(children))
        return Node(
            mover=mover,
            children=tuple(children),
            odds=chances,
            estimate=tuple(estimate),
            name=name,
            labels=tuple(labels) if any(labels) else (),
        )

    def finish(
        self,
        root: Node,
        players: int | None = None,
        first: int | None = None,
        utility_range: tuple[Number, Number] | None = None,
        **more: Any,
    ) -> ParsedTree:
        """The tree, checked against its declarations; without a declaration, the players are counted."""
        length, at = self.length or (1, 0)
        mover, mover_at = self.highest
        if players is None:
            players = length if length > 1 else max(2, mover + 1)
        if not 1 <= players <= len(LETTERS):
            self.source.fail(0, f"{players} players; a tree has 1 to {len(LETTERS)}")
        if mover >= players:
            name = mover_name(mover, max(players, mover + 1))
            self.source.fail(mover_at, f"{name} moves here, but the tree has {players} player{'s' * (players > 1)}")
        if length != players and (length > 1 or players > 2):
            right = f"({', '.join('123456789'[i % 9] for i in range(players))})" if players > 1 else "3"
            self.source.fail(
                at,
                f"a leaf has {length} number{'s' * (length > 1)}, but the tree has {players} "
                f"player{'s' * (players > 1)}: a leaf is written like {right}",
            )
        first = MAX if first is None else first
        if not 0 <= first < players:
            self.source.fail(0, f"player {first} cannot be the first of {players}")
        low, high = utility_range or EVERYTHING
        if not low <= high:
            self.source.fail(0, f"the range of utilities goes from {low} to {high}; the least comes first")
        for utility, at in self.extremes.values():
            if not low <= utility <= high:
                self.source.fail(at, f"the utility {utility} is outside the declared range, {low} to {high}")
        return ParsedTree(root, players, first, (float(low), float(high)), **more)

    def _counted(self, at: int) -> None:
        self.count += 1
        if self.count > MAX_NODES:
            self.source.fail(at, f"more than {MAX_NODES:,} nodes; that is more than can be handled")

    def _agree(self, at: int, length: int) -> None:
        """All leaves have as many numbers as the first."""
        if self.length is None:
            self.length = length, at
            self._match_estimates()
        elif self.length[0] != length:
            self.source.fail(
                at, f"a leaf with {length} number{'s' * (length > 1)}, but an earlier leaf has {self.length[0]}"
            )

    def _estimate(self, at: int, estimate: Sequence[Number]) -> None:
        if estimate:
            if self.estimates is None or self.estimates[0] == len(estimate):
                self.estimates = len(estimate), at
            else:
                self.source.fail(at, f"an estimate of {len(estimate)} numbers, but another has {self.estimates[0]}")
            self._match_estimates()

    def _match_estimates(self) -> None:
        if self.length and self.estimates and self.length[0] != self.estimates[0]:
            self.source.fail(
                self.estimates[1], f"an estimate of {self.estimates[0]} numbers, but leaves have {self.length[0]}"
            )

    def _odds(self, at: int, odds: Sequence[Number | None]) -> tuple[Number, ...]:
        given = [p for p in odds if p is not None]
        if not given:
            return (Fraction(1, len(odds)),) * len(odds) if len(odds) > 1 else (1,)
        if len(given) < len(odds):
            self.source.fail(at, f"{len(given)} of the {len(odds)} outcomes have a probability; give all, or none")
        for p in given:
            if not 0 <= p <= 1:
                self.source.fail(at, f"{p} is not a probability; one is between 0 and 1")
        total = sum(given, Fraction(0)) if all(isinstance(p, int | Fraction) for p in given) else math.fsum(given)
        if total != 1 if isinstance(total, Fraction) else abs(total - 1) > 1e-9:
            self.source.fail(at, f"the probabilities of these {len(given)} outcomes add up to {total}, not to 1")
        return tuple(given)
