"""Playing cards as numbers from 0 to 51, and sets of cards as the bits of one word, sixteen bits for each suit."""

from __future__ import annotations

from collections.abc import Iterable

from zermelo.game.errors import GameError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARDS = 52


def card(rank: int, suit: int) -> int:
    """The number of a card: ranks from 0 (the two) to 12 (the ace), suits in alphabetical order."""
    return 4 * rank + suit


def bit_of(number: int) -> int:
    """A card as a set of one."""
    return 1 << (16 * (number & 3) + (number >> 2))


def name_of(number: int) -> str:
    """A card as people write it: Ah, Tc."""
    return f"{RANKS[number >> 2]}{SUITS[number & 3]}"


def card_named(text: str) -> int:
    """The card of this name; raises a GameError that says what is wrong."""
    name = text.strip()
    if len(name) == 3 and name.startswith("10"):
        name = f"T{name[2]}"
    if len(name) != 2 or name[0].upper() not in RANKS or name[1].lower() not in SUITS:
        raise GameError(f"{text!r} is no card: write a rank of {RANKS} and a suit of {SUITS}, as in Ah or Tc")
    return card(RANKS.index(name[0].upper()), SUITS.index(name[1].lower()))


def cards_named(text: str) -> tuple[int, ...]:
    """The cards in a text such as "AhKd" or "Ah Kd 10c"; raises a GameError if one is wrong or occurs twice."""
    joined = text.replace(" ", "").replace(",", "").replace("10", "T")
    if len(joined) % 2:
        raise GameError(f"{text!r} is not a list of cards: write each as rank and suit, as in Ah Kd")
    found = tuple(card_named(joined[i : i + 2]) for i in range(0, len(joined), 2))
    require_different(found)
    return found


def require_different(cards: Iterable[int]) -> None:
    """Raise a GameError that names a card that occurs twice."""
    seen: set[int] = set()
    for number in cards:
        if number in seen:
            raise GameError(f"the card {name_of(number)} occurs twice")
        seen.add(number)
