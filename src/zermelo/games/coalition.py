"""Coalition: three players, two weak and one strong, and an implicit alliance.

A minimal game for the textbook's point about alliances: both weak players attack the strong one because each is better
off this way, and as soon as the strong one has weakened, one of them turns on the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from zermelo.game.board import Board
from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import u8
from zermelo.games.parameters import whole_number
from zermelo.kernel.bits import replaced


class CoalitionState(NamedTuple):
    """The armies of A, B and C, the player to move, and the remaining turns."""

    armies: tuple[u8, u8, u8]
    mover: u8
    turns: u8


class Coalition(Game):
    """Players take turns destroying one army of another player; a player without armies is out.

    When all turns are played, or only one player is left, the largest army wins, and equals share. A move is the
    attacked player. With armies of 2, 2 and 4 and five turns, every line of rational play starts with A and then B
    attacking C, and continues with C striking back and A or B attacking the other.
    """

    players = 3
    utility_range = (0.0, 1.0)
    max_actions = 2

    def __init__(self, armies: Iterable[int] = (2, 2, 4), turns: int = 5):
        self.armies = tuple(armies)
        if len(self.armies) != 3:
            raise GameError(f"there are three players; {self.armies} are {len(self.armies)} armies")
        for p, army in enumerate(self.armies):
            whole_number(f"the army of {self.player_name(p)}", army, 1, 255)
        self.turns = whole_number("turns", turns, 1, 255)

    def initial(self) -> CoalitionState:
        a, b, c = self.armies
        return CoalitionState((a, b, c), 0, self.turns)

    def to_move(self, s: CoalitionState) -> int:
        return s.mover

    def actions(self, s: CoalitionState) -> Iterator[int]:
        if self.is_terminal(s):
            return
        for p in range(3):
            if p != s.mover and s.armies[p] > 0:
                yield p

    def result(self, s: CoalitionState, a: int) -> CoalitionState:
        armies = replaced(s.armies, a, s.armies[a] - 1)
        mover = (s.mover + 1) % 3
        if armies[mover] == 0:
            mover = (mover + 1) % 3
        return CoalitionState(armies, mover, s.turns - 1)

    def is_terminal(self, s: CoalitionState) -> bool:
        return s.turns == 0 or max(s.armies) == sum(s.armies)

    def utility(self, s: CoalitionState, p: int) -> float:
        largest = max(s.armies)
        winners = 0
        for army in s.armies:
            winners += army == largest
        return 1.0 / winners if s.armies[p] == largest else 0.0

    def evaluate(self, s: CoalitionState, p: int) -> float:
        """The player's part of all armies."""
        return s.armies[p] / sum(s.armies)

    # For people.

    def action_name(self, s: CoalitionState, a: int) -> str:
        return f"attack {self.player_name(a)}"

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else "ABC"[p]

    def picture(self, s: CoalitionState) -> Board:
        armies = tuple((self.player_name(p), army) for p, army in enumerate(s.armies))
        return Board(heaps=armies, lines=(f"{s.turns} turn{'s' * (s.turns != 1)} left",))

    def paths(self, s: CoalitionState, a: int) -> Iterable[tuple[str, ...]]:
        """Any piece of the attacked army."""
        return tuple((f"{self.player_name(a)}{man + 1}",) for man in range(s.armies[a]))

    def text(self, s: CoalitionState) -> str:
        rows = [f"{'>' if p == s.mover else ' '} {self.player_name(p)} {'#' * army}" for p, army in enumerate(s.armies)]
        return "\n".join([*rows, f"{s.turns} turn{'s' * (s.turns != 1)} left"])
