# SPDX-License-Identifier: Apache-2.0
"""Holding results of instances against the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import ml_dtypes
import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program.exactness import PRODUCT

from ..checks import require, require_elements
from ..tolerances import allowed_error, complex_condition, is_inexact, sizes_along, unit, widened
from . import linear_algebra
from .complex_specials import SPECIALS, SpecialValues
from .instance import Instance
from .operands import operands_of

# Float types whose denormal numbers hardware may take for zero; in narrower ones they are numbers as any other.
_FLUSHABLE = frozenset({dtypes.bfloat16, dtypes.float32, dtypes.float64})
# Complex numbers of such sizes can be multiplied and divided without leaving the range on the way.
_CALM_EXPONENT = {dtypes.complex64: 60, dtypes.complex128: 500}


@dataclass(frozen=True, slots=True)
class Expected:
    """What a result has to be.

    Args:
        value: The right one, exact or in a wider type.
        error: How far off each element may be; both parts of complex ones.
        words: How near that is, in words.
        open: Elements that may be anything.
        signed: Whether the sign of a zero counts.
        specials: What is fixed of some elements, to which nothing of the above applies.
    """

    value: np.ndarray
    error: np.ndarray | float = 0.0
    words: str = "the same bits"
    open: np.ndarray | bool = False
    signed: bool = True
    specials: SpecialValues | None = None


def require_results(instance: Instance, observed: Sequence[np.ndarray], program: str, may_flush: bool = True) -> None:
    """Fails unless the results are those of the reference, within the operation's tolerance.

    Args:
        instance: What was run.
        observed: What the platform gave.
        program: The text of the program that was run.
        may_flush: Whether a denormal result may be zero; where elements are only moved it never may.
    """
    may_flush = may_flush and instance.record.category not in ("structure", "indexing")
    types = instance.result_types()
    with np.errstate(all="ignore"):
        if instance.record.exactness.kind == "matrix":
            references = instance.reference()
            observed = linear_algebra.aligned(instance, observed, references)
            wanted = [_expected_matrix(instance, y) for y in references]
        else:
            wanted = [expected_sum(instance)] if _is_sum(instance) else [
                expected(instance, y) for y in instance.reference()]
        for place, (x, y) in enumerate(zip(observed, wanted, strict=True)):
            what = str(instance) if len(wanted) == 1 else f"result {place} of {instance}"
            require((x.shape, x.dtype) == (types[place].shape, types[place].dtype),
                    observed=f"{what} is {x.dtype}{list(x.shape)}", required=str(types[place]), program=program)
            bad = ~(_is_right(x, y, may_flush) | y.open)
            if y.specials is not None:
                bad = np.where(y.specials.known, ~y.specials.admit(x, _special_tolerance(instance)), bad)
            require_elements(bad, x, y.value, what, y.words, program, partial(operands_of, instance))


def expected(instance: Instance, y: np.ndarray) -> Expected:
    """What a result that is no sum has to be, given the reference's."""
    exactness = instance.record.exactness
    is_real = dtypes.is_float(y.dtype)
    signed = exactness.signed_zero
    if instance.record is ops.convert and (is_real or dtypes.is_complex(y.dtype)):
        return Expected(y, words="rounded to the nearest, ties to even, and once")
    if any(dtypes.is_complex(x.dtype) for x in instance.operands) and exactness.complex is not None:
        return _expected_complex(instance, y.dtype)
    if not is_real or exactness.kind != "function":
        return Expected(y, signed=signed)
    (wide,) = _reference(instance, [x.astype(np.float64) for x in instance.operands])
    figure = exactness.ulps(y.dtype)
    error = allowed_error(figure, y.dtype, wide, np.maximum(np.abs(wide), exactness.near))
    unknown: np.ndarray | bool = False
    if exactness.reference_sizes is not None and y.dtype == dtypes.float64:
        low, high = exactness.reference_sizes
        sizes = [np.abs(x) for x in instance.operands]
        unknown = np.logical_or.reduce([(s != 0) & np.isfinite(s) & ((s < low) | (s > high)) for s in sizes])
    return Expected(wide, error, _words(figure, y.dtype), unknown, signed=signed)


def _expected_matrix(instance: Instance, y: np.ndarray) -> Expected:
    """Some units of the greatest element of the operands and of the result."""
    if not is_inexact(y):
        return Expected(y)
    figure = instance.record.exactness.ulps(y.dtype, 1)
    sizes = [float(np.max(np.abs(x), initial=1.0)) for x in (y, *instance.operands[:1])]
    error = figure * float(np.finfo(dtypes.real_part(y.dtype)).eps) * max(sizes)
    return Expected(y, error, f"within {figure:g} units in the last place of the greatest element", signed=False)


def expected_sum(instance: Instance) -> Expected:
    """What sums and products of floats have to be."""
    record, attributes = instance.record, {**instance.attributes}
    dtype = instance.result_types()[0].dtype
    part = dtypes.real_part(dtype)
    if "dtype" in attributes:
        attributes["dtype"] = None
    wide = [widened(x) for x in instance.operands]
    (value,) = _reference(instance, wide, attributes)
    exactness = PRODUCT if attributes.get("combine") == "mul" else record.exactness
    if exactness.kind == "product":
        terms = float(max(x.size for x in instance.operands) / (value.size or 1) if record.category == "reduction"
                      else max(max(x.shape, default=1) for x in instance.operands))
        size = np.abs(value)
    elif exactness.kind == "transform":
        size, terms = np.broadcast_to(sizes_along(wide[0], attributes), value.shape), 1.0
    else:
        sizes = [np.where(np.isfinite(x), np.abs(x), 0.0) if is_inexact(x) else x for x in wide]
        (size,) = _reference(instance, sizes, attributes)
        (counts,) = _reference(instance, [np.ones(x.shape) if is_inexact(x) else x for x in wide], attributes)
        terms = float(np.max(counts, initial=1.0))
    figure = exactness.ulps(dtype, terms) * (2 if dtypes.is_complex(dtype) else 1)
    error = allowed_error(figure, part, np.abs(value), size)
    words = f"within {figure:g} units in the last place of the sum of sizes"
    if part.itemsize < 4:
        words = "summed in float32 and rounded once"
    return Expected(value, error, words, signed=False)


