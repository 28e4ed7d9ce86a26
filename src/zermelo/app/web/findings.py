"""The results of an analysis: a value for every move of a position, and the mistakes among the moves played."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.search.grades import grade, lost_share, sentence, stake_grade, stake_sentence
from zermelo.search.wording import (
    OPEN,
    Value,
    Worth,
    brief,
    chance,
    first_share,
    is_two_sided,
    legend,
    share,
    tone,
    words,
)

LINE = 12
"""The most moves of a line."""
KEPT_MOVES = 12
"""How many of the best moves are saved with their values; the move that was played is saved too."""


@dataclass(frozen=True)
class Finding:
    """The value of a move to the mover, or to all players; `proven`: not estimated, `distance`: plies to the end.

    A Monte Carlo search also knows the move's share of all visits, and the standard error of the value.
    """

    value: Value
    distance: int | None = None
    proven: bool = False
    depth: int = 0
    line: tuple[str, ...] = ()
    visit_share: float | None = None
    error: float | None = None

    def worth(self, player: int) -> Worth:
        """With the player, which is all that is needed to word it."""
        return Worth(self.value, player, self.distance, self.proven, self.visit_share is not None, self.error)


@dataclass
class Findings:
    """The values of a position's moves, by name; `done`: all values are final."""

    player: int
    moves: dict[str, Finding] = field(default_factory=dict)
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    done: bool = False
    speed: float = 0.0  # recent nodes per second

    @property
    def by_visits(self) -> bool:
        """Are these the findings of a Monte Carlo search?"""
        return any(found.visit_share is not None for found in self.moves.values())

    @property
    def ranked(self) -> list[str]:
        """The moves, the best first; ties: sooner wins, later losses, proven values first.

        A Monte Carlo search has put them in order by itself: its best move is not the one with the highest average.
        """
        if self.by_visits:
            return list(self.moves)
        return sorted(self.moves, key=self._rank)

    def _rank(self, name: str) -> tuple[float, int, bool]:
        found = self.moves[name]
        own, distance = component(found.value, self.player), found.distance or 0
        return -own, distance if own > 0 else -distance, not found.proven

    def to_json(self, played: str | None) -> dict[str, Any]:
        """As JSON, with only the best moves and the one that was played."""
        ranked = self.ranked
        kept = [name for rank, name in enumerate(ranked) if rank < KEPT_MOVES or name == played]
        return {
            "player": self.player,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "done": self.done and len(kept) == len(ranked),
            "moves": [
                [name, found.value, found.distance, found.proven, found.depth, found.visit_share, found.error]
                for name, found in ((name, self.moves[name]) for name in kept)
            ],
            "line": list(self.moves[ranked[0]].line) if ranked else [],
        }

    @staticmethod
    def from_json(data: Any, ply: str, legal: Sequence[str]) -> Findings:
        """The inverse of `to_json`; raises GameError if the data is invalid."""
        try:
            moves = {
                name: Finding(_value(value), _count(distance), bool(proven), _count(depth) or 0, (), *map(_share, more))
                for name, value, distance, proven, depth, *more in data["moves"]
            }
            numbers = [_count(data[name]) or 0 for name in ("player", "depth", "nodes")]
            seconds, done, line = float(data["seconds"]), bool(data["done"]), tuple(map(str, data["line"]))
        except (TypeError, ValueError, KeyError):
            raise GameError(f"the saved game's analysis of ply {ply} is invalid: {str(data)[:60]!r}") from None
        for name in moves:
            if name not in legal:
                raise GameError(
                    f"the saved game's analysis of ply {ply} has the move {name!r}, which is not legal there"
                )
        found = Findings(numbers[0], moves, numbers[1], numbers[2], seconds, done)
        if moves:
            best = found.ranked[0]
            found.moves[best] = Finding(**{**vars(moves[best]), "line": line[:LINE]})
        return found


def _value(value: Any) -> Value:
    if isinstance(value, list):
        return tuple(float(each) for each in value)
    if isinstance(value, bool) or not isinstance(value, float | int) or math.isnan(value):
        raise ValueError
    return float(value)


def _share(value: Any) -> float | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, float | int) or not value >= 0):
        raise ValueError
    return value


def _count(value: Any) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise ValueError
    return value


def component(value: Value, player: int) -> float:
    """One player's component of a vector of values; a single number is the mover's."""
    return value[player] if isinstance(value, tuple) else value


