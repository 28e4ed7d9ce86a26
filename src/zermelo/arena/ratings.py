"""Ratings of any number of players from the games between them: the model of Bradley and Terry, with intervals.

A player's chance is its strength divided by the sum of both (Zermelo 1929; Bradley and Terry 1952). The rating is the
logarithm of the strength on Elo's scale; a draw is half a win. Ratings maximise the likelihood of the results times a
weak prior: each rating is normally distributed around the mean with a standard deviation of 1,000 Elo. After some
dozens of games, the prior changes a rating by less than one percent. It keeps ratings finite for players who won
everything or nothing.

The model's own variance ignores draws and openings, so intervals use the sandwich formula (Huber 1967; White 1982) over
*units*: games that belong together, such as two from the same opening with the sides exchanged, or all rotations of a
deal (Liang and Zeger 1986). The spread is estimated from a player's n units, so intervals use Student's t with n - 1
degrees of freedom.
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
"""The prior's standard deviation in Elo."""


class Difference(NamedTuple):
    """How much higher one player is rated than another, in Elo, with the ends of the interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class Rating:
    """A player's rating in Elo with its interval, which has an infinite end if the player won or lost everything."""

    player: Hashable
    elo: float
    low: float
    high: float
    games: int  # comparisons with another player: a game of three seats has two for each
    points: float
    group: int  # no games connect different groups, so their ratings cannot be compared
    one_sided: bool  # won or lost everything against most of the group: the prior alone keeps the rating finite


@dataclass(frozen=True)
class Ratings:
    """All ratings, group by group of players that games connect, the best first; the mean of a group is 0."""

    players: tuple[Rating, ...]
    confidence: float
    _fit: _Fit = field(repr=False, compare=False)

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
        """The rating difference of two players. Its interval is narrower than the two single intervals suggest."""
        one, two = self[first], self[second]
        if one.group != two.group:
            raise ValueError(f"no games connect {first!r} and {second!r}, not even through others")
        i, j = self._fit.players.index(first), self._fit.players.index(second)
        elo, margin = one.elo - two.elo, self._fit.margin(i, [j], self.confidence)
        return Difference(elo, elo - margin, elo + margin)

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data; None for infinite numbers."""
        rows = [asdict(rating) for rating in self.players]
        for row in rows:
            row.update(player=str(row["player"]), low=finite(row["low"]), high=finite(row["high"]))
        return {"confidence": self.confidence, "players": rows}

    def __str__(self) -> str:
        width = max(6, *(len(str(rating.player)) for rating in self.players), 0)
        lines = [f"{'player':{width}}{'Elo':>8}{'low':>8}{'high':>8}{'games':>8}{'score':>8}"]
        for rating in self.players:
            lines.append(
                f"{rating.player!s:{width}}{rating.elo:>+z8.0f}{rating.low:>+z8.0f}{rating.high:>+z8.0f}"
                f"{rating.games:>8}{rating.points / rating.games:>8.1%}" + ("  one-sided" if rating.one_sided else "")
            )
        if len(self.groups) > 1:
            lines.append("not connected by games: " + " | ".join(", ".join(map(str, g)) for g in self.groups))
        return "\n".join(lines)


class Results:
    """Games between any number of players, from which ratings are fitted.

    Only the counts of the units' results are kept. Adding a game takes microseconds. If units are pairs, a fit after a
    million games takes no longer than after a thousand.
    """

    def __init__(self, confidence: float = 0.95):
        if not 0 < confidence < 1:
            raise ValueError(f"the confidence is between 0 and 1, as 0.95 is, not {confidence}")
        self.confidence = confidence
        self._numbers: dict[Hashable, int] = {}
        self._open: dict[Hashable, dict[tuple[int, int], tuple[int, float]]] = {}
        self._seen: Counter[tuple[tuple[int, int, int, float], ...]] = Counter()

    def add(self, first: Hashable, second: Hashable, score: float, unit: Hashable = None) -> None:
        """Add a game: the first player's share of the point, and the unit (such as a pair) that it belongs to."""
        if first == second:
            raise ValueError(f"a game is between two players, not {first!r} and itself")
        if not 0 <= score <= 1:
            raise ValueError(f"a score is the share of the point, from 0 to 1, not {score}")
        self._add([(first, second, score)], unit)

    def add_seats(self, points: Mapping[Hashable, float], unit: Hashable = None) -> None:
        """A game of any number of seats: each player's points. It counts as a comparison of each with each.

        The comparisons of one game are not independent. They belong to the same unit.
        """
        if len(points) < 2:
            raise ValueError(f"a game has two players or more, not {len(points)}")
        won = {(a, b): (points[a] > points[b]) - (points[a] < points[b]) for a, b in combinations(points, 2)}
        self._add([(a, b, (1 + sign) / 2) for (a, b), sign in won.items()], unit)

    def _add(self, games: list[tuple[Hashable, Hashable, float]], unit: Hashable) -> None:
        before = {} if unit is None else self._open.get(unit, {})
        after = dict(before)
        for first, second, score in games:
            i, j = (self._numbers.setdefault(player, len(self._numbers)) for player in (first, second))
            i, j, score = (i, j, score) if i < j else (j, i, 1 - score)
            count, points = after.get((i, j), (0, 0.0))
            after[i, j] = count + 1, points + score
        if before:
            key = _key(before)
            self._seen[key] -= 1
            if not self._seen[key]:
                del self._seen[key]
        self._seen[_key(after)] += 1
        if unit is not None:
            self._open[unit] = after

    def fit(self, anchor: Hashable = None, anchor_elo: float = 0.0) -> Ratings:
        """The ratings. The mean of each group is 0, unless an anchor's rating is given."""
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

        elos, model = _most_likely(games, points)
        surprise = rows[:, 4] - rows[:, 3] * _chances(elos)[i, j]
        residuals, present = np.zeros((2, len(counts), size))
        for player, sign in ((i, 1), (j, -1)):
            np.add.at(residuals, (unit, player), sign * surprise)
            present[unit, player] = 1
        half = model @ residuals.T / PER_NAT
        fit = _Fit(
            players=list(self._numbers),
            robust=(half * counts) @ half.T,
            model=model,
            units=counts @ present,
            connected=_mutual(games > 0),
            balanced=_mutual(points > 0),
        )
        return Ratings(self._table(fit, elos, games, points, anchor, anchor_elo), self.confidence, fit)

    def _table(
        self, fit: _Fit, elos: Any, games: Any, points: Any, anchor: Hashable, anchor_elo: float
    ) -> tuple[Rating, ...]:
        group_of = {tuple(row): number for number, row in enumerate(dict.fromkeys(map(tuple, fit.connected)))}
        ratings = []
        for i, player in enumerate(fit.players):
            group = np.flatnonzero(fit.connected[i])
            fixed = self._numbers[anchor] if anchor is not None and self._numbers[anchor] in group else None
            elo = elos[i] if fixed is None else elos[i] - elos[fixed] + anchor_elo
            margin = fit.margin(i, group if fixed is None else [fixed], self.confidence)
            played, scored = int(games[i].sum()), float(points[i].sum())
            ratings.append(
                Rating(
                    player,
                    float(elo),
                    -math.inf if scored == 0 and i != fixed else float(elo - margin),
                    math.inf if scored == played and i != fixed else float(elo + margin),
                    played,
                    scored,
                    group_of[tuple(fit.connected[i])],
                    bool(2 * fit.balanced[i].sum() <= len(group)),
                )
            )
        return tuple(sorted(ratings, key=lambda rating: (rating.group, -rating.elo)))


