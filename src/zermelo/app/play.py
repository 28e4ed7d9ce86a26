"""An interactive game in the terminal, against the best player that the library has for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from rich.console import Console

from zermelo.game.errors import IllegalAction, Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.kernel.random import Random
from zermelo.search.algorithm import choose
from zermelo.search.analysis import Analysis
from zermelo.search.driver import analyse
from zermelo.search.engine import Engine

HELP = "a move by its name, or: hint, moves, undo, help, quit"


class Quit(Exception):
    """The user has had enough."""


class Table:
    """A game in progress: the states so far, who is a person, and a console to show it on."""

    def __init__(self, game: Game, people: set[int], seconds: float, console: Console, ask: Callable[[str], str]):
        if game.hidden:
            raise Unsuitable(f"{game.name} hides information, and there is no player for such games in this version")
        choose(game)  # raises Unsuitable where nothing can play it
        self.game, self.people, self.seconds = game, people, seconds
        self.console, self.ask = console, ask
        self.states = [game.initial()]
        try:
            self.engine: Engine | None = Engine(game)
        except Unsuitable:
            self.engine = None  # dice, or more than two sides: whatever algorithm suits
        self.random = Random(int.from_bytes(os.urandom(8), "big"))

    def play(self) -> None:
        """Play until the end, or until the user quits."""
        self.console.print(f"[bold]{self.game.name}[/bold]: {HELP}", highlight=False)
        try:
            while not self._rules().is_terminal(self.states[-1]):
                self._turn()
            self._show()
            self._announce()
        except (Quit, EOFError, KeyboardInterrupt):
            self.console.print("\nGoodbye.")

    def _rules(self) -> Game:
        """The game, knowing the positions so far where its rules ask."""
        return self.game.remembering(self.states)

    def _turn(self) -> None:
        s = self.states[-1]
        mover = self.game.to_move(s)
        if mover == CHANCE:
            self.states.append(self.game.draw(s, self.random))
            outcome = next((o for o, _ in self.game.outcomes(s) if self.game.result(s, o) == self.states[-1]), None)
            if outcome is not None:
                self.console.print(f"chance: {outcome}")
        elif mover in self.people:
            self._show()
            self._persons_turn(s, mover)
        else:
            analysis = self._think()
            name = self.game.action_name(s, analysis.action)
            self.console.print(
                f"{self.game.player_name(mover)} plays [bold]{name}[/bold]  ({self._verdict(analysis)})",
                highlight=False,
            )
            self._go(analysis.action)

    def _think(self) -> Analysis:
        limits: Any = {"seconds": self.seconds, "history": self.states[:-1]}
        with self.console.status("thinking"):
            if self.engine is not None:
                return self.engine.think(self.states[-1], **limits)
            return analyse(self.game, self.states[-1], **limits)

    def _verdict(self, analysis: Analysis) -> str:
        certainty = "proven" if analysis.exact else f"estimated at depth {analysis.depth}"
        return f"{analysis.verdict}, {certainty}"

    def _persons_turn(self, s: Any, mover: int) -> None:
        word = self.ask(f"{self.game.player_name(mover)}> ").strip()
        command = word.casefold()
        if command in ("quit", "exit", "q"):
            raise Quit
        if command in ("help", "?", ""):
            self.console.print(HELP)
        elif command == "moves":
            names = [self.game.action_name(s, a) for a in self._rules().legal(s)]
            self.console.print("  ".join(names), highlight=False)
        elif command == "hint":
            analysis = self._think()
            name = self.game.action_name(s, analysis.action)
            self.console.print(f"{name}  ({self._verdict(analysis)})", highlight=False)
        elif command == "undo":
            self._undo(mover)
        else:
            try:
                self._go(self._rules().action_named(s, word))
            except IllegalAction as error:
                self.console.print(str(error), highlight=False, markup=False)

    def _undo(self, mover: int) -> None:
        """Back to the same person's turn before this one."""
        earlier = [i for i, s in enumerate(self.states[:-1]) if self.game.to_move(s) == mover]
        if earlier:
            del self.states[earlier[-1] + 1 :]
        else:
            self.console.print("there is nothing to take back")

    def _go(self, a: Any) -> None:
        self.states.append(self.game.result(self.states[-1], a))

    def _show(self) -> None:
        self.console.print(f"\n{self.game.text(self.states[-1])}", highlight=False, markup=False)

    def _announce(self) -> None:
        s = self.states[-1]
        worth = [self.game.utility(s, p) for p in range(self.game.players)]
        scores = ", ".join(f"{self.game.player_name(p)} {w:g}" for p, w in enumerate(worth))
        winners = [p for p, w in enumerate(worth) if w == max(worth)]
        end = f"{self.game.player_name(winners[0])} wins" if len(winners) == 1 else "a draw"
        self.console.print(f"[bold]{end}[/bold]  ({scores})", highlight=False)
