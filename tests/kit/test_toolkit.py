# SPDX-License-Identifier: Apache-2.0
"""What the toolkit gives an author who begins: tables of libraries that lack things, and other plugins' transports."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import NotSupportedError
from olympus_core.plugin import Device, DeviceDescription, Group, PlatformSettings
from olympus_core.program import ArrayType, ProgramBuilder
from olympus_core.toolkit import (
    ArrayBuffer,
    Carrier,
    DeviceQueue,
    LocalCommunicator,
    PendingBuffer,
    communicator_from_exchange,
    table_from_namespace,
    table_platform,
)


class Recorded(SimpleNamespace):
    """NumPy as a library that notes what it is asked, and refuses unsigned numbers of 32 bits."""

    def __init__(self) -> None:
        super().__init__(calls=[])

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)

        def call(*arguments: Any, **options: Any) -> Any:
            if any(getattr(a, "dtype", None) == np.uint32 for a in arguments) and name in ("less", "multiply"):
                raise NotImplementedError(f"{name} is not implemented for UInt32")
            result = function(*arguments, **options)
            self.calls.append((name, arguments))
            return np.asarray(result, np.int64) if name == "floor" else result

        return call

    @property
    def asarray(self) -> Any:
        return np.asarray


def kernel_of(namespace: Any, record: Any, *arrays: np.ndarray) -> tuple[Any, Any]:
    """The table's kernel for some arrays, called outside; and what it gives."""
    builder = ProgramBuilder("one")
    values = [builder.input(ArrayType(a.shape, a.dtype)) for a in arrays]
    builder.emit(record, values)
    kernel = table_from_namespace(namespace).kernel(builder.operations[0])
    namespace.calls.clear()
    result = kernel.function(*arrays)
    return kernel, result[0] if kernel.is_tuple else result


@pytest.mark.parametrize(("record", "dtype", "asked"), [
    (ops.lt, np.uint32, False), (ops.lt, np.int32, True), (ops.mul, np.uint32, False), (ops.mul, np.float32, True),
    (ops.add, np.uint32, True),
])
def test_what_a_library_refuses_runs_by_the_reference(record: Any, dtype: Any, asked: bool) -> None:
    namespace = Recorded()
    x, y = np.array([1, 2, 3], dtype), np.array([3, 2, 1], dtype)
    _, result = kernel_of(namespace, record, x, y)
    assert bool(namespace.calls) == asked
    np.testing.assert_array_equal(result, record.reference([x, y], {})[0])


def test_what_gives_another_type_is_not_used() -> None:
    namespace = Recorded()
    _, result = kernel_of(namespace, ops.floor, np.array([1.5], np.float32))
    assert not namespace.calls and result.dtype == np.float32 and result.tolist() == [1.0]


def test_arrays_without_dimensions_stay_arrays() -> None:
    _, result = kernel_of(Recorded(), ops.add, np.array(1.0), np.array(2.0))
    assert isinstance(result, np.ndarray) and result.shape == () and result == 3


def devices(count: int = 2) -> list[Device]:
    descriptions = [DeviceDescription(i, "test", f"TEST_{i}", f"Test({i})") for i in range(count)]
    return [Device(d, platform="test", process_index=i, local_index=0, is_addressable=i == 0)
            for i, d in enumerate(descriptions)]


class Owned(ArrayBuffer):
    """A platform's own kind of buffer: it shares its memory with none."""

    def copy_to(self, device: Device) -> Owned:
        return Owned(np.array(self.array), device)


@pytest.mark.parametrize("is_copy", [False, True])
def test_a_copy_is_made_before_the_memory_is_used_again(is_copy: bool) -> None:
    """A pending buffer, or a pending copy of one, is copied to another device, then donated on its own."""
    first, second, third = devices(3)
    queues = {d: DeviceQueue(d) for d in (first, second)}
    gate, type_ = threading.Event(), ArrayType((3,), np.int64)
    made = queues[first].submit(lambda: (gate.wait(20), [[Owned(np.arange(3), first)]])[1], "made")
    given = PendingBuffer(made, 0, type_, first)
    if is_copy:
        given = given.copy_to(second)
        gate.set()
    copy = given.copy_to(third)
    assert copy.device is third and (is_copy or not copy.is_ready())

    def reuse() -> list[list[Any]]:
        given.array[...] = -1
        return []

    queues[given.device].submit(reuse, "reuse")
    gate.set()
    for queue in queues.values():
        queue.close()
    assert copy.to_host().tolist() == [0, 1, 2] and given.to_host().tolist() == [-1, -1, -1]


