# SPDX-License-Identifier: Apache-2.0
"""Arrays: values, shards, printing, placement."""

from __future__ import annotations

import ctypes
import pickle
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, DeletedError
from olympus.sharding import NamedSharding, SingleDeviceSharding
from olympus.sharding import PartitionSpec as P


@pytest.fixture(scope="module")
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((4, 2), ("i", "j"))


def test_device_put_cuts_and_reassembles(mesh: olympus.Mesh) -> None:
    data = np.arange(32).reshape(4, 8)
    x = olympus.device_put(data, NamedSharding(mesh, P("i", "j")))
    assert x.shape == (4, 8) and x.dtype == np.int32 and x.committed
    assert [s.data.shape for s in x.addressable_shards] == [(1, 4)] * 8
    for shard in x.addressable_shards:
        np.testing.assert_array_equal(np.asarray(shard.data), data[shard.index])
        assert shard.data.devices() == {shard.device}
    np.testing.assert_array_equal(np.asarray(x), data)


def test_replicas_are_counted(mesh: olympus.Mesh) -> None:
    x = olympus.device_put(np.arange(4), NamedSharding(mesh, P("i")))
    assert [s.replica_id for s in x.addressable_shards] == [0, 1] * 4
    assert [s.index for s in x.global_shards][:3] == [(slice(0, 1),), (slice(0, 1),), (slice(1, 2),)]


@pytest.mark.parametrize("source", [P("i", "j"), P("j", "i"), P(("i", "j")), P(None, "i"), P()], ids=str)
@pytest.mark.parametrize("target", [P("i", "j"), P("j"), P(None, ("j", "i")), P()], ids=str)
def test_any_sharding_to_any_other_of_a_mesh(mesh: olympus.Mesh, source: P, target: P) -> None:
    data = np.random.default_rng(0).normal(size=(8, 16)).astype(np.float32)
    x = olympus.device_put(data, NamedSharding(mesh, source))
    y = olympus.device_put(x, NamedSharding(mesh, target))
    assert y.sharding == NamedSharding(mesh, target)
    for shard in y.addressable_shards:
        np.testing.assert_array_equal(np.asarray(shard.data), data[shard.index])


def test_between_disjoint_and_overlapping_device_sets() -> None:
    devices = olympus.devices()
    data = np.arange(24.0, dtype=np.float32).reshape(6, 4)
    first = NamedSharding(olympus.make_mesh((2,), ("a",), devices=devices[:2]), P("a"))
    second = NamedSharding(olympus.make_mesh((3,), ("b",), devices=devices[5:]), P("b"))
    third = NamedSharding(olympus.make_mesh((2, 2), ("c", "d"), devices=devices[4:]), P("d", "c"))
    x = olympus.device_put(data, first)
    for sharding in [second, third, SingleDeviceSharding(devices[6]), first]:
        x = olympus.device_put(x, sharding)
        assert x.sharding == sharding
        for shard in x.addressable_shards:
            np.testing.assert_array_equal(np.asarray(shard.data), data[shard.index])


def test_a_size_that_does_not_divide_is_refused_with_the_nearest_that_fit(mesh: olympus.Mesh) -> None:
    with pytest.raises(olympus.errors.IndivisibleError, match="nearest are 4 or 8") as caught:
        olympus.device_put(np.zeros((8, 6)), NamedSharding(mesh, P(None, "i")))
    assert isinstance(caught.value, ValueError)
    assert (caught.value.dimension, caught.value.axes, caught.value.parts) == (1, ("i",), 4)


def test_uncommitted_and_committed() -> None:
    device = olympus.devices()[3]
    assert not jnp.ones(3).committed and jnp.ones(3).devices() == {olympus.devices()[0]}
    x = olympus.device_put(np.ones(3), device)
    assert x.committed and (x + jnp.ones(3)).devices() == {device} and (x + 1).committed
    assert not (jnp.ones(3) + 1).committed


