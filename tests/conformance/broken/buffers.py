# SPDX-License-Identifier: Apache-2.0
"""Buffers and copies that are wrong in one way."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import DeletedError
from olympus_core.plugin import Device
from olympus_core.toolkit.arrays import ArrayBuffer
from olympus_core.toolkit.platform import TableClient, TablePlatform

from .base import build
from .form import broken

Change = Callable[[np.ndarray], np.ndarray]


def putting(change: Change) -> TablePlatform:
    """A platform whose buffers hold something else than they are made of."""

    def put(self: Any, value: np.ndarray, device: Device) -> Any:
        made = TableClient.buffer_from_host(self, value, device)  # refuses what it must
        made.array = change(value)
        return made

    return build(client={"buffer_from_host": put})


def copying(change: Change) -> TablePlatform:
    """A platform whose copies are not quite the same."""
    return build(buffer={"copy_to": lambda self, device: type(self)(change(self.array), device, self._read)})


def _delete_and_clear(self: Any) -> None:
    with suppress(DeletedError):  # once is enough
        if self.array.flags.writeable:
            self.array[...] = 0
    ArrayBuffer.delete(self)


def _unsigned(array: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):  # a signalling NaN
        return np.where(array == 0, array.dtype.type(0), array)


broken("positive_zeros", fails=["buffers/round_trip"], says="negative zero becomes zero on the way in",
       also=("copies/same_bits",))(
    lambda: putting(_unsigned))
broken("undeclared_dtype_accepted", fails=["buffers/round_trip"],
       says="it takes element types that it does not declare, as float32")(
    lambda: build(client={"buffer_from_host": lambda self, value, device: TableClient.buffer_from_host(
        self, value if value.dtype in self.capabilities.dtypes else value.astype(np.float32), device)}))
broken("order_of_memory", fails=["buffers/layouts"], says="it takes elements in the order of the host's memory",
       also=("buffers/host_may_change",))(
    lambda: putting(lambda x: np.array(x.ravel(order="K")).reshape(x.shape)))
broken("host_value_aliased", fails=["buffers/host_may_change"], says="it keeps the host's array instead of a copy",
       also=("buffers/*", "copies/*"))(
    lambda: putting(np.ascontiguousarray))
broken("to_host_writable", fails=["buffers/to_host_is_safe"], says="it hands out its memory, open to writing",
       also=("buffers/deleted_is_unreadable",))(
    lambda: build(buffer={"to_host": lambda self: self.array}))
broken("delete_clears", fails=["buffers/host_outlives"], says="delete clears memory that was handed out",
       also=("copies/independent",))(
    lambda: build(buffer={"delete": _delete_and_clear}))
broken("copies_alias_deletion", fails=["copies/independent"], says="copies share memory that delete clears",
       also=("buffers/host_outlives",))(
    lambda: build(buffer={"delete": _delete_and_clear}))
broken("shape_is_a_list", fails=["buffers/metadata"], says="shapes are lists", also=("buffers/*", "copies/*"))(
    lambda: build(buffer={"shape": property(lambda self: list(self.array.shape))}))
broken("delete_does_nothing", fails=["buffers/deleted_is_unreadable"], says="delete does nothing")(
    lambda: build(buffer={"delete": lambda self: None}))


@broken("delete_clears_another", fails=["buffers/delete_leaves_others"], says="delete clears what was made last",
        also=("buffers/*", "copies/*"))
def delete_clears_another() -> TablePlatform:
    """As where a free list is wrong by one."""
    made: list[np.ndarray] = []

    def put(self: Any, value: np.ndarray, device: Device) -> Any:
        buffer = TableClient.buffer_from_host(self, value, device)
        buffer.array = np.array(value, order="C")
        made.append(buffer.array)
        return buffer

    def delete(self: Any) -> None:
        made[-1][...] = 0

    return build(client={"buffer_from_host": put}, buffer={"delete": delete})


@broken("leaked_memory", fails=["memory/buffers_returned"], says="it keeps every buffer's memory")
def leaked_memory() -> TablePlatform:
    """In a list that nobody reads."""

    def put(self: Any, value: np.ndarray, device: Device) -> Any:
        made = TableClient.buffer_from_host(self, value, device)
        self.kept.append(made.array)
        return made

    return build(client={"buffer_from_host": put})


@broken("leaked_copies", fails=["memory/copies_returned"], says="it keeps every copy's memory")
def leaked_copies() -> TablePlatform:
    """In a list that nobody reads."""
    kept: list[np.ndarray] = []

    def copy(array: np.ndarray) -> np.ndarray:
        kept.append(array.copy())
        return kept[-1]

    return copying(copy)


broken("copies_lose_the_end", fails=["copies/same_bits"], says="the last element of a copy is the first",
       also=("copies/*",))(
    lambda: copying(
        lambda x: np.concatenate([x.reshape(-1)[:-1], x.reshape(-1)[:1]]).reshape(x.shape) if x.size else x))


@broken("copies_of_copies", fails=["copies/around"], says="a copy of a copy is all zeros")
def copies_of_copies() -> TablePlatform:
    """As where a copy's memory is known to its first reader only."""

    def copy(self: Any, device: Device) -> Any:
        made = type(self)(np.zeros_like(self.array) if vars(self) else self.array, device, self._read)
        made.is_copy = True
        return made

    return build(buffer={"copy_to": copy})


def exchanging(change: Change, **more: Any) -> TablePlatform:
    """A platform whose buffers have the exchange protocol."""
    methods = {"__dlpack__": lambda self, **options: change(self.array).__dlpack__(**options),
               "__dlpack_device__": lambda self: (1, 0), **more}
    return build(buffer=methods, declared={"dlpack": True})


broken("dlpack_conjugates", fails=["dlpack/same_bits"], says="complex numbers are handed out conjugated",
       also=("dlpack/*",))(
    lambda: exchanging(lambda x: np.asarray(np.conj(x)) if dtypes.is_complex(x.dtype) else x))
broken("dlpack_dies", fails=["dlpack/outlives"], says="delete clears what was handed out through DLPack",
       also=("dlpack/*", "buffers/host_outlives", "copies/independent"))(
    lambda: exchanging(lambda x: x, delete=_delete_and_clear))
broken("dlpack_writable", fails=["dlpack/content_stays"],
       says="it hands out its memory through DLPack, open to writing")(
    lambda: exchanging(lambda x: x))
