"""What gets through from a page to a host, and what does not."""

from __future__ import annotations

import contextlib
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.malformed import malformed, nonsense
from zermelo.app.web.host import Host
from zermelo.app.web.messages import LONGEST, MESSAGES, BadMessage, parse
from zermelo.app.web.permitted import ALGORITHMS, PLAYERS, require_permitted
from zermelo.app.web.server import STYLES, digest
from zermelo.arena.roster import SIMPLE
from zermelo.blackboard import svg as blackboard
from zermelo.pictures import svg
from zermelo.search.registry import algorithms

pytestmark = pytest.mark.security

FUZZED = 10_000


def test_ten_thousand_malformed_messages_are_refused_or_harmless() -> None:
    chance = random.Random(7)
    refused = longest = 0
    for _ in range(FUZZED):
        data = malformed(chance)
        try:
            message = parse(data)
            require_permitted(message, ("own.py",))
        except BadMessage as error:
            refused += 1
            longest = max(longest, len(str(error)))
        else:
            assert message["do"] in MESSAGES
            assert set(message) <= {"do", *MESSAGES[message["do"]]}
            json.dumps(message, allow_nan=False).encode()
    assert refused > FUZZED * 0.8
    assert longest < 500


def test_a_host_answers_two_thousand_messages_that_mean_nothing() -> None:
    """In their form there is nothing wrong with them; each is answered, if by an error, and the host lives on."""
    said: list[dict[str, Any]] = []
    host = Host(said.append)
    chance = random.Random(11)
    for _ in range(2000):
        message = parse(json.dumps(nonsense(chance)))
        with contextlib.suppress(BadMessage):
            require_permitted(message, ())
            host.handle(message)
    kinds = {answer["kind"] for answer in said}
    assert {"view", "game", "error", "saved", "race_view", "arena_view"} <= kinds
    assert not [a for a in said if a["kind"] == "error" and ".py, line " in a["error"]], "mistakes of zermelo's own"
    before = len(said)
    host.handle({"do": "new", "game": "nim"})
    assert "view" in {answer["kind"] for answer in said[before:]}
    json.dumps(said, allow_nan=False)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists) | st.binary())
