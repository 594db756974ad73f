# SPDX-License-Identifier: Apache-2.0
"""Discrete cosine transforms against SciPy's, of all types, lengths and norms, and their derivatives."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.fft

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy import fft
from olympus.test_util import check_grads


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_cosine_transforms(kind: int) -> None:
    random = np.random.default_rng(kind)
    with olympus.enable_x64():
        for n, norm in itertools.product((1, 2, 7, 8), (None, "ortho", "forward")):
            if kind == 1 and n == 1:
                continue
            x = random.normal(size=(2, n))
            for name in ("dct", "idct"):
                wanted = getattr(scipy.fft, name)(x, kind, norm=norm)
                np.testing.assert_allclose(getattr(fft, name)(x, kind, norm=norm), wanted, atol=1e-13 * n)
        x = random.normal(size=(3, 2, 5))
        for name in ("dctn", "idctn"):
            wanted, found = (getattr(module, name)(x, kind, s=(4, 6), axes=(2, 0), norm="ortho")
                             for module in (scipy.fft, fft))
            np.testing.assert_allclose(found, wanted, atol=1e-13)
        check_grads(lambda x: fft.dct(x, kind), (x[0, 0],), order=2)
        mapped = olympus.vmap(lambda x: fft.dct(x, kind), 1)(x)
        np.testing.assert_allclose(mapped, scipy.fft.dct(x, kind).transpose(1, 0, 2), atol=1e-13)


def test_types_and_what_is_refused() -> None:
    assert fft.dct(jnp.ones(4, "bfloat16")).dtype == fft.dct(np.arange(4)).dtype == "float32"
    x = np.array([1.0, 2, 4])
    np.testing.assert_allclose(fft.dct(x * 2j + x), scipy.fft.dct(x * 2j + x), rtol=1e-6)
    for call in (lambda: fft.dct(x, 5), lambda: fft.dct(x, norm="none"), lambda: fft.dct(x, 1, n=1),
                 lambda: fft.dctn(x, s=(2, 2)), lambda: fft.dctn(x, axes=(0, -1)), lambda: fft.idct(x, n=0)):
        with pytest.raises(ArgumentError):
            call()
