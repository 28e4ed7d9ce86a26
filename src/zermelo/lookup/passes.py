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
        total = sum(self.states.values())
        return f"pass {self.number}: {total:,} state{'s' * (total != 1)} become{'s' * (total == 1)} known ({found})"


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
    worth = f"it is worth {solution[states[0]].value:g} to {solution.game.player_name(solution.player)}"
    return Pass(number, counts, states[0], f"{reason(solution, states[0])}; {worth}")


def reason(solution: Solution, s: Any) -> str:
    """Why a state becomes known in its pass, in a sentence."""
    game, known = solution.game, solution[s]
    if game.is_terminal(s):
        return "the game is over"
    mover = game.player_name(game.to_move(s))
    moves = list(game.actions(s))
    if known.distance is None:
        kept = next(a for a in moves if solution[game.result(s, a)].value == known.value)
        return f"{mover} has a move, {game.action_name(s, kept)}, to another state that no pass decides"
    best = game.action_name(s, known.moves[0])
    before = f"pass {solution[game.result(s, known.moves[0])].distance}"
    low, high = game.utility_range
    wanted = known.value - (low + high) / 2
    if game.side(game.to_move(s)) != game.side(solution.player):
        wanted = -wanted
    if wanted > 0:
        return f"{mover} plays {best} to a state that was decided in {before}"
    if wanted == 0:
        return f"no move of {mover} wins, and {best} leads to a draw that was decided in {before}"
    if len(moves) == 1:
        return f"the only move of {mover}, {best}, leads to a state that was decided in {before}"
    return f"all {len(moves)} moves of {mover} lead to lost states; the last of them was decided in {before} ({best})"
