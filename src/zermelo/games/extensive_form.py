"""A game written down node by node, with chance and information sets: for games that fit on a page, or in a file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.game.board import Board
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import i16, u32

NOBODY = -2
"""The mover at an end, and the viewer of a state of which nothing is hidden."""


@dataclass(frozen=True)
class Point:
    """A node of the game. Make one with `choice`, `lottery` or `end`.

    mover       the player to move, CHANCE or NOBODY
    knows       the name of the information set: a player cannot tell nodes with the same name apart
    moves       the names of the moves, and where each leads
    odds        the probability of each move of chance
    utilities   at an end, one for each player
    """

    mover: int
    knows: str = ""
    moves: tuple[tuple[str, Point], ...] = ()
    odds: tuple[float, ...] = ()
    utilities: tuple[float, ...] = ()


def choice(player: int, knows: str, /, **moves: Point) -> Point:
    """A node at which a player chooses. `knows` names its information set."""
    return Point(player, knows, tuple(moves.items()))


def lottery(**outcomes: tuple[float, Point]) -> Point:
    """A node at which chance chooses: a probability and a node for each outcome."""
    moves = tuple((name, point) for name, (_, point) in outcomes.items())
    return Point(CHANCE, "", moves, tuple(float(p) for p, _ in outcomes.values()))


def end(*utilities: float) -> Point:
    """The end of the game. For two players one number is enough: what the first player wins."""
    worth = tuple(float(u) for u in utilities)
    return Point(NOBODY, utilities=worth)


class Spot(NamedTuple):
    """The number of a node; and the player for whom it was drawn if something is hidden, otherwise NOBODY."""

    node: u32
    viewer: i16 = NOBODY


class ExtensiveForm(Game):
    """A game given by its nodes. A move is the number of a branch, from 0.

    All nodes at which a player knows the same must offer the same moves. At the nodes of other players, a player
    knows its own last information set and move.
    """

    hidden = True
    decisive = False

    def __init__(self, root: Point, players: int = 2, names: tuple[str, ...] = ()):
        self.players = players
        self._names = list(names)  # a list is no constant of a compiled program: games differ in their tables alone
        self.points: list[Point] = []
        self.paths_to: list[tuple[tuple[int, int], ...]] = []  # [node] the node and the branch of each earlier move
        self._children: list[tuple[int, ...]] = []
        self._number(root, ())
        self._check()
        self.chance = any(point.mover == CHANCE for point in self.points)
        self.max_actions = max(len(point.moves) for point in self.points)
        worths = [self._worth(point) for point in self.points if point.mover == NOBODY]
        self.zero_sum = players > 1 and all(abs(sum(worth) - sum(worths[0])) < 1e-9 for worth in worths)
        self.utility_range = (min(map(min, worths)), max(map(max, worths)))
        self._write_tables()

    def _number(self, point: Point, path: tuple[tuple[int, int], ...]) -> int:
        """Give a node and all nodes below it their numbers."""
        number = len(self.points)
        self.points.append(point)
        self.paths_to.append(path)
        self._children.append(())
        below = tuple(self._number(child, (*path, (number, a))) for a, (_, child) in enumerate(point.moves))
        self._children[number] = below
        return number

    def _worth(self, point: Point) -> tuple[float, ...]:
        worth = point.utilities
        if len(worth) == 1 and self.players == 2:
            worth = (worth[0], 0.0 - worth[0])
        if len(worth) != self.players or not all(map(math.isfinite, worth)):
            raise GameError(f"an end has the utilities {point.utilities}, but there are {self.players} players")
        return worth

    def _check(self) -> None:
        """Raise an error about a node that makes no sense."""
        moves_of: dict[tuple[int, str], list[str]] = {}
        for point in self.points:
            names = [name for name, _ in point.moves]
            if point.mover == CHANCE and abs(sum(point.odds) - 1.0) > 1e-9:
                raise GameError(f"the probabilities of {', '.join(names)} do not add up to 1: {point.odds}")
            if point.mover >= self.players:
                raise GameError(f"player {point.mover} moves at {point.knows!r}, but there are {self.players} players")
            if point.mover != NOBODY and not names:
                raise GameError(f"there are no moves at {point.knows or 'a chance node'!r}")
            if point.mover >= 0 and moves_of.setdefault((point.mover, point.knows), names) != names:
                raise GameError(f"the nodes called {point.knows!r} offer different moves: they cannot look the same")

    def _write_tables(self) -> None:
        """The tree as arrays, for both modes.

        mover_at      [node]
        branch_at     [node] where its branches begin in `leads_to` and `odds_of`, and where those of the last one end
        worth_at      [node, player], at ends
        known_at      [node, player] the number of what a player knows there
        group_at      [known] where the nodes at which a player knows the same begin in `alike_nodes`
        weight_of     how likely each of `alike_nodes` is if the others move at random
        """
        import numpy as np  # here, so that the list of games is loaded quickly

        points, nobody = self.points, (0.0,) * self.players
        self.mover_at = np.array([point.mover for point in points], np.int32)
        self.branch_at = np.cumsum([0, *map(len, self._children)], dtype=np.int32)
        self.leads_to = np.array([child for below in self._children for child in below], np.int32)
        self.odds_of = np.array([p for point in points for p in point.odds or (0.0,) * len(point.moves)], np.float64)
        self.worth_at = np.array([self._worth(point) if point.mover == NOBODY else nobody for point in points])
        numbers: dict[Any, int] = {}
        self.known_at = np.zeros((len(points), self.players), np.int32)
        groups: list[list[tuple[int, float]]] = []
        for node in range(len(points)):
            for p in range(self.players):
                number = numbers.setdefault((p, self._knowledge(node, p)), len(groups))
                if number == len(groups):
                    groups.append([])
                groups[number].append((node, self._chance_of(node, p)))
                self.known_at[node, p] = number
        self.group_at = np.cumsum([0, *map(len, groups)], dtype=np.int32)
        self.alike_nodes = np.array([node for group in groups for node, _ in group], np.int32)
        self.weight_of = np.array([weight for group in groups for _, weight in group], np.float64)

    def _knowledge(self, node: int, p: int) -> tuple[Any, ...]:
        """The name of the information set; elsewhere the player's last one and its move; at the end everything."""
        point = self.points[node]
        if point.mover == p:
            return (point.knows,)
        if point.mover == NOBODY:
            return ("end", node)
        own = [(self.points[before].knows, a) for before, a in self.paths_to[node] if self.points[before].mover == p]
        return ("waiting", *(own[-1] if own else ()))

    def _chance_of(self, node: int, p: int) -> float:
        """How likely a node is if p tries to get there, chance moves by its odds, and other players at random."""
        weight = 1.0
        for before, a in self.paths_to[node]:
            above = self.points[before]
            if above.mover != p:
                weight *= above.odds[a] if above.mover == CHANCE else 1.0 / len(above.moves)
        return weight

    def initial(self) -> Spot:
        return Spot(0, NOBODY)

    def to_move(self, s: Spot) -> int:
        mover: int = self.mover_at[s.node]
        return mover

    def actions(self, s: Spot) -> Iterator[int]:
        for a in range(self.branch_at[s.node + 1] - self.branch_at[s.node]):
            yield a

    def outcomes(self, s: Spot) -> Iterator[tuple[int, float]]:
        first = self.branch_at[s.node]
        for a in range(self.branch_at[s.node + 1] - first):
            yield a, self.odds_of[first + a]

    def result(self, s: Spot, a: int) -> Spot:
        return Spot(self.leads_to[self.branch_at[s.node] + a], NOBODY)

    def is_terminal(self, s: Spot) -> bool:
        mover: int = self.mover_at[s.node]
        return mover == NOBODY

    def utility(self, s: Spot, p: int) -> float:
        worth: float = self.worth_at[s.node, p]
        return worth

    def information(self, s: Spot, p: int) -> int:
        """The number of what a player knows: of its information set, its last one and move, or the end."""
        known: int = self.known_at[s.node, p]
        return known

    def resample(self, s: Spot, p: int, random: Any) -> Spot:
        """A node that p cannot tell from this one: chance by its odds, other players as if they moved at random."""
        known = self.known_at[s.node, p]
        first, after = self.group_at[known], self.group_at[known + 1]
        total = 0.0
        for i in range(first, after):
            total += self.weight_of[i]
        left = random.uniform() * total
        for i in range(first, after):
            left -= self.weight_of[i]
            if left < 0.0:
                return Spot(self.alike_nodes[i], NOBODY)
        return Spot(self.alike_nodes[after - 1], NOBODY)

    # For people.

    def action_name(self, s: Spot, a: int) -> str:
        return self.points[s.node].moves[a][0]

    def action_named(self, s: Spot, name: str) -> int:
        """Outcomes of chance have names too."""
        names = [known.casefold() for known, _ in self.points[s.node].moves]
        if name.strip().casefold() in names:
            return names.index(name.strip().casefold())
        raise IllegalAction(f"{name.strip()!r} is not a move of {self.title} here; {self._listed(s, self.moves_at(s))}")

    def player_name(self, p: int) -> str:
        return self._names[p] if 0 <= p < len(self._names) else super().player_name(p)

    def information_name(self, s: Spot, p: int) -> str:
        point = self.points[s.node]
        return point.knows if point.mover == p else " ".join(map(str, self._knowledge(s.node, p)))

    def seen_by(self, s: Spot, p: int) -> Spot:
        known = self.known_at[s.node, p]
        first, after = self.group_at[known], self.group_at[known + 1]
        return Spot(self.alike_nodes[first], p if after - first > 1 else NOBODY)

    def picture(self, s: Spot) -> Board:
        """The moves so far; if something is hidden, what the viewer knows."""
        if s.viewer != NOBODY:
            return Board(lines=(self.information_name(s, s.viewer),))
        played = " ".join(self.points[node].moves[a][0] for node, a in self.paths_to[s.node])
        return Board(lines=(played or "the start",))
