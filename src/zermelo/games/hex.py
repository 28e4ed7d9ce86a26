"""Hex (Piet Hein 1942, John Nash 1948): Red connects top and bottom, Blue left and right; exactly one of them can.

A board is a tuple of 64-bit words with one bit per cell, row by row from the top left: one word up to 8 × 8, six words
for 19 × 19. Besides the stones, a state keeps the set of those that are linked to the player's first edge (the top for
Red, the left for Blue). A new stone that touches neither this edge nor a linked stone cannot win. Otherwise a flood
fill from it finds the stones that it links. The player wins if one of them is on the last edge. In a whole game, each
stone is filled at most once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import GenericAlias
from typing import Any, NamedTuple

import numpy as np

from zermelo.game.board import Board, Piece, letter
from zermelo.game.errors import GameError
from zermelo.game.hashing import SEED, mix
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u8, u16, u64
from zermelo.games.parameters import whole_number
from zermelo.kernel.bits import bits, count_bits, lowest_bit, nth_bit, replaced

RED, BLUE = 0, 1
STONES = (Piece("red", colour="red"), Piece("blue", colour="blue"))


class HexState(NamedTuple):
    """A position. The number of words depends on the size of the board, so each number has a class of its own below.

    red, blue                  the stones of each player
    red_linked, blue_linked    those that are linked to the player's first edge
    turn                       the number of turns taken; it says which player is to move
    won                        1 if the player who moved last has won
    """

    red: tuple[u64, ...]
    blue: tuple[u64, ...]
    red_linked: tuple[u64, ...]
    blue_linked: tuple[u64, ...]
    turn: u16
    won: u8


def _state_class(words: int) -> Any:
    """HexState with this number of words."""
    board = GenericAlias(tuple, (u64,) * words)
    fields = zip(HexState._fields, (board, board, board, board, u16, u8), strict=True)
    return NamedTuple(f"HexState{words}", list(fields))


HexState1, HexState2, HexState3, HexState4, HexState5, HexState6 = STATES = tuple(map(_state_class, range(1, 7)))


class Hex(Game):
    """A move is a cell, numbered size · row + column from the top left, or size · size to swap.

    If `swap` is True, the second player can swap on its first turn instead of placing a stone: the first stone is
    replaced by a blue one on the cell reflected in the diagonal from a1, so the players exchange positions but keep
    their colours.
    """

    utility_range = (-1.0, 1.0)
    may_be_drawn = False
    ends_without_moves = True
    all_moves_as_first = True

    def __init__(self, size: int = 11, swap: bool = True):
        self.size = whole_number("size", size, 2, 19)
        if not isinstance(swap, bool):
            raise GameError(f"swap must be True or False, not {swap!r}")
        self.swap = swap
        self.cells = self.max_actions = size * size
        self.words = (self.cells + 63) // 64
        cells = [(row, column) for row in range(size) for column in range(size)]
        self.board = self._words(cells)
        self.not_left = self._words(cell for cell in cells if cell[1] > 0)
        self.not_right = self._words(cell for cell in cells if cell[1] < size - 1)
        self.first_edge = np.array([self._words(cell for cell in cells if cell[axis] == 0) for axis in (0, 1)])
        self.last_edge = np.array([self._words(cell for cell in cells if cell[axis] == size - 1) for axis in (0, 1)])
        self.near = np.array([self._words(_neighbours(cell, size)) for cell in cells])

    def initial(self) -> HexState:
        none = (0,) * self.words
        first: HexState = STATES[self.words - 1](none, none, none, none, 0, 0)
        return first

    def to_move(self, s: HexState) -> int:
        return s.turn & 1

    def actions(self, s: HexState) -> Iterator[int]:
        if s.won == 0:
            for i in range(self.words):
                for cell in bits(self.empty(s, i)):
                    yield 64 * i + cell
            if self.may_swap(s):
                yield self.cells

    def result(self, s: HexState, a: int) -> HexState:
        if a == self.cells:
            return self.swapped(s)
        if s.turn & 1 == RED:
            stones = with_cell(s.red, a)
            linked = self.linked_by(a, RED, stones, s.red_linked)
            return s._replace(red=stones, red_linked=linked, turn=s.turn + 1, won=self.wins(linked, RED))
        stones = with_cell(s.blue, a)
        linked = self.linked_by(a, BLUE, stones, s.blue_linked)
        return s._replace(blue=stones, blue_linked=linked, turn=s.turn + 1, won=self.wins(linked, BLUE))

    def is_terminal(self, s: HexState) -> bool:
        return s.won != 0

    def utility(self, s: HexState, p: int) -> float:
        return -1.0 if s.turn & 1 == p else 1.0  # only the player who moved last can have won

    # The swap.

    def may_swap(self, s: HexState) -> bool:
        """Is the swap legal?"""
        return self.swap and s.turn == 1

    def swapped(self, s: HexState) -> HexState:
        """The state after the swap."""
        cell = 0
        for i in range(self.words):
            if s.red[i] != 0:
                cell = 64 * i + lowest_bit(s.red[i])
        cell = cell % self.size * self.size + cell // self.size
        blue = with_cell(s.blue, cell)
        linked = blue if cell % self.size == 0 else s.blue
        return s._replace(red=s.blue, blue=blue, red_linked=s.blue, blue_linked=linked, turn=2)

    # The board.

    def empty(self, s: HexState, i: int) -> int:
        """The empty cells in a word of the board."""
        return u64(self.board[i]) & ~(s.red[i] | s.blue[i])

    def linked_by(self, a: int, p: int, stones: tuple[int, ...], linked: tuple[int, ...]) -> tuple[int, ...]:
        """The player's linked stones after its stone on cell a, which is one of `stones`."""
        touching = u64(self.first_edge[p, a >> 6]) & u64(1 << (a & 63))
        for i in range(self.words):
            touching |= u64(self.near[a, i]) & linked[i]
        if touching == 0:
            return linked
        linked = with_cell(linked, a)
        grows = True
        while grows:
            grows = False
            for i in range(self.words):
                more = self.around(linked, i) & stones[i] & ~linked[i]
                if more != 0:
                    linked = replaced(linked, i, linked[i] | more)
                    grows = True
        return linked

    def around(self, cells: tuple[int, ...], i: int) -> int:
        """The neighbours of these cells in a word of the board, and some bits beyond the board."""
        n = self.size
        word, west, east = cells[i], cells[i] & u64(self.not_left[i]), cells[i] & u64(self.not_right[i])
        found = word << n | word >> n | east << 1 | west >> 1 | west << n - 1 | east >> n - 1
        if i > 0:
            word = cells[i - 1]
            east, west = word & u64(self.not_right[i - 1]), word & u64(self.not_left[i - 1])
            found |= word >> 64 - n | east >> 63 | west >> 65 - n
        if i < self.words - 1:
            word = cells[i + 1]
            east, west = word & u64(self.not_right[i + 1]), word & u64(self.not_left[i + 1])
            found |= word << 64 - n | west << 63 | east << 65 - n
        return found

    def wins(self, linked: tuple[int, ...], p: int) -> bool:
        """Does a linked stone touch the player's last edge?"""
        arrived = u64(0)
        for i in range(self.words):
            arrived |= linked[i] & u64(self.last_edge[p, i])
        return arrived != 0

    def _words(self, cells: Iterable[tuple[int, int]]) -> Any:
        """A set of cells (row, column) as the words of a board."""
        board = sum(1 << row * self.size + column for row, column in cells)
        return np.array([board >> 64 * i & 2**64 - 1 for i in range(self.words)], np.uint64)

    # For searches.

    def count_actions(self, s: HexState) -> int:
        if s.won != 0:
            return 0
        count = 1 if self.may_swap(s) else 0
        for i in range(self.words):
            count += count_bits(self.empty(s, i))
        return count

    def list_actions(self, s: HexState, room: Any) -> int:
        count = self.count_actions(s)
        if count > len(room):
            for place, a in enumerate(self.actions(s)):
                if place < len(room):
                    room[place] = a
            return count
        place = 0
        for i in range(self.words if count > 0 else 0):
            left = self.empty(s, i)
            while left != 0:  # without a check of the room for each move, which takes a quarter of a rollout's time
                room[place] = 64 * i + lowest_bit(left)
                left &= left - 1
                place += 1
        if self.may_swap(s):
            room[place] = self.cells
        return count

    def nth_action(self, s: HexState, n: int) -> int:
        for i in range(self.words):
            empty = self.empty(s, i)
            count = count_bits(empty)
            if n < count:
                return 64 * i + nth_bit(empty, n)
            n -= count
        return self.cells

    def key(self, s: HexState) -> int:
        """The other fields follow from these."""
        key = mix(u64(SEED), s.turn)
        for i in range(self.words):
            key = mix(mix(key, s.red[i]), s.blue[i])
        return key

    def plies_left(self, s: HexState) -> int:
        return self.cells + self.swap - s.turn

    # For people.

    def action_name(self, s: HexState, a: int) -> str:
        return "swap" if a == self.cells else self._cell_name(a)

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else ("Red", "Blue")[p]

    def picture(self, s: HexState) -> Board:
        columns = tuple(letter(column) for column in range(self.size))
        rows = tuple(str(row + 1) for row in range(self.size))
        squares = tuple(tuple(column + row for column in columns) for row in rows)
        boards = zip((s.red, s.blue), STONES, strict=True)
        pieces = {self._cell_name(a): stone for cells, stone in boards for a in range(self.cells) if has_cell(cells, a)}
        highlights = {self._cell_name(a): "winning" for p in (0, 1) for a in self._winning_chain(s, p)}
        edges = ("red", "blue", "red", "blue")
        return Board(squares, pieces, "hexagons", columns, rows, edges=edges, highlights=highlights)

    def _winning_chain(self, s: HexState, p: int) -> list[int]:
        """A shortest chain of the player's stones from edge to edge; empty if there is none."""
        size, stones = self.size, (s.red, s.blue)[p]
        edge = range(size) if p == 0 else range(0, self.cells, size)
        chains = [[a] for a in edge if has_cell(stones, a)]
        seen = {chain[0] for chain in chains}
        for chain in chains:  # it grows: a search in breadth
            row, column = divmod(chain[-1], size)
            if (row, column)[p] == size - 1:
                return chain
            for down, right in _neighbours((row, column), size):
                a = down * size + right
                if a not in seen and has_cell(stones, a):
                    seen.add(a)
                    chains.append([*chain, a])
        return []

    def paths(self, s: HexState, a: int) -> Iterable[tuple[str, ...]]:
        return () if a == self.cells else ((self._cell_name(a),),)

    def text(self, s: HexState) -> str:
        margin = len(str(self.size))
        lines = [" " * margin + "".join(f" {letter(column)}" for column in range(self.size))]
        for row in range(self.size):
            cells = range(row * self.size, (row + 1) * self.size)
            signs = ("R" if has_cell(s.red, cell) else "B" if has_cell(s.blue, cell) else "." for cell in cells)
            lines.append(f"{' ' * row}{row + 1:>{margin}} {' '.join(signs)}")
        return "\n".join(lines)

    def _cell_name(self, cell: int) -> str:
        return f"{letter(cell % self.size)}{cell // self.size + 1}"


def has_cell(cells: tuple[int, ...], a: int) -> bool:
    """Is this one of the cells?"""
    return bool(cells[a >> 6] >> (a & 63) & 1)


def with_cell(cells: tuple[int, ...], a: int) -> tuple[int, ...]:
    """These cells and another one."""
    return replaced(cells, a >> 6, cells[a >> 6] | u64(1 << (a & 63)))


def _neighbours(cell: tuple[int, int], size: int) -> Iterator[tuple[int, int]]:
    """The up to six neighbours of a cell: in its row, and two each in the rows above and below."""
    row, column = cell
    for down, right in ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0)):
        if 0 <= row + down < size and 0 <= column + right < size:
            yield row + down, column + right
