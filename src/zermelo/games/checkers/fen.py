"""Positions as text: FEN as PDN defines it, such as `B:W18,24,K30:B5,K12`, the mover first.

Ranges (`W21-32`) and a full stop at the end are read too. The clock, plies since the last capture or move of a man,
may follow: PDN has no field for it, and without it a saved position would be drawn too late.
"""

from __future__ import annotations

import re

from zermelo.game.errors import StateError
from zermelo.games.checkers.board import BOARD, BOTTOM, SQUARES, TOP, CheckersState, bit_of, square_of
from zermelo.games.parameters import require_text
from zermelo.kernel.bits import bits, count_bits, lowest_bit

START = "B:W21-32:B1-12"
MOST = 12
"""The most pieces of a player."""
PIECES = re.compile(r"(K?)(\d{1,2})(?:-(\d{1,2}))?", re.IGNORECASE)
COLOURS = "BW"
"""By player."""


def parse(text: str) -> CheckersState:
    """The position of a FEN; raises a StateError that says what is wrong."""
    require_text(text, "a position of checkers")
    fields = text.strip().rstrip(".").strip().strip('"').split()
    clock = fields.pop() if len(fields) > 1 and fields[-1].isdecimal() else "0"
    parts = "".join(fields).upper().split(":")
    if len(parts) != 3 or parts[0] not in ("B", "W") or {part[:1] for part in parts[1:]} != {"B", "W"}:
        raise StateError(f"{text!r} is not a position of checkers: write one as {START!r}, the player to move first")
    words = {"B": 0, "W": 0, "K": 0}
    for part in parts[1:]:
        for item in filter(None, part[1:].split(",")):
            _place(words, part[0], item, text)
    if int(clock) > 0xFFFF:
        raise StateError(f"{text!r}: the number of plies without progress is at most 65535")
    s = CheckersState(words["B"], words["W"], words["K"], COLOURS.index(parts[0]), int(clock))
    reason = problem(s)
    if reason is not None:
        raise StateError(f"{text!r} is not a position of checkers: {reason}")
    return s


def _place(words: dict[str, int], colour: str, item: str, text: str) -> None:
    """Put pieces on the board: one square, or a range."""
    read = PIECES.fullmatch(item)
    if read is None:
        raise StateError(f"{text!r}: {item!r} is not a piece: write 18 for a man, K18 for a king, 21-32 for a range")
    first, last = int(read[2]), int(read[3] or read[2])
    if not 1 <= first <= last <= SQUARES:
        raise StateError(f"{text!r}: {item!r} is not on the board, whose squares are 1 to {SQUARES}")
    for square in range(first, last + 1):
        place = 1 << bit_of(square)
        if (words["B"] | words["W"]) & place:
            raise StateError(f"{text!r}: two pieces are on square {square}")
        words[colour] |= place
        words["K"] |= place if read[1] else 0


def write(s: CheckersState) -> str:
    """The position as FEN; the clock follows unless it is 0."""
    parts = [COLOURS[s.mover], f"W{_listed(s.white, s.kings)}", f"B{_listed(s.black, s.kings)}"]
    return ":".join(parts) + (f" {s.clock}" if s.clock else "")


def _listed(pieces: int, kings: int) -> str:
    return ",".join(f"{'K' if kings >> bit & 1 else ''}{square_of(bit)}" for bit in bits(pieces))


def problem(s: CheckersState) -> str | None:
    """Why this is not a position; None if it is one."""
    if (s.black | s.white | s.kings) & ~BOARD:
        return "there are pieces beyond the board"
    if s.black & s.white:
        return f"two pieces are on square {square_of(lowest_bit(s.black & s.white))}"
    if s.kings & ~(s.black | s.white):
        return f"there is a king without an owner on square {square_of(lowest_bit(s.kings & ~(s.black | s.white)))}"
    if s.mover > 1:
        return "the player to move is 0 (Black) or 1 (White)"
    for name, pieces, crowned in (("Black", s.black, BOTTOM), ("White", s.white, TOP)):
        if count_bits(pieces) > MOST:
            return f"{name} has {count_bits(pieces)} pieces, and at most {MOST} are possible"
        if pieces & ~s.kings & crowned:
            return f"the man on square {square_of(lowest_bit(pieces & ~s.kings & crowned))} would be a king"
    if not s.black | s.white:
        return "there are no pieces"
    return None
