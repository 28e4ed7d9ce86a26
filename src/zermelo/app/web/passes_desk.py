"""The desk for retrograde analysis: which positions of a small game become known in which pass, and why."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from zermelo import games
from zermelo.app.web.desk import Say
from zermelo.game.protocol import Game
from zermelo.games.rook_ending import RookEnding
from zermelo.lookup.passes import reason
from zermelo.lookup.strong import Solution, solve_all
from zermelo.pictures import draw
from zermelo.search.wording import Worth, words

LESSONS: dict[str, tuple[str, Callable[[], Game]]] = {
    "rook_ending": ("King and rook against king, 4 × 4", RookEnding),
    "rook_ending_3": ("King and rook against king, 3 × 3", lambda: RookEnding(3)),
    "tic_tac_toe": ("Tic-tac-toe", lambda: games.load("tic_tac_toe")),
    "nim": ("Nim with heaps of 1, 2 and 3", lambda: games.load("nim", piles=(1, 2, 3))),
    "connect_three": ("Three in a row with gravity, 3 × 4", lambda: games.load("connect_four", width=4, height=3, k=3)),
}
"""Small games to choose from: the title, and the game."""
SHOWN = 12
"""How many positions are sent at a time."""
ENDLESS = -1
"""The number of the pass of positions that no pass decides."""


class PassesDesk:
    """The solution of the chosen game. Each of these games is solved in less than a second."""

    def __init__(self, say: Say):
        self.say = say
        self.guard = threading.RLock()
        self.lesson: Lesson | None = None

    def do_passes(self, lesson: str) -> None:
        if lesson not in LESSONS:
            raise ValueError(f"there is no game {lesson!r} to analyse backwards; there are {', '.join(LESSONS)}")
        if self.lesson is None or self.lesson.name != lesson:
            self.lesson = Lesson(lesson)
        titles = [{"name": name, "title": title} for name, (title, _) in LESSONS.items()]
        self.say({"kind": "passes", "lessons": titles, **self.lesson.overview()})

    def do_pass(self, number: int, first: int, verdict: str) -> None:
        self.say({"kind": "pass", **self._chosen().positions(number, first, verdict)})

    def do_known(self, state: int) -> None:
        self.say({"kind": "known", **self._chosen().known(state)})

    def _chosen(self) -> Lesson:
        if self.lesson is None:
            raise ValueError("no game is chosen yet")
        return self.lesson

    def leave(self) -> None:
        """There is no work to stop."""


class Lesson:
    """A solved game, its positions by pass. Positions are numbered in the order in which they were found."""

    def __init__(self, name: str):
        self.name = name
        self.solution: Solution = solve_all(LESSONS[name][1]())
        self.game = self.solution.game
        self.states = list(self.solution)
        self.number_of = {s: i for i, s in enumerate(self.states)}
        self.by_pass: dict[int, list[int]] = {}
        for i, s in enumerate(self.states):
            self.by_pass.setdefault(self._pass(s), []).append(i)

    def _pass(self, s: Any) -> int:
        distance = self.solution[s].distance
        return ENDLESS if distance is None else distance

    def verdict(self, s: Any) -> str:
        """The value of a position in words."""
        return words(self.game, Worth(self.solution[s].value, self.solution.player, proven=True))

    def overview(self) -> dict[str, Any]:
        """How many positions each pass decides, by their value; those that no pass decides come last."""
        order = sorted(self.by_pass, key=lambda number: (number == ENDLESS, number))
        rows: list[dict[str, Any]] = []
        for number in order:
            counts: dict[str, int] = {}
            for i in self.by_pass[number]:
                verdict = self.verdict(self.states[i])
                counts[verdict] = counts.get(verdict, 0) + 1
            rows.append({"number": number, "total": len(self.by_pass[number]), "counts": counts})
        verdicts = list(dict.fromkeys(verdict for row in rows for verdict in row["counts"]))
        about = {"lesson": self.name, "title": self.game.title, "total": len(self.states), "verdicts": verdicts}
        return {**about, "passes": rows, "start": self.number_of[self.game.initial()]}

    def positions(self, number: int, first: int, verdict: str = "") -> dict[str, Any]:
        """Some of the positions of a pass, as pictures: all, or only those with this value."""
        if number not in self.by_pass:
            raise ValueError(f"there is no pass {number} of {self.game.title}")
        found = [i for i in self.by_pass[number] if not verdict or self.verdict(self.states[i]) == verdict]
        first = max(0, min(first // SHOWN, (len(found) - 1) // SHOWN)) * SHOWN
        shown = [self.shown(i) for i in found[first : first + SHOWN]]
        about = {"number": number, "first": first, "verdict": verdict}
        return {**about, "total": len(found), "each": SHOWN, "positions": shown}

    def shown(self, i: int) -> dict[str, Any]:
        """A position: its picture, who moves, and its value."""
        s = self.states[i]
        over = self.game.is_terminal(s)
        turn = "" if over else f"{self.game.player_name(self.game.to_move(s))} to move"
        picture = draw(self.game, s, title=turn or "the game is over")
        return {"state": i, "svg": picture, "turn": turn, "verdict": self.verdict(s), "number": self._pass(s)}

    def known(self, i: int) -> dict[str, Any]:
        """A position, why it has its value, and what each move leads to, the best moves first."""
        if not 0 <= i < len(self.states):
            raise ValueError(f"there is no position {i} of {self.game.title}")
        s, game = self.states[i], self.game
        best = self.solution[s].moves
        moves = []
        for a in sorted(game.actions(s), key=lambda a: a not in best) if not game.is_terminal(s) else ():
            after = game.result(s, a)
            where = {"state": self.number_of[after], "number": self._pass(after), "verdict": self.verdict(after)}
            moves.append({"name": game.action_name(s, a), "best": a in best, **where})
        return {**self.shown(i), "because": reason(self.solution, s), "moves": moves}
