"""`zermelo uci` by hand, over pipes: what it answers, when, and that nothing that anybody sends breaks it."""

from __future__ import annotations

import itertools
import os
import random
import re
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from zermelo.arena.program import Lines
from zermelo.games.chess import Chess
from zermelo.lookup.building import build_classes
from zermelo.protocols.strength import strength, strengths
from zermelo.protocols.uci import LEAST, MOST, OPTIONS, Uci
from zermelo.protocols.uci_words import Go, command_of, position, setting

COMMAND = [sys.executable, "-m", "zermelo", "uci"]
PATIENCE = 120.0
"""Seconds for an answer, on a machine that is busy with other tests."""
CHESS = Chess(draws="never")
VOCABULARY = """
uci isready ucinewgame setoption name value position startpos fen moves go stop ponderhit d help
depth nodes movetime wtime btime winc binc movestogo infinite ponder searchmoves mate debug
Hash Threads MultiPV Clear OwnBook UCI_Chess960 UCI_Elo UCI_LimitStrength true false 1 2 3 -7 0
e2e4 e7e5 a7a8q 0000 O-O Nf3 z9z9 8/8/8/8/8/8/8/8 w - KQkq 7k/8/8/8/8/8/8/K7 99999999999999999999
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR \x00 \x7f é ½ % %s {} \\n ''
"""


class Driven(Lines):
    """The program, driven by hand."""

    def __init__(self) -> None:
        super().__init__(COMMAND)

    def until(self, *wanted: str) -> list[str]:
        """The lines up to one that begins so."""
        found: list[str] = []
        while not found or not found[-1].startswith(wanted):
            found.append(self.receive(PATIENCE))
        return found

    def ask(self, *lines: str, until: str = "bestmove") -> list[str]:
        for line in lines:
            self.send(line)
        return self.until(until)


@pytest.fixture(scope="module")
def running() -> Iterator[Driven]:
    made = Driven()
    made.ask("isready", until="readyok")
    yield made
    made.close()


@pytest.fixture
def program(running: Driven) -> Driven:
    """The program as if it had just been started; all tests share one, since it takes a while to get ready."""
    for option in OPTIONS:
        if option.kind != "button":
            running.send(f"setoption name {option.name} value {option.default}")
    running.ask("stop", "ucinewgame", "position startpos", "isready", until="readyok")
    return running


def best(lines: list[str]) -> str:
    return lines[-1].split()[1]


def test_it_introduces_itself_before_anything_is_compiled() -> None:
    started = Driven()
    lines = started.ask("uci", until="uciok")
    assert lines[0].startswith("id name zermelo")
    assert [line for line in lines if line.startswith("option")] == [option.line() for option in OPTIONS]
    if Path("/proc/self/maps").exists():
        assert "llvmlite" not in Path(f"/proc/{started.process.pid}/maps").read_text()
    started.send("quit")
    assert started.process.wait(PATIENCE) == 0
    started.close()


@pytest.mark.timing
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc: nobody says what a process takes")
def test_it_introduces_itself_quickly() -> None:
    started = Driven()
    started.ask("uci", until="uciok")
    ticks = Path(f"/proc/{started.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    assert sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") < 0.5
    started.close()


def test_a_search_tells_what_it_finds(program: Driven) -> None:
    lines = program.ask("position startpos moves e2e4 e7e5", "go depth 4")
    told = [line for line in lines if line.startswith("info depth")]
    assert [line.split()[2] for line in told] == ["1", "2", "3", "4"]
    pattern = (
        r"info depth \d+ seldepth \d+ multipv 1 score cp -?\d+ nodes \d+ nps \d+ hashfull \d+ time \d+ pv( \w{4}\w?)+"
    )
    assert all(re.fullmatch(pattern, line) for line in told)
    move, _, reply = lines[-1].split()[1:]
    s = CHESS.play("e4", "e5")
    assert told[-1].split(" pv ")[1].split()[:2] == [move, reply]
    assert CHESS.play(move, reply, state=s)


def test_mates_are_counted_in_moves(program: Driven) -> None:
    lines = program.ask("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1", "go depth 4")
    assert " score mate 2 " in lines[-2]
    lines = program.ask("position fen k7/8/8/8/8/8/1r6/r6K w - - 0 1", "go depth 4")
    assert "bestmove (none)" in lines  # already mated
    lines = program.ask("position fen 7k/1R6/R7/8/8/8/8/7K b - - 0 1", "go depth 4")
    assert " score mate -1 " in lines[-2]


