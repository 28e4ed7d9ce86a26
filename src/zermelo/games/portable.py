"""What PGN (chess) and PDN (checkers) share: tags, comments, variations, annotations, any number of games in a file.

A `Notation` says how the moves of one game are written. `read` returns records, which `write` writes as the same
games. Errors name the line and column of the text.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from zermelo.game.errors import IllegalAction, NotationError, StateError

DEEPEST = 100
"""The greatest nesting depth of variations."""

MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
"""What players write after a move, as the numbers of PGN's annotation glyphs."""

TAG_NAME = r"[A-Za-z0-9_][A-Za-z0-9_+\#=:-]*"


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


@dataclass
class Line:
    """A line of moves as it is read: the game's own, or a variation."""

    state: Any  # the position after its moves
    before: Any  # and before the last of them
    moves: list[Move]
    unfinished: tuple[int, ...] = ()  # the squares of a capture that is written jump by jump


class Notation:
    """How one game is written.

    name           of the notation, for errors
    roster         the tags that every game has, in order, and their values if unknown
    results        each way to write a result, and the one that is used
    repeats_tags   may a tag be there twice? The first one counts
    """

    name: str
    roster: ClassVar[dict[str, str]]
    results: ClassVar[dict[str, str]]
    repeats_tags = False

    def __init__(self, result: str, move: str):
        """The regular expressions of a result and of a move, which has a group named "move"."""
        self.token = re.compile(
            rf"""(?P<space>\s+)
            |(?P<escape>(?m:^)%[^\n]*)
            |;(?P<line>[^\n]*)
            |\{{(?P<comment>[^}}]*)\}}
            |\[\s*(?P<tag>{TAG_NAME})\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\]
            |\$(?P<glyph>\d{{1,3}})
            |(?P<open>\()
            |(?P<close>\))
            |(?P<result>{result})(?![^\s(){{}};\[])
            |(?P<number>\d+\s*\.+|\d+(?=\s)|\.+)
            |(?P<mark>[!?]{{1,2}})
            |{move}
            """,
            re.VERBOSE,
        )

    def record(self) -> Record:
        """An empty record."""
        return Record()

    def rules(self, tags: dict[str, str]) -> Any:
        """The game that tags describe; raises a NotationError if it is another one."""
        raise NotImplementedError

    def start(self, game: Any, tags: dict[str, str]) -> Any:
        """The position in which a game with these tags begins; raises a StateError if the tag FEN is wrong."""
        return game.from_fen(tags["FEN"]) if "FEN" in tags else game.initial()

    def play(self, game: Any, line: Line, kind: str, token: re.Match[str]) -> int | None:
        """The move that a token names in the line's last position; None if the next token continues it."""
        raise NotImplementedError

    def after(self, game: Any, s: Any, action: int) -> Any:
        """The position after a move."""
        return game.result(s, action)

    def move_name(self, game: Any, s: Any, action: int) -> str:
        """A move as it is written."""
        return str(game.action_name(s, action))

    def number(self, start: Any, s: Any, ply: int) -> int:
        """The number of the move that is next, so many plies after the start."""
        return 1 + (ply + int(start.mover)) // 2


# Reading.


