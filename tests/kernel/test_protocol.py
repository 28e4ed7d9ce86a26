"""The protocol's table says what `Game` is, and the rest of the package says what the table says."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from zermelo import CompileError, Game, StateError, analyse, games, u8
from zermelo.game.methods import METHODS, NOT_COMPILED, RETURN_STATES, RULES
from zermelo.kernel.parts import blueprint, methods_of


class Step(NamedTuple):
    n: u8


class Steps(Game):
    """One player counts to 2."""

    players = 1
    utility_range = (0, 300)

    def initial(self) -> Step:
        return Step(256)

    def to_move(self, s: Step) -> int:
        return 0

    def actions(self, s: Step) -> Iterator[int]:
        for a in range(1, 3):
            yield a

    def result(self, s: Step, a: int) -> Step:
        return Step(s.n + a)

    def is_terminal(self, s: Step) -> bool:
        return s.n >= 2

    def utility(self, s: Step, p: int) -> float:
        return s.n


def public(cls: type) -> dict[str, Any]:
    return {
        n: v
        for n in dir(cls)
        if not n.startswith("_") and (callable(v := inspect.getattr_static(cls, n)) or isinstance(v, property))
    }


def test_every_method_is_declared_once_and_in_the_file_of_its_group() -> None:
    assert set(public(Game)) == set(METHODS)
    for name, method in METHODS.items():
        defined: Any = inspect.getattr_static(Game, name)
        assert defined.__module__ == f"zermelo.game.{method.group}" if inspect.isfunction(defined) else True, name
        if inspect.isfunction(defined):
            assert " ".join([*inspect.signature(defined).parameters][1:]) == method.arguments, name
            assert inspect.isgeneratorfunction(defined) <= (method.yields is not None), name
            assert defined.__doc__, name


def test_the_rules_are_the_textbooks_six() -> None:
    assert RULES == ("initial", "to_move", "actions", "result", "is_terminal", "utility")


def test_what_the_table_calls_presentation_is_not_compiled() -> None:
    assert {n for n, m in METHODS.items() if m.group == "presentation"} <= NOT_COMPILED
    assert not NOT_COMPILED & set(methods_of(Steps))
    assert set(methods_of(Game)) >= {n for n, m in METHODS.items() if m.compiled}


def test_states_are_wrapped_into_their_widths_by_every_method_that_returns_one() -> None:
    class Everything(Steps):
        def draw(self, s: Step, random: Any) -> Step:
            return Step(256)

        def resample(self, s: Step, p: int, random: Any) -> Step:
            return Step(256)

        def after_pass(self, s: Step) -> Step:
            return Step(256)

        def mirror_image(self, s: Step) -> Step:
            return Step(256)

        def playout(self, s: Step, random: Any, played: Any) -> Step:
            return Step(256)

        def seen_by(self, s: Step, p: int) -> Step:
            return Step(256)

        def from_text(self, text: str) -> Step:
            return Step(256)

        def state_at(self, c: int, i: int) -> Step:
            return Step(256)

        def retract(self, s: Step, a: int) -> Step:
            return Step(256)

    game = Everything()
    called = {
        "initial": game.initial(),
        "result": game.result(Step(255), 1),
        "draw": game.draw(Step(1), None),
        "resample": game.resample(Step(1), 0, None),
        "after_pass": game.after_pass(Step(1)),
        "mirror_image": game.mirror_image(Step(1)),
        "playout": game.playout(Step(1), None, None),
        "seen_by": game.seen_by(Step(1), p=0),
        "from_text": game.from_text(text="1"),
        "state_at": game.state_at(0, 0),
        "retract": game.retract(Step(1), 0),
    }
    assert set(called) == set(RETURN_STATES)
    assert set(called.values()) == {Step(0)}


def test_a_game_offers_what_it_or_a_class_of_its_own_defines() -> None:
    class Evaluating(Steps):
        draw = Game.draw

        def evaluate(self, s: Step, p: int) -> float:
            return 1.0

    class Inheriting(Evaluating):
        pass

    assert [name for name in METHODS if Steps().offers(name)] == list(RULES)
    for game in (Evaluating(), Inheriting()):
        assert game.offers("evaluate")
        assert not game.offers("promise")
        assert not game.offers("draw")  # which is still the default
    with pytest.raises(ValueError, match="'evaluation' is not a method of the protocol"):
        Steps().offers("evaluation")


def test_a_method_replaced_on_one_object_is_offered_and_cannot_be_compiled() -> None:
    game: Any = Steps()
    game.evaluate = lambda s, p: 7.0
    assert game.offers("evaluate")
    assert not Steps().offers("evaluate")
    assert analyse(game, algorithm="minimax", depth=1, compile=False).value == 7
    with pytest.raises(CompileError, match="evaluate is replaced on this object alone"):
        blueprint(game)


def test_a_class_changed_in_a_running_program_offers_more() -> None:
    class Changing(Steps):
        pass

    game = Changing()
    assert not game.offers("gain")
    Changing.gain = lambda self, s, a: 1.0  # type: ignore[method-assign, assignment]
    assert game.offers("gain")


def test_text_forms() -> None:
    assert Steps().to_text(Step(0)) is None
    with pytest.raises(StateError, match=r"Steps reads no positions as text: give the moves that lead there"):
        Steps().from_text("0")
    for name, moves in (("chess", ("e4", "c5")), ("othello", ("d3",))):
        game = games.load(name)
        assert game.offers("to_text")
        assert game.offers("from_text")
        s = game.play(*moves)
        text = game.to_text(s)
        assert text is not None
        assert game.from_text(text) == s
