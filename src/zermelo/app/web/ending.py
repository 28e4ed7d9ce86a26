"""How a game ends before the rules end it: by resignation, on time, or by agreement."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.play.record import Record

REASONS = {"resignation": "{loser} resigned", "time": "{loser} ran out of time", "agreement": "a draw by agreement"}
"""The values of `Record.ended` for these ends, in words."""


class Ending(NamedTuple):
    """The reason, one of REASONS, and the seat that lost; None: a draw."""

    reason: str
    loser: int | None = None

    def words(self, names: list[str]) -> str:
        """The result in words; `names` are those of the seats."""
        if self.loser is None:
            return REASONS[self.reason].format()
        told = REASONS[self.reason].format(loser=names[self.loser])
        return f"{told}; {names[1 - self.loser]} won" if len(names) == 2 else told


def ending_of(record: Record, seats: int) -> Ending | None:
    """The end of a saved game with so many seats, if it is one of these and says who lost."""
    if record.ended == "agreement":
        return Ending(record.ended)
    if record.ended not in REASONS or record.charged is None or record.charged >= seats:
        return None
    return Ending(record.ended, record.charged)
