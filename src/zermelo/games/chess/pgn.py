"""Games as text: PGN, with tags, comments, variations and annotations, any number of games in a file.

`read` returns a `Record`, which `write` writes as the same game. Errors name the line and column of the
text. Moves must be legal; continuing after an unclaimed draw is not an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from zermelo.game.errors import IllegalAction, NotationError
from zermelo.games import portable
from zermelo.games.chess import names
from zermelo.games.chess.board import ChessState
from zermelo.games.chess.rules import Chess
from zermelo.games.portable import Line, Move, Notation, Reader

__all__ = ["NULL", "Move", "Record", "after", "read", "write"]

NULL = -1
"""A null move as an action: the player passes, which only annotations do."""
STANDARD = ("", "standard", "chess", "normal", "fromposition")
CHESS_960 = ("chess960", "fischerandom", "fischerrandom")
"""The values of the tag Variant, without capitals and spaces, that are read as chess."""

_USUAL = Chess(draws="never")


@dataclass
class Record(portable.Record):
    """A game that was played."""

    @property
    def game(self) -> Chess:
        """The rules by which it was played, but that no draw is claimed."""
        return PGN.rules(self.tags)

    def start(self) -> ChessState:
        """The position in which it began."""
        return PGN.start(self.game, self.tags)

    def states(self) -> list[ChessState]:
        """The positions that it went through, from the first to the last."""
        game, states = self.game, [self.start()]
        for move in self.moves:
            states.append(after(game, states[-1], move.action))
        return states


def after(game: Chess, s: ChessState, action: int) -> ChessState:
    """The position after a move or a null move."""
    return game.after_pass(s) if action == NULL else game.result(s, action)


class _Pgn(Notation):
    name = "PGN"
    roster: ClassVar[dict[str, str]] = {
        "Event": "?",
        "Site": "?",
        "Date": "????.??.??",
        "Round": "?",
        "White": "?",
        "Black": "?",
        "Result": "*",
    }
    results: ClassVar[dict[str, str]] = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "½-½": "1/2-1/2", "*": "*"}

    def record(self) -> Record:
        return Record()

    def rules(self, tags: dict[str, str]) -> Chess:
        variant = re.sub(r"[^a-z0-9]", "", tags.get("Variant", "").casefold())
        if variant not in (*STANDARD, *CHESS_960):
            raise NotationError(f"this is a game of {tags['Variant']!r}; only standard chess and Chess960 can be read")
        return Chess(518, "never") if variant in CHESS_960 else _USUAL

    def start(self, game: Chess, tags: dict[str, str]) -> ChessState:
        s: ChessState = super().start(game, tags)
        return s

    def play(self, game: Chess, line: Line, kind: str, token: re.Match[str]) -> int:
        if kind != "null":
            return names.parse(game, line.state, token["move"])
        if game.in_check(line.state):
            raise IllegalAction("a null move is not possible in check")
        return NULL

    def after(self, game: Chess, s: ChessState, action: int) -> ChessState:
        return after(game, s, action)

    def move_name(self, game: Chess, s: ChessState, action: int) -> str:
        return "Z0" if action == NULL else names.short_name(game, s, action)

    def number(self, start: ChessState, s: ChessState, ply: int) -> int:
        return s.number


PGN = _Pgn(
    r"1-0|0-1|1/2-1/2|½-½|\*",
    r"""(?P<null>Z0|--|@@@@)(?![A-Za-z0-9])
    |(?P<move>[A-Za-z0][A-Za-z0-9+\#=:/†‡-]*(?:\(?[QRBN]\)(?=[\s!?])|(?:\ e|(?<=e))\.p\.)?)""",
)


def read(text: str) -> list[Record]:
    """The games of a text."""
    return list(Reader(PGN, text).games())


def write(*records: Record) -> str:
    """The games as PGN, lines of at most 80 columns."""
    return portable.write(PGN, *records)
