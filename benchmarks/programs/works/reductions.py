# SPDX-License-Identifier: Apache-2.0
"""Sums and the programs of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .chains import operands
from .side import Side, Work

_MOST_CHECKED, _CHECKED = 1 << 24, 64  # numbers of which all are compared; rows or columns of larger arrays


def _softmax(np: Any, x: Any) -> Any:
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def _layernorm(np: Any, x: Any) -> Any:
    centred = x - np.mean(x, axis=-1, keepdims=True)
    return centred / np.sqrt(np.mean(centred * centred, axis=-1, keepdims=True) + 1e-5)


def _logsumexp(np: Any, x: Any) -> Any:
    top = np.max(x, axis=-1, keepdims=True)
    return np.log(np.sum(np.exp(x - top), axis=-1)) + np.squeeze(top, axis=-1)


REDUCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sum_sin": lambda np, x: np.sum(np.sin(x)),
    "softmax": _softmax,
    "layernorm": _layernorm,
    "logsumexp": _logsumexp,
    "sum_axis0": lambda np, x: np.sum(x, axis=0),
    "sum_axis1": lambda np, x: np.sum(x, axis=1),
}


def reduction(side: Side, which: str, shape: list[int]) -> Work:
    """One reduction of float32 numbers; the truth is computed in float64."""
    formula = REDUCTIONS[which]
    data = operands(1, int(np.prod(shape)), "float32")[0].reshape(shape)
    f = side.jit(lambda x: formula(side.np, x))
    # NumPy adds the columns one after the other in float32: its own error is the widest.
    tolerance = 1e-3 if which == "sum_sin" else 1e-4
    # Of many rows, or columns, the first ones tell enough.
    part = slice(_CHECKED if data.size > _MOST_CHECKED and which != "sum_sin" else None)
    checked = data[:, part] if which == "sum_axis0" else data[part]
    return Work("f(x)", {"f": f, "x": side.put(data)}, lambda: formula(np, checked.astype(np.float64)), tolerance,
                read=lambda r: side.host(r[part]) if part.stop else side.host(r))
