"""Learned weights: their meaning, how well they predict results, and their file format."""

from __future__ import annotations

import copy
import hashlib
import io
import json
import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.features import has_network
from zermelo.game.protocol import Game
from zermelo.kernel.archives import read_arrays
from zermelo.kernel.files import write_whole
from zermelo.kernel.tabular import Tabular
from zermelo.learn.logistic import chances
from zermelo.learn.report import Bin, Part, Report, Round, Scores

FORMAT = 1
"""The version of the files; a reader refuses those of later ones."""

LISTED_NAMES = 1 << 20
"""Names of features that take up more bytes than this are kept as a digest only."""


class NotFor(GameError):
    """Weights that were learned for another game, or for other features."""


@dataclass(frozen=True)
class Learned(Tabular):
    """Weights, their meaning, and how well they predict results.

    weights     one for each feature; `evaluate` estimates the utility with a weighted sum of them
    scale       utility for each unit of logit, the logarithm of the odds: weights = scale · fitted logits
    slope, intercept    of `chance`
    errors      the standard error of each weight, if known: see `logistic.standard_errors`
    """

    game: str
    feature_names: tuple[str, ...] = field(repr=False)
    weights: Any = field(repr=False)
    scale: float
    slope: float
    intercept: float
    games: int
    report: Report | None = field(default=None, repr=False)
    errors: Any = field(default=None, repr=False)

    def table(self) -> list[dict[str, Any]]:
        """One row for each feature: its name, its weight, and the standard error of the weight."""
        errors = [math.nan] * len(self.weights) if self.errors is None else self.errors
        return [
            {"feature": name, "weight": float(weight), "error": float(error)}
            for name, weight, error in zip(self.feature_names, self.weights, errors, strict=True)
        ]

    def chance(self, value: Any) -> Any:
        """The chance of winning (a draw counts half) that a value means in this game, for the player to move."""
        found = chances(self.slope * np.asarray(value, float) + self.intercept)
        return found if np.ndim(value) else float(found)

    def apply(self, game: Game) -> Game:
        """A copy of the game with these weights; nothing is compiled anew for it."""
        self._require(game)
        own = copy.copy(game)
        if has_network(own):
            own.network = None
        own.weights = self.weights.astype(game.weights.dtype)
        return own

    def save(self, path: str | Path, *, unit: float | None = None) -> None:
        """Write it to one file; with a unit, to be small: the weights as its multiples, and in single precision."""
        weights = self.weights if unit is None else (np.round(self.weights / unit) * unit).astype(np.float32)
        names = "\n".join(self.feature_names).encode()
        about = {
            "format": FORMAT,
            "game": self.game,
            "features": len(self.feature_names),
            "digest": hashlib.sha256(names).hexdigest(),
            "scale": self.scale,
            "slope": self.slope,
            "intercept": self.intercept,
            "games": self.games,
            "report": self.report and self.report.to_json(),
        }
        tables = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8), "weights": weights}
        if self.errors is not None:
            tables["errors"] = self.errors.astype(np.float32)
        if len(names) <= LISTED_NAMES:
            tables["names"] = np.frombuffer(names, np.uint8)
        data = io.BytesIO()
        np.savez_compressed(data, **tables)
        write_whole(Path(path), data.getvalue())

    @staticmethod
    def load(path: str | Path, game: Game) -> Learned:
        """Load saved weights, if they are for this game and these features."""
        try:
            arrays = read_arrays(path)
            about = json.loads(arrays["about"].tobytes())
            if about["format"] > FORMAT:
                raise NotFor(f"{path} has format {about['format']}; this version reads formats up to {FORMAT}")
            weights = arrays["weights"].astype(np.float64)
            errors = arrays["errors"].astype(np.float64) if "errors" in arrays else None
            names = arrays["names"].tobytes().decode() if "names" in arrays else None
            known: tuple[str, ...] = () if names is None else tuple(names.split("\n"))
            if errors is not None and errors.shape != weights.shape:
                raise ValueError("it has errors for other weights")
            if weights.shape != (about["features"],) or not np.isfinite(weights).all():
                raise ValueError("its weights are not as many finite numbers as there are features")
            learned = Learned(
                about["game"],
                known,
                weights,
                float(about["scale"]),
                float(about["slope"]),
                float(about["intercept"]),
                int(about["games"]),
                about["report"] and _report_from(about["report"]),
                errors,
            )
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, NotFor):
                raise
            raise NotFor(f"{path} is no file of learned weights: {error}") from None
        if names is None and learned.game == game.name:
            found = game.feature_names()
            if hashlib.sha256("\n".join(found).encode()).hexdigest() != about["digest"]:
                raise NotFor(
                    f"{path} is for {about['features']:,} features of {learned.game}; this game has {len(found):,}, "
                    "and others"
                )
            learned = replace(learned, feature_names=found)
        learned._require(game)
        return learned

    def _require(self, game: Game) -> None:
        """Raise an error that lists the differences if the weights are not for this game."""
        if self.game != game.name:
            raise NotFor(f"these weights are for {self.game}, and this is {game.name}")
        names = game.feature_names()
        if self.feature_names != names:
            pairs = zip(self.feature_names, names, strict=False)
            number, (theirs, ours) = next(
                ((i, pair) for i, pair in enumerate(pairs) if pair[0] != pair[1]), (-1, ("", ""))
            )
            what = f"; number {number} is {theirs!r} there and {ours!r} here" if number >= 0 else ""
            raise NotFor(
                f"these weights are for {len(self.feature_names)} features of {self.game}, and this game has "
                f"{len(names)}{what}"
            )


def _report_from(data: dict[str, Any]) -> Report:
    """A report from plain data: the inverse of `Report.to_json`."""

    def part(found: dict[str, Any]) -> Part:
        return Part(**{**found, **{name: Scores(**found[name]) for name in ("base", "before", "learned")}})

    return Report(
        **{
            **data,
            "whole": part(data["whole"]),
            "phases": tuple(part(found) for found in data["phases"]),
            "calibration": tuple(Bin(**found) for found in data["calibration"]),
            "rounds": tuple(Round(**found) for found in data["rounds"]),
        }
    )
