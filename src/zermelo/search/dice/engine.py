"""`DiceEngine`: what positions and moves are worth at a number of plies, for games with dice and for all others."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from zermelo.game.errors import GameError, IllegalAction, StateError, Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import game_of
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import Running, Stopped, plain_python, run_plain
from zermelo.search.bookkeeping import NODE_LIMIT, NODES
from zermelo.search.checks import UNLIMITED, listed, should_compile, time_limit
from zermelo.search.dice.filters import ALL, Filter, filters_of
from zermelo.search.dice.judges import EvaluationJudge, NetworkJudge
from zermelo.search.dice.memory import (
    CANDIDATES,
    EVALUATIONS,
    FINISHED,
    KEEP,
    PLIES,
    PRUNING,
    RECALLED,
    RECALLS,
    DiceMemory,
)
from zermelo.search.dice.node import JUDGE_ROOT
from zermelo.search.faults import located

MOST_PLIES = 20
PRUNINGS = {"none": 0, "star1": 1, "star2": 2}


@dataclass(frozen=True)
class Judgement:
    """What a position is worth.

    equity    the expected utility to `player`: points, in backgammon
    outputs   all outputs of the network, as `player` sees them; empty if the game has no network
    plies     how many plies were searched
    """

    player: int
    equity: float
    outputs: tuple[float, ...]
    plies: int
    nodes: int
    evaluations: int
    seconds: float


@dataclass(frozen=True)
class RankedMove:
    """A move and what it is worth to the player who makes it.

    plies   at how many plies it was judged: a move that a filter stops is judged at fewer
    exact   False if pruning has left only an upper bound
    """

    game: Game = field(repr=False)
    state: Any = field(repr=False)
    action: Any
    equity: float
    outputs: tuple[float, ...]
    plies: int
    exact: bool = True

    @property
    def name(self) -> str:
        """The move as people write it."""
        return self.game.action_name(self.state, self.action)

    def __str__(self) -> str:
        return f"{self.name}  {'' if self.exact else '≤ '}{self.equity:+.4f}  {self.plies}-ply"


class DiceEngine:
    """Judges positions and ranks moves. It keeps its table; call `clear` after the evaluation has changed.

    filters   which root moves are judged more deeply: a name in `FILTERS`, or pairs (keep, margin) for each ply
    inner     how many replies are searched within the tree, the best ones statically: 1 follows only the best reply,
              as GNU Backgammon does; 0 searches all of them, and the result is that of expectiminimax
    margin    how much worse than the best, statically, such a reply may be
    pruning   "none", "star1" or "star2" (Ballard 1983): does not change the best move or its value
    table     MiB for positions that were searched before; 0 for none
    threads   how many root moves are judged at the same time
    """

    def __init__(
        self,
        game: Game | str,
        *,
        filters: Any = "normal",
        inner: int = 1,
        margin: float = math.inf,
        pruning: str = "none",
        table: float = 16,
        threads: int = 1,
        compile: bool | None = None,
    ):
        self.game = game_of(game)
        _require_suitable(self.game)
        self.filters: tuple[Filter, ...] = filters_of(self.game, filters)
        self.inner, self.margin = _whole("inner", inner, 0, 1 << 20), _margin(margin)
        if pruning not in PRUNINGS:
            raise ValueError(f"pruning must be one of {', '.join(PRUNINGS)}, not {pruning!r}")
        self.pruning = pruning
        if pruning != "none" and not all(map(math.isfinite, self.game.utility_range)):
            raise Unsuitable(f"{pruning} needs known bounds on the utility, and {self.game.title} declares none")
        if not 0 <= table <= 1 << 14:
            raise ValueError(f"table must be between 0 and {1 << 14:,} MiB, not {table!r}")
        self.table = table
        self.compiled = should_compile(self.game, self.game.initial(), compile)
        self.threads = _whole("threads", threads, 1, 256) if self.compiled else 1
        self.nodes = self.evaluations = self.recalled = 0
        self.compile_seconds = 0.0
        self.team = [_Judge(self, self.game if i == 0 else copy.deepcopy(self.game)) for i in range(self.threads)]

    @property
    def output_names(self) -> tuple[str, ...]:
        """What the outputs mean; empty if the game has no network."""
        network = getattr(self.game, "network", None)
        return () if network is None else tuple(network.outcomes.names)

    def evaluate(
        self,
        state: Any,
        plies: int = 0,
        *,
        player: int | None = None,
        nodes: int | None = None,
        stop: StopToken | None = None,
        seconds: float | None = None,
    ) -> Judgement | None:
        """What a state is worth at this many plies, to a player (by default the one who moves or rolls next).

        Returns None if it was stopped, or if time or nodes were used up.
        """
        game, state = self.game, self.game.checked(state)
        player = game.viewer(state) if player is None else player
        if not 0 <= player < game.players:
            raise ValueError(f"player must be between 0 and {game.players - 1}, not {player!r}")
        self.compile(player)
        began = time.perf_counter()
        self._start(seconds, stop, nodes)
        if not self._judge([None], state, player, _plies(plies)):
            return None
        memory = self.team[0].memory
        spent = time.perf_counter() - began
        return Judgement(
            player, float(memory.root_values[0]), _row(memory, 0), plies, self.nodes, self.evaluations, spent
        )

    def rank(
        self,
        state: Any,
        plies: int = 2,
        *,
        moves: Iterable[Any] | None = None,
        nodes: int | None = None,
        stop: StopToken | None = None,
        seconds: float | None = None,
        on_ply: Callable[[list[RankedMove]], Any] | None = None,
        settle: bool = False,
        filtered: bool = True,
    ) -> list[RankedMove]:
        """The moves in a state, the best first. Those that were judged at more plies come before the others.

        moves    only these moves
        on_ply   called with the ranking after each ply
        settle   do not search deeper if only one move has passed the filters: enough to play it
        filtered   False to judge every move at all plies
        Stopped early, it has the ranking of the last complete ply; of the first one, whatever is complete.
        """
        game, state = self.game, self.game.checked(state)
        if game.is_terminal(state) or game.to_move(state) == CHANCE:
            raise StateError(f"there is no move to choose in this state of {game.title}: {game.to_text(state)}")
        legal = listed(game, state)
        chosen = legal if moves is None else list(moves)
        if not set(chosen) <= set(legal):
            wrong = next(a for a in chosen if a not in set(legal))
            raise IllegalAction(f"{wrong!r} is not a legal move in this state of {game.title}")
        player = game.to_move(state)
        self.compile(player)
        self._start(seconds, stop, nodes)
        ranked: list[RankedMove] = []
        kept = chosen
        filters = self.filters if filtered else (ALL,)
        for ply in range(_plies(plies) + 1):
            passing = filters[min(ply, len(filters) - 1)]
            found = self._judge(kept, state, player, ply, 0.0 if ply == plies or passing == ALL else passing.margin)
            if len(found) < len(kept):
                return ranked if ply > 0 else sorted(found, key=_worth, reverse=True)
            found.sort(key=_worth, reverse=True)
            ranked = found + ranked[len(kept) :]
            if on_ply is not None:
                on_ply(ranked)
            kept = [each.action for each in found[: passing.passes([each.equity for each in found])]]
            if settle and len(kept) == 1:
                break
        return ranked

    def clear(self) -> None:
        """Forget all positions: the evaluation has changed, or a new game begins."""
        for judge in self.team:
            judge.memory.clear()

    def compile(self, player: int = 0) -> None:
        """Compile what is needed, unless that was done: it does not count as time of a search."""
        began = time.perf_counter()
        for judge in self.team if self.compiled else ():
            judge.program = JUDGE_ROOT.compiled(judge.game, player, judge.judge, judge.memory)
        self.compile_seconds += time.perf_counter() - began

    # One call.

    def _start(self, seconds: float | None, stop: StopToken | None, nodes: int | None = None) -> None:
        limit = time_limit(seconds)
        self._deadline = math.inf if limit is None else time.perf_counter() + limit
        self._stop, self._node_limit = stop, nodes or UNLIMITED
        self.nodes = self.evaluations = self.recalled = 0

    def _judge(self, moves: list[Any], state: Any, player: int, plies: int, slack: float = 0.0) -> list[RankedMove]:
        """What each of these moves is worth, as far as time allows; [None] stands for the state itself.

        slack   moves that are worse than the best by more than this may get an upper bound only, if there is pruning
        """
        team = self.team[: min(len(moves), len(self.team))] if plies > 0 else self.team[:1]
        shares = [moves[i :: len(team)] for i in range(len(team))]
        for judge, share in zip(team, shares, strict=True):
            judge.prepare(share, plies, self._node_limit - self.nodes)
            judge.memory.slack[0] = slack
        with StopToken(self._stop) as token, token.watching(*(judge.memory.stop for judge in team)):
            left = None if self._deadline == math.inf else self._deadline - time.perf_counter()
            if token.is_set or (left is not None and left <= 0):
                return []
            for judge in team:
                judge.start(state, player)
            for judge in team:
                left = None if self._deadline == math.inf else self._deadline - time.perf_counter()
                judge.wait(state, left, token)
        found: list[RankedMove] = []
        for judge, share in zip(team, shares, strict=True):
            found += judge.found(state, share, plies)
            self.nodes += int(judge.memory.counts[NODES])
            self.evaluations += int(judge.memory.counts[EVALUATIONS])
            self.recalled += int(judge.memory.counts[RECALLED])
        return found


class _Judge:
    """One thread of the engine, with a game, a judge and a memory of its own."""

    def __init__(self, engine: DiceEngine, game: Game):
        self.engine, self.game = engine, game.remembering([])
        network = getattr(game, "network", None)
        self.judge: Any = EvaluationJudge() if network is None else NetworkJudge(network)
        self.memory = DiceMemory(
            game,
            compiled=engine.compiled,
            outputs=self.judge.outputs,
            mebibytes=engine.table / engine.threads,
            bounds=(float(game.utility_range[0]), float(game.utility_range[1])),
        )
        self.memory.inner[0] = engine.margin
        limits = self.memory.limits
        limits[KEEP], limits[PRUNING], limits[RECALLS] = engine.inner, PRUNINGS[engine.pruning], int(engine.table > 0)
        self.finished = False
        self.program: Any = None

    def prepare(self, moves: list[Any], plies: int, nodes: int) -> None:
        memory = self.memory
        for i in range(len(memory.counts)):
            memory.counts[i] = 0
        memory.limits[PLIES], memory.limits[NODE_LIMIT] = plies, nodes
        memory.limits[CANDIDATES] = 0 if moves == [None] else len(moves)
        if len(moves) > len(memory.roots):
            raise GameError(f"{self.game.title} has more legal moves than its max_actions, {len(memory.roots)}")
        for i, move in enumerate(moves):
            memory.roots[i] = 0 if move is None else move

    def start(self, state: Any, player: int) -> None:
        self.player, self.finished = player, False
        program = self.program
        self.running = None if program is None else Running(lambda: program(state))

    def wait(self, state: Any, seconds: float | None, token: StopToken) -> None:
        stop = self.memory.stop
        try:
            if self.running is not None:
                self.running.wait(stop, seconds)
            else:
                stop.deadline = math.inf if seconds is None else time.perf_counter() + seconds
                arguments = (self.game, state, self.player, self.judge, self.memory)
                with plain_python():
                    run_plain(lambda: JUDGE_ROOT.run_plain(*arguments), stop, seconds, token)
            self.finished = True
        except Stopped:
            pass
        except (ArithmeticError, LookupError, AssertionError, ValueError) as error:
            raise located(self.game, state, error) if self.running is not None else error from None

    def found(self, state: Any, moves: list[Any], plies: int) -> list[RankedMove]:
        memory = self.memory
        if moves == [None]:
            value = float(memory.root_values[0])
            return [RankedMove(self.game, state, None, value, _row(memory, 0), plies)] if self.finished else []
        done = []
        for i in range(int(memory.counts[FINISHED])):
            value, exact = float(memory.root_values[i]), bool(memory.root_exact[i])
            done.append(RankedMove(self.game, state, moves[i], value, _row(memory, i), plies, exact))
        return done


def _row(memory: DiceMemory, i: int) -> tuple[float, ...]:
    return tuple(float(output) for output in memory.root_outputs[i])


def _worth(move: RankedMove) -> float:
    return move.equity


def _plies(plies: Any) -> int:
    return _whole("plies", plies, 0, MOST_PLIES)


def _whole(name: str, value: Any, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{name} must be a whole number from {least} to {most:,}, not {value!r}")
    return value


def _margin(margin: Any) -> float:
    if not isinstance(margin, int | float) or not margin >= 0:
        raise ValueError(f"margin must be a number of at least 0, not {margin!r}")
    return float(margin)


def _require_suitable(game: Game) -> None:
    traits = game.traits
    if traits.hidden or traits.sides > 2 or not traits.zero_sum or traits.uses_history:
        raise Unsuitable(
            f"the dice engine does not suit {game.title}: it plays zero-sum games of at most two sides in which "
            f"nothing is hidden and no rule depends on earlier positions, and this is a game of {traits}"
        )
    if traits.chance and not traits.lists_outcomes:
        raise Unsuitable(f"the dice engine must list the outcomes of chance, and {game.title} can only draw them")