def test_whatever_it_is_the_answer_is_a_message_or_its_refusal(value: Any) -> None:
    for data in (
        value if isinstance(value, bytes) else json.dumps(value),
        json.dumps({"do": "new", "game": repr(value)}),
    ):
        with contextlib.suppress(BadMessage):
            parse(data)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ('{"do":"show","ply":NaN}', "a message is a JSON object"),
        ('{"do":"show","ply":true}', "show: ply must be a whole number from 0 to 100000"),
        ('{"do":"show","ply":1e2}', "show: ply must be a whole number from 0 to 100000"),
        ('{"do":"show"}', "show needs ply"),
        ('{"do":"undo","all":1}', "undo has no field 'all'"),
        ('{"do":"move","name":"\\ud800"}', "move: name must be valid text"),
        ('{"do":"move","name":"a\\u0000"}', "move: name must be valid text"),
        (" " * (LONGEST + 1), f"a message has at most {LONGEST:,} bytes"),
        ("[" * 100_000, "a message is a JSON object"),
    ],
)
def test_what_is_wrong_is_said(data: str, said: str) -> None:
    with pytest.raises(BadMessage) as caught:
        parse(data)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    "message",
    [
        {"do": "new", "game": "mine.py"},
        {"do": "new", "game": "/etc/passwd"},
        {"do": "new", "game": "Chess"},
        {"do": "new", "game": "own.py:Other"},
        {"do": "new", "game": "chess", "settings": ["weights='/etc/passwd'"]},
        {"do": "new", "game": "chess", "settings": ["weights=weights.npy"]},
        {"do": "new", "game": "nim", "settings": [f"piles={'(' * 20}1{',)' * 20}"]},
        {"do": "new", "game": "nim", "settings": ["piles"]},
        {"do": "new", "game": "chess", "seats": ["program:sh -c id", "random"]},
        {"do": "new", "game": "chess", "seats": [" Program:sh", "random"]},
        {"do": "new", "game": "chess", "seats": ["PROGRAM:sh", "random"]},
        {"do": "new", "game": "chess", "seats": ["uci:stockfish", "random"]},
        {"do": "seats", "seats": ["mine.py:search"]},
        {"do": "seats", "seats": ["engine:book=games.jsonl"]},
        {"do": "seats", "seats": ["engine:book =games.jsonl"]},
        {"do": "seats", "seats": ["engine:book=5"]},
        {"do": "seats", "seats": ["engine:book_count=5"]},
        {"do": "seats", "seats": ["engine:table=100000"]},
        {"do": "seats", "seats": ["engine:table=1e9"]},
        {"do": "seats", "seats": ["engine:threads=200"]},
        {"do": "seats", "seats": ["engine:seconds=1e9"]},
        {"do": "seats", "seats": ["engine:seconds=nan"]},
        {"do": "seats", "seats": ["alpha_beta:depth=1000000"]},
        {"do": "seats", "seats": ["beam:beam=1000000"]},
        {"do": "seats", "seats": ["level:../../x"]},
        {"do": "load", "record": {}},
        {"do": "load", "record": {"game": "mine.py"}},
        {"do": "load", "record": {"game": ["chess"]}},
        {"do": "load", "record": {"game": "chess", "parameters": {"weights": "/etc/passwd"}}},
        {"do": "load", "record": {"game": "chess", "players": ["program:sh"]}},
        {"do": "load", "record": {"game": "chess", "players": [{"program": "sh"}]}},
        {"do": "load", "record": {"game": "chess", "moves": ["e4"] * 6000}},
        {"do": "load", "record": {"game": "chess", "variations": 5}},
        {"do": "load", "record": {"game": "chess", "variations": {"moves": []}}},
        {"do": "seats", "seats": ["mcts:memory=1000"]},
        {"do": "seats", "seats": ["mcts:simulations=0"]},
        {"do": "seats", "seats": ["mcts:exploration=1000"]},
    ],
)
def test_no_file_no_program_and_no_book(message: dict[str, Any]) -> None:
    checked = parse(json.dumps(message))
    with pytest.raises(BadMessage):
        require_permitted(checked, ("own.py",))


@pytest.mark.parametrize(
    "message",
    [
        {"do": "new", "game": "own.py"},
        {
            "do": "new",
            "game": "chess",
            "settings": ["draws='claimed'", "chess960=518"],
            "seats": ["person", "level:club"],
        },
        {"do": "new", "game": "nim", "settings": ["piles=(3, 4, 5)", "misere=True"]},
        {"do": "seats", "seats": ["engine:seconds=1,table=64,null_move=False,replacement=depth", "mtdf:nodes=1000"]},
        {"do": "seats", "seats": ["random", "alpha_beta:depth=4,random=0.25", "auto:seconds=0.5"]},
        {"do": "seats", "seats": ["mcts:memory=64,simulations=20000,rollout_plies=2000,exploration=0.5,seed=123456"]},
        {"do": "load", "record": {"game": "nim", "parameters": {"piles": [3, 4, 5]}, "moves": ["3-1", None]}},
    ],
)
def test_what_is_meant_to_pass_passes(message: dict[str, Any]) -> None:
    require_permitted(parse(json.dumps(message)), ("own.py",))


def test_every_player_of_the_library_is_known_and_no_other() -> None:
    textbook = [each.routine for each in algorithms(observable=True)]
    assert set(ALGORITHMS) == {each.name for each in textbook if each.function.__module__.startswith("zermelo.")}
    others = {each.name for each in algorithms(observable=False)}
    assert set(PLAYERS) == {*SIMPLE, *others, *ALGORITHMS, "auto", "level"}


def test_every_message_has_a_desk() -> None:
    host = Host(lambda _: None)
    for name in MESSAGES:
        if name != "leave":
            assert host._desk_for(name) in host.desks


def test_the_style_sheets_of_pictures_are_let_in() -> None:
    assert set(STYLES) == {digest(svg.STYLE), digest(blackboard.STYLE)}


def test_a_resignation_names_points_only_if_there_is_a_choice() -> None:
    assert parse('{"do": "resign"}') == {"do": "resign"}
    assert parse('{"do": "resign", "points": 2}')["points"] == 2
