"""Backgammon: the race of fifteen checkers, with dice, the doubling cube, money games and matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.board import Board, Composition
from zermelo.game.errors import GameError
from zermelo.game.hashing import SEED, mix
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u64
from zermelo.game.unit import Unit
from zermelo.games.backgammon import bearoff, composing, decisions, features, names, news, picture, setups, texts, xgid
from zermelo.games.backgammon.bearoff import CUBELESS, ONE_SIDED, TWO_SIDED, UNKNOWN, chances, is_home, number_of
from zermelo.games.backgammon.checkers import CHECKERS, OFF, count_at
from zermelo.games.backgammon.match_equity import match_equities
from zermelo.games.backgammon.moves import double_moves, play, single_moves
from zermelo.games.backgammon.outcomes import GammonOutcomes
from zermelo.games.backgammon.state import (
    ANSWERING,
    BEAVER,
    CENTRE,
    CUBE,
    DROP,
    MOST_DOUBLES,
    MOST_MOVES,
    MOVING,
    OPENING,
    OVER,
    ROLL,
    ROLLING,
    START,
    BackgammonState,
)
from zermelo.games.parameters import whole_number
from zermelo.kernel.bits import replaced
from zermelo.networks.using import loaded

SHIPPED = Path(__file__).parent / "network.npz"


class Backgammon(Game):
    """A move is a whole play of a roll, see `moves`. A chance outcome has two digits: 52 is the roll 5-2.

    cube      play with the doubling cube
    points    the length of a match; 0 is one game for money, worth its points times the cube
    jacoby    gammons count only after a double (money only)
    beavers   a player who takes a double may double again at once and keep the cube (money only)
    tables    the evaluation uses the bear-off tables, if they are built; see `bearoff`

    In the opening roll, each player rolls one die, player 0 first; the higher one starts with both numbers, and equal
    numbers are rolled again. In a match, the game after one player comes within a point of winning is the Crawford
    game.
    """

    chance = True
    may_be_drawn = False
    max_actions = MOST_MOVES
    predicts = GammonOutcomes()
    asks_network = True

    def __init__(
        self,
        cube: bool = False,
        points: int = 0,
        jacoby: bool = False,
        beavers: bool = False,
        tables: bool = True,
    ):
        for name, value in (("cube", cube), ("jacoby", jacoby), ("beavers", beavers), ("tables", tables)):
            if not isinstance(value, bool):
                raise GameError(f"{name} must be True or False, not {value!r}")
        self.cube = cube
        self.points = whole_number("points", points, 0, 64)
        self.jacoby, self.beavers = jacoby, beavers
        if (jacoby or beavers) and (points or not cube):
            raise GameError("jacoby and beavers are rules of money games with a cube: set cube=True and points=0")
        self.escapes = features.escape_table()
        self.tables, self.binomials = tables, bearoff.binomials()
        self.last_off, self.first_off, self.pairs = bearoff.tables() if tables else bearoff.NO_TABLES
        self.match_equities = match_equities(points)
        most = 1.0 if points else 3.0 * (1 << MOST_DOUBLES if cube else 1)
        self.utility_range = (-most, most)
        self.network = loaded(SHIPPED, self)

    def initial(self) -> BackgammonState:
        return self.new_game((0, 0), 0)

    def new_game(self, score: Any, crawford: int) -> BackgammonState:
        """The start of a game of a match."""
        low, high = u64(0), u64(0)
        for place, number in START:
            if place < 16:
                low |= u64(number) << u64(4 * place)
            else:
                high |= u64(number) << u64(4 * place - 64)
        return BackgammonState((low, low), (high, high), 0, 0, OPENING, 0, CENTRE, score, crawford)

    def to_move(self, s: BackgammonState) -> int:
        return CHANCE if s.phase == OPENING or s.phase == ROLLING else s.mover

    def outcomes(self, s: BackgammonState) -> Iterator[tuple[int, float]]:
        opening = s.phase == OPENING
        for one in range(1, 7):
            for other in range(1, 7):
                if opening and one != other:
                    yield 10 * one + other, 1 / 30
                elif not opening and one >= other:
                    yield 10 * one + other, 1 / 36 if one == other else 1 / 18

    def actions(self, s: BackgammonState) -> Iterator[int]:
        if s.phase == MOVING:
            p = s.mover
            larger, smaller = s.dice >> 3, s.dice & 7
            low, high, other_low, other_high = s.low[p], s.high[p], s.low[1 - p], s.high[1 - p]
            if larger == smaller:
                for a in double_moves(low, high, other_low, other_high, larger):
                    yield a
            else:
                for a in single_moves(low, high, other_low, other_high, larger, smaller):
                    yield a
        elif s.phase == CUBE or s.phase == ANSWERING:
            yield 0  # roll, or take
            yield 1  # double, or drop
            if s.phase == ANSWERING and self.beavers and s.cube + 1 < MOST_DOUBLES:
                yield BEAVER

    def result(self, s: BackgammonState, a: int) -> BackgammonState:
        if s.phase == MOVING:
            return self.after_move(s, a)
        if s.phase == ROLLING:
            return s._replace(dice=8 * (a // 10) + a % 10, phase=MOVING)
        if s.phase == OPENING:
            one, other = a // 10, a % 10
            first = 0 if one > other else 1
            return s._replace(dice=8 * max(one, other) + min(one, other), mover=first, phase=MOVING)
        if s.phase == CUBE:
            if a == ROLL:
                return s._replace(phase=ROLLING)
            return s._replace(mover=1 - s.mover, phase=ANSWERING)
        if a == DROP:
            return self.after_game(s, 1 - s.mover, 1 << s.cube)
        doubles = s.cube + (2 if a == BEAVER else 1)
        return s._replace(mover=1 - s.mover, phase=ROLLING, cube=doubles, owner=s.mover)

    def is_terminal(self, s: BackgammonState) -> bool:
        return s.phase == OVER

    def utility(self, s: BackgammonState, p: int) -> float:
        lead = s.score[p] - s.score[1 - p]
        if self.points > 0:
            return 1.0 if lead > 0 else -1.0
        return float(lead)

    # Turns and games.

    def after_move(self, s: BackgammonState, a: int) -> BackgammonState:
        """The state after a play of the dice."""
        p = s.mover
        low, high, other_low, other_high = play(
            s.low[p], s.high[p], s.low[1 - p], s.high[1 - p], s.dice >> 3, s.dice & 7, a
        )
        lows = replaced(replaced(s.low, p, low), 1 - p, other_low)
        highs = replaced(replaced(s.high, p, high), 1 - p, other_high)
        after = BackgammonState(lows, highs, 0, 1 - p, ROLLING, s.cube, s.owner, s.score, s.crawford)
        if count_at(low, high, OFF) == CHECKERS:
            return self.after_game(after, p, self.game_points(after, p) << s.cube)
        if self.may_double(after):
            return after._replace(phase=CUBE)
        return after

    def game_points(self, s: BackgammonState, winner: int) -> int:
        """What a player who has borne off all checkers wins, without the cube: 1, 2 (gammon) or 3 (backgammon)."""
        low, high = s.low[1 - winner], s.high[1 - winner]
        if count_at(low, high, OFF) > 0 or (self.jacoby and s.owner == CENTRE):
            return 1
        return 3 if high >> u64(4 * 19 - 64) != 0 else 2  # on the bar, or on the winner's home board: places 19 to 24

    def after_game(self, s: BackgammonState, winner: int, points: int) -> BackgammonState:
        """The state after a game: over, or the start of the next game of the match."""
        if self.points == 0:
            return s._replace(phase=OVER, dice=0, score=replaced((0, 0), winner, points))
        total = min(s.score[winner] + points, self.points)
        score = replaced(s.score, winner, total)
        if total == self.points:
            return s._replace(phase=OVER, dice=0, score=score)
        near = self.points - 1
        crawford = 1 if total == near and s.score[winner] < near and s.score[1 - winner] < near else 0
        return self.new_game(score, crawford)

    def may_double(self, s: BackgammonState) -> bool:
        """Can the player to move double before the roll? In a match, only if more points than the cube's are needed."""
        if not self.cube or s.crawford or s.cube == MOST_DOUBLES or s.owner == 1 - s.mover:
            return False
        return self.points == 0 or s.score[s.mover] + (1 << s.cube) < self.points

    # Hints.

    def key(self, s: BackgammonState) -> int:
        about = s.dice | s.mover << 8 | s.phase << 10 | s.cube << 16 | s.owner << 24 | s.crawford << 28
        key = mix(u64(SEED), about | s.score[0] << 32 | s.score[1] << 40)
        for p in range(2):
            key = mix(mix(key, s.low[p]), s.high[p])
        return key

    # Evaluation.

    def evaluate(self, s: BackgammonState, p: int) -> float:
        return float(self.network.value(self, s, p))

    def viewer(self, s: BackgammonState) -> int:
        """The player who rolls next, or has rolled."""
        return 1 - s.mover if s.phase == ANSWERING else s.mover

    def known(self, s: BackgammonState, out: Any) -> int:
        """The five chances in `out`, if a bear-off table has the position; returns which one, see `bearoff`."""
        p = self.viewer(s)
        if not is_home(s.low[p], s.high[p]) or not is_home(s.low[1 - p], s.high[1 - p]):
            return UNKNOWN
        own, other = number_of(s.low[p], self.binomials), number_of(s.low[1 - p], self.binomials)
        if own < len(self.pairs) and other < len(self.pairs):
            out[0] = 0.5 + 0.5 * self.pairs[own, other, CUBELESS]
            out[1], out[2], out[3], out[4] = 0.0, 0.0, 0.0, 0.0
            return TWO_SIDED
        if len(self.last_off) == 0:
            return UNKNOWN
        chances(own, other, self.last_off, self.first_off, out)
        return ONE_SIDED

    def feature_names(self) -> tuple[str, ...]:
        return features.names()

    def features(self, s: BackgammonState, p: int) -> Iterator[tuple[int, float]]:
        numbers, amounts = np.empty(features.COUNT, np.int64), np.empty(features.COUNT, np.float32)
        for i in range(self.list_features(s, p, numbers, amounts)):
            yield int(numbers[i]), float(amounts[i])

    def list_features(self, s: BackgammonState, p: int, numbers: Any, amounts: Any) -> int:
        return features.list_features(s, p, self.escapes, numbers, amounts)

    def list_changes(self, s: BackgammonState, p: int, last: Any, numbers: Any, amounts: Any) -> int:
        return features.list_changes(s, p, self.escapes, last, numbers, amounts)

    def phase(self, s: BackgammonState) -> int:
        return features.phase_of(s)

    def phase_names(self) -> tuple[str, ...]:
        return features.PHASES

    def has_won(self, s: BackgammonState, p: int) -> bool:
        """Has player p won the game (or the match)?"""
        return s.score[p] > s.score[1 - p]

    # For people.

    def player_name(self, p: int) -> str:
        return "dice" if p == CHANCE else ("White", "Black")[p]

    def action_name(self, s: BackgammonState, a: int) -> str:
        return names.action_name(s, a)

    def action_named(self, s: BackgammonState, name: str) -> int:
        return names.action_named(self, s, name)

    def picture(self, s: BackgammonState) -> Board:
        return picture.picture(self, s)

    def paths(self, s: BackgammonState, a: int) -> Iterator[tuple[str, ...]]:
        return picture.squares_of_move(s, a)

    def composition(self, s: BackgammonState, path: tuple[str, ...]) -> Composition | None:
        return composing.composition(self, s, path)

    def standing(self, s: BackgammonState, p: int) -> str:
        return picture.standing(s, p)

    def news(self, s: BackgammonState, a: int) -> str:
        return news.of_move(self, s, a)

    def resignations(self, s: BackgammonState) -> tuple[tuple[str, int], ...]:
        return news.resignations(s)

    def resigned(self, s: BackgammonState, p: int, points: int) -> tuple[BackgammonState, str]:
        return news.resigned(self, s, p, points)

    def unit(self) -> Unit:
        """Points; in a match, 2 · (chance to win the match) − 1."""
        return Unit("match equity" if self.points else "points", digits=3)

    def stake(self, s: BackgammonState) -> float:
        return decisions.stake(self, s)

    def decision_kind(self, s: BackgammonState) -> str:
        return {CUBE: "double", ANSWERING: "answer"}.get(s.phase, "")

    def notes(self, s: BackgammonState) -> tuple[str, ...]:
        return decisions.notes(self, s)

    def to_text(self, s: BackgammonState) -> str:
        return xgid.to_text(self, s)

    def parameters_in(self, text: str) -> dict[str, Any] | None:
        return texts.parameters_in(text)

    def from_text(self, text: str) -> BackgammonState:
        """The position of an XGID, or of GNU Backgammon's IDs."""
        return setups.state_of(self, texts.read(text))
