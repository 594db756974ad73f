# SPDX-License-Identifier: Apache-2.0
"""Out of memory, at every place where it can happen: nothing stays behind, and the next call works."""

from __future__ import annotations

from ..conftest import RunWithGpus
from .test_execution import LAYERS

HEAD = """
import gc
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.errors import DeletedError
from olympus_core.runtime.world import get_world
from tests.cuda.standin.machine import MACHINE
VALUE = np.random.default_rng(0).standard_normal((12, 12)).astype(np.float32)

def context():
    return get_world().clients["cuda"].contexts[0]

def refused_everywhere(call, check):
    # The first allocation, then the second, until the call needs no more; gives the number of failures.
    check(call())
    failures = 0
    while True:
        gc.collect()
        before = context().in_use
        MACHINE.refuses_from = failures
        try:
            found = call()
        except MemoryError as error:
            assert type(error).__name__ == "OutOfMemoryError", error
            del error
        else:
            MACHINE.refuses_from = None
            check(found)
            return failures
        MACHINE.refuses_from = None
        gc.collect()
        assert context().in_use == before, (failures, context().in_use, before)
        check(call())
        failures += 1
"""


def test_every_allocation_of_a_program_may_fail(run_with_gpus: RunWithGpus) -> None:
    """Outputs, the arena, products' scratch, a loop's carries and stacks, what is uploaded and what is copied."""
    run_with_gpus(HEAD + """
@olympus.jit
def program(x):
    y = jnp.sin(x) @ x
    y = jnp.sort(y - y.mean(axis=0), axis=1)
    carry, rows = lax.scan(lambda c, row: (c + row, c * 2), y.sum(axis=0), y)
    return jnp.cumsum(rows, axis=0), carry, y @ x

def plain(x):
    y = np.sin(x) @ x
    y = np.sort(y - y.mean(axis=0), axis=1)
    sums = np.cumsum(np.concatenate([y.sum(axis=0)[None], y]), axis=0)
    return np.cumsum(2 * sums[:-1], axis=0), sums[-1], y @ x

expected = plain(VALUE.astype(np.float64))
def check(found):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=2e-3, atol=2e-2)

failures = refused_everywhere(lambda: program(VALUE), check)
assert failures >= 5, failures
failures = refused_everywhere(lambda: program(jnp.asarray(VALUE.T).T), check)
assert failures >= 5, failures
""", keeps=False)


def test_a_graphs_memory_may_fail(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + LAYERS + """
program, x = olympus.jit(layers), jnp.asarray(VALUE)
for i in range(4):
    y = program(x)
    del y
assert MACHINE.graph_launches
context().release_kept()
check = lambda found: np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-4, atol=1e-5)
assert refused_everywhere(lambda: (context().release_kept(), program(x))[1], check) >= 2
""")


def test_a_capture_that_is_refused_is_none_and_no_error(run_with_gpus: RunWithGpus) -> None:
    printed = run_with_gpus(HEAD + """
import logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.WARNING)
from tests.cuda.standin import runtime
refused = []
def refuse(stream):
    found = MACHINE.stream(stream)
    refused.append(found.captured)
    found.captured = None
    raise runtime.CUDARuntimeError(900)
runtime.streamEndCapture = refuse
def layers(x):
    for i in range(6):
        x = jnp.sin(x) @ jnp.asarray(np.eye(12, dtype=np.float32) / 2)
        x = x - jnp.mean(x)
    return x
program, x, plain = olympus.jit(layers), jnp.asarray(VALUE), VALUE
for i in range(6):
    plain = np.sin(plain) / 2
    plain = plain - plain.mean()
for i in range(4):
    np.testing.assert_allclose(np.asarray(program(x)), plain, rtol=1e-4, atol=1e-5)
assert len(refused) == 1 and refused[0] and not MACHINE.graph_launches
""")
    assert printed.count("cannot be captured into a graph: cudaErrorStreamCaptureUnsupported") == 1


def test_deleted_arrays_give_their_memory_to_others(run_with_gpus: RunWithGpus) -> None:
    """Blocks of many sizes fill the GPU; what contexts keep of them comes back when one of them needs it."""
    run_with_gpus(HEAD + """
first, second = olympus.devices()
stats = get_world().clients["cuda"].memory_stats
held = []
for size in range(1, 200):
    try:
        held.append(olympus.device_put(np.zeros(size * 4096, np.uint8), (first, second)[size % 2]))
    except MemoryError as error:
        assert error.held + error.free <= 32 << 20 and error.asked == size * 4096
        break
else:
    raise AssertionError("it never was full")
held.clear()
gc.collect()
figures = [stats(d) for d in (first, second)]
assert all(f["bytes_in_use"] == 0 and f["bytes_kept_for_reuse"] > 4 << 20 for f in figures), figures
large = olympus.device_put(np.ones(28 << 20, np.uint8), second)
assert int(jnp.sum(large[:4096].astype(jnp.int32))) == 4096
assert all(stats(d)["bytes_kept_for_reuse"] < 1 << 20 for d in (first, second))
""", memory=32 << 20, OLYMPUS_NUM_CUDA_DEVICES="2")


def test_what_is_donated_to_a_failing_call_is_as_it_was_or_says_so(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
import functools
@functools.partial(olympus.jit, donate_argnums=0)
def step(x):
    y = jnp.cos(x) + 1  # over x
    z = lax.while_loop(lambda s: s.sum() < 1e4, lambda s: s * 2, y)  # the host's, so not in the same group
    return y, jnp.concatenate([z, z])

expected = np.cos(VALUE) + 1
seen = {"kept": 0, "lost": 0}
failures = 0
while True:
    x = jnp.asarray(VALUE)
    x.block_until_ready()
    MACHINE.refuses_from = failures
    try:
        y, z = step(x)
    except MemoryError:
        MACHINE.refuses_from = None
        try:
            np.testing.assert_array_equal(np.asarray(x), VALUE)
            seen["kept"] += 1
            y, z = step(x)
            np.testing.assert_allclose(np.asarray(y), expected, rtol=1e-5)
        except DeletedError as error:
            assert "which then failed" in str(error), error
            seen["lost"] += 1
        failures += 1
    else:
        MACHINE.refuses_from = None
        break
assert failures >= 2 and seen["lost"], seen
np.testing.assert_allclose(np.asarray(y), expected, rtol=1e-5)

two = olympus.jit(lambda x: (jnp.cos(x) + 1, jnp.concatenate([x, x]) * 2), donate_argnums=0)
x = jnp.asarray(VALUE)
x.block_until_ready()
MACHINE.refuses_from = 0
try:
    two(x)
except MemoryError:
    MACHINE.refuses_from = None
np.testing.assert_array_equal(np.asarray(x), VALUE)  # there was no memory for what comes beside: nothing was done
np.testing.assert_allclose(np.asarray(two(x)[0]), expected, rtol=1e-5)
assert x.is_deleted()
""", keeps=False, OLYMPUS_STANDIN_LACKS="conditional")
