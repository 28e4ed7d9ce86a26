"""Stop tokens: a stop is immediate, is never lost, and reaches every search that holds the token."""

import math
import threading

import numpy as np
import pytest

from zermelo.kernel.calls import StopFlag
from zermelo.kernel.stopping import StopToken


@pytest.mark.parametrize("flag", [np.zeros(1, np.int64), StopFlag()], ids=["compiled", "plain"])
def test_stopping_sets_every_flag_that_is_watched(flag: object) -> None:
    token = StopToken()
    with token.watching(flag):
        assert flag[0] == 0  # type: ignore[index]
        token.stop()
        assert flag[0] == 1  # type: ignore[index]
    assert token.is_set


def test_a_stop_before_the_search_begins_is_not_lost() -> None:
    token = StopToken()
    token.stop()
    flag = np.zeros(1, np.int64)
    with token.watching(flag):
        assert flag[0] == 1
        token.clear(flag)
        assert flag[0] == 1


def test_clearing_a_flag_prepares_it_for_the_next_search() -> None:
    token, flag = StopToken(), np.ones(1, np.int64)
    token.clear(flag)
    assert flag[0] == 0


def test_a_flag_that_is_no_longer_watched_is_left_alone() -> None:
    token, first, second = StopToken(), np.zeros(1, np.int64), np.zeros(1, np.int64)
    with token.watching(first), token.watching(second):
        pass
    token.stop()
    assert first[0] == second[0] == 0


def test_a_parent_stops_its_children_and_no_child_its_parent() -> None:
    parent = StopToken()
    child, sibling = StopToken(parent), StopToken(parent)
    child.stop()
    assert child.is_set
    assert not parent.is_set
    assert not sibling.is_set
    parent.stop()
    assert sibling.is_set
    assert StopToken(parent).is_set


def test_a_closed_child_is_forgotten_by_its_parent() -> None:
    parent = StopToken()
    with StopToken(parent) as child:
        pass
    parent.stop()
    assert not child.is_set


def test_actions_are_called_once_and_at_once_if_it_is_stopped() -> None:
    token, calls = StopToken(), []
    with token.calling(lambda: calls.append("running")):
        token.stop()
        token.stop()
    assert calls == ["running"]
    with token.calling(lambda: calls.append("late")):
        pass
    assert calls == ["running", "late"]


def test_a_limit_stops_it_and_only_ever_shortens() -> None:
    token = StopToken(seconds=1e-3)
    assert token.wait(60)
    assert token.is_set
    token = StopToken(seconds=1e-3)
    token.limit(3600)
    assert token.wait(60)
    assert StopToken().deadline == math.inf


def test_a_limit_counts_as_soon_as_its_time_has_come() -> None:
    token = StopToken()
    token.limit(0)
    assert token.is_set  # whether or not the timer's thread has run
    assert StopToken(token).is_set


def test_a_limit_on_the_parent_counts_for_a_child_that_is_already_running() -> None:
    parent = StopToken()
    child = StopToken(parent)
    parent.limit(0)
    assert child.is_set


def test_a_stop_wakes_the_threads_that_wait_for_it() -> None:
    token, woken = StopToken(), threading.Event()
    waiting = threading.Thread(target=lambda: (token.wait(), woken.set()), daemon=True)
    waiting.start()
    assert not woken.wait(0.01)
    token.stop()
    assert woken.wait(60)
