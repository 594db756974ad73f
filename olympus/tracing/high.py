# SPDX-License-Identifier: Apache-2.0
"""Values of types that libraries define: outside a library's own objects, in a trace the arrays that these consist of.

Transformations see a container of arrays, by the kinds of `olympus.trees.kinds.INSIDE`; everybody else sees a leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from olympus_core.errors import ArgumentError, NotSupportedError, described

from ..trees.kinds import INSIDE, Kind
from ..trees.treedef import with_data
from .aval import Aval
from .references import Reference, UsesReferences
from .staging import Tracer
from .trace import is_evaluating
from .values import aval_of, is_array_like


class HighType:
    """What is known of a value of such a type; the base of the classes that libraries derive from."""

    is_high = True
    has_qdd = False  # whether its values change


class aval_method:
    """A method of traced values, kept by their type.

    Args:
        fun: The method.
    """

    def __init__(self, fun: Callable[..., Any]) -> None:
        self.fun = fun


class aval_property:
    """A property of traced values, kept by their type.

    Args:
        fget: What gives its value.
    """

    def __init__(self, fget: Callable[[Any], Any]) -> None:
        self.fget = fget


class UsesMutables(UsesReferences):
    """A jitted function is given values that change."""


class HeldMutable:
    """A value that changes, as a leaf among the arrays of arguments.

    Args:
        value: The value.
    """

    __slots__ = ("value",)
    _array_hint = "Values that change are arguments of jitted functions, or used from outside; nothing gives them back."

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return f"{self.value!r} of type {high_type(self.value)!r}"


def uses(leaf: Reference | HeldMutable, name: str) -> UsesReferences:
    """What is raised where a jitted function is given a reference, or a value that changes.

    Args:
        leaf: Which one.
        name: The function.
    """
    return UsesReferences(name) if isinstance(leaf, Reference) else UsesMutables(name)


def _of_type(name: str) -> property:
    return property(lambda self: self._attribute(name))


class HighValue(Tracer):
    """A value of such a type that is being traced. Its attributes are those of its type.

    Args:
        type: Its type.
        parts: The arrays that it consists of; further ones carry its tangent, where that has another form.
    """

    __slots__ = ("parts",)
    _array_hint = "It is a value of a library's own type: use the library's operations on it."

    def __init__(self, type: Any, parts: Iterable[Any]) -> None:
        self.aval, self.parts = type, list(parts)

    @property
    def _trace(self) -> Any:
        """Asked for by operations on arrays."""
        raise ArgumentError("olympus", "a value of a library's own type is no array", repr(self.aval), "an array",
                            "Use the library's operations on it.")

    shape, dtype, ndim, size = _of_type("shape"), _of_type("dtype"), _of_type("ndim"), _of_type("size")
    nbytes, weak_type, sharding = _of_type("nbytes"), _of_type("weak_type"), _of_type("sharding")

    def __getattr__(self, name: str) -> Any:
        return self._attribute(name)

    def _attribute(self, name: str) -> Any:
        found = getattr(self.aval, name)
        if isinstance(found, aval_property):
            return found.fget(self)
        return partial(found.fun, self) if isinstance(found, aval_method) else found

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)

    def __repr__(self) -> str:
        return f"Traced<{self.aval!r}>"

    def primal(self) -> Any:
        """The value without its derivatives."""
        return HighValue(self.aval, [x.primal() if isinstance(x, Tracer) else x for x in self.parts])


def _operator(name: str) -> Callable[..., Any]:
    def operate(self: HighValue, *args: Any) -> Any:
        own = getattr(self.aval, f"_{name}", None)  # the types' names for operators
        if own is not None:
            return own(self, *args)
        if name in ("eq", "ne"):
            return (self is args[0]) is (name == "eq")
        raise ArgumentError(f"__{name}__", "the value's type has no such operator", repr(self.aval),
                            f"a type with _{name}")

    operate.__name__ = f"__{name}__"
    return operate


_BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul", "lshift", "rshift", "and",
           "or", "xor")
for _name in (*_BINARY, *(f"r{name}" for name in _BINARY), "eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs",
              "invert", "bool", "int", "float", "complex", "index", "round", "trunc", "floor", "ceil", "len", "iter",
              "getitem", "setitem", "contains"):
    setattr(HighValue, f"__{_name}__", _operator(_name))

_types: dict[type, Callable[[Any], Any]] = {}


def high_type(value: Any) -> Any:
    """The type of a value, if a library has defined it; None for others."""
    if not _types:
        return None
    cls = type(value)
    if cls is HighValue:
        return value.aval
    for base in cls.__mro__:
        if base in _types:
            return _types[base](value)
    return None


def is_mutable(type: Any) -> bool:
    """Whether values of a type change."""
    return isinstance(type, HighType) and type.has_qdd


def presented(type: Any, parts: Sequence[Any]) -> Any:
    """The value that arrays make up: where all is there the library's own object, in a trace what stands for it."""
    if isinstance(type, Aval):
        return parts[0]
    if is_evaluating() and not any(isinstance(x, Tracer) for x in parts) and all(map(is_array_like, parts)):
        return own_object(type, parts)
    return HighValue(type, parts)


