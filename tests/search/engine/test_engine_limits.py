"""Whatever the limits: a legal move, a legal line, in time, in the same memory; and what is called exact is proven."""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.engine_games import (
    FAULTS,
    Colliding,
    Corridor,
    Faulty,
    Halves,
    Ring,
    random_position,
    require_legal,
    win_distance,
)
from zermelo import Game, GameError, Random, StateError, TooDeep, Unsuitable, games
from zermelo.kernel import cache
from zermelo.search.engine import Clock, Engine
from zermelo.search.engine.clock import MOVES_AHEAD

LATE = 0.020
"""Seconds of this process's own time: how long others keep the machine busy is not the engine's affair."""
PLIES = {"connect_four": 30, "othello": 50, "breakthrough": 30, "tic_tac_toe": 6}


def resident() -> int:
    """How much memory this process takes, in KiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


class Trial:
    """Searches with random limits, on engines of all kinds."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        self.engines: list[tuple[Engine, int]] = []
        self.late: list[float] = []
        self.wall: list[float] = []
        self.proven = 0
        for name, plies in PLIES.items():
            game = games.load(name)
            for table, mtdf, threads in ((0, 0, 1), (0.01, 0, 1), (1, 0, 1), (0.01, 1, 1), (1, 1, 2), (0.01, 0, 2)):
                self.engines.append((Engine(game, table=table, mtdf=bool(mtdf), threads=threads), plies))
            self.engines.append((Engine(game, table=1, compile=False), plies))
        for game, plies in ((Halves(), 6), (Ring(), 8)):
            for table in (0, 0.01):
                self.engines.append((Engine(game, table=table, compile=False), plies))
            self.engines.append((Engine(game, table=0, compile=False, mtdf=True), plies))
        for engine, _ in self.engines:
            engine.think(nodes=1)

    def limits(self) -> dict[str, Any]:
        kind, size = self.random.below(5), self.random.uniform()
        if kind == 0:
            return {"nodes": int(10 ** (3.7 * size)) or 1}
        if kind == 1:
            return {"depth": 1 + self.random.below(6), "seconds": 0.03}
        if kind == 2:
            return {"clock": Clock(0.3 * size, increment=0.01 * self.random.below(2))}
        return {"seconds": 10 ** (-4 + 2.7 * size)}  # from 0.1 ms to 50 ms

    @staticmethod
    def timed(engine: Engine, s: Any, **asked: Any) -> tuple[Any, float, float]:
        """What was found, the time that passed, and how much of it this process used (others may have threads left)."""
        wall, used = time.perf_counter(), time.process_time()
        found = engine.think(s, **asked)
        wall, used = time.perf_counter() - wall, time.process_time() - used
        return found, wall, min(wall, used)

    def search(self) -> None:
        engine, plies = self.engines[self.random.below(len(self.engines))]
        game = engine.game
        s, past = random_position(game, self.random, plies)
        limits, lines = self.limits(), 1 + self.random.below(4)
        found, wall, used = self.timed(engine, s, lines=lines, history=past, **limits)
        about = (game, s, limits, lines, engine.threads, engine.options.mtdf, engine.compiled)
        legal = game.remembering([*past, s]).legal(s)
        assert found.action in legal, about
        assert [move.action for move in found.moves if move.line][0:1] in ([], [found.action]), about
        assert sorted(map(str, (move.action for move in found.moves))) == sorted(map(str, legal)), about
        for line in (found.line, *(move.line for move in found.moves)):
            require_legal(game, s, past, line)
        values = [move.value for move in found.moves if move.value is not None]
        assert values == sorted(values, reverse=True), about
        assert found.depth == 0 or len(values) == min(lines, len(legal)), about
        assert found.nodes <= limits.get("nodes", found.nodes), about
        assert found.depth <= limits.get("depth", found.depth), about
        low, high = game.utility_bounds(found.player)
        assert low <= found.value <= high, about
        if "seconds" in limits or "clock" in limits:
            moves = (game.plies_left(s) + 1) // 2 if game.offers("plies_left") else MOVES_AHEAD
            seconds = limits["seconds"] if "seconds" in limits else limits["clock"].limits(moves)[1]
            self.wall.append(wall - seconds)
            if engine.threads == 1:
                for _ in range(2):  # the engine's fault recurs; that of a virtual machine that stood still does not
                    if used - seconds > LATE:
                        engine.clear()
                        used = min(used, self.timed(engine, s, lines=lines, history=past, **limits)[2])
                self.late.append(used - seconds)
        if found.exact and game.name.startswith(("TicTacToe", "Halves")):
            self.proven += 1
            value, distance = win_distance(game, s, found.player)
            assert found.value == value, about
            if found.distance is not None and found.distance <= found.depth:
                assert found.distance == distance, about


