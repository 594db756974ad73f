# SPDX-License-Identifier: Apache-2.0
"""The CPU platform within one process."""

from __future__ import annotations

import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import olympus.numpy as jnp
from olympus_core import ops
from olympus_core.errors import DeletedError
from olympus_core.errors.platform import TransportUnavailableError
from olympus_core.plugin import API_VERSION, Buffer, Device, Group, PlatformSettings
from olympus_core.program import ArrayType, ProgramBuilder
from olympus_cpu import hooks
from olympus_cpu.buffer import ALIGNMENT, CpuBuffer, aligned_copy
from olympus_cpu.transports.selection import Transports
from tests.toolkit.programs import device_program, fake_devices


def opened(count: int | None = None, process: int = 0):
    client = hooks.olympus_platform().open(PlatformSettings(device_count=count, process_index=process))
    devices = [
        Device(d, platform="cpu", process_index=process, local_index=i, is_addressable=True)
        for i, d in enumerate(client.describe_devices())
    ]
    client.bind_devices(devices)
    return client, devices


def test_the_platform_and_its_devices_read_as_documented() -> None:
    platform = hooks.olympus_platform()
    assert (platform.name, platform.aliases, platform.priority, platform.api_version) == ("cpu", (), 0, API_VERSION)
    assert platform.probe().available
    _, devices = opened()
    assert [(str(d), repr(d), d.id, d.device_kind) for d in devices] == [("TFRT_CPU_0", "CpuDevice(id=0)", 0, "cpu")]
    _, devices = opened(2, process=1)
    assert [(str(d), d.id) for d in devices] == [("TFRT_CPU_131072", 131072), ("TFRT_CPU_131073", 131073)]


