"""How a game ends before the rules end it: by resignation, on time, or by agreement."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.play.record import RESIGNED, Record

REASONS = {"resignation": "{loser} resigned", "time": "{loser} ran out of time", "agreement": "a draw by agreement"}
"""The values of `Record.ended` for these ends, in words."""


class Ending(NamedTuple):
    """The reason, one of REASONS, the seat that lost (None: a draw), and the points that it resigned, if any."""

    reason: str
    loser: int | None = None
    points: int = 0

    def words(self, names: list[str], news: str = "") -> str:
        """The result in words; `names` are those of the seats, `news` says what was won."""
        if self.loser is None:
            return REASONS[self.reason].format()
        told = REASONS[self.reason].format(loser=names[self.loser])
        news = news or (f"{names[1 - self.loser]} won" if len(names) == 2 else "")
        return f"{told}; {news}" if news else told


def ending_of(record: Record, seats: int) -> Ending | None:
    """The end of a saved game with so many seats, if it is one of these and says who lost."""
    if record.ended == "agreement":
        return Ending(record.ended)
    if record.ended not in REASONS or record.charged is None or record.charged >= seats:
        return None
    points = record.tags.get(RESIGNED, "")
    return Ending(record.ended, record.charged, int(points) if points.isdecimal() and len(points) < 4 else 0)
