# SPDX-License-Identifier: Apache-2.0
"""Arrays made of pieces that the processes already have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from olympus_core import dtypes
from olympus_core.config import config
from olympus_core.errors import ShardsError
from olympus_core.placement import Sharding
from olympus_core.placement.boxes import part_numbers
from olympus_core.program import ArrayType

from .array import Array, SharedBuffers
from .launches import digest_of
from .placing import buffers_of, content_digest, reshard
from .signature import Signature
from .world import get_world

Self = TypeVar("Self", bound=Array)


def _announce(type_: ArrayType, sharding: Sharding, name: str, parts: Mapping[Any, np.ndarray] | None = None) -> None:
    """Lets the processes compare what they are about to make; its content too, where each of them has all of it."""
    devices = sharding.devices
    if sharding.is_fully_addressable or not sharding.local_positions:
        return
    span = get_world().links[devices[0].platform].span(devices)
    if span is not None:
        shared = parts if parts is not None and _is_everywhere(sharding, type_.shape) else {}
        digests = " ".join(f"{content_digest(shared[index], index):016x}" for index in sorted(shared))
        content = f", content {digest_of(digests):016x}" if shared else ""
        span.enter(f"{name} of {type_}{content}", digest_of(f"{name} {type_} {sharding}{content}"))


def _is_everywhere(sharding: Sharding, shape: Sequence[int]) -> bool:
    """Whether every process of a sharding holds every part."""
    holders: dict[str, set[int]] = {}
    for device, index in zip(sharding.devices, sharding.layout(len(shape)).indices(shape), strict=True):
        holders.setdefault(repr(index), set()).add(device.process_index)
    return all(found == {device.process_index for device in sharding.devices} for found in holders.values())


def from_single_device_arrays(
    cls: type[Self], shape: Sequence[int], sharding: Sharding, arrays: Sequence[Array], dtype: Any = None
) -> Self:
    """An array whose parts are there already, one array for each of this process's devices; nothing moves.

    Args:
        cls: The class of the result.
        shape: Shape of the whole.
        sharding: Where the parts are.
        arrays: The parts, each on its device, in any order.
        dtype: Type of the elements; needed where this process has no part.

    Raises:
        ShardsError: When the parts are not those that the sharding describes.
    """
    sharding.layout(len(tuple(shape))).mesh.check_open()
    local = [sharding.devices[i] for i in sharding.local_positions]
    expected = sharding.shard_shape(shape)
    for array in arrays:
        array._check_alive()
    arrays = [a if a.sharding.memory_kind == sharding.memory_kind else reshard(
        a, a.sharding.with_memory_kind(sharding.memory_kind)) for a in arrays]
    by_device = {next(iter(a.sharding.devices)): a for a in arrays if len(a.sharding.devices) == 1}
    if len(by_device) != len(arrays) or set(by_device) != set(local):
        raise ShardsError(
            "Each of this process's devices in the sharding needs exactly one array.",
            given=f"arrays on {[str(next(iter(a.sharding.devices))) for a in arrays]}",
            expected=f"arrays on {[str(d) for d in local]}",
        )
    wanted = np.dtype(dtype) if dtype is not None else arrays[0].dtype if arrays else None
    if wanted is None:
        raise ShardsError("The element type is not known where this process has no part of the array.",
                          given="no arrays and no dtype", expected="dtype=")
    for array in arrays:
        if array.shape != expected or array.dtype != wanted:
            raise ShardsError(
                "An array is not a part of the whole.",
                given=f"{ArrayType(array.shape, array.dtype)} on {next(iter(array.sharding.devices))}",
                expected=f"{ArrayType(expected, wanted)}, a part of {tuple(shape)} in {sharding}",
            )
    type_ = ArrayType(shape, wanted)
    _announce(type_, sharding, "make_array_from_single_device_arrays")
    return cls._make(Signature(type_, sharding, True), SharedBuffers(by_device[d]._share()[0] for d in local))


def from_callback(
    cls: type[Self], shape: Sequence[int], sharding: Sharding, callback: Callable[[tuple[slice, ...]], np.ndarray],
    dtype: Any, name: str,
) -> Self:
    """An array whose parts a function gives, called once for each different part of this process.

    Args:
        cls: The class of the result.
        shape: Shape of the whole.
        sharding: Where the parts shall be.
        callback: Slices of the whole to the part.
        dtype: Type of the elements; taken from the parts when None.
        name: What is done, for people.

    Raises:
        ShardsError: When a part has the wrong shape.
        DivergenceError: When processes that each have the whole give different ones.
    """
    layout = sharding.layout(len(tuple(shape)))
    layout.mesh.check_open()
    if layout.unreduced:
        raise ShardsError("A function of indices gives parts of an array, not terms of a sum.", given=str(sharding),
                          expected="a sharding that is not unreduced")
    expected = sharding.shard_shape(shape)
    indices, numbers, local = layout.indices(shape), part_numbers(layout), sharding.local_positions
    parts: dict[int, np.ndarray] = {}
    for position in local:
        if numbers[position] not in parts:
            part = np.asarray(callback(indices[position]))
            if part.shape != expected:
                raise ShardsError("A part has the wrong shape.", f"{part.shape} for {indices[position]}", expected)
            parts[numbers[position]] = part
    found = np.dtype(dtype) if dtype is not None else next((p.dtype for p in parts.values()), None)
    if found is None:
        raise ShardsError("The element type is not known where this process has no part of the array.",
                          given="no part and no dtype", expected="dtype=")
    type_ = ArrayType(shape, found)
    parts = {number: part if part.dtype is found else dtypes.cast(part, found) for number, part in parts.items()}
    if config.transfer_guard or config.transfer_guard_host_to_device:
        from .transfers import from_host

        from_host(type_, sharding)
    _announce(type_, sharding, name, parts)
    return cls._make(Signature(type_, sharding, True), buffers_of([parts[numbers[p]] for p in local], sharding))


def from_parts(cls: type[Self], signature: Signature, part: Callable[[int], np.ndarray]) -> Self:
    """An array of parts that every process has for its own devices, and that are known to make up one array.

    Nothing is compared with other processes, and no launch is made.

    Args:
        cls: The class of the result.
        signature: Its type and placement.
        part: The number of a part, in row-major order of the parts, to its content; called once for each.

    Raises:
        ClosedDevicesError: When the devices' job is over.
    """
    sharding = signature.sharding
    layout = sharding.layout(len(signature.type.shape))
    layout.mesh.check_open()
    if layout.unreduced:
        raise ShardsError("Parts of an array are not terms of a sum.", given=str(sharding),
                          expected="a sharding that is not unreduced")
    numbers = [part_numbers(layout)[position] for position in sharding.local_positions]
    parts = {number: part(number) for number in dict.fromkeys(numbers)}
    return cls._make(signature, buffers_of([parts[number] for number in numbers], sharding))


def process_span(sharding: Sharding, shape: Sequence[int]) -> list[tuple[int, ...]]:
    """For each dimension, the parts (of those it is cut into) that this process holds, ascending."""
    layout = sharding.layout(len(tuple(shape)))
    parts = layout.parts()
    if sharding.is_fully_addressable:
        return [tuple(range(count)) for count in parts]
    boxes = layout.boxes(parts)[list(sharding.local_positions)]
    return [tuple(sorted({int(box[d, 0]) for box in boxes})) for d in range(len(parts))]


def from_process_local_data(
    cls: type[Self], sharding: Sharding, data: np.ndarray, global_shape: Sequence[int] | None
) -> Self:
    """An array over all processes, each of which has the data of its own devices.

    Args:
        cls: The class of the result.
        sharding: Where the parts shall be.
        data: This process's data: its devices' parts, joined; a dimension may also be given whole.
        global_shape: Shape of the whole; each entry may be None. What is not given follows from `data`.

    Raises:
        ShardsError: When `data` does not fit.
        DivergenceError: When the processes' data do not make one array.
    """
    ndim = data.ndim
    held = process_span(sharding, data.shape)
    parts = sharding.layout(ndim).parts()
    given = tuple(global_shape) if global_shape is not None else (None,) * ndim
    if len(given) != ndim:
        raise ShardsError("The global shape has another number of dimensions than the data.", given=str(given),
                          expected=f"{ndim} entries")
    shape: list[int] = []
    for dimension, size in enumerate(data.shape):
        mine = max(len(held[dimension]), 1)
        whole = given[dimension]
        if whole is None:
            whole = size * parts[dimension] // mine
        if size not in (whole, whole * mine // parts[dimension]):
            raise ShardsError(
                f"Dimension {dimension} of this process's data fits neither the whole nor its own part.",
                given=f"size {size}", expected=f"{whole * mine // parts[dimension]} (its part) or {whole} (the whole)",
            )
        shape.append(int(whole))
    if data.shape == tuple(shape):
        return from_callback(cls, shape, sharding, data.__getitem__, data.dtype, "make_array_from_process_local_data")
    local = sharding.shard_shape(shape)
    index_of = [{part: i for i, part in enumerate(h)} for h in held]

    def part(index: tuple[slice, ...]) -> np.ndarray:
        cut = []
        for d, entry in enumerate(index):
            if data.shape[d] == shape[d]:
                cut.append(entry)
            else:
                start = index_of[d][(entry.start or 0) // local[d]] * local[d]
                cut.append(slice(start, start + local[d]))
        return data[tuple(cut)]

    return from_callback(cls, shape, sharding, part, data.dtype, "make_array_from_process_local_data")
