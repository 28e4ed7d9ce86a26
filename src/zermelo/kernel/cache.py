"""The disk cache of compiled programs: one file each, written whole or not at all, named by all that it depends on.

The name is a digest of the program's fingerprint, the types that it was compiled for, Numba's version and the
processor, so a file is either exactly right or never looked at. Losing any file costs one compilation.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import time
from pathlib import Path
from typing import Any

import numba
from numba.core import compiler
from numba.core.caching import _Cache

from zermelo.kernel.compilations import cache_directory
from zermelo.kernel.files import write_whole

LIMIT = 2048
"""How many compiled programs are kept; the ones unused for longest go first."""


counts = {"loaded": 0, "compiled": 0}
"""How many programs this process has loaded from the cache, and how many it has compiled for it."""


class ProgramCache(_Cache):
    """Numba's cache interface over one file: the compiled program for one set of types."""

    def __init__(self, fingerprint: str):
        self._fingerprint = fingerprint

    @property
    def cache_path(self) -> str:
        return str(cache_directory())

    def path(self, signature: Any, target: Any) -> Path:
        """The file of a program: it is there if the program is cached."""
        about = (self._fingerprint, str(signature), numba.__version__, target.codegen().magic_tuple())
        return cache_directory() / f"{hashlib.sha256(repr(about).encode()).hexdigest()[:32]}.program"

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        self._target = target
        try:
            path = self.path(signature, target)
            data = path.read_bytes()
            digest, payload = data[:32], data[32:]
            if _digest(path, payload) != digest:
                return None  # cut short, overwritten, or the file of another program: compile anew
            with contextlib.suppress(OSError):
                os.utime(path)
            result = compiler.CompileResult._rebuild(target, *pickle.loads(payload))
            counts["loaded"] += 1
            return result
        except Exception:  # not there, cut short, or written by something else: compile anew
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        counts["compiled"] += 1
        if result.library.has_dynamic_globals:
            return
        payload = pickle.dumps(result._reduce())
        with contextlib.suppress(OSError, RuntimeError):  # a full or read-only disk, or no home, only costs time
            path = self.path(signature, self._target)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, _digest(path, payload) + payload)
            _prune(path.parent)

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass


def _digest(path: Path, payload: bytes) -> bytes:
    """What a file begins with. The name is part of it, so that one program is not taken for another."""
    return hashlib.sha256(path.name.encode() + b"\0" + payload).digest()


def _prune(folder: Path) -> None:
    files = sorted(folder.glob("*.program"), key=lambda path: path.stat().st_mtime)
    for path in files[:-LIMIT]:
        path.unlink(missing_ok=True)
    for path in (*folder.glob("*.part"), *folder.glob("*.lock")):  # left by a process that was killed
        if time.time() - path.stat().st_mtime > 3600:
            path.unlink(missing_ok=True)
