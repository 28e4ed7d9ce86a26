"""Grades of moves: how much of the winning chances a move lost, and why, in a sentence."""

from __future__ import annotations

import math

from zermelo.game.protocol import Game
from zermelo.search.wording import Worth, is_open, result_of, share, words

GRADES = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}
"""The marks of chess notation, and what they mean."""
SLIP, MISTAKE, BLUNDER = 0.05, 0.1, 0.2
"""The lost share of winning chances from which a move gets each of these marks."""
DOUBTFUL, BAD, VERY_BAD = 0.04, 0.08, 0.16
"""The same for games with a stake, in points: the thresholds of GNU Backgammon."""
SHOWN = 4
"""How many moves of a line are in a sentence."""


def lost_share(game: Game, before: Worth, after: Worth) -> float | None:
    """The share of the winning chances that a move lost, from 0 to 1; None if it is unknown.

    before   what the position was worth to the mover
    after    what the move is worth to the mover

    If nothing is known about the position before, a move that is proven to lose is still measured, from the middle.
    """
    one, other = share(game, before), share(game, after)
    if one is None and other is not None and is_open(game, before) and after.proven:
        one = 0.5
    return None if one is None or other is None else max(one - other, 0.0)


def grade(lost: float | None) -> str:
    """The mark of a move that lost this share of the winning chances; empty if it is good or unknown."""
    marks = ((BLUNDER, "??"), (MISTAKE, "?"), (SLIP, "?!"))
    return next((mark for least, mark in marks if lost is not None and lost >= least), "")


def stake_grade(cost: float) -> str:
    """The mark of a decision that lost so many points of the stake."""
    marks = ((VERY_BAD, "??"), (BAD, "?"), (DOUBTFUL, "?!"))
    return next((mark for least, mark in marks if cost >= least), "")


def stake_sentence(name: str, cost: float, best: str) -> str:
    """Why a decision was wrong that lost so many points of the stake."""
    return f"{name} loses {cost:.3f}; better was {best}."


def accuracy(lost: float) -> float:
    """From 0 to 100: 100 if nothing was lost. The formula is that of lichess.org/page/accuracy."""
    return min(max(103.1668 * math.exp(-4.354 * lost) - 3.1669, 0.0), 100.0)


def sentence(
    game: Game, name: str, after: Worth, reply: tuple[str, ...], before: Worth, best: str, line: tuple[str, ...]
) -> str:
    """Why a move was wrong, and what was better."""
    allows = f" allows {' '.join(reply[:SHOWN])}" if reply else ""
    said = f"{name}{allows}: {words(game, after)}"
    if is_open(game, before) or not best:
        return f"{said}; the position before was not solved."
    more = f" ({' '.join(line[:SHOWN])})" if len(line) > 1 and result_of(game, before) != 1 else ""
    return f"{said}; better was {best}: {words(game, before)}{more}."