def test_go_mate_ends_when_the_mate_is_found(program: Driven) -> None:
    fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
    assert best(program.ask(f"position fen {fen}", "go mate 1")) == "h5f7"
    lines = program.ask("position startpos", "go mate 1")  # there is none: it says something, and not in a year
    assert lines[-1].startswith("bestmove")


def test_isready_and_stop_are_answered_during_a_search(program: Driven) -> None:
    program.ask("go infinite", until="info depth 3")
    program.ask("isready", until="readyok")
    program.ask("isready", until="readyok")
    lines = program.ask("stop")
    assert sum(line.startswith("bestmove") for line in lines) == 1


def test_an_infinite_search_waits_for_stop_though_nothing_is_left_to_find(program: Driven) -> None:
    program.send("position fen 7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    lines = program.ask("go infinite depth 1", until="info depth 1")
    time.sleep(0.1)
    lines += program.ask("isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in lines)
    program.ask("stop")


def test_ponderhit_starts_the_clock(program: Driven) -> None:
    program.ask("position startpos moves e2e4 e7e5", "go ponder wtime 1000 btime 1000", until="info depth 2")
    lines = program.ask("isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in lines)
    program.ask("ponderhit")
    program.ask("go ponder movetime 20", "ponderhit")
    program.ask("go ponder depth 2", "ponderhit")
    program.ask("go ponder wtime 1000 btime 1000", "stop")  # the opponent played something else


def test_a_ponderhit_that_hits_nothing_ends_nothing(program: Driven) -> None:
    program.ask("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go infinite", until="info depth 1 ")
    time.sleep(0.3)  # there is nothing left to find out, but nobody has said stop
    lines = program.ask("ponderhit", "isready", until="readyok")
    time.sleep(0.3)
    lines += program.ask("isready", until="readyok")
    assert not any(line.startswith("bestmove") for line in lines)
    assert best(program.ask("stop")) == "a1a8"


@pytest.mark.parametrize(
    ("fen", "answer"),
    [("8/8/4k3/8/8/4K3/8/8 w - - 0 1", "bestmove e3"), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "bestmove (none)")],
)
def test_an_answer_waits_until_it_is_asked_for_though_the_game_is_over(program: Driven, fen: str, answer: str) -> None:
    for go, end in (("go infinite", "stop"), ("go ponder wtime 1000 btime 1000", "ponderhit")):
        lines = program.ask(f"position fen {fen}", go, "isready", until="readyok")
        time.sleep(0.2)
        lines += program.ask("isready", until="readyok")
        assert not any(line.startswith("bestmove") for line in lines)
        assert program.ask(end)[-1].startswith(answer)
    assert program.ask("go depth 2")[-1].startswith(answer)


def test_other_rules_read_the_position_anew(program: Driven) -> None:
    position = "position fen bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"
    program.send("setoption name UCI_Chess960 value true")
    assert not any(line.startswith("info string") for line in program.ask(position, "go depth 1"))
    program.send("setoption name UCI_Chess960 value false")
    lines = program.ask(position, "isready", until="readyok")
    assert "White castles with the king from e1" in lines[0]


def test_a_stop_with_nothing_to_stop_says_nothing(program: Driven) -> None:
    assert program.ask("stop", "ponderhit", "isready", until="readyok") == ["readyok"]


@pytest.mark.parametrize(
    "limit", ["depth 3", "nodes 500", "movetime 30", "btime 500", "wtime 500 btime 500 winc 5 binc 5 movestogo 4"]
)
def test_limits(program: Driven, limit: str) -> None:
    lines = program.ask(f"go {limit}")
    nodes = [int(line.split(" nodes ")[1].split()[0]) for line in lines if " nodes " in line]
    if limit.startswith("nodes"):
        assert nodes[-1] <= 600
    CHESS.play(best(lines))


def test_searchmoves_are_the_only_ones(program: Driven) -> None:
    lines = program.ask("setoption name MultiPV value 4", "go depth 3 searchmoves a2a3 h2h3 e2e5 a2a3")
    firsts = {line.split(" pv ")[1].split()[0] for line in lines if " pv " in line}
    assert firsts == {"a2a3", "h2h3"}
    mate = "position fen 7k/5ppp/8/8/8/8/8/R6K w - - 0 1"
    assert best(program.ask("setoption name MultiPV value 1", mate, "go depth 3")) == "a1a8"
    assert best(program.ask(mate, "go depth 3 searchmoves a1b1")) == "a1b1"


def test_several_lines(program: Driven) -> None:
    lines = program.ask("setoption name MultiPV value 3", "go depth 3")
    last = [line for line in lines if line.startswith("info depth 3 ")]
    assert [line.split(" multipv ")[1].split()[0] for line in last] == ["1", "2", "3"]
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == 3


def test_castling_is_written_as_the_interface_wants_it(program: Driven) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert best(program.ask(f"position fen {fen}", "go depth 1 searchmoves e1g1")) == "e1g1"
    program.send("setoption name UCI_Chess960 value true")
    assert best(program.ask(f"position fen {fen}", "go depth 1 searchmoves e1h1")) == "e1h1"
    assert "4k3/8/8/8/8/8/8/5RK1 b - - 1 1" in program.ask(f"position fen {fen} moves e1h1", "d", until="FEN")[-1]


def test_a_position_with_an_illegal_move_is_kept_up_to_it(program: Driven) -> None:
    lines = program.ask("position startpos moves e2e4 e7e5 e1e3 g8f6", "d", until="FEN")
    assert "info string position, move 3: 'e1e3' is not legal here" in lines[0]
    assert lines[-1].endswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2")
    lines = program.ask("position fen 9/8 w", "position", "position elsewhere", "d", until="FEN")
    assert [line.split()[1] for line in lines[:3]] == ["string"] * 3
    assert "RNBQKBNR w KQkq - 0 2" in lines[-1]  # as it was


def test_moves_are_taken_back(program: Driven) -> None:
    program.send("position startpos moves e2e4 e7e5 g1f3")
    assert " b KQkq - 0 1" in program.ask("position startpos moves e2e4", "d", until="FEN")[-1]
    assert program.ask("position startpos moves d2d4", "d", until="FEN")[-1].startswith("FEN rnbqkbnr/pppppppp/8/8/3P4")


@pytest.mark.parametrize(
    "moves",
    ["g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"],
)
def test_a_draw_that_nobody_claims_is_played_on(program: Driven, moves: str) -> None:
    CHESS.play(best(program.ask(f"position startpos moves {moves}", "go depth 2")))


@pytest.mark.parametrize("fen", ["7k/8/8/8/8/8/R7/7K w - - 120 150", "7k/8/8/8/8/8/8/7K w - - 0 1"])
def test_positions_that_are_drawn_still_have_moves(program: Driven, fen: str) -> None:
    CHESS.play(best(program.ask(f"position fen {fen}", "go depth 2")), state=CHESS.from_fen(fen))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("setoption name Hush value 3", "there is no option 'Hush'; did you mean Hash?"),
        ("setoption name Qwertz", "there is no option 'Qwertz'; there are Hash, Clear Hash"),
        ("setoption", "there is no option ''"),
        ("setoption name Hash value lots", "setoption: Hash is a whole number from 1 to 32768, not 'lots'"),
        ("setoption name Hash value 0", "setoption: Hash is a whole number from 1 to 32768, not '0'"),
        ("setoption name Ponder value maybe", "setoption: Ponder is true or false, not 'maybe'"),
        ("setoption name Book File value nowhere.bin", "setoption: there is no file 'nowhere.bin' to read a book from"),
    ],
)
def test_options_that_are_wrong(program: Driven, line: str, answer: str) -> None:
    assert program.ask(line, "isready", until="readyok")[0].startswith(f"info string {answer}")


