"""Every place where the kernel changes how Numba itself works.

The disk cache (`cache.py`) is the only other module that uses private names of Numba, those of its cache interface.

The changes hold only inside `compiling()`, under Numba's global compiler lock, so that other people's Numba code in the
same process is compiled as usual. There are three kinds:

- type inference as game authors mean it (unsigned words stay unsigned) and as recursive searches need it;
- one module for a whole program: the functions inside a program are not turned into machine code one by one. Only the
  entry point is, with everything it calls linked into it and optimised once (`_DeferredLibrary`);
- answers that Numba's front end would work out again and again are kept.

`tests/kernel/test_numba_internals.py` says which of these assumptions a new version of Numba breaks.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

from numba import _dynfunc, types
from numba.core import codegen, cpu, event, ir, ssa
from numba.core.base import BaseContext
from numba.core.compiler_lock import global_compiler_lock
from numba.core.datamodel.manager import DataModelManager
from numba.core.environment import lookup_environment
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.runtime.context import NRTContext
from numba.core.targetconfig import TargetConfig
from numba.core.typed_passes import NopythonRewrites
from numba.core.typeinfer import TypeInferer
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import InlineClosureLikes

ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of Numba's environments begin: one Python object for each compiled function."""


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Compile a program: all changes to Numba hold until the block is left."""
    collecting = gc.isenabled()
    with global_compiler_lock:
        usual = [(owner, name, owner.__dict__.get(name, _MISSING)) for owner, name, _ in _CHANGES]
        for owner, name, replacement in _CHANGES:
            setattr(owner, name, replacement)
        gc.disable()  # a compiler makes many objects and few cycles: looking for cycles takes a tenth of its time
        try:
            yield
        finally:
            if collecting:
                gc.enable()
            for owner, name, value in usual:
                if value is _MISSING:
                    delattr(owner, name)
                else:
                    setattr(owner, name, value)


_MISSING = object()
_CHANGES: list[tuple[Any, str, Any]] = []
"""(owner, name, replacement) for each attribute of Numba that is replaced while a program is compiled."""


def _replaces(owner: Any, name: str) -> Callable[[Any], Any]:
    """Register a function as the replacement of a method; it is passed the usual method first."""
    usual = getattr(owner, name)

    def register(function: Any) -> Any:
        def replacement(*arguments: Any, **keywords: Any) -> Any:
            return function(usual, *arguments, **keywords)

        _CHANGES.append((owner, name, replacement))
        return replacement

    return register


# Type inference.


@_replaces(cpu_target.typing_context, "unify_pairs")
def _unify_pairs(usual: Any, first: types.Type, second: types.Type) -> types.Type | None:
    """A variable that is 0 on one path and a u64 on another is a u64; Numba would make it a float."""
    kinds = {types.unliteral(first), types.unliteral(second)}
    if types.uint64 in kinds and all(isinstance(kind, types.Integer) for kind in kinds):
        return types.uint64
    return usual(first, second)


@_replaces(TypeInferer, "return_types_from_partial")
def _return_types_from_partial(usual: Any, inferer: Any) -> Any:
    """Infer the return type of a recursive function once.

    Numba infers it again for each recursive call in each round, which takes minutes for a search with five such calls.
    """
    known = getattr(inferer, "zermelo_returns", None)
    if known is None:
        known = inferer.zermelo_returns = _declared_return(inferer.func_id.func) or usual(inferer)
    return known


@_replaces(TypeInferer, "get_return_type")
def _get_return_type(usual: Any, inferer: Any, typemap: Any) -> Any:
    returned = usual(inferer, typemap)
    assumed = getattr(inferer, "zermelo_returns", None)
    if assumed is not None and assumed != returned:
        raise TypingError(f"a recursive function returns {assumed} in one place and {returned} in another")
    return returned


def _declared_return(function: Any) -> types.Type | None:
    """The return type of one of the package's own recursive functions, read from its annotation."""
    if not function.__module__.startswith("zermelo."):
        return None
    return {"int": types.int64, "float": types.float64}.get(function.__annotations__.get("return"))


# One module for a whole program.


class _DeferredLibrary(codegen.JITCodeLibrary):
    """The code of one function, which becomes machine code only if something outside the program needs it.

    Numba optimises every function together with all that it calls and emits machine code for it, although inside a
    program only the entry point is ever called from outside. For a search that meant three rounds for its main
    function alone.
    """

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout  # all optimisation happens in the finished program

    def finalize(self) -> None:
        """Link everything that the function calls, directly or not; optimise it, and emit machine code."""
        own = {function.name for function in self._final_module.functions if not function.is_declaration}
        for library in self._reached():
            self._reload_init.update(library._reload_init)
            is_deferred = isinstance(library, _DeferredLibrary) and not library._finalized
            module = library._final_module if is_deferred else library._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()

    def _reached(self) -> list[Any]:
        """All libraries to link, each once; finished ones already contain what they call."""
        found: dict[Any, None] = {}
        waiting = list(self._linking_libraries)
        while waiting:
            library = waiting.pop()
            if library is not self and library not in found:
                found[library] = None
                if isinstance(library, _DeferredLibrary) and not library._finalized:
                    waiting += library._linking_libraries
        return list(found)

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if environment is not None:
                self.codegen.set_env(variable.name, environment)


_CHANGES.append((codegen.JITCPUCodegen, "_library_class", _DeferredLibrary))


