"""Findings on turns and moves: whose turn it is, what is legal, and what the moves are called."""

from __future__ import annotations

import contextlib
import math
import numbers
from typing import Any

from zermelo.conformance.inspection import LISTED, Broken, Inspection
from zermelo.conformance.report import shown
from zermelo.game.protocol import CHANCE
from zermelo.game.state import i64
from zermelo.kernel.random import Random

NAMES_READ = 3
"""How many of a state's moves are read back from their names; that all names differ is seen of every move."""


def legal_ones(inspection: Inspection, method: str, code: str, s: Any, moves: list[Any]) -> list[Any]:
    """What a method yields, if they are some of the legal moves, and each comes once."""
    found = inspection.listed(method, s)
    for i, a in enumerate(found):
        if a not in moves:
            inspection.note(code, f"`{method}` yields {shown(a)}, which is not a legal move", s)
            raise Broken
        if a in found[:i]:
            inspection.note(code, f"`{method}` yields {inspection.move_name(s, a)} more than once", s)
            raise Broken
    return found


class MoveRules:
    """Findings on `to_move`, `actions`, `promise` and the names of moves."""

    def __init__(self, inspection: Inspection, seed: int):
        self.inspection, self.game = inspection, inspection.game
        self.random = Random(seed ^ 0x30E5)

    def mover(self, s: Any) -> int:
        """Who is to move."""
        mover = self.inspection.call("to_move", s)
        if not isinstance(mover, numbers.Integral) or not (mover == CHANCE or 0 <= int(mover) < self.game.players):
            players = f"0 to {self.game.players - 1}" if self.game.players > 1 else "0"
            said = f"`to_move` gives {shown(mover)}; the players are {players}, and CHANCE is {CHANCE}"
            self.inspection.note("illegal-to-move", said, s)
            raise Broken
        return int(mover)

    def visit(self, s: Any, new: bool) -> list[Any]:
        """Examine a state in which a player is to move; returns the legal moves."""
        moves = self._legal(s)
        if new:
            again = self.inspection.listed("actions", s)
            if again != moves:
                said = f"`actions` yields {shown(moves)}, and asked again {shown(again)}"
                self.inspection.note("actions-differ", said, s)
            some = [moves[self.random.below(len(moves))] for _ in range(NAMES_READ)]
            with contextlib.suppress(Broken):
                self._check_names(s, moves, some)
            with contextlib.suppress(Broken):
                self._check_promise(s, some[0])
        return moves

    def _legal(self, s: Any) -> list[Any]:
        inspection = self.inspection
        moves = inspection.listed("actions", s)
        if not moves:
            inspection.note("no-moves", "the game is not over, a player is to move, and `actions` yields nothing", s)
            raise Broken
        if len(moves) == LISTED:
            inspection.note("endless-actions", f"`actions` yields {LISTED:,} moves or more", s)
            raise Broken
        for a in moves:
            if not inspection.is_hashable(a):
                inspection.note("action-type", f"the move {shown(a)} cannot be hashed", s)
                raise Broken
            if inspection.fixed_width and not (isinstance(a, numbers.Integral) and i64(a) == a):
                said = f"the move {shown(a)} is not a whole number of 64 bits, as moves must be if states have widths"
                inspection.note("action-type", said, s)
        if len(set(moves)) < len(moves):
            twice = next(a for i, a in enumerate(moves) if a in moves[:i])
            inspection.note("repeated-actions", f"`actions` yields {inspection.move_name(s, twice)} more than once", s)
        most = self.game.max_actions
        if isinstance(most, int) and len(moves) > most:
            inspection.note("too-many-actions", f"`actions` yields {len(moves)} moves; max_actions is {most}", s)
        return moves

    def _check_names(self, s: Any, moves: list[Any], some: list[Any]) -> None:
        inspection = self.inspection
        named: dict[str, Any] = {}
        for a in moves:
            name = inspection.call("action_name", s, a)
            if not isinstance(name, str):
                said = f"`action_name` gives {shown(name)} for the move {shown(a)}; it gives a string"
                inspection.note("wrong-type", said, s, about="action_name")
                return
            other = named.setdefault(self._plain(name), a)
            if other != a:
                said = f"the moves {shown(other)} and {shown(a)} are both called {name!r}"
                inspection.note("name-ambiguous", said, s)
        for a in some:
            name = inspection.call("action_name", s, a)
            if named.get(self._plain(name)) != a:
                continue  # the name is ambiguous, as noted
            back, error = inspection.attempt("action_named", s, name)
            if error is not None:
                said = f"`action_named` does not read {name!r}, the name of {shown(a)}: {type(error).__name__}: {error}"
                inspection.note("name-unreadable", said, s)
            elif back != a:
                said = f"`action_named` reads {name!r}, the name of {shown(a)}, as {shown(back)}"
                inspection.note("name-unreadable", said, s)

    def _plain(self, name: str) -> str:
        """The name as it is read: capital letters count only for games that read names themselves, as in chess."""
        return name.strip() if self.game.offers("action_named") else name.strip().casefold()

    def _check_promise(self, s: Any, a: Any) -> None:
        if self.game.offers("promise"):
            promise = self.inspection.call("promise", s, a)
            if not isinstance(promise, numbers.Real) or math.isnan(promise):
                said = f"`promise` gives {shown(promise)} for {self.inspection.move_name(s, a)}"
                self.inspection.note("promise-not-a-number", said, s)
