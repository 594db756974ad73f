# SPDX-License-Identifier: Apache-2.0
"""Moving content: from the host to any sharding, from any sharding to any other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from olympus_core import partition, recording
from olympus_core.config import config
from olympus_core.dtypes import carried_array
from olympus_core.errors import DeletedError
from olympus_core.location import user_location
from olympus_core.placement import DEVICE_MEMORY, Layout, Sharding, sharding_of
from olympus_core.plugin import Buffer, Device, Transfer
from olympus_core.program import ArrayType

from .array import Array
from .execution import load_reshard
from .launches import digest_of
from .links import Links
from .signature import Signature
from .world import get_world

if TYPE_CHECKING:
    from olympus_core.partition import ReshardPlan, TransferPlan, TransferStep

Self = TypeVar("Self", bound=Array)
_DIGESTED_BYTES = 1 << 16


class HostBuffer:
    """One device's part of an array in the memory of the host; a `Buffer` that no program takes.

    Args:
        value: The content, which nobody writes to any more.
        device: The device beside which it lies.
    """

    __slots__ = ("_value", "device", "dtype", "shape")

    def __init__(self, value: np.ndarray, device: Device) -> None:
        self._value: np.ndarray | None = value
        self.shape, self.dtype, self.device = value.shape, value.dtype, device

    def to_host(self) -> np.ndarray:
        """The content."""
        value = self._value  # another thread may delete it
        if value is None:
            raise DeletedError(f"{self.dtype.name}{list(self.shape)} in the host's memory", "it was deleted")
        return value

    def copy_to(self, device: Device) -> HostBuffer:
        """The same content beside another device of this process."""
        return HostBuffer(self.to_host(), device)

    def is_ready(self) -> bool:
        """Always: the content was there when it was made."""
        return True

    def block_until_ready(self) -> None:
        """Returns at once."""

    def delete(self) -> None:
        """Lets go of the content; who reads it keeps it."""
        self._value = None

    def __dlpack__(self, **kwargs: Any) -> Any:
        return self.to_host().__dlpack__(**kwargs)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.to_host().__dlpack_device__()


def buffers_of(values: Iterable[np.ndarray], sharding: Sharding) -> list[Buffer]:
    """Buffers on this process's devices of a sharding, in the kind of memory that it says.

    Args:
        values: The content for each of the devices, in their order, which the caller may change afterwards.
        sharding: The devices and the kind of memory.
    """
    devices = [sharding.devices[position] for position in sharding.local_positions]
    carried = map(carried_array, values)
    if sharding.is_on_host:
        return [HostBuffer(_frozen(value), device) for value, device in zip(carried, devices, strict=True)]
    clients = get_world().clients
    return [clients[device.platform].buffer_from_host(value, device)
            for value, device in zip(carried, devices, strict=True)]


def _frozen(value: np.ndarray) -> np.ndarray:
    value = value.copy() if value.flags.writeable or not value.flags.owndata else value
    value.flags.writeable = False
    return value


def put_host(cls: type[Self], value: np.ndarray, sharding: Sharding, committed: bool, weak: bool = False) -> Self:
    """An array with the content of a host array, which every process that owns devices of the sharding has.

    Args:
        cls: The class of the result.
        value: The whole content; its element type stays.
        sharding: Where it shall be.
        committed: Whether the user chose the placement.
        weak: Whether the element type is weak.

    Raises:
        IndivisibleError: If a dimension does not divide.
        ClosedDevicesError: If the devices' job is over.
        DivergenceError: If another process gives another shape, element type, sharding or content.
    """
    type_ = ArrayType(value.shape, value.dtype)
    if config.transfer_guard or config.transfer_guard_host_to_device:
        from .transfers import from_host  # not before somebody guards them

        from_host(type_, sharding)
    return put_content(cls, value, Signature(type_, sharding, committed, weak))


def put_content(cls: type[Self], value: np.ndarray, signature: Signature) -> Self:
    """The same, which no guard of transfers looks at."""
    to = recording.recorder
    if to is None:
        return _put(cls, value, signature)
    line = user_location(2)
    made: Self = recording.timed(to, "transfer", "to devices", line, _put, cls, value, signature, bytes=value.nbytes)
    to.made(made._buffers, line)
    return made


def _put(cls: type[Self], value: np.ndarray, signature: Signature) -> Self:
    world, type_, sharding = get_world(), signature.type, signature.sharding
    layout = sharding.layout(value.ndim)
    layout.mesh.check_open()
    layout.shard_shape(value.shape)
    devices, local = sharding.devices, sharding.local_positions
    if not local:
        return cls._make(signature, [])
    span = None if sharding.is_fully_addressable else world.links[devices[0].platform].span(devices)
    if span is not None:
        digest = content_digest(value, sharding)
        span.enter(f"device_put of {type_} to {sharding}, content {digest:016x}", digest)
    if layout.is_replicated:
        return cls._make(signature, buffers_of([value] * len(local), sharding))
    indices = layout.indices(value.shape)
    parts = [value[indices[i]] for i in local]
    if layout.unreduced:  # the whole is a sum, too: of itself, and of zeros
        terms = layout.terms()
        parts = [part if terms[i] == 0 else np.zeros_like(part) for i, part in zip(local, parts, strict=True)]
    return cls._make(signature, buffers_of(parts, sharding))


def content_digest(value: np.ndarray, where: object) -> int:
    """64 bits that differ, most likely, where processes put different things: content is sampled when large."""
    flat = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
    if flat.size > _DIGESTED_BYTES:
        flat = np.ascontiguousarray(flat[:: flat.size // _DIGESTED_BYTES + 1])
    return digest_of(f"{value.shape}{value.dtype}{where}", flat.data)


def place(array: Self, sharding: Sharding, committed: bool = True) -> Self:
    """An array in another sharding, whether it is one array of all processes or each one's own copy of a value.

    An array within one process, which goes to devices of several with this process's among them, may be either: when
    nobody chose its place it is each process's own, else the processes compare where they see it.

    Args:
        array: What to move.
        sharding: Where it shall be.
        committed: Whether the user chose the placement.

    Raises:
        IndivisibleError: If a dimension does not divide.
        ClosedDevicesError: If the job of the old or the new devices is over.
        DivergenceError: If the processes' own copies differ.
    """
    for one in (array.sharding, sharding):
        one.layout(array.ndim).mesh.check_open()
    if (config.transfer_guard or config.transfer_guard_device_to_device) and not array.sharding.is_equivalent_to(
            sharding, array.ndim):
        from .transfers import between_devices

        between_devices(array._signature.type, sharding)
    owners = {device.process_index for device in array.sharding.devices}
    targets = {device.process_index for device in sharding.devices}
    if len(targets) > 1 and owners <= targets and sharding.local_positions and each_has_its_own(
        array, sharding.devices, f"device_put to {sharding}"
    ):
        value = array._fetch()
        return put_content(type(array), value, Signature(ArrayType(value.shape, value.dtype), sharding, committed,
                                                       array.weak_type))
    return reshard(array, sharding, committed)


def each_has_its_own(array: Array, devices: Sequence[Device], name: str) -> bool:
    """Whether an array is each process's own copy of a value, and not one array that lies in one process only.

    Args:
        array: An array.
        devices: Devices of all processes that ask; those of the array are among them.
        name: What is to be done, for people.
    """
    if not array.committed or len({device.process_index for device in array.sharding.devices}) > 1:
        return not array.committed
    world = get_world()
    span = world.links[devices[0].platform].span(devices)
    if span is None or world.connection is None:
        return True
    name = f"{name} of {array._signature.type}"
    span.enter(name, digest_of(name))
    seen = ",".join(str(device.id) for device in array.sharding.devices).encode()
    answers = world.connection.exchange(f"{name}, seen where #{span.sequence}", seen, span.processes)
    return any(answer != seen for answer in answers)


def reshard(array: Self, sharding: Sharding, committed: bool = True) -> Self:
    """The same content in another sharding: other axes, other devices, of any process.

    All processes that own devices of the old or the new sharding call it.

    Args:
        array: What to move.
        sharding: Where it shall be.
        committed: Whether the user chose the placement.

    Raises:
        IndivisibleError: If a dimension does not divide.
        ClosedDevicesError: If the job of the old or the new devices is over.
    """
    array._check_alive()
    type_ = array._signature.type
    signature = Signature(type_, sharding, committed, array._signature.weak)
    source, target = array.sharding.layout(array.ndim), sharding.layout(array.ndim)
    source.mesh.check_open()
    target.mesh.check_open()
    target.shard_shape(type_.shape)
    if array.sharding.is_equivalent_to(sharding, array.ndim):
        return type(array)._make(signature, array._share())
    if array.sharding.is_on_host or sharding.is_on_host:
        return _between_memories(array, signature)
    if source.mesh is target.mesh:
        loaded = load_reshard(type_, source, target)
        (buffers,) = loaded.execute([array._buffers])
        return type(array)._make(signature, buffers)
    if source.unreduced or target.unreduced:  # sums are made and ended on one mesh
        ends = [sharding_of(Layout(layout.mesh, layout.dims)) for layout in (source, target)]
        return reshard(reshard(reshard(array, ends[0]), ends[1]), sharding, committed)
    client = get_world().client(source.mesh.flat_devices[0])
    if source.mesh.size == target.mesh.size == 1 and array.sharding.is_fully_addressable and (
        sharding.is_fully_addressable and get_world().client(target.mesh.flat_devices[0]) is client
    ):
        return type(array)._make(signature, [array._buffers[0].copy_to(target.mesh.flat_devices[0])])
    plan = partition.plan_transfer(type_, source, target, _machine_of)
    return type(array)._make(signature, _run_transfer(plan, array, target))


def _between_memories(array: Self, wanted: Signature) -> Self:
    """An array of a device's memory or the host's, in another sharding of either; other axes are devices' work."""
    sharding, cls = wanted.sharding, type(array)
    if array.sharding.is_on_host:
        world = get_world()
        buffers = [world.client(b.device).buffer_from_host(b.to_host(), b.device) for b in array._buffers]
        held = array._signature
        there = array.sharding.with_memory_kind(DEVICE_MEMORY)
        array = cls._make(Signature(held.type, there, held.committed, held.weak), buffers)
    moved = reshard(array, sharding.with_memory_kind(DEVICE_MEMORY), wanted.committed)
    if not sharding.is_on_host:
        return cls._make(wanted, moved._buffers)
    return cls._make(wanted, [HostBuffer(b.to_host(), b.device) for b in moved._buffers])


