# SPDX-License-Identifier: Apache-2.0
"""Fewer kinds of operations before fusion: what others can say is said by them, and nothing is computed twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import OlympusInternalError
from olympus_core.ops.rules import compute_dtype
from olympus_core.program import Operation, OperationRecord, Value

from ..passes import Build, Builder, Match, Pass, Pattern, Rule, op, rewriting_pass
from .masked_updates import masked_updates
from .options import FusionOptions
from .strided_gathers import StridedSlice, strided_slices

# What reductions and cumulative operations combine elements by.
REDUCTIONS = {r.name: r.combine.name for r in ops.OPERATIONS.values() if r.category == "reduction" and r.combine}
CUMULATIVE = {r.name: r.combine.name for r in ops.OPERATIONS.values() if r.category == "cumulative" and r.combine}
Domain = tuple[tuple[int, bool], ...]  # runs of dimensions: number of elements, whether they are reduced


def domain_of(shape: Sequence[int], dimensions: Sequence[int]) -> Domain:
    """A shape with some dimensions reduced, neighbours of one kind taken together, ones left out."""
    runs: list[tuple[int, bool]] = []
    for d, n in enumerate(shape):
        if n > 1:
            gone = d in dimensions
            runs[-1:] = [(runs[-1][0] * n, gone)] if runs and runs[-1][1] == gone else [*runs[-1:], (n, gone)]
    return tuple(runs)


def lowering_passes(
    supports: Callable[[OperationRecord | None, tuple[np.dtype, ...]], bool], options: FusionOptions
) -> tuple[Pass, ...]:
    """What the toolkit does before fusion: argmax, random bits, large reductions as simpler operations, no repetition.

    Args:
        supports: Whether the platform's kernels can hold an operation on elements of these types.
        options: Where reductions are cut.
    """
    return (rewriting_pass("lower", *_Lowering(options, supports).rules(), simplifies=True),)


def _has_elements(operation: Operation) -> bool:
    return all(v.type.size for v in (*operation.operands, *operation.results))


def _is_product(operation: Operation) -> bool:
    """Also a platform's own, whose dimensions are named as those of `dot_general`."""
    return "lhs_contracting" in operation.attributes and _has_elements(operation)


