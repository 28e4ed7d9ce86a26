"""Values in words. Hints, analyses, graphs, reviews, notebooks and the terminal all take them from here.

There is one perspective and one unit for each game. Numbers are those of the first side: in chess, plus is good for
White, no matter who is to move. A decided game names its winner. The game declares the unit (`Game.unit`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo.game.protocol import Game

Value = float | tuple[float, ...]

OPEN = "open"
"""The words for a value that is neither proven nor estimated."""
AHEAD = 0.55
"""The chance of winning from which a position is called good."""


@dataclass(frozen=True)
class Worth:
    """What a search says about a position or a move.

    value     for `player`, or a vector with the values of all players
    player    usually the one to move
    distance  plies to the win or loss, if known
    proven    nothing in it was estimated
    sampled   it is the average of random games, with this standard `error`
    is_bound  it is only an upper bound for the player
    """

    value: Value
    player: int = 0
    distance: int | None = None
    proven: bool = False
    sampled: bool = False
    error: float | None = None
    is_bound: bool = False

    @property
    def own(self) -> float:
        """The value for the player."""
        return self.value[self.player] if isinstance(self.value, tuple) else self.value


def is_two_sided(game: Game) -> bool:
    """Is one side's gain the other side's loss?"""
    return game.traits.sides == 2 and game.traits.zero_sum


def first_value(game: Game, worth: Worth) -> float:
    """The value for the first side."""
    own = worth.own
    if not is_two_sided(game) or game.side(worth.player) == game.side(0):
        return own
    total = game.utility_bounds(worth.player)[0] + game.utility_bounds(0)[1]
    return (total if math.isfinite(total) else 0.0) - own + 0.0  # no negative zero


def is_open(game: Game, worth: Worth) -> bool:
    """Is nothing known? Without an evaluation, the engine's estimate is the middle of the range."""
    if worth.proven or worth.sampled or worth.distance is not None or game.offers("evaluate"):
        return False
    return is_two_sided(game) and worth.own == sum(game.utility_bounds(worth.player)) / 2


def result_of(game: Game, worth: Worth) -> float | None:
    """1 if the player wins, ½ if it is a draw, 0 if the player loses; None if that is not known, or not the point."""
    low, high = game.utility_bounds(worth.player)
    if not (worth.proven or worth.distance is not None) or not game.decisive or game.traits.sides > 2:
        return None
    return {low: 0.0, high: 1.0, (low + high) / 2: 0.5}.get(worth.own) if math.isfinite(high - low) else None


def chance(game: Game, worth: Worth) -> float | None:
    """The player's chance of winning, a draw counting half; None if the game's values do not tell."""
    if not is_two_sided(game) or isinstance(worth.value, tuple) or is_open(game, worth):
        return None
    low, high = game.utility_bounds(worth.player)
    if worth.proven or worth.distance is not None:
        middle = (low + high) / 2
        ends = worth.own in (low, high, middle) or not game.chance
        if ends and math.isfinite(middle):
            return 0.5 if worth.own == middle else float(worth.own > middle)
    found = game.unit().chance(worth.own)
    if found is None and worth.sampled and game.decisive and math.isfinite(high - low):
        found = min(max((worth.own - low) / (high - low), 0.0), 1.0)
    return found


def share(game: Game, worth: Worth) -> float | None:
    """The player's chance of winning; if it is unknown, where the value lies between the worst and the best."""
    found = chance(game, worth)
    if found is not None or is_open(game, worth):
        return found
    low, high = game.utility_bounds(worth.player)
    if not math.isfinite(high - low) or high == low:
        return None
    return min(max((worth.own - low) / (high - low), 0.0), 1.0)


def first_share(game: Game, worth: Worth) -> float | None:
    """The same share for the first side."""
    found = share(game, worth)
    turned = is_two_sided(game) and game.side(worth.player) != game.side(0)
    return found if found is None or not turned else 1.0 - found


def tone(game: Game, worth: Worth) -> str:
    """Is it good or bad for the player: "good", "bad", "even", or "" if that is unknown."""
    found = share(game, worth)
    if found is None:
        return ""
    if worth.proven or worth.distance is not None:
        return "good" if found > 0.5 else "bad" if found < 0.5 else "even"
    return "good" if found >= AHEAD else "bad" if found <= 1 - AHEAD else "even"


