"""`zermelo subgame`: the equilibrium of a hold'em spot on the turn or the river."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from zermelo.app.interrupts import STOPPED
from zermelo.app.options import as_json, csv_option, in_a_folder, write_csv
from zermelo.app.poker import chart
from zermelo.app.waiting import until_stopped
from zermelo.equilibria.methods import METHODS
from zermelo.equilibria.subgame.betting import MOST_RAISES
from zermelo.equilibria.subgame.files import load_subgame, save_subgame
from zermelo.equilibria.subgame.reading import Decision, decision
from zermelo.equilibria.subgame.solver import METHOD, UNTIL, Look, Subgame
from zermelo.games.poker.cards import name_of
from zermelo.kernel.stopping import StopToken

CHART, KINDS, HANDS = "chart", "kinds", "hands"
LISTED = 40
"""With at most so many kinds of hands, they are listed by default; otherwise there is a chart."""
PLAYERS = "first", "second"


class Sizes(click.types.StringParamType):
    """Numbers separated by commas."""

    name = "sizes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return tuple(value)
        try:
            return tuple(float(part) for part in value.split(",") if part.strip())
        except ValueError:
            self.fail(f"{value!r} is not a list of numbers such as 0.5,1,2", param, ctx)


@click.command("subgame")
@click.option("--board", help="Four cards (turn) or five (river), such as Ks9h4d2c7s.")
@click.option("--first", help="The range of the player who acts first.")
@click.option("--second", help="The range of the other player.")
@click.option("--pot", type=float, default=100.0, show_default=True, help="Chips in the middle.")
@click.option(
    "--stack", "--stacks", "stack", type=float, default=200.0, show_default=True, help="Chips of each player."
)
@click.option("--bets", type=Sizes(), default="0.5,1", show_default=True, help="Bets and raises, as shares of the pot.")
@click.option("--river-bets", type=Sizes(), default="", help="The same for the river, if it differs.")
@click.option("--raises", default=MOST_RAISES, show_default=True, help="How often a bet may be raised on a street.")
@click.option(
    "--until", type=click.FloatRange(min=0), help=f"Stop at this exploitability, in % of the pot; by default {UNTIL}."
)
@click.option("--iterations", type=click.IntRange(min=1), help="How many iterations to make.")
@click.option("--seconds", type=click.FloatRange(min=0), help="Time limit in seconds.")
@click.option(
    "--method", type=click.Choice([m for m in METHODS if METHODS[m].alternating]), default=METHOD, show_default=True
)
@click.option("--threads", type=click.IntRange(min=1), help="Number of threads; by default one for each core.")
@click.option("--line", default="", help="Show the decision after these actions: 'check, bet 50, call, 7s'.")
@click.option(
    "--show", type=click.Choice([CHART, KINDS, HANDS]), help="A chart of 13 × 13, kinds of hands, or all hands."
)
@click.option("--save", type=click.Path(dir_okay=False), callback=in_a_folder, help="Write the solution to a file.")
@click.option("--load", type=click.Path(exists=True, dir_okay=False), help="Read a saved solution, and continue it.")
@csv_option("Write all hands at this decision to a table.")
@as_json
@click.pass_context
def subgame_command(context: click.Context, /, line: str, show: str | None, save: str | None, load: str | None,
    csv_file: str | None, as_json: bool, until: float | None, iterations: int | None, seconds: float | None,
    threads: int | None, **spot: Any,
) -> None:  # fmt: skip
    """The equilibrium of a hold'em spot on the turn or the river, for given ranges, pot, stacks and bet sizes.

    Ranges are written as for `zermelo equity`. Values are chips won from the pot at that decision on. A loaded solution
    is only shown, unless --until, --iterations or --seconds continue it. Ctrl-C keeps what is there.

    \b
    zermelo subgame --board Ks9h4d2c7s --first any --second any --bets 0.5,1,2
    zermelo subgame --board Ks9h4d2c --first "22+, A2s+, KTo+" --second "99-22, AT+, KQ" --save spot.npz
    zermelo subgame --load spot.npz --line "check, bet 50"
    zermelo subgame --load spot.npz --line "check, check, 7s" --show hands
    """
    _require_spot(context, load, spot)
    told = ["preparing the hands"]

    def tell(look: Look) -> None:
        told[0] = f"{in_words(look)}; Ctrl-C stops"

    def work(token: StopToken) -> Subgame:
        if load is not None:
            subgame = load_subgame(load, threads=threads, stop=token)
        else:
            subgame = Subgame(**spot, threads=threads, stop=token)
        told[0] = described(subgame)
        decision(subgame, *words_of(line))  # a wrong line is an error before the work, not after
        if load is None or until is not None or iterations is not None or seconds is not None:
            subgame.solve(until=until, iterations=iterations, seconds=seconds, on_progress=tell)
        if save is not None:
            save_subgame(subgame, save)
        return subgame

    subgame, is_stopped = until_stopped(work, lambda: told[0])
    if is_stopped:
        click.echo("stopped: the strategy so far", err=True)
    if save is not None:
        click.echo(f"written: {save}; show it with zermelo subgame --load {save}", err=True)
    found = decision(subgame, *words_of(line))
    write_csv(csv_file, found)
    if as_json:
        click.echo(json.dumps(as_data(subgame, found)))
    else:
        for text in [described(subgame), *summary(subgame), *table(found, show)]:
            click.echo(text)
    if is_stopped:
        raise SystemExit(STOPPED)


def _require_spot(context: click.Context, load: str | None, spot: dict[str, Any]) -> None:
    """A spot is given by options, or by a file, not both."""
    given = [name for name in spot if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE]
    if load is not None and given:
        raise click.UsageError(f"the spot is in {load}: leave out --{given[0].replace('_', '-')}")
    missing = [f"--{name}" for name in ("board", "first", "second") if not spot[name]]
    if load is None and missing:
        raise click.UsageError(f"a spot needs {', '.join(missing)}, or --load FILE")


def words_of(line: str) -> list[str]:
    """The actions and cards of a line."""
    return [" ".join(part.split()) for part in line.split(",") if part.strip()]


def described(subgame: Subgame) -> str:
    """The spot in words."""
    board = " ".join(name_of(card) for card in subgame.board)
    rivers = "" if subgame.board_is_full else f", {len(subgame.boards.rivers)} different rivers"
    size = f"{len(subgame.nodes):,} nodes{rivers}, {len(subgame.boards.hands):,} hands, {subgame.bytes / 1e6:.0f} MB"
    return f"{board}, pot {subgame.betting.pot:g}, stacks {subgame.betting.stack:g}: {size}"


def in_words(look: Look) -> str:
    """How far it is, in words."""
    return (
        f"{look.iterations:,} iterations, exploitability {look.exploitability:.2f} % of the pot, {look.seconds:.1f} s"
    )


def summary(subgame: Subgame) -> Iterator[str]:
    """The exploitability, and what the spot is worth to both."""
    if subgame.looks:
        yield in_words(subgame.looks[-1])
    worth = [f"{name} {subgame.value(p):.2f}" for p, name in enumerate(PLAYERS)]
    yield f"chips won on average: {', '.join(worth)}"


def table(found: Decision, show: str | None) -> Iterator[str]:
    """A decision: how often each action is taken, with all hands and with each."""
    after = f" after {', '.join(found.line)}" if found.line else ""
    yield f"{PLAYERS[found.player]} to act{after}, pot {found.pot:g}, worth {found.value:.2f}"
    often = zip(found.actions, found.frequencies, strict=True)
    yield ", ".join(f"{name} {100 * float(chance):.1f} %" for name, chance in often)
    kinds = found.by_kind()
    if show is None:
        show = KINDS if len(kinds) <= LISTED else CHART
    if show == CHART:
        yield "how often each kind of hand bets or raises; ## is always, .. never or not in the range"
        yield from chart(found.aggression())
        return
    rows = kinds if show == KINDS else found.table()
    widths = {name: max(12, len(name) + 2) for name in found.actions}
    heads = [f"{name:>{width}}" for name, width in widths.items()]
    yield f"{'hand':<6}{'reach':>7}{''.join(heads)}{'value':>10}"
    for row in rows:
        chances = "".join(f"{100 * row[name]:>{width - 2}.1f} %" for name, width in widths.items())
        yield f"{row['hand']:<6}{row['reach']:>7.3f}{chances}{row['value']:>z10.2f}"


def as_data(subgame: Subgame, found: Decision) -> dict[str, Any]:
    """The same as plain data."""
    return {
        **subgame.given,
        "iterations": subgame.iterations,
        "exploitability": subgame.looks[-1].exploitability if subgame.looks else None,
        "curve": [[look.iterations, look.exploitability] for look in subgame.looks],
        "values": [subgame.value(p) for p in range(2)],
        "line": list(found.line),
        "player": found.player,
        "pot_here": found.pot,
        "value_here": found.value,
        "frequencies": dict(zip(found.actions, found.frequencies.tolist(), strict=True)),
        "hands": found.table(),
    }
