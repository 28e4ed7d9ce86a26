"""What a position of chess is worth: the features, their sum, and the value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from walks import states_of_random_play

from zermelo import Engine, GameError, Unsuitable, games
from zermelo.app.cli import main
from zermelo.games.advantage import GRAINS, MOST
from zermelo.games.chess import Chess, ChessState, fen
from zermelo.games.chess.evaluation import ROOM
from zermelo.games.chess.features import GROUPS
from zermelo.games.chess.weights import UNIT, weights_by_hand
from zermelo.kernel.bits import bits
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.learn.self_play import any_move
from zermelo.search.contributions import contributions, group_worths

CHESS = Chess(draws="never", evaluation="features")
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
    s = CHESS.from_fen(text)
    theirs, _ = CHESS.surveyed(s, 1 - p, CHESS.listing, ([0] * ROOM, [0] * ROOM, 0, 1))
    mine, listed = CHESS.surveyed(s, p, CHESS.listing, ([0] * ROOM, [0] * ROOM, 0, 1))
    numbers, amounts, count, _ = CHESS.side_features(s, p, mine, theirs, CHESS.listing, listed)
    names = [name for group in GROUPS.values() for name in group]
    found: dict[str, int] = {}
    for number, amount in zip(numbers[:count], amounts[:count], strict=True):
        found[names[number]] = found.get(names[number], 0) + int(amount)
    return found


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


def flipped(s: ChessState) -> ChessState:
    """The position with left and right exchanged."""
    turn = lambda word: sum(1 << (square ^ 7) for square in bits(word))  # noqa: E731
    boards = [turn(word) for word in (*fen.pieces(s), s.white, s.black)]
    return s._replace(**dict(zip(ChessState._fields[:8], boards, strict=True)), castling=turn(s.castling), en_passant=0)


def test_left_and_right_exchanged() -> None:
    for s in states_of_random_play(Chess(), 3)[1::3]:
        assert CHESS.evaluate(s, 0) == CHESS.evaluate(flipped(s), 0)


def test_more_is_better() -> None:
    """Without a piece the position is worth less, the more so the greater the piece."""
    s = CHESS.initial()
    values = [CHESS.evaluate(s, 0)]
    for square in ("e2", "b1", "a1", "d1"):
        without = ~(1 << fen.square_named(square))  # type: ignore[operator]
        fewer = s._replace(**{name: getattr(s, name) & without for name in ("white", *ChessState._fields[:5])})
        values.append(CHESS.evaluate(fewer, 0))
    assert values == sorted(values, reverse=True)
    assert 0.03 < values[0] - values[1] < 0.15  # a pawn is less than a tenth of a win as long as all pieces are there
    ending = [CHESS.from_fen(f"4k3/pp3ppp/8/8/8/8/{row}/4K3 w - - 0 1") for row in ("PP3PPP", "PP4PP")]
    assert 0.05 < CHESS.evaluate(ending[0], 0) - CHESS.evaluate(ending[1], 0) < 0.25


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


# Material.


def test_material() -> None:
    found = counted("4k3/8/8/8/8/8/PP6/RNBQKBNR w KQ - 0 1")
    assert [found[kind] for kind in ("pawns", "knights", "bishops", "rooks", "queens")] == [2, 2, 2, 2, 1]
    assert (found["bishop pair"], found["knight pair"], found["rook pair"]) == (1, 1, 1)
    assert found["knights and pawns"] == found["rooks and pawns"] == 2 * (2 - 5)
    assert (found["right to castle"], found["the move"]) == (2, 1)
    alone = counted("4k3/8/8/8/8/8/8/2B1K3 b - - 0 1")
    assert not {"bishop pair", "right to castle", "the move"} & alone.keys()
    assert "bishop pair" not in counted("4k3/8/8/8/8/B7/8/2B1K3 w - - 0 1")  # both on dark squares


def test_squares_are_seen_from_the_side_of_the_king() -> None:
    """With the king on the files a to d the board is mirrored; Black sees it from the other side."""
    assert counted("4k3/8/8/8/8/2N5/8/6K1 w - - 0 1")["knight on c3"] == 1
    assert counted("4k3/8/8/8/8/2N5/8/1K6 w - - 0 1")["knight on f3"] == 1
    assert counted("1k6/8/2n5/8/8/8/8/4K3 w - - 0 1", 1)["knight on f3"] == 1
    assert counted("1k6/8/2n5/8/8/8/8/4K3 w - - 0 1", 1)["king on g1"] == 1


def test_hard_endgames_count_less() -> None:
    hope = lambda text: CHESS.winning_hope(CHESS.from_fen(text))  # noqa: E731
    assert hope("4k3/8/8/8/8/4p3/8/R3K2b w - - 0 1") == 0.15  # a rook cannot win against a bishop
    assert hope("4k3/8/8/8/8/4P3/8/R3K2b w - - 0 1") == 1.0
    assert hope("4k3/5p2/8/8/8/8/5P2/2B1K1b1 w - - 0 1") == 1.0  # both bishops on dark squares
    assert hope("4k3/5p2/8/8/8/8/5P2/2B1Kb2 w - - 0 1") == 0.5
    assert hope("r3k3/5p2/8/8/8/8/5P2/R1B1Kb2 w - - 0 1") == 0.85
    s = CHESS.from_fen("4k3/8/8/8/8/8/8/R3K2b w - - 0 1")
    assert 0 < CHESS.evaluate(s, 0) < 0.05


# Pawns.


def test_doubled_and_isolated_pawns() -> None:
    found = counted("4k3/4p3/8/8/4P3/4P3/P3P1PP/4K3 w - - 0 1")
    assert (found["pawns"], found["doubled pawns"], found["isolated pawns"]) == (6, 2, 4)
    assert found["isolated pawns on half-open files"] == 1  # on a2; the others have a pawn before them
    assert found["pawns side by side, row 2"] == 2
    assert "backward pawns" not in found


def test_a_backward_pawn() -> None:
    """The pawn on d3 cannot go on without being captured, and its neighbours have gone ahead."""
    found = counted("4k3/8/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1")
    assert found["backward pawns"] == found["backward pawns on half-open files"] == 1
    assert found["pawns guarded by pawns, row 4"] == 2
    assert "backward pawns" not in counted("4k3/8/8/8/2P1P3/3P4/8/4K3 w - - 0 1")  # nobody captures on d4
    assert "backward pawns" not in counted("4k3/8/8/4p3/2P5/3PP3/8/4K3 w - - 0 1")  # e3 guards d4
    opposed = counted("4k3/3p4/8/4p3/2P1P3/3P4/8/4K3 w - - 0 1")
    assert opposed["backward pawns"] == 1
    assert "backward pawns on half-open files" not in opposed
    assert opposed["blocked pawns"] == 1  # e4


def test_passed_pawns() -> None:
    s = CHESS.from_fen("4k3/1p5p/8/P2P4/1p6/5P2/1P4P1/4K3 w - - 0 1")
    assert [fen.square_name(square) for square in bits(CHESS.passed(s, 0))] == ["f3", "d5"]
    assert CHESS.passed(s, 1) == 0
    found = counted("4k3/1p5p/8/P2P4/1p6/5P2/1P4P1/4K3 w - - 0 1")
    assert (found["passed pawn, row 3"], found["passed pawn, row 5"]) == (1, 1)
    assert counted("4k3/8/8/8/3p4/8/8/4K3 w - - 0 1", 1)["passed pawn, row 5"] == 1
    doubled = CHESS.from_fen("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1")
    assert list(bits(CHESS.passed(doubled, 0))) == [16]  # the one behind is in the way of nobody but itself


def test_the_path_of_a_passed_pawn() -> None:
    free = counted("8/8/8/3P4/8/8/k7/7K w - - 0 1")
    assert free["passed pawn, path safe, row 5"] == 1
    assert not {name for name in free if name.startswith(("blocked passed", "passed pawn, next"))}
    assert counted("8/8/3k4/3P4/8/8/8/7K w - - 0 1")["blocked passed pawn, row 5"] == 1
    watched = counted("8/3k4/8/3P4/8/8/8/7K w - - 0 1")  # the king guards the next square
    assert "passed pawn, path safe, row 5" not in watched
    assert "passed pawn, next square safe, row 5" not in watched
    assert counted("3k4/8/8/3P4/8/8/8/7K w - - 0 1")["passed pawn, next square safe, row 5"] == 1
    assert counted("8/8/8/2KP4/8/8/k7/8 w - - 0 1")["passed pawn, next square guarded, row 5"] == 1


def test_who_is_near_a_passed_pawn() -> None:
    found = counted("8/8/8/3P4/8/8/k7/7K w - - 0 1")
    assert found["passed pawn, own king, 5 steps"] == 3  # from h1 to d6, and the pawn has made three steps
    assert found["passed pawn, other king, 4 steps"] == 3
    behind = counted("3r3k/8/8/3P4/8/8/8/3R3K w - - 0 1")
    assert behind["rook behind passed pawn"] == 1
    assert "their rook behind passed pawn" not in behind  # it stands before the pawn
    assert counted("7k/8/8/3P4/8/3r4/8/7K w - - 0 1")["their rook behind passed pawn"] == 1


def test_the_rule_of_the_square() -> None:
    """The king must be able to enter the square whose side is the pawn's way."""
    runner = "passed pawn that no king can catch"
    assert counted("8/8/8/P5k1/8/8/8/7K w - - 0 1")[runner] == 1
    assert runner not in counted("8/8/8/P3k3/8/8/8/7K b - - 0 1")
    assert runner not in counted("n7/8/8/P5k1/8/8/8/7K w - - 0 1")
    assert counted("8/8/8/8/6k1/8/P7/7K w - - 0 1")[runner] == 1  # two steps at once