@dataclass(frozen=True)
class _Fit:
    """The result of a fit, by the numbers of the players."""

    players: list[Hashable]
    robust: Any  # covariance of the ratings by the sandwich formula
    model: Any  # covariance of the ratings if the model and the prior are true
    units: Any  # that each has played
    connected: Any  # by games, if only through others
    balanced: Any  # each has taken points from the other, if only through others (Ford 1957)

    def margin(self, player: int, others: Any, confidence: float) -> float:
        """Half the width of the interval for the difference between a player's rating and the mean of the others'.

        If all points went one way, the spread cannot be estimated, and the model's variance is used if it is greater.
        """
        weights = np.zeros(len(self.players))
        weights[others] = -1 / len(others)
        weights[player] += 1
        if not weights.any():
            return 0.0
        units = min(self.units[player], self.units[others].max())
        if units < 2:
            return math.inf
        variance = weights @ self.robust @ weights * units / (units - 1)
        if not self.balanced[player, others].all():
            variance = max(variance, weights @ self.model @ weights)
        return float(math.sqrt(variance) * student_t.quantile(0.5 + confidence / 2, float(units - 1)))


def _key(unit: Mapping[tuple[int, int], tuple[int, float]]) -> tuple[tuple[int, int, int, float], ...]:
    return tuple(sorted((i, j, games, points) for (i, j), (games, points) in unit.items()))


def _chances(elos: Any) -> Any:
    """The expected score of each against each."""
    return 1 / (1 + np.exp((elos[None, :] - elos[:, None]) / PER_NAT))


def _most_likely(games: Any, points: Any) -> tuple[Any, Any]:
    """The most likely ratings in Elo, by Newton's method, and the inverse of the information; both with the prior."""
    elos = np.zeros(len(games))
    for _ in range(100):
        chances = _chances(elos)
        information = -games * chances * (1 - chances) / PER_NAT**2
        np.fill_diagonal(information, -information.sum(axis=1) + PRIOR_DEVIATION**-2)
        slope = (points - games * chances).sum(axis=1) / PER_NAT - elos / PRIOR_DEVIATION**2
        step = np.linalg.solve(information, slope)
        if abs(step).max(initial=0) < 1e-6:
            break
        elos += np.clip(step, -2 * PER_NAT, 2 * PER_NAT)
    return elos, np.linalg.inv(information)


def _mutual(edges: Any) -> Any:
    """Which players can reach each other, both ways, along edges."""
    reached = edges | np.eye(len(edges), dtype=bool)
    while True:
        further = (reached.astype(float) @ reached) > 0
        if (further == reached).all():
            return reached & reached.T
        reached = further
