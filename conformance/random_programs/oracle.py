# SPDX-License-Identifier: Apache-2.0
"""What a program may give: the reference's results, and how far they move when inexact operations err.

Programs of many operations have no bound that could be written down: an error of one digit in a sine grows in a
difference, and flips a comparison. So the reference runs several times, each time with errors put into the results
of the operations that may have any, as large as they may be; what its results then do, compiled results may do too.
Operations that have one right result get no errors, and a program of them has to be met bit for bit.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import Attributes, Operation, OperationRecord, Program, run_members

from ..tolerances import complex_condition, is_inexact, sizes_along, widened
from .case import Columns

Arrays = Sequence[np.ndarray]

LARGEST = 1e307  # a complex number of twice the size and a little more has a size still
COMPLEX_ULPS = 5.0  # of complex results that are neither infinite nor nearly so, as platforms compute them
ORDERED = frozenset({"sort", "top_k"})


class Errors:
    """Puts errors into results.

    Args:
        seed: Of the errors.
        sign: The direction of all of them; 0 for a random one each.
    """

    def __init__(self, seed: int, sign: int = 0) -> None:
        self.source, self.sign = np.random.default_rng(seed), sign
        self.is_open = False  # whether something may be anything

    def signs(self, shape: tuple[int, ...]) -> np.ndarray:
        """Directions."""
        return np.full(shape, float(self.sign)) if self.sign else self.source.choice([-1.0, 1.0], shape)

    def last_digits(self, y: np.ndarray, size: float | np.ndarray) -> np.ndarray:
        """Results off by units of the last digit."""
        if dtypes.is_complex(y.dtype):
            part = dtypes.real_part(y.dtype)
            by = 2 * size * np.abs(y).astype(np.float64) * float(_info(part).eps)
            # What the reference itself loses near one, where its parts are not computed apart.
            by = by + 4 * np.finfo(np.float64).eps
            return self.unsettled(self.moved(y, by), ~np.isfinite(y))
        if not self.sign:  # the neighbour is met with wide bounds, too: of the least number it is zero
            size = np.where(self.source.random(y.shape) < 0.4, 1.0, size)
        moved = self.moved(y, _spacing(y) * (1.0 if y.dtype.itemsize < 4 else size))
        # Where a function is zero it mostly is so exactly, and what asks whether it is goes one way or the other.
        return moved if self.sign else np.where(y == 0, y, moved)

    def moved(self, y: np.ndarray, by: np.ndarray) -> np.ndarray:
        """Results off by an amount; complex ones in both parts."""
        if dtypes.is_complex(y.dtype):
            out = np.empty(y.shape, y.dtype)
            part = dtypes.real_part(y.dtype)
            out.real, out.imag = (self.moved(np.asarray(v, part), by) for v in (y.real, y.imag))
            return out
        wide = y.astype(np.float64)
        # In wholes and parts of the amount: the neighbour and what lies farthest away are both met.
        share = 1.0 if self.sign else self.source.choice([0.2, 0.4, 0.6, 1.0], y.shape)
        return np.where(np.isfinite(wide), wide + by * share * self.signs(y.shape), wide).astype(y.dtype)

    def zeros(self, y: np.ndarray) -> np.ndarray:
        """Zeros of either sign."""
        if dtypes.is_complex(y.dtype):
            out = np.empty(y.shape, y.dtype)
            out.real, out.imag = (self.zeros(np.ascontiguousarray(v)) for v in (y.real, y.imag))
            return out
        return np.where(y == 0, (self.signs(y.shape) * 0.0).astype(y.dtype), y) if dtypes.is_float(y.dtype) else y

    def bits(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The bits of what is no number are left open."""
        if not dtypes.is_float(x.dtype) or not dtypes.is_integer(y.dtype):
            return y
        open_ = np.frombuffer(self.source.bytes(y.nbytes), y.dtype).reshape(y.shape)
        return np.where(np.isnan(x.astype(np.float64)), open_, y)

    def summed(self, reference: Callable[..., Arrays], values: Arrays, attributes: Attributes, y: np.ndarray,
               is_product: bool) -> np.ndarray:
        """Results of sums of floats: those of wider numbers, off by a share of all that was added."""
        if not (dtypes.is_float(y.dtype) or dtypes.is_complex(y.dtype)):
            return y
        if "dtype" in attributes:
            attributes = {**attributes, "dtype": None}
        is_complex = dtypes.is_complex(y.dtype)
        working = dtypes.real_part(y.dtype) if is_complex else np.promote_types(y.dtype, np.float32)
        info = np.finfo(working)
        wide = [widened(v) for v in values]
        (exact,) = reference(wide, attributes)
        count = max(v.size for v in values) / max(y.size, 1) + 1
        if is_product:
            # What passes the range on the way, in whatever order, may end anywhere.
            logs = [np.log2(np.where(v == 0, 1.0, np.abs(v))) for v in wide]
            name = "cumsum" if "reverse" in attributes else "reduce_sum"
            from olympus_core.ops import OPERATIONS

            add: Any = OPERATIONS[name].reference
            up, down = (add([s * np.maximum(s * v, 0.0) for v in logs], attributes)[0] for s in (1.0, -1.0))
            open_ = (up > info.maxexp - 2) | (down < info.minexp + 2) | np.isnan(up) | np.isnan(down)
            scale = np.abs(exact) * (2 if is_complex else 1)
        else:
            finite = [np.where(np.isfinite(v), np.abs(v), 0.0) if is_inexact(v) else v for v in wide]
            (scale,) = reference(finite, attributes)
            scale = np.abs(scale)
            open_ = scale > float(info.max) / 2
        if is_complex:
            open_ = open_ | ~np.isfinite(exact)
        by = np.where(np.isfinite(scale), scale, 0.0) * float(info.eps) * (4 + np.sqrt(count))
        # Of a product of so many denormal numbers the last digit alone is sure.
        by = by + float(info.smallest_subnormal) * (count if "reduction" not in attributes else 1)
        by = np.where(scale == 0, 0.0, by)
        result = self.moved(np.asarray(exact).astype(y.dtype), by)
        if y.dtype.itemsize < 4:
            result = self.moved(result, _spacing(result))
        return self.unsettled(self.zeros(result), open_)

    def transformed(self, x: np.ndarray, y: np.ndarray, attributes: Attributes, figure: float) -> np.ndarray:
        """Results of a Fourier transform: off by a share of the sizes of the line's elements."""
        sizes, info = sizes_along(x, attributes), np.finfo(dtypes.real_part(y.dtype))
        finite = np.isfinite(x).all(attributes["dimension"], keepdims=True)
        open_ = np.broadcast_to(~finite | (sizes * max(1, attributes["length"]) > float(info.max) / 4), y.shape)
        by = np.where(np.isfinite(sizes), sizes, 0.0) * float(info.eps) * figure
        # Denormal numbers have no smaller parts, and each step may round one.
        steps = figure * np.log2(attributes["length"] + 1)
        by = np.where(sizes == 0, 0.0, by + float(info.smallest_subnormal) * steps)
        return self.unsettled(self.zeros(self.moved(y, by)), open_)

    def factored(self, y: np.ndarray, record: OperationRecord) -> np.ndarray:
        """Results for matrices far from singular: off by a share of each one's largest element."""
        if not y.size:
            return y
        info = np.finfo(dtypes.real_part(y.dtype))
        largest = np.abs(y).astype(np.float64).max(tuple(range(-min(y.ndim, 2), 0)), keepdims=True)
        # Denormal numbers have no smaller parts.
        by = np.maximum(largest * float(info.eps), float(info.smallest_subnormal)) * record.exactness.ulps(y.dtype)
        return self.zeros(self.moved(y, by))

    def unsettled(self, y: np.ndarray, where: np.ndarray) -> np.ndarray:
        """What may be anything: no number in some runs, one or zero in others; in an order the last, and the first."""
        self.is_open = self.is_open or bool(where.any())
        some = np.where(self.source.random(y.shape) < 0.5, 0.0, 1.0) if not self.sign else np.full(y.shape, -np.inf)
        number = some.astype(y.dtype)
        if dtypes.is_complex(y.dtype):
            number.imag = some
        return np.where(where & (self.signs(y.shape) > 0), _no_number(y.dtype), np.where(where, number, y))


