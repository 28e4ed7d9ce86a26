"""Arrays in one file (.npz) from anywhere, read without pickle and within a limit."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

LARGEST = 1 << 30
"""Bytes of all arrays together. A small archive can claim to contain terabytes."""


def read_arrays(path: str | Path, largest: int = LARGEST) -> dict[str, Any]:
    """All arrays of a file. A ValueError says what is wrong with its content, an OSError why it cannot be opened."""
    try:
        with zipfile.ZipFile(path) as archive:  # it never unpacks more than an entry says
            size = sum(entry.file_size for entry in archive.infolist())
        if size > largest:
            raise ValueError(f"its arrays have {size:,} bytes, and {largest:,} are allowed")
        with np.load(path, allow_pickle=False) as file:
            return dict(file)
    except (OSError, ValueError):
        raise
    except Exception as error:  # what a damaged archive raises is not documented: zlib.error, BadZipFile, MemoryError
        raise ValueError(str(error) or type(error).__name__) from None
