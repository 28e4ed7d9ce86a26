"""The board as a picture. Squares are named by White's numbers; the labels are those of the player to move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from zermelo.game.board import Board, Piece
from zermelo.games.backgammon.checkers import BAR, OFF, count_at, pips
from zermelo.games.backgammon.names import paths
from zermelo.games.backgammon.state import (
    ANSWERING,
    CENTRE,
    CUBE,
    MOVING,
    OPENING,
    OVER,
    ROLLING,
    BackgammonState,
)

if TYPE_CHECKING:
    from zermelo.games.backgammon.rules import Backgammon

MEN = Piece("white", colour="white"), Piece("black", colour="black")
UPPER = (*map(str, range(13, 19)), "black bar", *map(str, range(19, 25)), "black off")
LOWER = (*map(str, range(12, 6, -1)), "white bar", *map(str, range(6, 0, -1)), "white off")


def square(p: int, place: int) -> str:
    """The square of a player's place."""
    if place in (BAR, OFF):
        return f"{MEN[p].name} {'bar' if place == BAR else 'off'}"
    return str(25 - place if p else place)


def picture(game: Backgammon, s: BackgammonState) -> Board:
    """The position with dice, cube, pip counts and score."""
    stacks = {}
    for p in range(2):
        for place in range(26):
            number = count_at(s.low[p], s.high[p], place)
            if number:
                stacks[square(p, place)] = (MEN[p], number)
    cube = None
    if game.cube:
        offered = s.phase == ANSWERING
        cube = (2 << s.cube, None) if offered else (1 << s.cube, None if s.owner == CENTRE else int(s.owner))
    labels = {str(point): str(25 - point) for point in range(1, 25)} if s.mover == 1 and s.phase != OVER else {}
    return Board(
        (UPPER, LOWER),
        style="backgammon",
        stacks=stacks,
        dice=dice_shown(s),
        cube=cube,
        lines=lines(game, s),
        labels=labels,
        facing=True,
    )


def dice_shown(s: BackgammonState) -> tuple[int, ...]:
    """The dice to play, four of them after a double; 0 while they roll."""
    if s.phase in (OPENING, ROLLING):
        return 0, 0
    larger, smaller = s.dice >> 3, s.dice & 7
    return () if s.phase != MOVING else (larger,) * 4 if larger == smaller else (larger, smaller)


def lines(game: Backgammon, s: BackgammonState) -> tuple[str, ...]:
    """The pip counts; the score and what happens next."""
    counts = ", ".join(f"{game.player_name(p)} {standing(s, p)}" for p in range(2))
    score = ""
    if game.points:
        score = f"match to {game.points}: {s.score[0]}–{s.score[1]}{', Crawford game' if s.crawford else ''}; "
    return counts, score + next_event(game, s)


def standing(s: BackgammonState, p: int) -> str:
    """A player's pip count, and the number of checkers that are borne off."""
    off = count_at(s.low[p], s.high[p], OFF)
    return f"{pips(s.low[p], s.high[p])} pips" + (f" ({off} off)" if off else "")


def next_event(game: Backgammon, s: BackgammonState) -> str:
    """What happens next."""
    who = game.player_name(s.mover)
    if s.phase == OVER:
        winner = 0 if s.score[0] > s.score[1] else 1
        points = s.score[winner]
        won = "the match" if game.points else f"{points} point{'s' * (points != 1)}"
        return f"{game.player_name(winner)} wins {won}"
    return {
        OPENING: "each player rolls one die",
        CUBE: f"{who} to roll or double",
        ROLLING: f"{who} to roll",
        MOVING: f"{who} to play {s.dice >> 3}-{s.dice & 7}",
        ANSWERING: f"{game.player_name(1 - s.mover)} doubles to {2 << s.cube}, {who} to answer",
    }[int(s.phase)]


def squares_of_move(s: BackgammonState, a: int) -> Iterator[tuple[str, ...]]:
    """The squares of a move's steps, from and to, the rearmost checker first; nothing for a decision about the cube."""
    if s.phase == MOVING and a:
        visited = ((way[i][0], way[i + 1][0]) for way in paths(s, a) for i in range(len(way) - 1))
        yield tuple(square(s.mover, place) for step in visited for place in step)
