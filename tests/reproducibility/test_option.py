# SPDX-License-Identifier: Apache-2.0
"""What the option refuses, and what runs as code of our own whether it is set or not."""

from __future__ import annotations

import logging
import os

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_cpu.fallback import matmul
from olympus_cpu.machine.description import has_level
from tests.support.processes import run_processes

_SOLVE = """
import sys
if "early" in sys.argv:
    import scipy.linalg
import numpy as np
import olympus
x = np.eye(40, dtype="float32") * 9 + 1
try:
    print(float(olympus.numpy.linalg.cholesky(x)[0, 0]))
except NotImplementedError as error:
    print(error)
"""


@pytest.mark.processes
@pytest.mark.skipif(not has_level("x86-64-v3"), reason="OpenBLAS has no code here that others run, too")
@pytest.mark.parametrize("when", ["early", "late"])
def test_decompositions_run_one_processor_s_code_or_are_refused(when: str) -> None:
    env = {"OLYMPUS_REPRODUCIBLE": "1", "OPENBLAS_CORETYPE": "Nehalem"}
    (end,) = run_processes(_SOLVE, 1, when, env=env)
    assert end.returncode == 0, end.stderr
    if when == "late":
        assert float(end.stdout) == pytest.approx(10 ** 0.5)
    else:
        assert "runs OpenBLAS' code for Nehalem" in end.stdout and "OPENBLAS_CORETYPE=Haswell" in end.stdout


def test_products_of_complex_numbers_are_no_library_s(caplog: pytest.LogCaptureFixture) -> None:
    rng = np.random.default_rng(1)

    def some(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape) + 1j * rng.standard_normal(shape)

    for dtype, tolerance in (("complex64", 1e-5), ("complex128", 1e-13)):
        with olympus.enable_x64(dtype == "complex128"), caplog.at_level(logging.INFO, "olympus.cpu"):
            x, y, z = (v.astype(dtype) for v in (some(33, 20), some(20, 17), some(5, 20, 6)))
            image, kernel = some(2, 3, 9, 8).astype(dtype), some(4, 3, 3, 2).astype(dtype)
            product = olympus.jit(jnp.matmul)(x, y)
            batches = olympus.jit(lambda z: jnp.einsum("bij,bik->bjk", z.conj(), z))(z)
            found = olympus.jit(lambda v, w: lax.conv_general_dilated(v, w, (1, 2), "SAME"))(image, kernel)
            parts = [lax.conv_general_dilated(v, w, (1, 2), "SAME") for v in (image.real, image.imag)
                     for w in (kernel.real, kernel.imag)]
            solved = lax.linalg.triangular_solve(
                np.tril(some(7, 7)).astype(dtype) + 9 * np.eye(7, dtype=dtype), x[:7], left_side=True, lower=True,
                conjugate_a=True)
        assert product.dtype == found.dtype == dtype and np.isfinite(solved).all()
        np.testing.assert_allclose(product, x @ y, rtol=tolerance, atol=10 * tolerance)
        np.testing.assert_allclose(batches, np.einsum("bij,bik->bjk", z.conj(), z), rtol=tolerance, atol=10 * tolerance)
        truth = np.asarray(parts[0]) - np.asarray(parts[3]) + 1j * (np.asarray(parts[1]) + np.asarray(parts[2]))
        np.testing.assert_allclose(found, truth, rtol=tolerance, atol=10 * tolerance)
    assert not [r.getMessage() for r in caplog.records if "dot_general" in r.getMessage() or "conv" in r.getMessage()]


def test_conjugated_equations() -> None:
    rng = np.random.default_rng(2)
    a = (np.tril(rng.standard_normal((6, 6)) + 1j * rng.standard_normal((6, 6))) + 9 * np.eye(6)).astype("complex64")
    b = (rng.standard_normal((6, 3)) + 1j * rng.standard_normal((6, 3))).astype("complex64")
    x = olympus.jit(lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True, conjugate_a=True))(a, b)
    np.testing.assert_allclose(a.conj() @ np.asarray(x), b, rtol=1e-4, atol=1e-5)


def test_products_of_the_narrowest_numbers_are_their_float32_products() -> None:
    rng = np.random.default_rng(3)
    for dtype in (jnp.float8_e4m3fn, jnp.float8_e5m2):
        x, y = (rng.standard_normal(shape).astype(dtype) for shape in ((20, 30), (30, 10)))
        image, kernel = (rng.standard_normal(shape).astype(dtype) for shape in ((2, 3, 6, 6), (4, 3, 3, 3)))
        for result in (None, "float32"):
            found = lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type=result)
            truth = np.asarray(jnp.matmul(x.astype("f4"), y.astype("f4")))
            np.testing.assert_array_equal(np.asarray(found), truth.astype(found.dtype))
        found = lax.conv_general_dilated(image, kernel, (1, 1), "SAME")
        truth = np.asarray(lax.conv_general_dilated(image.astype("f4"), kernel.astype("f4"), (1, 1), "SAME"))
        np.testing.assert_array_equal(np.asarray(found), truth.astype(dtype))


def test_sums_in_order_are_products() -> None:
    rng = np.random.default_rng(4)
    x, y = rng.standard_normal((3, 5, 9)), rng.standard_normal((3, 9, 4))
    out = np.empty((3, 5, 4))
    matmul._in_order(x, y, out)
    np.testing.assert_allclose(out, x @ y, rtol=1e-13)


def test_an_option_that_took_effect_stays() -> None:
    olympus.devices()
    with pytest.raises(olympus.errors.ConfigFrozenError):
        olympus.config.update("olympus_reproducible", not os.environ.get("OLYMPUS_REPRODUCIBLE"))