def _info(dtype: np.dtype) -> Any:
    return ml_dtypes.finfo(dtype)


def _no_number(dtype: np.dtype) -> np.ndarray:
    return np.array(complex(np.nan, np.nan) if dtypes.is_complex(dtype) else np.nan).astype(dtype)


def _spacing(y: np.ndarray) -> np.ndarray:
    """The distance to the next number, in float64."""
    info = _info(y.dtype)
    wide = np.abs(y.astype(np.float64))
    _, exponent = np.frexp(np.where(np.isfinite(wide), wide, 0.0))
    return np.ldexp(1.0, np.maximum(exponent - 1, int(info.minexp)) - int(info.nmant))


def erring(program: Program, errors: Errors) -> Program:
    """The program with errors put into its operations' results, those of regions included."""
    known: dict[OperationRecord, OperationRecord] = {}

    def record_of(record: OperationRecord) -> OperationRecord:
        if record not in known:
            known[record] = _erring_record(record, errors)
        return known[record]

    def copied(inner: Program) -> Program:
        operations = tuple(
            Operation(record_of(o.record), o.operands, o.attributes, tuple(map(copied, o.regions)), o.results)
            for o in inner.operations
        )
        return Program(inner.name, inner.inputs, operations, inner.outputs)

    return copied(program)


