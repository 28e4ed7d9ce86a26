"""Monte Carlo tree search as an algorithm of the registry."""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.calls import StopFlag
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.worker import PLIES, Abandoned, Running, Stopped, plain_python, run, run_plain
from zermelo.search.analysis import Analysis, Move
from zermelo.search.checks import should_compile
from zermelo.search.clairvoyance import why_not_solved
from zermelo.search.faults import located
from zermelo.search.mcts.information_sets import GROW_HIDDEN, OBSERVE_HIDDEN_RANGE, InformationTree
from zermelo.search.mcts.merging import merge
from zermelo.search.mcts.simulation import GROW, OBSERVE_RANGE, TRANSPLANT
from zermelo.search.mcts.tree import (
    CAPACITY,
    COUNT,
    DEEPEST,
    EQUIVALENCE,
    EXPLORATION,
    FACTOR,
    FIRST,
    GOAL,
    HIGHEST,
    INFINITE,
    LONGEST_ROLLOUT,
    LOWEST,
    MOST_SIMULATIONS,
    OBSERVING,
    ROLLOUT_PLIES,
    SIMULATIONS,
    SQUARES,
    SUM,
    TOTAL,
    VISITS,
    Guides,
    Tree,
)
from zermelo.search.mcts.watched import WatchedTree
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import Algorithm, register

DEFAULT_SECONDS = 10.0
SHOWN_LINES = 10
"""How many of the best moves have a line, unless the question says."""
UCT, PUCT, RAVE = 1.4, 1.6, 0.3
"""Factors of the exploration term: without and with priors, and with RAVE alone, which finds other moves by itself."""
KNOWLEDGE = ("evaluate", "bounds", "safe_actions", "solved_positions")
"""What a game may tell the engine about positions."""
SEARCHABLE = 15.0
"""The logarithm of the number of lines of play up to which the engine, with its table, is likely to search them all."""
LISTABLE = 7.0
"""The same for max^n, which visits every one of them."""
SAMPLE_GAMES, SAMPLE_SECONDS, MOST_ACTIONS = 4, 0.2, 10_000
OPTIONS: dict[str, Any] = {"simulations": None, "seed": None, "memory": 64, "exploration": None, "rollout_plies": None}
OPTIONS |= {"equivalence": 300.0, "priors": True, "proofs": True, "rave": True, "threads": 1, "uniform": False}


class MonteCarloSearcher(Searcher):
    """Monte Carlo tree search for one game.

    simulations     how many to make at most; the limit `nodes` means the same
    seed            of the random numbers: the same seed, the same tree; by default the question's, or 0
    memory          MiB for the tree; a full tree is still searched, but grows no more
    exploration     the factor of the exploration term, in standard deviations of the results: the largest so far
    rollout_plies   plies of random play before the evaluation answers; by default 0 if the game has an evaluation and
                    neither a `playout` nor a `rollout` of its own, otherwise to the end
    uniform         True for rollouts by any legal move, even if the game has a `playout` or `rollout` of its own
    equivalence     RAVE: the number of visits at which a move's own results count as much as those of later moves
    priors, rave    False to do without the game's priors, and without RAVE
    threads         trees to grow at the same time, each on a thread of its own and with its share of the memory; what
                    they find out is added up. In plain Python there is one
    proofs          keep proven bounds; without them it is plain UCT
    """

    _last: _Run | None = None

    def analyse(self, question: Question) -> Analysis:
        if question.observer is not None and self.game.traits.hidden:
            raise Unsuitable(f"{self.game.title} has hidden information: watching mcts would reveal it")
        missing = [name for name in ("information", "resample") if self.game.hidden and not self.game.offers(name)]
        if missing:
            raise Unsuitable(
                f"mcts does not suit {self.game.title}: it hides something, but does not define {' and '.join(missing)}"
            )
        run, self._last = _Run(self, question, self._last), None
        answer = run.analyse()
        if not run.is_abandoned:
            self._last = run
        return answer

    def clear(self) -> None:
        self._last = None