def test_options_take_effect(program: Driven) -> None:
    program.send("setoption name hash value 1")
    program.send("setoption name Threads value 2")
    program.send("setoption name Clear Hash")
    lines = program.ask("go depth 5")
    CHESS.play(best(lines))
    program.send("setoption name UCI_LimitStrength value true")
    program.send(f"setoption name UCI_Elo value {LEAST}")
    moves = {best(program.ask("ucinewgame", "go movetime 10000")) for _ in range(12)}
    assert len(moves) > 2  # its judgement varies


def test_chances_of_a_win_a_draw_and_a_loss(program: Driven) -> None:
    program.send("setoption name UCI_LimitStrength value false")
    program.send("setoption name UCI_ShowWDL value true")
    for moves, least in (("", 1), ("moves e2e4 e7e5 d1h5 e8e7", 1000)):  # at first even; then mate in one
        lines = program.ask(f"position startpos {moves}", "go depth 4")
        told = next(line for line in reversed(lines) if " wdl " in line).split()
        at = told.index("wdl")
        win, draw, loss = map(int, told[at + 1 : at + 4])
        assert win + draw + loss == 1000
        assert win >= least
        assert told[at + 4] == "nodes"
    program.send("setoption name UCI_ShowWDL value false")
    assert not any(" wdl " in line for line in program.ask("position startpos", "go depth 2"))


