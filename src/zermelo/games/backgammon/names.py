"""Names of moves: `24/18 13/11*`, `bar/20(2)`, `6/off`."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from zermelo.game.errors import IllegalAction
from zermelo.games.backgammon.checkers import BAR, OFF, count_at, step
from zermelo.games.backgammon.moves import ORIGIN, SMALLER_FIRST
from zermelo.games.backgammon.state import ANSWERING, CUBE, MOVING, OPENING, ROLLING, BackgammonState

if TYPE_CHECKING:
    from zermelo.games.backgammon.rules import Backgammon

Path = tuple[tuple[int, bool], ...]
"""The places that a checker visits in one move, each with whether it hits a checker there."""

CUBE_WORDS = {CUBE: ("roll", "double"), ANSWERING: ("take", "drop", "beaver")}
NO_MOVE = "no move"
PLACES = {"bar": BAR, "off": OFF}


# Moves.


def action_name(s: BackgammonState, a: int) -> str:
    """The name of a move, a roll or a decision about the cube."""
    if s.phase in CUBE_WORDS:
        return CUBE_WORDS[s.phase][a]
    if s.phase in (OPENING, ROLLING):
        return f"{a // 10}-{a % 10}"
    ways: dict[tuple[int, ...], list[Path]] = {}
    for way in paths(s, a):  # checkers that go the same way are one word, as in bar/20*(2)
        ways.setdefault(tuple(place for place, _ in way), []).append(way)
    return " ".join(map(_ways_name, ways.values())) or NO_MOVE


def steps(s: BackgammonState, a: int) -> list[tuple[int, int, bool]]:
    """The steps of a move in a legal order: from, to, and whether a checker is hit."""
    p, larger, smaller = s.mover, s.dice >> 3, s.dice & 7
    order = [(a >> 5 * number & ORIGIN, larger if number == 0 else smaller) for number in range(4)]
    if a & SMALLER_FIRST:
        order[:2] = order[1], order[0]
    board = s.low[p], s.high[p], s.low[1 - p], s.high[1 - p]
    found = []
    for origin, die in order:
        if origin:
            target = max(origin - die, OFF)
            found.append((origin, target, target > OFF and count_at(board[2], board[3], 25 - target) == 1))
            board = step(*board, origin, die)
    return found


def paths(s: BackgammonState, a: int) -> list[Path]:
    """The way of each checker that a move moves, the rearmost first."""
    found: list[Path] = []
    for origin, target, hits in steps(s, a):
        way = next((path for path in found if path[-1][0] == origin), ((origin, False),))
        if way in found:
            found.remove(way)
        found.append((*way, (target, hits)))
    return sorted(found, key=lambda path: [-place for place, _ in path])


def _ways_name(ways: list[Path]) -> str:
    """`24/13`, or `24/18*/13` if it hits on the way; `13/11(2)` if two checkers go the same way."""
    path = [(visits[0][0], any(hits for _, hits in visits)) for visits in zip(*ways, strict=True)]
    shown = [path[0], *(visit for visit in path[1:-1] if visit[1]), path[-1]]
    number = f"({len(ways)})" if len(ways) > 1 else ""
    return "/".join(_place_name(place) + ("*" if hits else "") for place, hits in shown) + number


def _place_name(place: int) -> str:
    return "off" if place == OFF else "bar" if place == BAR else str(place)


def action_named(game: Backgammon, s: BackgammonState, name: str) -> int:
    """The legal move that a text describes. Parts may come in any order, and marks of hits may be left out."""
    legal = game.legal(s)
    wanted = " ".join(name.casefold().replace(",", " ").split())
    named: dict[str, int] = {game.action_name(s, a).casefold(): a for a in legal}
    if wanted in named:
        return named[wanted]
    if s.phase in (OPENING, ROLLING):
        return _roll_named(s, name)
    written = _read(wanted) if s.phase == MOVING else None
    if written is not None:
        change, hits, between = written
        ways = {a: paths(s, a) for a in legal}
        same: list[int] = [a for a in legal if _change(ways[a]) == change and hits <= _hits(ways[a])]
        for wanted_hits in (hits | between, hits):  # a point on the way may be named because it hits there
            same = [a for a in same if _hits(ways[a]) == wanted_hits] or same
        if len(same) == 1:
            return same[0]
        if same:
            listed = " or ".join(game.action_name(s, a) for a in same)
            raise IllegalAction(f"{name.strip()!r} can mean {listed}: mark what it hits with *")
    raise IllegalAction(f"{name.strip()!r} is not a legal move of {game.title}; {game._listed(s, legal)}")


def _roll_named(s: BackgammonState, name: str) -> int:
    """A roll such as 6-3, 63 or 36."""
    found = re.fullmatch(r"([1-6])[- ,]?([1-6])", name.strip(), re.ASCII)
    if not found:
        raise IllegalAction(f"{name.strip()!r} is not a roll: two dice from 1 to 6 are written as 6-3 or 63")
    one, other = int(found[1]), int(found[2])
    if s.phase == OPENING:
        if one == other:
            raise IllegalAction(f"{name.strip()!r} cannot be the opening roll: equal numbers are rolled again")
        return 10 * one + other
    return 10 * max(one, other) + min(one, other)


WORD = re.compile(r"((?:bar|\d{1,2})(?:[/-](?:off|\d{1,2})\*?)+)(?:\(([1-4])\))?", re.ASCII)
"""A part of a move, such as 13/11*, 24/18/13 or bar/20(2)."""


def _read(text: str) -> tuple[Counter[int], set[int], set[int]] | None:
    """How a text changes the places, what it marks as hit, and the points between; None if it is not a move."""
    change: Counter[int] = Counter()
    hits, between = set(), set()
    for word in text.split():
        found = WORD.fullmatch(word)
        if not found:
            return None
        parts = re.split("[/-]", found[1])
        places = [PLACES[part] if part in PLACES else int(part.rstrip("*")) for part in parts]
        number = int(found[2] or 1)
        change[places[0]] -= number
        change[places[-1]] += number
        hits |= {place for place, part in zip(places, parts, strict=True) if part.endswith("*")}
        between |= set(places[1:-1])
    return _nonzero(change), hits, between


def _change(ways: list[Path]) -> Counter[int]:
    """How a move changes the number of checkers at each place."""
    change: Counter[int] = Counter()
    for way in ways:
        change[way[0][0]] -= 1
        change[way[-1][0]] += 1
    return _nonzero(change)


def _nonzero(change: Counter[int]) -> Counter[int]:
    return Counter({place: number for place, number in change.items() if number})


def _hits(ways: list[Path]) -> set[int]:
    return {place for way in ways for place, hit in way if hit}
