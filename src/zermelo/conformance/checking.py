"""`check`: what a game declares, its rules in random play, both modes side by side, and its evaluation, in turn."""

from __future__ import annotations

import dataclasses
import math
import time
from typing import Any

from zermelo.conformance.consultation import Consultation
from zermelo.conformance.declarations import check_declarations
from zermelo.conformance.evaluation import Judge
from zermelo.conformance.inspection import Inspection
from zermelo.conformance.limits import Clock, run_bounded
from zermelo.conformance.modes import UNSAFE, Comparison, compiles
from zermelo.conformance.report import Evaluation, Report, Statistics
from zermelo.conformance.rules import RandomPlay
from zermelo.conformance.sampling import compare_sampling
from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of

SHARES = {"rules": 0.5, "modes": 0.2, "evaluation": 0.3}
"""How the time is divided; what one part leaves over is the next one's."""

MEANINGLESS = ("wrong-type", "utility-not-finite", "no-outcomes", "bad-outcome", "evaluation-not-finite")
"""After these, nothing can be said of how good an evaluation is."""

STEP_SHARE = 0.25
"""How much of the time one call of one method may take before it is taken to hang."""


def check(
    game: Game | str, *, plays: int = 100, seed: int = 0, seconds: float = 20.0, compile: bool | None = None
) -> Report:
    """Check that a game keeps the protocol, and report what was found.

    plays      how many random games to play, in plain Python and again compiled
    seed       of the random numbers: the same seed finds the same
    seconds    how long to take at most, not counting compilation
    compile    True to insist that the game compiles, False to leave that out, or by default whatever its states allow
    """
    game = game_of(game)
    if isinstance(plays, bool) or not isinstance(plays, int) or plays < 1:
        raise ValueError(f"plays must be a whole number of at least 1, not {plays!r}")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise ValueError(f"seed must be a whole number, not {seed!r}")
    if not 0 < seconds < math.inf:
        raise ValueError(f"seconds must be more than 0 and finite, not {seconds!r}")
    return _Check(game, plays, seed, seconds, compile).run()


class _Check:
    """One call of `check`."""

    def __init__(self, game: Game, plays: int, seed: int, seconds: float, wish: bool | None):
        self.plays, self.seed, self.seconds, self.wish = plays, seed, seconds, wish
        self.original = game
        self.inspection = Inspection(game, Clock(seconds, seconds * STEP_SHARE))
        self.spent = 0.0
        self.compiled: bool = False
        self.why_plain: str | None = "its rules could not be played"
        self.statistics = Statistics()
        self.evaluation = Evaluation()

    def run(self) -> Report:
        """Every part in turn, as far as what was found allows."""
        began = time.perf_counter()
        if self._phase("rules", self._declarations) and not self.inspection.has("missing-method", "bad-declaration"):
            self._examine()
        statistics = dataclasses.replace(self.statistics, seconds=time.perf_counter() - began)
        return Report(
            game=_said(lambda: self.original.name, type(self.original).__name__),
            traits=_said(lambda: str(self.original.traits), "traits that contradict each other"),
            findings=self.inspection.findings,
            compiled=self.compiled,
            why_plain=self.why_plain,
            statistics=statistics,
            evaluation=self.evaluation,
        )

    def _declarations(self) -> None:
        check_declarations(self.inspection)

    def _examine(self) -> None:
        inspection = self.inspection
        play = RandomPlay(inspection, self.seed)
        ended = self._phase("rules", lambda: play.play(self.plays))
        self.statistics = play.statistics
        if not ended:
            self.why_plain = "its rules do not come to an end"
            return
        self.compiled, self.why_plain = compiles(inspection, self.wish)
        if inspection.has(*UNSAFE):
            return
        if self.compiled:
            comparison = Comparison(inspection, self.seed)
            ended = self._phase("modes", lambda: comparison.play(self.plays), comparison.note_hanging)
            if ended:
                comparison.conclude()
            if ended and comparison.can_peek():
                ended = self._phase("modes", lambda: comparison.peek(play.samples))
            consultation = Consultation(inspection)
            if ended and consultation.is_possible():
                ended = self._phase("modes", lambda: consultation.compare(play.samples))
            if ended:
                ended = self._phase("modes", lambda: compare_sampling(inspection, play.samples))
            self.statistics = dataclasses.replace(
                self.statistics, compared_games=comparison.games, compared_plies=comparison.plies
            )
        if ended and not inspection.has(*MEANINGLESS):
            trusted = self.compiled and not inspection.has("modes-differ", *UNSAFE)
            judge = Judge(inspection, play.samples, play.end_samples, trusted, self.seed)
            judge.prepare()
            self._phase("evaluation", judge.judge)
            self.evaluation = judge.verdict
        else:
            self.evaluation = Evaluation(own=self.original.offers("evaluate"))

    def _phase(self, name: str, job: Any, note_hanging: Any = None) -> bool:
        """Run a part within its share of the time; False where it hangs."""
        inspection = self.inspection
        order = list(SHARES)
        share = sum(SHARES[other] for other in order[: order.index(name) + 1])
        inspection.clock = Clock(max(0.0, share * self.seconds - self.spent), self.seconds * STEP_SHARE)
        began = time.perf_counter()
        try:
            ended = run_bounded(job, inspection.clock)
            if not ended:
                (note_hanging or inspection.note_hanging)()
        except Exception as error:  # the game does something that nobody has thought of
            method, s = inspection.under_way
            inspection.note_raised(method, s, error, whose="using what goes into or comes out of ")
            ended = True
        self.spent += time.perf_counter() - began
        return ended


def _said(job: Any, instead: str) -> str:
    try:
        return str(job())
    except Exception:
        return instead
