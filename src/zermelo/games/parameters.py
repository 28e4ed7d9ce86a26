"""Checks of the numbers that a game is made with, so that a mistake is named where it is made."""

from __future__ import annotations

from zermelo.game.errors import GameError


def whole_number(name: str, value: int, least: int, most: int) -> int:
    """The value, if it is a whole number from `least` to `most`; otherwise a GameError that names the parameter."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise GameError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return value
