"""Checkers: when the game ends, and names."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.board import Board
from zermelo.game.errors import StateError
from zermelo.game.protocol import CHANCE, State
from zermelo.game.unit import Unit, learned_slope
from zermelo.games.advantage import expanded
from zermelo.games.checkers import fen, names, picture
from zermelo.games.checkers.board import ARMIES, CheckersState
from zermelo.games.checkers.hints import MAN_WORTH, CheckersHints
from zermelo.games.checkers.weights import FILE
from zermelo.games.parameters import whole_number

BOOK = Path(__file__).parent / "book.pdn"
"""The opening book: the first moves of games against itself, made by scripts/checkers_book.py."""


class Checkers(CheckersHints):
    """English draughts, by the rules of the World Checkers/Draughts Federation.

    A player who can capture must, and must jump on as long as the same piece can; of several captures any is allowed.
    Men capture forwards, kings in all directions. A man that reaches the last row becomes a king, and the move ends.
    A player who cannot move loses.

    repetitions   so many occurrences of a position are a draw; 0: none are
    moves         so many moves of each player without a capture and without a move of a man are a draw; 0: none are
    weights       the weights of the evaluation; None for the default
    """

    utility_range = (-1.0, 1.0)
    ends_without_moves = True
    max_actions = 128
    uses_history = True
    indexes_history = False  # only positions since the last capture or move of a man can recur, so it scans those
    forward_pruning = ("reductions", "futility")
    extends_urgent = False  # captures are too common: lines with many would be all that is searched
    evaluation_unit = MAN_WORTH / 8

    def __init__(self, repetitions: int = 3, moves: int = 40, weights: Any = None):
        super().__init__(weights)
        self.repetitions = whole_number("repetitions, the occurrences that are a draw,", repetitions, 0, 100)
        self.moves = whole_number("moves, those without progress that are a draw,", moves, 0, 10_000)
        self.plies_without_progress = 2 * moves
        self.uses_history = repetitions > 0
        self.history, self.history_length = np.zeros(0, np.uint64), np.zeros(1, np.int64)

    def initial(self) -> CheckersState:
        return CheckersState(*ARMIES, 0, 0, 0)

    # The end.

    def is_drawn(self, s: CheckersState) -> bool:
        if self.plies_without_progress > 0 and s.clock >= self.plies_without_progress:
            return True
        if self.repetitions == 0 or s.clock < 4 * (self.repetitions - 1):
            return False
        return self.times_seen(s) >= self.repetitions

    def times_seen(self, s: CheckersState) -> int:
        """How often the position has occurred: only since the last capture or move of a man can it have.

        It is at the end of the history, and the same player was to move whenever it occurred.
        """
        last = self.history_length[0] - 1
        key = self.key(s)
        count = 1
        for i in range(last - 4, max(last - s.clock, 0) - 1, -2):
            if self.history[i] == key:
                count += 1
        return count

    def recurs(self, s: CheckersState) -> bool:
        return self.repetitions > 0 and s.clock >= 4 and self.times_seen(s) >= 2

    def is_terminal(self, s: CheckersState) -> bool:
        return self.is_drawn(s) or not self.has_move(s)

    def utility(self, s: CheckersState, p: int) -> float:
        if self.has_move(s):
            return 0.0
        return -1.0 if s.mover == p else 1.0

    def timeless(self) -> Checkers:
        return Checkers(repetitions=0, moves=0, weights=self.weights)

    def in_time(self, s: CheckersState, plies: int) -> bool:
        return self.plies_without_progress == 0 or s.clock + plies <= self.plies_without_progress

    # For people.

    def own_book(self) -> Path | None:
        return BOOK

    def action_name(self, s: CheckersState, a: int) -> str:
        return names.short_name(self, s, a)

    def action_named(self, s: CheckersState, name: str) -> int:
        """The move: 11-15, 22x15, or with all landing squares 22x15x8."""
        return names.parse(self, s, name)

    def men(self, value: float) -> float:
        """A value in men: the inverse of the compression in `evaluate`."""
        return expanded(value) / MAN_WORTH

    def unit(self) -> Unit:
        return Unit("men", self.men, slope=learned_slope(FILE), plies=2)

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else ("Black", "White")[p]

    def ending(self, s: CheckersState) -> str | None:
        return names.ending(self, s)

    def standing(self, s: CheckersState, p: int) -> str:
        return names.captured(s, p)

    def picture(self, s: CheckersState) -> Board:
        return picture.board_of(s)

    def text(self, s: CheckersState) -> str:
        return picture.text_of(self, s)

    def paths(self, s: CheckersState, a: int) -> Iterable[tuple[str, ...]]:
        """The piece and its landing squares, by each route; the last landing square alone is enough if it is clear."""
        return names.paths(self, s, a)

    def from_fen(self, text: str) -> CheckersState:
        """The position of a FEN, such as "W:W21,K30:B1,K5"; a number after it is the clock."""
        return fen.parse(text)

    def fen(self, s: CheckersState) -> str:
        """The position as FEN, with the clock after it unless it is 0."""
        return fen.write(s)

    def to_text(self, s: CheckersState) -> str:
        return self.fen(s)

    def from_text(self, text: str) -> CheckersState:
        return self.from_fen(text)

    def checked(self, state: State) -> CheckersState:
        s: CheckersState = super().checked(state)
        reason = fen.problem(s)
        if reason is not None:
            raise StateError(f"{s} is not a position of {self.title}: {reason}")
        return s
