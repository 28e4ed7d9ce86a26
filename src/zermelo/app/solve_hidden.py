"""`zermelo solve` for games with hidden information: an equilibrium, its strategy as a table, and how good it is."""

from __future__ import annotations

import contextlib
import functools
import json
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from zermelo.app.interrupts import STOPPED
from zermelo.app.saved_strategy import TOO_LARGE, show_decision
from zermelo.app.solve_buckets import train
from zermelo.app.waiting import until_stopped
from zermelo.equilibria.bucket_strategy import BucketStrategy, load_strategy
from zermelo.equilibria.linear import by_linear_programming
from zermelo.equilibria.methods import DEFAULT, METHODS
from zermelo.equilibria.reading import Choice, choices
from zermelo.equilibria.sampling import Sampler, chances_in
from zermelo.equilibria.solver import Look, Solver, appraise
from zermelo.equilibria.strategy import method_of
from zermelo.game.errors import TooDeep
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.poker.holdem import Holdem
from zermelo.kernel.stopping import StopToken

LINEAR, SAMPLING = "lp", "mccfr"
"""The names of the exact method, and of the one that need not write the game down."""
UNTIL = 0.001
"""The default exploitability, in units of the game's utility."""
SECONDS = 10.0
"""How long it samples by default."""
WRITTEN_DOWN = 2_000_000
"""A game with at most this many ends is written down to find out how exploitable a sampled strategy is."""
PRINTED = 60
"""A strategy with more information sets is printed only as far as asked for."""


def solve_hidden(
    game: Game, states: list[Any], *, method: str | None, until: float | None, iterations: int | None,
    seconds: float | None, save: str | None, load: str | None, rows: int | None, threads: int, as_json: bool,
) -> None:  # fmt: skip
    """Find an equilibrium and print it, or print a loaded strategy if nothing says how far to continue it.

    Without a method, it is that of the loaded strategy.
    """
    is_shown = until is None and iterations is None and seconds is None and save is None
    is_shown = is_shown and (load is not None or (method is None and game.own_strategy() is not None))
    strategy = load_strategy(load or "", game) if is_shown else None
    if isinstance(strategy, BucketStrategy) or (strategy is not None and isinstance(game, Holdem)):
        show_decision(game, states[-1], strategy, as_json)
        return
    if load is not None and (method is None or is_shown):
        method = method_of(load)
    method = method or DEFAULT
    if method == LINEAR and (save or load):
        raise click.UsageError("--save and --load are for iterative methods; choose one with --method")
    if method == SAMPLING and until is not None:
        raise click.UsageError("mccfr cannot stop at an exploitability; give --iterations or --seconds")
    if method != SAMPLING and isinstance(game, Holdem):
        raise click.UsageError(TOO_LARGE.format(game=game.title))
    told = ["writing the game down"]

    def work(token: StopToken) -> tuple[Solver | None, Any, int]:
        if strategy is not None:
            solver = _written_down(game, token)
            chance = None if solver is None else chances_in(solver, strategy)
            return solver, chance, int(strategy.about.get("iterations", 0))
        if method == SAMPLING and isinstance(game, Holdem):
            tell = functools.partial(told.__setitem__, 0)
            return None, None, train(game, token, tell, iterations, seconds, save, load)
        if method == SAMPLING:
            return _sampled(game, token, told, iterations, seconds, save, load)
        began = time.perf_counter()
        solver = Solver(game, DEFAULT if method == LINEAR else method, stop=token, seconds=seconds, threads=threads)
        left = None if seconds is None else max(seconds - (time.perf_counter() - began), 0.0)
        told[0] = described(solver)
        if method == LINEAR:
            return solver, by_linear_programming(game, solver.form)[0], 0
        if load is not None:
            solver.resume(load)
        goal = UNTIL if until is None and iterations is None and seconds is None else until
        total = None if iterations is None else solver.iterations + iterations
        solver.solve(
            until=goal, iterations=total, seconds=left, on_progress=lambda look: told.__setitem__(0, in_words(look))
        )
        if save is not None:
            solver.save(Path(save))
        return solver, solver.average(), solver.iterations

    (solver, chance, done), is_stopped = until_stopped(work, lambda: told[0])
    if is_stopped:
        click.echo("stopped: the strategy so far", err=True)
    if save is not None:
        click.echo(f"written: {save}; play it with equilibrium:{save}", err=True)
    if solver is None and strategy is not None:
        show_decision(game, states[-1], strategy, as_json)
    elif solver is not None:
        _show(solver, chance, done, states, method, rows, as_json)
    elif as_json:
        click.echo(json.dumps({"game": game.name, "method": method, "iterations": done, "nash_conv": None}))
    else:
        click.echo(f"{game.title}: {done:,} iterations of {_title(method)}")
        click.echo("its exploitability is unknown: the game is too large to compute best responses")
    if is_stopped:
        raise SystemExit(STOPPED)


