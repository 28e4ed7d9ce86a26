"""What a position of chess is worth: the features, their sum, and the value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from walks import states_of_random_play

from zermelo import Engine, GameError, Unsuitable, games
from zermelo.app.cli import main
from zermelo.games.chess import Chess, ChessState, fen
from zermelo.games.chess.evaluation import GRAINS, MOST
from zermelo.games.chess.weights import COUNTS, KINDS, PASSED, UNIT, weights_by_hand
from zermelo.kernel.bits import bits
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.learn.self_play import any_move
from zermelo.search.contributions import contributions

CHESS = Chess(draws="never")
LONGEST = 200


def mirrored(s: ChessState) -> ChessState:
    """The position with the colours exchanged, and the board turned upside down."""
    turn = lambda word: int.from_bytes(word.to_bytes(8, "little"), "big")  # noqa: E731
    boards = [turn(word) for word in fen.pieces(s)]
    after = ChessState(
        *boards, turn(s.black), turn(s.white), 1 - s.mover, turn(s.castling), s.en_passant, s.clock, s.number, 0
    )
    return after._replace(en_passant=s.en_passant ^ 56 if s.en_passant else 0)


def counted(text: str, p: int = 0) -> dict[str, int]:
    """What is counted for a player in a position, without what there is none of."""
    counts = CHESS.counts(CHESS.from_fen(text), p)
    return {name: int(count) for name, count in zip(COUNTS, counts, strict=True) if count}


def compared(game: Any, s: Any, random: Random, positions: int) -> tuple[float, float]:
    """Random play: the greatest difference between the two ways to add up, and a sum of all values."""
    worst, total = 0.0, 0.0
    start, ply = s, 0
    for number in range(positions):
        player = number & 1
        added = 0.0
        for feature, amount in game.features(s, player):
            added += game.weights[feature] * amount
        worst = max(worst, abs(added - game.weighted_features(s, player)))
        total += game.evaluate(s, player) * (1 + number % 7)
        ply += 1
        if ply == LONGEST or game.is_terminal(s):
            s, ply = start, 0
        s = game.result(s, any_move(game, s, random))
    return worst, total


COMPARED = Routine(compared)


def test_the_features_add_up_in_both_modes() -> None:
    start = CHESS.initial()
    worst, total = COMPARED.compiled(CHESS, Random(1), 1_000)(start)
    assert COMPARED.run_plain(CHESS, start, Random(1), 1_000) == (worst, total)
    assert worst < 1e-12
    assert COMPARED.compiled(CHESS, Random(2), 20_000)(start)[0] < 1e-12


def test_colours_exchanged() -> None:
    for s in states_of_random_play(Chess(), 3)[::3]:
        assert CHESS.evaluate(s, 0) == -CHESS.evaluate(s, 1) == CHESS.evaluate(mirrored(s), 1)


def test_more_is_better() -> None:
    """Without a piece the position is worth less, the more so the greater the piece."""
    s = CHESS.initial()
    values = [CHESS.evaluate(s, 0)]
    for square in ("e2", "b1", "a1", "d1"):
        without = ~(1 << fen.square_named(square))  # type: ignore[operator]
        fewer = s._replace(**{name: getattr(s, name) & without for name in ("white", *ChessState._fields[:5])})
        values.append(CHESS.evaluate(fewer, 0))
    assert values == sorted(values, reverse=True)
    assert values[0] - values[1] == pytest.approx(0.1, abs=0.05)  # a pawn is about a tenth of a win


def test_values_are_within_the_utilities_and_in_order() -> None:
    rows = ("8/8/8/8", "Q7/8/8/8", "QQ6/8/8/8", "QQQ5/8/8/8", "QQQQ4/8/8/8", "QQQQQQQQ/8/8/8", "QQQQQQQQ/RR6/8/8")
    values = [CHESS.evaluate(CHESS.from_fen(f"{row}/k7/8/7K/8 b - - 0 1"), 0) for row in rows]
    assert values == sorted(values)
    assert len(set(values[:5])) == 5  # beyond that, all is won
    assert values[-1] <= MOST < 1.0
    assert all(float(np.float32(value)) == value for value in values)
    assert all((value * GRAINS).is_integer() for value in values)


def test_weights_add_up_exactly() -> None:
    assert ((CHESS.weights / UNIT) % 1 == 0).all()
    assert len(CHESS.weights) == len(CHESS.feature_names()) == len(weights_by_hand())
    assert len(set(CHESS.feature_names())) == len(CHESS.weights)


def test_other_weights() -> None:
    other = Chess(weights=[0.0] * len(CHESS.weights))
    assert other.evaluate(other.initial(), 0) == 0
    with pytest.raises(GameError, match=f"weights must be {len(CHESS.weights)} numbers"):
        Chess(weights=[1.0])


# Pawns.


def test_doubled_and_isolated_pawns() -> None:
    found = counted("4k3/8/8/8/4P3/4P3/4P1PP/4K3 w - - 0 1")
    assert (found["pawns"], found["doubled pawns"], found["isolated pawns"]) == (5, 2, 3)
    assert found["pawns side by side"] == 2
    assert "backward pawns" not in found


def test_a_backward_pawn() -> None:
    """The pawn on d3 cannot go on without being captured, and its neighbours have gone ahead."""
    assert counted("4k3/8/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1")["backward pawns"] == 1
    assert "backward pawns" not in counted("4k3/8/8/8/2P1P3/3P4/8/4K3 w - - 0 1")  # nobody captures on d4
    assert "backward pawns" not in counted("4k3/8/8/4p3/2P5/3PP3/8/4K3 w - - 0 1")  # e3 guards d4


def test_passed_pawns() -> None:
    s = CHESS.from_fen("4k3/1p5p/8/P2P4/1p6/5P2/1P4P1/4K3 w - - 0 1")
    assert [fen.square_name(square) for square in bits(CHESS.passed(s, 0))] == ["f3", "d5"]
    assert CHESS.passed(s, 1) == 0
    assert CHESS.passed_feature(0, 35) == CHESS.passed_feature(1, 35 ^ 56) == 2 * (PASSED + 3)
    doubled = CHESS.from_fen("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1")
    assert list(bits(CHESS.passed(doubled, 0))) == [16]  # the one behind is in the way of nobody but itself


def test_help_for_a_passed_pawn() -> None:
    alone = counted("8/8/8/3P4/8/8/k7/7K w - - 0 1")
    assert "blocked passed pawns" not in alone
    assert counted("8/8/3k4/3P4/8/8/8/7K w - - 0 1")["blocked passed pawns"] == 1
    assert counted("8/8/8/3PP3/8/8/k7/7K w - - 0 1")["supported passed pawns"] == 2
    assert alone["passed pawns, own king"] == 3 * 5  # from h1 to d6, and the pawn has made three steps
    assert alone["passed pawns, other king"] == 3 * 4


# Pieces.


def test_rooks_and_files() -> None:
    found = counted("4k3/R5p1/8/8/8/8/5P2/3RKRR1 w - - 0 1")
    assert (found["rooks on open files"], found["rooks on half-open files"], found["rooks on the seventh"]) == (2, 1, 1)


def test_mobility_leaves_out_what_pawns_guard() -> None:
    assert counted("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1")["knights' moves"] == 8
    assert counted("4k3/8/1p6/8/4N3/8/3P4/4K3 w - - 0 1")["knights' moves"] == 6  # nor its own pawn's square


def test_an_outpost() -> None:
    assert counted("4k3/pp4pp/8/3N4/4P3/8/8/4K3 w - - 0 1")["knights' outposts"] == 1
    assert "knights' outposts" not in counted("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1")  # c7-c6 drives it away


def test_the_king() -> None:
    home = counted("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1")
    assert home["pawns before the king"] == 3
    assert "open files at the king" not in home
    bare = counted("6k1/5ppp/8/8/8/8/8/6K1 w - - 0 1")
    assert bare["open files at the king"] == 3
    attacked = counted("6k1/5ppp/8/8/8/3B4/8/6QK w - - 0 1")
    assert attacked["danger to the other king"] > 0
    assert "danger to the other king" not in counted("6k1/5ppp/8/8/8/8/8/6QK w - - 0 1")  # one piece is no attack


def test_threats() -> None:
    found = counted("4k3/8/8/2n1r3/3P4/5N2/8/4K3 w - - 0 1")
    assert found["pieces attacked by pawns"] == 2
    assert found["pieces attacked by lesser ones"] == 1


def test_bishops_in_a_pair() -> None:
    assert counted("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1")["bishop pair"] == 1
    assert "bishop pair" not in counted("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1")


def test_every_square_has_a_mirror_image() -> None:
    for kind in range(len(KINDS)):
        for square in range(64):
            feature = CHESS.place_feature(0, kind, square)
            assert feature == CHESS.place_feature(0, kind, square ^ 7) == CHESS.place_feature(1, kind, square ^ 56)
            name = fen.square_name(min(square, square ^ 7))
            assert CHESS.feature_names()[feature] == f"opening: {KINDS[kind]} on {name}"


# For people.


def test_contributions_add_up() -> None:
    s = CHESS.play("e4", "e5", "Nf3")
    parts = contributions(CHESS, s, 1)
    assert sum(part.worth for part in parts) == pytest.approx(CHESS.weighted_features(s, 1))
    pawns = next(part for part in parts if part.name == "opening: pawns")
    assert (pawns.own, pawns.other) == (8, 8)
    with pytest.raises(Unsuitable, match="not a sum of features"):
        contributions(games.load("nim"), games.load("nim").initial(), 0)


def test_explained_on_the_command_line() -> None:
    position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    done = CliRunner().invoke(main, ["explain", "chess", "--fen", position, "--depth", "2", "--all"])
    assert done.exit_code == 0, done.output
    assert "endgame: passed pawn on row 2" in done.output
    assert "White plays" in done.output
    refused = CliRunner().invoke(main, ["explain", "nim", "--fen", position])
    assert refused.exit_code == 2
    assert "reads no positions as text" in refused.output


def test_the_engine_mates_by_its_help() -> None:
    """A rook's mate is beyond what the search sees at once: the evaluation must lead there."""
    game = Chess()
    s = game.from_fen("8/8/8/8/3k4/8/8/R3K3 w - - 0 1")
    engine = Engine(game)
    while not game.is_terminal(s):
        s = game.result(s, engine.think(s, depth=6).action)
    assert game.utility(s, 0) == 1.0  # and not drawn after fifty moves
