"""The regressions of Multi-ProbCut (Buro 1997) for any game: how well shallow searches predict deep ones.

Positions are searched to every depth up to a limit. For each stage of the game and each depth, a line is fitted from
the values of a shallower search to those of this depth. Its error says how far beyond the window the shallow
search must be for a cut. Depths have the same parity, because the right to move is worth something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from zermelo.game.protocol import Game
from zermelo.search.engine.answers import Progress
from zermelo.search.engine.engine import Engine

SHALLOW, SLOPE, OFFSET, ERROR = range(4)
"""The columns of a prediction, in the order of what `Game.probcut` returns."""

CHECKS = 2
"""The predictions for each depth."""

LEAST = 12
"""With fewer positions, a stage has the predictions of all stages together."""


def shallow_depths(depth: int) -> tuple[int, ...]:
    """The depths whose searches predict one of this depth, shallowest first: about a third and a half of it."""
    if depth < 3:
        return ()
    first = depth // 3 + (depth // 3 + depth) % 2
    second = (depth + 1) // 2 + ((depth + 1) // 2 + depth) % 2
    return (first,) if second <= first or second >= depth - 1 else (first, second)


def values_by_depth(
    game: Game, states: Iterable[Any], depth: int, on_progress: Callable[[int], Any] | None = None
) -> Any:
    """[state, depth] the values of searches to each depth, without forward pruning, for the player to move."""
    engine = Engine(game, table=32, forced=False, singular=False, **_no_pruning(game))
    rows: list[Any] = []

    def note(progress: Progress) -> None:
        rows[-1][progress.depth] = progress.value

    for number, s in enumerate(states):
        rows.append(np.full(depth + 1, np.nan))
        engine.clear()
        engine.think(s, depth=depth, on_progress=note)
        if on_progress is not None:
            on_progress(number + 1)
    return np.array(rows)


def _no_pruning(game: Game) -> dict[str, bool]:
    return {name: False for name in game.forward_pruning if name != "beam"}


def fit_probcut(values: Any, stages: Any, count: int, deepest: int) -> Any:
    """[stage, depth, number, column] predictions for depths up to `deepest`, from values by depth and their stages.

    Depths beyond those searched have the last fitted line of their parity, with an error that grows by a twentieth per
    ply.
    """
    found = np.zeros((count, deepest + 1, CHECKS, 4))
    found[..., SLOPE] = 1.0
    searched = values.shape[1] - 1
    for stage in range(count):
        chosen = values[stages == stage]
        for depth in range(3, min(searched, deepest) + 1):
            for number, shallow in enumerate(shallow_depths(depth)):
                pairs = _pairs(chosen, shallow, depth)
                if len(pairs) < LEAST:
                    pairs = _pairs(values, shallow, depth)
                if len(pairs) >= LEAST:
                    found[stage, depth, number] = shallow, *_line(*pairs.T)
        for depth in range(searched + 1, deepest + 1):
            for number, shallow in enumerate(shallow_depths(depth)):
                known = found[stage, searched - (searched + depth) % 2, number]
                if known[SHALLOW] > 0:
                    found[stage, depth, number] = known
                    found[stage, depth, number, SHALLOW] = shallow
                    found[stage, depth, number, ERROR] *= 1 + (depth - searched) / 20
    return found


def _pairs(values: Any, shallow: int, deep: int) -> Any:
    pairs = values[:, [shallow, deep]]
    return pairs[np.isfinite(pairs).all(axis=1)]


def _line(shallow: Any, deep: Any) -> tuple[float, float, float]:
    """The slope, the offset and the standard error of a regression; a slope of at least a half."""
    spread = float(np.var(shallow))
    slope = max(float(np.cov(shallow, deep, bias=True)[0, 1]) / spread, 0.5) if spread > 0 else 1.0
    offset = float(np.mean(deep) - slope * np.mean(shallow))
    return slope, offset, float(np.sqrt(np.sum((deep - slope * shallow - offset) ** 2) / max(len(deep) - 2, 1)))
