"""What a network sees of a chess position: each piece on its square, as one player sees the board."""

from __future__ import annotations

import functools
from typing import Any

from zermelo.game.state import i64, u64
from zermelo.games.chess.board import KING, ChessState
from zermelo.games.chess.evaluation import DRAWISH, OPPOSITE_BISHOPS, ChessEvaluation
from zermelo.kernel.bits import count_bits, lowest_bit

OWNERS, KINDS = ("own", "other"), ("pawn", "knight", "bishop", "rook", "queen", "king")
STAGES = 8
"""Phases by the number of pieces; those of endgames that are hard to win come after them."""
VIEW = 12
"""In what is remembered of the last position, after twelve sets of squares: how the board was turned, plus 1."""


class ChessInputs(ChessEvaluation):
    """768 inputs: the player's own pieces and the other ones, by kind and square.

    The board is turned so that the player moves up it, and mirrored if the player's king is on the files a to d: what
    is learned on one side of the board is known on the other one.
    """

    def input_names(self) -> tuple[str, ...]:
        return input_names()

    def input_name(self, s: ChessState, p: int, number: int) -> str:
        """The piece and its square on the real board."""
        square = (number & 63) ^ self.turned(s, p)
        colour = ("White", "Black")[p if number < 64 * len(KINDS) else 1 - p]
        return f"{colour}'s {KINDS[(number >> 6) % len(KINDS)]} on {'abcdefgh'[square & 7]}{(square >> 3) + 1}"

    def phase(self, s: ChessState) -> int:
        """By the number of pieces on the board: up to 4, up to 8, and so on; or an endgame that is hard to win."""
        hope = self.winning_hope(s)
        if hope == DRAWISH:
            return STAGES
        if hope == OPPOSITE_BISHOPS:
            return STAGES + 1
        return (count_bits(s.white | s.black) - 1) >> 2

    def phase_names(self) -> tuple[str, ...]:
        by_pieces = tuple(f"{4 * stage + 1} to {4 * stage + 4} pieces" for stage in range(STAGES))
        return (*by_pieces, "no pawns to win with", "bishops of opposite colours")

    def turned(self, s: ChessState, p: int) -> int:
        """What turns the number of a square into that which player p sees: ^ 56 turns the ranks, ^ 7 the files."""
        king = lowest_bit(s.kings & (s.white if p == 0 else s.black))
        return (56 if p == 1 else 0) ^ (7 if king & 7 < 4 else 0)

    def list_inputs(self, s: ChessState, p: int, numbers: Any, amounts: Any) -> int:
        """The same pieces in the same order for both players, so that their inputs can be paired."""
        turn, count = self.turned(s, p), 0
        own = s.white if p == 0 else s.black
        for kind in range(KING + 1):
            left = self.squares_of(s, kind)
            while left != 0:
                square = lowest_bit(left)
                left &= left - 1
                other = 0 if own >> square & 1 != 0 else 6
                if count < len(numbers):
                    numbers[count] = 64 * (other + kind) + (square ^ turn)
                    amounts[count] = 1.0
                    count += 1
        return count

    def list_changes(self, s: ChessState, p: int, last: Any, numbers: Any, amounts: Any) -> int:
        """The squares on which something has come or gone; all of them if the board is seen in another way."""
        turn, count = self.turned(s, p), 0
        if i64(last[VIEW]) != turn + 1:
            count = self.list_gone(p, last, numbers, amounts)
            last[VIEW] = turn + 1
        for kind in range(KING + 1):
            pieces = self.squares_of(s, kind)
            for player in range(2):
                now = pieces & (s.white if player == 0 else s.black)
                changed = now ^ u64(last[6 * player + kind])
                last[6 * player + kind] = now
                first = 64 * (kind if player == p else 6 + kind)
                while changed != 0:
                    square = lowest_bit(changed)
                    changed &= changed - 1
                    numbers[count] = first + (square ^ turn)
                    amounts[count] = 1.0 if now >> square & 1 != 0 else 0.0
                    count += 1
        return count

    def list_gone(self, p: int, last: Any, numbers: Any, amounts: Any) -> int:
        """Take all pieces of the last position off the board; how many there were."""
        turn, count = i64(last[VIEW]) - 1, 0
        for k in range(VIEW):
            left = u64(last[k])
            last[k] = 0
            while left != 0:
                square = lowest_bit(left)
                left &= left - 1
                player, kind = k // 6, k % 6
                numbers[count] = 64 * (kind if player == p else 6 + kind) + (square ^ turn)
                amounts[count] = 0.0
                count += 1
        return count


@functools.cache
def input_names() -> tuple[str, ...]:
    """The inputs as the player sees the board who moves up it, with the king on the right."""
    squares = [f"{'abcdefgh'[square & 7]}{(square >> 3) + 1}" for square in range(64)]
    return tuple(f"{owner} {kind} on {square}" for owner in OWNERS for kind in KINDS for square in squares)
