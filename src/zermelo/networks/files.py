"""The file of a network: weights and training record in one .npz file, read without pickle."""

from __future__ import annotations

import hashlib
import io
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.kernel.archives import read_arrays
from zermelo.kernel.files import write_whole

FORMATS = {"layers": 1, "two views": 2}
"""The kinds of networks, and the version of their files; a reader refuses later ones."""

TABLES = {
    "layers": ("first", "first_bias", "second", "second_bias", "last", "last_bias"),
    "two views": ("first", "first_bias", "last", "last_bias", "unit"),
}
"""The arrays of weights of each kind."""
ABOUT = {"format": int, "game": str, "inputs": int, "digest": str, "hidden": list, "phases": int, "outputs": list,
         "added": bool, "record": dict}  # fmt: skip
"""What a file says about its network, and the type of each entry."""


class NetworkError(GameError):
    """A file that is no network, or a network for another game or other features."""


def digest_of(game: Game) -> str:
    """A digest of the names of a network's inputs."""
    return hashlib.sha256("\n".join(game.input_names()).encode()).hexdigest()


def write(path: str | Path, game: Game, network: Any) -> None:
    """Write a network and its record, completely or not at all."""
    about = {
        "format": FORMATS[network.kind],
        "kind": network.kind,
        "game": type(game).__name__,
        "inputs": network.inputs,
        "digest": digest_of(game),
        "hidden": list(network.hidden),
        "phases": network.phases,
        "outputs": list(network.outcomes.names),
        "added": network.added,
        "record": {"game": game.name, "date": f"{datetime.now(UTC):%Y-%m-%d}", **network.record},
    }
    tables: dict[str, Any] = {name: np.asarray(getattr(network, name)) for name in TABLES[network.kind]}
    if not all(np.isfinite(table).all() for table in tables.values()):
        raise NetworkError(f"{path} is not written: not all weights are finite (was the learning rate too high?)")
    data = io.BytesIO()
    np.savez_compressed(data, about=np.frombuffer(json.dumps(about).encode(), np.uint8), **tables)
    write_whole(Path(path), data.getvalue())


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file says about its network, and its tables."""
    try:
        arrays = read_arrays(path)
        about = json.loads(arrays["about"].tobytes())
        _require_entries(about)
        tables = {name: arrays[name] for name in TABLES[about["kind"]]}
    except FileNotFoundError:
        raise NetworkError(f"there is no file {str(path)!r}") from None
    except IsADirectoryError:
        raise NetworkError(f"{path} is a folder, not the file of a network") from None
    except OSError as error:
        raise NetworkError(f"{path} cannot be read: {error.strerror}") from None
    except KeyError as error:
        raise NetworkError(f"{path} is not the file of a network: it has no array {error}") from None
    except ValueError as error:
        raise NetworkError(f"{path} is not the file of a network, or it is damaged: {error}") from None
    for name, table in tables.items():
        floats = about["kind"] == "layers"
        wrong = table.dtype != np.float32 if floats else table.dtype.kind not in "if"
        if wrong or not np.isfinite(table).all():
            precision = " of single precision" if floats else ""
            raise NetworkError(f"{path} is damaged: the weights {name!r} are not finite numbers{precision}")
    return about, tables


def _require_entries(about: Any) -> None:
    """Raise a ValueError unless all entries are there."""
    if not isinstance(about, dict):
        raise ValueError("it says nothing about a network")
    newest = max(FORMATS.values())
    if isinstance(about.get("format"), int) and about["format"] > newest:
        raise ValueError(f"it has format {about['format']}; this version reads formats up to {newest}")
    about |= {"kind": "layers", "added": False} | about  # as the first version of the files did not say
    if about["kind"] not in TABLES:
        raise ValueError(f"its kind of network should be one of {', '.join(map(repr, TABLES))}, not {about['kind']!r}")
    for name, kind in ABOUT.items():
        if type(about.get(name)) is not kind:
            raise ValueError(f"its entry {name!r} should be of type {kind.__name__}")
    if not all(type(units) is int for units in about["hidden"]):
        raise ValueError("its entry 'hidden' should be a list of numbers of units")


def require(path: str | Path, about: dict[str, Any], game: Game) -> None:
    """Raise an error that names the difference if a network is not for this game."""
    cls = type(game).__name__
    if about["game"] != cls:
        raise NetworkError(f"the network in {path} is for {about['game']}, and this is {cls}")
    names = game.input_names()
    if about["inputs"] != len(names):
        raise NetworkError(
            f"the network in {path} is for {about['inputs']} inputs of {cls}, and this game has {len(names)}"
        )
    if about["digest"] != digest_of(game):
        raise NetworkError(f"the network in {path} is for {len(names)} other inputs of {cls}: the names differ")
    outputs = output_names(game)
    if tuple(about["outputs"]) != outputs:
        theirs = ", ".join(map(str, about["outputs"]))
        raise NetworkError(f"the network in {path} has the outputs {theirs}; this game needs {', '.join(outputs)}")
    phases = game.phase_names()
    if about["phases"] not in (1, len(phases)):
        raise NetworkError(
            f"the network in {path} is for {about['phases']} phases, and {cls} has {len(phases)}: {', '.join(phases)}"
        )


def output_names(game: Game) -> tuple[str, ...]:
    """What the outputs of a network for this game are called."""
    from zermelo.networks.outcomes import ExpectedUtility

    names: tuple[str, ...] = (game.predicts or ExpectedUtility).names
    return names


def repeated(table: Any, phases: int) -> Any:
    """A table for so many phases: weights of one phase serve for all."""
    return np.repeat(table, phases, axis=0) if len(table) == 1 else table


def require_shapes(path: str | Path, tables: dict[str, Any], about: dict[str, Any], shapes: Any) -> None:
    """Raise an error if a table of weights has another shape than the network that the file describes."""
    try:
        wanted = shapes(about["inputs"], about["hidden"], len(about["outputs"]), about["phases"])
    except ValueError as error:
        raise NetworkError(f"{path} is damaged: {error}") from None
    for name, shape in wanted.items():
        if tables[name].shape != shape:
            raise NetworkError(
                f"{path} is damaged: the weights {name!r} have the shape {tables[name].shape}, not {shape}"
            )
