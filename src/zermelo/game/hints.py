"""Hints for a search: estimates, bounds, and lists of moves. Each is optional, and algorithms use those they can."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from zermelo.game.path import Path
from zermelo.game.rules import Action, State


class Hints(Path):
    """What a game knows about its states beyond the rules."""

    # Values.

    def evaluate(self, s: State, p: int) -> float:
        """An estimate of the state's utility to player p; by default the middle of the utility range."""
        low, high = self.utility_range
        if -math.inf < low and high < math.inf:
            return (low + high) / 2
        return 0.0

    def promise(self, s: State, a: Action) -> float:
        """How good a move looks before it is searched; by default the mover's evaluation of the state after it."""
        after = self.result(s, a)
        p = self.to_move(s)
        return self.utility(after, p) if self.is_terminal(after) else self.evaluate(after, p)

    def bounds(self, s: State) -> tuple[float, float]:
        """The least and the greatest utility that the player to move can still get, without a search."""
        return -math.inf, math.inf

    def plies_left(self, s: State) -> int:
        """About how many plies the game can still last; by default unknown, a large number."""
        return 1 << 20

    def canonical_key(self, s: State) -> int:
        """The key of the position in transposition tables, equal also for its mirror images; by default `key`."""
        return self.key(s)

    def book_key(self, s: State) -> int:
        """The key of a position in opening books; symmetric positions can share one."""
        return self.key(s)

    def mirror_image(self, s: State) -> State:
        """The position mirrored, with the same player to move and the same value: learning sees both. By default s."""
        return s

    def solved_positions(self) -> Iterable[tuple[int, float, int | None]]:
        """Positions solved beforehand: canonical key, value to the player to move, and plies to the win or loss."""
        return ()

    # Moves.

    def count_actions(self, s: State) -> int:
        """How many legal moves there are; a game may know this without listing them."""
        count = 0
        for _ in self.actions(s):
            count += 1
        return count

    def list_actions(self, s: State, room: Any) -> int:
        """Write the legal moves into an array, as far as there is room, and return how many there are.

        By default those that `actions` yields. A game with a large state is faster with a method of its own, because
        a generator has to restore its state after every `yield`.
        """
        count = 0
        for a in self.actions(s):
            if count < len(room):
                room[count] = a
            count += 1
        return count

    def safe_actions(self, s: State) -> Iterable[Action]:
        """Yields the legal moves after which the opponent cannot win at once; if there are none, the mover has lost.

        Only called if the mover cannot win at once either. For games in which the players alternate and a player
        wins only by its own move.
        """
        for a in self.actions(s):
            yield a

    def move_kind(self, s: State, a: Action) -> int:
        """A number of what a move does, such as the moving piece and its target: the search learns by these numbers.

        Only called in a game that writes it, in which a search then learns about moves whose promise is 0. By default
        it learns about all moves, by their own numbers.
        """
        return 0

    # Quiescence and forward pruning.

    def noisy_actions(self, s: State) -> Iterable[Action]:
        """Yields the legal moves that may change the evaluation much, such as captures; a quiet position has none."""
        for a in range(0):
            yield a

    def list_noisy_actions(self, s: State, room: Any) -> int:
        """Write the noisy moves into an array, as `list_actions` does."""
        count = 0
        for a in self.noisy_actions(s):
            if count < len(room):
                room[count] = a
            count += 1
        return count

    def forcing_actions(self, s: State) -> Iterable[Action]:
        """Yields quiet moves that the opponent must answer, such as checks: the first ply of quiescence tries them."""
        for a in range(0):
            yield a

    def list_forcing_actions(self, s: State, room: Any) -> int:
        """Write the forcing moves into an array, as `list_actions` does."""
        count = 0
        for a in self.forcing_actions(s):
            if count < len(room):
                room[count] = a
            count += 1
        return count

    def is_noisy(self, s: State, a: Action) -> bool:
        """Is a legal move noisy? Late move reductions and pruning spare noisy moves."""
        return False

    def gain(self, s: State, a: Action) -> float:
        """The most that a noisy move adds to the evaluation at once, without a search."""
        return math.inf

    def may_stand(self, s: State) -> bool:
        """Is the evaluation a fair lower bound (stand pat)? It is not in check or in zugzwang."""
        return True

    def may_pass(self, s: State) -> bool:
        """Is a null move safe here (no zugzwang)? Only called if `forward_pruning` lists "null_move"."""
        return True

    def after_pass(self, s: State) -> State:
        """The state after a null move; only called if `forward_pruning` lists "null_move"."""
        return s

    def probcut(self, s: State, depth: int, number: int) -> tuple[int, float, float, float]:
        """How a shallow search predicts a search to this depth, here: its depth, slope, offset, and standard error.

        The deep value is about slope · shallow value + offset, in utility to the player to move. A game may give
        several predictions, numbered from 0; a depth of 0 means that there are no more. Only called if
        `forward_pruning` lists "probcut". `zermelo.learn.probcut` fits predictions to searches.
        """
        return 0, 1.0, 0.0, 0.0
