"""The players of the library: random moves, a search by any algorithm, a saved strategy, and a person."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from zermelo.arena.player import Choice, Player, Resigned, Turn
from zermelo.equilibria.bucket_strategy import load_strategy
from zermelo.game.errors import IllegalAction
from zermelo.game.protocol import Game
from zermelo.lookup import OpeningBook
from zermelo.search.analysis import Analysis
from zermelo.search.question import Question
from zermelo.search.registry import choose, find, require_suitable

DEFAULT_SECONDS = 0.1
"""How long a player thinks about a move if neither its options nor a clock set a limit."""
HOPELESS_MOVES = 3
"""A player resigns after so many hopeless moves in a row."""
LIMITS = ("depth", "nodes", "seconds")


class RandomPlayer(Player):
    """Any legal move, with equal probability."""

    def choose(self, turn: Turn) -> Any:
        legal = turn.legal()
        return legal[turn.random.below(len(legal))]


class Always(Player):
    """A player that always makes the same move, such as a raise: the first of some that is legal.

    If none of them is legal, it makes the first legal move.
    """

    def __init__(self, moves: str):
        self.moves = [each.strip() for each in moves.split(",") if each.strip()]
        if not self.moves:
            raise ValueError("always: name the moves to make, the most preferred first, as in always:raise,call,check")

    def choose(self, turn: Turn) -> Any:
        for move in self.moves:
            with contextlib.suppress(IllegalAction):
                return turn.game.remembering(turn.states).action_named(turn.state, move)
        return turn.legal()[0]


class StrategyPlayer(Player):
    """A player that follows a saved strategy, or the game's own: each move as often as the strategy says."""

    def __init__(self, game: Game, path: str):
        self.strategy = load_strategy(path, game)

    def choose(self, turn: Turn) -> Any:
        chances = self.strategy.policy(turn.state)
        left = turn.random.uniform()
        for move, chance in chances.items():
            left -= chance
            if left < 0.0:
                return move
        return max(chances, key=chances.__getitem__)  # only rounding leads here


class SearchPlayer(Player):
    """A player that searches, by any algorithm: within its own limits, or a share of the clock.

    It forgets everything between two games, so that no game depends on another.
    """

    def __init__(self, game: Game, algorithm: Any, limits: dict[str, Any], options: dict[str, Any]):
        options = dict(options)
        compile, self.deepening = options.pop("compile", None), options.pop("deepening", None)
        chosen = choose(game)[0] if algorithm is None else find(algorithm)
        require_suitable(chosen, game)
        chosen.check_options(options)
        self.game, self.limits, self.algorithm = game, limits, chosen
        self.searcher = chosen.make(chosen, game, compile, options)
        self.is_ready = False

    def begin(self, game: Game) -> None:
        start = game.initial()
        if not self.is_ready and not game.is_terminal(start):
            self.searcher.analyse(Question(self.game, start, nodes=1))  # compiles it
            self.is_ready = True
        self.searcher.clear()

    def choose(self, turn: Turn) -> Choice:
        analysis = self.think(turn)
        value = analysis.value
        return Choice(analysis.action, value[turn.player] if isinstance(value, tuple) else value, analysis)

    def think(self, turn: Turn, *, all_moves: bool = False) -> Analysis:
        """The search for the move of this turn, with the values of all moves or only of the best."""
        limits: dict[str, Any] = dict(self.limits)
        if turn.clock is None and not limits and self.algorithm.anytime:
            limits["seconds"] = DEFAULT_SECONDS
        how: dict[str, Any] = {"clock": turn.clock, "stop": turn.stop, "deepening": self.deepening}
        if self.algorithm.randomised:  # otherwise it would play the same game every time
            how["seed"] = turn.random.bits()
        question = Question(self.game, turn.state, turn.history, all_moves=all_moves, **how, **limits)
        return self.searcher.analyse(question)


class Distracted(Player):
    """A player that makes a share of its moves at random: a weaker version of a strong player."""

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


class Resigning(Player):
    """A player that gives up when it has expected less than a share of a win for several moves in a row."""

    def __init__(self, player: Player, share: float):
        self.player, self.share, self.is_person = player, share, player.is_person
        self.hopeless = 0  # moves in a row

    def begin(self, game: Game) -> None:
        self.hopeless = 0
        self.player.begin(game)

    def choose(self, turn: Turn) -> Any:
        choice = self.player.choose(turn)
        value = choice.value if isinstance(choice, Choice) else None
        low, high = turn.game.utility_range
        is_hopeless = value is not None and value < low + self.share * (high - low)
        self.hopeless = self.hopeless + 1 if is_hopeless else 0
        if self.hopeless == HOPELESS_MOVES:
            raise Resigned(f"it expected {value:.3g} for {HOPELESS_MOVES} moves")
        return choice

    def close(self) -> None:
        self.player.close()


class Reader(Player):
    """A player that uses an opening book first, and another player when the book ends."""

    def __init__(self, player: Player, book: OpeningBook, **how: Any):
        self.player, self.book, self.how, self.is_person = player, book, how, player.is_person

    def begin(self, game: Game) -> None:
        self.player.begin(game)

    def choose(self, turn: Turn) -> Any:
        action = self.book.choose(turn.state, turn.random, **self.how)
        return self.player.choose(turn) if action is None else Choice(action, source="book")

    def close(self) -> None:
        self.player.close()


class Person(Player):
    """A person at the terminal."""

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
                raise KeyboardInterrupt from None  # the input has ended: the match is stopped, not lost
            try:
                return game.remembering(turn.states).action_named(turn.state, word)
            except IllegalAction as error:
                self.say(str(error))
