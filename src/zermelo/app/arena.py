"""`zermelo match` and `zermelo tournament`, `zermelo levels` and `zermelo book`."""

from __future__ import annotations

import contextlib
import datetime
import functools
import json
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import click
from rich.console import Console

from zermelo import games
from zermelo.app.interrupts import STOPPED
from zermelo.app.options import PLAYER, chosen_game, csv_option, game_argument, setting, write_csv
from zermelo.app.standings import WIDE, Show, table_of
from zermelo.arena.levels import levels
from zermelo.arena.pool import Here, Pool, Workers
from zermelo.arena.roster import player_of
from zermelo.arena.schedule import Conditions, games_a_round
from zermelo.arena.sequential import Sprt
from zermelo.arena.standings import Standings
from zermelo.arena.tournament import Settings, Tournament
from zermelo.game.protocol import Game
from zermelo.games.chess import Chess
from zermelo.games.resolve import parse_parameters, played
from zermelo.lookup.book import NOTATIONS, Book
from zermelo.lookup.polyglot import PolyglotBook
from zermelo.lookup.weighted import WeightedBook, game_of_book
from zermelo.play.files import read_games


def _shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that a match and a tournament share.

    With --json, standard output contains only JSON. Output of users' games and players goes to standard error.
    """

    @functools.wraps(command)
    def wrapped(*, as_json: bool, **options: Any) -> None:
        out = sys.stdout if as_json else None
        with contextlib.nullcontext() if out is None else contextlib.redirect_stdout(sys.stderr):
            command(**options, out=out)

    for option in reversed(
        (
            setting,
            click.option(
                "--openings", help="Random plies at the start of each game, a file of openings, or a list of the game."
            ),
            click.option(
                "--clock", metavar="SECONDS+INCREMENT", help="Clock of each side, such as 60+0.6; none by default."
            ),
            click.option(
                "--margin", default=0.0, show_default=True, help="Seconds of tolerance before a player loses on time."
            ),
            click.option(
                "--patience",
                default=120.0,
                show_default=True,
                help="Per-move timeout in seconds (without a clock).",
            ),
            click.option("--most-plies", default=5000, show_default=True, help="Plies after which a game is a draw."),
            click.option(
                "--adjudicate",
                default=0.0,
                metavar="SHARE",
                help="End a game if both sides value it this near to a win (such as 0.9) for 4 moves.",
            ),
            click.option("--seed", default=0, show_default=True, help="Random seed of openings, dice and players."),
            click.option(
                "--file",
                "path",
                type=click.Path(path_type=Path, dir_okay=False),
                help="File of games; an existing file is resumed.",
            ),
            click.option(
                "--workers",
                type=click.IntRange(0, 1024),
                help="Worker processes: by default one (on a cluster, all); 0 plays in the main process.",
            ),
            click.option(
                "--ray",
                is_flag=False,
                flag_value="",
                metavar="[ADDRESS]",
                help="Use the Ray cluster at ADDRESS, or a new one on this machine.",
            ),
            csv_option("Write the standings as CSV."),
            click.option("--json", "as_json", is_flag=True, help="Print one JSON line per game, then a summary."),
        )
    ):
        wrapped = option(wrapped)
    return wrapped


@click.command("match")
@game_argument
@click.argument("first", type=PLAYER)
@click.argument("second", type=PLAYER)
@click.option(
    "--games",
    default=100,
    show_default=True,
    type=click.IntRange(1),
    help="Number of games; rounded up, because each opening is played from all seats.",
)
@click.option(
    "--sprt", metavar="ELO0,ELO1", help="Stop when it is clear whether FIRST is better by ELO1 or only by ELO0."
)
@_shared
def match_command(game: str, first: str, second: str, games: int, sprt: str | None, **options: Any) -> None:
    """Play a match between two players at GAME and measure who is stronger.

    A player is a name with options: random, greedy, engine, or any algorithm, with depth=, nodes=, seconds= and more.
    level:NAME is a level of the game. mine.py:search is your own algorithm or Player. uci:COMMAND is a chess program,
    gtp:COMMAND a Go program, program:COMMAND a program that reads turns as JSON. person is you.

    \b
    zermelo match connect_four engine:nodes=20000 alpha_beta:depth=6
    zermelo match othello engine:seconds=0.1 level:club --games 200 --workers 2
    zermelo match breakthrough engine:nodes=4000 engine:nodes=1000 --sprt 0,50 --json
    zermelo match chess engine:seconds=0.1 "uci:stockfish?UCI_Elo=2000&seconds=0.1"
    zermelo match go mcts:seconds=1 "gtp:gnugo --mode gtp --chinese-rules" --set rules=chinese
    """
    chosen = chosen_game(game, options["settings"])
    rounds = -(-games // games_a_round(2, chosen.traits.sides))
    _run(game, (first, second), rounds, None if sprt is None else _sprt(sprt), options)


@click.command("tournament")
@game_argument
@click.argument("players", nargs=-1, required=True, type=PLAYER)
@click.option(
    "--rounds",
    default=10,
    show_default=True,
    type=click.IntRange(1),
    help="Openings per pairing.",
)
@_shared
def tournament_command(game: str, players: tuple[str, ...], rounds: int, **options: Any) -> None:
    """Play a round-robin tournament at GAME and rate the players.

    \b
    zermelo tournament connect_four random greedy alpha_beta:depth=4 engine:nodes=1000
    zermelo tournament pig random greedy auto:depth=3 --rounds 100 --workers 2 --file pig.jsonl
    """
    _run(game, players, rounds, None, options)


def _run(game: str, players: tuple[str, ...], rounds: int, sprt: Sprt | None, options: dict[str, Any]) -> None:
    parameters = parse_parameters(options["settings"])
    openings = options["openings"]
    seconds, increment = _clock(options["clock"])
    conditions = Conditions(
        seconds=seconds,
        increment=increment,
        margin=options["margin"],
        patience=options["patience"],
        most_plies=options["most_plies"],
        agreed=options["adjudicate"],
    )
    settings = Settings(
        game,
        players,
        rounds,
        parameters,
        int(openings) if openings is not None and openings.isdecimal() else openings,
        options["seed"],
        conditions,
    )
    meeting = Tournament(settings)
    made = {words: player_of(words, meeting.game) for words in players}  # reports errors before the first game
    with_people = any(player.is_person for player in made.values())
    pool: Pool
    if with_people or (options["workers"] == 0 and options["ray"] is None):
        pool = Here(meeting.game, made)
    else:
        for player in made.values():
            player.close()
        if options["ray"] is not None:
            from zermelo.arena.cluster import Cluster

            pool = Cluster(options["ray"] or None, options["workers"])
        else:
            pool = Workers(1 if options["workers"] is None else options["workers"])
    path = options["path"] or _new_file(game)
    few = meeting.repeated_openings()
    if few is not None:
        warning = f"there are only {few} different openings: deterministic players will repeat their games"
        click.echo(warning, err=True)
    out: TextIO | None = options["out"]
    show = Show(meeting, pool, path, out, is_live=out is None and not with_people)
    is_stopped = False
    try:
        with show:
            standings: Standings | None = meeting.play(pool, path, sprt=sprt, on_game=show.game)
    except KeyboardInterrupt:
        standings, is_stopped = show.standings, True
    if standings is not None:
        _print(standings, path, out, options["csv_file"])
    if is_stopped:
        click.echo(f"stopped; to resume, run the same command with --file {path}", err=True)
        raise SystemExit(STOPPED)


def _print(standings: Standings, path: Path, out: TextIO | None, csv_file: str | None) -> None:
    if out is not None:
        click.echo(json.dumps({"zermelo": "summary", "file": str(path), **standings.to_json()}), out)
    else:
        Console(width=None if Console().is_terminal else WIDE).print(table_of(standings))
    write_csv(csv_file, standings)


def _new_file(game: str) -> Path:
    """A new file name from the game and the time."""
    name = f"{re.sub(r'[^a-z0-9_]+', '_', game.casefold())}-{datetime.datetime.now():%Y%m%d-%H%M%S}"
    paths = (Path(f"{name}{more}.jsonl") for more in ("", *(f"-{number}" for number in range(2, 1000))))
    return next(path for path in paths if not path.exists())


@click.command("levels")
@game_argument
@setting
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def levels_command(game: str, settings: tuple[str, ...], as_json: bool) -> None:
    """List the levels of a game, weakest first. Play against one with `zermelo play GAME --level NAME`.

    \b
    zermelo levels othello
    zermelo levels connect_four --json
    """
    found = levels(chosen_game(game, settings))
    if as_json:
        click.echo(json.dumps([vars(each) for each in found]))
        return
    for each in found:
        click.echo(str(each))


@click.command("book")
@click.argument("path", metavar="FILE|GAME", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("moves", nargs=-1)
@click.option("--count", default=1, show_default=True, help="Show moves that were played at least this often.")
@click.option("--plies", default=24, show_default=True, help="Plies of each game to include.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def book_command(path: Path, moves: tuple[str, ...], count: int, plies: int, as_json: bool) -> None:
    """Look up which moves were played after MOVES in a file of games, how often, and with what score.

    The name of a game stands for the book that comes with it, if there is one. For chess the file can also be PGN, or a
    Polyglot book, whose moves have weights; for checkers, PDN.

    \b
    zermelo book othello f5
    zermelo book othello.jsonl f5
    zermelo book openings.bin e4 c5
    zermelo match othello engine:seconds=0.1,book=othello.jsonl engine:seconds=0.1
    """
    path = _book_file(path)
    if path.suffix.casefold() in (".bin", ".npz"):
        _show_weighted(path, moves, count, as_json)
        return
    if path.suffix.casefold() in NOTATIONS:
        game: Game = NOTATIONS[path.suffix.casefold()][0]()
    else:
        first = next(read_games(path), None)
        if first is None:
            raise ValueError(f"{path} has no games")
        game = first.load()
    book = Book.from_file(path, game, plies)
    s = played(game, moves)[-1]
    found = book.moves(s, count)
    if as_json:
        click.echo(json.dumps([{"move": m.name, "games": m.games, "score": m.score} for m in found]))
        return
    click.echo(f"{game.title}: {book.games} games, {len(book)} positions")
    click.echo(game.text(s))
    if not found:
        click.echo("the book has no moves for this position")
    for move in found:
        click.echo(f"{move.name:<12}{move.games:>8} games{move.score:>9.1%}")


def _book_file(path: Path) -> Path:
    """The file, or the book of the game with this name."""
    if path.is_file():
        return path
    own = games.load(str(path)).own_book() if str(path) in games.names() else None
    if own is None:
        raise click.BadParameter(f"{str(path)!r} is neither a file nor a game with an opening book", param_hint="FILE")
    return own


def _show_weighted(path: Path, moves: tuple[str, ...], count: int, as_json: bool) -> None:
    is_polyglot = path.suffix.casefold() == ".bin"
    book = PolyglotBook(path, Chess()) if is_polyglot else WeightedBook(path, game_of_book(path))
    game = book.game
    s = played(game, moves)[-1]
    found = book.moves(s, count)
    if as_json:
        click.echo(json.dumps([{"move": move.name, "weight": move.weight} for move in found]))
        return
    click.echo(f"{game.title}: {len(book):,} entries")
    click.echo(game.text(s))
    if not found:
        click.echo("the book has no moves for this position")
    for move in found:
        click.echo(f"{move.name:<12}{move.weight:>8}")


def _clock(text: str | None) -> tuple[float | None, float]:
    if text is None:
        return None, 0.0
    base, _, increment = text.partition("+")
    try:
        seconds, more = float(base), float(increment or 0)
        if not (0 < seconds < math.inf and 0 <= more < math.inf):
            raise ValueError
    except ValueError:
        raise click.BadParameter(f"{text!r} is not SECONDS+INCREMENT, such as 60+0.6", param_hint="--clock") from None
    return seconds, more


def _sprt(text: str) -> Sprt:
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not ELO0,ELO1, such as 0,10", param_hint="--sprt") from None
    return Sprt(low, high)
