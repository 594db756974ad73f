# SPDX-License-Identifier: Apache-2.0
"""What the tests of this room run in the processes of a job: `python -m tests.runtime.jobs address count index`.

Each process runs the checks in the same order and prints one line for each: its name, and ``ok`` or a traceback.
"""

from __future__ import annotations

import json
import sys
import traceback
from typing import NamedTuple

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus.experimental import multihost_utils as hosts
from olympus.sharding import Mesh, NamedSharding, PositionalSharding, SingleDeviceSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.errors import ArgumentError, NotAddressableError, ValuesDifferError

DATA = np.random.default_rng(0).normal(size=(8, 16)).astype(np.float32)


class Pair(NamedTuple):
    first: object
    second: object


def equal(found: object, expected: object) -> None:
    np.testing.assert_array_equal(np.asarray(found), expected)


def right_shards(x: olympus.Array, data: np.ndarray) -> None:
    """Every part that this process has is on its device and is that part of the data."""
    own = [d for d in x.sharding.devices if d.is_addressable]
    assert [s.device for s in x.addressable_shards] == own
    assert [buffer.device for buffer in x._buffers] == own
    for shard in x.addressable_shards:
        equal(shard.data, data[shard.index])


def shardings() -> list[NamedSharding | SingleDeviceSharding | PositionalSharding]:
    """A handful over different sets of devices, of all processes and of some, in different orders."""
    d = np.array(olympus.devices())
    return [
        NamedSharding(Mesh(d.reshape(4, 2), ("i", "j")), P("i", "j")),
        NamedSharding(Mesh(d.reshape(4, 2), ("i", "j")), P(None, ("j", "i"))),
        NamedSharding(Mesh(d[::-1].reshape(2, 4), ("a", "b")), P("b")),
        NamedSharding(Mesh(d[[1, 6, 3, 4]], ("x",)), P("x")),  # one device of each process, mixed up
        NamedSharding(Mesh(d[2:6], ("x",)), P(None, "x")),  # processes 1 and 2 only
        NamedSharding(Mesh(d[:2], ("x",)), P("x")),  # process 0 only
        SingleDeviceSharding(d[7]),
        PositionalSharding(d).reshape(8, 1),
    ]


def check_every_sharding_to_every_other() -> None:
    x = olympus.device_put(DATA, shardings()[0])
    for source in shardings():
        y = olympus.device_put(x, source)
        right_shards(y, DATA)
        for target in shardings():
            right_shards(olympus.device_put(y, target), DATA)


def check_scalars_move() -> None:
    d = olympus.devices()
    x = olympus.device_put(np.float32(2.5), SingleDeviceSharding(d[3]))
    for sharding in (SingleDeviceSharding(d[6]), NamedSharding(Mesh(d, ("x",)), P()), SingleDeviceSharding(d[0])):
        x = olympus.device_put(x, sharding)
        right_shards(x, np.float32(2.5))


def check_each_process_s_own_and_one_of_all() -> None:
    mine, target = olympus.local_devices()[1], shardings()[0]
    right_shards(olympus.device_put(jnp.asarray(DATA), target), DATA)  # uncommitted: each process's own
    right_shards(olympus.device_put(olympus.device_put(DATA, mine), target), DATA)
    one = olympus.device_put(DATA, olympus.devices()[5])  # the very same array for all
    right_shards(olympus.device_put(one, target), DATA)
    equal(hosts.process_allgather(one), DATA)
    equal(hosts.process_allgather(olympus.device_put(DATA[0], mine)), np.stack([DATA[0]] * 4))


