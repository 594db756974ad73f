# SPDX-License-Identifier: Apache-2.0
"""Counts of what works need at least, by hand for small ones; and that rows that need one have it or say why not."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import pytest

import olympus
import olympus.numpy as jnp
from benchmarks.cases import CASES
from benchmarks.cases.programs import CASES as PROGRAMS
from benchmarks.cases.programs import STEP
from benchmarks.cuda.cases import CASES as CUDA
from benchmarks.programs.works import WORKS, counting
from benchmarks.programs.works.side import Side, Work
from olympus import lax

# Headings of rows that are counted, and those of which no count is honest.
COUNTED = {
    "reductions", "products of matrices", "convolutions", "fused elementwise chains", "Fourier transforms",
    "linear algebra", "models", "functions of a million numbers", "8 devices of one process",
    "a million random numbers", STEP,
}
UNCOUNTED = {
    "function-gammaln", "function-betainc", "devices-sum-sin-8", "samples-gamma", "samples-poisson", "samples-normal",
    "matmul-widened-int8", "data-parallel-step", "fsdp-step",
}
EXP, SIN, LOG, TANH = 16, 16, 18, 22  # float32

# A work, its bytes read and written, and its operations.
COUNTS: list[tuple[str, dict[str, Any], float, float, dict[str, float]]] = [
    ("chain", {"which": "relu", "size": 100, "dtype": "float32"}, 400, 400, {"float32": 300}),
    ("chain", {"which": "tanh", "size": 100, "dtype": "float32"}, 400, 400, {"float32": 100 * (3 * TANH + 3)}),
    ("chain", {"which": "expcos", "size": 100, "dtype": "float32"}, 800, 400, {"float32": 100 * (EXP + SIN + 2)}),
    ("reduction", {"which": "sum_axis0", "shape": [8, 16]}, 512, 64, {"float32": 128}),
    # The greatest, the differences, their exponentials, the sum, the quotients.
    ("reduction", {"which": "softmax", "shape": [8, 16]}, 512, 512, {"float32": 128 * (EXP + 4)}),
    ("reduction", {"which": "sum_sin", "shape": [64]}, 256, 4, {"float32": 64 * (SIN + 1)}),
    ("matmul", {"size": 16, "dtype": "float32"}, 2048, 1024, {"float32": 2 * 16**3}),
    ("matmul", {"size": 16, "dtype": "bfloat16"}, 1024, 512, {"bfloat16": 2 * 16**3}),
    ("small_matmuls", {}, 2 * 64 * 128 * 64 * 4, 64 * 128 * 128 * 4, {"float32": 2 * 64 * 128 * 128 * 64}),
    ("transform", {"shape": [64]}, 512, 512, {"float32": 4 * 64 * 6 - 6 * 64 + 8}),
    # 8 lines of 16 and 16 of 8 in each of two images.
    ("transform", {"shape": [2, 16, 8]}, 2048, 2048, {"float32": 16 * (256 - 88) + 32 * (96 - 40)}),
    ("segments", {"count": 10, "entries": 100}, 800, 40, {"float32": 100}),
    # The numbers, both of their places, the vector; a product and a sum for each, and a last sum over nothing.
    ("sparse_product", {"size": 50, "entries": 300}, 3 * 1200 + 200, 200, {"float32": 650}),
    # Two shares of the kernel's nine places lie outside of a corner, three at an edge.
    ("convolution", {"images": 2, "size": 6, "features": 4}, 4 * (2 * 36 * 4 + 9 * 16), 4 * 2 * 36 * 4,
     {"float32": 2 * 2 * 16 * (16 * 9 + 16 * 6 + 4 * 4)}),
    ("decomposition", {"which": "cholesky", "shape": (6, 6)}, 144, 144, {"float32": 2 * 36 + 6**3 / 3}),
    ("decomposition", {"which": "qr", "shape": (2, 6, 6)}, 288, 576, {"float32": 2 * 8 / 3 * 6**3}),
    ("decomposition", {"which": "solve", "shape": (6, 6)}, 144, 144, {"float32": 8 / 3 * 6**3}),
    ("decomposition", {"which": "svd", "shape": (6, 6)}, 144, 2 * 144 + 24, {"float32": 20 / 3 * 6**3}),
    ("decomposition", {"which": "eigh", "shape": (6, 6)}, 144, 144 + 24, {"float32": 2 * 36 + 10 / 3 * 6**3}),
]


@pytest.mark.parametrize(("name", "arguments", "read", "written", "flops"), COUNTS)
def test_counts(name: str, arguments: dict[str, Any], read: float, written: float, flops: dict[str, float]) -> None:
    side = Side("olympus")
    found = counting.demand(side, WORKS[name](side, **arguments))
    assert (found.pop("read"), found.pop("written")) == (read, written)
    assert found == pytest.approx(flops)


def test_shards_are_counted_together() -> None:
    side = Side("olympus")
    found = counting.demand(side, WORKS["product"](side, size=32))
    assert found == {"read": 8192, "written": 4096, "float32": 2 * 32**3}


def _count(f: Callable[..., Any], *arguments: Any) -> dict[str, float]:
    names = {"f": olympus.jit(f), "a": arguments}
    return counting.demand(Side("olympus"), Work("f(*a)", names))


def test_programs_inside_count_as_often_as_they_run() -> None:
    x = jnp.ones(8, "float32")
    assert _count(lambda x: lax.scan(lambda c, _: (c * c, None), x, None, length=5)[0], x)["float32"] == 40


def test_arrays_that_nothing_needs_are_not_read() -> None:
    x = jnp.ones(8, "float32")
    assert _count(lambda x, y: x + 1, x, jnp.ones(100, "float32"))["read"] == 32


def test_places_and_conditions_are_no_arithmetic() -> None:
    assert "float32" not in _count(lambda i: i * 2 + 1, jnp.arange(8))


def test_zeros_between_elements_are_not_multiplied() -> None:
    def widened(x: Any, k: Any) -> Any:
        numbers = ("NWC", "WIO", "NWC")
        return lax.conv_general_dilated(x, k, (1,), [(1, 1)], lhs_dilation=(2,), dimension_numbers=numbers)

    # 7 places of 4 elements with zeros between: windows of 3 hold one element or two, in turn.
    found = _count(widened, jnp.ones((1, 4, 1), "float32"), jnp.ones((3, 1, 1), "float32"))
    assert found["float32"] == 2 * (4 * 1 + 3 * 2)


def test_products_are_of_their_operands_type() -> None:
    narrow = jnp.ones((4, 4), "bfloat16")
    found = _count(lambda x: lax.dot(x, x, preferred_element_type="float32"), narrow)
    assert "float32" not in found
    assert found["bfloat16"] == 2 * 4**3


@pytest.mark.parametrize("f", [
    lambda x: lax.dot(jnp.ones((4, 4), "int8"), jnp.ones((4, 4), "int8"), preferred_element_type="int32") + x[0],
    lambda x: jnp.sort(x), lambda x: lax.while_loop(lambda c: jnp.all(c < 9), lambda c: c + 1, x),
    lambda x: lax.cond(x[0] > 0, lambda x: jnp.int32(1), lambda x: jnp.int32(2), x), lambda x: lax.lgamma(x),
])
def test_what_has_no_known_count_is_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(counting.UncountableError):
        _count(f, jnp.ones(8, "float32"))


def test_every_row_of_a_kernel_or_a_step_has_a_count_or_says_why_not() -> None:
    counted = [case for case in (*CASES, *PROGRAMS) if case.row in COUNTED]
    assert COUNTED == {case.row for case in counted}
    assert {case.name for case in counted if isinstance(case.demand, str)} == UNCOUNTED
    for case in (*CASES, *PROGRAMS, *CUDA):
        assert callable(case.demand) if case in counted and case.name not in UNCOUNTED else case.demand
    # Nor has any other row a share that nobody looks at.
    assert not [case.name for case in (*CASES, *PROGRAMS, *CUDA) if callable(case.demand) and case not in counted]


def _degree(f: Callable[[Any], Any], low: Any, high: Any, bits: int) -> int:
    """The least degree of a polynomial that is off by 2**-bits of the function at most."""
    points = [low + (high - low) * mpmath.mpf(k) / 200 for k in range(201)]
    for degree in range(1, 20):
        polynomial = mpmath.chebyfit(f, [low, high], degree + 1, asc=True)
        if max(abs(mpmath.polyval(polynomial, x, asc=True) / f(x) - 1) for x in points) <= mpmath.mpf(2) ** -bits:
            return degree
    raise AssertionError("no degree is high enough")


@pytest.mark.parametrize(("column", "bits"), [(0, 24), (1, 53)])
def test_functions_take_the_degree_that_the_type_needs(column: int, bits: int) -> None:
    """Over what the argument is reduced to; of odd functions in the square."""
    with mpmath.workdps(30):
        half = mpmath.log(2) / 2
        quotient = ((mpmath.sqrt(2) - 1) / (mpmath.sqrt(2) + 1)) ** 2

        def over(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
            return lambda t: f(mpmath.sqrt(t)) / mpmath.sqrt(t) if t else mpmath.mpf(1)

        exp = _degree(mpmath.exp, -half, half, bits) + 2
        sin = _degree(over(mpmath.sin), mpmath.mpf(0), (mpmath.pi / 2) ** 2, bits) + 4
        log = _degree(over(mpmath.atanh), mpmath.mpf(0), quotient, bits) + 6
    table = {name: counts[column] for name, counts in counting._FUNCTIONS.items()}
    assert table == {"exp": exp, "tanh": exp + 3, "logistic": exp + 1, "sin": sin, "cos": sin, "log": log,
                     "pow": log + exp}
    if not column:
        assert [2 * n for n in (exp, sin, log, exp + 3)] == [EXP, SIN, LOG, TANH]


def test_transform_of_real_numbers_is_half() -> None:
    found = _count(jnp.fft.rfft, jnp.ones(64, "float32"))
    assert found["float32"] == (4 * 64 * math.log2(64) - 6 * 64 + 8) / 2