def test_committed_to_different_devices_is_refused_with_the_arguments() -> None:
    x = olympus.device_put(np.ones(3, np.float32), olympus.devices()[1])
    y = olympus.device_put(np.ones(3, np.float32), olympus.devices()[2])
    with pytest.raises(olympus.errors.IncompatibleDevicesError) as caught:
        x + y
    message = str(caught.value)
    first, second = olympus.devices()[1:3]
    assert f"float32[3] on {first}, committed at" in message and f"float32[3] on {second}" in message
    assert f"{__file__}:" in message and "\n    x: " in message and "\n    y: " in message


def test_committed_arguments_are_named_as_the_function_names_them() -> None:
    mesh = olympus.make_mesh((2,), ("i",), devices=olympus.devices()[:2])
    sharding = olympus.NamedSharding(mesh, olympus.P("i"))
    x = olympus.device_put(np.ones(2), olympus.devices()[5])
    params = {"w": [olympus.make_array_from_callback((2,), sharding, lambda index: np.ones(2)[index])],
              "b": olympus.lax.with_sharding_constraint(jnp.ones(2), sharding), "c": jnp.ones(2)}

    def step(n, params, *batch, scale):
        return params

    with pytest.raises(olympus.errors.IncompatibleDevicesError) as caught:
        olympus.jit(step, static_argnums=0)(3, params, jnp.ones(1), x, scale=x)
    lines = str(caught.value).splitlines()
    assert [line.split(":")[0].strip() for line in lines[2:6]] == ["params['b']", "params['w'][0]", "batch[1]", "scale"]
    assert all(f"committed at {__file__}:" in line for line in lines[2:6])
    computed = r"x: .*, committed as the result of a call\n *y: "
    with pytest.raises(olympus.errors.IncompatibleDevicesError, match=computed):
        (x + 1) + params["b"]


def test_printing() -> None:
    assert repr(jnp.array([[0]])) == "Array([[0]], dtype=int32)"
    assert repr(jnp.float32(2.5)) == "Array(2.5, dtype=float32)"
    assert str(jnp.arange(3)) == "[0 1 2]"
    assert f"{jnp.float32(0.1)}" == "0.10000000149011612" and f"{jnp.array(3.14159):.2f}" == "3.14"
    assert repr(jnp.asarray(1.0)) == "Array(1., dtype=float32, weak_type=True)"


def test_python_numbers() -> None:
    assert float(jnp.array(2.5)) == 2.5 and int(jnp.array(7)) == 7 and bool(jnp.array(True))
    assert [10, 20, 30][jnp.array(1)] == 20
    with pytest.raises(TypeError, match="exactly one element"):
        float(jnp.ones(2))


def test_values_do_not_change() -> None:
    host = np.zeros(4, np.float32)
    x = olympus.device_put(host, olympus.devices()[0])
    host[:] = 1
    np.testing.assert_array_equal(np.asarray(x), np.zeros(4))
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(x)[0] = 1
    with pytest.raises(TypeError, match=r"x\.at\[index\]\.set"):
        x[0] = 1


def test_deleted() -> None:
    x = jnp.ones(3)
    x.delete()
    assert x.is_deleted() and "deleted" in repr(x)
    for use in (lambda: np.asarray(x), lambda: x + 1, lambda: str(x), lambda: x.addressable_shards):
        with pytest.raises(RuntimeError, match=r"after delete\(\)"):
            use()


def test_device_put_without_a_device() -> None:
    x = olympus.device_put(np.ones(2), olympus.devices()[4])
    assert olympus.device_put(x) is x
    tree = olympus.device_put({"a": 1, "b": [np.ones(2)]})
    assert not tree["a"].committed and tree["b"][0].shape == (2,)
    np.testing.assert_array_equal(olympus.device_get(tree)["b"][0], np.ones(2))


def test_pickle_keeps_the_value() -> None:
    with olympus.default_device(olympus.devices()[2]):
        found = pickle.loads(pickle.dumps({"a": jnp.arange(4), "b": jnp.asarray(1.0)}))
    assert type(found["a"]) is olympus.Array and found["a"].tolist() == [0, 1, 2, 3] and not found["a"].committed
    assert found["b"].weak_type and found["a"].devices() == {olympus.devices()[2]}


