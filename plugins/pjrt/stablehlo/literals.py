# SPDX-License-Identifier: Apache-2.0
"""Types and constants in StableHLO's syntax."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError
from olympus_core.program import ArrayType

_NAMES: dict[np.dtype, str] = {
    dtypes.bool_: "i1", dtypes.float16: "f16", dtypes.bfloat16: "bf16", dtypes.float32: "f32", dtypes.float64: "f64",
    dtypes.float8_e4m3fn: "f8E4M3FN", dtypes.float8_e5m2: "f8E5M2",
    dtypes.complex64: "complex<f32>", dtypes.complex128: "complex<f64>",
    **{d: f"i{8 * d.itemsize}" for d in dtypes.SIGNED}, **{d: f"ui{8 * d.itemsize}" for d in dtypes.UNSIGNED},
}
# Constants of up to this many elements are written as decimals, larger ones as bytes.
_LONGEST_DECIMAL = 16


@lru_cache(maxsize=8192)
def type_text(type: ArrayType) -> str:
    """The type of a value."""
    if not all(isinstance(n, int) for n in type.shape):
        raise NotSupportedError(f"A StableHLO module of symbolic dimensions ({type})", "its sizes are numbers",
                                "Export the function for arguments of certain sizes.")
    return f"tensor<{''.join(f'{n}x' for n in type.shape)}{_NAMES[type.dtype]}>"


def types_text(types: Sequence[ArrayType]) -> str:
    """The types of several values."""
    return f"({', '.join(map(type_text, types))})"


def results_text(types: Sequence[ArrayType]) -> str:
    """The types of an operation's results: without parentheses where there is one."""
    return type_text(types[0]) if len(types) == 1 else types_text(types)


def integers(values: Iterable[int]) -> str:
    """A list of integers, as most attributes are written."""
    inside = ", ".join(map(str, values))
    return f"array<i64: {inside}>" if inside else "array<i64>"


def table(rows: Sequence[Sequence[int]]) -> str:
    """A matrix of integers, as replica groups are written."""
    inside = ", ".join(f"[{', '.join(map(str, row))}]" for row in rows)
    return f"dense<[{inside}]> : tensor<{len(rows)}x{len(rows[0])}xi64>"


def dense(value: np.ndarray) -> str:
    """A dense literal of any array but one of several bools; equal elements are written once."""
    if value.size == 0:
        return "dense<>"
    if value.size > 1 and _is_splat(value):
        value = value.reshape(-1)[:1].reshape(())
    if value.dtype == dtypes.bool_ or (value.size <= _LONGEST_DECIMAL and _is_plain(value)):
        return f"dense<{_elements(value)}>"
    return f'dense<"0x{_little(value).tobytes().hex().upper()}">'


def _is_splat(value: np.ndarray) -> bool:
    """Whether all elements have the same bits; a broadcast array is recognized by its strides."""
    if all(stride == 0 or size == 1 for stride, size in zip(value.strides, value.shape, strict=True)):
        return True
    words = np.ascontiguousarray(value).reshape(-1).view(f"u{min(value.dtype.itemsize, 8)}")
    parts = words.reshape(value.size, -1)  # complex128 has two words
    return bool((parts[-1] == parts[0]).all()) and all(bool((part == part[0]).all()) for part in parts.T)


def _is_plain(value: np.ndarray) -> bool:
    """Whether decimals represent all elements exactly."""
    if value.dtype.kind in "iu":
        return True
    return dtypes.is_float(value.dtype) and bool(np.isfinite(value.astype(np.float64)).all())


def _elements(value: np.ndarray) -> str:
    if value.ndim:
        return "[" + ", ".join(_elements(np.asarray(row)) for row in value) + "]"
    return _number(value[()])


def _number(x: Any) -> str:
    if isinstance(x, np.bool_):
        return "true" if x else "false"
    if isinstance(x, np.integer):
        return str(int(x))
    text = repr(float(x))
    whole, mark, exponent = text.partition("e")
    return f"{whole if '.' in whole else whole + '.0'}{mark}{exponent}"


def _little(value: np.ndarray) -> np.ndarray:
    native = np.ascontiguousarray(value)
    return native.astype(native.dtype.newbyteorder("<")) if native.dtype.kind in "iufc" else native