def trial(count: int) -> Trial:
    made = Trial(count)
    for _ in range(count // 5):
        made.search()
    before = resident()
    for _ in range(count - count // 5):
        made.search()
    assert resident() - before < 24_000  # KiB: tables that had not been touched before, and nothing by the search
    assert made.proven > 0
    assert max(made.late) < LATE
    assert statistics.median(made.wall) < LATE
    return made


@pytest.mark.timing
def test_random_limits() -> None:
    trial(300)


@pytest.mark.slow
@pytest.mark.timing
def test_ten_thousand_random_limits() -> None:
    trial(10_000)


# Node limits, and depths that were broken off.


@pytest.mark.slow
@pytest.mark.parametrize("compile", [True, False])
def test_a_depth_that_was_broken_off(compile: bool) -> None:
    """The depth is the last that was finished; the move is its move, unless the next has found a better one."""
    game = games.load("connect_four", width=8, height=7)
    engine = Engine(game, table=0, compile=compile)
    told: list[Any] = []
    engine.think(depth=6, on_progress=told.append)
    for whole, deeper in itertools.pairwise(told):
        for nodes in (whole.nodes, whole.nodes + 1, (whole.nodes + deeper.nodes) // 2, deeper.nodes - 1):
            found = engine.think(nodes=nodes)
            assert found.depth == whole.depth
            assert found.nodes <= nodes
            assert not found.exact
            assert found.action in (whole.line[0], deeper.line[0])
            assert -1 < found.value < 1


def test_fewer_nodes_than_moves() -> None:
    game = games.load("connect_four", width=8, height=7)
    for threads in (1, 2, 3):
        engine = Engine(game, table=0.01, threads=threads)
        for nodes in range(1, 20):
            found = engine.think(nodes=nodes)
            assert found.nodes <= nodes
            assert found.action in game.legal(game.initial())


@pytest.mark.parametrize("compile", [True, False])
def test_a_search_broken_off_keeps_its_best_move_though_it_asks_for_several(compile: bool) -> None:
    """The deeper search begins with the best move, not with the last of the lines of the depth before."""
    game = games.load("tic_tac_toe")
    s = game.play("1", "2", "5", "9")  # 4 and 7 make two threats; most moves lose or draw
    engine = Engine(game, table=0, compile=compile, safe=False, bounds=False)
    told: list[Any] = []
    whole = engine.think(s, lines=4, depth=3, on_progress=told.append)
    assert whole.value == 1
    for nodes in range(told[2].nodes, told[2].nodes + 60):
        assert engine.think(s, lines=4, nodes=nodes).value == 1


@pytest.mark.slow
def test_forced_moves_for_ever() -> None:
    """Every move is extended, and still the deepest search stays within its room."""
    found = Engine(Corridor(), table=0).think(depth=700)
    assert found.depth == 700
    assert not found.exact
    engine = Engine(Corridor(), table=0)
    with pytest.raises(TooDeep, match=r"Corridor went on for more than 2,047 plies: give a depth, nodes or sec"):
        engine.solve()
    with pytest.raises(TooDeep, match=r"number 0: Corridor went on for more than 2,047 plies"):
        engine.solve_many([Corridor().initial()])


# Tables that are too small, and keys that mislead.


@pytest.mark.slow
@pytest.mark.parametrize("mtdf", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_table_can_never_make_a_move_illegal(mtdf: bool, threads: int) -> None:
    """All positions share one key, so whatever the table says is about another position."""
    game, random = Colliding(), Random(5)
    for table in (0.001, 1):
        engine = Engine(game, table=table, mtdf=mtdf, threads=threads, table_from=1, table_first=1, internal=1)
        for _ in range(20):
            s, past = random_position(game, random, 30)
            for found in (engine.think(s, nodes=3000, lines=1 + random.below(3)), engine.solve(s, nodes=3000)):
                assert found.action in game.legal(s)
                for move in found.moves:
                    require_legal(game, s, past, move.line)
                assert -1 <= found.value <= 1


@pytest.mark.slow
def test_a_table_that_grows_and_grows_stays_within_its_memory() -> None:
    game = games.load("connect_four", width=8, height=7)
    for table in (0.05, 0.2, 0.5):
        engine = Engine(game, table=table, table_from=1)
        entries = engine.memories[0].entries
        engine.solve(nodes=300_000)
        assert engine.memories[0].entries is entries
        assert engine.memories[0].policy[2] == engine.memories[0].policy[4]  # all of it is in use
        engine.clear()
        assert not entries.any()


@pytest.mark.slow
@pytest.mark.parametrize("table", [0, 0.001, 1])
def test_tables_of_all_sizes_prove_the_same(table: float) -> None:
    game, random = games.load("connect_four", width=5, height=4), Random(3)
    engine, oracle = Engine(game, table=table), Engine(game, table=4, compile=True, mtdf=True)
    for _ in range(30):
        s, _ = random_position(game, random, 14, 6)
        found, expected = engine.solve(s), oracle.solve(s)
        assert found.exact
        assert (found.value, found.distance) == (expected.value, expected.distance)


# Rules that go wrong.


@pytest.mark.parametrize("compile", [True, False])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("fault", FAULTS)
def test_rules_that_go_wrong(fault: str, threads: int, compile: bool) -> None:
    if threads > 1 and (not compile or fault == "value"):  # another thread may have met it, and the table the answer
        return
    engine = Engine(Faulty(fault), table=0.01, threads=threads, compile=compile, promise=False)
    what = "more legal moves than the game's max_actions" if fault == "crowd" else "no legal moves in a state that is"
    with pytest.raises(GameError, match=rf"Faulty, after 0 0: {what}"):
        engine.think(depth=6)
    with pytest.raises(GameError, match=r"after 0 0"):
        engine.think(depth=6)
    assert engine.think(depth=1).action in (0, 1)


def test_rules_that_go_wrong_in_one_of_many_positions() -> None:
    game = Faulty("moves")
    start = game.initial()
    with pytest.raises(GameError, match=r"number 1: Faulty, after 0 0: no legal moves in a state that is not term"):
        Engine(game, compile=False).solve_many([game.result(start, 1), start])


def test_more_moves_than_there_is_room_for() -> None:
    class Wide(Halves):
        max_actions = 2

    with pytest.raises(GameError, match=r"has 3 legal moves in .*, but room is only for 2: declare .* max_actions"):
        Engine(Wide()).think(nodes=10)


class Unruly(Halves):
    """Its rules raise something of their own."""

    def result(self, s: tuple[str, int], a: str) -> tuple[str, int]:
        if s[1] < 30:
            raise LookupError("no such number")
        return Halves.result(self, s, a)


def test_what_rules_raise_is_raised() -> None:
    engine = Engine(Unruly())
    with pytest.raises(LookupError, match="no such number"):
        engine.think(depth=20)
    assert engine.think(depth=1).depth == 1


@pytest.mark.timing
def test_rules_that_never_come_back() -> None:
    game = Corridor(barred=True)
    engine = Engine(game, table=0.01, promise=False)
    for again in (False, True):
        before, compiled = engine.memories[0], cache.counts["compiled"]
        found = engine.think(seconds=0.3)
        assert found.action == 0
        assert found.seconds < 5
        assert engine.memories[0] is not before  # a thread that was left behind still writes to that
        assert not again or cache.counts["compiled"] == compiled  # and the program is the same
    game.barred[0] = 0


# What makes no sense.


class Three(Halves):
    players = 3


class Dice(Halves):
    chance = True


class Hidden(Halves):
    hidden = True


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"table": -1}, ValueError, r"table must be a number of MiB of at least 0, not -1"),
        ({"table": math.nan}, ValueError, r"table must be a number of MiB of at least 0, not nan"),
        ({"table": math.inf}, ValueError, r"table must be a number of MiB of at least 0, not inf"),
        ({"table": "64"}, ValueError, r"table must be a number of MiB of at least 0, not '64'"),
        ({"table": 1e12}, ValueError, r"there is not enough memory for a table of 1e\+12 MiB: use a smaller one"),
        ({"table": 1e300}, ValueError, r"there is not enough memory for a table of 1e\+300 MiB"),
        ({"table": 1e12, "compile": False}, ValueError, r"there is not enough memory for a table of 1e\+12 MiB"),
        ({"threads": 0}, ValueError, r"threads must be a whole number from 1 to 256, not 0"),
        ({"threads": 1.5}, ValueError, r"threads must be a whole number from 1 to 256, not 1.5"),
        ({"threads": 2, "compile": False}, Unsuitable, r"runs as plain Python.*threads must be 1"),
        ({"killer": True}, TypeError, r"the engine has no option 'killer'; it has table_from, .*killers"),
        ({"killers": "yes"}, ValueError, r"killers is on or off, or a whole number of at least 0; not 'yes'"),
        ({"beam": -2}, ValueError, r"beam is on or off, or a whole number of at least 0; not -2"),
        ({"replacement": "oldest"}, ValueError, r"replacement is one of work, depth, always, not 'oldest'"),
        *(
            ({name: 1}, Unsuitable, rf'does not declare {name} safe.*declare forward_pruning = \("{name}",\)')
            for name in ("null_move", "reductions", "futility", "probcut", "beam")
        ),
    ],
)
def test_bad_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Engine(games.load("connect_four"), **options)


