"""Checks that every search makes of what it is given: the limits, the rules and the root's moves."""

from __future__ import annotations

import itertools
import numbers
import threading
from collections.abc import Iterable
from typing import Any

from zermelo.game.errors import CompileError, GameError, Unsuitable
from zermelo.game.methods import RULES
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.routine import why_not_fixed_width

UNLIMITED = 1 << 62
MOST_ACTIONS = 1_000_000


def whole_number(name: str, limit: Any) -> int | None:
    """A limit as a whole number, within what a search can count; None if there is none."""
    if limit is None:
        return None
    if not isinstance(limit, numbers.Integral) or isinstance(limit, bool) or limit < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, not {limit!r}")
    return min(int(limit), UNLIMITED)


def time_limit(seconds: Any) -> float | None:
    """A limit in seconds that a thread can wait for; None if there is none."""
    if seconds is None:
        return None
    if not isinstance(seconds, numbers.Real) or isinstance(seconds, bool) or not float(seconds) > 0:
        raise ValueError(f"seconds must be a number of more than 0, not {seconds!r}")
    return min(float(seconds), threading.TIMEOUT_MAX / 2)


def require_rules(game: Game) -> None:
    """Raise GameError if a game lacks one of the textbook's elements."""
    missing = [name for name in RULES if not game.offers(name)]
    if missing:
        raise GameError(
            f"{type(game).__name__} does not define {', '.join(missing)}: every game needs {', '.join(RULES)}"
        )


def require_two_sides(searcher: str, game: Game) -> None:
    """Raise Unsuitable unless the game has at most two sides, is zero-sum, and has no chance and nothing hidden."""
    traits = game.traits
    if traits.hidden or traits.chance or traits.sides > 2 or (traits.sides == 2 and not traits.zero_sum):
        raise Unsuitable(
            f"{searcher} does not suit {game.title}: it plays games of at most two sides, zero-sum, without chance and "
            f"with nothing hidden, and this is a game of {traits}"
        )


def should_compile(game: Game, state: Any, wish: bool | None) -> bool:
    """Compiled or plain Python? Raises CompileError if compilation is required and impossible."""
    if wish is False:
        return False
    reason = why_not_fixed_width(type(state))
    if reason is not None and wish:
        raise CompileError(f"{game.name} cannot be compiled: {reason}")
    return reason is None


def listed(game: Game, s: Any) -> list[Any]:
    """The legal moves of the root; raises GameError if there is no end to them."""
    actions = list(itertools.islice(game.actions(s), MOST_ACTIONS + 1))
    if len(actions) > MOST_ACTIONS:
        raise GameError(f"{game.title} has more than {MOST_ACTIONS:,} legal moves in {s!r}: does `actions` ever end?")
    return actions


def named(game: Game, s: Any, moves: Iterable[Any]) -> str:
    """The names of the moves that led to an error in the rules, as far as these rules can follow and name them."""
    names = []
    try:
        for a in moves:
            name = str(a) if game.to_move(s) == CHANCE else game.action_name(s, a)
            s = game.result(s, a)
            names.append(name)
    except Exception:
        pass
    return " ".join(names) or "no moves"
