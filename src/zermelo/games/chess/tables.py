"""Moves of pieces on an empty board, and how sliding pieces stop at others: tables that are computed once.

A square is a number from 0 (a1) to 63 (h8), row by row from White's side; a set of squares is a word of 64 bits.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
STRAIGHTS = ((1, 0), (-1, 0), (0, 1), (0, -1))
KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))

# "Magic" factors, found by random trials: for each square, the pieces on a slider's lines times the factor have upper
# bits that distinguish all arrangements with different target squares.
FACTORS = (
    0x0124781041082100, 0x0C20113402808028, 0x0008420052080008, 0x024C040080040001,
    0xA601104002001010, 0x1005112010300094, 0x40828C102210000A, 0x0000104804100800,
    0x4002200210920080, 0x0000420811041082, 0x8010120802082524, 0x0000044408800010,
    0x1002041420010000, 0x4860008220E00040, 0x00A004012110D000, 0x44000100880C0310,
    0x8D0400101DA80800, 0x0204243001081100, 0x8121011001006100, 0x8404000802102041,
    0x2804000200A20100, 0x0002020101110110, 0x4011001048080402, 0x0423044200808440,
    0x0210401010042108, 0x108D201004A80200, 0x000410000C410120, 0x1040040040410020,
    0x0010840029802018, 0x0501020080480400, 0x000208C00C040200, 0x0201910001610802,
    0x00013090C0282000, 0x0002412000044803, 0x5002011004110040, 0x32036A0280680080,
    0x4020C20060020080, 0x2420080484004048, 0x4D410C2920008800, 0x0842040840010040,
    0x0180840440826000, 0x0081049004001010, 0x0002012208000100, 0x1020000A44021800,
    0x0022844408209401, 0x4230602088A01500, 0x2010022801000044, 0x0850088212401880,
    0x0004024310480008, 0x4100320114200420, 0x0402013406082010, 0x0882828046081000,
    0x0450102008504000, 0x0200220286020101, 0x0010200800B08040, 0x202008008D004280,
    0x0000840048043401, 0x0502092A02101482, 0x0200002022051080, 0x0008002A00840400,
    0x2000020008030410, 0x0400E42220221580, 0x0010102001040080, 0x0419011000820080,
    0x0280001280204008, 0x0140200140001000, 0x0180188010002000, 0x8880048018003000,
    0x0680040080180002, 0x0100040009000208, 0x8880020028800100, 0x0100003044850002,
    0x0104800020400098, 0x1000400020100840, 0x0705004100902000, 0x0022004200102008,
    0x0001001015080100, 0x8000808024004200, 0x0201008100040200, 0x0011000050810002,
    0x4002208001C00090, 0x0120808040002004, 0x5005010010402008, 0x0088008010020880,
    0x2010818008020400, 0x4089010004000208, 0x2000040001304882, 0x0000C20000610084,
    0x0020400080008134, 0x442000E840005000, 0x0080408200320020, 0x0000082100100104,
    0x0258011900104500, 0x0900420080800400, 0x0200810400821018, 0x2040049200034104,
    0x0840008044800028, 0x4001401000402000, 0x1020004101002012, 0x28405001C9002100,
    0x8000040180800800, 0x4484120080800400, 0x0001001411002600, 0x0100204302000984,
    0x1040204002808002, 0x8008C00085010021, 0x0020094100210010, 0x0200090050010020,
    0x4981040008008080, 0x080200104D0A0008, 0x0230021001040008, 0x0200840080420001,
    0x000A800140002080, 0x1009610040048100, 0x0410302000490100, 0x0000080080100480,
    0x40880089104D0100, 0x3000800400220080, 0x0050100102080C00, 0x84040100844C0200,
    0x3081418004630011, 0x1000400500288111, 0x40F1208008920042, 0x1010848900300121,
    0x0102002018100422, 0x0002001064130842, 0x8081019001024804, 0x4010028100CC0032,
)  # fmt: skip
"""The bishop's 64 squares, then the rook's."""


class Tables(NamedTuple):
    """Arrays of words, all of one dimension.

    pawn_attacks    [64 · player + square] the squares that a player's pawn attacks
    knight_moves    [square]
    king_moves      [square]
    between         [64 · square + square] the squares strictly between two on one line; otherwise empty
    lines           [64 · square + square] the whole line through two squares; empty if there is none
    magics          [4 · slider + …] mask, factor, shift, and the start of its part of `slides`: see `slide`
    slides          the targets of a slider: the bishop's 64 squares are sliders 0 to 63, the rook's 64 to 127
    """

    pawn_attacks: Any
    knight_moves: Any
    king_moves: Any
    between: Any
    lines: Any
    magics: Any
    slides: Any


@functools.cache
def tables() -> Tables:
    """The tables, which all games of chess share."""
    squares = [(x, y) for y in range(8) for x in range(8)]
    pawns = [_word([(x - 1, y + ahead), (x + 1, y + ahead)]) for ahead in (1, -1) for x, y in squares]
    knights = [_word((x + i, y + j) for i, j in KNIGHT_STEPS) for x, y in squares]
    kings = [_word((x + i, y + j) for i, j in DIAGONALS + STRAIGHTS) for x, y in squares]
    between, lines = np.zeros(64 * 64, np.uint64), np.zeros(64 * 64, np.uint64)
    for x, y in squares:
        for i, j in DIAGONALS + STRAIGHTS:
            ahead = _ray(x, y, i, j)
            line = _word([*_ray(x, y, -i, -j), (x, y), *ahead])
            for length, (to_x, to_y) in enumerate(ahead):
                pair = 64 * (8 * y + x) + 8 * to_y + to_x
                between[pair], lines[pair] = _word(ahead[:length]), line
    magics, slides = _sliders()
    pawn_attacks, knight_moves, king_moves = (np.array(words, np.uint64) for words in (pawns, knights, kings))
    return Tables(pawn_attacks, knight_moves, king_moves, between, lines, magics, slides)


def _sliders() -> tuple[Any, Any]:
    magics, slides, begin = [], [], 0
    for slider, factor in enumerate(FACTORS):
        x, y = slider & 7, slider >> 3 & 7
        rays = [_ray(x, y, i, j) for i, j in (DIAGONALS if slider < 64 else STRAIGHTS)]
        mask = _word(square for ray in rays for square in ray[:-1])  # a piece at the end of a ray hides nothing
        occupied = np.zeros(1, np.uint64)
        for square in range(64):
            if mask >> square & 1:
                occupied = np.concatenate((occupied, occupied | np.uint64(1 << square)))
        reached = np.zeros_like(occupied)
        for ray in rays:
            free = np.ones(len(occupied), bool)
            for place in ray:
                bit = np.uint64(_word([place]))
                reached[free] |= bit
                free &= occupied & bit == 0
        shift = 64 - mask.bit_count()
        part = np.zeros(len(occupied), np.uint64)
        part[occupied * np.uint64(factor) >> np.uint64(shift)] = reached
        magics += [mask, factor, shift, begin]
        slides.append(part)
        begin += len(part)
    return np.array(magics, np.uint64), np.concatenate(slides)


def _ray(x: int, y: int, i: int, j: int) -> list[tuple[int, int]]:
    """The squares in one direction from this one to the edge of the board, without itself."""
    return [(x + n * i, y + n * j) for n in range(1, 8) if 0 <= x + n * i < 8 and 0 <= y + n * j < 8]


def _word(places: Iterable[tuple[int, int]]) -> int:
    """The word with the bits of those of these squares that are on the board, each a column and a row."""
    return sum(1 << 8 * y + x for x, y in places if 0 <= x < 8 and 0 <= y < 8)
