"""A position as it is written down, in any notation, and the state that it describes if it is possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.game.errors import StateError
from zermelo.game.state import u64
from zermelo.games.backgammon.checkers import BAR, CHECKERS, OFF, count_at
from zermelo.games.backgammon.state import (
    ANSWERING,
    CENTRE,
    CUBE,
    MOST_DOUBLES,
    MOVING,
    OPENING,
    OVER,
    ROLLING,
    BackgammonState,
)

if TYPE_CHECKING:
    from zermelo.games.backgammon.rules import Backgammon

HOME = range(1, 7)


@dataclass
class Setup:
    """All that a notation can say about a position.

    sides      each player's checkers by its own places; those that are missing are borne off
    roller     the player whose turn it is: to roll, to move, or who has doubled; None before the opening roll
    dice       both dice; (0, 0) before the roll
    doubled    the roller has doubled, and the opponent is to answer
    decided    the roller has decided not to double
    points     the length of the match, 0 for money; None if the text does not say
    """

    sides: list[list[int]]
    roller: int | None = 0
    dice: tuple[int, int] = (0, 0)
    doubled: bool = False
    decided: bool = False
    cube: int = 0
    owner: int = CENTRE
    score: tuple[int, int] = (0, 0)
    crawford: int = 0
    points: int | None = None
    jacoby: bool = False
    beavers: bool = False


def setup_of(game: Backgammon, s: BackgammonState) -> Setup:
    """What there is to write down about a state."""
    sides = [[count_at(s.low[p], s.high[p], place) for place in range(26)] for p in range(2)]
    doubled = s.phase == ANSWERING
    roller = None if s.phase == OPENING else int(1 - s.mover if doubled else s.mover)
    dice = (s.dice >> 3, s.dice & 7) if s.phase == MOVING else (0, 0)
    decided = s.phase == ROLLING and game.may_double(s)
    score = (int(s.score[0]), int(s.score[1])) if game.points else (0, 0)
    return Setup(
        sides, roller, dice, doubled, decided, int(s.cube), int(s.owner), score, int(s.crawford), game.points
    )  # fmt: skip


def state_of(game: Backgammon, setup: Setup) -> BackgammonState:
    """The state of a position; raises StateError with the reason if it is impossible."""
    _check_checkers(game, setup.sides)
    _check_match(game, setup)
    low = [u64(sum(counts[place] << 4 * place for place in range(16))) for counts in setup.sides]
    high = [u64(sum(counts[place] << 4 * place - 64 for place in range(16, 26))) for counts in setup.sides]
    larger, smaller = max(setup.dice), min(setup.dice)
    roller = setup.roller or 0
    s = BackgammonState(
        (low[0], low[1]), (high[0], high[1]), 8 * larger + smaller, roller, ROLLING,
        setup.cube, setup.owner, setup.score, setup.crawford if game.points > 1 else 0,
    )  # fmt: skip
    for p in range(2):
        if setup.sides[p][OFF] == CHECKERS:
            ended = game.after_game(s, p, game.game_points(s, p) << setup.cube)
            if ended.phase != OVER:
                raise StateError("the game is over, and the match is not: give the position of the next game")
            return ended
    if setup.roller is None:
        return s._replace(phase=OPENING, dice=0)
    if setup.doubled:
        if not game.may_double(s):
            raise StateError(f"{game.player_name(roller)} cannot have doubled in this position")
        return s._replace(phase=ANSWERING, mover=1 - roller, dice=0)
    if s.dice:
        return s._replace(phase=MOVING)
    return s._replace(phase=CUBE) if game.may_double(s) and not setup.decided else s


def _check_checkers(game: Backgammon, sides: list[list[int]]) -> None:
    for p, counts in enumerate(sides):
        total = sum(counts[1:])
        if total > CHECKERS:
            raise StateError(f"{game.player_name(p)} has {total} checkers, and there are {CHECKERS}")
        counts[OFF] = CHECKERS - total
    white, black = sides
    for point in range(1, 25):
        if white[point] and black[25 - point]:
            raise StateError(f"both players have checkers on White's {point} point")
    if white[OFF] == black[OFF] == CHECKERS:
        raise StateError("there are no checkers on the board")
    if all(side[BAR] and all(other[p] >= 2 for p in HOME) for side, other in ((white, black), (black, white))):
        raise StateError("neither player can ever move: both are on the bar in front of six closed points")


def _check_match(game: Backgammon, setup: Setup) -> None:
    if setup.points is not None and setup.points != game.points:
        here = f"a match to {game.points}" if game.points else "a money game"
        there = f"a match to {setup.points} points" if setup.points else "a money game"
        raise StateError(f"the position is from {there}, and this is {here}: set points={setup.points}")
    if setup.cube > MOST_DOUBLES:
        raise StateError(f"the cube shows 2 to the power of {setup.cube}, and it ends at {1 << MOST_DOUBLES}")
    if setup.cube and not game.cube:
        raise StateError(f"the cube shows {1 << setup.cube}, and this game has no cube: set cube=True")
    if (setup.owner != CENTRE) != (setup.cube > 0):
        where = "in the middle" if setup.owner == CENTRE else f"owned by {game.player_name(setup.owner)}"
        raise StateError(f"a cube of {1 << setup.cube} cannot be {where}")
    score, need = setup.score, max(game.points, 1)
    if max(score) >= need:
        most = f"in a match to {need} it is at most {need - 1}" if game.points else "a money game has none"
        raise StateError(f"the score {score[0]}–{score[1]} is not possible: {most}")
    if setup.crawford and game.points > 1 and (max(score) != need - 1 or min(score) == need - 1):
        raise StateError(f"the score {score[0]}–{score[1]} is not that of the Crawford game of a match to {need}")
