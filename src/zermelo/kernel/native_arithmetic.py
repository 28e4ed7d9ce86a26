"""Arithmetic as the author of a game means it.

Numba makes a signed number of `u64 + 1`, on which `>>` drags the sign along, and a huge one of `u8(1) - u8(2)`. In the
functions compiled here, an operation of a u64 and any integer is a u64, since the author means a word. Everything
narrower counts as an ordinary number, a float32 as a float.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import types
from numba.core import ir, typing
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin

from zermelo.kernel.native_states import REPLACE


def _meant(name: str, kinds: list[types.Type]) -> types.Type | None:
    """The type in which an operation of these types is done; None where Numba's own choice is right."""
    if types.float32 in kinds and all(isinstance(kind, types.Integer | types.Float) for kind in kinds):
        return types.float64
    if name.endswith("truediv") or not all(isinstance(kind, types.Integer) for kind in kinds):
        return None
    if types.uint64 in (kinds[:1] if name.endswith("shift") else kinds):
        return types.uint64 if len(kinds) == 2 else None
    return types.int64 if any(kind.bitwidth < 64 for kind in kinds) else None


def _stand_in(name: str) -> Any:
    """A function that stands for an operator in the author's code, and does it in the type that is meant."""
    original = getattr(operator, name)

    def stand_in(*operands: Any) -> Any:
        return original(*operands)

    stand_in.__name__ = stand_in.__qualname__ = f"meant_{name}"
    globals()[stand_in.__name__] = stand_in  # where Numba looks for it

    @infer_global(stand_in)
    class _Meant(AbstractTemplate):
        key = stand_in

        def generic(self, args: Any, kws: Any) -> Any:
            meant = _meant(name, [types.unliteral(kind) for kind in args])
            if meant is not None:
                return typing.signature(meant, *[meant] * len(args))
            return self.context.resolve_function_type(original, args, kws)

    @lower_builtin(stand_in, types.VarArg(types.Any))
    def _(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        implementation = context.get_function(original, sig)
        context.add_linking_libs(getattr(implementation, "libs", ()))
        return implementation(builder, args)

    return stand_in


def _stand_ins(names: str) -> dict[Any, Any]:
    return {getattr(operator, name): _stand_in(name) for name in names.split()}


_BINARY = _stand_ins("add sub mul and_ or_ xor lshift rshift floordiv mod truediv")
_IN_PLACE = _stand_ins("iadd isub imul iand ior ixor ilshift irshift ifloordiv imod itruediv")
_UNARY = _stand_ins("neg invert pos")


@register_pass(mutates_CFG=False, analysis_only=False)
class _GameArithmetic(FunctionPass):
    """Before types are inferred: the operators that the author means, and `_replace` with its fields in its name."""

    _name = "zermelo_game_arithmetic"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        replaces: dict[str, ir.Expr] = {}
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                expression = statement.value
                if not isinstance(expression, ir.Expr):
                    continue
                if expression.op == "binop":
                    expression.fn = _BINARY.get(expression.fn, expression.fn)
                elif expression.op == "inplace_binop":
                    expression.fn = _IN_PLACE.get(expression.fn, expression.fn)
                    expression.immutable_fn = _BINARY.get(expression.immutable_fn, expression.immutable_fn)
                elif expression.op == "unary":
                    expression.fn = _UNARY.get(expression.fn, expression.fn)
                elif expression.op == "getattr" and expression.attr == "_replace":
                    replaces[statement.target.name] = expression
                elif expression.op == "call" and expression.func.name in replaces and expression.kws:
                    fields = [name for name, _ in expression.kws]
                    replaces[expression.func.name].attr = REPLACE + ",".join(fields)
                    expression.args, expression.kws = [value for _, value in expression.kws], ()
        return True


class Pipeline(CompilerBase):
    """Numba's usual passes, with the author's arithmetic before types are inferred."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_GameArithmetic, _first_typing_neighbour(passes))
        passes.finalize()
        return [passes]


def _first_typing_neighbour(passes: Any) -> Any:
    """The pass that runs just before type inference."""
    order = [p for p, _ in passes.passes]
    return order[order.index(NopythonTypeInference) - 1]
