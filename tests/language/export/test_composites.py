# SPDX-License-Identifier: Apache-2.0
"""Functions that StableHLO lacks: named for compilers that know them, with formulas for all others."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import olympus
from olympus import export
from olympus.export.stablehlo.artefact import TABLE
from olympus.export.stablehlo.bytecode import Bytecode
from olympus.export.stablehlo.module import Module
from olympus.export.stablehlo.writing import portable_artefact
from olympus.tracing import bind
from olympus_core import ops
from olympus_core.program import ArrayType, ProgramBuilder
from olympus_pjrt.stablehlo import TypePolicy, emit_program, tpu_policy

# The least and greatest numbers of a test, and units of the last place that are allowed.
REAL: dict[str, tuple[Callable[[Any], Any], float, float, float]] = {
    "asin": (mpmath.asin, -1, 1, 3), "acos": (mpmath.acos, -1, 1, 3), "atan": (mpmath.atan, -50, 50, 3),
    "asinh": (mpmath.asinh, -1e4, 1e4, 3), "acosh": (mpmath.acosh, 1, 1e6, 3), "erf": (mpmath.erf, -6, 6, 2),
    "erfc": (mpmath.erfc, -6, 9, 6), "erf_inv": (mpmath.erfinv, -1, 1, 4), "digamma": (mpmath.digamma, 0, 30, 4),
    "lgamma": (mpmath.loggamma, 0, 30, 4),
}
COMPLEX = ("asin", "acos", "atan", "asinh", "acosh", "atanh", "sinh", "cosh")
EDGES = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 0.5, -0.5, 2.0, -2.0, -3.0, 1e-30, -1e-30, 1e30, -1e30]
MORE = [1e300, -1e300, 1e-300, 1.7e308, 5e-324, 710.5, -1400.0]
RNG = np.random.default_rng(4)


def text_of(name: str, x: np.ndarray, policy: TypePolicy | None = None) -> str:
    """The module of one operation."""
    builder = ProgramBuilder("f")
    return emit_program(builder.finish(builder.emit(
        getattr(ops, name), [builder.input(ArrayType(x.shape, x.dtype))])), policy=policy)


def by_formula(name: str, x: np.ndarray) -> np.ndarray:
    """What those compilers compute that do not know the name."""
    text = text_of(name, x).replace('"chlo.', '"unknown.')
    with olympus.enable_x64(True):
        return np.asarray(Module(portable_artefact(text), TABLE).call("main", [x])[0])


def natively(name: str, x: np.ndarray) -> np.ndarray:
    """What the operation gives here."""
    with olympus.enable_x64(True):
        return np.asarray(olympus.jit(lambda v: bind(getattr(ops, name), v))(x))


def units(found: np.ndarray, wanted: list[Any]) -> float:
    """The greatest distance in units of the last place."""
    kind = np.finfo(found.dtype)
    worst = 0.0
    for got, exact in zip(found.tolist(), wanted, strict=True):
        exponent = kind.minexp if exact == 0 else max(mpmath.frexp(exact)[1] - 1, kind.minexp)
        worst = max(worst, float(abs(mpmath.mpf(got) - exact) / mpmath.mpf(2) ** (exponent - kind.nmant)))
    return worst


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", REAL)
def test_formulas_are_accurate(name: str, dtype: type) -> None:
    exact, low, high, most = REAL[name]
    eps = float(np.finfo(dtype).eps)
    near = low + (high - low) * 10.0 ** RNG.uniform(math.log10(4 * eps), -1, 150)
    far = high - (high - low) * 10.0 ** RNG.uniform(math.log10(4 * eps), -1, 150)
    small = 10.0 ** RNG.uniform(-25, 0, 100) if low <= 0 else near
    x = np.concatenate([RNG.uniform(low, high, 200), near, far, small]).astype(dtype)
    if name in ("erf_inv", "asin", "acos"):
        x = x[abs(x) < 1]
    x = x[(x >= low) & (x > 0 if low == 0 else True)]
    with mpmath.workprec(120):
        wanted = [mpmath.re(exact(mpmath.mpf(v))) for v in x.tolist()]
        assert units(by_formula(name, x), wanted) <= most


def same(found: float, wanted: float, allowed: float) -> bool:
    """Whether both are equal, with the sign of zero, or near."""
    if math.isnan(found) or math.isnan(wanted):
        return math.isnan(found) and math.isnan(wanted)
    if found == wanted:
        return math.copysign(1, found) == math.copysign(1, wanted)
    return math.isfinite(found) and math.isfinite(wanted) and abs(found - wanted) <= allowed


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("name", REAL)
def test_edges_are_those_of_the_operation(name: str, dtype: type) -> None:
    with np.errstate(over="ignore"):
        x = np.array([*EDGES, *MORE, -2.5, -170.5, 200.0, 1e-40, -1e17], np.float64).astype(dtype)
    for v, found, wanted in zip(x, by_formula(name, x), natively(name, x), strict=True):
        # Below zero terms of lgamma and digamma cancel.
        size = max(abs(float(wanted)), 1.0 if v < 0 and name.endswith("gamma") else 0.0)
        allowed = 8 * float(np.finfo(dtype).eps) * size if math.isfinite(size) else 0.0
        assert same(float(found), float(wanted), allowed), (v, found, wanted)


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_formulas_are_those_of_the_operation(name: str, dtype: type) -> None:
    parts = EDGES + (MORE if dtype == np.complex128 else [3e38, -1e-38, 89.0, 100.0])
    x = np.array([complex(a, b) for a, b in itertools.product(parts, parts)])
    angles = np.exp(1j * RNG.uniform(-4, 4, 400))
    x = np.concatenate([x, 10.0 ** RNG.uniform(-20, 20, 400) * angles, 1 + 10.0 ** RNG.uniform(-15, 0, 400) * angles,
                        1j - 10.0 ** RNG.uniform(-15, 0, 400) * angles]).astype(dtype)
    found, wanted = by_formula(name, x), natively(name, x)
    for v, a, b in zip(x, found, wanted, strict=True):
        for got, exact in ((a.real, b.real), (a.imag, b.imag)):
            assert same(float(got), float(exact), 16 * abs(float(np.spacing(exact)))), (v, a, b)


def test_a_module_has_one_function_for_each_type() -> None:
    def f(x: Any, y: Any) -> Any:
        erf = olympus.scipy.special.erf
        return erf(x), erf(erf(x)), erf(y), olympus.numpy.arcsin(x), olympus.lax.scan(lambda c, v: (c, erf(v)), 0, x)[1]

    exported = export.export(olympus.jit(f))(np.zeros(4, np.float32), np.zeros((2, 2), np.float32))
    text = exported.mlir_module()
    assert text.count("func.func private") == 4  # erf of four, of two by two, of a scalar; asin
    assert text.count('name = "chlo.erf"') == 5 and "chlo." not in text.replace('"chlo.', "")
    assert "vhlo.composite_v1" in Bytecode(exported.mlir_module_serialized)._names


def test_compilers_that_know_the_dialect_are_given_it() -> None:
    x = np.zeros(4, np.float32)
    assert '"chlo.erf"(%arg0)' in text_of("erf", x, tpu_policy())
    assert "composite" not in text_of("erf", x, tpu_policy()) and "composite" in text_of("erf", x)


def test_what_is_read_back_is_the_operation() -> None:
    """Not its formula: the bits of other functions of ours would be others."""
    x = np.linspace(-3, 3, 64, dtype=np.float32)
    for name in ("erf", "erfc", "asinh", "digamma"):
        (found,) = Module(portable_artefact(text_of(name, x)), TABLE).call("main", [x])
        assert np.asarray(found).tobytes() == natively(name, x).tobytes()
