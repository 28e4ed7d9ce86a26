"""Building a compiled program: a routine, a kind of game and the kinds of its arguments become one native function."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from typing import Any

from numba import njit, types

from zermelo.game.protocol import Game
from zermelo.kernel import native_functions, native_words  # noqa: F401 - register what compiled code may call
from zermelo.kernel.cache import ProgramCache
from zermelo.kernel.compilations import NotCached, announced
from zermelo.kernel.diagnosis import compile_error
from zermelo.kernel.fingerprint import Fingerprint, package_fingerprint
from zermelo.kernel.native import live, part_type
from zermelo.kernel.native_code import compiled_function
from zermelo.kernel.native_states import constructor, state_type
from zermelo.kernel.numba_internals import compiling
from zermelo.kernel.parts import Argument, Blueprint


def build(
    routine: Any, game: Game, arguments: tuple[Any, ...], plans: list[Blueprint | None], fingerprint: Fingerprint
) -> Callable[..., Any]:
    """The native function: takes the game's address, the state as a plain tuple, and the arguments.

    Only this entry point is cached on disk; the functions below it become part of it. The types of the recursion's
    own parameters are fixed here, because a recursive call with other types than the outer one is what made cached
    programs crash.
    """
    game_plan = plans[0]
    assert game_plan is not None
    parts = [_type_of(value, plan) for value, plan in zip((game, *arguments), plans, strict=True)]
    game_plan = live[game_plan.name]  # that of the first class, if its file was loaded again
    assert game_plan.state is not None
    start = [types.float64 if isinstance(value, float) else types.int64 for value in routine.start]
    signature = (parts[0], state_type(game_plan.state), *parts[1:], *start)
    path = None
    try:
        entry = _entry(routine.function, game_plan.state, plans, len(signature))
        if all(p.cacheable for p in plans if p is not None) and fingerprint.digest is not None:
            token = hashlib.sha256((package_fingerprint() + fingerprint.digest).encode()).hexdigest()
            entry._cache = ProgramCache(f"{routine.name} {token}")
            with contextlib.suppress(RuntimeError):  # there is no home for a cache
                path = entry._cache.path(signature, entry.targetctx)
        with announced(game.title, path), compiling():
            compiled: Callable[..., Any] = entry.compile(signature)
        return compiled
    except NotCached:
        raise
    except Exception as error:  # Numba's own errors, and whatever else its compiler stumbles over
        raise compile_error(routine, game, game_plan, error) from error


def _entry(function: Any, state: type, plans: list[Blueprint | None], count: int) -> Any:
    arrays = {i + 1 for i, plan in enumerate(plans) if plan is not None and plan.cls is Argument}
    names = ", ".join(f"x{i}" for i in range(2, count))
    given = ", ".join(f"x{i}.array" if i in arrays else f"x{i}" for i in range(2, count))
    fields = ", ".join(f"state[{i}]" for i in range(len(state._fields)))  # type: ignore[attr-defined]
    scope = {"function": compiled_function(function), "State": constructor(state), "__name__": __name__}
    exec(f"def entry(game, state, {names}):\n    return function(game, State({fields}), {given})", scope)
    return njit(nogil=True)(scope["entry"])


def _type_of(value: Any, plan: Blueprint | None) -> types.Type:
    if plan is not None:
        return part_type(plan)
    return types.float64 if isinstance(value, float) else types.int64
