"""Building the tables of a game's classes, in an order in which moves lead only to finished ones.

Each class is solved in a work file, which survives an interruption, verified, and packed into its final file. A class
whose file exists is not built again. Only one process at a time can build a class.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.game.errors import UnknownName, Unsuitable
from zermelo.game.protocol import Game
from zermelo.kernel.files import write_whole
from zermelo.kernel.fingerprint import Fingerprint
from zermelo.kernel.routine import why_not_compiled
from zermelo.kernel.stopping import StopToken
from zermelo.kernel.table_files import DamagedTable, Shapes, Unfinished, table_directory
from zermelo.lookup.class_files import DISTANCES, ClassFile, class_path, open_class, write_class
from zermelo.lookup.solving import Interrupted, Solver, counts

SAVED = 10.0
"""Seconds between two times at which an unfinished class is saved."""
SPEED = 250_000
"""Indices per second and thread, for estimates before anything is built: chess on one core of a 2020 server."""
PACKED = 0.6
"""Bytes per index in a file, for estimates before anything is built."""
TELLING = 500_000
"""Indices of a class whose size and time say something about larger ones: a small one takes as long as the compiler."""
TIMINGS = "timings.json"
KEPT = 3
"""Bytes per index while a class is solved."""


@dataclass(frozen=True)
class Progress:
    """What is being done: the class, the step, its number of indices, and how many positions the last pass decided."""

    name: str
    doing: str
    number: int
    found: int


@dataclass(frozen=True)
class SolvedClass:
    """A class whose table is finished.

    won, lost, drawn  how many positions are so for the player to move
    longest           the most plies to a win; -1 if there is none
    seconds           to solve and to verify it
    resumed           whether an interrupted build was continued
    """

    name: str
    indices: int
    won: int
    lost: int
    drawn: int
    longest: int
    passes: int
    bytes: int
    seconds: float
    path: str
    built: bool = True
    resumed: bool = False

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return self.won + self.lost + self.drawn

    def to_json(self) -> dict[str, Any]:
        """The result as plain data."""
        return {**asdict(self), "positions": self.positions}


def require_numbering(game: Game) -> Game:
    """The game as tables see it; Unsuitable if it does not number its positions."""
    if not game.offers("class_of"):
        raise Unsuitable(
            f"{game.title} does not number its positions, which a table needs; "
            "for small games, use `zermelo solve --all`"
        )
    if game.players != 2 or not game.zero_sum or game.chance or game.hidden:
        raise Unsuitable(f"tables are for two-player zero-sum games without chance; {game.title} is {game.traits}")
    low, high = game.utility_range
    if low != -high:
        raise Unsuitable(f"tables need utilities that are symmetric around 0; those of {game.title} are not")
    return game.timeless()


def chosen_classes(game: Game, names: Iterable[str] = (), pieces: int | None = None) -> list[int]:
    """The numbers of these classes and of all that they lead to, in the order in which they are built.

    pieces   all classes of which the game says that they have at most so many pieces
    """
    every = game.class_names()
    wanted = []
    for name in names:
        if name not in every:
            shown = ", ".join([*every[:6], "…", *every[-3:]] if len(every) > 12 else every)
            near = most_alike(name, every)
            hint = f"did you mean {near!r}? " if near else ""
            raise UnknownName(f"there is no class {name!r}; {hint}there are {shown}")
        wanted.append(every.index(name))
    if pieces is not None:
        wanted += [c for c, name in enumerate(every) if piece_count(name) <= pieces]
    found: set[int] = set()
    while wanted:
        c = wanted.pop()
        if c not in found:
            found.add(c)
            wanted += game.classes_after(c)
    return sorted(found)


def most_alike(name: str, every: Iterable[str]) -> str | None:
    """The class that a wrong name probably means: in other letters, in another order, or with a typing error."""
    folded = {one.casefold(): one for one in every}
    wanted = name.casefold()
    if wanted in folded:
        return folded[wanted]
    found = [one for one in folded if sorted(one) == sorted(wanted)]
    found = found or difflib.get_close_matches(wanted, folded, 1, 0.7)
    return folded[found[0]] if found else None


def piece_count(name: str) -> int:
    """How many pieces a class has, by its name: one for each capital letter in KQKR or KKMvK."""
    return sum(letter.isupper() for letter in name)


def identity(game: Game) -> str:
    """What a file must say of its game: the name, and for a user's own game a digest of its rules."""
    if type(game).__module__.startswith("zermelo."):
        return game.name
    methods = ("actions", "result", "is_terminal", "utility", "class_of", "index_of", "state_at")
    digest = Fingerprint([getattr(type(game), name) for name in methods]).digest
    return f"{game.name} {digest}"


