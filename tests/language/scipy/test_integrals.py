# SPDX-License-Identifier: Apache-2.0
"""Integrals of elementary functions against mpmath, over the whole domain, its ends and its derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError
from olympus.scipy import special
from olympus.test_util import check_grads

mp = mpmath.mp.clone()
mp.dps = 40
INF, NAN = math.inf, math.nan


def _dawsn(x: Any) -> Any:
    # Beyond the reach of exp(x^2), the first terms of the asymptotic series.
    if abs(x) > 1e4:
        return (1 + 1 / (2 * x * x) + 3 / (4 * x**4)) / (2 * x)
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


EXACT: dict[str, tuple[Callable[..., Any], ...]] = {
    "dawsn": (_dawsn,), "exp1": (mp.e1,), "expi": (mp.ei,), "sici": (mp.si, lambda x: mp.ci(abs(x))),
    "fresnel": (mp.fresnels, mp.fresnelc), "spence": (lambda x: mp.re(mp.polylog(2, 1 - x)),),
}
POSITIVE = np.concatenate([
    np.geomspace(1e-6, 500, 90), np.linspace(0.05, 8.1, 80), [0.3725, 0.37250741, 0.3726, 0.5, 1, 2, 3, 4, 6, 12, 24]])
OPERANDS = {
    "dawsn": np.concatenate([POSITIVE, -POSITIVE, [3e4, 1e8]]), "exp1": POSITIVE[POSITIVE < 80],
    "expi": np.concatenate([POSITIVE[POSITIVE < 80], -POSITIVE[POSITIVE < 80]]),
    "sici": np.concatenate([POSITIVE, -POSITIVE, [1e4]]), "fresnel": np.concatenate([POSITIVE, -POSITIVE, [12345.678]]),
    "spence": np.concatenate([POSITIVE, [1e6, 1e12]]),
}
# What each of them is of an operand; the second of two results in the second place.
ENDS: dict[str, list[tuple[float, ...]]] = {
    "dawsn": [(INF, 0), (-INF, 0), (0, 0), (NAN, NAN)],
    "exp1": [(INF, 0), (0, INF), (-1, NAN), (-INF, NAN), (NAN, NAN)],
    "expi": [(INF, INF), (-INF, 0), (0, -INF), (NAN, NAN)],
    "sici": [(INF, math.pi / 2, 0), (-INF, -math.pi / 2, NAN), (0, 0, -INF), (NAN, NAN, NAN)],
    "fresnel": [(INF, 0.5, 0.5), (-INF, -0.5, -0.5), (1e30, 0.5, 0.5), (0, 0, 0), (NAN, NAN, NAN)],
    "spence": [(0, math.pi**2 / 6), (1, 0), (-0.1, NAN), (-INF, NAN), (INF, -INF), (NAN, NAN)],
}


def results(name: str, x: Any) -> list[np.ndarray]:
    found: Any = getattr(special, name)(x)
    return [np.asarray(v) for v in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("wide", [False, True], ids=["float32", "float64"])
@pytest.mark.parametrize("name", EXACT)
def test_numbers_against_mpmath(name: str, wide: bool) -> None:
    dtype = np.float64 if wide else np.float32
    x = OPERANDS[name].astype(dtype)
    eps = float(np.finfo(dtype).eps)
    with olympus.enable_x64(wide):
        found = results(name, x)
    for values, function in zip(found, EXACT[name], strict=True):
        assert values.dtype == dtype
        exact = np.array([float(function(mp.mpf(float(v)))) for v in x])
        # The sine and cosine integrals go through zero without end, where they are exact to the place of 1.
        np.testing.assert_allclose(values, exact, rtol=4 * eps, atol=16 * eps * (name == "sici"))


@pytest.mark.parametrize("name", ENDS)
def test_ends_of_the_domain(name: str) -> None:
    rows = np.array(ENDS[name], np.float32)
    for k, values in enumerate(results(name, rows[:, 0])):
        np.testing.assert_allclose(values, rows[:, k + 1], rtol=1e-6)
    if name in ("dawsn", "fresnel"):
        assert all(np.signbit(v) for v in results(name, np.float32(-0.0)))
    assert all(v.shape == (0,) for v in results(name, np.zeros(0, np.float32)))


def test_exponential_integral_near_overflow() -> None:
    with olympus.enable_x64(True):
        np.testing.assert_allclose(special.expi(712.0), float(mp.ei(712)), rtol=1e-13)
        assert special.expi(720.0) == INF


@pytest.mark.parametrize("name", EXACT)
def test_derivatives_in_both_modes_to_second_order(name: str) -> None:
    with olympus.enable_x64(True):
        for x in (0.01, 0.7, 1.001, 2.7, 9.0):
            check_grads(getattr(special, name), (np.float64(x),), order=2, modes=("fwd", "rev"), atol=1e-4, rtol=1e-4)


def test_derivatives_where_formulas_cancel() -> None:
    with olympus.enable_x64(True):
        grad = olympus.grad
        for x in (7.9, 8.1, 300.0, 1e6):
            exact = float(1 - 2 * mp.mpf(x) * _dawsn(mp.mpf(x)))
            np.testing.assert_allclose(grad(special.dawsn)(x), exact, rtol=1e-10 if x > 8 else 1e-12)
        np.testing.assert_allclose(grad(special.spence)(1.0), -1.0, rtol=1e-15)
        np.testing.assert_allclose(grad(grad(special.spence))(1.0), 0.5, rtol=1e-12)
        np.testing.assert_allclose(grad(grad(special.spence))(1.0 + 1e-5), 0.5 - 2e-5 / 3, rtol=1e-9)
        sine: Any = lambda x: special.sici(x)[0]
        np.testing.assert_allclose([grad(sine)(0.0), grad(grad(grad(sine)))(0.0)], [1.0, -1 / 3], rtol=1e-12)


def test_narrow_floats_integers_and_what_is_refused() -> None:
    for name in EXACT:
        for dtype in (jnp.bfloat16, jnp.float16):
            values = results(name, jnp.array([0.25, 3.0], dtype))
            assert all(v.dtype == dtype for v in values)
            for found, function in zip(values, EXACT[name], strict=True):
                np.testing.assert_allclose(found.astype("f4"), [float(function(v)) for v in (0.25, 3.0)], rtol=4e-3)
        assert results(name, 1)[0].dtype == np.float32
        with pytest.raises(ArgumentError, match="complex"):
            getattr(special, name)(1j)


def test_mapped_compiled_and_split() -> None:
    x = np.linspace(0.1, 9, 16, dtype=np.float32)
    split = olympus.device_put(x, olympus.NamedSharding(olympus.make_mesh((8,), ("i",)), olympus.P("i")))
    for name in ("expi", "fresnel"):
        whole = results(name, x)
        mapped: Any = olympus.jit(olympus.vmap(getattr(special, name)))(x)
        found: Any = olympus.jit(getattr(special, name))(split)
        for k, wanted in enumerate(whole):
            np.testing.assert_allclose(mapped if len(whole) == 1 else mapped[k], wanted, rtol=1e-6)
            one = found if len(whole) == 1 else found[k]
            np.testing.assert_allclose(one, wanted, rtol=1e-6)
            assert one.sharding.spec == olympus.P("i")
