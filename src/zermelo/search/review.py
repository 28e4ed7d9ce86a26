"""`review`: every move of a finished game gets a grade, and a better move if there was one.

The review walks backwards from the end. The value of a position is also the value of the move that led to it. So what
is proven late in the game tells which earlier move was wrong, even if the earlier position itself is not solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.stopping import StopToken
from zermelo.play.play import Play
from zermelo.play.record import Record
from zermelo.search import appraisal
from zermelo.search.analysis import Analysis
from zermelo.search.appraisal import Appraised, Appraiser
from zermelo.search.engine import Engine
from zermelo.search.grades import grade, lost_share, sentence, stake_grade, stake_sentence
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import choose
from zermelo.search.reviewed import Review, Reviewed, Rolled
from zermelo.search.wording import Worth, is_two_sided, result_of, share

SECONDS = 0.5
"""Seconds for each position, on average."""
SMALL = 5_000
"""Positions that the engine proves with this many nodes in plain Python need no compiled program."""
SHOWN = 8
"""How many moves of a line are shown."""


@dataclass(frozen=True)
class Known:
    """What is known about a position: its value, the best move's name, and the expected play."""

    worth: Worth
    best: str = ""
    line: tuple[str, ...] = ()


def review(
    played: Play | Record,
    *,
    seconds: float = SECONDS,
    stop: StopToken | None = None,
    on_progress: Callable[[int, int], Any] | None = None,
    compile: bool | None = None,
    plies: int = appraisal.PLIES,
) -> Review:
    """Grade every move of the main line of a game.

    seconds      for each position, on average: what one position does not need is left for the others
    stop         a token that ends the review; what was found so far is returned
    on_progress  called with the number of positions that are finished, and of all
    compile      True, False, or by default whatever the game's states allow
    plies        in games with chance, the plies at which moves are judged, if the time allows
    """
    play = played.play() if isinstance(played, Record) else played
    reviewer = Reviewer(play.game, compile=compile, plies=plies)
    line = play.main_line
    return reviewer.review([each.state for each in line], play.names(line), seconds, stop, on_progress)