@pytest.mark.parametrize(
    ("limits", "error", "message"),
    [
        ({"lines": 0}, ValueError, r"lines must be a whole number of at least 1, not 0"),
        ({"depth": 0}, ValueError, r"depth must be a whole number of at least 1, not 0"),
        ({"depth": 2.5}, ValueError, r"depth must be a whole number of at least 1, not 2.5"),
        ({"nodes": -1}, ValueError, r"nodes must be a whole number of at least 1, not -1"),
        ({"seconds": -1}, ValueError, r"seconds must be a number of more than 0, not -1"),
        ({"seconds": math.nan}, ValueError, r"seconds must be a number of more than 0, not nan"),
        ({"clock": 60}, TypeError, r"clock must be a Clock, as in Clock\(remaining=60, increment=1\), not 60"),
        ({"state": "elsewhere"}, StateError, r"'elsewhere' is a str, but a state of Connect Four"),
        ({"state": games.load("othello").initial()}, StateError, r"but a state of Connect Four is a ConnectFourState"),
    ],
)
def test_bad_limits(limits: dict[str, Any], error: type[Exception], message: str) -> None:
    engine = Engine(games.load("connect_four"), table=0)
    with pytest.raises(error, match=message):
        engine.think(**limits)


def test_clocks_that_make_no_sense() -> None:
    for given in ({"remaining": -1}, {"remaining": math.nan}, {"remaining": 1, "increment": math.inf}):
        with pytest.raises(ValueError, match="must be a number of seconds of at least 0"):
            Clock(**given)
    with pytest.raises(ValueError, match="moves_to_go must be at least 1, not 0"):
        Clock(1, moves_to_go=0)


