"""Parts: the Python objects that compiled code is put together from, and what a compiled program knows of each.

A game is a part; so are a search's bookkeeping and a random generator. Of a part's attributes, NumPy arrays are
tables that travel at run time and may change freely. Attributes that are parts themselves are compiled through, with
tables and methods of their own: `game.network.evaluate(s)`. Everything else is a constant of the compiled program.
"""

from __future__ import annotations

import hashlib
import inspect
import uuid
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.game.errors import CompileError
from zermelo.game.features import evaluate_by_network, is_evaluated_by_network
from zermelo.game.methods import METHODS, NOT_COMPILED
from zermelo.game.protocol import Game
from zermelo.game.state import Width
from zermelo.game.tables import Tables
from zermelo.kernel.fingerprint import Fingerprint, package_fingerprint


class Part(Tables):
    """Base class of what is compiled along with a game: its methods are called from compiled code.

    What compiled code needs to know of a `settled` part is computed once, and again after an attribute is assigned.
    """

    settled = False
    _bound: Bound | None = None

    if not TYPE_CHECKING:  # to a type checker, attributes are those that the class declares

        def __setattr__(self, name, value):
            vars(self).pop("_bound", None)
            super().__setattr__(name, value)

        def __delattr__(self, name):
            vars(self).pop("_bound", None)
            super().__delattr__(name)

    def __getstate__(self) -> dict[str, Any]:
        """The attributes, for copies and pickles: the addresses of this part's arrays are not the copy's."""
        return {name: value for name, value in vars(self).items() if name != "_bound"}


class TableType(NamedTuple):
    """What compiled code knows of an array."""

    dtype: str
    dimensions: int
    contiguous: bool
    writable: bool


class Blueprint:
    """What the compiler knows of one kind of part: its class, its constants, its tables' types, the parts inside it.

    `offsets` says where the words of each table and the address of each inner part begin in the block of a `Bound`.
    """

    def __init__(self, part: Any, fingerprint: Fingerprint, values: dict[str, Any], parts: dict[str, Blueprint]):
        self.cls = type(part)
        replaced = [n for n, v in vars(part).items() if n in METHODS and callable(v)] if isinstance(part, Game) else []
        if replaced:
            raise CompileError(
                f"{part.name} cannot be compiled: {', '.join(replaced)} is replaced on this object alone. "
                "Usual cure: define it in a class that inherits from the game's."
            )
        self.methods = methods_of(self.cls)
        if isinstance(part, Game) and is_evaluated_by_network(part):
            self.methods |= {"evaluate": evaluate_by_network}
        self.tables = {n: table_type(v) for n, v in values.items() if is_table(v)}
        self.parts: dict[str, Blueprint] = parts
        self.constants = {n: v for n, v in values.items() if n not in self.tables and is_constant(v)}
        self.state = type(part.initial()) if isinstance(part, Game) else None
        self.offsets: dict[str, int] = {}
        self.words = 0
        for name, kind in self.tables.items():
            self.offsets[name] = self.words
            self.words += 1 + kind.dimensions * (1 if kind.contiguous else 2)
        for name in parts:
            self.offsets[name] = self.words
            self.words += 1
        self.cacheable: bool = fingerprint.digest is not None and all(inner.cacheable for inner in parts.values())
        token = fingerprint.digest or uuid.uuid4().hex
        inside = sorted((n, inner.name) for n, inner in parts.items())
        about = (package_fingerprint(), token, sorted(self.tables.items()), inside, sorted(self.constants.items()))
        self.name: str = f"{self.cls.__name__}#{hashlib.sha256(repr(about).encode()).hexdigest()[:20]}"


def is_part(value: Any) -> bool:
    """Is this compiled through, rather than a table or a constant?"""
    return isinstance(value, _PARTS)


_PARTS = (Part, Game)


def is_table(value: Any) -> bool:
    """Is this an array of numbers that compiled code can read?"""
    return isinstance(value, np.ndarray) and value.dtype.kind in "biufc" and value.dtype.char not in "egG"


def table_type(array: np.ndarray[Any, Any]) -> TableType:
    """The type of an array. Compiled code gets a read-only copy of an array in a foreign byte order."""
    if not array.dtype.isnative:
        return TableType(array.dtype.newbyteorder("=").str, array.ndim, contiguous=True, writable=False)
    flags = array.flags
    return TableType(array.dtype.str, array.ndim, flags.c_contiguous, flags.writeable)


def is_constant(value: Any) -> bool:
    """Can this value be a constant of a compiled program?"""
    if isinstance(value, tuple):
        return all(is_constant(item) for item in value)
    return value is None or isinstance(value, bool | int | float | str | np.generic | Width)


def methods_of(cls: type) -> dict[str, Any]:
    """The functions that a class's objects have as methods, as they were written."""
    found = {}
    for owner in reversed(cls.__mro__[:-1]):
        for name, value in vars(owner).items():
            if inspect.isfunction(value):
                found[name] = inspect.unwrap(value)
            else:
                found.pop(name, None)
    left_out = NOT_COMPILED if issubclass(cls, Game) else ()
    return {name: function for name, function in found.items() if name not in left_out}


