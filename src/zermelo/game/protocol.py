"""`Game`, the base class of every game: the textbook's six methods, and what a game may add to them.

Each group of methods has a file of its own; `methods.py` is the table of all of them.

    rules         the textbook's six methods, which every game defines
    chance        outcomes and draws
    hidden        what players know
    path          positions that have occurred before, and hooks at every node
    hints         estimates, bounds and lists of moves for a search
    sampling      simulated games for Monte Carlo tree search
    numbering     positions as numbers, for tables
    features      an evaluation that can be learned
    presentation  names, texts and pictures for people
    general       what follows from the rules
"""

from __future__ import annotations

from zermelo.game.chance import CHANCE
from zermelo.game.errors import IllegalAction
from zermelo.game.features import Features
from zermelo.game.hidden import HiddenInformation
from zermelo.game.numbering import Numbering
from zermelo.game.presentation import Presentation
from zermelo.game.rules import Action, State
from zermelo.game.traits import Traits

__all__ = ["CHANCE", "Action", "Game", "State", "Traits"]


class Game(Presentation, Numbering, Features, HiddenInformation):
    """The base class of every game.

    Every game defines the textbook's six methods: `initial`, `to_move`, `actions`, `result`, `is_terminal` and
    `utility`. All other methods are optional. Class attributes declare the traits.
    """

    def play(self, *moves: Action, state: State = None) -> State:
        """The state after these moves (or names of moves, or chance outcomes), each checked to be legal."""
        s = self.initial() if state is None else self.checked(state)
        past = [s]
        for number, move in enumerate(moves, 1):
            rules = self.remembering(past)
            if rules.is_terminal(s):
                raise IllegalAction(f"move {number}, {move!r}: the game of {self.title} is over")
            legal = rules.moves_at(s)
            if move in legal:
                a = move
            elif isinstance(move, str) and (self.to_move(s) != CHANCE or self.offers("action_named")):
                a = rules.action_named(s, move)
            else:
                raise IllegalAction(f"move {number}, {move!r}, is not legal in {self.title}; {self._listed(s, legal)}")
            s = self.result(s, a)
            past.append(s)
        return s
