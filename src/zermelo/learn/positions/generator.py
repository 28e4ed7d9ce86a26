"""One process that plays games against itself: `Generator` makes blocks of positions in memory."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from zermelo.game.errors import GameError, Unsuitable
from zermelo.game.hashing import mix
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import plain_python, run, run_plain
from zermelo.learn.positions.playing import FAULTY, GIVEN_UP, LONGEST, PLAY_GAMES, POSITIONS, SEARCHES, VISITED, Tape
from zermelo.learn.positions.records import from_tape, record_type
from zermelo.search.engine.engine import Engine
from zermelo.search.engine.task import MOST_PLIES, SALTS

TABLE = 1.0
"""MiB of the transposition table: short searches need little, and it is cleared before every game."""
BLOCK = 8_192
"""Positions that are played before they are written."""


@dataclass(frozen=True)
class PlaySettings:
    """How games are played. Positions depend on this, on the evaluation and on the worker's number only.

    nodes          about how many nodes a search visits: no depth begins after so many, and one that takes longer than
                   four times as many is given up
    seed           of the random moves
    opening        the least and the most random plies at the beginning
    balance        an opening that a search values further than this from a draw is not played
    random_moves   the chance of a random move after the opening
    decided        end a game that was this much better than a draw for the same player for six plies; None: play on
    """

    nodes: int = 500
    seed: int = 0
    opening: tuple[int, int] = (4, 10)
    balance: float | None = None
    random_moves: float = 0.01
    decided: float | None = None

    def __post_init__(self) -> None:
        least, most = self.opening
        if not (isinstance(self.nodes, int) and self.nodes >= 1):
            raise ValueError(f"nodes must be a whole number of at least 1, not {self.nodes!r}")
        if not 0 <= least <= most < LONGEST:
            raise ValueError(f"opening must be the least and the most random plies, such as (4, 10), not {least, most}")
        if not 0 <= self.random_moves <= 1:
            raise ValueError(f"random_moves must be a number from 0 to 1, not {self.random_moves!r}")
        for name in ("balance", "decided"):
            number = getattr(self, name)
            if number is not None and not number > 0:
                raise ValueError(f"{name} must be a positive number, not {number!r}")

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "opening": list(self.opening)}

    @staticmethod
    def from_json(data: dict[str, Any]) -> PlaySettings:
        return PlaySettings(**{**data, "opening": tuple(data["opening"])})


class Generator:
    """Plays games of a program against itself with the engine's own search.

    `block` returns the positions of some games. They depend on the settings and on the number given, so that an
    interrupted run continues as if nothing had happened.
    """

    def __init__(self, game: Game, settings: PlaySettings | None = None, *, compile: bool | None = None):
        self.game, self.settings = game, settings or PlaySettings()
        self.kind = record_type(game)
        low, high = game.utility_range
        finite = -math.inf < low and high < math.inf
        if self.settings.decided is not None and not finite:
            raise Unsuitable(f"{game.title} declares no utility_range, so no game can be ended as decided")
        self.balance = self.settings.balance or ((high - low) / 4 if finite else math.inf)
        self.engine = Engine(game, table=TABLE, endgames=False, compile=compile)
        if not game.offers("evaluate"):
            raise Unsuitable(f"{game.title} has no evaluation, so short searches find nothing to learn from")
        self.own = game.remembering((), LONGEST + MOST_PLIES + 2)
        self.random = Random()
        self.tape = Tape(game, 0)

    def block(self, number: int, positions: int = BLOCK, stop: StopToken | None = None) -> Any:
        """The positions of games until there are at least so many; if it is stopped, those of the games so far."""
        settings, memory = self.settings, self.engine.memories[0]
        if len(self.tape.flags) < positions + LONGEST:
            self.tape = Tape(self.game, positions + LONGEST)
        self.tape.counts[:] = 0
        self.random.state[0] = mix(mix(0, settings.seed), number)
        decided = math.inf if settings.decided is None else float(settings.decided)
        arguments = (
            memory, self.tape, self.random, SALTS, positions, settings.nodes, *settings.opening, float(self.balance),
            float(settings.random_moves), decided,
        )  # fmt: skip
        token = stop or StopToken()
        with token.watching(memory.stop):
            how = self._run(arguments, token)
        if how == FAULTY:
            self._raise_fault()
        return from_tape(self.tape, self.kind)

    def _run(self, arguments: tuple[Any, ...], token: StopToken) -> int:
        memory, start = self.engine.memories[0], self.game.initial()
        if self.engine.compiled:
            program = PLAY_GAMES.compiled(self.own, *arguments)
            return int(run(lambda: program(start), memory.stop))
        with plain_python():
            return int(run_plain(lambda: PLAY_GAMES.run_plain(self.own, start, *arguments), memory.stop, None, token))

    def _raise_fault(self) -> None:
        """A search met wrong rules: report them as the engine does."""
        raise GameError(
            f"a search of {self.game.title} failed in a game: run `zermelo check` to find the mistake in its rules"
        )

    @property
    def report(self) -> dict[str, int]:
        """Searches, nodes and games given up in the last block."""
        counts = self.tape.counts
        return {
            "positions": int(counts[POSITIONS]),
            "searches": int(counts[SEARCHES]),
            "nodes": int(counts[VISITED]),
            "given_up": int(counts[GIVEN_UP]),
        }
