"""Games as text: PDN, with tags, comments, variations and annotations, any number of games in a file.

PDN is PGN with moves of draughts (Millett 1995; PDN 3.0, wiegerw.github.io/pdn). In English draughts Black begins, and
the first number of a result is the points of the player who begins: 1-0 is a win of Black. A capture may be written
with its two ends (22x8), with all squares (22x15x8) or jump by jump (22x15 15x8).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from zermelo.game.errors import IllegalAction, NotationError
from zermelo.games import portable
from zermelo.games.checkers import names
from zermelo.games.checkers.board import CheckersState
from zermelo.games.checkers.rules import Checkers
from zermelo.games.portable import Line, Move, Notation, Reader

__all__ = ["GAME_TYPE", "Move", "Record", "is_pdn", "read", "write"]

GAME_TYPE = "21"
"""The value of the tag GameType for English draughts; details may follow after a comma."""

_ENDLESS = Checkers(repetitions=0, moves=0)


@dataclass
class Record(portable.Record):
    """A game that was played."""

    def start(self) -> CheckersState:
        """The position in which it began."""
        return PDN.start(_ENDLESS, self.tags)

    def states(self) -> list[CheckersState]:
        """The positions that it went through, from the first to the last."""
        states = [self.start()]
        for move in self.moves:
            states.append(_ENDLESS.result(states[-1], move.action))
        return states


class _Pdn(Notation):
    name = "PDN"
    roster: ClassVar[dict[str, str]] = {
        "Event": "?",
        "Date": "????.??.??",
        "Black": "?",
        "White": "?",
        "Result": "*",
        "GameType": GAME_TYPE,
    }
    results: ClassVar[dict[str, str]] = {
        **{"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "½-½": "1/2-1/2", "*": "*"},
        **{"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2"},
    }
    repeats_tags = True  # as in the examples of PDN 3.0

    def record(self) -> Record:
        return Record()

    def rules(self, tags: dict[str, str]) -> Checkers:
        """The rules without draws: play goes on if nobody claims one."""
        kind = tags.get("GameType", GAME_TYPE).split(",")[0].strip()
        if kind != GAME_TYPE:
            raise NotationError(f"this is a game of type {kind}; only English draughts, type {GAME_TYPE}, can be read")
        return _ENDLESS

    def start(self, game: Checkers, tags: dict[str, str]) -> CheckersState:
        s: CheckersState = super().start(game, tags)
        return s

    def play(self, game: Checkers, line: Line, kind: str, token: re.Match[str]) -> int | None:
        text = token["move"]
        squares = tuple(int(square) for square in re.findall(r"\d+", text))
        if line.unfinished:
            if squares[0] != line.unfinished[-1]:
                so_far = "x".join(map(str, line.unfinished))
                raise IllegalAction(f"the capture {so_far} is not finished: the piece must jump on, not {text}")
            squares = line.unfinished + squares[1:]
            text = "x".join(map(str, squares))
        if names.begins_capture(game, line.state, squares):
            line.unfinished = squares
            return None
        line.unfinished = ()
        return names.parse(game, line.state, text)


PDN = _Pdn(
    r"1-0|0-1|2-0|0-2|1-1|1/2-1/2|½-½|\*",
    r"(?P<move>\d{1,2}(?:[-x:]\d{1,2})+)(?![\d/])\*?",  # a star says that it is the only move
)


def is_pdn(text: str) -> bool:
    """Is this text PDN rather than PGN? It says so in a tag, or its first move goes from a numbered square."""
    kind = re.search(r'^\s*\[\s*GameType\s*"(\d+)', text, re.MULTILINE)
    if kind is not None:
        return int(kind[1]) >= 20
    moves = re.sub(r'\[[^\]"]*"(?:[^"\\\n]|\\.)*"\s*\]|\{[^}]*\}|;[^\n]*|^%[^\n]*', " ", text, flags=re.MULTILINE)
    return re.match(r"\s*(?:\d+\s*\.+\s*)?\d{1,2}\s*[-x:]\s*\d{1,2}\b(?!\s*$)", moves) is not None


def read(text: str) -> list[Record]:
    """The games of a text."""
    return list(Reader(PDN, text).games())


def write(*records: Record) -> str:
    """The games as PDN, lines of at most 80 columns."""
    return portable.write(PDN, *records)
