"""Ranges of hold'em hands in the usual notation: `22+, A2s+, KTo+, 99-66, AhKd, 76s:0.5`.

A hand of two cards is a *combination*, of which there are 1,326. Without suits there are 169 *kinds*: pairs, suited
and offsuit hands.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.games.poker.cards import CARDS, RANKS, card, card_named, name_of

COMBINATIONS = CARDS * (CARDS - 1) // 2
KINDS = 169
KIND = re.compile(r"([2-9TJQKA])([2-9TJQKA])([so]?)", re.IGNORECASE)
HOW = "as in 22+, A2s+, KTo+, 99-66 or AhKd"


def combination(one: int, other: int) -> int:
    """The number of a combination of two cards, in any order."""
    low, high = min(one, other), max(one, other)
    return high * (high - 1) // 2 + low


@functools.cache
def combinations() -> Any:
    """The two cards of each combination, the lower first: an array of 1,326 rows."""
    rows = [(low, high) for high in range(CARDS) for low in range(high)]
    made = np.array(rows, np.int64)
    made.flags.writeable = False
    return made


def kind_of(one: int, other: int) -> int:
    """The kind of a combination, from 0 to 168: row and column of the usual chart, aces first, suited above right."""
    high, low = max(one >> 2, other >> 2), min(one >> 2, other >> 2)
    suited = one & 3 == other & 3
    row, column = (12 - high, 12 - low) if suited or high == low else (12 - low, 12 - high)
    return 13 * row + column


@functools.cache
def kinds() -> Any:
    """The kind of each combination."""
    made = np.array([kind_of(int(a), int(b)) for a, b in combinations()], np.int64)
    made.flags.writeable = False
    return made


def kind_name(kind: int) -> str:
    """A kind as people write it: AA, AKs, AKo."""
    row, column = divmod(kind, 13)
    if row == column:
        return RANKS[12 - row] * 2
    if column > row:
        return f"{RANKS[12 - row]}{RANKS[12 - column]}s"
    return f"{RANKS[12 - column]}{RANKS[12 - row]}o"


def range_of(text: str) -> Any:
    """The weight of each combination in a range, from 0 to 1; raises a GameError that names the part that is wrong."""
    weights = np.zeros(COMBINATIONS)
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts:
        raise GameError(f"the range is empty: write hands separated by commas, {HOW}")
    for part in parts:
        hands, _, weight = part.partition(":")
        weights[_combinations_in(hands.strip(), part)] = _weight(weight, part)
    if not weights.any():
        raise GameError(f"the range {text!r} is empty: all of its weights are 0")
    return weights


def _weight(text: str, part: str) -> float:
    if not text:
        return 1.0
    try:
        weight = float(text)
    except ValueError:
        weight = -1.0
    if not 0.0 <= weight <= 1.0:
        raise GameError(f"the weight in {part!r} must be a number from 0 to 1")
    return weight


def _combinations_in(hands: str, part: str) -> list[int]:
    """The combinations that one part of a range stands for."""
    if hands.lower() in ("any", "random", "100%"):
        return list(range(COMBINATIONS))
    if len(hands) == 4 and hands[1].lower() in "cdhs":
        one, other = card_named(hands[:2]), card_named(hands[2:])
        if one == other:
            raise GameError(f"the hand {part!r} has the card {name_of(one)} twice")
        return [combination(one, other)]
    first, dash, last = hands.partition("-")
    plus = first.endswith("+")
    high, low, suit = _kind(first.removesuffix("+").strip(), part)
    if dash and plus:
        raise GameError(f"{part!r} has both + and -: write one of them, {HOW}")
    if dash:
        return _between((high, low, suit), _kind(last.strip(), part), part)
    if not plus:
        return _of_kind(high, low, suit)
    if high == low:
        return [c for rank in range(high, 13) for c in _of_kind(rank, rank, suit)]
    return [c for rank in range(low, high) for c in _of_kind(high, rank, suit)]


def _kind(text: str, part: str) -> tuple[int, int, str]:
    """The ranks of a kind, the higher first, and s, o or nothing."""
    found = KIND.fullmatch(text)
    if found is None:
        raise GameError(f"{part!r} is no hand or range of hands: write them {HOW}")
    ranks = sorted((RANKS.index(found[i].upper()) for i in (1, 2)), reverse=True)
    suit = found[3].lower()
    if ranks[0] == ranks[1] and suit:
        raise GameError(f"{part!r}: a pair is neither suited nor offsuit; write {RANKS[ranks[0]] * 2}")
    return ranks[0], ranks[1], suit


def _between(one: tuple[int, int, str], other: tuple[int, int, str], part: str) -> list[int]:
    """The hands from one kind to another: pairs, or hands with the same higher card, both suited or both not."""
    pairs = one[0] == one[1] and other[0] == other[1]
    if not pairs and (one[0] != other[0] or one[2] != other[2] or one[0] == one[1] or other[0] == other[1]):
        raise GameError(f"{part!r}: both ends must be pairs, or share the higher card and suitedness, as in A5s-A2s")
    low, high = sorted((one[1], other[1]))
    return [c for rank in range(low, high + 1) for c in _of_kind(rank if pairs else one[0], rank, one[2])]


def _of_kind(high: int, low: int, suit: str) -> list[int]:
    """All combinations of two ranks; with s or o only suited or offsuit ones."""
    found = []
    for one in range(4):
        for other in range(4):
            if high == low and other <= one:
                continue
            if (suit == "s" and one != other) or (suit == "o" and one == other):
                continue
            found.append(combination(card(high, one), card(low, other)))
    return found


def without(weights: Any, cards: Iterable[int]) -> Any:
    """A range without the combinations that contain one of these cards."""
    gone = np.isin(combinations(), list(cards)).any(axis=1)
    return np.where(gone, 0.0, weights)
