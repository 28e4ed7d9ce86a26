"""Games to learn from: their positions as features, their results, and the values of a search."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.kernel.files import write_whole
from zermelo.learn.logistic import Rows, joined

HELD_OUT = 0.2
"""The share of games held out for testing. Whole games, because positions of one game are alike."""


@dataclass(frozen=True)
class Played:
    """The games of a round."""

    rows: Rows
    utilities: Any  # [position] of the player to move, from the middle of the range
    values: Any  # [position] likewise, as a search sees it
    phases: Any  # [position]
    held_out: Any  # [position]
    games: int
    held_out_games: int

    def save(self, file: Path) -> None:
        """Write them to a file."""
        rows = {f"rows_{name}": getattr(self.rows, name) for name in ("numbers", "amounts", "starts")}
        data = io.BytesIO()
        np.savez_compressed(data, **{**vars(self), "rows": 0}, **rows)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, data.getvalue())

    @staticmethod
    def load(file: Path, columns: int) -> Played:
        """Load saved games."""
        with np.load(file, allow_pickle=False) as data:
            rows = Rows(data["rows_numbers"], data["rows_amounts"], data["rows_starts"], columns)
            arrays = {name: data[name] for name in ("utilities", "values", "phases", "held_out")}
            return Played(rows, **arrays, games=int(data["games"]), held_out_games=int(data["held_out_games"]))


def together(parts: list[Played]) -> Played:
    """The games of several rounds."""
    if len(parts) == 1:
        return parts[0]
    arrays = {
        name: np.concatenate([getattr(p, name) for p in parts])
        for name in ("utilities", "values", "phases", "held_out")
    }
    rows, games = joined(p.rows for p in parts), sum(p.games for p in parts)
    return Played(rows, **arrays, games=games, held_out_games=sum(p.held_out_games for p in parts))


def held_out(games: int) -> Any:
    """For each of `count` games: is it held out?"""
    whole = np.arange(games)
    return np.floor((whole + 1) * HELD_OUT) > np.floor(whole * HELD_OUT)


def phase_of(plies: Any, lengths: Any) -> Any:
    """The third of its game that a position is in."""
    return np.minimum(3 * plies // np.maximum(lengths, 1), 2)