class _Lowering:
    """The rules, by the platform's wishes."""

    def __init__(
        self, options: FusionOptions, supports: Callable[[OperationRecord | None, tuple[np.dtype, ...]], bool]
    ) -> None:
        self.options, self.supports = options, supports

    def rules(self) -> tuple[Rule, ...]:
        """All rules; of those for one operation the first that applies counts."""

        def rule(names: str | Iterable[str], build: Build, *operands: Pattern) -> Rule:
            return Rule(op(names, *operands, where=_has_elements), build)

        return (
            rule("reshape", self._reshape),
            rule("convert", self._convert),
            rule("sharding_constraint", lambda new, match: match.operands),
            rule("broadcast_in_dim", self._broadcast_in_dim),
            rule("transpose", self._transpose),
            rule("transpose", self._transposed_product, op("dot_general", bind="product", uses=1)),
            rule((*REDUCTIONS, *CUMULATIVE), self._reduced),
            rule(("argmax", "argmin"), self._extreme_position),
            rule("gather", self._gather),
            rule("scatter", self._scatter),
            *masked_updates(),
            rule("random_bits", self._random_bits),
            Rule(Pattern(None, where=self._is_decomposed), lambda new, match: _decomposed(
                new, match.operation.record, match.operands)),
            Rule(Pattern(None, where=_is_product), self._product),
        )

    def _reshape(self, new: Builder, match: Match) -> Value | None:
        (x,) = match.operands
        return None if new.splat_of(x) is not None else new.reshape(x, match.operation.attributes["shape"])

    def _convert(self, new: Builder, match: Match) -> Value | None:
        (x,) = match.operands
        return x if x.type is match.operation.results[0].type else None

    def _broadcast_in_dim(self, new: Builder, match: Match) -> Value | None:
        (x,), result = match.operands, match.operation.results[0].type
        return new.reshape(x, result.shape) if x.type.size == result.size and new.splat_of(x) is None else None

    def _transpose(self, new: Builder, match: Match) -> Value | None:
        """A transpose that moves nothing but dimensions of size 1, as a reshape."""
        (x,) = match.operands
        moved = [d for d in match.operation.attributes["permutation"] if x.type.shape[d] > 1]
        return new.reshape(x, match.operation.results[0].type.shape) if moved == sorted(moved) else None

    def _transposed_product(self, new: Builder, match: Match) -> Value | None:
        """A contraction whose result alone is transposed, as the contraction of its operands in the other order."""
        product = match.producer("product")
        (x, y), attributes, ndim = product.operands, dict(product.attributes), match["product"].type.ndim
        batch = len(attributes["lhs_batch"])
        middle = x.type.ndim - len(attributes["lhs_contracting"])
        if match.operation.attributes["permutation"] != (*range(batch), *range(middle, ndim), *range(batch, middle)):
            return None
        for key in ("contracting", "batch"):
            sides = f"lhs_{key}", f"rhs_{key}"
            attributes.update(zip(sides, [attributes[side] for side in reversed(sides)], strict=True))
        return new.apply(product.record, y, x, **attributes)

    def _product(self, new: Builder, match: Match) -> Value:
        """Transposed operands cost nothing where the contraction may name their dimensions instead."""
        attributes, operands = dict(match.operation.attributes), list(match.operands)
        for i, side in enumerate(("lhs", "rhs")):
            keys = f"{side}_contracting", f"{side}_batch"
            while (producer := new.producer(operands[i])) is not None and producer.name == "transpose":
                order = producer.attributes["permutation"]
                gone = {d for key in keys for d in attributes[key]}
                free = [source for d, source in enumerate(order) if d not in gone]
                if free != sorted(free):
                    break
                attributes.update((key, tuple(order[d] for d in attributes[key])) for key in keys)
                operands[i] = producer.operands[0]
        return new.apply(match.operation.record, *operands, **attributes)

    def _reduced(self, new: Builder, match: Match) -> Value:
        """A reduction, also along one dimension: narrow floats in float32."""
        operation, (x,) = match.operation, match.operands
        is_cumulative = operation.name in CUMULATIVE
        if is_cumulative and x.type.shape[operation.attributes["dimension"]] == 1:
            return x
        wide = new.convert(x, compute_dtype(x.type.dtype))
        if is_cumulative:
            result = new.apply(operation.record, wide, **operation.attributes)
        else:
            result = self._reduce(new, operation.record, wide, operation.attributes["dimensions"])
        return new.convert(result, x.type.dtype)

    def _reduce(self, new: Builder, record: OperationRecord, x: Value, dimensions: Sequence[int]) -> Value:
        """A reduction, in two steps where one would leave too little to do side by side."""
        options, domain, shape = self.options, domain_of(x.type.shape, dimensions), x.type.shape
        kept = [n for d, n in enumerate(shape) if d not in dimensions]
        positions = [i for i, (_, gone) in enumerate(domain) if gone]
        if not positions:
            return new.reshape(x, kept)
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
                whole = new.reshape(x, (outer, n, inner))
                if n % chunk:  # what is missing in the last chunk changes nothing
                    filler = new.splat(record.nothing(x.type.dtype), ())
                    whole = new.apply(ops.pad, whole, filler, low=(0,) * 3, high=(0, -n % chunk, 0), interior=(0,) * 3)
                parts = [m for m in (outer,) if m > 1], [m for m in (inner,) if m > 1]
                whole = new.reshape(whole, (*parts[0], -(-n // chunk), chunk, *parts[1]))
                partial = new.apply(record, whole, dimensions=(len(parts[0]) + 1,))
                return new.reshape(new.apply(record, partial, dimensions=(len(parts[0]),)), kept)
        return new.apply(record, x, dimensions=tuple(dimensions))

    def _extreme_position(self, new: Builder, match: Match) -> Value:
        """The least position of the extreme; of NaN where there is one."""
        operation, (x,) = match.operation, match.operands
        dimension = operation.attributes["dimension"]
        x = new.convert(x, compute_dtype(x.type.dtype))
        shape, n = x.type.shape, x.type.shape[dimension]
        extreme = self._reduce(new, ops.reduce_max if operation.name == "argmax" else ops.reduce_min, x, (dimension,))
        others = [d for d in range(len(shape)) if d != dimension]
        hit = new.apply(ops.eq, x, new.broadcast(extreme, shape, others))
        if dtypes.is_float(x.type.dtype):
            hit = new.apply(ops.or_, hit, new.apply(ops.ne, x, x))
        word = dtypes.int32 if n < 1 << 31 else dtypes.int64
        positions = new.apply(ops.iota, shape=shape, dtype=word, dimension=dimension)
        chosen = new.apply(ops.select, hit, positions, new.splat(word.type(n - 1), shape))
        first = self._reduce(new, ops.reduce_min, chosen, (dimension,))
        return new.convert(first, operation.attributes["dtype"])

    def _gather(self, new: Builder, match: Match) -> Value | None:
        """Slices, where they are picked by indices that are known and lie in a few runs."""
        x, indices = match.operands
        found = strided_slices(match.operation, new.producer(indices))
        if found is None or (len(found[1]) > 1 and not self.options.sections):
            return None
        dimension, runs = found
        pieces = [_slice_of(new, x, dimension, run) for run in runs]
        return pieces[0] if len(pieces) == 1 else new.apply(ops.concatenate, *pieces, dimension=dimension)

    def _scatter(self, new: Builder, match: Match) -> Value | None:
        """Narrow floats are added up and multiplied in float32."""
        operation, (x, indices, updates) = match.operation, match.operands
        dtype, wide = x.type.dtype, compute_dtype(x.type.dtype)
        if wide == dtype or operation.attributes["combine"] not in ("add", "mul"):
            return None
        terms = new.convert(x, wide), indices, new.convert(updates, wide)
        return new.convert(new.apply(operation.record, *terms, **operation.attributes), dtype)

    def _is_decomposed(self, operation: Operation) -> bool:
        """Whether the platform computes what an operation consists of, and not the operation."""
        record = operation.record
        return record.decomposition is not None and not self.supports(record, (dtypes.uint32,) * 6)

    def _random_bits(self, new: Builder, match: Match) -> Value:
        (key, *starts), attributes = match.operands, match.operation.attributes
        shape, whole, dtype = attributes["shape"], attributes["global_shape"], np.dtype(attributes["dtype"])
        size, total = math.prod(shape), math.prod(whole)
        word = dtypes.uint32 if total <= 1 << 32 else dtypes.uint64
        if tuple(shape) == tuple(whole) and not starts:
            position = new.reshape(new.apply(ops.iota, shape=(size,), dtype=word, dimension=0), shape)
        else:
            position = new.splat(word.type(0), shape)
            for d in range(len(shape)):
                along = new.apply(ops.iota, shape=shape, dtype=word, dimension=d)
                start = new.broadcast(new.convert(starts[d], word), shape, ())
                step = new.splat(word.type(math.prod(whole[d + 1:])), shape)
                position = new.apply(ops.add, position, new.apply(ops.mul, new.apply(ops.add, along, start), step))
        high = new.splat(np.uint32(0), shape)
        if word == dtypes.uint64:
            shift = new.splat(np.uint64(32), shape)
            high = new.convert(new.apply(ops.shift_right_logical, position, shift), dtypes.uint32)
        parts = [new.apply(ops.slice, key, starts=(i,), limits=(i + 1,), strides=(1,)) for i in range(2)]
        keys = [new.broadcast(new.reshape(part, ()), shape, ()) for part in parts]
        counters = (*keys, high, new.convert(position, dtypes.uint32))
        encrypt = new.make(ops.threefry2x32, *counters)
        first, second = (
            _decomposed(new, encrypt.record, counters) if self._is_decomposed(encrypt) else new.emit(encrypt))
        if dtype != dtypes.uint64:
            return new.convert(new.apply(ops.xor, first, second), dtype)
        high = new.apply(ops.shift_left, new.convert(first, dtype), new.splat(np.uint64(32), shape))
        return new.apply(ops.or_, high, new.convert(second, dtype))


def _slice_of(new: Builder, x: Value, dimension: int, run: StridedSlice) -> Value:
    shape, (first, last) = x.type.shape, sorted((run.start, run.start + run.step * (run.count - 1)))
    starts, limits, strides = [0] * len(shape), list(shape), [1] * len(shape)
    starts[dimension], limits[dimension], strides[dimension] = first, last + 1, max(abs(run.step), 1)
    part = new.apply(ops.slice, x, starts=tuple(starts), limits=tuple(limits), strides=tuple(strides))
    if run.step < 0:
        return new.apply(ops.reverse, part, dimensions=(dimension,))
    if run.step == 0 and run.count > 1:
        wide = (*shape[:dimension], run.count, *shape[dimension + 1:])
        return new.broadcast(part, wide, range(len(shape)))
    return part


def _decomposed(new: Builder, record: OperationRecord, operands: Sequence[Value]) -> tuple[Value, ...]:
    """What an operation consists of by its record."""
    if record.decomposition is None:
        raise OlympusInternalError(f"{record.name} has no decomposition")
    return tuple(word.value for word in record.decomposition(*(_Word(new, v) for v in operands)))


class _Word:
    """A 32-bit word in the generator's own arithmetic, which so becomes operations."""

    def __init__(self, new: Builder, value: Value) -> None:
        self.new, self.value = new, value

    def _with(self, record: OperationRecord, other: Any) -> _Word:
        value = other.value if isinstance(other, _Word) else self.new.splat(other, self.value.type.shape)
        return _Word(self.new, self.new.apply(record, self.value, value))

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
