"""A network that sees a state from both players' sides, in whole numbers, with sums that follow the search.

The inputs as the mover sees them and those as the opponent sees them go through the same first layer. The units of both
views, the mover's first, go into one output; each phase of the game has its own weights there. A unit's answer is its
sum, clipped to 0…1 and squared. Such networks became known in shogi and chess as NNUE (Nasu 2018).
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any, Self

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import Game
from zermelo.kernel.parts import Part
from zermelo.networks import files
from zermelo.networks.changes import Changes
from zermelo.networks.files import NetworkError
from zermelo.networks.integers import FINE, ONE, WHOLE, add_whole_rows, copy_bias, squared_dot
from zermelo.networks.layers import LANES
from zermelo.networks.network import SPARE, require_features
from zermelo.networks.outcomes import ExpectedUtility

VIEWS = 2
MOST_16, MOST_32 = (1 << 15) - 1, (1 << 31) - 1


class TwoViews(Part):
    """The weights, which are tables, and the sums of one thread.

    first, first_bias      inputs × units, units: 16 bits, multiples of 1 / ONE
    last, last_bias        phases × (2 · units), phases: multiples of 1 / FINE and of 1 / WHOLE
    unit                   [0] the utility of an output of 1
    added                  is the output added to the game's own `weighted_features`? Otherwise it is the whole value
    sums, changes          of both players: the first layer's sums of the last state, and its inputs; empty in a network
                           that threads share, which computes all sums for every state
    record                 how the network was trained, as plain data
    """

    settled = True
    evaluates_games = True
    keeps_sums = True
    kind = "two views"
    tables = files.TABLES["two views"]
    outputs = 1
    first: Any
    first_bias: Any
    last: Any
    last_bias: Any

    def __init__(self, inputs: int, units: int = 128, phases: int = 1, *, unit: float = 1.0, added: bool = False):
        require_units(units)
        self.inputs, self.units, self.added = inputs, units, added
        self.room = 2 * inputs + SPARE
        self.first, self.first_bias = np.zeros((inputs, units), np.int16), np.zeros(units, np.int16)
        self.last, self.last_bias = np.zeros((phases, 2 * units), np.int16), np.zeros(phases, np.int32)
        self.unit = np.array([unit])
        self.outcomes = ExpectedUtility()
        self.record: dict[str, Any] = {}
        self._set_sums(0)

    def _set_sums(self, views: int) -> None:
        self.sums = np.zeros((views, self.units), np.int16)
        self.changes = Changes(views, self.inputs, self.room if views else 0)
        for view in range(views):
            copy_bias(self.first_bias, self.units, view, self.sums)

    @classmethod
    def rounded(
        cls, first: Any, first_bias: Any, last: Any, last_bias: Any, *, unit: float = 1.0, added: bool = False
    ) -> Self:
        """The network with the nearest whole numbers to these weights; a ValueError if some do not fit.

        last is phases × (2 · units), the mover's units first. An output of 1 is worth `unit`.
        """
        first, last = np.asarray(first), np.asarray(last)
        made = cls(len(first), first.shape[1], len(last), unit=unit, added=added)
        sizes = {"first": ONE, "first_bias": ONE, "last": FINE, "last_bias": WHOLE}
        for name, weights in zip(sizes, (first, first_bias, last, last_bias), strict=True):
            table = np.rint(np.asarray(weights, np.float64) * sizes[name])
            most = np.iinfo(getattr(made, name).dtype).max
            if not np.isfinite(table).all() or abs(table).max(initial=0) > most:
                raise ValueError(f"the weights {name!r} must be numbers up to {most / sizes[name]:.4g}")
            setattr(made, name, table.astype(getattr(made, name).dtype))
        require_range(made.last, made.last_bias)
        return made

    @property
    def hidden(self) -> tuple[int, ...]:
        """The number of units of each view, as other networks say it."""
        return (self.units,)

    @property
    def phases(self) -> int:
        """For how many phases of the game there are weights into the output."""
        return len(self.last)

    @property
    def reach(self) -> int:
        """How much the amounts of a state's inputs may add up to, so that no sum needs more than 16 bits."""
        most = int(abs(np.asarray(self.first, np.int64)).max(initial=1))
        return (MOST_16 - int(abs(np.asarray(self.first_bias, np.int64)).max(initial=0))) // max(most, 1)

    def for_thread(self) -> Self:
        """The same weights with sums of their own, which follow the states that one thread evaluates."""
        own = copy.copy(self)
        own._set_sums(VIEWS)
        return own

    def save(self, path: str | Path, game: Game, **record: Any) -> None:
        """Write the network to one file, with how it was trained: names and plain data, added to `record`."""
        self.record |= record
        files.write(path, game, self)

    @classmethod
    def load(cls, path: str | Path, game: Game) -> Self:
        """Read a network that was saved for this game; a NetworkError says what is wrong with a file."""
        require_two_players(game)
        about, tables = files.read(path)
        files.require(path, about, game)
        if about["kind"] != cls.kind:
            raise NetworkError(f"{path} is another kind of network: {about['kind']!r}, not {cls.kind!r}")
        try:
            (units,) = about["hidden"]
            made = cls(about["inputs"], units, about["phases"], added=about["added"])
            for name in cls.tables:
                wanted: Any = getattr(made, name)
                if tables[name].dtype != wanted.dtype or tables[name].shape != wanted.shape:
                    raise ValueError(f"the weights {name!r} should be {wanted.dtype} of the shape {wanted.shape}")
                setattr(made, name, tables[name])
            require_range(made.last, made.last_bias)
        except (TypeError, ValueError) as error:
            raise NetworkError(f"{path} is damaged: {error}") from None
        made.last = files.repeated(made.last, len(game.phase_names()))
        made.last_bias = files.repeated(made.last_bias, len(game.phase_names()))
        made.record = about["record"]
        return made

    # What compiled code calls.

    def value(self, game: Any, s: Any, p: int) -> float:
        """The utility to player p that the network predicts."""
        viewer = game.viewer(s)
        total = self.advantage(game, s, viewer)
        if self.added:
            total += game.weighted_features(s, viewer)
        value = game.worth(s, viewer, total)
        if viewer == p:
            return float(value)
        low, high = game.utility_range
        return float(low + high - value)

    def predict(self, game: Any, s: Any, p: int, out: Any) -> None:
        """Write the output, the expected utility as a share of the range, as player p sees it."""
        low, high = game.utility_range
        out[0] = (self.value(game, s, p) - low) / (high - low)

    def advantage(self, game: Any, s: Any, viewer: int) -> float:
        """What the network says of a state, as the viewer sees it, in utility: 0 is even."""
        phase = game.phase(s)
        if len(self.sums) > 0:
            self.update(game, s, 0)
            self.update(game, s, 1)
            return self.respond(self.sums, phase, viewer)
        sums = np.empty((VIEWS, self.units), np.int16)
        numbers, amounts = np.empty(self.room, np.int64), np.empty(self.room, np.float32)
        for p in range(VIEWS):
            count = game.list_inputs(s, p, numbers, amounts)
            self.add_up(numbers, amounts, count, p, sums)
        return self.respond(sums, phase, viewer)

    def update(self, game: Any, s: Any, p: int) -> None:
        """Add to the sums of a player's view what differs from the last state."""
        changes = self.changes
        count = changes.find(game, s, p, p)
        add_whole_rows(self.first, changes.changed, changes.changes, count, self.units, p, self.sums)

    def add_up(self, numbers: Any, amounts: Any, count: int, view: int, sums: Any) -> None:
        """The first layer's sums for all inputs of a view."""
        copy_bias(self.first_bias, self.units, view, sums)
        add_whole_rows(self.first, numbers, amounts, count, self.units, view, sums)

    def respond(self, sums: Any, phase: int, viewer: int) -> float:
        """The output for these sums, in utility."""
        total = squared_dot(sums, viewer, 1 - viewer, self.last, phase, self.units) + self.last_bias[phase]
        return float(total * self.unit[0] / WHOLE)


def require_units(units: int) -> None:
    """Raise a ValueError unless a layer can have so many units."""
    if units < 1 or units % LANES:
        raise ValueError(f"the number of units must be a multiple of {LANES}, not {units}")


def require_range(last: Any, last_bias: Any) -> None:
    """Raise a ValueError unless the output's sum always fits into 32 bits."""
    most = ONE * ONE * abs(np.asarray(last, np.int64)).sum(1) + abs(np.asarray(last_bias, np.int64))
    if (most > MOST_32).any():
        raise ValueError("the weights into the output are so large that their sum may need more than 32 bits")


def require_two_players(game: Game) -> None:
    """Raise an Unsuitable error unless a network with two views can evaluate this game."""
    require_features(game)
    if game.players != VIEWS:
        raise Unsuitable(f"a network with two views evaluates games for two players; {game.title} has {game.players}")
    if game.predicts is not None:
        raise Unsuitable(f"a network with two views has one output; {game.title} defines others (`predicts`)")
