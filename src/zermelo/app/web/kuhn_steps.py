"""The steps of the lesson on Kuhn poker: a strategy each, and what it costs, in words. All numbers are computed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.equilibria.kuhn import BET, HIGHEST, JACK, KING, PASSED, PASSED_BET, QUEEN, Bets, Kuhn
from zermelo.games.kuhn_poker import NOTHING


def lesson(kuhn: Kuhn) -> list[dict[str, Any]]:
    """The steps, each with a title, probabilities and a text."""
    steps = (_coin, _honest, _reckless, _balanced, _less, _second)
    return [{"title": title, "bets": bets, "text": text} for title, bets, text in (step(kuhn) for step in steps)]


def antes(number: float) -> str:
    """An amount, as people write it."""
    return f"{number:.3f}".replace("-", "−")


def fraction(number: float) -> str:
    """A number as a simple fraction."""
    return str(Fraction(number).limit_denominator(1000)).replace("-", "−")


def _changed(kuhn: Kuhn, bets: Bets, *changes: tuple[int, int, int, float]) -> Bets:
    found = list(bets)
    for player, card, moves, bet in changes:
        found[kuhn.place(player, card, moves)] = bet
    return found


def _coin(kuhn: Kuhn) -> tuple[str, Bets, str]:
    bets = [0.5] * len(kuhn.order)
    verdict = kuhn.verdict(bets)
    first, second = verdict["seats"]
    return (
        "Toss a coin",
        bets,
        f"Both players toss a coin for every decision. The first player wins {antes(verdict['value'])} antes per hand, "
        f"but neither should be content: an opponent who knows this wins {antes(-first['worst'])} from the first "
        f"player, and {antes(-second['worst'])} from the second. The best replies are listed below.",
    )


def _honest(kuhn: Kuhn) -> tuple[str, Bets, str]:
    honest = [1.0 if card == KING else 0.0 for _, card, _ in kuhn.order]
    first = kuhn.verdict(honest)["seats"][0]
    return (
        "Never bluff",
        honest,
        "Only the King bets and calls. Then a bet tells everything: the Queen folds to it, and nobody pays the King. "
        "And everyone else folds to a bluff. Against a best response the first player loses "
        f"{antes(-first['worst'])} per hand, {antes(first['loss'])} more than necessary. Against the equilibrium it "
        "costs nothing: an equilibrium does not punish, it only cannot be punished.",
    )


def _reckless(kuhn: Kuhn) -> tuple[str, Bets, str]:
    start = kuhn.equilibrium(float(HIGHEST))
    bets = _changed(kuhn, start, (0, JACK, NOTHING, 1.0))
    fold, call = kuhn.move_values(bets)[kuhn.place(1, QUEEN, BET)]
    loss = kuhn.verdict(bets)["seats"][0]["loss"]
    return (
        "Always bluff",
        bets,
        "The first player bets every King and every Jack. Half of the bets are bluffs now, so the Queen calls: that "
        f"is worth {antes(call)} instead of {antes(fold)}. All these bluffs cost the first player {antes(loss)} per "
        "hand.",
    )


def _balanced(kuhn: Kuhn) -> tuple[str, Bets, str]:
    bets = kuhn.equilibrium(float(HIGHEST))
    jack, king = bets[kuhn.place(0, JACK, NOTHING)], bets[kuhn.place(0, KING, NOTHING)]
    fold, call = kuhn.move_values(bets)[kuhn.place(1, QUEEN, BET)]
    return (
        "Make the Queen indifferent",
        bets,
        "A call costs 1 and wins 3: the pot of 2 and the bet. It breaks even if it wins one time in four. So there "
        f"must be one bluff for every three bets with the King: bet all Kings, and {fraction(jack / king)} of the "
        f"Jacks. Then the Queen gets {antes(call)} if it calls and {antes(fold)} if it folds, and nothing that the "
        f"second player does gains anything: the cost is {antes(kuhn.verdict(bets)['seats'][0]['loss'])}. The first "
        f"player still loses {fraction(-kuhn.value)} per hand. That is the value of the game: it pays to move second.",
    )


def _less(kuhn: Kuhn) -> tuple[str, Bets, str]:
    bets = kuhn.equilibrium(1 / 6)
    call = bets[kuhn.place(0, QUEEN, PASSED_BET)]
    none = kuhn.verdict(kuhn.equilibrium(0.0))
    return (
        "Bluff less",
        bets,
        "Half as many bluffs also work, if the King bets half as often: what counts is the share of bluffs. A King "
        "that checks waits for the opponent to bet, so the Queen calls such bets less often, here "
        f"{fraction(call)} of the time. Move the slider α: for every α from 0 to 1/3 the value is "
        f"{fraction(kuhn.value)}. Without any bluff it is {fraction(none['value'])} too, but then the King must not "
        "bet first either.",
    )


def _second(kuhn: Kuhn) -> tuple[str, Bets, str]:
    start = kuhn.equilibrium(float(HIGHEST))
    bets = _changed(kuhn, start, (1, QUEEN, BET, 1.0), (1, JACK, PASSED, 0.0))
    loss = kuhn.verdict(bets)["seats"][1]["loss"]
    check, bet = kuhn.move_values(start)[kuhn.place(0, JACK, NOTHING)]
    called = kuhn.move_values(bets)[kuhn.place(0, JACK, NOTHING)][1]
    return (
        "The second player",
        bets,
        "The second player has only one equilibrium strategy: bluff with one Jack in three, and call with one Queen "
        f"in three. That makes the first player's Jack indifferent: {antes(bet)} for a bluff, {antes(check)} for a "
        "check. Here the Queen always calls and the Jack never bluffs. A bluff is now worth "
        f"{antes(called)}, so the first player stops bluffing, bets the King and folds the Queen. This costs "
        f"{antes(loss)} per hand.",
    )