def build_classes(
    game: Game,
    names: Iterable[str] = (),
    *,
    pieces: int | None = None,
    folder: Path | None = None,
    distance: str = "win",
    threads: int | None = None,
    stop: StopToken | None = None,
    on_progress: Callable[[Progress], Any] | None = None,
    on_class: Callable[[SolvedClass], Any] | None = None,
    again: bool = False,
) -> list[SolvedClass]:
    """Build the tables of these classes and of all that they lead to; those that exist are kept.

    Returns what was finished, also if it was stopped. The next call continues.
    """
    rules = require_numbering(game)
    folder = folder or table_directory()
    if distance not in DISTANCES:
        raise UnknownName(f"distance must be one of {', '.join(DISTANCES)}, not {distance!r}")
    builder = ClassBuilder(rules, folder, distance, threads or os.cpu_count() or 1, stop, on_progress)
    done = []
    wanted = set(names)
    for c in chosen_classes(rules, names, pieces):
        name = rules.class_names()[c]
        try:
            solved = builder.finished(c) if not (again and name in wanted) else None
            solved = solved or builder.build(c)
        except Interrupted:
            break
        done.append(solved)
        if on_class is not None:
            on_class(solved)
    return done


def timing(path: Path) -> float:
    """How many seconds a table took, by the note beside it; 0 if there is none."""
    try:
        return float(json.loads(path.with_name(TIMINGS).read_text())[path.name])
    except (OSError, ValueError, KeyError, TypeError):
        return 0.0


def note_timing(path: Path, seconds: float) -> None:
    """Note how long a table took, for estimates. Not in its file: that depends only on the game."""
    place = path.with_name(TIMINGS)
    try:
        known = json.loads(place.read_text())
    except (OSError, ValueError):
        known = {}
    with contextlib.suppress(OSError):
        write_whole(place, json.dumps({**known, path.name: round(seconds, 3)}).encode())


