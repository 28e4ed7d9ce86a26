"""Checks of games' parameters, so that errors are reported early."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from zermelo.game.errors import GameError, StateError


def whole_number(name: str, value: int, least: int, most: int) -> int:
    """The value, if it is a whole number from `least` to `most`; otherwise a GameError that names the parameter."""
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise GameError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return value


def require_text(text: Any, what: str) -> None:
    """Raise a StateError unless a position is given as text."""
    if not isinstance(text, str):
        raise StateError(f"{what} is text, not {text!r}")


def finite_weights(weights: Iterable[float], names: tuple[str, ...]) -> Any:
    """The weights of the named features as an array; raises a GameError with the reason if they are invalid."""
    import numpy as np  # here, so that games without weights are loaded quickly

    try:
        made = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise GameError(f"weights must be {len(names)} numbers, one for each feature, not {weights!r}") from None
    if made.shape != (len(names),):
        raise GameError(
            f"weights must be {len(names)} numbers, one for each feature; these have the shape {made.shape}"
        )
    odd = np.flatnonzero(~np.isfinite(made))
    if len(odd):
        raise GameError(f"weights must be finite; that of {names[odd[0]]!r} is not")
    return made
