"""`zermelo table`: build, verify and list endgame tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from zermelo.app import class_tables
from zermelo.app.interrupts import STOPPED
from zermelo.app.options import GAME, as_json, chosen_game, setting
from zermelo.app.waiting import until_stopped
from zermelo.games.resolve import parse_parameters
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.table_files import size_of, table_directory
from zermelo.lookup.class_files import DISTANCES
from zermelo.lookup.tables import BUILDERS, Builder, Built, Progress, build, builders, verify

DISTANCE = "What to count: plies to the win, or to the next class, for example by a capture."


@click.command("table")
@click.argument("game", type=GAME)
@click.argument("parts", nargs=-1, metavar="[TABLE]...")
@setting
@click.option("--pieces", type=click.IntRange(min=1), help="All classes with at most so many pieces.")
@click.option("--plan", is_flag=True, help="Only print which tables there are, their size and the time to build them.")
@click.option("--verify", "verify_only", is_flag=True, help="Check finished tables instead of building them.")
@click.option("--longest", is_flag=True, help="Print the longest win of each class as a game.")
@click.option("--position", metavar="TEXT", help="Print what the tables say of a position, such as a FEN.")
@click.option("--distance", type=click.Choice(DISTANCES), default="win", show_default=True, help=DISTANCE)
@click.option("--threads", type=click.IntRange(min=1), help="Number of threads; by default all cores.")
@click.option("--ray", "on_ray", is_flag=True, help="Build independent classes on a Ray cluster.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), help="Folder of the tables.")
@as_json
def table_command(
    game: str,
    parts: tuple[str, ...],
    settings: tuple[str, ...],
    pieces: int | None,
    plan: bool,
    verify_only: bool,
    longest: bool,
    position: str | None,
    distance: str,
    threads: int | None,
    on_ray: bool,
    folder: Path | None,
    as_json: bool,
) -> None:
    """Build endgame tables for GAME, from its rules alone.

    TABLE is a class of positions such as KQK in chess; the classes that it leads to are built too. The engine and the
    evaluation use finished tables automatically. Every position is verified against its successors before a table is
    used. Ctrl-C stops; the same command continues.

    \b
    zermelo table chess KRK KPK
    zermelo table chess KRK --longest
    zermelo table chess --position "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
    zermelo table checkers --pieces 4
    zermelo table backgammon --plan
    zermelo table backgammon two-sided:8
    """
    if game not in BUILDERS:
        parameters = parse_parameters(settings)
        wish = class_tables.Wish(
            chosen_game(game, settings), game, parameters, parts, pieces, folder, distance, threads, as_json
        )
        if plan:
            class_tables.print_plan(wish)
        elif verify_only:
            class_tables.verify(wish)
        elif longest:
            class_tables.print_longest(wish)
        elif position is not None:
            class_tables.print_position(wish, position)
        else:
            class_tables.build(wish, on_ray)
        return
    for option, is_given in {
        "--pieces": pieces is not None,
        "--longest": longest,
        "--position": position is not None,
        "--distance": distance != "win",
        "--threads": threads is not None,
        "--ray": on_ray,
        "--set": bool(settings),
    }.items():
        if is_given:
            raise click.UsageError(f"{option} is for tables of classes of positions; {game} has other tables")
    chosen = builders(game, parts)
    if plan:
        print_plan(chosen, folder or table_directory(), as_json)
        return
    for builder in chosen:
        built = _done(builder, folder, verify_only)
        if as_json:
            click.echo(json.dumps(built.to_json()))
        else:
            click.echo(sentence(built, verify_only))
        if not built.complete:
            raise SystemExit(STOPPED)


def _done(builder: Builder, folder: Path | None, verify_only: bool) -> Built:
    """Build or verify one table, with a progress line."""
    told = [f"{builder.name}: starting"]

    def tell(progress: Progress) -> None:
        left = "" if progress.left is None else f", {progress.left:.0f} s left"
        share = progress.done / progress.steps
        told[0] = f"{builder.name}: {progress.doing}, {share:.0%}{left}; Ctrl-C stops, and a later call continues"

    def job(token: StopToken) -> Built:
        return (verify if verify_only else build)(builder, folder, stop=token, on_progress=tell)

    return until_stopped(job, lambda: told[0])[0]


def sentence(built: Built, verify_only: bool) -> str:
    """What was done, in a line."""
    name = built.builder.name
    if not built.complete:
        what = "the check was stopped" if verify_only else f"stopped after {built.done} of {built.builder.steps} steps"
        return f"{name}: {what}; the same command continues"
    size = built.path.stat().st_size / 1e6
    done = "verified" if verify_only else "built and verified"
    after = f", continued at step {built.resumed}" if built.resumed else ""
    positions = f"{built.builder.positions:,} positions"
    return f"{name}: {positions} {done} in {built.seconds:.1f} s{after}, {size:.1f} MB in {built.path}"


def print_plan(chosen: list[Builder], folder: Path, as_json: bool) -> None:
    """Print the size of each table, the time to build it on one core, and whether it is there."""
    rows: list[dict[str, Any]] = [
        {
            "table": builder.name,
            "content": builder.title,
            "positions": builder.positions,
            "bytes": size_of(builder.shapes),
            "seconds": builder.positions / builder.speed,
            "built": (folder / builder.file).exists(),
        }
        for builder in chosen
    ]
    if as_json:
        click.echo(json.dumps({"folder": str(folder), "tables": rows}))
        return
    table = Table(title=escape(f"Tables in {folder}"), title_justify="left")
    for name in ("table", "content", "positions", "size", "time", "built"):
        table.add_column(name, justify="right" if name in ("positions", "size", "time") else "left")
    for row in rows:
        table.add_row(
            str(row["table"]),
            str(row["content"]),
            f"{row['positions']:,}",
            f"{row['bytes'] / 1e6:,.1f} MB",
            f"about {row['seconds']:,.0f} s",
            "yes" if row["built"] else "no",
        )
    Console().print(table)
