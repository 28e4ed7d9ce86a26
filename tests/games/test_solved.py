"""Games that the engine solves, against what is published of them.

The larger collections of positions lie beside the project where they are present, and are not part of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zermelo import Engine, games
from zermelo.games.connect_four import ConnectFour
from zermelo.search.proof_number import prove, solve_by_proof

TRUTH = Path(__file__).parents[3] / "shared" / "truth"
FIRST_MOVES = [-2, -1, 0, 1, 0, -1, -2]  # Allis 1988, Allen 1988: won by the centre column alone, on the 41st stone


def connect_four_score(value: float, distance: int | None, stones: int) -> int:
    """22 less the stones that the winner has played at the end, negative for a loss: how solvers of the game count."""
    if distance is None:
        return 0
    return int(value) * (22 - (stones + distance + 1) // 2)


def test_connect_four_is_won_by_the_centre_column() -> None:
    found = Engine(ConnectFour()).think(lines=7, seconds=10)
    scores = {m.name: connect_four_score(m.value, m.distance, 0) for m in found.moves}  # type: ignore[arg-type]
    assert [scores[str(column)] for column in range(1, 8)] == FIRST_MOVES
    assert (found.value, found.distance, found.exact, found.verdict) == (
        1.0,
        41,
        True,
        f"{ConnectFour().player_name(0)} wins in 41 plies",
    )


def connect_four_positions(name: str) -> list[tuple[str, int]]:
    file = TRUTH / "connect_four" / name
    if not file.exists():
        pytest.skip(f"{name}, Pascal Pons's test positions, is not here")
    return [(moves, int(score)) for moves, score in (line.split() for line in file.read_text().splitlines())]


def check_connect_four(positions: list[tuple[str, int]]) -> None:
    game = ConnectFour()
    solved = Engine(game).solve_many(game.play(*moves) for moves, _ in positions)
    for (moves, score), found in zip(positions, solved, strict=True):
        assert connect_four_score(found.value, found.distance, len(moves)) == score, moves


@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R1"])
def test_connect_four_scores(name: str) -> None:
    check_connect_four(connect_four_positions(name)[:200])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Test_L3_R1", "Test_L2_R1"])
def test_all_connect_four_scores(name: str) -> None:
    check_connect_four(connect_four_positions(name))


@pytest.mark.slow
def test_connect_four_from_nothing() -> None:
    """Without the positions that are shipped, which no variant has: they are what this proves."""

    class Unprepared(ConnectFour):
        pass

    found = Engine(Unprepared(), table=256).solve()
    assert (found.value, found.distance, found.action) == (1.0, 41, 3)


WIPE_OUT = 39 - 20


def othello_positions(name: str) -> list[tuple[str, str, dict[str, int]]]:
    file = TRUTH / "othello" / name
    if not file.exists():
        pytest.skip(f"{name}, the French federation's endgames, is not here")
    positions = []
    for line in file.read_text().splitlines():
        board, *scores = (part.strip() for part in line.split(";") if part.strip())
        squares, mover = board.split()
        named = {name.lower(): int(score) for name, score in (part.split(":") for part in scores)}
        positions.append((squares, mover, named))
    return positions


def check_othello(positions: list[tuple[str, str, dict[str, int]]]) -> None:
    game: Any = games.load("othello")
    engine = Engine(game, table=128)
    for squares, mover, scores in positions:
        s = game.from_text(f"{squares} {mover}")
        found = engine.solve(s)
        best = max(scores.values())
        assert (found.value, found.exact) == (best, True)
        assert scores[game.action_name(s, found.action)] == best


def test_othello_endgames() -> None:
    check_othello(othello_positions("fforum-20-39.obf")[:5])


def test_a_wipe_out_is_proven_by_proof_numbers() -> None:
    """FFO 39 is won with all 64 discs, the greatest utility there is, and that is what proof numbers ask about.

    It is not among those that the engine solves below: after 1,201 million nodes and 165 seconds it had no answer.
    Df-pn, which goes where the opponent has few replies, needs some 30,000.
    """
    game: Any = games.load("othello")
    squares, mover, scores = othello_positions("fforum-20-39.obf")[WIPE_OUT]
    s = game.from_text(f"{squares} {mover}")
    proof = prove(game, s, nodes=1_000_000)
    assert proof.verdict == "proven"
    assert scores[game.action_name(s, proof.action)] == max(scores.values()) == 64


@pytest.mark.slow
def test_more_othello_endgames() -> None:
    positions = othello_positions("fforum-20-39.obf")
    del positions[WIPE_OUT]
    check_othello(positions)
    check_othello(othello_positions("fforum-40-59.obf")[:5])


@pytest.mark.slow
def test_othello_on_small_boards() -> None:
    # 3-11 on the board; the two empty squares go to the winner.
    found = Engine(games.load("othello", size=4)).solve()
    assert (found.value, found.exact) == (-10.0, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "board",
    [(3, 5, 1), (4, 4, 1), (4, 5, 1), (4, 4, 2), (3, 5, 2)],
)
def test_breakthrough_on_small_boards(board: tuple[int, int, int]) -> None:
    """By two solvers that have nothing but the rules in common."""
    game = games.load("breakthrough", width=board[0], height=board[1], rows=board[2])
    found = Engine(game).solve()
    assert (found.value, found.exact) == (solve_by_proof(game).value, True)
