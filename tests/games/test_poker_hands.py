"""Hands, ranges and equities of poker, against a slow evaluator, published counts and known equities."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest

from zermelo.game.errors import GameError
from zermelo.games.poker.cards import CARDS, bit_of, card_named, cards_named, name_of
from zermelo.games.poker.equity import equity
from zermelo.games.poker.hands import CLASSES, Hands, as_set, class_of, count_classes
from zermelo.games.poker.ranges import combination, combinations, kind_name, kind_of, kinds, range_of
from zermelo.games.poker.showdown import Showdown
from zermelo.kernel.no_game import NoGame
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine

SEVEN = (41_584, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460)
"""Hands of seven cards by class, the best first: 133,784,560 in all."""


def slow_value(five: tuple[int, ...]) -> tuple[Any, ...]:
    """The value of five cards, by counting."""
    ranks = sorted((c >> 2 for c in five), reverse=True)
    flush = len({c & 3 for c in five}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    straight = len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4
    counts = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape = tuple(count for _, count in counts)
    kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(shape, 0)
    if straight or flush:
        kind = 8 if straight and flush else 5 if flush else 4
    return kind, [rank for rank, _ in counts]


def dealt(random: Random, count: int) -> tuple[int, ...]:
    cards: list[int] = []
    while len(cards) < count:
        card = random.below(CARDS)
        if card not in cards:
            cards.append(card)
    return tuple(cards)


def test_hands_compare_as_a_slow_evaluator_says() -> None:
    random, hands = Random(1), Hands()
    for _ in range(1_500):
        cards = dealt(random, 9)
        values = []
        for seven in (cards[:7], cards[2:]):
            values.append(
                (hands.value(as_set(seven)), max(slow_value(five) for five in itertools.combinations(seven, 5)))
            )
        assert all(value >> 26 == slow[0] for value, slow in values)
        assert (values[0][0] > values[1][0]) == (values[0][1] > values[1][1])
        assert (values[0][0] == values[1][0]) == (values[0][1] == values[1][1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ah2h3h4h5h9cKd", "straight flush"),
        ("AsAdAcAhKdKc2c", "four of a kind"),
        ("AsAdAcKhKdKc2c", "full house"),
        ("2c3d4h5sAh9c9d", "straight"),
        ("AcKcQc9c2c3d4d", "flush"),
        ("QcQd2h2d9s9c3h", "two pair"),
    ],
)
def test_classes(text: str, expected: str) -> None:
    assert class_of(Hands().value(as_set(cards_named(text)))) == expected


@pytest.mark.slow
def test_all_hands_of_seven_cards_are_counted() -> None:
    game, counts = NoGame("Counting hands"), np.zeros(len(CLASSES), np.int64)
    bits = np.array([bit_of(card) for card in range(CARDS)], np.uint64)
    Routine(count_classes).compiled(game, Hands(), bits, 0, CARDS, counts)(game.initial())
    assert tuple(reversed(counts.tolist())) == SEVEN


# Cards and ranges.


def test_cards_have_names() -> None:
    assert [card_named(name_of(card)) for card in range(CARDS)] == list(range(CARDS))
    assert cards_named("Ah 10c, 2d") == (card_named("Ah"), card_named("Tc"), card_named("2d"))
    for text, message in (("1h", "is no card"), ("AhAh", "occurs twice"), ("Ahx", "not a list")):
        with pytest.raises(GameError, match=message):
            cards_named(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("AA", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("22+", 78), ("A2s+", 48), ("KTo+", 36), ("99-66", 24),
        ("A5s-A2s", 16), ("AhKd", 1), ("any", 1326), ("22+, 33", 78), ("aks", 4), ("76s:0.5", 2),
    ],
)  # fmt: skip
def test_ranges(text: str, count: float) -> None:
    assert range_of(text).sum() == count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("AKx", "'AKx' is no hand"),
        ("AAs", "neither suited"),
        ("AA:2", "from 0 to 1"),
        ("55-A2s", "both ends"),
        ("AhAh", "twice"),
        ("22+-55", "both"),
        ("AA:0", "weights are 0"),
    ],
)
def test_wrong_ranges_are_refused(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        range_of(text)


def test_kinds_fill_the_chart() -> None:
    names = [kind_name(kind) for kind in range(169)]
    assert (names[0], names[1], names[13], names[168]) == ("AA", "AKs", "AKo", "22")
    assert len(set(names)) == 169
    counts = np.bincount(kinds())
    assert {name: count for name, count in zip(names, counts, strict=True) if name in ("AA", "AKs", "AKo")} == {
        "AA": 6, "AKs": 4, "AKo": 12,
    }  # fmt: skip
    assert kind_of(card_named("2c"), card_named("Ac")) == names.index("A2s")


# Showdowns and equities.


def test_showdowns_agree_with_counting_every_pair() -> None:
    random, show = Random(5), Showdown()
    board = dealt(random, 5)
    weights = np.array([random.uniform() for _ in range(1326)])
    show.set_board(as_set(board))
    show.compare(weights)
    live = [int(c) for c in show.order[: show.counts[0]]]
    assert len(live) == 1081
    pairs = combinations()
    for c in live[::97]:
        wins = ties = meets = 0.0
        for d in live:
            if not set(pairs[c]) & set(pairs[d]):
                meets += weights[d]
                wins += weights[d] * (show.strength[c] >> 11 > show.strength[d] >> 11)
                ties += weights[d] * (show.strength[c] >> 11 == show.strength[d] >> 11)
        assert (show.wins[c], show.ties[c], show.meets[c]) == pytest.approx((wins, ties, meets))
    assert combination(*pairs[77]) == 77


def test_equities() -> None:
    river = equity("AhAd", "KsKc", "2c3d4h8s9d")
    assert (river.share, river.exact, river.boards) == (1.0, True, 1)
    # Boards that need a card of either hand are impossible: 44 of 48 rivers are left.
    assert equity("AhAd", "KsKc", "2c 7d 9h Js").boards == 44
    flop = equity("AhKh", "QcQd", "2h7hJs")
    assert flop.share == pytest.approx(0.5384, abs=0.02)
    assert flop.boards == 990  # C(45, 2)
    assert not equity("AhAd", "KsKc", boards=1).exact  # no spread, and yet only one of the boards
    sampled = equity("AA", "KK", boards=3_000, seed=1)
    assert sampled.share == pytest.approx(0.8195, abs=4 * sampled.error)
    assert 0 < sampled.error < 0.02


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("AA", "KK", "Ah2c"), "has 2"),
        (("AhAd", "AhKd"), "cannot meet"),
        (("AhAd", "KK", "Ah2c3c"), "no hand of the range"),
        (("AA", "KK", "2c2c3d"), "occurs twice"),
    ],
)
def test_impossible_questions_are_refused(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(GameError, match=message):
        equity(*arguments)
