# SPDX-License-Identifier: Apache-2.0
"""Rules of primitives as libraries write them, and as the table of rules has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from olympus_core.errors import ArgumentError, TangentError, described

from ...tracing import Aval, aval_of
from ...tracing.aval import has_tangent
from ...tracing.high import high_type
from ..high.zeros import zero_of
from ..traces.dimensions import moved
from ..traces.jvp_trace import float0
from ..traces.table import BatchingCall, Jvp, JvpCall, TransposeCall
from .primitive import Primitive

Rule = Callable[..., Any]
not_mapped = None  # the mapped dimension of a value that has none


class Zero:
    """A tangent or cotangent that is known to be zero, as rules of primitives get and give it.

    Args:
        aval: Its type.

    Example:
        >>> import olympus
        >>> from olympus.interpreters import ad
        >>> ad.instantiate_zeros(ad.Zero(olympus.typeof(1.0)))
        Array(0., dtype=float32)
    """

    __slots__ = ("aval",)

    def __init__(self, aval: Any) -> None:
        self.aval = aval

    @staticmethod
    def from_primal_value(val: Any) -> Zero:
        """The zero of a value's tangent.

        Args:
            val: The value.
        """
        kind = high_type(val)
        return Zero(_of(aval_of(val)) if kind is None else kind.to_tangent_aval())

    def __repr__(self) -> str:
        return f"Zero({self.aval!r})"


class UndefinedPrimal:
    """An operand of which a rule for the backward pass knows the type only: the operation is linear in it.

    Args:
        aval: The type.

    Example:
        >>> import olympus
        >>> from olympus.interpreters import ad
        >>> ad.is_undefined_primal(ad.UndefinedPrimal(olympus.typeof(1.0)))
        True
    """

    __slots__ = ("aval",)

    def __init__(self, aval: Any) -> None:
        self.aval = aval

    def __repr__(self) -> str:
        return f"UndefinedPrimal({self.aval!r})"


class AxisData(NamedTuple):
    """What is known of a mapped dimension.

    Attributes:
        name: Its name; None where it has none.
        size: How many indices it has.
        spmd_name: The mesh axes over which it is split.
        explicit_mesh_axis: The axes among these that are part of types.
    """

    name: Any
    size: int
    spmd_name: Any
    explicit_mesh_axis: Any


def _of(aval: Aval) -> Aval:
    return Aval(aval.type, False, aval.layout)


def derivative(prim: Primitive, rule: Rule) -> Callable[[JvpCall], Jvp]:
    """A rule `(primals, tangents, **params) -> (results, tangents)` as the table has it."""

    def differentiate(call: JvpCall) -> Jvp:
        primals = list(call.primals)
        tangents = [Zero(_of(aval_of(x))) if t is None else t for x, t in zip(primals, call.tangents, strict=True)]
        given = rule(primals, tangents, **call.attributes["params"].values)
        if not isinstance(given, (tuple, list)) or len(given) != 2:
            raise ArgumentError(f"The derivative of {prim.name}", "the rule gives something else than a pair",
                                described(given), "results, and their tangents")
        results, found = (list(x) if prim.multiple_results else [x] for x in given)
        if len(results) != len(found):
            raise ArgumentError(f"The derivative of {prim.name}", "results and tangents differ in number",
                                f"{len(results)} and {len(found)}", "a tangent, or ad.Zero, for each result")
        return results, [_tangent(prim, x, t) for x, t in zip(results, found, strict=True)]

    return differentiate


def _tangent(prim: Primitive, result: Any, tangent: Any) -> Any:
    if tangent is None or isinstance(tangent, Zero) or not has_tangent(aval_of(result)):
        return None
    if getattr(tangent, "dtype", None) == float0:
        return None
    given, expected = aval_of(tangent), aval_of(result)
    if given.type is not expected.type:
        raise TangentError(f"The derivative of {prim.name}", repr(given), repr(expected))
    return tangent


def transposition(prim: Primitive, rule: Rule) -> Callable[[TransposeCall], Sequence[Any]]:
    """A rule `(cotangent, *operands, **params) -> cotangents` as the table has it."""

    def transpose(t: TransposeCall) -> Sequence[Any]:
        operands = [UndefinedPrimal(aval) if is_linear else x
                    for x, aval, is_linear in zip(t.operands, t.avals, t.linear, strict=True)]
        given = [Zero(_of(aval)) if c is None else c for c, aval in zip(t.cotangents, t.results, strict=True)]
        found = rule(given if prim.multiple_results else given[0], *operands, **t.attributes["params"].values)
        if not isinstance(found, (tuple, list)) or len(found) != len(operands):
            raise ArgumentError(f"The transpose of {prim.name}", "the rule gives something else than it should",
                                described(found), f"a list of {len(operands)}: a cotangent for each operand, or None")
        cotangents: list[Any] = []
        for c, aval, is_linear in zip(found, t.avals, t.linear, strict=True):
            if c is None or isinstance(c, Zero) or not is_linear:
                cotangents.append(None)
                continue
            if aval_of(c).type is not aval.type:
                raise TangentError(f"The transpose of {prim.name}", repr(aval_of(c)), repr(aval))
            cotangents.append(c)
        return cotangents

    return transpose


def batching(prim: Primitive, rule: Rule, takes_axis: bool = False) -> Callable[[BatchingCall], list[tuple[Any, bool]]]:
    """A rule `(operands, dimensions, **params) -> (results, dimensions)` as the table has it.

    Args:
        prim: The primitive.
        rule: The rule.
        takes_axis: Whether what is known of the mapped dimension comes first.
    """

    def batch(call: BatchingCall) -> list[tuple[Any, bool]]:
        dims = [0 if is_batched else not_mapped for is_batched in call.batched]
        axis = AxisData(call.trace.key, call.size, call.trace.mesh_axes or None, None)
        given = rule(*((axis,) if takes_axis else ()), list(call.values), dims, **call.attributes["params"].values)
        if not isinstance(given, (tuple, list)) or len(given) != 2:
            raise ArgumentError(f"The batching of {prim.name}", "the rule gives something else than a pair",
                                described(given), "results, and their mapped dimensions")
        results, places = (list(x) if prim.multiple_results else [x] for x in given)
        if len(places) == 1 and len(results) > 1:
            places = places * len(results)
        return [(x, False) if d is not_mapped else (_in_front(prim, x, d, call.size), True)
                for x, d in zip(results, places, strict=True)]

    return batch


def _in_front(prim: Primitive, value: Any, dimension: int, size: int) -> Any:
    shape = aval_of(value).shape
    if not -len(shape) <= dimension < len(shape) or shape[dimension] != size:
        raise ArgumentError(f"The batching of {prim.name}", "a result has no such mapped dimension",
                            f"dimension {dimension} of {aval_of(value)!r}", f"one of size {size}")
    return moved(value, dimension % len(shape), 0)


def instantiated(tangent: Any) -> Any:
    """A tangent as an array, or as a value of a library's own type."""
    return zero_of(tangent.aval) if isinstance(tangent, Zero) else tangent
