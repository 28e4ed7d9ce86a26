"""Neighbourhoods of 3 × 3 points: eyes, and the patterns of MoGo (Gelly, Wang, Munos and Teytaud 2006).

A neighbourhood is a number of 16 bits, two for each of the eight points around an empty one: 0 empty, 1 black, 2 white,
3 beyond the board. Sets of them are tables of bits.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

NEAR, DIAGONAL = (1, 3, 4, 6), (0, 2, 5, 7)

PATTERNS = (
    # X and O are stones of different colours, x is anything but X, o anything but O, . is empty, ? is anything that is
    # on the board, - is beyond the board. In the middle is the move of either player.
    "XOX/.*./???",  # hane from both sides
    "XO./.*./?.?",  # hane
    "XO?/X*./x.?",  # turn
    ".O./X*./...",  # diagonal attachment
    "XO?/O*o/?o?",  # cut, unprotected
    "XO?/O*X/???",  # cut, after a peep
    "?X?/O*O/ooo",  # cut through
    "OX?/o*O/???",  # cut of a knight's move
    "X.?/O*?/---",  # at the edge: chase
    "OX?/X*O/---",  # block a cut
    "?X?/x*O/---",  # block a connection
    "?XO/x*x/---",  # descend
    "?OX/X*O/---",  # cut
)
MEANING = {".": {0}, "X": {1}, "O": {2}, "x": {0, 2}, "o": {0, 1}, "?": {0, 1, 2}, "-": {3}}


def opposite(k: int) -> int:
    """The direction back."""
    return 7 - k


def _turned(pattern: str) -> set[str]:
    """A pattern, turned and mirrored, with its colours exchanged and not."""
    found = set()
    rows = [list(row) for row in pattern.split("/")]
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        for each in (rows, rows[::-1]):
            text = "/".join("".join(row) for row in each)
            found |= {text, text.translate(str.maketrans("XOxo", "OXox"))}
    return found


def _codes(pattern: str) -> Iterator[int]:
    """The neighbourhoods that a pattern matches."""
    points = pattern.replace("/", "").replace("*", "")
    codes = [0]
    for k, sign in enumerate(points):
        codes = [code | colour << 2 * k for code in codes for colour in MEANING[sign]]
    yield from codes


def _is_eye(code: int) -> bool:
    """Are there black stones, or the edge, along the lines, and too few white ones on the diagonals?"""
    around = [code >> 2 * k & 3 for k in range(8)]
    if any(around[k] not in (1, 3) for k in NEAR):
        return False
    spoilers = sum(around[k] == 2 for k in DIAGONAL)
    return spoilers == 0 or (spoilers == 1 and 3 not in around)


def _table(codes: set[int]) -> np.ndarray:
    table = np.zeros(1024, np.uint64)
    for code in codes:
        table[code >> 6] |= np.uint64(1 << (code & 63))
    return table


def _eyes() -> set[int]:
    found = {0}
    for k in range(8):
        found = {code | colour << 2 * k for code in found for colour in ((1, 3) if k in NEAR else (0, 1, 2, 3))}
    return {code for code in found if _is_eye(code)}


def _exchanged(code: int) -> int:
    """The same neighbourhood with the colours exchanged."""
    return (code & 0x5555) << 1 | (code >> 1) & 0x5555


WANTED = _table({code for pattern in PATTERNS for turned in _turned(pattern) for code in _codes(turned)})
"""Neighbourhoods that match a pattern, of which each is for both players."""
EYES = np.array([_table(_eyes()), _table({_exchanged(code) for code in _eyes()})])
"""Neighbourhoods of Black's eyes, and of White's."""
