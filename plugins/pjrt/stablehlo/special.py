# SPDX-License-Identifier: Apache-2.0
"""Functions whose StableHLO operation is missing or not accurate enough: corrected, or composed of others.

Complex operands use the plain operation: the formulas for real numbers do not hold at branch cuts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation

from .table import EMISSIONS
from .writer import Emission, Name, Writer

_TWO_OVER_ROOT_PI = 1.1283791670955126


def _real(function: Callable[[Writer, Name], Name], plain: str) -> Emission:
    """A function of float32 and float64; narrower floats go through float32."""

    def emission(w: Writer, operation: Operation, xs: Sequence[Name]) -> Sequence[Name]:
        if dtypes.is_complex(xs[0].dtype):
            return [w.same(plain, xs[0])]
        return [w.convert(function(w, w.wide(xs[0])), xs[0].dtype)]

    return emission


def _with_sign(w: Writer, size: Name, x: Name) -> Name:
    """A magnitude with the sign of another number."""
    bits = np.dtype(f"u{x.dtype.itemsize}")
    raw = w.bitcast(x, bits)
    sign = w.same("and", raw, w.like(1 << (8 * bits.itemsize - 1), raw))
    return w.bitcast(w.same("or", w.bitcast(w.same("abs", size), bits), sign), x.dtype)


def _sinh(w: Writer, x: Name) -> Name:
    half, one, size = w.like(0.5, x), w.like(1, x), w.same("abs", x)
    grown = w.same("exponential_minus_one", size)
    small = w.same("multiply", half, w.same("add", grown, w.same("divide", grown, w.same("add", grown, one))))
    return _with_sign(w, w.select(w.compare("LT", size, w.like(20, x)), small, _half_exponential(w, size)), x)


def _cosh(w: Writer, x: Name) -> Name:
    half, one, size = w.like(0.5, x), w.like(1, x), w.same("abs", x)
    grown = w.same("exponential", size)
    small = w.same("multiply", half, w.same("add", grown, w.same("divide", one, grown)))
    return w.select(w.compare("LT", size, w.like(20, x)), small, _half_exponential(w, size))


def _half_exponential(w: Writer, size: Name) -> Name:
    """Half of an exponential that may itself overflow."""
    root = w.same("exponential", w.same("multiply", size, w.like(0.5, size)))
    return w.same("multiply", w.same("multiply", root, w.like(0.5, size)), root)


def _tanh(w: Writer, x: Name) -> Name:
    if x.dtype != dtypes.float64:
        return w.same("tanh", x)
    size = w.same("abs", x)
    lost = w.same("exponential_minus_one", w.same("multiply", size, w.like(-2, x)))
    return _with_sign(w, w.same("divide", w.same("negate", lost), w.same("add", lost, w.like(2, x))), x)


def _log1p(w: Writer, x: Name) -> Name:
    if x.dtype != dtypes.float64:
        return w.same("log_plus_one", x)
    # The quotient corrects the rounding error of 1 + x (Kahan). Without the barrier a compiler may replace the
    # logarithm by its own log1p.
    one = w.like(1, x)
    moved = w.same("optimization_barrier", w.same("add", x, one))
    mended = w.same("multiply", w.same("log", moved), w.same("divide", x, w.same("subtract", moved, one)))
    unmoved = w.same("or", w.compare("EQ", moved, one), w.compare("EQ", x, w.like(np.inf, x)))
    return w.select(unmoved, x, mended)


def _atanh(w: Writer, x: Name) -> Name:
    size = w.same("abs", x)
    ratio = w.same("divide", w.same("add", size, size), w.same("subtract", w.like(1, x), size))
    return _with_sign(w, w.same("multiply", w.like(0.5, x), _log1p(w, ratio)), x)


def _cbrt(w: Writer, x: Name) -> Name:
    root = w.same("cbrt", x)
    excess = w.same("subtract", root, w.same("divide", x, w.same("multiply", root, root)))
    better = w.same("subtract", root, w.same("multiply", excess, w.like(1 / 3, x)))
    usable = w.op("is_finite", [better], x.type.with_dtype(dtypes.bool_))
    return w.select(usable, better, root)


def _erfc(w: Writer, x: Name) -> Name:
    """The tail is the exponential of a rounded square, corrected by the rounding error."""
    near = w.same("minimum", w.same("abs", x), w.like(30, x))
    bits = np.dtype(f"u{x.dtype.itemsize}")
    raw = w.bitcast(near, bits)
    kept = (1 << (8 * bits.itemsize)) - (1 << (12 if bits.itemsize == 4 else 27))
    high = w.bitcast(w.same("and", raw, w.like(kept, raw)), x.dtype)
    low = w.same("subtract", near, high)
    square = w.same("multiply", near, near)
    cross = w.same("multiply", w.same("add", high, high), low)
    rest = w.same("add", w.same("subtract", w.same("multiply", high, high), square), cross)
    rest = w.same("add", rest, w.same("multiply", low, low))
    factor = w.select(w.compare("GT", x, w.like(1, x)), w.same("subtract", w.like(1, x), rest), w.like(1, x))
    return w.same("multiply", w.same("chlo.erfc", x), factor)


def _erf_inv(w: Writer, x: Name) -> Name:
    found = w.same("chlo.erf_inv", x)
    if x.dtype != dtypes.float64:
        return found
    # One Newton step where erf is accurate.
    slope = w.same("exponential", w.same("negate", w.same("multiply", found, found)))
    slope = w.same("multiply", slope, w.like(_TWO_OVER_ROOT_PI, x))
    step = w.same("divide", w.same("subtract", w.same("chlo.erf", found), x), slope)
    middle = w.compare("LT", w.same("abs", x), w.like(0.75, x))
    return w.select(w.same("and", middle, w.compare("NE", x, w.like(0, x))), w.same("subtract", found, step), found)


def _lgamma(w: Writer, x: Name) -> Name:
    """In float64 where it is supported: large terms cancel between poles."""
    if dtypes.float64 not in w.module.policy.dtypes:
        return w.same("chlo.lgamma", x)
    return w.convert(w.same("chlo.lgamma", w.convert(x, dtypes.float64)), x.dtype)


_MENDED = {
    "sinh": (_sinh, "chlo.sinh"), "cosh": (_cosh, "chlo.cosh"), "tanh": (_tanh, "tanh"),
    "atanh": (_atanh, "chlo.atanh"), "log1p": (_log1p, "log_plus_one"), "cbrt": (_cbrt, "cbrt"),
    "erfc": (_erfc, "chlo.erfc"), "erf_inv": (_erf_inv, "chlo.erf_inv"), "lgamma": (_lgamma, "chlo.lgamma"),
}
EMISSIONS.update({name: _real(function, plain) for name, (function, plain) in _MENDED.items()})
