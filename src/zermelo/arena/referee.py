"""The referee plays one game between players, by the rules and by the clock, and records it."""

from __future__ import annotations

import datetime
import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from zermelo import __version__
from zermelo.arena.player import Choice, Player, Resigned, Turn
from zermelo.arena.schedule import Job
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.hashing import mixed
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random
from zermelo.play.play import Play
from zermelo.play.record import Record
from zermelo.play.seats import seat_of, seats_of
from zermelo.search.engine import Clock

COMPILING = 600.0
"""How many seconds a player may take to get ready for a game."""
GRACE = 5.0
"""Seconds after a side's time is up before the supervisor assumes that the player hangs."""

Tell = Callable[[dict[str, Any]], Any]
"""Called before each turn with the seat to move, the moves since the last call, and the time limit of the turn."""


def _ignore(_: dict[str, Any]) -> None:
    pass


class Referee:
    """One game of a match."""

    def __init__(self, job: Job, game: Game, players: Sequence[Player], tell: Tell = _ignore):
        self.job, self.game, self.players, self.tell = job, game, players, tell
        self.progress = Play(game, seed=job.seed)
        self.told = 0
        self.times: list[float] = []
        self.values: list[float | None] = []
        self.movers: list[int] = []
        self.left = [job.conditions.seconds] * len(players)
        self.randoms = [Random(mixed((job.seed, job.number, seat, 1))) for seat in range(len(players))]
        self.seats = len(seats_of(game))
        self.began = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")

    def play(self) -> Record:
        """Play the whole game. A fault is charged to the seat that made it."""
        job, game, progress = self.job, self.game, self.progress
        for seat, player in enumerate(self.players):
            self.tell({"seat": seat, "limit": COMPILING})
            try:
                player.begin(game)
            except GameError:
                raise  # the rules are wrong, which is no player's fault
            except (Exception, SystemExit) as error:
                return self.record("crash", charged=seat, note=_described(error))
        progress.follow(job.opening)
        while True:
            mover = progress.mover
            if mover is None:
                return self.record("rules", progress.utilities())
            if progress.here.ply >= job.conditions.most_plies:
                return self.record("length", note=f"a draw after {progress.here.ply} plies")
            if mover == CHANCE:
                progress.draw()
                continue
            winner = self.agreed()
            if winner is not None:
                return self.record("adjudication", charged=1 - winner, note=f"both sides agree that {winner} wins")
            fault = self.turn(mover)
            if fault is not None:
                return fault

    def turn(self, mover: int) -> Record | None:
        """One turn of a player; returns the finished game if the player lost it by a fault."""
        game, progress, conditions = self.game, self.progress, self.job.conditions
        seat = seat_of(game, mover)
        clock = None
        limit = conditions.patience
        left = self.left[seat]
        clocks = tuple(Clock(max(each, 0.0), conditions.increment) for each in self.left if each is not None)
        if left is not None:
            clock = clocks[seat]
            limit = left + conditions.margin + GRACE
        self.tell({"seat": seat, "limit": limit, "moves": progress.names(progress.line[self.told :])})
        self.told = progress.here.ply
        turn = Turn.of(progress, self.randoms[seat], clock=clock, clocks=clocks, patience=conditions.patience)
        legal = progress.legal()
        if not legal:
            raise GameError(f"{game.title} has no legal move after {progress.here.ply} plies, and is not over")
        began = time.perf_counter()
        try:
            chosen = self.players[seat].choose(turn)
            taken = time.perf_counter() - began
            choice = chosen if isinstance(chosen, Choice) else Choice(chosen)
            is_legal = choice.action in legal
            value = None if choice.value is None else float(choice.value)
        except Resigned as reason:
            return self.record("resignation", charged=seat, note=str(reason))
        except IllegalAction as error:
            return self.record("illegal move", charged=seat, note=str(error))
        except GameError:
            raise
        except (Exception, SystemExit) as error:
            return self.record("crash", charged=seat, note=_described(error))
        if left is not None:
            if taken > left + conditions.margin:
                return self.record("time", charged=seat, note=f"{taken:.3f} s taken, {left:.3f} s left")
            self.left[seat] = max(left - taken, 0.0) + conditions.increment
        elif taken > conditions.patience and not self.players[seat].is_person:
            return self.record("hang", charged=seat, note=f"a move took {taken:.0f} s")
        if not is_legal:
            return self.record("illegal move", charged=seat, note=f"{choice.action!r} is not legal")
        self.times.append(round(taken, 6))
        self.movers.append(seat)
        self.values.append(None if value is None or not math.isfinite(value) else value)
        progress.move(choice.action)
        return None

    def agreed(self) -> int | None:
        """The side that both sides have expected to win for long enough."""
        conditions, game = self.job.conditions, self.game
        low, high = game.utility_range
        count = 2 * conditions.moves
        if not conditions.agreed or self.seats != 2 or len(self.values) < count or high - low == math.inf:
            return None
        middle, reach = (low + high) / 2, (high - low) / 2
        winners = set()
        for seat, value in zip(self.movers[-count:], self.values[-count:], strict=True):
            share = 0.0 if value is None else (value - middle) / reach
            if abs(share) < conditions.agreed:
                return None
            winners.add(seat if share > 0 else 1 - seat)
        return winners.pop() if len(winners) == 1 else None

    def record(
        self, ended: str, utilities: tuple[float, ...] | None = None, *, charged: int | None = None, note: str = ""
    ) -> Record:
        """The record of the game."""
        return record_of(
            self.job,
            self.progress.moves,
            utilities=utilities,
            ended=ended,
            charged=charged,
            note=note,
            times=tuple(self.times),
            movers=tuple(self.movers),
            values=tuple(self.values) if any(value is not None for value in self.values) else (),
            began=self.began,
        )


def record_of(job: Job, moves: Sequence[str | None], **about: Any) -> Record:
    """The record of a job's game."""
    return Record(
        game=job.game,
        parameters=job.parameters,
        players=job.players,
        moves=tuple(moves),
        opening=min(len(job.opening), len(moves)),
        seed=job.seed,
        number=job.number,
        pair=job.pair,
        version=__version__,
        **about,
    )


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:500]
