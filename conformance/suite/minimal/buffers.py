# SPDX-License-Identifier: Apache-2.0
"""Buffers: what is put on a device is what is read back."""

from __future__ import annotations

import numpy as np

from olympus_core import dtypes

from ...checks import require, require_equal, require_raises, require_refusal, require_same_bits
from ...context import Context
from ...requirement import Case, requirement
from ...samples.values import specials

SHAPES = ((), (0,), (1,), (7,), (3, 5), (2, 0, 4), (2, 3, 5, 7), (1023, 65))


def any_bits(context: Context, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Any bits at all, but for bools, of which there are two; large arrays begin with special numbers."""
    size = int(np.prod(shape)) * dtype.itemsize
    raw = np.frombuffer(context.random.bytes(size), np.uint8)
    if dtypes.is_bool(dtype):
        raw = raw & np.uint8(1)
    values = raw.view(dtype).copy()
    if values.size > 100:
        special = specials(dtype)
        values[: special.size] = special
    return values.reshape(shape)


def _refused(context: Context, dtype: np.dtype) -> None:
    require_refusal(lambda: context.put(np.zeros(3, dtype)), f"buffer_from_host of {dtype}")


@requirement(
    "buffers/round_trip",
    "A buffer MUST hand back, bit for bit, what it was made of, for every declared element type and every shape.",
    why="Everything else is checked by reading results back.",
    profile="minimal",
    cases=[
        Case(str(dtype), {"dtype": dtype}, needs=(f"dtype:{dtype}",)) for dtype in dtypes.ALL
    ],
    refusal=_refused,
)
def round_trip(context: Context, dtype: np.dtype) -> None:
    """Random bits in every shape, on every device."""
    for device in context.devices:
        for shape in SHAPES:
            value = any_bits(context, shape, dtype)
            buffer = context.put(value, device)
            require_equal(buffer.shape, shape, "the buffer's shape")
            require_equal(buffer.dtype, dtype, "the buffer's dtype")
            require(buffer.device is device, observed=f"the buffer's device is {buffer.device!r}",
                    required=repr(device))
            require_same_bits(buffer.to_host(), value, f"what {dtype}{list(shape)} on {device} gives back")


def _layouts(value: np.ndarray) -> dict[str, np.ndarray]:
    """The same numbers as arrays of every layout in memory."""
    rows, columns = value.shape
    spread = np.zeros((2 * rows, 3 * columns), value.dtype)[::2, ::3]
    spread[...] = value
    apart = np.zeros(value.nbytes + 1, np.uint8)[1:].view(value.dtype).reshape(value.shape)
    apart[...] = value
    locked = value.copy()
    locked.flags.writeable = False
    return {
        "row_major": value, "column_major": np.asfortranarray(value), "transposed": value.T, "strided": spread,
        "backwards": value[::-1, ::-1], "broadcast": np.broadcast_to(value[:1], (5, columns)), "locked": locked,
        "unaligned": apart, "part": value[1:3, 2:], "of_bytes": np.frombuffer(value.tobytes(), value.dtype),
        "empty_part": value[1:1], "no_dimensions": value[2, 3, ...],
    }


LAYOUTS = tuple(_layouts(np.zeros((5, 7), np.float32)))


@requirement(
    "buffers/layouts",
    "A buffer MUST hold the elements of the host array in their order, however they lie in the host's memory.",
    why="Arrays of users are transposed, sliced, reversed, locked and broadcast.",
    profile="minimal",
    cases=[Case(layout, {"layout": layout}) for layout in LAYOUTS],
)
def layouts(context: Context, layout: str) -> None:
    """On every device, for elements of several widths."""
    for dtype in context.capabilities.dtypes & {dtypes.bool_, dtypes.int32, dtypes.float32, dtypes.complex128}:
        value = _layouts(any_bits(context, (5, 7), dtype))[layout]
        before = value.tobytes()
        for device in context.devices:
            buffer = context.put(value, device)
            require_equal(buffer.shape, value.shape, f"the shape of a buffer of {layout} {dtype}")
            require_same_bits(buffer.to_host(), value, f"the buffer of {layout} {dtype}")
        require_equal(value.tobytes() == before, True, "that the host array is what it was")


@requirement(
    "buffers/host_may_change",
    "A buffer MUST NOT show what is written to the host array after it was made.",
    why="Programs fill the same host array with batch after batch.",
    profile="minimal",
    cases=[Case(kind, {"kind": kind}) for kind in (
        "whole", "view", "locked_view", "locked_memory", "column_major", "one_number")],
)
def host_may_change(context: Context, kind: str) -> None:
    """Sizes from one element to more than a page, written over right after."""
    for size in (1, 3, 64, 1000, 300_000):
        memory = context.random.integers(0, 1000, (2, size)).astype(np.int32)
        view = {"whole": memory, "view": memory[:, : size // 2 + 1], "locked_view": memory[:], "one_number":
                memory[0, 0, ...], "column_major": memory.T,
                "locked_memory": np.frombuffer(memoryview(memory.data).toreadonly(), np.int32)}[kind]
        if kind == "locked_view":
            view.flags.writeable = False
        wanted = view.copy()
        buffers = [context.put(view, device) for device in context.devices]
        memory[...] = -1
        for buffer in buffers:
            require_same_bits(buffer.to_host(), wanted, f"a buffer of {size} columns after the host's array changed")


@requirement(
    "buffers/to_host_is_safe",
    "The content of a buffer MUST NOT change through the array that `to_host` gives: the array is locked, or a copy.",
    why="A buffer never changes; other arrays may share it.",
    profile="minimal",
)
def to_host_is_safe(context: Context) -> None:
    """Writes to the array where that is possible at all."""
    for shape in ((), (5,), (100, 33)):
        value = np.asarray(context.random.integers(0, 100, shape)).astype(np.int32)
        buffer = context.put(value)
        host = buffer.to_host()
        require(isinstance(host, np.ndarray), observed=f"to_host gave a {type(host).__name__}",
                required="a NumPy array")
        if host.flags.writeable:
            host[...] = -1
        require_same_bits(buffer.to_host(), value, "the buffer after its host array was written to")


@requirement(
    "buffers/host_outlives",
    "An array that `to_host` gave MUST keep its content after the buffer is deleted.",
    why="Users keep results and drop what they came from.",
    profile="minimal",
)
def host_outlives(context: Context) -> None:
    """New buffers reuse the memory of deleted ones."""
    for size in (1, 100, 100_000):
        value = context.random.integers(0, 100, size).astype(np.int32)
        buffer = context.put(value)
        host = buffer.to_host()
        buffer.delete()
        others = [context.put(np.full(size, -1, np.int32)) for _ in range(4)]
        require_same_bits(host, value, "an array read from a buffer that was deleted since")
        for other in others:
            other.delete()


@requirement(
    "buffers/metadata",
    "A buffer MUST have a shape that is a tuple of integers, a NumPy dtype, and a readiness that is a bool, "
    "true after `block_until_ready`.",
    why="The runtime asks for them before it reads anything.",
    profile="minimal",
)
def metadata(context: Context) -> None:
    """Kinds of all properties."""
    for shape in SHAPES:
        buffer = context.put(np.zeros(shape, np.float32))
        kind = type(buffer.shape)
        require(kind is tuple and all(type(n) is int for n in buffer.shape), observed=f"the shape is {buffer.shape!r}",
                required="a tuple of integers")
        require(isinstance(buffer.dtype, np.dtype), observed=f"the dtype is {buffer.dtype!r}", required="a numpy.dtype")
        require(isinstance(buffer.is_ready(), bool), observed=f"is_ready gave {buffer.is_ready()!r}",
                required="True or False")
        buffer.block_until_ready()
        require_equal(buffer.is_ready(), True, "is_ready after block_until_ready")


@requirement(
    "buffers/delete_leaves_others",
    "`delete` MUST NOT change any other buffer.",
    why="The memory that is given back is given out again.",
    profile="minimal",
)
def delete_leaves_others(context: Context) -> None:
    """Every second one is deleted and made anew, some times over."""
    for size in (1, 1000, 50_000):
        values = [np.full(size, i, np.int32) for i in range(16)]
        buffers = [context.put(x, context.devices[i % len(context.devices)]) for i, x in enumerate(values)]
        for iteration in range(3):
            for i in range(iteration % 2, 16, 2):
                buffers[i].delete()
                values[i] = np.full(size, 100 * iteration + i, np.int32)
                buffers[i] = context.put(values[i], context.devices[i % len(context.devices)])
        for i, (buffer, value) in enumerate(zip(buffers, values, strict=True)):
            require_same_bits(buffer.to_host(), value, f"buffer {i} of 16, between deleted ones")


@requirement(
    "buffers/deleted_is_unreadable",
    "Reading a buffer that was deleted SHOULD raise an error.",
    why="The runtime does not do it; an author who does by mistake should hear of it before memory is read that is "
    "another's.",
    profile="minimal",
)
def deleted_is_unreadable(context: Context) -> None:
    """The host's array is asked for."""
    for shape in ((), (1000,)):
        buffer = context.put(np.ones(shape, np.float32))
        buffer.delete()
        require_raises(Exception, buffer.to_host, "to_host of a deleted buffer")
