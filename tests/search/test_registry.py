"""The registry: each flag of an entry has its effect, and what an algorithm does not offer is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import pytest

from zermelo import Analysis, Game, Traits, Unsuitable, algorithms, analyse, games
from zermelo.arena.player import Turn
from zermelo.arena.players import SearchPlayer
from zermelo.kernel.random import Random
from zermelo.search import registry
from zermelo.search.analysis import Move
from zermelo.search.question import Question, Searcher
from zermelo.search.registry import Algorithm, choose, find, register, suitable

TIC_TAC_TOE = games.load("tic_tac_toe")


@pytest.fixture
def scratch(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is gone after it."""
    for table in ("_table", "_by_function"):
        monkeypatch.setattr(registry, table, dict(getattr(registry, table)))


class Guess(Searcher):
    """Plays the last legal move, and is sure that it visited it ten times."""

    questions: list[Question]
    cleared = 0

    def __init__(self, *arguments: Any):
        super().__init__(*arguments)
        self.questions = []

    def analyse(self, question: Question) -> Analysis:
        self.questions.append(question)
        game, state, a = question.game, question.state, question.actions[-1]
        move = Move(a, game.action_name(state, a), 0.5, True, visits=10, share=1.0, error=0.1, probability=0.75)
        return Analysis(
            game, state, question.player, a, 0.5, False, (a,), (move,), 10, 1, 0.1, 0.0, self.algorithm.name, "", False
        )

    def clear(self) -> None:
        self.cleared += 1


def entry(**flags: Any) -> Algorithm:
    return Algorithm("guess", "Guesses.", Guess, **flags)


def traits(**changes: Any) -> Traits:
    return dataclasses.replace(TIC_TAC_TOE.traits, **{"lists_outcomes": True, **changes})


@pytest.mark.parametrize(
    ("flags", "refused", "accepted", "objection"),
    [
        ({}, {"hidden": True}, {"hidden": True}, "some of it is hidden"),
        ({}, {"chance": True}, {"chance": True}, "it has no chance nodes"),
        ({"chance": True}, {"chance": True, "lists_outcomes": False}, {"samples": True}, "it must list the outcomes"),
        ({}, {"sides": 3}, {"sides": None}, "it is for at most 2 sides, and this game has 3"),
        ({}, {"zero_sum": False}, {"zero_sum": False}, "what one side wins the other must lose"),
        ({"history": False}, {"uses_history": True}, {"history": True}, "it cannot tell how a position was reached"),
        ({"bounded": True}, {"utility_range": (0, float("inf"))}, {"bounded": False}, "it needs known bounds"),
    ],
)
def test_each_flag_decides_which_games_suit(
    flags: dict[str, Any], refused: dict[str, Any], accepted: dict[str, Any], objection: str
) -> None:
    game = traits(**refused)
    assert objection in str(entry(**flags).objection(game))
    assert entry(**{**flags, **accepted}).objection(game) is None
    assert entry(**flags).objection(traits()) is None


def test_a_new_algorithm_is_available_everywhere(scratch: None) -> None:
    """One entry, and `analyse`, players and the lists have it; here it is also the default."""
    register(entry(strength=1000, because="it is very sure", options={"luck": 1}))
    assert "guess" in [each.name for each in algorithms()]
    assert choose(TIC_TAC_TOE) == (find("guess"), "it is very sure")
    assert find("guess") in suitable(TIC_TAC_TOE.traits)
    found = analyse(TIC_TAC_TOE, nodes=5, luck=2)
    assert (found.algorithm, found.reason, found.line_names) == ("guess", "it is very sure", ("9",))
    from zermelo.arena.roster import player_of

    player = player_of("guess:nodes=7,luck=3", TIC_TAC_TOE)
    assert isinstance(player, SearchPlayer)
    player.begin(TIC_TAC_TOE)
    state = TIC_TAC_TOE.initial()
    assert player.choose(Turn(TIC_TAC_TOE, [state], [], 0, Random(1))).action == TIC_TAC_TOE.legal(state)[-1]
    guess: Any = player.searcher
    assert [each.nodes for each in guess.questions] == [1, 7]
    assert (guess.cleared, guess.options) == (1, {"luck": 3})


