"""Ratings of any number of players from the games between them: the model of Bradley and Terry, with intervals.

The chance of each player is its strength divided by the sum of both (Zermelo 1929; Bradley and Terry 1952), and the
rating is the logarithm of the strength on Elo's scale; a draw is half a win. The ratings are those that make the
results most likely, up to a weak prior: each rating is normally distributed around the mean of all with a standard
deviation of 1,000 Elo. It moves a rating that rests on some dozens of games by less than one point in a hundred, and
gives a finite one to players who won everything or nothing.

The intervals do not trust the model's own variance, which knows neither draws nor openings: they are by the sandwich
formula (Huber 1967; White 1982) over *units*, the games that belong together, such as two from the same opening with the
sides exchanged, or all rotations of a deal (Liang and Zeger 1986). As the spread is estimated from a player's n units,
they are by Student's t with n - 1 degrees of freedom.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from zermelo.arena import student_t
from zermelo.arena.elo import PER_NAT, finite

PRIOR_DEVIATION = 1000.0
"""Of a rating from the mean of all, in Elo, before the first game."""


class Difference(NamedTuple):
    """How much higher one player is rated than another, in Elo, with the ends of the interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Rating:
    """A player's rating in Elo, with the ends of the interval."""

    player: Hashable
    elo: float
    low: float
    high: float
    games: int  # comparisons with another player: a game of three seats has two for each
    points: float
    group: int  # ratings of different groups cannot be compared: no games connect them
    one_sided: bool  # won or lost everything against some of the others, so that the prior alone keeps it finite


