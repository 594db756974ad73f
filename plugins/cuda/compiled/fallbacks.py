# SPDX-License-Identifier: Apache-2.0
"""Fallbacks: operations without a kernel run as their references on the host; a log names each location once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np

from olympus_core.ops import OPERATIONS
from olympus_core.program import Operation
from olympus_core.toolkit import Kernel, OperationTable, quietly
from olympus_core.toolkit.fallbacks import FallbackLog

from ..buffer import DeviceArray, Stack

note_fallback = FallbackLog(logging.getLogger("olympus.cuda"), "the host")


def to_host(array: Any) -> np.ndarray:
    """A value as a NumPy array."""
    return array.to_host() if isinstance(array, DeviceArray) else np.asarray(array)


class DeviceTable(OperationTable):
    """The operation table: every operation by its reference, with operands downloaded and results uploaded on use."""

    __slots__ = ()

    def kernel(self, operation: Operation) -> Kernel:
        """The function of an operation; host callbacks take and return host arrays."""
        made = OperationTable.kernel(self, operation)
        if operation.record.category == "host":
            return made
        return Kernel(_on_host(made.function, made.is_tuple), is_tuple=made.is_tuple)


def device_table() -> DeviceTable:
    """The table of the CUDA platform."""
    functions = {name: record.reference for name, record in OPERATIONS.items() if record.reference is not None}
    return DeviceTable(functions, from_host=DeviceArray.of_host, to_host=to_host, guard=quietly, stack=Stack)


def _on_host(function: Callable[..., Any], is_tuple: bool) -> Callable[..., Any]:
    def run(*operands: Any) -> Any:
        result = function(*map(to_host, operands))
        return tuple(map(DeviceArray.of_host, result)) if is_tuple else DeviceArray.of_host(result)

    return run
