"""Is a new evaluation better? Pairs of games by a crew, until Wald's sequential test decides; resumable."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from zermelo.arena.elo import finite
from zermelo.arena.score import Score
from zermelo.arena.sequential import Sprt
from zermelo.generations.saved import damaged, read_saved
from zermelo.kernel.files import write_whole
from zermelo.kernel.stopping import StopToken
from zermelo.learn.crew.crew import Crew, Job
from zermelo.learn.positions import PlaySettings

PAIRS = 8
"""Pairs that a worker plays at a time."""
SAVE_EVERY = 5.0
UNDECIDED = "undecided"
POINTS = [[first, second] for first in range(3) for second in range(3)]
"""The half points of a pair, as a file has them."""


class Contest:
    """The pairs of a test so far: the half points of the new evaluation in both games of each.

    counts   how often a pair had 0, ½, 1, 1½ and 2 points
    """

    def __init__(self, sprt: Sprt, most_pairs: int):
        self.sprt, self.most_pairs = sprt, most_pairs
        self.pairs: list[tuple[int, int]] = []
        self.counts = [0] * 5

    def add(self, first: int, second: int) -> None:
        self.pairs.append((first, second))
        self.counts[first + second] += 1

    @property
    def llr(self) -> float:
        return self.sprt.llr(self.counts) if self.pairs else 0.0

    @property
    def decision(self) -> str:
        """ "accept", "reject", "undecided" after the most pairs, or "go on"."""
        found = self.sprt.decision(self.counts) if self.pairs else "go on"
        return UNDECIDED if found == "go on" and len(self.pairs) >= self.most_pairs else found

    @property
    def score(self) -> Score:
        return Score.of((first / 2, second / 2) for first, second in self.pairs)

    def to_json(self) -> dict[str, Any]:
        score = self.score
        about = {name: getattr(score, name) for name in ("games", "wins", "draws", "losses", "score")}
        elo = {name: finite(getattr(score, name)) for name in ("elo", "low", "high")} if self.pairs else {}
        test = {"llr": self.llr, "lower": self.sprt.lower, "upper": self.sprt.upper, "decision": self.decision}
        return {**about, **elo, **test, "elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "pairs": self.pairs}


def contest(
    crew: Crew,
    path: Path,
    sprt: Sprt,
    first: str | None,
    second: str | None,
    play: PlaySettings,
    *,
    most_pairs: int,
    on_progress: Callable[[Contest], Any],
    stop: StopToken,
) -> Contest:
    """Test the evaluation in one file against that in another until a decision; None is the game's own evaluation.

    The pairs are saved in a file, from which an interrupted test continues. They count in the order of their numbers,
    so that short games do not count before long ones.
    """
    found = Contest(sprt, most_pairs)
    if path.exists():
        for pair in read_saved(path, "pairs")["pairs"]:
            if pair not in POINTS:
                raise damaged(path)
            found.add(*pair)
    saved = time.monotonic()
    waiting: dict[int, list[tuple[int, int]]] = {}

    def jobs() -> Iterator[Job]:
        about = {"kind": "pairs", "first": first, "second": second, "settings": play.to_json(), "pairs": PAIRS}
        for number in itertools.count(len(found.pairs), PAIRS):
            if found.decision != "go on":
                return
            yield {**about, "number": number}

    enough = StopToken(stop)
    for job, answer, _ in crew.do(jobs(), enough):
        waiting[job["number"]] = [(int(a), int(b)) for a, b in answer["points"]]
        while len(found.pairs) in waiting and found.decision == "go on":
            for pair in waiting.pop(len(found.pairs)):
                if found.decision == "go on":
                    found.add(*pair)
        on_progress(found)
        if time.monotonic() - saved > SAVE_EVERY:
            saved = time.monotonic()
            _save(path, found)
        if found.decision != "go on":
            enough.stop()
    _save(path, found)
    return found


def _save(path: Path, found: Contest) -> None:
    write_whole(path, json.dumps(found.to_json()).encode())