def _is_sum(instance: Instance) -> bool:
    """Whether the result is a sum or a product of many floats."""
    record = instance.record
    if not all(is_inexact(x) for x in instance.operands[:1]) or not instance.operands:
        return False
    if "combine" in instance.attributes:
        return instance.attributes["combine"] in ("add", "mul")
    return record.reference is not None and record.exactness.kind in ("sum", "product", "transform")


def _expected_complex(instance: Instance, dtype: np.dtype) -> Expected:
    name, exactness, operands = instance.record.name, instance.record.exactness, instance.operands
    wide = [x.astype(np.complex128) for x in operands]
    (value,) = _reference(instance, wide)
    part = dtypes.real_part(dtype)
    size = np.abs(value)
    near = np.maximum(size, 1.0) if exactness.complex_near_one else size
    near = near * complex_condition(name, wide, size)
    figure = exactness.ulps(dtype if dtypes.is_complex(dtype) else operands[0].dtype)
    error = figure * unit(near, part) + np.where(size == 0, 0.0, 8 * np.finfo(np.float64).eps)
    limit = 2.0 ** _CALM_EXPONENT[operands[0].dtype]
    is_calm = size < float(np.finfo(part).max) / 4
    for x in wide:
        is_calm = is_calm & (np.abs(x) < limit) & ((x == 0) | (np.abs(x) > 1 / limit))
        if exactness.branch_cuts:  # a zero's sign says on which side of a cut the number is
            is_calm = is_calm & ~_is_negative_zero(x.real) & ~_is_negative_zero(x.imag)
    if name == "pow":
        is_calm = is_calm & (wide[0] != 0) & (np.abs(wide[1] * np.log(wide[0])) < _CALM_EXPONENT[operands[0].dtype])
    words = f"within {figure:g} units in the last place of its size"
    fixed = SPECIALS[name](wide) if name in SPECIALS else None
    if fixed is not None and fixed.known.any():
        parts = [np.where(fixed.fixed[..., i], fixed.value[..., i], x) for i, x in enumerate((value.real, value.imag))]
        value = np.where(fixed.known, _joined(*parts) if dtypes.is_complex(dtype) else parts[0], value)
        words += ", special values as Annex G of C has them"
    return Expected(value, error, words, ~is_calm, signed=False, specials=fixed)


def _joined(real: np.ndarray, imag: np.ndarray) -> np.ndarray:
    """Complex numbers of their parts; arithmetic would make NaN of infinite ones."""
    found = np.empty(real.shape, np.complex128)
    found.real, found.imag = real, imag
    return found


def _special_tolerance(instance: Instance) -> float:
    """How far finite parts of special values, which are of the size of pi, may be off."""
    dtype = instance.operands[0].dtype
    return 4 * instance.record.exactness.ulps(dtype) * float(np.finfo(dtypes.real_part(dtype)).eps)


def _is_negative_zero(x: np.ndarray) -> np.ndarray:
    return np.asarray((x == 0) & np.signbit(x))


def _is_right(x: np.ndarray, wanted: Expected, may_flush: bool) -> np.ndarray:
    """Which elements are as they have to be."""
    y = wanted.value
    if dtypes.is_complex(x.dtype):
        parts = [Expected(getattr(y, part), wanted.error, signed=wanted.signed) for part in ("real", "imag")]
        return _is_right(x.real, parts[0], may_flush) & _is_right(x.imag, parts[1], may_flush)
    if not dtypes.is_float(x.dtype):
        return np.asarray(x == y)
    found, right, rounded = x.astype(np.float64), y.astype(np.float64), dtypes.cast(y, x.dtype).astype(np.float64)
    good = (found == rounded) | (np.isnan(found) & np.isnan(rounded)) | (np.abs(found - right) <= wanted.error)
    info = ml_dtypes.finfo(x.dtype)
    # Just below the greatest number an inexact result may be past it: infinite, or NaN in a type without infinity.
    past = np.isinf(found) if np.isinf(np.array(np.inf).astype(x.dtype)) else np.isnan(found)
    reach = np.where(np.asarray(wanted.error) > 0, np.abs(right) + wanted.error, 0.0)
    good |= past & np.isfinite(right) & (reach > float(info.max)) & ~((found < 0) != (right < 0))
    if wanted.signed:
        good &= ~((found == 0) & (rounded == 0) & (np.signbit(found) != np.signbit(right)))
    if may_flush and x.dtype in _FLUSHABLE:
        good |= (found == 0) & (np.abs(right) < float(info.tiny) * (1 + 2.0**-7)) & (right != 0)
    return np.asarray(good)


def _reference(
    instance: Instance, operands: Sequence[np.ndarray], attributes: Mapping[str, Any] | None = None
) -> list[np.ndarray]:
    return Instance(instance.record, operands, instance.attributes if attributes is None else attributes).reference()


def _words(figure: float, dtype: np.dtype) -> str:
    return f"within {figure:g} units in the last place" if dtype.itemsize >= 4 else "rounded from float32"
