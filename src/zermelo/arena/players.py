"""The players that the library has: at random, by the engine, by any algorithm, and a person at the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.arena.player import Choice, Player, Turn
from zermelo.game.errors import IllegalAction
from zermelo.game.protocol import Game
from zermelo.lookup import OpeningBook
from zermelo.search.algorithm import choose, find, require_suitable
from zermelo.search.analysis import Analysis
from zermelo.search.driver import analyse
from zermelo.search.engine import Engine

DEFAULT_SECONDS = 0.1
"""How long a player thinks about a move where neither it nor a clock sets a limit."""
LIMITS = ("depth", "nodes", "seconds")


class RandomPlayer(Player):
    """Any legal move, each as likely as the others."""

    def choose(self, turn: Turn) -> Any:
        legal = turn.legal()
        return legal[turn.random.below(len(legal))]


class Searcher(Player):
    """A player who thinks within limits: its own, or a share of the clock."""

    def __init__(self, game: Game, limits: dict[str, Any]):
        self.game, self.limits = game, limits

    def think(self, turn: Turn) -> Analysis:
        raise NotImplementedError

    def choose(self, turn: Turn) -> Choice:
        analysis = self.think(turn)
        value = analysis.value
        return Choice(analysis.action, value[turn.player] if isinstance(value, tuple) else value, analysis)


class EnginePlayer(Searcher):
    """The engine, which forgets everything between two games, so that no game depends on another."""

    def __init__(self, game: Game, limits: dict[str, Any], options: dict[str, Any]):
        super().__init__(game, limits)
        self.engine = Engine(game, **options)
        self.is_ready = False

    def begin(self, game: Game) -> None:
        if not self.is_ready and not game.is_terminal(game.initial()):
            self.engine.think(nodes=1)  # compiles it
            self.is_ready = True
        self.engine.clear()

    def think(self, turn: Turn) -> Analysis:
        limits: dict[str, Any] = dict(self.limits)
        if turn.clock is not None:
            limits["clock"] = turn.clock
        elif not limits:
            limits["seconds"] = DEFAULT_SECONDS
        return self.engine.think(turn.state, history=turn.history, stop=turn.stop, **limits)


class AlgorithmPlayer(Searcher):
    """Any algorithm of the library, or of one's own."""

    def __init__(self, game: Game, algorithm: Any, limits: dict[str, Any], options: dict[str, Any]):
        super().__init__(game, limits)
        self.algorithm = choose(game)[0] if algorithm is None else find(algorithm)
        require_suitable(self.algorithm, game, game.traits)
        self.options = options
        self.is_ready = False

    def begin(self, game: Game) -> None:
        if not self.is_ready and not game.is_terminal(game.initial()):
            analyse(game, algorithm=self.algorithm, nodes=1, **self.options)
            self.is_ready = True

    def think(self, turn: Turn) -> Analysis:
        limits: dict[str, Any] = dict(self.limits)
        if turn.clock is not None:
            limits["seconds"] = min(limits.get("seconds", turn.clock.remaining), turn.clock.limits()[0])
        elif not limits and self.algorithm.deepens:
            limits["seconds"] = DEFAULT_SECONDS
        return analyse(self.game, turn.state, algorithm=self.algorithm, history=turn.history, **limits, **self.options)


class Distracted(Player):
    """A player who now and then moves at random: how beginners are made of strong players."""

    def __init__(self, player: Player, share: float):
        self.player, self.share, self.is_person = player, share, player.is_person

    def begin(self, game: Game) -> None:
        self.player.begin(game)

    def choose(self, turn: Turn) -> Any:
        if turn.random.uniform() < self.share:
            return RandomPlayer().choose(turn)
        return self.player.choose(turn)

    def close(self) -> None:
        self.player.close()


class Reader(Player):
    """A player who looks into a book of openings first, and thinks where it ends."""

    def __init__(self, player: Player, book: OpeningBook, **how: Any):
        self.player, self.book, self.how, self.is_person = player, book, how, player.is_person

    def begin(self, game: Game) -> None:
        self.player.begin(game)

    def choose(self, turn: Turn) -> Any:
        action = self.book.choose(turn.state, turn.random, **self.how)
        return self.player.choose(turn) if action is None else action

    def close(self) -> None:
        self.player.close()


class Person(Player):
    """Somebody at the terminal."""

    is_person = True

    def __init__(self, ask: Callable[[str], str] = input, say: Callable[[str], Any] = print):
        self.ask, self.say = ask, say

    def choose(self, turn: Turn) -> Any:
        game = turn.game
        self.say(f"\n{game.text(game.seen_by(turn.state, turn.player))}")
        while True:
            try:
                word = self.ask(f"{game.player_name(turn.player)}> ").strip()
            except EOFError:
                raise KeyboardInterrupt from None  # nobody is there any more: the match is stopped, and not lost
            try:
                return game.remembering(turn.states).action_named(turn.state, word)
            except IllegalAction as error:
                self.say(str(error))
