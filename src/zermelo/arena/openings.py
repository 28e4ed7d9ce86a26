"""Openings: the given moves at the start of a game, so that games differ and each is played from both sides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.hashing import mixed
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random
from zermelo.lookup import file_of
from zermelo.play.files import read_games
from zermelo.play.play import Play

MOST_PLIES, SHARE = 8, 8
"""The most plies of a random opening; and one ply for this many plies of a game's usual length."""
TRIALS = 16
"""Random games from which the usual length of a game is measured."""
LONG = 400
TRIES = 50
"""Attempts to find an opening that was not seen before and does not end the game."""

Moves = tuple[str | None, ...]
Opening = tuple[Moves, int]
"""The given moves, and the seed of chance in the opening and after it."""


def usual_plies(game: Game) -> int:
    """The default number of random plies of an opening: none if chance already makes games differ."""
    if game.chance:
        return 0
    lengths = []
    for number in range(TRIALS):
        moves, _ = random_moves(game, LONG, mixed((number,)))
        lengths.append(len(moves))
    return min(MOST_PLIES, round(sorted(lengths)[TRIALS // 2] / SHARE))


def random_openings(game: Game, plies: int, seed: int) -> Iterator[Opening]:
    """An endless stream of random openings, different as long as possible, none of which one move decides."""
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
                    f"every opening of {plies} random plies of {game.title} was won, or could be won at once: "
                    "give fewer plies"
                )
            seen.clear()  # all were seen
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
            raise GameError(f"{game.title} has no legal move after {play.here.ply} plies, and is not over")
        play.move(legal[random.below(len(legal))])
    return tuple(play.moves), play.states


def openings_file(what: str, game: Game) -> Path:
    """A file of openings: one of that name, or a list that comes with the game, such as "three_move" of checkers.

    Such a list is a text file beside the game's module.
    """
    if not what.isidentifier() or Path(what).exists():
        return Path(what)
    return file_of(game, f"{what}.txt") or Path(what)


def openings_from(path: str | Path, game: Game) -> list[Moves]:
    """The openings of a file: of its saved games, or lines of moves."""
    path = Path(path)
    if not path.is_file():
        raise ValueError(f"there is no file of openings {str(path)!r}")
    if path.suffix == ".jsonl":
        found = [record.moves[: record.opening] for record in read_games(path)]
    else:
        try:
            text = path.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is not a text file of openings: {error}") from None
        lines = [line.split("#")[0].split() for line in text.splitlines()]
        found = [tuple(line) for line in lines]
    unique = [opening for opening in dict.fromkeys(found) if opening]
    if not unique:
        raise ValueError(
            f"{path} has no openings: write one per line, such as 'd3 c5', or use saved games that have openings"
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
    """Is the game over, or can the next move end it?"""
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
