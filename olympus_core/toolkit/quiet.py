# SPDX-License-Identifier: Apache-2.0
"""Running NumPy without its floating-point warnings, at the price of a function call."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

# Since NumPy 2 the error state is a context variable; before, it belonged to the thread.
_STATE_IS_IN_CONTEXT = int(np.__version__.split(".")[0]) >= 2


class _Local(threading.local):
    def __init__(self) -> None:
        self.context = contextvars.Context()
        self.context.run(np.seterr, all="ignore")
        self.is_busy = False


_local = _Local() if _STATE_IS_IN_CONTEXT else None


def quietly(function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls a function with NumPy's warnings off.

    `np.errstate` costs more than a small operation; entering a context that is kept for this costs a
    twentieth. The function sees no context variables of the caller: not for code of the user's.

    Example:
        >>> float(quietly(np.divide, np.float32(1), np.float32(0)))
        inf
    """
    local = _local
    if local is None or local.is_busy:
        return quietly_in_caller_context(function, *arguments)
    local.is_busy = True
    try:
        return local.context.run(function, *arguments)
    finally:
        local.is_busy = False


def quietly_in_caller_context(function: Callable[..., Any], *arguments: Any) -> Any:
    """Like `quietly`, in the caller's context: for functions that may call back into user code."""
    with np.errstate(all="ignore"):
        return function(*arguments)
