"""What a network says of a state, for people: its outputs by name, and which features matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.game.errors import Unsuitable
from zermelo.game.features import has_network
from zermelo.game.protocol import Game
from zermelo.networks.two_views import VIEWS, TwoViews


@dataclass(frozen=True)
class Influence:
    """One feature: its amount, and how much less the state would be worth without it."""

    name: str
    amount: float
    worth: float


@dataclass(frozen=True)
class Judgement:
    """What the network says, as one player sees it.

    outputs     the name and the value of each output
    value       the utility that they mean
    phase       the name of the phase, whose weights were used; empty if there is only one
    advantage   what a network with two views says, in utility: 0 is even; 0 for other networks
    known       True if the outputs come from a table of the game and not from the network
    features    the features that the state has, as the player sees them whose view the network takes
    """

    player: int
    outputs: tuple[tuple[str, float], ...]
    value: float
    phase: str
    known: bool
    features: tuple[Influence, ...]
    advantage: float = 0.0


def judge(game: Game, s: Any, p: int) -> Judgement:
    """The network's judgement of a state as player p sees it, the most important features first.

    The worth of a feature is found by leaving it out. Worths do not add up to the value: features work together.
    """
    if not has_network(game):
        raise Unsuitable(f"{game.title} has no network")
    network = game.network
    out = np.zeros(network.outputs)
    two_views = isinstance(network, TwoViews)
    known = game.known(s, out) > 0
    network.predict(game, s, p, out)
    names = game.phase_names()
    return Judgement(
        player=p,
        outputs=tuple(zip(network.outcomes.names, map(float, out), strict=True)),
        value=network.value(game, s, p),
        phase=names[game.phase(s)] if len(names) > 1 else "",
        known=known,
        features=() if known else _influences_on_both(game, s, p) if two_views else _influences(game, s, p),
        advantage=_signed(game, s, p, network.advantage(game, s, game.viewer(s))) if two_views else 0.0,
    )


def _signed(game: Game, s: Any, p: int, number: float) -> float:
    """A number as player p sees it, from what the viewer sees."""
    return number if game.side(game.viewer(s)) == game.side(p) else -number


def _influences_on_both(game: Game, s: Any, p: int) -> tuple[Influence, ...]:
    """Each input's amount and worth to player p, for a network with two views.

    If both views list as many inputs, they are those of the same things in the same order, and are left out together.
    """
    network, phase, viewer = game.network, game.phase(s), game.viewer(s)
    views, sums = [], np.zeros((VIEWS, network.units), np.int16)
    for player in (viewer, 1 - viewer):
        numbers, amounts = np.zeros(network.room, np.int64), np.zeros(network.room, np.float32)
        count = game.list_inputs(s, player, numbers, amounts)
        network.add_up(numbers, amounts, count, player, sums)
        views.append((player, numbers[:count], amounts[:count].astype(np.int16)))
    if len(views[0][1]) != len(views[1][1]):
        del views[1]
    whole, weights = network.respond(sums, phase, viewer), np.asarray(network.first)
    found = []
    for i, number in enumerate(views[0][1]):
        without = sums.copy()
        for player, numbers, amounts in views:
            without[player] -= amounts[i] * weights[numbers[i]]
        worth = _signed(game, s, p, whole - network.respond(without, phase, viewer))
        found.append(Influence(game.input_name(s, viewer, int(number)), float(views[0][2][i]), worth))
    return tuple(sorted(found, key=lambda each: -abs(each.worth)))


def _influences(game: Game, s: Any, p: int) -> tuple[Influence, ...]:
    """Each feature's amount and worth to player p."""
    network, phase, viewer = game.network, game.phase(s), game.viewer(s)
    sign = 1.0 if game.side(viewer) == game.side(p) else -1.0
    amounts: dict[int, float] = {}
    for number, amount in game.features(s, viewer):
        amounts[int(number)] = amounts.get(int(number), 0.0) + float(amount)
    weights = np.asarray(network.first[phase], np.float32)
    sums = np.array(network.first_bias[phase], np.float32)
    for number, amount in amounts.items():
        sums += np.float32(amount) * weights[number]
    out, names = np.zeros(network.outputs), game.input_names()
    hidden = np.zeros(network.units, np.float32)
    deep_sums, deep = np.zeros(network.deep_units, np.float32), np.zeros(network.deep_units, np.float32)

    def value(at: Any) -> float:
        network.respond(phase, at, hidden, deep_sums, deep, out)
        return float(network.outcomes.value(game, s, out))

    whole = value(sums)
    found = [
        Influence(names[number], amount, sign * (whole - value(sums - np.float32(amount) * weights[number])))
        for number, amount in amounts.items()
        if amount != 0
    ]
    return tuple(sorted(found, key=lambda each: -abs(each.worth)))


def in_words(game: Game, s: Any, shown: int = 5) -> tuple[str, ...]:
    """What the network says to the player to move, in two sentences; nothing if there is no network."""
    if not has_network(game) or game.is_terminal(s):
        return ()
    found = judge(game, s, game.viewer(s))
    who = game.player_name(found.player)
    source = "Known" if found.known else f"Network ({found.phase})" if found.phase else "Network"
    outputs = ", ".join(f"{name} {share:.1%}" for name, share in found.outputs)
    if game.network.added:
        unit = game.unit()
        outputs = f"{unit.amount(found.advantage):+.{unit.digits}f} {unit.name}".strip() + ", added to the weighted sum"
    sentences = [f"{source}, for {who}: {outputs}."]
    if found.features:
        amount = game.unit().amount if game.network.added else float
        worths = "; ".join(f"{each.name} {amount(each.worth):+.3f}" for each in found.features[:shown])
        sentences.append(f"Features that change the value most: {worths}.")
    return tuple(sentences)
