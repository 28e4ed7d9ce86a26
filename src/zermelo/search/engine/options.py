"""The engine's options: every technique can be switched on and off, to compare them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.search.engine.switches import SOUND, SWITCHES, TABLE
from zermelo.search.engine.table import REPLACEMENTS

FORWARD_PRUNING = ("null_move", "reductions", "futility", "probcut", "beam")
AT_A_HORIZON = ("quiescence", "forcing", "forced", "urgent", "singular", "internal", *FORWARD_PRUNING)
"""Techniques that a search to the end of the game does not use."""


@dataclass(frozen=True)
class Options:
    """The techniques, and whether each is on.

    All but the last group are exact: they change how long a proof takes, never its result. Extensions and quiescence
    search go beyond the depth asked for. The last group is forward pruning, which may miss the best move: it is on only
    for games that declare it safe enough (`forward_pruning`).
    """

    table_from: int = 6  # use the table if the game can last at least this many more plies
    strict_depth: bool = False  # use only entries of exactly the depth asked for, as minimax would
    table_first: int = 8  # enhanced transposition cutoffs from this depth on; 0: never
    replacement: str = "work"  # which entry to replace: that of the least "work" or "depth", or "always" the first
    promise: bool = True
    killers: bool | None = None  # by default on, except in proofs that the game's own promise orders
    counters: bool | None = None
    history: bool | None = None
    scout: bool = True
    aspiration: bool = True
    quiescence: bool = True
    forcing: bool = True
    forced: bool = True
    urgent: bool | None = None  # check extensions; by default on together with reductions, if the game wants them
    singular: bool | None = None  # by default on without reductions and ProbCut; with them it costs more than it finds
    internal: int = 0  # internal iterative deepening if there is no table entry; 0: never
    bounds: bool = True
    safe: bool = True
    cycles: bool = True
    mtdf: bool = False  # MTD(f): null windows only

    null_move: bool | None = None  # by default on if the game declares it; so are the next three
    reductions: bool | None = None
    futility: bool | None = None
    probcut: bool | None = None
    beam: int = 0

    @property
    def is_sound(self) -> bool:
        """Is all forward pruning off?"""
        return not any(getattr(self, name) for name in FORWARD_PRUNING)

    def checked(self, game: Game) -> Options:
        """The options for this game; raises Unsuitable if it does not declare a pruning technique safe."""
        if self.replacement not in REPLACEMENTS:
            raise ValueError(f"replacement is one of {', '.join(REPLACEMENTS)}, not {self.replacement!r}")
        for name in FORWARD_PRUNING:
            if getattr(self, name) and name not in game.forward_pruning:
                raise Unsuitable(
                    f"{game.name} does not declare {name} safe: it may miss the best move; to allow it, declare "
                    f'forward_pruning = ("{name}",) in the game'
                )
        chosen: dict[str, Any] = {
            name: name in game.forward_pruning for name in FORWARD_PRUNING if getattr(self, name) is None
        }
        if self.urgent is None:
            chosen["urgent"] = game.extends_urgent and bool(chosen.get("reductions", self.reductions))
        if self.singular is None:
            chosen["singular"] = not any(chosen.get(name, getattr(self, name)) for name in ("reductions", "probcut"))
        return dataclasses.replace(self, **chosen)

    def switch(self, switches: Any, table: bool, proving: bool, own_promise: bool) -> None:
        """Set the switches of a memory: with a table or not, for proofs or not, with the game's own promise or not."""
        for i, name in enumerate(SWITCHES):
            chosen = 0 if proving and name in AT_A_HORIZON else getattr(self, name, 0)
            switches[i] = int(not (proving and own_promise) if chosen is None else chosen)
        switches[TABLE], switches[SOUND] = max(self.table_from, 1) if table else 0, int(proving or self.is_sound)


def options_from(given: dict[str, Any]) -> Options:
    """Options from keywords, each checked."""
    known = {field.name: field for field in dataclasses.fields(Options)}
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"the engine has no option {name!r}; it has {', '.join(known)}")
        if (
            name != "replacement"
            and not (value is None and known[name].default is None)
            and (not isinstance(value, int) or value < 0)
        ):
            raise ValueError(f"{name} is on or off, or a whole number of at least 0; not {value!r}")
    return Options(**given)


PLAIN = Options(
    table_first=0,
    promise=False,
    killers=False,
    counters=False,
    history=False,
    scout=False,
    aspiration=False,
    quiescence=False,
    forcing=False,
    forced=False,
    urgent=False,
    singular=False,
    internal=0,
    bounds=False,
    safe=False,
    cycles=False,
    null_move=False,
    reductions=False,
    futility=False,
    probcut=False,
)
"""Plain alpha-beta: nothing but the window."""
