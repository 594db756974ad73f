# SPDX-License-Identifier: Apache-2.0
"""The platform where there is no TPU, and where there seems to be one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError
from olympus_core.plugin import CompilesAhead, Device, PlatformSettings
from olympus_tpu import environment
from olympus_tpu.client import TpuClient
from olympus_tpu.errors import TpuLibraryError, TpuPrecisionError
from olympus_tpu.platform import TpuPlatform

from ..pjrt.libraries import cpu_library


def machine(root: Path, vendor: str, *files: str) -> Path:
    """A machine's files: a device on its bus, and device files."""
    for file, text in (("sys/bus/pci/devices/0000:00:04.0/vendor", f"{vendor}\n"), *((f, "") for f in files)):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text)
    return root


@pytest.mark.parametrize(("vendor", "files", "expected"), [
    ("0x1ae0", ("dev/accel0", "dev/accel1"), ["/dev/accel0", "/dev/accel1"]),
    ("0x1ae0", ("dev/vfio/0", "dev/vfio/vfio"), ["/dev/vfio/0"]),
    ("0x8086", ("dev/accel/accel0", "dev/vfio/3"), []),
    ("0x8086", ("dev/accel0",), []),
    ("0x1ae0", (), []),
])
def test_chips_are_found_by_files(tmp_path: Path, vendor: str, files: tuple[str, ...], expected: list[str]) -> None:
    assert environment.chips(machine(tmp_path, vendor, *files)) == expected


def test_probe_with_and_without_each_part(monkeypatch: pytest.MonkeyPatch) -> None:
    platform = TpuPlatform()
    for chips in ([], ["/dev/accel0"]):
        for library in (None, "/x/libtpu.so"):
            monkeypatch.setattr(environment, "chips", lambda chips=chips: chips)
            monkeypatch.setattr(environment, "library", lambda library=library: library)
            found = platform.probe()
            assert found.available == bool(chips and library)
            assert ("no TPU" in found.reason) == (not chips)
            assert ("libtpu is not installed" in found.reason) == (library is None)


def test_opening_without_libtpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "library", lambda: None)
    with pytest.raises(TpuLibraryError, match="olympus-runtime\\[tpu\\]"):
        TpuPlatform().open(PlatformSettings())
    with pytest.raises(TpuLibraryError):
        TpuPlatform().topology("v5e:64x2")  # no other test's: slices are described once in a process


def test_the_library_that_the_user_names(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "libtpu.so"
    monkeypatch.setenv("TPU_LIBRARY_PATH", str(file))
    assert environment.library() is None
    file.touch()
    assert environment.library() == str(file)


def test_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(environment.PRECISION_VARIABLE, raising=False)
    assert environment.precision() == "highest"
    monkeypatch.setenv(environment.PRECISION_VARIABLE, "Default")
    assert environment.precision() == "default"
    assert environment.precision("high") == "high"
    with pytest.raises(TpuPrecisionError, match="exact"):
        environment.precision("exact")


def test_what_the_compiling_process_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TPU_WORKER_ID", "3")
    told = environment.without_hardware()
    assert "TPU_WORKER_ID" not in told and told["TPU_SKIP_MDS_QUERY"] == "1" and told["PATH"] == os.environ["PATH"]


def test_it_compiles_ahead() -> None:
    assert isinstance(TpuPlatform(), CompilesAhead)


def test_what_a_client_adds_on_a_library_that_runs_anywhere() -> None:
    settings = PlatformSettings(device_count=1, transports={"wire": lambda group, rendezvous: pytest.fail("opened")})
    client = TpuClient(cpu_library(), settings, "default")
    try:
        declared = client.capabilities.dtypes
        assert dtypes.float32 in declared and not {dtypes.float64, dtypes.complex128} & declared
        assert client.capabilities.multi_process
        (description,) = client.describe_devices()
        device = Device(description, platform="tpu", process_index=0, local_index=0, is_addressable=True)
        client.bind_devices([device])
        with pytest.raises(NotSupportedError, match="float64 .*platform tpu has no such.*\n.*float32"):
            client.buffer_from_host(np.ones(2), device)
    finally:
        client.close()


NO_TPU = pytest.mark.skipif(bool(environment.chips()), reason="this machine has a TPU")


def started(platforms: str | None) -> subprocess.CompletedProcess[str]:
    chosen = {k: v for k, v in os.environ.items() if k != "OLYMPUS_PLATFORMS"}
    if platforms:
        chosen["OLYMPUS_PLATFORMS"] = platforms
    return subprocess.run([sys.executable, "-c", "import olympus; print(olympus.devices()[0].platform)"],
                          capture_output=True, text=True, timeout=60, env=chosen)


@NO_TPU
def test_named_where_there_is_none() -> None:
    done = started("tpu")
    assert done.returncode != 0 and "this machine has no TPU" in done.stderr
    began = time.perf_counter()
    assert not TpuPlatform().probe().available
    assert time.perf_counter() - began < 10  # no service is waited for


@NO_TPU
def test_passed_by_silently() -> None:
    done = started(None)
    assert done.returncode == 0 and done.stdout.strip() and done.stderr == ""