def _sampled(
    game: Game, token: StopToken, told: list[str], iterations: int | None, seconds: float | None, save: str | None,
    load: str | None,
) -> tuple[Solver | None, Any, int]:  # fmt: skip
    """Monte Carlo CFR, and a solver that says how good the result is; None if the game is too large to write down."""
    solver = _written_down(game, token)
    sampler = Sampler(game, stop=token)
    if load is not None:
        sampler.resume(load)
    total = None if iterations is None else sampler.iterations + iterations
    if total is None and seconds is None:
        seconds = SECONDS

    def tell(sampler: Sampler) -> None:
        told[0] = f"{sampler.iterations:,} iterations, {len(sampler):,} information sets; Ctrl-C stops"

    strategy = sampler.solve(iterations=total, seconds=seconds, on_progress=tell)
    if save is not None:
        sampler.save(Path(save))
    return solver, None if solver is None else chances_in(solver, strategy), sampler.iterations


def _written_down(game: Game, token: StopToken) -> Solver | None:
    """A solver, which says how good a strategy is; None if the game is too large."""
    with contextlib.suppress(TooDeep):
        return Solver(game, most_ends=WRITTEN_DOWN, stop=token)
    return None


def _show(
    solver: Solver, chance: Any, done: int, states: list[Any], method: str, rows: int | None, as_json: bool
) -> None:
    """Print the values and the strategy."""
    game = solver.game
    found = list(choices(game, solver.state, solver.book, solver.form, chance))
    asked = _at(game, solver, found, states)
    values, best = appraise(solver.form, chance)
    nash_conv = sum(best) - sum(values)
    if as_json:
        click.echo(json.dumps(as_data(solver, found if asked is None else [asked], values, nash_conv, method, done)))
        return
    for line in summary(solver, values, nash_conv, method, done):
        click.echo(line)
    shown = [asked] if asked is not None else found if rows is None and len(found) <= PRINTED else found[: rows or 0]
    for line in strategy_table(game, shown):
        click.echo(line)
    if asked is None and len(shown) < len(found):
        click.echo(f"{len(found) - len(shown):,} more information sets; --rows prints them, --save keeps them")


def _title(method: str) -> str:
    return "external-sampling MCCFR (Lanctot et al. 2009)" if method == SAMPLING else METHODS[method].title


def described(solver: Solver) -> str:
    """The size of the game in words."""
    form = solver.form
    return f"{form.states:,} states, {len(form.first):,} information sets"


def in_words(look: Look) -> str:
    """How far the solver is, in words."""
    return (
        f"{look.iterations:,} iterations, exploitability {look.exploitability:.3g}, {look.seconds:.0f} s; Ctrl-C stops"
    )


def _at(game: Game, solver: Solver, found: list[Choice], states: list[Any]) -> Choice | None:
    """The information set of the player to move in the last of these states; None at the start of the game."""
    s = states[-1]
    if len(states) == 1 or game.is_terminal(s) or game.to_move(s) == CHANCE:
        return None
    return found[solver.number_of(s)]


def summary(solver: Solver, values: Iterable[float], nash_conv: float, method: str, done: int) -> Iterator[str]:
    """The size of the game, the values, and how far from an equilibrium the strategy is."""
    game = solver.game
    yield f"{game.title}: {described(solver)}"
    if method == LINEAR:
        yield "by linear programming"
    else:
        yield f"{done:,} iterations of {_title(method)}"
    for p, value in enumerate(values):
        yield f"value to {game.player_name(p)}: {value:+.6f}"
    each = nash_conv / game.players
    yield f"exploitability {max(each, 0.0):.3g} (NashConv {max(nash_conv, 0.0):.3g})"
    if game.players != 2 or not game.zero_sum:
        yield solver.guarantee()


def strategy_table(game: Game, found: list[Choice]) -> Iterator[str]:
    """Every information set with how often to play each move, its value, and how often play gets there."""
    rows = [("player", "knows", "reached", "moves: how often, and what each is worth")]
    for choice in found:
        moves = zip(choice.moves, choice.probabilities, choice.values, strict=True)
        said = "   ".join(f"{name} {100 * p:.1f} % ({value:+.3f})" for name, p, value in moves)
        rows.append((game.player_name(choice.player), choice.information, f"{100 * choice.reach:.2f} %", said))
    if len(rows) == 1:
        return
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        yield "  ".join([*(cell.ljust(width) for cell, width in zip(row[:3], widths, strict=True)), row[3]])


def as_data(
    solver: Solver, found: list[Choice], values: Iterable[float], nash_conv: float, method: str, done: int
) -> dict[str, Any]:
    """The same as plain data."""
    game = solver.game
    return {
        "game": game.name,
        "method": method,
        "iterations": done,
        "states": solver.form.states,
        "information_sets": len(solver.form.first),
        "values": list(values),
        "nash_conv": nash_conv,
        "curve": [[look.iterations, look.exploitability] for look in solver.looks],
        "strategy": [
            {
                "player": game.player_name(choice.player),
                "information": choice.information,
                "reach": choice.reach,
                "moves": dict(zip(choice.moves, choice.probabilities, strict=True)),
                "values": dict(zip(choice.moves, choice.values, strict=True)),
            }
            for choice in found
        ],
    }
