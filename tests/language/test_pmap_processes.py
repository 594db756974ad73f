# SPDX-License-Identifier: Apache-2.0
"""pmap in 4 processes with 2 devices each: local arguments and results, collectives over all devices."""

from __future__ import annotations

import pytest

from tests.support.processes import Finished, free_port, run_processes

pytestmark = pytest.mark.processes

PRELUDE = """
import sys
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.runtime import get_world

index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
total, own = olympus.device_count(), olympus.local_device_count()
assert (total, own) == (8, 2)
mine = slice(own * index, own * (index + 1))


def check(actual, expected):
    assert actual.is_fully_addressable and set(actual.sharding.devices) == set(olympus.local_devices()), actual.sharding
    np.testing.assert_allclose(actual, expected, rtol=1e-6)


def refused(call, text, kind=ValueError):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        raise SystemExit(f"no error: {text}")
"""


def run(program: str) -> list[Finished]:
    return run_processes(
        PRELUDE + program, 4, lambda i: i, 4, free_port(), deadline=45.0, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})


def assert_all_fine(finished: list[Finished]) -> None:
    for index, end in enumerate(finished):
        assert end.returncode == 0, f"process {index}:\n{end.stdout}{end.stderr}"


COLLECTIVES = """
whole = np.arange(64, dtype=np.float32).reshape(8, 8) + 1
x = whole[mine]
ring = [(i, (i + 1) % 8) for i in range(8)]
for f, expected in [
    (lambda v: lax.psum(v, "d"), np.tile(whole.sum(0), (8, 1))),
    (lambda v: v / lax.pmean(v, "d"), whole / whole.mean(0)),
    (lambda v: lax.pmax(v, "d") - lax.pmin(v, "d"), np.tile(whole.max(0) - whole.min(0), (8, 1))),
    (lambda v: lax.all_gather(v, "d"), np.tile(whole, (8, 1, 1))),
    (lambda v: lax.all_gather(v, "d", tiled=True), np.tile(whole.reshape(-1), (8, 1))),
    (lambda v: lax.psum_scatter(v, "d"), whole.sum(0)),
    (lambda v: lax.all_to_all(v, "d", 0, 0), whole.T),
    (lambda v: lax.ppermute(v, "d", ring), np.roll(whole, 1, 0)),
    (lambda v: lax.pbroadcast(v, "d", 5), np.tile(whole[5], (8, 1))),
    (lambda v: lax.pscatter(v, "d", 5), whole[5]),
    (lambda v: 10 * lax.axis_index("d") + lax.axis_size("d"), 10 * np.arange(8) + 8),
]:
    check(olympus.pmap(f, axis_name="d")(x), expected[mine])
assert olympus.pmap(lambda v: lax.psum(v, "i"), axis_name="i")(np.ones(own)).tolist() == [8, 8]
"""


AXES = """
a = np.arange(24, dtype=np.float32).reshape(3, 8)
w = np.full(3, 1.0 + index, np.float32)

# A mapped last dimension, a dictionary with an entry for each leaf, an argument that all devices get, a Python value.
seen = []
def f(tree, k, mode):
    seen.append((tree["a"].shape, k.shape, mode))
    return {"scaled": tree["a"] * tree["n"] + k, "sum": lax.psum(tree["n"], "d"), "mode": tree["n"] * len(mode)}

g = olympus.pmap(f, axis_name="d", in_axes=({"a": 1, "n": 0}, None, None),
                 out_axes={"scaled": -1, "sum": None, "mode": 0}, static_broadcasted_argnums=2)
for mode in ("fast", "slow!", "fast"):
    out = g({"a": a[:, mine], "n": np.arange(8)[mine]}, np.ones(3, np.float32), mode)
    check(out["scaled"], (a * np.arange(8) + 1)[:, mine])
    assert out["sum"].shape == () and int(out["sum"]) == 28
    check(out["mode"], len(mode) * np.arange(8)[mine])
assert seen == [((3,), (3,), "fast"), ((3,), (3,), "slow!")], seen

# 1, 1.0 and True are equal, and not the same static argument.
kind = olympus.pmap(lambda x, n: x * n, static_broadcasted_argnums=1)
assert [str(kind(np.arange(own), n).dtype) for n in (1, 1.0, 1)] == ["int32", "float32", "int32"]
refused(lambda: kind(np.arange(own), [1]), "cannot be hashed")

# A value from outside of the function.
outside = jnp.arange(8.0)
check(olympus.pmap(lambda v: outside[lax.axis_index("d")] * v,
                   axis_name="d")(np.full(own, 2.0)), 2 * np.arange(8.0)[mine])

# Only every process's first device, in another order.
firsts = [d for d in olympus.devices() if d.id % 2 == 0][::-1]
check_one = olympus.pmap(lambda v: lax.all_gather(v, "d"), axis_name="d", devices=firsts,
                         axis_size=4)(np.array([index]))
assert check_one.tolist() == [[3, 2, 1, 0]] and check_one.devices() == {olympus.local_devices()[0]}

refused(lambda: olympus.pmap(f, in_axes=(0, 0))(a), "one entry for each argument")
refused(lambda: olympus.pmap(lambda v: v)(np.ones(4)), "2, the number of this process's devices")
refused(lambda: olympus.pmap(lambda v: v, axis_size=2)(np.ones(2)), "axis_size")
refused(lambda: olympus.pmap(lambda v: v, in_axes="d")(np.ones(2)), "in_axes")
"""


