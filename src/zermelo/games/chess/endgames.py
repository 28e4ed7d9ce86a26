"""Endgames that are known: king and pawn against king by a table, and how a lone king is mated."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from zermelo.game.state import u64
from zermelo.games.advantage import GRAINS
from zermelo.games.chess.board import ChessState
from zermelo.games.chess.numbering import ChessNumbering
from zermelo.kernel.bits import count_bits, lowest_bit

LIGHT = 0x55AA55AA55AA55AA
"""The light squares."""

WON = 3500
"""What mating material against a lone king is worth at least, in parts of GRAINS."""


class ChessEndgames(ChessNumbering):
    """Knowledge of endgames with very few pieces."""

    def __init__(self) -> None:
        super().__init__()
        self.pawn_wins = pawn_wins()

    def bounds(self, s: ChessState) -> tuple[float, float]:
        """King and pawn against king is drawn or not: the table knows."""
        if s.pawns == 0 or count_bits(s.white | s.black) != 3 or s.pawns & (s.pawns - 1) != 0 or self.is_pawn_win(s):
            return -1.0, 1.0
        return 0.0, 0.0

    def is_pawn_win(self, s: ChessState) -> bool:
        """Does the pawn win, with but one pawn and the kings on the board?"""
        strong = 0 if s.pawns & s.white != 0 else 1
        turned = 0 if strong == 0 else 56  # the board as the player with the pawn sees it
        pawn = lowest_bit(s.pawns) ^ turned
        if pawn & 7 > 3:
            pawn ^= 7
            turned ^= 7
        king = lowest_bit(s.kings & (s.white if strong == 0 else s.black)) ^ turned
        other = lowest_bit(s.kings & (s.black if strong == 0 else s.white)) ^ turned
        to_move = 0 if s.mover == strong else 1
        place = ((to_move * 24 + ((pawn >> 3) - 1) * 4 + (pawn & 7)) << 6 | king) << 6 | other
        return u64(self.pawn_wins[place >> 6]) >> (place & 63) & 1 != 0

    def mating_player(self, s: ChessState) -> int:
        """The player who can mate a lone king by force with the remaining pieces; -1 if neither can."""
        strong = 0 if s.black & ~s.kings == 0 else 1
        if (s.black if strong == 0 else s.white) & ~s.kings != 0:
            return -1
        pair = s.bishops & LIGHT != 0 and s.bishops & ~LIGHT != 0
        enough = s.rooks | s.queens != 0 or pair or (s.bishops != 0 and s.knights != 0)
        return strong if enough else -1

    def mating_progress(self, s: ChessState, strong: int) -> float:
        """How near the mate of a lone king is: at the edge, or in a corner that the bishop guards, the kings near."""
        weak = lowest_bit(s.kings & (s.black if strong == 0 else s.white))
        king = lowest_bit(s.kings & (s.white if strong == 0 else s.black))
        row, column = weak >> 3, weak & 7
        if s.rooks | s.queens == 0 and s.knights != 0 and s.bishops & (s.bishops - 1) == 0:
            if s.bishops & LIGHT != 0:
                column = 7 - column  # now the dark corners are the right ones
            driven = 2 * (7 - min(row + column, 14 - row - column))
        else:
            driven = max(3 - row, row - 4) + max(3 - column, column - 4)
        apart = max(abs((king >> 3) - (weak >> 3)), abs((king & 7) - (weak & 7)))
        pieces = 5 * count_bits(s.rooks) + 9 * count_bits(s.queens) + 3 * count_bits(s.bishops | s.knights)
        pieces += count_bits(s.pawns)
        return (WON + min(pieces, 40) + 20 * driven + 10 * (7 - apart)) / GRAINS


@functools.cache
def pawn_wins() -> Any:
    """King and pawn against king, solved: which positions the pawn wins.

    One bit for each player to move (the one with the pawn first), 24 squares of the pawn on files a to d, and the
    squares of the two kings. Retrograde analysis: a position is won if a won position can be reached, or if nothing
    else can.
    """
    square = np.arange(64)
    near = np.maximum(abs(square[:, None] // 8 - square // 8), abs(square[:, None] % 8 - square % 8)) <= 1
    pawn = np.array([8 * row + column for row in range(1, 7) for column in range(4)])
    attacked = np.zeros((24, 64), bool)
    for number, at in enumerate(pawn):
        for side in (-1, 1):
            if 0 <= at % 8 + side < 8:
                attacked[number, at + 8 + side] = True
    on_pawn = pawn[:, None] == square
    apart = ~near[None] & ~on_pawn[:, :, None]  # of pawn, king and other king
    legal = apart & ~on_pawn[:, None, :]
    steps = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if (row, column) != (0, 0)]
    ways = []  # for each direction, whence a king can go, and whereto
    for row, column in steps:
        inside = (
            (square // 8 + row >= 0) & (square // 8 + row < 8) & (square % 8 + column >= 0) & (square % 8 + column < 8)
        )
        ways.append((square[inside], square[inside] + 8 * row + column))

    first = legal & ~attacked[:, None, :]  # the player with the pawn is to move
    won, lost = np.zeros_like(first), np.zeros_like(first)
    empty = (square[:, None, None] != square[:, None]) & (square[:, None, None] != square)  # by both kings
    for number, at in enumerate(pawn):
        if at >= 48:
            taken = near[:, at + 8][None, :] & ~near[:, at + 8][:, None]
            won[number] = first[number] & empty[at + 8] & ~taken
    flights = []  # legal moves of the other king, and those of them that capture the pawn
    for origin, target in ways:
        may = np.zeros_like(legal)
        may[:, :, origin] = ~near[None, :, target] & ~attacked[:, None, target]
        takes = np.zeros_like(legal)
        takes[:, :, origin] = may[:, :, origin] & on_pawn[:, None, target]
        flights.append((origin, target, may & legal, takes & legal))
    can_move = np.logical_or.reduce([may for *_, may, _ in flights])
    can_take = np.logical_or.reduce([takes for *_, takes in flights])
    in_check = attacked[:, None, :]
    while True:
        escapes = can_take.copy()
        for origin, target, may, _ in flights:
            escapes[:, :, origin] |= may[:, :, origin] & ~won[:, :, target]
        found = legal & ~escapes & (can_move | in_check)
        if (found == lost).all():
            break
        lost = found
        for origin, target in ways:
            won[:, origin] |= first[:, origin] & lost[:, target]
        for number, at in enumerate(pawn):
            if at < 48:
                won[number] |= first[number] & empty[at + 8] & lost[number + 4]
            if at < 16:
                won[number] |= first[number] & empty[at + 8] & empty[at + 16] & lost[number + 8]
    return np.packbits(np.stack([won, lost]).reshape(-1), bitorder="little").view(np.uint64)
