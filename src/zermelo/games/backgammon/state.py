"""A position of backgammon, and the numbers that say what happens next."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.game.state import u8, u64

OPENING, CUBE, ROLLING, MOVING, ANSWERING, OVER = range(6)
"""What happens next: the opening roll, roll or double, the roll, a move, take or drop; nothing, the game is over."""

ROLL, DOUBLE = 0, 1
TAKE, DROP, BEAVER = 0, 1, 2
CENTRE = 2
"""The owner of a cube that neither player owns."""

MOST_DOUBLES = 6
"""The cube shows 64 at most."""

MOST_MOVES = 2048
"""More than any position and roll allow."""

START = ((6, 5), (8, 3), (13, 5), (24, 2))
"""Places and numbers of each side's checkers at the start."""


class BackgammonState(NamedTuple):
    """A position. Both players count from their own ends; see `checkers`.

    low, high   the checkers of each player
    dice        8 · the larger die + the smaller one; 0 before the roll
    mover       the player to move, to roll, to double or to answer a double
    phase       what happens next
    cube        how often the cube has been doubled
    owner       the player who can double next, or CENTRE
    score       the points of each player: of the match, or of this game if it is over
    crawford    1 in the Crawford game of a match, in which nobody can double
    """

    low: tuple[u64, u64]
    high: tuple[u64, u64]
    dice: u8
    mover: u8
    phase: u8
    cube: u8
    owner: u8
    score: tuple[u8, u8]
    crawford: u8