def own_object(type: Any, parts: Sequence[Any]) -> Any:
    """The library's own object, made of arrays."""
    return parts[0] if isinstance(type, Aval) else type.raise_val(*parts[:len(type.lo_ty())])


def arrays_of(type: Any, value: Any) -> list[Any]:
    """The arrays that a value consists of, without those that carry a tangent."""
    if isinstance(type, Aval):
        return [value]
    if isinstance(value, HighValue):
        return value.parts[:len(type.lo_ty())]
    return list(type.lower_val(value))


def _flatten(value: Any) -> tuple[list[Any], Any]:
    if type(value) is HighValue:
        return value.parts, value.aval
    kind = high_type(value)
    return ([HeldMutable(value)], None) if is_mutable(kind) else (arrays_of(kind, value), kind)


def _unflatten(data: Any, children: list[Any]) -> Any:
    if data is None:
        return children[0].value if isinstance(children[0], HeldMutable) else children[0]
    if all(map(is_array_like, children)):
        for part, expected in zip(children, data.lo_ty(), strict=False):
            if aval_of(part).shape != expected.shape:
                raise ArgumentError(
                    "olympus", f"an array of a value of type {data!r} has another shape than its type says",
                    repr(aval_of(part)), repr(expected),
                    "Where vmap maps a dimension of it, name a MappingSpec for it in in_axes and out_axes.")
    return presented(data, children)


HIGH = Kind(HighValue, _flatten, _unflatten, None, lambda data, texts: f"{data!r}")


def register(cls: type, typeof: Callable[[Any], Any]) -> None:
    """Says what type the instances of a class have.

    Args:
        cls: The class.
        typeof: Gives an instance's type.
    """
    if not isinstance(cls, type) or not callable(typeof):
        raise ArgumentError("register_hitype", "a class and a function are needed",
                            f"{described(cls)} and {described(typeof)}", "a class, and a function of its instances")
    _types[cls] = typeof
    INSIDE.enter(cls, HIGH)
    INSIDE.enter(HighValue, HIGH)


def missing(type: Any, method: str, purpose: str) -> NotSupportedError:
    """The error for a type that lacks a method."""
    cls = type.__class__.__name__
    return NotSupportedError(f"A value of type {cls} in {purpose}", f"{cls} does not define {method}",
                             f"Define {cls}.{method}.")


def steps_in(structure: Any, length: int, outward: bool) -> Any:
    """The structure of one step of what `scan` walks along, or of all steps of what it gives."""
    if not INSIDE.differs:
        return structure

    def changed(type: Any) -> Any:
        if type is None:
            return None
        spec = type.leading_axis_spec()
        return type.inc_rank(length, spec) if outward else type.dec_rank(length, spec)

    return with_data(structure, HIGH, changed)
