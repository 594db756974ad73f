# SPDX-License-Identifier: Apache-2.0
"""`olympus launch --devices-per-process` and `--gpus-per-process` mean what the platform that is used makes of them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from olympus.cli import launch_devices
from olympus.cli.launch_devices import variables
from olympus_core.errors.platform import DeviceOptionError
from tests.cuda.standin.environment import environment, missing
from tests.support.processes import Finished, Processes

PROGRAM = """
import olympus
olympus.distributed.initialize()
print(len(olympus.local_devices()), olympus.device_count(), olympus.local_devices()[0].platform)
"""
COUNTED = ("OLYMPUS_NUM_CPU_DEVICES", "OLYMPUS_NUM_CUDA_DEVICES", "OLYMPUS_NUM_PJRT_DEVICES")


@pytest.mark.parametrize(("platforms", "expected"), [
    (None, COUNTED), ("cpu", COUNTED[:1]), ("cuda", COUNTED[1:2]), ("gpu", COUNTED[1:2]), ("cuda,cpu", COUNTED[:2]),
    ("cpu,tpu", COUNTED[:1]),
])
def test_devices_are_those_of_the_platforms_that_are_named(
    platforms: str | None, expected: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    _named(monkeypatch, platforms)
    assert variables(3, None, 5) == dict.fromkeys(expected, "3")


@pytest.mark.parametrize(("platforms", "devices", "gpus", "option", "reason"), [
    ("tpu", 2, None, "--devices-per-process", "the devices that are there"),
    ("tpu,cpu", 2, None, "--devices-per-process", "the devices that are there"),
    ("cpu", None, 1, "--gpus-per-process", "no GPUs"),
    ("cuda", 1, 2, "--devices-per-process", "2 GPUs"),
    (None, 1, 2, "--devices-per-process", "2 GPUs"),
])
def test_what_makes_no_sense_is_refused(
    platforms: str | None, devices: int | None, gpus: int | None, option: str, reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _named(monkeypatch, platforms)
    with pytest.raises(DeviceOptionError, match=reason) as caught:
        variables(devices, gpus, 0)
    assert isinstance(caught.value, ValueError) and caught.value.option == option


def test_gpus_and_devices_on_them(monkeypatch: pytest.MonkeyPatch) -> None:
    _named(monkeypatch, "cuda")
    assert variables(4, 2, 3) == {"OLYMPUS_LOCAL_DEVICE_IDS": "6,7", "OLYMPUS_NUM_CUDA_DEVICES": "4"}
    assert variables(None, None, 3) == {}


@pytest.mark.processes
def test_cpu_devices(tmp_path: Path) -> None:
    done = _launched(tmp_path, ["-n", "2", "-d", "3"], {"OLYMPUS_PLATFORMS": "cpu"})
    assert (done.returncode, sorted(done.stdout.splitlines())) == (0, ["[0] 3 6 cpu", "[1] 3 6 cpu"]), done.stderr


@pytest.mark.processes
def test_nothing_is_started_where_it_makes_no_sense(tmp_path: Path) -> None:
    done = _launched(tmp_path, ["-n", "2", "-d", "3"], {"OLYMPUS_PLATFORMS": "tpu"})
    assert done.returncode == 1 and not done.stdout
    assert re.match(r"olympus launch: --devices-per-process makes no sense for the platform 'tpu'", done.stderr)


@pytest.mark.processes
@pytest.mark.parametrize(("gpus", "options", "count"), [
    (1, ["-d", "2"], 2), (4, ["-g", "2"], 2), (2, ["-g", "1", "-d", "3"], 3),
])
def test_cuda_devices(gpus: int, options: list[str], count: int, tmp_path: Path) -> None:
    lacks = missing()
    if lacks is not None:
        pytest.skip(lacks)
    done = _launched(tmp_path, ["-n", "2", *options], environment(gpus))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"[{i}] {count} {2 * count} cuda" for i in range(2)]


def _named(monkeypatch: pytest.MonkeyPatch, platforms: str | None) -> None:
    names = tuple(platforms.split(",")) if platforms else None
    monkeypatch.setattr(launch_devices, "config", type("Config", (), {"platforms": names}))


def _launched(tmp_path: Path, options: list[str], env: dict[str, str]) -> Finished:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    with Processes(60.0) as processes:
        processes.start([sys.executable, "-m", "olympus", "launch", *options, str(path)], env=env)
        (end,) = processes.wait()
    assert not end.timed_out, end.stdout + end.stderr
    return end
