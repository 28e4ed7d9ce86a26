"""Random games that fill no eyes, and what they say of a position: who owns each point, and which stones are dead."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.games.go.board import GoBoard
from zermelo.games.go.state import GoState
from zermelo.kernel.played import Played
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.kernel.words import (
    Words,
    contains,
    count_items,
    difference,
    flooded,
    have_common,
    is_empty,
    nth_item,
    union,
    words_at,
)

PLAYOUTS = 400
"""Random games from a position to tell dead stones."""
DEAD = -0.2
"""A group is dead if its points belong to its owner in fewer games than to the opponent: the mean of +1 and -1."""


class Playouts(GoBoard):
    """Random games: each move is any legal one but into an own eye, and a player without such a move passes."""

    counts: Any

    def is_eye(self, own: Words, other: Words, p: int) -> bool:
        """Are there own stones all around this empty point, and too few of the opponent's on its diagonals?"""
        if not is_empty(difference(words_at(self.near, p, own), own)):
            return False
        diagonal = words_at(self.diagonal, p, own)
        spoilers = count_items(difference(diagonal, difference(diagonal, other)))
        return spoilers == 0 or (spoilers == 1 and count_items(diagonal) == 4)

    def playout(self, s: GoState, random: Any, played: Any) -> GoState:
        """The end of a random game. Only the simple ko rule holds, so that no history is needed."""
        own, other = s.own, s.other
        ko, passes, mover, moves = int(s.ko), int(s.passes), int(s.mover), int(s.moves)
        while passes < 2 and moves < int(self.counts[0]):
            empty = self.empty_points(own, other)
            left = empty if ko == self.points else difference(empty, words_at(self.place, ko, empty))
            ko = self.points
            passes += 1
            while not is_empty(left):
                p = nth_item(left, random.below(count_items(left)))
                place = words_at(self.place, p, own)
                left = difference(left, place)
                if self.is_eye(own, other, p):
                    continue
                captured = self.captured(own, other, p)
                if is_empty(captured):
                    if not have_common(words_at(self.near, p, own), empty) and not is_empty(
                        self.suicides(own, other, p)
                    ):
                        continue
                else:
                    ko = self.forbidden_by_ko(own, other, p, captured)
                    other = difference(other, captured)
                own = union(own, place)
                passes = 0
                played.note(mover, p)
                break
            own, other = other, own
            mover, moves = 1 - mover, moves + 1
        key = self.key_of_stones(own, mover) ^ self.key_of_stones(other, 1 - mover)
        return s._replace(own=own, other=other, stones=key, ko=ko, passes=passes, mover=mover, moves=moves)


def count_owners(game: Any, s: Any, random: Any, played: Any, owners: Any, playouts: int) -> int:
    """Add to `owners` for each point how many playouts Black owns it in, less those in which White does."""
    for _ in range(playouts):
        end = game.playout(s, random, played)
        own, other = game.areas(end.own, end.other)
        sign = 1 if end.mover == 0 else -1
        for p in range(game.points):
            if contains(own, p):
                owners[p] += sign
            elif contains(other, p):
                owners[p] -= sign
    return playouts


_COUNT_OWNERS = Routine(count_owners)


def ownership(game: Any, s: GoState, playouts: int = PLAYOUTS, seed: int = 1) -> np.ndarray:
    """How surely Black (1) or White (-1) will own each point, by playouts with either player to move first."""
    owners = np.zeros(game.points, np.int64)
    for mover in (0, 1):
        start = game.with_mover(s, mover)._replace(passes=0, moves=0)
        _COUNT_OWNERS.compiled(game, Random(seed), Played(), owners, (playouts + 1) // 2)(start)
    return owners / (2 * ((playouts + 1) // 2))


def dead_stones(game: Any, s: GoState, playouts: int = PLAYOUTS, seed: int = 1) -> list[int]:
    """The points of groups that are probably dead, by playouts. An estimate: players can disagree with it."""
    expected = ownership(game, s, playouts, seed)
    found = []
    for stones, sign in zip(game.colours(s), (1, -1), strict=True):
        left = stones
        while not is_empty(left):
            p = nth_item(left, 0)
            group = flooded(words_at(game.place, p, left), stones, game.stride)
            left = difference(left, group)
            points = [q for q in range(game.points) if contains(group, q)]
            if sign * sum(expected[q] for q in points) / len(points) < DEAD:
                found += points
    return sorted(found)
