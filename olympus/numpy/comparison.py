# SPDX-License-Identifier: Apache-2.0
"""Elementwise comparisons and logic; whether arrays are equal or close."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import OperationRecord

from ..operands import cast, dtype_of, is_number, same_keys, shape_of
from ..tracing import aval_of, bind, scalar_dtype
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .arithmetic import add, multiply, subtract
from .creation import asarray
from .elementwise import isnan
from .promotion import promote
from .ufuncs import binary, isfinite_of, isnan_of, logically, pairwise, size_of, universal

__all__ = [
    "allclose", "array_equal", "array_equiv", "equal", "greater", "greater_equal", "isclose", "less", "less_equal",
    "logical_and", "logical_or", "logical_xor", "not_equal",
]

_binary = functools.partial(binary, __name__)
# What follows where the first operand is negative and the second is not.
_OF_NEGATIVE = {ops.eq: False, ops.ne: True, ops.lt: True, ops.le: True, ops.gt: False, ops.ge: False}


def _compared(name: str, record: OperationRecord) -> Callable[[Any, Any], Any]:
    """The comparison: of uint64 with signed integers exactly, since the type of both is float64, which is not exact."""
    plain = pairwise(name, record)

    def body(x: Any, y: Any) -> Any:
        own = [aval_of(v).dtype for v in (x, y)]
        signed = [dtypes.is_signed(dtype) for dtype in own]
        if dtypes.uint64 not in own or not any(signed) or is_number(x) or is_number(y):
            return plain(x, y)
        first, second = (cast(v, dtypes.uint64, name) for v in (x, y))
        found = plain(first, second)
        negative = pairwise(name, ops.lt)(x if signed[0] else y, 0)
        decided = _OF_NEGATIVE[record] if signed[0] else record in (ops.ne, ops.gt, ops.ge)
        return logically(name, ops.or_)(found, negative) if decided else logically(name, ops.and_)(
            found, bind(ops.not_, negative))

    return body


_universal = functools.partial(universal, __name__)
equal = _binary("equal", "Whether x equals y.", _compared("equal", ops.eq), "1, 1.0", "True")
not_equal = _binary(
    "not_equal", "Whether x differs from y.", _compared("not_equal", ops.ne), "1, 2", "True")
less = _binary("less", "Whether x is less than y.", _compared("less", ops.lt), "1, 2", "True")
less_equal = _binary(
    "less_equal", "Whether x is at most y.", _compared("less_equal", ops.le), "1, 2", "True")
greater = _binary(
    "greater", "Whether x is greater than y.", _compared("greater", ops.gt), "1, 2", "False")
greater_equal = _binary(
    "greater_equal", "Whether x is at least y.", _compared("greater_equal", ops.ge), "1, 2", "False")
logical_and = _universal(
    "logical_and", "Whether both are true.", logically("logical_and", ops.and_), "1, 0", "False", True)
logical_or = _universal(
    "logical_or", "Whether either is true.", logically("logical_or", ops.or_), "1, 0", "True", False)
logical_xor = _universal(
    "logical_xor", "Whether just one is true.", logically("logical_xor", ops.xor), "1, 0", "True", False)


@api(static=("equal_nan",), call="isclose")
def isclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: bool = False
) -> Array:
    """Whether numbers are equal but for a tolerance of ``atol + rtol * abs(b)``.

    Args:
        a: An array or number.
        b: An array or number.
        rtol: The tolerance as a share of b.
        atol: The tolerance as a distance.
        equal_nan: Whether NaN equals NaN.

    Returns:
        Bools.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.isclose(1.0, 1.000001).tolist()
        True
    """
    (a, b), _ = promote("isclose", a, b)
    dtype = dtype_of(a)
    if dtypes.is_key(dtype):
        return same_keys(ops.eq, a, b)
    same = bind(ops.eq, a, b, weak=False)
    if not (dtypes.is_float(dtype) or dtypes.is_complex(dtype)):
        a, b = (cast(v, scalar_dtype(float)) for v in (a, b))
        dtype = dtype_of(a)
    distance, size = size_of(subtract(a, b)), size_of(b)
    near = less_equal(distance, add(cast(atol, dtype_of(size)), multiply(cast(rtol, dtype_of(size)), size)))
    near = logical_and(near, logical_and(isfinite_of(a), isfinite_of(b)))
    found = logical_or(same, near)
    return logical_or(found, logical_and(isnan_of(a), isnan_of(b))) if equal_nan else found


def allclose(
    a: ArrayLike, b: ArrayLike, rtol: ArrayLike = 1e-05, atol: ArrayLike = 1e-08, equal_nan: bool = False
) -> Array:
    """Whether all numbers are equal but for a tolerance.

    Args:
        a: An array or number.
        b: An array or number.
        rtol: The tolerance as a share of b.
        atol: The tolerance as a distance.
        equal_nan: Whether NaN equals NaN.

    Returns:
        A bool.

    Example:
        >>> import olympus.numpy as jnp
        >>> bool(jnp.allclose(jnp.ones(2), 1 + 1e-7))
        True
    """
    return _all(isclose(a, b, rtol, atol, equal_nan=equal_nan))


@api
def _all(x: ArrayLike) -> Any:
    return bind(ops.reduce_and, x, dimensions=tuple(range(len(shape_of(x)))), weak=False)


@api(static=("equal_nan",))
def _equal_all(a: ArrayLike, b: ArrayLike, equal_nan: bool) -> Any:
    same = equal(a, b)
    if equal_nan:
        same = logical_or(same, logical_and(isnan(a), isnan(b)))
    return _all(same)


def array_equal(a1: ArrayLike, a2: ArrayLike, equal_nan: bool = False) -> Array:
    """Whether arrays have one shape and equal elements.

    Args:
        a1: An array.
        a2: Another one.
        equal_nan: Whether NaN equals NaN.

    Returns:
        A bool.

    Example:
        >>> import olympus.numpy as jnp
        >>> bool(jnp.array_equal(jnp.arange(3), jnp.arange(3)))
        True
    """
    x, y = asarray(a1), asarray(a2)
    return asarray(False) if x.shape != y.shape else _equal_all(x, y, equal_nan=equal_nan)


def array_equiv(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Whether arrays are equal once they are broadcast together.

    Args:
        a1: An array.
        a2: Another one.

    Returns:
        A bool.

    Example:
        >>> import olympus.numpy as jnp
        >>> bool(jnp.array_equiv(jnp.ones(3), 1))
        True
    """
    x, y = asarray(a1), asarray(a2)
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return asarray(False)
    return _equal_all(x, y, equal_nan=False)
