"""Loops over arrays of single precision that become vector instructions."""

from __future__ import annotations

from typing import TypeVar

Function = TypeVar("Function")

MARK = "_zermelo_vector_loop"


def vector_loop(function: Function) -> Function:
    """Compile a helper function for speed: float32 stays float32, and sums may be added up in any order.

    Elsewhere in compiled code a float32 counts as an ordinary float, as in plain Python. Results of such a loop differ
    between both modes by the rounding of single precision, and its numbers must be finite.
    """
    setattr(function, MARK, True)
    return function


def is_vector_loop(function: object) -> bool:
    """Is this function marked?"""
    return getattr(function, MARK, False)
