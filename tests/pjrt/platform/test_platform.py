# SPDX-License-Identifier: Apache-2.0
"""The platform pjrt on the CPU library: choice of the library, the contract, and olympus programs on top."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import DeletedError, NotSupportedError
from olympus_core.plugin import Device, Group, PlatformSettings
from olympus_core.program import ArrayType, Program, ProgramBuilder
from olympus_pjrt.errors import PjrtDeviceCountError, PjrtLibraryError, PjrtOptionError
from olympus_pjrt.platform import PjrtPlatform, known_defaults, read_options

from ..libraries import cpu_library
from .opening import Opened

F32 = np.dtype(np.float32)


@pytest.fixture
def no_variables(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("OLYMPUS_PJRT_LIBRARY", "OLYMPUS_PJRT_OPTIONS"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.fixture(scope="module")
def opened() -> Iterator[Opened]:
    it = Opened(PlatformSettings(device_count=2))
    yield it
    it.client.close()


def double() -> Program:
    builder = ProgramBuilder("double")
    x = builder.input(ArrayType((4,), F32))
    return builder.finish(builder.emit(ops.add, (x, x)))


def test_probe_says_what_is_missing(no_variables, tmp_path) -> None:
    platform = PjrtPlatform()
    assert not platform.probe().available and "OLYMPUS_PJRT_LIBRARY" in platform.probe().reason
    with pytest.raises(PjrtLibraryError, match="no library is named"):
        platform.open(PlatformSettings())
    no_variables.setenv("OLYMPUS_PJRT_LIBRARY", str(tmp_path / "gone.so"))
    assert not platform.probe().available and "gone.so" in platform.probe().reason
    no_variables.setenv("OLYMPUS_PJRT_LIBRARY", cpu_library())
    assert platform.probe().available
    assert PjrtPlatform("acme", library=cpu_library()).probe().available


def test_options_are_read(no_variables) -> None:
    assert read_options("a=1, b=x y ,c=true,d=0.5,") == {"a": 1, "b": "x y", "c": True, "d": 0.5}
    assert read_options("a=[0;2], b=[], c=[x]") == {"a": [0, 2], "b": [], "c": "[x]"}
    assert known_defaults("/wheels/xla_cuda13/xla_cuda_plugin.so") == {"preallocate": False}
    assert known_defaults("/wheels/acme_pjrt.so") == {}
    for wrong in ("a", "=1", "a=1,b"):
        with pytest.raises(PjrtOptionError):
            read_options(wrong)
    settings = PlatformSettings(options={"library": cpu_library(), "options": "cpu_device_count=3"})
    client = PjrtPlatform().open(settings)
    assert len(client.describe_devices()) == 3
    client.close()


@pytest.mark.parametrize("count", [1, 2, 4])
def test_device_counts(count: int) -> None:
    opened = Opened(PlatformSettings(device_count=count))
    assert [str(d) for d in opened.devices] == [f"TFRT_CPU_{i}" for i in range(count)]
    assert [repr(d) for d in opened.devices] == [f"CpuDevice(id={i})" for i in range(count)]
    opened.client.close()


def test_more_devices_than_there_are(no_variables) -> None:
    with pytest.raises(PjrtDeviceCountError, match="OLYMPUS_PJRT_OPTIONS"):
        PjrtPlatform(library=cpu_library(), options={"cpu_device_count": 1}).open(PlatformSettings(device_count=2))
    with pytest.raises(PjrtDeviceCountError):
        PjrtPlatform(library=cpu_library()).open(PlatformSettings(device_count=2, local_device_ids=[7]))


def test_a_second_process_has_ids_of_its_own() -> None:
    client = PjrtPlatform(library=cpu_library()).open(
        PlatformSettings(process_index=1, process_count=2, device_count=2))
    assert [(d.id, d.text) for d in client.describe_devices()] == [
        (131072, "TFRT_CPU_131072"), (131073, "TFRT_CPU_131073")]
    assert client.describe_devices()[1].representation == "CpuDevice(id=131073)"
    client._client.device_count = 4  # as where the library knows both processes': ids are then its own
    assert [d.id for d in client.describe_devices()] == [0, 1]
    client.close()


def test_a_deleted_buffer_is_not_read(opened: Opened) -> None:
    buffer = opened.put(np.ones(4, F32))
    executable = opened.compile(double())
    copy = buffer.copy_to(buffer.device)
    buffer.delete()
    np.testing.assert_array_equal(copy.to_host(), np.ones(4))
    with pytest.raises(DeletedError):
        buffer.to_host()
    with pytest.raises(DeletedError):
        executable.execute([[buffer]])


def test_donation_spares_what_others_use(opened: Opened) -> None:
    builder = ProgramBuilder("both")
    x, y = (builder.input(ArrayType((4,), F32)) for _ in range(2))
    executable = opened.compile(builder.finish(builder.emit(ops.add, (x, y))), donated=(0,))
    one, two = opened.put(np.ones(4, F32)), opened.put(np.full(4, 2, F32))
    copy = one.copy_to(one.device)
    ((result,),) = executable.execute([[one], [two]])
    np.testing.assert_array_equal(result.to_host(), np.full(4, 3))
    np.testing.assert_array_equal(copy.to_host(), np.ones(4))  # shared, so it was kept
    ((result,),) = executable.execute([[two], [two]])
    np.testing.assert_array_equal(result.to_host(), np.full(4, 4))
    ((result,),) = executable.execute([[result], [copy]])
    np.testing.assert_array_equal(result.to_host(), np.full(4, 5))


def test_text_and_cost(opened: Opened) -> None:
    executable = opened.compile(double())
    assert "stablehlo.add" in executable.text()
    assert executable.cost()["flops"] == 4 and executable.cost()["peak_memory_bytes"] >= 32


def test_programs_are_dumped(tmp_path) -> None:
    opened = Opened(PlatformSettings(device_count=1, dump_folder=str(tmp_path / "dump")))
    opened.compile(double())
    (file,) = (tmp_path / "dump").iterdir()
    assert file.name.startswith("double-") and "stablehlo.add" in file.read_text()
    opened.client.close()


def test_other_processes_are_refused_without_a_transport(opened: Opened) -> None:
    (description,) = opened.client.describe_devices()[:1]
    far = Device(description, platform="pjrt", process_index=1, local_index=0, is_addressable=False)
    assert not opened.client.capabilities.multi_process
    with pytest.raises(NotSupportedError, match="communication with processes"):
        opened.client.open_communicator(Group((opened.devices[0], far)), None)


PROGRAM = """
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P

