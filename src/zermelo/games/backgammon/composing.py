"""Moves put together step by step, as people play them on a board: checker by checker, in any order."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zermelo.game.board import Board, Composition
from zermelo.game.errors import IllegalAction
from zermelo.game.state import u64
from zermelo.games.backgammon.checkers import OFF, occupied, open_points, origins, step
from zermelo.games.backgammon.moves import play
from zermelo.games.backgammon.picture import dice_shown, picture, square
from zermelo.games.backgammon.state import MOVING, BackgammonState

if TYPE_CHECKING:
    from zermelo.games.backgammon.rules import Backgammon

Checkers = tuple[Any, Any, Any, Any]
"""The mover's checkers and the other player's."""
Dice = tuple[int, ...]


class Composer:
    """The ways to play a roll one step at a time. A step is possible if a legal move begins with it."""

    def __init__(self, game: Backgammon, s: BackgammonState):
        self.game, self.s, self.p = game, s, int(s.mover)
        self.start = self._checkers(s)
        self.ends = {self._checkers_after(a): a for a in game.legal(s)}
        self._possible: dict[tuple[Checkers, Dice], bool] = {}

    def _checkers(self, s: BackgammonState) -> Checkers:
        p = self.p
        return s.low[p], s.high[p], s.low[1 - p], s.high[1 - p]

    def _checkers_after(self, a: int) -> Checkers:
        return play(*self.start, self.s.dice >> 3, self.s.dice & 7, a)

    def composition(self, path: tuple[str, ...]) -> Composition:
        """The board after some steps, given by their squares, and the steps that can follow."""
        at, dice = self.start, dice_shown(self.s)
        for start, end in zip(path[::2], path[1::2], strict=False):
            following = self._steps(at, dice)
            if (start, end) not in following:
                raise IllegalAction(f"no checker can go from {start} to {end} here")
            at, dice = following[start, end]
        following = {} if at in self.ends else self._steps(at, dice)
        return Composition(self._board(at, dice), tuple(following), self.ends.get(at))

    def _steps(self, at: Checkers, dice: Dice) -> dict[tuple[str, str], tuple[Checkers, Dice]]:
        """The next steps by their squares. A checker may take several dice at once if the ways there end alike."""
        found: dict[tuple[int, int], set[tuple[Checkers, Dice]]] = {}
        for origin, target, after, left in self._single(at, dice):
            found.setdefault((origin, target), set()).add((after, left))
        direct = {way: next(iter(ends)) for way, ends in found.items()}
        further: dict[tuple[int, int], set[tuple[Checkers, Dice]]] = {}
        waiting = [(origin, target, *end) for (origin, target), end in direct.items()]
        for origin, target, after, left in waiting:  # grows meanwhile
            if target == OFF or after in self.ends:
                continue
            for start, end, later, rest in self._single(after, left):
                if start == target and (origin, end) not in direct:
                    further.setdefault((origin, end), set()).add((later, rest))
                    waiting.append((origin, end, later, rest))
        ways = {**direct, **{way: next(iter(ends)) for way, ends in further.items() if len(ends) == 1}}
        return {(square(self.p, a), square(self.p, b)): end for (a, b), end in ways.items()}

    def _single(self, at: Checkers, dice: Dice) -> Iterator[tuple[int, int, Checkers, Dice]]:
        """The steps with one die: origin, target, and what is left."""
        for die in dict.fromkeys(dice):
            left = list(dice)
            left.remove(die)
            movable = origins(occupied(at[0], at[1]), open_points(at[2], at[3]), die)
            for origin in range(25, 0, -1):
                if movable >> u64(origin) & u64(1):
                    after = step(*at, origin, die)
                    if self._is_possible(after, tuple(left)):
                        yield origin, max(origin - die, OFF), after, tuple(left)

    def _is_possible(self, at: Checkers, dice: Dice) -> bool:
        """Can the rest of the dice be played so that the whole is a legal move?"""
        key = at, dice
        if key not in self._possible:
            self._possible[key] = at in self.ends or any(True for _ in self._single(at, dice))
        return self._possible[key]

    def _board(self, at: Checkers, dice: Dice) -> Board:
        low, high = (at[0], at[2]), (at[1], at[3])
        if self.p == 1:
            low, high = low[::-1], high[::-1]
        return replace(picture(self.game, self.s._replace(low=low, high=high)), dice=dice)


def composition(game: Backgammon, s: BackgammonState, path: tuple[str, ...]) -> Composition | None:
    """A move in progress; None if there is nothing to move."""
    if s.phase != MOVING or game.legal(s) == [0]:
        return None
    return _composer(game, s).composition(path)


@functools.lru_cache(maxsize=8)
def _composer(game: Backgammon, s: BackgammonState) -> Composer:
    """The composer of a roll: a page asks for it at every step."""
    return Composer(game, s)
