"""What one player may see of a position, in games that hide something.

What is the same in all positions that the player cannot tell apart is known to it; what differs is not. Such positions
are drawn by the game's own `resample`, from what the player knows alone, so nothing can leak through the picture.
"""

from __future__ import annotations

import time
from typing import Any

from zermelo.game.board import Board, Piece
from zermelo.game.protocol import Game
from zermelo.kernel.random import Random
from zermelo.pictures.svg import board_of

SAMPLES, FEWEST, PATIENCE = 24, 6, 0.05
"""How many positions are compared: at most, at least, and within about how many seconds."""
UNKNOWN = Piece("unknown", "text", "grey", "?")


def seen_by(game: Game, s: Any, player: int, seed: int) -> Board:
    """The board as the player knows it, with question marks where something may stand."""
    random, began = Random(seed), time.monotonic()
    boards = [board_of(game, game.resample(s, player, random))]
    while len(boards) < SAMPLES and (len(boards) < FEWEST or time.monotonic() - began < PATIENCE):
        boards.append(board_of(game, game.resample(s, player, random)))
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
    return Board(
        first.squares,
        pieces,
        first.style,
        first.columns,
        first.rows,
        tuple(name for name in first.marked if all(name in board.marked for board in boards)),
        first.dice if all(board.dice == first.dice for board in boards) else (),
        cards,
        tuple(heap for heap in first.heaps if all(heap in board.heaps for board in boards)),
        tuple(line for line in first.lines if all(line in board.lines for board in boards)),
    )
