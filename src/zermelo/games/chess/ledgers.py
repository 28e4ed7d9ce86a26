"""Two ways to go through the features of a position: add up their weights, or write them down.

The evaluation counts features once, in one source, and calls `add` of a ledger for each. What it hands on from call to
call is the ledger's own: two sums, or two arrays and where they end. Compiled code knows the ledger, so this costs
nothing. `turned` changes sides: what is added before it counts against what is added after it.
"""

from __future__ import annotations

from typing import Any

from zermelo.kernel.parts import Part


class Sums(Part):
    """Adds up the weights of the opening and of the endgame."""

    settled = True

    def add(self, game: Any, sums: Any, feature: int, amount: int) -> Any:
        """The two sums, with the weights of a feature that occurs this many times."""
        opening, endgame = sums
        return opening + game.weights[2 * feature] * amount, endgame + game.weights[2 * feature + 1] * amount

    def turned(self, sums: Any) -> Any:
        """The sums as the other player sees them."""
        opening, endgame = sums
        return -opening, -endgame


class Listing(Part):
    """Writes features into arrays, as far as there is room."""

    settled = True

    def add(self, game: Any, listed: Any, feature: int, amount: int) -> Any:
        """The arrays, the number of entries and the sign, with one more entry unless the amount is 0."""
        numbers, amounts, count, sign = listed
        if amount != 0 and count < len(numbers):
            numbers[count] = feature
            amounts[count] = sign * amount
            count += 1
        return numbers, amounts, count, sign

    def turned(self, listed: Any) -> Any:
        """The same, with the other sign from now on."""
        numbers, amounts, count, sign = listed
        return numbers, amounts, count, -sign
