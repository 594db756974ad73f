# SPDX-License-Identifier: Apache-2.0
"""How near an operation's results are to what they stand for, and which operands show it: facts of its record."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from olympus_core import dtypes
from olympus_core.dataclass import dataclass

Kind = Literal["exact", "rounded", "function", "sum", "product", "transform", "matrix"]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Exactness:
    """How far results may be off, on every platform.

    Figures are units in the last place. Those of types narrower than float32 hold for float32, in which they are
    computed; rounding once adds one unit of the narrow type.

    Args:
        kind: ``"exact"``: a number that the type of the operands holds, so that nothing is rounded. ``"rounded"``:
            the nearest number. ``"function"``: off by some units of the result. ``"sum"``: off by some units of the
            sum of the sizes of all terms, since terms may cancel, and by the square root of their number besides.
            ``"product"``: off by some units of the result, and by half a unit for each factor. ``"transform"``: off by
            some units of the sum of sizes of all elements along the transformed dimension. ``"matrix"``: off
            by some units of the greatest element, of matrices that are well conditioned, vectors up to their phase.
        float32: Units for float32 and all narrower types.
        float64: Units for float64.
        complex: Units of the complex number's size for each of its parts. None where complex numbers are exact, or
            not taken, or added and multiplied like their parts.
        near: The size below which a result counts as this size, for functions with zeros at numbers that no float is.
        signed_zero: Whether a zero has one right sign. Of two zeros either may be the greater one, and the sign of a
            sum of zeros depends on what it begins with.
        complex_near_one: Whether a complex result smaller than one counts as one, for functions that take one away
            from what is nearly one.
        branch_cuts: Whether a complex function has several values and jumps where a part of its operand is zero;
            libraries differ in whether they look at the sign of that zero.
        reference_sizes: Sizes of operands between which the reference has its digits in float64; None for all.
    """

    kind: Kind
    float32: float = 0.0
    float64: float = 0.0
    complex: float | None = None
    near: float = 0.0
    signed_zero: bool = True
    complex_near_one: bool = False
    branch_cuts: bool = False
    reference_sizes: Interval | None = None

    def ulps(self, dtype: np.dtype, terms: float = 1) -> float:
        """Units in the last place of the type in which a result is computed.

        Args:
            dtype: The result's element type.
            terms: Number of terms or factors.

        Example:
            >>> from olympus_core import ops
            >>> ops.exp.exactness.ulps(dtypes.float32), ops.add.exactness.ulps(dtypes.float32)
            (5.0, 0.0)
        """
        if dtypes.is_complex(dtype) and self.complex is not None:
            return self.complex
        if self.kind in ("exact", "rounded") or not (dtypes.is_float(dtype) or dtypes.is_complex(dtype)):
            return 0.0
        figure = self.float64 if dtypes.real_part(dtype) == dtypes.float64 else self.float32
        further = {"sum": math.sqrt(terms), "product": terms / 2}
        return figure + further.get(self.kind, 0.0)


@dataclass(frozen=True, slots=True)
class Samples:
    """Operands of sizes that matter, for what tries an elementwise operation.

    Args:
        floats: Intervals of floating-point operands, the last one for all further operands; empty for any numbers.
        integers: First and last but one integer of the second operand, None for the number of bits of its type; None
            for any integers.
        nonzero: Whether an integer second operand is not zero, except where special operands are tried.
        often_equal: Whether half of the elements of floating-point operands are equal.
    """

    floats: tuple[Interval, ...] = ()
    integers: tuple[int, int | None] | None = None
    nonzero: bool = False
    often_equal: bool = False


EXACT = Exactness("exact")
ROUNDED = Exactness("rounded")
SUM = Exactness("sum", 4, 4, signed_zero=False)  # in any order
PRODUCT = Exactness("product", 4, 4, signed_zero=False)
ANY_OPERANDS = Samples()
