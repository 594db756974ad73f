# SPDX-License-Identifier: Apache-2.0
"""Collectives between processes that give wrong results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.plugin import Pending
from olympus_core.toolkit.platform import TablePlatform

from .base import After, Wrapped, arrays, build, off_by_one
from .form import broken


def results_of(what: str, change: Callable[[Wrapped, int, np.ndarray], np.ndarray]) -> TablePlatform:
    """A platform that changes the results of one method: takes the communicator, the position and the array."""

    class Changing(Wrapped):
        def changed(self, pending: Pending, name: str) -> Pending:
            if name != what:
                return pending
            positions = self.group.local_positions
            return After(pending, arrays(lambda i, array: change(self, positions[i], array)))

    return build(communicator=Changing)


broken("reduction_off_by_one", fails=["collectives/all_reduce"], says="the last element of a reduction is wrong")(
    lambda: results_of("all_reduce", lambda communicator, position, array: off_by_one(array)))


def _cut(communicator: Wrapped, position: int, array: np.ndarray) -> np.ndarray:
    array = np.array(array)
    array.reshape(-1)[(32 << 20) // array.itemsize:] = 0
    return array


broken("large_reduction_cut", fails=["collectives/all_reduce_large"],
       says="all_reduce leaves out what is beyond 32 MiB")(lambda: results_of("all_reduce", _cut))
broken("members_round_apart", fails=["collectives/all_reduce_same_bits"],
       says="members at odd positions round a sum in another way")(
    lambda: results_of("all_reduce", lambda communicator, position, array: np.nextafter(
        array, np.float32(0)) if position % 2 and array.dtype == np.float32 else array))
broken("no_nan_in_reductions", fails=["collectives/special_values"], says="all_reduce drops a NaN")(
    lambda: results_of("all_reduce", lambda communicator, position, array: np.where(
        np.isnan(array), np.float32(0), array) if array.dtype == np.float32 else array))


def _by_id(communicator: Wrapped, position: int, array: np.ndarray) -> np.ndarray:
    """Parts along the first dimension in the order of the devices' ids."""
    devices = communicator.group.devices
    if not array.ndim or array.shape[0] % len(devices):
        return array
    order = sorted(range(len(devices)), key=lambda i: devices[i].id)
    parts = np.split(array, len(devices))
    return np.concatenate([parts[i] for i in order])


broken("wrong_group_order", fails=["collectives/all_gather", "communicators/any_group"],
       says="all_gather concatenates in the order of the devices' ids")(lambda: results_of("all_gather", _by_id))
broken("all_to_all_by_id", fails=["collectives/all_to_all"],
       says="all_to_all concatenates in the order of the devices' ids")(lambda: results_of("all_to_all", _by_id))


@broken("scattered_parts_swapped", fails=["collectives/reduce_scatter"],
        says="reduce_scatter gives the parts in the wrong order")
def scattered_parts_swapped() -> TablePlatform:
    """The first member gets the last part."""

    class Swapping(Wrapped):
        def reduce_scatter(self, inputs: Any, dimension: int, reduction: Any) -> Pending:
            positions, count = self.group.local_positions, len(self.group.devices)
            return After(self.inner.all_reduce(inputs, reduction), arrays(
                lambda i, array: np.split(array, count, dimension)[count - 1 - positions[i]]))

    return build(communicator=Swapping)


@broken("permute_gap_not_zero", fails=["collectives/permute"], says="who is no target of permute keeps his own buffer")
def permute_gap_not_zero() -> TablePlatform:
    """As where nothing is sent and nothing is written."""

    class Keeping(Wrapped):
        def permute(self, inputs: Any, pairs: Sequence[tuple[int, int]]) -> Pending:
            positions, targets = self.group.local_positions, {target for _, target in pairs}
            return After(self.inner.permute(inputs, pairs), arrays(
                lambda i, array: array if positions[i] in targets else inputs[i].to_host()))

    return build(communicator=Keeping)


@broken("broadcast_from_first", fails=["collectives/broadcast"], says="broadcast takes the first member's buffer")
def broadcast_from_first() -> TablePlatform:
    """Whoever the source is."""

    class First(Wrapped):
        def broadcast(self, inputs: Any, source: int) -> Pending:
            return self.inner.broadcast(inputs, 0)

    return build(communicator=First)


@broken("exchange_by_source", fails=["collectives/exchange"],
        says="exchange gives the results in the order of their sources")
def exchange_by_source() -> TablePlatform:
    """Instead of that of `receives`."""

    class Sorted(Wrapped):
        def exchange(self, sends: Any, receives: Any) -> Pending:
            return self.inner.exchange(sends, sorted(receives, key=lambda r: r.source))

    return build(communicator=Sorted)


@broken("reduces_in_place", fails=["collectives/inputs_untouched"], says="all_reduce writes to its inputs")
def reduces_in_place() -> TablePlatform:
    """The result takes the input's memory."""

    class InPlace(Wrapped):
        def all_reduce(self, inputs: Any, reduction: Any) -> Pending:
            def change(buffers: list[Any]) -> list[Any]:
                for source, result in zip(inputs, buffers, strict=True):
                    source.array = result.array
                return buffers

            return After(self.inner.all_reduce(inputs, reduction), change)

    return build(communicator=InPlace)
