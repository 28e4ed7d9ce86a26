"""Averaging over deals, information set MCTS and the equilibrium side by side, for one position of a hidden game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.equilibria.solver import Solver, appraise
from zermelo.game.errors import Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import game_of
from zermelo.kernel.stopping import StopToken
from zermelo.search.analysis import Analysis, Move
from zermelo.search.by_equilibrium import EquilibriumSearcher, can_be_solved_now
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import find

SIMULATIONS = 2000
"""Of information set MCTS, for each information set."""
MOST_SETS = 400
"""A game with more information sets is compared in this position only: to judge a player, it must play everywhere."""
TITLES = {"pimc": "pimc", "mcts": "IS-MCTS", "equilibrium": "equilibrium"}


@dataclass(frozen=True)
class Opinion:
    """What one algorithm says about the position.

    loses   what a best response gains if it plays like this everywhere, averaged over the players; None if unknown
    """

    algorithm: str
    analysis: Analysis
    loses: float | None = None

    @property
    def title(self) -> str:
        return TITLES[self.algorithm]

    @property
    def choice(self) -> str:
        return self.analysis.game.action_name(self.analysis.state, self.analysis.action)

    def on(self, action: Any) -> Move:
        """What it says about a move."""
        return next(move for move in self.analysis.moves if move.action == action)


@dataclass(frozen=True)
class Comparison:
    """The opinions of several algorithms on one position."""

    game: Game
    state: Any
    opinions: tuple[Opinion, ...]

    @property
    def actions(self) -> list[Any]:
        return self.game.legal(self.state)

    def rows(self) -> list[list[str]]:
        """The table as texts: a row for each move, then what each plays, and how much that can lose."""
        game, s, mover = self.game, self.state, self.game.to_move(self.state)
        table = [["move", *(opinion.title for opinion in self.opinions)]]
        for a in self.actions:
            table.append([game.action_name(s, a), *(_cell(opinion.on(a), mover) for opinion in self.opinions)])
        table.append(["plays", *(opinion.choice for opinion in self.opinions)])
        if any(opinion.loses is not None for opinion in self.opinions):
            table.append(["exploitability", *(_number(opinion.loses) for opinion in self.opinions)])
        return table

    def __str__(self) -> str:
        game, mover = self.game, self.game.to_move(self.state)
        rows = self.rows()
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([f"{game.title}, {game.player_name(mover)} to move", *lines])

    def to_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return {
            "game": self.game.name,
            "player": self.game.to_move(self.state),
            "opinions": [
                {
                    "algorithm": opinion.algorithm,
                    "title": opinion.title,
                    "choice": opinion.choice,
                    "exploitability": opinion.loses,
                    "moves": [opinion.on(a).to_json() for a in self.actions],
                    "remarks": list(opinion.analysis.remarks),
                }
                for opinion in self.opinions
            ],
        }


def compare(
    game: Game | str,
    state: Any = None,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 0,
    compile: bool | None = None,
    stop: StopToken | None = None,
) -> Comparison:
    """What pimc, information set MCTS and, if the game is small, the equilibrium say about a position.

    A small game is also played through: each algorithm chooses in every information set, and an exact best response
    says how much it can lose.
    """
    game = game_of(game)
    s = game.initial() if state is None else game.checked(state)
    if not game.hidden:
        raise Unsuitable(f"{game.title} has no hidden information: there is nothing to compare")
    Question(game, s).check()
    if game.to_move(s) == CHANCE:
        raise Unsuitable(f"chance is to move in {game.title}: give a deal first, as a move")
    names = ["pimc", "mcts", *(["equilibrium"] if can_be_solved_now(game) else [])]
    searchers: dict[str, Searcher] = {name: find(name).make(find(name), game, compile, {}) for name in names}

    def ask(name: str, s: Any) -> Analysis:
        nodes = simulations if name == "mcts" else None
        return searchers[name].analyse(Question(game, s, nodes=nodes, seed=None if nodes is None else seed, stop=stop))

    answers = {name: ask(name, s) for name in names}
    loses: dict[str, float] = {}
    solved = searchers.get("equilibrium")
    if isinstance(solved, EquilibriumSearcher) and solved.solver is not None and len(solved.choices) <= MOST_SETS:
        solver = solved.solver
        loses["equilibrium"] = solver.looks[-1].exploitability
        for name in ("pimc", "mcts"):
            loses[name] = exploitability(solver, lambda s, name=name: ask(name, s).action, stop)  # type: ignore[misc]
    return Comparison(game, s, tuple(Opinion(name, answers[name], loses.get(name)) for name in names))


def exploitability(solver: Solver, choose: Callable[[Any], Any], stop: StopToken | None = None) -> float:
    """What a best response gains against a player that always makes the move it chooses, averaged over the players."""
    game, form, book = solver.game, solver.form, solver.book
    chance = np.zeros(form.sequences)
    for which, choice in enumerate(solver.choices()):
        if stop is not None and stop.is_set:
            return float("nan")
        first, width = int(form.first[which]), int(form.width[which])
        moves = [int(a) for a in book.move[first : first + width]]
        chance[first + moves.index(choose(choice.example))] = 1.0
    values, best = appraise(form, chance, compile=solver.compiled)
    return max(sum(best) - sum(values), 0.0) / game.players


def _cell(move: Move, player: int) -> str:
    return " ".join(_parts(move, player))


def _parts(move: Move, player: int) -> Iterator[str]:
    if move.value is None:
        yield "–"
        return
    yield _number(move.value[player] if isinstance(move.value, tuple) else move.value)
    if move.error is not None:
        yield f"± {move.error:.2g}"
    if move.probability is not None:
        yield f"({move.probability:.0%})"
    if move.share is not None:
        yield f"({move.share:.0%} of visits)"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}" if abs(value) >= 0.0005 else "0"
