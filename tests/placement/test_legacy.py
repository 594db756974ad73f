# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.errors import (
    PositionalShapeError,
    RepeatedDeviceError,
    ShardedDimensionError,
    ShardingRankError,
    TilingError,
)
from olympus_core.placement import (
    GSPMDSharding,
    Mesh,
    NamedSharding,
    PmapSharding,
    PositionalSharding,
    Sharding,
)
from olympus_core.placement import (
    PartitionSpec as P,
)

from .devices import meshes, plain, specs

CPUS = plain(8)


def holders(sharding: Sharding, shape: tuple[int, ...]) -> dict:
    """For each part the ids of its devices, as a set."""
    parts: dict = {}
    for device, index in sharding.devices_indices_map(shape).items():
        bounds = tuple(s.indices(n)[:2] for s, n in zip(index, shape, strict=True))
        parts.setdefault(bounds, set()).add(device.id)
    return parts


def test_positional_text_of_the_documents() -> None:
    assert repr(PositionalSharding(np.array(plain(8, "cuda"), dtype=object).reshape(4, 2))) == (
        "PositionalSharding([[{GPU 0} {GPU 1}]\n"
        "                    [{GPU 2} {GPU 3}]\n"
        "                    [{GPU 4} {GPU 5}]\n"
        "                    [{GPU 6} {GPU 7}]])")


def test_positional_text_of_replicas() -> None:
    sharding = PositionalSharding(CPUS).reshape(4, 2)
    assert repr(sharding.replicate(0)) == "PositionalSharding([[{CPU 0, 2, 4, 6} {CPU 1, 3, 5, 7}]])"
    assert repr(sharding.replicate(0, keepdims=False)) == "PositionalSharding([{CPU 0, 2, 4, 6} {CPU 1, 3, 5, 7}])"
    assert repr(PositionalSharding(CPUS[:2], memory_kind="pinned_host")) == (
        "PositionalSharding([{CPU 0} {CPU 1}], memory_kind=pinned_host)")


def test_a_label_that_the_platform_gives_is_used() -> None:
    from olympus_core.placement import platform_label
    from olympus_core.plugin import Device, DeviceDescription

    device = Device(DeviceDescription(0, "x", "x", "x", {"family": "npu"}), platform="acme", process_index=0,
                    local_index=0, is_addressable=True)
    assert platform_label(device) == "NPU"
    assert [platform_label(plain(1, name)[0]) for name in ("cpu", "cuda", "tpu")] == ["CPU", "GPU", "TPU"]


def test_positional_reshape_keeps_the_devices() -> None:
    sharding = PositionalSharding(CPUS)
    assert sharding.shape == (8,) and sharding.ndim == 1
    grid = sharding.reshape(4, -1)
    assert grid.shape == (4, 2) and grid == sharding.reshape((4, 2)) and hash(grid) == hash(sharding.reshape(4, 2))
    assert grid != sharding.reshape(2, 4) and grid.devices == CPUS
    assert grid.T.shape == (2, 4) and [d.id for d in grid.T.devices] == [0, 2, 4, 6, 1, 3, 5, 7]
    assert holders(grid, (4, 2)) == {((i, i + 1), (j, j + 1)): {2 * i + j} for i in range(4) for j in range(2)}


def test_positional_replicate_joins_devices() -> None:
    sharding = PositionalSharding(CPUS).reshape(4, 2)
    assert holders(sharding.replicate(1), (4, 2)) == {((i, i + 1), (0, 2)): {2 * i, 2 * i + 1} for i in range(4)}
    assert holders(sharding.replicate(-1, keepdims=False), (4,)) == {
        ((i, i + 1),): {2 * i, 2 * i + 1} for i in range(4)}
    all_of_them = sharding.replicate()
    assert all_of_them.is_fully_replicated and all_of_them.shape == (1, 1)
    assert holders(all_of_them, (3, 5, 7)) == {((0, 3), (0, 5), (0, 7)): set(range(8))}
    assert sharding.replicate(0).replicate(1).reshape(1).shape == (1,)
    assert sharding.replicate(0).reshape(2, 1).shape == (2, 1)


def test_positional_over_two_processes() -> None:
    sharding = PositionalSharding(plain(8, local=4)).reshape(4, 2)
    assert not sharding.is_fully_addressable and len(sharding.addressable_devices) == 4


def test_positional_errors() -> None:
    sharding = PositionalSharding(CPUS).reshape(4, 2)
    with pytest.raises(PositionalShapeError, match="number of shards"):
        sharding.reshape(3, 3)
    with pytest.raises(PositionalShapeError):
        sharding.replicate(2)
    with pytest.raises(PositionalShapeError):
        sharding.transpose(0, 0)
    with pytest.raises(ShardingRankError, match="arrays of 2 dimensions, and the array has 3") as info:
        sharding.layout(3)
    assert (info.value.expected, info.value.ndim) == (2, 3)
    with pytest.raises(RepeatedDeviceError, match="cpu_0 repeated"):
        PositionalSharding([CPUS[0], CPUS[0]])


