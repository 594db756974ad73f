# SPDX-License-Identifier: Apache-2.0
"""Programs over the stand-in: whole processes, whose blocks all come from the pool and go back there."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import RunWithGpus

HEAD = """
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus import lax
from tests.cuda.standin.machine import MACHINE
VALUE = np.random.default_rng(0).standard_normal((33, 17)).astype(np.float32)

def close(found, expected):
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-4, atol=1e-5)
"""

LAYERS = """
def layers(x):
    for i in range(6):
        x = jnp.sin(x) @ jnp.asarray(np.eye(VALUE.shape[1], dtype=np.float32) / 2)
        x = x - jnp.mean(x)
    return x

expected = VALUE
for i in range(6):
    expected = np.sin(expected) / 2
    expected = expected - expected.mean()
"""

GRAPHS = HEAD + LAYERS + """
program, x, graphs = olympus.jit(layers), jnp.asarray(VALUE), []
for i in range(4):
    y = program(x)
    close(y, expected)
    graphs.append(MACHINE.graph_launches)
    del y
assert graphs == [0, 1, 2, 3], graphs  # seen at the first call, captured at the second
for i in range(4):  # other addresses, and what is captured does not know this input
    other = jnp.asarray(VALUE * 0)
    close(program(other), expected * 0)
close(program(x), expected)
"""


def test_graphs_are_replayed_and_right(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(GRAPHS)


def test_results_are_right_where_every_block_is_new(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(GRAPHS.replace("assert graphs == ", "graphs == "), keeps=False)


def test_updates_of_donated_memory_touch_what_they_change(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
x = np.arange(4096 * 64, dtype=np.float32).reshape(4096, 64)
row = np.full(64, -1, np.float32)
set_row = olympus.jit(lambda c, row, i: lax.dynamic_update_slice(c, row[None], (i, 0)), donate_argnums=0)
add_rows = olympus.jit(lambda c, rows, at: c.at[at].add(rows).at[0].set(rows[0]), donate_argnums=0)
copied = olympus.jit(lambda c, rows, at: (c.at[at].add(rows), c.sum()))
cache = jnp.asarray(x)
for i in (3, 4000, 7):
    address, launches = cache._buffers[0].allocation.ptr, MACHINE.launches
    np.asarray(cache)  # what the host has read is a copy
    cache = set_row(cache, row, i)
    assert cache._buffers[0].allocation.ptr == address and MACHINE.launches == launches + 1
    x[i] = -1
close(cache, x)
at, rows = np.array([5, 9, 5]), np.ones((3, 64), np.float32)
np.add.at(x, at, rows)
x[0] = rows[0]
address = cache._buffers[0].allocation.ptr
cache = add_rows(cache, rows, at)
assert cache._buffers[0].allocation.ptr == address
close(cache, x)
np.testing.assert_array_equal(cache, x)
y = x.copy()
np.add.at(y, at, rows)
other, total = copied(cache, rows, at)
np.testing.assert_array_equal(other, y)
np.testing.assert_array_equal(cache, x)
close(total, x.sum(dtype=np.float64))
chain = olympus.jit(lambda c, rows: lax.fori_loop(0, 9, lambda i, c: c.at[i].set(rows[i % 3] * i), c * 2).sum(0))
z = x * 2
z[:9] = np.arange(9)[:, None]
close(chain(cache, rows), z.sum(0))
""")


def test_donated_memory_is_written_over_only_where_nobody_looks(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
    program = olympus.jit(lambda x: jnp.cos(x) + 1, donate_argnums=0)
    x = jnp.asarray(VALUE)
    x.block_until_ready()
    made = MACHINE.allocations
    y = program(x)
    close(y, np.cos(VALUE) + 1)
    assert x.is_deleted() and MACHINE.allocations == made, "the donated block was not used"
    z = jnp.asarray(VALUE)
    held = z.__dlpack__(max_version=(1, 0), stream=1)
    w = program(z)
    close(w, np.cos(VALUE) + 1)
    assert MACHINE.allocations > made, "memory that a consumer holds was written over"
    """.replace("    ", ""), keeps=False)


def test_control_flow_keeps_its_data_on_the_device(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
carry, rows = olympus.jit(lambda x: lax.scan(lambda c, e: (c + e, c * 2), jnp.zeros(17), x))(VALUE)
sums = np.cumsum(VALUE, axis=0)
close(carry, sums[-1])
close(rows, 2 * np.concatenate([np.zeros((1, 17), np.float32), sums[:-1]]))
count, total = olympus.jit(lambda x: lax.while_loop(
    lambda s: s[1] < 100, lambda s: (s[0] + 1, s[1] * 2), (0, jnp.sum(x * 0) + 1)))(VALUE)
assert (int(count), float(total)) == (7, 128)
close(olympus.jit(lambda x: lax.cond(x[0, 0] > 1e6, jnp.sin, jnp.cos, x))(VALUE), np.cos(VALUE))
""", keeps=False)


