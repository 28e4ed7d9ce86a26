"""Openings: the moves that are given before the players take over, so that games differ and both sides share them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.hashing import mixed
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random
from zermelo.play.files import read_games
from zermelo.play.play import Play

MOST_PLIES, SHARE = 8, 8
"""Openings are one ply for so many of a game's usual length, and at most so many plies."""
TRIALS = 16
"""How many random games tell how long a game usually is."""
LONG = 400
TRIES = 50
"""How often an opening is drawn anew where it was seen before or ends the game."""

Moves = tuple[str | None, ...]
Opening = tuple[Moves, int]
"""The given moves, and the seed of the dice: of those in the opening, and of those after it."""


def usual_plies(game: Game) -> int:
    """How many random plies an opening has by default: none where dice make every game another."""
    if game.chance:
        return 0
    lengths = []
    for number in range(TRIALS):
        moves, _ = random_moves(game, LONG, mixed((number,)))
        lengths.append(len(moves))
    return min(MOST_PLIES, round(sorted(lengths)[TRIALS // 2] / SHARE))


def random_openings(game: Game, plies: int, seed: int) -> Iterator[Opening]:
    """Random openings without end: all different as long as there are others, and none that one move decides."""
    seen: set[int] = set()
    number = 0
    while True:
        for _ in range(TRIES if plies else 1):
            dice = mixed((seed, number))
            number += 1
            moves, states = random_moves(game, plies, dice)
            key = game.key(states[-1])
            if not plies or (len(moves) == plies and key not in seen and not _is_decided(game, states)):
                break
        else:
            if not seen:
                raise ValueError(
                    f"no opening of {plies} random plies of {game.name} was found after which nobody wins at once: "
                    "give fewer plies"
                )
            seen.clear()  # there are no others
            continue
        seen.add(key)
        yield moves, dice


def random_moves(game: Game, plies: int, seed: int) -> tuple[Moves, list[Any]]:
    """Random moves from the beginning, fewer if the game ends; and the states."""
    random, play = Random(seed), Play(game, seed=seed)
    while play.here.ply < plies and (mover := play.mover) is not None:
        if mover == CHANCE:
            play.draw()
            continue
        legal = play.legal()
        if not legal:
            raise GameError(f"{game.name} has no legal move after {play.here.ply} plies, and is not over")
        play.move(legal[random.below(len(legal))])
    return tuple(play.moves), play.states


def openings_from(path: str | Path, game: Game) -> list[Moves]:
    """The openings of a file: those that its saved games began with, or lines of moves."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"there is no file of openings {str(path)!r}")
    if path.suffix == ".jsonl":
        found = [record.moves[: record.opening] for record in read_games(path)]
    else:
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is not a text of openings: {error}") from None
        lines = [line.split("#")[0].split() for line in text.splitlines()]
        found = [tuple(line) for line in lines]
    unique = [opening for opening in dict.fromkeys(found) if opening]
    if not unique:
        raise ValueError(
            f"{path} has no openings: it needs one on each line, as in 'd3 c5', or saved games that began with one"
        )
    for number, opening in enumerate(unique, 1):
        _require_playable(game, opening, f"{path}, opening {number}")
    return unique


def _require_playable(game: Game, opening: Moves, where: str) -> None:
    if game.chance:
        raise ValueError(f"{where}: openings from a file are not available for games with chance")
    play = Play(game)
    try:
        play.follow(opening)
    except IllegalAction as error:
        raise ValueError(f"{where}: {error}") from None
    if play.is_over:
        raise ValueError(f"{where}: the game is over after it")


def _is_decided(game: Game, states: list[Any]) -> bool:
    """Is the game over, or can it be by the next move?"""
    rules, s = game.remembering(states), states[-1]
    if rules.is_terminal(s):
        return True
    if len(states) == 1 or game.to_move(s) == CHANCE:
        return False
    for a in rules.legal(s):
        after = game.result(s, a)
        if game.remembering([*states, after]).is_terminal(after):
            return True
    return False
