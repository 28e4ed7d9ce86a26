"""What one player may see of a game.

A computer player is shown a `View`. If the game hides something, the view has a single state, which `resample` draws
from what the player can know. A person is shown `visible_state` as text, or `visible_board` as a picture.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from zermelo.game.board import FACE_DOWN, Board, Piece
from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random
from zermelo.pictures.svg import board_of
from zermelo.play.position import Position

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
        raise GameError(f"{game.title} has hidden information, so it needs the method `resample`")
    return game.resample(s, player, random)


def visible_board(game: Game, s: Any, player: int, seed: int) -> Board:
    """The board as the player knows it, with question marks where something is unknown.

    Positions that the player cannot tell apart are sampled. What is equal in all of them is known. Only `resample` sees
    the true state, so the board cannot reveal what is hidden.
    """
    if game.picture(sampled(game, s, player, Random(seed))) is None:
        return _visible_text(game, s, player)
    random, began = Random(seed), time.monotonic()
    boards = [board_of(game, sampled(game, s, player, random))]
    while len(boards) < SAMPLES and (len(boards) < FEWEST or time.monotonic() - began < PATIENCE):
        boards.append(board_of(game, sampled(game, s, player, random)))
    first = boards[0]
    pieces = {}
    for name in sorted({name for board in boards for name in board.pieces}):  # in an order that tells nothing
        found = {board.pieces.get(name) for board in boards}
        piece = found.pop() if len(found) == 1 else UNKNOWN
        if piece is not None:
            pieces[name] = piece
    return replace(
        first,
        pieces=pieces,
        stacks=_common([board.stacks for board in boards]),
        highlights=_common([board.highlights for board in boards]),
        owners=_common([board.owners for board in boards]),
        marked=tuple(name for name in first.marked if all(name in board.marked for board in boards)),
        dice=first.dice if all(board.dice == first.dice for board in boards) else (),
        cube=first.cube if all(board.cube == first.cube for board in boards) else None,
        cards=_known_cards([board.cards for board in boards]),
        hands=tuple(
            (name, _known_cards([dict(board.hands).get(name, ()) for board in boards])) for name, _ in first.hands
        ),
        cups=tuple((name, _known_dice([dict(board.cups).get(name, ()) for board in boards])) for name, _ in first.cups),
        chips=tuple(each for each in first.chips if all(each in board.chips for board in boards)),
        tracks=tuple(track for track in first.tracks if all(track in board.tracks for board in boards)),
        heaps=tuple(heap for heap in first.heaps if all(heap in board.heaps for board in boards)),
        lines=tuple(line for line in first.lines if all(line in board.lines for board in boards)),
    )


def last_roll(game: Game, position: Position) -> tuple[int, ...]:
    """The die as it fell last, for a game whose states do not keep it: its picture showed one die that was rolling."""
    at: Position | None = position if game.chance else None
    while at is not None and at.before is not None:
        if game.to_move(at.before.state) == CHANCE:
            rolling = board_of(game, at.before.state).dice == (0,)
            return (at.action,) if rolling and isinstance(at.action, int) else ()
        at = at.before
    return ()


def _common(found: list[Mapping[str, Any]]) -> dict[str, Any]:
    """What is the same in all of them."""
    return {name: value for name, value in found[0].items() if all(other.get(name) == value for other in found)}


def _known_cards(found: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The first of these rows of cards, those face down that are not the same in all of them."""
    return tuple(
        card if all(cards[i : i + 1] == (card,) for cards in found) else FACE_DOWN for i, card in enumerate(found[0])
    )


def _known_dice(found: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The first of these rows of dice, with 0 for those that are not the same in all of them."""
    return tuple(die if all(dice[i : i + 1] == (die,) for dice in found) else 0 for i, die in enumerate(found[0]))


def _visible_text(game: Game, s: Any, player: int) -> Board:
    """What a player knows, as text, of a game without a picture."""
    seen = visible_state(game, s, player)
    text = str(game.information(s, player)) if seen is None else game.text(seen)
    return Board(style="text", lines=tuple(text.splitlines()))
