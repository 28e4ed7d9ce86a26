"""Random games that fill no eyes, and what they say of a position: who owns each point, and which stones are dead."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.state import u64
from zermelo.games.go.board import GoBoard
from zermelo.games.go.groups import EMPTY, Groups
from zermelo.games.go.state import GoState
from zermelo.kernel.bits import lowest_bit
from zermelo.kernel.played import Played
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.kernel.words import (
    Words,
    contains,
    count_items,
    difference,
    flooded,
    is_empty,
    nth_item,
    words_at,
)

LARGEST_SACRIFICE = 5
"""Stones that a random move may leave in atari: more are never part of a killing shape."""
MOST_CHOICES = 32
"""Urgent moves to choose from; more are not looked for."""
PLAYOUTS = 400
"""Random games from a position to tell dead stones."""
DEAD = -0.2
"""A group is dead if its points belong to its owner in fewer games than to the opponent: the mean of +1 and -1."""


class Playouts(GoBoard):
    """Games to the end by a simple policy, as in MoGo (Gelly, Wang, Munos and Teytaud 2006).

    A player answers the last move nearby: captures and escapes from atari come first, then the patterns. Otherwise the
    move is random. No move fills an own eye, and few leave own stones in atari.
    """

    counts: Any

    def __init__(self, size: int):
        super().__init__(size)
        self.groups = Groups(size)
        self.chosen = np.zeros(MOST_CHOICES + 12, np.int64)
        """Moves to choose from: [0] says how many."""

    def is_eye(self, own: Words, other: Words, p: int) -> bool:
        """Are there own stones all around this empty point, and too few of the opponent's on its diagonals?"""
        if not is_empty(difference(words_at(self.near, p, own), own)):
            return False
        diagonal = words_at(self.diagonal, p, own)
        spoilers = count_items(difference(diagonal, difference(diagonal, other)))
        return spoilers == 0 or (spoilers == 1 and count_items(diagonal) == 4)

    def playout(self, s: GoState, random: Any, played: Any) -> GoState:
        """The end of a game by the policy. Only the simple ko rule holds, so that no history is needed."""
        self.groups.set_up(s.own if s.mover == 0 else s.other, s.other if s.mover == 0 else s.own)
        ko, passes, last, moves = int(s.ko), int(s.passes), int(s.last), int(s.moves)
        colour = 1 + int(s.mover)
        while passes < 2 and moves < int(self.counts[0]):
            p = self.choose_move(colour, last, ko, random)
            passes += 1
            ko = self.points
            if p != self.points:
                passes = 0
                ko = self.groups.forbidden_by_ko(p, self.groups.put(p, colour))
                played.note(colour - 1, p)
            last = p
            colour = 3 - colour
            moves += 1
        own = words_at(self.groups.all_stones, colour - 1, s.own)
        other = words_at(self.groups.all_stones, 2 - colour, s.own)
        key = self.key_of_stones(own, colour - 1) ^ self.key_of_stones(other, 2 - colour)
        return s._replace(
            own=own, other=other, stones=key, ko=ko, passes=passes, mover=colour - 1, moves=moves, last=last
        )

    # The policy.

    def choose_move(self, colour: int, last: int, ko: int, random: Any) -> int:
        """The next move of a playout; a pass if nothing sensible is left."""
        if last != self.points and self.groups.colour[last] != EMPTY:  # after a suicide it is empty
            self.chosen[0] = 0
            self.list_urgent(colour, last, ko)
            if self.chosen[0] == 0:
                self.list_patterns(colour, last, ko)
            if self.chosen[0] > 0:
                return int(self.chosen[1 + chance(random, self.chosen[0])])
        return self.random_move(colour, ko, random)

    def add_choice(self, p: int) -> None:
        self.chosen[0] += 1
        self.chosen[self.chosen[0]] = p

    def list_urgent(self, colour: int, last: int, ko: int) -> None:
        """Captures and escapes that the last move calls for."""
        groups = self.groups
        group = groups.group[last]
        if groups.count_liberties(group) == 1:
            p = groups.first_liberty(group)
            if p != ko:
                self.add_choice(p)
        for k in range(4):
            n = groups.near[last, k]
            if groups.colour[n] == colour and groups.count_liberties(groups.group[n]) == 1:
                self.list_rescues(groups.group[n], colour, ko)

    def list_rescues(self, group: int, colour: int, ko: int) -> None:
        """Moves that save a group in atari: more liberties, or the capture of a neighbour in atari."""
        groups = self.groups
        p = groups.first_liberty(group)
        if p != ko and groups.stones_at_risk(p, colour) == 0:
            self.add_choice(p)
        for i in range(groups.words):
            left = u64(groups.stones[group, i])
            while left != 0:
                stone = 64 * i + lowest_bit(left)
                left &= left - 1
                for k in range(4):
                    n = groups.near[stone, k]
                    if groups.colour[n] == 3 - colour and groups.count_liberties(groups.group[n]) == 1:
                        q = groups.first_liberty(groups.group[n])
                        if q != p and q != ko and self.chosen[0] < MOST_CHOICES:
                            self.add_choice(q)

    def list_patterns(self, colour: int, last: int, ko: int) -> None:
        """Moves next to the last one that match a pattern."""
        groups = self.groups
        for k in range(8):
            n = groups.around[last, k]
            is_open = groups.colour[n] == EMPTY and n != ko
            if is_open and groups.is_wanted(n) and groups.stones_at_risk(n, colour) == 0:
                self.add_choice(n)

    def random_move(self, colour: int, ko: int, random: Any) -> int:
        """Any move that fills no own eye; only if there is no other, a small sacrifice."""
        groups = self.groups
        count = groups.count[0]
        sacrifice = self.points
        if count == 0:
            return sacrifice
        i = chance(random, count)
        for _ in range(count):
            p = int(groups.empty[i])
            i = i + 1 if i + 1 < count else 0
            if p != ko and not groups.is_eye(p, colour):
                lost = groups.stones_at_risk(p, colour)
                if lost == 0:
                    return p
                if 0 < lost <= LARGEST_SACRIFICE:
                    sacrifice = p
        return sacrifice


def chance(random: Any, n: int) -> int:
    """A number below n, from the upper half of 64 random bits: faster than a division, and fair enough for a board."""
    return int((random.bits() >> 32) * u64(n) >> 32)


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
