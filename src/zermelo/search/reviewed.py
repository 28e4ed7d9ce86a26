"""What a review found: every move with its grade, every roll with its luck, and each player's totals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from zermelo.game.protocol import Game
from zermelo.kernel.tabular import Tabular
from zermelo.search.grades import GRADES, accuracy
from zermelo.search.wording import Worth, legend, result_of, words


@dataclass(frozen=True)
class Reviewed:
    """One move of the game.

    before   what the best move was worth to the mover; `best` is its name, and `line` begins with it
    after    what the move that was played is worth to the mover; `reply` is how play goes on then
    lost     the share of the winning chances that the move lost; None if that is unknown
    grade    "", "?!" (inaccuracy), "?" (mistake) or "??" (blunder)
    why      a sentence about it; empty without a grade
    cost     in games with chance, the points that the move lost; None in others
    counts   is it part of the error rate? Forced moves are not, nor obvious decisions about the stake
    """

    ply: int
    player: int
    name: str
    before: Worth
    after: Worth
    best: str
    line: tuple[str, ...]
    reply: tuple[str, ...]
    lost: float | None
    grade: str
    why: str
    cost: float | None = None
    counts: bool = False

    @property
    def is_decided(self) -> bool:
        """Are both values proven?"""
        return self.before.proven and self.after.proven


@dataclass(frozen=True)
class Rolled:
    """One outcome of chance: how lucky it was for the player to whom it belongs, in points."""

    ply: int
    player: int
    name: str
    luck: float


@dataclass(frozen=True)
class Review(Tabular):
    """What a review found. `moves` has the moves that were graded; a review that was stopped has the last ones.

    In a game with chance, `rolls` has the luck of each outcome.
    """

    game: Game = field(repr=False)
    states: tuple[Any, ...] = field(repr=False)
    moves: tuple[Reviewed, ...]
    plies: int
    done: bool
    rolls: tuple[Rolled, ...] = ()

    @property
    def mistakes(self) -> list[Reviewed]:
        """The moves with a grade."""
        return [move for move in self.moves if move.grade]

    @property
    def first_losing(self) -> Reviewed | None:
        """The first move by which a player who was not lost was lost, as far as that is proven."""
        for move in self.moves:
            if result_of(self.game, move.after) == 0 and result_of(self.game, move.before) != 0:
                return move
        return None

    def accuracy(self, player: int) -> float | None:
        """The average accuracy of a player's moves, from 0 to 100; None if none could be judged."""
        found = [accuracy(move.lost) for move in self.moves if move.player == player and move.lost is not None]
        return sum(found) / len(found) if found else None

    def counts(self, player: int) -> dict[str, int]:
        """How many inaccuracies, mistakes and blunders a player made."""
        marks = [move.grade for move in self.moves if move.player == player]
        return {name: marks.count(mark) for mark, name in GRADES.items()}

    @property
    def has_luck(self) -> bool:
        """Were points and luck measured?"""
        return bool(self.rolls) or any(move.cost is not None for move in self.moves)

    def luck(self, player: int) -> float:
        """A player's luck, in points: the opponent's bad luck counts too."""
        return sum(roll.luck if roll.player == player else -roll.luck for roll in self.rolls)

    def lost_points(self, player: int) -> float:
        """The points that a player's moves lost."""
        return sum(move.cost or 0.0 for move in self.moves if move.player == player)

    def decisions(self, player: int) -> int:
        """How many of a player's decisions are part of the error rate."""
        return sum(move.counts for move in self.moves if move.player == player)

    def error_rate(self, player: int) -> float | None:
        """The points lost per decision, times 1,000; None without decisions."""
        decisions = self.decisions(player)
        return 1000 * self.lost_points(player) / decisions if decisions else None

    def to_json(self) -> dict[str, Any]:
        """The review as plain data."""
        return {
            "game": self.game.name,
            "legend": legend(self.game),
            "done": self.done,
            "plies": self.plies,
            "players": [self._player(p) for p in range(self.game.players)],
            "moves": [self._move(move) for move in self.moves],
            "rolls": [
                {"ply": roll.ply, "player": self.game.player_name(roll.player), "roll": roll.name, "luck": roll.luck}
                for roll in self.rolls
            ],
        }

    def _player(self, p: int) -> dict[str, Any]:
        said = {"name": self.game.player_name(p), "accuracy": self.accuracy(p), **self.counts(p)}
        if self.has_luck:
            said |= {"error_rate": self.error_rate(p), "lost": self.lost_points(p), "luck": self.luck(p)}
            said |= {"decisions": self.decisions(p)}
        return said

    def _move(self, move: Reviewed) -> dict[str, Any]:
        return {
            "ply": move.ply,
            "player": self.game.player_name(move.player),
            "move": move.name,
            "value": words(self.game, move.after),
            "proven": move.after.proven,
            "lost": move.lost,
            "grade": move.grade,
            "best": move.best,
            "best_value": words(self.game, move.before),
            "line": list(move.line),
            "why": move.why,
            "cost": move.cost,
        }

    def table(self) -> list[dict[str, Any]]:
        """One row for each move, with the roll before it."""
        rolls = {roll.ply + 1: roll for roll in self.rolls}
        rows = []
        for move in self.moves:
            roll = rolls.get(move.ply)
            rows.append(
                {
                    "ply": move.ply + 1,
                    "player": self.game.player_name(move.player),
                    "roll": "" if roll is None else roll.name,
                    "luck": None if roll is None else roll.luck,
                    "move": f"{move.name}{move.grade}",
                    "value": move.after.value,
                    "best": move.best,
                    "best_value": move.before.value,
                    "lost": move.lost if move.cost is None else move.cost,
                }
            )
        return rows

    def __str__(self) -> str:
        rows = [f"{move.ply + 1:>4}. {self._row(move)}" for move in self.moves]
        if not self.done:
            rows.insert(0, f"stopped: {len(self.moves)} of {self.plies} moves were reviewed, from the end")
        return "\n".join([*rows, *self.summary(), legend(self.game)])

    def _row(self, move: Reviewed) -> str:
        who, said = self.game.player_name(move.player), move.why or words(self.game, move.after)
        return f"{who:<6} {f'{move.name}{move.grade}':<8} {said}"

    def summary(self) -> list[str]:
        """A line for each player."""
        rows = []
        for p in range(self.game.players):
            told = [f"{count} {_plural(name, count)}" for name, count in self.counts(p).items()]
            found, rate = self.accuracy(p), self.error_rate(p)
            if self.has_luck:
                rated = "" if rate is None else f"error rate {rate:.1f} ({self.decisions(p)} decisions), "
                told.insert(0, f"{rated}lost {self.lost_points(p):.3f} points, luck {self.luck(p):+.3f}")
            elif found is not None:
                told.insert(0, f"accuracy {found:.0f} %")
            rows.append(f"{self.game.player_name(p)}: {', '.join(told)}")
        return rows


def _plural(name: str, count: int) -> str:
    if count == 1:
        return name
    return name[:-1] + "ies" if name.endswith("y") else f"{name}s"
