"""The end of a game in words: who wins how many points, and the score of the match. Also resignation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.game.errors import IllegalAction
from zermelo.games.backgammon.checkers import CHECKERS, OFF, count_at
from zermelo.games.backgammon.moves import play
from zermelo.games.backgammon.state import ANSWERING, DROP, MOVING, OPENING, OVER, BackgammonState
from zermelo.kernel.bits import replaced

if TYPE_CHECKING:
    from zermelo.games.backgammon.rules import Backgammon

KINDS = "a single game", "a gammon", "a backgammon"


def of_move(game: Backgammon, s: BackgammonState, a: int) -> str:
    """What a move wins, if it ends a game; otherwise nothing."""
    found = won(game, s, a)
    return "" if found is None else _words(game, s, *found)


def won(game: Backgammon, s: BackgammonState, a: int) -> tuple[int, int] | None:
    """Who wins how many points with a move that ends a game, as if no match were played."""
    p = s.mover
    if s.phase == ANSWERING and a == DROP:
        return 1 - p, 1 << s.cube
    if s.phase != MOVING:
        return None
    low, high, other_low, other_high = play(
        s.low[p], s.high[p], s.low[1 - p], s.high[1 - p], s.dice >> 3, s.dice & 7, a
    )
    if count_at(low, high, OFF) < CHECKERS:
        return None
    lows, highs = replaced(s.low, 1 - p, other_low), replaced(s.high, 1 - p, other_high)
    return p, game.game_points(s._replace(low=lows, high=highs), p) << s.cube


def resignations(s: BackgammonState) -> tuple[tuple[str, int], ...]:
    """The points of a single game, a gammon or a backgammon; nothing before the opening roll."""
    if s.phase in (OPENING, OVER):
        return ()
    return tuple((kind, number << s.cube) for number, kind in enumerate(KINDS, 1))


def resigned(game: Backgammon, s: BackgammonState, p: int, points: int) -> tuple[BackgammonState, str]:
    """The state after player p has resigned: over, or the next game of the match."""
    possible = [each for _, each in resignations(s)]
    if not possible:
        raise IllegalAction("a game is resigned after the opening roll and before its end")
    if points not in possible:
        raise IllegalAction(f"a game is resigned for {', '.join(map(str, possible))} points here, not {points}")
    return game.after_game(s, 1 - p, points), _words(game, s, 1 - p, points)


def _words(game: Backgammon, s: BackgammonState, winner: int, points: int) -> str:
    """`White wins a gammon, 2 points; 2–0 in the match to 3`."""
    who, number = game.player_name(winner), points >> s.cube
    kind = f"{KINDS[number - 1]}, " if number > 1 else ""
    told = f"{who} wins {kind}{points} point{'s' * (points != 1)}"
    if not game.points:
        return told
    after = game.after_game(s, winner, points)
    score = f"{after.score[0]}–{after.score[1]}"
    if after.phase == OVER:
        return f"{told}, and the match to {game.points} with {max(after.score)}–{min(after.score)}"
    return f"{told}; {score} in the match to {game.points}{', the Crawford game is next' if after.crawford else ''}"
