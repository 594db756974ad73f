"""What checks are made of: each raises `Failed` with what was observed and what is required."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
        with np.errstate(invalid="ignore"):  # a signalling NaN is no mistake here
            bad &= ~(np.isnan(observed) & np.isnan(required))
    require_elements(bad, observed, required, what, "the same bits", program)


def require_close(
    observed: np.ndarray, required: np.ndarray, what: str, *, ulp: float, scale: np.ndarray | float = 0.0,
    program: str | None = None,
) -> None:
    """Fails unless floats are within some units in the last place, and everything else is equal.

    Args:
        observed: The platform's result.
        required: The reference's; of the same or of a wider float type.
        what: Its name in the message.
        ulp: How many units in the last place of `observed`'s type are allowed.
        scale: The size whose last place counts where it is larger than the result's own: the sum of the sizes of what
            was added, where terms may cancel.
        program: The text of the program that was run.
    """
    if dtypes.is_bool(observed.dtype) or dtypes.is_integer(observed.dtype):
        require_same_bits(observed, required, what, program)
        return
    _require_kind(observed, required, what, program, widened=True)
    if dtypes.is_complex(observed.dtype):
        size = np.maximum(np.abs(required), scale)
        for part in ("real", "imag"):  # each part is measured by the size of the complex number
            require_close(getattr(observed, part), getattr(required, part), f"{what}.{part}", ulp=ulp,
                          scale=np.where(np.isfinite(size), size, 0), program=program)
        return
    require_elements(ulp_distance(observed, required, scale) > ulp, observed, required, what,
                  f"within {ulp:g} units in the last place", program)


def ulp_distance(observed: np.ndarray, required: np.ndarray, scale: np.ndarray | float = 0.0) -> np.ndarray:
    """How far floats are from a reference, in units in the last place of their own type; infinite where kinds differ.

    Of zeros and NaNs only the kind counts: signs of zeros are the business of `require_same_bits`.
    """
    import ml_dtypes

    info: Any = ml_dtypes.finfo(observed.dtype)
    wide = np.float64 if observed.dtype.itemsize <= 8 else np.longdouble
    with np.errstate(all="ignore"):
        x: Any = observed.astype(wide)
        y: Any = required.astype(wide)
        rounded = required.astype(observed.dtype).astype(wide)  # where the reference is too large for the type
        size = np.maximum(np.maximum(np.abs(y), np.asarray(scale, wide)), float(info.tiny))
        size = np.where(np.isfinite(size), size, float(info.max))
        unit = np.exp2(np.floor(np.log2(size)) - info.nmant)
        distance = np.abs(x - y) / unit
        settled = (x == rounded) | (np.isnan(x) & np.isnan(y))
        return np.where(settled, 0.0, np.where(np.isnan(distance), np.inf, distance))


def require_raises(
    kinds: type[BaseException] | tuple[type[BaseException], ...], call: Callable[[], Any], what: str
) -> BaseException:
    """Fails unless a call raises one of some errors; gives the error."""
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
    """Fails if a call raises where nothing may be wrong; gives its result."""
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
    operands: Sequence[np.ndarray] = (),
) -> None:
    """Fails where an element is bad, and shows the first one.

    Args:
        bad: Which elements are.
        observed: The platform's result.
        required: The reference's.
        what: The result's name in the message.
        allowed: How near it has to be, in words.
        program: The text of the program that was run.
        operands: What the result was made of index by index, if it was.
    """
    if not bad.any():
        return
    index = tuple(int(i) for i in np.argwhere(bad)[0]) if bad.ndim else ()
    of = f" of {', '.join(str(x[index]) for x in operands)}" if operands else ""
    raise Failed(
        f"{what}{list(index) if index else ''}{of} is {observed[index]!s} "
        f"({int(bad.sum())} of {bad.size} elements differ)",
        f"{required[index]!s}, {allowed}", program,
    )


def _raw(value: np.ndarray) -> np.ndarray:
    """The bits of each element, as something that can be compared."""
    flat = np.ascontiguousarray(value).reshape(-1)
    return flat.view(f"V{value.dtype.itemsize}").reshape(value.shape)
