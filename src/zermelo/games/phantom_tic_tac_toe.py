"""Phantom tic-tac-toe: neither player sees the other's stones. There is no chance, but hidden information.

It is the Kriegspiel of tic-tac-toe: a player who tries a cell of the opponent learns that, and tries another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from zermelo.game.board import Board
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u8, u16, u64
from zermelo.games.rows import in_a_row
from zermelo.games.tic_tac_toe import CROSS, NOUGHT
from zermelo.kernel.bits import bits, count_bits, replaced

CELLS = 9
FULL = 0b111_111_111
LINES = (0b111, 0b111_000, 0b111_000_000, 0b1_001_001, 0b10_010_010, 0b100_100_100, 0b100_010_001, 0b1_010_100)
DRAWN = 2
"""The result of a drawn game; otherwise the result is the winner."""
UNKNOWN = 31
"""Tries that one does not see: a try of no cell."""


class PhantomTicTacToeState(NamedTuple):
    """For X and for O: the stones, and the tries in order. Each player knows only its own.

    A try is five bits: 1 + the cell, plus 16 if it met a stone of the opponent. The latest is lowest.
    """

    stones: tuple[u16, u16]
    tries: tuple[u64, u64]
    mover: u8


class PhantomTicTacToe(Game):
    """Tic-tac-toe with hidden stones of the opponent. A move is a cell, from 0; move names count from 1.

    A player can try any cell that it has not tried before. If it is the opponent's, the player learns that and is still
    to move; the opponent learns nothing. Both know whose turn it is and how the game ended.
    """

    hidden = True
    utility_range = (-1.0, 1.0)
    max_actions = CELLS

    def initial(self) -> PhantomTicTacToeState:
        return PhantomTicTacToeState((0, 0), (0, 0), 0)

    def to_move(self, s: PhantomTicTacToeState) -> int:
        return s.mover

    def actions(self, s: PhantomTicTacToeState) -> Iterator[int]:
        if self.is_terminal(s):
            return
        tried = cells_tried(s.tries[s.mover])
        for cell in range(CELLS):
            if tried >> cell & 1 == 0:
                yield cell

    def result(self, s: PhantomTicTacToeState, a: int) -> PhantomTicTacToeState:
        own, other = s.stones[s.mover], s.stones[1 - s.mover]
        refused = other >> a & 1
        tries = replaced(s.tries, s.mover, s.tries[s.mover] << 5 | refused << 4 | (a + 1))
        if refused:
            return PhantomTicTacToeState(s.stones, tries, s.mover)
        return PhantomTicTacToeState(replaced(s.stones, s.mover, own | 1 << a), tries, 1 - s.mover)

    def is_terminal(self, s: PhantomTicTacToeState) -> bool:
        return has_line(s.stones[0]) or has_line(s.stones[1]) or s.stones[0] | s.stones[1] == FULL

    def utility(self, s: PhantomTicTacToeState, p: int) -> float:
        if has_line(s.stones[p]):
            return 1.0
        return -1.0 if has_line(s.stones[1 - p]) else 0.0

    def information(self, s: PhantomTicTacToeState, p: int) -> tuple[int, int, int]:
        """The player's own tries with their results, the player to move, and the result (-1 during the game)."""
        ending = -1
        if has_line(s.stones[0]):
            ending = 0
        elif has_line(s.stones[1]):
            ending = 1
        elif self.is_terminal(s):
            ending = DRAWN
        return s.tries[p], s.mover, ending

    def resample(self, s: PhantomTicTacToeState, p: int, random: Any) -> PhantomTicTacToeState:
        """A state that p cannot tell from s, with its exact probability if the opponent plays uniformly at random.

        By rejection: games are played with p's own tries and random tries of the opponent, until one agrees with what p
        knows. While the opponent is to move, one game can pass through several such states, by refused tries. Which of
        them to return is drawn beforehand, so that each has its own probability.
        """
        wanted = self.information(s, p)
        tries = s.tries[p]
        waiting = s.mover != p and not self.is_terminal(s)
        while True:
            passing = random.below(count_bits(s.stones[p]) + 1) if waiting else 0
            left = count_tries(tries)
            t = PhantomTicTacToeState((0, 0), (0, 0), 0)
            while True:
                if self.information(t, p) == wanted:
                    if passing == 0:
                        return t
                    passing -= 1
                if self.is_terminal(t) or (t.mover == p and left == 0):
                    break
                if t.mover == p:
                    left -= 1
                    t = self.result(t, (tries >> 5 * left & 15) - 1)
                    if t.tries[p] != tries >> 5 * left:
                        break  # the try has not ended as p saw it end
                else:
                    t = self.result(t, random_cell(cells_tried(t.tries[1 - p]), random))

    # For people.

    @property
    def title(self) -> str:
        return self._titled("Phantom tic-tac-toe")

    def action_name(self, s: PhantomTicTacToeState, a: int) -> str:
        return str(a + 1)

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else "XO"[p]

    def seen_by(self, s: PhantomTicTacToeState, p: int) -> PhantomTicTacToeState:
        """The player's own stones and tries, and those stones of the opponent's that it has met."""
        met = sum(1 << tried % 16 - 1 for tried in _listed(s.tries[p]) if tried > 16)
        stones = (s.stones[0], met) if p == 0 else (met, s.stones[1])
        return PhantomTicTacToeState(stones, replaced(s.tries, 1 - p, UNKNOWN), s.mover)

    def picture(self, s: PhantomTicTacToeState) -> Board:
        """The whole board, as only an umpire sees it."""
        names = [str(i + 1) for i in range(CELLS)]
        pieces = {names[i]: (CROSS, NOUGHT)[p] for p in (0, 1) for i in range(CELLS) if s.stones[p] >> i & 1}
        rows = tuple(tuple(names[i : i + 3]) for i in range(0, CELLS, 3))
        won = [cell for stones in s.stones for cell in in_a_row([divmod(i, 3) for i in bits(stones)], 3)]
        highlights = {rows[row][column]: "winning" for row, column in won}
        return Board(rows, pieces, lines=self._tries_text(s), highlights=highlights)

    def paths(self, s: PhantomTicTacToeState, a: int) -> Iterable[tuple[str, ...]]:
        return ((str(a + 1),),)

    def text(self, s: PhantomTicTacToeState) -> str:
        """The whole board, as only an umpire sees it, with each player's tries; `5!` means that the cell was taken."""
        x, o = s.stones
        cells = ["X" if x >> i & 1 else "O" if o >> i & 1 else str(i + 1) for i in range(CELLS)]
        rows = [" " + " | ".join(cells[i : i + 3]) for i in range(0, CELLS, 3)]
        return "\n".join(["\n---+---+---\n".join(rows), *self._tries_text(s)])

    def _tries_text(self, s: PhantomTicTacToeState) -> tuple[str, ...]:
        texts = [
            " ".join(f"{tried % 16}{'!' * (tried > 16)}" for tried in reversed(list(_listed(tries))))
            for tries in s.tries
        ]
        known = [p for p in (0, 1) if s.tries[p] != UNKNOWN]
        return tuple(f"{self.player_name(p)} tried {texts[p] or 'nothing'}" for p in known)


def has_line(stones: int) -> bool:
    """Are three of these stones in a row?"""
    for line in LINES:  # noqa: SIM110 - `any` over a generator does not compile
        if stones & line == line:
            return True
    return False


def count_tries(tries: int) -> int:
    """The number of tries."""
    count = 0
    while tries != 0:
        tries >>= 5
        count += 1
    return count


def cells_tried(tries: int) -> int:
    """The set of cells tried."""
    cells = 0
    while tries != 0:
        cells |= 1 << (tries & 15) - 1
        tries >>= 5
    return cells


def random_cell(tried: int, random: Any) -> int:
    """One of the cells not yet tried, each equally likely."""
    left = random.below(CELLS - count_bits(tried))
    for cell in range(CELLS):
        if tried >> cell & 1 == 0:
            if left == 0:
                return cell
            left -= 1
    return -1


def _listed(tries: int) -> Iterator[int]:
    while tries:
        yield tries & 31
        tries >>= 5
