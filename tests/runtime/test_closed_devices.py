# SPDX-License-Identifier: Apache-2.0
"""After `shutdown` the devices of the job are gone: whatever would use them says so, in every way to name them.

So it is for a process that goes on alone, and for those that join another job after one of them was lost.
"""

from __future__ import annotations

import pytest

from tests.support.processes import free_port, run_processes

pytestmark = pytest.mark.processes

PROGRAM = """
import copy, os, pickle, signal, sys, threading
import numpy as np, olympus, olympus.numpy as jnp
from olympus import lax
from olympus.experimental import multihost_utils
from olympus.sharding import Mesh, NamedSharding, PartitionSpec as P, SingleDeviceSharding

index, count, port, next_port = map(int, sys.argv[1:])
LOST = count - 1  # where there is another job
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
value = np.arange(12, dtype=np.float32)
old = olympus.devices()
own = olympus.local_devices()
meshes = [olympus.make_mesh((len(old),), ("x",)), Mesh(np.array(own), ("x",))]
split = [NamedSharding(mesh, P("x")) for mesh in meshes]
arrays = [olympus.device_put(value, sharding) for sharding in (*split, SingleDeviceSharding(own[0]))]
free = jnp.arange(12.0)
plus = olympus.jit(lambda v: v + 1)
given = [olympus.jit(lambda v: v + 1, out_shardings=sharding) for sharding in split]
mapped = [olympus.shard_map(lambda v: v + 1, mesh=mesh, in_specs=P("x"), out_specs=P("x")) for mesh in meshes]
compiled = plus.lower(arrays[1]).compile()
for f in (*given, *mapped):
    f(value)
for x in (*arrays, free):
    plus(x)
key = olympus.random.key(0)
constant = [olympus.jit(lambda v, x=x: v + x.sum()) for x in (*arrays, free)]
donating = olympus.jit(lambda v: v + 1, donate_argnums=0)
contexts = [olympus.set_mesh(mesh) for mesh in meshes]
olympus.set_mesh(None)
for f in constant:
    f(value) if f is not constant[0] else f(arrays[0])
if next_port:
    if index == LOST:
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        while True:
            plus(arrays[0])
    except olympus.errors.ProcessLostError as error:
        assert error.process == LOST
olympus.distributed.shutdown()
names = {thread.name for thread in threading.enumerate()}
assert not names & {"olympus-liveness", "olympus-coordinator"}, names
if next_port:
    olympus.distributed.initialize(f"localhost:{next_port}", count - 1, index, initialization_timeout=20)
now = 2 * (count - 1 if next_port else 1)
assert jnp.ones(2).sum() == 2 and len(olympus.devices()) == now

def inside(mesh):
    with mesh:
        pass
def each(way):
    return [lambda x=x: way(x) for x in (*arrays, free)]

uses = {
    "device_put": [lambda s=s: olympus.device_put(value, s) for s in (
        *split, NamedSharding(meshes[0], P()), old[0], old[-1], SingleDeviceSharding(own[0]))],
    "device_put of a new array": [lambda s=s: olympus.device_put(jnp.arange(12.0), s) for s in split],
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
    "from_callback": [lambda s=s: olympus.make_array_from_callback((12,), s, lambda i: value[i]) for s in split],
    "from_process_local_data": [lambda: olympus.make_array_from_process_local_data(split[0], value[:4])],
    "from_single_device_arrays": [lambda: olympus.make_array_from_single_device_arrays(
        (12,), split[1], [s.data for s in arrays[1].addressable_shards])],
    "memory_stats": [own[0].memory_stats],
    "meshes": [lambda: Mesh(np.array(own), ("y",)), lambda: Mesh(np.array(own), ("x",)),
               lambda: olympus.make_mesh((2,), ("y",), devices=own),
               lambda: Mesh(np.array([own[0], olympus.devices()[1]]), ("y",))],
    "jnp.zeros": [lambda s=s: jnp.zeros(12, device=s) for s in (*split, own[0])],
    "default_device": [lambda: made_there()],
    "constants of a compiled function": [lambda f=f: f(value) for f in constant],
    "constants": each(lambda x: olympus.jit(lambda v: v + x)(value)),
    "donated": each(donating),
    "mesh in use": [lambda m=m: inside(m) for m in meshes] + [lambda m=m: olympus.set_mesh(m) for m in meshes]
                   + [lambda c=c: c.__enter__() for c in contexts],
    "parts": each(lambda x: x[0]) + each(lambda x: x[1:3]) + each(lambda x: x.at[0].set(1)) + each(lambda x: list(x)),
    "one part": each(lambda x: x.addressable_data(0) + 1) + each(lambda x: x.addressable_shards[0].data + 1),
    "copies": each(copy.copy) + each(copy.deepcopy) + each(jnp.copy),
    "with a new array": each(lambda x: jnp.arange(12.0) + x) + each(lambda x: jnp.stack([jnp.arange(12.0), x])),
    "as a condition": each(lambda x: bool((x > 1).any())),
    "in a loop": each(lambda x: lax.fori_loop(0, 2, lambda k, c: c + x, value))
                 + each(lambda x: lax.scan(lambda c, v: (c + v, v), 0.0, x)),
    "in a branch": each(lambda x: lax.cond(True, lambda: x + 1, lambda: x)),
    "batched": each(lambda x: olympus.vmap(lambda v: v + x)(value.reshape(1, 12))),
    "derivatives": each(lambda x: olympus.vjp(lambda v: v * x, value)[1](value)),
    "random keys": [lambda: olympus.random.normal(key, (2,)), lambda: olympus.random.split(key)],
    "printed by a program": each(lambda x: olympus.jit(lambda v: olympus.debug.print("{}", v))(x)),
    "what only others hold": [lambda f=f: f(arrays[0]) for f in (
        np.asarray, str, "{}".format, pickle.dumps, olympus.device_get, lambda x: x.tolist())],
    "all processes' values": [lambda: multihost_utils.process_allgather(arrays[0])],
    "compiled for a type": [lambda s=s: plus.lower(olympus.ShapeDtypeStruct((12,), np.float32, sharding=s)).compile()
                            for s in split],
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
# Names, and what is known without the content, can be read.
for x in (*arrays, free):
    assert repr(x) and repr(x.sharding) and repr(x.devices()) and x.shape == (12,) and x.block_until_ready() is x
    assert x.is_ready() and repr(x.addressable_shards) and olympus.eval_shape(plus, x).shape == (12,)
# What this process holds can be read, and brought to the new devices.
for x in (arrays[1], arrays[2], free):
    np.testing.assert_array_equal(x, value)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(x)), value)
    np.testing.assert_array_equal(plus(np.asarray(x)), value + 1)
np.testing.assert_array_equal(arrays[0].addressable_shards[0].data, value[12 // count * index:][:6 // count])
fresh = NamedSharding(olympus.make_mesh((now,), ("x",)), P("x"))
assert float(olympus.jit(lambda v: (v + 1).sum())(olympus.device_put(value, fresh))) == 78
olympus.distributed.shutdown()
print("done")
"""


