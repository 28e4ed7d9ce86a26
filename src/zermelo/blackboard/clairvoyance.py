"""Averaging over clairvoyance as steps: the deals one by one, their average, and why it may be wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from zermelo.equilibria.strategy import Strategy
from zermelo.game.errors import TooDeep, Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import game_of
from zermelo.search.by_equilibrium import EquilibriumSearcher, can_be_solved_now
from zermelo.search.clairvoyance import all_deals, knowledge_in
from zermelo.search.question import Question
from zermelo.search.registry import find

MOST_DEALS = 60
"""More deals are not shown one by one."""
CLOSE = 1e-9


@dataclass(frozen=True)
class OpenDeal:
    """A possible deal, solved with open cards.

    weight      the probability that averaging gives it
    posterior   its probability if the others follow the equilibrium; None if play never gets here then
    values      of each move, to the player to move
    best, line  the best move, and the expected play after it
    """

    name: str
    weight: float
    posterior: float | None
    values: tuple[float, ...]
    best: str
    line: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """One step: a title, what happens in sentences, and the deal that it is about."""

    title: str
    text: str
    deal: int | None = None


@dataclass(frozen=True)
class Averaging:
    """How averaging over clairvoyance chooses a move, and what the equilibrium would do."""

    player: str
    knows: str
    moves: tuple[str, ...]
    deals: tuple[OpenDeal, ...]
    average: tuple[float, ...]
    choice: str
    right: str
    worth: tuple[float, ...]
    probabilities: tuple[float, ...]
    steps: tuple[Step, ...]

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data."""
        return asdict(self)


class _Open:
    """Minimax with open cards, and what it does at each of the player's information sets."""

    def __init__(self, game: Game, player: int):
        self.game, self.player = game, player

    def solve(self, s: Any) -> tuple[float, tuple[Any, ...]]:
        """The value to the player, and the expected play; chance ends it."""
        game = self.game
        if game.is_terminal(s):
            return game.utility(s, self.player), ()
        mover = game.to_move(s)
        if mover == CHANCE:
            return sum(p * self.solve(game.result(s, a))[0] for a, p in game.outcomes(s)), ()
        best: tuple[float, tuple[Any, ...]] | None = None
        for a in game.actions(s):
            value, line = self.solve(game.result(s, a))
            better = best is None or (
                value > best[0] + CLOSE if game.side(mover) == game.side(self.player) else value < best[0] - CLOSE
            )
            if better:
                best = value, (a, *line)
        assert best is not None
        return best


def averaging(game: Game | str, state: Any = None) -> Averaging:
    """Averaging over clairvoyance in a position of a small game with hidden information, step by step."""
    game = game_of(game)
    s = game.initial() if state is None else game.checked(state)
    Question(game, s).check()
    if not game.hidden or game.to_move(s) == CHANCE:
        raise Unsuitable("averaging over clairvoyance is for a player to move in a game with hidden information")
    if game.players > 2 or (game.players == 2 and not game.zero_sum):
        raise Unsuitable(f"the steps are for at most two players and zero sum, and {game.title} is {game.traits}")
    player = game.to_move(s)
    listed = all_deals(game, s, player)
    if listed is None or len(listed) > MOST_DEALS or not can_be_solved_now(game):
        raise TooDeep(f"{game.title} is too large to show every deal; the steps are for games that fit on a page")
    solver = find("equilibrium").make(find("equilibrium"), game, None, {"until": 1e-4})
    assert isinstance(solver, EquilibriumSearcher)
    answer = solver.analyse(Question(game, s))
    assert solver.solver is not None
    paths = _paths(game, player, [deal.state for deal in listed], solver.solver.strategy())
    total = sum(weight for _, weight in paths)
    names = _names([path for path, _ in paths])
    actions = game.legal(s)
    moves = tuple(game.action_name(s, a) for a in actions)
    clairvoyant, deals, plans = _Open(game, player), [], []
    for deal, name, (_, weight) in zip(listed, names, paths, strict=True):
        solved = [clairvoyant.solve(game.result(deal.state, a)) for a in actions]
        values = tuple(value for value, _ in solved)
        best = max(range(len(actions)), key=lambda i: (values[i], -i))
        line = (actions[best], *solved[best][1])
        plans.append([(a, *rest) for a, (_, rest) in zip(actions, solved, strict=True)])
        posterior = weight / total if total > CLOSE else None
        deals.append(OpenDeal(name, deal.probability, posterior, values, moves[best], _line(game, deal.state, line)))
    average = tuple(sum(d.weight * d.values[i] for d in deals) for i in range(len(actions)))
    chosen = max(range(len(actions)), key=lambda i: (average[i], -i))
    by_action = {move.action: move for move in answer.moves}
    worth = tuple(float(by_action[a].value or 0.0) for a in actions)  # type: ignore[arg-type]
    found = Averaging(
        game.player_name(player),
        game.information_name(s, player),
        moves,
        tuple(deals),
        average,
        moves[chosen],
        game.action_name(s, answer.action),
        worth,
        tuple(by_action[a].probability or 0.0 for a in actions),
        (),
    )
    fused = _fusion(game, player, [deal.state for deal in listed], [plan[chosen] for plan in plans], names)
    return Averaging(**{**vars(found), "steps": tuple(_steps(found, fused))})


