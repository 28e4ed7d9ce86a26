"""A player that makes mistakes as people do: it underrates the opponent's replies, and misjudges similar moves.

A weak player made from a strong one by random moves gives away pieces for nothing. People rather play what looks good
at first sight. So this player compares what a search finds about a move with the first sight of it, the position right
after the move without any reply, and gives the first sight too much weight: a pawn looks free although it is defended,
and a threat looks smaller than it is. Small losses are overlooked more often than large ones.
"""

from __future__ import annotations

import math
from typing import Any

from zermelo.arena.player import Choice, Turn
from zermelo.arena.players import SearchPlayer
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.search.analysis import Analysis, Move
from zermelo.search.by_engine import EngineSearcher
from zermelo.search.engine import Engine

NOISE = 0.1
"""The scale of errors of judgement at `mistakes=1`, as a share of the utility range: two pawns, or 13 discs. It grows
with the square of `mistakes`: at 0.5 it is half a pawn."""
TRIED = 0.1
"""Of a Monte Carlo search, the moves with at least this share of the best move's visits count."""
AT_FIRST_SIGHT: dict[str, Any] = {"table": 0, "quiescence": False, "forced": False, "singular": False}
"""The engine at depth 1 judges each move by the position after it, with these options."""


class Fallible(SearchPlayer):
    """A player that searches, underrates replies, and judges all moves a little wrongly.

    mistakes   the most that the first sight of a move weighs against the search, from 0 to 1; it is drawn for each move
    """

    def __init__(self, game: Game, algorithm: Any, limits: dict[str, Any], options: dict[str, Any], mistakes: float):
        super().__init__(game, algorithm, limits, options)
        self.mistakes = mistakes
        low, high = game.utility_range
        if not math.isfinite(high - low):
            raise ValueError(f"{game.title} declares no utility range, which `mistakes` needs")
        self.amount, middle, near = game.unit().amount, (low + high) / 2, 0.01 * (high - low)
        span = (self.amount(middle + near) - self.amount(middle - near)) / 0.02  # the range in pawns, discs, …
        self.noise, self.decided = NOISE * mistakes**2 * span, span
        self.glance: Engine | None = None
        if isinstance(self.searcher, EngineSearcher):
            endgames = self.searcher.engine.endgames or False
            self.glance = Engine(game, compile=options.get("compile"), endgames=endgames, **AT_FIRST_SIGHT)

    def choose(self, turn: Turn) -> Choice:
        analysis = self.think(turn, all_moves=True)
        found = considered(analysis)
        if len(found) < 2:
            return Choice(analysis.action, _worth(analysis.value, turn.player), analysis)
        sights = self.sights(turn)
        seen = [(self.judged(move, sights, turn), move) for move in found]
        best = max(seen, key=lambda each: each[0])[1]  # the first of the list if no move came to mind
        kept = analysis if best.action == analysis.action else None
        return Choice(best.action, _worth(best.value, turn.player), kept)

    def judged(self, move: Move, sights: dict[Any, float] | None, turn: Turn) -> float:
        """What the player thinks that a move is worth, in the unit of the game.

        Errors have a Gumbel distribution, so that the choice among moves that are searched correctly is a softmax of
        their values (Luce 1959).
        """
        weight, error = self.mistakes * turn.random.uniform(), self.noise * gumbel(turn.random)
        value = _worth(move.value, turn.player)
        assert value is not None
        found = self.amount(value)
        if move.distance is not None:
            found = math.copysign(self.decided, found)
        if sights is not None:
            return found + weight * (self.amount(sights.get(move.action, value)) - found) + error
        return -math.inf if turn.random.uniform() < self.mistakes else found + error  # the move does not come to mind

    def sights(self, turn: Turn) -> dict[Any, float] | None:
        """The values of all moves at first sight; None if the algorithm is not the engine."""
        if self.glance is None:
            return None
        found = self.glance.think(turn.state, depth=1, lines=len(turn.legal()), history=turn.history)
        return {move.action: move.value for move in found.moves if isinstance(move.value, float)}


def considered(analysis: Analysis) -> list[Move]:
    """The moves of an analysis that have a value that means something."""
    found = [move for move in analysis.moves if move.value is not None]
    most = max((move.visits or 0 for move in found), default=0)
    return [move for move in found if (move.visits or 0) >= TRIED * most]


def gumbel(random: Random) -> float:
    """A random number with the standard Gumbel distribution."""
    return -math.log(-math.log(max(random.uniform(), 1e-300)))


def _worth(value: Any, player: int) -> float | None:
    found: float | None = value[player] if isinstance(value, tuple) else value
    return found
