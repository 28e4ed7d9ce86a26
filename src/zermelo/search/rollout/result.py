"""What a rollout has found: the average of its trials with its standard error, for a position or for several moves."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.game.protocol import Game

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Rolled:
    """One move (or the position itself: action None) and its trials, as `player` sees them.

    values    the result of each trial; outputs the network's outputs, one row for each trial
    """

    action: Any
    name: str
    values: Array = field(repr=False)
    outputs: Array = field(repr=False)

    @property
    def trials(self) -> int:
        return len(self.values)

    @property
    def equity(self) -> float:
        """The average result."""
        return float(self.values.mean()) if self.trials else math.nan

    @property
    def error(self) -> float:
        """The standard error of the average, as for independent trials: stratified rolls make it a little smaller."""
        return standard_error(self.values)

    @property
    def chances(self) -> tuple[float, ...]:
        """The averages of the network's outputs."""
        return tuple(float(mean) for mean in self.outputs.mean(axis=0)) if self.trials else ()

    @property
    def chance_errors(self) -> tuple[float, ...]:
        """The standard errors of these averages."""
        return tuple(standard_error(column) for column in self.outputs.T)


@dataclass(frozen=True)
class Rollout:
    """The moves, the best first; or one entry for the position itself.

    player     whose utility the values are
    settings   how it was made: trials, truncate, plies, seed and so on
    settled    True if it ended early because the best move is clear
    """

    game: Game = field(repr=False)
    state: Any = field(repr=False)
    player: int
    moves: tuple[Rolled, ...]
    settings: dict[str, Any]
    output_names: tuple[str, ...]
    seconds: float
    settled: bool = False
    stopped: bool = False

    @property
    def best(self) -> Rolled:
        return self.moves[0]

    def difference(self, i: int) -> tuple[float, float]:
        """How much worse move i is than the best, and the standard error of that: both had the same dice."""
        return difference(self.moves[i], self.best)

    def __str__(self) -> str:
        game, best = self.game, self.best
        width = max(len(self._name(each)) for each in self.moves)
        lines = [f"{game.title}, {game.player_name(self.player)}: {self._about()}"]
        for i, each in enumerate(self.moves):
            text = f"  {self._name(each):<{width}}  {each.equity:+.4f} ± {1.96 * each.error:.4f}"
            if i > 0:
                worse, error = self.difference(i)
                text += f"   {worse:+.4f} ± {1.96 * error:.4f}"
            if each.trials != best.trials:
                text += f"   {each.trials:,} trials"
            lines.append(text)
            if self.output_names:
                shown = zip(self.output_names, each.chances, each.chance_errors, strict=True)
                chances = ", ".join(f"{name} {share:.1%} ± {1.96 * error:.1%}" for name, share, error in shown)
                lines.append(f"  {'':<{width}}  {chances}")
        return "\n".join(lines)

    def _about(self) -> str:
        truncate, plies = self.settings["truncate"], self.settings["plies"]
        length = f"truncated after {truncate} moves" if truncate else "played to the end"
        luck = "luck subtracted" if self.settings["reduce"] else "luck not subtracted"
        ended = "; the best move is clear" if self.settled else "; stopped" if self.stopped else ""
        return f"{self.best.trials:,} trials at {plies} plies, {length}, {luck}; 95 % intervals{ended}"

    def _name(self, each: Rolled) -> str:
        return each.name or "position"

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {
            "game": self.game.name,
            "position": self.game.to_text(self.state),
            "player": self.game.player_name(self.player),
            "settings": self.settings,
            "seconds": self.seconds,
            "settled": self.settled,
            "stopped": self.stopped,
            "moves": [self._move_to_json(i, each) for i, each in enumerate(self.moves)],
        }

    def _move_to_json(self, i: int, each: Rolled) -> dict[str, Any]:
        worse, error = self.difference(i)
        outputs = {
            name: {"mean": mean, "error": deviation}
            for name, mean, deviation in zip(self.output_names, each.chances, each.chance_errors, strict=True)
        }
        return {
            "action": each.name or None,
            "trials": each.trials,
            "value": each.equity,
            "error": each.error,
            "difference": worse,
            "difference_error": error,
            "outputs": outputs,
        }


def standard_error(values: Array) -> float:
    """The standard error of an average of independent values; infinite for fewer than two."""
    return float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.inf


def difference(one: Rolled, other: Rolled) -> tuple[float, float]:
    """The average difference of two moves over the trials that both have, and its standard error."""
    if one is other:
        return 0.0, 0.0
    both = min(one.trials, other.trials)
    pairs = one.values[:both] - other.values[:both]
    return (float(pairs.mean()) if both else math.nan), standard_error(pairs)
