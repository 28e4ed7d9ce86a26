"""`zermelo match` and `zermelo tournament`, `zermelo levels` and `zermelo book`."""

from __future__ import annotations

import contextlib
import datetime
import functools
import json
import math
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import click
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from zermelo.app.options import PLAYER, chosen_game, game_argument, setting
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
from zermelo.lookup.book import Book
from zermelo.lookup.polyglot import PolyglotBook
from zermelo.play.files import read_games
from zermelo.play.record import Record

REFRESHED = 4
"""Refreshes of the live table per second."""
WIDE = 140
"""Width of the table in characters, without a terminal."""
PROGRESS_SECONDS = 10.0
"""Seconds between progress lines, without a terminal."""


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
            click.option("--openings", help="Random plies at the start of each game, or a file of openings."),
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
    level:NAME is a level of the game. mine.py:search is your own algorithm or Player. program:COMMAND is a program that
    reads turns as JSON. person is you.

    \b
    zermelo match connect_four engine:nodes=20000 alpha_beta:depth=6
    zermelo match othello engine:seconds=0.1 level:club --games 200 --workers 2
    zermelo match breakthrough engine:nodes=4000 engine:nodes=1000 --sprt 0,50 --json
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
    show = Show(meeting, path, out, is_live=out is None and not with_people)
    try:
        with show:
            standings = meeting.play(pool, path, sprt=sprt, on_game=show.game)
    except KeyboardInterrupt:
        click.echo(f"stopped; to resume, run the same command with --file {path}", err=True)
        raise SystemExit(130) from None
    if out is not None:
        click.echo(json.dumps({"zermelo": "summary", "file": str(path), **standings.to_json()}), out)
    else:
        Console(width=None if Console().is_terminal else WIDE).print(table_of(standings))


def _new_file(game: str) -> Path:
    """A new file name from the game and the time."""
    name = f"{re.sub(r'[^a-z0-9_]+', '_', game.casefold())}-{datetime.datetime.now():%Y%m%d-%H%M%S}"
    paths = (Path(f"{name}{more}.jsonl") for more in ("", *(f"-{number}" for number in range(2, 1000))))
    return next(path for path in paths if not path.exists())


class Show:
    """Progress on standard error: a live table on a terminal, otherwise an occasional line.

    out       if not None, every game is printed there as a line of JSON
    is_live   whether to draw a live table; not if a person plays, because the board is shown there
    """

    def __init__(self, meeting: Tournament, path: Path, out: TextIO | None, is_live: bool):
        self.total, self.path, self.out, self.is_live = meeting.total, path, out, is_live
        self.console = Console(stderr=True)
        self.live: Live | None = None
        self.began = self.reported = time.monotonic()
        self.count = 0
        self.before: int | None = None  # the number of games at the start

    def __enter__(self) -> None:
        click.echo(f"{self.total} games, saved in {self.path}", err=True)
        if self.console.is_terminal and self.is_live:
            self.live = Live(console=self.console, refresh_per_second=REFRESHED, transient=True)
            self.live.start()

    def __exit__(self, *_: object) -> None:
        if self.live is not None:
            self.live.stop()

    def game(self, record: Record, standings: Standings) -> None:
        """A game has finished."""
        self.count = standings.games
        self.before = standings.games - 1 if self.before is None else self.before
        if self.out is not None:
            click.echo(record.line(), self.out)
        now = time.monotonic()
        if self.live is not None and now - self.reported > 1 / REFRESHED:
            self.reported = now
            self.live.update(Group(table_of(standings), self._bar()))
        elif self.live is None and (now - self.reported > PROGRESS_SECONDS or self.count == self.total):
            self.reported = now
            click.echo(f"{self.count} of {self.total} games; {brief(standings)}", err=True)

    def _bar(self) -> Table:
        passed = time.monotonic() - self.began
        done = self.count - (self.before or 0)
        left = passed / done * (self.total - self.count) if done else math.nan
        line = Table.grid(padding=(0, 1))
        line.add_row(
            ProgressBar(self.total, self.count, width=40),
            f"{self.count} of {self.total}",
            f"{done / passed:.2g} games/s" if passed > 0 else "",
            "" if math.isnan(left) else f"{datetime.timedelta(seconds=round(left))} left",
        )
        return line


def brief(standings: Standings) -> str:
    """The standings in one line."""
    if standings.is_match:
        test = "" if standings.llr is None else f", LLR {standings.llr:+.2f}"
        return f"{standings.players[0]}: {standings.score}{test}"
    best = max(range(len(standings.players)), key=lambda number: standings.tallies[number].score)
    return f"first is {standings.players[best]} with {standings.tallies[best].score:.1%}"


