"""Small games that try the engine where it is weak: each as short as its purpose allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo import Game, Random, replaced, u8, u64
from zermelo.games.connect_four import ConnectFour, ConnectFourState
from zermelo.kernel.calls import read_flag


def random_position(game: Game, random: Random, most: int, least: int = 0) -> tuple[Any, list[Any]]:
    """A state of random play that is not over, and the states before it."""
    while True:
        s, past = game.initial(), []
        for _ in range(least + random.below(most - least + 1)):
            legal = game.remembering([*past, s]).legal(s)
            after = game.result(s, legal[random.below(len(legal))])
            if game.remembering([*past, s, after]).is_terminal(after):
                break
            past.append(s)
            s = after
        if len(past) >= least:
            return s, past


def require_legal(game: Game, s: Any, past: list[Any], line: tuple[Any, ...]) -> None:
    """A line may end before the game does, and not after it; every move of it is legal."""
    past = list(past)
    for a in line:
        assert a in game.remembering([*past, s]).legal(s), (game, s, line)
        past.append(s)
        s = game.result(s, a)


KNOWN: dict[Any, tuple[float, int]] = {}


def win_distance(game: Game, s: Any, player: int) -> tuple[float, int]:
    """As the oracle of that name, for games small enough to keep every position in mind."""
    place = game.name, s, player
    if place not in KNOWN:
        if game.is_terminal(s):
            KNOWN[place] = game.utility(s, player), 0
        else:
            low, high = game.utility_bounds(player)
            below = [win_distance(game, game.result(s, a), player) for a in game.actions(s)]
            found = [(v, n + 1 if v in (low, high) else 0) for v, n in below]
            sign = 1 if game.side(game.to_move(s)) == game.side(player) else -1
            best = high if sign > 0 else low
            KNOWN[place] = max(found, key=lambda f: (sign * f[0], -f[1] if f[0] == best else f[1]))
    return KNOWN[place]


class Halves(Game):
    """Plain Python only: a number is halved, or made less by one or two; whoever is left with 0 has lost."""

    utility_range = (-1.0, 1.0)
    max_actions = 3

    def __init__(self, start: int = 40):
        self.start = start

    def initial(self) -> tuple[str, int]:
        return "first", self.start

    def to_move(self, s: tuple[str, int]) -> int:
        return 0 if s[0] == "first" else 1

    def actions(self, s: tuple[str, int]) -> Iterator[str]:
        yield "one"
        if s[1] >= 2:
            yield "two"
            yield "half"

    def result(self, s: tuple[str, int], a: str) -> tuple[str, int]:
        left = s[1] // 2 if a == "half" else s[1] - (1 if a == "one" else 2)
        return ("second" if s[0] == "first" else "first"), left

    def is_terminal(self, s: tuple[str, int]) -> bool:
        return s[1] == 0

    def utility(self, s: tuple[str, int], p: int) -> float:
        return -1.0 if self.to_move(s) == p else 1.0


class RingState(NamedTuple):
    at: u8
    mover: u8


class Ring(Game):
    """A walk round a ring of places; who must step on a place for the third time has lost: the rules need history."""

    utility_range = (-1.0, 1.0)
    max_actions = 2
    uses_history = True

    def __init__(self, places: int = 5):
        self.places = places

    def initial(self) -> RingState:
        return RingState(0, 0)

    def to_move(self, s: RingState) -> int:
        return s.mover

    def actions(self, s: RingState) -> Iterator[int]:
        for step in (1, 2):
            yield step

    def result(self, s: RingState, a: int) -> RingState:
        return RingState((s.at + a) % self.places, 1 - s.mover)

    def is_terminal(self, s: RingState) -> bool:
        return self.occurrences(self.key(s)) >= 3

    def utility(self, s: RingState, p: int) -> float:
        return 1.0 if s.mover == p else -1.0

    def key(self, s: RingState) -> int:
        return s.at


class Colliding(ConnectFour):
    """Connect Four, all of whose positions have one key: a table can only mislead."""

    def canonical_key(self, s: ConnectFourState) -> int:
        return u64(42)


class Halfpoints(ConnectFour):
    """Connect Four for 1, ½ and 0 points."""

    utility_range = (0.0, 1.0)

    def utility(self, s: ConnectFourState, p: int) -> float:
        if not self.has_line(s.own ^ s.mask):
            return 0.5
        return 0.0 if self.to_move(s) == p else 1.0

    def bounds(self, s: ConnectFourState) -> tuple[float, float]:
        return (
            0.0 if self.has_line(self.full ^ s.own) else 0.5,
            1.0 if self.has_line(self.full ^ s.own ^ s.mask) else 0.5,
        )


class WalkState(NamedTuple):
    ply: u8
    code: u8


FAULTS = ("mover", "moves", "value", "crowd")
MOVER, MOVES, VALUE, CROWD = range(4)


class Faulty(Game):
    """After two moves, if both were 0, the rules go wrong in the way that `fault` says."""

    utility_range = (-1.0, 1.0)
    max_actions = 2

    def __init__(self, fault: str):
        self.fault = np.array([FAULTS.index(fault)])  # in a table, so that all are one program

    def initial(self) -> WalkState:
        return WalkState(0, 0)

    def is_wrong(self, s: WalkState, fault: int) -> bool:
        return bool(s.ply == 2 and s.code == 0 and self.fault[0] == fault)

    def to_move(self, s: WalkState) -> int:
        return 7 if self.is_wrong(s, MOVER) else s.ply & 1

    def actions(self, s: WalkState) -> Iterator[int]:
        if self.is_wrong(s, MOVES):
            return
        for a in range(9 if self.is_wrong(s, CROWD) else 2):
            yield a

    def result(self, s: WalkState, a: int) -> WalkState:
        return WalkState(s.ply + 1, 2 * s.code + a if s.ply < 6 else s.code)

    def is_terminal(self, s: WalkState) -> bool:
        return s.ply == 10

    def utility(self, s: WalkState, p: int) -> float:
        return 0.0

    def evaluate(self, s: WalkState, p: int) -> float:
        if self.is_wrong(s, VALUE):
            return float("nan")
        return 0.25 if p == 0 else -0.25


class Corridor(Game):
    """One move at a time, for ever: every move is forced. Where it is barred, evaluating it does not come back."""

    utility_range = (-1.0, 1.0)
    max_actions = 1

    def __init__(self, barred: bool = False):
        self.barred = np.array([barred], np.int64)

    def initial(self) -> WalkState:
        return WalkState(0, 0)

    def to_move(self, s: WalkState) -> int:
        return s.ply & 1

    def actions(self, s: WalkState) -> Iterator[int]:
        yield 0

    def result(self, s: WalkState, a: int) -> WalkState:
        return WalkState(s.ply + 1, 0)

    def is_terminal(self, s: WalkState) -> bool:
        return False

    def utility(self, s: WalkState, p: int) -> float:
        return 0.0

    def evaluate(self, s: WalkState, p: int) -> float:
        while s.ply >= 5 and read_flag(self.barred, 0) != 0:
            pass
        return 0.0


class StandoffState(NamedTuple):
    spare: tuple[u8, u8]
    mover: u8
    end: u8  # 0: not yet; 1: agreed drawn; 2: the player to move would be the one who did not yield


class Standoff(Game):
    """Zugzwang: nobody wants to move. Player 0 may agree to a draw first; later, who has no spare move left yields."""

    utility_range = (-1.0, 1.0)
    max_actions = 2
    forward_pruning = ("null_move",)

    def initial(self) -> StandoffState:
        return StandoffState((3, 2), 0, 0)

    def to_move(self, s: StandoffState) -> int:
        return s.mover

    def actions(self, s: StandoffState) -> Iterator[int]:
        if s.spare[0] == 3:
            yield 0
        yield 1

    def result(self, s: StandoffState, a: int) -> StandoffState:
        if a == 0:
            return StandoffState(s.spare, 1 - s.mover, 1)
        if s.spare[s.mover] == 0:
            return StandoffState(s.spare, 1 - s.mover, 2)
        return StandoffState(replaced(s.spare, s.mover, s.spare[s.mover] - 1), 1 - s.mover, 0)

    def is_terminal(self, s: StandoffState) -> bool:
        return s.end != 0

    def utility(self, s: StandoffState, p: int) -> float:
        if s.end == 1:
            return 0.0
        return 0.5 if s.mover == p else -0.5

    def after_pass(self, s: StandoffState) -> StandoffState:
        return StandoffState(s.spare, 1 - s.mover, s.end)

    def action_name(self, s: StandoffState, a: int) -> str:
        if a == 0:
            return "draw"
        return "wait" if s.spare[s.mover] > 0 else "yield"
