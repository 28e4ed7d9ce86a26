"""The standings of a match or tournament in the terminal: while it is played, and at the end."""

from __future__ import annotations

import datetime
import math
import threading
import time
from pathlib import Path
from typing import Any, TextIO

import click
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from zermelo.arena.pool import Pool
from zermelo.arena.standings import FAULTS, Standings
from zermelo.arena.tournament import Tournament
from zermelo.game.unit import Unit
from zermelo.play.record import Record

REFRESHED = 4
"""Refreshes of the live table per second."""
WIDE = 140
"""Width of the table in characters, without a terminal."""
PROGRESS_SECONDS = 10.0
"""Seconds between progress lines, without a terminal."""


class Show:
    """Progress on standard error: a live table on a terminal, otherwise an occasional line.

    out       if not None, every game is printed there as a line of JSON
    is_live   whether to draw a live table; not if a person plays, because the board is shown there
    """

    def __init__(self, meeting: Tournament, pool: Pool, path: Path, out: TextIO | None, is_live: bool):
        self.total, self.pool, self.path, self.out, self.is_live = meeting.total, pool, path, out, is_live
        self.console = Console(stderr=True)
        self.live: Live | None = None
        self.began = self.reported = time.monotonic()
        self.count = 0
        self.before: int | None = None  # the number of games at the start
        self.standings: Standings | None = None  # the latest
        self.blamed: set[str] = set()  # players whose first fault was told
        self._over = threading.Event()

    def __enter__(self) -> None:
        click.echo(f"{self.total} games, saved in {self.path}", err=True)
        if self.console.is_terminal and self.is_live:
            self.live = Live(
                console=self.console, refresh_per_second=REFRESHED, transient=True, get_renderable=self._table
            )
            self.live.start()
        else:
            threading.Thread(target=self._tell_compiling, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self.live is not None:
            self.live.stop()

    def game(self, record: Record, standings: Standings) -> None:
        """A game has finished."""
        self.count, self.standings = standings.games, standings
        self.before = standings.games - 1 if self.before is None else self.before
        if self.out is not None:
            click.echo(record.line(), self.out)
        self._tell_fault(record)
        now = time.monotonic()
        if self.live is None and (now - self.reported > PROGRESS_SECONDS or self.count == self.total):
            self.reported = now
            click.echo(f"{self.count} of {self.total} games; {brief(standings)}", err=True)

    def _tell_fault(self, record: Record) -> None:
        """Say why a player lost a game by a fault, the first time: the table only counts them."""
        player = None if record.charged is None else record.players[record.charged]
        if player is None or record.ended not in FAULTS or player in self.blamed:
            return
        self.blamed.add(player)
        self.console.print(Text(f"{player} loses game {self.count} ({record.ended}): {record.note}"), soft_wrap=True)

    def _table(self) -> RenderableType:
        parts: list[RenderableType] = [] if self.standings is None else [table_of(self.standings)]
        compiling = self.pool.compiling()
        return Group(*parts, Text(compiling) if compiling else self._bar())

    def _tell_compiling(self) -> None:
        while not self._over.wait(PROGRESS_SECONDS):
            compiling = self.pool.compiling()
            if compiling:
                click.echo(compiling, err=True)

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
        table.add_column(f"{_stakes_unit(standings).name} per game", justify="right")
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
            amount = _stakes_unit(standings).amount
            half = amount(tally.stakes.high - tally.stakes.mean)
            cells.append(f"{amount(tally.stakes.mean):+.3g}" + (f" ± {half:.2g}" if math.isfinite(half) else ""))
        cells.append(duration(tally.seconds_a_move))
        cells.append(", ".join(f"{count} {name}" for name, count in tally.faults.items()))
        table.add_row(*cells)
    return table


def _stakes_unit(standings: Standings) -> Unit:
    """The unit in which a game's stakes are counted: its own if it is a fixed multiple of the utility, or points."""
    unit = standings.game.unit()
    return unit if unit.name and not callable(unit.scale) else Unit("points")


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
        chance = (standings.tallies[0].stakes if standings.has_stakes else standings.score).superiority
        likely, sure = standings.players[0 if chance >= 0.5 else 1], f"{max(chance, 1 - chance):.1%}"
        by = " by points" if standings.has_stakes else ""
        likelihood = f"{likely} is stronger{by} with {sure}" if sure != "50.0%" else "neither player is stronger"
        remarks[0] += f"; {likelihood}"
    if standings.sprt is not None and standings.llr is not None:
        test = standings.sprt
        said = {"accept": f"better by {test.elo1:g} Elo", "reject": f"not better by more than {test.elo0:g}"}
        verdict = said.get(standings.decision, "not decided yet")
        remarks.append(f"SPRT: LLR {standings.llr:+.2f} in [{test.lower:.2f}, {test.upper:.2f}]: {verdict}")
    return remarks
