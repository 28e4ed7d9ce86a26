"""Chess: when the game ends, hints for an engine, and names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.board import CHESSMEN, Board, Piece, squares
from zermelo.game.errors import GameError, StateError
from zermelo.game.protocol import CHANCE, State
from zermelo.game.unit import Unit, learned_slope
from zermelo.games.advantage import MOST, NEAR, STEEP, expanded
from zermelo.games.chess import epd, fen, names
from zermelo.games.chess.board import ChessState
from zermelo.games.chess.chances import Chances, chances
from zermelo.games.chess.endgames import LIGHT
from zermelo.games.chess.hints import PAWN_WORTH, ChessHints
from zermelo.games.chess.openings import opening_of
from zermelo.games.chess.weights import FILE
from zermelo.games.parameters import whole_number
from zermelo.kernel.bits import count_bits
from zermelo.networks.using import loaded

DRAWS = {"claimed": (3, 50), "automatic": (5, 75), "never": (0, 0)}
"""The number of occurrences of a position, and of moves without progress, that make a draw."""

EVALUATIONS = ("features", "network")
DEFAULT_EVALUATION = "network"
SHIPPED = Path(__file__).with_name("network.npz")
"""The network that chess is shipped with; docs/chess_network.md says how it was trained."""

BOOK = Path(__file__).with_name("book.bin")
"""Moves of its own self-play, as `scripts/build_book.py` writes them."""

PIECES = {
    letter.upper() if colour == "white" else letter: Piece(f"{colour} {kind}", kind, colour, letter.upper())
    for colour in ("white", "black")
    for letter, kind in zip("pnbrqk", CHESSMEN, strict=True)
}

_starts: dict[tuple[type, int | None], ChessState] = {}
"""Initial positions that have been read: reading one takes as long as a search of 50 nodes."""


class Chess(ChessHints):
    """The laws of chess (FIDE 2023), also from any of the 960 starting positions.

    chess960     the number of the starting position, from 0 to 959; None for standard chess
    draws        "claimed": a third occurrence of a position, or fifty moves without progress, ends the game, as if one
                 of the players always claimed it. "automatic": a fifth occurrence and seventy-five moves, which need
                 no claim. "never": only mate and stalemate end the game, as perft requires.
    weights      the weights of the evaluation's features; None for the default
    evaluation   "features": a weighted sum of features, for which `explain` names every term; "network": what a
                 network says is added to it. The default is the stronger one, or "features" if there are `weights`.
    """

    utility_range = (-1.0, 1.0)
    ends_without_moves = True
    max_actions = 256
    uses_history = True
    indexes_history = False  # only positions since the last capture or pawn move can recur, so it scans those
    forward_pruning = ("null_move", "reductions", "futility")
    costly_evaluation = True
    evaluation_unit = PAWN_WORTH / 8

    def __init__(
        self, chess960: int | None = None, draws: str = "claimed", weights: Any = None, evaluation: str | None = None
    ):
        super().__init__(weights)
        if chess960 is not None:
            whole_number("chess960, the number of the starting position,", chess960, 0, 959)
        if draws not in DRAWS:
            raise GameError(f"draws must be one of {', '.join(map(repr, DRAWS))}, not {draws!r}")
        self.start = np.array([-1 if chess960 is None else chess960])  # a table: all starts share one program
        self.draws = draws
        self.repetitions, moves = DRAWS[draws]
        self.plies_without_progress = 2 * moves
        self.uses_history = self.draws_count = draws != "never"
        self.history, self.history_length = (
            np.zeros(0, np.uint64),
            np.zeros(1, np.int64),
        )  # tables, so it can be compiled
        self._choose_evaluation(evaluation if evaluation or weights is None else "features")

    def _choose_evaluation(self, evaluation: str | None) -> None:
        chosen = evaluation or DEFAULT_EVALUATION
        if chosen not in EVALUATIONS:
            raise GameError(f"evaluation must be one of {', '.join(map(repr, EVALUATIONS))}, not {evaluation!r}")
        self.network = loaded(SHIPPED, self) if chosen == "network" else None

    @property
    def evaluation(self) -> str:
        """What evaluates positions: "features" or "network"."""
        return "features" if self.network is None else "network"

    @property
    def chess960(self) -> int | None:
        """The number of the starting position; None for the usual game."""
        return None if self.start[0] < 0 else int(self.start[0])

    def _parameters(self) -> dict[str, Any]:
        own: dict[str, Any] = {} if self.chess960 is None else {"chess960": self.chess960}
        if self.evaluation != DEFAULT_EVALUATION:
            own["evaluation"] = self.evaluation
        return {**own, **super()._parameters()}

    def initial(self) -> ChessState:
        start = _starts.get((type(self), self.chess960))
        if start is None:
            start = fen.parse(self, fen.START if self.chess960 is None else fen.start_960(self.chess960))
            _starts[type(self), self.chess960] = start
        return start

    # The end.

    def is_drawn(self, s: ChessState) -> bool:
        if not self.draws_count:
            return False
        if s.clock >= self.plies_without_progress or self.is_dead(s):
            return True
        return s.clock >= 4 * (self.repetitions - 1) and self.times_seen(s) >= self.repetitions

    def times_seen(self, s: ChessState) -> int:
        """How often the position has occurred: only since the last move that cannot be taken back can it have.

        It is at the end of the history, and the same player was to move whenever it occurred.
        """
        last = self.history_length[0] - 1
        count = 1
        for i in range(last - 4, max(last - s.clock, 0) - 1, -2):
            if self.history[i] == s.key:
                count += 1
        return count

    def recurs(self, s: ChessState) -> bool:
        return s.clock >= 4 and self.times_seen(s) >= 2

    def is_dead(self, s: ChessState) -> bool:
        """Insufficient material: bare kings, one minor piece, or bishops that are all on squares of one colour."""
        if s.pawns | s.rooks | s.queens != 0:
            return False
        minor = s.knights | s.bishops
        if minor & (minor - 1) == 0:
            return True
        return s.knights == 0 and (s.bishops & LIGHT == 0 or s.bishops & ~LIGHT == 0)

    def is_terminal(self, s: ChessState) -> bool:
        return self.is_drawn(s) or not self.has_move(s)

    def utility(self, s: ChessState, p: int) -> float:
        if self.has_move(s) or not self.in_check(s):
            return 0.0
        return -1.0 if s.mover == p else 1.0

    def timeless(self) -> Chess:
        return Chess(draws="never")

    # For people.

    def action_name(self, s: ChessState, a: int) -> str:
        return names.short_name(self, s, a)

    def action_named(self, s: ChessState, name: str) -> int:
        """The move, in short notation or in long."""
        return names.parse(self, s, name)

    def long_name(self, s: ChessState, a: int) -> str:
        """The move as the Universal Chess Interface writes it: e2e4, e7e8q; in Chess960 castling is e1h1."""
        return names.long_name(self, s, a)

    def centipawns(self, value: float) -> float:
        """A value in centipawns, as chess programs report it: the inverse of the compression in `evaluate`."""
        return 100 * expanded(value) / PAWN_WORTH

    def value_of_centipawns(self, centipawns: float) -> float:
        """The inverse of `centipawns`; less than a win, however many they are."""
        size = abs(centipawns) * PAWN_WORTH / 100
        if size > NEAR:
            size = min(NEAR + (size - NEAR) / STEEP, MOST)
        return math.copysign(size, centipawns)

    def chances(self, s: ChessState, value: float) -> Chances:
        """The chances of a win, a draw and a loss for a player to whom this position is worth this value."""
        return chances(self.centipawns(value) / 100, count_bits(s.white | s.black))

    def unit(self) -> Unit:
        return Unit("pawns", lambda value: self.centipawns(value) / 100, slope=learned_slope(FILE), plies=2)

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else ("White", "Black")[p]

    def ending(self, s: ChessState) -> str | None:
        return names.ending(self, s)

    def opening(self, states: Sequence[ChessState]) -> str:
        """The ECO code and the name of the opening, such as "C65 Ruy Lopez: Berlin Defence"."""
        found = None if self.chess960 is not None else opening_of(states)
        return "" if found is None else str(found)

    def own_book(self) -> Path | None:
        return BOOK if self.chess960 is None else None

    def standing(self, s: ChessState, p: int) -> str:
        return names.captured(s, p)

    def text(self, s: ChessState) -> str:
        rows = (" ".join(fen.letter_at(s, 8 * row + column) for column in range(8)) for row in range(7, -1, -1))
        lines = [f"{8 - i} {row}" for i, row in enumerate(rows)]
        check = ", in check" if self.in_check(s) else ""
        return "\n".join([*lines, "  a b c d e f g h", f"{self.player_name(s.mover)} to move{check}"])

    def picture(self, s: ChessState) -> Board:
        named = squares(8, 8)
        pieces = {}
        for number, name in enumerate(name for row in named[::-1] for name in row):
            found = fen.letter_at(s, number)
            if found != ".":
                pieces[name] = PIECES[found]
        sides = tuple(str(row) for row in range(8, 0, -1))
        king = PIECES["Kk"[s.mover]]
        checked = [name for name, piece in pieces.items() if piece == king and self.in_check(s)]
        highlights = dict.fromkeys(checked, "check")
        columns = tuple("abcdefgh")
        return Board(named, pieces, "checkered", columns, sides, highlights=highlights, facing=True)

    def paths(self, s: ChessState, a: int) -> Iterable[tuple[str, ...]]:
        """From one square to another; castling to the king's target, or onto the rook."""
        origin, target = fen.square_name(a & 63), fen.square_name(a >> 6 & 63)
        found = [(origin, target)]
        if names.is_castling(self, s, a) and self.chess960 is None:
            found.append((origin, ("g" if target > origin else "c") + origin[1]))
        return found

    def from_fen(self, text: str) -> ChessState:
        """The position of a FEN, X-FEN or Shredder-FEN; the last two fields are optional."""
        return fen.parse(self, text)

    def fen(self, s: ChessState, *, shredder: bool = False) -> str:
        """The position as FEN; in Chess960 as X-FEN, or as Shredder-FEN, which names all rooks by their files."""
        return fen.write(self, s, shredder=shredder)

    def to_text(self, s: ChessState) -> str:
        return self.fen(s)

    def from_text(self, text: str) -> ChessState:
        return self.from_fen(text)

    def from_epd(self, text: str) -> tuple[ChessState, dict[str, tuple[Any, ...]]]:
        """The position and the operations of a line of EPD; moves among the operands are returned as moves."""
        return epd.parse(self, text)

    def epd(self, s: ChessState, operations: Mapping[str, Any] | None = None) -> str:
        """The position as EPD with these operations, each with one operand or with several in a tuple."""
        return epd.write(self, s, operations)

    def checked(self, state: State) -> ChessState:
        s: ChessState = super().checked(state)
        reason = fen.problem(self, s)
        if reason is not None:
            raise StateError(f"{s} is not a position of {self.title}: {reason}")
        return s
