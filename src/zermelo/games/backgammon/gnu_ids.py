"""GNU Backgammon's IDs: 14 characters for the position, 12 for the cube, the dice and the match.

Both are little-endian bit strings in base 64, described in GNU Backgammon's manual ("A technical description of the
position ID" and "… of the match ID"). The position ID has the checkers of the player who is not on roll, from the ace
point to the bar, then those of the player on roll: as many ones as checkers, and a zero. Its player 0 is White here.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from zermelo.game.errors import StateError
from zermelo.games.backgammon.checkers import CHECKERS
from zermelo.games.backgammon.setups import Setup, setup_of
from zermelo.games.backgammon.state import CENTRE, OVER, BackgammonState

if TYPE_CHECKING:
    from zermelo.games.backgammon.rules import Backgammon

POSITION, MATCH = 14, 12
"""The lengths of the IDs."""
PLAYING, ENDED = 1, 2
"""States of the game in a match ID."""
FIELDS = {
    "cube": 4,
    "owner": 2,
    "roller": 1,
    "crawford": 1,
    "state": 3,
    "turn": 1,
    "doubled": 1,
    "resigned": 2,
    "first die": 3,
    "second die": 3,
    "points": 15,
    "first score": 15,
    "second score": 15,
    "without Jacoby": 1,
}
"""The parts of a match ID, the lowest bits first, and their numbers of bits."""


# Writing.


def position_id(game: Backgammon, s: BackgammonState) -> str:
    """The position ID, such as 4HPwATDgc/ABMA."""
    setup = setup_of(game, s)
    roller = setup.roller or 0
    bits = shift = 0
    for p in (1 - roller, roller):
        for place in range(1, 26):
            number = setup.sides[p][place]
            bits |= ((1 << number) - 1) << shift
            shift += number + 1
    return _encoded(bits, 10)[:POSITION]


def match_id(game: Backgammon, s: BackgammonState) -> str:
    """The match ID, such as cAkAAAAAAAAE."""
    setup = setup_of(game, s)
    roller = setup.roller or 0
    fields = {
        "cube": setup.cube,
        "owner": 3 if setup.owner == CENTRE else setup.owner,
        "roller": roller,
        "crawford": setup.crawford,
        "state": ENDED if s.phase == OVER else PLAYING,
        "turn": 1 - roller if setup.doubled else roller,
        "doubled": int(setup.doubled),
        "first die": setup.dice[0],
        "second die": setup.dice[1],
        "points": game.points,
        "first score": setup.score[0],
        "second score": setup.score[1],
        "without Jacoby": int(not game.jacoby),
    }
    bits = shift = 0
    for name, width in FIELDS.items():
        bits |= fields.get(name, 0) << shift
        shift += width
    return _encoded(bits, 9)[:MATCH]


def to_text(game: Backgammon, s: BackgammonState) -> str:
    """Both IDs, as in 4HPwATDgc/ABMA:cAkAAAAAAAAE."""
    return f"{position_id(game, s)}:{match_id(game, s)}"


def _encoded(bits: int, length: int) -> str:
    return base64.b64encode(bits.to_bytes(length, "little")).decode().rstrip("=")


# Reading.


def is_gnu(text: str) -> bool:
    """Does a text look like one of the IDs, or like the lines that GNU Backgammon prints?"""
    return bool(_words(text))


def _words(text: str) -> list[str]:
    """The position ID and the match ID in a text, as far as they are there."""
    plain = re.sub(r"GNUBGID|GNU Backgammon|(Position|Match) ID *:", " ", text)
    words = re.split(r"[:\s]+", plain.strip())
    return words if re.fullmatch(r"[A-Za-z0-9+/=]{10,18}(?:[:\s]+\S{6,18})?", plain.strip(), re.ASCII) else []


def read(text: str) -> Setup:
    """What a position ID says, with or without a match ID; an error says what is wrong with them."""
    words = _words(text)
    bits = _decoded(words[0], POSITION, "position")
    setup = Setup([[0] * 26, [0] * 26])
    if len(words) > 1:
        _read_match(_decoded(words[1], MATCH, "match"), setup)
    roller = setup.roller or 0
    for p in (1 - roller, roller):
        for place in range(1, 26):
            while bits & 1:
                setup.sides[p][place] += 1
                bits >>= 1
            bits >>= 1
        if sum(setup.sides[p]) > CHECKERS:
            raise StateError(f"the position ID {words[0]!r} has more than {CHECKERS} checkers of one player")
    if bits:
        raise StateError(f"the position ID {words[0]!r} is damaged: it has checkers behind the bar")
    return setup


def _read_match(bits: int, setup: Setup) -> None:
    """Write down what a match ID says."""
    found = {}
    for name, width in FIELDS.items():
        found[name] = bits & (1 << width) - 1
        bits >>= width
    dice = found["first die"], found["second die"]
    if bits:
        raise StateError("the match ID is damaged: bits are set behind its end")
    if found["owner"] == 2:
        raise StateError("the match ID is damaged: the owner of the cube is neither 0, 1 nor 3")
    if found["state"] not in (PLAYING, ENDED):
        raise StateError("the match ID is of a game that has not begun, was resigned, or ended with a drop")
    if max(dice) > 6 or (0 in dice and dice != (0, 0)):
        raise StateError(f"the dice of the match ID are {dice[0]} and {dice[1]}: each is from 1 to 6")
    setup.cube, setup.crawford, setup.dice = found["cube"], found["crawford"], dice
    setup.owner = CENTRE if found["owner"] == 3 else found["owner"]
    setup.roller, setup.doubled = found["roller"], bool(found["doubled"])
    setup.jacoby = not found["points"] and not found["without Jacoby"]
    setup.points, setup.score = found["points"], (found["first score"], found["second score"])


def _decoded(word: str, length: int, kind: str) -> int:
    """The bits of an ID."""
    if len(word) != length or not re.fullmatch(r"[A-Za-z0-9+/]*", word, re.ASCII):
        raise StateError(
            f"a {kind} ID has {length} letters, digits, + and /, and {word!r} "
            + (f"has {len(word)} characters" if len(word) != length else "has others")
        )
    try:
        return int.from_bytes(base64.b64decode(word + "=" * (-length % 4), validate=True), "little")
    except binascii.Error:
        raise StateError(f"the {kind} ID {word!r} is not base 64") from None
