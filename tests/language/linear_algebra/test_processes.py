# SPDX-License-Identifier: Apache-2.0
"""Linear algebra, transforms, sums of segments, samples and orders in 4 processes with 2 devices each."""

from __future__ import annotations

import pytest

from tests.support.processes import free_port, run_processes

pytestmark = pytest.mark.processes

# Each function is run on the whole operands of one device of this process, and on operands that are split over all.
PROGRAM = """
import sys
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import Mesh, NamedSharding, PartitionSpec as P

index, count, port = map(int, sys.argv[1:])
olympus.distributed.initialize(f"localhost:{port}", count, index, initialization_timeout=20)
assert (olympus.device_count(), olympus.local_device_count()) == (8, 2)
mesh = Mesh(np.array(olympus.devices()), ("i",))
random = np.random.default_rng(0)

square = random.normal(size=(8, 5, 5)).astype(np.float32)
positive = square @ square.swapaxes(1, 2) + 5 * np.eye(5, dtype=np.float32)
right = random.normal(size=(8, 5, 3)).astype(np.float32)
tall = random.normal(size=(8, 6, 4)).astype(np.float32)
wave = (random.normal(size=(16, 8)) + 1j * random.normal(size=(16, 8))).astype(np.complex64)
rows = random.normal(size=(64, 3)).astype(np.float32)
segments = random.integers(0, 8, 64).astype(np.int32)
shapes = random.uniform(0.2, 5, 64).astype(np.float32)
key = olympus.random.PRNGKey(7)

cases = [
    ("cholesky", jnp.linalg.cholesky, [positive], [P("i")]),
    ("qr", lambda a: jnp.linalg.qr(a), [tall], [P("i")]),
    ("eigh", lambda a: jnp.linalg.eigh(a), [positive], [P("i")]),
    ("singular values", lambda a: jnp.linalg.svd(a, compute_uv=False), [tall], [P("i")]),
    ("solve", jnp.linalg.solve, [positive, right], [P("i"), P("i")]),
    ("solve, operands placed differently", jnp.linalg.solve, [positive, right], [P(), P("i")]),
    ("inverse", jnp.linalg.inv, [positive], [P("i")]),
    ("determinant", jnp.linalg.det, [square], [P("i")]),
    ("eigenvalues", jnp.linalg.eigvals, [square], [P("i")]),
    ("derivative of cholesky", olympus.grad(lambda a: jnp.linalg.cholesky(a).sum()), [positive], [P("i")]),
    ("fft of a split dimension", lambda a: jnp.fft.fft(a, axis=0), [wave], [P("i")]),
    ("fft of a whole dimension", lambda a: jnp.fft.ifft(a, axis=1), [wave], [P("i")]),
    ("fft of both", jnp.fft.fft2, [wave], [P(None, "i")]),
    ("rfft of a split dimension", lambda a: jnp.fft.rfft(a, axis=0), [wave.real.copy()], [P("i")]),
    ("segment_sum", lambda x, s: olympus.ops.segment_sum(x, s, 8), [rows, segments], [P("i"), P("i")]),
    ("segment_max", lambda x, s: olympus.ops.segment_max(x, s, 8), [rows, segments], [P("i"), P("i")]),
    ("gamma", lambda a: olympus.random.gamma(key, a), [shapes], [P("i")]),
    ("normal", lambda a: a * olympus.random.normal(key, a.shape), [shapes], [P("i")]),
    ("sort of a split dimension", lambda a: jnp.sort(a, axis=0), [rows], [P("i")]),
    ("argsort of a split dimension", lambda a: jnp.argsort(a, axis=0), [rows], [P("i")]),
    ("top_k", lambda a: lax.top_k(a.T, 5), [rows], [P("i")]),
    ("cumsum", lambda a: jnp.cumsum(a, axis=0), [rows], [P("i")]),
    ("gammaln", lambda a: olympus.scipy.special.gammaln(a), [shapes], [P("i")]),
    ("logsumexp of a split dimension", lambda a: olympus.scipy.special.logsumexp(a, axis=0), [rows], [P("i")]),
]
own = olympus.local_devices()[0]
for name, function, operands, specs in cases:
    expected = olympus.jit(function)(*(olympus.device_put(x, own) for x in operands))
    given = [olympus.device_put(x, NamedSharding(mesh, s)) for x, s in zip(operands, specs)]
    found = olympus.jit(function, out_shardings=NamedSharding(mesh, P()))(*given)
    pairs = list(zip(olympus.tree.leaves(found), olympus.tree.leaves(expected), strict=True))
    assert pairs
    for x, y in pairs:
        assert x.sharding.device_set == set(olympus.devices()) and x.dtype == y.dtype, (name, x.sharding)
        y = np.asarray(y)
        x = np.asarray(x.addressable_shards[0].data)
        assert np.isfinite(y).all(), name
        if y.dtype.kind in "iu":
            np.testing.assert_array_equal(x, y, err_msg=name)
        else:
            np.testing.assert_allclose(x, y, rtol=1e-5, atol=1e-5 * np.abs(y).max(), err_msg=name)
print("compared", len(cases))
"""


def test_split_operands_give_what_whole_ones_give() -> None:
    finished = run_processes(
        PROGRAM, 4, lambda i: i, 4, free_port(), deadline=90.0, env={"OLYMPUS_NUM_CPU_DEVICES": "2"})
    for index, end in enumerate(finished):
        assert end.returncode == 0 and "compared 24" in end.stdout, f"process {index}:\n{end.stdout}{end.stderr}"
