"""A user's own algorithm, in a file of their own, works everywhere that a built-in one does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from zermelo import UnknownName, Unsuitable, analyse, games
from zermelo.app.cli import main
from zermelo.arena.tournament import match
from zermelo.blackboard.trace import trace
from zermelo.search import registry
from zermelo.search.race import race
from zermelo.search.resolve import resolve
from zermelo.trees import Tree

FILE = '''
import zermelo


@zermelo.algorithm()
def plain_minimax(game, s, player, search, ply=0):
    """Minimax, once more."""
    search.visit(game, s, ply)
    if game.is_terminal(s):
        return search.leave(game, ply, game.utility(s, player))
    if search.cutoff(ply):
        return search.leave(game, ply, search.estimate(ply, game.evaluate(s, player)))
    sign = 1.0 if game.side(game.to_move(s)) == game.side(player) else -1.0
    best = -1e300
    for a in game.actions(s):
        search.play(ply, a)
        value = sign * plain_minimax(game, game.result(s, a), player, search, ply + 1)
        if value > best:
            best = value
            search.prefer(ply)
    return search.leave(game, ply, sign * best)


def undecorated(game, s, player, search, ply=0):
    return 0.0
'''
TREE = "[[3,12,8],[2,4,6],[14,5,2]]"


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """How the algorithm in the file is named on the command line; it is not registered for other tests."""
    for table in ("_table", "_by_function"):
        monkeypatch.setattr(registry, table, dict(getattr(registry, table)))
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    return f"{path}:plain_minimax"


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    return done.output


def test_it_is_found_by_file_and_function(words: str) -> None:
    assert resolve(words).name == "plain_minimax"
    assert resolve("minimax").name == "minimax"
    with pytest.raises(UnknownName, match=r"mine.py has no algorithm and no Player of the name 'quick'"):
        resolve(words.replace("plain_minimax", "quick"))
    with pytest.raises(UnknownName, match=r"is a file: name the function too, as in .*mine.py:my_search"):
        resolve(words.removesuffix(":plain_minimax"))
    with pytest.raises(UnknownName, match=r"is not an algorithm: decorate it with @zermelo.algorithm"):
        resolve(words.replace("plain_minimax", "undecorated"))


def test_analyse(words: str) -> None:
    game = games.load("tic_tac_toe")
    own, built_in = (analyse(game, algorithm=resolve(each), depth=3, compile=False) for each in (words, "minimax"))
    assert (own.algorithm, own.nodes, own.line) == ("plain_minimax", built_in.nodes, built_in.line)


def test_the_command_line(words: str) -> None:
    said = json.loads(run("analyse", "tic_tac_toe", "--algorithm", words, "--depth", "3", "--plain", "--json"))
    assert (said["algorithm"], said["depth"]) == ("plain_minimax", 3)
    assert "13 nodes by plain_minimax" in run("tree", TREE, "--algorithm", words)


def test_a_trace(words: str) -> None:
    seen = trace(Tree(json.loads(TREE)), resolve(words))
    assert (seen.value, seen.algorithm, seen.unseen_leaves) == (3, "plain_minimax", ())
    with pytest.raises(Unsuitable, match=r"engine cannot be watched step by step; these can: .*minimax"):
        trace(Tree(json.loads(TREE)), "engine")


def test_a_match(words: str) -> None:
    player = f"{words}:depth=1,compile=false"
    standings = match(games.load("nim", piles=(1, 2)), player, "random", games=2, workers=0)
    assert standings.score.games == 2


def test_a_race(words: str) -> None:
    found = race(games.load("tic_tac_toe"), depth=4, algorithms=[resolve(words), "beam"])
    own, beam = found.rows[-2:]
    assert own.technique == "plain_minimax"
    assert (own.nodes, own.leaves) == (found.rows[0].nodes, found.rows[0].leaves)
    assert own.note == ""
    assert beam.technique == "beam"
    assert beam.nodes < own.nodes
    few = race(games.load("tic_tac_toe"), depth=4, minimax_nodes=5_000, algorithms=[resolve(words)])
    assert few.rows[-1].nodes <= 5_000
    with pytest.raises(Unsuitable, match="engine cannot race: it must be a textbook algorithm"):
        race(games.load("tic_tac_toe"), depth=4, algorithms=["engine"])
