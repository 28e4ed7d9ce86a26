"""Evaluations from play: what each feature is worth, learned from the results of games of a program against itself.

Samuel (1959) had a program learn checkers so; that the weights be fitted by logistic regression, so that an evaluation
says how likely a win is, is Buro's (1995), for Othello.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import GameError, Unsuitable
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of
from zermelo.kernel.parts import is_table
from zermelo.learn import report as reporting
from zermelo.learn.learned import Learned
from zermelo.learn.logistic import chances, column, fit, standard_errors
from zermelo.learn.played import Played, held_out, phase_of, together
from zermelo.learn.report import Report, Round
from zermelo.learn.self_play import FINISHED, LENGTH, MOST_PLIES, POSITIONS, WRONG_NUMBER, Player
from zermelo.search.checks import require_rules, time_limit, whole_number

DEFAULT_GAMES = 2_000
INTERCEPT = 100.0
"""How much stronger the intercept is regularised than weights: a feature for the player to move replaces it."""

TOLERANCE = 3e-3
"""The tolerance of the fit: far below the effect of another seed."""

NEAR_THE_END = 0.02
"""The tighter tolerance with a prior, because the fit starts near the end."""

NEAREST = 0.98
"""How near an estimate may come to the ends of the utility range, if the game sets no limit."""

UNDECIDED = 0.75
"""How far from the middle of the utility range a search may value a position that is learned from."""

STEEPNESS = 4.0
"""The logit of the value of a win in a search, if search values are the target."""

RANDOM_GAMES = 16
"""The number of random games that measure the length of a game."""

TELL_EVERY = 0.2


@dataclass(frozen=True)
class Progress:
    """How far learning has come."""

    round: int
    rounds: int
    doing: str  # "playing" or "fitting"
    games: int  # in this round
    positions: int
    seconds: float
    log_loss: float | None  # of the round before, on the games held out


def learn(
    game: Game | str,
    *,
    games: int | None = None,
    seconds: float | None = None,
    rounds: int = 4,
    seed: int = 0,
    depth: int = 1,
    opening: int | None = None,
    exploration: float = 0.1,
    ending: int = 0,
    share: float = 1.0,
    penalty: float = 1.0,
    prior: bool = False,
    quiet: bool = False,
    decided: float = math.inf,
    keep: int = 3,
    target: str = "result",
    trace: float = 0.7,
    start: Learned | None = None,
    folder: str | Path | None = None,
    compile: bool | None = None,
    on_progress: Callable[[Progress], Any] | None = None,
) -> Learned:
    """Learn the weights of a game's features from self-play.

    games         the number of games, in all rounds together; by default 2,000, or as many as the seconds allow
    seconds       an approximate time limit; the result then depends on the machine
    rounds        how often to play and fit; each round plays with the weights of the one before
    seed          of the random numbers: the same seed and the same games give the same weights
    depth         the search depth of both players, in plies
    opening       the most moves to play before the positions to learn from, to make them differ; by default
                  up to three quarters of a game
    exploration   the chance of a random move there, instead of the best one; the last one is always random
    ending        with this many plies left, or fewer, play is perfect; needs the game's `plies_left`
    share         the share of the positions to keep, if all would be too many
    penalty       how much weights are held back: as if each had been seen so often, times four, to say nothing
    prior         hold weights back towards those that it begins with, instead of towards 0: they are believed until
                  the games say otherwise; a feature that comes in tens is held back as one that comes in ones
    quiet         use quiescence search, and learn only from positions in which no noisy move
                  changes the value, since these are all that a search evaluates
    decided       end a game as won if its value has been this much better than a draw for one player for some plies
    keep          the number of rounds whose games the last fit uses
    target        "result": win, draw or loss; "utility": the utility relative to its range, if its size matters;
                  "search": the value of a search one ply deeper than the players', not the result of the game
                  (Samuel 1959): far less noise than results, but nothing that the search does not see; needs a prior;
                  "td": TD(λ) with a search: of the values of all later positions of the game, and of its result, a
                  mean with weights that fall geometrically (Sutton 1988; Baxter, Tridgell and Weaver 1998)
    trace         λ of target "td": 0 is the value of the next position, 1 the result
    start         start from these weights instead of the game's own
    folder        where to save the games of each round; existing games are not played again, so that
                  an interrupted run can be resumed with the same options
    compile       True, False, or by default as the game's states allow
    on_progress   called from time to time

    Ctrl-C ends it early and keeps the weights learned so far.
    """
    game = game_of(game)
    task = _Task(game, start, seed, target, compile, on_progress)
    task.settings = (_whole("depth", depth, 1), exploration, _whole("ending", ending, 0), share)
    for name, number in (("exploration", exploration), ("share", share)):
        if not 0 <= number <= 1:
            raise ValueError(f"{name} must be a number from 0 to 1, not {number!r}")
    if not 0 <= trace <= 1:
        raise ValueError(f"trace must be a number from 0 to 1, not {trace!r}")
    task.trace = trace
    if target == "search" and not prior:
        raise ValueError("target 'search' needs a prior: weights of 0 agree with every search that uses them")
    if not 0 < penalty < math.inf:
        raise ValueError(f"penalty must be a positive number, not {penalty!r}")
    task.penalty, task.prior, task.keep = penalty, prior, _whole("keep", keep, 1)
    task.quiet, task.decided = quiet, decided
    if decided <= 0 or (decided < math.inf and not task.finite):
        raise ValueError(
            f"decided must be a positive number, for a game that declares its utility_range, not {decided!r}"
        )
    task.folder = None if folder is None else Path(folder)
    wanted = whole_number("games", games)
    limit = math.inf if seconds is None else time_limit(seconds) or math.inf
    if wanted is None and limit == math.inf:
        wanted = DEFAULT_GAMES
    rounds = _whole("rounds", rounds, 1)
    task.opening = task.usual_opening() if opening is None else _whole("opening", opening, 0)
    return task.run(wanted, limit, rounds)


class _Task:
    """One call of `learn`."""

    settings: tuple[int, float, int, float]
    penalty: float
    prior: bool
    quiet: bool
    decided: float
    trace: float
    folder: Path | None
    keep: int
    opening: int

    def __init__(self, game: Game, start: Learned | None, seed: int, target: str, compile: bool | None, listener: Any):
        require_learnable(game)
        if target not in ("result", "utility", "search", "td"):
            raise ValueError(f"target must be 'result', 'utility', 'search' or 'td', not {target!r}")
        self.game = game if start is None else start.apply(game)
        self.start, self.seed, self.compile, self.listener = start, seed, compile, listener
        low, high = game.utility_range
        self.finite = -math.inf < low and high < math.inf
        self.middle, self.half = ((low + high) / 2, (high - low) / 2) if self.finite else (0.0, math.inf)
        if target != "result" and not self.finite:
            raise ValueError(f"{game.title} declares no utility_range, which target {target!r} needs: use 'result'")
        self.by_utility, self.by_search, self.by_td = target == "utility", target == "search", target == "td"
        self.clips = clips(self.game)
        self.played = 0 if start is None else start.games
        self.begun = time.perf_counter()
        self.unfinished = 0
        self.stopped = False
        self.log_loss: float | None = None

    def usual_opening(self) -> int:
        """Three quarters of the length of random games."""
        player = Player(self.game, self.game, self.seed, self.compile)
        lengths = []
        for number in range(RANDOM_GAMES):
            player.play(-1 - number, 0, 1, MOST_PLIES, 0, 1.0, 0.0)
            lengths.append(int(player.tape.counts[LENGTH]))
        return 3 * int(np.mean(lengths)) // 4

    def run(self, wanted: int | None, seconds: float, rounds: int) -> Learned:
        """Play and fit, round after round."""
        before = self.game.weights.astype(np.float64)
        past: list[Played] = []
        history: list[Round] = []
        weights, intercept = None, 0.0
        learned: Learned | None = None
        self.begun = time.perf_counter()
        try:
            for number in range(rounds):
                some = None if wanted is None else wanted * (number + 1) // rounds - wanted * number // rounds
                deadline = self.begun + seconds * (number + 0.7) / rounds  # the rest is for the fit
                games = self.round(some, deadline, number, rounds)
                if games.held_out_games == 0 or games.held_out.all() or not games.held_out.any():
                    if self.stopped:
                        raise KeyboardInterrupt
                    raise ValueError(f"{games.games} games of {self.game.title} are too few to learn from: play more")
                past = [*past, games][-self.keep :]
                self.tell(number, rounds, "fitting", games.games, games.rows.count)
                data = together(past)
                weights, intercept, scale = self.fit(data, before if self.prior else None, weights, intercept)
                history.append(Round(games.games, games.rows.count, math.nan))
                learned = self.learned(data, before, weights, scale, history)
                if self.stopped:
                    break
                self.game = learned.apply(self.game)
        except KeyboardInterrupt:
            if learned is None or learned.report is None:
                raise  # nothing has been learned
            learned = replace(learned, report=replace(learned.report, stopped=True))
        assert learned is not None
        return learned

    def stop(self) -> None:
        """Stopped by Ctrl-C: continue with what there is."""
        self.stopped = True

    def round(self, wanted: int | None, deadline: float, round: int, rounds: int) -> Played:
        """The games of a round: those that are kept, or new ones."""
        file = None if self.folder is None else self.folder / f"round_{round + 1}.npz"
        if file is not None and file.exists():
            games = Played.load(file, len(self.game.weights))
            self.played += games.games
            return games
        games = self.play(wanted, deadline, round, rounds)
        if file is not None and not self.stopped:
            games.save(file)
        return games

    def play(self, wanted: int | None, deadline: float, round: int, rounds: int) -> Played:
        """The games of a round."""
        player = Player(
            self.game,
            self.game,
            self.seed,
            self.compile,
            quiet=self.quiet,
            searched=self.by_search or self.by_td,
            decided=self.decided,
        )
        depth, exploration, ending, share = self.settings
        counts: list[int] = []
        lengths: list[int] = []
        ends: list[Any] = []
        unfinished = 0
        last = time.perf_counter()
        try:
            while wanted is None or len(counts) + unfinished < wanted:
                known = player.tape.counts.copy()
                opening = player.opening(self.played, self.opening)
                how = player.play(self.played, 0, depth, opening, ending, exploration, share)
                self.played += 1
                if how == WRONG_NUMBER:
                    raise GameError(
                        f"{self.game.title} yields a feature of number {int(player.tape.starts[0])}, "
                        f"and has {len(self.game.weights)} weights"
                    )
                if how != FINISHED:
                    player.tape.counts[:] = known
                    unfinished += 1
                else:
                    ends.append(player.tape.utilities.copy())
                    lengths.append(int(player.tape.counts[LENGTH]))
                    counts.append(int(player.tape.counts[POSITIONS] - known[POSITIONS]))
                now = time.perf_counter()
                if now - last > TELL_EVERY:
                    last = now
                    self.tell(round, rounds, "playing", len(counts), int(player.tape.counts[POSITIONS]))
                if now > deadline:
                    break
        except KeyboardInterrupt:
            self.stop()
        positions = sum(counts)  # a game that was interrupted does not count
        of_game = np.repeat(np.arange(len(counts)), counts)
        movers, plies = player.tape.movers[:positions], player.tape.plies[:positions]
        utilities = np.array(ends[: len(counts)]).reshape(-1, self.game.players)[of_game, movers] - self.middle
        phases = phase_of(plies, np.array(lengths, int)[of_game])
        tested = held_out(len(counts))
        rows = player.rows(positions, len(self.game.weights))
        values = player.tape.values[:positions] - self.middle
        if self.by_td:
            sides = np.array([self.game.side(p) for p in range(self.game.players)])[movers]
            values = returns(np.clip(values, -self.half, self.half), utilities, sides, of_game, self.trace)
        self.unfinished += unfinished
        return Played(rows, utilities, values, phases, tested[of_game], len(counts), int(tested.sum()))

    def targets(self, utilities: Any) -> Any:
        """Results: 1, ½ or 0."""
        return 0.5 + 0.5 * np.sign(utilities)

    def fit(self, data: Played, before: Any, start: Any, intercept: float) -> tuple[Any, float, float]:
        """The weights as logits, the intercept, and the scale from logits to utilities."""
        train = ~data.held_out
        if self.by_search:
            train &= np.abs(data.values) < UNDECIDED * self.half
        rows, utilities = data.rows.chosen(train), data.utilities[train]
        targets = 0.5 + 0.5 * utilities / self.half if self.by_utility else self.targets(utilities)
        if self.by_td:
            targets = 0.5 + 0.5 * data.values[train] / self.half
        penalty: Any = self.penalty
        prior, slope = None, 1.0
        if before is not None:
            slope = STEEPNESS / self.half if self.by_search else _line(rows.times(before), targets)[0]
            prior = slope * before
            penalty = self.penalty * rows.mean_squares()
        if self.by_search:
            targets = chances(slope * data.values[train])
        weights, intercept = fit(
            rows,
            targets,
            penalty,
            intercept_penalty=self.penalty * INTERCEPT,
            prior=prior,
            start=None if start is None else (start, intercept),
            tolerance=TOLERANCE if prior is None else NEAR_THE_END * TOLERANCE,
            on_interrupt=self.stop,
        )
        scale = 1 / slope if self.by_search else self.scale(rows.times(weights), utilities)
        return weights, intercept, scale

    def scale(self, logits: Any, utilities: Any) -> float:
        """Utility per unit of logit: by least squares, but small enough to keep estimates within the utility range."""
        power = float(logits @ logits)
        scale = float(logits @ utilities) / power if power > 0 else 1.0
        if scale <= 0:
            scale = 1.0 if self.half == math.inf else self.half / 10
        if self.half < math.inf and power > 0:
            # If the game clips estimates itself, one in a thousand may be clipped.
            greatest = np.quantile(np.abs(logits), 0.999) if self.clips else 1.1 * np.abs(logits).max()
            scale = min(scale, NEAREST * self.half / max(float(greatest), 1e-300))
        return scale

    def learned(self, data: Played, before: Any, weights: Any, scale: float, history: list[Round]) -> Learned:
        """The weights learned so far, and their quality on the held-out games."""
        test, train = data.held_out, ~data.held_out
        results = self.targets(data.utilities)
        values = scale * data.rows.times(weights)
        slope, shift = _line(values[train], results[train])
        old = data.rows.times(before)
        old_slope, old_shift = _line(old[train], results[train])
        old, new, results = old_slope * old[test] + old_shift, slope * values[test] + shift, results[test]
        share = float(np.clip(self.targets(data.utilities[train]).mean(), 1e-6, 1 - 1e-6))
        base = math.log(share / (1 - share))
        phases = data.phases[test]
        whole = reporting.part("all", np.ones(len(results), bool), base, old, new, results)
        parts = [
            reporting.part(name, phases == i, base, old, new, results)
            for i, name in enumerate(reporting.PHASES)
            if (phases == i).any()
        ]
        self.log_loss = whole.learned.log_loss
        history[-1] = replace(history[-1], log_loss=whole.learned.log_loss)
        report = Report(
            sum(round.games for round in history),
            self.unfinished,
            int(train.sum()),
            data.held_out_games,
            whole,
            tuple(parts),
            reporting.calibration(new, results),
            tuple(history),
            time.perf_counter() - self.begun,
            self.stopped,
        )
        logits = data.rows.chosen(train)
        errors = scale * standard_errors(logits, weights, 0.0, self.penalty, max(data.games - data.held_out_games, 1))
        return Learned(
            self.game.name, self.game.feature_names(), scale * weights, scale, slope, shift, self.played, report, errors
        )

    def tell(self, round: int, rounds: int, doing: str, games: int, positions: int) -> None:
        if self.listener is not None:
            seconds = time.perf_counter() - self.begun
            self.listener(Progress(round + 1, rounds, doing, games, positions, seconds, self.log_loss))


def returns(values: Any, utilities: Any, sides: Any, of_game: Any, trace: float) -> Any:
    """λ-returns: for each position the value of the next one of its game, mixed with what comes after it, for the side
    to move (Sutton and Barto 2018, 12.1)."""
    found = np.empty(len(values))
    for i in reversed(range(len(values))):
        if i + 1 == len(values) or of_game[i + 1] != of_game[i]:
            found[i] = utilities[i]
        else:
            later = (1 - trace) * values[i + 1] + trace * found[i + 1]
            found[i] = later if sides[i] == sides[i + 1] else -later
    return found


def require_learnable(game: Game) -> None:
    """Raise an error with the reason if nothing can be learned for a game."""
    require_rules(game)
    traits = game.traits
    if traits.hidden or traits.chance or traits.sides != 2 or not traits.zero_sum:
        raise Unsuitable(
            f"learning does not suit {game.title}: it is for two sides, zero-sum, without chance and with nothing "
            f"hidden, and this is a game of {traits}"
        )
    names = game.feature_names()
    if not names:
        raise Unsuitable(f"{game.title} has no features: write `features` and `feature_names`, and give it `weights`")
    if not is_table(game.weights) and len(game.weights) == 0:
        raise Unsuitable(
            f"{game.title} has features and no weights: give it `weights`, or teach a network, with --td or `learn_td`"
        )
    if not is_table(game.weights) or game.weights.dtype.kind != "f":
        raise GameError(
            f"the weights of {game.title} must be a NumPy array of floats, so that others need no compiling, not a "
            f"{type(game.weights).__name__}"
        )
    if game.weights.shape != (len(names),):
        raise GameError(
            f"{game.title} names {len(names)} features, and its weights have the shape {game.weights.shape}"
        )


def clips(game: Game) -> bool:
    """Does the game's own evaluation stay within the utility range, however great the weights?"""
    low, high = game.utility_range
    own = copy.copy(game)
    own.weights = np.where(np.arange(len(game.weights)) % 2, -1e9, 1e9).astype(game.weights.dtype)
    player = np.random.default_rng(0)
    s = own.initial()
    tried = 0
    for _ in range(20):
        rules = own.remembering([s])
        legal = rules.legal(s)
        if not legal:
            break
        if not low < own.evaluate(s, own.to_move(s)) < high:
            return False
        tried += 1
        s = own.result(s, legal[player.integers(len(legal))])
    return tried > 0


def _whole(name: str, number: Any, least: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {number!r}")
    return number


def _line(values: Any, results: Any) -> tuple[float, float]:
    """Slope and intercept of the chance of winning by a value (Platt 1999)."""
    size = float(np.sqrt(np.mean(values**2))) if len(values) else 0.0
    weights, intercept = fit(column(values / (size or 1.0)), results, 1e-3, tolerance=1e-8)
    return float(weights[0]) / (size or 1.0), intercept
