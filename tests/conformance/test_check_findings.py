"""Every kind of finding, each in a small game that breaks just that rule."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from broken import BROKEN
from broken.chance import Coin, CoinDrawn, OnlyDrawn, SecretCoin
from broken.compiled import DIFFERING, Compiled, OutOfBounds, WideRace, scrambled
from broken.engine import Telling
from broken.hidden import Cards, LowCardPasses
from broken.pictures import Offered, OnlyTheOrigin, OnTheWay, PathOffTheBoard, Shown
from broken.pruning import AllNoisy, Circle, CountsThree, ForcesNothing, GainsOfTheOther, PassesInZugzwang
from broken.race import Race
from broken.rules import Divides, FourSeats, Loops, NoUtility, PlaysOn, ThirdPlayer, Winner8
from broken.sampling import Simulated
from broken.states import InPlace, KeyWithoutMover
from broken.told_otherwise import SAMPLED, TOLD, WideSampling, WideTelling

import zermelo
from zermelo import u8
from zermelo.conformance import Report, check
from zermelo.conformance.codes import CODES

NOT_OF_A_STATE = {
    "missing-method",
    "bad-declaration",
    "player-names",
    "chance-never-seen",
    "hidden-never-seen",
    "no-resample",
    "out-of-time",
    "does-not-compile",
    "hidden-not-compiled",
}


WITHIN = {"never-returns": 4.0, "out-of-time": 2.0}
"""The seconds of a check that takes all of them; no other looks at the clock."""


def checked(game: zermelo.Game, **options: Any) -> Report:
    return check(game, **{"plays": 30, "seconds": 300.0, **options})


@pytest.mark.parametrize(("cls", "codes"), BROKEN, ids=[cls.__name__ for cls, _ in BROKEN])
def test_each_broken_game_has_just_its_findings(cls: type[zermelo.Game], codes: tuple[str, ...]) -> None:
    compile = False if codes == ("field-width",) else None  # it is the same in both modes, and compiling takes time
    seconds = next((WITHIN[code] for code in codes if code in WITHIN), 300.0)
    plays = 3 if "long-game" in codes else 30
    report = checked(cls(), compile=compile, seconds=seconds, plays=plays)
    assert sorted(finding.code for finding in report.findings) == sorted(codes)
    assert report.ok == all(CODES[code].kind == "warning" for code in codes)
    for finding in report.findings:
        assert finding.count >= 1
        assert finding.message
        if finding.code not in NOT_OF_A_STATE:
            assert finding.state is not None
            assert finding.moves is not None


@pytest.mark.parametrize("where", DIFFERING)
def test_compiled_results_that_differ(where: str) -> None:
    report = checked(WideRace(where))
    (finding,) = report.errors
    assert finding.code == "modes-differ"
    assert f"`{where}`" in finding.message
    assert "compiled" in finding.message
    assert finding.state is not None
    assert finding.moves is not None
    assert report.compiled


@pytest.mark.parametrize("where", SAMPLED)
def test_modes_that_sample_differently_are_found(where: str) -> None:
    report = checked(WideSampling(where))
    (finding,) = report.findings
    assert finding.code == "modes-differ"
    assert finding.message == f"`{where}` does not give the same compiled"


@pytest.mark.parametrize("where", TOLD)
def test_what_is_told_to_an_engine_differs(where: str) -> None:
    report = checked(WideTelling(where))
    (finding,) = (finding for finding in report.findings if finding.code == "modes-differ")
    assert f"`{where}`" in finding.message
    assert finding.state is not None


def test_every_code_is_found_in_some_game() -> None:
    found = {code for _, codes in BROKEN for code in codes} | {"modes-differ"}
    assert set(CODES) - found == {"hidden-not-compiled"}  # see below


class HiddenCompiled(Compiled):
    """What player 1 knows is a string, which no compiled program can make a key of."""

    hidden = True

    def information(self, s: Any, p: int) -> Any:
        return int(s.total) if p == 0 else (s.total, int(str(s.mover)))

    def resample(self, s: Any, p: int, random: Any) -> Any:
        return s


def test_information_that_does_not_compile_is_a_warning() -> None:
    report = checked(HiddenCompiled())
    assert report.ok
    assert "hidden-not-compiled" in [finding.code for finding in report.findings]


class Secret(NamedTuple):
    total: u8
    mover: u8
    secret: u8


class Guess(Compiled):
    """The race with a number that nobody sees; where it is asked for, the modes differ."""

    hidden = True

    def __init__(self, where: str):
        self.where = np.array([where == "information", where == "resample"], np.int64)

    def initial(self) -> Any:
        return Secret(0, 0, 0)

    def result(self, s: Any, a: int) -> Any:
        return Secret(s.total + a, 1 - s.mover, s.secret)

    def information(self, s: Any, p: int) -> Any:
        return (s.total, s.mover, scrambled(s.total) if self.where[0] else 0)

    def resample(self, s: Any, p: int, random: Any) -> Any:
        return Secret(s.total, s.mover, scrambled(s.total) % 256 if self.where[1] else random.below(9))


@pytest.mark.parametrize("where", ["information", "resample"])
def test_what_is_hidden_differs(where: str) -> None:
    (finding,) = checked(Guess(where)).findings
    assert finding.code == "modes-differ"
    assert f"`{where}` for player" in finding.message


@pytest.mark.parametrize(
    "cls", [Race, Coin, CoinDrawn, OnlyDrawn, Cards, FourSeats, Compiled, Telling, Circle, Shown, Offered, Simulated]
)
def test_correct_games_have_no_findings(cls: type[zermelo.Game]) -> None:
    report = checked(cls())
    assert report.findings == (), str(report)
    assert report.ok


def test_constant_sum_counts_as_zero_sum() -> None:
    class Points(Race):
        utility_range = (0, 1)

        def utility(self, s: Any, p: int) -> float:
            return 0.5 if s[0] == 8 else float(s[1] != p)

        evaluate = zermelo.Game.evaluate

    assert checked(Points()).findings == ()


def test_one_player_may_have_any_utility() -> None:
    class Alone(Race):
        players = 1
        utility_range = (0, 9)

        def to_move(self, s: Any) -> int:
            return 0

        def utility(self, s: Any, p: int) -> float:
            return float(s[0])

        evaluate = zermelo.Game.evaluate

    assert checked(Alone()).findings == ()


def only_finding(game: zermelo.Game) -> Any:
    (finding,) = checked(game).findings
    return finding


def test_findings_name_the_state_and_the_moves() -> None:
    finding = only_finding(ThirdPlayer())
    assert finding.state[0] == 3
    assert sum(int(move) for move in finding.moves) == 3
    assert "gives 2" in finding.message


def test_chance_outcomes_are_among_the_moves() -> None:
    finding = only_finding(SecretCoin())
    assert len(finding.moves) == 1
    assert finding.state[2] == 1


def test_an_exception_names_method_and_line() -> None:
    finding = only_finding(Divides())
    assert "`result` raises ZeroDivisionError" in finding.message
    assert "rules.py, line " in finding.message
    assert finding.state[0] == 5


def test_a_method_that_hangs_is_named() -> None:
    (finding,) = checked(Loops(), seconds=2.0).findings
    assert "`actions` did not return within 0.5 s" in finding.message
    assert finding.state[0] == 3


def test_a_changed_state_is_shown_as_it_was() -> None:
    finding = only_finding(InPlace())
    assert (finding.state.total, finding.state.mover) == (0, 0)
    assert "`result`" in finding.message


def test_sums_show_both_ends() -> None:
    finding = only_finding(Winner8())
    assert "add up to" in finding.message
    assert " after " in finding.message


def test_information_shows_both_lines_of_play() -> None:
    finding = only_finding(LowCardPasses())
    assert "bet, pass" in finding.message


def test_the_same_finding_is_reported_once_and_counted() -> None:
    finding = only_finding(PlaysOn())
    assert finding.count > 1


def test_colliding_keys_show_the_other_state() -> None:
    finding = only_finding(KeyWithoutMover())
    assert str(finding.state[0]) in finding.message


def test_all_missing_methods_are_listed() -> None:
    assert "`utility`" in only_finding(NoUtility()).message


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (AllNoisy(), "`is_noisy` gives True for 1, and `noisy_actions` does not yield it"),
        (CountsThree(), "`count_actions` gives 3, and `actions` yields 2"),
        (ForcesNothing(), "`forcing_actions` yields 1, after which `may_stand` gives True"),
        (GainsOfTheOther(), "the correlation of `gain` with what noisy moves add to the evaluation is -1.00"),
        (PassesInZugzwang(), "`may_pass` gives True, and whatever is played, passing would have been better"),
        (PathOffTheBoard(), "and `picture` has no square '10'"),
        (OnlyTheOrigin(), "the moves 1 and 2 have the same paths, and differ on "),
        (OnTheWay(), "every path of 1 is the beginning of another move's"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, zermelo.Game) else "",
)
def test_what_is_said_of_hints_and_pictures(game: zermelo.Game, said: str) -> None:
    assert said in only_finding(game).message


def test_what_raises_in_plain_python_is_never_run_compiled() -> None:
    report = checked(OutOfBounds())
    (finding,) = report.findings
    assert "IndexError" in finding.message
    assert report.compiled
    assert report.statistics.compared_games == 0
