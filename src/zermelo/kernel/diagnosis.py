"""From Numba's error to a sentence: which method, which line, what was wrong, and the usual cure."""

from __future__ import annotations

import dis
import inspect
import linecache
import re
from typing import Any

from zermelo.game.errors import CompileError
from zermelo.game.protocol import Game
from zermelo.kernel.fingerprint import is_own
from zermelo.kernel.parts import Blueprint

CURES = [
    (
        r"readonly array",
        "the array cannot be written to: it is read-only, or in a foreign byte order; make a writable copy, for "
        "example by numpy.array(values, numpy.float64)",
    ),
    (
        r"'super'|super\(|__class__|SUPER_ATTR",
        "super() cannot be compiled: put the shared rule into a method of another name, or into a plain function",
    ),
    (
        r"No conversion from .* to (float64|int64|bool)",
        "the method must return a number: to_move a player, is_terminal True or False, utility a float",
    ),
    (
        r"cannot unify|Cannot unify|unable to unify|float64 (and|with) u?int|between u?int64 and float64",
        "a variable, or what a method returns, is of two kinds: begin it with the same kind of number everywhere, for "
        "example u64(0) rather than 0 if it will hold a board",
    ),
    (
        r"builtin_function_or_method",
        "this built-in function cannot be compiled: write the loop out",
    ),
    (
        r"Unknown attribute .* of type (Uni)?Tuple\(",
        "a plain tuple is used as a state: let `result` return the NamedTuple itself",
    ),
    (
        r"getiter with parameters \(Tuple",
        "a tuple of unequal items cannot be looped over: make all items alike, or use a NumPy array",
    ),
    (
        r"[Uu]ntyped global name|Cannot determine Numba type of <class",
        "a compiled method can use numbers, tuples, NumPy arrays and plain functions; turn a dict or a list "
        "into a tuple, or into a NumPy array kept on the game as self.name",
    ),
    (
        r"Unknown attribute",
        "the attribute does not exist here, or is of a kind that cannot be compiled (dict, list, set): use a number, "
        "a tuple or a NumPy array",
    ),
    (
        r"YIELD_FROM",
        "write the loop out: `for a in ...: yield a` rather than `yield from ...`",
    ),
    (
        r"calls itself",
        "write the recursion as a function outside the class",
    ),
    (
        r"NameError|is not defined|undefined variable|referenced before assignment",
        "the name is not defined there: import it at the top of the file, or assign it on every path",
    ),
    (
        r"[Uu]nsupported|not supported|UnsupportedError|UnsupportedBytecode|cannot be used in|Use of unsupported",
        "this construct cannot be compiled: use loops, arithmetic, tuples and NumPy arrays; no dicts, sets, "
        "strings, try, with or comprehensions",
    ),
]
ANY_CURE = (
    "compiled methods can use loops, arithmetic, tuples, NumPy arrays and plain functions; pass compile=False to run "
    "the game as plain Python meanwhile"
)

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
"""How Numba paints its messages where a package for coloured terminals happens to be loaded."""
_NOISE = re.compile(
    r"^(Failed in nopython|During: |- Resolution failure|There (is|are) \d+ candidate|This error|\s*$|\s*>>>|"
    r"\s*- Of which|\s*Overload |\s*With argument|\s*Rejected|\s*raised from|File |.*<source |def |\s*\^|\s*~)"
)


def compile_error(routine: Any, game: Game, plan: Blueprint, error: Exception) -> CompileError:
    """A CompileError that names the method and the line of the game, or of the algorithm, and the usual cure."""
    text = COLOUR.sub("", str(error)) or type(error).__name__
    problem = _problem(text)
    method, line, file = _place(text, problem, plan, routine)
    cure = next((cure for pattern, cure in CURES if re.search(pattern, problem) or re.search(pattern, text)), ANY_CURE)
    code = _source_line(file, line)
    where = f"{method}, line {line}" + (f", `{code}`" if code else "") if line else method
    return CompileError(f"{game.name} cannot be compiled: in {where}: {problem}. Usual cure: {cure}.")


def _place(text: str, problem: str, plan: Blueprint, routine: Any) -> tuple[str, int | None, str | None]:
    """The function that the error lies in: the game's own if Numba's message mentions one, else the algorithm's."""
    functions = _functions(plan)
    mentions = re.findall(r"(?:at|from) (\S+?\.py|<[^>]+>) \((\d+)\)", text) + re.findall(
        r'File "([^"]+)", line (\d+)', text
    )
    quoted = re.search(r"'(\w+)'", problem)
    found = [place for n, f in functions.items() if quoted and (place := _mention(n, f, quoted[1]))]
    found = found or [place for file, line in mentions if (place := _function_at(file, int(line), functions))]
    if not found:
        own = {routine.name: routine.function}
        found = [place for file, line in mentions if (place := _function_at(file, int(line), own))]
    return found[0] if found else (f"{plan.cls.__name__} under {routine.name}", None, None)


def _functions(plan: Blueprint) -> dict[str, Any]:
    """The game's methods and the helpers beside them, by name."""
    functions = {f"{plan.cls.__name__}.{name}": f for name, f in plan.methods.items() if not is_own(f)}
    for function in list(functions.values()):
        scope = function.__globals__
        functions |= {n: v for n, v in scope.items() if inspect.isfunction(v) and not is_own(v)}
    return functions or {f"{plan.cls.__name__}.{name}": f for name, f in plan.methods.items()}


def _function_at(file: str, line: int, functions: dict[str, Any]) -> tuple[str, int, str] | None:
    for name, function in functions.items():
        code = function.__code__
        if code.co_filename.endswith(file.split("/")[-1]) and _spans(code, line):
            return name, line, code.co_filename
    return None


def _mention(name: str, function: Any, wanted: str) -> tuple[str, int, str] | None:
    """Where a function mentions a global name."""
    line = function.__code__.co_firstlineno
    for instruction in dis.get_instructions(function):
        if instruction.positions is not None and instruction.positions.lineno is not None:
            line = instruction.positions.lineno
        if instruction.opname == "LOAD_GLOBAL" and instruction.argval == wanted:
            return name, line, function.__code__.co_filename
    return None


def _spans(code: Any, line: int) -> bool:
    lines = [number for _, _, number in code.co_lines() if number is not None]
    return bool(lines) and code.co_firstlineno <= line <= max(lines)


def _problem(text: str) -> str:
    """The first line of Numba's message that says what is wrong, rather than where or with what."""
    lines = [line.strip() for line in text.splitlines() if not _NOISE.match(line)]
    said = lines[0] if lines else text.strip().splitlines()[0]
    operation = re.search(r">>> meant_(\w+)\((.*)\)", text)
    if operation and "meant_" in said:
        said = f"the operation {operation[1].strip('_')} does not work between " + operation[2].replace(", ", " and ")
    said = re.sub(r"#[0-9a-f]{20}", "", said)  # the digest in the name of a game's type
    said = re.sub(r"\.? ?[Rr]aised from .*", "", said)
    return said.rstrip(".")[:300]


def _source_line(file: str | None, line: int | None) -> str:
    if file is None or line is None:
        return ""
    return linecache.getline(file, line).strip()