def table_of(standings: Standings) -> Group:
    """The standings as tables: games, ratings and cross table, with remarks."""
    parts: list[Any] = [_main_table(standings)]
    if not standings.is_match and len(standings.players) <= 12:
        parts.append(_cross_table(standings))
    parts += [Text(line) for line in remarks_on(standings)]
    return Group(*parts)


def _main_table(standings: Standings) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, column in enumerate(("player", "games", "won", "drawn", "lost", "score", "", "Elo", "95 % interval")):
        table.add_column(column, justify="left" if number in (0, 6) else "right", overflow="fold")
    if standings.has_stakes:
        table.add_column("points per game", justify="right")
    table.add_column("time per move", justify="right")
    table.add_column("faults")
    for number in standings.order:
        tally = standings.tallies[number]
        elo, interval = standings.elo_in_words(number)
        cells: list[Any] = [
            Text(standings.players[number]),
            str(tally.games),
            str(tally.wins),
            str(tally.draws),
            str(tally.losses),
            f"{tally.score:.1%}" if tally.games else "",
            ProgressBar(1.0, tally.score, width=12) if tally.games else "",
            elo,
            interval,
        ]
        if standings.has_stakes:
            half = tally.stakes.high - tally.stakes.mean
            cells.append(f"{tally.stakes.mean:+.3g}" + (f" ± {half:.2g}" if math.isfinite(half) else ""))
        cells.append(duration(tally.seconds_a_move))
        cells.append(", ".join(f"{count} {name}" for name, count in tally.faults.items()))
        table.add_row(*cells)
    return table


def duration(seconds: float) -> str:
    """A time in a unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return ""


def _cross_table(standings: Standings) -> Table:
    """The score of each player against each other player."""
    order = standings.order
    table = Table(box=None, pad_edge=False, header_style="bold", title="", title_justify="left")
    table.add_column("score against", overflow="fold")
    for place in range(1, len(order) + 1):
        table.add_column(str(place), justify="right")
    cross = standings.cross()
    for place, one in enumerate(order, 1):
        cells = ["·" if one == two else "" if cross[one][two] is None else f"{cross[one][two]:.0%}" for two in order]
        table.add_row(Text(f"{place} {standings.players[one]}"), *cells)
    return table


def remarks_on(standings: Standings) -> list[str]:
    """Remarks: length of the games, likelihood of superiority, and the state of the sequential test."""
    count = standings.games
    remarks = [f"{count} game{'s' * (count != 1)} of {standings.plies / max(count, 1):.1f} plies on average"]
    if standings.is_match and standings.score.games:
        chance = standings.score.superiority
        likely, sure = standings.players[0 if chance >= 0.5 else 1], f"{max(chance, 1 - chance):.1%}"
        likelihood = f"{likely} is stronger with {sure}" if sure != "50.0%" else "neither player is stronger"
        remarks[0] += f"; {likelihood}"
    if standings.sprt is not None and standings.llr is not None:
        test = standings.sprt
        said = {"accept": f"better by {test.elo1:g} Elo", "reject": f"not better by more than {test.elo0:g}"}
        verdict = said.get(standings.decision, "not decided yet")
        remarks.append(f"SPRT: LLR {standings.llr:+.2f} in [{test.lower:.2f}, {test.upper:.2f}]: {verdict}")
    return remarks


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
@click.argument("path", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("moves", nargs=-1)
@click.option("--count", default=1, show_default=True, help="Show moves that were played at least this often.")
@click.option("--plies", default=24, show_default=True, help="Plies of each game to include.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def book_command(path: Path, moves: tuple[str, ...], count: int, plies: int, as_json: bool) -> None:
    """Look up which moves were played after MOVES in a file of games, how often, and with what score.

    For chess the file can also be PGN, or a Polyglot book, whose moves have weights.

    \b
    zermelo book othello.jsonl f5
    zermelo book openings.bin e4 c5
    zermelo match othello engine:seconds=0.1,book=othello.jsonl engine:seconds=0.1
    """
    if path.suffix.casefold() == ".bin":
        _show_polyglot(path, moves, count, as_json)
        return
    if path.suffix.casefold() == ".pgn":
        game: Game = Chess()
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


def _show_polyglot(path: Path, moves: tuple[str, ...], count: int, as_json: bool) -> None:
    game = Chess()
    book = PolyglotBook(path, game)
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
