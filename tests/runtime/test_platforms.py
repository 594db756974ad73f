# SPDX-License-Identifier: Apache-2.0
"""The world over other platforms: what they are told, which is the default, and the same programs on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from olympus_core.config import Config
from olympus_core.plugin import Capabilities, DeviceDescription, PlatformSettings
from olympus_core.runtime import world as world_room
from olympus_core.runtime.registry import Selection
from tests.support.processes import Processes

ROOT = Path(__file__).parents[2]
TINY = ROOT / "tests" / "plugins" / "tiny"

PROGRAM = """
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding, SingleDeviceSharding, PartitionSpec as P

print(olympus.default_backend(), [str(d) for d in olympus.devices()], olympus.device_count("cpu"))
data = np.arange(32, dtype=np.float32).reshape(4, 8)
mesh = olympus.make_mesh((2,), ("i",))
x = olympus.device_put(data, NamedSharding(mesh, P("i")))

np.testing.assert_allclose(jnp.sum(jnp.sin(x)), np.sin(data).sum(), rtol=1e-4)
np.testing.assert_allclose(x @ x.T, data @ data.T)
y = olympus.device_put(x, NamedSharding(mesh, P(None, "i")))
for target in (NamedSharding(mesh, P()), SingleDeviceSharding(olympus.devices()[1]), y.sharding):
    y = olympus.device_put(y, target)
    np.testing.assert_array_equal(y, data)
np.testing.assert_allclose(
    olympus.shard_map(lambda v: lax.psum(v, "i"), mesh=mesh, in_specs=P("i"), out_specs=P())(x), data[:2] + data[2:])
np.testing.assert_allclose(olympus.jit(lambda v: lax.fori_loop(0, 3, lambda i, a: a * 2 + v.sum(), v))(x)[0, 0],
                           (2 ** 2 + 2 + 1) * data.sum())
assert "all_reduce" in olympus.explain(jnp.sum, x)
on_cpu = olympus.device_put(data, olympus.devices("cpu")[0])
assert (on_cpu + 1).devices() == {olympus.devices("cpu")[0]} and jnp.ones(2).device.platform == "tiny"
with olympus.default_device("cpu"):
    assert jnp.ones(2).device.platform == "cpu"
"""


def test_the_same_programs_run_on_another_platform(tmp_path: Path) -> None:
    information = tmp_path / "olympus_tiny-0.1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: olympus-tiny\nVersion: 0.1.0\n")
    (information / "entry_points.txt").write_text("[olympus.platforms]\ntiny = olympus_tiny\n")
    with Processes(30.0) as processes:
        processes.start(PROGRAM, env={
            "PYTHONPATH": f"{tmp_path}:{TINY}:{ROOT}", "OLYMPUS_PLATFORMS": "tiny,cpu", "OLYMPUS_NUM_CPU_DEVICES": "3",
        })
        (end,) = processes.wait()
    assert (end.returncode, end.stdout) == (0, "tiny ['TINY_0', 'TINY_1'] 3\n"), end.stderr


class FakeClient:
    """Has two devices; remembers what is done to it."""

    capabilities = Capabilities(frozenset())
    buffer_from_host = compile = open_communicator = memory_stats = staticmethod(lambda *_: None)  # never called

    def __init__(self, name: str, calls: list[str]) -> None:
        self.name, self.calls = name, calls

    def describe_devices(self) -> list[DeviceDescription]:
        return [DeviceDescription(i, "fake", f"{self.name}_{i}", f"Fake(id={i})") for i in range(2)]

    def bind_devices(self, devices: Any) -> None:
        self.devices = tuple(devices)

    def synchronize(self) -> None:
        self.calls.append(f"{self.name} synchronize")

    def close(self) -> None:
        self.calls.append(f"{self.name} close")
        if self.name == "fake":
            raise OSError("the driver is gone")


class FakePlatform:
    aliases, priority = (), 0

    def __init__(self, name: str, calls: list[str]) -> None:
        self.name, self._calls, self.settings = name, calls, PlatformSettings()

    def open(self, settings: PlatformSettings) -> FakeClient:
        self.settings = settings
        return FakeClient(self.name, self._calls)


@pytest.fixture
def platforms(monkeypatch: pytest.MonkeyPatch) -> tuple[FakePlatform, FakePlatform, list[str]]:
    calls: list[str] = []
    made = FakePlatform("fake", calls), FakePlatform("cpu", calls)
    settings = Config(environ={"OLYMPUS_NUM_CPU_DEVICES": "5", "OLYMPUS_CPU_TRANSPORT": "sockets"}, arguments=[])
    monkeypatch.setattr(world_room, "config", settings)
    monkeypatch.setattr(world_room.registry, "select", lambda names: [Selection(p, "told") for p in made])
    monkeypatch.setattr(world_room, "_local_device_ids", (1, 3))
    return *made, calls


def test_platforms_are_told_what_concerns_them(platforms: tuple[FakePlatform, FakePlatform, list[str]]) -> None:
    fake, cpu, _ = platforms
    world = world_room.World(None, "here")
    assert (cpu.settings.device_count, cpu.settings.transport) == (5, "sockets")
    assert (fake.settings.device_count, fake.settings.transport) == (None, None)
    assert fake.settings.local_device_ids == (1, 3) == cpu.settings.local_device_ids
    assert world.default_platform == "fake" and world.default_device() is world.local_devices()[0]
    assert [str(d) for d in world.devices("cpu")] == ["cpu_0", "cpu_1"]


def test_the_option_says_whose_devices_they_are_where_initialize_does_not(
    platforms: tuple[FakePlatform, FakePlatform, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Config(environ={"OLYMPUS_LOCAL_DEVICE_IDS": "2,0"}, arguments=[])
    monkeypatch.setattr(world_room, "config", settings)
    for given, told in (((1, 3), (1, 3)), (None, (2, 0))):
        monkeypatch.setattr(world_room, "_local_device_ids", given)
        world_room.World(None, "here")
        assert platforms[0].settings.local_device_ids == told


def test_every_client_is_closed_whatever_happens(platforms: tuple[FakePlatform, FakePlatform, list[str]]) -> None:
    calls = platforms[2]
    with pytest.raises(OSError, match="driver is gone"):
        world_room.World(None, "here").close()
    assert calls == ["fake synchronize", "fake close", "cpu synchronize", "cpu close"]


def test_detaching_forgets_even_when_closing_fails(
    platforms: tuple[FakePlatform, FakePlatform, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world_room, "_world", world_room.World(None, "here"))
    with pytest.raises(OSError, match="driver is gone"):
        world_room.detach()
    assert world_room.opened_world() is None and world_room._local_device_ids is None
