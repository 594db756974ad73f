# SPDX-License-Identifier: Apache-2.0
"""What records say of complex functions at infinities and NaN, against NumPy, whose C library has Annex G too."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
from olympus.tracing import bind
from olympus_conformance.samples.complex_specials import SPECIALS
from olympus_core import dtypes
from olympus_core.ops import OPERATIONS

from .complex_grid import grid

NAN, INF = np.nan, np.inf


def of(real: float, imag: float) -> np.ndarray:
    return np.array([[real, imag]], np.float64).view(np.complex128)[:, 0]


@pytest.mark.parametrize("name", SPECIALS)
def test_the_references_agree(name: str) -> None:
    record = OPERATIONS[name]
    operands = grid(record.arity)
    assert record.reference is not None
    fixed = SPECIALS[name](operands)
    with np.errstate(all="ignore"):
        (found,) = record.reference(operands, {})
    assert fixed.known.sum() > 10
    bad = ~fixed.admit(found, 1e-9)
    assert not bad.any(), [(x[bad][:3], found[bad][:3], fixed.value[bad][:3]) for x in operands]


def test_every_complex_function_has_them() -> None:
    inexact = {r.name for r in OPERATIONS.values() if r.arity and r.exactness.complex is not None}
    assert inexact == set(SPECIALS)


@pytest.mark.parametrize(("name", "operand", "right", "wrong"), [
    ("asin", (0.0, INF), (0.0, INF), (NAN, NAN)),
    ("asin", (-0.0, -INF), (-0.0, -INF), (-0.0, INF)),
    ("atanh", (0.0, INF), (0.0, np.pi / 2), (0.0, 1.178)),
    ("sqrt", (NAN, INF), (INF, INF), (NAN, NAN)),
    ("exp", (-INF, INF), (-0.0, 0.0), (NAN, NAN)),
    ("exp", (800.0, -0.0), (INF, -0.0), (INF, NAN)),
    ("exp", (800.0, 2.0), (-INF, INF), (INF, INF)),
    ("expm1", (-INF, NAN), (-1.0, -0.0), (NAN, NAN)),
    ("cosh", (NAN, 0.0), (NAN, -0.0), (NAN, NAN)),
    ("acos", (-INF, INF), (3 * np.pi / 4, -INF), (np.pi / 4, -INF)),
    ("log", (-INF, -0.0), (INF, -np.pi), (INF, np.pi)),
    ("logistic", (INF, NAN), (1.0, 0.0), (NAN, NAN)),
    ("rsqrt", (3.0, INF), (0.0, -0.0), (NAN, NAN)),
    ("abs", (NAN, INF), (INF, 0.0), (NAN, 0.0)),
    ("abs", (0.0, NAN), (NAN, 0.0), (0.0, 0.0)),
])
def test_what_is_fixed(
    name: str, operand: tuple[float, float], right: tuple[float, float], wrong: tuple[float, float]
) -> None:
    fixed = SPECIALS[name]([of(*operand)])
    assert fixed.admit(of(*right), 1e-9).all() and not fixed.admit(of(*wrong), 1e-9).any()


def test_infinite_products_and_quotients() -> None:
    infinite, one, zero = of(INF, INF), of(1, 1), of(0, 0)
    assert SPECIALS["mul"]([infinite, one]).admit(of(NAN, INF), 0).all()
    assert not SPECIALS["mul"]([infinite, one]).admit(of(NAN, NAN), 0).any()
    assert not SPECIALS["div"]([one, zero]).admit(of(3, NAN), 0).any()
    assert not SPECIALS["div"]([one, of(INF, 0)]).admit(of(NAN, 0), 0).any()
    assert not SPECIALS["mul"]([of(NAN, 0), one]).admit(of(0, 0), 0).any()
    assert not SPECIALS["mul"]([one, one]).known.any()


def test_nothing_is_said_of_numbers_that_are_neither_large_nor_infinite() -> None:
    x = np.array([0.5 + 2j, -3 - 1j], dtypes.complex128)
    for name, specials in SPECIALS.items():
        assert not specials([x] * OPERATIONS[name].arity).known.any(), name


@pytest.mark.parametrize("dtype", [dtypes.complex64, dtypes.complex128])
@pytest.mark.parametrize("name", sorted(set(SPECIALS) - {"mul", "div", "pow"}))
def test_the_cpu_follows(name: str, dtype: np.dtype) -> None:
    (x,) = grid(1)
    with olympus.enable_x64():
        found = np.asarray(olympus.jit(lambda x: bind(OPERATIONS[name], x, weak=False))(x.astype(dtype)))
    bad = ~SPECIALS[name]([x]).admit(found, 1e-6)
    assert not bad.any(), [(x[bad][:3], found[bad][:3])]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("by", [of(INF, INF), of(-INF, INF), of(INF, NAN), of(NAN, -INF), of(-INF, 3), of(2, INF)])
def test_what_an_infinite_number_divides_is_zero(dtype: type, by: np.ndarray) -> None:
    """ISO C, annex G.5.1; the signs are those of x times the conjugate of the divisor's direction."""
    record = OPERATIONS["div"]
    x, y = of(1, 2).astype(dtype), by.astype(dtype)
    unit = complex(*(np.copysign(float(np.isinf(v)), v) for v in (y[0].real, y[0].imag)))
    wanted = x[0] * np.conj(unit)
    for divide in (lambda x: np.asarray(bind(record, x, y)), lambda x: record.reference([x, y], {})[0]):
        with np.errstate(invalid="ignore"):
            (found,), (undefined,) = divide(x), divide(of(INF, 0).astype(dtype))
        assert found == 0 and np.isnan(undefined)
        assert (np.signbit(found.real), np.signbit(found.imag)) == (wanted.real < 0, wanted.imag < 0)
