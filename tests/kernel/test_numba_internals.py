"""Canaries: what the kernel assumes about Numba's internals, so that an upgrade says what has changed.

If one of these fails after an upgrade of Numba, read the part of `kernel/numba_internals.py` that it names first.
"""

import gc
import inspect
import threading
from typing import NamedTuple

import numba
import numpy as np
import pytest

import zermelo
from zermelo import Game, u8
from zermelo.kernel import cache, numba_internals
from zermelo.kernel.numba_internals import _CHANGES, _DeferredLibrary, compiling


class Heap(NamedTuple):
    matches: u8
    mover: u8


@numba.njit
def fewest(a, b):
    return min(a, b)


class Matches(Game):
    """A small game whose rules call somebody's own Numba function."""

    utility_range = (-1, 1)

    def initial(self):
        return Heap(9, 0)

    def to_move(self, s):
        return s.mover

    def actions(self, s):
        for a in range(1, fewest(3, s.matches) + 1):
            yield a

    def result(self, s, a):
        return Heap(s.matches - a, 1 - s.mover)

    def is_terminal(self, s):
        return s.matches == 0

    def utility(self, s, p):
        return -1 if s.mover == p else 1


def test_numba_is_the_tested_version():
    assert numba.__version__.split(".")[:2] == ["0", "68"], (
        "pyproject.toml pins Numba's minor version: after an upgrade, run the whole suite, then change the pin and this"
    )


@pytest.mark.parametrize(("owner", "name"), [change[:2] for change in _CHANGES])
def test_what_is_replaced_exists(owner, name):
    assert hasattr(owner, name), f"Numba has no {owner.__name__}.{name} any more"


@pytest.mark.parametrize(
    ("owner", "name", "parameters"),
    [
        (numba_internals.TypeInferer, "return_types_from_partial", ["self"]),
        (numba_internals.TypeInferer, "get_return_type", ["self", "typemap"]),
        (numba_internals.BaseFunction, "get_call_type", ["self", "context", "args", "kws"]),
        (numba_internals.BaseContext, "get_abi_sizeof", ["self", "ty"]),
        (numba_internals.NRTContext, "_call_incref_decref", ["self", "builder", "typ", "value", "funcname"]),
        (numba_internals.ir.Inst, "_rec_list_vars", ["self", "val"]),
        (numba_internals.cpu.CPUContext, "get_executable", ["self", "library", "fndesc", "env"]),
        (numba_internals.codegen.CPUCodeLibrary, "add_linking_library", ["self", "library"]),
        (numba_internals.codegen.CPUCodeLibrary, "finalize", ["self"]),
        (numba_internals.codegen.JITCodeLibrary, "_finalize_specific", ["self"]),
    ],
)
def test_signatures_are_as_expected(owner, name, parameters):
    assert list(inspect.signature(getattr(owner, name)).parameters) == parameters


def _fail_while_compiling(before):
    with compiling():
        assert not gc.isenabled()
        assert all(getattr(owner, name) is not old for (owner, name, _), old in zip(_CHANGES, before, strict=True))
        raise KeyError


def test_all_changes_are_undone():
    before = [getattr(owner, name) for owner, name, _ in _CHANGES]
    with pytest.raises(KeyError):
        _fail_while_compiling(before)
    assert gc.isenabled()
    for (owner, name, _), old in zip(_CHANGES, before, strict=True):
        assert getattr(owner, name) == old, name


def test_other_threads_compile_their_own_code_as_usual():
    """A thread that compiles during `compiling()` waits, and gets Numba's own rules."""
    found = []

    def other():
        @numba.njit
        def either(flag):
            x = 0 if flag else np.uint64(1)
            return x

        found.append(either(False))

    with compiling():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(0.2)
        assert found == []
    thread.join()
    assert found == [1.0]
    assert isinstance(found[0], float)


def test_only_the_entry_point_becomes_machine_code(monkeypatch, tmp_path):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    finished = []
    usual = _DeferredLibrary.finalize
    monkeypatch.setattr(_DeferredLibrary, "finalize", lambda self: (finished.append(self.name), usual(self))[1])
    zermelo.analyse(zermelo.games.load("nim", piles=(2, 2)), algorithm="minimax")
    assert cache.counts["compiled"] > 0
    assert finished == ["entry"]


def test_somebody_elses_numba_function_can_still_be_called_from_python(monkeypatch, tmp_path):
    """It was compiled inside a program first, where functions have no machine code of their own."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    analysis = zermelo.analyse(Matches(), algorithm="alpha_beta")
    assert analysis.compiled
    assert analysis.value == 1
    assert [fewest(a, 4) for a in (3, 5)] == [3, 4]

    @numba.njit
    def least(a, b, c):
        return fewest(fewest(a, b), c)

    assert least(3, 2, 4) == 2


def test_closures_and_array_expressions_still_compile():
    """Their passes are skipped for functions without them."""

    class Sums(Matches):
        table = np.arange(4.0)

        def evaluate(self, s, p):
            total = (self.table * 2.0 + self.table).sum()
            return (lambda x: x - 18.0)(total)

    analysis = zermelo.analyse(Sums(), algorithm="minimax", depth=1)
    assert analysis.compiled
    assert analysis.value == 0