@dataclass(frozen=True)
class Ratings:
    """All ratings, the best first within each group of players that games connect; each group's mean is 0."""

    players: tuple[Rating, ...]
    confidence: float
    _variances: Any = field(repr=False, compare=False)
    _units: Any = field(repr=False, compare=False)
    _order: dict[Hashable, int] = field(repr=False, compare=False)

    def __getitem__(self, player: Hashable) -> Rating:
        found = next((rating for rating in self.players if rating.player == player), None)
        if found is None:
            raise KeyError(f"{player!r} has played no games")
        return found

    @property
    def groups(self) -> tuple[tuple[Hashable, ...], ...]:
        """The players by groups that games connect: more than one group means that not all can be compared."""
        count = 1 + max((rating.group for rating in self.players), default=-1)
        return tuple(tuple(r.player for r in self.players if r.group == group) for group in range(count))

    def difference(self, first: Hashable, second: Hashable) -> Difference:
        """How much higher the first is rated than the second: narrower than what two intervals of ratings tell."""
        one, two = self[first], self[second]
        if one.group != two.group:
            raise ValueError(f"no games connect {first!r} and {second!r}, not even through others")
        i, j = self._order[first], self._order[second]
        variance = self._variances[i, i] + self._variances[j, j] - 2 * self._variances[i, j]
        units = min(self._units[i], self._units[j])
        margin = _margin(variance, units, self.confidence)
        elo = one.elo - two.elo
        return Difference(elo, elo - margin, elo + margin)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data; None for what is infinite."""
        rows = [asdict(rating) for rating in self.players]
        for row in rows:
            row.update(player=str(row["player"]), low=finite(row["low"]), high=finite(row["high"]))
        return {"confidence": self.confidence, "players": rows}

    def __str__(self) -> str:
        width = max((len(str(rating.player)) for rating in self.players), default=6)
        lines = [f"{'player':{width}}{'Elo':>8}{'low':>8}{'high':>8}{'games':>8}{'score':>8}"]
        for rating in self.players:
            lines.append(
                f"{rating.player!s:{width}}{rating.elo:>+8.0f}{rating.low:>+8.0f}{rating.high:>+8.0f}"
                f"{rating.games:>8}{rating.points / rating.games:>8.1%}" + (" one-sided" if rating.one_sided else "")
            )
        if len(self.groups) > 1:
            lines.append("not connected by games: " + " | ".join(", ".join(map(str, g)) for g in self.groups))
        return "\n".join(lines)


class Results:
    """Games between any number of players, from which ratings are fitted.

    What is kept is how often each result of a unit was seen, so a game is added in microseconds, and a fit takes no
    longer after a million games than after a thousand.
    """

    def __init__(self, confidence: float = 0.95):
        if not 0 < confidence < 1:
            raise ValueError(f"the confidence is between 0 and 1, as 0.95 is, not {confidence}")
        self.confidence = confidence
        self._numbers: dict[Hashable, int] = {}
        self._open: dict[Hashable, dict[tuple[int, int], tuple[int, float]]] = {}
        self._seen: Counter[tuple[tuple[int, int, int, float], ...]] = Counter()

    def add(self, first: Hashable, second: Hashable, score: float, unit: Hashable = None) -> None:
        """A game: what the first player scored of 1 point, and the name of the unit (such as a pair) it belongs to."""
        if first == second:
            raise ValueError(f"a game is between two players, not {first!r} and itself")
        if not 0 <= score <= 1:
            raise ValueError(f"a score is the share of the point, from 0 to 1, not {score}")
        self._add([(first, second, score)], unit)

    def add_seats(self, points: Mapping[Hashable, float], unit: Hashable = None) -> None:
        """A game of any number of seats: each player's points. It counts as a comparison of each with each.

        The comparisons of one game are no more independent than games of one unit, and belong to the same unit.
        """
        if len(points) < 2:
            raise ValueError(f"a game has two players or more, not {len(points)}")
        self._add([(a, b, 0.5 + 0.5 * np.sign(points[a] - points[b])) for a, b in combinations(points, 2)], unit)

    def _add(self, games: list[tuple[Hashable, Hashable, float]], unit: Hashable) -> None:
        before = {} if unit is None else self._open.get(unit, {})
        after = dict(before)
        for first, second, score in games:
            i, j = (self._numbers.setdefault(player, len(self._numbers)) for player in (first, second))
            i, j, score = (i, j, score) if i < j else (j, i, 1 - score)
            count, points = after.get((i, j), (0, 0.0))
            after[i, j] = count + 1, points + float(score)
        if before:
            key = _key(before)
            self._seen[key] -= 1
            if not self._seen[key]:
                del self._seen[key]
        self._seen[_key(after)] += 1
        if unit is not None:
            self._open[unit] = after

    def fit(self, anchor: Hashable = None, anchor_elo: float = 0.0) -> Ratings:
        """The ratings; the mean of each group is 0, or the anchor's rating is what it is given."""
        if anchor is not None and anchor not in self._numbers:
            raise KeyError(f"the anchor {anchor!r} has played no games")
        size = len(self._numbers)
        rows = np.array([(n, *game) for n, key in enumerate(self._seen) for game in key]).reshape(-1, 5)
        counts = np.array(list(self._seen.values()), dtype=float)
        unit, i, j = rows[:, :3].astype(int).T
        games, points = np.zeros((2, size, size))
        for one, two, share in ((i, j, rows[:, 4]), (j, i, rows[:, 3] - rows[:, 4])):
            np.add.at(games, (one, two), counts[unit] * rows[:, 3])
            np.add.at(points, (one, two), counts[unit] * share)

        strengths, inverse = _most_likely(games, points)
        surprise = rows[:, 4] - rows[:, 3] * _chances(strengths)[i, j]
        residuals, present = np.zeros((2, len(counts), size))
        for player, sign in ((i, 1), (j, -1)):
            np.add.at(residuals, (unit, player), sign * surprise)
            present[unit, player] = 1
        sandwich = inverse @ (residuals.T @ (residuals * counts[:, None])) @ inverse

        fit = _Fit(
            list(self._numbers),
            strengths * PER_NAT,
            sandwich * PER_NAT**2,
            inverse * PER_NAT**2,
            counts @ present,
            games.sum(axis=1),
            points.sum(axis=1),
            _mutual(games > 0),
            _mutual(points > 0),
        )
        return Ratings(fit.table(anchor, anchor_elo, self.confidence), self.confidence, fit)


@dataclass(frozen=True)
class _Fit:
    """What a fit has found, by the numbers of the players."""

    players: list[Hashable]
    elos: Any
    sandwich: Any  # the robust covariance
    model: Any  # what the model and the prior alone would say
    units: Any
    games: Any
    points: Any
    connected: Any  # by games, if only through others
    mutual: Any  # each has taken points from the other, if only through others: then a finite difference is most likely

    def margin(self, contrast: Any, players: Any, confidence: float) -> float:
        """Half the width of the interval for a weighted sum of the ratings of these players.

        Where some of them have taken no points from others, hardly anything is left over to estimate the spread from,
        and the model's variance counts if it is the greater one.
        """
        units = float(self.units[contrast.astype(bool) & players].min()) if players.any() else 0.0
        if units < 2:
            return math.inf
        variance = contrast @ self.sandwich @ contrast * units / (units - 1)
        if not self.mutual[np.ix_(contrast != 0, contrast != 0)].all():
            variance = max(variance, contrast @ self.model @ contrast)
        return math.sqrt(variance) * student_t.quantile(0.5 + confidence / 2, units - 1)
