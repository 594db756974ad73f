# SPDX-License-Identifier: Apache-2.0
"""The loop-nest form: what stands between a program and machine code.

A kernel is one loop nest over flat, row-major buffers. Its leaves compute single elements with the operations of the
operation set, so that one reference gives both forms their meaning. Addresses are affine in the loops' indices, plus,
for gathers, values computed in the kernel. Nothing here knows of a machine: vectors, threads and thread blocks are the
emitter's choice, guided by the loops' kinds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from olympus_core.dataclass import dataclass, field
from olympus_core.program import OperationRecord

LoopKind = Literal["parallel", "lanes", "serial"]
Role = Literal["input", "output", "local"]


class Index:
    """The variable of one loop; compared by identity.

    Args:
        name: For people.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


class Scalar:
    """One element computed in a kernel; compared by identity.

    Args:
        dtype: Its element type.
    """

    __slots__ = ("dtype",)

    def __init__(self, dtype: np.dtype) -> None:
        self.dtype = dtype

    def __repr__(self) -> str:
        return f"<scalar {self.dtype.name}>"


@dataclass(frozen=True, slots=True)
class Affine:
    """An integer that depends on loop indices: ``constant + sum(stride * index)``.

    Args:
        constant: Its value where all indices are zero.
        terms: Indices with their strides, none zero, no index twice.

    Example:
        >>> i = Index("i")
        >>> Affine.of(i, 3).shifted(2)
        Affine(constant=2, terms=((i, 3),))
    """

    constant: int = 0
    terms: tuple[tuple[Index, int], ...] = ()

    @classmethod
    def of(cls, index: Index, stride: int = 1) -> Affine:
        """A multiple of one index."""
        return cls(0, ((index, stride),) if stride else ())

    def plus(self, other: Affine) -> Affine:
        """The sum of two."""
        if not other.terms:
            return self.shifted(other.constant)
        if not self.terms:
            return other.shifted(self.constant)
        strides = dict(self.terms)
        for index, stride in other.terms:
            strides[index] = strides.get(index, 0) + stride
        return Affine(self.constant + other.constant, tuple((i, s) for i, s in strides.items() if s))

    def scaled(self, factor: int) -> Affine:
        """A multiple of all of it."""
        if factor == 1:
            return self
        terms = tuple((i, s * factor) for i, s in self.terms) if factor else ()
        return Affine(self.constant * factor, terms)

    def shifted(self, distance: int) -> Affine:
        """The same plus a constant."""
        return Affine(self.constant + distance, self.terms) if distance else self

    def stride(self, index: Index) -> int:
        """How much one step of an index adds."""
        return dict(self.terms).get(index, 0)

    def replaced(self, index: Index, by: Affine) -> Affine:
        """The same with an index written in terms of others."""
        stride = self.stride(index)
        rest = Affine(self.constant, tuple((i, s) for i, s in self.terms if i is not index))
        return rest.plus(by.scaled(stride)) if stride else self


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A flat, row-major buffer of a kernel; compared by identity.

    Args:
        name: For people.
        dtype: Element type in memory.
        size: Number of elements.
        role: ``"input"`` is only read; ``"output"`` may be read where the same iteration of the outermost loop has
            written; ``"local"`` is scratch memory of one iteration of the outermost loop.
    """

    name: str
    dtype: np.dtype
    size: int
    role: Role


# An address beside its affine part: computed integers with their strides, in elements.
Dynamic = tuple[tuple[Scalar, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """``result = value``.

    Args:
        result: The element.
        value: A NumPy scalar of its type.
    """

    result: Scalar
    value: Any


@dataclass(frozen=True, slots=True, eq=False)
class IndexValue:
    """``result = of``, as a number.

    Args:
        result: An integer or floating element.
        of: Its value.
    """

    result: Scalar
    of: Affine


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """``result = low <= of < high``.

    Args:
        result: A bool.
        of: What is asked.
        low: The least value inside.
        high: The first one above.
    """

    result: Scalar
    of: Affine
    low: int
    high: int


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """``result = parameter[at + dynamic]``, zero without touching memory where `when` is false.

    Args:
        result: The element, of the parameter's type.
        parameter: Where it lies.
        at: The affine part of the address, in elements.
        dynamic: The computed part.
        when: A bool, or None for always.
    """

    result: Scalar
    parameter: Parameter
    at: Affine
    dynamic: Dynamic = ()
    when: Scalar | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """``parameter[at + dynamic] = value``, or combined with what stands there; nothing where `when` is false.

    Args:
        parameter: An output or local.
        at: The affine part of the address, in elements.
        value: The element, of the parameter's type.
        dynamic: The computed part.
        when: A bool, or None for always.
        combine: An associative binary operation (``"add" "mul" "max" "min" "and" "or"``) of the old element and the
            new; only in serial loops where iterations may meet.
    """

    parameter: Parameter
    at: Affine
    value: Scalar
    dynamic: Dynamic = ()
    when: Scalar | None = None
    combine: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Compute:
    """An elementwise operation of the operation set on single elements.

    Args:
        results: One element for each result of the operation.
        record: The operation.
        operands: Its operands.
        attributes: Its attributes, those about shapes left out.
    """

    results: tuple[Scalar, ...]
    record: OperationRecord
    operands: tuple[Scalar, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Reduction:
    """What a loop adds up: `initial` combined with every iteration's `contribution`, in any order.

    Args:
        result: The element after the loop.
        operation: ``"add" "mul" "max" "min" "and" "or"``; NaN wins in extremes.
        initial: The element before the loop.
        contribution: An element of the loop's body.
    """

    result: Scalar
    operation: str
    initial: Scalar
    contribution: Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Recurrence:
    """What a serial loop hands from one iteration to the next.

    Args:
        result: The element after the loop.
        initial: The element before the loop.
        inside: The element at the beginning of each iteration.
        following: The element that the next iteration begins with, from the loop's body.
    """

    result: Scalar
    initial: Scalar
    inside: Scalar
    following: Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """``for index in range(extent): body``.

    Args:
        index: The variable.
        extent: Number of iterations, at least one.
        kind: ``"parallel"``: iterations know nothing of each other. ``"lanes"``: likewise, and wants to be a vector's
            lanes; it may hold serial loops, all of whose values are then vectors. ``"serial"``: in order.
        body: The statements, in order.
        until: ``(affine, limit)``: iterations where the affine is not below the limit do not happen. For blocks
            that do not divide a dimension; the affine must grow with the index.
        reductions: What the loop adds up. None in a parallel loop.
        recurrences: What goes from one iteration to the next. Serial loops only.
    """

    index: Index
    extent: int
    kind: LoopKind
    body: tuple[Statement, ...]
    until: tuple[Affine, int] | None = None
    reductions: tuple[Reduction, ...] = ()
    recurrences: tuple[Recurrence, ...] = ()


Statement = Constant | IndexValue | Inside | Load | Store | Compute | Loop


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """One loop nest.

    Args:
        name: An identifier; part of the generated function's name.
        parameters: Inputs and outputs in the order of the argument table, then locals.
        loop: The nest; its outermost loop, parallel or lanes unless the work is serial, may be cut into ranges that
            different threads run.
        location: The user's line that most of it comes from.
    """

    name: str
    parameters: tuple[Parameter, ...]
    loop: Loop
    location: str | None = None

    @property
    def arguments(self) -> tuple[Parameter, ...]:
        """The parameters that the caller gives: all but the locals."""
        return tuple(p for p in self.parameters if p.role != "local")


def addressed_by(access: Load | Store) -> list[Scalar]:
    """The elements on which it depends where memory is touched, and whether it is."""
    found = [scalar for scalar, _ in access.dynamic]
    return found if access.when is None else [*found, access.when]


def operands_of(statement: Statement) -> Sequence[Scalar]:
    """The elements that a statement takes; of a loop what it begins and goes on with, not its body's."""
    if isinstance(statement, Compute):
        return statement.operands
    if isinstance(statement, Load):
        return addressed_by(statement)
    if isinstance(statement, Store):
        return [*addressed_by(statement), statement.value]
    if isinstance(statement, Loop):
        return [*(s for r in statement.reductions for s in (r.initial, r.contribution)),
                *(s for r in statement.recurrences for s in (r.initial, r.following))]
    return ()


def results_of(statement: Statement) -> Sequence[Scalar]:
    """The elements that a statement makes visible to those after it."""
    if isinstance(statement, Compute):
        return statement.results
    if isinstance(statement, Loop):
        return [*(r.result for r in statement.reductions), *(r.result for r in statement.recurrences)]
    return () if isinstance(statement, Store) else (statement.result,)
