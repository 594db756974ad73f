# SPDX-License-Identifier: Apache-2.0
"""Profiles of programs over the stand-in: kernels and library calls have rows of their own, in their device's queue."""

from __future__ import annotations

from ..conftest import RunWithGpus

HEAD = """
import sys
import time
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.profiler.accounting import rows_of
from olympus.profiler.recorder import TraceRecorder

VALUE = np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32)
HERE = sys._getframe().f_code.co_filename

@olympus.jit
def step(x, y):
    z = x @ y
    return jnp.sort(jnp.tanh(z) - jnp.sum(z), axis=0)
"""

KERNELS = HEAD + """
x = olympus.device_put(VALUE)
for _ in range(3):
    step(x, x).block_until_ready()
recorder = TraceRecorder("unused")
began = time.perf_counter_ns()
for _ in range(5):
    result = step(x, x)
sine = jnp.sin(x)
result.block_until_ready()
sine.block_until_ready()
profile = recorder.stop()
assert not profile.unseen and not profile.dropped, (profile.unseen, profile.dropped)
named = [profile.kernels[k].name for k in profile.rows[:, 0].tolist()]
product = next(name for name in named if "dot_general" in name)
assert named.count(product) == 5, named
assert sum("sort" in name for name in named) == 5, named
assert any("sin" in name for name in named), named
about = profile.kernels[profile.rows[named.index(product), 0]]
assert about.work == 2.0 * 64**3 and about.bytes >= 2 * VALUE.nbytes, about
lines = {profile.kernels[k].location for k in profile.rows[:, 0].tolist()}
assert all(line for line in lines), lines
starts, ends = profile.rows[:, 2], profile.rows[:, 3]
assert (ends >= starts).all() and (starts[1:] >= ends[:-1] - 1).all()  # one queue, in order
slack = 50_000_000  # what a loaded host may be late by when it looks at the clocks
assert began - slack <= starts.min() and ends.max() <= profile.end + slack, (began, starts.min(), ends.max())
(queue,) = {*profile.rows[:, 1].tolist()}
assert queue < 0 and "cuda:0" in profile.threads[queue], profile.threads
kinds = {row.what for row in rows_of(profile)}
assert "kernels" in kinds, kinds
np.testing.assert_array_equal(np.asarray(step(x, x)), np.asarray(result))  # as graphs again
"""

PENDING = HEAD + """
from olympus_cuda.compiled import recording
recording._MOST_PENDING, recording._MOST = 16, 20
x = olympus.device_put(VALUE)
step(x, x).block_until_ready()
recorder = TraceRecorder("unused")
for _ in range(30):
    step(x, x).block_until_ready()
profile = recorder.stop()
assert len(profile.rows) == 20 and not profile.dropped
counts = np.bincount(profile.rows[:, 0], minlength=len(profile.kernels))
for kernel, (more, nanoseconds) in profile.later.items():
    counts[kernel] += more
    assert nanoseconds >= 0
assert (counts[counts > 0] == 30).all(), counts
"""

DEVICES = HEAD + """
sharding = olympus.sharding.NamedSharding(olympus.make_mesh((2,), ("x",)), olympus.P("x"))
x = olympus.device_put(VALUE, sharding)
program = olympus.jit(lambda x: jnp.tanh(x) * 2)
program(x).block_until_ready()
recorder = TraceRecorder("unused")
program(x).block_until_ready()
profile = recorder.stop()
queues = {*profile.rows[:, 1].tolist()}
assert len(profile.rows) == 2 and len(queues) == 2, profile.rows
assert len({profile.threads[queue] for queue in queues}) == 2
"""

STUCK = HEAD + """
from olympus_core.runtime import get_world
from olympus_cuda.compiled.recording import KernelRecorder
x = olympus.device_put(VALUE)
step(x, x).block_until_ready()
(context,) = get_world().clients["cuda"].contexts
recorder = KernelRecorder([context])
began = time.perf_counter_ns()
step(x, x).block_until_ready()
ended = time.perf_counter_ns()
context.is_stuck = True  # whose last wait was given up: the end of the recording does not wait, either
times = recorder.stop()
slack = 50_000_000
assert len(times.rows) and began - slack <= times.rows[:, 2].min() and times.rows[:, 3].max() <= ended + slack, times
again = KernelRecorder([context]).stop()
assert not len(again.rows) and context.recorder is None
context.is_stuck = False
"""


def test_kernels_and_library_calls_have_rows(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(KERNELS)


def test_events_are_reused_and_later_rows_are_added_up(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(PENDING)


def test_each_device_has_a_queue(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(DEVICES, gpus=2)


def test_a_stream_that_is_stuck_is_not_waited_for_and_what_is_known_has_its_time(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(STUCK)