def test_operations_without_kernels_run_on_the_host_and_say_so_once(run_with_gpus: RunWithGpus) -> None:
    printed = run_with_gpus(HEAD + """
import logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(name)s %(message)s")
from olympus_cuda.compiled.kernel_generator import CudaKernelGenerator
CudaKernelGenerator.supports = lambda self, record, dtypes: False  # as if nothing could be generated
program = olympus.jit(lambda x: jnp.tanh(x))
for i in range(3):
    close(program(VALUE + i), np.tanh(VALUE + i))
""")
    assert printed.count("olympus.cuda tanh(") == 1 and "the host runs it" in printed


def test_out_of_memory_is_an_error_and_no_end(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
import olympus_core.errors.platform as errors
x = jnp.asarray(np.ones(3 << 20, np.float32))
program = olympus.jit(lambda x: jnp.concatenate([x, x + 1]))
try:
    program(x)
except errors.OutOfMemoryError as error:
    assert isinstance(error, MemoryError) and error.asked == 24 << 20, error
else:
    raise AssertionError("no error")
close(olympus.jit(lambda x: x[:4] * 2)(x), np.full(4, 2))
""", memory=32 << 20)


SHARDED = HEAD + """
from olympus.sharding import NamedSharding, PartitionSpec
mesh = olympus.make_mesh((4,), ("d",))
x = np.arange(96, dtype=np.float32).reshape(8, 12)
placed = olympus.device_put(x, NamedSharding(mesh, PartitionSpec("d")))
for i in range(3):
    close(olympus.jit(lambda x: x.sum(0) + x.mean())(placed), x.sum(0) + x.mean())
    close(olympus.jit(lambda x: jnp.sort(x, axis=0))(placed), np.sort(x, axis=0))
    close(olympus.jit(lambda x: x @ x.T)(placed), x @ x.T)
moved = olympus.device_put(placed, NamedSharding(mesh, PartitionSpec(None, "d")))
close(moved, x)
per_device = olympus.shard_map(lambda x: lax.ppermute(x, "d", [(i, (i + 1) % 4) for i in range(4)]),
                               mesh=mesh, in_specs=PartitionSpec("d"), out_specs=PartitionSpec("d"))
close(olympus.jit(per_device)(placed), np.roll(x, 2, axis=0))
"""


@pytest.mark.parametrize("gpus", [1, 2])
def test_sharded_programs(run_with_gpus: RunWithGpus, gpus: int) -> None:
    run_with_gpus(SHARDED, gpus=gpus, keeps=False, OLYMPUS_NUM_CUDA_DEVICES="4")


def test_several_threads(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
import threading
program, failed = olympus.jit(lambda x: jnp.sum(jnp.exp(jnp.sin(x)) * x, axis=1)), []
def work(seed):
    try:
        x = np.random.default_rng(seed).standard_normal((33, 17)).astype(np.float32)
        for i in range(10):
            close(program(x), np.sum(np.exp(np.sin(x)) * x, axis=1))
    except BaseException as error:
        failed.append(error)
threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failed, failed
""")


def test_compiled_code_is_kept_on_disk_and_texts_are_dumped(run_with_gpus: RunWithGpus, tmp_path: Path) -> None:
    script = HEAD + """
import olympus_cuda.nvrtc as nvrtc
compiled, inner = [], nvrtc.compile_cubin
nvrtc.compile_cubin = lambda *arguments, **named: compiled.append(arguments[2]) or inner(*arguments, **named)
def softmax(x):
    e = jnp.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)
e = np.exp(VALUE - VALUE.max(1, keepdims=True))
close(olympus.jit(softmax)(VALUE), e / e.sum(1, keepdims=True))
print(len(compiled))
"""
    variables = {"OLYMPUS_COMPILATION_CACHE_DIR": str(tmp_path / "cache"), "OLYMPUS_DUMP_TO": str(tmp_path / "dump")}
    first, second = (int(run_with_gpus(script, **variables)) for _ in range(2))
    assert first > 0 and second == 0
    names = [path.name for path in (tmp_path / "dump").iterdir()]
    assert any(n.endswith(".program.txt") for n in names) and any(n.endswith(".kernels.txt") for n in names)
    assert any("__global__" in path.read_text() for path in (tmp_path / "dump").glob("*.cu"))
