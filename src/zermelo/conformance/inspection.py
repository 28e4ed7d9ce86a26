"""The ground that all checks stand on: calls of somebody's methods that cannot hurt, and the notes of what was found.

Every finding names a state and the moves that lead there, so the inspection follows the line of play.
"""

from __future__ import annotations

import itertools
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.conformance.limits import Clock, TimeUp
from zermelo.conformance.report import Finding, shown
from zermelo.conformance.snapshot import is_value, preserved, snapshot
from zermelo.game.methods import GENERATORS, METHODS
from zermelo.game.protocol import CHANCE, Game
from zermelo.game.state import is_fixed_width
from zermelo.kernel.history import rewind
from zermelo.kernel.random import Random

PLIES = 2_000
"""How many plies random play is followed."""

LISTED = 100_000
"""How many moves or outcomes of one state are listed before it is taken that there is no end to them."""

NOWHERE: Any = object()
"""In place of the state, for a finding that concerns no single one."""


@dataclass(frozen=True)
class Draw:
    """In place of an outcome, where the game draws the state after chance has moved: from these random numbers."""

    seed: int


class Broken(Exception):
    """A method failed. The finding is noted; what needed the method's answer is left out."""


class Inspection:
    """One game under inspection."""

    def __init__(self, game: Game, clock: Clock):
        self.game = game.remembering((), PLIES + 1)
        self.clock = clock
        self.path: list[tuple[Any, Any]] = []  # the states that were left, each by which move
        self.under_way: tuple[str, Any] = ("initial", NOWHERE)
        self._found: dict[tuple[str, str], list[Any]] = {}  # [the first example, how many]
        self._watched: Any = NOWHERE
        self._contents: Any = None
        self.fixed_width = False

    # Notes.

    def note(self, code: str, message: str, state: Any = NOWHERE, about: str = "") -> None:
        """Note a finding in this state, to which the path leads. One of each code, and of each `about`, is kept."""
        known = self._found.get((code, about))
        if known is not None:
            known[1] += 1
        elif state is NOWHERE:
            self._found[code, about] = [Finding(code, message), 1]
        else:
            self._found[code, about] = [Finding(code, message, preserved(state), self.move_names()), 1]

    def drop(self, *codes: str) -> None:
        """Forget findings that follow from another."""
        self._found = {key: found for key, found in self._found.items() if key[0] not in codes}

    def has(self, *codes: str) -> bool:
        """Has one of these been found?"""
        return any(code in codes for code, _ in self._found)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that was found: errors first, each group in the order in which it was met."""
        made = [
            Finding(first.code, first.message, first.state, first.moves, count) for first, count in self._found.values()
        ]
        return tuple(sorted(made, key=lambda finding: finding.kind != "error"))

    def move_names(self) -> tuple[str, ...]:
        """The names of the moves that were played to here."""
        return tuple(self.move_name(s, a) for s, a in self.path)

    def move_name(self, s: Any, a: Any) -> str:
        """What people call the move, or where that fails what Python does."""
        try:
            if isinstance(a, Draw):
                after = self.game.draw(s, Random(a.seed))
                listed = itertools.islice(self.game.outcomes(s), LISTED)
                return next((str(outcome) for outcome, _ in listed if self.game.result(s, outcome) == after), "chance")
            return str(a) if self.game.to_move(s) == CHANCE else str(self.game.action_name(s, a))
        except Exception:
            return "chance" if isinstance(a, Draw) else shown(a)

    def note_hanging(self) -> None:
        """Note that the method under way has not returned."""
        method, state = self.under_way
        message = f"`{method}` did not return within {self.clock.step_seconds:g} s"
        self.note("never-returns", message, state, about=method)

    def note_raised(self, method: str, state: Any, error: BaseException, whose: str = "") -> None:
        """Note that a method has raised this, or something `whose` is not the method itself."""
        said = " ".join(str(error).split())
        what = f"{type(error).__name__}: {said[:300]}" if said else type(error).__name__
        self.note("raises", f"{whose}`{method}` raises {what}{_where(error)}", state, about=method + whose[:1])

    # Calls.

    def call(self, method: str, *arguments: Any, state: Any = NOWHERE) -> Any:
        """What the game's method answers; where it raises, a note of that and Broken."""
        return self._guarded(method, lambda: getattr(self.game, method)(*arguments), arguments, state)

    def call_raw(self, method: Any, *arguments: Any) -> Any:
        """The same for a method as it was written, its state not yet wrapped into the widths of its fields."""
        return self._guarded(method.__name__, lambda: method(self.game, *arguments), arguments, NOWHERE)

    def listed(self, method: str, s: Any, *more: Any) -> list[Any]:
        """What a generator of the game yields in this state, up to LISTED of it."""
        answer: list[Any] = self._guarded(
            method, lambda: list(itertools.islice(iter(getattr(self.game, method)(s, *more)), LISTED)), (s,), NOWHERE
        )
        return answer

    def attempt(self, method: str, *arguments: Any) -> tuple[Any, BaseException | None]:
        """What the method answers, a generator's answer as a list, or what it raises; without a note."""
        self._begin(method, arguments, NOWHERE)
        try:
            answer = getattr(self.game, method)(*arguments)
            return (list(itertools.islice(iter(answer), LISTED)) if method in GENERATORS else answer), None
        except (Exception, SystemExit) as error:
            return None, error
        finally:
            self.clock.step_began = None

    def _guarded(self, method: str, job: Any, arguments: tuple[Any, ...], state: Any) -> Any:
        where = arguments[0] if state is NOWHERE and arguments else state
        self._begin(method, arguments, where)
        try:
            answer = job()
        except (Exception, SystemExit) as error:
            self.note_raised(method, where, error)
            raise Broken from None
        finally:
            self.clock.step_began = None
        if self._watched is not NOWHERE and where is self._watched:
            self._compare(method)
        return answer

    def _begin(self, method: str, arguments: tuple[Any, ...], state: Any) -> None:
        if self.clock.cancelled:
            raise TimeUp
        about_state = state is NOWHERE and arguments and METHODS[method].takes_state
        self.under_way = method, arguments[0] if about_state else state
        self.clock.step_began = time.perf_counter()

    # Changes of states.

    def watch(self, s: Any) -> None:
        """From here on, see that no method changes this state."""
        self._watched = NOWHERE
        if not is_value(s):
            self._watched, self._contents = s, (snapshot(s), preserved(s))

    def _compare(self, method: str) -> None:
        contents, before = self._contents
        if snapshot(self._watched) != contents:
            message = f"`{method}` changes the state that it is given: it becomes {shown(self._watched)}"
            self.note("state-mutated", message, before)
            self.watch(self._watched)

    def are_equal(self, a: Any, b: Any) -> bool:
        """Are these the same state? Where equality and contents contradict each other, that is noted."""
        try:
            equal = bool(a == b)
        except Exception as error:
            self.note("state-equality", f"comparing two states raises {type(error).__name__}: {error}", b)
            return bool(snapshot(a) == snapshot(b))
        if not equal and snapshot(a) == snapshot(b):
            self.note("state-equality", f"two states of the same contents are not equal: {type(a).__name__}", b)
            return True
        if equal and self.is_hashable(a) and hash(a) != hash(b):
            self.note("state-equality", "two equal states have different hashes", b)
        return equal

    @staticmethod
    def is_hashable(x: Any) -> bool:
        """Can this be a key of a dictionary?"""
        try:
            hash(x)
        except Exception:
            return False
        return True

    # The line of play.

    def start(self) -> Any:
        """The initial state, at the beginning of a new line of play."""
        self.path.clear()
        self._watched = NOWHERE
        rewind(self.game, 0)
        s = self.call("initial")
        self.fixed_width = is_fixed_width(type(s))
        return s

    def enter(self, s: Any) -> None:
        """Play comes to this state: rules that count repetitions will see it, and the game's own hook is called."""
        if self.game.uses_history:
            key = self.call("key", s)
            try:
                self.game.history[self.game.history_length[0]] = key
            except (TypeError, ValueError, OverflowError) as error:
                self.note("key-width", f"the key {shown(key)} is no 64-bit number without a sign: {error}", s)
                raise Broken from None
        if self.game.uses_history or self.game.has_hooks:
            self.call("enter", s)
            self.game.history_length[0] += 1

    def after(self, s: Any, a: Any) -> Any:
        """The state that a move, an outcome or a draw leads to."""
        return self.call("draw", s, Random(a.seed)) if isinstance(a, Draw) else self.call("result", s, a)

    def leave(self, s: Any, a: Any) -> None:
        """Play leaves this state by this move."""
        self.path.append((s, a))


def _where(error: BaseException) -> str:
    """The line that raised it: file and number, as far as they are known."""
    frames = traceback.extract_tb(error.__traceback__)
    if len(frames) < 3:  # only the inspection's own frames: the call itself was wrong
        return ""
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})"
