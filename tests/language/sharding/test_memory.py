# SPDX-License-Identifier: Apache-2.0
"""Kinds of memory: arrays that wait in the host's memory beside their devices; formats."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, MemoryKindError, NotSupportedError
from olympus.experimental.layout import Format, Layout, with_layout_constraint
from olympus.sharding import AxisType, NamedSharding, PmapSharding, PositionalSharding, SingleDeviceSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.runtime.placing import HostBuffer

HOST = np.arange(64.0, dtype="f").reshape(8, 8)


def mesh(kind: AxisType = AxisType.Auto) -> olympus.Mesh:
    return olympus.make_mesh((4, 2), ("i", "j"), axis_types=(kind, kind))


def is_on_host(x: olympus.Array) -> bool:
    found = {type(buffer) is HostBuffer for buffer in x._buffers}
    assert found == {x.sharding.memory_kind != "device"}
    return found == {True}


@pytest.mark.parametrize("kind", ["pinned_host", "unpinned_host"])
def test_device_put_to_the_hosts_memory_and_back(kind: str) -> None:
    there = NamedSharding(mesh(), P("i", "j"), memory_kind=kind)
    for x in (HOST, olympus.device_put(HOST, there.with_memory_kind("device")), olympus.device_put(HOST, there)):
        held = olympus.device_put(x, there)
        assert is_on_host(held) and held.sharding == there and held.sharding.memory_kind == kind
        assert np.array_equal(held, HOST)
        assert held.addressable_shards[3].data.sharding.memory_kind == kind
        back = olympus.device_put(held, there.with_memory_kind("device"))
        assert not is_on_host(back) and np.array_equal(back, HOST)
    elsewhere = olympus.device_put(held, NamedSharding(mesh(), P(None, "j"), memory_kind=kind))
    assert is_on_host(elsewhere) and np.array_equal(elsewhere, HOST)


def test_what_was_put_there_may_be_changed_afterwards() -> None:
    mine = HOST.copy()
    held = olympus.device_put(mine, SingleDeviceSharding(olympus.devices()[1], memory_kind="pinned_host"))
    mine[:] = 0
    assert np.array_equal(held, HOST)


def test_every_kind_of_sharding_has_both_memories() -> None:
    for sharding in (PositionalSharding(olympus.devices()).reshape(4, 2), PmapSharding.default((8, 8)),
                     SingleDeviceSharding(olympus.devices()[2]), NamedSharding(mesh(), P("j"))):
        host = sharding.with_memory_kind("pinned_host")
        assert host != sharding and host.with_memory_kind("device") == sharding and type(host) is type(sharding)
        assert not host.is_equivalent_to(sharding, 2) and host.is_equivalent_to(host, 2)
        held = olympus.device_put(HOST, host)
        assert is_on_host(held) and np.array_equal(held, HOST) and np.array_equal(held + 1, HOST + 1)
    with pytest.raises(MemoryKindError, match="'disk'"):
        NamedSharding(mesh(), P(), memory_kind="disk")


def test_programs_take_and_give_them() -> None:
    there = NamedSharding(mesh(), P("i"), memory_kind="pinned_host")
    held = olympus.device_put(HOST, there)
    doubled = olympus.jit(lambda x: (x * 2, x.sum()), out_shardings=(there, None))(held)
    assert is_on_host(doubled[0]) and np.array_equal(doubled[0], HOST * 2) and not is_on_host(doubled[1])
    step = olympus.jit(lambda x: olympus.device_put(x + 1, there))
    for expected in (HOST + 1, HOST + 2):  # the second call goes the short way
        held = step(held)
        assert is_on_host(held) and held.sharding.memory_kind == "pinned_host" and np.array_equal(held, expected)
    inside = olympus.jit(lambda x: olympus.device_put(x, there.with_memory_kind("device")) * 2)(held)
    assert not is_on_host(inside) and np.array_equal(inside, (HOST + 2) * 2)
    assert not is_on_host(held * 2) and np.array_equal(held @ held, (HOST + 2) @ (HOST + 2))
    captured = olympus.jit(lambda: held.sum())
    assert float(captured()) == float(captured()) == (HOST + 2).sum()


def test_donated_ones_and_derivatives() -> None:
    there = NamedSharding(mesh(), P("i"), memory_kind="pinned_host")
    held = olympus.device_put(HOST, there)
    grown = olympus.jit(lambda x: x + 1, donate_argnums=0)(held)
    assert np.array_equal(grown, HOST + 1) and held.is_deleted()
    held = olympus.device_put(HOST, there)
    assert np.allclose(olympus.grad(lambda x: (x * x).sum())(held), 2 * HOST)
    assert np.allclose(olympus.vmap(jnp.sum)(held), HOST.sum(1))


def test_a_kind_of_memory_alone() -> None:
    x = olympus.device_put(HOST, NamedSharding(mesh(), P("i")))
    held = olympus.device_put({"x": x}, olympus.memory.Space.Host)["x"]
    assert held.sharding == x.sharding.with_memory_kind("pinned_host")
    assert olympus.device_put(held, olympus.memory.Space.Any).sharding == held.sharding
    assert olympus.device_put(held, olympus.memory.Space.Device).sharding == x.sharding
    with pytest.raises(ArgumentError, match="lies somewhere"):
        lax.with_sharding_constraint(np.ones(3), olympus.memory.Space.Host)


def test_arrays_of_pieces_and_arrays_like_others() -> None:
    there = NamedSharding(mesh(), P("i", "j"), memory_kind="pinned_host")
    held = olympus.make_array_from_callback((8, 8), there, lambda index: HOST[index])
    assert is_on_host(held) and np.array_equal(held, HOST)
    pieces = [shard.data for shard in olympus.device_put(HOST, there.with_memory_kind("device")).addressable_shards]
    joined = olympus.make_array_from_single_device_arrays((8, 8), there, pieces)
    assert is_on_host(joined) and np.array_equal(joined, HOST)
    assert is_on_host(jnp.zeros_like(held)) and jnp.zeros_like(held).sharding == there


def test_devices_tell_their_memories() -> None:
    device = olympus.devices()[1]
    assert [m.kind for m in device.addressable_memories()] == ["device", "pinned_host", "unpinned_host"]
    assert device.default_memory().kind == "device" and device.memory("pinned_host").device is device
    assert device.memory("pinned_host").addressable_by_devices() == [device]


def test_formats() -> None:
    x = olympus.device_put(HOST, NamedSharding(mesh(), P("i")))
    assert x.format == Format(Layout((0, 1), ()), x.sharding) and hash(x.format) == hash(x.format)
    assert olympus.device_put(HOST, x.format).sharding == x.sharding
    f = olympus.jit(lambda a, b: (a + b, a), in_shardings=Format(Layout.AUTO, x.sharding),
                    out_shardings=(Format(Layout((0, 1)), x.sharding), None))
    compiled = f.lower(x, b=olympus.ShapeDtypeStruct((8, 8), "float32")).compile()
    args, kwargs = compiled.input_formats
    assert args[0].sharding.is_equivalent_to(x.sharding, 2) and set(kwargs) == {"b"}
    assert compiled.output_formats[0].layout.major_to_minor == (0, 1)
    with pytest.raises(NotSupportedError, match="last dimension fastest"):
        olympus.device_put(HOST, Format(Layout((1, 0)), x.sharding))
    with pytest.raises(ArgumentError, match="number of dimensions"):
        olympus.device_put(HOST, Format(Layout((0, 1, 2)), x.sharding))
    with pytest.raises(ArgumentError, match="needs a sharding"):
        Format(Layout((0, 1)))
    assert Layout((0, 1)).update(major_to_minor=(1, 0)) == Layout((1, 0))
    turned = olympus.jit(lambda v: with_layout_constraint(v.T, Layout((1, 0))))(x)
    assert np.array_equal(turned, HOST.T)
    with pytest.raises(ArgumentError):
        with_layout_constraint(x, Layout((0,)))


def test_with_sharding_constraint_takes_formats() -> None:
    sharding = NamedSharding(mesh(), P("j"))
    assert lax.with_sharding_constraint(jnp.ones((4, 4)), Format(None, sharding)).sharding == sharding


def test_values_of_the_host_go_to_a_kind_of_memory() -> None:
    found = olympus.device_put({"w": HOST, "n": 2.0}, olympus.memory.Space.Host)
    assert {x.sharding.memory_kind for x in found.values()} == {"pinned_host"} and np.array_equal(found["w"], HOST)
    assert olympus.device_put(HOST, olympus.memory.Space.Device).sharding.memory_kind == "device"


def test_a_jitted_function_may_leave_orders_to_the_compiler() -> None:
    free = Format(Layout.AUTO)
    turned = olympus.jit(lambda x: x.T, in_shardings=free, out_shardings=free)
    compiled = turned.lower(olympus.ShapeDtypeStruct(HOST.shape, HOST.dtype)).compile()
    chosen = compiled.input_formats[0][0]
    assert np.array_equal(compiled(olympus.device_put(HOST, chosen)), HOST.T) and np.array_equal(turned(HOST), HOST.T)
