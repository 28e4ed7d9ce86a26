"""`review`: every move of a finished game gets a grade, and a better move if there was one.

The review walks backwards from the end. The value of a position is also the value of the move that led to it. So what
is proven late in the game tells which earlier move was wrong, even if the earlier position itself is not solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.stopping import StopToken
from zermelo.play.play import Play
from zermelo.play.record import Record
from zermelo.search.analysis import Analysis
from zermelo.search.engine import Engine
from zermelo.search.grades import GRADES, accuracy, grade, lost_share, sentence
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import choose
from zermelo.search.wording import Worth, is_two_sided, legend, result_of, share, words

SECONDS = 0.5
"""Seconds for each position, on average."""
SMALL = 5_000
"""Positions that the engine proves with this many nodes in plain Python need no compiled program."""
SHOWN = 8
"""How many moves of a line are shown."""


@dataclass(frozen=True)
class Reviewed:
    """One move of the game.

    before   what the best move was worth to the mover; `best` is its name, and `line` begins with it
    after    what the move that was played is worth to the mover; `reply` is how play goes on then
    lost     the share of the winning chances that the move lost; None if that is unknown
    grade    "", "?!" (inaccuracy), "?" (mistake) or "??" (blunder)
    why      a sentence about it; empty without a grade
    """

    ply: int
    player: int
    name: str
    before: Worth
    after: Worth
    best: str
    line: tuple[str, ...]
    reply: tuple[str, ...]
    lost: float | None
    grade: str
    why: str

    @property
    def is_decided(self) -> bool:
        """Are both values proven?"""
        return self.before.proven and self.after.proven


@dataclass(frozen=True)
class Review:
    """What a review found. `moves` has the moves that were graded; a review that was stopped has the last ones."""

    game: Game = field(repr=False)
    states: tuple[Any, ...] = field(repr=False)
    moves: tuple[Reviewed, ...]
    plies: int
    done: bool

    @property
    def mistakes(self) -> list[Reviewed]:
        """The moves with a grade."""
        return [move for move in self.moves if move.grade]

    @property
    def first_losing(self) -> Reviewed | None:
        """The first move by which a player who was not lost was lost, as far as that is proven."""
        for move in self.moves:
            if result_of(self.game, move.after) == 0 and result_of(self.game, move.before) != 0:
                return move
        return None

    def accuracy(self, player: int) -> float | None:
        """The average accuracy of a player's moves, from 0 to 100; None if none could be judged."""
        found = [accuracy(move.lost) for move in self.moves if move.player == player and move.lost is not None]
        return sum(found) / len(found) if found else None

    def counts(self, player: int) -> dict[str, int]:
        """How many inaccuracies, mistakes and blunders a player made."""
        marks = [move.grade for move in self.moves if move.player == player]
        return {name: marks.count(mark) for mark, name in GRADES.items()}

    def to_json(self) -> dict[str, Any]:
        """The review as plain data."""
        return {
            "game": self.game.name,
            "legend": legend(self.game),
            "done": self.done,
            "plies": self.plies,
            "players": [
                {"name": self.game.player_name(p), "accuracy": self.accuracy(p), **self.counts(p)}
                for p in range(self.game.players)
            ],
            "moves": [
                {
                    "ply": move.ply,
                    "player": self.game.player_name(move.player),
                    "move": move.name,
                    "value": words(self.game, move.after),
                    "proven": move.after.proven,
                    "lost": move.lost,
                    "grade": move.grade,
                    "best": move.best,
                    "best_value": words(self.game, move.before),
                    "line": list(move.line),
                    "why": move.why,
                }
                for move in self.moves
            ],
        }

    def __str__(self) -> str:
        rows = [f"{move.ply + 1:>4}. {self._row(move)}" for move in self.moves]
        if not self.done:
            rows.insert(0, f"stopped: {len(self.moves)} of {self.plies} moves were reviewed, from the end")
        return "\n".join([*rows, *self._summary(), legend(self.game)])

    def _row(self, move: Reviewed) -> str:
        who, said = self.game.player_name(move.player), move.why or words(self.game, move.after)
        return f"{who:<6} {f'{move.name}{move.grade}':<8} {said}"

    def _summary(self) -> list[str]:
        rows = []
        for p in range(self.game.players):
            found = self.accuracy(p)
            told = ", ".join(f"{count} {_plural(name, count)}" for name, count in self.counts(p).items())
            rows.append(f"{self.game.player_name(p)}: {'' if found is None else f'accuracy {found:.0f} %, '}{told}")
        return rows


def _plural(name: str, count: int) -> str:
    if count == 1:
        return name
    return name[:-1] + "ies" if name.endswith("y") else f"{name}s"


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
) -> Review:
    """Grade every move of the main line of a game.

    seconds      for each position, on average: what one position does not need is left for the others
    stop         a token that ends the review; what was found so far is returned
    on_progress  called with the number of positions that are finished, and of all
    compile      True, False, or by default whatever the game's states allow
    """
    play = played.play() if isinstance(played, Record) else played
    reviewer = Reviewer(play.game, compile=compile)
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
    ):
        if game.hidden:
            raise Unsuitable(f"{game.title} hides something from its players: it cannot be reviewed")
        self.game = game
        self.searcher = searcher
        self.engine: Engine | None = engine or getattr(searcher, "engine", None)
        if searcher is None and engine is None:
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