def _fingerprint(cls: type) -> Fingerprint:
    """The fingerprint of a class's public methods, and of the private ones that they mention."""
    methods = methods_of(cls)
    chosen = {n for n in methods if not n.startswith("_")}
    while True:
        fingerprint = Fingerprint([methods[n] for n in sorted(chosen)])
        more = (fingerprint.names & set(methods)) - chosen
        if not more:
            return fingerprint
        chosen |= more


class _Kind:
    """What objects of one class share: the fingerprint of its methods, and its data."""

    def __init__(self, cls: type):
        self.fingerprint = _fingerprint(cls)
        self.data: dict[str, Any] = {}
        self.parts: list[str] = []
        self._bindings: list[tuple[Any, str, Any]] = []
        self._sizes: list[tuple[Any, int]] = []
        for owner in reversed(cls.__mro__[:-1]):
            for name, value in vars(owner).items():
                if name.startswith("__") or name == "_bound" or callable(value) or hasattr(value, "__get__"):
                    self.data.pop(name, None)  # a method or a property hides data of the same name
                else:
                    self.data[name] = value
            if not issubclass(Game, owner) and owner is not Part:  # the protocol itself never changes
                self._bindings += [(vars(owner), name, value) for name, value in vars(owner).items()]
                self._sizes.append((vars(owner), len(vars(owner))))
        self.parts = [name for name, value in self.data.items() if is_part(value)]

    def is_fresh(self) -> bool:
        """Is everything that was looked at still the same?"""
        for scope, size in self._sizes:
            if len(scope) != size:
                return False
        for scope, name, value in self._bindings:
            if scope.get(name) is not value:
                return False
        return self.fingerprint.is_fresh()


_kinds: dict[type, _Kind] = {}
_blueprints: dict[Any, Blueprint] = {}


def blueprint(part: Any, around: tuple[Any, ...] = ()) -> Blueprint:
    """The blueprint of a part, made once for each class and set of constants. `around` are the parts it is inside."""
    cls = type(part)
    if around and any(part is outer for outer in around):
        raise CompileError(f"a {cls.__name__} contains itself, and so cannot be compiled")
    kind = _kinds.get(cls)
    if kind is None or not kind.is_fresh():
        kind = _kinds[cls] = _Kind(cls)
    own = vars(part)
    frozen = [_frozen(v) for v in own.values()]
    inside: dict[str, Blueprint] = {}
    if kind.parts or _INSIDE in frozen:
        parts = {name: value for name, value in {**kind.data, **own}.items() if is_part(value)}
        inside = {name: blueprint(inner, (*around, part)) for name, inner in parts.items()}
    key = (kind, *own, *frozen, *inside.values())
    found = _blueprints.get(key)
    if found is None:
        found = _blueprints[key] = Blueprint(part, kind.fingerprint, {**kind.data, **own}, inside)
    return found


_SCALARS = (int, float, bool, str, type(None))


def _frozen(value: Any) -> Any:
    """A hashable stand-in for a value that tells 1 from 1.0 and True, and arrays only by their types."""
    kind = type(value)
    if kind in _SCALARS:
        return (kind, value) if value else (kind, repr(value))  # 0.0 is not -0.0
    if isinstance(value, np.ndarray):
        flags = value.flags
        return value.dtype, value.ndim, flags.c_contiguous, flags.writeable
    if kind is tuple:
        return tuple([_frozen(item) for item in value])
    if isinstance(value, _PARTS):
        return _INSIDE
    return (kind, value) if is_constant(value) else kind


_INSIDE = "a part inside"


def bound(part: Any) -> Bound:
    """The part, ready to be passed to compiled code."""
    known: Bound | None = getattr(part, "_bound", None)
    if known is not None and (not known.parts or known.is_fresh()):
        return known
    made = Bound(part, blueprint(part))
    if getattr(part, "settled", False) and not made.copies:
        vars(part)["_bound"] = made
    return made


class Bound:
    """A part ready to be passed to compiled code: the address of a block that points to its tables and inner parts.

    The block holds, for each table, its data pointer and its shape, and its strides if it is not contiguous; then the
    address of each inner part's block. The arrays and the inner parts are kept alive beside it. `copies` says whether
    an array is a copy, which does not follow its original.
    """

    __slots__ = ("address", "arrays", "block", "copies", "parts", "plan")

    def __init__(self, part: Any, plan: Blueprint):
        self.plan = plan
        self.address = 0
        self.copies = False
        self.parts: list[tuple[Any, Bound]] = []
        if not plan.words:
            return
        self.arrays = []
        words: list[int] = []
        for name, kind in plan.tables.items():
            array = getattr(part, name)
            if not array.dtype.isnative:
                array = array.astype(kind.dtype, order="C")
                self.copies = True
            self.arrays.append(array)
            words.append(array.__array_interface__["data"][0])
            words.extend(array.shape)
            if not kind.contiguous:
                words.extend(array.strides)
        for name in plan.parts:
            inner = getattr(part, name)
            self.parts.append((inner, bound(inner)))
            words.append(self.parts[-1][1].address)
            self.copies = self.copies or self.parts[-1][1].copies
        self.block = np.array(words, np.int64)
        self.address = self.block.__array_interface__["data"][0]

    def is_fresh(self) -> bool:
        """Are the inner parts still bound as they were?"""
        return all(getattr(inner, "settled", False) and bound(inner) is known for inner, known in self.parts)


class Argument(Part):
    """An array that is an argument of a routine."""

    def __init__(self, array: np.ndarray[Any, Any]):
        self.array = array