def test_a_game_that_is_over() -> None:
    game = games.load("tic_tac_toe")
    engine = Engine(game, table=0)
    over = game.play("1", "2", "4", "5", "7")
    for ask in (engine.think, engine.solve, lambda s: engine.start(s).result()):
        with pytest.raises(StateError, match=r"the game of Tic-tac-toe is over in this state, at \(1, -1\)"):
            ask(over)
    with pytest.raises(StateError, match=r"number 1: the game of Tic-tac-toe is over"):
        engine.solve_many([game.initial(), over])


@pytest.mark.parametrize(
    "game", [Three(), Dice(), Hidden(), games.load("pig"), games.load("coalition"), games.load("kuhn_poker")]
)
def test_games_for_which_it_is_not(game: Game) -> None:
    with pytest.raises(Unsuitable, match=r"the engine does not suit .*: it plays games of at most two sides, zero-sum"):
        Engine(game)


def test_what_is_no_game() -> None:
    class Nothing(Game):
        pass

    with pytest.raises(GameError, match="Nothing does not define initial, to_move"):
        Engine(Nothing())


def positions(game: Game, count: int, seed: int) -> Iterator[Any]:
    random = Random(seed)
    for _ in range(count):
        yield random_position(game, random, 12, 5)[0]


@pytest.mark.parametrize("threads", [1, 2])
def test_solving_many_and_then_thinking(threads: int) -> None:
    """Many solutions leave nothing in the table that a search of the other player's would take for its own."""
    game = games.load("connect_four", width=4, height=3, k=3)
    engine = Engine(game, table=1, threads=threads)
    many = list(positions(game, 40, 1))
    for s, found in zip(many, engine.solve_many(many), strict=True):
        value, distance = win_distance(game, s, game.to_move(s))
        assert (found.value, found.distance or 0) == (value, distance)
        assert found.action in game.legal(s)
    assert engine.solve(many[0]).value == win_distance(game, many[0], game.to_move(many[0]))[0]
