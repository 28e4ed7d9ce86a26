"""Games as text: PGN, with tags, comments, variations and annotations, any number of games in a file.

`read` returns a `Record`, which `write` writes as the same game. Errors name the line and column of the
text. Moves must be legal; continuing after an unclaimed draw is not an error.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

from zermelo.game.errors import IllegalAction, NotationError, StateError
from zermelo.games.chess import fen, names
from zermelo.games.chess.board import ChessState
from zermelo.games.chess.rules import Chess

ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
"""The seven tags that every game has, in order, and their values if unknown."""

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
DEEPEST = 100
"""The greatest nesting depth of variations."""

NULL = -1
"""A null move as an action: the player passes, which only annotations do."""
STANDARD = ("", "standard", "chess", "normal", "fromposition")
CHESS_960 = ("chess960", "fischerandom", "fischerrandom")
"""The values of the tag Variant, without capitals and spaces, that are read as chess."""

MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""What players write after a move, as the numbers of PGN's annotation glyphs."""

TAG_NAME = r"[A-Za-z0-9_][A-Za-z0-9_+\#=:-]*"

TOKEN = re.compile(
    rf"""(?P<space>\s+)
    |(?P<escape>(?m:^)%[^\n]*)
    |;(?P<line>[^\n]*)
    |\{{(?P<comment>[^}}]*)\}}
    |\[\s*(?P<tag>{TAG_NAME})\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
    |\$(?P<glyph>\d{{1,3}})
    |(?P<open>\()
    |(?P<close>\))
    |(?P<result>1-0|0-1|1/2-1/2|½-½|\*)(?![^\s(){{}};\[])
    |(?P<number>\d+\s*\.+|\d+(?=\s)|\.+)
    |(?P<mark>[!?]{{1,2}})
    |(?P<null>Z0|--|@@@@)(?![A-Za-z0-9])
    |(?P<move>[A-Za-z0][A-Za-z0-9+\#=:/†‡-]*(?:\(?[QRBN]\)(?=[\s!?])|(?:\ e|(?<=e))\.p\.)?)
    """,
    re.VERBOSE,
)


@dataclass
class Move:
    """A move of a game, with its annotations.

    variations   what could have been played instead, each a list of moves
    """

    action: int
    comment: str = ""
    glyphs: tuple[int, ...] = ()
    variations: list[list[Move]] = field(default_factory=list)


@dataclass
class Record:
    """A game that was played: its tags, a comment on the beginning, the moves, and the result."""

    tags: dict[str, str] = field(default_factory=dict)
    comment: str = ""
    moves: list[Move] = field(default_factory=list)
    result: str = "*"

    @property
    def game(self) -> Chess:
        """The rules by which it was played, but that no draw is claimed."""
        return _rules(self.tags)

    def start(self) -> ChessState:
        """The position in which it began."""
        return _start(self.game, self.tags)

    def states(self) -> list[ChessState]:
        """The positions that it went through, from the first to the last."""
        game, states = self.game, [self.start()]
        for move in self.moves:
            states.append(after(game, states[-1], move.action))
        return states


_USUAL = Chess(draws="never")


def _rules(tags: dict[str, str]) -> Chess:
    variant = re.sub(r"[^a-z0-9]", "", tags.get("Variant", "").casefold())
    if variant not in (*STANDARD, *CHESS_960):
        raise NotationError(f"this is a game of {tags['Variant']!r}; only standard chess and Chess960 can be read")
    return Chess(518, "never") if variant in CHESS_960 else _USUAL


def after(game: Chess, s: ChessState, action: int) -> ChessState:
    """The position after a move or a null move."""
    return game.after_pass(s) if action == NULL else game.result(s, action)


def _start(game: Chess, tags: dict[str, str]) -> ChessState:
    return game.from_fen(tags.get("FEN", fen.START))


# Reading.


def read(text: str) -> list[Record]:
    """The games of a text."""
    return list(_Reader(text).games())


@dataclass
class _Line:
    """A line of moves as it is read: the game's own, or a variation."""

    state: ChessState  # the position after its moves
    before: ChessState  # and before the last of them
    moves: list[Move]