class Reviewer:
    """Reviews games with one searcher, which keeps what it has found: by default the strongest, or a given engine."""

    def __init__(
        self,
        game: Game,
        *,
        compile: bool | None = None,
        searcher: Searcher | None = None,
        engine: Engine | None = None,
        plies: int = appraisal.PLIES,
    ):
        if game.hidden:
            raise Unsuitable(f"{game.title} hides something from its players: it cannot be reviewed")
        self.game = game
        self.searcher = searcher
        self.appraiser = Appraiser(game, plies, compile) if appraisal.suits(game) else None
        self.engine: Engine | None = engine or getattr(searcher, "engine", None)
        if self.appraiser is not None:
            self.engine = None
        elif searcher is None and engine is None:
            chosen, _ = choose(game, limits=("seconds",))
            self.searcher = chosen.make(chosen, game, compile, {})
            self.engine = getattr(self.searcher, "engine", None)
        self.can_only_prove = self.engine is not None and not game.uses_history and not game.offers("evaluate")
        can_start_small = self.engine is not None and not game.uses_history and compile is None
        self._simple = Engine(game, table=1, compile=False) if can_start_small else None

        self._spent = 0.0

    def review(
        self,
        states: Sequence[Any],
        names: Sequence[str | None],
        seconds: float = SECONDS,
        stop: StopToken | None = None,
        on_progress: Callable[[int, int], Any] | None = None,
        on_known: Callable[[int, Known, Known | None], Any] | None = None,
    ) -> Review:
        """Grade the moves between these states. `on_known` is called with each ply, its position, and the next one."""
        if self.appraiser is not None:
            return self._appraised(states, names, seconds, stop, on_progress, on_known)
        game, plies = self.game, len(names)
        found: list[Reviewed] = []
        after: Known | None = None
        left, done = seconds * max(plies, 1), False
        for ply in range(len(states) - 1, -1, -1):
            if stop is not None and stop.is_set:
                break
            self._spent = 0.0
            known = self.known(states[: ply + 1], self._allowed(left, ply + 1), stop)
            if known is None:
                break
            if after is not None and game.to_move(states[ply]) != CHANCE:
                known = self._improved(states[ply], known, names[ply] or "", after)
                found.append(self._graded(ply, states[ply], names[ply] or "", known, after))
            if on_known is not None:
                on_known(ply, known, after)
            after = known
            left = max(left - self._spent, 0.0)
            if on_progress is not None:
                on_progress(len(states) - ply, len(states))
            done = ply == 0
        return Review(game, tuple(states), tuple(reversed(found)), plies, done)

    def _appraised(
        self,
        states: Sequence[Any],
        names: Sequence[str | None],
        seconds: float,
        stop: StopToken | None,
        on_progress: Callable[[int, int], Any] | None,
        on_known: Callable[[int, Known, Known | None], Any] | None,
    ) -> Review:
        """The same for a game with chance: each decision and each roll is measured by itself."""
        assert self.appraiser is not None
        game, done = self.game, True
        found: list[Reviewed] = []
        rolls: list[Rolled] = []
        for ply in range(len(names) - 1, -1, -1):
            s, after = states[ply], states[ply + 1]
            name = names[ply] or ""
            if stop is not None and stop.is_set:
                done = False
                break
            if game.to_move(s) == CHANCE:
                player = self._roller(s, after)
                rolls.append(Rolled(ply, player, name, self.appraiser.luck(s, after, player)))
            else:
                judged = self.appraiser.decision(s, game.action_named(s, name), seconds, stop)
                if judged is None:
                    done = False
                    break
                found.append(self._measured(ply, s, name, judged))
                if on_known is not None:
                    best = Known(found[-1].before, found[-1].best, (found[-1].best,))
                    on_known(ply, best, Known(found[-1].after))
            if on_progress is not None:
                on_progress(len(names) - ply, len(names))
        return Review(game, tuple(states), tuple(reversed(found)), len(names), done, tuple(reversed(rolls)))

    def _roller(self, s: Any, after: Any) -> int:
        """The player to whom an outcome of chance belongs: who rolls or, if that is open, who moves then."""
        game = self.game
        if game.is_terminal(after) or game.to_move(after) == CHANCE:
            return game.viewer(s)
        return game.viewer(after)

    def _measured(self, ply: int, s: Any, name: str, judged: Appraised) -> Reviewed:
        game, player = self.game, self.game.to_move(s)
        before, after = Worth(judged.best_value, player), Worth(judged.value, player)
        best = game.action_name(s, judged.best)
        if game.stake(s) is None:
            lost = lost_share(game, before, after)
            mark = grade(lost)
        else:
            lost, mark = min(judged.cost / 2, 1.0), stake_grade(judged.cost)
        why = stake_sentence(name, judged.cost, best) if mark else ""
        return Reviewed(
            ply, player, name, before, after, best, (best,), (), lost, mark, why, judged.cost, judged.counts
        )

    def known(self, states: Sequence[Any], seconds: float, stop: StopToken | None) -> Known | None:
        """The value of the last state; None if the search was stopped."""
        game, s = self.game, states[-1]
        if game.remembering(states).is_terminal(s):
            values = tuple(float(game.utility(s, p)) for p in range(game.players))
            own = values[0] if game.traits.sides <= 2 else values
            lost_or_won = game.decisive and values[0] in game.utility_bounds(0)
            return Known(Worth(own, 0, 0 if lost_or_won else None, True))
        answer = self._analysis(Question(game, s, states[:-1], seconds=max(seconds, 0.01), stop=stop, by_name=False))
        self._spent = answer.seconds  # without compilation
        if stop is not None and stop.is_set and not answer.exact:
            return None
        return Known(answer.worth, *self._named(answer))

    def value_of(self, states: Sequence[Any], name: str, seconds: float = SECONDS) -> Worth:
        """What a move, by its name, from the last state is worth to the mover."""
        game, s = self.game, states[-1]
        action = game.remembering(states).action_named(s, name)
        if self.appraiser is not None:
            judged = self.appraiser.decision(s, action, seconds, None)
            assert judged is not None  # it was not stopped
            return Worth(judged.value, game.to_move(s))
        known = self.known([*states, game.result(s, action)], seconds, None)
        assert known is not None
        return seen_by(game, game.to_move(s), known.worth)

    def _allowed(self, left: float, positions: int) -> float:
        """Seconds for the next position. Proofs take most of the time in few positions, estimates the same in all."""
        return left / 2 if self.can_only_prove else left / positions

    def _analysis(self, question: Question) -> Analysis:
        if self._simple is not None:  # until it fails: earlier positions are harder
            answer = self._simple.solve(question.state, nodes=SMALL, stop=question.stop)
            if answer.exact:
                return answer
            self._simple = None
        if self.engine is not None and self.can_only_prove:
            return self.engine.solve(question.state, seconds=question.seconds, stop=question.stop)
        if self.searcher is not None:
            return self.searcher.analyse(question)
        assert self.engine is not None
        limits: dict[str, Any] = {"seconds": question.seconds, "history": question.history, "stop": question.stop}
        return self.engine.think(question.state, **limits)

    def _named(self, answer: Analysis) -> tuple[str, tuple[str, ...]]:
        if answer.action is None or (self.can_only_prove and not answer.exact):
            return "", ()
        names = answer.names_of(answer.line[:SHOWN])
        return self.game.action_name(answer.state, answer.action), names

    def _improved(self, s: Any, known: Known, name: str, after: Known) -> Known:
        """The position's value, not worse than that of the move that was played from it."""
        played = seen_by(self.game, self.game.to_move(s), after.worth)
        if known.worth.proven:
            return known
        before, there = share(self.game, known.worth), share(self.game, played)
        is_won = played.proven and result_of(self.game, played) == 1
        if is_won or (before is not None and there is not None and there >= before and not played.proven):
            return Known(played, name, (name, *after.line)[:SHOWN])
        return known

    def _graded(self, ply: int, s: Any, name: str, known: Known, after: Known) -> Reviewed:
        player = self.game.to_move(s)
        played = seen_by(self.game, player, after.worth)
        lost = 0.0 if known.best == name else lost_share(self.game, known.worth, played)
        mark = grade(lost)
        why = sentence(self.game, name, played, after.line, known.worth, known.best, known.line) if mark else ""
        return Reviewed(ply, player, name, known.worth, played, known.best, known.line, after.line, lost, mark, why)


def seen_by(game: Game, player: int, worth: Worth) -> Worth:
    """What the value of the next position is worth to the player who moved there, one ply earlier."""
    distance = None if worth.distance is None else worth.distance + 1
    value = worth.value
    if not isinstance(value, tuple) and is_two_sided(game) and game.side(player) != game.side(worth.player):
        total = game.utility_bounds(player)[0] + game.utility_bounds(worth.player)[1]
        value = (total if math.isfinite(total) else 0.0) - value + 0.0
    return Worth(value, player, distance, worth.proven, worth.sampled, worth.error)
