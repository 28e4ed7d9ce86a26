"""Evaluations from play: what each feature is worth, learned from the results of games of a program against itself.

Samuel (1959) had a program learn checkers so; that the weights be fitted by logistic regression, so that an evaluation
says how likely a win is, is Buro's (1995), for Othello.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from zermelo.game.protocol import Game
from zermelo.games.resolve import game_of
from zermelo.learn.learned import Learned
from zermelo.learn.rounds import Progress, Rounds
from zermelo.search.checks import time_limit, whole_number

DEFAULT_GAMES = 2_000


def learn(
    game: Game | str,
    *,
    games: int | None = None,
    seconds: float | None = None,
    rounds: int = 4,
    seed: int = 0,
    depth: int = 1,
    opening: int | None = None,
    exploration: float = 0.1,
    ending: int = 0,
    share: float = 1.0,
    penalty: float = 1.0,
    prior: bool = False,
    quiet: bool = False,
    decided: float = math.inf,
    keep: int = 3,
    target: str = "result",
    trace: float = 0.7,
    start: Learned | None = None,
    folder: str | Path | None = None,
    compile: bool | None = None,
    on_progress: Callable[[Progress], Any] | None = None,
) -> Learned:
    """Learn the weights of a game's features from self-play.

    games         the number of games, in all rounds together; by default 2,000, or as many as the seconds allow
    seconds       an approximate time limit; the result then depends on the machine
    rounds        how often to play and fit; each round plays with the weights of the one before
    seed          of the random numbers: the same seed and the same games give the same weights
    depth         the search depth of both players, in plies
    opening       the most moves to play before the positions to learn from, to make them differ; by default
                  up to three quarters of a game
    exploration   the chance of a random move there, instead of the best one; the last one is always random
    ending        with this many plies left, or fewer, play is perfect; needs the game's `plies_left`
    share         the share of the positions to keep, if all would be too many
    penalty       how much weights are held back: as if each had been seen so often, times four, to say nothing
    prior         hold weights back towards those that it begins with, instead of towards 0: they are believed until
                  the games say otherwise; a feature that comes in tens is held back as one that comes in ones
    quiet         use quiescence search, and learn only from positions in which no noisy move
                  changes the value, since these are all that a search evaluates
    decided       end a game as won if its value has been this much better than a draw for one player for some plies
    keep          the number of rounds whose games the last fit uses
    target        "result": win, draw or loss; "utility": the utility relative to its range, if its size matters;
                  "search": the value of a search one ply deeper than the players', not the result of the game
                  (Samuel 1959): far less noise than results, but nothing that the search does not see; needs a prior;
                  "td": TD(λ) with a search: of the values of all later positions of the game, and of its result, a
                  mean with weights that fall geometrically (Sutton 1988; Baxter, Tridgell and Weaver 1998)
    trace         λ of target "td": 0 is the value of the next position, 1 the result
    start         start from these weights instead of the game's own
    folder        where to save the games of each round; existing games are not played again, so that
                  an interrupted run can be resumed with the same options
    compile       True, False, or by default as the game's states allow
    on_progress   called from time to time

    Ctrl-C ends it early and keeps the weights learned so far.
    """
    game = game_of(game)
    task = Rounds(game, start, seed, target, compile, on_progress)
    task.settings = (_whole("depth", depth, 1), exploration, _whole("ending", ending, 0), share)
    for name, number in (("exploration", exploration), ("share", share)):
        if not 0 <= number <= 1:
            raise ValueError(f"{name} must be a number from 0 to 1, not {number!r}")
    if not 0 <= trace <= 1:
        raise ValueError(f"trace must be a number from 0 to 1, not {trace!r}")
    task.trace = trace
    if target == "search" and not prior:
        raise ValueError("target 'search' needs a prior: weights of 0 agree with every search that uses them")
    if not 0 < penalty < math.inf:
        raise ValueError(f"penalty must be a positive number, not {penalty!r}")
    task.penalty, task.prior, task.keep = penalty, prior, _whole("keep", keep, 1)
    task.quiet, task.decided = quiet, decided
    if decided <= 0 or (decided < math.inf and not task.finite):
        raise ValueError(
            f"decided must be a positive number, for a game that declares its utility_range, not {decided!r}"
        )
    task.folder = None if folder is None else Path(folder)
    wanted = whole_number("games", games)
    limit = math.inf if seconds is None else time_limit(seconds) or math.inf
    if wanted is None and limit == math.inf:
        wanted = DEFAULT_GAMES
    rounds = _whole("rounds", rounds, 1)
    task.opening = task.usual_opening() if opening is None else _whole("opening", opening, 0)
    return task.run(wanted, limit, rounds)


def _whole(name: str, number: Any, least: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise ValueError(f"{name} must be a whole number of at least {least}, not {number!r}")
    return number


__all__ = ["Progress", "learn"]