class _Reader:
    def __init__(self, text: str):
        self.text = text.removeprefix("\ufeff")
        self.position = 0

    def wrong(self, reason: str, position: int | None = None) -> NotationError:
        """An error with its position."""
        at = self.position if position is None else position
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return NotationError(f"PGN, line {line}, column {column}: {reason}")

    def tokens(self) -> Iterator[tuple[str, re.Match[str]]]:
        """The tokens of the text, without whitespace."""
        while self.position < len(self.text):
            token = TOKEN.match(self.text, self.position)
            if token is None:
                raise self.wrong(self.why_no_token())
            kind = "tag" if token["tag"] is not None else token.lastgroup
            assert kind is not None
            if kind not in ("space", "escape"):
                yield kind, token
            self.position = token.end()

    def why_no_token(self) -> str:
        rest = self.text[self.position : self.position + 20].split("\n")[0]
        if rest.startswith("{"):
            return "a comment begins with { and does not end with }"
        if rest.startswith("["):
            return f'{rest!r} is no tag; a tag is written [Name "value"]'
        if rest.startswith("}"):
            return "} without a { before it"
        return f"{rest!r} is neither a move, nor a number, a comment, a variation or a result"

    def games(self) -> Iterator[Record]:
        """Each game, tags first."""
        record, lines = Record(), list[_Line]()
        begun = False
        game = _USUAL
        for kind, token in self.tokens():
            if kind == "tag":
                if lines:
                    if len(lines) > 1:
                        raise self.wrong("a variation begins with ( and does not end with ) before the next game")
                    yield self.finished(record, record.tags.get("Result", "*"))
                    record, lines = Record(), []
                begun = True
                value = re.sub(r'\\(["\\])', r"\1", token["value"])
                if token["tag"] in record.tags:
                    raise self.wrong(f"the tag {token['tag']} is there a second time")
                record.tags[token["tag"]] = value
                continue
            if not lines and kind not in ("comment", "line"):
                game = self.rules(record)
                start = self.start(game, record)
                lines.append(_Line(start, start, record.moves))
            begun = begun or kind not in ("comment", "line")  # text after the last game does not start another one
            if kind == "result":
                if len(lines) > 1:
                    raise self.wrong("a variation begins with ( and does not end with ) before the result")
                yield self.finished(record, token["result"].replace("½-½", "1/2-1/2"))
                record, lines, begun = Record(), [], False
            elif kind in ("comment", "line"):
                self.comment(record, lines, " ".join((token["comment"] or token["line"] or "").split()))
            else:
                self.movetext(game, lines, kind, token)
        if len(lines) > 1:
            raise self.wrong("a variation begins with ( and does not end with )")
        if begun:
            yield self.finished(record, record.tags.get("Result", "*"))

    def rules(self, record: Record) -> Chess:
        try:
            return _rules(record.tags)
        except NotationError as error:
            raise self.wrong(str(error)) from None

    def start(self, game: Chess, record: Record) -> ChessState:
        try:
            return _start(game, record.tags)
        except StateError as error:
            raise self.wrong(f"the tag FEN of this game: {error}") from None

    def finished(self, record: Record, result: str) -> Record:
        if not record.moves:
            self.start(self.rules(record), record)
        record.result = result if result in RESULTS else "*"
        return record

    def comment(self, record: Record, lines: list[_Line], text: str) -> None:
        if lines and lines[-1].moves:
            move = lines[-1].moves[-1]
            move.comment = f"{move.comment} {text}".strip()
        elif len(lines) < 2:  # text before the first move of a variation is skipped
            record.comment = f"{record.comment} {text}".strip()

    def action(self, game: Chess, s: ChessState, name: str) -> int:
        try:
            return names.parse(game, s, name)
        except IllegalAction as error:
            raise self.wrong(str(error)) from None

    def movetext(self, game: Chess, lines: list[_Line], kind: str, token: re.Match[str]) -> None:
        line = lines[-1]
        if kind in ("move", "null"):
            a = NULL if kind == "null" else self.action(game, line.state, token["move"])
            if a == NULL and game.in_check(line.state):
                raise self.wrong("a null move is not possible in check")
            line.before, line.state = line.state, after(game, line.state, a)
            line.moves.append(Move(a))
        elif kind in ("glyph", "mark"):
            if not line.moves:
                raise self.wrong(f"{token[0]} belongs to a move, and there is none before it")
            glyph = int(token["glyph"]) if kind == "glyph" else MARKS[token["mark"]]
            if glyph > 255:
                raise self.wrong(f"annotation glyphs are numbers up to 255, not {glyph}")
            line.moves[-1].glyphs += (glyph,)
        elif kind == "open":
            if not line.moves:
                raise self.wrong("a variation replaces a move, and there is none before it")
            if len(lines) > DEEPEST:
                raise self.wrong(f"variations are nested more than {DEEPEST} deep")
            moves: list[Move] = []
            line.moves[-1].variations.append(moves)
            lines.append(_Line(line.before, line.before, moves))
        elif kind == "close":
            if len(lines) == 1:
                raise self.wrong(") without a ( before it")
            if not line.moves:
                raise self.wrong("a variation without moves")
            lines.pop()


# Writing.


def write(*records: Record) -> str:
    """The games as PGN, lines of at most 80 columns."""
    return "\n".join(_written(record) for record in records)


def _written(record: Record) -> str:
    if record.result not in RESULTS:
        raise NotationError(f"a result is one of {', '.join(RESULTS)}, not {record.result!r}")
    tags = {**ROSTER, **record.tags, "Result": record.result}
    if "FEN" in tags:
        tags["SetUp"] = "1"
    lines = []
    for name, value in tags.items():
        if not re.fullmatch(TAG_NAME, name):
            raise NotationError(f"{name!r} is no name of a tag: letters, digits, and any of _+#=:-")
        escaped = re.sub(r'(["\\])', r"\\\1", value.replace("\n", " "))
        lines.append(f'[{name} "{escaped}"]')
    words = _comment_words(record.comment)
    words += _line_words(record.game, record.start(), record.moves)
    body = textwrap.fill(" ".join([*words, record.result]), 80, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", body, ""])


def _line_words(game: Chess, s: ChessState, moves: list[Move]) -> list[str]:
    words: list[str] = []
    announce = True
    for move in moves:
        if s.mover == 0 or announce:
            words.append(f"{s.number}{'.' if s.mover == 0 else '...'}")
        words.append("Z0" if move.action == NULL else names.short_name(game, s, move.action))
        words += [f"${glyph}" for glyph in move.glyphs]
        words += _comment_words(move.comment)
        for variation in move.variations:
            inner = _line_words(game, s, variation)
            words += [f"({inner[0]}", *inner[1:]] if inner else []
            words.append(f"{words.pop()})" if inner else "")
        announce = bool(move.comment or move.variations)
        s = after(game, s, move.action)
    return [word for word in words if word]


def _comment_words(comment: str) -> list[str]:
    if "}" in comment:
        raise NotationError(f"a comment cannot contain }}: {comment!r}")
    return f"{{{comment}}}".split() if comment.strip() else []
