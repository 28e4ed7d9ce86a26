"""Findings on hidden information: what a player can know, and states that it could not tell apart."""

from __future__ import annotations

import contextlib
from typing import Any

from zermelo.conformance.inspection import Broken, Inspection
from zermelo.conformance.report import shown
from zermelo.game.protocol import CHANCE
from zermelo.kernel.random import Random

RESAMPLED = 3
"""How many states are drawn that a player should not be able to tell from the one at hand."""


class HiddenRules:
    """Findings on `information` and `resample`."""

    def __init__(self, inspection: Inspection, seed: int):
        self.inspection, self.game = inspection, inspection.game
        self.random = Random(seed ^ 0x41DDE2)
        self._informs = self.game.offers("information")
        self._resamples = self._informs and self.game.offers("resample")
        self._known: dict[Any, tuple[Any, frozenset[Any], tuple[str, ...]]] = {}  # by player and information
        self._hides = self._asked = False

    def visit(self, s: Any, mover: int, moves: list[Any]) -> None:
        """Examine a state in which a player is to move."""
        if not self._informs or not self.inspection.is_hashable(s):
            return
        for p in range(self.game.players):
            with contextlib.suppress(Broken):
                information = self._information(s, p)
                if p == mover:
                    self._compare_with_known(s, p, information, frozenset(moves))
                if self._resamples:
                    for _ in range(RESAMPLED):
                        self._resample(s, p, information, mover, moves)

    def finish(self) -> None:
        """When all games are played: what was never met."""
        if self.game.hidden and self._asked and not self._hides:
            self.inspection.note(
                "hidden-never-seen", "hidden is declared, but `information` is different in every state"
            )

    def _information(self, s: Any, p: int, where: Any = None) -> Any:
        inspection = self.inspection
        information, again = (
            inspection.call("information", s, p, state=s if where is None else where) for _ in range(2)
        )
        if not inspection.is_hashable(information):
            said = f"`information` gives player {p} {shown(information)}, which cannot be hashed"
            inspection.note("information-unhashable", said, s if where is None else where)
            raise Broken
        if information != again:
            said = f"`information` gives player {p} {shown(information)}, and asked again {shown(again)}"
            inspection.note("information-differs", said, s if where is None else where)
            raise Broken
        self._asked = True
        return information

    def _compare_with_known(self, s: Any, p: int, information: Any, moves: frozenset[Any]) -> None:
        """The mover must know which moves are legal."""
        inspection = self.inspection
        known = self._known.get((p, information))
        if known is None:
            self._known[p, information] = s, moves, inspection.move_names()
            return
        other, other_moves, path = known
        if other == s:
            return
        self._note_hiding(s, p, other)
        if moves != other_moves:
            said = (
                f"player {p} has the same information {shown(information)} here and after "
                f"{' '.join(path) or 'no moves'}, but here may play {_named(inspection, s, moves)}, "
                f"and there {_named(inspection, other, other_moves)}"
            )
            inspection.note("information-actions", said, s)

    def _note_hiding(self, s: Any, p: int, other: Any) -> None:
        self._hides = True
        if not self.game.hidden:
            said = f"player {p} cannot tell this state from {shown(other)} by `information`, but hidden is not declared"
            self.inspection.note("hidden-not-declared", said, s)

    def _resample(self, s: Any, p: int, information: Any, mover: int, moves: list[Any]) -> None:
        """Draw a state that p cannot tell from s, and see whether p could."""
        inspection = self.inspection
        seed = self.random.bits()
        drawn, again = (inspection.call("resample", s, p, Random(seed)) for _ in range(2))
        if not inspection.are_equal(drawn, again):
            said = f"`resample` gives {shown(drawn)}, and {shown(again)} from the same random numbers"
            inspection.note("resample-differs", said, s)
        difference = self._difference(s, p, information, mover, drawn)
        if difference is not None:
            said = f"`resample` for player {p} gives {shown(drawn)}, which it could tell apart: {difference}"
            inspection.note("resample-distinguishable", said, s)
            return
        if drawn != s:
            self._note_hiding(s, p, drawn)
        if p == mover:
            drawn_moves = frozenset(self._asked_of(drawn, "actions", s))
            if drawn_moves != frozenset(moves):
                said = (
                    f"player {p} has the same information here and in {shown(drawn)}, but here may play "
                    f"{_named(inspection, s, frozenset(moves))}, and there {_named(inspection, drawn, drawn_moves)}"
                )
                inspection.note("information-actions", said, s)

    def _difference(self, s: Any, p: int, information: Any, mover: int, drawn: Any) -> str | None:
        if type(drawn) is not type(s):
            return f"it is a {type(drawn).__name__}, not a {type(s).__name__}"
        if self._asked_of(drawn, "is_terminal", s):
            return "there the game is over"
        drawn_mover = self._asked_of(drawn, "to_move", s)
        if (drawn_mover == p) != (mover == p):
            whose = "chance" if drawn_mover == CHANCE else f"player {drawn_mover}"
            return f"there {whose} is to move, here player {mover}"
        told = self._information(drawn, p, where=s)
        if told != information:
            return f"there its information is {shown(told)}, here {shown(information)}"
        return None

    def _asked_of(self, drawn: Any, method: str, s: Any) -> Any:
        """What a method answers in a state that was drawn; a failure is noted where it was drawn, in s."""
        answer, error = self.inspection.attempt(method, drawn)
        if error is not None:
            self.inspection.note_raised(method, s, error, whose=f"in {shown(drawn)}, which `resample` gives, ")
            raise Broken
        return answer


def _named(inspection: Inspection, s: Any, moves: frozenset[Any]) -> str:
    return ", ".join(sorted(inspection.move_name(s, a) for a in moves)) or "nothing"
