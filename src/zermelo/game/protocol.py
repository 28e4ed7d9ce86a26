"""What a game is: the textbook's elements as methods, what a game may add, and the traits that it declares.

A state is a value: hashable, never changed. Where it is a NamedTuple of fixed-width integers, the same rules also
run compiled. Players are numbered from 0; CHANCE moves where dice fall or cards are dealt.
"""

from __future__ import annotations

import copy
import functools
import inspect
import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

from zermelo.game.board import Board
from zermelo.game.errors import GameError, IllegalAction, StateError
from zermelo.game.hashing import mixed
from zermelo.game.state import is_named_tuple, normalise, normaliser

CHANCE = -1
"""The player to move where dice, cards or nature decide."""

State = Any
Action = Any


@dataclass(frozen=True)
class Traits:
    """What kind of game it is, as declared by its class: enough to say which algorithms suit it."""

    players: int
    sides: int
    chance: bool
    hidden: bool
    zero_sum: bool
    utility_range: tuple[float, float]
    lists_outcomes: bool
    uses_history: bool

    def __str__(self) -> str:
        words = [f"{self.players} player{'s' * (self.players != 1)}"]
        if self.sides != self.players:
            words.append(f"{self.sides} sides")
        words.append("zero-sum" if self.zero_sum else "general-sum")
        words.append("chance" if self.chance else "no chance")
        words.append("hidden information" if self.hidden else "perfect information")
        return ", ".join(words)


