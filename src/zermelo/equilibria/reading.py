"""A strategy for people: every information set with the probabilities and values of its moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.equilibria.form import Form, Regrets
from zermelo.equilibria.passes import collect, follow
from zermelo.equilibria.unfolding import ENDS, Unfolding
from zermelo.game.protocol import Game


@dataclass(frozen=True)
class Choice:
    """What to do in one information set.

    moves, probabilities   the names of the legal moves, and how often to play each
    values                 what each move is worth to the player if play has reached the set; 0 if that is impossible
    reach                  the probability that play reaches the set if all follow the strategy
    example                a state of the set
    """

    player: int
    information: str
    moves: tuple[str, ...]
    probabilities: tuple[float, ...]
    values: tuple[float, ...]
    reach: float
    example: Any


def choices(game: Game, start: Any, book: Unfolding, form: Form, chance: Any) -> Iterator[Choice]:
    """Yields every information set of a game, player by player, in the order in which play reaches them."""
    regrets = Regrets(form)
    reach, value = regrets.reach, regrets.value
    for p in range(form.players):
        follow(form, chance, reach, p)
    arrivals = arrival_probabilities(book, form, chance, reach)
    for p in range(form.players):
        collect(form, reach, value, p)
        for which in range(form.sets[p + 1] - 1, form.sets[p] - 1, -1):
            part = slice(form.first[which], form.first[which] + form.width[which])
            value[form.parent[which]] += chance[part] @ value[part]
    for which in range(len(form.first)):
        player = int(np.searchsorted(form.sets, which, side="right")) - 1
        part = slice(int(form.first[which]), int(form.first[which] + form.width[which]))
        example = state_in(game, start, book, int(form.order[which]))
        others = arrivals[which]
        own = float(reach[form.parent[which]])
        yield Choice(
            player,
            game.information_name(example, player),
            tuple(game.action_name(example, int(a)) for a in book.move[part]),
            tuple(chance[part].tolist()),
            tuple((value[part] / others).tolist()) if others > 0 else (0.0,) * int(form.width[which]),
            float(own * others),
            example,
        )


def arrival_probabilities(book: Unfolding, form: Form, chance: Any, reach: Any) -> Any:
    """For each information set the probability that chance and the other players lead to it.

    It is what the set would be worth if every end were worth 1.
    """
    count = int(book.counts[ENDS])
    ones = Form(book, np.ones((count, form.players)))
    value = np.zeros(form.sequences)
    found = np.zeros(len(form.first))
    for p in range(form.players):
        collect(ones, reach, value, p)
        for which in range(form.sets[p + 1] - 1, form.sets[p] - 1, -1):
            part = slice(form.first[which], form.first[which] + form.width[which])
            found[which] = chance[part] @ value[part]
            value[form.parent[which]] += found[which]
    return found


def state_in(game: Game, start: Any, book: Unfolding, number: int) -> Any:
    """A state of an information set, by its number in the unfolding."""
    s = start
    for a in book.trail[book.trails[number] : book.trails[number + 1]].tolist():
        s = game.result(s, a)
    return s
