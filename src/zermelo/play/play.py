"""`Play`: a game in progress. The terminal, the web page, matches, UCI and saved games all use it."""

from __future__ import annotations

import math
import os
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from zermelo.game.board import Board
from zermelo.game.errors import GameError, IllegalAction
from zermelo.game.hashing import mixed
from zermelo.game.protocol import CHANCE, Game
from zermelo.games.resolve import game_of
from zermelo.games.resolve import position as position_from_text
from zermelo.kernel.random import Random
from zermelo.pictures.svg import board_of
from zermelo.play.chance import drawn, outcome_between, outcome_named
from zermelo.play.position import UNNAMED, Position
from zermelo.play.view import View, last_roll, sampled, visible_board, visible_state


class Play:
    """One play of a game: its move tree, the position it stands at, and the seed that decides what chance does.

    game    the rules
    start   the first position as text; None: as the game begins
    seed    of chance; by default a random one
    root    the first position
    here    the position at which the play stands
    tags    what a file says about the game, such as its players and date

    A move from a position that already has a continuation starts a variation; nothing is lost. The first continuation
    of each position is the main line.
    """

    def __init__(self, game: Game | str, *, start: str | None = None, seed: int | None = None):
        self.game = game = game_of(game)
        self.start = None if start is None else start.strip()
        self.seed = int.from_bytes(os.urandom(4), "big") if seed is None else seed
        self.root = Position(game.initial() if start is None else position_from_text(game, start))
        self.here = self.root
        self.tags: dict[str, str] = {}
        self._line = [self.root]
        self._undone: list[Position] = []
        self._known: tuple[Position, Game, list[Any] | None] | None = None

    # Where it stands.

    @property
    def state(self) -> Any:
        return self.here.state

    @property
    def line(self) -> list[Position]:
        """The positions from the first one to the present one."""
        last = self._line[-1]
        if self.here.before is last:  # the usual case, which takes no time in a long game
            self._line.append(self.here)
        elif self.here is not last:
            self._line = self.here.line()
        return self._line

    @property
    def states(self) -> list[Any]:
        """The states from the first one to the present one."""
        return [position.state for position in self.line]

    @property
    def moves(self) -> list[str | None]:
        """The names of the moves to here, as saved games write them; None: chance, drawn by the seed."""
        return self.names(self.line)

    @property
    def rules(self) -> Game:
        """The game with the positions so far, which its rules may ask for."""
        if self._known is None or self._known[0] is not self.here:
            self._known = self.here, self.rules_at(self.here), None
        return self._known[1]

    def rules_at(self, position: Position) -> Game:
        """The game with the positions up to this one."""
        if self._known is not None and self._known[0] is position:
            return self._known[1]
        if not self.game.uses_history:
            return self.game
        line = self.line if position is self.here else position.line()
        return self.game.remembering([each.state for each in line])

    @property
    def is_over(self) -> bool:
        return bool(self.rules.is_terminal(self.state))

    @property
    def mover(self) -> int | None:
        """The player to move, or CHANCE; None: the game is over."""
        return None if self.is_over else self.game.to_move(self.state)

    def legal(self) -> list[Any]:
        """The legal moves; empty if the game is over or chance is to move."""
        rules = self.rules
        assert self._known is not None
        if self._known[2] is None:
            self._known = self.here, rules, rules.legal(self.state)
        return list(self._known[2] or ())

    def utilities(self, position: Position | None = None) -> tuple[float, ...]:
        """What the end of the game, by default the present position, is worth to each player."""
        end = position or self.here
        rules = self.rules_at(end)
        found = tuple(float(rules.utility(end.state, p)) for p in range(self.game.players))
        if not all(map(math.isfinite, found)):
            raise GameError(f"the utilities of {self.game.title} are finite numbers, not {found}")
        return found

    def result(self, position: Position | None = None) -> str:
        """How the game ended, in words, with the reason if the game has one."""
        news = self.news(position or self.here)
        if news:
            return news
        game, worth = self.game, self.utilities(position)
        reason = self.rules_at(position or self.here).ending((position or self.here).state)
        by = f" by {reason}" if reason else ""
        if game.players == 1:
            return f"final score: {worth[0]:g}"
        scores = ", ".join(f"{game.player_name(p)}: {value:g}" for p, value in enumerate(worth))
        is_plain = set(worth) <= {-1.0, 0.0, 1.0} and sum(worth) == 0  # the winner says it all
        shown = "" if reason or is_plain else f" ({scores})"
        best = [p for p, value in enumerate(worth) if value == max(worth)]
        if len({game.side(p) for p in best}) > 1:
            return f"{'a draw' if len(best) == game.players else 'shared'}{by}{shown}"
        return f"{' & '.join(map(game.player_name, best))} won{by}{shown}"

    def news(self, position: Position) -> str:
        """What people are told about the move that led to a position, such as who has won a game of a match."""
        before = position.before
        if before is None or position.action is None or self.game.to_move(before.state) == CHANCE:
            return ""
        return self.game.news(before.state, position.action)

    # What happens.

    def move(self, action: Any) -> Position:
        """Play a legal move."""
        legal = self.legal()
        if action not in legal:
            raise IllegalAction(f"{action!r} is not a legal move")
        action = legal[legal.index(action)]  # as the rules write it: 2, if the player chose 2.0 or NumPy's 2
        return self._enter(self.game.result(self.state, action), action)

    def move_named(self, name: str) -> Position:
        """Play a legal move by its name."""
        return self.move_from(self.here, name)

    def move_from(self, position: Position, name: str) -> Position:
        """Play a move, by its name, from any position. If the move is not legal, the play stays where it is."""
        rules = self.rules_at(position)
        if rules.is_terminal(position.state):
            raise IllegalAction("the game is over")
        if self.game.to_move(position.state) == CHANCE:
            raise IllegalAction("it is chance's turn in this position")
        action = rules.action_named(position.state, name)
        self.go_to(position)
        return self._enter(self.game.result(position.state, action), action)

    def draw(self) -> Position:
        """Let chance move, as the seed says: the same at every visit of this position."""
        if self.mover != CHANCE:
            raise IllegalAction("it is not chance's turn in this position")
        after = drawn(self.game, self.state, self.seed, self._draws())
        return self._enter(after, outcome_between(self.game, self.state, after))

    def follow(self, names: Iterable[str | None]) -> None:
        """Play the moves and chance outcomes of a saved game from here; None: chance, drawn by the seed."""
        for name in names:
            number, mover = self.here.ply + 1, self.mover
            try:
                if mover is None:
                    raise IllegalAction(f"{name!r} follows the end of the game of {self.game.title}")
                if mover == CHANCE:
                    self._follow_chance(name)
                elif name is None:
                    raise IllegalAction("only chance may be null, and a player is to move")
                else:
                    self.move_named(name)
            except IllegalAction as error:
                raise IllegalAction(f"move {number}: {error}") from None

    def _follow_chance(self, name: str | None) -> None:
        if name is None:
            self._enter(drawn(self.game, self.state, self.seed, self._draws()), None)
        else:
            outcome = outcome_named(self.game, self.state, name)
            self._enter(self.game.result(self.state, outcome), outcome)

    def _draws(self) -> int:
        """How often chance has moved before the present position."""
        return sum(self.game.to_move(each.state) == CHANCE for each in self.line[:-1])

    def _enter(self, state: Any, action: Any) -> Position:
        """Go to the position after a move. It is a new variation unless it is there already."""
        here = self.here
        found = next((each for each in here.after if each.action == action and each.state == state), None)
        if found is None:
            found = Position(state, action, here)
            here.after.append(found)
        self.go_to(found)
        return found

    # Names.

    def name_of(self, position: Position) -> str | None:
        """The name of the move that led to a position, as saved games write it; None: drawn by the seed."""
        if position.name is UNNAMED:
            position.name = self._name(position)
        return position.name

    def _name(self, position: Position) -> str | None:
        if position.before is None or position.action is None:
            return None
        s = position.before.state
        is_chance = self.game.to_move(s) == CHANCE  # outcomes are saved as they print, because names may be ambiguous
        return str(position.action) if is_chance else self.game.action_name(s, position.action)

    def names(self, line: list[Position]) -> list[str | None]:
        """The names of the moves of a line, which begins with the position before the first move."""
        return [self.name_of(each) if each.name is UNNAMED else each.name for each in line[1:]]

    # Going back, and variations.

    def go_to(self, position: Position) -> None:
        """Stand at this position."""
        self.here = position
        self._undone.clear()

    def undo(self) -> None:
        """Go back one ply. The move stays in the tree."""
        if self.here.before is None:
            raise IllegalAction("there is nothing to undo")
        self._undone.append(self.here)
        self.here = self.here.before

    def redo(self) -> None:
        """Go forward to the position that was undone last."""
        if not self._undone:
            raise IllegalAction("there is nothing to redo")
        self.here = self._undone.pop()

    def take_back(self, players: Collection[int]) -> None:
        """Go back to the last turn of one of these players, and delete what followed."""
        line = self.line
        for ply in reversed(range(self.here.ply)):
            if self.game.to_move(line[ply].state) in players:
                self.delete(line[ply + 1])
                return
        raise IllegalAction("there is nothing to take back")

    @property
    def main_line(self) -> list[Position]:
        """The positions of the main line, from the first one to its end."""
        return list(self.root.main_line())

    def lines(self) -> list[list[Position]]:
        """The main line, then the variations, each after the line that it branches off from.

        Saved games number positions in this order: the first position is 0.
        """
        lines = [self.main_line]
        for line in lines:  # grows meanwhile
            lines += [list(branch.main_line()) for position in line for branch in position.after[1:]]
        return lines

    def positions(self) -> list[Position]:
        """All positions of the move tree, as saved games number them."""
        return [position for line in self.lines() for position in line]

    def promote(self, position: Position) -> None:
        """Make the line to this position the main line."""
        while position.before is not None:
            after = position.before.after
            after.insert(0, after.pop(after.index(position)))
            position = position.before

    def delete(self, position: Position) -> None:
        """Delete a position and all that follows it. A play that stands there goes back to the position before."""
        before = position.before
        if before is None:
            raise IllegalAction("the first position cannot be deleted")
        if position in self.line:
            self.go_to(before)
        before.after.remove(position)
        self._undone.clear()

    # What players may see.

    def view(self, player: int, random: Random, position: Position | None = None) -> View:
        """What a player is shown when it is to choose a move, by default in the present position."""
        position = position or self.here
        if self.game.hidden:
            return View(player, (sampled(self.game, position.state, player, random),), ())
        line = self.line if position is self.here else position.line()
        return View(player, tuple(each.state for each in line), tuple(self.names(line)))

    def visible_state(self, player: int) -> Any | None:
        """The present state without what the player cannot see; None if the game does not say how to hide it."""
        return visible_state(self.game, self.state, player)

    def board(self, player: int | None, position: Position) -> Board:
        """The picture of a position that a player sees; None: everything."""
        if player is None or not self.game.hidden:
            board = board_of(self.game, position.state)
            return board if board.dice else replace(board, dice=last_roll(self.game, position))
        # Not the ply: how many moves were made may be hidden.
        seed = mixed((self.seed, player, self.game.information(position.state, player)))
        return visible_board(self.game, position.state, player, seed)
