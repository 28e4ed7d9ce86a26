"""Games in files, as the terminal reads and writes them: PGN, PDN, SGF, .mat, or lines of JSON."""

from __future__ import annotations

from pathlib import Path

from zermelo.game.errors import GameError, NotationError
from zermelo.game.protocol import Game
from zermelo.games.backgammon.mat import is_mat
from zermelo.kernel.files import write_whole
from zermelo.play import files
from zermelo.play.notation import FORMATS, JSON, Format, read_games, usual_format, write_game
from zermelo.play.play import Play
from zermelo.play.record import Record


def is_file_of_games(what: str) -> bool:
    """Does this name a file of games, rather than a game?"""
    return Path(what).suffix.casefold() in {f".{each.ending}" for each in FORMATS}


def games_in(path: Path) -> list[Record]:
    """The games of a file; raises GameError with the file's name if it cannot be read."""
    try:
        text = path.read_bytes().decode("utf-8-sig", errors="replace")
        if path.suffix.casefold() == ".mat" and text.strip() and not is_mat(text):
            raise NotationError("a .mat file begins with the length of the match, as in `7 point match` (0 for money)")
        return list(files.read_games(path)) if text.lstrip().startswith("{") or not text else read_games(text)
    except OSError as error:
        raise GameError(f"{path} cannot be read: {error.strerror}") from None
    except (NotationError, GameError) as error:
        raise type(error)(f"{path}: {error}") from None


def game_in(path: Path, number: int = 1) -> Record:
    """One game of a file, counted from 1."""
    found = games_in(path)
    if not found:
        raise GameError(f"{path} has no games")
    if not 1 <= number <= len(found):
        raise GameError(f"{path} has {len(found)} game{'s' * (len(found) != 1)}, not {number}")
    return found[number - 1]


def format_of(path: Path) -> Format:
    """The format that the ending of a file's name says; JSON if it says nothing."""
    return next((each for each in FORMATS if path.suffix.casefold() == f".{each.ending}"), JSON)


def require_format(path: Path, game: Game) -> None:
    """Raise NotationError if the format that the file's name says is not one for this game."""
    form = format_of(path)
    if form not in (JSON, usual_format(game)):
        raise NotationError(f"{path}: {game.title} cannot be written as {form.name}; use a name that ends with .jsonl")


def write_to(path: Path, record: Record, play: Play) -> None:
    """Write a game in the format that the file's name says."""
    text = write_game(record, play, format_of(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text.encode())
