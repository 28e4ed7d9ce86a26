"""The referee of the game on the page: clocks, resignation, and offers of a draw."""

from __future__ import annotations

import threading
from collections.abc import Callable

from zermelo.app.web.ending import Ending
from zermelo.app.web.table import PERSON, GameTable
from zermelo.app.web.titles import title_of
from zermelo.search.analysis import Analysis

NOT_BEFORE = 20
"""The ply before which the computer declines a draw unless its search has proven the position."""
TOLERANCE = 0.02
"""A lead that the computer gives away for a draw, as a share of the range of utilities."""


class Referee:
    """Runs the clocks, and decides what the rules of the game do not.

    guard     the desk's lock
    changed   called, with the guard held, when a game was lost on time
    """

    def __init__(self, guard: threading.RLock, changed: Callable[[], None]):
        self.guard, self.changed = guard, changed
        self._timer: threading.Timer | None = None

    # Clocks.

    def moved(self, table: GameTable, seat: int | None) -> None:
        """A seat has moved at the end of the game: its clock gets the increment."""
        if table.clock is not None and seat is not None and table.clock.running == seat:
            table.clock.add_increment(seat)

    def watch(self, table: GameTable, stopped: bool = False) -> None:
        """Let the clock of the seat to move run, and end the game when its time is up.

        Clocks start with the first move. When the game has ended once they stop for good: variations are not timed.
        """
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        clock = table.clock
        if clock is None:
            return
        has_begun = any(table.game.to_move(at.state) >= 0 for at in table.line[:-1])
        has_ended = bool(table.endings) or table.is_over or clock.is_finished
        clock.is_finished = has_ended
        seat = table.seat if has_begun and not has_ended and not stopped else None
        clock.run(seat)
        if seat is not None:
            self._timer = threading.Timer(clock.remaining(seat), self._time_is_up, (table, seat))
            self._timer.daemon = True
            self._timer.start()

    def _time_is_up(self, table: GameTable, seat: int) -> None:
        with self.guard:
            clock = table.clock
            if clock is None or clock.running != seat or table.is_over:
                return
            if clock.remaining(seat) > 0:  # the timer was early, or the clock got its increment
                self.watch(table)
                return
            table.end(Ending("time", seat))
            self.changed()

    # Resignation and draws.

    def resign(self, table: GameTable, points: int = 0) -> None:
        """The person resigns; of several people, the one whose turn it is.

        points   what the resignation costs, in a game that asks for it: a gammon, or one game of a match
        """
        people = table.people
        if not people or len(table.seats) < 2:
            raise ValueError("nobody can resign here: no person plays, or there is one seat only")
        possible = table.game.resignations(table.state)
        if not points and possible:
            points = possible[0][1]
        table.end(Ending("resignation", people[0] if len(people) == 1 or table.seat is None else table.seat, points))

    def offer_draw(self, table: GameTable) -> None:
        """A person offers a draw."""
        table.require_nothing_hidden("A draw")
        if not table.game.may_be_drawn:
            raise ValueError(f"{title_of(table.what)} has no draws")
        if len(table.seats) != 2 or not table.people or table.is_over or table.seat is None:
            raise ValueError("a draw cannot be offered here")
        if table.offer is not None:
            raise ValueError("a draw has been offered already")
        table.offer = table.people[0] if len(table.people) == 1 else table.seat

    def must_answer(self, table: GameTable) -> bool:
        """Does the computer have to answer the offer of a draw?"""
        return table.offer is not None and table.seats[1 - table.offer] != PERSON

    def answer_draw(self, table: GameTable, accepts: bool) -> None:
        if table.offer is None:
            raise ValueError("no draw has been offered")
        table.offer = None
        if accepts:
            table.end(Ending("agreement"))

    def accepts(self, table: GameTable, analysis: Analysis) -> bool:
        """Does the computer accept a draw? It does if it is not better, by its own search of the position."""
        assert table.offer is not None
        if not analysis.exact and table.plies < NOT_BEFORE:
            return False
        low, high = table.game.utility_bounds(analysis.player)
        value = analysis.value[analysis.player] if isinstance(analysis.value, tuple) else analysis.value
        lead = value - (low + high) / 2  # the lead of the player to move
        is_own = table.seat != table.offer
        return (lead if is_own else -lead) <= (0 if analysis.exact else TOLERANCE * (high - low))
