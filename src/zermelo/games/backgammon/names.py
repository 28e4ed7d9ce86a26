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


# Moves.


def action_name(s: BackgammonState, a: int) -> str:
    """The name of a move, a roll or a decision about the cube."""
    if s.phase in CUBE_WORDS:
        return CUBE_WORDS[s.phase][a]
    if s.phase in (OPENING, ROLLING):
        return f"{a >> 3}-{a & 7}"
    found = Counter(paths(s, a))
    words = [_path_name(path) + (f"({number})" if number > 1 else "") for path, number in found.items()]
    return " ".join(words) or NO_MOVE


def paths(s: BackgammonState, a: int) -> list[Path]:
    """The way of each checker that a move moves, the rearmost first."""
    p, larger, smaller = s.mover, s.dice >> 3, s.dice & 7
    steps = [(a >> 5 * number & ORIGIN, larger if number == 0 else smaller) for number in range(4)]
    if a & SMALLER_FIRST:
        steps[:2] = steps[1], steps[0]
    board = s.low[p], s.high[p], s.low[1 - p], s.high[1 - p]
    found: list[Path] = []
    for origin, die in steps:
        if origin:
            target = max(origin - die, OFF)
            hits = target > OFF and count_at(board[2], board[3], 25 - target) == 1
            board = step(*board, origin, die)
            way = next((path for path in found if path[-1][0] == origin), ((origin, False),))
            if way in found:
                found.remove(way)
            found.append((*way, (target, hits)))
    return sorted(found, key=lambda path: [-place for place, _ in path])


def _path_name(path: Path) -> str:
    """`24/13`, or `24/18*/13` if it hits on the way."""
    shown = [path[0], *(visit for visit in path[1:-1] if visit[1]), path[-1]]
    return "/".join(_place_name(place) + ("*" if hits else "") for place, hits in shown)


def _place_name(place: int) -> str:
    return "off" if place == OFF else "bar" if place == BAR else str(place)


def action_named(game: Backgammon, s: BackgammonState, name: str) -> int:
    """The legal move that a text describes. The order of the parts, and marks of hits, may be left out."""
    legal = game.legal(s)
    wanted = " ".join(name.casefold().split())
    named: dict[str, int] = {game.action_name(s, a).casefold(): a for a in legal}
    if wanted in named:
        return named[wanted]
    if s.phase in (OPENING, ROLLING):
        return _roll_named(game, s, wanted)
    if s.phase == MOVING:
        same: list[int] = [a for a in legal if _same_steps(paths(s, a), wanted)]
        if len(same) == 1:
            return same[0]
        if len(same) > 1:
            listed = " or ".join(game.action_name(s, a) for a in same)
            raise IllegalAction(f"{name.strip()!r} can mean {listed}: mark what it hits with *")
    raise IllegalAction(f"{name.strip()!r} is not a legal move of {game.name}; {game._listed(s, legal)}")


def _roll_named(game: Backgammon, s: BackgammonState, wanted: str) -> int:
    """A roll such as 6-3, 63 or 36."""
    found = re.fullmatch(r"([1-6])[- ,]?([1-6])", wanted, re.ASCII)
    if not found:
        raise IllegalAction(f"{wanted!r} is not a roll: two dice are written as 6-3 or 63")
    one, other = int(found[1]), int(found[2])
    if s.phase == OPENING:
        if one == other:
            raise IllegalAction(f"{wanted!r} cannot be the opening roll: equal numbers are rolled again")
        return 8 * one + other
    return 8 * max(one, other) + min(one, other)


def _same_steps(ways: list[Path], wanted: str) -> bool:
    """Does a text such as `13/11 24/23*` describe these ways?"""
    change: Counter[int] = Counter()
    for way in ways:
        change[way[0][0]] -= 1
        change[way[-1][0]] += 1
    hits = {place for way in ways for place, hit in way if hit}
    marked: set[int] = set()
    for word in wanted.split():
        found = re.fullmatch(r"((?:bar|\d{1,2})(?:/(?:off|\d{1,2})\*?)+)(?:\(([1-4])\))?", word, re.ASCII)
        if not found:
            return False
        places = [(_place_of(part.rstrip("*")), part.endswith("*")) for part in found[1].split("/")]
        number = int(found[2] or 1)
        change[places[0][0]] += number
        change[places[-1][0]] -= number
        marked |= {place for place, hit in places if hit}
    return not any(change.values()) and marked <= hits


def _place_of(word: str) -> int:
    return {"bar": BAR, "off": OFF}.get(word) if word in ("bar", "off") else int(word)  # type: ignore[return-value]