def movement(type_: ArrayType, source: Layout, target: Layout) -> ReshardPlan | TransferPlan:
    """What `reshard` does for an array of this type; prints as a table of steps with their bytes.

    Args:
        type_: The whole array's type.
        source: How it lies.
        target: How it shall lie.
    """
    if source.mesh is not target.mesh:
        return partition.plan_transfer(type_, source, target, _machine_of)
    mesh_shape = source.mesh.shape_tuple
    ends = [
        partition.ValueSharding(
            partition.without_trivial(mesh_shape, layout.dims), axes, "sum" if axes else None)
        for layout, axes in ((source, source.unreduced), (target, ()))
    ]
    return partition.plan_reshard(mesh_shape, type_.shape, type_.dtype.itemsize, *ends)


def _machine_of(device: Device) -> object:
    """What stands for a device's machine."""
    connection = get_world().connection
    return connection.hosts[device.process_index] if connection is not None else None


def _run_transfer(plan: TransferPlan, array: Array, target: Layout) -> list[Buffer]:
    """Carries out a plan: stage by stage, all of a stage's messages at once."""
    world = get_world()
    type_ = array._signature.type
    devices = tuple(dict.fromkeys((*array.sharding.devices, *target.mesh.flat_devices)))
    links = world.links[devices[0].platform]
    span = links.span(devices)
    involved = any(device.is_addressable for device in devices)
    if span is not None and involved:
        span.enter(f"device_put of {type_}", digest_of(f"{type_}{array.sharding}{target}"))
    moving = _Moving(array, target, devices)
    for stage in range(1 + max((step.stage for step in plan.steps), default=0)):
        steps = [step for step in plan.steps if step.stage == stage]
        for step in steps:
            if step.target.is_addressable and not step.crosses_processes:
                moving.write(step, moving.read(step))
        crossing = [step for step in steps if step.crosses_processes]
        if crossing and involved:
            moving.exchange(crossing, links)
    return [world.client(d).buffer_from_host(part, d) for d, part in moving.arrived.items()]


