"""The standings of a match: results, ratings and faults of every player."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.arena.points import Points
from zermelo.arena.ratings import Ratings, Results
from zermelo.arena.score import Score
from zermelo.arena.sequential import Decision, Sprt
from zermelo.game.protocol import Game
from zermelo.kernel.tabular import Tabular
from zermelo.pictures.page import table as html_table
from zermelo.play.record import Record
from zermelo.play.seats import seats_of

FAULTS = ("time", "illegal move", "crash", "hang")


@dataclass
class Tally:
    """One player's results against all opponents."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    moves: int = 0
    seconds: float = 0.0
    faults: Counter[str] = field(default_factory=Counter)
    stakes: Points = field(default_factory=Points)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points; a draw is half a point."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def seconds_a_move(self) -> float:
        return self.seconds / self.moves if self.moves else 0.0


HEADINGS = ("player", "games", "won", "drawn", "lost", "score", "Elo", "95 % interval")


class Standings(Tabular):
    """The results of a match or a tournament so far."""

    def __init__(self, game: Game, players: Sequence[str], sprt: Sprt | None = None):
        self.game, self.players, self.sprt = game, tuple(players), sprt
        self.tallies = [Tally() for _ in players]
        self.scores = {pair: Score() for pair in itertools.combinations(range(len(players)), 2)}
        self.numbers: list[int] = []
        self.decision: Decision = "go on"
        self.plies = 0
        self.has_stakes = False  # does a game have other results than win, draw and loss?
        self.is_paired = len(seats_of(game)) == 2  # are there two games from each opening?
        self._results = Results()
        self._alone: dict[int, dict[int, Record]] = defaultdict(dict)  # games for one, by pair and player

    def add(self, record: Record) -> None:
        """Add a finished game."""
        seated = [self.players.index(words) for words in record.players]
        if record.number is not None:
            self.numbers.append(record.number)
        self.plies += len(record.moves)
        for seat, seconds in zip(record.movers, record.times, strict=False):
            self.tallies[seated[seat]].moves += 1
            self.tallies[seated[seat]].seconds += seconds
        if record.charged is not None and record.ended in FAULTS:
            self.tallies[seated[record.charged]].faults[record.ended] += 1
        for seat, player in enumerate(seated):
            worth = record.worth(self.game, seat)
            if worth is not None:
                low, high = self.game.utility_range
                self.has_stakes |= worth not in (low, high, (low + high) / 2)
                self.tallies[player].stakes.add(worth, record.pair)
        if len(seated) == 1:
            self._compare_alone(record, seated[0])
        for one, two in itertools.combinations(sorted(set(seated)), 2):
            self._result(one, two, self._compared(record, seated, one, two), record.pair)
        if self.sprt is not None and self.decision == "go on":
            self.decision = self.sprt.decision(self._tested())

    def _compared(self, record: Record, seated: list[int], one: int, two: int) -> float:
        """1, ½ or 0 if one player did better than another, the same or worse; over all pairs of their seats."""
        found = [
            record.compared(self.game, seat, other) - 0.5
            for seat, other in itertools.product(range(len(seated)), repeat=2)
            if (seated[seat], seated[other]) == (one, two)
        ]
        return 0.5 + 0.5 * (sum(found) > 0) - 0.5 * (sum(found) < 0)

    def _tested(self) -> Sequence[int]:
        """The results for a sequential test: pairs, or games if there are no pairs."""
        score = self.scores[0, 1]
        return score.pairs if self.is_paired else score.results

    def _result(self, one: int, two: int, points: float, pair: int | None) -> None:
        for player, its in ((one, points), (two, 1 - points)):
            tally = self.tallies[player]
            tally.wins += its == 1
            tally.draws += its == 0.5
            tally.losses += its == 0
        self._results.add(self.players[one], self.players[two], points, pair)
        if one > two:
            one, two, points = two, one, 1 - points
        self.scores[one, two].add(points, pair if self.is_paired else None)

    def _compare_alone(self, record: Record, player: int) -> None:
        """One-player games are compared with those of the other players from the same opening."""
        others = self._alone[record.pair or 0]
        for other, theirs in others.items():
            mine, its = record.worth(self.game, 0), theirs.worth(self.game, 0)
            if mine is not None and its is not None:
                self._result(player, other, 0.5 + 0.5 * (mine > its) - 0.5 * (mine < its), record.pair)
        others[player] = record

    @property
    def is_decided(self) -> bool:
        """Has the sequential test decided?"""
        return self.decision != "go on"

    @property
    def is_match(self) -> bool:
        """Is it one player against another?"""
        return len(self.players) == 2

    @property
    def games(self) -> int:
        return len(self.numbers)

    @property
    def score(self) -> Score:
        """Of a match: the first player's score."""
        if not self.is_match:
            raise ValueError(
                f"a score is for a match between two players; for {len(self.players)} players there are ratings"
            )
        return self.scores[0, 1]

    @property
    def llr(self) -> float | None:
        """The progress of the sequential test between its bounds."""
        return None if self.sprt is None else self.sprt.llr(self._tested())

    @property
    def order(self) -> list[int]:
        """The numbers of the players, the best first."""
        if self.has_stakes and not self.game.decisive:  # as in poker: who wins often may still lose money
            return sorted(range(len(self.players)), key=lambda number: -self.tallies[number].stakes.mean)
        return sorted(range(len(self.players)), key=lambda number: -self.tallies[number].score)

    def elo_in_words(self, number: int) -> tuple[str, str]:
        """A player's Elo and the 95 % interval around it: the difference in a match, the rating in a tournament."""
        if not self.tallies[number].games:
            return "", ""
        low, elo, high = self._elo(number)
        if math.isfinite(elo) and math.isfinite(low) and math.isfinite(high):
            return f"{elo:+z.0f}", f"{low:+z.0f} to {high:+z.0f}"
        if low == -math.inf and high == math.inf:
            return "" if math.isinf(elo) else f"{elo:+z.0f}", ""
        return "", f"over {low:+.0f}" if high == math.inf else f"under {high:+.0f}"

    def _elo(self, number: int) -> tuple[float, float, float]:
        """The least, the likeliest and the greatest Elo."""
        if self.is_match:
            score = self.score
            ends = (score.low, score.elo, score.high)
            return ends if number == 0 else (-score.high, -score.elo, -score.low)
        rating = self.ratings()[self.players[number]]
        return rating.low, rating.elo, rating.high

    def _cells(self) -> list[tuple[str, ...]]:
        """All players' games and ratings in words, the best player first."""
        rows = []
        for number in self.order:
            tally = self.tallies[number]
            score = f"{tally.score:.1%}" if tally.games else ""
            games = (tally.games, tally.wins, tally.draws, tally.losses)
            rows.append((self.players[number], *map(str, games), score, *self.elo_in_words(number)))
        return rows

    def __str__(self) -> str:
        rows = [HEADINGS, *self._cells()]
        wide = [max(len(row[i]) for row in rows) for i in range(len(HEADINGS))]
        lines = ["  ".join([row[0].ljust(wide[0]), *map(str.rjust, row[1:], wide[1:])]).rstrip() for row in rows]
        return "\n".join([f"{self.game.title}: {self.games} games", *lines])

    def _repr_html_(self) -> str:
        """For notebooks: all players' games and ratings."""
        return html_table(self._cells(), HEADINGS, caption=self.game.title)

    def table(self) -> list[dict[str, Any]]:
        """One row for each player, the best first; Elo is the difference in a match, the rating in a tournament."""
        return [self._row(number) for number in self.order]

    def _row(self, number: int) -> dict[str, Any]:
        tally = self.tallies[number]
        low, elo, high = (math.nan,) * 3 if not tally.games else self._elo(number)
        row = {
            "player": self.players[number],
            "games": tally.games,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "score": tally.score,
            "elo": elo,
            "elo_low": low,
            "elo_high": high,
            "seconds_a_move": tally.seconds_a_move,
            "faults": sum(tally.faults.values()),
        }
        if self.has_stakes:
            row["points_a_game"] = tally.stakes.mean
        return row

    def to_json(self) -> dict[str, Any]:
        """The standings as plain data: for a match the first player's score, for a tournament all ratings."""
        data: dict[str, Any] = {
            "game": self.game.name,
            "games": self.games,
            "plies": self.plies / self.games if self.games else 0.0,
            "players": [self._player(number) for number in range(len(self.players))],
        }
        if self.is_match:
            data = {**data, **self.score.to_json(), "games": self.games}
        else:
            data["ratings"] = self.ratings().to_json()["players"]
        if self.sprt is not None:
            data["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "llr": self.llr,
                "lower": self.sprt.lower,
                "upper": self.sprt.upper,
                "decision": self.decision,
            }
        data["cross"] = self.cross()
        return data

    def _player(self, number: int) -> dict[str, Any]:
        tally = self.tallies[number]
        data: dict[str, Any] = {
            "player": self.players[number],
            "games": tally.games,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "score": tally.score,
            "seconds_a_move": tally.seconds_a_move,
            "faults": dict(tally.faults),
        }
        if self.has_stakes:
            data["points_a_game"] = tally.stakes.to_json()
        return data

    def cross(self) -> list[list[float | None]]:
        """Each player's share of the points against each other player; None if they have not met."""
        count = len(self.players)
        cross: list[list[float | None]] = [[None] * count for _ in range(count)]
        for (one, two), score in self.scores.items():
            if score.games:
                cross[one][two], cross[two][one] = score.score, 1 - score.score
        return cross

    def ratings(self, anchor: str | None = None) -> Ratings:
        """All ratings. Their mean is 0, unless a player's rating is given."""
        return self._results.fit(anchor)
