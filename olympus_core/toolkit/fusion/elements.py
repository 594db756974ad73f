# SPDX-License-Identifier: Apache-2.0
"""One element of a value as statements of a kernel: what moves elements becomes arithmetic on indices."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.ops.indexing import fill_element
from olympus_core.ops.sources import is_splat
from olympus_core.program import Operation, OperationRecord, Value

from ..loops import Affine, Compute, Constant, Index, IndexValue, Inside, Load, Parameter, Scalar, Statement
from .coordinates import Coordinate, Position, Unexpressible, extremes

INT64 = dtypes.int64


class NeedsSections(Exception):  # not an error: it tells who writes a part of an iteration space how to divide it
    """What an element is made of is known once a loop is several loops.

    Args:
        index: The loop's.
        at: Where loops are to begin, beside the first; or
        stride: How many interleaved loops there are to be.
    """

    def __init__(self, index: Index, at: Sequence[int] = (), stride: int = 0) -> None:
        super().__init__(index, at, stride)
        self.index, self.at, self.stride = index, at, stride


class Elements:
    """Writes statements that compute single elements; every element once.

    Args:
        producer: The operation that makes a value, where the value is to be computed here.
        extents: The extents of the loops around.
    """

    def __init__(self, producer: Callable[[Value], Operation | None], extents: dict[Index, int]) -> None:
        self.producer, self.extents = producer, extents
        self.statements: list[Statement] = []
        self.inputs: dict[Value, Parameter] = {}
        self.memo: dict[tuple[Any, ...], Scalar] = {}
        self.is_cut = False  # whether loops are rather divided than elements chosen

    def element(self, value: Value, at: Position, guard: Scalar | None = None) -> Scalar:
        """The element of a value at a position; meaningless, but harmless to compute, where the guard is false."""
        flat = at.flat if value.type.size > 1 else Coordinate()
        key = (value, flat.key, guard)
        found = self.memo.get(key)
        if found is None:
            found = self.member(value, flat)
            if found is None:
                operation, at = self.producer(value), at if value.type.size > 1 else Position()
                found = self.computed(operation, value, at, guard) if operation is not None else None
            if found is None:
                found = self.load(self._input(value), flat, guard)
            self.memo[key] = found
        return found

    def member(self, value: Value, flat: Coordinate) -> Scalar | None:
        """The element where the kernel has it already; refined by kernels of several phases."""
        return None

    def load(self, parameter: Parameter, position: Coordinate, guard: Scalar | None = None) -> Scalar:
        """An element of a buffer."""
        result = Scalar(parameter.dtype)
        self.statements.append(Load(result, parameter, position.affine, position.dynamic, guard))
        return result

    def compute(self, record: OperationRecord, *operands: Scalar, dtype: Any = None) -> Scalar:
        """One elementwise operation; its result has the operands' type where none is given."""
        result = Scalar(operands[-1].dtype if dtype is None else np.dtype(dtype))
        key = (record, operands, result.dtype)
        if key not in self.memo:
            attributes = {"dtype": result.dtype} if record is ops.convert else {}
            self.statements.append(Compute((result,), record, operands, attributes))
            self.memo[key] = result
        return self.memo[key]

    def constant(self, value: Any) -> Scalar:
        """A number; the same element for the same bits."""
        value = np.asarray(value)[()]
        key = ("constant", value.dtype, value.tobytes())
        if key not in self.memo:
            self.memo[key] = Scalar(value.dtype)
            self.statements.append(Constant(self.memo[key], value))
        return self.memo[key]

    def number(self, position: Coordinate, dtype: np.dtype = INT64) -> Scalar:
        """A coordinate as an element."""
        total = Scalar(dtype)
        self.statements.append(IndexValue(total, position.affine))
        for scalar, stride in position.dynamic:
            term = self.converted(scalar, dtype)
            term = term if stride == 1 else self.compute(ops.mul, term, self.constant(dtype.type(stride)))
            total = self.compute(ops.add, total, term)
        return total

    def converted(self, scalar: Scalar, dtype: np.dtype) -> Scalar:
        """The element in another type."""
        return scalar if scalar.dtype == dtype else self.compute(ops.convert, scalar, dtype=dtype)

    def inside(self, position: Coordinate, low: int, high: int) -> Scalar | bool:
        """Whether ``low <= position < high``; True or False where that is known."""
        least, most = extremes(position.affine, self.extents)
        if position.dynamic:  # starts lie inside their dimension, so that 32 bits hold what is only a little outside
            dtype = dtypes.int32 if max(-least, most, high) < 1 << 30 else INT64
            number = self.number(position, dtype)
            above = self.compute(ops.ge, number, self.constant(dtype.type(low)), dtype=dtypes.bool_)
            below = self.compute(ops.lt, number, self.constant(dtype.type(high)), dtype=dtypes.bool_)
            return self.compute(ops.and_, above, below)
        if least >= low and most < high:
            return True
        if most < low or least >= high:
            return False
        if self.is_cut and len(position.affine.terms) == 1:
            ((index, stride),) = position.affine.terms
            raise NeedsSections(index, _crossings(position.affine.constant, stride, self.extents[index], low, high))
        key = ("inside", Coordinate(position.affine).key, low, high)
        if key not in self.memo:
            self.memo[key] = Scalar(dtypes.bool_)
            self.statements.append(Inside(self.memo[key], position.affine, low, high))
        return self.memo[key]

    def both(self, *conditions: Scalar | bool | None) -> Scalar | bool:
        """Whether all hold; None is a guard that always does."""
        if any(c is False for c in conditions):
            return False
        scalars = [c for c in conditions if isinstance(c, Scalar)]
        total = scalars[0] if scalars else None
        for scalar in scalars[1:]:
            total = self.compute(ops.and_, scalar, scalar if total is None else total)
        return True if total is None else total

    def chosen(
        self, condition: Scalar | bool, yes: tuple[Value, Position], no: tuple[Value, Position], guard: Any
    ) -> Scalar:
        """``yes`` where the condition holds, ``no`` elsewhere; `yes` is read only there."""
        if isinstance(condition, bool):
            return self.element(*(yes if condition else no), guard)
        found = self.element(*yes, self._guard(guard, condition))
        return self.compute(ops.select, condition, found, self.element(*no, guard))

    def _guard(self, guard: Scalar | None, condition: Scalar | bool) -> Scalar | None:
        both = self.both(guard, condition)
        return both if isinstance(both, Scalar) else None

    def _input(self, value: Value) -> Parameter:
        if value not in self.inputs:
            self.inputs[value] = Parameter(f"x{len(self.inputs)}", value.type.dtype, value.type.size, "input")
        return self.inputs[value]

    def computed(self, operation: Operation, value: Value, at: Position, guard: Scalar | None) -> Scalar | None:
        """The element by the operation that makes it; None where only the operation itself can."""
        move = MOVING.get(operation.name)
        if move is not None:
            try:
                return move(self, operation, at, guard)
            except Unexpressible as problem:
                problem.args = problem.args or (operation,)
                raise
        operands = tuple(self.element(v, at, guard) for v in operation.operands)
        results = tuple(Scalar(v.type.dtype) for v in operation.results)
        self.statements.append(Compute(results, operation.record, operands, operation.attributes))
        flat = at.flat.key
        self.memo.update(((v, flat, guard), s) for v, s in zip(operation.results, results, strict=True))
        return results[operation.results.index(value)]

    def _seen(self, operation: Operation, at: Position) -> tuple[Coordinate, ...]:
        return at.seen_as(operation.results[0].type.shape, self.extents)

    def _broadcast_in_dim(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        (x,) = operation.operands
        if x.type.size == 1:
            return self.element(x, Position(), guard)
        seen, dims = self._seen(operation, at), operation.attributes["dimensions"]
        positions = tuple(seen[d] if n > 1 else Coordinate() for n, d in zip(x.type.shape, dims, strict=True))
        return self.element(x, Position(x.type.shape, positions), guard)

    def _reshape(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        return self.element(operation.operands[0], at, guard)

    def _transpose(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        (x,), seen = operation.operands, self._seen(operation, at)
        positions = dict(zip(operation.attributes["permutation"], seen, strict=True))
        return self.element(x, Position(x.type.shape, tuple(positions[d] for d in range(len(seen)))), guard)

    def _slice(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        (x,), attributes = operation.operands, operation.attributes
        steps = zip(self._seen(operation, at), attributes["starts"], attributes["strides"], strict=True)
        positions = tuple(position.scaled(stride).shifted(start) for position, start, stride in steps)
        return self.element(x, Position(x.type.shape, positions), guard)

    def _reverse(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        (x,), gone = operation.operands, operation.attributes["dimensions"]
        sides = enumerate(zip(self._seen(operation, at), x.type.shape, strict=True))
        positions = tuple(position.scaled(-1).shifted(n - 1) if d in gone else position for d, (position, n) in sides)
        return self.element(x, Position(x.type.shape, positions), guard)

    def _iota(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        shape, dimension = operation.attributes["shape"], operation.attributes["dimension"]
        position = at.flat if len(shape) == 1 else self._seen(operation, at)[dimension]
        dtype = operation.attributes["dtype"]
        fits = dtype in (dtypes.int32, dtypes.uint32, dtypes.int64, dtypes.uint64, dtypes.float32, dtypes.float64)
        if fits and not position.dynamic:
            return self.number(position, dtype)
        return self.converted(self.number(position), dtype)

    def _constant(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar | None:
        value, position = operation.attributes["value"], at.flat
        if is_splat(value):
            return self.constant(value[(0,) * value.ndim])
        if not position.dynamic and not position.affine.terms:
            return self.constant(value.reshape(-1)[position.affine.constant])
        return None  # the operation itself makes it, outside

    def _pad(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        (x, filler), attributes = operation.operands, operation.attributes
        positions: list[Coordinate] = []
        conditions: list[Scalar | bool] = []
        sides = zip(x.type.shape, self._seen(operation, at), attributes["low"], attributes["interior"], strict=True)
        for n, seen, low, interior in sides:
            position = seen.shifted(-low)
            if conditions[-1:] != [False]:  # the filler for sure
                conditions.append(self.inside(position, 0, (n - 1) * (interior + 1) + 1))
            if interior and conditions[-1] is not False:
                condition, position = self._stepped(position, interior + 1)
                conditions.append(condition)
            positions.append(position)
        inside = self.both(*conditions)
        return self.chosen(inside, (x, Position(x.type.shape, tuple(positions))), (filler, Position()), guard)

    def _stepped(self, position: Coordinate, step: int) -> tuple[Scalar | bool, Coordinate]:
        """Whether a position is a multiple of a step, and which."""
        constant, terms = position.affine.constant, position.affine.terms
        uneven = [(index, stride) for index, stride in terms if stride % step]
        if not position.dynamic and not uneven:
            return constant % step == 0, Coordinate(Affine(constant // step, tuple((i, s // step) for i, s in terms)))
        if self.is_cut and not position.dynamic and len(uneven) == 1:
            ((index, stride),) = uneven
            raise NeedsSections(index, stride=step // math.gcd(stride, step))
        divisor, number = self.constant(np.int64(step)), self.number(position)
        rest = self.compute(ops.rem, number, divisor)
        even = self.compute(ops.eq, rest, self.constant(np.int64(0)), dtype=dtypes.bool_)
        return even, Coordinate(dynamic=((self.compute(ops.div, number, divisor), 1),))

    def _concatenate(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        dimension, seen, end = operation.attributes["dimension"], self._seen(operation, at), 0
        pieces: list[tuple[Value, Position, Scalar | bool]] = []
        for x in operation.operands:
            start, end = end, end + x.type.shape[dimension]
            condition = self.inside(seen[dimension], start, end)
            if condition is not False:
                positions = tuple(p.shifted(-start) if d == dimension else p for d, p in enumerate(seen))
                pieces.append((x, Position(x.type.shape, positions), condition))
        x, position, condition = pieces.pop()
        result = self.element(x, position, self._guard(guard, condition))
        for x, position, condition in reversed(pieces):
            if isinstance(condition, Scalar):
                found = self.element(x, position, self._guard(guard, condition))
                result = self.compute(ops.select, condition, found, result)
        return result

    def _start(self, start: Scalar, last: int) -> tuple[Scalar, Scalar]:
        """An index moved to lie in ``0 ... last``, and the index as it was, both wide enough."""
        if start.dtype.itemsize < 4 or (start.dtype.itemsize < 8 and last >= 1 << 31):
            start = self.converted(start, INT64 if last >= 1 << 31 else dtypes.int32)
        bounds = self.constant(start.dtype.type(0)), self.constant(start.dtype.type(last))
        return self.compute(ops.clamp, bounds[0], start, bounds[1]), start

    def first(self, start: Value, last: int, guard: Scalar | None) -> Coordinate:
        """Where a dynamic slice begins along a dimension."""
        producer = self.producer(start)
        if last == 0 or (producer is not None and producer.name == "constant"):
            return Coordinate(Affine(min(max(int(producer.attributes["value"]), 0), last) if producer and last else 0))
        return Coordinate(dynamic=((self._start(self.element(start, Position(), guard), last)[0], 1),))

    def _dynamic_slice(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        x, *starts = operation.operands
        sides = zip(self._seen(operation, at), starts, x.type.shape, operation.attributes["sizes"], strict=True)
        positions = tuple(position.plus(self.first(start, n - size, guard)) for position, start, n, size in sides)
        return self.element(x, Position(x.type.shape, positions), guard)

    def _dynamic_update_slice(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        x, update, *starts = operation.operands
        sides = list(zip(self._seen(operation, at), starts, x.type.shape, update.type.shape, strict=True))
        positions = tuple(position.plus(self.first(start, n - m, guard).scaled(-1)) for position, start, n, m in sides)
        inside = self.both(*(self.inside(p, 0, m) for p, (_, _, n, m) in zip(positions, sides, strict=True) if n > m))
        return self.chosen(inside, (update, Position(update.type.shape, positions)), (x, at), guard)

    def _gather(self, operation: Operation, at: Position, guard: Scalar | None) -> Scalar:
        (x, indices), attributes = operation.operands, operation.attributes
        ndim, offsets = operation.results[0].type.ndim, attributes["offset_dims"]
        seen = self._seen(operation, at)
        batch = [seen[d] for d in range(ndim) if d not in offsets]
        positions, inside = self.window(x.type.shape, attributes["slice_sizes"], indices, batch,
                                     [seen[d] for d in offsets], attributes, "collapsed_slice_dims",
                                     "start_index_map", guard)
        position = Position(x.type.shape, positions)
        if attributes["mode"] == "clip" or not isinstance(inside, Scalar):
            return self.element(x, position, guard)
        found = self.element(x, position, self._guard(guard, inside))
        filler = self.constant(fill_element(attributes.get("fill_value"), x.type.dtype))
        return self.compute(ops.select, inside, found, filler)

    def window(
        self, shape: Sequence[int], sizes: Sequence[int], indices: Value, batch: Sequence[Coordinate],
        offsets: Sequence[Coordinate], attributes: Mapping[str, Any], removed: str, index_map: str, guard: Any,
    ) -> tuple[tuple[Coordinate, ...], Scalar | bool]:
        """An element of a gather's or scatter's window: its position in the array, and whether the window is inside."""
        within, starts = iter(offsets), attributes[index_map]
        paired = dict(zip(attributes["operand_batching_dims"], attributes["indices_batching_dims"], strict=True))
        positions, conditions = [], []
        for d, n in enumerate(shape):
            gone = d in paired or d in attributes[removed]
            position = batch[paired[d]] if d in paired else Coordinate() if gone else next(within)
            if d in starts:
                component = Coordinate(Affine(starts.index(d)))
                at = Position(indices.type.shape, (*batch, component))
                first, given = self._start(self.element(indices, at, guard), n - sizes[d])
                conditions.append(self.compute(ops.eq, first, given, dtype=dtypes.bool_))
                position = position.plus(Coordinate(dynamic=((first, 1),)))
            positions.append(position)
        return tuple(positions), self.both(*conditions)


# Operations whose elements this file writes down by itself; all elementwise ones come on top.
MOVING: Mapping[str, Callable[[Elements, Operation, Position, Scalar | None], Scalar | None]] = {
    "broadcast_in_dim": Elements._broadcast_in_dim,
    "reshape": Elements._reshape,
    "transpose": Elements._transpose,
    "slice": Elements._slice,
    "pad": Elements._pad,
    "concatenate": Elements._concatenate,
    "reverse": Elements._reverse,
    "iota": Elements._iota,
    "constant": Elements._constant,
    "dynamic_slice": Elements._dynamic_slice,
    "dynamic_update_slice": Elements._dynamic_update_slice,
    "gather": Elements._gather,
}


def _crossings(start: int, stride: int, extent: int, low: int, high: int) -> list[int]:
    """The iterations at which ``start + stride * i`` comes into ``low ... high - 1``, and leaves it."""
    if stride < 0:
        start, stride, low, high = -start, -stride, 1 - high, 1 - low
    found = {-((start - bound) // stride) for bound in (low, high)}
    return sorted(at for at in found if 0 < at < extent)