def test_a_table_for_which_there_is_no_room(program: Driven) -> None:
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("no limit can be set on another process here")
    pid = program.process.pid
    before = resource.prlimit(pid, resource.RLIMIT_AS)
    resource.prlimit(pid, resource.RLIMIT_AS, (16 << 30, before[1]))
    try:
        lines = program.ask("setoption name Hash value 32768", "go depth 2")
    finally:
        resource.prlimit(pid, resource.RLIMIT_AS, before)
    assert lines[0] == "info string there is not enough memory for a table of 32768 MiB: use a smaller one"
    assert best(lines) != "(none)"


def test_it_plays_out_of_a_book(program: Driven, tmp_path: Path) -> None:
    path = tmp_path / "my book.bin"
    path.write_bytes(struct.pack(">QHHI", CHESS.initial().key, 16 | 8 << 6, 1, 0))  # a2a3
    program.send(f"setoption name Book File value {path}")
    assert best(program.ask("go depth 2")) != "a2a3"
    program.send("setoption name OwnBook value true")
    assert program.ask("go depth 2") == ["info string book move", "bestmove a2a3"]
    assert len(program.ask("position startpos moves e2e4", "go depth 2")) > 1


def test_a_line_is_read_from_its_first_known_word(program: Driven) -> None:
    assert program.ask("joho isready now", until="readyok")[-1] == "readyok"
    assert program.ask("debug on", "register later", "", "   ", "\x00\xff", "isready", until="readyok") == ["readyok"]


def test_whatever_is_sent_it_neither_breaks_nor_hangs(program: Driven) -> None:
    dice = random.Random(5)
    vocabulary = VOCABULARY.split()
    names = [name for name in Uci(print).commands if name != "quit"]
    asked = answered = 0
    for number in range(3000):
        words = [dice.choice(vocabulary) for _ in range(dice.randrange(12))]
        if number % 2:
            words.insert(0, dice.choice(names))
        line = " ".join(words)
        asked += command_of(line, names)[0] == "go"
        program.send(line)
        if number % 50 == 49:
            lines = program.ask(
                "stop", f"position startpos moves {number}", until=f"info string position, move 1: '{number}'"
            )
            answered += sum(each.startswith("bestmove") for each in lines)
    assert asked > 150
    assert answered == asked
    assert program.process.poll() is None


def test_an_endless_line_is_only_a_line(program: Driven) -> None:
    program.send("position startpos moves " + "e2e4 " * 100_000)
    program.ask("isready", until="readyok")


@pytest.mark.timing
@pytest.mark.parametrize("way", ["quit", "end of input", "searching", "compiling"])
def test_it_ends_within_a_second(way: str, tmp_path: Path) -> None:
    about = {**os.environ, "ZERMELO_CACHE": str(tmp_path)} if way == "compiling" else dict(os.environ)
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=about)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"uci\n" + {"searching": b"go infinite\n", "compiling": b"isready\n"}.get(way, b""))
    process.stdin.flush()
    while (line := process.stdout.readline()) and not line.startswith(
        b"info depth 2" if way == "searching" else b"uciok"
    ):
        pass
    if way == "compiling":
        time.sleep(1.0)
    began = time.monotonic()
    if way != "end of input":
        process.stdin.write(b"quit\n")
    process.stdin.close()
    rest = process.stdout.read()
    assert process.wait(PATIENCE) == 0
    assert time.monotonic() - began < 1.0
    assert (b"bestmove" in rest) == (way == "searching")


def test_ctrl_c_and_a_listener_that_is_gone_end_it() -> None:
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"uci\n")
    process.stdin.flush()
    while not process.stdout.readline().startswith(b"uciok"):
        pass
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 0
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdout.close()
    process.stdin.write(b"uci\n")
    process.stdin.flush()
    assert process.wait(PATIENCE) == 0


# The words.


