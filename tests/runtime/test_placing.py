# SPDX-License-Identifier: Apache-2.0
"""Content between meshes of other devices and other orders, in one process."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
from olympus.sharding import Mesh, NamedSharding, PmapSharding, PositionalSharding, SingleDeviceSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.errors import DefaultDeviceError
from olympus_core.plugin import Device, DeviceDescription

SPECS = [P(), P("a"), P(None, "a"), P("a", "b"), P("b", "a"), P(("b", "a")), P(None, ("a", "b"))]


@st.composite
def shardings(draw: st.DrawFn) -> NamedSharding:
    shape = draw(st.sampled_from([(1, 1), (2, 1), (2, 2), (4, 2), (1, 8), (2, 3)]))
    order = draw(st.permutations(range(8)))[: shape[0] * shape[1]]
    mesh = Mesh(np.array(olympus.devices())[order].reshape(shape), ("a", "b"))
    return NamedSharding(mesh, draw(st.sampled_from(SPECS)))


@settings(max_examples=120)
@given(st.lists(shardings(), min_size=2, max_size=4))
def test_from_any_to_any(path: list[NamedSharding]) -> None:
    data = np.random.default_rng(0).normal(size=(24, 48)).astype(np.float32)
    x = olympus.device_put(data, path[0])
    for sharding in path:
        before, x = x, olympus.device_put(x, sharding)
        assert x.sharding == sharding and x.committed and not before.is_deleted()
        assert {s.device for s in x.addressable_shards} == set(sharding.devices)
        for shard, buffer in zip(x.addressable_shards, x._buffers, strict=True):
            assert buffer.device is shard.device
            np.testing.assert_array_equal(np.asarray(shard.data), data[shard.index])


def test_between_the_kinds_of_sharding() -> None:
    devices = olympus.devices()
    data = np.arange(64, dtype=np.float32).reshape(8, 8)
    kinds = [
        SingleDeviceSharding(devices[5]), PositionalSharding(devices).reshape(2, 4), PmapSharding(devices, 0),
        PositionalSharding(devices[::-1]).reshape(8, 1).replicate(1), NamedSharding(Mesh(devices, ("x",)), P("x")),
    ]
    x = olympus.device_put(data, kinds[-1])
    for sharding in kinds + kinds[::-1]:
        x = olympus.device_put(x, sharding)
        assert x.sharding == sharding
        np.testing.assert_array_equal(np.asarray(x), data)


@pytest.mark.parametrize("shape", [(0, 8), (8, 0), ()])
def test_without_elements_or_dimensions(shape: tuple[int, ...]) -> None:
    mesh = Mesh(olympus.devices(), ("x",))
    x = olympus.device_put(np.zeros(shape), NamedSharding(mesh, P("x") if shape else P()))
    y = olympus.device_put(x, SingleDeviceSharding(olympus.devices()[3]))
    assert y.shape == shape and np.asarray(y).shape == shape


def test_a_default_device_of_another_process_is_refused() -> None:
    description = DeviceDescription(131072, "cpu", "TFRT_CPU_131072", "CpuDevice(id=131072)")
    device = Device(description, platform="cpu", process_index=1, local_index=0, is_addressable=False)
    says = "TFRT_CPU_131072 belongs to process 1"
    with olympus.default_device(device), pytest.raises(DefaultDeviceError, match=says):
        olympus.numpy.ones(3)
