"""Cube decisions for people: the equities of no double, double/take and double/drop, and the verdict in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.games.backgammon import cube
from zermelo.games.backgammon.bearoff import ONE_SIDED, TWO_SIDED, UNKNOWN
from zermelo.games.backgammon.state import ANSWERING, CENTRE, CUBE, MOST_DOUBLES, OPENING, OVER, BackgammonState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo.games.backgammon.rules import Backgammon

SOURCES = {UNKNOWN: "the network", ONE_SIDED: "the one-sided bear-off table", TWO_SIDED: "the two-sided bear-off table"}


@dataclass(frozen=True)
class CubeDecision:
    """What the player who rolls next can expect, in the unit of the game's utility.

    no_double, double_take, double_drop   the equities of the roller
    double_beaver                         the same if the opponent may beaver; else None
    redouble                              is it a redouble?
    in_match                              are the equities 2 · (chance to win the match) − 1, not points?
    """

    no_double: float
    double_take: float
    double_drop: float
    double_beaver: float | None
    redouble: bool
    in_match: bool

    @property
    def doubled(self) -> float:
        """The equity after a double and the best answer."""
        return min(self.double_take, self.double_drop, *([] if self.double_beaver is None else [self.double_beaver]))

    @property
    def should_double(self) -> bool:
        """Is a double at least as good as a roll?"""
        return self.doubled >= self.no_double

    @property
    def answer(self) -> str:
        """The best answer to a double."""
        if self.double_beaver is not None and self.double_beaver < min(self.double_take, self.double_drop):
            return "beaver"
        return "take" if self.double_take <= self.double_drop else "pass"

    @property
    def is_too_good(self) -> bool:
        """Does the opponent pass, and is playing on for a gammon worth more?"""
        return not self.should_double and self.answer == "pass" and self.no_double > self.double_drop

    @property
    def verdict(self) -> str:
        """In the usual words."""
        double = "redouble" if self.redouble else "double"
        if self.is_too_good:
            return f"too good to {double}, pass"
        return f"{double if self.should_double else f'no {double}'}, {self.answer}"

    def __str__(self) -> str:
        double = "redouble" if self.redouble else "double"
        rows = [(f"no {double}", self.no_double), (f"{double}/take", self.double_take)]
        rows += [] if self.double_beaver is None else [(f"{double}/beaver", self.double_beaver)]
        rows.append((f"{double}/pass", self.double_drop))
        listed = ", ".join(f"{name} {self._shown(value)}" for name, value in rows)
        return f"{self.verdict} ({listed})"

    def _shown(self, value: float) -> str:
        return f"{50 + 50 * value:.1f} %" if self.in_match else f"{value:+.3f}"


def decision(game: Backgammon, s: BackgammonState, chances: Sequence[float] | None = None) -> CubeDecision | None:
    """The decision about the cube before a roll, or about an answer; None if the player cannot double.

    chances   the five chances as the roller sees them; by default those of the evaluation
    """
    if s.phase not in (CUBE, ANSWERING):
        return None
    out = np.array(chances, float) if chances is not None else predicted(game, s)[0]
    may_beaver = game.beavers and s.cube + 1 < MOST_DOUBLES
    return CubeDecision(
        cube.no_double(game, s, out),
        cube.double_take(game, s, out),
        cube.double_drop(game, s),
        cube.double_beaver(game, s, out) if may_beaver else None,
        s.owner != CENTRE,
        game.points > 0,
    )


def predicted(game: Backgammon, s: BackgammonState) -> tuple[Any, str]:
    """The five chances of the player who rolls next, and where they are from."""
    out = np.zeros(game.predicts.count)
    source = SOURCES[game.known(s, out)]
    game.network.predict(game, s, game.viewer(s), out)
    return out, source


def notes(game: Backgammon, s: BackgammonState) -> tuple[str, ...]:
    """What the evaluation says of a position, in lines: the chances, the cube, and the score of a match."""
    if s.phase in (OPENING, OVER):
        return ()
    out, source = predicted(game, s)
    win, gammon, backgammon, lost_gammon, lost_backgammon = (f"{100 * chance:.1f}" for chance in out)
    lost = f"{100 - 100 * out[0]:.1f}"
    who = game.player_name(game.viewer(s))
    lines = [
        f"{who} wins {win} % (gammon {gammon}, backgammon {backgammon}), loses {lost} % "
        f"(gammon {lost_gammon}, backgammon {lost_backgammon}); from {source}"
    ]
    found = decision(game, s)
    if found is not None:
        lines.append(f"cube: {found}")
    if game.points > 0:
        chance = 50 + 50 * cube.opening(game, s)
        lines.append(f"at this score {game.player_name(0)} wins the match with {chance:.1f} % before the game")
    return tuple(lines)


def stake(game: Backgammon, s: BackgammonState) -> float:
    """What a point at the present cube is worth: half of what lies between winning and losing a single game."""
    if game.points == 0:
        return float(1 << s.cube)
    points, own, other = 1 << s.cube, game.points - s.score[0], game.points - s.score[1]
    later, table = cube.later_of(own, other), game.match_equities
    return cube.after_game(table, later, own - points, other) - cube.after_game(table, later, own, other - points)