def _steps(found: Averaging, fused: str | None) -> list[Step]:
    count = len(found.deals)
    deals = "; ".join(f"{deal.name} ({deal.weight:.0%})" for deal in found.deals)
    steps = [Step("What is known", f"{found.player} knows: {found.knows}. {count} deals are possible: {deals}.")]
    for number, deal in enumerate(found.deals):
        values = ", ".join(f"{move} {value:.3g}" for move, value in zip(found.moves, deal.values, strict=True))
        text = f"With open cards the moves are worth: {values}. Best is {deal.best}, then {' '.join(deal.line[1:])}"
        steps.append(Step(f"If the deal is {deal.name}", text.removesuffix(", then ") + ".", number))
    means = ", ".join(f"{move} {value:.3g}" for move, value in zip(found.moves, found.average, strict=True))
    steps.append(Step("The average", f"Over all deals: {means}. Averaging over clairvoyance plays {found.choice}."))
    if fused is not None:
        steps.append(Step("Strategy fusion", fused))
    shifted = [d for d in found.deals if d.posterior is not None and abs(d.posterior - d.weight) > 0.05]
    if shifted:
        said = ", ".join(f"{d.name} {d.posterior:.0%} instead of {d.weight:.0%}" for d in shifted)
        text = f"If the others play well, what they did says something about the deal: {said}."
        steps.append(Step("Non-locality", text))
    worth = ", ".join(
        f"{move} {value:.3g} ({chance:.0%})"
        for move, value, chance in zip(found.moves, found.worth, found.probabilities, strict=True)
    )
    steps.append(Step("The equilibrium", f"What the moves are worth, and how often to play each: {worth}."))
    return steps


def _fusion(game: Game, player: int, states: list[Any], lines: list[tuple[Any, ...]], names: list[str]) -> str | None:
    """Where the plans of two deals differ although the player cannot tell them apart; None if nowhere."""
    plans: dict[Any, tuple[str, str]] = {}
    for s, line, name in zip(states, lines, names, strict=True):
        for a in line:
            if game.to_move(s) == player:
                known, move = game.information(s, player), game.action_name(s, a)
                other, planned = plans.setdefault(known, (name, move))
                if planned != move:
                    return (
                        f"Later, {game.player_name(player)} knows: {game.information_name(s, player)}. The plan for "
                        f"{other} is then {planned}, and for {name} it is {move}. Nobody who cannot tell these deals "
                        "apart can follow both plans."
                    )
            s = game.result(s, a)
    return None


def _paths(game: Game, player: int, states: list[Any], strategy: Strategy) -> list[tuple[list[str], float]]:
    """For each state the others' moves on the way there, and how likely chance and the others' equilibrium make it."""
    assert knowledge_in(game) is not None
    found: dict[Any, tuple[list[str], float]] = {s: ([], 0.0) for s in states}
    left: list[tuple[Any, list[str], float]] = [(game.initial(), [], 1.0)]
    while left:
        s, path, weight = left.pop()
        if s in found:
            found[s] = path, found[s][1] + weight
        if game.is_terminal(s):
            continue
        mover = game.to_move(s)
        odds = dict(game.outcomes(s)) if mover == CHANCE else strategy.policy(s)
        for a, p in odds.items():
            name = [] if mover == player else [game.action_name(s, a)]
            left.append((game.result(s, a), [*path, *name], weight * (1.0 if mover == player else p)))
    return [found[s] for s in states]


def _names(paths: list[list[str]]) -> list[str]:
    """What differs between the deals, as a name for each."""
    same = {i for i in range(min(map(len, paths))) if len(paths) > 1 and len({path[i] for path in paths}) == 1}
    return [" ".join(name for i, name in enumerate(path) if i not in same) or "the deal" for path in paths]


def _line(game: Game, s: Any, line: tuple[Any, ...]) -> tuple[str, ...]:
    names = []
    for a in line:
        names.append(game.action_name(s, a))
        s = game.result(s, a)
    return tuple(names)
