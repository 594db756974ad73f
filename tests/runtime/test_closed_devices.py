"""After `shutdown` the devices of the job are gone: whatever would use them says so, in every way to name them."""

from __future__ import annotations

import pytest

from tests.support.processes import free_port, run_processes

pytestmark = pytest.mark.processes

PROGRAM = """
import sys
import numpy as np, olympus, olympus.numpy as jnp
from olympus import lax
from olympus.sharding import Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding

index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
value = np.arange(8, dtype=np.float32)
old = olympus.devices()
own = olympus.local_devices()
meshes = [olympus.make_mesh((4,), ("x",)), Mesh(np.array(own), ("x",))]
split = [NamedSharding(mesh, P("x")) for mesh in meshes]
arrays = [olympus.device_put(value, sharding) for sharding in (*split, SingleDeviceSharding(own[0]))]
free = jnp.arange(8.0)
plus = olympus.jit(lambda v: v + 1)
given = [olympus.jit(lambda v: v + 1, out_shardings=sharding) for sharding in split]
mapped = [olympus.shard_map(lambda v: v + 1, mesh=mesh, in_specs=P("x"), out_specs=P("x")) for mesh in meshes]
compiled = plus.lower(arrays[1]).compile()
for f in (*given, *mapped):
    f(value)
for x in (*arrays, free):
    plus(x)
olympus.distributed.shutdown()
assert jnp.ones(2).sum() == 2 and len(olympus.devices()) == 2

uses = {
    "device_put": [lambda s=s: olympus.device_put(value, s) for s in (
        *split, NamedSharding(meshes[0], P()), old[0], old[-1], SingleDeviceSharding(own[0]))],
    "device_put of a new array": [lambda s=s: olympus.device_put(jnp.arange(8.0), s) for s in split],
    "device_put of an old array": [lambda x=x: olympus.device_put(x, olympus.devices()[0]) for x in (*arrays, free)],
    "the same place": [lambda x=x: olympus.device_put(x, x.sharding) for x in (*arrays, free)],
    "jit of old arrays": [lambda x=x: plus(x) for x in (*arrays, free)],
    "operators": [lambda x=x: x + 1 for x in (*arrays, free)],
    "compiled": [lambda: compiled(arrays[1]), lambda: compiled(value)],
    "out_shardings": [lambda f=f: f(value) for f in given],
    "out_shardings, again": [lambda s=s: olympus.jit(lambda v: v, out_shardings=s)(value) for s in split],
    "in_shardings": [lambda s=s: olympus.jit(lambda v: v + 1, in_shardings=s)(value) for s in split],
    "with_sharding_constraint": [lambda s=s: olympus.jit(lambda v: lax.with_sharding_constraint(v, s))(value)
                                 for s in split],
    "shard_map": [lambda f=f: f(value) for f in mapped],
    "pmap": [lambda: olympus.pmap(lambda v: v, devices=own)(value[:2])],
    "from_callback": [lambda s=s: olympus.make_array_from_callback((8,), s, lambda i: value[i]) for s in split],
    "from_process_local_data": [lambda: olympus.make_array_from_process_local_data(split[0], value[:4])],
    "from_single_device_arrays": [lambda: olympus.make_array_from_single_device_arrays(
        (8,), split[1], [s.data for s in arrays[1].addressable_shards])],
    "meshes": [lambda: Mesh(np.array(own), ("y",)), lambda: Mesh(np.array(own), ("x",)),
               lambda: olympus.make_mesh((2,), ("y",), devices=own),
               lambda: Mesh(np.array([own[0], olympus.devices()[1]]), ("y",))],
    "jnp.zeros": [lambda s=s: jnp.zeros(8, device=s) for s in (*split, own[0])],
    "default_device": [lambda: made_there()],
    "gradients": [lambda: olympus.grad(lambda v: (v * v).sum())(arrays[1])],
}
def made_there():
    with olympus.default_device(own[0]):
        return jnp.ones(3)
for name, calls in uses.items():
    for i, call in enumerate(calls):
        try:
            found = call()
        except olympus.errors.ClosedDevicesError as error:
            assert isinstance(error, (ValueError, RuntimeError)) and "olympus.devices()" in str(error)
        else:
            print(f"{name} {i}: {found!r}")
# What this process holds can be read, and brought to the new devices.
for x in (arrays[1], arrays[2], free):
    np.testing.assert_array_equal(x, value)
    np.testing.assert_array_equal(plus(np.asarray(x)), value + 1)
np.testing.assert_array_equal(arrays[0].addressable_shards[0].data, value[4 * index:][:2])
fresh = NamedSharding(olympus.make_mesh((2,), ("x",)), P("x"))
np.testing.assert_array_equal(olympus.jit(lambda v: v + 1, out_shardings=fresh)(value), value + 1)
print("done")
"""


def test_nothing_uses_the_devices_of_a_job_that_is_over() -> None:
    ends = run_processes(PROGRAM, 2, lambda i: i, 2, free_port(), deadline=45.0, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})
    for end in ends:
        assert end.returncode == 0 and end.stdout == "done\n", end
