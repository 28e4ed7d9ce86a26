"""Positions in one line: XGID, as eXtreme Gammon writes it.

`XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10` has the points from the bottom player's side (capital letters are
White's checkers, small ones Black's), then the cube (its exponent and owner), whose turn it is, the dice, the scores,
the rules, the length of the match and the largest cube. The first and last characters of the board are the bars. Two
things are added that the format does not provide for: the turn 0 is the opening roll, and the dice `--` are rolled by a
player who has decided not to double.
"""

from __future__ import annotations

import re
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

FORM = re.compile(
    r"(?:XGID=)?(?P<board>[-A-Oa-o]{26}):(?P<cube>\d+):(?P<owner>-?[01]):(?P<turn>-?[01]):(?P<dice>[1-6]{2}|00|--|D)"
    r":(?P<white>\d+):(?P<black>\d+):(?P<rules>[0-3]):(?P<points>\d+)(?::\d+)?",
    re.ASCII,
)


def to_text(game: Backgammon, s: BackgammonState) -> str:
    """The position as XGID; of a game that is over, the final position."""
    board = "".join(_letter(s, point) for point in range(26))
    turn = 0 if s.phase == OPENING else -1 if s.mover else 1
    dice = f"{s.dice >> 3}{s.dice & 7}" if s.phase == MOVING else "D" if s.phase == ANSWERING else "00"
    if s.phase == ROLLING and game.may_double(s):
        dice = "--"
    owner = 0 if s.owner == CENTRE else -1 if s.owner else 1
    rules = s.crawford if game.points else game.jacoby + 2 * game.beavers
    score = s.score if game.points else (0, 0)
    return f"XGID={board}:{s.cube}:{owner}:{turn}:{dice}:{score[0]}:{score[1]}:{rules}:{game.points}:{MOST_DOUBLES}"


def _letter(s: BackgammonState, point: int) -> str:
    white, black = count_at(s.low[0], s.high[0], point), count_at(s.low[1], s.high[1], 25 - point)
    if point in (0, 25):
        white, black = (white, 0) if point == BAR else (0, black)
    return chr(ord("A") + white - 1) if white else chr(ord("a") + black - 1) if black else "-"


def from_text(game: Backgammon, text: str) -> BackgammonState:
    """The position of an XGID; an error says what is wrong with it."""
    found = FORM.fullmatch(text.strip()) if isinstance(text, str) else None
    if not found:
        raise StateError(f"{text!r} is not an XGID, such as {to_text(game, game.initial())}")
    if int(found["points"]) != game.points:
        raise StateError(f"{text.strip()!r} is of a match to {found['points']} points, and this is {game.name}")
    sides = [[0] * 26, [0] * 26]
    for point, letter in enumerate(found["board"]):
        if (letter.isupper() and point == 0) or (letter.islower() and point == 25):
            raise StateError(f"{text.strip()!r} has a checker of the wrong colour on a bar")
        if letter.isupper():
            sides[0][point] = ord(letter) - ord("A") + 1
        elif letter != "-":
            sides[1][25 - point] = ord(letter) - ord("a") + 1
    for p, counts in enumerate(sides):
        if sum(counts) > CHECKERS:
            raise StateError(
                f"{game.player_name(p)} has {sum(counts)} checkers, more than {CHECKERS}, in {text.strip()!r}"
            )
        counts[OFF] = CHECKERS - sum(counts)
    if sides[0][OFF] == sides[1][OFF] == CHECKERS:
        raise StateError(f"there are no checkers in {text.strip()!r}")
    low = tuple(u64(sum(counts[place] << 4 * place for place in range(16))) for counts in sides)
    high = tuple(u64(sum(counts[place] << 4 * place - 64 for place in range(16, 26))) for counts in sides)
    return _with_turn(game, found, low, high)


def _with_turn(game: Backgammon, found: re.Match[str], low: tuple[int, ...], high: tuple[int, ...]) -> BackgammonState:
    """The state with all that stands beside the board."""
    cube, owner = int(found["cube"]), {"0": CENTRE, "1": 0, "-1": 1}[found["owner"]]
    if cube > MOST_DOUBLES or (cube and not game.cube) or (owner != CENTRE) != (cube > 0):
        raise StateError(f"the cube {1 << min(cube, 10)} with owner {found['owner']} is not possible in {game.name}")
    score = int(found["white"]), int(found["black"])
    if max(score) >= max(game.points, 1):
        raise StateError(f"the score {score[0]}–{score[1]} is not possible in {game.name}")
    crawford = int(found["rules"]) & 1 if game.points else 0
    mover = 1 if found["turn"] == "-1" else 0
    dice = sorted(found["dice"], reverse=True) if found["dice"] not in ("00", "--", "D") else ["0", "0"]
    s = BackgammonState(
        (low[0], low[1]),
        (high[0], high[1]),
        8 * int(dice[0]) + int(dice[1]),
        mover,
        ROLLING,
        cube,
        owner,
        score,
        crawford,
    )
    for p in range(2):
        if count_at(s.low[p], s.high[p], OFF) == CHECKERS:
            ended = game.after_game(s, p, game.worth(s, p) << cube)
            if ended.phase != OVER:
                raise StateError("the game is over, and the match is not: give the position of the next game")
            return ended
    if found["turn"] == "0":
        return s._replace(phase=OPENING, dice=0, mover=0)
    if found["dice"] == "D":
        if not game.may_double(s._replace(mover=1 - mover)):
            raise StateError("nobody can have doubled in this position")
        return s._replace(phase=ANSWERING)
    if s.dice:
        return s._replace(phase=MOVING)
    return s._replace(phase=CUBE) if game.may_double(s) and found["dice"] == "00" else s
