"""Solved subgames in files: all that is needed to read them and to continue."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.equilibria.subgame.solver import Look, Subgame
from zermelo.game.errors import GameError
from zermelo.kernel.archives import read_arrays
from zermelo.kernel.files import write_whole

FORMAT = 1
"""The version of the files; a reader refuses those of later ones."""
LARGEST = 8 << 30


def save_subgame(subgame: Subgame, path: str | Path) -> None:
    """Write a subgame, completely or not at all."""
    about = {
        "format": FORMAT,
        "spot": subgame.given,
        "iterations": subgame.iterations,
        "seconds": subgame.seconds,
        "looks": [[look.iterations, look.seconds, look.exploitability] for look in subgame.looks],
    }
    data = io.BytesIO()
    np.savez_compressed(
        data,
        about=np.frombuffer(json.dumps(about).encode(), np.uint8),
        regret=subgame.memory.regret,
        total=subgame.memory.total,
    )
    write_whole(Path(path), data.getvalue())


def load_subgame(path: str | Path, **options: Any) -> Subgame:
    """Read a subgame; `options` are those of `Subgame` that do not change the spot: threads, stop."""
    try:
        arrays = read_arrays(path, LARGEST)
        about = json.loads(arrays["about"].tobytes())
        if about["format"] > FORMAT:
            raise ValueError(f"it has format {about['format']}; this version reads formats up to {FORMAT}")
        subgame = Subgame(**about["spot"], **options)
        for name, array in (("regret", subgame.memory.regret), ("total", subgame.memory.total)):
            found = arrays[name]
            if found.shape != array.shape or found.dtype != array.dtype or not np.isfinite(found).all():
                raise ValueError(f"its array {name!r} does not fit the spot")
            array[:] = found
        subgame.iterations, subgame.seconds = int(about["iterations"]), float(about["seconds"])
        subgame.looks = [Look(int(t), float(seconds), float(x)) for t, seconds, x in about["looks"]]
    except OSError as error:
        raise GameError(f"{path} cannot be read: {error.strerror or error}") from None
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise GameError(f"{path} is not the file of a subgame, or it is damaged: {error}") from None
    return subgame
