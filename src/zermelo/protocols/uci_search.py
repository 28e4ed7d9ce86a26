"""One search of `zermelo uci`: what it reports on the way, and its answer."""

from __future__ import annotations

import contextlib
import math
import threading
from typing import TYPE_CHECKING, Any

from zermelo.protocols.uci_words import Go

if TYPE_CHECKING:  # slow imports happen on demand, after `uciok`
    from zermelo.games.chess import Chess, ChessState
    from zermelo.protocols.uci import Uci
    from zermelo.search.analysis import Analysis
    from zermelo.search.engine import Clock, Engine
    from zermelo.search.engine.answers import Progress, Variation
    from zermelo.search.engine.background import Thinking

MOST_CENTIPAWNS = 20_000
LONGEST_LINE = 40
"""The most moves of a printed line."""


class Search:
    """One search, from `go` to `bestmove`, which is always sent exactly once."""

    def __init__(self, program: Uci, rules: Chess, engine: Engine, root: ChessState, go: Go, limits: dict[str, Any]):
        self.program, self.rules, self.engine, self.root, self.go = program, rules, engine, root, go
        self.limits = dict(limits)
        self.thinking: Thinking | None = None
        self.told: Progress | None = None
        self.released = threading.Event()  # no move is sent before
        self.over = threading.Event()
        if not (go.infinite or go.ponder):
            self.released.set()

    def begin(self, **about: Any) -> None:
        limits = dict(self.limits)
        if self.go.ponder:  # the clock starts at `ponderhit`
            limits.pop("clock", None)
            limits["seconds"] = math.inf
        self.thinking = self.engine.start(self.root, on_progress=self.progress, **limits, **about)
        threading.Thread(target=self.follow, args=(self.thinking,), name="zermelo-uci-search", daemon=True).start()

    def settle(self, *line: int) -> None:
        """Answer with this move, if any, without a search."""
        threading.Thread(target=self.answer, args=(line,), name="zermelo-uci-search", daemon=True).start()

    def progress(self, progress: Progress) -> None:
        """Called after each depth by the searching thread."""
        self.told = progress
        for number, line in enumerate(progress.lines, 1):
            self.info(number, line, progress)
        if progress.distance is None or progress.value <= 0 or not self.released.is_set():
            return
        found = self.go.mate is not None and progress.distance <= 2 * self.go.mate - 1
        near = "clock" in self.limits and progress.depth >= progress.distance
        if found or near:
            self.engine.stop()

    def info(self, number: int, line: Variation, found: Progress) -> None:
        filled, moves = round(1000 * self.engine.table_use), self.names(line.line[:LONGEST_LINE])
        looked_up = "" if self.engine.endgames is None else f"tbhits {found.endgames} "
        self.program.say(
            f"info depth {found.depth} seldepth {max(found.deepest, found.depth)} multipv {number} "
            f"score {self.score(line)}{self.wdl(line)} nodes {found.nodes} nps {round(found.nodes_per_second)} "
            f"hashfull {filled} {looked_up}time {round(1000 * found.seconds)} pv {' '.join(moves)}"
        )

    def score(self, line: Variation) -> str:
        """Moves to mate, or hundredths of a pawn."""
        if line.distance is not None:
            moves = (line.distance + 1) // 2
            return f"mate {moves if line.value > 0 else -moves}"
        centipawns = round(self.rules.centipawns(line.value))
        return f"cp {max(-MOST_CENTIPAWNS, min(centipawns, MOST_CENTIPAWNS))}"

    def wdl(self, line: Variation) -> str:
        """The chances of a win, a draw and a loss in thousandths, if the interface wants them."""
        if self.program.values["UCI_ShowWDL"] != "true":
            return ""
        if line.distance is not None:
            return " wdl 1000 0 0" if line.value > 0 else " wdl 0 0 1000"
        win, draw, loss = self.rules.chances(self.root, line.value).per_mille()
        return f" wdl {win} {draw} {loss}"

    def names(self, actions: tuple[int, ...]) -> list[str]:
        s, found = self.root, []
        for a in actions:
            found.append(self.rules.long_name(s, a))
            s = self.rules.result(s, a)
        return found

    def follow(self, thinking: Thinking) -> None:
        """Wait for the answer and send it. If the search fails, send some move."""
        from zermelo.kernel.table_files import DamagedTable

        line: tuple[int, ...] = ()
        try:
            analysis = thinking.result()
            line = analysis.line[:2]
            if self.told is None or self.told.line[0] != line[0]:  # found by an interrupted depth
                self.tell(analysis)
        except DamagedTable as error:
            self.program.tell(f"{error}. From the next move on, no endgame tables are used")
            self.program.without_endgames()
            line = () if self.told is None else self.told.line[:1]
        except Exception as error:
            self.program.tell(f"the search failed: {error}")
        self.answer(line or (next(iter(self.rules.actions(self.root))),))

    def answer(self, line: tuple[int, ...]) -> None:
        """Send a move and the expected reply, but not before `stop` or `ponderhit` if the search must wait."""
        self.released.wait()
        self.program.say(f"bestmove {' ponder '.join(self.names(line)) or '(none)'}")
        self.over.set()

    def tell(self, analysis: Analysis) -> None:
        """Print the final result."""
        from zermelo.search.engine.answers import Progress, Variation

        assert isinstance(analysis.value, float)
        best = Variation(analysis.value, analysis.distance, analysis.line)
        depth, looked_up = max(analysis.depth, 1), 0 if self.told is None else self.told.endgames
        about = depth, best.value, best.distance, analysis.exact, best.line, analysis.nodes, analysis.seconds
        self.info(1, best, Progress(*about, endgames=looked_up))

    def hit(self) -> None:
        """`ponderhit`: the expected move was played, so the clock starts."""
        if not self.go.ponder or self.released.is_set():
            return
        clock: Clock | None = self.limits.get("clock")
        seconds = self.limits["seconds"] if clock is None else min(self.limits["seconds"], clock.limits()[0])
        if self.thinking is not None:
            self.thinking.limit(seconds)
        self.released.set()

    def stop(self) -> None:
        """Stop the search, and wait until its move is sent."""
        self.released.set()
        if self.thinking is not None:
            with contextlib.suppress(Exception):  # the thread that follows it reports errors
                self.thinking.stop()
        self.over.wait()
