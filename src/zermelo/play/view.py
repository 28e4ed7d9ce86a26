"""What one player may see of a game.

A computer player is shown a `View`. If the game hides something, the view has a single state, which `resample` draws
from what the player can know. A person is shown `visible_state` as text, or `visible_board` as a picture.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, NamedTuple

from zermelo.game.board import Board, Piece
from zermelo.game.errors import GameError
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.pictures.svg import board_of

SAMPLES, FEWEST, PATIENCE = 24, 6, 0.05
"""How many sampled positions a board is made from: at most, at least, and within about this many seconds."""
UNKNOWN = Piece("unknown", "text", "grey", "?")


class View(NamedTuple):
    """The states and the moves that a player may see; the present state is the last one."""

    player: int
    states: tuple[Any, ...]
    moves: tuple[str | None, ...]


def visible_state(game: Game, s: Any, player: int) -> Any | None:
    """The state without what the player cannot see; None if the game does not say how to hide it."""
    if game.hidden and not game.offers("seen_by"):
        return None
    return game.seen_by(s, player)


def sampled(game: Game, s: Any, player: int, random: Random) -> Any:
    """A random state that the player cannot tell from this one; raises GameError if the game cannot draw one."""
    if not game.offers("resample"):
        raise GameError(f"{game.name} has hidden information, so it needs the method `resample`")
    return game.resample(s, player, random)


def visible_board(game: Game, s: Any, player: int, seed: int) -> Board:
    """The board as the player knows it, with question marks where something is unknown.

    Positions that the player cannot tell apart are sampled. What is equal in all of them is known. Only `resample` sees
    the true state, so the board cannot reveal what is hidden.
    """
    random, began = Random(seed), time.monotonic()
    boards = [board_of(game, sampled(game, s, player, random))]
    while len(boards) < SAMPLES and (len(boards) < FEWEST or time.monotonic() - began < PATIENCE):
        boards.append(board_of(game, sampled(game, s, player, random)))
    first = boards[0]
    pieces = {}
    for name in {name for board in boards for name in board.pieces}:
        found = {board.pieces.get(name) for board in boards}
        piece = found.pop() if len(found) == 1 else UNKNOWN
        if piece is not None:
            pieces[name] = piece
    cards = tuple(
        card if all(board.cards[i : i + 1] == (card,) for board in boards) else "?"
        for i, card in enumerate(first.cards)
    )
    return replace(
        first,
        pieces=pieces,
        marked=tuple(name for name in first.marked if all(name in board.marked for board in boards)),
        dice=first.dice if all(board.dice == first.dice for board in boards) else (),
        cards=cards,
        heaps=tuple(heap for heap in first.heaps if all(heap in board.heaps for board in boards)),
        lines=tuple(line for line in first.lines if all(line in board.lines for board in boards)),
    )
