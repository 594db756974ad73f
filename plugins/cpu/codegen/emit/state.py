# SPDX-License-Identifier: Apache-2.0
"""`State`: the emitter's state: values, indices, addresses, and the enclosing vector loop."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from olympus_core.dataclass import dataclass
from olympus_core.toolkit.loops import Affine, Compute, Constant, Index, Load, Loop, Parameter, Scalar, Store

from ..builder import FunctionBuilder, Ir
from .hoist import affine_range
from .interleaved_access import InterleaveGroups
from .storage import Storage, storage
from .vectorization import SCALAR, VectorShape

Parts = tuple[Ir, ...]


@dataclass(frozen=True, slots=True)
class VectorLoop:
    """The enclosing vectorized loop: its index and its vectorization.

    Lane l of copy c is iteration index + c * width + l; or, where copies run `across` another loop, iteration index + l
    of this loop and iteration c of the other.
    """

    index: Index
    shape: VectorShape
    across: Index | None = None


class State:
    """The state at the point where code is written.

    Args:
        builder: The function that is written.
        extents: The loops' extents.
        constants: The kernel's constants by the identity of their elements.
        parameters: Addresses of the buffers by the identity of the parameters.
    """

    def __init__(
        self,
        builder: FunctionBuilder,
        extents: Mapping[Index, int],
        constants: Mapping[int, Constant],
        parameters: Mapping[int, Ir],
    ) -> None:
        self.builder = builder
        self.extents = extents
        self.constants = constants
        self.parameters = parameters
        self.values: dict[int, tuple[Parts, ...]] = {}  # one for each copy, or one scalar for all
        self.indices: dict[Index, Ir] = {}  # from the outermost loop; the vectorized loop's is the first lane's
        self.vector_loop: VectorLoop | None = None
        self.known: dict[object, Ir] = {}  # addresses and splats that dominate this point
        self.may_stream = False  # whether stores of aligned vectors may be non-temporal
        self.interleaved = InterleaveGroups()  # of the enclosing vectorized loop
        self.has_streamed = False  # whether a non-temporal store was written

    @property
    def shape(self) -> VectorShape:
        """The enclosing loop's vectorization; scalar where there is none."""
        return self.vector_loop.shape if self.vector_loop is not None else SCALAR

    def is_varied(self, scalar: Scalar) -> bool:
        """Whether the element differs between lanes."""
        values = self.values.get(id(scalar))
        return values is not None and values[0][0].lanes > 1

    def lane_stride(self, affine: Affine) -> int:
        """The increment of an affine expression from lane to lane; zero in scalar code."""
        return affine.stride(self.vector_loop.index) if self.vector_loop is not None and self.shape.width > 1 else 0

    def copy_stride(self, affine: Affine) -> int:
        """The increment of an affine expression from copy to copy."""
        if self.vector_loop is not None and self.vector_loop.across is not None:
            return affine.stride(self.vector_loop.across)
        return self.shape.width * self.lane_stride(affine)

    def varies(self, affine: Affine) -> bool:
        """Whether an affine expression differs between lanes or copies."""
        return self.lane_stride(affine) != 0 or self.copy_stride(affine) != 0

    def scalar(self, scalar: Scalar) -> Parts:
        """The parts of an element that is the same in all lanes."""
        constant = self.constants.get(id(scalar))
        if constant is not None:
            return self.constant(constant.value, storage(scalar.dtype), 1)
        return self.values[id(scalar)][0]

    def vector(self, scalar: Scalar, copy: int) -> Parts:
        """The parts of an element in one of the copies, as vectors."""
        width = self.shape.width
        constant = self.constants.get(id(scalar))
        if constant is not None:
            return self.constant(constant.value, storage(scalar.dtype), width)
        values = self.values[id(scalar)]
        parts = values[copy] if len(values) > 1 else values[0]
        return tuple(part if part.lanes == width else self.splat(part) for part in parts)

    def splat(self, value: Ir) -> Ir:
        """A scalar in all lanes."""
        width = self.shape.width
        if width == 1:
            return value
        key = ("splat", value.name, value.element, width)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self.builder.splat(value, width)
        return found

    def constant(self, value: Any, s: Storage, lanes: int) -> Parts:
        """A constant's parts."""
        if s.kind == "complex":
            number = complex(value)
            return tuple(self.builder.constant(part, s.register, lanes) for part in (number.real, number.imag))
        plain = float(value) if s.kind == "float" else int(value)
        return (self.builder.constant(plain, s.register, lanes),)

    def number(self, value: int) -> Ir:
        """A 64-bit integer constant."""
        return self.builder.constant(value, "i64", 1)

    def offset(self, affine: Affine) -> Ir:
        """The value of an affine expression, in the first lane of the first copy."""
        b, total = self.builder, None
        for index, stride in affine.terms:
            term = self.indices[index] if stride == 1 else b.mul(self.indices[index], self.number(stride))
            total = term if total is None else b.add(total, term)
        if total is None:
            return self.number(affine.constant)
        return b.add(total, self.number(affine.constant)) if affine.constant else total

    def fits_word(self, affine: Affine) -> bool:
        """Whether the values of an affine expression fit 32 bits."""
        low, high = affine_range(affine, self.extents)
        return low >= -(1 << 31) and high < 1 << 31

    def address(self, parameter: Parameter, affine: Affine, beyond: int = 0) -> Ir:
        """The address of an element; `beyond` is added to its index.

        It is computed loop by loop from the outermost, so that each loop adds to an address computed before it.
        """
        b, s = self.builder, storage(parameter.dtype)
        depth = {index: i for i, index in enumerate(self.indices)}
        key: tuple[object, ...] = (id(parameter),)
        pointer = self.parameters[id(parameter)]
        for index, stride in sorted(affine.terms, key=lambda term: depth[term[0]]):
            key = (*key, index, stride)
            found = self.known.get(key)
            if found is None:
                times = stride * s.parts
                step = self.indices[index] if times == 1 else b.mul(self.indices[index], self.number(times))
                found = self.known[key] = b.gep(pointer, step, s.memory)
            pointer = found
        distance = (affine.constant + beyond) * s.parts
        return b.gep(pointer, self.number(distance), s.memory) if distance else pointer

    def prepare(self, loop: Loop, width: int) -> None:
        """Computes loop-invariant addresses and splats before a loop."""
        self.prepare_addresses(loop, set(self.indices))
        if width > 1:
            for scalar in _operands(loop):
                for part in self.values.get(id(scalar), ((),))[0]:
                    if part.lanes == 1:
                        self.splat(part)

    def prepare_addresses(self, loop: Loop, around: set[Index]) -> None:
        """Computes the parts of addresses that depend on enclosing loops only."""
        for statement in loop.body:
            if isinstance(statement, Loop):
                self.prepare_addresses(statement, around)
            elif isinstance(statement, (Load, Store)):
                self.address(statement.parameter, Affine(0, tuple(t for t in statement.at.terms if t[0] in around)))


def _operands(loop: Loop) -> Iterable[Scalar]:
    for statement in loop.body:
        if isinstance(statement, Loop):
            yield from _operands(statement)
        elif isinstance(statement, Compute):
            yield from statement.operands
        elif isinstance(statement, Store):
            yield statement.value