def _erring_record(record: OperationRecord, errors: Errors) -> OperationRecord:
    exactness, reference, together = record.exactness, record.reference, record.group_reference
    if reference is not None:
        plain = reference

        def run(values: Arrays, attributes: Attributes) -> Arrays:
            results = list(plain(values, attributes))
            y = np.asarray(results[0])
            with np.errstate(all="ignore"):
                if not y.size:
                    return results
                if record is ops.scatter:
                    y = _scattered(errors, plain, values, attributes, y)
                elif exactness.kind in ("sum", "product"):
                    y = errors.summed(plain, values, attributes, y, exactness.kind == "product")
                elif exactness.kind == "transform":
                    y = errors.transformed(values[0], y, attributes, exactness.ulps(y.dtype))
                elif exactness.kind == "matrix":
                    return [errors.factored(v, record) if is_inexact(v) else v for v in map(np.asarray, results)]
                elif record is ops.bitcast_convert:
                    y = errors.bits(values[0], y)
                elif exactness.kind == "function" and dtypes.is_float(y.dtype):
                    y = errors.last_digits(y, exactness.ulps(y.dtype))
                    if exactness.reference_sizes is not None:
                        low, high = exactness.reference_sizes
                        # Such a reference has 14 digits.
                        y = errors.moved(y, 5e-15 * (1 + np.abs(y.astype(np.float64))))
                        sizes = [np.abs(v.astype(np.float64)) for v in values]
                        y = errors.unsettled(y, np.logical_or.reduce([(s < low) | (s > high) for s in sizes]))
                elif exactness.complex is not None and any(dtypes.is_complex(v.dtype) for v in values):
                    wide = [v.astype(np.complex128) for v in values]
                    condition = complex_condition(record.name, wide, np.abs(y).astype(np.float64))
                    y = errors.zeros(errors.last_digits(y, COMPLEX_ULPS * condition))
                    # What is infinite, or whose size is, has no arithmetic of parts that all agree on.
                    y = errors.unsettled(y, ~np.logical_and.reduce([np.abs(v) < LARGEST for v in values]))
                elif not exactness.signed_zero:
                    y = errors.zeros(y)
                elif record.name in ORDERED and errors.is_open and errors.sign > 0:
                    return _anywhere(values, attributes["dimension"], results)
            return [y, *results[1:]]

        return dataclasses.replace(record, reference=run)
    if together is not None and exactness.kind == "sum":
        gathered = together

        def run_group(values: Arrays, attributes: Attributes) -> Arrays:
            found = []
            scales = gathered([np.abs(widened(v)) for v in values], {**attributes, "reduction": "sum"}) if is_inexact(
                values[0]) and attributes["reduction"] == "sum" else None
            with np.errstate(all="ignore"):
                for i, y in enumerate(gathered(values, attributes)):
                    y = np.asarray(y)
                    if scales is not None:
                        eps = float(_info(dtypes.real_part(y.dtype)).eps)
                        y = errors.moved(y, np.nan_to_num(scales[i]) * eps)
                    found.append(errors.zeros(y))
            return found

        return dataclasses.replace(record, group_reference=run_group)
    return record


def _anywhere(values: Arrays, dimension: int, results: Arrays) -> Arrays:
    """Ordered results: where what may be anything was among what was ordered, it may have come to any place."""
    open_ = np.zeros((), bool)
    for x in values:
        if is_inexact(x):
            is_nan = np.isnan(x if dtypes.is_complex(x.dtype) else x.astype(np.float64))
            open_ = open_ | is_nan.any(dimension, keepdims=True)
    return [np.where(open_, _no_number(y.dtype) if is_inexact(y) else ~y, y) for y in map(np.asarray, results)]


