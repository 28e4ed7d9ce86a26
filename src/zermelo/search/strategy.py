"""A contingent strategy: a move for every position that can arise, for all replies of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from zermelo.game.errors import StateError
from zermelo.game.protocol import CHANCE, Game


class Strategy:
    """A way to force a result: a move for each state that is reached by following it.

    Moves are computed on demand, so a large strategy costs nothing until it is followed or printed.
    """

    def __init__(self, game: Game, state: Any, player: int, choose: Callable[[Any], Any]):
        self.game, self.state, self.player = game, state, player
        self._choose = choose  # state -> move; None if no move forces the result
        self._moves: dict[Any, Any] = {}

    def action(self, state: Any) -> Any:
        """The move in this state, in which it must be the player's turn."""
        if state not in self._moves:
            if self.game.is_terminal(state) or not self._is_mine(state):
                raise StateError(f"it is not {self.game.player_name(self.player)}'s turn in {state!r}")
            a = self._choose(state)
            if a is None:
                raise StateError(f"no win can be forced from {state!r}: the strategy does not lead there")
            self._moves[state] = a
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

    def lines(self, limit: int | None = 60) -> Iterator[str]:
        """The strategy as indented text, at most `limit` lines; None for all."""
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
            end = f", and {self._fate(after)}" if self.game.is_terminal(after) else ""
            yield f"{space}play {self.game.action_name(s, a)}{end}"
            yield from self._walk(after, indent)
            return
        for a in self.game.moves_at(s):
            after = self.game.result(s, a)
            end = f" {self.game.player_name(self.player)} {self._fate(after)}" if self.game.is_terminal(after) else ""
            yield f"{space}if {self._name(s, a)}:{end}"
            yield from self._walk(after, indent + 1)

    def _name(self, s: Any, a: Any) -> str:
        return str(a) if self.game.to_move(s) == CHANCE else self.game.action_name(s, a)

    def _fate(self, s: Any) -> str:
        """The result for the player, in words."""
        low, high = self.game.utility_bounds(self.player)
        worth = self.game.utility(s, self.player)
        return {low: "loses", high: "wins", (low + high) / 2: "draws"}.get(worth, f"gets {worth:g}")

    def to_json(self) -> dict[str, Any]:
        """The whole strategy as nested plain data: moves to play, replies to expect, and utilities at the end."""
        return self._data(self.state)

    def _data(self, s: Any) -> dict[str, Any]:
        if self.game.is_terminal(s):
            return {"utility": self.game.utility(s, self.player)}
        if self._is_mine(s):
            a = self.action(s)
            return {"play": self._name(s, a), "then": self._data(self.game.result(s, a))}
        return {"if": {self._name(s, a): self._data(self.game.result(s, a)) for a in self.game.moves_at(s)}}

    def __str__(self) -> str:
        return "\n".join(self.lines())
