# SPDX-License-Identifier: Apache-2.0
"""Vector mathematics: float32 over all exponents, float64 against mpmath, special values, every target."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from olympus_core import dtypes
from olympus_core.errors.base import OlympusInternalError
from olympus_core.ops import OPERATIONS
from olympus_cpu.codegen.builder import FunctionBuilder
from olympus_cpu.codegen.math import ULP_BOUNDS, emit_math, has_math
from olympus_cpu.codegen.target import Target

from .jit import HOST, PLAIN, elementwise, loop_text, object_code, ulps
from .oracles import IN_FLOAT64, arguments, exact

BINARY = ("pow", "atan2")
# Of several operands, by loops of which each turn rounds: their bounds hold for results that are not small.
OF_DISTRIBUTIONS = ("igamma", "igammac", "igamma_grad_a", "random_gamma_grad", "betainc", "zeta", "polygamma")
UNARY = sorted(set(ULP_BOUNDS) - {*BINARY, *OF_DISTRIBUTIONS})
TARGETS = pytest.mark.parametrize("target", [HOST, PLAIN], ids=["host", "plain"])
POSITIVE = ("lgamma", "digamma")  # beside their zeros among the negative numbers only the absolute error is small
INF, NAN = math.inf, math.nan


def compiled(operation: str, element: str, target: Target = HOST, lanes: int | None = None):
    return _compiled(operation, element, target, lanes or target.lanes(element))


@cache  # several tests ask for each, and its code stays loaded anyway
def _compiled(operation: str, element: str, target: Target, lanes: int):
    count = OPERATIONS[operation].arity if operation in OPERATIONS else 1
    return elementwise(lambda b, *x: emit_math(b, operation, *x), [element] * count, element, lanes, target)


def check(operation: str, element: str, found: np.ndarray, wanted: np.ndarray, *operands: np.ndarray) -> None:
    bound = ULP_BOUNDS[operation][0 if element == "float" else 1]
    distance = ulps(found, wanted)
    worst = int(distance.argmax())
    assert distance[worst] <= bound, (operation, [o[worst] for o in operands], found[worst], wanted[worst])
    numbers = ~np.isnan(found)
    with np.errstate(all="ignore"):
        turned = numbers & (np.signbit(found) != np.signbit(wanted.astype(found.dtype)))
    assert not turned.any(), (operation, operands[0][turned][:4])


@TARGETS
@pytest.mark.parametrize("operation", UNARY)
def test_float32_over_all_exponents(operation: str, target: Target) -> None:
    patterns = np.arange(0, 2**32, 16381 if target is HOST else 65521, dtype=np.uint64).astype(np.uint32)
    special = np.array([0, -0.0, 1, -1, 0.5, -0.5, INF, -INF, NAN, 1e-45, -1e-45, 1.17549435e-38], np.float32)
    x = np.concatenate([patterns.view(np.float32), special, np.linspace(-4, 4, 20001, dtype=np.float32)])
    # What NumPy lacks is judged by the float64 function, and that by the tests below.
    oracle = IN_FLOAT64.get(operation) or compiled(operation, "double")
    if operation in POSITIVE:
        x = np.abs(x)
    with np.errstate(all="ignore"):
        wanted = oracle(x.astype(np.float64))
    check(operation, "float", compiled(operation, "float", target)(x), wanted, x)


@TARGETS
@pytest.mark.parametrize("operation", UNARY)
def test_float64_against_exact_values(operation: str, target: Target) -> None:
    count = {"erf_inv": 20, "digamma": 40, "lgamma": 60, "bessel_i0e": 30, "bessel_i1e": 30}.get(operation, 150)
    x = arguments(operation, count, seed=len(operation))
    check(operation, "double", compiled(operation, "double", target)(x), exact(operation, x), x)


@TARGETS
@pytest.mark.parametrize("operation", POSITIVE)
def test_gamma_functions_of_negative_numbers(operation: str, target: Target) -> None:
    x = -np.random.default_rng(4).uniform(0, 30, 200)
    wanted = exact(operation, x).astype(np.float64)
    found = compiled(operation, "double", target)(x)
    np.testing.assert_allclose(found, wanted, rtol=4e-15, atol=4e-15)
    if operation == "lgamma":
        y = np.concatenate([x, -x]).astype(np.float32)
        oracle = np.array([math.lgamma(v) for v in y])
        np.testing.assert_allclose(compiled(operation, "float", target)(y), oracle, rtol=1e-7, atol=1e-14)


def of_distributions(operation: str, count: int) -> list[np.ndarray]:
    """Shapes of all sizes, and numbers where the distribution has most of its mass."""
    random = np.random.default_rng(len(operation))
    a, b = 10 ** random.uniform(-2, 3.5, (2, count))
    x = a * np.exp(random.normal(0, 1, count) / np.sqrt(a + 0.5))
    if operation == "betainc":
        return [a, b, x / (x + b)]
    if operation == "zeta":
        return [1.01 + a / 1000, b / 30]
    return [random.integers(0, 9, count).astype(float), b] if operation == "polygamma" else [a, x]


@TARGETS
@pytest.mark.parametrize("operation", OF_DISTRIBUTIONS)
def test_functions_of_distributions(operation: str, target: Target) -> None:
    operands = of_distributions(operation, 60)
    found = compiled(operation, "double", target)(*operands)
    wanted = exact(operation, *operands).astype(np.float64)
    near = OPERATIONS[operation].exactness.near
    distance = np.abs(found - wanted) / np.spacing(np.maximum(np.abs(wanted), near))
    assert distance.max() <= ULP_BOUNDS[operation][1], [x[distance.argmax()] for x in operands]
    np.testing.assert_allclose(found, wanted, rtol=2e-12, atol=1e-30)
    single = [x.astype(np.float32) for x in operands]
    rounded = compiled(operation, "double", target)(*(x.astype(np.float64) for x in single)).astype(np.float32)
    np.testing.assert_array_equal(compiled(operation, "float", target)(*single), rounded)


def powers(count: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    x = np.concatenate([random.uniform(0.5, 2, count), np.ldexp(random.uniform(1, 2, count),
                        random.integers(-1074, 1023, count)), 1 + np.ldexp(random.uniform(-1, 1, count),
                        random.integers(-40, -1, count))])
    y = random.uniform(-740, 709, x.size) / np.where(x == 1, 1, np.log(x))
    return x, np.where(np.abs(y) < 1e300, y, 1.5)


@TARGETS
def test_powers(target: Target) -> None:
    x, y = powers(400)
    check("pow", "double", compiled("pow", "double", target)(x, y), exact("pow", x, y), x, y)
    with np.errstate(all="ignore"):
        u, v = x.astype(np.float32), y.astype(np.float32)
        u, v = u[np.isfinite(u) & np.isfinite(v)], v[np.isfinite(u) & np.isfinite(v)]
        wanted = np.power(u.astype(np.float64), v.astype(np.float64))
    check("pow", "float", compiled("pow", "float", target)(u, v), wanted, u, v)


@TARGETS
def test_angles(target: Target) -> None:
    random = np.random.default_rng(2)
    sizes = [np.ldexp(random.uniform(1, 2, 400), random.integers(-1074, 1023, 400)) * random.choice([-1, 1], 400)
             for _ in range(2)]
    y, x = (np.concatenate([random.normal(size=400), size]) for size in sizes)
    check("atan2", "double", compiled("atan2", "double", target)(y, x), exact("atan2", y, x), y, x)
    v, u = random.normal(size=(2, 20000)).astype(np.float32)
    wanted = np.arctan2(v.astype(np.float64), u.astype(np.float64))
    check("atan2", "float", compiled("atan2", "float", target)(v, u), wanted, v, u)


SPECIAL = np.array([0.0, -0.0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, INF, -INF, NAN, 1e30, -1e30, 1e-45, 16777216.0,
                    16777217.0, 1e17, -7, 2.5, -2.5])


@TARGETS
@pytest.mark.parametrize("element", ["float", "double"])
@pytest.mark.parametrize("operation", BINARY)
def test_special_cases_of_two_operands(operation: str, element: str, target: Target) -> None:
    kind = np.float32 if element == "float" else np.float64
    x, y = (part.ravel().astype(kind) for part in np.meshgrid(SPECIAL, SPECIAL))
    oracle = np.power if operation == "pow" else np.arctan2
    with np.errstate(all="ignore"):
        wanted = oracle(x.astype(np.float64), y.astype(np.float64)).astype(kind)
    found = compiled(operation, element, target)(x, y)
    np.testing.assert_allclose(found, wanted, rtol=4 * np.finfo(kind).eps)
    exactly = (wanted == 0) | np.isinf(wanted) | (np.abs(wanted) == 1)
    np.testing.assert_array_equal(found[exactly], wanted[exactly])
    numbers = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(wanted[numbers]))


CASES: dict[str, list[tuple[float, float]]] = {  # 0.0 and -0.0 are the same key, and so pairs
    "exp": [(0.0, 1), (-0.0, 1), (INF, INF), (-INF, 0), (NAN, NAN), (1000.0, INF), (-1000.0, 0)],
    "exp2": [(0.0, 1), (-0.0, 1), (INF, INF), (-INF, 0), (NAN, NAN), (2000.0, INF), (-2000.0, 0), (10.0, 1024),
             (-3.0, 0.125), (-126.0, 2.0**-126), (-149.0, 2.0**-149)],
    "expm1": [(0.0, 0), (-0.0, -0.0), (INF, INF), (-INF, -1), (NAN, NAN), (-100.0, -1), (1e-300, 1e-300)],
    "logistic": [(0.0, 0.5), (INF, 1), (-INF, 0), (NAN, NAN), (800.0, 1)],
    "tanh": [(0.0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (NAN, NAN), (50.0, 1)],
    "sinh": [(0.0, 0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN), (800.0, INF)],
    "cosh": [(0.0, 1), (INF, INF), (-INF, INF), (NAN, NAN), (-800.0, INF)],
    "log": [(1.0, 0), (0.0, -INF), (-0.0, -INF), (INF, INF), (-1.0, NAN), (-INF, NAN), (NAN, NAN)],
    "log1p": [(0.0, 0), (-0.0, -0.0), (-1.0, -INF), (INF, INF), (-2.0, NAN), (NAN, NAN), (1e-300, 1e-300)],
    "asinh": [(0.0, 0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (NAN, NAN)],
    "acosh": [(1.0, 0), (INF, INF), (0.5, NAN), (-INF, NAN), (NAN, NAN)],
    "atanh": [(0.0, 0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (INF, NAN), (NAN, NAN)],
    "sin": [(0.0, 0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    "cos": [(0.0, 1), (-0.0, 1), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    "tan": [(0.0, 0), (-0.0, -0.0), (INF, NAN), (-INF, NAN), (NAN, NAN)],
    "asin": [(0.0, 0), (-0.0, -0.0), (1.5, NAN), (-INF, NAN), (NAN, NAN)],
    "acos": [(1.0, 0), (1.5, NAN), (INF, NAN), (NAN, NAN)],
    "atan": [(0.0, 0), (-0.0, -0.0), (NAN, NAN)],
    "erf": [(0.0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (NAN, NAN), (10.0, 1)],
    "erfc": [(0.0, 1), (INF, 0), (-INF, 2), (NAN, NAN), (40.0, 0)],
    "erf_inv": [(0.0, 0), (-0.0, -0.0), (1.0, INF), (-1.0, -INF), (1.5, NAN), (-INF, NAN), (NAN, NAN)],
    "sqrt": [(0.0, 0), (-0.0, -0.0), (4.0, 2), (INF, INF), (-1.0, NAN), (NAN, NAN)],
    "rsqrt": [(4.0, 0.5), (0.0, INF), (-0.0, -INF), (INF, 0), (-1.0, NAN), (NAN, NAN)],
    "lgamma": [(1.0, 0), (2.0, 0), (0.0, INF), (-0.0, INF), (-1.0, INF), (-30.0, INF), (INF, INF), (-INF, INF),
               (NAN, NAN), (-1e-300, 690.7755278982137), (-1e-150, 345.38776394910684), (1e-300, 690.7755278982137)],
    "digamma": [(0.0, NAN), (-0.0, NAN), (-1.0, NAN), (-30.0, NAN), (INF, INF), (-INF, NAN), (NAN, NAN)],
    "cbrt": [(0.0, 0), (-0.0, -0.0), (27.0, 3), (-8.0, -2), (INF, INF), (-INF, -INF), (NAN, NAN)],
}


@TARGETS
@pytest.mark.parametrize("element", ["float", "double"])
@pytest.mark.parametrize("operation", sorted(CASES))
def test_special_values_exactly(operation: str, element: str, target: Target) -> None:
    kind = np.float32 if element == "float" else np.float64
    given = [(x, y) for x, y in CASES[operation] if element == "double" or abs(x) > 1e-40 or x == 0 or x != x]
    x, wanted = np.array(given, kind).T
    found = compiled(operation, element, target)(x)
    np.testing.assert_array_equal(found, wanted)
    numbers = ~np.isnan(wanted)
    np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(wanted[numbers]))


@TARGETS
@pytest.mark.parametrize("operation", ["sin", "cos", "tan"])
def test_arguments_closest_to_multiples_of_a_right_angle(operation: str, target: Target) -> None:
    # Among all doubles the first is the closest one; the others are close in their range.
    hard = [6381956970095103 * 2.0**797, 6411027962775774 * 2.0**-46, 1.7976931348623157e308, 2.0**1023, 2.0**25,
            np.nextafter(2.0**25, 0), 1e22, 33554433.5, 3.141592653589793, 1.5707963267948966, 102943.70807,
            355.0, 710.0, 1146408 * math.pi, 5419351 / 1725033 * 1725033]
    x = np.array([sign * value for value in hard for sign in (1, -1)])
    check(operation, "double", compiled(operation, "double", target)(x), exact(operation, x), x)
    with np.errstate(over="ignore"):
        u = np.concatenate([x.astype(np.float32)[np.abs(x) < 3e38],
                            (np.arange(1, 20000) * (math.pi / 2)).astype(np.float32)])
    oracle = IN_FLOAT64[operation]
    check(operation, "float", compiled(operation, "float", target)(u), oracle(u.astype(np.float64)), u)


@TARGETS
@pytest.mark.parametrize("element", ["float", "double"])
def test_tanh_is_odd_and_never_beyond_one(element: str, target: Target) -> None:
    kind = np.float32 if element == "float" else np.float64
    # Where its distance from one is about a unit of the last digit, a quotient of rounded numbers may round beyond.
    x = np.concatenate([np.linspace(0, 25, 200_001), np.ldexp(1.0, np.arange(-140, 100))]).astype(kind)
    tanh = compiled("tanh", element, target)
    found = tanh(x)
    assert found.max() == 1 and (found[x >= 20] == 1).all()
    np.testing.assert_array_equal(tanh(-x), -found)


@pytest.mark.parametrize("operation", ["sin", "cos", "exp", "tanh", "logistic", "pow", "erf_inv"])
@pytest.mark.parametrize("element", ["float", "double"])
def test_bits_do_not_depend_on_the_number_of_lanes(operation: str, element: str) -> None:
    random = np.random.default_rng(3)
    kind = np.float32 if element == "float" else np.float64
    operands = [random.uniform(0.1, 0.9, 193).astype(kind) * (1 if operation == "erf_inv" else 40)
                for _ in range(2 if operation in BINARY else 1)]
    if operation == "sin":
        operands[0][::7] *= 1e9
    first = compiled(operation, element, lanes=1)(*operands)
    for lanes in (2, 4, 16, 32):
        np.testing.assert_array_equal(compiled(operation, element, lanes=lanes)(*operands), first)


@pytest.mark.parametrize("operation", ["exp", "exp2"])
@pytest.mark.parametrize("element", ["float", "double"])
def test_results_of_all_sizes_have_the_same_bits_in_wide_vectors(operation: str, element: str) -> None:
    kind = np.float32 if element == "float" else np.float64
    bound = 160 if element == "float" else 1100
    x = np.linspace(-bound, bound, 1 << 14, dtype=kind)
    x[:4] = np.inf, -np.inf, np.nan, -0.0
    first = compiled(operation, element, lanes=1)(x)
    for lanes in (8, 16, 64):
        np.testing.assert_array_equal(compiled(operation, element, lanes=lanes)(x), first)


def test_every_function_has_a_bound() -> None:
    assert {name for name in ULP_BOUNDS if has_math(name, "float") and has_math(name, "double")} == set(ULP_BOUNDS)
    assert set(CASES) <= set(UNARY)
    assert not has_math("add", "float") and not has_math("exp", "half")
    with pytest.raises(OlympusInternalError, match="no mathematics"):
        emit_math(FunctionBuilder(HOST, "f", []), "add")


@pytest.mark.parametrize("operation", sorted(ULP_BOUNDS))
def test_bounds_are_within_what_the_records_promise(operation: str) -> None:
    """The bounds that the tests above measure; half a unit is what rounding to the nearest takes."""
    exactness = OPERATIONS["pow" if operation == "exp2" else operation].exactness
    for bound, dtype in zip(ULP_BOUNDS[operation], (dtypes.float32, dtypes.float64), strict=True):
        assert bound <= max(exactness.ulps(dtype), 0.5)


@pytest.mark.parametrize("name", ["x86-64", "haswell", "skylake-avx512", "neoverse"])
def test_all_targets_emit_and_call_no_library(name: str) -> None:
    target = Target.named(name)
    for element in ("float", "double"):
        for operation in ULP_BOUNDS:
            operands = [element] * (2 if operation in BINARY else 1)
            text = loop_text(lambda b, *x, op=operation: emit_math(b, op, *x), operands, element,
                             target.lanes(element), target)
            assert b"\0" + undefined(object_code(text, target)) == b"\0", (operation, element)


def undefined(code: bytes) -> bytes:
    """Names in an ELF object's symbol table that it does not define."""
    import struct

    (offset,) = struct.unpack_from("<Q", code, 0x28)
    size, count = struct.unpack_from("<HH", code, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", code, offset + size * i) for i in range(count)]
    names = []
    for section in sections:
        if section[1] != 2:
            continue
        strings = sections[section[6]]
        for place in range(section[4], section[4] + section[5], 24):
            name, _, _, index, _, _ = struct.unpack_from("<IBBHQQ", code, place)
            if index == 0 and name:
                start = strings[4] + name
                names.append(code[start:code.index(b"\0", start)])
    return b" ".join(names)