TRACED = """
# Inside of jit values are those of all processes: the whole goes in and comes out.
whole = np.arange(16, dtype=np.float32).reshape(8, 2)
f = olympus.pmap(lambda v: v + lax.psum(v, "d"), axis_name="d")
result = olympus.jit(lambda v: 2 * f(v + 1))(whole)
assert result.shape == (8, 2) and not result.is_fully_addressable
for shard in result.addressable_shards:
    np.testing.assert_array_equal(shard.data, (2 * ((whole + 1) + (whole + 1).sum(0)))[shard.index])
refused(lambda: olympus.jit(f)(np.ones((2, 2))), "values of all processes")
refused(lambda: olympus.vmap(f)(np.ones((2, 2, 2))), "as in pmap(vmap(f))", NotImplementedError)

# Mapped functions in mapped functions: this process's part outside, the indices of a device inside.
g = olympus.pmap(lambda row: olympus.pmap(lambda e: e + lax.psum(e, "e") + lax.psum(e, ("d", "e")),
                                          axis_name="e")(row), axis_name="d")
check(g(whole[mine]), (whole + whole.sum(1, keepdims=True) + whole.sum())[mine])
check(olympus.pmap(olympus.vmap(lambda e: e * lax.psum(e, "d")), axis_name="d")(whole[mine]),
      (whole * whole.sum(0))[mine])
"""


FEEDING = """
step = olympus.pmap(lambda x, g: (x - g, lax.pmean(g, "d")), axis_name="d", in_axes=(0, 0), donate_argnums=0)
x = np.arange(16, dtype=np.float32).reshape(8, 2)[mine]
for number in range(3):
    before = x
    x, mean = step(x, np.ones((2, 2), np.float32))
    if number:
        assert before.is_deleted()
        try:
            before + 1
            raise SystemExit("no error")
        except olympus.errors.DeletedError as error:
            assert "donated" in str(error)
check(x, np.arange(16).reshape(8, 2)[mine] - 3)
check(mean, np.ones((2, 2)))

# NumPy looks at what is donated, and goes on seeing it.
seen, kept = np.asarray(x), np.asarray(x).copy()
x, _ = step(x, np.ones((2, 2), np.float32))
np.testing.assert_array_equal(seen, kept)
check(x + 1, kept)
refused(lambda: step(x, x), "given twice")
x = x + 1

# What comes out goes in again as it is: the transfers of a process go through its client, and none is seen.
twice = olympus.pmap(lambda v: v * 2)
y = twice(x)
world_client = get_world().client(olympus.local_devices()[0])
taken = []
original = type(world_client).buffer_from_host
def watched(self, *args, **kwargs):
    taken.append(args)
    return original(self, *args, **kwargs)
type(world_client).buffer_from_host = watched
z = twice(twice(y))
assert not taken, taken
twice(np.ones((2, 2), np.float32))
assert len(taken) == 2, taken
type(world_client).buffer_from_host = original
check(z, 8 * (np.arange(16).reshape(8, 2)[mine] - 3))

# An array of another place is brought first.
elsewhere = olympus.device_put(np.ones((2, 2), np.float32), olympus.local_devices()[1])
check(twice(elsewhere), 2 * np.ones((2, 2)))
"""


def test_collectives_axes_and_results_fed_back() -> None:
    assert_all_fine(run(COLLECTIVES + AXES + FEEDING + TRACED))


DIVERGING = """
try:
    olympus.pmap(lambda x: lax.psum(x.sum(), "i"), axis_name="i")(np.ones((own, (5, 7, 6, 5)[index]), np.float32))
except olympus.errors.DivergenceError as error:
    print(error)
"""


def test_differently_shaped_inputs_raise_in_all_and_name_what_each_process_gave() -> None:
    finished = run(DIVERGING)
    assert_all_fine(finished)
    for end in finished:
        for who, given in (("processes 0, 3", 5), ("process 1", 7), ("process 2", 6)):
            assert f"{who}: #1 pmap(<lambda>)(float32[8@i,{given}])" in end.stdout, end


LAST_BATCH = """
step = olympus.pmap(lambda x: lax.psum(x, "i"), axis_name="i")
done = 0
try:
    for number in range(2 if index == 1 else 3):
        float(step(np.full(own, number + 1.0))[0])
        done += 1
except olympus.errors.ClusterError as error:
    print(done, type(error).__name__, error)
    sys.exit(3)
"""


def test_the_last_batch_that_one_process_lacks_is_an_error() -> None:
    finished = run(LAST_BATCH)
    for index, end in enumerate(finished):
        assert not end.timed_out and end.seconds < 15, end
        if index != 1:
            assert end.returncode == 3 and end.stdout.startswith("2 ") and "Process 1 left" in end.stdout, end
            assert "pmap(<lambda>)(float32[8@i])" in end.stdout, end