def words(game: Game, worth: Worth) -> str:
    """The value in words: "White wins in 4 moves", "draw", "+0.35 pawns (54 %)", "+4 discs", "58 %", "open"."""
    decided = _decided(game, worth)
    if decided:
        return f"{decided} or worse" if worth.is_bound and result_of(game, worth) else decided
    if is_open(game, worth):
        return OPEN
    unit = game.unit()
    number = f"{_sign(game, worth)}{brief(game, worth)}{_error(game, worth)}"
    if isinstance(worth.value, tuple) or not unit.name:
        return number
    found = None if worth.proven or chance(game, worth) is None else first_share(game, worth)
    return f"{number} {unit.name}{'' if found is None else f' ({percent(found)})'}"


def brief(game: Game, worth: Worth) -> str:
    """The same in a few characters, for a square of a board: "White 4", "draw", "+0.35", "+4", "58 %"."""
    if _decided(game, worth):
        winner = _winner(game, worth)
        if winner is None:
            return "draw"
        return winner if worth.distance is None else f"{winner} {game.unit().moves(worth.distance).split()[0]}"
    if is_open(game, worth):
        return OPEN
    if isinstance(worth.value, tuple):
        return show(tuple(round(each, 3) for each in worth.value))
    unit, value = game.unit(), first_value(game, worth)
    if unit.name:
        amount = unit.amount(value)
        return f"{amount:+.{0 if worth.proven and amount == int(amount) else unit.digits}f}"
    if worth.sampled and game.decisive and is_two_sided(game):
        found = first_share(game, worth)
        return show(value) if found is None else percent(found)
    return show(value)


def legend(game: Game) -> str:
    """What the numbers mean: whose they are, and what is counted."""
    unit, first = game.unit(), game.player_name(0)
    if game.traits.sides > 2:
        return "Values are the utilities of all players, in their order."
    if not unit.name and game.decisive and is_two_sided(game) and not game.offers("evaluate"):
        return f"A proven value names the winner and the plies to the win. A percentage is {first}’s chance of winning."
    said = f"Values are in {unit.name}" if unit.name else "Values are utilities"
    if game.traits.sides == 2:
        said += f" for {first}: more is better for {first}"
    if unit.slope is not None:
        said += f". Percentages are {first}’s chance of winning, a draw counting half"
    return f"{said}."


def percent(found: float) -> str:
    """A chance as a percentage; only what is certain is 0 % or 100 %."""
    whole = round(100 * found)
    return f"{min(max(whole, 0 if found == 0 else 1), 100 if found == 1 else 99)} %"


def show(value: Value) -> str:
    """A value, or a vector of values, as a plain number."""
    if isinstance(value, tuple):
        return "(" + ", ".join(f"{v:.6g}" for v in value) + ")"
    return f"{value:.6g}"


def _sign(game: Game, worth: Worth) -> str:
    """An upper bound for the second side is a lower one for the first."""
    if not worth.is_bound:
        return ""
    return "≥ " if is_two_sided(game) and game.side(worth.player) != game.side(0) else "≤ "


def _error(game: Game, worth: Worth) -> str:
    if worth.error is None:
        return ""
    unit, (low, high) = game.unit(), game.utility_bounds(worth.player)
    if unit.name:
        return f" ± {abs(unit.amount(worth.error)):.{unit.digits}f}"
    if is_two_sided(game) and game.decisive and math.isfinite(high - low):
        return f" ± {100 * worth.error / (high - low):.2g} %"
    return f" ± {worth.error:.2g}"


def _decided(game: Game, worth: Worth) -> str:
    """A proven result in words; empty if there is none."""
    result = result_of(game, worth)
    if result is None:
        return ""
    if result == 0.5:
        return "draw"
    after = "" if worth.distance is None else f" in {game.unit().moves(worth.distance)}"
    if game.traits.sides == 1:
        return f"{'win' if result else 'loss'}{after}"
    return f"{_winner(game, worth)} wins{after}"


def _winner(game: Game, worth: Worth) -> str | None:
    result = result_of(game, worth)
    if result == 0.5:
        return None
    if game.traits.sides == 1:
        return "win" if result else "loss"
    wins = game.side(worth.player)
    if not result:
        wins = next(game.side(p) for p in range(game.players) if game.side(p) != wins)
    return " & ".join(game.player_name(p) for p in range(game.players) if game.side(p) == wins)