class _Run:
    """One search. It continues with the part of the last search's tree that the game has reached."""

    def __init__(self, searcher: MonteCarloSearcher, question: Question, last: _Run | None):
        self.name, self.question = searcher.algorithm.name, question  # not the searcher, which keeps this
        self.options = {**OPTIONS, **searcher.options}
        _check(self.options)
        is_watched = question.observer is not None
        self.compiled = should_compile(question.game, question.state, False if is_watched else searcher.compile)
        self.game = question.game.remembering([*question.history, question.state], 2 * PLIES + 4)
        seeds = (self.options["seed"], question.seed, 0)
        self.random = Random(next(seed for seed in seeds if seed is not None))
        self.stop: Any = np.zeros(1, np.int64) if self.compiled else StopFlag()
        self.is_abandoned = False
        self.tree = self._new_tree()
        helpers = self.options["threads"] - 1 if self.compiled else 0
        self.helpers = [self._new_tree() for _ in range(helpers)]
        if is_watched:
            self.game = self.tree.watch(self.game, question.observer)
        self.has_range = self.tree.scale[HIGHEST] - self.tree.scale[LOWEST] < math.inf
        self.began, self.compile_seconds = time.perf_counter(), 0.0
        if last is not None:
            self._continue(last)
        self.kept = int(self.tree.counts[SIMULATIONS])

    def analyse(self) -> Analysis:
        question, seconds = self.question, self.question.seconds
        if question.clock is not None:
            seconds = min(math.inf if seconds is None else seconds, question.clock.limits()[0])
        simulations = question.nodes if self.options["simulations"] is None else self.options["simulations"]
        if simulations is None and seconds is None:
            seconds = DEFAULT_SECONDS
        hidden = self.game.traits.hidden
        program = self._program(GROW_HIDDEN if hidden else GROW)
        observe = None if self.has_range else self._program(OBSERVE_HIDDEN_RANGE if hidden else OBSERVE_RANGE)
        if self._can_be_continued:  # compiled now, so that the next move does not have to wait for it
            self._ready(TRANSPLANT, self.tree, self.tree, np.zeros(1, np.int64), 0)
        started = self.began + self.compile_seconds  # taking over a large tree counts
        deadline = math.inf if seconds is None else started + seconds
        with StopToken(question.stop) as token:
            if observe is not None:
                self._observe_range(observe, deadline, token)
            self._set_goals(simulations)
            with self._helping(GROW_HIDDEN if hidden else GROW, deadline, token):
                self._run(program, deadline, token)
        ended = time.perf_counter()
        return self._answer(ended - started, self.compile_seconds)

    # Before the search.

    def _new_tree(self) -> Any:
        game, traits = self.game, self.game.traits
        open_game = not traits.hidden
        low, high = traits.utility_range
        has_range = high - low < math.inf
        proves = open_game and has_range and traits.sides <= 2 and (traits.zero_sum or traits.sides == 1)
        proves = proves and (not traits.chance or traits.lists_outcomes) and not traits.uses_history
        proves = proves and bool(self.options["proofs"])
        is_watched = self.question.observer is not None
        kind: Any = InformationTree if not open_game else WatchedTree if is_watched else Tree
        options, plies = self.options, self.options["rollout_plies"]
        guides = Guides(
            prior=bool(options["priors"]) and game.offers("prior"),
            later=bool(options["rave"]) and game.all_moves_as_first,
            rollout=game.offers("rollout") and not options["uniform"],
            playout=game.offers("playout") and plies is None and not options["uniform"],
        )
        if is_watched:  # every choice is shown, and all moves of a rollout
            guides = Guides(rollout=guides.rollout)
        memory = int(options["memory"] * (1 << 20)) // (options["threads"] if self.compiled else 1)
        tree = kind(game, compiled=self.compiled, memory=memory, plies=PLIES, proves=proves, guides=guides)
        if plies is None:
            plies = 0 if game.offers("evaluate") and not guides.rollout else LONGEST_ROLLOUT
        tree.limits[ROLLOUT_PLIES] = plies
        usual = PUCT if tree.has_prior else RAVE if tree.has_later else UCT
        tree.scale[EXPLORATION] = usual if options["exploration"] is None else options["exploration"]
        tree.scale[FACTOR] = tree.scale[EXPLORATION] * tree.spread()
        tree.scale[EQUIVALENCE] = options["equivalence"]
        for p in range(game.players):
            tree.least[p] = game.utility_bounds(p)[0]
        other = next((p for p in range(game.players) if game.side(p) != game.side(0)), 0)
        total = tree.least[other] + high if has_range else 0.0
        tree.scale[LOWEST], tree.scale[HIGHEST], tree.scale[TOTAL] = low, high, total
        tree.add(0)
        return tree

    def _continue(self, last: _Run) -> None:
        """Take over what the last search has found out about this position, if it came across it."""
        old, game, question = last.tree, self.game, self.question
        states = [*question.history, question.state]
        if not last._can_be_continued or last.question.state not in states:
            return
        s, node = last.question.state, 0
        for after in states[states.index(s) + 1 :]:
            children = range(int(old.node[node, FIRST]), int(old.node[node, FIRST] + max(old.node[node, COUNT], 0)))
            node = next((n for n in children if game.result(s, self._action(old.action[n])) == after), 0)
            s = after
            if node == 0:
                return
        if old.node[node, COUNT] <= 0:
            return
        new, capacity = self.tree, int(self.tree.limits[CAPACITY])
        source: Any = np.zeros(capacity, np.int64) if self.compiled else [0] * capacity
        self._ready(TRANSPLANT, old, new, source, node)(question.state)
        for bound in (LOWEST, HIGHEST, TOTAL):  # the kept sums are scaled by this range
            new.scale[bound] = old.scale[bound]
        new.least[:] = old.least
        self.has_range = True
        for moment in (SUM, SQUARES):
            share = int(new.node[0, VISITS]) / max(int(old.counts[SIMULATIONS]), 1)
            new.scale[moment] = float(old.scale[moment]) * share
        new.scale[FACTOR] = float(new.scale[EXPLORATION]) * new.spread()
        self.random = last.random

    @property
    def _can_be_continued(self) -> bool:
        """Can a later search take over a part of this tree?"""
        return type(self.tree) is Tree and not self.tree.linked

    def _observe_range(self, program: Any, deadline: float, token: StopToken) -> None:
        """Take the range from random games, played to their ends: an evaluation may say little about it."""
        tree = self.tree
        plies, tree.limits[ROLLOUT_PLIES] = tree.limits[ROLLOUT_PLIES], LONGEST_ROLLOUT
        tree.scale[LOWEST], tree.scale[HIGHEST], tree.scale[OBSERVING] = INFINITE, -INFINITE, 1.0
        self._run(program, deadline, token)
        tree.limits[ROLLOUT_PLIES], tree.scale[OBSERVING] = plies, 0.0
        low, high = float(tree.scale[LOWEST]), float(tree.scale[HIGHEST])
        if low > high:  # stopped before the first game was over
            low, high = -1.0, 1.0
        margin = max((high - low) / 2, 1e-9)
        tree.scale[LOWEST], tree.scale[HIGHEST], tree.scale[TOTAL] = low - margin, high + margin, low + high
        tree.least[:] = [low - margin] * len(tree.least)

    # Several threads.

    def _set_goals(self, simulations: int | None) -> None:
        """Share the simulations among the threads' trees. What is known of the range holds for all of them."""
        threads = len(self.helpers) + 1
        share = MOST_SIMULATIONS if simulations is None else simulations // threads
        own = MOST_SIMULATIONS if simulations is None else simulations - share * (threads - 1)
        self.tree.limits[GOAL] = min(self.kept + own, MOST_SIMULATIONS)
        for helper in self.helpers:
            helper.limits[GOAL] = share
            helper.scale[:] = self.tree.scale
            helper.least[:] = self.tree.least
            helper.scale[SUM] = helper.scale[SQUARES] = 0.0

    @contextlib.contextmanager
    def _helping(self, routine: Routine, deadline: float, token: StopToken) -> Iterator[None]:
        """Grow other trees on other threads meanwhile, and add what they find out when this one is done."""
        state, player = self.question.state, self.question.player
        jobs = []
        if self.helpers and not token.is_set and time.perf_counter() < deadline:
            for number, tree in enumerate(self.helpers, 1):
                game = copy.deepcopy(self.game)  # a game may keep what it works with in arrays
                random = Random(self.random.bits() ^ number)
                arguments = [tree, random, self.stop, *([player] if game.traits.hidden else [])]
                program = routine.compiled(game, *arguments)
                jobs.append((Running(lambda program=program: program(state)), tree))  # type: ignore[misc]
        try:
            yield
        except BaseException:
            self.stop[0] = 1  # nobody waits for the other threads
            raise
        if jobs and self.tree.proves and self.tree.low[0] == self.tree.high[0]:
            self.stop[0] = 1
        with token.watching(self.stop):
            for running, tree in jobs:
                try:
                    running.wait(self.stop, None if deadline == math.inf else deadline - time.perf_counter())
                except Stopped:
                    self.is_abandoned = True
                    continue
                merge(self.tree, tree, self.game, state, player)

    def _program(self, routine: Routine) -> Any:
        arguments = [self.tree, self.random, self.stop]
        if self.game.traits.hidden:
            arguments.append(self.question.player)
        return self._ready(routine, *arguments)

    def _ready(self, routine: Routine, *arguments: Any) -> Any:
        """The routine with everything but the state in place."""
        if self.compiled:
            began = time.perf_counter()
            program = routine.compiled(self.game, *arguments)
            self.compile_seconds += time.perf_counter() - began
            return program
        return lambda state: routine.run_plain(self.game, state, *arguments)

    def _run(self, program: Any, deadline: float, token: StopToken) -> None:
        """Run a program until it ends, or until the deadline or a stop."""
        state = self.question.state
        left = None if deadline == math.inf else deadline - time.perf_counter()
        if token.is_set or (left is not None and left <= 0):
            return
        with token.watching(self.stop):
            try:
                if self.compiled:
                    run(lambda: program(state), self.stop, left)
                else:
                    self.stop.deadline = deadline
                    with plain_python():
                        run_plain(lambda: program(state), self.stop, left, token)
            except Abandoned:
                self.is_abandoned = True
            except Stopped:
                pass
            except (ArithmeticError, LookupError, AssertionError) as error:
                raise located(self.game, state, error) if self.compiled else error from None

    # The answer.

    def _answer(self, seconds: float, compile_seconds: float) -> Analysis:
        question, tree = self.question, self.tree
        nodes = tree.root_moves(self.game, question.state, question.player)
        nodes.sort(key=self._rank, reverse=True)
        with_line = question.lines or (len(nodes) if question.all_moves else SHOWN_LINES)
        moves = [self._move(node, with_line=number < with_line) for number, node in enumerate(nodes)]
        searched = {move.action for move in moves}
        name = self.game.action_name
        moves += [Move(a, name(question.state, a), None, False) for a in question.actions if a not in searched]
        best = moves[0] if moves else None
        low, high = (float(tree.low[0]), float(tree.high[0])) if tree.proves else (0.0, 1.0)
        exact = low == high
        value = self._utility(low) if exact else self._root_value(best)
        return Analysis(
            game=self.game,
            state=question.state,
            player=question.player,
            action=None if best is None else best.action,
            value=value,
            exact=exact,
            line=() if best is None else best.line or (best.action,),
            moves=tuple(moves),
            nodes=int(tree.counts[SIMULATIONS]) - self.kept,
            depth=int(tree.counts[DEEPEST]),
            seconds=seconds,
            compile_seconds=compile_seconds,
            algorithm=self.name,
            reason="",
            compiled=self.compiled,
            error=None if best is None or exact else best.error,
        )

    def _rank(self, node: int) -> tuple[bool, int, float]:
        """Most visits first, the measure that outliers disturb least; but proofs come before visits."""
        tree = self.tree
        certain = True
        if tree.proves:
            low, high, least, most = (float(x) for x in (tree.low[node], tree.high[node], tree.low[0], tree.high[0]))
            if least == most:
                certain = low == high == least
            elif self.game.side(self.question.player) == self.game.side(0):
                certain = high >= least
            else:
                certain = low <= most
        return certain, int(tree.node[node, VISITS]), float(tree.value[node])

    def _root_value(self, best: Move | None) -> float:
        if best is not None and best.value is not None:
            assert isinstance(best.value, float)
            return best.value
        n = int(self.tree.counts[SIMULATIONS])
        if best is None and n:
            return self._unscaled(float(self.tree.scale[SUM]) / n)
        return float(Game.evaluate(self.game, self.question.state, self.question.player))

    def _utility(self, for_player_0: float) -> float:
        """A utility for player 0, for the player to move."""
        game, player = self.game, self.question.player
        return for_player_0 if game.side(player) == game.side(0) else float(self.tree.scale[TOTAL]) - for_player_0

    def _unscaled(self, result: float) -> float:
        width = float(self.tree.scale[HIGHEST]) - float(self.tree.scale[LOWEST])
        return float(self.tree.least[self.question.player]) + result * width

    def _move(self, child: int, with_line: bool) -> Move:
        tree, question = self.tree, self.question
        visits = int(tree.node[child, VISITS])
        mean = float(tree.value[child]) / visits
        width = float(tree.scale[HIGHEST]) - float(tree.scale[LOWEST])
        # One more result at the usual distance from the mean, so that a few equal results are not taken for certain.
        variance = (max(tree.square_of(child) - visits * mean * mean, 0.0) + tree.spread() ** 2) / (visits + 1)
        proven = bool(tree.proves and tree.low[child] == tree.high[child])
        value = self._utility(float(tree.low[child])) if proven else self._unscaled(mean)
        action = self._action(tree.action[child])
        return Move(
            action,
            self.game.action_name(question.state, action),
            value,
            True,
            tuple(self._action(tree.action[node]) for node in tree.line_from(child)) if with_line else (),
            proven=proven,
            visits=visits,
            share=visits / max(int(tree.counts[SIMULATIONS]), 1),
            error=None if proven else width * math.sqrt(variance / visits),
            prior=float(tree.prior[child]) if tree.has_prior else None,
        )

    def _action(self, a: Any) -> Any:
        return int(a) if self.compiled else a


