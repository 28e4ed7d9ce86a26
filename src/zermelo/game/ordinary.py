"""Arrays of narrow numbers whose elements read as ordinary Python numbers."""

from __future__ import annotations

from typing import Any

import numpy as np


class OrdinaryNumbers(np.ndarray[Any, Any]):
    """An array of fewer than 64 bits an element. NumPy's own elements would overflow: int16(200) * int16(200)."""

    def __getitem__(self, index: Any) -> Any:
        found: Any = super().__getitem__(index)
        return found.item() if isinstance(found, np.generic) else found


def with_ordinary_numbers(array: Any) -> Any:
    """The same memory, read as ordinary numbers; arrays of 64-bit numbers, or of no numbers, as they are."""
    narrow = array.dtype.kind in "iuf" and array.dtype.itemsize < 8
    return array.view(OrdinaryNumbers) if narrow and type(array) is np.ndarray else array