def test_a_sampled_answer_prints_and_is_plain_data(scratch: None) -> None:
    register(entry())
    found = analyse(TIC_TAC_TOE, algorithm="guess")
    assert str(found.moves[0]) == "9  0.5 ± 0.1, probability 0.75, 100% of visits"
    assert found.to_json()["moves"] == [
        {"action": "9", "value": 0.5, "exact": True, "visits": 10, "share": 1.0, "error": 0.1, "probability": 0.75}
    ]


@pytest.mark.parametrize(
    ("algorithm", "request_", "message"),
    [
        ("engine", {"observer": object()}, "engine takes no observer: it always deepens, and cannot be watched"),
        ("engine", {"deepening": True}, "engine takes no deepening"),
        ("mtdf", {"bookkeeping": object}, "mtdf takes no bookkeeping"),
        ("proof_number", {"depth": 3}, "proof_number takes no depth; it takes nodes, seconds"),
        ("minimax", {"lines": 2}, "minimax takes no lines; all_moves gives every move its value"),
        ("proof_number", {"threads": 2}, "proof_number has no option 'threads'; it takes table"),
        ("engine", {"beams": 2}, "engine has no option 'beams'; it takes table, threads, "),
    ],
)
def test_what_an_algorithm_does_not_offer(algorithm: str, request_: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        analyse(TIC_TAC_TOE, algorithm=algorithm, **request_)


def test_the_engine_refuses_as_the_others_do() -> None:
    with pytest.raises(Unsuitable, match=r"engine does not suit Pig.*: it has no chance nodes.*; suitable here: "):
        analyse(games.load("pig"), algorithm="engine")


def test_proof_number_search_is_an_algorithm() -> None:
    game = games.load("nim", piles=(1, 2, 4))
    won = analyse(game, algorithm="proof_number", compile=False)
    assert (won.algorithm, won.value, won.exact, won.verdict) == (
        "proof_number",
        1.0,
        True,
        f"{game.player_name(0)} wins",
    )
    assert won.line[0] == won.action == next(move.action for move in won.moves if move.proven)
    drawn = analyse(TIC_TAC_TOE, TIC_TAC_TOE.play(*"159"), algorithm="proof_number", compile=False)
    assert (drawn.value, drawn.exact, drawn.verdict) == (0.0, True, "draw")
    unknown = analyse(TIC_TAC_TOE, algorithm="proof_number", nodes=1, compile=False)
    assert not unknown.exact
    assert all(move.value is None for move in unknown.moves)


def test_lines_without_naming_the_engine() -> None:
    found = analyse(TIC_TAC_TOE, TIC_TAC_TOE.play(*"1"), lines=2, compile=False, depth=3)
    assert found.algorithm == "engine"
    assert len([move for move in found.moves if move.line]) == 2


def test_names_may_be_written_with_hyphens_and_capitals() -> None:
    assert find("Alpha-Beta") is find("alpha_beta") is find(find("alpha_beta"))
    assert find("Engine") is find("engine")


class Long(Game):
    """One move after the other."""

    utility_range = (-1, 1)

    def initial(self) -> str:
        return ""

    def to_move(self, s: str) -> int:
        return len(s) % 2

    def actions(self, s: str) -> Iterator[str]:
        yield from "ab"

    def result(self, s: str, a: str) -> str:
        return s + a

    def is_terminal(self, s: str) -> bool:
        return len(s) > 20

    def utility(self, s: str, p: int) -> float:
        return 0.0


def test_states_of_any_kind_are_searched_by_the_engine_in_plain_python() -> None:
    found = analyse(Long(), depth=4)
    assert (found.algorithm, found.compiled, found.depth) == ("engine", False, 4)


def test_textbook_algorithms_come_first_in_lists() -> None:
    flags = [each.observable for each in algorithms()]
    assert flags == sorted(flags, reverse=True)
    assert [each.name for each in algorithms(observable=False)][:7] == [
        "dice",
        "engine",
        "mtdf",
        "equilibrium",
        "mcts",
        "pimc",
        "proof_number",
    ]
    assert {"minimax", "alpha_beta"} <= {each.name for each in algorithms(observable=True)}
