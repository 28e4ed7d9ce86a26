"""Retrograde analysis: the value and the distance of every position of a class, from the end of the game backwards.

The idea is Zermelo's (1913) and Bellman's (1965); Ströhlein (1970) and Thompson (1986) computed chess endings with it.
At first only the ends of the game are known, and what moves into other classes lead to. Then pass after pass finds the
positions that are decided one ply earlier. What is never found is drawn: neither player can force anything.

A value is one number, its *code*: 0 is a draw, or not known yet; n + 1 is a win in n plies for the player to move, and
-(n + 1) a loss in n plies. Pass n works with the codes up to n, which are final. Larger codes may be in the table
already, but they are not read: so the order within a pass, and the number of threads, do not matter.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.kernel.calls import read_flag
from zermelo.kernel.parts import Part
from zermelo.kernel.routine import Routine

INVALID = -32768
"""The code of an index without a position."""
MOST = 32000
"""No code is larger: the table has room for wins in so many plies."""
KNOWN_BEFORE = 2
"""A mark: what can be known of this index was known before the first pass."""
CANDIDATE = 1
"""A mark: something that a move leads to has become known, so the position is examined."""
CLASS, FIRST, LAST, LIMIT, EVERYTHING, CONVERSION, INSIDE, FOUND, LARGEST, FAULT = range(10)
"""Places in `Work.job`: the class and the range of indices, the limit of the final codes, whether to examine all
positions, whether to count plies to the next class; then the results."""
UNNUMBERED, TOO_MANY, FIRST_FAULT = 1, -1, 2
"""What FAULT says: two moves in a row lead out of all classes; more moves than `max_actions`; from FIRST_FAULT on, the
first index that is wrong, plus FIRST_FAULT."""


class Work(Part):
    """What one thread works with while it solves a class.

    values    the code of every index of the class
    marks     which indices to examine
    others    the codes of the classes that moves can lead to, one after the other
    starts    for each class, where its codes begin in `others`; -1: not loaded
    room      the moves of a position, and of the one after it
    job       see CLASS and the names after it
    """

    settled = True

    def __init__(self, values: Any, marks: Any, others: Any, starts: Any, actions: int, compiled: bool = True):
        self.values, self.marks, self.others, self.starts = values, marks, others, starts
        kind: Any = np.int64 if compiled else object  # in plain Python, a move is any value
        self.room, self.more_room = np.zeros(max(actions, 1), kind), np.zeros(max(actions, 1), kind)
        self.job = np.zeros(10, np.int64)
        self.stop = np.zeros(1, np.int64)

    def list_moves(self, game: Any, s: Any, room: Any) -> int:
        """Write the moves of a state into an array and return how many there are; FAULT says if they are too many."""
        count = int(game.list_actions(s, room))
        if count > len(room):
            self.job[FAULT] = TOO_MANY
            return len(room)
        return count

    def numbered(self, game: Any, s: Any, c: int, limit: int) -> int:
        """The code of a state of a class, for its player to move."""
        if c == self.job[CLASS]:
            self.job[INSIDE] += 1
            code = int(self.values[game.index_of(s)])
            return code if -limit <= code <= limit else 0
        code = int(self.others[self.starts[c] + game.index_of(s)])
        return min(max(code, -1), 1) if self.job[CONVERSION] != 0 else code

    def ended(self, game: Any, s: Any) -> int:
        """The code of a state in which the game is over."""
        utility = game.utility(s, game.to_move(s))
        return 1 if utility > 0 else -1 if utility < 0 else 0

    def after(self, game: Any, s: Any, limit: int) -> int:
        """The code of the state after a move, for its player to move.

        A state without a number, such as one with a capture en passant, is judged by the states after it.
        """
        c = game.class_of(s)
        if c >= 0:
            return self.numbered(game, s, c, limit)
        if game.is_terminal(s):
            return self.ended(game, s)
        side, best, worst, safe = game.side(game.to_move(s)), 0, 0, False
        moves = self.more_room
        for i in range(self.list_moves(game, s, moves)):
            next_state = game.result(s, moves[i])
            following = game.class_of(next_state)
            code = 0
            if following >= 0:
                code = self.numbered(game, next_state, following, limit)
            elif game.is_terminal(next_state):
                code = self.ended(game, next_state)
            else:
                self.job[FAULT] = UNNUMBERED
            if game.side(game.to_move(next_state)) == side:
                code = -code
            best, worst, safe = with_move(code, best, worst, safe)
        return code_of(best, worst, safe)

    def examine(self, game: Any, s: Any, limit: int) -> int:
        """The code that follows for a state from the codes of the states that its moves lead to.

        The quickest win if there is one; a draw if there is one, or nothing is known; otherwise the longest loss.
        """
        side, best, worst, safe = game.side(game.to_move(s)), 0, 0, False
        moves = self.room
        for i in range(self.list_moves(game, s, moves)):
            after = game.result(s, moves[i])
            code = self.after(game, after, limit)
            if game.side(game.to_move(after)) == side:
                code = -code
            best, worst, safe = with_move(code, best, worst, safe)
        return code_of(best, worst, safe)


def with_move(code: int, best: int, worst: int, safe: bool) -> tuple[int, int, bool]:
    """The quickest win, the longest loss, and whether a move avoids losing, with one move more.

    code   that of the state after the move, as the opponent sees it
    """
    if code < 0:
        return (1 - code if best == 0 else min(best, 1 - code)), worst, safe
    if code == 0:
        return best, worst, True
    return best, max(worst, code + 1), safe


def code_of(best: int, worst: int, safe: bool) -> int:
    """The code of a state from its moves: the quickest win, or a draw, or the longest loss."""
    if best > 0:
        return best
    return 0 if safe else -worst


def is_in_use(game: Any, s: Any, c: int, i: int) -> bool:
    """Is this the state of an index, and not of a gap?"""
    if game.class_of(s) != c:
        return False
    return bool(game.index_of(s) == i and game.may_occur(s))


def begin(game: Any, s: Any, work: Work) -> int:
    """What is known without the class itself: ends of the game, and moves into other classes."""
    job, values, marks = work.job, work.values, work.marks
    c = int(job[CLASS])
    for i in range(job[FIRST], job[LAST]):
        if (i & 1023) == 0 and read_flag(work.stop, 0) != 0:
            return 0
        state = game.state_at(c, i)
        if not is_in_use(game, state, c, i):
            values[i] = INVALID
            marks[i] = KNOWN_BEFORE
        elif game.is_terminal(state):
            values[i] = work.ended(game, state)
            marks[i] = KNOWN_BEFORE
        else:
            job[INSIDE] = 0
            values[i] = work.examine(game, state, 0)
            marks[i] = KNOWN_BEFORE if job[INSIDE] == 0 else 0
    return 1


def mark(game: Any, s: Any, work: Work) -> int:
    """Mark the positions before those with the code LIMIT, which has just become final; FOUND counts these."""
    job, values, marks = work.job, work.values, work.marks
    c, limit, everything = int(job[CLASS]), int(job[LIMIT]), job[EVERYTHING] != 0
    found, largest = 0, 0
    for i in range(job[FIRST], job[LAST]):
        code = int(values[i])
        if code == INVALID:
            continue
        code = abs(code)
        largest = max(largest, code)
        if code != limit:
            continue
        found += 1
        if everything:
            continue
        if (found & 255) == 0 and read_flag(work.stop, 0) != 0:
            return 0
        state = game.state_at(c, i)
        for a in game.retractions(state):
            before = game.retract(state, a)
            if game.class_of(before) == c:
                j = game.index_of(before)
                if marks[j] == 0:
                    marks[j] = CANDIDATE
    job[FOUND] += found
    job[LARGEST] = max(job[LARGEST], largest)
    return 1


def update(game: Any, s: Any, work: Work) -> int:
    """Examine the marked positions, or all of them, with the codes up to LIMIT."""
    job, values, marks = work.job, work.values, work.marks
    c, limit, everything = int(job[CLASS]), int(job[LIMIT]), job[EVERYTHING] != 0
    examined = 0
    for i in range(job[FIRST], job[LAST]):
        if marks[i] != CANDIDATE and not (everything and marks[i] == 0):
            continue
        examined += 1
        if (examined & 255) == 0 and read_flag(work.stop, 0) != 0:
            return 0
        code = int(values[i])
        if code == 0 or abs(code) > limit:
            known = work.examine(game, game.state_at(c, i), limit)
            if known != 0:
                values[i] = known
        marks[i] = 0
    job[FOUND] += examined
    return 1


def verify(game: Any, s: Any, work: Work) -> int:
    """Compare every code with what follows from the moves; FAULT is the first index that differs, plus FIRST_FAULT.

    This proves a table. A win in n plies has a move to a loss in n - 1, a loss only moves to wins, the longest in
    n - 1: by induction on n, both are true. In a draw no move wins, and one leads to a draw, so it can be kept forever.
    """
    job, values = work.job, work.values
    c = int(job[CLASS])
    for i in range(job[FIRST], job[LAST]):
        if (i & 1023) == 0 and read_flag(work.stop, 0) != 0:
            return 0
        state = game.state_at(c, i)
        if not is_in_use(game, state, c, i):
            continue
        known = work.ended(game, state) if game.is_terminal(state) else work.examine(game, state, MOST)
        if values[i] != known:
            job[FAULT] = i + FIRST_FAULT
            return 1
    return 1


BEGIN, MARK, UPDATE, VERIFY = Routine(begin), Routine(mark), Routine(update), Routine(verify)
