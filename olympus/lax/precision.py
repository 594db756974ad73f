# SPDX-License-Identifier: Apache-2.0
"""How a contraction multiplies: precisions, and algorithms for dot products."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, described

from ..operands import cast, element_type
from ..tracing import aval_of, bind
from .types import Precision

__all__ = ["AccuracyMode", "DotAlgorithm", "DotAlgorithmPreset", "PrecisionLike", "Tolerance"]


@dataclass(frozen=True, slots=True)
class DotAlgorithm:
    """How a dot product rounds its operands and in which type it sums; given as `precision`.

    The result has `preferred_element_type`, or the operands' type.

    Attributes:
        lhs_precision_type: The element type to which the left operand is rounded.
        rhs_precision_type: Likewise the right one.
        accumulation_type: The element type of the sums.
        lhs_component_count: Of how many numbers of that type an element of the left operand is made up.
        rhs_component_count: Likewise of the right one.
        num_primitive_operations: How many products of components there are.
        allow_imprecise_accumulation: Whether sums may be less exact.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> x = np.full(2, 1 + 2**-9, np.float32)
        >>> float(lax.dot(x, x, precision=lax.DotAlgorithm("bfloat16", "bfloat16", "float32")))
        2.0
    """

    lhs_precision_type: Any
    rhs_precision_type: Any
    accumulation_type: Any
    lhs_component_count: int = 1
    rhs_component_count: int = 1
    num_primitive_operations: int = 1
    allow_imprecise_accumulation: bool = False


class DotAlgorithmPreset(enum.Enum):
    """Algorithms for dot products by name: the types of the operands and of the sums.

    ``X3``, ``X6`` and ``X9`` stand for operands that are split into several components of the type; olympus multiplies
    these in the type of the sums, which is at least as exact.

    Example:
        >>> import numpy as np
        >>> from olympus import lax
        >>> x = np.full(2, 1 + 2**-9, np.float32)
        >>> float(lax.dot(x, x, precision="BF16_BF16_F32"))
        2.0
    """

    DEFAULT = enum.auto()
    ANY_F8_ANY_F8_F32 = enum.auto()
    ANY_F8_ANY_F8_F32_FAST_ACCUM = enum.auto()
    ANY_F8_ANY_F8_ANY = enum.auto()
    ANY_F8_ANY_F8_ANY_FAST_ACCUM = enum.auto()
    F16_F16_F16 = enum.auto()
    F16_F16_F32 = enum.auto()
    BF16_BF16_BF16 = enum.auto()
    BF16_BF16_F32 = enum.auto()
    BF16_BF16_F32_X3 = enum.auto()
    BF16_BF16_F32_X6 = enum.auto()
    BF16_BF16_F32_X9 = enum.auto()
    TF32_TF32_F32 = enum.auto()
    TF32_TF32_F32_X3 = enum.auto()
    F32_F32_F32 = enum.auto()
    F64_F64_F64 = enum.auto()

    @property
    def accumulation_type(self) -> Any:
        """The element type of the sums; None where it is the result's."""
        return _ACCUMULATION.get(self)