@_replaces(cpu.CPUContext, "get_executable")
def _get_executable(usual: Any, context: Any, library: Any, description: Any, environment: Any) -> Any:
    """A function that Python can call, if it has a wrapper for that; otherwise one that is never called."""
    if isinstance(library, _DeferredLibrary) and not library._finalized:
        wrapper = description.llvm_cpython_wrapper_name
        if all(function.name != wrapper for function in library._final_module.functions):
            name = description.qualname.split(".")[-1]
            return _dynfunc.make_function(description.lookup_module(), name, "", 0, environment, (library,))
    return usual(context, library, description, environment)


# Answers that are kept.

_call_types: dict[Any, Any] = {}


@_replaces(BaseFunction, "get_call_type")
def _get_call_type(usual: Any, function: Any, context: Any, arguments: Any, keywords: Any) -> Any:
    """The signature of a call of a built-in function or operator, looked for once for each set of argument types.

    Inference asks again in every round, and lowering once more; each time Numba tries dozens of candidates.
    """
    if keywords or context is not cpu_target.typing_context:
        return usual(function, context, arguments, keywords)
    key = (function, tuple(arguments))
    signature = _call_types.get(key)
    if signature is None or signature.args not in function._impl_keys:
        signature = _call_types[key] = usual(function, context, arguments, keywords)
    return signature


_sizes: dict[str, int] = {}


@_replaces(BaseContext, "get_abi_sizeof")
def _get_abi_sizeof(usual: Any, context: Any, kind: Any) -> int:
    """The size of a type, for which Numba parses a module of its own each time."""
    name = str(kind)
    if name not in _sizes:
        _sizes[name] = usual(context, kind)
    return _sizes[name]


_models: dict[Any, Any] = {}


@_replaces(DataModelManager, "__getitem__")
def _data_model(usual: Any, manager: Any, kind: Any) -> Any:
    model = _models.get((manager, kind))
    if model is None:
        model = _models[manager, kind] = usual(manager, kind)
    return model


_counted: dict[Any, bool] = {}


@_replaces(NRTContext, "_call_incref_decref")
def _call_incref_decref(usual: Any, runtime: Any, builder: Any, kind: Any, value: Any, name: str) -> None:
    """Count references only of what has any: numbers and states have none."""
    if kind not in _counted:
        _counted[kind] = runtime._context.data_model_manager[kind].contains_nrt_meminfo()
    if _counted[kind]:
        usual(runtime, builder, kind, value, name)


def _list_variables(instruction: Any, value: Any) -> list[Any]:
    """The variables in an instruction: Numba's list, but most values are recognised by their exact type."""
    kind = type(value)
    if kind is ir.Var:
        return [value]
    if kind in _WITHOUT_VARIABLES:
        return []
    if isinstance(value, ir.Inst):
        return value.list_vars()  # type: ignore[no-any-return]
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return []
    found: list[Any] = []
    for item in value:
        kind = type(item)
        if kind is ir.Var:
            found.append(item)
        elif kind not in _WITHOUT_VARIABLES:
            found += _list_variables(instruction, item)
    return found


_WITHOUT_VARIABLES = frozenset({str, int, float, bool, type(None), type(len), ir.Loc})
_CHANGES.append((ir.Inst, "_rec_list_vars", _list_variables))

_CHANGES.append((event, "install_timer", lambda *_: contextlib.nullcontext()))  # nobody reads these timers


class _Silent:
    def debug(self, *_: Any) -> None:
        pass


_CHANGES.append((ssa, "_logger", _Silent()))  # hundreds of thousands of messages that nobody reads


# Passes that find nothing to do.


@_replaces(InlineClosureLikes, "run_pass")
def _inline_closures(usual: Any, compiler_pass: Any, state: Any) -> bool:
    """Inline closures and comprehensions, if there are any."""
    for block in state.func_ir.blocks.values():
        for statement in block.find_insts(ir.Assign):
            if isinstance(statement.value, ir.Expr) and statement.value.op == "make_function":
                return usual(compiler_pass, state)  # type: ignore[no-any-return]
    return False


@_replaces(NopythonRewrites, "run_pass")
def _fuse_array_expressions(usual: Any, compiler_pass: Any, state: Any) -> bool:
    """Fuse array expressions, if there are any."""
    for expression, signature in state.calltypes.items():
        is_operation = signature is not None and getattr(expression, "op", "") in _ARRAY_OPERATIONS
        if is_operation and isinstance(signature.return_type, types.Array):
            return usual(compiler_pass, state)  # type: ignore[no-any-return]
    return False


_ARRAY_OPERATIONS = frozenset({"binop", "inplace_binop", "unary", "call"})


def _quick_flags() -> None:
    """Compare and hash Numba's flags without reading all thirty of them each time.

    They are part of the keys under which Numba looks up what it has compiled, thousands of times for one program. This
    change stays: keys that were hashed one way must be found again.
    """
    hashes: dict[type, int] = {}

    def hash_of(flags: TargetConfig) -> int:
        kind = type(flags)
        if kind not in hashes:
            hashes[kind] = hash(tuple(sorted(kind.options)))
        return hashes[kind]

    def are_equal(flags: TargetConfig, other: object) -> Any:
        if not isinstance(other, TargetConfig):
            return NotImplemented
        return flags._values == other._values or flags.values() == other.values()

    TargetConfig.__hash__ = hash_of
    TargetConfig.__eq__ = are_equal


_quick_flags()