@pytest.mark.parametrize("goes_on", ["alone", "with those that are left"])
def test_nothing_uses_the_devices_of_a_job_that_is_over(goes_on: str) -> None:
    count, ports = (2, (free_port(), 0)) if goes_on == "alone" else (3, (free_port(), free_port()))
    env = {"OLYMPUS_NUM_CPU_DEVICES": "2"}
    ends = run_processes(PROGRAM, count, lambda i: i, count, *ports, deadline=60.0, env=env)
    for end in ends[:2]:
        assert end.returncode == 0 and end.stdout == "done\n", end


UNHEARD = """
import os, signal, sys, time
import numpy as np, olympus
index, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", 3, index, initialization_timeout=20)
mesh = olympus.make_mesh((3,), ("x",))
olympus.jit(lambda v: v.sum())(olympus.device_put(np.ones(3), olympus.NamedSharding(mesh, olympus.P("x"))))
if index == 2:
    os.kill(os.getpid(), signal.SIGKILL)
from olympus_core.runtime import get_connection
while not get_connection().failed:
    time.sleep(0.01)
for attempt in range(2):
    try:
        olympus.distributed.shutdown()
    except olympus.errors.ProcessLostError as error:
        print("lost", error.process, flush=True)
assert not olympus.distributed.is_initialized()
"""


def test_a_loss_that_no_call_has_told_is_told_by_shutdown() -> None:
    # Closing the sockets meets the failure, too, which is not the program's business.
    env = {"OLYMPUS_NUM_CPU_DEVICES": "1", "OLYMPUS_CPU_TRANSPORT": "tcp"}
    ends = run_processes(UNHEARD, 3, lambda i: i, free_port(), deadline=45.0, env=env)
    for end in ends[:2]:
        assert end.returncode == 0 and end.stdout == "lost 2\n", end
