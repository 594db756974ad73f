# SPDX-License-Identifier: Apache-2.0
"""Powers by exponents that a program gives as constants: multiplications and roots, with pow's results."""

from __future__ import annotations

import math

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.ops.rules import compute_dtype
from olympus_core.program import Value
from olympus_core.toolkit.passes import Builder, Match, Rule, anything, op, splat

# Of float64 these would be rounded twice, to more than pow's units; there is no wider type to do them in.
_NOT_OF_FLOAT64 = (3.0, -0.5)


def _power(new: Builder, match: Match) -> Value | None:
    """A `pow` of floats by -1, -1/2, 1/2, 1, 2 or 3 in cheaper operations."""
    x, splat = match["x"], match.number("exponent")
    dtype = x.type.dtype
    if splat is None or not dtypes.is_float(dtype):
        return None
    exponent = float(splat)
    if exponent in _NOT_OF_FLOAT64 and dtype == dtypes.float64:
        return None
    if exponent == 1:
        return x
    if exponent == -1:
        return new.apply(ops.div, new.splat(1, x.type.shape, dtype), x)
    if exponent == 2:
        return new.apply(ops.mul, x, x)
    if exponent == 3:
        # Rounded once: in a type in which two of three factors multiply exactly.
        wide = new.convert(x, dtypes.float64 if compute_dtype(dtype) == dtype else dtypes.float32)
        return new.convert(new.apply(ops.mul, new.apply(ops.mul, wide, wide), wide), dtype)
    return _root(new, x, exponent) if abs(exponent) == 0.5 else None


def _root(new: Builder, x: Value, exponent: float) -> Value:
    """The root, or one over it: of -0.0 as of 0.0, of -inf as of inf."""

    def number(value: float) -> Value:
        return new.splat(value, x.type.shape, x.type.dtype)

    positive = new.apply(ops.add, x, number(0.0))
    root = new.apply(ops.sqrt if exponent > 0 else ops.rsqrt, positive)
    lowest = new.apply(ops.eq, x, number(-np.inf))
    return new.apply(ops.select, lowest, number(math.inf if exponent > 0 else 0.0), root)


POWER_RULES = (Rule(op("pow", anything("x"), splat("exponent")), _power),)
