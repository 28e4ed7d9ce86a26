"""A random game as a routine: the very same source, run plain and compiled, writes down what the rules answered.

Given the record of another run as its script, a playout ends where it first differs: compiled code, which has no
bounds checks, never goes where plain Python has not been. It also ends where its script does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.game.hashing import mix, mixed
from zermelo.game.protocol import CHANCE
from zermelo.game.state import u64
from zermelo.kernel.calls import read_flag
from zermelo.kernel.history import remember
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine

# The columns of what is written down, in the order in which the rules are asked.
STATE, KEY, IS_TERMINAL, TO_MOVE, ACTIONS, OUTCOMES, COUNT, MOVE, RANDOM = range(9)
PROMISE, ODDS, PLAYERS = range(3)  # the players' utilities or evaluations begin at PLAYERS

NUMBERS_NEAR = 1e-9
"""By how much, relatively, the two modes' floating-point numbers may differ: libraries round differently."""

NETWORK_NEAR = 1e-5
"""The same for games with a network, which computes in single precision."""


class Record(Part):
    """What the rules answered, ply by ply.

    whole    [ply][column] whole numbers: digests of the state and of the list of moves, the key, who is to move
    real     [ply][column] probabilities, promises, and evaluations or at the end utilities
    moves    [ply] the move or the outcome chosen
    listed   the moves of the last state visited, as far as there is room
    promises [0] has the game a `promise` of its own
    near     [0] by how much, relatively, numbers may differ from the script's
    length   [0] how many plies were played, [1] was the end reached, [2] does it differ from the script
    """

    settled = True

    def __init__(self, plies: int, players: int, room: int = 0, promises: bool = False, near: float = NUMBERS_NEAR):
        self.whole = np.zeros((plies + 1, RANDOM + 1), np.uint64)
        self.real = np.zeros((plies + 1, PLAYERS + players), np.float64)
        self.moves = np.zeros(plies, np.int64)
        self.listed = np.zeros(room, np.int64)
        self.promises = np.array([promises], np.int64)
        self.near = np.array([near])
        self.length = np.zeros(3, np.int64)
        self.stop = np.zeros(1, np.int64)

    def clear(self) -> None:
        """Make ready for another game."""
        for table in (self.whole, self.real, self.moves, self.length, self.stop):
            table.fill(0)

    def list_moves(self, game: Any, s: Any, ply: int) -> int:
        """Write down the legal moves, or the outcomes; returns how many."""
        count = 0
        digest = u64(0)
        if game.to_move(s) == CHANCE:
            for outcome, probability in game.outcomes(s):
                digest = mix(digest, outcome)
                self.real[ply, ODDS] += probability * (count + 1)
                self.note_move(count, outcome)
                count += 1
            self.whole[ply, OUTCOMES] = digest
        else:
            for a in game.actions(s):
                digest = mix(digest, a)
                self.note_move(count, a)
                count += 1
            self.whole[ply, ACTIONS] = digest
        self.whole[ply, COUNT] = count
        return count

    def note_move(self, i: int, a: int) -> None:
        """Write down the i-th move of the present state."""
        if i < len(self.listed):
            self.listed[i] = a

    def differs(self, script: Any, ply: int) -> bool:
        """Does this ply differ from the script's? What is not yet written down is 0 and is not compared."""
        if ply >= len(script.moves):
            return False
        for column in range(self.whole.shape[1]):
            if self.whole[ply, column] != script.whole[ply, column]:
                return True
        for column in range(self.real.shape[1]):
            x = self.real[ply, column]
            y = script.real[ply, column]
            if not abs(x - y) <= self.near[0] * max(1.0, abs(x), abs(y)):
                return True
        return False


def play(game: Any, s: Any, random: Random, record: Record, script: Record) -> int:
    """A random game from this state, written down; returns how many plies it lasted."""
    plies = len(record.moves)
    for ply in range(plies):
        remember(game, s)
        record.length[0] = ply
        record.whole[ply, STATE] = mixed(s)
        record.whole[ply, KEY] = game.key(s)
        if game.is_terminal(s):
            record.whole[ply, IS_TERMINAL] = 1
            for p in range(game.players):
                record.real[ply, PLAYERS + p] = game.utility(s, p)
            record.length[1] = 1
            record.length[2] = record.differs(script, ply)
            return ply
        mover = game.to_move(s)
        record.whole[ply, TO_MOVE] = mover - CHANCE
        for p in range(game.players):
            record.real[ply, PLAYERS + p] = game.evaluate(s, p)
        count = record.list_moves(game, s, ply)
        record.whole[ply, RANDOM] = random.state[0]
        move = 0
        if mover != CHANCE:
            choice = random.below(max(count, 1))
            for a in game.actions(s):
                if choice == 0:
                    move = a
                    break
                choice -= 1
            if record.promises[0] != 0:
                record.real[ply, PROMISE] = game.promise(s, move)
        record.moves[ply] = move
        record.whole[ply, MOVE] = u64(move)
        if record.differs(script, ply):
            record.length[2] = 1
            return ply
        if read_flag(record.stop, 0) != 0 or (len(script.moves) > 0 and ply == script.length[0]):
            return ply
        s = game.draw(s, random) if mover == CHANCE else game.result(s, move)
    return plies


def successor(game: Any, s: Any, move: int, random: Random) -> Any:
    """The state after a move or a draw, as plain tuples: what compiled code makes of it."""
    if game.to_move(s) == CHANCE:
        return game.draw(s, random)[0:]
    return game.result(s, move)[0:]


def peek(game: Any, s: Any, p: int, random: Random, record: Record) -> int:
    """Write down what player p knows, and a state that it cannot tell from this one."""
    record.whole[0, KEY] = mixed(game.information(s, p))
    record.whole[0, STATE] = mixed(game.resample(s, p, random))
    return 0


def resampled(game: Any, s: Any, p: int, random: Random) -> Any:
    """The state that is drawn for player p, as plain tuples."""
    return game.resample(s, p, random)[0:]


def replay(game: Any, s: Any, script: Record, random: Random, rounds: int, evaluating: int) -> float:
    """The scripted game again and again, with or without evaluations; the time that it takes is what matters."""
    first = s
    total = 0.0
    for _ in range(rounds):
        s = first
        for ply in range(script.length[0]):
            if evaluating != 0:
                total += game.evaluate(s, ply % game.players)
            if game.to_move(s) == CHANCE:
                random.state[0] = script.whole[ply, RANDOM]
                s = game.draw(s, random)
            else:
                s = game.result(s, script.moves[ply])
            total += float(mixed(s) >> 63)  # lest the compiler leave out what nobody asks for
    return total


PLAY, SUCCESSOR, PEEK, RESAMPLED, REPLAY = (Routine(f) for f in (play, successor, peek, resampled, replay))
