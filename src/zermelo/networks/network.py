"""A small network over a game's features, compiled into whatever evaluates the game.

The first layer adds up the weights of the features that a state has. There may be one hidden layer, two, or none: then
the network is a weighted sum. An output is the logistic function of a weighted sum: a probability. For each phase of
the game there is a set of weights.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.kernel.parts import Part
from zermelo.networks import files
from zermelo.networks.files import NetworkError
from zermelo.networks.layers import LANES, add_rows, copy_row, dots, squash
from zermelo.networks.outcomes import ExpectedUtility

MOST_HIDDEN_LAYERS = 2
SPARE = 64
"""A state has at most twice as many features as there are names, and so many more: names may occur more than once."""


class Network(Part):
    """The weights of all layers. They are tables: other weights need no compiling, another number of units does.

    first, first_bias      phases × inputs × units, phases × units: into the first hidden layer (or into the outputs)
    second, second_bias    phases × units × units, phases × units: into the second hidden layer
    last, last_bias        phases × outputs × units, phases × outputs: into the outputs
    outcomes               what the outputs mean
    record                 how the network was trained, as plain data
    """

    settled = True
    evaluates_games = True
    kind = "layers"
    added = False
    tables = files.TABLES["layers"]
    first: Any
    first_bias: Any
    second: Any
    second_bias: Any
    last: Any
    last_bias: Any

    def __init__(
        self, inputs: int, hidden: Sequence[int] = (128,), outcomes: Any = None, phases: int = 1, seed: int = 0
    ):
        self.outcomes = ExpectedUtility() if outcomes is None else outcomes
        self.inputs, self.hidden, self.outputs = inputs, tuple(hidden), self.outcomes.count
        self.room = 2 * inputs + SPARE
        self.units = first_width(hidden, self.outputs)
        self.deep_units = hidden[1] if len(hidden) > 1 else 0
        for name, shape in shapes(inputs, hidden, self.outputs, phases).items():
            setattr(self, name, np.zeros(shape, np.float32))
        self.record: dict[str, Any] = {}
        self._randomize(np.random.default_rng(seed))

    def _randomize(self, random: Any) -> None:
        """Small random weights. A weighted sum starts at 0: it has no units that have to become different."""
        if self.hidden:
            for table in (self.first, self.second, self.last):
                table[:] = random.uniform(-0.1, 0.1, table.shape)

    @classmethod
    def for_game(cls, game: Game, hidden: Sequence[int] = (128,), seed: int = 0) -> Self:
        """A network for the features, the phases and the outputs of this game, with random weights."""
        require_features(game)
        return cls(len(game.input_names()), hidden, game.predicts, len(game.phase_names()), seed)

    @property
    def phases(self) -> int:
        """For how many phases of the game there are weights."""
        return len(self.first)

    def arrays(self) -> list[Any]:
        """All weights, as arrays in a fixed order. Changes of their elements change the network."""
        return [getattr(self, name) for name in self.tables]

    def copy(self) -> Self:
        """A network with weights of its own."""
        own = copy.copy(self)
        own.record = copy.deepcopy(self.record)
        for name in self.tables:
            setattr(own, name, getattr(self, name).copy())
        return own

    def save(self, path: str | Path, game: Game, **record: Any) -> None:
        """Write the network to one file, with how it was trained: names and plain data, added to `record`."""
        self.record |= record
        files.write(path, game, self)

    @classmethod
    def load(cls, path: str | Path, game: Game) -> Self:
        """Read a network that was saved for this game; a NetworkError says what is wrong with a file."""
        require_features(game)
        about, tables = files.read(path)
        files.require(path, about, game)
        if about["kind"] != cls.kind:
            raise NetworkError(f"{path} is another kind of network: {about['kind']!r}, not {cls.kind!r}")
        files.require_shapes(path, tables, about, shapes)
        network = cls(about["inputs"], about["hidden"], game.predicts, len(game.phase_names()))
        for name in cls.tables:
            setattr(network, name, files.repeated(tables[name], network.phases))
        network.record = about["record"]
        return network

    # What compiled code calls.

    def value(self, game: Any, s: Any, p: int) -> float:
        """The utility to player p that the network predicts."""
        out = np.empty(self.outputs, np.float64)
        self.look(game, s, out)
        value = self.outcomes.value(game, s, out)
        if game.side(game.viewer(s)) == game.side(p):
            return float(value)
        low, high = game.utility_range
        return float(low + high - value)

    def predict(self, game: Any, s: Any, p: int, out: Any) -> None:
        """Write all outputs, as player p sees them, into an array."""
        self.look(game, s, out)
        if game.side(game.viewer(s)) != game.side(p):
            self.turn(out)

    def turn(self, out: Any) -> None:
        """Change outputs to what the opponent sees."""
        seen = np.empty(self.outputs, np.float64)
        for k in range(self.outputs):
            seen[k] = out[k]
        for k in range(self.outputs):
            out[k] = self.outcomes.turned(seen, k)

    def look(self, game: Any, s: Any, out: Any) -> None:
        """Write all outputs, as `game.viewer` sees them, into an array."""
        if game.known(s, out) > 0:
            return
        phase = game.phase(s)
        sums, hidden = np.empty(self.units, np.float32), np.empty(self.units, np.float32)
        deep_sums, deep = np.empty(self.deep_units, np.float32), np.empty(self.deep_units, np.float32)
        numbers, amounts = np.empty(self.room, np.int64), np.empty(self.room, np.float32)
        count = game.list_inputs(s, game.viewer(s), numbers, amounts)
        self.add_up(phase, numbers, amounts, 0, count, sums)
        self.respond(phase, sums, hidden, deep_sums, deep, out)

    def add_up(self, phase: int, numbers: Any, amounts: Any, begin: int, end: int, sums: Any) -> None:
        """The first layer's sums for the features from `begin` to `end` of a list."""
        copy_row(self.first_bias, phase, self.units, sums)
        add_rows(self.first, phase, numbers, amounts, begin, end, self.units, sums)

    def respond(self, phase: int, sums: Any, hidden: Any, deep_sums: Any, deep: Any, out: Any) -> None:
        """The units of the hidden layers and the outputs, for these sums of the first layer."""
        if len(self.hidden) == 0:
            for k in range(self.outputs):
                out[k] = logistic(sums[k])
            return
        squash(sums, self.units, hidden)
        if self.deep_units > 0:
            dots(self.second, self.second_bias, phase, hidden, self.units, self.deep_units, deep_sums)
            squash(deep_sums, self.deep_units, deep)
            dots(self.last, self.last_bias, phase, deep, self.deep_units, self.outputs, out)
        else:
            dots(self.last, self.last_bias, phase, hidden, self.units, self.outputs, out)
        for k in range(self.outputs):
            out[k] = logistic(out[k])


