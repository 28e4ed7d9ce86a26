"""Pig: roll the die as often as you dare; a 1 loses the turn's total (Scarne 1945)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.game.board import Board, Track
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import i32, u8
from zermelo.games.parameters import whole_number
from zermelo.kernel.bits import replaced

ROLL, HOLD = 0, 1
COLOURS = ("blue", "red")


class PigState(NamedTuple):
    """Both scores, the turn's total, the player to move, and whether the die is rolling."""

    scores: tuple[i32, i32]
    turn: i32
    mover: u8
    rolling: u8


class Pig(Game):
    """Roll or hold. A roll of 2 or more is added to the turn's total; a 1 loses the total and ends the turn.

    Holding adds the total to the score. A player who reaches the target, counting the turn's total, wins. A turn starts
    with a roll, and the game can go on forever, so a search needs a limit. A chance outcome is the number on the die.
    """

    chance = True
    utility_range = (-1.0, 1.0)
    may_be_drawn = False

    def __init__(self, target: int = 100, faces: int = 6):
        self.target = whole_number("target", target, 2, 60_000)
        self.faces = whole_number("faces", faces, 2, 100)
        self.max_actions = max(2, self.faces)  # the die's outcomes counted

    def initial(self) -> PigState:
        return PigState((0, 0), 0, 0, 0)

    def to_move(self, s: PigState) -> int:
        return CHANCE if s.rolling else s.mover

    def actions(self, s: PigState) -> Iterator[int]:
        if self.is_terminal(s):
            return
        yield ROLL  # first, since a search of chance nodes prunes more after it
        if s.turn > 0:
            yield HOLD

    def outcomes(self, s: PigState) -> Iterator[tuple[int, float]]:
        for face in range(1, self.faces + 1):
            yield face, 1.0 / self.faces

    def result(self, s: PigState, a: int) -> PigState:
        if not s.rolling and a == ROLL:
            return PigState(s.scores, s.turn, s.mover, 1)
        if s.rolling and a > 1:
            return PigState(s.scores, s.turn + a, s.mover, 0)
        kept = 0 if s.rolling else s.turn
        return PigState(replaced(s.scores, s.mover, s.scores[s.mover] + kept), 0, 1 - s.mover, 0)

    def is_terminal(self, s: PigState) -> bool:
        return s.scores[s.mover] + s.turn >= self.target

    def utility(self, s: PigState, p: int) -> float:
        return 1.0 if p == s.mover else -1.0

    def evaluate(self, s: PigState, p: int) -> float:
        """The lead divided by the target, including the turn's total: less than 1, because the game is not over."""
        lead = (s.scores[s.mover] + s.turn - s.scores[1 - s.mover]) / self.target
        return lead if p == s.mover else -lead

    # What a network may look at. A roll belongs to the player who rolls.

    def viewer(self, s: PigState) -> int:
        return s.mover

    def feature_names(self) -> tuple[str, ...]:
        return ("own score", "opponent's score", "own turn's total", "opponent's turn's total")

    def features(self, s: PigState, p: int) -> Iterator[tuple[int, float]]:
        """All as shares of the target."""
        yield 0, s.scores[p] / self.target
        yield 1, s.scores[1 - p] / self.target
        yield (2 if s.mover == p else 3), s.turn / self.target

    # For people.

    def action_name(self, s: PigState, a: int) -> str:
        if s.rolling:
            return str(a)
        return "roll" if a == ROLL else "hold"

    def standing(self, s: PigState, p: int) -> str:
        return f"{s.scores[p]} point{'s' * (s.scores[p] != 1)}" + (f" + {s.turn}" if s.mover == p and s.turn else "")

    def picture(self, s: PigState) -> Board:
        """Both scores on their tracks, and the die while it rolls; a `Play` shows what it has rolled."""
        tracks = tuple(
            Track(self.player_name(p), s.scores[p], self.target, s.turn if p == s.mover else 0, COLOURS[p])
            for p in (0, 1)
        )
        return Board(tracks=tracks, dice=(0,) if s.rolling else ())
