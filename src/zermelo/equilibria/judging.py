"""`Judge`: what a strategy costs. Values, best replies and the cost of every move, exact, for small games.

Everything is computed by passes in plain Python over the sequence form, so nothing is compiled. That is fast enough for
games that fit on a page, such as Kuhn poker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.equilibria.form import Regrets
from zermelo.equilibria.passes import collect, follow
from zermelo.equilibria.reading import arrival_probabilities, state_in
from zermelo.equilibria.solver import Solver
from zermelo.game.protocol import Game

NEARLY = 1e-9
"""Differences below this are rounding."""


@dataclass(frozen=True)
class Situation:
    """An information set: who is to move, what that player knows, the legal moves and their names."""

    player: int
    name: str
    actions: tuple[Any, ...]
    moves: tuple[str, ...]
    example: Any


@dataclass(frozen=True)
class Reply:
    """A best response of one player: its value, and in each of the player's situations the values of the moves.

    value       what the player gets on average
    situations  the numbers of its situations
    values      for each of them, what each move is worth once play is there, if the player goes on as well as possible
    arrival     for each of them, how often the other players and chance lead there, whatever the player does
    """

    player: int
    value: float
    situations: tuple[int, ...]
    values: tuple[tuple[float, ...], ...]
    arrival: tuple[float, ...]

    def best(self, situation: int) -> int:
        """The best move in a situation, by its place."""
        values = self.values[self.situations.index(situation)]
        return int(np.argmax(values))


class Judge:
    """Appraises strategies of a game. A strategy is a list of probabilities for each situation, for all players."""

    def __init__(self, game: Game, state: Any = None):
        self.game = game
        self.solver = Solver(game, state=state, compile=False)
        self.form, book = self.solver.form, self.solver.book
        self.situations: list[Situation] = []
        for which in range(len(self.form.first)):
            player = int(np.searchsorted(self.form.sets, which, side="right")) - 1
            example = state_in(game, self.solver.state, book, int(self.form.order[which]))
            actions = tuple(int(a) for a in book.move[self._moves(which)])
            names = tuple(game.action_name(example, a) for a in actions)
            told = game.information_name(example, player) if game.hidden else game.player_name(player)
            self.situations.append(Situation(player, told, actions, names, example))

    def _moves(self, which: int) -> slice:
        """The sequences of the moves of a situation."""
        first = int(self.form.first[which])
        return slice(first, first + int(self.form.width[which]))

    def number_of(self, s: Any) -> int:
        """The number of the situation of the player to move in a state."""
        return self.solver.number_of(s)

    def _chance(self, strategy: Sequence[Sequence[float]]) -> Any:
        """A strategy as the passes want it: the probability of each sequence's last move."""
        chance = np.ones(self.form.sequences)
        for which, part in enumerate(strategy):
            chance[self._moves(which)] = part
        return chance

    def mixed(self, *strategies: Sequence[Sequence[float]]) -> list[list[float]]:
        """The strategy in which player p follows the p-th of these strategies."""
        return [list(strategies[each.player][which]) for which, each in enumerate(self.situations)]

    def values(self, strategy: Sequence[Sequence[float]]) -> tuple[float, ...]:
        """What each player gets on average."""
        chance, room = self._chance(strategy), self._followed(strategy)
        return tuple(self._value(p, chance, room) for p in range(self.form.players))

    def _followed(self, strategy: Sequence[Sequence[float]]) -> Regrets:
        room, chance = Regrets(self.form), self._chance(strategy)
        for p in range(self.form.players):
            follow(self.form, chance, room.reach, p)
        return room

    def _value(self, player: int, chance: Any, room: Regrets) -> float:
        """What a player gets; afterwards `room.value` has the worth of its sequences."""
        form, value = self.form, room.value
        collect(form, room.reach, value, player)
        for which in range(form.sets[player + 1] - 1, form.sets[player] - 1, -1):
            value[form.parent[which]] += chance[self._moves(which)] @ value[self._moves(which)]
        return float(value[player])

    def reach(self, strategy: Sequence[Sequence[float]]) -> list[float]:
        """How often play gets to each situation."""
        chance, room = self._chance(strategy), self._followed(strategy)
        arrival = arrival_probabilities(self.solver.book, self.form, chance, room.reach)
        return [float(room.reach[self.form.parent[which]] * arrival[which]) for which in range(len(self.situations))]

    def reply(self, player: int, strategy: Sequence[Sequence[float]]) -> Reply:
        """A best response of a player to the others' part of a strategy."""
        form, chance, room = self.form, self._chance(strategy), self._followed(strategy)
        arrival = arrival_probabilities(self.solver.book, form, chance, room.reach)
        collect(form, room.reach, room.value, player)
        own = range(int(form.sets[player]), int(form.sets[player + 1]))
        values: dict[int, tuple[float, ...]] = {}
        for which in reversed(own):
            worth = room.value[self._moves(which)]
            values[which] = tuple((worth / arrival[which]).tolist()) if arrival[which] > 0 else (0.0,) * len(worth)
            room.value[form.parent[which]] += worth.max()
        arrivals = tuple(float(arrival[which]) for which in own)
        return Reply(player, float(room.value[player]), tuple(own), tuple(values[which] for which in own), arrivals)

    def costs(self, others: Sequence[Sequence[float]]) -> list[list[float]]:
        """For each situation what each move costs its player on average, compared with the best one.

        The other players follow `others`, and the player goes on as well as possible. Nothing is lost in a situation
        that the others never lead to.
        """
        found: list[list[float]] = [[] for _ in self.situations]
        for p in range(self.form.players):
            reply = self.reply(p, others)
            for which, values in zip(reply.situations, reply.values, strict=True):
                found[which] = [max(values) - value for value in values]
        return found
