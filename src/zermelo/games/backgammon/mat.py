"""Matches in files: the format of Jellyfish (.mat), which most backgammon programs read and write.

A file has the length of the match, 0 for money, and its games. A game has both players' names and scores, and then
numbered lines with the first player's turn on the left and the second player's on the right: the dice and the steps of
each checker, with 25 for the bar and 0 for off; `Doubles => 2`, `Takes`, `Drops`; and who wins how many points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from zermelo.game.errors import NotationError

ROLL, DOUBLE, TAKE, DROP, BEAVER, WIN = "roll", "double", "take", "drop", "beaver", "win"
WORDS = {"doubles": DOUBLE, "takes": TAKE, "drops": DROP, "passes": DROP, "beavers": BEAVER, "wins": WIN}
EVENT = re.compile(
    r"(?<![\d/])(?P<dice>\d\d):|(?P<word>Doubles|Takes|Drops|Passes|Beavers|Wins)\b"
    r"(?: *=> *(?P<value>\d+))?(?: +(?P<points>\d+) points?)?",
    re.ASCII,
)
LENGTH = re.compile(r"\s*(\d+) points? match", re.ASCII | re.IGNORECASE)
SCORES = re.compile(r" ?(?P<first>\S.*?) : (?P<white>\d+)(?P<gap>\s+)(?P<second>\S.*?) : (?P<black>\d+)\s*", re.ASCII)
COLUMN = 28
"""The width of the left column."""
LONGEST_NAME = 22
"""A longer name and its score do not fit into the left column."""
NO_LINE, NO_TAG, NO_NAME = r"\s", r'[\s"\[\]]', r"[\s:]"
"""What the value and the name of a tag, and the name of a player, cannot contain."""


class Event(NamedTuple):
    """Something that happens in a game.

    player   0 is on the left, 1 on the right
    what     ROLL (with dice and a move), DOUBLE, TAKE, DROP, BEAVER, or WIN
    points   those that are won, or the number that the cube is turned to
    """

    player: int
    what: str
    dice: str = ""
    move: str = ""
    points: int = 0
    line: int = 0


@dataclass
class MatchGame:
    """One game of a match: the score before it, and what happened."""

    score: tuple[int, int]
    events: list[Event] = field(default_factory=list)
    line: int = 0


@dataclass
class Match:
    """A match, or a session for money (points is 0)."""

    points: int
    names: tuple[str, str]
    games: list[MatchGame]
    tags: dict[str, str] = field(default_factory=dict)


def is_mat(text: str) -> bool:
    """Does a text look like a match file?"""
    return bool(re.search(r"(?m)^\s*\d+ points? match\s*$", text[:5000], re.ASCII | re.IGNORECASE))


# Reading.


def read(text: str) -> Match:
    """The match in a text; an error says in which line something is wrong."""
    match = Match(0, ("", ""), [])
    expected: object = _read_length
    split = 0
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        tag = re.fullmatch(r'\s*; *\[(?P<name>[^"\]]*?) *"(?P<value>.*)"\]\s*', line)
        if tag:
            match.tags[tag["name"]] = tag["value"]
        if not line.strip() or line.lstrip().startswith(";"):
            continue
        if re.fullmatch(r"\s*Game \d+\s*", line, re.ASCII) and expected is not _read_length:
            match.games.append(MatchGame((0, 0), line=number))
            expected = _read_scores
        elif expected is _read_turns:
            match.games[-1].events += _read_turns(line, number, split)
        elif expected is _read_scores:
            split = _read_scores(match, line, number)
            expected = _read_turns
        elif expected is _read_length:
            match.points = _read_length(line, number)
            expected = None
        else:
            raise NotationError(f".mat, line {number}: expected Game 1, not {line.strip()[:40]!r}")
    if not match.games:
        raise NotationError("the .mat file has no games")
    return match


def _read_length(line: str, number: int) -> int:
    found = LENGTH.match(line)
    if not found:
        raise NotationError(f".mat, line {number}: expected the length, as in 7 point match, not {line.strip()[:40]!r}")
    return int(found[1][:9])


def _read_scores(match: Match, line: str, number: int) -> int:
    """Both names and scores; returns the column in which the second player's turns begin."""
    found = SCORES.fullmatch(line)
    if not found:
        raise NotationError(f".mat, line {number}: expected names and scores, as in Ann : 0  Bob : 0")
    match.names = found["first"], found["second"]
    match.games[-1].score = int(found["white"][:9]), int(found["black"][:9])
    return found.start("second")


def _read_turns(line: str, number: int, split: int) -> list[Event]:
    """What a line says: up to two turns. If there is one, its column tells whose it is."""
    starts = list(EVENT.finditer(line))
    before = line[: starts[0].start()] if starts else line
    if not re.fullmatch(r"\s*(?:\d+\))?\s*", before, re.ASCII):
        raise NotationError(f".mat, line {number}: {before.strip()[:40]!r} is neither a roll, nor about the cube")
    found = []
    for i, start in enumerate(starts):
        end = starts[i + 1].start() if i + 1 < len(starts) else len(line)
        player = i if len(starts) == 2 else int(start.start() >= split - 2)
        move = line[start.end() : end].strip()
        if start["dice"]:
            if not re.fullmatch("[1-6]{2}", start["dice"]):
                raise NotationError(f".mat, line {number}: {start['dice']} is not a roll of two dice from 1 to 6")
            found.append(Event(player, ROLL, start["dice"], move, 0, number))
        else:
            found.append(
                Event(
                    player, WORDS[start["word"].casefold()], "", "", int(start["points"] or start["value"] or 0), number
                )
            )
    if len(starts) > 2:
        raise NotationError(f".mat, line {number}: there are more than two turns")
    return found


# Writing.


def write(match: Match) -> str:
    """The text of a match file."""
    lines = [f'; [{_without(NO_TAG, name)} "{_without(NO_LINE, value)}"]' for name, value in match.tags.items()]
    names = [_without(NO_NAME, name)[:LONGEST_NAME].strip() or "?" for name in match.names]
    lines += ["", f" {match.points} point match", ""] if lines else [f" {match.points} point match", ""]
    for number, game in enumerate(match.games, 1):
        first, second = (f"{name} : {points}" for name, points in zip(names, game.score, strict=True))
        lines += [f" Game {number}", f" {first:<{COLUMN + 3}}{second}", *_turn_lines(game), ""]
    return "\n".join(lines) + "\n"


def _without(wrong: str, text: str) -> str:
    """A text without what would end it too early, and without spaces around it."""
    return " ".join(re.sub(wrong, " ", text).split())


def _turn_lines(game: MatchGame) -> list[str]:
    """The numbered lines of a game."""
    rows: list[list[str]] = []
    for event in game.events:
        if event.what == WIN and event.player == 0:
            rows.append(["", ""])  # a line of its own, on the left
        elif not rows or event.player == 0 or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][event.player] = _written(event)
    return [_line(number, left, right) for number, (left, right) in enumerate(rows, 1)]


def _line(number: int, left: str, right: str) -> str:
    is_end = "Wins" in left or (not left and "Wins" in right)
    return f"{'     ' if is_end else f'{number:3}) '}{left:<{COLUMN - 1}} {right}".rstrip()


def _written(event: Event) -> str:
    if event.what == ROLL:
        return f"{event.dice}: {event.move}"
    if event.what == WIN:
        return f" Wins {event.points} point{'s' * (event.points != 1)}"
    value = f" => {event.points}" if event.what in (DOUBLE, BEAVER) else ""
    return f" {event.what.capitalize()}s{value}"
