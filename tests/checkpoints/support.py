# SPDX-License-Identifier: Apache-2.0
"""What the tests of checkpoints share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
from olympus.random import key_data


def need_tensorstore() -> Any:
    """The library; skips a file's tests where it is not installed."""
    return pytest.importorskip("tensorstore", reason="needs TensorStore, the extra 'checkpoints'")


def same(first: Any, second: Any) -> bool:
    """Whether two trees are equal, with the types of everything and bit by bit."""
    if type(first) is not type(second):
        return False
    if isinstance(first, olympus.Array) and olympus.dtypes.issubdtype(first.dtype, olympus.dtypes.prng_key):
        return same(np.asarray(key_data(first)), np.asarray(key_data(second)))
    if isinstance(first, dict):
        return list(first) == list(second) and all(same(first[k], second[k]) for k in first)
    if isinstance(first, (tuple, list)):
        return len(first) == len(second) and all(same(a, b) for a, b in zip(first, second, strict=True))
    if hasattr(first, "dtype"):
        a, b = np.asarray(first), np.asarray(second)
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes() and (
            getattr(first, "weak_type", None) == getattr(second, "weak_type", None))
    return repr(first) == repr(second)