class Reader:
    """Reads the games of a text."""

    def __init__(self, notation: Notation, text: str):
        self.notation = notation
        self.text = text.removeprefix("\ufeff")
        self.position = 0

    def wrong(self, reason: str, position: int | None = None) -> NotationError:
        """An error with its position."""
        at = self.position if position is None else position
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return NotationError(f"{self.notation.name}, line {line}, column {column}: {reason}")

    def tokens(self) -> Iterator[tuple[str, re.Match[str]]]:
        """The tokens of the text, without whitespace."""
        while self.position < len(self.text):
            token = self.notation.token.match(self.text, self.position)
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

    def games(self) -> Iterator[Any]:
        """Each game, tags first."""
        record, lines = self.notation.record(), list[Line]()
        begun = False
        game: Any = None
        for kind, token in self.tokens():
            if kind == "tag":
                if lines:
                    if len(lines) > 1:
                        raise self.wrong("a variation begins with ( and does not end with ) before the next game")
                    yield self.finished(record, lines, record.tags.get("Result", "*"))
                    record, lines = self.notation.record(), []
                begun = True
                self.tag(record, token["tag"], re.sub(r'\\(["\\])', r"\1", token["value"]))
                continue
            if not lines and kind not in ("comment", "line"):
                game = self.rules(record)
                start = self.start(game, record)
                lines.append(Line(start, start, record.moves))
            begun = begun or kind not in ("comment", "line")  # text after the last game does not start another one
            if kind == "result":
                if len(lines) > 1:
                    raise self.wrong("a variation begins with ( and does not end with ) before the result")
                known = token["result"] != "*" or "Result" not in record.tags  # in PDN, a star ends every game
                yield self.finished(record, lines, token["result"] if known else record.tags["Result"])
                record, lines, begun = self.notation.record(), [], False
            elif kind in ("comment", "line"):
                self.comment(record, lines, " ".join((token["comment"] or token["line"] or "").split()))
            else:
                self.movetext(game, lines, kind, token)
        if len(lines) > 1:
            raise self.wrong("a variation begins with ( and does not end with )")
        if begun:
            yield self.finished(record, lines, record.tags.get("Result", "*"))

    def tag(self, record: Record, name: str, value: str) -> None:
        if name not in record.tags:
            record.tags[name] = value
        elif not self.notation.repeats_tags:
            raise self.wrong(f"the tag {name} is there a second time")

    def rules(self, record: Record) -> Any:
        try:
            return self.notation.rules(record.tags)
        except NotationError as error:
            raise self.wrong(str(error)) from None

    def start(self, game: Any, record: Record) -> Any:
        try:
            return self.notation.start(game, record.tags)
        except StateError as error:
            raise self.wrong(f"the tag FEN of this game: {error}") from None

    def finished(self, record: Record, lines: list[Line], result: str) -> Record:
        if not record.moves:
            self.start(self.rules(record), record)
        self.require_finished(lines)
        record.result = self.notation.results.get(result, "*")
        return record

    def require_finished(self, lines: list[Line]) -> None:
        """Raise an error if a capture that is written jump by jump does not go on."""
        if lines and lines[-1].unfinished:
            squares = "x".join(map(str, lines[-1].unfinished))
            raise self.wrong(f"the capture {squares} is not finished: the piece must jump on")

    def comment(self, record: Record, lines: list[Line], text: str) -> None:
        if lines and lines[-1].moves:
            move = lines[-1].moves[-1]
            move.comment = f"{move.comment} {text}".strip()
        elif len(lines) < 2:  # text before the first move of a variation is skipped
            record.comment = f"{record.comment} {text}".strip()

    def movetext(self, game: Any, lines: list[Line], kind: str, token: re.Match[str]) -> None:
        line = lines[-1]
        if kind in ("glyph", "mark"):
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
            self.require_finished(lines)
            moves: list[Move] = []
            line.moves[-1].variations.append(moves)
            lines.append(Line(line.before, line.before, moves))
        elif kind == "close":
            if len(lines) == 1:
                raise self.wrong(") without a ( before it")
            if not line.moves:
                raise self.wrong("a variation without moves")
            self.require_finished(lines)
            lines.pop()
        elif kind != "number":
            try:
                action = self.notation.play(game, line, kind, token)
            except IllegalAction as error:
                raise self.wrong(str(error)) from None
            if action is not None:
                line.before, line.state = line.state, self.notation.after(game, line.state, action)
                line.moves.append(Move(action))


# Writing.


def write(notation: Notation, *records: Record) -> str:
    """The games as text, lines of at most 80 columns."""
    return "\n".join(_written(notation, record) for record in records)


def _written(notation: Notation, record: Record) -> str:
    if record.result not in notation.results.values():
        usual = ", ".join(dict.fromkeys(notation.results.values()))
        raise NotationError(f"a result is one of {usual}, not {record.result!r}")
    tags = {**notation.roster, **record.tags, "Result": record.result}
    if "FEN" in tags:
        tags["SetUp"] = "1"
    lines = []
    for name, value in tags.items():
        if not re.fullmatch(TAG_NAME, name):
            raise NotationError(f"{name!r} is no name of a tag: letters, digits, and any of _+#=:-")
        escaped = re.sub(r'(["\\])', r"\\\1", value.replace("\n", " "))
        lines.append(f'[{name} "{escaped}"]')
    game = notation.rules(record.tags)
    start = notation.start(game, record.tags)
    words = [*_comment_words(record.comment), *_Writer(notation, game, start).words(start, record.moves, 0)]
    body = textwrap.fill(" ".join([*words, record.result]), 80, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", body, ""])


@dataclass
class _Writer:
    """Writes the moves of one game."""

    notation: Notation
    game: Any
    start: Any

    def words(self, s: Any, moves: list[Move], ply: int) -> list[str]:
        words: list[str] = []
        announce = True
        for played, move in enumerate(moves, ply):
            begins = int(s.mover) == int(self.game.initial().mover)
            if begins or announce:
                words.append(f"{self.notation.number(self.start, s, played)}{'.' if begins else '...'}")
            words.append(self.notation.move_name(self.game, s, move.action))
            words += [f"${glyph}" for glyph in move.glyphs]
            words += _comment_words(move.comment)
            for variation in move.variations:
                inner = self.words(s, variation, played)
                words += [f"({inner[0]}", *inner[1:]] if inner else []
                words.append(f"{words.pop()})" if inner else "")
            announce = bool(move.comment or move.variations)
            s = self.notation.after(self.game, s, move.action)
        return [word for word in words if word]


def _comment_words(comment: str) -> list[str]:
    if "}" in comment:
        raise NotationError(f"a comment cannot contain }}: {comment!r}")
    return f"{{{comment}}}".split() if comment.strip() else []
