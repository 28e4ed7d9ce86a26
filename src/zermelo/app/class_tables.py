"""`zermelo table` for games that number their positions: build, verify, plan and look up."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from zermelo.app.interrupts import STOPPED
from zermelo.app.waiting import until_stopped
from zermelo.game.errors import UnknownName
from zermelo.game.protocol import Game
from zermelo.games.resolve import position
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.table_files import table_directory
from zermelo.lookup.building import (
    ClassBuilder,
    Progress,
    SolvedClass,
    build_classes,
    chosen_classes,
    piece_count,
    plan,
    require_numbering,
)
from zermelo.lookup.longest import longest_win
from zermelo.lookup.probing import Tables

LISTED = 40
"""A plan with more classes is summed up by the number of pieces."""


@dataclass(frozen=True)
class Wish:
    """What the user asked for."""

    game: Game
    words: str
    parameters: dict[str, Any]
    names: tuple[str, ...]
    pieces: int | None
    folder: Path | None
    distance: str
    threads: int | None
    as_json: bool


def build(wish: Wish, on_ray: bool) -> None:
    """Build what is missing, and print a line for each class."""
    if not wish.names and wish.pieces is None:
        some = ", ".join(require_numbering(wish.game).class_names()[1:4])
        raise click.UsageError(f"which classes? Name some, such as {some}, or give --pieces; --plan lists them")
    if on_ray:
        from zermelo.lookup.cluster import build_on_cluster

        build_on_cluster(
            wish.words, wish.parameters, wish.names, wish.folder or table_directory(), pieces=wish.pieces,
            distance=wish.distance, threads=wish.threads or 1, on_class=lambda solved: report(solved, wish.as_json),
        )  # fmt: skip
        return
    told = ["starting"]

    def tell(progress: Progress) -> None:
        told[0] = f"{in_words(progress)}; Ctrl-C stops, and a later call continues"

    def job(token: StopToken) -> list[SolvedClass]:
        return build_classes(
            wish.game, wish.names, pieces=wish.pieces, folder=wish.folder, distance=wish.distance,
            threads=wish.threads, stop=token, on_progress=tell, on_class=lambda solved: report(solved, wish.as_json),
        )  # fmt: skip

    done, _ = until_stopped(job, lambda: told[0])
    wanted = chosen_classes(wish.game, wish.names, wish.pieces)
    if len(done) < len(wanted):
        click.echo(f"stopped after {len(done)} of {len(wanted)} classes; the same command continues", err=True)
        raise SystemExit(STOPPED)


def in_words(progress: Progress) -> str:
    """The progress in a line."""
    if progress.doing == "pass":
        return f"{progress.name}: pass {progress.number}, {progress.found:,} positions decided"
    doing = {"begin": "ends of the game", "verify": "verifying", "pack": "packing"}.get(progress.doing, progress.doing)
    return f"{progress.name}: {doing}" + (f", {progress.number:,} indices" if progress.number else "")


def report(solved: SolvedClass, as_json: bool) -> None:
    """Print one finished class."""
    if as_json:
        click.echo(json.dumps(solved.to_json()))
        return
    longest = f"longest win {plies(solved.longest)}" if solved.longest >= 0 else "no wins"
    how = f"built and verified in {solved.seconds:.1f} s" if solved.built else "there already"
    size = f"{solved.bytes / 1e6:.2f} MB, {solved.bytes / max(solved.positions, 1):.2f} bytes a position"
    click.echo(
        f"{solved.name}: {solved.positions:,} positions: {solved.won:,} won, {solved.lost:,} lost, {solved.drawn:,} "
        f"drawn; {longest}; {size}; {how}" + (", continued" if solved.resumed else "")
    )


def finished(wish: Wish) -> Tables:
    """The tables in the folder. Raises UnknownName if the folder has no tables."""
    tables = Tables(wish.game, wish.folder, wish.distance)
    if not tables.names:
        some = tables.game.class_names()[1]
        raise UnknownName(
            f"there are no tables of {wish.game.title} with distances to the {wish.distance} in {tables.folder}: build "
            f"some, for example with `zermelo table {wish.words} {some}`"
        )
    return tables


def verify(wish: Wish) -> None:
    """Check finished tables: those that are named, or all."""
    rules = require_numbering(wish.game)
    folder = wish.folder or table_directory()
    names = wish.names or finished(wish).names
    for name in names:
        (c,) = [k for k in chosen_classes(rules, [name]) if rules.class_names()[k] == name]

        def job(token: StopToken, c: int = c) -> SolvedClass:
            return ClassBuilder(rules, folder, wish.distance, wish.threads or 1, token).verify(c)

        solved, is_stopped = until_stopped(job, f"verifying {name}")
        if is_stopped:
            raise SystemExit(STOPPED)
        if wish.as_json:
            click.echo(json.dumps({**solved.to_json(), "verified": True}))
        else:
            click.echo(f"{name}: {solved.positions:,} positions verified in {solved.seconds:.1f} s")


def print_plan(wish: Wish) -> None:
    """Print size, memory and time of each class, or sums by the number of pieces."""
    names = wish.names or (() if wish.pieces is not None else require_numbering(wish.game).class_names())
    rows = plan(
        wish.game, names, pieces=wish.pieces, folder=wish.folder, distance=wish.distance, threads=wish.threads
    )  # fmt: skip
    if wish.as_json:
        click.echo(json.dumps([asdict(row) for row in rows]))
        return
    about = "memory while it is built; sizes and times of classes that are not built are estimates"
    table = Table(title=escape(f"Tables in {wish.folder or table_directory()}"), title_justify="left", caption=about)
    for heading in ("class", "indices", "memory", "file", "time", "built"):
        table.add_column(heading, justify="left" if heading in ("class", "built") else "right")
    if len(rows) <= LISTED:
        for row in rows:
            table.add_row(
                row.name, f"{row.indices:,}", _bytes(row.memory), _bytes(row.bytes), _time(row.seconds),
                "yes" if row.built else "no",
            )  # fmt: skip
    else:
        sums = defaultdict(list)
        for row in rows:
            sums[piece_count(row.name)].append(row)
        for pieces, some in sorted(sums.items()):
            table.add_row(
                f"{pieces} pieces ({len(some)})", f"{sum(row.indices for row in some):,}",
                _bytes(max(row.memory for row in some)), _bytes(sum(row.bytes for row in some)),
                _time(sum(row.seconds for row in some)), f"{sum(row.built for row in some)} of {len(some)}",
            )  # fmt: skip
    Console().print(table)


def _bytes(count: int) -> str:
    for size, unit in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if count >= size:
            return f"{count / size:,.1f} {unit}"
    return f"{count / 1e3:,.1f} kB"


def _time(seconds: float) -> str:
    for length, unit in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * length:
            return f"{seconds / length:,.0f} {unit}"
    return f"{max(seconds, 1):.0f} s"


def print_longest(wish: Wish) -> None:
    """Print the longest win of each class as a game."""
    tables = finished(wish)
    game = tables.game
    most = {file.about["class"]: file.about["longest"] for _, file in tables.files}
    for name in wish.names or tables.names:
        if most.get(name, 0) < 0:
            nothing = f"{name}: no position is won for the player to move\n"
            click.echo(json.dumps({"class": name, "start": None, "moves": []}) if wish.as_json else nothing)
            continue
        start, moves = longest_win(tables, name)
        states = [start]
        for a in moves:
            states.append(game.result(states[-1], a))
        named = [game.action_name(s, a) for s, a in zip(states, moves, strict=False)]
        if wish.as_json:
            click.echo(json.dumps({"class": name, "start": game.to_text(start), "moves": named}))
            continue
        click.echo(f"{name}: the longest win takes {plies(tables[start].distance or 0)}")
        click.echo(game.text(start))
        click.echo(numbered(named, game.to_move(start)) + "\n")


def plies(count: int) -> str:
    """A number of plies in words."""
    return f"{count} pl{'y' if count == 1 else 'ies'}"


def numbered(names: list[str], first: int) -> str:
    """Moves with their numbers, as on a scoresheet."""
    rows, moves = [], names
    if first == 1 and moves:
        rows, moves = [f"1... {moves[0]}"], moves[1:]
    for i in range(0, len(moves), 2):
        rows.append(f"{len(rows) + 1}. {' '.join(moves[i : i + 2])}")
    return "  ".join(rows)


def print_position(wish: Wish, text: str) -> None:
    """Print what the tables say of a position and of its moves."""
    tables = Tables(wish.game, wish.folder, wish.distance)
    game = tables.game
    s = position(game, text)
    verdict = tables[s]
    moves = [(game.action_name(s, a), found) for a, found in tables.best_moves(s)]
    if wish.as_json:
        rows = [{"move": name, "value": found.value, "distance": found.distance} for name, found in moves]
        click.echo(json.dumps({"value": verdict.value, "distance": verdict.distance, "moves": rows}))
        return
    click.echo(game.text(s))
    click.echo(f"from the table: {verdict} for {game.player_name(game.to_move(s))}")
    for name, found in moves:
        click.echo(f"  {name:<8} {found}")
