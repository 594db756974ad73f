# SPDX-License-Identifier: Apache-2.0
"""A third party's platform, installed as a package of its own, runs the same programs."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.plugin import API_VERSION, Device, Group, PlatformSettings
from olympus_core.program import ArrayType, ProgramBuilder
from olympus_core.program.interpreter import run_members
from olympus_core.toolkit import TableExecutable
from tests.support.processes import Processes
from tests.toolkit.programs import collective, device_program, running_sum

TINY = Path(__file__).parent / "tiny"
METADATA = "Metadata-Version: 2.1\nName: olympus-tiny\nVersion: 0.1.0\n"
ENTRY_POINTS = "[olympus.platforms]\ntiny = olympus_tiny\n"

USE = """
import json
import numpy as np
from olympus_core.plugin import Device, PlatformSettings
from olympus_core.runtime.registry import registry

(selection,) = registry.select(["tiny"])
client = selection.platform.open(PlatformSettings())
devices = [
    Device(d, platform="tiny", process_index=0, local_index=i, is_addressable=True)
    for i, d in enumerate(client.describe_devices())
]
client.bind_devices(devices)
buffer = client.buffer_from_host(np.arange(3), devices[0])
print(json.dumps([str(devices[0]), repr(devices[0]), selection.platform.name, buffer.to_host().tolist()]))
"""

PROGRAM = """
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P

mesh = olympus.make_mesh((2,), ("i",))
x = olympus.device_put(np.arange(32.0).reshape(4, 8), NamedSharding(mesh, P("i")))
print(olympus.devices(), f"{float(jnp.sum(jnp.sin(x) + x)):.4f}", np.asarray(olympus.jit(lambda v: v + 1)(x))[3, 7])
"""


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(TINY))
    import olympus_tiny

    olympus_tiny.calls.clear()
    yield olympus_tiny.olympus_platform()
    sys.modules.pop("olympus_tiny")


def opened(platform):
    client = platform.open(PlatformSettings(device_count=4))
    devices = tuple(
        Device(d, platform="tiny", process_index=0, local_index=i, is_addressable=True)
        for i, d in enumerate(client.describe_devices())
    )
    client.bind_devices(devices)
    return client, devices


def test_one_file_is_a_platform(platform) -> None:
    assert len((TINY / "olympus_tiny.py").read_text().splitlines()) <= 60
    assert (platform.name, platform.aliases, platform.api_version) == ("tiny", (), API_VERSION)
    assert platform.probe().available
    client, devices = opened(platform)
    assert [str(d) for d in devices[:2]] == ["TINY_0", "TINY_1"]
    assert repr(devices[0]) == "TinyDevice(id=0)"
    assert not client.capabilities.multi_process
    assert {"add", "while", "all_reduce", "sort"} <= client.capabilities.operations


@pytest.fixture
def installed(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that has the package: what `pip install` writes, without the time it takes."""
    information = tmp_path / "olympus_tiny-0.1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(METADATA)
    (information / "entry_points.txt").write_text(ENTRY_POINTS)
    return {"PYTHONPATH": ":".join([str(tmp_path), str(TINY), str(Path(__file__).parents[2])])}


def output_of(program: str, environment: dict[str, str]) -> str:
    with Processes(30) as processes:
        processes.start(program, env=environment)
        (finished,) = processes.wait()
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip()


def test_it_is_found_by_its_entry_point(installed: dict[str, str]) -> None:
    assert json.loads(output_of(USE, installed)) == ["TINY_0", "TinyDevice(id=0)", "tiny", [0, 1, 2]]


def test_the_language_runs_on_it(installed: dict[str, str]) -> None:
    total = np.sum(np.sin(np.arange(32.0)) + np.arange(32.0))
    expected = f"[TinyDevice(id=0), TinyDevice(id=1)] {total:.4f} 32.0"
    assert output_of(PROGRAM, {**installed, "OLYMPUS_PLATFORMS": "tiny"}) == expected


def test_the_package_declares_what_the_entry_point_test_writes() -> None:
    text = (TINY / "pyproject.toml").read_text()
    assert '[project.entry-points."olympus.platforms"]\ntiny = "olympus_tiny"' in text


@pytest.mark.parametrize("program", [
    collective("all_reduce", (4, 8), [(0, 1, 2, 3)], reduction="sum"),
    collective("all_to_all", (4, 8), [(0, 1), (2, 3)], split_dimension=1, concat_dimension=0),
    running_sum([(0, 1, 2, 3)], True, False),
], ids=["all_reduce", "all_to_all", "scan"])
def test_it_runs_the_programs_that_every_platform_runs(platform, program) -> None:
    client, devices = opened(platform)
    random = np.random.default_rng(0)
    inputs = [[random.standard_normal(t.shape).astype(t.dtype) for _ in devices] for t in program.input_types]
    executable = client.compile(device_program(program, devices), None)
    results = executable.execute(
        [[client.buffer_from_host(x, d) for x, d in zip(column, devices, strict=True)] for column in inputs])
    for column, expected in zip(results, run_members(program, inputs, range(4)), strict=True):
        for buffer, array in zip(column, expected, strict=True):
            np.testing.assert_allclose(buffer.to_host(), array, rtol=1e-5, atol=1e-6)
    import olympus_tiny

    assert olympus_tiny.calls, "the platform's own function was not used"


def test_its_own_function_is_what_runs(platform) -> None:
    client, devices = opened(platform)
    builder = ProgramBuilder("f")
    x = builder.input(ArrayType((), "float32"))
    program = builder.finish(builder.emit(ops.add, [x, x]))
    executable = client.compile(device_program(program, devices[:1]), None)
    assert isinstance(executable, TableExecutable)
    (result,), = executable.execute([[client.buffer_from_host(np.float32(2), devices[0])]])
    assert result.to_host() == 4
    assert result.to_host().shape == ()


def test_its_devices_talk_to_each_other(platform) -> None:
    client, devices = opened(platform)
    communicator = client.open_communicator(Group(devices), None)
    values = [client.buffer_from_host(np.full(2, i), d) for i, d in enumerate(devices)]
    results = communicator.all_reduce(values, "max").result(0.0)
    assert [r.to_host().tolist() for r in results] == [[3, 3]] * 4
    assert results[1].copy_to(devices[2]).device is devices[2]
