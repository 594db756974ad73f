# SPDX-License-Identifier: Apache-2.0
"""The assertions of checks: each raises `Failed` with the observed and the required value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError

from .errors import Failed

Result = TypeVar("Result")


def require(holds: bool, *, observed: object, required: object, program: str | None = None) -> None:
    """Fails unless `holds`."""
    if not holds:
        raise Failed(str(observed), str(required), program)


def require_equal(observed: object, required: object, what: str) -> None:
    """Fails unless two plain values are equal."""
    require(observed == required, observed=f"{what} is {observed!r}", required=f"{what} is {required!r}")


def require_same_bits(observed: np.ndarray, required: np.ndarray, what: str, program: str | None = None) -> None:
    """Fails unless two arrays have one shape, one dtype and the same bits; NaNs may differ in their payload."""
    _require_kind(observed, required, what, program)
    bad = _raw(observed) != _raw(required)
    if not dtypes.is_bool(required.dtype) and not dtypes.is_integer(required.dtype):
        with np.errstate(invalid="ignore"):  # a signalling NaN is permitted here
            bad &= ~(np.isnan(observed) & np.isnan(required))
    require_elements(bad, observed, required, what, "the same bits", program)


def require_close(
    observed: np.ndarray, required: np.ndarray, what: str, *, ulp: float, scale: np.ndarray | float = 0.0,
    program: str | None = None,
) -> None:
    """Fails unless floats are within some units in the last place, and everything else is equal.

    Args:
        observed: The platform's result.
        required: The reference's result, of the same or a wider float type.
        what: The result's name in the message.
        ulp: The permitted error in units in the last place (ULP) of `observed`'s type.
        scale: The magnitude at which the unit is taken where it is larger than the result's own: the sum of the
            magnitudes of the terms, where they may cancel.
        program: The text of the program that was run.
    """
    if dtypes.is_bool(observed.dtype) or dtypes.is_integer(observed.dtype):
        require_same_bits(observed, required, what, program)
        return
    _require_kind(observed, required, what, program, widened=True)
    if dtypes.is_complex(observed.dtype):
        size = np.maximum(np.abs(required), scale)
        for part in ("real", "imag"):  # the unit of each part is taken at the magnitude of the complex number
            require_close(getattr(observed, part), getattr(required, part), f"{what}.{part}", ulp=ulp,
                          scale=np.where(np.isfinite(size), size, 0), program=program)
        return
    require_elements(ulp_distance(observed, required, scale) > ulp, observed, required, what,
                  f"within {ulp:g} units in the last place", program)


def ulp_distance(observed: np.ndarray, required: np.ndarray, scale: np.ndarray | float = 0.0) -> np.ndarray:
    """The distance of floats from a reference in units in the last place; infinite where their kinds differ.

    Zeros and NaNs are compared only by kind: `require_same_bits` compares signs of zeros.
    """
    import ml_dtypes

    info: Any = ml_dtypes.finfo(observed.dtype)
    wide = np.float64 if observed.dtype.itemsize <= 8 else np.longdouble
    with np.errstate(all="ignore"):
        x: Any = observed.astype(wide)
        y: Any = required.astype(wide)
        rounded = required.astype(observed.dtype).astype(wide)  # where the reference overflows the type
        size = np.maximum(np.maximum(np.abs(y), np.asarray(scale, wide)), float(info.tiny))
        size = np.where(np.isfinite(size), size, float(info.max))
        unit = np.exp2(np.floor(np.log2(size)) - info.nmant)
        distance = np.abs(x - y) / unit
        settled = (x == rounded) | (np.isnan(x) & np.isnan(y))
        return np.where(settled, 0.0, np.where(np.isnan(distance), np.inf, distance))


def require_raises(
    kinds: type[BaseException] | tuple[type[BaseException], ...], call: Callable[[], Any], what: str
) -> BaseException:
    """Fails unless a call raises one of some errors; returns the error."""
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    names = " or ".join(kind.__name__ for kind in wanted)
    try:
        result = call()
    except wanted as error:
        return error
    except Exception as error:
        raise Failed(f"{what} raised {type(error).__name__}: {error}", f"{what} raises {names}") from error
    raise Failed(f"{what} raised nothing and gave {type(result).__name__}", f"{what} raises {names}")


def require_no_error(call: Callable[[], Result], what: str) -> Result:
    """Fails if a call raises; returns its result."""
    try:
        return call()
    except Failed:
        raise
    except Exception as error:
        raise Failed(f"{what} raised {type(error).__name__}: {error}", f"{what} raises nothing") from error


def require_refusal(call: Callable[[], Any], what: str) -> None:
    """Fails unless a call is refused with `NotSupportedError`, as everything undeclared must be."""
    require_raises(NotSupportedError, call, what)


def _require_kind(
    observed: np.ndarray, required: np.ndarray, what: str, program: str | None, widened: bool = False
) -> None:
    require(observed.shape == required.shape, observed=f"{what} has shape {observed.shape}",
            required=f"shape {required.shape}", program=program)
    if not widened:
        require(observed.dtype == required.dtype, observed=f"{what} has dtype {observed.dtype}",
                required=f"dtype {required.dtype}", program=program)


def require_elements(
    bad: np.ndarray, observed: np.ndarray, required: np.ndarray, what: str, allowed: str, program: str | None = None,
    operands: Callable[[tuple[int, ...]], str] | None = None,
) -> None:
    """Fails if an element is wrong; the message shows the first one.

    Args:
        bad: Whether each element is wrong.
        observed: The platform's result.
        required: The reference's result.
        what: The result's name in the message.
        allowed: The permitted error, in words.
        program: The text of the program that was run.
        operands: Gives, for an index, what the element was made of; empty where nothing simple tells.
    """
    if not bad.any():
        return
    index = tuple(int(i) for i in np.argwhere(bad)[0]) if bad.ndim else ()
    made_of = operands(index) if operands is not None else ""
    of = f" of {made_of}" if made_of else ""
    raise Failed(
        f"{what}{list(index) if index else ''}{of} is {observed[index]!s} "
        f"({int(bad.sum())} of {bad.size} elements differ)",
        f"{required[index]!s}, {allowed}", program,
    )


def _raw(value: np.ndarray) -> np.ndarray:
    """The bits of each element, as integers that can be compared."""
    flat = np.ascontiguousarray(value).reshape(-1)
    return flat.view(f"V{value.dtype.itemsize}").reshape(value.shape)
