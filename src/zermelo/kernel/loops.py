"""Loops over arrays of single precision that become vector instructions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

LOOP = "_zermelo_loop"


def vector_loop(plain: Callable[..., Any] | None = None) -> Callable[[Any], Any]:
    """Compile a helper function for speed: float32 stays float32, and sums may be added up in any order.

    Elsewhere in compiled code a float32 counts as an ordinary float, as in plain Python. Results of such a loop differ
    between both modes by the rounding of single precision, and its numbers must be finite. `plain` is a function that
    does the same in plain Python with whole arrays; without it, plain Python runs the loop.
    """

    def marked(loop: Any) -> Any:
        function = loop if plain is None else plain
        setattr(function, LOOP, loop)
        return function

    return marked


def loop_of(function: Any) -> Any:
    """The loop that is compiled instead of this function, or None."""
    return getattr(function, LOOP, None)
