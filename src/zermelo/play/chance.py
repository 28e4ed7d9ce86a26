"""Chance in a game that can be saved: every draw follows from the seed and the number of earlier draws, and is recorded
so that it can be repeated exactly.
"""

from __future__ import annotations

from typing import Any

from zermelo.game.errors import IllegalAction
from zermelo.game.hashing import mixed
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random

LISTED = 12
"""How many outcomes an error message lists."""


def drawn(game: Game, s: Any, seed: int, draws: int) -> Any:
    """The state that chance leads to after so many earlier draws.

    It does not depend on who plays, or on the number of moves between: two games with the same seed are duplicates.
    They have the same cards or dice, however they are played.
    """
    return game.draw(s, Random(mixed((seed, draws))))


def outcome_between(game: Game, s: Any, after: Any) -> Any:
    """The outcome that leads from s to `after`; None if the game does not list its outcomes, or two print alike.

    A saved game without an outcome draws again by its seed, which gives the same state.
    """
    if not game.traits.lists_outcomes:
        return None
    outcomes = [outcome for outcome, _ in game.outcomes(s)]
    found = next((outcome for outcome in outcomes if game.result(s, outcome) == after), None)
    is_clear = sum(str(outcome) == str(found) for outcome in outcomes) == 1
    return found if is_clear else None


def outcome_named(game: Game, s: Any, name: str) -> Any:
    """The outcome of this name: as it prints, which is how games are saved, or as `action_name` calls it."""
    outcomes = [outcome for outcome, _ in game.outcomes(s)]
    for outcome in outcomes:
        if str(outcome) == name:
            return outcome
    called = [game.action_name(s, outcome) for outcome in outcomes]
    same = [outcome for outcome, each in zip(outcomes, called, strict=True) if each.casefold() == name.casefold()]
    if same:
        return same[0]
    if game.offers("action_named"):
        return game.action_named(s, name)  # reads more forms, or says what is wrong
    there = f"{', '.join(called[:LISTED])}{', …' if len(called) > LISTED else ''}"
    raise IllegalAction(f"{name!r} is not an outcome of chance here; the outcomes are {there or 'not listed'}")
