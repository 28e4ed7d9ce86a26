"""`zermelo solve --plot`: how fast methods find an equilibrium, drawn on logarithmic scales."""

from __future__ import annotations

import math
from pathlib import Path

import click

from zermelo.app.interrupts import STOPPED
from zermelo.app.waiting import until_stopped
from zermelo.equilibria.convergence import SAMPLING, Curve, convergence, methods_to_compare
from zermelo.equilibria.matching import METHODS as MATCHING
from zermelo.equilibria.matching import RegretMatching
from zermelo.game.protocol import Game
from zermelo.games.matrix import Matrix
from zermelo.kernel.files import write_whole
from zermelo.kernel.stopping import StopToken
from zermelo.pictures.curves import draw_curves

ITERATIONS = 1000
"""Iterations of each method, unless told otherwise."""


def draw_convergence(game: Game, file: str, method: str | None, iterations: int | None, seconds: float | None) -> None:
    """Write a picture of the exploitability against iterations, of one method or of all."""
    known = MATCHING if isinstance(game, Matrix) else methods_to_compare()
    if method is not None and method not in known:
        raise click.UsageError(f"--plot draws no curve of {method} for {game.title}; choose one of {', '.join(known)}")
    told = ["writing the game down"]
    total = ITERATIONS if iterations is None else iterations

    def tell(name: str, done: int, exploitability: float) -> None:
        told[0] = f"{name}: {done:,} iterations, exploitability {exploitability:.3g}; Ctrl-C stops"

    def work(token: StopToken) -> dict[str, Curve]:
        chosen = methods_to_compare() if method is None else [method]
        if isinstance(game, Matrix):
            return matrix_curves(game, [each for each in chosen if each in MATCHING], total)
        limit = math.inf if seconds is None else seconds / len(chosen)
        return convergence(game, chosen, iterations=total, seconds=limit, stop=token, on_progress=tell)

    curves, is_stopped = until_stopped(work, lambda: told[0])
    if not curves:
        raise click.Abort
    pictures = {Path(file): convergence_svg(game, curves)}
    if isinstance(game, Matrix):
        pictures[beside(Path(file))] = play_svg(game, total)
    for path, picture in pictures.items():
        write_whole(path, picture.encode())
        click.echo(f"written: {path}", err=True)
    for name, curve in curves.items():
        click.echo(f"{name:<17}{curve[-1][0]:>12,.0f} iterations   exploitability {curve[-1][1]:.3g}")
    if is_stopped:
        click.echo("stopped: what was found so far", err=True)
        raise SystemExit(STOPPED)


def convergence_svg(game: Game, curves: dict[str, Curve]) -> str:
    """The picture: a straight line is a power of the number of iterations."""
    named = {f"{name}, sampled" if name == SAMPLING else name: curve for name, curve in curves.items()}
    return draw_curves(f"{game.title}: how far from an equilibrium", named, "iterations", "exploitability")


def matrix_curves(game: Matrix, methods: list[str], iterations: int) -> dict[str, Curve]:
    """The exploitability of regret matching in a matrix game, if both players begin with their first choice.

    With equal probabilities, many well-known games would begin in their equilibrium.
    """
    curves = {}
    for method in methods:
        matching = RegretMatching(game, method, start="first")
        matching.run(iterations)
        steps = enumerate(matching.steps, start=1)
        curves[method] = [(float(t), matching.exploitability(step.average)) for t, step in steps]
    return curves


def beside(file: Path) -> Path:
    """The name of the second picture, of what is played."""
    return file.with_stem(f"{file.stem}_play")


def play_svg(game: Matrix, iterations: int) -> str:
    """Regret matching in a matrix game: how often the first player has played each row; and the first row, now."""
    matching = RegretMatching(game, start="first")
    matching.run(iterations)
    curves: dict[str, Curve] = {}
    for row, name in enumerate(game.row_names):
        curves[f"{name}, average"] = [
            (t, float(step.average[0][row])) for t, step in enumerate(matching.steps, start=1)
        ]
    now: Curve = [(t, float(step.played[0][0])) for t, step in enumerate(matching.steps, start=1)]
    curves[f"{game.row_names[0]}, now"] = now
    title = f"{game.title}: regret matching, how often each row is played"
    return draw_curves(title, curves, "iterations", "probability", logarithmic=(True, False))
