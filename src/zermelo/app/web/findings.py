"""What has been found out about a game's positions: a value for every move, and what they say of the moves played."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

import numpy as np

from zermelo.game.errors import GameError
from zermelo.game.protocol import CHANCE, Game
from zermelo.play.seats import seat_of
from zermelo.search.analysis import Value, show

FITTED = {"chess": "games/chess/weights.npz", "othello": "games/othello_weights.npz"}
"""Where the fitted weights of a game are, which came with the chance of winning that a value means."""
SLIP, MISTAKE, BLUNDER = 0.05, 0.1, 0.2
"""From which share of the chances a move is marked that gave it away: ?!, ? and ??."""
LINE = 12
"""How many moves of a line are told."""
OPEN = "open"
"""The verdict on what is neither proven nor can be estimated."""
KEPT_MOVES = 12
"""Of how many moves the values are saved with the game: the best ones, and the one that was played."""


@dataclass(frozen=True)
class Finding:
    """What one move is worth to the mover, or to all players; `proven`: not estimated, `distance`: plies to the end."""

    value: Value
    distance: int | None = None
    proven: bool = False
    depth: int = 0
    line: tuple[str, ...] = ()


@dataclass
class Findings:
    """What is known of a position's moves, by their names; `done` where there is nothing left to find out."""

    player: int
    moves: dict[str, Finding] = field(default_factory=dict)
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    done: bool = False
    speed: float = 0.0  # nodes a second, of late

    @property
    def ranked(self) -> list[str]:
        """The moves, the best first; of equal ones the sooner win, the later loss, and what is proven first."""
        return sorted(self.moves, key=self._rank)

    def _rank(self, name: str) -> tuple[float, int, bool]:
        found = self.moves[name]
        own, distance = component(found.value, self.player), found.distance or 0
        return -own, distance if own > 0 else -distance, not found.proven

    def to_json(self, played: str | None) -> dict[str, Any]:
        """For the file of a game; of long lists of moves the best ones, and the one that was played."""
        ranked = self.ranked
        kept = [name for rank, name in enumerate(ranked) if rank < KEPT_MOVES or name == played]
        return {
            "player": self.player,
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
            "done": self.done and len(kept) == len(ranked),
            "moves": [
                [name, found.value, found.distance, found.proven, found.depth]
                for name, found in ((name, self.moves[name]) for name in kept)
            ],
            "line": list(self.moves[ranked[0]].line) if ranked else [],
        }

    @staticmethod
    def from_json(data: Any, ply: str, legal: Sequence[str]) -> Findings:
        """What was saved; raises GameError where it is none."""
        try:
            moves = {
                name: Finding(_value(value), _count(distance), bool(proven), _count(depth) or 0)
                for name, value, distance, proven, depth in data["moves"]
            }
            numbers = [_count(data[name]) or 0 for name in ("player", "depth", "nodes")]
            seconds, done, line = float(data["seconds"]), bool(data["done"]), tuple(map(str, data["line"]))
        except (TypeError, ValueError, KeyError):
            raise GameError(f"the saved game's analysis of ply {ply} is not in order: {str(data)[:60]!r}") from None
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


def _count(value: Any) -> int | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise ValueError
    return value


def component(value: Value, player: int) -> float:
    """One player's part of a vector of values; a number is the mover's."""
    return value[player] if isinstance(value, tuple) else value


