"""What a worker can do: jobs and answers are plain data, with the positions of a block as bytes beside them."""

from __future__ import annotations

from typing import Any

from zermelo.game.protocol import Game
from zermelo.games.resolve import resolve
from zermelo.kernel.stopping import StopToken
from zermelo.learn.crew.messages import Answer
from zermelo.learn.positions.contest import Contest
from zermelo.learn.positions.evaluations import with_evaluation
from zermelo.learn.positions.generator import Generator, PlaySettings


class Workshop:
    """Does jobs for one game. A job has a `kind`, the files of the evaluations to use, and `settings`.

    positions   a block of so many positions by self-play: `number`, `positions`, `evaluation`
    pairs       pairs of games between two evaluations: `number` of the first one, `pairs`, `first`, `second`
    """

    def __init__(self, game: Game):
        self.game = game
        self._made: dict[Any, Any] = {}

    @staticmethod
    def from_words(words: dict[str, Any]) -> Workshop:
        return Workshop(resolve(words["game"], words["parameters"]))

    def do(self, job: dict[str, Any], stop: StopToken) -> Answer:
        settings = PlaySettings.from_json(job["settings"])
        if job["kind"] == "positions":
            generator = self._kept(("positions", job["evaluation"], settings), self._generator)
            records = generator.block(job["number"], job["positions"], stop)
            return generator.report, records.tobytes()
        contest = self._kept(("pairs", job["first"], job["second"], settings), self._contest)
        return {"points": contest.pairs(job["number"], job["pairs"], stop)}, b""

    def _kept(self, key: Any, make: Any) -> Any:
        """What was made for the same kind of job before: only the last, since each has memory of its own."""
        if key not in self._made:
            self._made = {key: make(*key[1:])}
        return self._made[key]

    def _generator(self, evaluation: str | None, settings: PlaySettings) -> Generator:
        return Generator(with_evaluation(self.game, evaluation), settings)

    def _contest(self, first: str | None, second: str | None, settings: PlaySettings) -> Contest:
        return Contest(with_evaluation(self.game, first), with_evaluation(self.game, second), settings)
