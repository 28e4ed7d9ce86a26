"""Tables: the arrays of a game or of another part, in which plain Python finds the numbers that compiled code finds.

Compiled code computes with elements of any width as ordinary numbers. In plain Python an element of an int16 array
would be a NumPy number that overflows silently, so arrays of narrow numbers are read through `OrdinaryNumbers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


class Tables:
    """An object, or a class, whose arrays are read as ordinary numbers."""

    if not TYPE_CHECKING:  # to a type checker, attributes are those that the class declares

        def __setattr__(self, name, value):
            object.__setattr__(self, name, as_table(value))

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        for name, value in list(vars(cls).items()):
            if as_table(value) is not value:
                setattr(cls, name, as_table(value))


def as_table(value: Any) -> Any:
    """An array as a table; anything else as it is."""
    if type(value).__name__ != "ndarray":
        return value
    from zermelo.game.ordinary import with_ordinary_numbers  # here, so that importing zermelo is quick

    return with_ordinary_numbers(value)