def split(text: str) -> list[str]:
    return text.split()


def test_go_is_read_leniently() -> None:
    assert Go.read(split("wtime 10 btime -5 winc 1 binc 2 movestogo 3")) == Go(
        wtime=10, btime=-5, winc=1, binc=2, movestogo=3
    )
    assert Go.read(split("searchmoves e2e4 d2d4 depth 3")) == Go(searchmoves=("e2e4", "d2d4"), depth=3)
    assert Go.read(split("ponder depth x 4 nodes infinite")) == Go(ponder=True, depth=4, infinite=True)
    assert Go.read(["nodes", "9" * 5000]).nodes == 1 << 40
    assert Go.read([]) == Go()


def test_positions_and_settings_are_read() -> None:
    assert position(split("startpos moves e2e4")) == (None, ["e2e4"])
    assert position(split("fen a b c moves d")) == ("a b c", ["d"])
    assert position(["fen"]) == ("", [])
    assert position(["moves"]) is None
    assert setting(split("name Clear Hash")) == ("Clear Hash", "")
    assert setting(split("name Book File value my book.bin")) == ("Book File", "my book.bin")
    assert setting(split("value 3")) is None


def test_strengths_grow_with_the_rating() -> None:
    found = [strength(elo) for elo in range(LEAST - 100, MOST + 200, 50)]
    for low, high in itertools.pairwise(found):
        one, two = low.options, high.options
        assert one.get("mistakes", 0) >= two.get("mistakes", 0)
        assert one.get("depth", 9) <= two.get("depth", 9)
        assert one.get("nodes", 0) <= two.get("nodes", 0)
    for each in strengths():
        assert strength(each.elo).options == each.options


# Endgame tables.

WON = "position fen 8/8/8/8/8/2k5/1R6/K7 w - - 0 1"  # mate in 16, the longest with a rook


@pytest.fixture(scope="module")
def endgames(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("endgames")
    build_classes(CHESS, ["KRK"], folder=made)
    return made


@pytest.mark.slow
def test_endgame_tables_of_a_folder_are_used(program: Driven, endgames: Path) -> None:
    lines = program.ask(f"setoption name EndgameTables value {endgames}", WON, "go nodes 20000")
    assert f"info string 2 endgame tables in {endgames}" in lines
    assert "score mate 16 " in lines[-2]
    assert re.search(r" tbhits [1-9]\d* time ", lines[-2])
    assert best(lines) == "a1b1"
    lines = program.ask("setoption name EndgameTables value none", WON, "go nodes 2000")
    assert "mate" not in lines[-2]
    assert "tbhits" not in lines[-2]


@pytest.mark.slow
def test_built_endgame_tables_need_no_option(endgames: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_TABLES", str(endgames))
    started = Driven()
    lines = started.ask(WON, "go nodes 20000")
    started.close()
    assert "score mate 16 " in lines[-2]


@pytest.mark.slow
def test_damaged_or_missing_endgame_tables_are_reported_and_not_used(
    program: Driven, endgames: Path, tmp_path: Path
) -> None:
    lines = program.ask(f"setoption name EndgameTables value {tmp_path}", WON, "go nodes 2000")
    assert any(f"there are no tables of chess in {tmp_path}: build them with" in line for line in lines)
    there = tmp_path / "chess"
    there.mkdir()
    for file in (endgames / "chess").glob("*.win"):
        (there / file.name).write_bytes(file.read_bytes())
    content = bytearray((there / "KRK.win").read_bytes())
    (there / "KRK.win").write_bytes(content[:-1])
    program.send("setoption name EndgameTables value none")
    lines = program.ask(f"setoption name EndgameTables value {tmp_path}", WON, "go nodes 2000")
    assert any("KRK.win is damaged: it has" in line and "No endgame tables are used" in line for line in lines)
    for i in range(len(content) - 12_000, len(content) - 8):
        content[i] ^= 255
    (there / "KRK.win").write_bytes(content)
    program.send("setoption name EndgameTables value none")
    lines = program.ask(f"setoption name EndgameTables value {tmp_path}", WON, "go nodes 2000")
    assert any("does not match its checksum" in line and "From the next move on" in line for line in lines)
    assert CHESS.action_named(CHESS.from_text(WON.removeprefix("position fen ")), best(lines))
    lines = program.ask(WON, "go nodes 2000")
    assert not any("damaged" in line for line in lines)