def check_global_shards() -> None:
    x = olympus.device_put(DATA, shardings()[0])
    assert len(x.global_shards) == 8 and not x.is_fully_addressable
    for shard in x.global_shards:
        assert (shard.data is None) == (not shard.device.is_addressable)
    assert [s.index for s in x.global_shards][:2] == [(slice(0, 2), slice(0, 8)), (slice(0, 2), slice(8, 16))]
    for use in (np.asarray, lambda v: v.tolist(), lambda v: v.item()):
        try:
            use(x)
            raise AssertionError("no error")
        except NotAddressableError as error:
            assert isinstance(error, RuntimeError) and "process_allgather" in str(error)
    assert "sharding=NamedSharding" in repr(x)


def check_arrays_of_other_processes() -> None:
    x = olympus.device_put(DATA, shardings()[5])
    assert (x.addressable_shards == []) == (olympus.process_index() != 0)
    assert x.shape == DATA.shape and len(x.global_shards) == 2
    y = olympus.jit(lambda v: v + 1)(x)
    right_shards(y, DATA + 1)
    equal(hosts.process_allgather(x, tiled=True), DATA)


def check_process_allgather() -> None:
    index, n = olympus.process_index(), olympus.process_count()
    own = np.full((2, 3), index, np.float32)
    equal(hosts.process_allgather(own), np.stack([np.full((2, 3), i) for i in range(n)]))
    equal(hosts.process_allgather(own, tiled=True), np.concatenate([np.full((2, 3), i) for i in range(n)]))
    found = hosts.process_allgather({"a": index, "b": jnp.arange(2) + index})
    equal(found["a"], np.arange(n))
    equal(found["b"], np.arange(2) + np.arange(n)[:, None])
    equal(hosts.process_allgather(np.float32(index), tiled=True), np.arange(n))
    for sharding in shardings():
        for tiled in (True, False):
            equal(hosts.process_allgather(olympus.device_put(DATA, sharding), tiled), DATA)


def check_broadcast() -> None:
    index = olympus.process_index()
    found = hosts.broadcast_one_to_all({"a": np.full(3, index), "flag": index == 0})
    equal(found["a"], np.zeros(3))
    assert found["flag"].dtype == bool and found["flag"]
    equal(hosts.broadcast_one_to_all(np.arange(2.0) + index, is_source=index == 2), np.arange(2.0) + 2)
    try:
        hosts.broadcast_one_to_all(1, is_source=index in (1, 2))
        raise AssertionError("no error")
    except ArgumentError as error:
        assert "exactly one process" in str(error) and "[1, 2]" in str(error)


def check_scatter() -> None:
    index = olympus.process_index()
    for sharding in shardings():
        right_shards(hosts.scatter(DATA if index == 1 else None, sharding, source=1), DATA)
    split, whole = shardings()[0], shardings()[3]
    kinds = {"a": olympus.ShapeDtypeStruct((8, 16), "float32"), "b": olympus.ShapeDtypeStruct((8,), "int32")}
    values = {"a": DATA, "b": np.arange(8)} if index == 0 else None
    found = hosts.scatter(values, {"a": split, "b": whole}, shape_dtypes=kinds)
    right_shards(found["a"], DATA)
    right_shards(found["b"], np.arange(8))
    # Structure and types are sent; containers of a user's classes are each process's own.
    found = hosts.scatter([DATA, (None, np.arange(8))] if index == 2 else object(), whole, source=2)
    right_shards(found[0], DATA)
    right_shards(found[1][1], np.arange(8))
    assert type(found) is list and found[1][0] is None
    pair = Pair(DATA, np.arange(8)) if index == 0 else Pair(0, 0)
    found = hosts.scatter(pair, whole)
    assert type(found) is Pair
    right_shards(found.second, np.arange(8))
    try:
        hosts.scatter(pair if index != 3 else None, whole)
        raise RuntimeError("no error")
    except ArgumentError as error:
        assert "process 3 something else" in str(error) and "shape_dtypes" in str(error), error


