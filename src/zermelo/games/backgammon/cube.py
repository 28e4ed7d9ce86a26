"""What a position is worth with the doubling cube, from the five chances: Janowski's formulas.

Rick Janowski, "Take-Points in Money Games" (1993), looks at two extremes. A *dead* cube is never turned again: the
equity is a straight line in the chance to win. A *live* cube is turned at the perfect moment, when the other player is
indifferent between take and drop: the equity is made of straight lines between these points. Real cubes are between
both, by the cube efficiency x: equity = (1 − x) · dead + x · live.

For matches the same lines connect match-winning chances instead of points. The points at which a cube is turned depend
on all higher cubes, and are computed from the highest one down.

All equities here are the roller's: of the player who rolls next. Those of money games are points, those of matches are
2 · (the chance to win the match) − 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.games.backgammon.bearoff import CENTRED, OPPONENTS, OWNED, is_home, number_of
from zermelo.games.backgammon.checkers import OFF, count_at, pips
from zermelo.games.backgammon.features import is_contact
from zermelo.games.backgammon.state import ANSWERING, CENTRE, CUBE, MOST_DOUBLES, OPENING

CONTACT_EFFICIENCY = 0.68
RACE_EFFICIENCIES = (0.60, 0.70)
RACE_PIPS = (40.0, 120.0)
"""Cube efficiency: in contact positions, and in short and long races (those of GNU Backgammon's manual)."""


def efficiency(s: Any, roller: int) -> float:
    """The cube efficiency x: 0 for a dead cube, 1 for a live one."""
    if is_contact(s):
        return CONTACT_EFFICIENCY
    share = (pips(s.low[roller], s.high[roller]) - RACE_PIPS[0]) / (RACE_PIPS[1] - RACE_PIPS[0])
    return RACE_EFFICIENCIES[0] + (RACE_EFFICIENCIES[1] - RACE_EFFICIENCIES[0]) * min(max(share, 0.0), 1.0)


def equity(game: Any, s: Any, out: Any) -> float:
    """What the state is worth to the roller, given the five chances that the roller sees."""
    if game.points == 0 and not game.cube:
        return cubeless(out)
    if s.phase == OPENING:
        return opening(game, s)
    if s.phase == CUBE:
        return max(no_double(game, s, out), doubled(game, s, out))
    if s.phase == ANSWERING:
        return doubled(game, s, out)
    return no_double(game, s, out)


def cubeless(out: Any) -> float:
    """The expected points if nobody ever doubles."""
    return float(2.0 * out[0] - 1.0 + out[1] + out[2] - out[3] - out[4])


def opening(game: Any, s: Any) -> float:
    """A game that has not begun: nothing in a money game; in a match, what the score is worth to player 0."""
    if game.points == 0:
        return 0.0
    own, other = game.points - s.score[0], game.points - s.score[1]
    later = 1 if (own == 1 or other == 1) and s.crawford == 0 else 0
    return float(2.0 * game.match_equities[later, own, other] - 1.0)


def no_double(game: Any, s: Any, out: Any) -> float:
    """The roller does not double now."""
    return held(game, s, out, s.cube, s.owner)


def double_take(game: Any, s: Any, out: Any) -> float:
    """The roller doubles, the opponent takes."""
    return held(game, s, out, s.cube + 1, 1 - game.viewer(s))


def double_beaver(game: Any, s: Any, out: Any) -> float:
    """The roller doubles, the opponent doubles again and keeps the cube."""
    return held(game, s, out, s.cube + 2, 1 - game.viewer(s))


def double_drop(game: Any, s: Any) -> float:
    """The roller doubles, the opponent drops."""
    if game.points == 0:
        return float(1 << s.cube)
    roller = game.viewer(s)
    own, other = game.points - s.score[roller], game.points - s.score[1 - roller]
    return 2.0 * after_game(game.match_equities, later_of(own, other), own - (1 << s.cube), other) - 1.0


def doubled(game: Any, s: Any, out: Any) -> float:
    """The roller doubles, and the opponent answers what is best."""
    value = min(double_take(game, s, out), double_drop(game, s))
    if game.beavers and s.cube + 1 < MOST_DOUBLES:
        value = min(value, double_beaver(game, s, out))
    return value


def possible(s: Any, roller: int, seen: Any) -> Any:
    """The five chances without gammons of a side that has borne off a checker: a network gives them a little chance."""
    out = np.empty(5, np.float64)
    own = 1.0 if count_at(s.low[1 - roller], s.high[1 - roller], OFF) == 0 else 0.0
    other = 1.0 if count_at(s.low[roller], s.high[roller], OFF) == 0 else 0.0
    out[0], out[1], out[2], out[3], out[4] = seen[0], own * seen[1], own * seen[2], other * seen[3], other * seen[4]
    return out


def held(game: Any, s: Any, seen: Any, cube: int, owner: int) -> float:
    """The equity with a cube that has been doubled so often and belongs to `owner`, before the roll."""
    roller = game.viewer(s)
    out = possible(s, roller, seen)
    place = CENTRED if owner == CENTRE else OWNED if owner == roller else OPPONENTS
    if game.points > 0:
        own, other = game.points - s.score[roller], game.points - s.score[1 - roller]
        live = efficiency(s, roller) if game.cube and s.crawford == 0 else 0.0
        return 2.0 * match_chance(game.match_equities, own, other, out, cube, place, live) - 1.0
    if is_home(s.low[0], s.high[0]) and is_home(s.low[1], s.high[1]) and cube < MOST_DOUBLES:
        number, opposite = number_of(s.low[roller], game.binomials), number_of(s.low[1 - roller], game.binomials)
        if number < len(game.pairs) and opposite < len(game.pairs):
            return float(game.pairs[number, opposite, place] * (1 << cube))
    live = efficiency(s, roller) if cube < MOST_DOUBLES else 0.0
    return money(out, place, live, game.jacoby and owner == CENTRE) * (1 << cube)


# Lines.


def line(x: float, x0: float, y0: float, x1: float, y1: float) -> float:
    """The straight line through two points."""
    if x1 - x0 < 1e-9:
        return y1
    return y0 + (y1 - y0) * (x - x0) * (1.0 / (x1 - x0))


def broken_line(
    win: float,
    place: int,
    lose_value: float,
    take: float,
    drop_value: float,
    cash: float,
    cash_value: float,
    win_value: float,
) -> float:
    """The equity with a live cube: lines between losing, the take point, the cash point and winning.

    A player who cannot be doubled has no take point, and one who cannot double no cash point.
    """
    low, low_value = (0.0, lose_value) if place == OWNED else (take, drop_value)
    high, high_value = (1.0, win_value) if place == OPPONENTS else (cash, cash_value)
    if win < low:
        return line(win, 0.0, lose_value, low, low_value)
    if win > high:
        return line(win, high, high_value, 1.0, win_value)
    return line(win, low, low_value, high, high_value)


# Money games.


def money(out: Any, place: int, live: float, single: bool) -> float:
    """The equity in points per unit of the cube. `single`: gammons do not count before a double (Jacoby)."""
    win = min(max(out[0], 0.0), 1.0)
    won = 1.0 + (out[1] + out[2]) / max(win, 1e-9)  # Janowski's W: the average points of a win, and L: of a loss
    lost = 1.0 + (out[3] + out[4]) / max(1.0 - win, 1e-9)
    won, lost = min(won, 3.0), min(lost, 3.0)
    take = (lost - 0.5) / (won + lost + 0.5)
    cash = (lost + 1.0) / (won + lost + 0.5)
    if single:
        dead = 2.0 * win - 1.0
        lived = broken_line(win, place, -1.0, take, -1.0, cash, 1.0, 1.0)
    else:
        dead = cubeless(out)
        lived = broken_line(win, place, -lost, take, -1.0, cash, 1.0, won)
    return float((1.0 - live) * dead + live * lived)


# Matches.


def later_of(own: int, other: int) -> int:
    """Is the next game after the Crawford game? 1 or 0, the place in the table of match equities."""
    return 1 if own == 1 or other == 1 else 0


def after_game(table: Any, later: int, own: int, other: int) -> float:
    """The chance to win the match if a player needs so many points, the opponent so many others."""
    if own <= 0:
        return 1.0
    if other <= 0:
        return 0.0
    return float(table[later, own, other])


def after_win(table: Any, own: int, other: int, points: int, gammons: float, backgammons: float) -> float:
    """The chance to win the match after winning a game with the cube at `points`, by its share of gammons."""
    later = later_of(own, other)
    single = after_game(table, later, own - points, other)
    double = after_game(table, later, own - 2 * points, other)
    triple = after_game(table, later, own - 3 * points, other)
    return (1.0 - gammons) * single + (gammons - backgammons) * double + backgammons * triple


def match_chance(table: Any, own: int, other: int, out: Any, cube: int, place: int, live: float) -> float:
    """The roller's chance to win the match, who needs `own` points, the opponent `other`."""
    win = min(max(out[0], 0.0), 1.0)
    gammons, backgammons = share(out[1], win), share(out[2], win)
    lost_gammons, lost_backgammons = share(out[3], 1.0 - win), share(out[4], 1.0 - win)
    points = 1 << cube
    won = after_win(table, own, other, points, gammons, backgammons)
    lost = 1.0 - after_win(table, other, own, points, lost_gammons, lost_backgammons)
    if live == 0.0:
        return float(win * won + (1.0 - win) * lost)

    take, cash, other_take = 0.0, 1.0, 0.0  # at the next higher cube, from the highest one down
    other_cash = 1.0
    level = MOST_DOUBLES
    while level > cube:
        size = 1 << level
        before = size >> 1
        take, other_take = (
            take_point(table, own, other, size, before, gammons, backgammons, lost_gammons, lost_backgammons, cash),
            take_point(
                table, other, own, size, before, lost_gammons, lost_backgammons, gammons, backgammons, other_cash
            ),
        )
        cash = 1.0 - other_take if own > before else 1.0
        other_cash = 1.0 - take if other > before else 1.0
        level -= 1

    later = later_of(own, other)
    can, cannot = own > points and place != OPPONENTS, other <= points or place == OWNED
    drop_value = after_game(table, later, own, other - points)
    cash_value = after_game(table, later, own - points, other)
    where = CENTRED if can and not cannot else OWNED if can else OPPONENTS
    if not can and cannot:
        lived = line(win, 0.0, lost, 1.0, won)
    else:
        lived = broken_line(win, where, lost, take, drop_value, cash, cash_value, won)

    return float((1.0 - live) * (win * won + (1.0 - win) * lost) + live * lived)


def share(part: float, whole: float) -> float:
    """A chance as a share of another one."""
    return float(min(max(part / max(whole, 1e-9), 0.0), 1.0))


def take_point(
    table: Any,
    own: int,
    other: int,
    size: int,
    before: int,
    gammons: float,
    backgammons: float,
    lost_gammons: float,
    lost_backgammons: float,
    cash: float,
) -> float:
    """The chance to win from which a player takes a live cube of this size.

    cash   the chance from which the player then doubles again, 1 if never
    """
    later = later_of(own, other)
    lost = 1.0 - after_win(table, other, own, size, lost_gammons, lost_backgammons)
    if own > size:
        best = after_game(table, later, own - size, other)
    else:
        best = after_win(table, own, other, size, gammons, backgammons)
    drop = after_game(table, later, own, other - before)
    return min(max(line(drop, lost, 0.0, best, cash), 0.0), 1.0)
