"""`zermelo race`: what each of the engine's techniques saves."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from zermelo.app.interrupts import STOPPED
from zermelo.app.options import (
    ALGORITHM,
    as_json,
    chosen_game,
    csv_option,
    game_argument,
    setting,
    write_csv,
)
from zermelo.app.waiting import waiting
from zermelo.kernel.files import write_whole
from zermelo.search.race import MINIMAX_NODES, Race, race
from zermelo.search.resolve import resolve


@click.command("race")
@game_argument
@setting
@click.option("--depth", type=int, help="Search depth in plies; by default as deep as minimax can count.")
@click.option("--positions", type=int, help="Number of positions after random openings; by default the start position.")
@click.option("--seed", default=0, show_default=True, help="Seed of the random openings.")
@click.option("--table", default=64.0, show_default=True, help="MiB for the transposition table.")
@click.option("--minimax-nodes", default=MINIMAX_NODES, show_default=True, help="Node limit of minimax.")
@click.option(
    "--algorithm",
    "algorithms",
    type=ALGORITHM,
    multiple=True,
    help="A further row: a textbook algorithm by name, or FILE.py:FUNCTION.",
)
@csv_option("Write the rows as CSV.")
@click.option("--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Draw the nodes as an SVG.")
@as_json
def race_command(
    game: str,
    settings: tuple[str, ...],
    depth: int | None,
    positions: int | None,
    seed: int,
    table: float,
    minimax_nodes: int,
    algorithms: tuple[str, ...],
    csv_file: str | None,
    plot: str | None,
    as_json: bool,
) -> None:
    """Count the nodes of one technique of search after the other.

    Each row has the techniques of those above it, and finds the same value.

    \b
    zermelo race connect_four
    zermelo race othello --positions 10 --depth 7 --plot race.svg
    zermelo race tic_tac_toe --json
    zermelo race connect_four --depth 8 --algorithm mine.py:my_search
    """
    if plot is not None and not plot.endswith(".svg"):
        raise ValueError(f"the picture is an SVG: give --plot a name that ends in .svg, not {plot!r}")
    if plot is not None and not Path(plot).absolute().parent.is_dir():
        raise ValueError(f"there is no folder {str(Path(plot).parent)!r} to write {Path(plot).name!r} to")
    with waiting("racing; Ctrl-C stops"):
        found = race(
            chosen_game(game, settings),
            depth=depth,
            positions=positions,
            seed=seed,
            table=table,
            minimax_nodes=minimax_nodes,
            algorithms=[resolve(each) for each in algorithms],
        )
    if as_json:
        click.echo(json.dumps(found.to_json()))
    else:
        show(found, Console(width=None if Console().is_terminal else 140))
    write_csv(csv_file, found)
    if plot is not None:
        write_whole(Path(plot), found.to_svg().encode())
        click.echo(f"written: {plot}", err=True)
    if found.stopped:
        click.echo("stopped: the rows so far", err=True)
        raise SystemExit(STOPPED)


def show(found: Race, console: Console) -> None:
    """Print a race as a table."""
    where = "the start position" if found.seed is None else f"{found.positions} positions, seed {found.seed}"
    far = f"depth {found.depth}{', to the end of the game' if found.to_the_end else ''}"
    console.print(f"{found.game}: {where}, {far}", highlight=False, markup=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("technique", no_wrap=True)
    for heading in ("nodes", "leaves", "leaves / best", "seconds", "nodes / s", "ratio", "b*", "first-move cuts"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in found.rows:
        share = row.first_move_share
        table.add_row(
            row.technique,
            f"{row.nodes:,}",
            f"{row.leaves:,}",
            f"{found.over_best(row):.2f}",
            f"{row.seconds:.3g}",
            f"{row.nodes_per_second:.2g}" if row.nodes_per_second < 1e3 else f"{row.nodes_per_second / 1e6:.1f} M",
            f"{found.ratio(row):.3f}",
            f"{found.effective_branching(row):.2f}",
            "" if share is None else f"{share:.1%}",
        )
    console.print(table, highlight=False)
    counted = "" if found.counted_depth == found.depth else f", as far as counted at depth {found.counted_depth}"
    console.print(
        f"best case {found.best_case:,.0f} leaves, for a branching of {found.branching:.2f}{counted}; "
        f"ratio: to the nodes of plain alpha-beta; b*: effective branching",
        highlight=False,
    )
    for row in found.rows:
        if row.note:
            console.print(f"{row.technique}: {row.note}", highlight=False, markup=False)
    for name, reason in found.left_out:
        console.print(f"without {name.removeprefix('+ ')}: {reason}", highlight=False, markup=False)
