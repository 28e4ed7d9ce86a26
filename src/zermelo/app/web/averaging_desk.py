"""The desk for averaging over clairvoyance: its failings step by step, next to IS-MCTS and the equilibrium."""

from __future__ import annotations

import threading
from typing import Any

from zermelo import games
from zermelo.app.web.desk import Say
from zermelo.app.web.faults import in_words
from zermelo.app.web.thinker import Job, Thinker, require_wanted
from zermelo.blackboard.clairvoyance import averaging
from zermelo.blackboard.information_sets import InformationTree
from zermelo.games.resolve import played
from zermelo.kernel.stopping import StopToken
from zermelo.search.comparison import compare

SIMULATIONS = 500
"""Of IS-MCTS in each information set: enough for games that fit on a page."""
LESSONS = {
    "roads": (
        "The roads",
        "roads",
        ("day1",),
        "Road A leads to one pot of gold. Road B forks: one way leads to two pots, the other one under a bus. Which "
        "one is which changes every day, and nobody tells you.",
    ),
    "strategy_fusion": (
        "Strategy fusion",
        "strategy_fusion",
        ("red",),
        "Take 1 for certain, or guess the colour of a card that you do not see. The opponent may double the stake.",
    ),
    "non_locality": (
        "Non-locality",
        "non_locality",
        ("low", "go"),
        "The dealer has looked at a card and could have stopped, but lets you guess. What does that tell you?",
    ),
    "kuhn_queen": (
        "Kuhn poker: the Queen faces a bet",
        "kuhn_poker",
        ("KQ", "bet"),
        "You hold the Queen, and the opponent bets. Does the bet say nothing about the card, as averaging assumes?",
    ),
    "kuhn_jack": (
        "Kuhn poker: the Jack opens",
        "kuhn_poker",
        ("JQ",),
        "You hold the Jack. With open cards nobody would ever bluff.",
    ),
}
"""Positions: title, game, moves that lead there, and the story."""


class AveragingDesk:
    """The chosen position. Steps come at once, and the comparison a moment later."""

    def __init__(self, say: Say):
        self.say = say
        self.guard = threading.RLock()
        self.wanted: str | None = None
        self.known: dict[str, dict[str, Any]] = {}
        self.thinker = Thinker(self.guard, self._next, lambda error: say({"kind": "error", "error": in_words(error)}))

    def do_averaging(self, lesson: str) -> None:
        if lesson not in LESSONS:
            raise ValueError(f"there is no lesson {lesson!r} on averaging; there are {', '.join(LESSONS)}")
        title, name, moves, story = LESSONS[lesson]
        game = games.load(name)
        state = played(game, moves)[-1]
        tree = InformationTree(game)
        here = next(point.which for point in tree.points if point.state == state)
        about = {"lesson": lesson, "title": title, "story": story, "game": name, "position": list(moves)}
        lessons = [{"name": each, "title": parts[0]} for each, parts in LESSONS.items()]
        picture = tree.svg(title=f"{title}: the whole game")
        found = averaging(game, state).to_json()
        self.say({"kind": "averaging", **about, **found, "lessons": lessons, "svg": picture, "set": here})
        self.wanted = lesson
        self.thinker.interrupt()

    def _next(self) -> Job | None:
        lesson = self.wanted
        return None if lesson is None else lambda token: self._compare(lesson, token)

    def _compare(self, lesson: str, token: StopToken) -> None:
        if lesson not in self.known:
            _, name, moves, _ = LESSONS[lesson]
            game = games.load(name)
            found = compare(game, played(game, moves)[-1], simulations=SIMULATIONS, compile=False, stop=token)
            self.known[lesson] = {"kind": "compared", "lesson": lesson, "rows": found.rows()}
        with self.guard:
            require_wanted(token)
            self.wanted = None
            self.say(self.known[lesson])

    def leave(self) -> None:
        """Stop the comparison."""
        self.wanted = None
        self.thinker.interrupt()
