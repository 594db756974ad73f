"""Fewer kinds of operations before fusion: what others can say is said by them, and nothing is computed twice."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.ops.rules import compute_dtype
from olympus_core.ops.sources import is_splat
from olympus_core.program import Operation, OperationRecord, Value

from ..flatten import Flat
from ..rewriting import splat_of
from .options import FusionOptions
from .strided_gathers import StridedSlice, strided_slices

# What reductions and cumulative operations combine elements by.
REDUCTIONS = {r.name: r.combine.name for r in ops.OPERATIONS.values() if r.category == "reduction" and r.combine}
CUMULATIVE = {r.name: r.combine.name for r in ops.OPERATIONS.values() if r.category == "cumulative" and r.combine}
_PURE = frozenset({"elementwise", "structure", "reduction", "cumulative", "contraction", "indexing", "random"})
Domain = tuple[tuple[int, bool], ...]  # runs of dimensions: number of elements, whether they are reduced


def domain_of(shape: Sequence[int], dimensions: Sequence[int]) -> Domain:
    """A shape with some dimensions reduced, neighbours of one kind taken together, ones left out."""
    runs: list[tuple[int, bool]] = []
    for d, n in enumerate(shape):
        if n > 1:
            gone = d in dimensions
            runs[-1:] = [(runs[-1][0] * n, gone)] if runs and runs[-1][1] == gone else [*runs[-1:], (n, gone)]
    return tuple(runs)


def lowered(flat: Flat, supports: Callable[[OperationRecord], bool], options: FusionOptions) -> Flat:
    """The same program with argmax, random bits and large reductions as simpler operations, without repetition.

    Args:
        flat: The program.
        supports: Whether the platform computes an operation of 32-bit words by itself.
        options: Where reductions are cut.
    """
    lowering = _Lowering(options, supports)
    lowering.uses = Counter([*flat.outputs, *(v for o in flat.operations for v in o.operands)])
    known: dict[Value, Value] = {v: v for v in flat.inputs}
    for operation in flat.operations:
        operands = tuple(known[v] for v in operation.operands)
        lowering.location = operation.location
        # A platform's own products name dimensions as this one does.
        name = "dot_general" if "lhs_contracting" in operation.attributes else operation.name
        rule = _RULES.get(name)
        empty = any(v.type.size == 0 for v in (*operation.operands, *operation.results))
        if rule is None or empty:
            results = lowering.decomposed(operation, operands)
        else:
            results = rule(lowering, operation, operands)
        known.update(zip(operation.results, results, strict=True))
    outputs = tuple(known[v] for v in flat.outputs)
    needed, kept = set(outputs), []
    for operation in reversed(lowering.operations):
        if operation.has_effects or not needed.isdisjoint(operation.results):
            needed.update(operation.operands)
            kept.append(operation)
    return Flat(flat.inputs, tuple(reversed(kept)), outputs)


class _Lowering:
    def __init__(self, options: FusionOptions, supports: Callable[[OperationRecord], bool]) -> None:
        self.options, self.supports = options, supports
        self.operations: list[Operation] = []
        self.makers: dict[Value, Operation] = {}
        self.known: dict[Any, tuple[Value, ...]] = {}
        self.location: str | None = None
        self.uses: Mapping[Value, int] = {}  # of the values before

    def one(self, record: OperationRecord, *operands: Value, **attributes: Any) -> Value:
        """Emits an operation with one result."""
        types = record.type_rule([v.type for v in operands], attributes, ())
        return self.add(Operation(record, operands, attributes, (), tuple(map(Value, types)), self.location))[0]

    def copy(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        """Emits an operation of the program."""
        results = tuple(Value(v.type) for v in operation.results)
        record, attributes, regions = operation.record, operation.attributes, operation.regions
        return self.add(Operation(record, operands, attributes, regions, results, operation.location))

    def decomposed(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        """Emits an operation of the program, or what it consists of where the platform does not compute it."""
        decomposition = operation.record.decomposition
        if decomposition is None or self.supports(operation.record):
            return self.copy(operation, operands)
        return tuple(word.value for word in decomposition(*(_Word(self, v) for v in operands)))

    def add(self, operation: Operation) -> tuple[Value, ...]:
        """Appends an operation, unless one did the same before or its result is one number everywhere."""
        folded = self._folded(operation)
        if folded is not None:
            operation = Operation(ops.constant, (), {"value": folded}, (), operation.results, operation.location)
        key = self._key(operation)
        if key is not None and key in self.known:
            return self.known[key]
        self.operations.append(operation)
        self.makers.update((v, operation) for v in operation.results)
        if key is not None:
            self.known[key] = operation.results
        return operation.results

    def splat(self, value: Value) -> np.ndarray | None:
        """The one number that all elements are, if that is known."""
        return splat_of(value, self.makers)

    def _folded(self, operation: Operation) -> np.ndarray | None:
        if operation.record.category != "elementwise" and operation.name not in ("broadcast_in_dim", "reshape"):
            return None
        splats = [self.splat(v) for v in operation.operands]
        found = [x for x in splats if x is not None]
        if len(found) != len(splats) or len(operation.results) > 1 or operation.record.reference is None:
            return None
        if not operation.results[0].type.size:
            return None
        if operation.record.category == "elementwise":
            found = list(operation.record.reference(found, operation.attributes))
        return np.broadcast_to(found[0], operation.results[0].type.shape)

    def _key(self, operation: Operation) -> Any:
        if operation.name == "constant":
            value = operation.attributes["value"]
            if value.size and is_splat(value):
                return "splat", value.shape, value.dtype, value[(0,) * value.ndim].tobytes()
            return ("constant", value.shape, value.dtype, value.tobytes()) if value.size <= 64 else None
        if operation.record.category not in _PURE or operation.regions or operation.name in ("gather", "iota"):
            return None
        return operation.record, operation.operands, tuple(sorted(operation.attributes.items()))

    def filled(self, value: Any, shape: Sequence[int]) -> Value:
        """A constant, the same everywhere."""
        return self.one(ops.constant, value=np.broadcast_to(np.asarray(value), tuple(shape)))

    def spread(self, value: Value, shape: Sequence[int], dimensions: Sequence[int]) -> Value:
        """A broadcast."""
        return self.one(ops.broadcast_in_dim, value, shape=tuple(shape), dimensions=tuple(dimensions))

    def reshaped(self, value: Value, shape: Sequence[int]) -> Value:
        """The elements in another shape."""
        maker = self.makers.get(value)
        value = maker.operands[0] if maker is not None and maker.name == "reshape" else value
        return value if value.type.shape == tuple(shape) else self.one(ops.reshape, value, shape=tuple(shape))

    def converted(self, value: Value, dtype: np.dtype) -> Value:
        """The elements in another type."""
        return value if value.type.dtype == dtype else self.one(ops.convert, value, dtype=dtype)

    def _reshape(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        if self.splat(operands[0]) is not None:
            return self.copy(operation, operands)
        return (self.reshaped(operands[0], operation.attributes["shape"]),)

    def _convert(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        return operands if operands[0].type is operation.results[0].type else self.copy(operation, operands)

    def _sharding_constraint(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        return operands

    def _broadcast_in_dim(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        same = operands[0].type.size == operation.results[0].type.size and self.splat(operands[0]) is None
        return (self.reshaped(operands[0], operation.attributes["shape"]),) if same else self.copy(operation, operands)

    def _transpose(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        (x,), order = operands, operation.attributes["permutation"]
        moved = [d for d in order if x.type.shape[d] > 1]
        if moved == sorted(moved):
            return (self.reshaped(x, operation.results[0].type.shape),)
        turned = self._turned_dot(operation, x) if self.uses[operation.operands[0]] == 1 else None
        return self.copy(operation, operands) if turned is None else (turned,)

    def _turned_dot(self, operation: Operation, product: Value) -> Value | None:
        """A contraction whose result alone is transposed, as the contraction of its operands in the other order."""
        maker = self.makers.get(product)
        if maker is None or maker.name != "dot_general":
            return None
        (x, y), attributes, ndim = maker.operands, dict(maker.attributes), product.type.ndim
        batch = len(attributes["lhs_batch"])
        middle = x.type.ndim - len(attributes["lhs_contracting"])
        if operation.attributes["permutation"] != (*range(batch), *range(middle, ndim), *range(batch, middle)):
            return None
        for key in ("contracting", "batch"):
            sides = f"lhs_{key}", f"rhs_{key}"
            attributes.update(zip(sides, [attributes[side] for side in reversed(sides)], strict=True))
        return self.one(maker.record, y, x, **attributes)

    def _dot_general(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        """Transposed operands cost nothing where the contraction may name their dimensions instead."""
        attributes, given = dict(operation.attributes), list(operands)
        for i, side in enumerate(("lhs", "rhs")):
            keys = f"{side}_contracting", f"{side}_batch"
            while (maker := self.makers.get(given[i])) is not None and maker.name == "transpose":
                order = maker.attributes["permutation"]
                gone = {d for key in keys for d in attributes[key]}
                free = [source for d, source in enumerate(order) if d not in gone]
                if free != sorted(free):
                    break
                attributes.update((key, tuple(order[d] for d in attributes[key])) for key in keys)
                given[i] = maker.operands[0]
        return (self.one(operation.record, *given, **attributes),)

    def reduced(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        """A reduction, also along one dimension: narrow floats in float32."""
        (x,) = operands
        if operation.name in CUMULATIVE and x.type.shape[operation.attributes["dimension"]] == 1:
            return operands
        wide = self.converted(x, compute_dtype(x.type.dtype))
        if operation.name in CUMULATIVE:
            result = self.one(operation.record, wide, **operation.attributes)
        else:
            result = self.reduce(operation.record, wide, operation.attributes["dimensions"])
        return (self.converted(result, x.type.dtype),)

    def reduce(self, record: OperationRecord, x: Value, dimensions: Sequence[int]) -> Value:
        """A reduction, in two steps where one would leave too little to do side by side."""
        options, domain, shape = self.options, domain_of(x.type.shape, dimensions), x.type.shape
        kept = [n for d, n in enumerate(shape) if d not in dimensions]
        positions = [i for i, (_, gone) in enumerate(domain) if gone]
        if not positions:
            return self.reshaped(x, kept)
        (outer, n, inner), position = (1, 1, 1), positions[0]
        outer, inner = (math.prod(m for m, _ in part) for part in (domain[:position], domain[position + 1:]))
        n = domain[position][0]
        streamed = inner >= options.stream_columns and n >= 2 * options.longest_column
        width = outer * -(-inner // (options.stream_tile if streamed else options.lane_tile)) if inner > 1 else outer
        small = width < options.parallelism and x.type.size > options.reduction_block
        if len(positions) == 1 and (small or (inner > 1 and n > options.lane_block)):
            chunk = max(options.serial_block, options.reduction_block // inner)
            chunk = _divisor(n, chunk if inner == 1 else min(chunk, options.lane_block))
            if chunk < n:
                whole = self.reshaped(x, (outer, n, inner))
                if n % chunk:  # what is missing in the last chunk changes nothing
                    filler = self.filled(record.nothing(x.type.dtype), ())
                    whole = self.one(ops.pad, whole, filler, low=(0,) * 3, high=(0, -n % chunk, 0), interior=(0,) * 3)
                parts = [m for m in (outer,) if m > 1], [m for m in (inner,) if m > 1]
                whole = self.reshaped(whole, (*parts[0], -(-n // chunk), chunk, *parts[1]))
                partial = self.one(record, whole, dimensions=(len(parts[0]) + 1,))
                return self.reshaped(self.one(record, partial, dimensions=(len(parts[0]),)), kept)
        return self.one(record, x, dimensions=tuple(dimensions))

    def _extreme_place(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        """The least position of the extreme; of NaN where there is one."""
        dimension = operation.attributes["dimension"]
        x = self.converted(operands[0], compute_dtype(operands[0].type.dtype))
        shape, n = x.type.shape, x.type.shape[dimension]
        extreme = self.reduce(ops.reduce_max if operation.name == "argmax" else ops.reduce_min, x, (dimension,))
        others = [d for d in range(len(shape)) if d != dimension]
        hit = self.one(ops.eq, x, self.spread(extreme, shape, others))
        if dtypes.is_float(x.type.dtype):
            hit = self.one(ops.or_, hit, self.one(ops.ne, x, x))
        word = dtypes.int32 if n < 1 << 31 else dtypes.int64
        positions = self.one(ops.iota, shape=shape, dtype=word, dimension=dimension)
        chosen = self.one(ops.select, hit, positions, self.filled(word.type(n - 1), shape))
        first = self.reduce(ops.reduce_min, chosen, (dimension,))
        return (self.converted(first, operation.attributes["dtype"]),)

    def _gather(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        """Slices, where they are picked by indices that are known and lie in a few runs."""
        found = strided_slices(operation, self.makers.get(operands[1]))
        if found is None or (len(found[1]) > 1 and not self.options.sections):
            return self.copy(operation, operands)
        pieces = [self._run(operands[0], found[0], run) for run in found[1]]
        return (pieces[0] if len(pieces) == 1 else self.one(ops.concatenate, *pieces, dimension=found[0]),)

    def _run(self, x: Value, dimension: int, run: StridedSlice) -> Value:
        shape, (first, last) = x.type.shape, sorted((run.start, run.start + run.step * (run.count - 1)))
        starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
        starts[dimension], limits[dimension], strides[dimension] = first, last + 1, max(abs(run.step), 1)
        part = self.one(ops.slice, x, starts=tuple(starts), limits=tuple(limits), strides=tuple(strides))
        if run.step < 0:
            return self.one(ops.reverse, part, dimensions=(dimension,))
        if run.step == 0 and run.count > 1:
            wide = (*shape[:dimension], run.count, *shape[dimension + 1:])
            return self.spread(part, wide, range(len(shape)))
        return part

    def _scatter(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        x, indices, updates = operands
        dtype, wide = x.type.dtype, compute_dtype(x.type.dtype)
        if wide == dtype or operation.attributes["combine"] not in ("add", "mul"):
            return self.copy(operation, operands)
        terms = self.converted(x, wide), indices, self.converted(updates, wide)
        return (self.converted(self.one(operation.record, *terms, **operation.attributes), dtype),)

    def _random_bits(self, operation: Operation, operands: tuple[Value, ...]) -> tuple[Value, ...]:
        (key, *starts), attributes = operands, operation.attributes
        shape, whole, dtype = attributes["shape"], attributes["global_shape"], np.dtype(attributes["dtype"])
        size, total = math.prod(shape), math.prod(whole)
        word = dtypes.uint32 if total <= 1 << 32 else dtypes.uint64
        if tuple(shape) == tuple(whole) and not starts:
            position = self.reshaped(self.one(ops.iota, shape=(size,), dtype=word, dimension=0), shape)
        else:
            position = self.filled(word.type(0), shape)
            for d in range(len(shape)):
                along = self.one(ops.iota, shape=shape, dtype=word, dimension=d)
                start = self.spread(self.converted(starts[d], word), shape, ())
                step = self.filled(word.type(math.prod(whole[d + 1:])), shape)
                position = self.one(ops.add, position, self.one(ops.mul, self.one(ops.add, along, start), step))
        high = self.filled(np.uint32(0), shape)
        if word == dtypes.uint64:
            shift = self.filled(np.uint64(32), shape)
            high = self.converted(self.one(ops.shift_right_logical, position, shift), dtypes.uint32)
        parts = [self.one(ops.slice, key, starts=(i,), limits=(i + 1,), strides=(1,)) for i in range(2)]
        keys = [self.spread(self.reshaped(part, ()), shape, ()) for part in parts]
        counters = (*keys, high, self.converted(position, dtypes.uint32))
        results = tuple(Value(high.type) for _ in range(2))
        first, second = self.decomposed(
            Operation(ops.threefry2x32, counters, {}, (), results, self.location), counters
        )
        if dtype != dtypes.uint64:
            return (self.converted(self.one(ops.xor, first, second), dtype),)
        high = self.one(ops.shift_left, self.converted(first, dtype), self.filled(np.uint64(32), shape))
        return (self.one(ops.or_, high, self.converted(second, dtype)),)


_RULES: Mapping[str, Callable[[_Lowering, Operation, tuple[Value, ...]], tuple[Value, ...]]] = {
    "reshape": _Lowering._reshape,
    "convert": _Lowering._convert,
    "sharding_constraint": _Lowering._sharding_constraint,
    "broadcast_in_dim": _Lowering._broadcast_in_dim,
    "transpose": _Lowering._transpose,
    "dot_general": _Lowering._dot_general,
    **dict.fromkeys((*REDUCTIONS, *CUMULATIVE), _Lowering.reduced),
    "argmax": _Lowering._extreme_place,
    "argmin": _Lowering._extreme_place,
    "gather": _Lowering._gather,
    "scatter": _Lowering._scatter,
    "random_bits": _Lowering._random_bits,
}


class _Word:
    """A 32-bit word in the generator's own arithmetic, which so becomes operations."""

    def __init__(self, lowering: _Lowering, value: Value) -> None:
        self.lowering, self.value = lowering, value

    def _with(self, record: OperationRecord, other: Any) -> _Word:
        value = other.value if isinstance(other, _Word) else self.lowering.filled(other, self.value.type.shape)
        return _Word(self.lowering, self.lowering.one(record, self.value, value))

    def __add__(self, other: Any) -> _Word:
        return self._with(ops.add, other)

    def __xor__(self, other: Any) -> _Word:
        return self._with(ops.xor, other)

    def __or__(self, other: Any) -> _Word:
        return self._with(ops.or_, other)

    def __lshift__(self, other: Any) -> _Word:
        return self._with(ops.shift_left, other)

    def __rshift__(self, other: Any) -> _Word:
        return self._with(ops.shift_right_logical, other)


def _divisor(n: int, most: int) -> int:
    """A good size of chunks of `n`: a divisor where there is one not far below `most`, or `most`."""
    if n <= most:
        return n
    sizes = np.arange(max(most // 16, 2), most + 1)
    for step in (64, 8, 1):
        found = sizes[(n % sizes == 0) & (sizes % step == 0)]
        if len(found):
            return int(found[-1])
    return most // 8 * 8 or most
