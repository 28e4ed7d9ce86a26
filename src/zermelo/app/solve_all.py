"""`zermelo solve --all`: every reachable state of a small game, printed, saved and looked up."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from zermelo.app.waiting import until_stopped
from zermelo.game.protocol import CHANCE, Game
from zermelo.lookup.passes import passes
from zermelo.lookup.strong import Solution, solve_all

PRINTED = 40
"""A policy with more states is printed only as far as asked for."""


def solve_every_state(
    game: Game, states: list[Any], *, limit: int, error: float, save: str | None, load: str | None, by_pass: bool,
    rows: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Solve, or load, and print what was asked for."""
    told = ["searching"]
    if load is not None:
        solution = Solution.load(Path(load), game)
    else:
        start = states[0]  # a saved solution is asked about any state after it
        solution, _ = until_stopped(
            lambda token: solve_all(
                game, start, limit=limit, error=error, stop=token, on_progress=lambda text: told.__setitem__(0, text)
            ),
            lambda: told[0],
        )
    if save is not None:
        solution.save(Path(save))
    if by_pass:
        click.echo("\n".join(step_by_step(solution)))
        return
    if as_json:
        click.echo(json.dumps(as_data(solution, states[-1])))
        return
    for line in summary(solution, states[-1], rows):
        click.echo(line)
    if save is not None:
        click.echo(f"written: {save}", err=True)


def step_by_step(solution: Solution) -> Iterator[str]:
    """What each pass of retrograde analysis finds, for each value, with an example and the reason."""
    game = solution.game
    for value in sorted({solution[s].value for s in solution}, key=lambda value: (-abs(value), -value)):
        yield f"Worth {value:g} to {game.player_name(solution.player)}:"
        for each in passes(solution, value):
            said = "no pass decides" if each.number < 0 else f"pass {each.number}:"
            count = sum(each.states.values())
            yield f"  {said} {count:,} state{'s' * (count != 1)}, such as"
            for line in str(game.text(each.example)).splitlines():
                yield f"      {line}"
            yield f"    {each.because}"


def as_data(solution: Solution, state: Any) -> dict[str, Any]:
    """The answer about one state as plain data."""
    game, known = solution.game, solution[state]
    return {
        "game": game.name,
        "states": len(solution),
        "value": known.value,
        "player": game.player_name(solution.player),
        "distance": known.distance,
        "error": known.error,
        "moves": [game.action_name(state, a) for a in known.moves],
    }


def in_words(solution: Solution, state: Any) -> str:
    """What is known of a state, in a sentence."""
    known = solution[state]
    who = solution.game.player_name(solution.player)
    error = f" ± {known.error:.1g}" if known.error else ""
    far = "" if known.distance is None else f", the game ends in {known.distance} plies"
    return f"worth {known.value:.6g}{error} to {who}{far}"


def summary(solution: Solution, state: Any, rows: int | None) -> list[str]:
    """The number of states and their values, the state that was asked about, and the policy."""
    game = solution.game
    lines = [f"{len(solution):,} states solved", *_counts(solution), str(game.text(state)), in_words(solution, state)]
    best = [game.action_name(state, a) for a in solution[state].moves]
    if best:
        lines.append(f"best: {', '.join(best)}")
    policy = ((s, a) for s, a in solution.policy())
    total = sum(1 for _ in solution.policy())
    shown = rows if rows is not None else (total if total <= PRINTED else 0)
    if shown:
        lines.append("the policy:")
        for s, a in itertools.islice(policy, shown):
            text = game.to_text(s) or " / ".join(" ".join(line.split()) for line in str(game.text(s)).splitlines())
            lines.append(f"  {text}: {game.player_name(game.to_move(s))} {game.action_name(s, a)}")
    if shown < total:
        lines.append(f"a best move is known in {total - shown:,} more states; --rows prints them, --save keeps them")
    return lines


def _counts(solution: Solution) -> list[str]:
    """How many states have which value, unless there are too many values."""
    game = solution.game
    if solution.error:
        return []
    found: dict[float, int] = {}
    for s in solution:
        if game.to_move(s) != CHANCE or game.is_terminal(s):
            value = solution[s].value
            found[value] = found.get(value, 0) + 1
    if len(found) > 9:
        return []
    who = game.player_name(solution.player)
    return [", ".join(f"{count:,} worth {value:g} to {who}" for value, count in sorted(found.items(), reverse=True))]