def test_opening_imports_nothing_heavy_and_arrays_no_compiler() -> None:
    code = """
import sys
before = set(sys.modules)
import olympus_cpu.hooks as hooks
hooks.olympus_platform().probe()
hooks.olympus_transports()
print([m for m in set(sys.modules) - before if m.startswith(("mpi4py", "multiprocessing", "hypothesis"))])
import numpy, olympus
x = olympus.device_put(numpy.arange(6.0, dtype="float32"))
assert numpy.asarray(x)[5] == 5
late = ("olympus_cpu.compiled", "olympus_cpu.codegen", "olympus_cpu.fallback", "olympus_core.toolkit.fusion")
print([m for m in sys.modules if m.startswith(late)])
print(x + 1)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert run.stdout.splitlines() == ["[]", "[]", "[1. 2. 3. 4. 5. 6.]"]


def test_transports_are_offered_by_name() -> None:
    assert set(hooks.olympus_transports()) == {"mpi", "shared", "tcp"}


def test_buffers_are_read_only_copies() -> None:
    client, (device,) = opened()
    value = np.arange(6, dtype=np.float32).reshape(2, 3)
    buffer = client.buffer_from_host(value, device)
    assert isinstance(buffer, Buffer)
    value[0, 0] = 100
    host = buffer.to_host()
    assert host[0, 0] == 0
    assert (buffer.shape, buffer.dtype, buffer.device) == ((2, 3), np.float32, device)
    assert buffer.is_ready()
    buffer.block_until_ready()
    with pytest.raises(ValueError, match="read-only"):
        host[0, 0] = 1


@pytest.mark.parametrize("value", [
    np.float32(3)[...], np.zeros((0, 3), np.int8), np.arange(10000.0)[::3], np.asfortranarray(np.ones((300, 7))),
    np.ones(5000, ml_dtypes.bfloat16), np.array([True, False]), np.float64(2), np.arange(4, dtype=">i4"),
], ids=lambda v: f"{v.dtype}{v.shape}")
def test_copies_are_aligned_and_in_order(value: np.ndarray) -> None:
    copy = aligned_copy(value)
    assert copy.flags.c_contiguous
    assert copy.shape == value.shape
    assert copy.dtype == value.dtype
    assert (copy == value).all()
    assert not np.shares_memory(copy, value)
    if copy.nbytes >= 1024:
        assert copy.ctypes.data % ALIGNMENT == 0


def test_deleted_buffers_are_not_read() -> None:
    client, (device,) = opened()
    buffer = client.buffer_from_host(np.ones(3), device)
    buffer.delete()
    with pytest.raises(DeletedError, match="buffer was deleted"):
        buffer.to_host()


def test_dlpack_shares_memory_read_only_and_copies_for_consumers_that_know_no_read_only() -> None:
    client, (device,) = opened()
    buffer = client.buffer_from_host(np.arange(5, dtype=np.float32), device)
    assert client.capabilities.dlpack
    shared = np.from_dlpack(buffer)
    assert (shared == buffer.to_host()).all()

    class OldConsumer:
        def __init__(self, inner: CpuBuffer) -> None:
            self.inner = inner

        def __dlpack__(self, **options):
            return self.inner.__dlpack__()

        def __dlpack_device__(self):
            return self.inner.__dlpack_device__()

    old = np.from_dlpack(OldConsumer(buffer))
    assert (old == buffer.to_host()).all()
    assert not np.shares_memory(old, buffer.to_host())


def test_programs_run_on_all_devices() -> None:
    client, devices = opened(3)
    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((2,), "float32"))
    (y,) = builder.emit(ops.add, [x, x])
    (total,) = builder.emit(ops.reduce_sum, [y], {"dimensions": (0,)})
    executable = client.compile(device_program(builder.finish([y, total]), devices), None)
    inputs = [[client.buffer_from_host(np.full(2, i, np.float32), d) for i, d in enumerate(devices)]]
    sums, totals = executable.execute(inputs)
    assert [b.to_host().tolist() for b in sums] == [[0, 0], [2, 2], [4, 4]]
    assert [float(b.to_host()) for b in totals] == [0, 4, 8]
    assert [b.device for b in sums] == devices
    assert executable.cost()["bytes"] == 20
    assert "kernel" in executable.text()
    assert "add" in executable.text()


def test_devices_of_one_process_share_memory() -> None:
    client, devices = opened(4)
    communicator = client.open_communicator(Group(tuple(devices)), None)
    buffers = [client.buffer_from_host(np.full(2, i, np.int32), d) for i, d in enumerate(devices)]
    pending = communicator.all_gather(buffers, 0)
    assert pending.is_done()
    assert [b.to_host().tolist() for b in pending.result(0.0)] == [[0, 0, 1, 1, 2, 2, 3, 3]] * 4
    copy = buffers[0].copy_to(devices[3])
    assert copy.device is devices[3]
    assert np.shares_memory(copy.to_host(), buffers[0].to_host())


def test_memory_figures_and_the_end() -> None:
    client, (device,) = opened()
    stats = client.memory_stats(device)
    assert 0 < stats["bytes_in_use"] <= stats["bytes_limit"]
    client.synchronize()
    client.close()


def test_a_job_of_one_process_has_no_transport() -> None:
    transports = Transports(PlatformSettings())
    assert transports.name is None
    with pytest.raises(TransportUnavailableError, match=r"initialize\(\)"):
        transports.open(Group(fake_devices(2, [0, 1])), None)


def test_an_unknown_transport_is_refused_with_those_there_are() -> None:
    class Rendezvous:
        process_index, process_count = 0, 2

    with pytest.raises(TransportUnavailableError, match="mpi, shared, tcp") as caught:
        Transports(PlatformSettings(rendezvous=Rendezvous(), transport="pigeon"))
    assert caught.value.transport == "pigeon"


def test_a_locked_view_of_memory_that_others_write_is_copied() -> None:
    memory = bytearray(64)
    x = jnp.asarray(np.frombuffer(memoryview(memory).toreadonly(), np.float32))
    memory[:] = b"\x01" * 64
    assert not np.asarray(x).any()