class Judge:
    """Values for the page: in words, and as a share between a certain loss and a certain win."""

    def __init__(self, game: Game):
        self.game = game
        self.legend = legend(game)

    def chance(self, found: Finding, player: int) -> float | None:
        """The chance of winning, with a draw as half a win; None if the game's values do not tell."""
        return chance(self.game, found.worth(player))

    def share(self, found: Finding, player: int) -> float | None:
        """The chance of winning; if it is unknown, the position of the value between the worst and the best."""
        return share(self.game, found.worth(player))

    def verdict(self, found: Finding, player: int) -> str:
        """The value in words."""
        return words(self.game, found.worth(player))

    def told(self, findings: Findings, ply: int) -> dict[str, Any]:
        """The analysis of a position, for the page."""
        ranked = findings.ranked
        best = self.chance(findings.moves[ranked[0]], findings.player) if ranked else None
        moves = []
        for name in ranked:
            found = findings.moves[name]
            worth = found.worth(findings.player)
            verdict, chance = words(self.game, worth), self.chance(found, findings.player)
            lost = None if chance is None or best is None else best - chance
            moves.append(
                {
                    "move": name,
                    "verdict": verdict,
                    "brief": brief(self.game, worth),
                    "share": first_share(self.game, worth),
                    "tone": tone(self.game, worth),
                    "proven": found.proven,
                    "depth": found.depth,
                    "visits": found.visit_share,
                    "grade": grade(lost),
                    "best": verdict != OPEN and _is_as_good(found, findings.moves[ranked[0]], findings.player),
                    "line": list(found.line),
                }
            )
        return {
            "kind": "analysis",
            "ply": ply,
            "depth": findings.depth,
            "nodes": findings.nodes,
            "speed": findings.speed,
            "done": findings.done,
            "simulated": findings.by_visits,
            "legend": self.legend,
            "moves": moves,
        }

    def graph(
        self, states: Sequence[Any], moves: Sequence[str | None], known: dict[int, Findings], is_over: bool
    ) -> dict[str, Any]:
        """The value over the game for the first seat, and the mistakes."""
        points: list[dict[str, Any]] = []
        mistakes: list[dict[str, Any]] = []
        measured = True
        for ply, findings in sorted(known.items()):
            if not findings.moves:
                continue
            best = findings.ranked[0]
            found = findings.moves[best]
            played = moves[ply] if ply < len(moves) else None
            if played is not None and played in findings.moves:
                mistakes += self._mistake(ply, states[ply], played, best, findings)
            share = self.share(found, findings.player)
            if share is None or self.verdict(found, findings.player) == OPEN:
                continue
            measured = measured and self.chance(found, findings.player) is not None
            points.append(
                {
                    "ply": ply,
                    "share": first_share(self.game, found.worth(findings.player)),
                    "verdict": self.verdict(found, findings.player),
                    "proven": found.proven,
                }
            )
        if is_over and points and is_two_sided(self.game):
            end = Finding(float(self.game.utility(states[-1], 0)), None, True)
            verdict = self.verdict(end, 0)
            points.append({"ply": len(moves), "share": self.share(end, 0), "verdict": verdict, "proven": True})
        return {"kind": "graph", "points": points, "mistakes": mistakes, "measured": measured, "plies": len(moves)}

    def _mistake(self, ply: int, s: Any, played: str, best: str, findings: Findings) -> list[dict[str, Any]]:
        player = findings.player
        one, other = findings.moves[best], findings.moves[played]
        before, after = one.worth(player), other.worth(player)
        lost = 0.0 if best == played else lost_share(self.game, before, after)
        mark, stake = grade(lost), self.game.stake(s)
        if stake is None:
            why = sentence(self.game, played, after, other.line[1:], before, best, one.line)
        else:
            cost = (component(one.value, player) - component(other.value, player)) / stake
            mark, why = stake_grade(cost), stake_sentence(played, cost, best)
        if not mark:
            return []
        return [
            {
                "ply": ply,
                "move": played,
                "who": self.game.player_name(player),
                "lost": lost,
                "grade": mark,
                "why": why,
                "better": best,
                "line": list(one.line),
            }
        ]


def _is_as_good(found: Finding, best: Finding, player: int) -> bool:
    return component(found.value, player) == component(best.value, player) and found.distance == best.distance


def line_names(game: Game, states: Iterable[Any], line: Iterable[Any]) -> tuple[str, ...]:
    """The names of the first moves of a line."""
    past = list(states)
    names: list[str] = []
    for a in line:
        if len(names) == LINE or game.to_move(past[-1]) == CHANCE:
            break
        names.append(game.action_name(past[-1], a))
        past.append(game.result(past[-1], a))
    return tuple(names)
