"""Rounds of play and fit: what one call of `zermelo.learn.linear.learn` does."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.learn import report as reporting
from zermelo.learn.learnable import clips, require_learnable
from zermelo.learn.learned import Learned
from zermelo.learn.logistic import chances, column, fit, standard_errors
from zermelo.learn.played import Played, held_out, phase_of, together
from zermelo.learn.report import Report, Round
from zermelo.learn.self_play import FINISHED, LENGTH, MOST_PLIES, POSITIONS, WRONG_NUMBER, Player

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


class Rounds:
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


def _line(values: Any, results: Any) -> tuple[float, float]:
    """Slope and intercept of the chance of winning by a value (Platt 1999)."""
    size = float(np.sqrt(np.mean(values**2))) if len(values) else 0.0
    weights, intercept = fit(column(values / (size or 1.0)), results, 1e-3, tolerance=1e-8)
    return float(weights[0]) / (size or 1.0), intercept
