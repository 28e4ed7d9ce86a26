"""Any game as a tree: unrolled from a position to a depth, for people to study."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.history import remember, rewind
from zermelo.trees.source import MAX_DEPTH, TreeError
from zermelo.trees.tree import Node, Number

NODES = 100_000  # more than can be looked at; a full game of tic-tac-toe has 549,946


class _Place:
    """A position in the tree, and the indices of its children in the list of all."""

    def __init__(self, state: Any, before: _Place | None = None):
        self.state, self.before = state, before
        self.depth: int = 0 if before is None else before.depth + 1
        self.children: list[int] = []
        self.labels: list[str] = []
        self.odds: list[Number] = []

    def way(self) -> list[Any]:
        """The states from the root to this one."""
        place: _Place | None = self
        states = []
        while place is not None:
            states.append(place.state)
            place = place.before
        return states[::-1]


class _Rules:
    """A game that remembers the path to a position, if its rules depend on the history."""

    def __init__(self, game: Game, history: Iterable[Any], depth: int | None):
        past = list(history)
        self.past = len(past)
        self.game = game.remembering(past, (MAX_DEPTH if depth is None else depth) + 1)

    def at(self, place: _Place) -> Game:
        """The game at a place."""
        if self.game.uses_history or self.game.has_hooks:
            rewind(self.game, self.past)
            for s in place.way():
                remember(self.game, s)
        return self.game


def unroll(
    game: Game,
    state: Any = None,
    depth: int | None = None,
    merge: bool = False,
    nodes: int = NODES,
    history: Iterable[Any] = (),
) -> Node:
    """The tree of a game from a position (by default the first) to a depth (by default to the end).

    Moves and positions have the names of the game. Every position that is not terminal has the game's evaluation as its
    estimate. At the depth limit, a position becomes a leaf with its estimate as its value, which distinguishes it from
    a terminal position. With `merge`, only the first of several moves to symmetric positions is kept; the game must
    have a method `canonical(s)` that returns the same state for all of them. `history` has the earlier positions, for
    games whose rules depend on them.
    """
    _check(game, depth, merge)
    start = game.initial() if state is None else game.checked(state)
    rules = _Rules(game, history, depth)
    places = [_Place(start)]
    for place in places:  # which grows on the way: breadth first
        s = place.state
        here = rules.at(place)
        if here.is_terminal(s) or place.depth == depth:
            continue
        if place.depth == MAX_DEPTH:
            raise TreeError(f"{game.title} goes on for more than {MAX_DEPTH} plies; give a depth to unroll it to")
        for action, probability in _moves(here, s):
            after = game.result(s, action)
            if merge and _merged(game, places, place, after, probability):
                continue
            if len(places) == nodes:
                raise TreeError(
                    f"{game.title} has more than {nodes:,} nodes to depth {place.depth + 1}; give a smaller depth"
                    f"{'' if merge else ', merge=True,'} or a greater limit, as in unroll(game, nodes=10**6)"
                )
            place.children.append(len(places))
            place.labels.append(_label(game, s, action))
            if probability is not None:
                place.odds.append(probability)
            places.append(_Place(after, place))
        if not place.children:
            raise GameError(f"{game.title} has no moves in a position that is not the end of the game:\n{game.text(s)}")
    return _assembled(rules, places)


def _check(game: Game, depth: int | None, merge: bool) -> None:
    if depth is not None and not 0 <= depth <= MAX_DEPTH:
        raise TreeError(f"a depth is a whole number from 0 to {MAX_DEPTH}, not {depth}")
    if merge and not callable(getattr(game, "canonical", None)):
        raise GameError(
            f"{game.title} does not say which of its positions are the same by symmetry: merge=True needs a method "
            "canonical(s), which answers the same state for all of them"
        )
    if game.chance and not game.traits.lists_outcomes:
        raise GameError(
            f"{game.title} cannot be unrolled: it draws its chance moves, but has no `outcomes` to list them"
        )


def _moves(game: Game, s: Any) -> list[tuple[Any, Number | None]]:
    if game.to_move(s) == CHANCE:
        return [(outcome, _tidy(p)) for outcome, p in game.outcomes(s)]
    return [(action, None) for action in game.actions(s)]


def _tidy(probability: float) -> Number:
    """The intended fraction, if there is an obvious one: 1/6 for 0.16666666666666666."""
    guess = Fraction(probability).limit_denominator(10_000)
    return guess if float(guess) == probability else probability


def _label(game: Game, s: Any, action: Any) -> str:
    return str(action) if game.to_move(s) == CHANCE else game.action_name(s, action)


def _merged(game: Any, places: list[_Place], place: _Place, after: Any, probability: Number | None) -> bool:
    """Is the position the same, by symmetry, as one that another move leads to? Outcomes add their probabilities."""
    wanted = game.canonical(after)
    for i, number in enumerate(place.children):
        if game.canonical(places[number].state) == wanted:
            if probability is not None:
                place.odds[i] += probability
            return True
    return False


def _assembled(rules: _Rules, places: list[_Place]) -> Node:
    """The nodes, from the leaves up; of opposite utilities only MAX's is kept."""
    game = rules.game
    players = range(game.players)
    values, ends = [], []
    for place in places:
        here, s = rules.at(place), place.state
        ends.append(here.is_terminal(s))
        values.append(tuple(_whole(here.utility(s, p) if ends[-1] else here.evaluate(s, p)) for p in players))
    if game.players == 2 and all(u == -v for u, v in values):
        values = [value[:1] for value in values]
    made: list[Node] = []
    for place, value, ended in zip(places[::-1], values[::-1], ends[::-1], strict=True):  # children after parents
        s = place.state
        made.append(
            Node(
                mover=game.to_move(s) if place.children else None,
                children=tuple(made[len(places) - 1 - number] for number in place.children),
                odds=tuple(place.odds),
                utility=() if place.children else value,
                estimate=() if ended else value,
                name=game.text(s),
                labels=tuple(place.labels),
            )
        )
    return made[-1]


def _whole(number: float) -> Number:
    """A whole number as one, so that it is written 1 and not 1.0."""
    return int(number) if float(number).is_integer() else float(number)


def unnamed(root: Node) -> Node:
    """The tree without the names of its positions, which are whole boards."""
    return replace(root, name="", children=tuple(unnamed(child) for child in root.children))
