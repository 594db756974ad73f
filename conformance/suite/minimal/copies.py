# SPDX-License-Identifier: Apache-2.0
"""Copies between the devices of one client."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes

from ...checks import require, require_equal, require_same_bits
from ...context import Context
from ...requirement import Case, requirement
from .buffers import any_bits


@requirement(
    "copies/same_bits",
    "`copy_to` MUST give a buffer on the other device with the same shape, element type and bits.",
    why="Arrays are put together from the pieces of all devices.",
    profile="minimal",
    cases=[Case(str(d), {"dtype": d}, needs=(f"dtype:{d}", "devices:2")) for d in dtypes.ALL],
)
def same_bits(context: Context, dtype: np.dtype) -> None:
    """From every device to every other, in several shapes."""
    for source in context.devices:
        for shape in ((), (0, 3), (5, 7), (33, 65)):
            value = any_bits(context, shape, dtype)
            buffer = context.put(value, source)
            for target in context.devices:
                if target is source:
                    continue
                copy = buffer.copy_to(target)
                require(copy.device is target, observed=f"the copy's device is {copy.device!r}", required=repr(target))
                require_equal(copy.shape, shape, "the copy's shape")
                require_equal(copy.dtype, dtype, "the copy's dtype")
                require_same_bits(copy.to_host(), value, f"{dtype}{list(shape)} copied from {source} to {target}")
            require(buffer.device is source, observed=f"the source's device is {buffer.device!r} after the copies",
                    required=repr(source))
            require_same_bits(buffer.to_host(), value, f"the source {dtype}{list(shape)} after the copies")


@requirement(
    "copies/independent",
    "A copy and its source MUST each keep its content when the other one is deleted.",
    why="The runtime deletes a source as soon as it has the copy.",
    profile="minimal",
    cases=[Case("source_deleted", {"delete_source": True}, needs=("devices:2",)),
           Case("copy_deleted", {"delete_source": False}, needs=("devices:2",))],
)
def independent(context: Context, delete_source: bool) -> None:
    """Copies of several sizes, and new buffers in the memory of deleted ones."""
    source, target = context.need_devices(2)
    for size in (1, 100, 100_000):
        value = context.random.integers(-1000, 1000, size).astype(np.int32)
        buffer = context.put(value, source)
        copy = buffer.copy_to(target)
        gone, kept, what = (buffer, copy, "a copy") if delete_source else (copy, buffer, "a source")
        gone.delete()
        others = [context.put(np.full(size, 7, np.int32), d) for d in (source, target) for _ in range(4)]
        require_same_bits(kept.to_host(), value, f"{what} whose partner is deleted")
        for other in others:
            other.delete()


@requirement(
    "copies/around",
    "A buffer that is copied through all devices and back MUST come back with the same bits.",
    why="Resharding moves a piece several times.",
    profile="minimal",
    cases=[Case(needs=("devices:2",))],
)
def around(context: Context) -> None:
    """Three times around, every intermediate copy dropped at once."""
    value = context.random.standard_normal((65, 33)).astype(np.float32)
    buffer = context.put(value)
    for _ in range(3):
        for device in (*context.devices[1:], context.devices[0]):
            buffer = buffer.copy_to(device)
    require_same_bits(buffer.to_host(), value, "what went around")
