# SPDX-License-Identifier: Apache-2.0
"""Functions whose StableHLO operation is missing or not accurate enough: corrected, or composed of others.

Complex operands use the plain operation: the formulas for real numbers do not hold at branch cuts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from olympus_core import dtypes
from olympus_core.program import Operation

from .arithmetic import Number
from .composites import chlo
from .real_functions import log1p
from .table import EMISSIONS
from .writer import Emission, Name, Writer

_TWO_OVER_ROOT_PI = 1.1283791670955126
_PLAIN = {"tanh": "tanh", "log1p": "log_plus_one", "cbrt": "cbrt"}  # operations of complex numbers, too


def _sinh(x: Number) -> Number:
    size = abs(x)
    grown = size.apply("exponential_minus_one")
    small = 0.5 * (grown + grown / (grown + 1.0))
    return (size < 20.0).choose(small, _half_exponential(size)).with_sign_of(x)


def _cosh(x: Number) -> Number:
    size = abs(x)
    grown = size.exp()
    return (size < 20.0).choose(0.5 * (grown + 1.0 / grown), _half_exponential(size))


def _half_exponential(size: Number) -> Number:
    """Half of an exponential that may itself overflow."""
    root = (size * 0.5).exp()
    return (root * 0.5) * root


def _tanh(x: Number) -> Number:
    if x.name.dtype != dtypes.float64:
        return x.apply("tanh")
    lost = (abs(x) * -2.0).apply("exponential_minus_one")
    return (-lost / (lost + 2.0)).with_sign_of(x)


def _atanh(x: Number) -> Number:
    size = abs(x)
    return (0.5 * log1p((size + size) / (1.0 - size))).with_sign_of(x)


def _cbrt(x: Number) -> Number:
    root = x.apply("cbrt")
    better = root - (root - x / (root * root)) * (1 / 3)
    usable = x.writer.op("is_finite", [better.name], x.name.type.with_dtype(dtypes.bool_))
    return Number(x.writer, usable).choose(better, root)


def _erfc(x: Number) -> Number:
    """The tail is the exponential of a rounded square, corrected by the rounding error."""
    found = Number(x.writer, chlo(x.writer, "erfc", x.name))
    if not x.writer.module.policy.knows_chlo:
        return found
    near = abs(x).apply("minimum", 30.0)
    high = near.leading(12 if x.name.dtype.itemsize == 4 else 27)
    low = near - high
    rest = ((high * high - near * near) + (high + high) * low) + low * low
    return found * (x > 1.0).choose(1.0 - rest, 1.0)


def _erf_inv(x: Number) -> Number:
    w = x.writer
    found = Number(w, chlo(w, "erf_inv", x.name))
    if x.name.dtype != dtypes.float64 or not w.module.policy.knows_chlo:
        return found
    # One Newton step where erf is accurate.
    slope = (-(found * found)).exp() * _TWO_OVER_ROOT_PI
    step = (Number(w, chlo(w, "erf", found.name)) - x) / slope
    usable = (abs(x) < 0.75) & ~x.equals(0.0)
    return usable.choose(found - step, found)


def _lgamma(x: Number) -> Number:
    """In float64 where it is supported: large terms cancel between poles."""
    w, policy = x.writer, x.writer.module.policy
    if not policy.knows_chlo or dtypes.float64 not in policy.dtypes:
        return Number(w, chlo(w, "lgamma", x.name))
    return Number(w, chlo(w, "lgamma", x.converted(dtypes.float64).name)).converted(x.name.dtype)


_MENDED: Mapping[str, Callable[[Number], Number]] = {
    "sinh": _sinh, "cosh": _cosh, "tanh": _tanh, "atanh": _atanh, "log1p": log1p, "cbrt": _cbrt, "erfc": _erfc,
    "erf_inv": _erf_inv, "lgamma": _lgamma,
}


def _emission(name: str) -> Emission:
    """A function of float32 and float64; narrower floats go through float32."""

    def emission(w: Writer, operation: Operation, xs: Sequence[Name]) -> Sequence[Name]:
        if dtypes.is_complex(xs[0].dtype):
            return [w.same(_PLAIN[name], xs[0]) if name in _PLAIN else chlo(w, name, xs[0])]
        return [w.convert(_MENDED[name](Number(w, w.wide(xs[0]))).name, xs[0].dtype)]

    return emission


EMISSIONS.update({name: _emission(name) for name in _MENDED})
