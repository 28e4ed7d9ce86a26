"""Averaging over clairvoyance: the deals that a player thinks possible, and the game with all cards open.

Deals are drawn by the game's `resample`: chance has its own probabilities, and the other players count as if they moved
at random, so what they did says nothing about what they hold (Levy 1989; Ginsberg 2001).
"""

from __future__ import annotations

import copy
import functools
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random

FEW_STATES = 20_000
"""The deals of a game with at most this many states are listed, not sampled."""
MOST_PLIES = 500
GAMES = 12
"""Random games from which the size of a position is estimated."""


class Deal(NamedTuple):
    """A state that may be the true one, and its probability."""

    state: Any
    probability: float


def with_open_cards(game: Game) -> Game:
    """The same game with nothing hidden, for a search from a state in which the cards are dealt."""
    opened = copy.copy(game)
    opened.hidden = False
    if game.deals_once:
        opened.chance = False
    return opened


@dataclass(frozen=True)
class Knowledge:
    """A small game by what its players know.

    states    for a player and its information when it is to move: the possible states with their weights
    recalls   does every player remember what it knew and did before?
    """

    states: dict[tuple[int, Any], dict[Any, float]]
    recalls: bool

    @property
    def positions(self) -> int:
        """How many states there are in which a player is to move."""
        return sum(map(len, self.states.values()))


def knowledge_in(game: Game) -> Knowledge | None:
    """The whole game by what its players know; None if it has more than `FEW_STATES` states, or never ends."""
    try:
        return _knowledge_in(game)
    except TypeError:  # a state, an information or the game itself cannot be hashed
        return None


@functools.lru_cache(16)
def _knowledge_in(game: Game) -> Knowledge | None:
    if not game.offers("information") or (game.chance and not game.traits.lists_outcomes):
        return None
    states: dict[tuple[int, Any], dict[Any, float]] = {}
    before: dict[tuple[int, Any], Any] = {}  # the player's last information and move
    recalls, visited = True, 0
    # A state with its ply, the probability of chance, and for each player how likely and what its last move was.
    unmoved: tuple[tuple[float, Any], ...] = ((1.0, None),) * game.players
    left = [(game.initial(), 0, 1.0, unmoved)]
    while left:
        s, ply, chance, past = left.pop()
        visited += 1
        if visited > FEW_STATES or ply > MOST_PLIES:
            return None
        if game.is_terminal(s):
            continue
        mover = game.to_move(s)
        if mover == CHANCE:
            left += [(game.result(s, a), ply + 1, chance * p, past) for a, p in game.outcomes(s) if p > 0]
            continue
        share, last = past[mover]
        known = mover, game.information(s, mover)
        recalls = before.setdefault(known, last) == last and recalls
        alike = states.setdefault(known, {})
        alike[s] = alike.get(s, 0.0) + chance * math.prod(past[p][0] for p in range(game.players) if p != mover)
        actions = list(game.actions(s))
        for a in actions:
            own = share / len(actions), (known, a)
            left.append((game.result(s, a), ply + 1, chance, (*past[:mover], own, *past[mover + 1 :])))
    return Knowledge(states, recalls)


def why_not_solved(game: Game) -> str:
    """Why another algorithm than the equilibrium was chosen for a game with hidden information."""
    knowledge = knowledge_in(game)
    if knowledge is None:
        return f"too large to solve on the spot (more than {FEW_STATES:,} states)"
    if not knowledge.recalls:
        return "a player forgets what it knew or did (imperfect recall), so it is not solved"
    return "an equilibrium takes no such limit"


def all_deals(game: Game, s: Any, player: int) -> list[Deal] | None:
    """Every state that the player to move thinks possible, with its probability; None if the game is too large."""
    knowledge = knowledge_in(game)
    alike = None if knowledge is None else knowledge.states.get((player, game.information(s, player)))
    if alike is None:
        return None
    total = sum(alike.values())
    return [Deal(state, weight / total) for state, weight in sorted(alike.items(), key=lambda pair: repr(pair[0]))]


def size_of(game: Game, s: Any, random: Random) -> float:
    """About how many lines of play follow a state: the logarithm to base 10, from a few random games (Knuth 1975).

    Chance counts with all its outcomes; infinite if they cannot be listed.
    """
    counts = []
    for _ in range(GAMES):
        at, plies, total = s, 0, 0.0
        while not game.is_terminal(at):
            plies += 1
            if plies > MOST_PLIES:
                return math.inf
            if game.chance and game.to_move(at) == CHANCE:
                if not game.traits.lists_outcomes:
                    return math.inf
                total += math.log10(sum(1 for _ in game.outcomes(at)))
                at = game.draw(at, random)
            else:
                actions = list(game.actions(at))
                total += math.log10(len(actions))
                at = game.result(at, actions[random.below(len(actions))])
        counts.append(total)
    most = max(counts)  # one long game says more than many that end by a fold
    return most + math.log10(sum(10.0 ** (count - most) for count in counts) / GAMES)
