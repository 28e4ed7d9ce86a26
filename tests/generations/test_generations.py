"""The loop of playing, training and testing: resumable, and only what wins is kept."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from zermelo.app.cli import main
from zermelo.arena.sequential import Sprt
from zermelo.game.errors import GameError, Unsuitable
from zermelo.game.features import has_network
from zermelo.game.protocol import Game
from zermelo.games.resolve import resolve
from zermelo.generations import LoopSettings, improve
from zermelo.generations.contest import contest
from zermelo.generations.status import COLUMNS, Generation, Status, page
from zermelo.kernel.stopping import StopToken
from zermelo.learn.learned import Learned
from zermelo.learn.positions import PlaySettings, with_evaluation
from zermelo.learn.positions.contest import Contest
from zermelo.learn.training.train import TrainSettings

SMALL: dict[str, Any] = {"width": 4, "height": 5}
PLAY = PlaySettings(nodes=20, opening=(1, 4))


@pytest.fixture(scope="module")
def strong() -> Game:
    return resolve("breakthrough", SMALL)


@pytest.fixture(scope="module")
def weak(strong: Game) -> Game:
    return resolve("breakthrough", {**SMALL, "weights": tuple(-0.1 for _ in strong.weights)})


@pytest.mark.slow
def test_pairs_are_fair_and_the_better_evaluation_wins(strong: Game, weak: Game) -> None:
    same = Contest(strong, strong, PLAY).pairs(0, 30, StopToken())
    assert same == [(first, 2 - first) for first, _ in same]  # one plays itself: what it wins it also loses
    assert len({first for first, _ in same}) == 2
    better = Contest(strong, weak, PLAY).pairs(0, 30, StopToken())
    worse = Contest(weak, strong, PLAY).pairs(0, 30, StopToken())
    assert sum(map(sum, better)) > 80
    assert [(2 - b, 2 - a) for a, b in worse] == better or sum(map(sum, worse)) < 40
    assert Contest(strong, weak, PLAY).pairs(10, 5, StopToken()) == better[10:15]


class Prepared:
    """A crew that answers with points made up beforehand, the last jobs first."""

    workers = 3

    def __init__(self, pair: Any):
        self.pair, self.asked = pair, list[int]()

    def do(self, jobs: Iterable[dict[str, Any]], stop: StopToken) -> Iterator[Any]:
        waiting = iter(jobs)
        while some := [job for _, job in zip(range(3), waiting, strict=False)]:
            for job in reversed(some):
                self.asked.append(job["number"])
                yield job, {"points": [self.pair(job["number"] + i) for i in range(job["pairs"])]}, b""
            if stop.is_set:
                return

    def close(self) -> None:
        pass


def run_contest(path: Path, crew: Any, most: int = 10_000) -> Any:
    return contest(
        crew, path, Sprt(0, 50), "new", None, PLAY, most_pairs=most, on_progress=lambda _: None, stop=StopToken()
    )


def test_a_test_accepts_rejects_gives_up_and_resumes(tmp_path: Path) -> None:
    won = run_contest(tmp_path / "won.json", Prepared(lambda n: (2, n % 3 % 2 * 2)))
    lost = run_contest(tmp_path / "lost.json", Prepared(lambda n: (0, n % 3 % 2 * 2)))
    even = run_contest(tmp_path / "even.json", Prepared(lambda n: (2 * (n % 2), 1)), most=24)
    assert (won.decision, lost.decision, even.decision) == ("accept", "reject", "undecided")
    assert won.llr >= Sprt(0, 50).upper > 0 > Sprt(0, 50).lower >= lost.llr
    assert len(even.pairs) == 24
    saved = json.loads((tmp_path / "won.json").read_bytes())
    assert saved["decision"] == "accept"
    assert math.isclose(saved["llr"], won.llr)

    def unasked(number: int) -> Any:
        raise AssertionError("a finished test plays no more games")

    assert run_contest(tmp_path / "won.json", Prepared(unasked)).pairs == won.pairs
    more = run_contest(tmp_path / "even.json", Prepared(lambda n: (2 * (n % 2), 1)), most=40)
    assert len(more.pairs) == 40


def settings(**changes: Any) -> LoopSettings:
    given: dict[str, Any] = {
        "positions": 1_500, "play": PLAY, "train": TrainSettings(epochs=3, batch=64, rate=0.03), "elo1": 60.0,
        "most_pairs": 150,
    }  # fmt: skip
    return LoopSettings(**{**given, **changes})


def test_a_run_improves_bad_weights_and_can_be_interrupted_anywhere(tmp_path: Path, weak: Game) -> None:
    seen: set[str] = set()
    for _ in range(60):
        token = StopToken()

        def interrupt(status: Status, token: StopToken = token) -> None:
            kind = status.doing.split(",")[0]
            if "generation" in kind and kind not in seen:
                seen.add(kind)
                token.stop()

        status = improve(weak, tmp_path, settings(), generations=2, on_progress=interrupt, stop=token)
        if status.doing == "finished":
            break
    assert status.doing == "finished"
    assert {"generation 1: playing", "generation 1: testing"} <= seen
    assert status.generations[0].decision == "accept"
    assert status.best >= 1
    assert status.gained > 50
    first = tmp_path / "generation-1"
    assert (tmp_path / "best.npz").exists()
    assert json.loads((first / "contest.json").read_bytes())["decision"] == "accept"
    assert "kept" in (tmp_path / "status.html").read_text()
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*") if file.suffix in (".npz", ".zpos")}
    improve(weak, tmp_path, settings(), generations=1)
    after = {file: file.stat().st_mtime_ns for file in before if "generation" in str(file)}
    assert after.items() <= before.items()  # nothing is done twice
    with pytest.raises(GameError, match=r"begun with positions = 1500, not 99: use the same options"):
        improve(weak, tmp_path, settings(positions=99))


def test_damaged_files_of_a_run_are_named(tmp_path: Path, strong: Game) -> None:
    still = settings(positions=300, train=TrainSettings(epochs=1, rate=1e-300))
    improve(strong, tmp_path, still)
    first = tmp_path / "generation-1"
    for file, content in (
        (first / "weights.npz", b"PK"),
        (first / "training.json", b'{"positions": 300}'),
        (tmp_path / "settings.json", b"{"),
        (tmp_path / "settings.json", b"[]"),
    ):
        whole = file.read_bytes()
        file.write_bytes(content)
        with pytest.raises(GameError, match=f"{file.name} is damaged: delete it, and run the same command"):
            improve(strong, tmp_path, still)
        file.write_bytes(whole)
    improve(strong, tmp_path, still)
    for content in ("", '{"pairs": [[2, 3]]}', '{"pairs": [1]}'):
        (tmp_path / "contest.json").write_text(content)
        with pytest.raises(GameError, match=r"contest.json is damaged"):
            run_contest(tmp_path / "contest.json", Prepared(lambda n: (2, 0)))


def test_what_learned_nothing_is_not_tested(tmp_path: Path, strong: Game) -> None:
    still = settings(train=TrainSettings(epochs=1, rate=1e-300))
    status = improve(strong, tmp_path, still, generations=1)
    (generation,) = status.generations
    assert (generation.decision, status.best) == ("unchanged", 0)
    assert not (tmp_path / "generation-1" / "contest.json").exists()
    assert "nothing learned" in (tmp_path / "status.html").read_text()


def test_two_runs_do_not_share_a_folder(tmp_path: Path, strong: Game) -> None:
    refused = list[str]()

    def second(_: Any) -> None:
        if not refused:
            with pytest.raises(GameError, match="another run is writing to") as caught:
                improve(strong, tmp_path, settings())
            refused.append(str(caught.value))

    stop = StopToken()
    stop.stop()
    improve(strong, tmp_path, settings(), on_progress=second, stop=stop)
    assert refused
    improve(strong, tmp_path, settings(), stop=stop)  # the first one is over


def test_a_run_can_be_moved(tmp_path: Path, strong: Game) -> None:
    stop = StopToken()
    stop.stop()
    weights = tmp_path / "start.npz"
    Learned(strong.name, strong.feature_names(), strong.weights, 1.0, 1.0, 0.0, 0).save(weights)
    improve(strong, tmp_path / "here", settings(), start=weights, stop=stop)
    (tmp_path / "here").rename(tmp_path / "there")
    weights.rename(tmp_path / "moved.npz")
    improve(strong, tmp_path / "there", settings(), start=tmp_path / "moved.npz", stop=stop)
    with pytest.raises(GameError, match="was begun with start = "):
        improve(strong, tmp_path / "there", settings(), stop=stop)


def test_a_sum_is_tested_against_the_sum_of_a_game_with_a_network(tmp_path: Path) -> None:
    chess = resolve("chess", {})
    stop = StopToken()
    stop.stop()
    improve(chess, tmp_path, settings(), stop=stop)
    first = with_evaluation(chess, tmp_path / "start.npz")
    assert has_network(chess)
    assert not has_network(first)
    assert np.allclose(first.weights, chess.weights)


def test_what_cannot_be_trained_is_refused_before_it_is_played(tmp_path: Path, strong: Game) -> None:
    with pytest.raises(Unsuitable, match="has no features"):
        improve(resolve("nim", {}), tmp_path / "run", settings(model="network"))
    for model in ("network", "two_views"):
        with pytest.raises(ValueError, match="multiple of 8, not 12"):
            improve(strong, tmp_path / "run", settings(model=model, hidden=(12,)))
    assert not (tmp_path / "run").exists()


def test_the_page_shows_the_test_and_escapes_names() -> None:
    about = {
        "games": 10, "wins": 6, "draws": 1, "losses": 3, "score": 0.65, "elo": 107.0, "low": None, "high": 300.0,
        "llr": 0.5, "lower": -2.94, "upper": 2.94, "decision": "go on", "elo0": 0.0, "elo1": 10.0, "pairs": [[2, 0]],
    }  # fmt: skip
    generation = Generation(1, None, 500, 400, 0.7, 0.65, [(0.69, 0.66)], about)
    shown = page(Status("A <game>", {"keep": 3}, [generation], "generation 1: testing", 0.0))
    assert "A &lt;game&gt;" in shown
    assert "LLR +0.50" in shown
    assert 'text-anchor="middle">LLR' in shown
    about["llr"] = 3.0  # at the end of the bar, the label must not be cut off
    assert 'text-anchor="end">LLR' in page(Status("Game", {}, [generation], "finished", 0.0))
    assert "Elo +107 (-∞ to +300)" in shown
    assert 'http-equiv="refresh"' in shown
    for name in COLUMNS:  # on a phone, each cell says what it is
        assert f'<td data-name="{name}"' in shown
    assert 'http-equiv="refresh"' not in page(Status("Game", {}, [], "finished", 0.0))
    assert "src=" not in shown  # it needs nothing but itself


def test_the_command_generates_trains_and_runs_generations(tmp_path: Path) -> None:
    game = ["breakthrough", "--set", "width=4", "--set", "height=5"]
    play = ["--nodes", "20", "--opening", "1", "4"]
    runner = CliRunner()
    data, out = str(tmp_path / "data"), str(tmp_path / "weights.npz")
    made = runner.invoke(main, ["learn", *game, "--generate", data, "--positions", "600", *play])
    assert made.exit_code == 0, made.output
    assert "new" in made.output
    trained = runner.invoke(main, ["learn", *game, "--train", data, "--epochs", "2", "--out", out])
    assert trained.exit_code == 0, trained.output
    assert f"saved in {out}" in trained.output
    run = ["--generations", "1", "--folder", str(tmp_path / "run"), "--positions", "600", *play, "--max-pairs", "10"]
    found = runner.invoke(main, ["learn", *game, "--from", out, *run, "--json"])
    assert found.exit_code == 0, found.output
    (generation,) = json.loads(found.stdout)["generations"]
    assert generation["decision"] in ("accept", "reject", "undecided")
    assert np.isfinite(generation["after"])
    for wrong, said in (
        (["--generations", "1"], "--generations needs --folder"),
        (["--train", data, "--nodes", "5"], "--nodes is for learning with --generate or --generations"),
        (["--train", data, "--generate", data], "choose one of --generate or --train"),
    ):
        refused = runner.invoke(main, ["learn", *game, *wrong])
        assert refused.exit_code == 2
        assert said in refused.output