class Judge:
    """What values mean in a game: in words, and as a share of the chances between a sure loss and a sure win."""

    def __init__(self, what: str, game: Game):
        self.game = game
        self.fit = _fit(FITTED[what]) if what in FITTED and _is_as_fitted(what, game) else None
        self.estimates = game.offers("evaluate")
        self.two_sided = game.traits.sides == 2 and game.traits.zero_sum

    def chance(self, found: Finding, player: int) -> float | None:
        """The chance of winning, a draw counting half; None where nobody has measured what such a value means."""
        if not self.two_sided or isinstance(found.value, tuple):
            return None
        if found.proven or found.distance is not None:
            middle = sum(self.game.utility_bounds(player)) / 2
            return 0.5 if found.value == middle or math.isnan(middle) else float(found.value > middle)
        if self.fit is None:
            return None
        slope, intercept = self.fit
        return 0.5 + 0.5 * math.tanh(0.5 * (slope * found.value + intercept))

    def share(self, found: Finding, player: int) -> float | None:
        """The chance of winning, or where that is not known how far the value is from the worst to the best."""
        chance = self.chance(found, player)
        if chance is not None:
            return chance
        low, high = self.game.utility_bounds(player)
        own = component(found.value, player)
        if not math.isfinite(high - low) or high == low:
            return None
        return min(max((own - low) / (high - low), 0.0), 1.0)

    def verdict(self, found: Finding, player: int) -> str:
        """The value as people say it: won, lost or drawn where that is known, otherwise the number."""
        low, high = self.game.utility_bounds(player)
        if found.distance is not None:
            return f"{'win' if found.value == high else 'loss'} in {found.distance}"
        if found.proven and self.game.decisive and self.two_sided and math.isfinite(high - low):
            words = {low: "loss", high: "win", (low + high) / 2: "draw"}
            if found.value in words:
                return words[found.value]
        if not found.proven and not self.estimates and found.value == sum(self.game.utility_bounds(player)) / 2:
            return OPEN
        if isinstance(found.value, tuple):
            return show(tuple(round(each, 3) for each in found.value))
        return f"{found.value:+.2f}" if abs(found.value) < 10 else f"{found.value:+.1f}"

    def told(self, findings: Findings, ply: int) -> dict[str, Any]:
        """What the page is told of a position."""
        ranked = findings.ranked
        best = self.chance(findings.moves[ranked[0]], findings.player) if ranked else None
        moves = []
        for name in ranked:
            found = findings.moves[name]
            verdict = self.verdict(found, findings.player)
            chance = self.chance(found, findings.player)
            lost = None if chance is None or best is None else best - chance
            moves.append(
                {
                    "move": name,
                    "verdict": verdict,
                    "chance": chance,
                    "proven": found.proven,
                    "depth": found.depth,
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
            "moves": moves,
        }

    def graph(
        self, states: Sequence[Any], moves: Sequence[str | None], known: dict[int, Findings], is_over: bool
    ) -> dict[str, Any]:
        """The value over the game as the first seat sees it, and the moves that gave something away."""
        points: list[dict[str, Any]] = []
        mistakes: list[dict[str, Any]] = []
        measured = True
        for ply, findings in sorted(known.items()):
            if not findings.moves:
                continue
            best = findings.ranked[0]
            found = findings.moves[best]
            share = self.share(found, findings.player)
            if share is None or self.verdict(found, findings.player) == OPEN:
                continue
            measured = measured and self.chance(found, findings.player) is not None
            points.append({"ply": ply, "share": self._first(share, findings.player), "proven": found.proven})
            played = moves[ply] if ply < len(moves) else None
            if played is not None and played in findings.moves:
                mistakes += self._mistake(ply, played, best, findings)
        if is_over and points and self.two_sided:
            end = Finding(float(self.game.utility(states[-1], 0)), 0, True)
            points.append({"ply": len(moves), "share": self.share(end, 0), "proven": True})
        return {"kind": "graph", "points": points, "mistakes": mistakes, "measured": measured, "plies": len(moves)}

    def _first(self, share: float, player: int) -> float:
        return 1 - share if self.two_sided and seat_of(self.game, player) else share

    def _mistake(self, ply: int, played: str, best: str, findings: Findings) -> list[dict[str, Any]]:
        player = findings.player
        one, other = findings.moves[best], findings.moves[played]
        before, after = self.share(one, player), self.share(other, player)
        if before is None or after is None or not grade(before - after):
            return []
        mark, words = grade(before - after), f"{self.verdict(one, player)} → {self.verdict(other, player)}"
        if self.chance(one, player) is None or self.chance(other, player) is None:
            mark, words = mark.replace("??", "?"), f"value {words}"  # of which nobody knows how much it matters
        elif not (one.proven and other.proven):
            words = f"{100 * (before - after):.0f} % of the chances of winning ({words})"
        return [
            {
                "ply": ply,
                "move": played,
                "who": self.game.player_name(player),
                "lost": before - after,
                "grade": mark,
                "words": words,
                "better": best,
                "line": list(one.line),
            }
        ]


def _is_as_good(found: Finding, best: Finding, player: int) -> bool:
    return component(found.value, player) == component(best.value, player) and found.distance == best.distance


def grade(lost: float | None) -> str:
    """How a move is marked that gave away so much."""
    if lost is None:
        return ""
    marks = ((BLUNDER, "??"), (MISTAKE, "?"), (SLIP, "?!"))
    return next((mark for least, mark in marks if lost >= least), "")


def line_names(game: Game, states: Iterable[Any], line: Iterable[Any]) -> tuple[str, ...]:
    """The first moves of a line as people write them."""
    past = list(states)
    names: list[str] = []
    for a in line:
        if len(names) == LINE or game.to_move(past[-1]) == CHANCE:
            break
        names.append(game.action_name(past[-1], a))
        past.append(game.result(past[-1], a))
    return tuple(names)


@functools.cache
def _fit(path: str) -> tuple[float, float]:
    """Slope and intercept of the logarithm of the odds by the value, as the weights were fitted."""
    with resources.files("zermelo").joinpath(path).open("rb") as file, np.load(file) as tables:
        about = json.loads(tables["about"].tobytes())
    return float(about["slope"]), float(about["intercept"])


def _is_as_fitted(what: str, game: Any) -> bool:
    return what != "othello" or game.size == 8
