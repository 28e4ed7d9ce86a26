"""Retrograde analysis step by step: which states become known in which pass, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.game.errors import Unsuitable
from zermelo.lookup.strong import Solution


@dataclass(frozen=True)
class Pass:
    """One pass: its number, the states that become known in it, and an example with the reason.

    number   the plies to the end of the game; 0: the ends themselves
    states   how many states, by their value to the first player
    """

    number: int
    states: dict[float, int]
    example: Any
    because: str

    def __str__(self) -> str:
        found = ", ".join(f"{count:,} worth {value:g}" for value, count in sorted(self.states.items(), reverse=True))
        return f"pass {self.number}: {sum(self.states.values()):,} states become known ({found})"


def passes(solution: Solution, value: float | None = None) -> Iterator[Pass]:
    """Yields the passes of a solution without chance. With a value, only states of this value count.

    The states that no pass decides come last, in a pass with the number -1: they are drawn, because nobody can force
    an end.
    """
    if solution.error:
        raise Unsuitable(f"{solution.game.title} has chance: its values come from value iteration, not from passes")
    found: dict[int, list[Any]] = {}
    for s in solution:
        known = solution[s]
        if value is None or known.value == value:
            found.setdefault(-1 if known.distance is None else known.distance, []).append(s)
    endless = found.pop(-1, [])
    for number in sorted(found):
        yield _pass(solution, number, found[number])
    if endless:
        yield _pass(solution, -1, endless)


def _pass(solution: Solution, number: int, states: list[Any]) -> Pass:
    counts: dict[float, int] = {}
    for s in states:
        counts[solution[s].value] = counts.get(solution[s].value, 0) + 1
    return Pass(number, counts, states[0], reason(solution, states[0]))


def reason(solution: Solution, s: Any) -> str:
    """Why a state has its value, in a sentence."""
    game, known = solution.game, solution[s]
    who = game.player_name(solution.player)
    worth = f"it is worth {known.value:g} to {who}"
    if game.is_terminal(s):
        return f"the game is over, {worth}"
    mover = game.player_name(game.to_move(s))
    moves = list(game.actions(s))
    kept = [a for a in moves if solution[game.result(s, a)].value == known.value]
    if known.distance is None:
        return f"{mover} has a move, {game.action_name(s, kept[0])}, to another state that no pass decides; {worth}"
    after = solution[game.result(s, known.moves[0])]
    low, high = game.utility_range
    wanted = known.value - (low + high) / 2
    if game.side(game.to_move(s)) != game.side(solution.player):
        wanted = -wanted
    if wanted < 0:
        return (
            f"all {len(moves)} moves of {mover} lead to states that were decided before, the last of them in pass "
            f"{after.distance} ({game.action_name(s, known.moves[0])}); {worth}"
        )
    best = game.action_name(s, known.moves[0])
    return f"{mover} plays {best} to a state that was decided in pass {after.distance}; {worth}"
