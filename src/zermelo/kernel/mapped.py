"""Several files as one array of bytes: memory maps side by side, so that compiled code reads all of them by offsets."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

MAP_FIXED = 0x10
"""Put the map exactly there: the same number on Linux and macOS."""


def mapped_files(paths: Sequence[Path]) -> tuple[np.ndarray[Any, Any], list[int]]:
    """One array with the content of all files, read when it is needed, and where each file begins in it."""
    offsets, end = [], 0
    for path in paths:
        offsets.append(end)
        end += -(-path.stat().st_size // mmap.PAGESIZE) * mmap.PAGESIZE
    if not paths:
        return np.zeros(1, np.uint8), []
    region = mmap.mmap(-1, end)
    joined = np.frombuffer(region, np.uint8)
    for path, offset in zip(paths, offsets, strict=True):
        if not _map_over(joined.ctypes.data + offset, path):
            content = np.fromfile(path, np.uint8)
            joined[offset : offset + len(content)] = content
    joined.flags.writeable = False
    return joined, offsets


def _map_over(address: int, path: Path) -> bool:
    """Map a file to this address, inside a region of our own; False if the system cannot."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        library.mmap.restype = ctypes.c_void_p
        library.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        with open(path, "rb") as file:
            size = path.stat().st_size
            found = library.mmap(address, size, mmap.PROT_READ, mmap.MAP_PRIVATE | MAP_FIXED, file.fileno(), 0)
        return bool(found == address)
    except (AttributeError, OSError, TypeError):  # not a POSIX system
        return False