def test_dlpack_of_one_device_and_refusal_of_several(mesh: olympus.Mesh) -> None:
    if olympus.default_backend() == "cpu":
        np.testing.assert_array_equal(np.from_dlpack(jnp.arange(4.0)), np.arange(4.0))
    else:  # NumPy reads no other memory than the host's
        with pytest.raises((RuntimeError, BufferError)):
            np.from_dlpack(jnp.arange(4.0))
    x = olympus.device_put(np.arange(8), NamedSharding(mesh, P("i")))
    with pytest.raises(BufferError, match="addressable_shards"):
        np.from_dlpack(x)


def test_arrays_are_made_of_single_device_arrays(mesh: olympus.Mesh) -> None:
    sharding = NamedSharding(mesh, P("i", "j"))
    parts = [olympus.device_put(jnp.array([[i]]), d) for i, d in enumerate(olympus.devices())]
    x = olympus.make_array_from_single_device_arrays((4, 2), sharding, parts)
    np.testing.assert_array_equal(np.asarray(x), np.arange(8).reshape(4, 2))
    with pytest.raises(ValueError, match="exactly one array"):
        olympus.make_array_from_single_device_arrays((4, 2), sharding, parts[:-1])
    with pytest.raises(ValueError, match="not a part of the whole"):
        olympus.make_array_from_single_device_arrays((8, 2), sharding, parts)


def test_arrays_are_made_by_a_callback(mesh: olympus.Mesh) -> None:
    data = np.arange(64).reshape(8, 8)
    calls: list[object] = []

    def part(index: tuple[slice, ...]) -> np.ndarray:
        calls.append(index)
        return data[index]

    x = olympus.make_array_from_callback((8, 8), NamedSharding(mesh, P("j")), part)
    np.testing.assert_array_equal(np.asarray(x), data)
    assert len(calls) == 2
    with pytest.raises(ValueError, match="wrong shape"):
        olympus.make_array_from_callback((8, 8), NamedSharding(mesh, P("j")), lambda index: data)


def test_parts_of_a_callback_may_be_of_any_kind(mesh: olympus.Mesh) -> None:
    kinds = [np.float32, np.float32, np.float64, np.float32, list, np.float16, np.float32, jnp.asarray]
    given = iter(kinds)

    def part(index: tuple[slice, ...]) -> Any:
        kind, numbers = next(given), np.arange(16.0)[index]
        return numbers.tolist() if kind is list else kind(numbers)

    x = olympus.make_array_from_callback((16,), NamedSharding(mesh, P(("i", "j"))), part)
    assert x.dtype == np.float32 and not list(given)
    np.testing.assert_array_equal(np.asarray(x), np.arange(16.0))


def test_arrays_are_made_of_process_local_data(mesh: olympus.Mesh) -> None:
    data = np.arange(16.0, dtype=np.float32).reshape(8, 2)
    x = olympus.make_array_from_process_local_data(NamedSharding(mesh, P("i")), data)
    np.testing.assert_array_equal(np.asarray(x), data)
    with pytest.raises(ValueError, match="fits neither"):
        olympus.make_array_from_process_local_data(NamedSharding(mesh, P("i")), data, (16, 2))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "bool", "int8", "complex64"])
def test_its_address(dtype: str) -> None:
    x = jnp.arange(6).reshape(2, 3).astype(dtype)
    address = x.unsafe_buffer_pointer()
    assert address == x.unsafe_buffer_pointer() == np.asarray(x).ctypes.data
    assert ctypes.string_at(address, x.nbytes) == np.asarray(x).tobytes()
    x.delete()
    with pytest.raises(DeletedError):
        x.unsafe_buffer_pointer()


def test_an_array_on_several_devices_has_no_address() -> None:
    mesh = olympus.make_mesh((2,), ("i",), devices=olympus.devices()[:2])
    split = olympus.device_put(np.arange(4), NamedSharding(mesh, P("i")))
    with pytest.raises(ArgumentError, match="2 devices"):
        split.unsafe_buffer_pointer()
    shard = split.addressable_shards[1].data
    assert ctypes.string_at(shard.unsafe_buffer_pointer(), shard.nbytes) == np.asarray(shard).tobytes()
