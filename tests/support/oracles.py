"""The textbook's definitions, written as short as they can be: what every search is measured against."""

from __future__ import annotations

from typing import Any

from zermelo import CHANCE, Game


def value(game: Game, s: Any, player: int, depth: int | None = None) -> float:
    """The minimax, or expectiminimax, value of a state, by the definition alone."""
    if game.is_terminal(s):
        return game.utility(s, player)
    if depth == 0:
        return game.evaluate(s, player)
    below = None if depth is None else depth - 1
    if game.to_move(s) == CHANCE:
        return sum(p * value(game, game.result(s, o), player, below) for o, p in game.outcomes(s))
    values = [value(game, game.result(s, a), player, below) for a in game.actions(s)]
    return max(values) if game.side(game.to_move(s)) == game.side(player) else min(values)


def vector(game: Game, s: Any) -> tuple[float, ...]:
    """The max^n value of a state, by the definition alone; of equals the first."""
    if game.is_terminal(s):
        return tuple(game.utility(s, p) for p in range(game.players))
    mover = game.to_move(s)
    if mover == CHANCE:
        weighted = [(p, vector(game, game.result(s, o))) for o, p in game.outcomes(s)]
        return tuple(sum(p * v[i] for p, v in weighted) for i in range(game.players))
    return max((vector(game, game.result(s, a)) for a in game.actions(s)), key=lambda v: v[mover])


def win_distance(game: Game, s: Any, player: int) -> tuple[float, int]:
    """The value of a state, and in how many plies it is won or lost: wins as soon as can be, losses as late.

    The distance of anything else is 0.
    """
    low, high = game.utility_bounds(player)
    if game.is_terminal(s):
        return game.utility(s, player), 0
    below = [win_distance(game, game.result(s, a), player) for a in game.actions(s)]
    found = [(v, n + 1 if v in (low, high) else 0) for v, n in below]
    sign = 1 if game.side(game.to_move(s)) == game.side(player) else -1
    return max(found, key=lambda f: (sign * f[0], -f[1] if f[0] == (high if sign > 0 else low) else f[1]))


def plied(game: Game, s: Any, player: int, plies: int, keep: int = 0, moves: int = 0) -> float:
    """The value of a state at a number of plies: a ply is a roll with the move that answers it.

    keep    how many replies are followed, the best ones by their evaluations; 0 for all
    moves   how many were made since the last roll; up to three are one ply
    """
    if game.is_terminal(s):
        return game.utility(s, player)
    mover = game.to_move(s)
    if plies == 0 and (moves or mover == CHANCE):
        return game.evaluate(s, player)
    if mover == CHANCE:
        total = 0.0
        for outcome, probability in game.outcomes(s):
            child = game.result(s, outcome)
            again = not game.is_terminal(child) and game.to_move(child) == CHANCE
            total += probability * plied(game, child, player, plies if again else plies - 1, keep)
        return total
    sign = 1 if game.side(mover) == game.side(player) else -1
    after = [game.result(s, a) for a in game.actions(s)]
    if keep and plies > 0:
        after.sort(key=lambda each: -sign * plied(game, each, player, 0, moves=1))
        after = after[:keep]
    rest = plies - 1 if moves >= 3 else plies
    return sign * max(sign * plied(game, each, player, rest, keep, moves + 1) for each in after)