def _scattered(errors: Errors, reference: Callable[..., Arrays], values: Arrays, attributes: Attributes,
               y: np.ndarray) -> np.ndarray:
    combine = attributes["combine"]
    if combine == "set" or not is_inexact(y):
        return y
    if combine in ("min", "max"):
        return errors.zeros(y)
    if combine == "add":
        x, indices, updates = values
        return errors.summed(lambda v, a: reference([v[0], indices, v[1]], a), [x, updates], attributes, y, False)
    finite = np.isfinite(y) & (np.abs(y) > 1e-30) & (np.abs(y) < 1e30)
    return errors.unsettled(errors.last_digits(y, 20.0), ~finite)


class Expected:
    """What a program's results may be.

    Args:
        program: The program of one device.
        inputs: For each input, for each device, the array.
        count: Number of devices.
        runs: How often the reference runs with errors.
    """

    def __init__(self, program: Program, inputs: Columns, count: int, runs: int = 5) -> None:
        self.program, self.inputs, self.positions = program, inputs, tuple(range(count))
        with np.errstate(all="ignore"):
            self.reference: Columns = run_members(program, inputs, self.positions)
        self.others: list[Columns] = []
        self.more(runs)

    def more(self, runs: int) -> None:
        """Runs the reference more often."""
        for _ in range(runs):
            number = len(self.others)
            errors = Errors(number, {0: 1, 1: -1}.get(number, 0))
            with np.errstate(all="ignore"):
                self.others.append(run_members(erring(self.program, errors), self.inputs, self.positions))

    def problem(self, found: Columns) -> tuple[int, str] | None:
        """The first output that is not what it may be, and how; None where all are well."""
        for output, column in enumerate(found):
            for device, array in enumerate(column):
                others = [run[output][device] for run in self.others]
                text = difference(array, self.reference[output][device], others)
                if text is not None:
                    return output, f"output {output} on device {device}: {text}"
        return None


def difference(found: np.ndarray, wanted: np.ndarray, others: Sequence[np.ndarray] = ()) -> str | None:
    """How an array differs from what is wanted; None where it does not.

    Args:
        found: What there is.
        wanted: What should be.
        others: What may be as well; elements between all of them are right, and a few times further.
    """
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"{found.dtype}{list(found.shape)} instead of {wanted.dtype}{list(wanted.shape)}"
    with np.errstate(all="ignore"):
        if dtypes.is_complex(wanted.dtype):
            parts = [(np.real, "real part"), (np.imag, "imaginary part")]
            for part, name in parts:
                wrong = _wrong(part(found), part(wanted), [part(v) for v in others])
                if wrong.any():
                    return _described(found, wanted, wrong, f" ({name})")
            return None
        wrong = _wrong(found, wanted, others)
        return _described(found, wanted, wrong, "") if wrong.any() else None


def _wrong(found: np.ndarray, wanted: np.ndarray, others: Sequence[np.ndarray]) -> np.ndarray:
    if not dtypes.is_float(wanted.dtype):
        same = np.ones(wanted.shape, bool)
        for v in others:
            same &= v == wanted
        return same & (found != wanted)
    x, y, runs = found.astype(np.float64), wanted.astype(np.float64), [v.astype(np.float64) for v in others]
    number = np.isfinite(y)
    sure, spread, signed = np.ones(y.shape, bool), np.zeros(y.shape), np.ones(y.shape, bool)
    for v in runs:
        sure &= np.where(number, np.isfinite(v), (v == y) | (np.isnan(v) & np.isnan(y)))
        spread = np.maximum(spread, np.where(np.isfinite(v) & number, np.abs(v - y), 0.0))
        signed &= np.signbit(v) == np.signbit(y)
    right = np.where(number, np.abs(x - y) <= 4 * spread, (x == y) | (np.isnan(x) & np.isnan(y)))
    zero = number & (x == 0) & (y == 0) & signed & (np.signbit(x) != np.signbit(y))
    return sure & (~right | zero)


def _described(found: np.ndarray, wanted: np.ndarray, wrong: np.ndarray, what: str) -> str:
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (f"{int(wrong.sum())} of {wrong.size} elements are wrong{what}; at {list(place)} it is {found[place]!r}, "
            f"not {wanted[place]!r}")
