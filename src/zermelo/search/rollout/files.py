"""The trials of a rollout as a file of JSON, so that it can be resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import NotationError
from zermelo.kernel.files import write_whole

KIND = "zermelo rollout"


def save_trials(file: Path, about: dict[str, Any], found: list[tuple[Any, Any]]) -> None:
    """Write the file completely, or not at all."""
    trials = [{"values": values.tolist(), "outputs": outputs.tolist()} for values, outputs in found]
    write_whole(file, json.dumps({"kind": KIND, "about": about, "trials": trials}).encode())


def load_trials(file: Path, about: dict[str, Any], outputs: int) -> list[tuple[Any, Any]]:
    """The trials in a file; an error if it is damaged, or belongs to another rollout."""
    try:
        read = json.loads(file.read_text())
        if read["kind"] != KIND:
            raise ValueError("it is no rollout")
        there, found = read["about"], [_arrays(each, outputs) for each in read["trials"]]
        if not isinstance(there, dict) or len(found) != len(about["moves"]):
            raise ValueError("the number of moves is wrong")
    except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise NotationError(f"{file} is not a file of a rollout: {error}") from None
    for name, value in about.items():
        if there.get(name) != value:
            raise NotationError(
                f"{file} is another rollout: its {name} is {there.get(name)!r}, not {value!r}; use another file"
            )
    return found


def _arrays(read: dict[str, Any], outputs: int) -> tuple[Any, Any]:
    values = np.array(read["values"], np.float64)
    rows = np.array(read["outputs"], np.float64).reshape(len(values), outputs)
    if values.ndim != 1 or not (np.isfinite(values).all() and np.isfinite(rows).all()):
        raise ValueError("a result is not a number")
    return values, rows
