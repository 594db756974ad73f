# SPDX-License-Identifier: Apache-2.0
"""LAPACK's functions are had without scipy.linalg, and those who import that find it whole."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
import numpy as np
import olympus, olympus.numpy as jnp

a = np.array([[4.0, 1.0], [1.0, 3.0]], np.float32)
found = np.asarray(olympus.jit(jnp.linalg.cholesky)(a))
np.testing.assert_allclose(found @ found.T, a, rtol=1e-6)
assert "scipy.linalg" not in sys.modules and not any(name.startswith("scipy.linalg.") for name in sys.modules)
import scipy.linalg.cython_lapack
from olympus_cpu.native.lapack import _extension
assert scipy.linalg.cython_lapack is sys.modules["scipy.linalg.cython_lapack"]
for name in ("cython_lapack", "cython_blas"):
    theirs = __import__("scipy.linalg", fromlist=[name])
    assert set(getattr(theirs, name).__pyx_capi__) == set(_extension(name).__pyx_capi__)
np.testing.assert_allclose(scipy.linalg.cholesky(a, lower=True), found, rtol=1e-6)
np.testing.assert_allclose(scipy.linalg.solve_banded((0, 0), np.ones((1, 2)), np.ones(2)), 1)
"""


def test_scipy_is_not_imported_whole_and_can_be_later() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_where_scipy_linalg_is_there_its_modules_are_taken() -> None:
    program = "import scipy.linalg\nfrom olympus_cpu.native.lapack import _extension\n" \
              "assert _extension('cython_lapack') is scipy.linalg.cython_lapack"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
