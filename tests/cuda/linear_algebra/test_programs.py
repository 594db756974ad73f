# SPDX-License-Identifier: Apache-2.0
"""Programs of linear algebra over the stand-in: whole processes."""

from __future__ import annotations

from ..conftest import RunWithGpus

HEAD = """
import logging
import numpy as np
import olympus
import olympus.numpy as jnp
from tests.cuda.standin.machine import MACHINE
said = []
class Kept(logging.Handler):
    def emit(self, record):
        said.append(record.getMessage())
logging.getLogger("olympus.cuda").addHandler(Kept())
logging.getLogger("olympus.cuda").setLevel(logging.INFO)
random = np.random.default_rng(0)
A = random.standard_normal((3, 6, 6)).astype(np.float32) + 4 * np.eye(6, dtype=np.float32)
B = random.standard_normal((3, 6, 2)).astype(np.float32)

def close(found, expected):
    np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-3, atol=1e-3)
"""


def test_programs_stay_on_the_gpu_and_are_not_captured(run_with_gpus: RunWithGpus) -> None:
    for keeps in (True, False):
        run_with_gpus(HEAD + """
@olympus.jit
def program(a, b):
    x = jnp.linalg.solve(a, b * 2) + 1
    q, r = jnp.linalg.qr(a)
    w, v = jnp.linalg.eigh(a @ jnp.swapaxes(a, 1, 2))
    return x, q @ r, (v * w[:, None, :]) @ jnp.swapaxes(v, 1, 2), jnp.linalg.svd(a, compute_uv=False)

a, b = jnp.asarray(A), jnp.asarray(B)
for _ in range(4):
    x, qr, whole, s = program(a, b)
    close(x, np.linalg.solve(A, 2 * B) + 1)
    close(qr, A)
    close(whole, A @ A.transpose(0, 2, 1))
    close(s, np.linalg.svd(A, compute_uv=False))
    del x, qr, whole, s
assert not said, said
assert not MACHINE.graph_launches
grads = olympus.grad(lambda a: jnp.linalg.slogdet(a)[1].sum())(a)
close(grads, np.linalg.inv(A).transpose(0, 2, 1))
assert not said, said
""", keeps=keeps)


def test_several_devices_have_handles_of_their_own(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
from olympus.sharding import PartitionSpec as P, NamedSharding
mesh = olympus.make_mesh((4,), ("i",))
a = np.concatenate([A, A[:1]])
spd = olympus.device_put(a @ a.transpose(0, 2, 1), NamedSharding(mesh, P("i")))
factor = olympus.jit(jnp.linalg.cholesky)(spd)
close(factor, np.linalg.cholesky(a @ a.transpose(0, 2, 1)))
assert not said, said
""", gpus=2, OLYMPUS_NUM_CUDA_DEVICES="4")


def test_without_the_libraries_the_host_computes_and_that_is_told_once(run_with_gpus: RunWithGpus) -> None:
    for lacking in ("cusolver", "cublas"):
        run_with_gpus(HEAD + """
inverse = olympus.jit(jnp.linalg.inv)
for _ in range(2):
    close(inverse(A), np.linalg.inv(A))
assert [text.split("(")[0] for text in said] == ["lu", "triangular_solve"], said
""", OLYMPUS_STANDIN_LACKS=lacking)


def test_left_vectors_are_the_hosts_and_errors_of_the_library_have_its_words(run_with_gpus: RunWithGpus) -> None:
    run_with_gpus(HEAD + """
from olympus import lax
import olympus_cuda.errors as errors
values, left, right = lax.linalg.eig(A)
assert len(said) == 1 and "eig" in said[0], said
w, vectors = jnp.linalg.eig(A)
close(A @ np.asarray(vectors), np.asarray(vectors) * np.asarray(w)[:, None])
assert len(said) == 1, said
from tests.cuda.standin import cusolver
def refused(*arguments):
    raise cusolver.CUSOLVERError("CUSOLVER_STATUS_INTERNAL_ERROR")
cusolver.sgetrf = refused
try:
    np.asarray(jnp.linalg.inv(np.eye(7, dtype=np.float32)))
except errors.CudaLibraryError as error:
    assert error.function == "sgetrf" and error.status == "CUSOLVER_STATUS_INTERNAL_ERROR", error
else:
    raise AssertionError("no error")
""")
