"""A contingent strategy: what to play in every position that can come up, whatever the others do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from zermelo.game.errors import StateError
from zermelo.game.protocol import CHANCE, Game


class Strategy:
    """A way to force a win: the move to make in each state that is reached by following it.

    It is worked out as it is asked for, so even a large one costs nothing until it is followed or printed.
    """

    def __init__(self, game: Game, state: Any, player: int, wins: Callable[[Any], bool]):
        self.game, self.state, self.player = game, state, player
        self._wins = wins
        self._moves: dict[Any, Any] = {}

    def action(self, state: Any) -> Any:
        """The move to make in this state, which must be one that the strategy reaches and the player's turn."""
        if state not in self._moves:
            if self.game.is_terminal(state) or not self._is_mine(state):
                raise StateError(f"it is not {self.game.player_name(self.player)}'s turn in {state!r}")
            for a in self.game.actions(state):
                if self._wins(self.game.result(state, a)):
                    self._moves[state] = a
                    break
            else:
                raise StateError(f"no win can be forced from {state!r}: the strategy does not lead there")
        return self._moves[state]

    def follow(self, *replies: Any) -> tuple[Any, ...]:
        """All moves played when the others answer with these moves (or names of moves, or chance outcomes)."""
        moves, s, waiting = [], self.state, list(replies)
        while not self.game.is_terminal(s):
            if self._is_mine(s):
                a = self.action(s)
            elif waiting:
                after = self.game.play(waiting[0], state=s)
                a = next(m for m in self.game.moves_at(s) if self.game.result(s, m) == after)
                waiting.pop(0)
            else:
                break
            moves.append(a)
            s = self.game.result(s, a)
        return tuple(moves)

    def _is_mine(self, s: Any) -> bool:
        mover = self.game.to_move(s)
        return mover != CHANCE and self.game.side(mover) == self.game.side(self.player)

    def lines(self, limit: int = 60) -> Iterator[str]:
        """The strategy as indented text, at most so many lines of it."""
        for number, text in enumerate(self._walk(self.state, 0)):
            if number == limit:
                yield "…"
                return
            yield text

    def _walk(self, s: Any, indent: int) -> Iterator[str]:
        space = "  " * indent
        if self.game.is_terminal(s):
            return
        if self._is_mine(s):
            a = self.action(s)
            after = self.game.result(s, a)
            end = ", and wins" if self.game.is_terminal(after) else ""
            yield f"{space}play {self.game.action_name(s, a)}{end}"
            yield from self._walk(after, indent)
            return
        chance = self.game.to_move(s) == CHANCE
        for a in self.game.moves_at(s):
            yield f"{space}if {a if chance else self.game.action_name(s, a)}:"
            yield from self._walk(self.game.result(s, a), indent + 1)

    def __str__(self) -> str:
        return "\n".join(self.lines())
