"""`Subgame`: the equilibrium of a hold'em spot on the turn or the river, step by step, with its exploitability."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.equilibria.methods import method_named
from zermelo.equilibria.passes import factor
from zermelo.equilibria.subgame.betting import MOST_RAISES, RIVER, TURN, Betting
from zermelo.equilibria.subgame.boards import Boards
from zermelo.equilibria.subgame.spot import Desk, Memory, Spot, sorted_nodes
from zermelo.equilibria.subgame.walking import BEGIN, DEALT, FINISH, FOLLOW, LEARN, NO_GAME, RESPOND
from zermelo.game.errors import GameError, TooDeep
from zermelo.games.poker.cards import cards_named
from zermelo.games.poker.equity import pairs_of
from zermelo.games.poker.ranges import range_of, without
from zermelo.kernel.stopping import StopToken

METHOD = "dcfr"
UNTIL = 0.3
"""The default exploitability, in per cent of the pot."""
FIRST_LOOK, GROWTH = 10, 1.1
"""The exploitability is computed after so many iterations, and again after each of these factors."""
MOST_BYTES = 4 << 30


@dataclass(frozen=True)
class Look:
    """The average strategy after some iterations.

    exploitability   the mean of what the players' best responses would gain, in per cent of the pot
    """

    iterations: int
    seconds: float
    exploitability: float


class Subgame:
    """A spot on the turn or the river.

    first, second   the ranges of the player who acts first and of the other one
    pot, stack      chips in the middle, and chips that each player has left: the smaller stack
    bets            sizes of bets and raises as shares of the pot, and of those on the river, if they differ
    exchange        solve rivers once that differ only by an exchange of suits
    """

    def __init__(
        self,
        board: str,
        first: str,
        second: str,
        *,
        pot: float,
        stack: float,
        bets: Sequence[float] = (0.5, 1.0),
        river_bets: Sequence[float] = (),
        raises: int = MOST_RAISES,
        method: str = METHOD,
        exchange: bool = True,
        threads: int | None = None,
        most_bytes: int = MOST_BYTES,
        kind: Any = np.float32,
        compile: bool = True,
        stop: StopToken | None = None,
    ):
        self.given: dict[str, Any] = {
            "board": board, "first": first, "second": second, "pot": float(pot), "stack": float(stack),
            "bets": list(bets), "river_bets": list(river_bets), "raises": raises, "method": method,
            "exchange": exchange,
        }  # fmt: skip
        self.board = cards_named(board)
        if len(self.board) not in (TURN, RIVER):
            raise GameError(f"the board needs four cards (turn) or five (river); {board!r} has {len(self.board)}")
        self.betting = Betting(float(pot), float(stack), tuple(bets), tuple(river_bets), raises)
        self.method, self.name = method_named(method), method
        ranges = np.array([_possible(text, board, self.board) for text in (first, second)])
        self.pairs = pairs_of(*ranges)
        if self.pairs <= 0.0:
            raise GameError(f"the ranges {first!r} and {second!r} cannot meet: they need the same cards")
        self.compiled, self.stop = compile, stop or StopToken()
        self.boards = Boards(self.board, ranges, exchange, compile)
        before, after = sorted_nodes(self.betting.tree(len(self.board)))
        self.nodes = [*before, *[node for part in after for node in part]]
        self.spot = Spot(before, after, self.boards, ranges, self.betting.pot, kind)
        self.bytes = 2 * self.spot.numbers * np.dtype(kind).itemsize
        if self.bytes > most_bytes:
            raise TooDeep(
                f"this spot needs {self.bytes / 1e9:.1f} GB, and {most_bytes / 1e9:.1f} GB are allowed: give fewer bet "
                "sizes or raises, or narrower ranges"
            )
        self.memory, self.desk = Memory(self.spot), Desk(self.spot)
        wanted = (os.cpu_count() or 1) if threads is None else threads
        self.desks = [Desk(self.spot) for _ in range(max(1, min(wanted, len(self.boards.rivers))))]
        self.pool = ThreadPoolExecutor(len(self.desks)) if len(self.desks) > 1 else None
        self.iterations, self.seconds = 0, 0.0
        self.walked: tuple[int, int, int] | None = None  # what is on the desk: player, how, iterations
        self.looks: list[Look] = []

    @property
    def board_is_full(self) -> bool:
        """Is this the river?"""
        return len(self.board) == RIVER

    def walk(self, player: int, how: int) -> Any:
        """What each hand of a player is worth, times how likely the other's hands are that it can meet."""
        spot, memory = self.spot, self.memory
        if (player, how, self.iterations) == self.walked:
            return self.desk.value[0, : len(self.boards.hands)]
        self.walked = None if how == LEARN else (player, how, self.iterations)
        self.run(BEGIN, spot, self.desk, memory, how)
        ends = np.linspace(0, len(self.boards.rivers), len(self.desks) + 1).astype(int).tolist()
        jobs = [
            (DEALT, spot, self.desk, desk, memory, player, how, ends[i], ends[i + 1], 1, len(spot.begin))
            for i, desk in enumerate(self.desks)
        ]
        if self.pool is None:
            self.run(*jobs[0])
        else:
            list(self.pool.map(lambda job: self.run(*job), jobs))
        totals = self.desks[0].totals
        for desk in self.desks[1:]:
            totals += desk.totals
        self.run(FINISH, spot, self.desk, memory, totals, player, how)
        return self.desk.value[0, : len(self.boards.hands)]

    def run(self, routine: Any, *arguments: Any) -> None:
        """Run a routine, compiled or not."""
        if self.compiled:
            routine.compiled(NO_GAME, *arguments)(NO_GAME.initial())
        else:
            routine.run_plain(NO_GAME, NO_GAME.initial(), *arguments)

    def iterate(self, iterations: int = 1) -> None:
        """Iterations of regret minimisation: each player in turn learns against the other's current strategy."""
        started = time.perf_counter()
        method = self.method
        for _ in range(iterations):
            t = self.iterations + 1
            self.memory.factors[:] = factor(t, method.alpha), factor(t, method.beta), float(t) ** method.gamma
            for player in range(2):
                self.walk(player, LEARN)
            self.iterations = t
        self.seconds += time.perf_counter() - started

    def look(self) -> Look:
        """How exploitable the average strategy is."""
        gained = sum(float(self._weighted(p, self.walk(p, RESPOND))) for p in range(2))
        found = Look(self.iterations, self.seconds, 100 * gained / 2 / self.betting.pot)
        self.looks.append(found)
        return found

    def value(self, player: int) -> float:
        """What the subgame is worth to a player who follows the average strategy, as chips of the pot."""
        return self.betting.pot / 2 + self._weighted(player, self.walk(player, FOLLOW))

    def _weighted(self, player: int, values: Any) -> float:
        weights = np.asarray(self.spot.ranges[player, : len(values)], np.float64)
        return float(weights @ np.asarray(values, np.float64)) / self.pairs

    def solve(
        self,
        *,
        until: float | None = None,
        iterations: int | None = None,
        seconds: float | None = None,
        on_progress: Callable[[Look], Any] | None = None,
    ) -> Look:
        """Iterate until the exploitability is at most `until` per cent of the pot, or for so many iterations or
        seconds."""
        if until is None and iterations is None and seconds is None:
            until = UNTIL
        deadline = time.perf_counter() + (seconds if seconds is not None else 1e18)
        goal = self.iterations + iterations if iterations is not None else 1 << 62
        next_look = FIRST_LOOK
        while self.iterations < goal and time.perf_counter() < deadline and not self.stop.is_set:
            self.iterate()
            if self.iterations >= next_look:
                next_look = int(self.iterations * GROWTH) + 1
                look = self.look()
                if on_progress is not None:
                    on_progress(look)
                if until is not None and look.exploitability <= until:
                    return look
        is_fresh = self.looks and self.looks[-1].iterations == self.iterations
        return self.looks[-1] if is_fresh else self.look()


def _possible(text: str, board: str, dealt: tuple[int, ...]) -> Any:
    """A range without the hands that the board makes impossible."""
    weights = without(range_of(text), dealt)
    if not weights.any():
        raise GameError(f"no hand of the range {text!r} is possible on the board {board}")
    return weights