def _check(options: dict[str, Any]) -> None:
    for name, least in (("simulations", 1), ("seed", 0), ("rollout_plies", 0), ("threads", 1)):
        value = options[name]
        if (value is not None or name == "threads") and (
            not isinstance(value, int) or isinstance(value, bool) or value < least
        ):
            raise ValueError(f"{name} must be a whole number of at least {least}, not {value!r}")
    for name in ("memory", "exploration", "equivalence"):
        value = options[name]
        if value is None and name == "exploration":
            continue
        if not isinstance(value, int | float) or not 0 < value < math.inf:
            raise ValueError(f"{name} must be a positive number, not {value!r}")
    for name in ("priors", "proofs", "rave", "uniform"):
        if not isinstance(options[name], bool):
            raise ValueError(f"{name} must be True or False, not {options[name]!r}")


@functools.lru_cache(64)
def estimated_size(game: Game) -> float:
    """About how many lines of play there are: the logarithm to base 10, from a few random games (Knuth 1975).

    Rules that fail or hang, and games that go on for too long, count as small: random play says nothing about them.
    """
    sums = [0.0]
    try:
        return float(run_plain(lambda: _sample(game, sums), StopFlag(), SAMPLE_SECONDS))
    except Stopped:  # slow rules: as far as the games went
        return max(sums)
    except Exception:
        return 0.0