def check_assert_equal() -> None:
    index = olympus.process_index()
    hosts.assert_equal({"a": np.arange(3), "b": 1.0}, "alike")
    for values in (np.arange(3) + (index == 2), np.zeros((3,) if index == 2 else (1, 3)), {"ab"[index == 2]: 1}):
        try:
            hosts.assert_equal(values, "the seeds differ")
            raise RuntimeError("no error")
        except ValuesDifferError as error:
            assert isinstance(error, AssertionError) and error.processes == (2,), error
            assert "the seeds differ" in str(error)


def check_meetings() -> None:
    for _ in range(3):
        hosts.sync_global_devices("here")


def check_local_and_global() -> None:
    index = olympus.process_index()
    mesh = Mesh(np.array(olympus.devices()).reshape(4, 2), ("i", "j"))
    own = DATA[2 * index:2 * index + 2]
    x = hosts.host_local_array_to_global_array({"a": own, "b": DATA}, mesh, {"a": P("i", "j"), "b": None})
    right_shards(x["a"], DATA)
    right_shards(x["b"], DATA)
    back = hosts.global_array_to_host_local_array(x, mesh, {"a": P("i", "j"), "b": None})
    equal(back["a"], own)
    equal(back["b"], DATA)
    assert back["a"].is_fully_addressable


def check_arrays_of_parts() -> None:
    index = olympus.process_index()
    for sharding in shardings():
        right_shards(olympus.make_array_from_callback((8, 16), sharding, lambda i: DATA[i], dtype=np.float32), DATA)
        own = [olympus.device_put(DATA[i], d) for d, i in sharding.addressable_devices_indices_map((8, 16)).items()]
        parts = own[::-1]  # in any order
        right_shards(
            olympus.make_array_from_single_device_arrays((8, 16), sharding, parts, dtype=np.float32), DATA)
    right_shards(olympus.make_array_from_process_local_data(shardings()[0], DATA[2 * index:2 * index + 2]), DATA)
    right_shards(olympus.make_array_from_process_local_data(shardings()[0], DATA, (8, 16)), DATA)


def check_callbacks() -> None:
    x = olympus.device_put(DATA, shardings()[0])
    seen: list[float] = []

    @olympus.jit
    def f(v):
        olympus.debug.callback(lambda total: seen.append(float(total)), jnp.sum(v))
        return olympus.pure_callback(lambda a: a[::-1], olympus.ShapeDtypeStruct((8, 16), "float32"), v)

    right_shards(f(x), DATA[::-1])
    assert len(seen) == (1 if olympus.process_index() == 0 else 0)


def check_default_device() -> None:
    assert jnp.ones(3).devices() == {olympus.local_devices()[0]}
    with olympus.default_device(olympus.local_devices()[1]):
        assert (jnp.ones(3) + 1).devices() == {olympus.local_devices()[1]}
    assert [len(olympus.local_devices(i)) for i in range(4)] == [2] * 4


def check_devices_figures() -> None:
    for device in olympus.devices():
        stats = device.memory_stats()
        assert (stats is not None) == device.is_addressable and device.local_hardware_id == device.id % 2
        assert stats is None or 0 < stats["bytes_in_use"] <= stats["bytes_limit"]


def check_the_mesh_in_use_is_where_calls_run() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    with olympus.set_mesh(mesh):
        right_shards(jnp.asarray(DATA) + jnp.ones(()), DATA + 1)
        total = jnp.sum(olympus.device_put(DATA, P("x", "y")) + jnp.ones(DATA.shape[1]))
        assert total.sharding == NamedSharding(mesh, P()) and float(total) == (DATA + 1).sum()


CHECKS = {name.removeprefix("check_"): f for name, f in list(globals().items()) if name.startswith("check_")}


def main(address: str, count: int, index: int) -> None:
    olympus.distributed.initialize(address, count, index, initialization_timeout=30)
    for name, check in CHECKS.items():
        try:
            check()
            print(json.dumps([name, "ok"]), flush=True)
        except Exception:  # the test shows it
            print(json.dumps([name, traceback.format_exc()]), flush=True)
            raise
    olympus.distributed.shutdown()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
