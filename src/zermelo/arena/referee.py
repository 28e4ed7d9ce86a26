"""The referee: plays one game between players, by the rules and by the clock, and writes down what happened."""

from __future__ import annotations

import datetime
import math
import time
from collections.abc import Callable, Sequence
from typing import Any

from zermelo import __version__
from zermelo.arena.player import Choice, Player, Turn
from zermelo.arena.schedule import Job
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.hashing import mixed
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.record import Record, drawn, outcome_name, seat_of, seats_of
from zermelo.kernel.random import Random
from zermelo.search.engine import Clock

COMPILING = 600.0
"""How many seconds a player may take to get ready for a game."""
GRACE = 5.0
"""How long after a side's time is up whoever watches waits, before the player is taken to hang."""

Tell = Callable[[dict[str, Any]], Any]
"""Is told before each turn: the seat to move, the moves since it was last told, and how long the turn may take."""


def _nobody(_: dict[str, Any]) -> None:
    pass


class Referee:
    """One game under way."""

    def __init__(self, job: Job, game: Game, players: Sequence[Player], tell: Tell = _nobody):
        self.job, self.game, self.players, self.tell = job, game, players, tell
        self.states = [game.initial()]
        self.moves: list[str | None] = []
        self.told = 0
        self.times: list[float] = []
        self.values: list[float | None] = []
        self.movers: list[int] = []
        self.left = [job.conditions.seconds] * len(players)
        self.randoms = [Random(mixed((job.seed, job.number, seat, 1))) for seat in range(len(players))]
        self.seats = len(seats_of(game))
        self.began = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")

    def play(self) -> Record:
        """The whole game; whatever goes wrong is charged to the seat that did it."""
        job, game = self.job, self.game
        for seat, player in enumerate(self.players):
            self.tell({"seat": seat, "limit": COMPILING})
            try:
                player.begin(game)
            except GameError:
                raise  # the rules are wrong: nobody's fault
            except (Exception, SystemExit) as error:
                return self.record("crash", charged=seat, note=_described(error))
        self.states = record_of(job, job.opening).states(game)
        self.moves = list(job.opening)
        while True:
            s = self.states[-1]
            rules = game.remembering(self.states)
            if rules.is_terminal(s):
                return self.record("rules", self.utilities(rules, s))
            if len(self.moves) >= job.conditions.most_plies:
                return self.record("length", note=f"a draw after {len(self.moves)} plies")
            if game.to_move(s) == CHANCE:
                self.go(outcome_name(game, s, after := drawn(game, s, job.seed, len(self.moves))), after)
                continue
            winner = self.agreed()
            if winner is not None:
                return self.record("adjudication", charged=1 - winner, note=f"both sides agree that {winner} wins")
            fault = self.turn(rules, s)
            if fault is not None:
                return fault

    def turn(self, rules: Game, s: Any) -> Record | None:
        """One turn of a player; the finished game where it was lost by it."""
        game, conditions = self.game, self.job.conditions
        mover = game.to_move(s)
        seat = seat_of(game, mover)
        clock = None
        limit = conditions.patience
        left = self.left[seat]
        clocks = tuple(Clock(max(each, 0.0), conditions.increment) for each in self.left if each is not None)
        if left is not None:
            clock = clocks[seat]
            limit = left + conditions.margin + GRACE
        self.tell({"seat": seat, "limit": limit, "moves": self.moves[self.told :]})
        self.told = len(self.moves)
        shown: tuple[Any, ...] = tuple(self.states)
        if game.hidden:
            shown = (game.resample(s, mover, self.randoms[seat]),)
        moves = () if game.hidden else tuple(self.moves)
        turn = Turn(game, shown, moves, mover, self.randoms[seat], clock, clocks, conditions.patience)
        legal = rules.legal(s)
        if not legal:
            raise GameError(f"{game.name} has no legal move after {len(self.moves)} plies, and is not over")
        began = time.perf_counter()
        try:
            chosen = self.players[seat].choose(turn)
            taken = time.perf_counter() - began
            choice = chosen if isinstance(chosen, Choice) else Choice(chosen)
            place = legal.index(choice.action) if choice.action in legal else None
            value = None if choice.value is None else float(choice.value)
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
        if place is None:
            return self.record("illegal move", charged=seat, note=f"{choice.action!r} is not legal")
        self.times.append(round(taken, 6))
        self.movers.append(seat)
        self.values.append(None if value is None or not math.isfinite(value) else value)
        action = legal[place]  # what the rules know: 2, where a player has chosen 2.0 or NumPy's 2
        self.go(game.action_name(s, action), game.result(s, action))
        return None

    def utilities(self, rules: Game, s: Any) -> tuple[float, ...]:
        """What the end is worth to each player."""
        found = tuple(float(rules.utility(s, p)) for p in range(self.game.players))
        if not all(map(math.isfinite, found)):
            raise GameError(f"the utilities of {self.game.name} are finite numbers, not {found}")
        return found

    def go(self, name: str | None, after: Any) -> None:
        self.moves.append(name)
        self.states.append(after)

    def agreed(self) -> int | None:
        """The side that both sides have for long taken to win."""
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
        """What happened, to be kept."""
        return record_of(
            self.job,
            self.moves,
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
