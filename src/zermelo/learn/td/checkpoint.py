"""The checkpoint of a run: everything that is needed to resume it, in one file that is never half written."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.kernel.archives import read_arrays
from zermelo.kernel.files import write_whole
from zermelo.learn.td.settings import TdSettings

FORMAT = 1
"""The version of the files; a reader refuses those of later ones."""


@dataclass
class Checkpoint:
    """Where a run stands.

    game, features    the game's name, and a digest of the names of its features
    weights, best     the weights now, and those of the best network so far
    rounds, games, unfinished, positions, seconds    how much has been played
    ratings           one row for each match against the best network of that time
    """

    game: str
    features: str
    settings: TdSettings
    weights: Any
    best: Any
    best_games: int = 0
    rounds: int = 0
    games: int = 0
    unfinished: int = 0
    positions: int = 0
    seconds: float = 0.0
    ratings: list[dict[str, Any]] = field(default_factory=list)

    def save(self, path: Path) -> None:
        """Write it completely or not at all."""
        arrays = ("weights", "best")
        about = {name: value for name, value in vars(self).items() if name not in arrays}
        about |= {"format": FORMAT, "settings": self.settings.to_json()}
        data = io.BytesIO()
        np.savez(data, about=np.frombuffer(json.dumps(about).encode(), np.uint8), weights=self.weights, best=self.best)
        write_whole(path, data.getvalue())

    @staticmethod
    def load(path: Path) -> Checkpoint:
        """Read a checkpoint; an error says what is wrong with the file."""
        try:
            arrays = read_arrays(path)
            about = json.loads(arrays["about"].tobytes())
            if about.pop("format") > FORMAT:
                raise ValueError("it was written by a later version")
            about["settings"] = TdSettings.from_json(about["settings"])
            found = Checkpoint(**about, weights=arrays["weights"], best=arrays["best"])
        except (AttributeError, KeyError, TypeError, ValueError, OSError) as error:
            raise GameError(f"{path} is no checkpoint, or damaged: {error}; delete it to begin again") from None
        if found.weights.shape != found.best.shape or not np.isfinite([found.weights, found.best]).all():
            raise GameError(f"{path} is damaged: its weights are not finite numbers; delete it to begin again")
        return found

    def require_same(self, path: Path, other: Checkpoint) -> None:
        """Raise an error that lists the differences if this is the checkpoint of another run."""
        if (self.game, self.features) != (other.game, other.features):
            raise GameError(
                f"{path} is a checkpoint of {self.game}{', with other features' if self.game == other.game else ''}, "
                f"not of {other.game}; delete it, or choose another output file"
            )
        old, new = self.settings.to_json(), other.settings.to_json()
        differing = [f"{name} {old[name]!r}, not {new[name]!r}" for name in old if old[name] != new[name]]
        if differing:
            raise GameError(
                f"{path} is a checkpoint of a run with {', '.join(differing)}: use the same options to resume it, or "
                "delete it to begin again"
            )
        if self.weights.shape != other.weights.shape:
            raise GameError(f"{path} is damaged: it has {self.weights.size:,} weights; delete it to begin again")


def checkpoint_of(path: str | Path) -> Path:
    """The checkpoint that belongs to an output file."""
    path = Path(path)
    return path.with_name(f"{path.stem}.checkpoint{path.suffix or '.npz'}")
