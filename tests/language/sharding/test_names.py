# SPDX-License-Identifier: Apache-2.0
"""Names of today's peer around meshes, devices and mapped functions; older modules."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, DeviceCountError
from olympus.experimental import mesh_utils, multihost_utils
from olympus.experimental.pjit import pjit
from olympus.experimental.shard_map import shard_map as older_shard_map
from olympus.sharding import (
    AbstractDevice,
    AbstractMesh,
    AxisType,
    ManualAxisType,
    NamedSharding,
    PmapSharding,
    SingleDeviceSharding,
    get_abstract_mesh,
    make_single_device_sharding,
    use_abstract_mesh,
)
from olympus.sharding import PartitionSpec as P

HOST = np.arange(64.0, dtype="f").reshape(8, 8)


def test_smap_maps_over_one_axis() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    with olympus.set_mesh(mesh):
        total = olympus.smap(lambda v: lax.psum(v, "x"), in_axes=0, out_axes=None, axis_name="x")
        assert np.array_equal(total(HOST), HOST.reshape(4, 2, 8).sum(0))
        both = olympus.smap(lambda v, w: {"a": v * 2, "b": w["c"] + 1}, in_axes=(-1, None),
                            out_axes={"a": 1, "b": None}, axis_name="x")(HOST, {"c": HOST})
        assert np.array_equal(both["a"], HOST * 2) and np.array_equal(both["b"], HOST + 1)
        assert both["a"].sharding.spec == P(None, "x")

        def inner(v: olympus.Array) -> olympus.Array:
            assert v.shape == (2, 4)
            return lax.psum(v.sum(), ("x", "y"))

        nested = olympus.smap(olympus.smap(inner, in_axes=1, out_axes=None, axis_name="y"), in_axes=0, out_axes=None,
                              axis_name="x")
        assert float(nested(HOST)) == HOST.sum()
        for axes in ({"a": 0}, 2.0, True):
            with pytest.raises(ArgumentError, match="in_axes"):
                olympus.smap(lambda v: v, in_axes=axes, out_axes=0, axis_name="x")(HOST)
        with pytest.raises(ArgumentError, match="not there"):
            olympus.smap(lambda v: v, in_axes=2, out_axes=0, axis_name="x")(HOST)


def test_specs_follow_from_explicit_types() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"), axis_types=AxisType.Explicit)
    with olympus.set_mesh(mesh):
        x = olympus.reshard(jnp.asarray(HOST), P("x", "y"))
        assert olympus.shard_map(lambda v: v * 2, out_specs=P("x", "y"))(x).sharding == x.sharding
        shapes = []
        one = olympus.smap(lambda v: (shapes.append(v.shape), v)[1], out_axes=1, axis_name="y")(x)
        assert shapes == [(8, 4)] and np.array_equal(one, HOST)
        some = olympus.shard_map(lambda v: v, out_specs=P("x"), axis_names=set())(x.sum(1))
        assert some.sharding.spec == P("x")
    with pytest.raises(ArgumentError, match="in_specs is needed"):
        olympus.shard_map(lambda v: v, mesh=olympus.make_mesh((8,), ("x",)), out_specs=P("x"))(HOST)


def test_older_modules() -> None:
    mesh = olympus.make_mesh((8,), ("x",))
    sharding = NamedSharding(mesh, P("x"))
    assert pjit(lambda v, n: v * n, None, sharding, 1)(HOST, 3).sharding == sharding
    halves = older_shard_map(lambda v: lax.psum(v, "x"), mesh, P("x"), P())
    assert np.array_equal(halves(HOST), HOST.sum(0, keepdims=True))
    two = olympus.make_mesh((4, 2), ("x", "y"))
    part = older_shard_map(lambda v: lax.psum(v, "x"), two, P("x"), P(), check_rep=False, auto=frozenset({"y"}))
    assert np.array_equal(part(HOST), HOST.reshape(4, 2, 8).sum(0))


def test_jit_on_one_device() -> None:
    device = olympus.devices()[3]
    f = olympus.jit(lambda x: x + 1, device=device)
    x = olympus.device_put(HOST, NamedSharding(olympus.make_mesh((8,), ("x",)), P("x")))
    assert f(x).sharding == f(1.0).sharding == SingleDeviceSharding(device)
    assert olympus.jit(lambda x: x, backend=None, device=None, compiler_options=None)(1.0) == 1
    first = olympus.jit(lambda x: x * 2, backend=olympus.default_backend())(x)
    assert first.devices() == {olympus.devices()[0]} and np.array_equal(first, HOST * 2)
    with pytest.raises(ArgumentError, match="several parameters"):
        olympus.jit(lambda x: x, device=device, backend="cpu")


def test_pmap_by_platform_and_ahead_of_time() -> None:
    f = olympus.pmap(lambda x, w, n: ({"y": x * w.sum() + n}, lax.psum(x, "i")), axis_name="i", in_axes=(0, None, None),
                     out_axes=(0, None), static_broadcasted_argnums=2, backend=olympus.default_backend())
    w = np.ones(2, "f")
    lowered = f.lower(HOST[:4], w, 5)
    assert "psum" in lowered.as_text() or "all_reduce" in lowered.as_text()
    compiled = lowered.compile()
    for results in (compiled(HOST[:4], w, 5), f(HOST[:4], w, 5)):
        assert np.array_equal(results[0]["y"], HOST[:4] * 2 + 5) and isinstance(results[0]["y"].sharding, PmapSharding)
        assert np.array_equal(results[1], HOST[:4].sum(0))
    assert f.lower(olympus.ShapeDtypeStruct((4, 8), "float32"), w, 5).out_tree == lowered.out_tree


def test_processes_and_devices_by_their_older_names() -> None:
    assert (olympus.host_id(), olympus.host_count(), olympus.host_ids()) == (0, 1, [0])
    assert olympus.local_devices(host_id=0) == olympus.local_devices(process_index=0) == olympus.devices()
    assert PmapSharding.default((8, 2)).devices == tuple(olympus.devices())
    device = olympus.devices()[1]
    assert make_single_device_sharding(device, memory_kind="pinned_host") == SingleDeviceSharding(
        device, memory_kind="pinned_host")
    with multihost_utils.live_devices(olympus.devices()) as alive:
        assert alive == olympus.devices()


def test_hybrid_meshes() -> None:
    class Piece:
        platform, is_closed = "tpu", False

        def __init__(self, number: int) -> None:
            self.id, self.slice_index, self.process_index = number, number % 2, number // 4

    pieces = [Piece(i) for i in range(8)]
    grid = mesh_utils.create_hybrid_device_mesh((2, 2), (1, 2), pieces)
    assert grid.shape == (2, 4)
    assert [[p.slice_index for p in row] for row in grid] == [[0, 0, 1, 1], [0, 0, 1, 1]]
    rows = mesh_utils.create_hybrid_device_mesh((4,), (2,), pieces, process_is_granule=True)
    assert [p.process_index for p in rows] == [0] * 4 + [1] * 4
    with pytest.raises(ArgumentError, match="product is 2"):
        mesh_utils.create_hybrid_device_mesh((2, 2), (2, 2), pieces)
    with pytest.raises(DeviceCountError):
        mesh_utils.create_hybrid_device_mesh((2, 1), (1, 2), pieces)
    with pytest.raises(ArgumentError, match="slice_index"):
        mesh_utils.create_hybrid_device_mesh((4, 2), (1, 1))


def test_abstract_meshes_in_use() -> None:
    kind = AbstractDevice("cpu", None, "cpu")
    mesh = AbstractMesh((8,), ("x",), abstract_device=kind)
    assert mesh != AbstractMesh((8,), ("x",)) and pickle.loads(pickle.dumps(mesh)) == mesh
    with use_abstract_mesh(mesh):
        assert get_abstract_mesh() == AbstractMesh((8,), ("x",)) and olympus.get_mesh() is None
    with olympus.set_mesh(olympus.make_mesh((8,), ("x",))):
        explicit = get_abstract_mesh().update_axis_types({"x": AxisType.Explicit})
        with use_abstract_mesh(explicit):
            assert get_abstract_mesh() == explicit
            x = olympus.reshard(jnp.asarray(HOST), P("x"))
            assert olympus.typeof(x).sharding.spec == P("x")
        assert get_abstract_mesh().are_all_axes_auto
    # A program over axes without devices takes those of its arguments.
    x = olympus.device_put(HOST, NamedSharding(olympus.make_mesh((8,), ("x",)), P("x")))
    f = olympus.shard_map(lambda v: lax.psum(v, "x"), mesh=AbstractMesh((8,), ("x",)), in_specs=P("x"), out_specs=P())
    assert np.array_equal(olympus.jit(f)(x), HOST.sum(0, keepdims=True))


def test_types_of_manual_axes() -> None:
    kind = ManualAxisType(varying={"x"}, reduced=("y",))
    assert kind == ManualAxisType(varying=("x",), reduced={"y"}) and hash(kind) == hash(kind.update())
    assert kind.update(varying=()).varying == frozenset() and ManualAxisType().empty and not kind.empty


def test_constraints_over_manual_axes_are_refused() -> None:
    for kind in (AxisType.Auto, AxisType.Explicit):
        mesh = olympus.make_mesh((4, 2), ("i", "j"), axis_types=(kind, kind))
        with olympus.set_mesh(mesh):
            for move in (lax.with_sharding_constraint, olympus.device_put):
                f = olympus.shard_map(lambda v, move=move: move(v, P("i", "j")), in_specs=P("i"), out_specs=P("i"),
                                      axis_names={"i"})
                with pytest.raises(ValueError, match="'i', which is manual here"):
                    f(np.ones((32, 8), "f"))
            free = olympus.shard_map(lambda v: lax.with_sharding_constraint(v, P(None, "j")) * 2, in_specs=P("i"),
                                     out_specs=P("i"), axis_names={"i"})
            assert np.array_equal(free(HOST), HOST * 2)


def test_every_spec_is_reached_from_every_other() -> None:
    """All pairs of specs over two explicit axes, alone and in programs."""
    mesh = olympus.make_mesh((4, 2), ("i", "j"), axis_types=AxisType.Explicit)
    entries = (None, "i", "j", ("i", "j"), ("j", "i"))
    specs = [P(a, b) for a in entries for b in entries if not {*(a or ())} & {*(b or ())}]
    assert len(specs) == 11
    inside = olympus.jit(lambda x: [olympus.reshard(x, NamedSharding(mesh, spec)) for spec in specs])
    for source in specs:
        x = olympus.device_put(HOST, NamedSharding(mesh, source))
        for spec, there in zip(specs, inside(x), strict=True):
            moved = olympus.reshard(x, NamedSharding(mesh, spec))
            assert moved.sharding.spec == there.sharding.spec == spec
            assert np.array_equal(moved, HOST) and np.array_equal(there, HOST)
