"""Names of moves, both ways: 11-15, 22x15, and 22x15x8 if two captures begin and end on the same squares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from zermelo.game.errors import IllegalAction
from zermelo.games.checkers.board import CheckersState, square_of
from zermelo.kernel.bits import bits, count_bits

if TYPE_CHECKING:
    from zermelo.games.checkers.rules import Checkers

MEN = 12
"""The men of each player at the start."""

MOVE = re.compile(r"\d{1,2}(?:[-x:*]\d{1,2})+")


def ends(a: int) -> tuple[int, int]:
    """The squares from which and to which a move goes."""
    return square_of(a & 63), square_of(a >> 6 & 63)


def route(game: Checkers, s: CheckersState, a: int) -> tuple[int, ...]:
    """All squares of a move: where it begins, and every landing square."""
    if a >> 12 == 0:
        return ends(a)
    squares, trail = [a >> 6 & 63], game.first_route(s, a)
    while trail > 1:
        squares.append(trail & 63)
        trail >>= 6
    return tuple(square_of(bit) for bit in reversed(squares))


def routes(game: Checkers, s: CheckersState, a: int) -> Iterator[tuple[int, ...]]:
    """Yields every route of a move, each as its squares."""
    if a >> 12 == 0:
        yield ends(a)
        return
    origin, target, wanted = a & 63, a >> 6 & 63, a >> 12
    free = game.empty(s) | 1 << origin
    waiting: list[tuple[tuple[int, ...], int]] = [((origin,), wanted)]
    while waiting:
        trail, left = waiting.pop()
        if not left and trail[-1] == target:
            yield tuple(square_of(bit) for bit in trail)
        for to in bits(game.landings(s, origin, trail[-1], left, free)):
            waiting.append(((*trail, to), left & ~(1 << (trail[-1] + to >> 1))))


def short_name(game: Checkers, s: CheckersState, a: int) -> str:
    """The squares at both ends; all landing squares if another capture has the same ends."""
    origin, target = ends(a)
    if a >> 12 == 0:
        return f"{origin}-{target}"
    alike = sum(a & 4095 == other & 4095 for other in game.actions(s))
    return long_name(game, s, a) if alike > 1 else f"{origin}x{target}"


def long_name(game: Checkers, s: CheckersState, a: int) -> str:
    """The move with all landing squares, by its first route."""
    return ("x" if a >> 12 else "-").join(map(str, route(game, s, a)))


def parse(game: Checkers, s: CheckersState, name: str) -> int:
    """The legal move of this name, which may give only some of the landing squares, in order."""
    legal = list(game.legal(s))
    text = re.sub(r"\s+", "", name.casefold().replace("×", "x").replace("–", "-"))
    if MOVE.fullmatch(text):
        given = tuple(map(int, re.split(r"[-x:*]", text)))
        fits = [a for a in legal if any(_follows(each, given) for each in routes(game, s, a))]
        if len(fits) > 1:  # a route in full is more than one that leaves squares out
            fits = [a for a in fits if given in routes(game, s, a)] or fits
        if len(fits) == 1:
            return int(fits[0])
        if fits:
            names = " or ".join(long_name(game, s, a) for a in fits)
            raise IllegalAction(f"{name!r} is ambiguous: {names}")
    raise IllegalAction(f"{name!r} is not a legal move; {_why_not(game, s, text)}{game._listed(s, legal)}")


def begins_capture(game: Checkers, s: CheckersState, squares: tuple[int, ...]) -> bool:
    """Are these squares the beginning of a capture, and no whole move?"""
    begins = False
    for a in game.actions(s):
        for each in routes(game, s, a):
            if _follows(each, squares):
                return False
            begins = begins or (a >> 12 != 0 and each[: len(squares)] == squares)
    return begins


def _follows(route: tuple[int, ...], given: tuple[int, ...]) -> bool:
    """Are these squares the first and the last of the route, and between them some of the others, in order?"""
    if route[0] != given[0] or route[-1] != given[-1]:
        return False
    inner = iter(route[1:-1])
    return all(square in inner for square in given[1:-1])


def _why_not(game: Checkers, s: CheckersState, text: str) -> str:
    """What a move would have to be, if that is the reason why it is illegal."""
    if MOVE.fullmatch(text) is None:
        return "moves are written 11-15, 22x15 or 22x15x8; "
    return "the player to move must capture; " if game.must_capture(s) and "-" in text else ""


def paths(game: Checkers, s: CheckersState, a: int) -> list[tuple[str, ...]]:
    """The ways to point out a move: each route, and its two ends alone if no other move has them."""
    found = [tuple(map(str, each)) for each in routes(game, s, a)]
    origin, target = ends(a)
    if origin != target and sum(a & 4095 == other & 4095 for other in game.actions(s)) == 1:
        found.append((str(origin), str(target)))
    return list(dict.fromkeys(found))


def ending(game: Checkers, s: CheckersState) -> str | None:
    """Why the game is over."""
    if not game.own(s):
        return "capturing all pieces"
    if not game.has_move(s):
        return "blocking all pieces"
    if 0 < game.plies_without_progress <= s.clock:
        return f"{game.moves} moves without progress"
    return "repetition" if game.is_drawn(s) else None


def captured(s: CheckersState, p: int) -> str:
    """How many pieces player p has captured."""
    taken = MEN - count_bits(s.white if p == 0 else s.black)
    return f"{taken} captured" if taken > 0 else ""