class Game:
    """The base class of every game.

    The six methods of the textbook are each game's own: `initial`, `to_move`, `actions`, `result`, `is_terminal` and
    `utility`. Everything below them is optional. Class attributes declare the traits.
    """

    players: int = 2
    chance: bool = False  # does CHANCE ever move?
    hidden: bool = False  # is some of the state hidden from some player?
    zero_sum: bool = True  # do the sides' utilities add up to a constant?
    utility_range: tuple[float, float] = (-math.inf, math.inf)  # the least and the greatest utility
    max_actions: int | None = None  # an upper bound on the legal moves, and on the outcomes, of any state
    uses_history: bool = False  # do the rules ask how often a position has occurred?
    decisive: bool = True  # are the ends of the utility range a win and a loss: the sooner, the later, the better?
    forward_pruning: tuple[
        str, ...
    ] = ()  # which of "null_move", "reductions", "futility", "beam" are safe enough here?
    evaluation_unit: float | None = None  # a small difference in evaluation, by which margins are measured; by default
    # a hundredth of the utility range

    # The textbook's elements.

    def initial(self) -> State:
        """S0, the state in which the game begins."""
        raise NotImplementedError

    def to_move(self, s: State) -> int:
        """The player whose turn it is, or CHANCE."""
        raise NotImplementedError

    def actions(self, s: State) -> Iterable[Action]:
        """Yields the legal moves."""
        raise NotImplementedError

    def result(self, s: State, a: Action) -> State:
        """The state that a move, or a chance outcome, leads to."""
        raise NotImplementedError

    def is_terminal(self, s: State) -> bool:
        """Is the game over?"""
        raise NotImplementedError

    def utility(self, s: State, p: int) -> float:
        """What the end of the game is worth to player p."""
        raise NotImplementedError

    # Chance: one of these two, where CHANCE moves.

    def outcomes(self, s: State) -> Iterable[tuple[Action, float]]:
        """Yields (outcome, probability) at a CHANCE state; a game without chance has none."""
        for outcome in range(0):
            yield outcome, 0.0

    def draw(self, s: State, random: Any) -> State:
        """The state after chance has moved from a CHANCE state, drawn with its probability; by default by `outcomes`.

        It is a state, not an outcome: a deal of cards can go more ways than a move has bits.
        """
        left = random.uniform()
        last = -1
        for outcome, probability in self.outcomes(s):
            left -= probability
            last = outcome
            if left < 0.0:
                break
        return self.result(s, last)

    # Hidden information.

    def information(self, s: State, p: int) -> Hashable:
        """All that player p can know in this state: equal where p cannot tell two states apart."""
        raise NotImplementedError

    def resample(self, s: State, p: int, random: Any) -> State:
        """A state that player p cannot tell from s, drawn with its probability."""
        raise NotImplementedError

    # What search can use.

    def side(self, p: int) -> int:
        """The side that player p is on; by default each is alone."""
        return p

    def evaluate(self, s: State, p: int) -> float:
        """An estimate of the state's utility to player p; by default the middle of the utility range."""
        low, high = self.utility_range
        if -math.inf < low and high < math.inf:
            return (low + high) / 2
        return 0.0

    def utility_bounds(self, p: int) -> tuple[float, float]:
        """The least and the greatest utility for player p; by default the range declared for all."""
        return self.utility_range

    def promise(self, s: State, a: Action) -> float:
        """How good a move looks before it is searched; by default what the mover's evaluation says after it."""
        after = self.result(s, a)
        p = self.to_move(s)
        return self.utility(after, p) if self.is_terminal(after) else self.evaluate(after, p)

    def count_actions(self, s: State) -> int:
        """How many legal moves there are; a game that knows without listing them answers sooner."""
        count = 0
        for _ in self.actions(s):
            count += 1
        return count

    # What the engine can use.

    def list_actions(self, s: State, room: Any) -> int:
        """Write the legal moves into an array, as far as there is room, and say how many there are.

        By default what `actions` yields; a game with a large state does it sooner by itself, because a generator has to
        find its place again after every `yield`.
        """
        count = 0
        for a in self.actions(s):
            if count < len(room):
                room[count] = a
            count += 1
        return count

    def list_noisy_actions(self, s: State, room: Any) -> int:
        """The same of `noisy_actions`."""
        count = 0
        for a in self.noisy_actions(s):
            if count < len(room):
                room[count] = a
            count += 1
        return count

    def list_forcing_actions(self, s: State, room: Any) -> int:
        """The same of `forcing_actions`."""
        count = 0
        for a in self.forcing_actions(s):
            if count < len(room):
                room[count] = a
            count += 1
        return count

    def bounds(self, s: State) -> tuple[float, float]:
        """The least and the greatest utility that the player to move can still get, as far as one sees at a glance."""
        return -math.inf, math.inf

    def safe_actions(self, s: State) -> Iterable[Action]:
        """Yields the legal moves after which the opponent cannot win at once.

        It is asked where the player to move cannot win at once either. Where it yields none, that player has lost. For
        games in which the players take turns, and which nobody wins but by a move of one's own.
        """
        for a in self.actions(s):
            yield a

    def plies_left(self, s: State) -> int:
        """About how many plies the game can still last; by default nobody knows."""
        return 1 << 20

    def noisy_actions(self, s: State) -> Iterable[Action]:
        """Yields the legal moves that may change the evaluation much, such as captures; a position is quiet without."""
        for a in range(0):
            yield a

    def forcing_actions(self, s: State) -> Iterable[Action]:
        """Yields quiet moves after which the opponent may not stand, as checks are: quiescence begins with them too."""
        for a in range(0):
            yield a

    def may_stand(self, s: State) -> bool:
        """Is the evaluation a fair lower bound, since some quiet move does no harm? In check or zugzwang it is not."""
        return True

    def is_noisy(self, s: State, a: Action) -> bool:
        """Is a legal move one of the noisy ones? Such a move is not left out or reduced for coming late."""
        return False

    def gain(self, s: State, a: Action) -> float:
        """The most that a noisy move adds to the evaluation at once, as far as one sees at a glance."""
        return math.inf

    def recurs(self, s: State) -> bool:
        """Has the play come back to this position, so that a search may as well take it for over, with its `utility`?

        For games that use their history: a position that can be repeated once can be repeated again.
        """
        return False

    def may_pass(self, s: State) -> bool:
        """Is having to move no burden here? Asked only where `forward_pruning` lists "null_move"."""
        return True

    def after_pass(self, s: State) -> State:
        """The state if the player to move could pass; asked only where `forward_pruning` lists "null_move"."""
        return s

    def canonical_key(self, s: State) -> int:
        """The key under which tables file the position: equal also for its mirror images; by default `key`."""
        return self.key(s)

    def solved_positions(self) -> Iterable[tuple[int, float, int | None]]:
        """Positions solved beforehand: canonical key, value to the player to move, and plies to the win or loss."""
        return ()

    # An evaluation that can be learned: a weighted sum of features.

    weights: Any = ()
    """What each feature is worth: an array, so that other weights need no compiling."""

    def feature_names(self) -> tuple[str, ...]:
        """The features' names, in the order of their weights."""
        return ()

    def features(self, s: State, p: int) -> Iterable[tuple[int, float]]:
        """Yields (number of a feature, its amount) as player p sees it; features that are 0 may be left out."""
        for number in range(0):
            yield number, 0.0

    def weighted_features(self, s: State, p: int) -> float:
        """The sum of the features' amounts, each times its weight."""
        total = 0.0
        for number, amount in self.features(s, p):
            total += self.weights[number] * amount
        return total

    # For people.

    def action_name(self, s: State, a: Action) -> str:
        """What people call this move."""
        return str(a)

    def action_named(self, s: State, name: str) -> Action:
        """The legal move that people call so; the inverse of `action_name`."""
        legal = self.legal(s)
        wanted = name.strip().casefold()
        for a in legal:
            if self.action_name(s, a).casefold() == wanted:
                return a
        raise IllegalAction(f"{name.strip()!r} is not a legal move of {self.name}; {self._listed(s, legal)}")

    def player_name(self, p: int) -> str:
        """What people call this player."""
        return "chance" if p == CHANCE else f"player {p}"

    def text(self, s: State) -> str:
        """A picture of the state in characters."""
        return str(s)

    def seen_by(self, s: State, p: int) -> State:
        """The state with all blank that player p cannot see, for `text` and `picture`; by default nothing is hidden."""
        return s

    def picture(self, s: State) -> Board | None:
        """What a picture of the state shows; None where it has none but its text."""
        return None

    def paths(self, s: State, a: Action) -> Iterable[tuple[str, ...]]:
        """Yields the ways to show a move on the picture: squares in order, such as ("e2", "e4"); none: by its name."""
        return ()

    # What every game can do without writing it.

    @property
    def name(self) -> str:
        """The class's name with the parameters that `__init__` was given and kept."""
        shown = (f"{k}={v}" for k, v in self._parameters().items())
        return f"{type(self).__name__}({', '.join(shown)})"

    @property
    def traits(self) -> Traits:
        """The declared traits; raises GameError where they contradict each other."""
        low, high = self.utility_range
        if self.players < 1:
            raise GameError(f"{self.name} declares players = {self.players}; a game has at least one")
        if not low <= high:
            raise GameError(f"{self.name} declares utility_range = {self.utility_range}; the least comes first")
        return Traits(
            players=self.players,
            sides=len({self.side(p) for p in range(self.players)}),
            chance=bool(self.chance),
            hidden=bool(self.hidden),
            zero_sum=bool(self.zero_sum),
            utility_range=(float(low), float(high)),
            lists_outcomes=type(self).outcomes is not Game.outcomes,
            uses_history=bool(self.uses_history),
        )

    def moves_at(self, s: State) -> list[Action]:
        """The legal moves, or at a CHANCE state the outcomes, as a list; empty where the game is over."""
        if self.is_terminal(s):
            return []
        if self.to_move(s) == CHANCE:
            return [outcome for outcome, _ in self.outcomes(s)]
        return list(self.actions(s))

    def legal(self, s: State) -> list[Action]:
        """The legal moves as a list: empty where the game is over or CHANCE moves."""
        if self.is_terminal(s) or self.to_move(s) == CHANCE:
            return []
        return list(self.actions(s))

    def play(self, *moves: Action, state: State = None) -> State:
        """The state after these moves (or names of moves, or chance outcomes), each checked to be legal."""
        s = self.initial() if state is None else self.checked(state)
        past = [s]
        for number, move in enumerate(moves, 1):
            rules = self.remembering(past)
            if rules.is_terminal(s):
                raise IllegalAction(f"move {number}, {move!r}: the game of {self.name} is over")
            legal = rules.moves_at(s)
            if move in legal:
                a = move
            elif isinstance(move, str) and self.to_move(s) != CHANCE:
                a = rules.action_named(s, move)
            else:
                raise IllegalAction(f"move {number}, {move!r}, is not legal in {self.name}; {self._listed(s, legal)}")
            s = self.result(s, a)
            past.append(s)
        return s

    def remembering(self, past: Iterable[State], room: int = 0) -> Game:
        """A copy of the game that has come through these states, the present one last, with room for so many more.

        Its rules can ask how often a position has occurred. The game itself where they never do.
        """
        if not self.uses_history:
            return self
        import numpy as np  # here, so that importing zermelo is quick

        keys = [self.key(s) for s in past]
        own = copy.copy(self)
        own.history = np.zeros(len(keys) + room, np.uint64)
        own.history[: len(keys)] = keys
        own.history_length = np.array([len(keys)], np.int64)
        return own

    def checked(self, state: State) -> State:
        """The state, if it can be one of this game's; otherwise a StateError that says why not."""
        expected: Any = type(self.initial())
        if is_named_tuple(expected) and type(state) is not expected:
            raise StateError(
                f"{state!r} is a {type(state).__name__}, but a state of {self.name} is a {expected.__name__}"
            )
        wrap = normaliser(expected)
        if wrap is not None:
            try:
                wrapped = wrap(state)
            except (TypeError, ValueError, IndexError) as error:
                raise StateError(f"{state!r} is not a state of {self.name}: {error}") from None
            if wrapped != state:
                raise StateError(f"a field of {state!r} does not fit its width; wrapped it would be {wrapped!r}")
            return wrapped
        try:
            hash(state)
            if not self.is_terminal(state):
                self.to_move(state)
        except Exception as error:
            raise StateError(f"{state!r} is not a state of {self.name}: {type(error).__name__}: {error}") from error
        return state

    def _listed(self, s: State, actions: list[Action]) -> str:
        if not actions:
            return "there are no legal moves here"
        chance = self.to_move(s) == CHANCE
        names = [str(a) if chance else self.action_name(s, a) for a in actions[:20]]
        return f"legal here: {', '.join(names)}{', …' if len(actions) > 20 else ''}"

    def _parameters(self) -> dict[str, Any]:
        names = inspect.signature(type(self)).parameters
        return {n: v for n, v in vars(self).items() if n in names and isinstance(v, bool | int | float | str | tuple)}

    def __repr__(self) -> str:
        return self.name

    # How often a position has occurred: kept by the search, asked by the rules.

    history: Any = ()
    """The keys of the positions up to here, oldest first; the search fills it where `uses_history` is set."""
    history_length: Any = (0,)

    def key(self, s: State) -> int:
        """A 64-bit number for the position, equal for equal states, mixed from the state's fields."""
        return mixed(s)

    def occurrences(self, key: int) -> int:
        """How often the position with this key has occurred on the way to here, the present position counted."""
        count = 0
        for i in range(self.history_length[0]):
            if self.history[i] == key:
                count += 1
        return count

    def __init_subclass__(cls, **options: Any):
        super().__init_subclass__(**options)
        for name in ("initial", "result", "draw", "resample", "after_pass"):
            if name in vars(cls):
                setattr(cls, name, _normalised(vars(cls)[name]))


def _normalised(method: Any) -> Any:
    """The method, its state wrapped into the widths of its fields: the border where both modes agree."""

    @functools.wraps(method)
    def wrapped(*arguments: Any) -> State:
        return normalise(method(*arguments))

    return wrapped