class ClassBuilder:
    """Builds and verifies single classes, given the files of those that they lead to."""

    def __init__(
        self,
        game: Game,
        folder: Path,
        distance: str = "win",
        threads: int = 1,
        stop: StopToken | None = None,
        on_progress: Callable[[Progress], Any] | None = None,
    ):
        self.game, self.folder, self.distance, self.threads = game, folder, distance, threads
        self.stop = stop or StopToken()
        self.tell = on_progress or (lambda progress: None)
        self.names = game.class_names()
        self.compiled = why_not_compiled(game) is None
        if not self.compiled:
            self.threads = 1

    def path(self, c: int) -> Path:
        """The file of a class."""
        return class_path(self.folder, self.game, self.names[c], self.distance)

    def opened(self, c: int) -> ClassFile:
        """The file of a class, if it is of this game."""
        path = self.path(c)
        if not path.exists():
            raise DamagedTable(f"{path} does not exist: build it with `zermelo table`")
        found = open_class(path)
        said = found.about
        if (said["game"], said["class"], said["size"]) != (identity(self.game), self.names[c], self.game.class_size(c)):
            raise DamagedTable(f"{path} is a table of other rules or another class: delete it and build it again")
        return found

    def finished(self, c: int) -> SolvedClass | None:
        """The table of a class, if it is finished."""
        if not self.path(c).exists():
            return None
        found = self.opened(c)
        said = found.about
        return SolvedClass(
            said["class"], said["size"], said["won"], said["lost"], said["drawn"], said["longest"], said["passes"],
            found.bytes, timing(found.path), str(found.path), built=False,
        )  # fmt: skip

    def others(self, c: int) -> dict[int, Any]:
        """The codes of the classes that this one leads to, all checked."""
        return {k: self.opened(k).values(self.game, self.compiled) for k in self.game.classes_after(c)}

    def solver(self, c: int, values: Any, marks: Any, others: dict[int, Any]) -> Solver:
        return Solver(
            self.game, c, values, marks, others, conversion=self.distance == "conversion", threads=self.threads,
            compiled=self.compiled, stop=self.stop,
        )  # fmt: skip

    def build(self, c: int) -> SolvedClass:
        """Solve, verify and pack one class. An interrupted build is continued."""
        name, path, size = self.names[c], self.path(c), self.game.class_size(c)
        began, existed = time.monotonic(), path.exists()
        shapes: Shapes = {"values": ("<i2", (size,)), "marks": ("<u1", (size,))}
        kind = f"{identity(self.game)} {name} {self.distance}"
        self.tell(Progress(name, "reading the classes it leads to", 0, 0))
        with Unfinished(path, kind, shapes).opened() as file:
            finished = None if existed else self.finished(c)
            if finished is not None:  # by another process, meanwhile
                file.part.unlink(missing_ok=True)
                return finished
            resumed = file.done > 0
            values, marks = file.arrays["values"], file.arrays["marks"]
            solver = self.solver(c, values, marks, self.others(c))
            saved = time.monotonic()

            def after_pass(number: int, found: int) -> None:
                nonlocal saved
                self.tell(Progress(name, "pass", number, found))
                if time.monotonic() - saved > SAVED:
                    file.advance(number + 1)
                    saved = time.monotonic()

            self.tell(Progress(name, "begin", size, 0))
            passes = solver.solve(file.done, after_pass)
            file.advance(passes)
            self.tell(Progress(name, "verify", size, 0))
            fault = solver.first_fault()
            if fault >= 0:
                file.advance(0)
                raise DamagedTable(self._fault(name, c, fault))
            codes = np.array(values)
            longest = int(codes.max(initial=0)) - 1
            said: dict[str, Any] = {
                "game": identity(self.game), "class": name, "distance": self.distance, **counts(codes),
                "longest": longest, "passes": passes,
            }  # fmt: skip
            self.tell(Progress(name, "pack", size, 0))
            written = write_class(path, self.game, codes, said, self.compiled)
            seconds = time.monotonic() - began
            note_timing(path, seconds)
            file.part.unlink(missing_ok=True)
        return SolvedClass(
            name, size, said["won"], said["lost"], said["drawn"], longest, passes, written, seconds, str(path),
            resumed=resumed,
        )  # fmt: skip

    def verify(self, c: int) -> SolvedClass:
        """Check a finished table: its checksums, and every position against those that its moves lead to."""
        solved = self.finished(c)
        if solved is None:
            raise DamagedTable(f"{self.path(c)} does not exist: build it with `zermelo table`")
        name, began = self.names[c], time.monotonic()
        self.tell(Progress(name, "verify", solved.indices, 0))
        values = self.opened(c).values(self.game, self.compiled)
        solver = self.solver(c, values, np.zeros(1, np.uint8), self.others(c))
        fault = solver.first_fault()
        if fault >= 0:
            raise DamagedTable(f"{self.path(c)}: {self._fault(name, c, fault)}; delete it and build it again")
        return SolvedClass(**{**asdict(solved), "seconds": time.monotonic() - began})

    def _fault(self, name: str, c: int, index: int) -> str:
        state = self.game.state_at(c, index)
        shown = self.game.to_text(state) or repr(state)
        return f"the table of {name} is wrong at {index:,}, {shown}: its value does not follow from its moves"


@dataclass(frozen=True)
class Planned:
    """The estimated cost of a class: bytes while it is built and in its file, seconds on all threads."""

    name: str
    indices: int
    memory: int
    bytes: int
    seconds: float
    built: bool


def plan(
    game: Game,
    names: Iterable[str] = (),
    *,
    pieces: int | None = None,
    folder: Path | None = None,
    distance: str = "win",
    threads: int | None = None,
) -> list[Planned]:
    """What building would cost, from the sizes of the classes, and from the times of those that are built."""
    rules = require_numbering(game)
    builder = ClassBuilder(rules, folder or table_directory(), distance)
    chosen = chosen_classes(rules, names, pieces)
    built: dict[int, SolvedClass] = {}
    for c in chosen:
        with contextlib.suppress(DamagedTable):
            if (found := builder.finished(c)) is not None:
                built[c] = found
    large = [each for each in built.values() if each.indices > TELLING and each.seconds > 0]
    indices = sum(each.indices for each in large)
    speed = indices / sum(each.seconds for each in large) if large else SPEED * (threads or os.cpu_count() or 1)
    packed = sum(each.bytes for each in large) / indices if large else PACKED
    rows = []
    for c in chosen:
        size = rules.class_size(c)
        memory = KEPT * size + 2 * sum(rules.class_size(k) for k in rules.classes_after(c))
        known = built.get(c)
        rows.append(
            Planned(
                builder.names[c], size, memory, known.bytes if known else int(packed * size),
                known.seconds if known else size / speed, known is not None,
            )
        )  # fmt: skip
    return rows