@pytest.mark.parametrize(
    ("tiling", "expected"),
    [
        ("{devices=[4,2]<=[8]}", [[{0}, {1}], [{2}, {3}], [{4}, {5}], [{6}, {7}]]),
        ("devices=[2,4]<=[4,2]T(1,0)", [[{0}, {2}, {4}, {6}], [{1}, {3}, {5}, {7}]]),
        ("{devices=[2,1,4]<=[8] last_tile_dim_replicate}", [[{0, 1, 2, 3}], [{4, 5, 6, 7}]]),
        ("{devices=[2,2,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}", [[{0, 4}, {1, 5}], [{2, 6}, {3, 7}]]),
        ("{devices=[4,2]<=[2,4]}", [[{0}, {1}], [{2}, {3}], [{4}, {5}], [{6}, {7}]]),
    ],
)
def test_gspmd_tilings(tiling: str, expected: list[list[set[int]]]) -> None:
    sharding = GSPMDSharding(CPUS, tiling)
    rows, columns = len(expected), len(expected[0])
    assert holders(sharding, (rows, columns)) == {
        ((i, i + 1), (j, j + 1)): expected[i][j] for i in range(rows) for j in range(columns)}
    assert eval(repr(sharding).replace("(", "('").replace(")", "')"), {"GSPMDSharding": lambda t: GSPMDSharding(
        CPUS, t)}) == sharding


def test_gspmd_replicated() -> None:
    sharding = GSPMDSharding.get_replicated(CPUS)
    assert repr(sharding) == "GSPMDSharding({replicated})" and sharding.is_fully_replicated
    assert sharding.shard_shape((3, 5)) == (3, 5) and sharding.devices == CPUS
    assert sharding == GSPMDSharding(CPUS, "{replicated}") != GSPMDSharding.get_replicated(CPUS[:4])
    assert sharding.is_equivalent_to(NamedSharding(Mesh(CPUS, "x"), P()), 2)


@pytest.mark.parametrize(
    "tiling",
    ["{devices=[4,2]<=[4]}", "{devices=[3,2]<=[8]}", "{devices=[2,2]<=[4]}", "{devices=[8]0,1,2,3,4,5,6,6}", "tiles",
     "{devices=[8]<=[8]T(1)}", "{maximal device=0}", None],
)
def test_gspmd_errors(tiling: object) -> None:
    with pytest.raises(TilingError, match="not a tiling over 8 devices"):
        GSPMDSharding(CPUS, tiling)


@settings(deadline=None, max_examples=80)
@given(st.data())
def test_gspmd_of_a_layout_places_alike(data: st.DataObject) -> None:
    mesh = data.draw(meshes())
    named = NamedSharding(mesh, data.draw(specs(mesh, 2)))
    layout = named.layout(2)
    shape = tuple(2 * n for n in layout.parts())
    listed = sorted(mesh.flat_devices, key=lambda d: d.id)
    assert holders(GSPMDSharding(listed, layout), shape) == holders(named, shape)


def test_gspmd_needs_the_devices_of_the_layout() -> None:
    with pytest.raises(TilingError):
        GSPMDSharding(CPUS[:4], NamedSharding(Mesh(CPUS, "x"), P("x")).layout(1))


def test_pmap_default_places_one_index_on_each_device() -> None:
    sharding = PmapSharding.default((3, 4, 2), 1, devices=CPUS)
    assert sharding.devices == CPUS[:4] and sharding.shard_shape((3, 4, 2)) == (3, 1, 2)
    assert sharding.devices_indices_map((3, 4, 2))[CPUS[2]] == (slice(None), slice(2, 3), slice(None))
    assert repr(sharding) == (
        "PmapSharding(sharded_dim=1, device_ids=[0, 1, 2, 3], device_platform=CPU, device_shape=(4,))")
    assert sharding == PmapSharding(CPUS[:4], 1) != PmapSharding(CPUS[:4], 0)
    assert hash(sharding) == hash(PmapSharding(CPUS[:4], 1)) and not sharding.is_fully_replicated


def test_pmap_copies() -> None:
    sharding = PmapSharding.default((3,), None, devices=CPUS)
    assert sharding.is_fully_replicated and holders(sharding, (3,)) == {((0, 3),): set(range(8))}


def test_pmap_errors() -> None:
    with pytest.raises(ShardedDimensionError, match="mapped over 8 devices"):
        PmapSharding.default((9,), devices=CPUS)
    with pytest.raises(ShardedDimensionError):
        PmapSharding.default((8,), 1, devices=CPUS)
    with pytest.raises(ShardingRankError):
        PmapSharding(CPUS, 1).layout(1)