class _Moving:
    """The content on its way: what the source shards hold, what has arrived in the target shards."""

    def __init__(self, array: Array, target: Layout, devices: tuple[Device, ...]) -> None:
        local = array.sharding.local_positions
        self._held = {array.sharding.devices[i]: b.to_host() for i, b in zip(local, array._buffers, strict=True)}
        shape, dtype = target.shard_shape(array.shape), array._signature.type.carried().dtype
        self.arrived = {d: np.empty(shape, dtype) for d in target.mesh.flat_devices if d.is_addressable}
        self._devices, self._dtype = devices, dtype
        self._position = {device: i for i, device in enumerate(devices)}

    def read(self, step: TransferStep) -> np.ndarray:
        """What a step takes."""
        return (self.arrived if step.forwarded else self._held)[step.source][_slices(step.source_box)]

    def write(self, step: TransferStep, part: np.ndarray) -> None:
        """Puts what a step brings where it belongs."""
        self.arrived[step.target][_slices(step.target_box)] = part

    def exchange(self, steps: Sequence[TransferStep], links: Links) -> None:
        """The steps of a stage that cross processes, those of this process among them."""
        sends: list[Transfer] = []
        receives: list[Transfer] = []
        arriving: list[TransferStep] = []
        for step in steps:
            ends = self._position[step.source], self._position[step.target]
            shape = tuple(stop - start for start, stop in step.source_box)
            if step.source.is_addressable:
                client = get_world().client(step.source)
                buffer = client.buffer_from_host(self.read(step), step.source)
                sends.append(Transfer(*ends, buffer, shape, self._dtype))
            elif step.target.is_addressable:
                receives.append(Transfer(*ends, None, shape, self._dtype))
                arriving.append(step)
        pending = links.communicator(self._devices).exchange(sends, receives)
        for step, buffer in zip(arriving, links.wait(pending, "device_put"), strict=True):
            self.write(step, buffer.to_host())


def _slices(box: Sequence[tuple[int, int]]) -> tuple[slice, ...]:
    return tuple(slice(start, stop) for start, stop in box)
