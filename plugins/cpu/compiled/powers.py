"""Powers by exponents that a program gives as constants: multiplications and roots, with pow's results."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.ops.rules import compute_dtype
from olympus_core.program import Operation, Value
from olympus_core.toolkit.rewriting import Rewriting, splat_of

# Of float64 these would be rounded twice, to more than pow's units; there is no wider type to do them in.
_NOT_OF_FLOAT64 = (3.0, -0.5)


def power_by_constant(operation: Operation, makers: Mapping[Value, Operation]) -> list[Operation] | None:
    """A `pow` of floats by -1, -1/2, 1/2, 1, 2 or 3 in cheaper operations; None for others.

    Args:
        operation: The operation.
        makers: The operations that make values.
    """
    x, result = operation.operands[0], operation.results[0]
    splat = splat_of(operation.operands[1], makers)
    if splat is None or not dtypes.is_float(x.type.dtype):
        return None
    exponent = float(splat)
    if exponent in _NOT_OF_FLOAT64 and x.type.dtype == dtypes.float64:
        return None
    new = Rewriting(operation.location)
    if exponent == 1:
        new.apply(ops.convert, x, dtype=x.type.dtype)
    elif exponent == -1:
        new.apply(ops.div, new.splat(1, x.type.shape, x.type.dtype), x)
    elif exponent == 2:
        new.apply(ops.mul, x, x)
    elif exponent == 3:
        # Rounded once: in a type in which two of three factors multiply exactly.
        wide = new.convert(x, dtypes.float64 if compute_dtype(x.type.dtype) == x.type.dtype else dtypes.float32)
        new.convert(new.apply(ops.mul, new.apply(ops.mul, wide, wide), wide), x.type.dtype)
    elif abs(exponent) == 0.5:
        _root(new, x, exponent)
    else:
        return None
    return new.last_is(result)


def _root(new: Rewriting, x: Value, exponent: float) -> None:
    """The root, or one over it: of -0.0 as of 0.0, of -inf as of inf."""

    def splat(number: float) -> Value:
        return new.splat(number, x.type.shape, x.type.dtype)

    positive = new.apply(ops.add, x, splat(0.0))
    root = new.apply(ops.sqrt if exponent > 0 else ops.rsqrt, positive)
    lowest = new.apply(ops.eq, x, splat(-np.inf))
    new.apply(ops.select, lowest, splat(math.inf if exponent > 0 else 0.0), root)
