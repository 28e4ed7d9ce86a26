"""Positions with labels, for supervised learning: what a search says of each, and how its game ended.

They come from games of a program against itself, or from files of saved games. A position is what remains after a move,
because that is what a network has to judge.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import GameError, NotationError, Unsuitable, ZermeloError
from zermelo.game.hashing import mix
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine, why_not_compiled
from zermelo.learn.choices import sampled
from zermelo.learn.logistic import Rows
from zermelo.learn.played import held_out
from zermelo.learn.rows import dense
from zermelo.learn.self_play import MOST_PLIES, Room, best_move, searched_value
from zermelo.networks.outcomes import ExpectedUtility
from zermelo.play import notation
from zermelo.play.files import read_games
from zermelo.play.record import Record

OPENING = 8
"""The most random moves at the beginning of a game, so that games differ."""


@dataclass(frozen=True)
class Labelled:
    """Positions as features, with what a network should say of them.

    rows       the features of each position, as the player sees them who views it
    targets    [position, output]
    phases     [position] the phase of the game
    held_out   [position] not to learn from, but to test with: whole games, since positions of one game are alike
    """

    rows: Rows
    targets: Any
    phases: Any
    held_out: Any
    games: int

    def dense(self, chosen: Any) -> Any:
        """The features of some positions as a matrix."""
        return dense(self.rows, chosen)


def judge(game: Any, s: Any, room: Room, numbers: Any, amounts: Any, found: Any, depth: int) -> int:
    """The value of a state to the player who views it, by a search; its features; returns their number."""
    viewer = game.viewer(s)
    found[0] = searched_value(game, s, viewer, room, depth) if depth > 0 else 0.0
    return int(game.list_inputs(s, viewer, numbers, amounts))


def choose(game: Any, s: Any, random: Random, room: Room, depth: int) -> int:
    """The move of a search; at a chance node, an outcome."""
    if game.to_move(s) == CHANCE:
        return sampled(game, s, random)
    return best_move(game, s, game.to_move(s), random, room, depth)


JUDGE, CHOOSE = Routine(judge), Routine(choose)


class Labeller:
    """Plays games, and labels positions.

    depth      search depth of the players, in plies
    results    the share of the game's result in the labels; the rest is the value of a search of the same depth
    """

    def __init__(self, game: Game, *, depth: int = 1, results: float = 0.5, seed: int = 0, compile: bool | None = None):
        outcomes = ExpectedUtility() if game.predicts is None else game.predicts
        if not 0 <= results <= 1:
            raise ValueError(f"results must be a share from 0 to 1, not {results!r}")
        if results < 1 and outcomes.count > 1:
            raise Unsuitable(
                f"a search gives one value, and the network of {game.title} has {outcomes.count} outputs: learn from "
                "the results of games only (results=1)"
            )
        self.game, self.outcomes, self.depth, self.results, self.seed = game, outcomes, depth, results, seed
        self.compiled = compile if compile is not None else why_not_compiled(game) is None
        self.random = Random()
        self.room = Room(game, False, False, depth)
        inputs = len(game.input_names())
        self.numbers, self.amounts = np.zeros(2 * inputs + 64, np.int64), np.zeros(2 * inputs + 64, np.float32)
        self.found = np.zeros(1)

    def played(self, games: int) -> Iterator[list[Any]]:
        """The states of games of a program against itself. It needs an evaluation."""
        if not self.game.offers("evaluate"):
            raise Unsuitable(
                f"{self.game.title} has no evaluation to play with: begin with a network, for example one that "
                "`zermelo learn --td` has made (--from FILE), or give files of games (--data FILE)"
            )
        for number in range(games):
            yield self._game(number)

    def _game(self, number: int) -> list[Any]:
        """The states of one game, which depends on its number and the seed only."""
        game = self.game
        self.random.state[0] = mix(mix(0, self.seed), number)
        opening = self.random.below(OPENING + 1)
        states = [game.initial()]
        while not game.is_terminal(states[-1]) and len(states) <= MOST_PLIES:
            s = states[-1]
            if len(states) <= opening and game.to_move(s) != CHANCE:
                moves = game.legal(s)
                a = moves[self.random.below(len(moves))]
            else:
                a = self._run(CHOOSE, s, self.random, self.room, self.depth)
            states.append(game.result(s, a))
        return states

    def _run(self, routine: Routine, s: Any, *arguments: Any) -> int:
        if self.compiled:
            return int(routine.compiled(self.game, *arguments)(s))
        return int(routine.run_plain(self.game, s, *arguments))

    def label(self, games: Iterable[list[Any]], stopped: Callable[[], bool] = lambda: False) -> Labelled:
        """The positions after the moves of these games, with their labels; unfinished games are skipped."""
        numbers, amounts, lengths, targets, phases, of_game = [], [], [], [], [], []
        count = 0
        for states in games:
            if stopped():
                break
            if not self.game.is_terminal(states[-1]):
                continue
            for before, s in itertools.pairwise(states[:-1]):
                if self.game.to_move(before) == CHANCE:
                    continue
                size = self._run(
                    JUDGE, s, self.room, self.numbers, self.amounts, self.found,
                    self.depth if self.results < 1 else 0,
                )  # fmt: skip
                numbers.append(self.numbers[:size].astype(np.int32))
                amounts.append(self.amounts[:size].copy())
                lengths.append(size)
                targets.append(self._targets(s, states[-1]))
                phases.append(self.game.phase(s))
                of_game.append(count)
            count += 1
        if count < 5 or not lengths:
            raise GameError(f"{count} finished games of {self.game.title} are too few to learn from")
        starts = np.concatenate([[0], np.cumsum(lengths)])
        rows = Rows(np.concatenate(numbers), np.concatenate(amounts), starts, len(self.game.input_names()))
        test = held_out(count)[np.array(of_game)]
        return Labelled(rows, np.array(targets, np.float32), np.array(phases), test, count)

    def _targets(self, s: Any, end: Any) -> list[float]:
        """What a network should say of a state, by the end of its game and by the search."""
        game, viewer = self.game, self.game.viewer(s)
        found = [self.outcomes.target(game, end, viewer, k) for k in range(self.outcomes.count)]
        if self.results < 1:
            low, high = game.utility_range
            share = (min(max(float(self.found[0]), low), high) - low) / (high - low)
            found = [self.results * found[0] + (1 - self.results) * share]
        return found


def saved_games(paths: Iterable[str | Path], game: Game) -> Iterator[list[Any]]:
    """The states of the games in files: JSON lines, PGN, PDN, SGF or .mat; other kinds of games are skipped."""
    for path in paths:
        count = 0
        for record in _records(path):
            saved = record.load()
            if type(saved) is not type(game):
                continue
            count += 1
            try:
                states = record.states(game)
            except ZermeloError as error:
                raise GameError(
                    f"{path}: a game of {saved.title} cannot be replayed as {game.title}: {error}; set its parameters"
                ) from None
            yield states
        if count == 0:
            raise GameError(f"{path} has no saved game of {game.title}")


def _records(path: str | Path) -> Iterable[Record]:
    """The games of a file. Lines of JSON, of which there may be many, are read one by one."""
    with open(path, "rb") as file:
        begin = file.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n")
    if not begin or begin.startswith(b"{"):
        return read_games(path)
    try:
        return notation.read_games(Path(path).read_text("utf-8-sig", errors="replace"))
    except NotationError as error:
        raise NotationError(f"{path}: {error}") from None


def cross_entropy(predicted: Any, targets: Any) -> float:
    """The mean over positions of the cross-entropy, added up over the outputs."""
    kept = np.clip(predicted.astype(np.float64), 1e-12, 1 - 1e-12)
    return float(-np.mean(np.sum(targets * np.log(kept) + (1 - targets) * np.log(1 - kept), axis=1)))


def least_cross_entropy(targets: Any) -> float:
    """What is left if every prediction is its target: the spread of the targets themselves."""
    return cross_entropy(np.asarray(targets), np.asarray(targets)) if len(targets) else math.nan
