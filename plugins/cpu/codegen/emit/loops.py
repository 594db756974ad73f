# SPDX-License-Identifier: Apache-2.0
"""Loops: serial loops with loop-carried values, and vectorized loops with remainder loops."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from olympus_core import dtypes
from olympus_core.errors import OlympusInternalError
from olympus_core.ops import OPERATIONS
from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    IndexValue,
    Inside,
    Load,
    Loop,
    Reduction,
    Scalar,
    Statement,
    Store,
)

from ..builder import Ir
from ..target import square_of
from . import memory
from .interleaved_access import interleave_groups
from .invariant_quotients import prepare_quotients, quotients
from .loop_distribution import Stage, distribute, is_worth_distributing
from .operations import combine, compute
from .state import Parts, State, VectorLoop
from .storage import storage
from .strip_mining import emit_strip_mined
from .vectorization import (
    LIGHT,
    MODERATE,
    SCALAR,
    VectorShape,
    is_update,
    short_shape,
    transposed_width,
    vector_shape_of,
    weight_of,
    wider,
)

# Hardware prefetchers of many processors stop at the end of each page, where four rows then wait at once.
_STREAMS = 4  # loads that are prefetched by software; one stream alone is read faster without
_AHEAD = 1 << 10  # bytes
_MOST_AHEAD = 1 << 13  # bytes of a row that the first-level cache holds beside the one before and its results

Accumulators = list[tuple[Parts, ...]]  # for each reduction its parts in every copy


class LoopEmitter:
    """Writes the statements of a kernel.

    Args:
        state: The state at the point where code is written.
        vector_bits: Width of the machine's vectors.
        has_locals: Whether the kernel has scratch memory.
        granule: Chunks of the outermost loop, if it is a lanes loop, begin at multiples of this.
        is_short: Whether the code is to compile fast: loops are not unrolled, as far as that changes no sums.
    """

    def __init__(
        self, state: State, vector_bits: int, has_locals: bool, granule: int = 1, is_short: bool = False
    ) -> None:
        self.state = state
        self.vector_bits = vector_bits
        self.has_locals = has_locals
        self.granule = granule
        self.is_short = is_short
        self._passes: Counter[int] = Counter()  # vectorized loops that have read each parameter

    def statement(self, statement: Statement) -> None:
        """Writes one statement."""
        state = self.state
        if isinstance(statement, Loop):
            self.inner(statement)
        elif isinstance(statement, Load):
            memory.load(state, statement)
        elif isinstance(statement, Store):
            memory.store(state, statement)
        elif isinstance(statement, Compute):
            self.compute(statement)
        elif isinstance(statement, (IndexValue, Inside)):
            self.index_value(statement)
        else:
            raise OlympusInternalError("constants are hoisted before statements are written")

    def compute(self, statement: Compute) -> None:
        """Writes an operation, as a scalar if its operands are the same in all lanes."""
        state, types = self.state, [s.dtype for s in statement.operands]
        varied = any(state.is_varied(s) for s in statement.operands)
        divided = quotients(state, statement)
        if divided is not None:
            state.values[id(statement.results[0])] = tuple(divided)
            return
        copies = []
        for copy in range(state.shape.copies if varied else 1):
            operands = [state.vector(s, copy) if varied else state.scalar(s) for s in statement.operands]
            copies.append(compute(state.builder, statement.record.name, operands, types,
                                  [s.dtype for s in statement.results], statement.attributes))
        for i, result in enumerate(statement.results):
            state.values[id(result)] = tuple(copy[i] for copy in copies)

    def index_value(self, statement: IndexValue | Inside) -> None:
        """Writes the value of an index expression, or whether it is within bounds."""
        state, result, affine = self.state, statement.result, statement.of
        varied = state.varies(affine)
        values = []
        for copy in range(state.shape.copies if varied else 1):
            element = "i32" if state.fits_word(affine) else "i64"
            if varied:
                number = memory.lane_values(state, affine, copy, element)
            else:
                number = state.offset(affine)
                number = state.builder.trunc_int(number, element) if element == "i32" else number
            values.append(self._converted_index(number, statement))
        state.values[id(result)] = tuple(values)

    def _converted_index(self, number: Ir, statement: IndexValue | Inside) -> Parts:
        b = self.state.builder
        if isinstance(statement, Inside):
            low, high = statement.low, statement.high
            if number.element == "i32" and not -(1 << 31) <= low <= high - 1 < 1 << 31:
                number = b.sext(number, "i64")
            low_here = b.constant(low, number.element, number.lanes)
            last = b.constant(high - 1, number.element, number.lanes)
            return (b.and_(b.icmp("sge", number, low_here), b.icmp("sle", number, last)),)
        source = dtypes.int32 if number.element == "i32" else dtypes.int64
        return compute(b, "convert", [(number,)], [source], [statement.result.dtype], {})[0]

    def outermost(self, loop: Loop, low: Ir, high: Ir) -> None:
        """Writes the iterations from low to high of the outermost loop."""
        self.loop(loop, low, self.limit(loop, high), exact=False)

    def inner(self, loop: Loop) -> None:
        """Writes a loop inside another."""
        high = self.state.number(loop.extent)
        self.loop(loop, self.state.number(0), self.limit(loop, high), exact=loop.until is None)

    def loop(self, loop: Loop, low: Ir, high: Ir, exact: bool) -> None:
        """Writes a loop.

        Args:
            loop: The loop.
            low: Its first iteration.
            high: The end of its iterations.
            exact: Whether it runs from zero to its extent.
        """
        state = self.state
        if state.vector_loop is None and (loop.kind == "lanes" or (state.indices and is_update(loop))):
            local = self.has_locals and not state.indices
            shape = vector_shape_of(loop, self.vector_bits, exact, local)
            if self.is_short and not loop.reductions:
                shape = short_shape(shape, loop, self.vector_bits)
            if shape.width > 1:
                self.vectorized(loop, low, high, exact, shape)
                return
        width = transposed_width(loop, self.vector_bits) if state.vector_loop is None else 0
        width = square_of(width, self.is_short)
        if width:
            self.transposed_nest(loop, low, high, width)
            return
        state.prepare(loop, 1 if state.vector_loop is None else state.shape.width)
        starts = [*(r.initial for r in loop.reductions), *(r.initial for r in loop.recurrences)]
        carried = [self.carried(s) for s in starts]
        results = self.counted_loop(loop, low, high, 1, carried)
        for scalar, value in zip([*(r.result for r in loop.reductions), *(r.result for r in loop.recurrences)],
                                 results, strict=True):
            state.values[id(scalar)] = value

    def limit(self, loop: Loop, high: Ir) -> Ir:
        """The end of a loop's iterations, with regard to its limit."""
        if loop.until is None:
            return high
        b, state = self.state.builder, self.state
        affine, limit = loop.until
        stride = affine.stride(loop.index)
        rest = Affine(affine.constant, tuple(t for t in affine.terms if t[0] is not loop.index))
        left = b.sub(state.number(limit + stride - 1), state.offset(rest))
        left = left if stride == 1 else b.sdiv(left, state.number(stride))
        return b.select(b.icmp("slt", left, high), left, high)

    def carried(self, scalar: Scalar) -> tuple[Parts, ...]:
        """A loop-carried value: in vector code a vector for each copy."""
        state = self.state
        if state.shape.width == 1:
            return (state.scalar(scalar),)
        return tuple(state.vector(scalar, copy) for copy in range(state.shape.copies))

    def counted_loop(
        self, loop: Loop, low: Ir, high: Ir, step: int, carried: Sequence[tuple[Parts, ...]]
    ) -> list[tuple[Parts, ...]]:
        """Writes a loop of the generated code; gives the loop-carried values at its end."""
        state, b = self.state, self.state.builder
        known = state.known
        if low.is_constant and high.is_constant and int(high.name) - int(low.name) <= step:
            if int(high.name) <= int(low.name):
                return list(carried)
            state.known = dict(known)
            following = self.iterate(loop, low, carried)
            state.known = known
            del state.indices[loop.index]
            return following
        flat = [part for copies in carried for parts in copies for part in parts]
        with b.for_loop(low, high, state.number(step), flat) as iteration:
            state.known = dict(known)
            inside = _unflatten(iteration.carried, carried)
            following = self.iterate(loop, iteration.index, inside)
            iteration.next([part for copies in following for parts in copies for part in parts])
        state.known = known
        del state.indices[loop.index]
        return _unflatten(iteration.results, carried)

    def iterate(self, loop: Loop, index: Ir, inside: Sequence[tuple[Parts, ...]]) -> list[tuple[Parts, ...]]:
        """Writes the statements of one iteration; gives the loop-carried values of the next."""
        state = self.state
        state.indices[loop.index] = index
        count = len(loop.reductions)
        for recurrence, value in zip(loop.recurrences, inside[count:], strict=False):
            state.values[id(recurrence.inside)] = value
        for statement in loop.body:
            self.statement(statement)
        for access, distance in self._prefetched(loop):
            memory.prefetch(state, access, distance)
        totals = [self.accumulated(r, value) for r, value in zip(loop.reductions, inside[:count], strict=True)]
        return totals + [self.carried(r.following) for r in loop.recurrences]

    def _prefetched(self, loop: Loop) -> list[tuple[Load, int]]:
        """The loads of a vectorized loop whose lines are prefetched, with the iterations until they are read."""
        state = self.state
        if state.vector_loop is None or state.vector_loop.index is not loop.index or len(state.indices) < 2:
            return []
        found = [s for s in loop.body if isinstance(s, Load) and memory.is_far(state, s)]
        if loop.reductions and len(found) >= _STREAMS:
            return [(s, _AHEAD // s.parameter.dtype.itemsize) for s in found]
        row, *inner = state.indices
        if len(inner) > 1:
            return []
        # The second loop over a row finds it in the cache, and leaves memory to the next row.
        return [(s, s.at.stride(row)) for s in found if self._passes[id(s.parameter)] == 1
                and 0 < s.at.stride(row) * s.parameter.dtype.itemsize <= _MOST_AHEAD]

    def accumulated(self, reduction: Reduction, totals: tuple[Parts, ...]) -> tuple[Parts, ...]:
        """The accumulators with the contribution of this iteration."""
        b, dtype = self.state.builder, reduction.contribution.dtype
        terms = self.carried(reduction.contribution)
        return tuple(combine(b, reduction.operation, dtype, total, term)
                     for total, term in zip(totals, terms, strict=True))

    def vectorized(self, loop: Loop, low: Ir, high: Ir, exact: bool, shape: VectorShape) -> None:
        """Writes a vectorized loop: a main loop of several vectors, one of single vectors, a scalar remainder."""
        state = self.state
        count = loop.extent if exact else None
        totals = self.identities(loop, shape)
        known = state.known
        start = low
        # The number of iterations is a multiple of this: no code is written for a remainder that cannot occur.
        outermost = not state.indices and loop.until is None
        multiple = math.gcd(self.granule, loop.extent) if outermost else 1
        if state.indices:
            multiple = _divisor_of_iterations(loop)
        aligned = outermost and self.granule % shape.width == 0
        # Write-combining buffers are flushed half-full between long computations: those store in a separate loop.
        state.may_stream = aligned and weight_of(loop) <= LIGHT
        state.interleaved = interleave_groups(loop)
        for part in _stages(shape, count, multiple):
            totals = self.combined_copies(loop, totals, part.copies)
            run = wider(part, loop, self.vector_bits)
            totals = [self.regrouped(total, part.width, run.width) for total in totals]
            state.vector_loop = VectorLoop(loop.index, run)
            state.known = dict(known)
            if count is None:
                end = self.end_of_whole_steps(start, high, part.step)
            else:  # a single iteration without a loop may process any number of vectors
                done = int(start.name)
                end = state.number(done + (count - done) // part.step * part.step)
            state.prepare(loop, run.width)
            prepare_quotients(state, loop)
            stages: Sequence[Stage] = ()
            if outermost and part.copies == 1 and is_worth_distributing(loop) and not loop.reductions:
                large = aligned and any(memory.is_large(s) for s in loop.body)
                stages = distribute(loop, large and weight_of(loop) <= MODERATE)
            if stages:
                emit_strip_mined(self, loop, start, end, stages, aligned)
            else:
                totals = self.counted_loop(loop, start, end, part.step, totals)
            totals = [self.regrouped(total, run.width, part.width) for total in totals]
            start = end
        state.may_stream = False
        self._passes.update({id(s.parameter) for s in loop.body if isinstance(s, Load)})
        totals = self.combined_copies(loop, totals, 1)
        if count is not None and count % shape.width and _is_light(loop) and (not self.is_short or loop.reductions):
            self.remainder_by_halving(loop, count, shape.width, totals)
            return
        state.known, state.vector_loop = known, None
        carried = [self.reduced_lanes(r, total[0]) for r, total in zip(loop.reductions, totals, strict=True)]
        if (multiple if count is None else count) % shape.width:
            state.vector_loop = VectorLoop(loop.index, SCALAR)
            state.prepare(loop, 1)
            carried = self.counted_loop(loop, start, high, 1, carried)
            state.vector_loop, state.known = None, known
        self.finish(loop, carried)

    def for_function(self, state: State) -> LoopEmitter:
        """An emitter like this one for another function."""
        return LoopEmitter(state, self.vector_bits, self.has_locals, self.granule, self.is_short)

    def finish(self, loop: Loop, carried: Sequence[tuple[Parts, ...]]) -> None:
        """Records the results of a vectorized loop's reductions."""
        for reduction, value in zip(loop.reductions, carried, strict=True):
            self.state.values[id(reduction.result)] = value

    def remainder_by_halving(self, loop: Loop, count: int, width: int, totals: Accumulators) -> None:
        """Writes the remainder by one vector of half the width, then of a quarter, and so on."""
        state, known = self.state, self.state.known
        start = count - count % width
        while width > 1:
            width //= 2
            totals = [(self.halved(r, total[0]),) for r, total in zip(loop.reductions, totals, strict=True)]
            if start + width <= count:
                state.vector_loop, state.known = VectorLoop(loop.index, VectorShape(width, 1)), dict(known)
                state.prepare(loop, width)
                totals = self.counted_loop(loop, state.number(start), state.number(start + width), width, totals)
                start += width
        state.vector_loop, state.known = None, known
        self.finish(loop, [self.with_initial(r, total[0]) for r, total in zip(loop.reductions, totals, strict=True)])

    def transposed_nest(self, loop: Loop, low: Ir, high: Ir, width: int) -> None:
        """Writes a serial loop around a lanes loop that reads transposed, tile by tile, then the remainder."""
        state, b = self.state, self.state.builder
        (inner,) = (s for s in loop.body if isinstance(s, Loop))
        for statement in loop.body[:-1]:  # the same in all iterations
            self.statement(statement)
        known, last = state.known, self.limit(inner, state.number(inner.extent))
        lanes_end = self.end_of_whole_steps(state.number(0), last, width)
        serial_end = self.end_of_whole_steps(low, high, width)
        state.vector_loop = VectorLoop(inner.index, VectorShape(width, width), loop.index)
        state.prepare(inner, width)
        with b.for_loop(state.number(0), lanes_end, width) as outer:
            state.known = dict(state.known)
            state.indices[inner.index] = outer.index
            state.prepare(inner, width)
            with b.for_loop(low, serial_end, width) as iteration:
                state.known = dict(state.known)
                state.indices[loop.index] = iteration.index
                for statement in inner.body:
                    self.statement(statement)
        del state.indices[inner.index], state.indices[loop.index]
        state.known, state.vector_loop = dict(known), None
        if lanes_end.name == last.name and serial_end.name == high.name:
            return
        state.prepare(loop, 1)
        with b.for_loop(low, high) as iteration:
            state.known = dict(state.known)
            state.indices[loop.index] = iteration.index
            first = b.select(b.icmp("slt", iteration.index, serial_end), lanes_end, state.number(0))
            self.loop(inner, first, last, exact=False)
        del state.indices[loop.index]
        state.known = known

    def end_of_whole_steps(self, low: Ir, high: Ir, step: int) -> Ir:
        """The end of the whole steps, a power of two, between two numbers."""
        b, state = self.state.builder, self.state
        if low.is_constant and high.is_constant:
            return state.number(int(low.name) + max(0, int(high.name) - int(low.name)) // step * step)
        span = b.sub(high, low)
        span = b.select(b.icmp("sgt", span, state.number(0)), span, state.number(0))
        return b.add(low, b.and_(span, state.number(-step)))

    def identities(self, loop: Loop, shape: VectorShape) -> Accumulators:
        """Accumulators with the reductions' identities, one for each copy."""
        state = self.state
        totals: Accumulators = []
        for reduction in loop.reductions:
            dtype = reduction.contribution.dtype
            value = state.constant(OPERATIONS[reduction.operation].neutral(dtype)[()], storage(dtype), shape.width)
            totals.append((value,) * shape.copies)
        return totals

    def combined_copies(self, loop: Loop, totals: Sequence[tuple[Parts, ...]], copies: int) -> Accumulators:
        """Accumulators combined pairwise to fewer copies (pairwise summation)."""
        b, results = self.state.builder, []
        for reduction, total in zip(loop.reductions, totals, strict=True):
            dtype, here = reduction.contribution.dtype, list(total)
            while len(here) > copies:
                half = (len(here) + 1) // 2
                pairs = [combine(b, reduction.operation, dtype, x, y) for x, y in zip(here, here[half:], strict=False)]
                here = pairs + here[len(pairs):half]
            results.append(tuple(here))
        return results

    def regrouped(self, total: tuple[Parts, ...], width: int, wanted: int) -> tuple[Parts, ...]:
        """The same elements in vectors of another width: neighbouring copies are joined, or each is cut in two."""
        b = self.state.builder
        while width < wanted:
            pairs = zip(total[::2], total[1::2], strict=True)
            width *= 2
            total = tuple(tuple(b.shuffle(x, range(width), y) for x, y in zip(*pair, strict=True)) for pair in pairs)
        while width > wanted:
            width //= 2
            halves = (range(width), range(width, 2 * width))
            total = tuple(tuple(b.shuffle(part, half) for part in parts) for parts in total for half in halves)
        return total

    def reduced_lanes(self, reduction: Reduction, total: Parts) -> tuple[Parts, ...]:
        """The horizontal reduction of a vector accumulator, with the initial value, as a scalar."""
        while total[0].lanes > 1:
            total = self.halved(reduction, total)
        return self.with_initial(reduction, total)

    def halved(self, reduction: Reduction, total: Parts) -> Parts:
        """An accumulator of half the lanes: neighbours are combined, so that short rows are summed pairwise."""
        b, lanes = self.state.builder, total[0].lanes
        even = tuple(b.shuffle(part, range(0, lanes, 2)) for part in total)
        odd = tuple(b.shuffle(part, range(1, lanes, 2)) for part in total)
        return combine(b, reduction.operation, reduction.contribution.dtype, even, odd)

    def with_initial(self, reduction: Reduction, total: Parts) -> tuple[Parts, ...]:
        """A scalar accumulator combined with the reduction's initial value."""
        initial, dtype = self.state.scalar(reduction.initial), reduction.contribution.dtype
        return (combine(self.state.builder, reduction.operation, dtype, initial, total),)


def _divisor_of_iterations(loop: Loop) -> int:
    """A number that divides the number of iterations of an inner loop, wherever its limit ends it."""
    if loop.until is None:
        return loop.extent
    affine, limit = loop.until
    if affine.stride(loop.index) != 1:
        return 1
    others = (stride for index, stride in affine.terms if index is not loop.index)
    return math.gcd(loop.extent, limit - affine.constant, *others)


def _is_light(loop: Loop) -> bool:
    """Whether the body is cheap enough to be written several times."""
    return weight_of(loop) <= 14 and not any(isinstance(s, Loop) for s in loop.body)


def _stages(shape: VectorShape, count: int | None, multiple: int) -> list[VectorShape]:
    """The vectorizations of the main loop and of the loop over single vectors, if there is one."""
    single = VectorShape(shape.width, 1)
    if shape.copies == 1:
        return [shape]
    if count % shape.step < shape.width if count is not None else multiple % shape.step == 0:
        return [shape]
    return [shape, single]


def _unflatten(flat: Sequence[Ir], like: Sequence[tuple[Parts, ...]]) -> list[tuple[Parts, ...]]:
    remaining = iter(flat)
    return [tuple(tuple(next(remaining) for _ in parts) for parts in copies) for copies in like]
