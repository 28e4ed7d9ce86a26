"""A game written down node by node, with chance and information sets: for games that fit on a page.

Such games need no speed, so their states are not made for compilation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.game.board import Board
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.protocol import CHANCE, Game

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

    node: int
    viewer: int = NOBODY


class ExtensiveForm(Game):
    """A game given by its nodes. A move is the number of a branch, from 0.

    All nodes at which a player knows the same must offer the same moves. At the nodes of other players, a player
    knows its own last information set and move.
    """

    hidden = True
    decisive = False

    def __init__(self, root: Point, players: int = 2, names: tuple[str, ...] = ()):
        self.players = players
        self._names = names
        self.points: list[Point] = []
        self.children: list[tuple[int, ...]] = []
        self.paths_to: list[tuple[tuple[int, int], ...]] = []  # [node] the node and the branch of each earlier move
        self._number(root, ())
        self._check()
        self.chance = any(point.mover == CHANCE for point in self.points)
        self.max_actions = max(len(point.moves) for point in self.points)
        worths = [self._worth(point) for point in self.points if point.mover == NOBODY]
        self.zero_sum = players > 1 and all(abs(sum(worth) - sum(worths[0])) < 1e-9 for worth in worths)
        self.utility_range = (min(map(min, worths)), max(map(max, worths)))
        self._alike = self._grouped()

    def _number(self, point: Point, path: tuple[tuple[int, int], ...]) -> int:
        """Give a node and all nodes below it their numbers."""
        number = len(self.points)
        self.points.append(point)
        self.paths_to.append(path)
        self.children.append(())
        below = tuple(self._number(child, (*path, (number, a))) for a, (_, child) in enumerate(point.moves))
        self.children[number] = below
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

    def _grouped(self) -> dict[tuple[int, Any], tuple[list[Spot], list[float]]]:
        """For each player and what it knows: the spots, and how likely each is if the others move at random."""
        groups: dict[tuple[int, Any], tuple[list[Spot], list[float]]] = {}
        for node, point in enumerate(self.points):
            for p in range(self.players if point.mover != NOBODY else 0):
                weight = 1.0
                for before, a in self.paths_to[node]:
                    above = self.points[before]
                    if above.mover != p:
                        weight *= above.odds[a] if above.mover == CHANCE else 1.0 / len(above.moves)
                spots, weights = groups.setdefault((p, self.information(Spot(node), p)), ([], []))
                spots.append(Spot(node))
                weights.append(weight)
        return groups

    def initial(self) -> Spot:
        return Spot(0)

    def to_move(self, s: Spot) -> int:
        return self.points[s.node].mover

    def actions(self, s: Spot) -> Iterator[int]:
        yield from range(len(self.children[s.node]))

    def outcomes(self, s: Spot) -> Iterator[tuple[int, float]]:
        yield from enumerate(self.points[s.node].odds)

    def result(self, s: Spot, a: int) -> Spot:
        return Spot(self.children[s.node][a])

    def is_terminal(self, s: Spot) -> bool:
        return not self.children[s.node]

    def utility(self, s: Spot, p: int) -> float:
        return self._worth(self.points[s.node])[p]

    def information(self, s: Spot, p: int) -> tuple[Any, ...]:
        """The name of the information set; elsewhere the player's last one and its move; at the end everything."""
        point = self.points[s.node]
        if point.mover == p:
            return (point.knows,)
        if point.mover == NOBODY:
            return ("end", s.node)
        own = [(self.points[before].knows, a) for before, a in self.paths_to[s.node] if self.points[before].mover == p]
        return ("waiting", *(own[-1] if own else ()))

    def resample(self, s: Spot, p: int, random: Any) -> Spot:
        """A node that p cannot tell from this one: chance by its odds, other players as if they moved at random."""
        spots, weights = self._alike.get((p, self.information(s, p)), ([Spot(s.node)], [1.0]))
        left = random.uniform() * sum(weights)
        for spot, weight in zip(spots, weights, strict=True):
            left -= weight
            if left < 0.0:
                return spot
        return spots[-1]

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
        return point.knows if point.mover == p else " ".join(map(str, self.information(s, p)))

    def seen_by(self, s: Spot, p: int) -> Spot:
        spots, _ = self._alike.get((p, self.information(s, p)), ([s], []))
        return Spot(spots[0].node, p if len(spots) > 1 else NOBODY)

    def picture(self, s: Spot) -> Board:
        """The moves so far; if something is hidden, what the viewer knows."""
        if s.viewer != NOBODY:
            return Board(lines=(self.information_name(s, s.viewer),))
        played = " ".join(self.points[node].moves[a][0] for node, a in self.paths_to[s.node])
        return Board(lines=(played or "the start",))
