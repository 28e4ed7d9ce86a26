"""Networks with two views: integers against floats, updated sums against all sums, both modes, files."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from zermelo import games
from zermelo.game.errors import GameError, Unsuitable
from zermelo.games.chess import Chess
from zermelo.kernel.random import Random
from zermelo.kernel.routine import Routine
from zermelo.networks import Network, NetworkError, Siblings, TwoViews, with_network
from zermelo.networks.integers import FINE, ONE
from zermelo.networks.judgement import judge
from zermelo.search.contributions import contributions
from zermelo.search.engine import Engine

CHESS = games.load("chess", evaluation="features")
SHORT = games.load("breakthrough", width=5, height=5)


def floats(game: Any, units: int, seed: int = 1) -> tuple[Any, Any, Any, Any]:
    """Weights as training leaves them."""
    draw = np.random.default_rng(seed)
    inputs, phases = len(game.input_names()), len(game.phase_names())
    shapes = (inputs, units), (units,), (phases, 2 * units), (phases,)
    spreads = 0.2, 0.3, 0.1, 0.1
    first, first_bias, last, last_bias = (draw.normal(0, s, shape) for s, shape in zip(spreads, shapes, strict=True))
    return first, first_bias, last, last_bias


def random_network(game: Any, units: int = 16, **options: Any) -> TwoViews:
    return TwoViews.rounded(*floats(game, units), unit=0.2, **options)


def walks(game: Any, count: int) -> list[Any]:
    """Positions of random games."""
    draw, found, s = random.Random(3), [], game.initial()
    while len(found) < count:
        if len(found) % 120 == 0 or game.remembering([s]).is_terminal(s):
            s = game.initial()
        s = game.result(s, draw.choice(game.legal(s)))
        found.append(s)
    return found


def evaluated(game: Any, s: Any) -> float:
    return game.evaluate(s, 0)  # type: ignore[no-any-return]


EVALUATED = Routine(evaluated)


def from_scratch(game: Any, s: Any, weights: Any) -> float:
    """The output of weights that are floats."""
    first, first_bias, last, last_bias = weights
    numbers, amounts, views = np.zeros(2000, np.int64), np.zeros(2000, np.float32), []
    for p in (s.mover, 1 - s.mover):
        count = game.list_inputs(s, p, numbers, amounts)
        views.append(np.clip(first_bias + amounts[:count] @ first[numbers[:count]], 0, 1) ** 2)
    return float(last[game.phase(s)] @ np.concatenate(views) + last_bias[game.phase(s)])


def test_integers_are_the_floats_within_the_rounding() -> None:
    """Each weight is rounded by half a step: this bounds the difference, and it is far smaller on average."""
    weights = floats(CHESS, 16)
    network, errors = TwoViews.rounded(*weights), []
    for s in walks(CHESS, 200):
        pieces = bin(s.white | s.black).count("1")
        units = (pieces + 1) * 0.5 / ONE  # how far a unit's sum can be off, and half of what its square can
        largest = float((2 * units + units**2) * abs(weights[2]).sum(1).max() + 32 * 0.5 / FINE + 1e-6)
        errors.append(abs(network.advantage(CHESS, s, s.mover) - from_scratch(CHESS, s, weights)))
        assert errors[-1] <= largest
    assert np.mean(errors) < 0.01


PROMOTION, EN_PASSANT, CASTLING, CAPTURE, QUIET = range(5)


def compare(game: Any, s: Any, whole: Any, random: Random, count: int, moves: Any, kinds: Any) -> int:
    """Play at random, rare moves more often; returns how many positions are evaluated alike before one is not."""
    start = s
    for i in range(count):
        found = game.list_actions(s, moves)
        if found == 0 or i % 200 == 0:
            s = start
            found = game.list_actions(s, moves)
        a = moves[random.below(found)]
        for k in range(found):
            if chess_kind(game, s, moves[k]) <= CASTLING and random.below(3) == 0:
                a = moves[k]
        kinds[chess_kind(game, s, a)] += 1
        s = game.result(s, a)
        if game.network.advantage(game, s, s.mover) != whole.network.advantage(whole, s, s.mover):
            return i
    return count


def chess_kind(game: Any, s: Any, a: int) -> int:
    """The kind of a move of chess."""
    if a >> 12 != 0:
        return PROMOTION
    if s.en_passant != 0 and a >> 6 & 63 == s.en_passant and s.pawns >> (a & 63) & 1 != 0:
        return EN_PASSANT
    if game.own(s) >> (a >> 6 & 63) & 1 != 0:
        return CASTLING
    return CAPTURE if game.other(s) >> (a >> 6 & 63) & 1 != 0 else QUIET


COMPARE = Routine(compare)


@pytest.mark.parametrize(("compiled", "count"), [(True, 100_000), (False, 300)])
def test_updated_sums_are_all_sums_added_up(compiled: bool, count: int) -> None:
    """In random games with castling, captures en passant and promotions, the sums are those computed from nothing."""
    whole = with_network(games.load("chess", draws="never"), random_network(CHESS))
    own = whole.remembering((), 4)
    assert len(own.network.sums) == 2
    assert len(whole.network.sums) == 0
    arguments = whole, Random(5), count, np.zeros(256, np.int64 if compiled else object), np.zeros(5, np.int64)
    s = own.initial()
    alike = COMPARE.compiled(own, *arguments)(s) if compiled else COMPARE.run_plain(own, s, *arguments)
    assert alike == count
    if compiled:
        assert (arguments[-1] > 100).all(), arguments[-1]


@pytest.mark.parametrize("added", [False, True])
def test_both_modes_agree(added: bool) -> None:
    game = with_network(CHESS, random_network(CHESS, added=added))
    own = game.remembering((), 4)
    compiled = EVALUATED.compiled(own)
    for s in walks(CHESS, 60):
        assert game.evaluate(s, 0) == own.evaluate(s, 0) == compiled(s) == -game.evaluate(s, 1)


def test_mirrored_positions_are_worth_the_same() -> None:
    """The other colour, and the other side of the board without castling, are what was learned."""
    game = with_network(CHESS, random_network(CHESS))
    fens = ("8/1k3p2/2p5/4n3/8/1P2B3/5KP1/8 w - - 0 1", "8/2p3k1/5p2/3n4/8/3B2P1/1PK5/8 w - - 0 1")
    one, mirrored = (CHESS.from_text(fen) for fen in fens)
    turned = CHESS.from_text("8/5kp1/1p2b3/8/4N3/2P5/1K3P2/8 b - - 0 1")
    assert game.evaluate(one, 0) == game.evaluate(mirrored, 0) == game.evaluate(turned, 1)


def test_added_networks_add_to_the_weighted_sum() -> None:
    nothing = TwoViews(len(CHESS.input_names()), 8, len(CHESS.phase_names()), added=True)
    game = with_network(CHESS, nothing)
    for s in walks(CHESS, 20):
        assert game.evaluate(s, 1) == CHESS.evaluate(s, 1)


def test_the_engine_searches_with_it_in_both_modes() -> None:
    game = with_network(SHORT, random_network(SHORT, 8))
    options = {"quiescence": False, "table": 1}
    compiled, plain = (Engine(game, compile=compile, **options).think(depth=2) for compile in (True, False))
    assert (compiled.action, compiled.value, compiled.nodes) == (plain.action, plain.value, plain.nodes)


def test_any_game_with_features_can_have_one() -> None:
    game = with_network(SHORT, random_network(SHORT))
    own = game.remembering((), 4)
    assert own is not game  # it has sums of its own
    assert game.remembering((), 4).network.sums is not own.network.sums
    for s in walks(SHORT, 50):
        assert own.evaluate(s, 0) == game.evaluate(s, 0) == EVALUATED.compiled(own)(s)


def test_games_that_cannot_have_one() -> None:
    with pytest.raises(Unsuitable, match="one output; Backgammon defines others"):
        with_network(games.load("backgammon"), TwoViews(4, 8))
    with pytest.raises(NetworkError, match=r"has 4 inputs, and Chess .* has 768"):
        with_network(CHESS, TwoViews(4, 8))
    with pytest.raises(Unsuitable, match="of the class Network, not TwoViews"):
        Siblings(TwoViews(4, 8))  # type: ignore[arg-type]


def test_files(tmp_path: Any) -> None:
    network, path = random_network(CHESS, added=True), tmp_path / "net.npz"
    network.save(path, CHESS, positions=5)
    game = with_network(CHESS, path)
    assert game.network.added
    assert game.network.record["positions"] == 5
    s = walks(CHESS, 30)[-1]
    assert game.evaluate(s, 0) == with_network(CHESS, network).evaluate(s, 0)
    with pytest.raises(NetworkError, match="another kind of network: 'two views', not 'layers'"):
        Network.load(path, CHESS)


def damaged(path: Any, **changed: Any) -> Any:
    """The file with some of its arrays replaced."""
    with np.load(path) as found:
        arrays = {name: found[name] for name in found} | changed
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    return path


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"last": None}, "it has no array 'last'"),
        ({"first": np.zeros((768, 8), np.int16)}, r"the weights 'first' should be int16 of the shape \(768, 16\)"),
        ({"first": np.zeros((768, 16), np.float32)}, "the weights 'first' should be int16"),
        ({"unit": np.array([np.inf])}, "the weights 'unit' are not finite numbers"),
        ({"last": np.full((10, 32), 32767, np.int16)}, "may need more than 32 bits"),
    ],
)
def test_damaged_files(tmp_path: Any, changed: dict[str, Any], message: str) -> None:
    path = tmp_path / "net.npz"
    random_network(CHESS).save(path, CHESS)
    with pytest.raises(NetworkError, match=message):
        with_network(CHESS, damaged(path, **changed))


def test_weights_that_do_not_fit() -> None:
    first, first_bias, last, last_bias = floats(CHESS, 16)
    with pytest.raises(ValueError, match=r"the weights 'first' must be numbers up to 181"):
        TwoViews.rounded(1000 * first, first_bias, last, last_bias)
    with pytest.raises(ValueError, match="multiple of 8, not 12"):
        TwoViews(768, 12)
    assert TwoViews.rounded(first, first_bias, last, last_bias).reach > 64  # more than a full board


def test_a_judgement_names_the_pieces_and_what_they_change() -> None:
    game = with_network(CHESS, random_network(CHESS, added=True))
    s = CHESS.play("e4", "d5", "exd5")
    found = judge(game, s, 1)
    assert found.advantage == game.network.advantage(game, s, 1) == -judge(game, s, 0).advantage
    assert len(found.features) == 31
    assert {"White's pawn on d5", "Black's king on e8"} < {each.name for each in found.features}
    sums = contributions(game, s, 1)  # the sum is explained as well
    assert abs(sum(part.worth for part in sums) - CHESS.weighted_features(s, 1)) < 1e-6


def test_chess_lists_no_more_inputs_than_there_is_room_for() -> None:
    game = Chess()
    numbers, amounts = np.zeros(40, np.int64), np.zeros(40, np.float32)
    assert game.list_inputs(game.initial(), 0, numbers[:5], amounts[:5]) == 5
    assert np.count_nonzero(amounts) == 5


def test_chess_chooses_its_evaluation() -> None:
    assert Chess().evaluation == "network"
    assert Chess(weights=CHESS.weights).evaluation == "features"
    assert Chess(evaluation="features").name == "Chess(evaluation=features, draws=claimed)"
    assert Chess().name == "Chess(draws=claimed)"
    assert Chess().network.record["positions"] == 18_948_245
    with pytest.raises(GameError, match="evaluation must be one of 'features', 'network', not 'material'"):
        Chess(evaluation="material")