def test_a_copy_of_what_fails_fails_when_it_is_read() -> None:
    first, second = devices(2)
    queue = DeviceQueue(first)
    failed = queue.submit(lambda: 1 // 0, "failing")
    queue.drain()
    copy = PendingBuffer(failed, 0, ArrayType((3,), np.int64), first).copy_to(second)
    with pytest.raises(ZeroDivisionError):
        copy.to_host()
    queue.close()


class Factory:
    """A transport; its communicators are those of one process."""

    closed = 0

    def __call__(self, group: Group, rendezvous: Any) -> LocalCommunicator:
        return LocalCommunicator(Group(group.devices[:1]))

    def close(self) -> None:
        self.closed += 1


def test_a_carrier_gives_the_platforms_buffers() -> None:
    factory, group = Factory(), Group(tuple(devices()))
    carrier = Carrier(PlatformSettings(transports={"wire": factory}), lambda array, device: Owned(array.copy(), device))
    assert carrier.is_usable
    communicator = carrier.open(group, object())
    (result,) = communicator.all_reduce([Owned(np.arange(3), group.devices[0])], "sum").result(0.0)
    assert type(result) is Owned and result.device is group.devices[0] and result.to_host().tolist() == [0, 1, 2]
    assert communicator.barrier().result(0.0) == []
    carrier.close()
    carrier.close()
    assert factory.closed == 1


def test_a_carrier_that_was_not_used_closes_nothing() -> None:
    factory = Factory()
    Carrier(PlatformSettings(transports={"wire": factory}), Owned).close()
    assert factory.closed == 0


def test_a_carrier_prepares_its_transport_while_all_processes_open() -> None:
    """Afterwards a group's processes open communicators alone."""
    prepared: list[object] = []
    factory, rendezvous = Factory(), object()
    factory.prepare = prepared.append
    Carrier(PlatformSettings(transports={"wire": factory}), Owned)
    assert prepared == []
    settings = PlatformSettings(transports={"wire": factory}, rendezvous=rendezvous, process_count=2)
    Carrier(settings, Owned).close()
    assert prepared == [rendezvous] and factory.closed == 1


@pytest.mark.parametrize(("settings", "rendezvous", "words"), [
    (PlatformSettings(), object(), "no plugin offers the transport"),
    (PlatformSettings(transports={"wire": Factory()}, transport="wires"), object(), "'wires'"),
    (PlatformSettings(transports={"wire": Factory()}), None, "opened for one process"),
])
def test_what_a_carrier_refuses(settings: PlatformSettings, rendezvous: Any, words: str) -> None:
    with pytest.raises(NotSupportedError, match=words):
        Carrier(settings, Owned).open(Group(tuple(devices())), rendezvous)


def test_the_users_transport_is_taken() -> None:
    """By name, else the one that works everywhere."""
    used: list[str] = []

    def offered(name: str) -> Any:
        return lambda group, rendezvous: used.append(name) or LocalCommunicator(Group(group.devices[:1]))

    transports = {name: offered(name) for name in ("mpi", "tcp", "wire")}
    for wanted in (None, "wire"):
        settings = PlatformSettings(transports=transports, transport=wanted)
        Carrier(settings, Owned).open(Group(tuple(devices())), object())
    assert used == ["tcp", "wire"]


def test_an_exchange_is_ended_and_closed() -> None:
    told: list[str] = []
    communicator = communicator_from_exchange(
        Group(tuple(devices(1))), lambda sends, receives: None,
        abort=told.append, close=lambda: told.append("closed"))
    communicator.abort("a process is lost")
    communicator.close()
    assert told == ["a process is lost", "closed"]


def test_a_table_platform_states_its_version() -> None:
    assert table_platform("old", np, api_version=(1, 0)).api_version == (1, 0)


def test_a_table_platform_works_between_processes_where_there_is_a_transport() -> None:
    platform = table_platform("test", np)
    assert not platform.open(PlatformSettings()).capabilities.multi_process
    assert platform.open(PlatformSettings(transports={"wire": Factory()})).capabilities.multi_process