# Pieces.


def test_rooks_and_files() -> None:
    found = counted("4k3/R5p1/8/8/8/8/5P2/3RKRR1 w - - 0 1")
    assert (found["rooks on open files"], found["rooks on half-open files"], found["rooks on the seventh"]) == (2, 1, 1)
    assert found["rooks shut in by the king"] == 1
    assert "rooks shut in by the king" not in counted("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    assert "rooks shut in by the king" not in counted("4k3/8/8/8/8/8/8/5RK1 w - - 0 1")


def test_mobility_leaves_out_what_pawns_guard() -> None:
    assert counted("4k3/8/8/8/4N3/8/8/4K3 w - - 0 1")["knight with 8 moves"] == 1
    assert counted("4k3/8/1p6/8/4N3/8/8/4K3 w - - 0 1")["knight with 7 moves"] == 1  # c5 is guarded
    assert counted("4k3/8/8/8/4N3/3p4/3P4/4K3 w - - 0 1")["knight with 7 moves"] == 1  # d2 is its own, and blocked
    found = counted("4k3/8/8/8/8/8/8/Q3K2B w - - 0 1")
    assert found["bishop with 7 moves"] == 1
    assert found["queen with 17 moves"] == 1  # seven up, seven on the diagonal, b1 to d1
    assert counted("4k3/8/8/8/8/8/8/RR2K3 w - - 0 1")["rook with 10 moves"] == 2  # through one another, not the king


def test_outposts() -> None:
    assert counted("4k3/pp4pp/8/3N4/4P3/8/8/4K3 w - - 0 1")["knight outposts"] == 1
    assert counted("4k3/pp4pp/8/3B4/4P3/8/8/4K3 w - - 0 1")["bishop outposts"] == 1
    assert "knight outposts" not in counted("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1")  # c7-c6 drives it away
    assert counted("4k3/pp4pp/8/8/4P3/2N5/8/4K3 w - - 0 1")["knights that reach an outpost"] == 1


def test_a_bishop_and_its_pawns() -> None:
    found = counted("4k3/8/4p3/3pP3/3P4/8/8/2B1K3 w - - 0 1")
    assert found["pawns on the bishop's colour"] == found["blocked centre pawns on the bishop's colour"] == 2
    assert "pawns on the bishop's colour" not in counted("4k3/8/8/4P3/3P4/8/8/4KB2 w - - 0 1")
    assert counted("4k3/8/8/8/8/3P4/3B4/4K3 w - - 0 1")["minor pieces behind pawns"] == 1


def test_space() -> None:
    """Four files, rows 2 to 4: the pawns stand on four of the squares, and e4 covers e3 and e2."""
    found = counted("4k3/8/8/8/4P3/8/2PP1P2/4K3 w - - 0 1")
    assert (found["space"], found["space behind pawns"]) == (8, 2)
    assert counted("4k3/8/8/3p4/4P3/8/2PP1P2/4K3 w - - 0 1")["space"] == 7  # c4 is guarded by a pawn


# Kings.


def test_shelter_and_storm() -> None:
    home = counted("6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1")
    files = ("edge file", "second file", "third file")
    assert all(home[f"pawn on row 2 before the king, {file}"] == 1 for file in files)
    assert home["their pawn on row 7 before the king, free"] == 3
    assert "open files at the king" not in home
    bare = counted("6k1/8/8/8/8/8/8/6K1 w - - 0 1")
    assert bare["open files at the king"] == 3
    assert bare["no pawn before the king, edge file"] == bare["no pawn before the king, third file"] == 1
    storm = counted("6k1/8/8/8/8/6Pp/5P2/6K1 w - - 0 1")
    assert storm["their pawn on row 3 before the king, free"] == 1
    blocked = counted("6k1/8/8/8/8/7p/7P/6K1 w - - 0 1")
    assert blocked["their pawn on row 3 before the king, blocked"] == 1
    assert counted("6k1/8/8/8/8/8/8/5NK1 w - - 0 1")["minor pieces at the king"] == 1


def test_danger_to_a_king() -> None:
    def degree(text: str) -> int:
        degrees = [int(name.split()[1]) for name in counted(text) if name.startswith("danger")]
        return degrees[0] if degrees else 0

    assert degree("6k1/5ppp/8/8/8/8/8/6QK w - - 0 1") < degree("6k1/5ppp/8/8/8/3B4/8/6QK w - - 0 1")
    assert degree("6k1/5ppp/8/8/8/3B4/8/6QK w - - 0 1") < degree("6k1/5ppp/8/6N1/8/3B4/8/6QK w - - 0 1")
    assert degree("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1") == 0
    found = counted("6k1/5ppp/8/6NQ/8/3B4/8/7K w - - 0 1")
    assert found["knights near the other king"] == found["bishops near the other king"] == 1
    assert found["queens near the other king"] == 1
    assert found["weak squares next to the other king"] == 2  # f7 and h7, which only the king defends


def test_safe_checks_and_pins() -> None:
    found = counted("6k1/8/8/8/8/8/R7/K7 w - - 0 1")
    assert found["safe checks, by rooks"] == 2  # on a8 and on g2
    assert "safe checks, by rooks" not in counted("1r4k1/6r1/8/8/8/8/R7/K7 w - - 0 1")  # both lines are closed
    assert counted("6k1/8/8/3N4/8/8/8/K7 w - - 0 1")["safe checks, by knights"] == 2  # e7 and f6
    assert counted("4k3/4n3/8/8/8/8/8/4R1K1 w - - 0 1")["pieces pinned to the other king"] == 1


# Threats.


def test_threats_by_pawns() -> None:
    found = counted("4k3/8/8/2n1r3/3P4/4P3/8/4K3 w - - 0 1")
    assert (found["pawn attacks knight"], found["pawn attacks rook"]) == (1, 1)
    assert counted("4k3/8/8/4n3/8/8/3P4/4K3 w - - 0 1")["pawn steps that attack"] == 1  # d2-d4


def test_threats_by_pieces() -> None:
    found = counted("4k3/8/8/4r3/8/3N4/8/6K1 w - - 0 1")
    assert found["minor piece attacks rook"] == found["hanging pieces"] == 1
    assert found["weak pieces attacked, on the move"] == 1
    assert "weak pieces attacked, on the move" not in counted("4k3/8/8/4r3/8/3N4/8/6K1 b - - 0 1")
    assert counted("5k2/8/8/b3R3/8/8/8/6K1 w - - 0 1")["rook attacks bishop"] == 1
    assert "rook attacks bishop" not in counted("5k2/8/1p6/b3R3/8/8/8/6K1 w - - 0 1")  # a pawn guards it
    assert counted("4k3/8/8/8/8/8/3n4/4K3 w - - 0 1")["king attacks weak pieces"] == 1
    assert counted("4k3/8/8/3q4/8/8/4N3/4K3 w - - 0 1")["safe attacks on the queen next move"] == 2  # c3, f4


def test_contested_squares() -> None:
    """Knights on both sides attack d5 and g4, and no pawn or second piece guards them."""
    assert counted("7k/8/5n2/8/8/4N3/8/7K w - - 0 1")["contested squares"] == 2


# For people.


def test_contributions_add_up() -> None:
    s = CHESS.play("e4", "e5", "Nf3")
    parts = contributions(CHESS, s, 1)
    assert sum(part.worth for part in parts) == pytest.approx(CHESS.weighted_features(s, 1))
    groups = group_worths(CHESS, parts)
    assert sum(group.worth for group in groups) == pytest.approx(CHESS.weighted_features(s, 1))
    assert {group.name for group in groups} <= GROUPS.keys()
    pawns = next(part for part in parts if part.name == "opening: pawns")
    assert (pawns.own, pawns.other) == (8, 8)
    with pytest.raises(Unsuitable, match="not a sum of features"):
        contributions(games.load("nim"), games.load("nim").initial(), 0)


def test_explained_on_the_command_line() -> None:
    position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    done = CliRunner().invoke(main, ["explain", "chess", "--fen", position, "--depth", "2", "--all"])
    assert done.exit_code == 0, done.output
    assert "endgame: passed pawn, row 2" in done.output
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
