"""Monte Carlo tree search in sentences: why a node was selected, what a rollout gave, what the backup changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.blackboard.wording import number, probability
from zermelo.search.mcts.watched import Choice, Simulation

if TYPE_CHECKING:
    from zermelo.blackboard.growth import Growth

MOST_BOUNDS = 5
"""The most moves whose bounds are listed in a sentence; the picture shows all."""
MOST_MOVES = 8
"""The most moves of a rollout that are named."""


class GrowthNarrator:
    """Describes the steps of a simulation."""

    def __init__(self, growth: Growth):
        self.growth, self.game = growth, growth.game

    def called(self, n: int) -> str:
        """A node: its name, or the moves that lead to it."""
        place = self.growth.places[n]
        if place.name:
            return place.name
        return " › ".join(self.growth.label(each) for each in self.growth.way_to(n)[1:]) or "the root"

    def who(self, mover: int) -> str:
        """A player."""
        return self.game.player_name(mover)

    # Selection.

    def choice(self, simulation: Simulation, choice: Choice, at: int, child: int, listed: bool) -> str:
        """How a simulation goes down one step."""
        where = self.called(at)
        if choice.how == "outcome":
            text = f"chance draws {self.growth.label(child)} at {where}{self._odds(at, child)}."
        elif choice.how == "untried":
            text = self._expansion(choice, where, child, listed and at > 0)
        else:
            text = self._comparison(simulation, choice, where, child)
        return f"Simulation {simulation.number}: {text}" if at == 0 else text[:1].upper() + text[1:]

    def _expansion(self, choice: Choice, where: str, child: int, listed: bool) -> str:
        count, label = choice.untried, self.growth.label(child)
        again = (
            f"reached for the second time, it gets its {choice.count} moves; " if listed and choice.count > 1 else ""
        )
        if choice.count == 1:
            return f"expansion at {where}: its only move, {label}, becomes a new node."
        if count == 1:
            return f"expansion at {where}: {again}one move is untried, {label}. It becomes a new node."
        untried = "all are untried" if again else f"{count} moves are untried"
        rule = "each is tried once before any is tried twice"
        return f"expansion at {where}: {again}{untried}, and {rule}. Drawn: {label}, a new node."

    def _comparison(self, simulation: Simulation, choice: Choice, where: str, child: int) -> str:
        growth, mover = self.growth, choice.mover
        low = growth.is_minimiser(mover)
        sign, extreme, kind = ("−", "least", "lower") if low else ("+", "greatest", "upper")
        terms = []
        for bound in sorted(choice.bounds, key=lambda bound: bound.total, reverse=True)[:MOST_BOUNDS]:
            name = growth.label(growth.places[growth.places[child].parent].children[bound.action])
            mean, exploration = growth.unscaled(simulation, mover, bound.mean), growth.spread_of(simulation, bound)
            total = mean - exploration if low else mean + exploration
            terms.append(f"{name}: {number(mean)} {sign} {number(exploration)} = {number(total)}")
        if len(choice.bounds) > MOST_BOUNDS:
            terms.append(f"and {len(choice.bounds) - MOST_BOUNDS} more")
        if choice.count == 1:
            return f"selection at {where}: there is only one move, {growth.label(child)}."
        proven = " Moves that are proven to be no better are left out." if len(choice.bounds) < choice.count else ""
        reason = f"{self.who(mover)} takes the {extreme} {kind} bound, mean {sign} exploration"
        return f"selection at {where}: {reason}: {', '.join(terms)}. Selected: {growth.label(child)}.{proven}"

    def _odds(self, at: int, child: int) -> str:
        game, place = self.game, self.growth.places[child]
        odds = dict(game.outcomes(self.growth.places[at].state))
        return f", with probability {probability(float(odds[place.action]))}" if place.action in odds else ""

    # Rollout and backup.

    def rollout(self, simulation: Simulation, leaf: int) -> str:
        """What the simulation was worth, and why."""
        result = self._worth(simulation)
        where = self.called(leaf)
        if simulation.ended == "end":
            return f"The game is over at {where}, {result}: nothing is left to play."
        if simulation.ended == "proven":
            return f"No rollout is needed: {where} is proven, {result}."
        moves = self._names(simulation)
        if not moves:
            return f"Rollout from {where}: the evaluation answers at once, {result}."
        over = self.game.is_terminal(simulation.states[-1])
        end = "the end of the game" if over else "a position that the evaluation judges"
        return f"Rollout from {where}: random play ({self._listed(moves)}) leads to {end}, {result}."

    def _worth(self, simulation: Simulation) -> str:
        if self.growth.is_zero_sum:
            who = "" if self.game.players == 1 else f" to {self.who(0)}"
            return f"worth {number(simulation.utilities[0])}{who}"
        each = (f"{number(x)} to {self.who(p)}" for p, x in sorted(simulation.utilities.items()))
        return "worth " + ", ".join(each)

    def _names(self, simulation: Simulation) -> list[str]:
        names = []
        depth = len(simulation.choices)
        before = [self.growth.state, *simulation.states]
        for i, move in enumerate(simulation.rollout):
            state = before[depth + i]
            if move is None:
                names.append("(chance)")
            elif self.growth.tree is not None:
                names.append(self.growth.label(simulation.states[depth + i].node))
            else:
                names.append(str(move) if self.game.to_move(state) < 0 else self.game.action_name(state, move))
        return names

    def _listed(self, moves: list[str]) -> str:
        more = f" … ({len(moves)} moves)" if len(moves) > MOST_MOVES else ""
        return (", " if any(" " in move for move in moves) else " ").join(moves[:MOST_MOVES]) + more

    def backup(self, path: list[int], before: list[tuple[int, float]]) -> str:
        """What each node on the path has before and after, from the leaf to the root."""
        words = []
        for n, (visits, total) in reversed(list(zip(path, before, strict=True))):
            place = self.growth.places[n]
            mean = f"{number(total / visits)} → {number(place.mean)}" if visits else number(place.mean)
            words.append(f"{self.called(n)}: visits {visits} → {place.visits}, mean {mean}")
        return f"Backup, from the leaf to the root: {'; '.join(words)}."

    def proof(self, known: list[tuple[int, float, float]], low: float, high: float) -> str:
        """What is proven now, from the leaf to the root."""
        words = []
        for n, least, most in known:
            if least == most:
                words.append(f"{self.called(n)} is worth exactly {number(least)}")
            elif most < high:
                words.append(f"{self.called(n)} is worth at most {number(most)}")
            else:
                words.append(f"{self.called(n)} is worth at least {number(least)}")
        return f"Proven: {', '.join(words)}."

    # The result.

    def best(self) -> str:
        """The answer: the most visited move."""
        found, places = self.growth.analysis, self.growth.places
        if found.action is None:
            return f"chance moves; mean {number(places[0].mean)}" if places[0].visits else "chance moves"
        child = places[places[0].children[found.action]]
        worth = number(child.mean if child.proven is None else child.proven)
        return f"{self.growth.label(child.number)}, {child.visits} visit{'s' * (child.visits != 1)}, value {worth}"

    def answer(self) -> str:
        """The last step."""
        count = len(self.growth.simulations)
        if self.growth.analysis.exact:
            return f"The root is proven after {count} simulations. The answer is {self.best()}."
        return f"After {count} simulations the answer is the most visited move: {self.best()}."
