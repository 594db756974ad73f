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
        for name in ("dctn", "idctn"):
            np.testing.assert_allclose(getattr(fft, name)(x, kind, axes=1), getattr(scipy.fft, name)(x, kind, axes=1),
                                       atol=1e-13)
        check_grads(lambda x: fft.dct(x, kind), (x[0, 0],), order=2)
        mapped = olympus.vmap(lambda x: fft.dct(x, kind), 1)(x)
        np.testing.assert_allclose(mapped, scipy.fft.dct(x, kind).transpose(1, 0, 2), atol=1e-13)


@pytest.mark.parametrize("name", ["dct", "idct", "fft", "ihfft", "irfft"])
def test_split_over_explicit_axes(name: str) -> None:
    function = getattr(fft, name, None) or getattr(jnp.fft, name)
    mesh = olympus.make_mesh((2,), ("i",), devices=olympus.devices()[:2],
                             axis_types=(olympus.sharding.AxisType.Explicit,))
    x = np.arange(24.0, dtype=np.float32).reshape(4, 6)
    with olympus.set_mesh(mesh):
        rows = olympus.device_put(x, olympus.NamedSharding(mesh, olympus.P("i")))
        found = function(rows, n=5)
        assert found.sharding.spec[0] == "i" and "all_" not in str(olympus.explain(function, rows))
        columns = olympus.device_put(x, olympus.NamedSharding(mesh, olympus.P(None, "i")))
        with pytest.raises(olympus.errors.SplitDimensionError, match="needed whole"):
            function(columns, n=5)
    np.testing.assert_allclose(found, function(x, n=5), rtol=1e-6)


def test_types_and_what_is_refused() -> None:
    assert fft.dct(jnp.ones(4, "bfloat16")).dtype == fft.dct(np.arange(4)).dtype == "float32"
    x = np.array([1.0, 2, 4])
    np.testing.assert_allclose(fft.dct(x * 2j + x), scipy.fft.dct(x * 2j + x), rtol=1e-6)
    for call in (lambda: fft.dct(x, 5), lambda: fft.dct(x, norm="none"), lambda: fft.dct(x, 1, n=1),
                 lambda: fft.dctn(x, s=(2, 2)), lambda: fft.dctn(x, axes=(0, -1)), lambda: fft.idct(x, n=0)):
        with pytest.raises(ArgumentError):
            call()