class AccuracyMode(enum.Enum):
    """How exact an elementwise function is to be; those of olympus have one form, the most exact.

    Example:
        >>> from olympus import lax
        >>> float(lax.exp(0.0, accuracy=lax.AccuracyMode.HIGHEST))
        1.0
    """

    HIGHEST = 1
    DEFAULT = 2


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far an elementwise function may be off; those of olympus have one form, the most exact.

    Attributes:
        atol: The greatest absolute error.
        rtol: The greatest relative error.
        ulps: The greatest error in units in the last place.

    Example:
        >>> from olympus import lax
        >>> float(lax.exp(0.0, accuracy=lax.Tolerance(rtol=1e-3)))
        1.0
    """

    atol: float = 0.0
    rtol: float = 0.0
    ulps: int = 0


PrecisionLike = (
    str | Precision | tuple[str, str] | tuple[Precision, Precision] | DotAlgorithm | DotAlgorithmPreset | None)

_P = DotAlgorithmPreset
_ACCUMULATION = {
    _P.ANY_F8_ANY_F8_F32: dtypes.float32, _P.ANY_F8_ANY_F8_F32_FAST_ACCUM: dtypes.float32,
    _P.F16_F16_F16: dtypes.float16, _P.BF16_BF16_BF16: dtypes.bfloat16, _P.F64_F64_F64: dtypes.float64,
    **dict.fromkeys((_P.F16_F16_F32, _P.BF16_BF16_F32, _P.BF16_BF16_F32_X3, _P.BF16_BF16_F32_X6, _P.BF16_BF16_F32_X9,
                     _P.TF32_TF32_F32, _P.TF32_TF32_F32_X3, _P.F32_F32_F32), dtypes.float32),
}
_ROUNDED = {
    _P.F16_F16_F16: dtypes.float16, _P.F16_F16_F32: dtypes.float16, _P.BF16_BF16_BF16: dtypes.bfloat16,
    _P.BF16_BF16_F32: dtypes.bfloat16, _P.F32_F32_F32: dtypes.float32, _P.F64_F64_F64: dtypes.float64,
}
_TF32 = "tf32"  # no element type: float32 with 10 bits of mantissa
_EXPECTED = ("None, a word such as 'default', 'high', 'highest', 'float32', 'bfloat16' or 'tensorfloat32', "
             "lax.Precision, a pair of these, lax.DotAlgorithm, lax.DotAlgorithmPreset or its name")


def algorithm_of(function: str, precision: Any) -> tuple[Any, Any] | None:
    """The types to which operands are rounded (None: not at all), and that of the sums; None for the most exact way.

    Raises:
        ArgumentError: If it is no precision.
    """
    if isinstance(precision, str) and precision in DotAlgorithmPreset.__members__:
        precision = DotAlgorithmPreset[precision]
    if isinstance(precision, DotAlgorithm):
        total = element_type(function, precision.accumulation_type)
        kinds = ((precision.lhs_precision_type, precision.lhs_component_count),
                 (precision.rhs_precision_type, precision.rhs_component_count))
        return tuple(element_type(function, t) if count == 1 else total for t, count in kinds), total
    if isinstance(precision, DotAlgorithmPreset):
        if precision.accumulation_type is None:
            return None
        rounded = _TF32 if precision is _P.TF32_TF32_F32 else _ROUNDED.get(precision)
        if rounded is None and not precision.name.startswith("ANY"):
            rounded = precision.accumulation_type
        return (rounded, rounded), precision.accumulation_type
    pair = precision if isinstance(precision, (tuple, list)) and len(precision) == 2 else (precision, precision)
    try:
        for one in pair:
            Precision(one)
    except ValueError:
        raise ArgumentError(function, "the precision is not known", described(precision), _EXPECTED) from None
    return None


def rounded_operands(algorithm: tuple[Any, Any], x: Any, y: Any) -> tuple[Any, Any]:
    """The operands of a contraction as an algorithm rounds them, in one element type."""
    kinds, total = algorithm
    found = []
    for operand, kind in zip((x, y), kinds, strict=True):
        own = aval_of(operand).dtype
        if kind == _TF32:
            from .bits import reduce_precision
            operand = reduce_precision(cast(operand, dtypes.float32), 8, 10)
        else:
            operand = cast(operand, own if kind is None else kind)
        found.append(operand)
    if len({aval_of(operand).dtype for operand in found}) > 1:
        found = [cast(operand, total) for operand in found]
    return found[0], found[1]


def contracted(algorithm: tuple[Any, Any], x: Any, y: Any, out: np.dtype | None, **dims: Any) -> Any:
    """A dot product by an algorithm; the result in `out`, or the operands' type."""
    own = aval_of(x).dtype
    x, y = rounded_operands(algorithm, x, y)
    total = algorithm[1]
    found = bind(ops.dot_general, x, y, dtype=total if total != aval_of(x).dtype else None, weak=False, **dims)
    return cast(found, own if out is None else out)
