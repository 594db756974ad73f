# SPDX-License-Identifier: Apache-2.0
"""Values in a device's memory as operation tables take them, and the table whose operations all run on the host."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from olympus_core.ops import OPERATIONS
from olympus_core.program import ArrayType, Operation

from .optable import Kernel, OperationTable
from .quiet import quietly

Array = TypeVar("Array", bound="DeviceArray")


class DeviceArray:
    """A value in memory: base of a platform's class, which adds `of_host`, `to_host` and `__getitem__`.

    ``array[i, ...]`` is a copy of a part: kernels rely on the alignment of allocations.

    Args:
        allocation: Its memory.
        type: Its shape and element type.

    Example:
        >>> array = DeviceArray("memory", ArrayType((2, 3), "float32"))
        >>> array.reshape(-1).shape, array.view(np.dtype("int8")).shape
        ((6,), (24,))
    """

    __slots__ = ("allocation", "type")

    def __init__(self, allocation: Any, type: ArrayType) -> None:
        self.allocation, self.type = allocation, type

    @property
    def shape(self) -> tuple[int, ...]:
        """Sizes of the dimensions."""
        return self.type.shape

    @property
    def dtype(self) -> np.dtype:
        """Type of the elements."""
        return self.type.dtype

    def reshape(self: Array, *shape: Any) -> Array:
        """The same memory in another shape."""
        sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
        return self.seen_as(ArrayType((self.type.size,) if sizes == (-1,) else sizes, self.type.dtype))

    def view(self: Array, dtype: np.dtype) -> Array:
        """The same memory as a one-dimensional array of another element type."""
        return self.seen_as(ArrayType((self.type.nbytes // dtype.itemsize,), dtype))

    def seen_as(self: Array, type: ArrayType) -> Array:
        """The same memory as another type."""
        return self.__class__(self.allocation, type)


class _HostTable(OperationTable):
    __slots__ = ()

    def kernel(self, operation: Operation) -> Kernel:
        made = OperationTable.kernel(self, operation)
        if operation.record.category == "host":  # callbacks take arrays of the host
            return made
        return Kernel(self._on_host(made), is_tuple=made.is_tuple)

    def _on_host(self, made: Kernel) -> Callable[..., Any]:
        def run(*operands: Any) -> Any:
            result = made.function(*map(self.to_host, operands))
            return tuple(map(self.from_host, result)) if made.is_tuple else self.from_host(result)

        return run


def table_on_host(arrays: Any, stack: Callable[[ArrayType], Any] | None = None) -> OperationTable:
    """A table of every operation by its reference: operands are brought to the host, and results are a device's arrays.

    Args:
        arrays: The class of the platform's arrays, with ``of_host(array)`` and ``to_host()``.
        stack: As a table's.

    Returns:
        What a platform takes that generates kernels and has no functions besides.
    """
    functions = {name: record.reference for name, record in OPERATIONS.items() if record.reference is not None}

    def to_host(value: Any) -> np.ndarray:
        host: np.ndarray = value.to_host() if isinstance(value, arrays) else np.asarray(value)
        return host

    return _HostTable(functions, from_host=arrays.of_host, to_host=to_host, guard=quietly, stack=stack)