def _sample(game: Game, sums: list[float]) -> float:
    """Play random games; `sums` has, for each, the logarithm of the product of its numbers of moves."""
    random = Random(0)
    while len(sums) <= SAMPLE_GAMES:
        s, plies = game.initial(), 0
        while not game.is_terminal(s):
            if plies == LONGEST_ROLLOUT:
                return 0.0
            if game.to_move(s) == CHANCE:
                s = game.draw(s, random)
            else:
                actions = list(itertools.islice(game.actions(s), MOST_ACTIONS))
                sums[-1] += math.log10(len(actions))
                s = game.result(s, actions[random.below(len(actions))])
            plies += 1
        sums.append(0.0)
    return math.fsum(sums) / SAMPLE_GAMES


def _strength(game: Game) -> int:
    """Strongest if a game says nothing of its positions and is too large to be searched to the end."""
    traits = game.traits
    if traits.hidden or (traits.chance and not traits.lists_outcomes):
        return 110  # nothing else plays it
    if any(game.offers(name) for name in KNOWLEDGE):
        return 1
    has_pruning = traits.sides <= 2 and traits.zero_sum
    return 110 if estimated_size(game) > (SEARCHABLE if has_pruning else LISTABLE) else 1


def _because(game: Game) -> str:
    if not game.hidden:
        return "it learns from random play, and needs neither an evaluation nor open cards"
    return (
        f"hidden information, and {why_not_solved(game)}: it samples deals, and keeps statistics of what each player "
        "knows (information set MCTS)"
    )


register(
    Algorithm(
        "mcts",
        "Monte Carlo tree search: UCT with proofs; information sets if something is hidden.",
        MonteCarloSearcher,
        sides=None,
        zero_sum=False,
        chance=True,
        samples=True,
        hidden=True,
        deepens=False,
        randomised=True,
        simulates=True,
        limits=("nodes", "seconds"),
        options=OPTIONS,
        lines=True,
        strength=_strength,
        because=_because,
    )
)
