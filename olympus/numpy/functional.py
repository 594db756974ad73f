# SPDX-License-Identifier: Apache-2.0
"""Functions applied along dimensions and by pieces; numbers of whole numbers; signals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError, described

from .. import lax
from ..operands import axis_of, convert, dtype_of, function_of, known, known_primal, shape_of
from ..tracing import aval_of
from ..transforms.batching import vmap
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .arithmetic import floor_divide, remainder
from .calculus import diff
from .creation import asarray
from .elementwise import absolute
from .linear import matmul
from .promotion import promote, promote_inexact, result_of
from .reductions import cumsum
from .searching import where
from .shapes import broadcast_to, expand_dims, matrix_transpose, squeeze
from .sorting import sort
from .ufuncs import as_bool, conj_of

__all__ = [
    "apply_along_axis", "apply_over_axes", "gcd", "iterable", "lcm", "matvec", "piecewise", "sort_complex",
    "trim_zeros", "unwrap", "vecmat",
]


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any) -> Any:
    """Applies a function to every row along a dimension.

    Args:
        func1d: A function of an array of one dimension; traced once, for all rows at once (`olympus.vmap`).
        axis: The dimension of the rows.
        arr: The array.
        *args: Further arguments of the function.
        **kwargs: Likewise.

    Returns:
        The results, whose own dimensions stand where the dimension was.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.apply_along_axis(jnp.sum, 0, jnp.ones((2, 3))).tolist()
        [2.0, 2.0, 2.0]
    """
    function_of("apply_along_axis", func1d, "the first argument")
    x = asarray(arr)
    d = axis_of("apply_along_axis", axis, x.ndim)

    def function(row: Any) -> Any:
        return func1d(row, *args, **kwargs)

    for later in range(1, x.ndim - d):
        function = vmap(function, in_axes=later, out_axes=-1)
    for _ in range(d):
        function = vmap(function)
    return function(x)


def apply_over_axes(func: Callable[[Any, int], Any], a: ArrayLike, axes: int | Sequence[int]) -> Array:
    """Applies a function of an array and a dimension for one dimension after the other.

    Args:
        func: Such as `sum`: its result has as many dimensions, or one less.
        a: The array.
        axes: The dimensions.

    Returns:
        The result, with as many dimensions as the array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.apply_over_axes(jnp.sum, jnp.ones((2, 3)), [0, 1]).tolist()
        [[6.0]]
    """
    x = asarray(a)
    ndim = x.ndim
    for axis in np.atleast_1d(np.asarray(axes)).tolist():
        d = axis_of("apply_over_axes", axis, ndim)
        found = asarray(func(x, d))
        x = expand_dims(found, d) if found.ndim == ndim - 1 else found
        if x.ndim != ndim:
            raise ArgumentError("apply_over_axes", "the function changed the number of dimensions",
                                f"{found.ndim} dimensions", f"{ndim}, or {ndim - 1}")
    return x


def piecewise(x: ArrayLike, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any) -> Array:
    """A function that is put together of pieces: for each element that of the last condition that holds.

    Args:
        x: An array.
        condlist: A list of arrays of bools, or one of them.
        funclist: A function or number for each condition; one more for where none holds, else zero.
        *args: Further arguments of the functions.
        **kw: Likewise.

    Returns:
        The values, of the element type of `x`.

    Example:
        >>> import olympus.numpy as jnp
        >>> x = jnp.array([-2.0, 0.0, 3.0])
        >>> jnp.piecewise(x, [x < 0, x > 0], [lambda v: -v, 10.0]).tolist()
        [2.0, 0.0, 10.0]
    """
    x = asarray(x)
    single = isinstance(condlist, (bool, np.bool_)) or (
        len(shape_of(condlist)) == x.ndim if hasattr(condlist, "shape") else not hasattr(condlist[0], "shape")
        and not isinstance(condlist[0], (list, tuple, bool, np.bool_)))
    conditions = [condlist] if single else list(condlist)
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ArgumentError("piecewise", "the numbers of conditions and functions do not fit", f"{len(funclist)} "
                            "functions", f"{len(conditions)} or {len(conditions) + 1}")
    rest = funclist[-1] if len(funclist) > len(conditions) else 0

    def value(piece: Any) -> Any:
        return convert(asarray(piece(x, *args, **kw) if callable(piece) else piece), x.dtype)

    found = value(rest)
    for condition, piece in zip(conditions, funclist, strict=False):
        found = where(as_bool(asarray(condition)), value(piece), found)
    return broadcast_to(found, x.shape)


@api
def gcd(x1: ArrayLike, x2: ArrayLike) -> Array:
    """The greatest common divisor.

    Args:
        x1: Integers.
        x2: Likewise.

    Returns:
        The divisors, not negative; zero of two zeros.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.gcd(12, -18).tolist()
        6
    """
    a, b = _integers("gcd", x1, x2)

    def body(pair: tuple[Any, Any]) -> tuple[Any, Any]:
        a, b = pair
        live = b != 0
        return where(live, b, a), where(live, lax.rem(a, where(live, b, lax.full_like(b, 1))), b)

    found, _ = lax.while_loop(lambda pair: (pair[1] != 0).any(), body, (absolute(a), absolute(b)))
    return absolute(found)  # the smallest integer has no absolute value: its remainders keep their sign


@api
def lcm(x1: ArrayLike, x2: ArrayLike) -> Array:
    """The least common multiple.

    Args:
        x1: Integers.
        x2: Likewise.

    Returns:
        The multiples, not negative; zero where either is zero.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.lcm(4, 6).tolist()
        12
    """
    a, b = _integers("lcm", x1, x2)
    divisor = gcd(a, b)
    safe = where(divisor == 0, 1, divisor)
    return absolute(floor_divide(absolute(a), safe) * b)


def _integers(function: str, x1: Any, x2: Any) -> tuple[Any, Any]:
    (a, b), _ = promote(function, x1, x2)
    if not dtypes.is_integer(dtype_of(a)):
        raise ArgumentError(function, "the numbers are not integers", dtypes.name_of(dtype_of(a)), "integers")
    return a, b


def iterable(y: Any) -> bool:
    """Whether something can be iterated over.

    Args:
        y: Anything.

    Returns:
        Whether it can.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.iterable(jnp.ones(2)), jnp.iterable(3)
        (True, False)
    """
    if hasattr(y, "aval"):
        return bool(shape_of(y))
    return isinstance(y, Iterable) and np.iterable(y)


def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The products of matrices and vectors along the last dimensions.

    Args:
        x1: Matrices in the last two dimensions.
        x2: Vectors in the last dimension; what stands before broadcasts.

    Returns:
        The vectors.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.matvec(jnp.ones((2, 3)), jnp.ones(3)).tolist()
        [3.0, 3.0]
    """
    return squeeze(matmul(x1, expand_dims(x2, -1)), -1)


