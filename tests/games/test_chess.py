"""Chess: the rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from walks import check_both_modes, check_names, states_of_random_play

from zermelo import Engine, GameError, StateError, Unsuitable, analyse, games, perft
from zermelo.game.hashing import SEED, mix
from zermelo.game.state import u64
from zermelo.games.chess import KNIGHT, PAWN, QUEEN, ROOK, Chess, ChessState, fen
from zermelo.games.chess.hints import VALUES
from zermelo.kernel.bits import bits
from zermelo.kernel.parts import Part
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine

TRUTH = Path(__file__).parents[3] / "shared" / "truth" / "chess"
COUNTED = Chess(draws="never")
COUNTED_960 = Chess(chess960=0, draws="never")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

PERFTS = [  # chessprogramming.org, Perft Results; the last two: Martin Sedlak's and Peter Österlund's, talkchess.com
    (fen.START, [20, 400, 8902, 197281, 4865609]),
    (KIWIPETE, [48, 2039, 97862, 4085603]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238, 674624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264, 9467, 422333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486, 62379, 2103487]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", [46, 2079, 89890, 3894594]),
    ("8/ppp3p1/8/8/3p4/5Q2/1ppp2K1/brk4n w - -", [27, 390, 9354, 134167]),
    ("8/6kR/8/8/8/bq6/1rqqqqqq/K1nqnbrq b - -", [7, 52, 4593, 50268]),
]
PERFTS_960 = [  # positions of X-FEN's castling, talkchess.com; the first starting position, python-chess
    ("r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq -", [23, 522, 12333, 285754]),
    ("r1k2r1q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K2R1Q w KQkq -", [28, 738, 20218, 541480]),
    ("8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q -", [34, 318, 9002, 118388]),
    ("2r5/8/8/8/8/8/6PP/k2KR3 w K -", [17, 242, 3931, 57700]),
    ("4r3/3k4/8/8/8/8/6PP/qR1K1R2 w KQ -", [19, 628, 12858, 405636]),
    ("r2r3k/p7/3p4/8/8/P6P/8/R3K2R b KQq -", [14, 206, 3672, 64639]),
]


def check_perft(game: Chess, text: str, expected: dict[int, int]) -> None:
    s = game.from_fen(text)
    for depth, count in expected.items():
        if perft(game, depth, s) != count:
            divided = {game.long_name(s, a): perft(game, depth - 1, game.result(s, a)) for a in game.actions(s)}
            pytest.fail(f"{text}: depth {depth} has {count:,} sequences, not {sum(divided.values()):,}: {divided}")


@pytest.mark.parametrize(("text", "counts"), PERFTS)
def test_perft(text: str, counts: list[int]) -> None:
    check_perft(COUNTED, text, dict(enumerate(counts, 1)))


@pytest.mark.parametrize(("text", "counts"), PERFTS_960)
def test_perft_of_chess960(text: str, counts: list[int]) -> None:
    check_perft(COUNTED_960, text, dict(enumerate(counts, 1)))


def truths(most: int) -> list[tuple[str, dict[int, int]]]:
    """The positions of the files of truth, with the counts up to so many."""
    found = []
    for line in (TRUTH / "perft_standard128.epd").read_text().splitlines():
        text, *rest = line.split(";")
        found.append((text, {int(d[1:]): int(n) for d, n in (word.split() for word in rest)}))
    for line in (TRUTH / "tricky.perft").read_text().splitlines():
        if line.startswith("epd "):
            found.append((line.removeprefix("epd "), {}))
        elif line.startswith("perft "):
            depth, count = line.split()[1:]
            found[-1][1][int(depth)] = int(count)
    return [(text, {d: n for d, n in counts.items() if n <= most}) for text, counts in found]


def check_truths(most: int) -> None:
    for text, counts in truths(most):
        try:
            COUNTED.from_fen(text)
            game = COUNTED
        except StateError:
            game = COUNTED_960
        check_perft(game, text, counts)


@pytest.mark.skipif(not TRUTH.exists(), reason="the file of perfts is not here")
def test_perfts_of_many_positions() -> None:
    check_truths(100_000)


@pytest.mark.slow
@pytest.mark.skipif(not TRUTH.exists(), reason="the file of perfts is not here")
def test_all_perfts_of_many_positions() -> None:
    check_truths(1 << 40)
    check_perft(COUNTED, fen.START, {6: 119060324})
    check_perft(COUNTED, KIWIPETE, {5: 193690690})


def test_counting_is_listing_in_both_modes() -> None:
    for text, counts in PERFTS:
        s = COUNTED.from_fen(text)
        assert perft(COUNTED, 2, s, compile=False) == counts[1]
        assert COUNTED.count_actions(s) == len(list(COUNTED.actions(s))) == counts[0]
    assert perft(games.load("connect_four"), 7) == 823536  # which is recomputed by everybody
    assert perft(COUNTED, 0) == 1


def test_perft_refuses_what_it_cannot_count() -> None:
    with pytest.raises(Unsuitable, match="chance"):
        perft(games.load("pig"), 2)
    with pytest.raises(ValueError, match="-1"):
        perft(COUNTED, -1)


# Both modes.


class Room(Part):
    """Room for the moves of a position."""

    def __init__(self) -> None:
        self.moves = np.zeros(256, np.int64)


def hints(game: Any, s: Any, room: Any) -> int:
    """A number mixed from what an engine asks."""
    key = mix(SEED, 1 if game.may_stand(s) else 0)
    key = mix(key, game.count_actions(s))
    count = game.list_actions(s, room.moves)
    for i in range(count):
        a = int(room.moves[i])
        key = mix(mix(key, a), game.exchange(s, a) & 0xFFFF)
        key = mix(key, 1 if game.gives_check(s, a) else 0)
    count = game.list_noisy_actions(s, room.moves)
    for i in range(count):
        key = mix(key, int(room.moves[i]))
    for a in game.noisy_actions(s):
        key = mix(key, a)
    return key if game.in_check(s) else mix(key, game.after_pass(s).key)


def reached(game: Chess, count: int, seed: int) -> list[ChessState]:
    """Positions of random play that has no end but mate and stalemate."""
    random = Random(seed)
    found = []
    s = game.initial()
    for _ in range(count):
        legal = list(game.actions(s))
        s = game.result(s, legal[random.below(len(legal))]) if legal and s.number < 120 else game.initial()
        found.append(s)
    return found


@pytest.mark.parametrize("game", [Chess(), Chess(chess960=11)], ids=repr)
def test_both_modes_agree(game: Chess) -> None:
    states = reached(Chess(chess960=game.chess960, draws="never"), 250, seed=3)
    check_both_modes(game, states)
    check_names(game, states[::10])
    program, plain = Routine(hints).compiled(game, room := Room()), Room()
    for s in states[::3]:
        assert u64(program(s)) == hints(game, s, plain), game.fen(s)
    assert room.moves[0] != 0


@pytest.mark.parametrize("game", [COUNTED, COUNTED_960], ids=repr)
def test_keys_and_lists_are_those_of_the_position(game: Chess) -> None:
    room = np.zeros(256, np.int64)
    for s in reached(game, 300, seed=5):
        assert s.key == game.key_from_scratch(s)
        assert game.checked(s) == s
        legal = list(game.actions(s))
        assert game.has_move(s) == (legal != [])
        assert sorted(room[: game.list_actions(s, room)].tolist()) == sorted(legal)
        noisy = [a for a in legal if game.is_capture(s, a) or a >> 12]
        assert list(game.noisy_actions(s)) == noisy
        assert sorted(room[: game.list_noisy_actions(s, room)].tolist()) == sorted(noisy)


POLYGLOT = {  # the examples of Polyglot's book format (Michel Van den Bergh)
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": 0x463B96181691FC9C,
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": 0x823C9B50FD114196,
    "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2": 0x0756B94461C50FB0,
    "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2": 0x662FAFB965DB29D4,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3": 0x22A48B5A8E47FF78,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3": 0x652A607CA3F242C1,
    "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4": 0x00FDD303C946BDD9,
    "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3": 0x3C8123EA7B067637,
    "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4": 0x5C3F9B829B279560,
}


@pytest.mark.parametrize("text", POLYGLOT)
def test_keys_are_those_of_polyglot(text: str) -> None:
    assert Chess().from_fen(text).key == POLYGLOT[text]


# The end.


def test_mate_and_stalemate() -> None:
    game = Chess()
    fool = game.play("f3", "e5", "g4", "Qh4#")
    assert game.is_terminal(fool)
    assert (game.utility(fool, 0), game.utility(fool, 1)) == (-1, 1)
    assert game.legal(fool) == []
    stalemate = game.from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert game.is_terminal(stalemate)
    assert game.utility(stalemate, 0) == 0
    assert not game.in_check(stalemate)


def test_a_third_occurrence_is_a_draw() -> None:
    game = Chess()
    shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"]
    game.play(*shuffle, *shuffle[:3])
    with pytest.raises(ValueError, match="over"):
        game.play(*shuffle, *shuffle, "e4")
    Chess(draws="automatic").play(*shuffle * 4)
    with pytest.raises(ValueError, match="over"):
        Chess(draws="automatic").play(*shuffle * 4, "e4")
    COUNTED.play(*shuffle * 10, "e4")


def test_what_cannot_come_back_is_not_the_same_position() -> None:
    game = Chess()
    s, past = game.initial(), []
    # the first time Black could have castled; the king's walk has lost that
    for name in ["e4", "e5", "Nf3", "Ke7", "Ng1", "Ke8", "Nf3", "Ke7", "Ng1", "Ke8"]:
        past.append(s)
        assert not game.remembering(past).is_terminal(s)
        s = game.play(name, state=s)
    assert not game.remembering([*past, s]).is_terminal(s)
    assert game.remembering([*past, s]).times_seen(s) == 2


def test_a_pawn_that_cannot_legally_be_captured_in_passing_is_none() -> None:
    game = Chess()
    s = game.from_fen("8/8/8/8/k2p4/8/4P2R/4K3 w - - 0 1")
    assert game.fen(game.play("e4", state=s)).split()[3] == "e3"
    s = game.from_fen("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1")  # after e4 both pawns would leave the row
    after = game.play("e4", state=s)
    assert after.en_passant == 0
    assert "dxe3" not in {game.action_name(after, a) for a in game.legal(after)}


@pytest.mark.parametrize(("draws", "clock"), [("claimed", 100), ("automatic", 150)])
def test_moves_without_progress(draws: str, clock: int) -> None:
    game = Chess(draws=draws)
    text = "7k/8/8/8/8/8/R7/K7 w - - {} 90"
    assert not game.is_terminal(game.from_fen(text.format(clock - 1)))
    drawn = game.from_fen(text.format(clock))
    assert game.is_terminal(drawn)
    assert game.utility(drawn, 0) == 0
    mate = game.from_fen(f"R6k/8/6K1/8/8/8/8/8 b - - {clock} 90")  # mate comes first
    assert game.utility(mate, 0) == 1


@pytest.mark.parametrize(
    ("board", "dead"),
    [
        ("8/8/4k3/8/8/4K3/8/8", True),
        ("8/8/4k3/8/8/4KN2/8/8", True),
        ("8/8/4kb2/8/8/4K3/8/8", True),
        ("8/8/4kb2/8/8/4KB2/8/8", False),  # f6 is dark, f3 light
        ("8/8/4kb2/8/8/4K1B1/8/8", True),  # both dark
        ("8/8/4kn2/8/8/4KN2/8/8", False),
        ("8/8/4k3/8/8/4KNN1/8/8", False),
        ("8/8/4k3/8/8/4KP2/8/8", False),
        ("8/8/4k3/8/8/4KR2/8/8", False),
    ],
)
def test_insufficient_material(board: str, dead: bool) -> None:
    s = Chess().from_fen(f"{board} w - - 0 1")
    assert Chess().is_terminal(s) == dead
    assert not COUNTED.is_terminal(s)


def test_random_games_end() -> None:
    game = Chess()
    assert len(states_of_random_play(game, 1)) > 10


# Castling.


def test_castling_leaves_the_king_safe() -> None:
    game = Chess()
    text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    assert {"O-O", "O-O-O"} <= {game.action_name(s, a) for s in [game.from_fen(text)] for a in game.legal(s)}
    for attacker, castles in [("3r4", {"O-O"}), ("5r2", {"O-O-O"}), ("4r3", set()), ("1r6", {"O-O", "O-O-O"})]:
        s = game.from_fen(f"4k3/{attacker}/8/8/8/8/8/R3K2R w KQ - 0 1")
        assert {game.action_name(s, a) for a in game.legal(s)} & {"O-O", "O-O-O"} == castles
    after = game.play("Rxh8+", state=game.from_fen(text))
    assert game.fen(after).split()[2] == "Qq"


def test_castling_of_chess960() -> None:
    game = Chess(chess960=0)
    s = game.from_fen("4k3/8/8/8/8/8/8/r1R1K3 w Q - 0 1")  # the rook on c1 shields the square where the king would go
    assert "O-O-O" not in {game.action_name(s, a) for a in game.legal(s)}
    s = game.from_fen("4k3/8/8/8/8/8/8/5RKR w HF - 0 1")
    assert {game.action_name(s, a) for a in game.legal(s)} >= {"O-O-O"}
    after = game.play("g1f1", state=s)
    assert game.fen(after).split()[0] == "4k3/8/8/8/8/8/8/2KR3R"


# What an engine can use.


def slow_exchange(game: Chess, s: ChessState, a: int) -> int:
    """The gain of a move by trying all captures on its target, of all pieces, pinned or not."""
    origin, target, promoted = a & 63, a >> 6 & 63, a >> 12
    board = {
        square: (fen.letter_at(s, square).isupper(), game.kind_at(s, square)) for square in bits(s.white | s.black)
    }
    if board.get(target, (None,))[0] == board[origin][0]:
        return 0
    gain = VALUES[board[target][1]] if target in board else 0
    colour, kind = board.pop(origin)
    if kind == PAWN and target not in board and origin & 7 != target & 7:
        del board[target ^ 8]
        gain = 1
    if promoted:
        gain += VALUES[promoted] - 1
    board[target] = (colour, promoted or kind)
    return gain - slow_reply(game, board, target)


def slow_reply(game: Chess, board: dict[int, tuple[bool, int]], target: int) -> int:
    colour, kind = board[target]
    words = [0] * 8
    for square, (white, own) in board.items():
        words[own] |= 1 << square
        words[6 if white else 7] |= 1 << square
    s = game.initial()._replace(**dict(zip(ChessState._fields, words, strict=False)))
    attackers = [q for q in bits(game.attackers(s, target, s.white | s.black)) if board[q][0] != colour]
    attackers.sort(key=lambda q: (board[q][1], q))
    defended = any(board[q][0] == colour for q in bits(game.attackers(s, target, s.white | s.black)))
    if not attackers:
        return 0
    least = attackers[0]
    if board[least][1] == 5 and defended:
        return 0
    after = {q: piece for q, piece in board.items() if q != least}
    after[target] = board[least]
    return max(0, VALUES[kind] - slow_reply(game, after, target))


def test_exchange_is_what_trying_gives() -> None:
    compared = 0
    for game in (COUNTED, COUNTED_960):
        for s in reached(game, 250, seed=8):
            for a in game.actions(s):
                if game.is_capture(s, a) or a >> 12 or a % 7 == 0:
                    assert game.exchange(s, a) == slow_exchange(game, s, a), (game.fen(s), game.action_name(s, a))
                    compared += 1
    assert compared > 1000


@pytest.mark.parametrize(
    ("text", "move", "gain"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 1),  # chessprogramming.org, SEE
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", -2),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", 1),
        ("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "exd8=Q+", 5 + 8),
    ],
)
def test_known_exchanges(text: str, move: str, gain: int) -> None:
    game = Chess()
    s = game.from_fen(text)
    assert game.exchange(s, game.action_named(s, move)) == gain


def test_promises_put_good_captures_first() -> None:
    game = Chess()
    s = game.from_fen("3qk3/2P5/8/1n6/P1N5/8/8/3RK3 w - - 0 1")
    ordered = sorted(game.legal(s), key=lambda a: -game.promise(s, a))
    assert [game.action_name(s, a) for a in ordered[:3]] == ["cxd8=Q+", "c8=Q", "Rxd8+"]
    assert game.promise(s, ordered[-1]) < 0  # promotions to less than a queen come last
    assert game.action_name(s, ordered[-1])[-1] != "Q"


def test_material() -> None:
    game = Chess()
    s = game.from_fen("4k3/8/8/8/8/8/8/QR2K3 w - - 0 1")
    assert (game.material(s, 0), game.material(s, 1)) == (14, 0)


def test_a_pass() -> None:
    game = Chess()
    s = game.play("e4")
    passed = game.after_pass(s)
    assert passed.mover == 0
    assert passed.key == game.key_from_scratch(passed)


def test_search_finds_mates() -> None:
    game = Chess()
    s = game.from_fen("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    assert analyse(game, s, algorithm="alpha_beta", depth=2).value == 1
    two = game.from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")  # Paul Morphy's: 1. Ra6
    found = Engine(game, table=1).think(two, depth=6)
    assert (game.action_name(two, found.action), found.distance) == ("Ra6", 3)


# Parameters and states.


def test_parameters() -> None:
    with pytest.raises(GameError, match="0 to 959"):
        Chess(chess960=960)
    with pytest.raises(GameError, match="'claimed', 'automatic', 'never'"):
        Chess(draws="sometimes")
    assert games.load("chess", chess960=518).initial() == Chess().initial()


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"key": 1}, "key"),
        ({"mover": 2}, "mover"),
        ({"kings": 0}, "kind"),
        ({"black": 0}, "kind"),
        ({"pawns": 1 << 4}, "two pieces on e1"),
        ({"castling": 1 << 1}, "no rook on b1"),
        ({"en_passant": 44}, "no pawn"),
    ],
)
def test_states_that_are_no_positions(changed: dict[str, int], reason: str) -> None:
    game = Chess()
    with pytest.raises(StateError, match=reason):
        game.checked(game.initial()._replace(**changed))


def test_promotions_are_numbered_by_kind() -> None:
    s = Chess().from_fen("8/P6k/8/8/8/8/8/4K3 w - - 0 1")
    names = {Chess().action_name(s, a): a >> 12 for a in Chess().legal(s)}
    assert (names["a8=Q"], names["a8=R"], names["a8=N"]) == (QUEEN, ROOK, KNIGHT)


def test_centipawns_are_values_written_otherwise() -> None:
    game = Chess()
    for value in (-0.98, -0.8, -0.1, 0.0, 0.05, 0.8, 0.85, 0.99):
        assert game.value_of_centipawns(game.centipawns(value)) == pytest.approx(value)
    scores = [game.value_of_centipawns(centipawns) for centipawns in range(-9000, 9001, 100)]
    assert scores == sorted(scores)
    assert game.value_of_centipawns(100) == pytest.approx(0.1)
    assert -1 < scores[0] < scores[-1] < 1