assert [d.platform for d in olympus.devices()] == ["pjrt"] * 4
mesh = olympus.make_mesh((2, 2), ("i", "j"))
x = np.arange(32, dtype=np.float32).reshape(4, 8)
w = np.arange(32, dtype=np.float32).reshape(8, 4) / 10
a = olympus.device_put(x, NamedSharding(mesh, P("i", "j")))
b = olympus.device_put(w, NamedSharding(mesh, P("j", None)))

@olympus.jit
def step(a, b):
    y = jnp.tanh(a @ b / 100)
    return y, jnp.sum(jnp.sin(a))

y, total = step(a, b)
np.testing.assert_allclose(np.asarray(y), np.tanh(x @ w / 100), rtol=1e-5)
np.testing.assert_allclose(float(total), np.sin(x).sum(), rtol=1e-4)
g = olympus.grad(lambda b: jnp.sum((a @ b) ** 2))(b)
np.testing.assert_allclose(np.asarray(g), 2 * x.T @ (x @ w), rtol=1e-4)
print("done", y.sharding.spec)
"""


def test_olympus_programs_run(tmp_path) -> None:
    environment = {
        **os.environ, "OLYMPUS_PLATFORMS": "pjrt", "OLYMPUS_PJRT_LIBRARY": cpu_library(),
        "OLYMPUS_NUM_PJRT_DEVICES": "4", "TF_CPP_MIN_LOG_LEVEL": "2",
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, cwd=tmp_path, capture_output=True,
                          text=True, timeout=100)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.startswith("done")
    assert done.stderr == ""
