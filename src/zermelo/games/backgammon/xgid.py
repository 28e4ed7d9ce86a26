"""Positions in one line: XGID, as eXtreme Gammon writes it.

`XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10` has the points from White's side (capital letters are White's
checkers, small ones Black's), then the cube (its exponent and owner), whose turn it is, the dice, the scores, the
rules, the length of the match and the largest cube. The first and last characters of the board are the bars. The dice
are 00 before the roll, D after the player has doubled, and B if the opponent has then beavered. Two things are added
that the format does not provide for: the turn 0 is the opening roll, and the dice `--` are rolled by a player who has
decided not to double.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from zermelo.game.errors import StateError
from zermelo.games.backgammon.checkers import BAR
from zermelo.games.backgammon.setups import Setup, setup_of
from zermelo.games.backgammon.state import CENTRE, MOST_DOUBLES, BackgammonState

if TYPE_CHECKING:
    from zermelo.games.backgammon.rules import Backgammon

FIELDS = (
    ("cube", r"\d+", "a whole number: 0 for 1, 1 for 2, 2 for 4 and so on"),
    ("owner of the cube", r"-?1|0", "1 (White), -1 (Black) or 0 (nobody)"),
    ("turn", r"-?1|0", "1 (White), -1 (Black) or 0 (the opening roll)"),
    (
        "dice",
        r"[1-6]{2}|00|--|D|B",
        "two digits from 1 to 6, 00 before the roll, D after a double or B after a beaver",
    ),
    ("score of White", r"\d+", "a whole number"),
    ("score of Black", r"\d+", "a whole number"),
    ("rules", r"[0-3]", "0 to 3"),
    ("length of the match", r"\d+", "a whole number, 0 for money"),
)
"""The fields after the board, and what they look like."""


def to_text(game: Backgammon, s: BackgammonState) -> str:
    """The position as XGID; of a game that is over, the final position."""
    setup = setup_of(game, s)
    board = "".join(_letter(setup, point) for point in range(26))
    turn = 0 if setup.roller is None else -1 if setup.roller else 1
    dice = "D" if setup.doubled else "--" if setup.decided else f"{setup.dice[0]}{setup.dice[1]}"
    owner = 0 if setup.owner == CENTRE else -1 if setup.owner else 1
    rules = setup.crawford if game.points else game.jacoby + 2 * game.beavers
    score = f"{setup.score[0]}:{setup.score[1]}"
    return f"XGID={board}:{setup.cube}:{owner}:{turn}:{dice}:{score}:{rules}:{game.points}:{MOST_DOUBLES}"


def _letter(setup: Setup, point: int) -> str:
    white = setup.sides[0][point] if point else 0
    black = setup.sides[1][25 - point] if point != BAR else 0
    return chr(ord("A") + white - 1) if white else chr(ord("a") + black - 1) if black else "-"


def is_xgid(text: str) -> bool:
    """Does a text look like an XGID, perhaps a damaged one?"""
    return text.startswith("XGID") or ("-" in text and text.count(":") >= 5)


def read(text: str) -> Setup:
    """What an XGID says."""
    board, *given = text.strip().removeprefix("XGID=").split(":")
    if len(given) not in (len(FIELDS), len(FIELDS) + 1):
        raise StateError(
            f"an XGID has 9 or 10 fields separated by colons, and {text.strip()!r} has {len(given) + 1}: "
            "board:cube:owner:turn:dice:score:score:rules:length:largest cube"
        )
    for (name, form, expected), value in zip(FIELDS, given, strict=False):
        if not re.fullmatch(form, value, re.ASCII) or len(value) > 6:
            raise StateError(f"the {name} of an XGID is {expected}, not {value[:20]!r}")
    cube, owner, turn, dice, white, black, rules, points = given[: len(FIELDS)]
    setup = Setup(
        _sides(board),
        {"0": None, "1": 0, "-1": 1}[turn],
        (int(dice[0]), int(dice[1])) if dice.isdigit() else (0, 0),
        dice == "D",
        dice == "--",
        int(cube),
        {"0": CENTRE, "1": 0, "-1": 1}[owner],
        (int(white), int(black)),
        int(rules) & 1 if int(points) else 0,
        int(points),
        *((int(rules) & 1 == 1, int(rules) & 2 == 2) if int(points) == 0 else (False, False)),
    )
    return _after_beaver(setup) if dice == "B" else setup


def _after_beaver(setup: Setup) -> Setup:
    """The position after a double and a beaver: the doubler is to roll. The text has the cube before the double."""
    if not setup.beavers:
        raise StateError("the dice of an XGID are B after a beaver, a rule of money games: the rules must be 2 or 3")
    if setup.roller is None or setup.owner == 1 - setup.roller or (setup.owner == CENTRE) != (setup.cube == 0):
        raise StateError("the dice of an XGID are B after a beaver, and the player whose turn it is cannot double")
    return replace(setup, cube=setup.cube + 2, owner=1 - setup.roller)


def _sides(board: str) -> list[list[int]]:
    """Each player's checkers by its own places."""
    if not re.fullmatch(r"[-A-Oa-o]{26}", board, re.ASCII):
        wrong = next((f", not {c!r}" for c in board if not re.fullmatch(r"[-A-Oa-o]", c, re.ASCII)), "")
        raise StateError(
            f"the board of an XGID has 26 characters, - or letters from A to O{wrong}"
            + (f"; there are {len(board)}" if len(board) != 26 else "")
        )
    sides = [[0] * 26, [0] * 26]
    for point, letter in enumerate(board):
        if (letter.isupper() and point == 0) or (letter.islower() and point == BAR):
            raise StateError(f"{letter!r} is on the other player's bar: White's is the last character of the board")
        if letter.isupper():
            sides[0][point] = ord(letter) - ord("A") + 1
        elif letter != "-":
            sides[1][25 - point] = ord(letter) - ord("a") + 1
    return sides
