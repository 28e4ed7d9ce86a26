"""`zermelo equity` and `zermelo pushfold`: tools for players of hold'em."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from zermelo.app.interrupts import STOPPED
from zermelo.app.options import as_json, in_a_folder
from zermelo.app.waiting import until_stopped
from zermelo.equilibria.push_fold import PushFold, push_fold
from zermelo.games.poker.cards import RANKS
from zermelo.games.poker.equity import Equity, equity
from zermelo.games.poker.ranges import kind_name
from zermelo.kernel.files import write_whole

CELL, MARGIN = 34, 8
"""Pixels of one cell of a chart, and of the space around both charts."""


@click.command("equity")
@click.argument("first")
@click.argument("second")
@click.option("--board", default="", help="The cards on the table: none, three, four or five, such as AhKd2c.")
@click.option("--boards", type=click.IntRange(min=1), help="Draw so many boards instead of comparing all.")
@click.option("--seed", default=0, show_default=True, help="Seed of the draws.")
@as_json
def equity_command(first: str, second: str, board: str, boards: int | None, seed: int, as_json: bool) -> None:
    """The share of the pot that hand or range FIRST wins against SECOND at hold'em.

    Ranges are separated by commas. 22+ are all pairs, A2s+ all suited aces, 99-66 the pairs from nines to sixes,
    AhKd one hand, 76s:0.5 a hand that is played half of the time, and any all hands.

    \b
    zermelo equity AhAd KsKc
    zermelo equity "22+, A2s+, KTo+" any --board "Ah Kd 2c"
    zermelo equity "99-66, AJs+" "TT+, AKo" --boards 5000
    """
    found, is_stopped = until_stopped(
        lambda token: equity(first, second, board, boards=boards, seed=seed, stop=token), "comparing boards"
    )
    if is_stopped:
        click.echo("stopped: the boards so far", err=True)
    if as_json:
        click.echo(json.dumps({**found.to_json(), "first": first, "second": second, "board": board}))
    else:
        _print_equity(first, second, found)
    if is_stopped:
        raise SystemExit(STOPPED)


def _print_equity(first: str, second: str, found: Equity) -> None:
    """The equity in two lines."""
    error = "exact" if found.exact else f"± {100 * found.error:.2f} % standard error"
    click.echo(f"{first} against {second}: {100 * found.share:.2f} % of the pot ({error}, {found.boards:,} boards)")
    click.echo(f"wins {100 * found.win:.2f} %, ties {100 * found.tie:.2f} %")


@click.command("pushfold")
@click.argument("stack", type=float)
@click.option("--svg", type=click.Path(dir_okay=False), callback=in_a_folder, help="Write both charts as a picture.")
@click.option("--csv", type=click.Path(dir_okay=False), callback=in_a_folder, help="Write all hands to a table.")
@as_json
def pushfold_command(stack: float, svg: str | None, csv: str | None, as_json: bool) -> None:
    """Which hands to go all in with, heads up, with a STACK in big blinds, and which to call with.

    The small blind goes all in or folds; the big blind calls or folds. The charts have suited hands above the
    diagonal. ## is always, .. never, and a number is how often, in per cent.

    \b
    zermelo pushfold 10
    zermelo pushfold 8.5 --svg chart.svg --csv chart.csv
    """
    found = push_fold(stack)
    if svg is not None:
        write_whole(Path(svg), chart_svg(found).encode())
    if csv is not None:
        write_whole(Path(csv), found.to_csv().encode())
    if as_json:
        about = {"stack": stack, "value": found.value, "exploitability": found.exploitability}
        click.echo(json.dumps({**about, "hands": found.table()}))
        return
    for title, chances in (("push", found.push), ("call", found.call)):
        click.echo(f"{title} with {100 * found.share(chances):.1f} % of hands")
        for line in chart(chances):
            click.echo(line)
    click.echo(f"worth {found.value:+.4f} big blinds to the small blind; exploitability {found.exploitability:.1e}")


def chart(chances: Any) -> Iterator[str]:
    """The 13 × 13 chart as lines of text."""
    yield "   " + " ".join(f"{rank:>2}" for rank in reversed(RANKS))
    for row in range(13):
        yield f"{RANKS[12 - row]:>2} " + " ".join(_mark(float(chances[13 * row + column])) for column in range(13))


def _mark(chance: float) -> str:
    if chance > 0.995:
        return "##"
    return ".." if chance < 0.005 else f"{round(100 * chance):2d}"


def chart_svg(found: PushFold) -> str:
    """Both charts side by side as a picture; darker is more often."""
    wide, high = 13 * CELL, 13 * CELL + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-MARGIN} {-MARGIN} {2 * wide + 30 + 2 * MARGIN} '
        f'{high + 2 * MARGIN}" font-family="sans-serif">',
        f'<rect x="{-MARGIN}" y="{-MARGIN}" width="100%" height="100%" fill="white"/>',
    ]
    for number, (title, chances) in enumerate((("push", found.push), ("call", found.call))):
        left = number * (wide + 30)
        share = 100 * found.share(chances)
        parts.append(f'<text x="{left}" y="20" font-size="16">{title}, {found.stack:g} bb: {share:.1f} %</text>')
        for kind in range(169):
            row, column = divmod(kind, 13)
            x, y, chance = left + CELL * column, 30 + CELL * row, float(chances[kind])
            fill = f"rgb({round(245 - 195 * chance)},{round(245 - 105 * chance)},{round(245 - 145 * chance)})"
            ink = "white" if chance > 0.6 else "black"
            parts.append(f'<rect x="{x}" y="{y}" width="{CELL - 1}" height="{CELL - 1}" fill="{fill}"/>')
            parts.append(
                f'<text x="{x + CELL / 2}" y="{y + 21}" font-size="12" text-anchor="middle" fill="{ink}">'
                f"{kind_name(kind)}</text>"
            )
    return "\n".join([*parts, "</svg>", ""])
