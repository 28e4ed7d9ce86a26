"""Go: stones are placed on points, stones without liberties are captured, and the larger area wins."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Iterator
from typing import Any, Self

import numpy as np

from zermelo.game.board import Board
from zermelo.game.errors import GameError, IllegalAction, StateError
from zermelo.game.protocol import CHANCE, State
from zermelo.game.state import u64
from zermelo.game.unit import Unit
from zermelo.games.go import names
from zermelo.games.go.handicap import handicap_points
from zermelo.games.go.priors import Priors
from zermelo.games.go.rule_sets import RULE_SETS
from zermelo.games.go.state import STATES, GoState, words_for
from zermelo.games.parameters import whole_number
from zermelo.kernel.bits import lowest_bit
from zermelo.kernel.words import (
    Words,
    contains,
    count_items,
    difference,
    flooded,
    have_common,
    intersection,
    is_empty,
    lowest_item,
    neighbours,
    union,
    word_of,
    words_at,
)

BLACK, WHITE = 0, 1
SHORTEST_LIMIT = 64
"""The longest game on 2 × 2 points under positional superko fits into this."""
WHITE_TO_MOVE = 0x9E3779B97F4A7C15
"""Part of the key of a situation, if superko looks at the player to move."""


class Go(Priors):
    """A move is a point, (size + 1) · row + column from A1, or a pass, (size + 1) · size.

    Two passes in a row end the game, and so does the move limit; then the areas are counted.
    """

    ends_without_moves = True

    def __init__(
        self,
        size: int = 9,
        komi: float = 7.5,
        rules: str = "tromp_taylor",
        handicap: int = 0,
        limit: int | None = None,
        margin: bool = False,
    ):
        """
        size      points on each side
        komi      points for White; a whole or a half number
        rules     one of `RULE_SETS`
        handicap  black stones on the star points before White moves first
        limit     the number of moves after which the game ends; by default 2 · size² and at least 64
        margin    is the utility the difference of the points, rather than 1 for a win?
        """
        super().__init__(whole_number("size", size, 2, 19))
        if isinstance(komi, bool) or not isinstance(komi, int | float) or not math.isfinite(komi) or komi * 2 % 1:
            raise GameError(f"komi must be a whole or a half number, not {komi!r}")
        if rules not in RULE_SETS:
            raise GameError(f"rules must be one of {', '.join(RULE_SETS)}, not {rules!r}")
        handicap_points(size, whole_number("handicap", handicap, 0, 9))
        self.rules, self.margin = rules, bool(margin)
        longest = max(2 * size * size, SHORTEST_LIMIT) if limit is None else whole_number("limit", limit, 1, 65_000)
        self.counts = np.array([longest, handicap])  # tables: games that differ only in these share their programs
        chosen = RULE_SETS[rules]
        self.suicide_allowed = chosen.suicide
        self.uses_history = chosen.superko != "none"
        self.history, self.history_length = np.zeros(0, np.uint64), np.zeros(1, np.int64)  # tables, to be compiled
        self.history_index = self.history_slots = np.zeros(0, np.int64)
        self.situational = chosen.superko == "situational"
        self.compensations = np.array([komi, komi + chosen.bonus * max(handicap - chosen.free_stones, 0)], np.float64)
        self.max_actions = size * size + 1
        most = size * size + abs(self.compensation)
        self.utility_range = (-most, most) if self.margin else (-1.0, 1.0)
        self.decisive = not self.margin

    @property
    def komi(self) -> float:
        return float(self.compensations[0])

    @property
    def compensation(self) -> float:
        """All points for White: komi, and in some rules more for the handicap."""
        return float(self.compensations[1])

    @property
    def limit(self) -> int:
        return int(self.counts[0])

    @property
    def handicap(self) -> int:
        return int(self.counts[1])

    def _parameters(self) -> dict[str, Any]:
        own = {"size": self.size, "komi": self.komi, "rules": self.rules, "handicap": self.handicap}
        return {**own, "limit": self.limit, "margin": self.margin}

    # The rules.

    def initial(self) -> GoState:
        stones = [self.number(row, column) for row, column in handicap_points(self.size, self.handicap)]
        return self.position(stones, (), WHITE if stones else BLACK)

    def to_move(self, s: GoState) -> int:
        return s.mover

    def is_terminal(self, s: GoState) -> bool:
        return s.passes >= 2 or s.moves >= int(self.counts[0])

    def actions(self, s: GoState) -> Iterator[int]:
        if not self.is_terminal(s):
            left = self.empty_points(s.own, s.other)
            while not is_empty(left):
                p = lowest_item(left)
                left = difference(left, words_at(self.place, p, left))
                if self.may_place(s, p):
                    yield p
            yield self.points

    def list_actions(self, s: GoState, room: Any) -> int:
        """What `actions` yields, faster: floods for all points at once spare those for most single points."""
        if self.is_terminal(s):
            return 0
        empty = self.empty_points(s.own, s.other)
        free = intersection(empty, neighbours(empty, self.stride))
        if is_empty(difference(empty, free)):
            linked = s.own
        else:  # own stones with a free liberty: next to them, no stone is a suicide
            linked = flooded(intersection(neighbours(free, self.stride), s.own), s.own, self.stride)
        free = intersection(empty, union(free, neighbours(linked, self.stride)))
        asks = self.may_repeat(s)
        suspects = s.other
        if asks:
            in_danger = difference(s.other, self.uncapturable(s.other, empty))
            suspects = neighbours(in_danger, self.stride)
        count = 0
        for i in range(len(s.own)):
            left = word_of(empty, i)
            while left != 0:
                p = 64 * i + lowest_bit(left)
                left &= left - 1
                if p == s.ko:
                    continue
                if not contains(free, p) or (asks and contains(suspects, p)):
                    legal = self.may_place(s, p)
                else:
                    legal = not asks or self.is_new(u64(s.stones) ^ u64(self.stone_keys[s.mover, p]), 1 - s.mover)
                if legal:
                    if count < len(room):
                        room[count] = p
                    count += 1
        if count < len(room):
            room[count] = self.points
        return count + 1

    def result(self, s: GoState, a: int) -> GoState:
        if a == self.points:
            return s._replace(
                own=s.other,
                other=s.own,
                ko=self.points,
                passes=s.passes + 1,
                mover=1 - s.mover,
                moves=s.moves + 1,
                last=a,
            )
        captured = self.captured(s.own, s.other, a)
        suicides = difference(captured, captured)
        ko = self.points
        if not is_empty(captured):
            ko = self.forbidden_by_ko(s.own, s.other, a, captured)
        elif self.suicide_allowed:
            suicides = self.suicides(s.own, s.other, a)
        black_lost, white_lost = count_items(suicides), count_items(captured)
        if s.mover == WHITE:
            black_lost, white_lost = white_lost, black_lost
        return s._replace(
            own=difference(s.other, captured),
            other=difference(union(s.own, words_at(self.place, a, s.own)), suicides),
            stones=self.key_after(s, a, captured, suicides),
            ko=ko,
            passes=0,
            mover=1 - s.mover,
            moves=s.moves + 1,
            black_lost=s.black_lost + black_lost,
            white_lost=s.white_lost + white_lost,
            last=a,
        )

    def utility(self, s: GoState, p: int) -> float:
        lead = self.lead(s)
        if not self.margin:
            lead = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
        return lead if p == BLACK else -lead

    def lead(self, s: GoState) -> float:
        """By how many points Black leads, with komi, as the stones stand."""
        own, other = self.areas(s.own, s.other)
        lead = count_items(own) - count_items(other)
        return (lead if s.mover == BLACK else -lead) - float(self.compensations[1])

    # Legal moves.

    def may_place(self, s: GoState, p: int) -> bool:
        """May the player to move put a stone on this empty point?"""
        if p == s.ko:
            return False
        near = words_at(self.near, p, s.own)
        is_free = have_common(near, self.empty_points(s.own, s.other))
        asks = self.may_repeat(s)
        if is_free and not asks:
            return True
        captured = self.captured(s.own, s.other, p)
        suicides = difference(captured, captured)
        if not is_free and is_empty(captured):
            suicides = self.suicides(s.own, s.other, p)
            if not is_empty(suicides):
                if not self.suicide_allowed:
                    return False
                asks = self.uses_history
        return not asks or self.is_new(self.key_after(s, p, captured, suicides), 1 - s.mover)

    def is_new(self, stones: int, mover: int) -> bool:
        """Does superko allow the position with this key of its stones?"""
        return self.occurrences(self.situation(stones, mover)) == 0

    def may_repeat(self, s: GoState) -> bool:
        """Can superko forbid more than suicides? Only after stones were removed can an earlier position come again."""
        return self.uses_history and s.black_lost + s.white_lost > 0

    def key_after(self, s: GoState, p: int, captured: Words, suicides: Words) -> int:
        """The key of the stones after a stone on this point removes these."""
        key = u64(s.stones) ^ u64(self.stone_keys[s.mover, p])
        return key ^ self.key_of_stones(captured, 1 - s.mover) ^ self.key_of_stones(suicides, s.mover)

    def situation(self, stones: int, mover: int) -> int:
        """What superko forbids to recur: the stones, in some rules with the player to move."""
        return u64(stones) ^ u64(WHITE_TO_MOVE) if self.situational and mover == WHITE else u64(stones)

    def history_key(self, s: GoState) -> int:
        return self.situation(s.stones, s.mover)

    def key(self, s: GoState) -> int:
        """Of all that matters: the stones, the player to move, ko, passes, and the number of moves."""
        rest = u64(s.mover) | u64(s.passes) << 1 | u64(s.moves) << 8 | u64(s.ko) << 32
        z = u64(u64(s.stones) + u64(rest * 0x9E3779B97F4A7C15))
        z = u64((z ^ z >> 30) * 0xBF58476D1CE4E5B9)
        return z ^ z >> 31

    def plies_left(self, s: GoState) -> int:
        """At most as many as the move limit leaves."""
        return int(self.counts[0]) - s.moves

    def remembering(self, past: Iterable[GoState], room: int = 0) -> Self:
        """A copy with a history of its own, and with a board of its own for random games."""
        own = super().remembering(past, room)
        own = copy.copy(self) if own is self else own
        own.groups, own.chosen = self.groups.copied(), self.chosen.copy()
        return own

    # Positions.

    def number(self, row: int, column: int) -> int:
        """The number of a point, row and column counted from A1."""
        return self.stride * row + column

    def position(self, black: Iterable[int], white: Iterable[int], mover: int) -> GoState:
        """The position with these stones, from which a game can start."""
        blank = (0,) * words_for(self.size)
        stones = [blank, blank]
        for colour, points in enumerate((black, white)):
            for p in points:
                stones[colour] = union(stones[colour], words_at(self.place, p, blank))
        key = self.key_of_stones(stones[BLACK], BLACK) ^ self.key_of_stones(stones[WHITE], WHITE)
        own, other = stones[mover], stones[1 - mover]
        made: GoState = STATES[len(blank)](own, other, key, self.points, 0, mover, 0, 0, 0, self.points)
        return made

    def with_mover(self, s: GoState, mover: int) -> GoState:
        """The position with this player to move: records and other programs may let a player move twice in a row."""
        if s.mover == mover:
            return s
        return s._replace(own=s.other, other=s.own, mover=mover, ko=self.points, passes=0)

    def colours(self, s: GoState) -> tuple[Words, Words]:
        """The black stones and the white stones."""
        return (s.own, s.other) if s.mover == BLACK else (s.other, s.own)

    def checked(self, state: State) -> GoState:
        s: GoState = super().checked(state)
        board = words_at(self.board, 0, s.own)
        if have_common(s.own, s.other):
            both = names.point_name(self, lowest_item(intersection(s.own, s.other)))
            raise StateError(f"{s} is not a state of {self.title}: both players have a stone on {both}")
        if not is_empty(difference(union(s.own, s.other), board)):
            raise StateError(f"{s} is not a state of {self.title}: there are stones beyond the board")
        if s.mover > 1 or s.passes > 2 or max(s.ko, s.last) > self.points:
            raise StateError(f"{s} is not a state of {self.title}: its mover, passes, ko or last point is out of range")
        black, white = self.colours(s)
        if s.stones != self.key_of_stones(black, BLACK) ^ self.key_of_stones(white, WHITE):
            raise StateError(f"{s} is not a state of {self.title}: `stones` is not the key of its stones")
        return s

    # For people.

    def action_name(self, s: GoState, a: int) -> str:
        return names.PASS if a == self.points else names.point_name(self, a)

    def action_named(self, s: GoState, name: str) -> int:
        a = names.point_named(self, name)
        if self.is_terminal(s):
            raise IllegalAction(f"the game of {self.title} is over")
        reason = None if a == self.points else self.why_illegal(s, a)
        if reason is not None:
            raise IllegalAction(f"{self.action_name(s, a)} is not a legal move of {self.title}: {reason}")
        return a

    def why_illegal(self, s: GoState, p: int) -> str | None:
        """Why the player to move may not put a stone on this point; None if it may."""
        if contains(union(s.own, s.other), p):
            return "there is a stone on it"
        if self.may_place(s, p):
            return None
        if p == s.ko:
            return "ko"
        captured = self.captured(s.own, s.other, p)
        if is_empty(captured) and not self.suicide_allowed and not is_empty(self.suicides(s.own, s.other, p)):
            return "suicide"
        return "superko: it repeats an earlier position"

    def unit(self) -> Unit:
        return Unit("points", digits=1) if self.margin else Unit()

    @property
    def title(self) -> str:
        return "Go" if self.size == 9 else f"Go on {self.size} × {self.size}"

    def player_name(self, p: int) -> str:
        return "chance" if p == CHANCE else ("Black", "White")[p]

    def ending(self, s: GoState) -> str | None:
        return names.ending(self, s)

    def standing(self, s: GoState, p: int) -> str:
        if self.is_terminal(s):
            own = count_items(self.areas(*self.colours(s))[p]) + (self.compensation if p == WHITE else 0)
            return f"{own:g} point{'s' * (own != 1)}"
        captured = s.white_lost if p == BLACK else s.black_lost
        return f"{captured} captured" + (f", komi {self.compensation:g}" if p == WHITE and self.compensation else "")

    def text(self, s: GoState) -> str:
        return names.text(self, s)

    def to_text(self, s: GoState) -> str:
        return names.to_text(self, s)

    def from_text(self, text: str) -> GoState:
        return names.from_text(self, text)

    def picture(self, s: GoState) -> Board:
        return names.picture(self, s)

    def paths(self, s: GoState, a: int) -> Iterable[tuple[str, ...]]:
        return () if a == self.points else ((names.point_name(self, a),),)
