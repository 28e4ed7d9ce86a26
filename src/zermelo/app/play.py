"""An interactive game in the terminal, against any player of the arena."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.markup import escape

from zermelo.arena.levels import strongest
from zermelo.arena.player import Choice, Player, Turn
from zermelo.arena.roster import player_of
from zermelo.game.errors import IllegalAction, Unsuitable
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.record import outcome_name
from zermelo.kernel.random import Random
from zermelo.search.algorithm import choose
from zermelo.search.analysis import Analysis

HELP = "a move by its name, or: hint, moves, undo, help, quit"


class Quit(Exception):
    """The user has had enough."""


class Table:
    """A game in progress: the states so far, who is a person, and a console to show it on."""

    def __init__(
        self,
        game: Game,
        people: set[int],
        seconds: float,
        console: Console,
        ask: Callable[[str], str],
        opponent: str | None = None,
    ):
        if game.hidden:
            raise Unsuitable(f"{game.name} hides information, and there is no player for such games in this version")
        choose(game)  # raises Unsuitable where nothing can play it
        self.game, self.people = game, people
        self.console, self.ask = console, ask
        self.states = [game.initial()]
        self.moves: list[str | None] = []
        best = f"{strongest(game)}:seconds={seconds}"
        self.adviser = player_of(best, game)
        self.opponent = self.adviser if opponent is None else player_of(opponent, game)
        self.ready: set[Player] = set()
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
        finally:
            for player in self.ready:
                player.close()

    def _rules(self) -> Game:
        """The game, knowing the positions so far where its rules ask."""
        return self.game.remembering(self.states)

    def _turn(self) -> None:
        s = self.states[-1]
        mover = self.game.to_move(s)
        if mover == CHANCE:
            after = self.game.draw(s, self.random)
            outcome = outcome_name(self.game, s, after)
            self.states.append(after)
            self.moves.append(outcome)
            if outcome is not None:
                self.console.print(f"chance: {outcome}", highlight=False, markup=False)
        elif mover in self.people:
            self._show()
            self._persons_turn(s, mover)
        else:
            choice = self._asked(self.opponent)
            if choice.action not in self._rules().legal(s):
                raise IllegalAction(f"{self.opponent.name} wants to play {choice.action!r}, which is not legal")
            name = self.game.action_name(s, choice.action)
            verdict = f"  ({self._verdict(choice.analysis)})" if choice.analysis is not None else ""
            self.console.print(
                f"{escape(self.game.player_name(mover))} plays [bold]{escape(name)}[/bold]{verdict}",
                highlight=False,
            )
            self._go(choice.action)

    def _asked(self, player: Player) -> Choice:
        """What a player would do here."""
        s = self.states[-1]
        if player not in self.ready:
            with self.console.status("getting ready"):
                player.begin(self.game)
            self.ready.add(player)
        with self.console.status("thinking"):
            chosen = player.choose(Turn(self.game, self.states, self.moves, self.game.to_move(s), self.random))
        return chosen if isinstance(chosen, Choice) else Choice(chosen)

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
            self.console.print("  ".join(names), highlight=False, markup=False)
        elif command == "hint":
            choice = self._asked(self.adviser)
            verdict = f"  ({self._verdict(choice.analysis)})" if choice.analysis is not None else ""
            self.console.print(f"{self.game.action_name(s, choice.action)}{verdict}", highlight=False, markup=False)
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
            del self.moves[earlier[-1] :]
        else:
            self.console.print("there is nothing to take back")

    def _go(self, a: Any) -> None:
        s = self.states[-1]
        self.moves.append(self.game.action_name(s, a))
        self.states.append(self.game.result(s, a))

    def _show(self) -> None:
        self.console.print(f"\n{self.game.text(self.states[-1])}", highlight=False, markup=False)

    def _announce(self) -> None:
        s = self.states[-1]
        worth = [self.game.utility(s, p) for p in range(self.game.players)]
        scores = ", ".join(f"{self.game.player_name(p)} {w:g}" for p, w in enumerate(worth))
        winners = [p for p, w in enumerate(worth) if w == max(worth)]
        end = f"{self.game.player_name(winners[0])} wins" if len(winners) == 1 else "a draw"
        self.console.print(f"[bold]{escape(end)}[/bold]  ({escape(scores)})", highlight=False)