def logistic(x: Any) -> float:
    """The probability with these log-odds."""
    return 1.0 / (1.0 + math.exp(-float(x)))


def shapes(inputs: int, hidden: Sequence[int], outputs: int, phases: int) -> dict[str, tuple[int, ...]]:
    """The shapes of all tables of weights; a ValueError if there is no such network."""
    if inputs < 1 or phases < 1:
        raise ValueError(f"a network has at least one input and one phase, not {inputs} and {phases}")
    if len(hidden) > MOST_HIDDEN_LAYERS:
        raise ValueError(f"a network has at most {MOST_HIDDEN_LAYERS} hidden layers, not {len(hidden)}")
    for units in hidden:
        if units < 1 or units % LANES:
            raise ValueError(f"the number of units of a hidden layer must be a multiple of {LANES}, not {units}")
    first = first_width(hidden, outputs)
    second, last = (hidden[1] if len(hidden) > 1 else 0), (hidden[-1] if hidden else 0)
    outputs = outputs if hidden else 0
    sizes = (phases, inputs, first), (phases, first), (phases, second, first), (phases, second), (phases, outputs, last)
    return dict(zip(Network.tables, (*sizes, (phases, outputs)), strict=True))


def first_width(hidden: Sequence[int], outputs: int) -> int:
    """The number of sums of the first layer; without hidden layers those of the outputs, in whole registers."""
    return hidden[0] if hidden else -(-outputs // LANES) * LANES


def require_features(game: Game) -> None:
    """Raise an Unsuitable error unless a network can evaluate this game."""
    if not game.input_names():
        raise Unsuitable(
            f"{game.title} has no features, so a network has nothing to learn from. Add two methods to the class: "
            "`feature_names(self)` returns a tuple of names, and `features(self, s, p)` yields (number, amount) pairs "
            "as player p sees the state s. See docs/networks.md for an example"
        )
    traits = game.traits
    if traits.sides != 2 or not traits.zero_sum:
        raise Unsuitable(f"a network evaluates zero-sum games of two sides; {game.title} is a game of {traits}")
    if game.predicts is None and not math.isfinite(sum(map(abs, traits.utility_range))):
        raise Unsuitable(
            f"{game.title} declares no utility_range: a network predicts results as a share of it, so write for "
            "example `utility_range = (-1.0, 1.0)`"
        )