def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """The products of conjugated vectors and matrices along the last dimensions.

    Args:
        x1: Vectors in the last dimension.
        x2: Matrices in the last two dimensions; what stands before broadcasts.

    Returns:
        The vectors.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.vecmat(jnp.ones(2), jnp.ones((2, 3))).tolist()
        [2.0, 2.0, 2.0]
    """
    return matvec(matrix_transpose(asarray(x2)), conj_of(asarray(x1)))


def sort_complex(a: ArrayLike) -> Array:
    """The elements as complex numbers, sorted along the last dimension by real parts, then by imaginary ones.

    Args:
        a: An array.

    Returns:
        The sorted array.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.sort_complex(jnp.array([2, 1])).tolist()
        [(1+0j), (2+0j)]
    """
    x = asarray(a)
    return sort(x if dtypes.is_complex(x.dtype) else lax.complex(*_parts(x)))


def _parts(x: Any) -> tuple[Any, Any]:
    (x,), _ = promote_inexact("sort_complex", x)
    x = convert(x, np.dtype(np.float32)) if dtype_of(x).itemsize < 4 else x
    return x, lax.full_like(x, 0)


def trim_zeros(filt: ArrayLike, trim: str = "fb", axis: int | Sequence[int] | None = None) -> Array:
    """An array without the zeros at its ends; its values must be known.

    Args:
        filt: An array.
        trim: ``"f"`` for the front, ``"b"`` for the back, or both.
        axis: The dimensions that are cut; all for None.

    Returns:
        The array between the first and the last element that is not zero.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.trim_zeros(jnp.array([0, 0, 1, 0, 2, 0])).tolist()
        [1, 0, 2]
    """
    ends = trim.lower() if isinstance(trim, str) else ""
    if not ends or set(ends) - {"f", "b"}:
        raise ArgumentError("trim_zeros", "the ends are not known", described(trim), "'f', 'b' or 'fb'")
    host = known_primal("trim_zeros", filt, "the array")
    ndim = host.ndim
    axes = range(ndim) if axis is None else [
        axis_of("trim_zeros", d, ndim) for d in np.atleast_1d(np.asarray(axis)).tolist()]
    cut = [slice(None)] * ndim
    places = np.nonzero(host) if ndim else ()
    for d in axes:
        if not len(places[d]):
            cut[d] = slice(0, 0)
            continue
        cut[d] = slice(int(places[d].min()) if "f" in ends else 0, int(places[d].max()) + 1 if "b" in ends else None)
    return asarray(filt)[tuple(cut)]


def unwrap(p: ArrayLike, discont: ArrayLike | None = None, axis: int = -1, period: ArrayLike = 2 * math.pi) -> Array:
    """Angles without jumps: whole periods are added where neighbours differ by more than half a period.

    Args:
        p: An array.
        discont: The least jump that is taken out; never less than half a period.
        axis: The dimension along which neighbours are compared.
        period: The period; 2 pi for angles in radians.

    Returns:
        The array without jumps.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.unwrap(jnp.array([0, 3, 5, 1]), period=4).tolist()
        [0, -1, 1, 1]
    """
    x = asarray(p)
    if dtypes.is_complex(x.dtype):
        raise ArgumentError("unwrap", "it does not take complex numbers", x.dtype.name, "real numbers")
    whole = asarray(period)
    x = convert(x, result_of("unwrap", [aval_of(x), aval_of(period)])[0])
    d = axis_of("unwrap", axis, len(shape_of(x)))
    whole_numbers = dtypes.is_integer(dtype_of(x))
    half = floor_divide(whole, 2) if whole_numbers else whole / 2
    step = diff(x, axis=d)
    moved = remainder(step + half, whole) - half
    if not whole_numbers or not remainder(known("unwrap", period, "the period"), 2).any():
        moved = where((moved == -half) & (step > 0), half, moved)
    least = half if discont is None else discont
    correction = where(absolute(step) < least, 0, moved - step)
    shape = list(shape_of(x))
    shape[d] = min(shape[d], 1)
    zero = lax.full(tuple(shape), 0, dtype_of(x))
    return x + lax.concatenate([zero, convert(cumsum(correction, axis=d), dtype_of(x))], d)
