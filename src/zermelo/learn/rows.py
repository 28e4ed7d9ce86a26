"""Sparse rows as dense matrices, for networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.learn.logistic import Rows


def dense(rows: Rows, chosen: Any) -> Any:
    """The features of some positions as a matrix."""
    lengths = rows.starts[chosen + 1] - rows.starts[chosen]
    before = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    places = np.arange(lengths.sum()) + np.repeat(rows.starts[chosen] - before, lengths)
    cells = np.repeat(np.arange(len(chosen)), lengths) * rows.columns + rows.numbers[places]
    found = np.bincount(cells, rows.amounts[places], len(chosen) * rows.columns)
    return found.reshape(len(chosen), rows.columns).astype(np.float32)
