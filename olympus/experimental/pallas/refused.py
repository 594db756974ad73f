# SPDX-License-Identifier: Apache-2.0
"""What the peer's kernel language has and olympus has not: each is an error that says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from olympus_core.errors import NotSupportedError

_CORES = "kernels run on a device as a whole, not on its cores one by one"
_REASONS = {
    "core_map": _CORES, "kernel": _CORES, "get_global": _CORES,
    "semaphore": _CORES, "semaphore_read": _CORES, "semaphore_signal": _CORES, "semaphore_wait": _CORES,
    "delay": "steps do not overlap",
    "select_ref": "which reference is meant is known when a kernel is traced",
    "lower_as_mlir": "kernels do not become MLIR",
    "enable_debug_checks": "checks count where olympus.experimental.checkify.checkify is around them",
    "enable_poison_buffers": "scratch always holds NaN, or the least integer, at first",
    "pallas_export_experimental": "kernels are exported as any program is",
}


def _refusing(name: str, reason: str) -> Callable[..., NoReturn]:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise NotSupportedError(f"pallas.{name}", reason, "Write the kernel for pallas_call without it.")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"""Refused: {reason}.

    Args:
        *args: Any.
        **kwargs: Any.

    Raises:
        NotSupportedError: Always.
    """
    return refuse


core_map, kernel, get_global, semaphore, semaphore_read, semaphore_signal, semaphore_wait, delay, select_ref, \
    lower_as_mlir, enable_debug_checks, enable_poison_buffers, pallas_export_experimental = (
        _refusing(name, reason) for name, reason in _REASONS.items())

__all__ = list(_REASONS)
