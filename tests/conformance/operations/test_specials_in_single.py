# SPDX-License-Identifier: Apache-2.0
"""Profile single finds platforms that drop NaN, signs of zeros and the like, and says for which operand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from olympus_conformance import Status
from olympus_conformance import tests as suite_tests
from olympus_conformance.samples.catalogue import catalogue, dtypes_of
from olympus_conformance.samples.complex_specials import SPECIALS
from olympus_conformance.samples.instance import Instance
from olympus_conformance.samples.operands import operands_of
from olympus_core import dtypes, ops

from .tables import REFERENCES, find_test, outcome, outcome_with, session

SINGLE = {test.id for test in suite_tests("single")}
Operands = Sequence[np.ndarray]
Attributes = Mapping[str, Any]
Wrong = Callable[[Operands, Attributes], Any]
RIGHT = REFERENCES.functions


def plainly(function: Callable[..., Any]) -> Wrong:
    """A function of the operands alone."""
    return lambda operands, attributes: function(*operands)


def dropping(name: str, nothing: float) -> Wrong:
    """What is not a number is left out: something neutral stands in its place."""
    return lambda operands, attributes: RIGHT[name](
        [np.where(np.isnan(x), x.dtype.type(nothing), x) if dtypes.is_float(x.dtype) else x for x in operands],
        attributes)[0]


def by_bits(operands: Operands, attributes: Attributes) -> Any:
    """A radix sort in the total order of IEEE 754: NaN with a sign come first."""
    (x,) = operands[:1]
    bits = x.view(np.int32)
    keys = np.where(bits < 0, bits ^ 0x7FFFFFFF, bits)
    order = np.argsort(keys, axis=attributes["dimension"], kind="stable")
    return tuple(np.take_along_axis(v, order, attributes["dimension"]) for v in operands)


def nan_last(operands: Operands, attributes: Attributes) -> Any:
    (x,) = operands
    found = RIGHT["top_k"]([np.where(np.isnan(x), -np.inf, x).astype(x.dtype)], attributes)
    return tuple(found)


def without_zeros(operands: Operands, attributes: Attributes) -> Any:
    """A product that leaves out zeros, as if nothing times anything were nothing."""
    x, y = operands
    if attributes["lhs_contracting"] != (1,) or x.ndim != 2:
        return RIGHT["dot_general"](operands, attributes)[0]
    return np.where((y[None] == 0) | (x[:, :, None] == 0), 0, x[:, :, None] * y[None]).sum(1).astype(x.dtype)


FLOATS: list[tuple[str, Wrong, str, str, str]] = [
    ("max", plainly(np.fmax), "float32", "0.0, nan", "nan"),
    ("max", plainly(np.fmax), "bfloat16", "0, nan", "nan"),
    ("max", plainly(np.fmax), "float16", "0.0, nan", "nan"),
    ("max", plainly(np.fmax), "float64", "0.0, nan", "nan"),
    ("min", plainly(np.fmin), "float32", "0.0, nan", "nan"),
    ("max", plainly(lambda x, y: np.where(x > y, x, y)), "float32", "nan, 0.0", "nan"),
    ("clamp", plainly(lambda low, x, high: np.fmin(np.fmax(low, x), high)), "float32", "nan", "nan"),
    ("reduce_max", dropping("reduce_max", -np.inf), "float32", "[nan -0.5 1.0]", "nan"),
    ("reduce_min", dropping("reduce_min", np.inf), "bfloat16", "[nan -0.5 1]", "nan"),
    ("reduce_sum", dropping("reduce_sum", 0), "float32", "[nan -0.5 1.0]", "nan"),
    ("reduce_prod", dropping("reduce_prod", 1), "float16", "[nan -0.5 1.0]", "nan"),
    ("cummax", dropping("cummax", -np.inf), "float32", "[nan -0.5 1.0]", "nan"),
    ("cumsum", dropping("cumsum", 0), "float32", "[nan -0.5 1.0]", "nan"),
    ("argmax", dropping("argmax", -np.inf), "float32", "[nan -0.5 1.0]", "0"),
    ("argmin", dropping("argmin", np.inf), "float32", "[nan -0.5 1.0]", "0"),
    ("sort", by_bits, "float32", "-inf nan -2.0", "-inf"),
    ("top_k", nan_last, "float32", "-inf nan -2.0", "nan"),
    ("scatter", dropping("scatter", 0), "float32", "nan, [1.0]", "nan"),
    ("convolution", dropping("convolution", 0), "float32", "[nan 0.5 0.5", "nan"),
    ("dot_general", without_zeros, "float32", "[nan 0.5", "nan"),
    ("lt", plainly(lambda x, y: ~(x >= y)), "float32", "0.0, nan", "False"),
    ("ge", plainly(lambda x, y: ~(x < y)), "bfloat16", "0, nan", "False"),
    ("ne", plainly(lambda x, y: (x < y) | (x > y)), "float32", "0.0, nan", "True"),
    ("eq", plainly(lambda x, y: ~((x < y) | (x > y))), "float32", "0.0, nan", "False"),
    ("sign", dropping("sign", 0), "float32", "nan", "nan"),
    ("is_finite", plainly(lambda x: ~np.isinf(x)), "float32", "nan", "False"),
    ("floor", plainly(lambda x: np.floor(x) + x.dtype.type(0)), "float32", "-0.0", "-0.0"),
    ("ceil", plainly(lambda x: np.ceil(x) + x.dtype.type(0)), "float32", "-0.0", "-0.0"),
    ("neg", plainly(lambda x: 0 - x), "float32", "0.0", "-0.0"),
    ("sub", plainly(lambda x, y: -(y - x)), "float32", "0.0, 0.0", "0.0"),
    ("abs", plainly(lambda x: np.where(x < 0, -x, x)), "float32", "-0.0", "0.0"),
    ("round", plainly(lambda x: np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x)), "float32", "0.5", "0.0"),
    ("sqrt", plainly(lambda x: np.sqrt(np.where(x < 0, 0, x))), "float32", "-1.0", "nan"),
    ("rem", plainly(lambda x, y: x - y * np.trunc(x / y)), "float32", "inf", "0.0"),
    ("div", plainly(lambda x, y: np.where(y == 0, 0, x / np.where(y == 0, 1, y))), "float32", "0.0, 0.0", "nan"),
    ("exp", plainly(lambda x: np.where(np.isinf(x), np.exp(np.clip(x, -80, 80)), np.exp(x))), "float32", "inf", "inf"),
    ("pow", plainly(lambda x, y: np.where(np.isnan(x) | np.isnan(y), np.nan, np.power(x, y))), "float32", "1.0, nan",
     "1.0"),
    ("cos", plainly(lambda x: np.cos(np.where(np.isinf(x), 0, x))), "float32", "inf", "nan"),
    ("log", plainly(lambda x: np.where(x == 0, np.float32(-88), np.log(x))), "float32", "0.0", "-inf"),
    ("atan2", plainly(lambda y, x: np.arctan2(y, x + np.float32(0))), "float32", "0.0, -0.0", "3.14159"),
    ("convert", dropping("convert", 1), "float32", "nan", "0"),
]
INTEGERS: list[tuple[str, Wrong, str, str, str]] = [
    ("div", plainly(lambda x, y: np.where(y == 0, 0, np.trunc(x / np.where(y == 0, 1, y)))), "int32", "0, 0", "-1"),
    ("div", plainly(lambda x, y: np.where(y == 0, -1, x // np.where(y == 0, 1, y))), "int32", "1, -2", "0"),
    ("rem", plainly(lambda x, y: np.where(y == 0, 0, np.fmod(x, np.where(y == 0, 1, y)))), "int32", "1, 0", "1"),
    ("rem", plainly(lambda x, y: np.where(y == 0, x, x % np.where(y == 0, 1, y))), "int32", "1, -2", "1"),
    ("abs", plainly(lambda x: np.minimum(np.abs(x.astype(np.int64)), 2**31 - 1)), "int32", "-2147483648",
     "-2147483648"),
    ("add", plainly(lambda x, y: np.clip(x.astype(np.int64) + y, -2**31, 2**31 - 1)), "int32", "1, 2147483647",
     "-2147483648"),
    ("mul", plainly(lambda x, y: np.clip(x.astype(np.float64) * y, 0, 2**32 - 1)), "uint32", "2, 4294967295",
     "4294967294"),
    ("shift_left", plainly(lambda x, n: x << (n & 31)), "int32", "1, 32", "0"),
    ("shift_right_logical", plainly(lambda x, n: x >> (n & 31)), "uint32", "1, 32", "0"),
    ("shift_right_arithmetic", plainly(lambda x, n: np.where((n < 0) | (n > 31), 0, x >> (n & 31))), "int32",
     "-2147483648, 32", "-1"),
    ("pow", plainly(lambda x, y: np.where(y < 0, 0, np.power(x, np.maximum(y, 0)))), "int32", "1, -2147483648", "1"),
]
NAN, INF = float("nan"), float("inf")


def complex_off(name: str, operand: complex, value: complex) -> Wrong:
    """A complex function that is wrong for one operand."""

    def wrong(operands: Operands, attributes: Attributes) -> Any:
        (right,), (x,) = RIGHT[name](operands, attributes), operands
        if not dtypes.is_complex(x.dtype):
            return right
        same = [(p == q) & (np.signbit(p) == np.signbit(q)) | np.isnan(p) & np.isnan(q) for p, q in (
            (x.real, operand.real), (x.imag, operand.imag))]
        return np.where(same[0] & same[1], right.dtype.type(value), right)

    return wrong


COMPLEX: list[tuple[str, Wrong, str, str, str]] = [
    (name, complex_off(name, operand, value), dtype, str(np.dtype(dtype).type(operand)), right)
    for name, operand, value, dtype, right in (
        ("asin", complex(0, INF), complex(NAN, NAN), "complex64", "infj"),
        ("asin", complex(0, INF), complex(0, -INF), "complex64", "infj"),
        ("sqrt", complex(NAN, INF), complex(NAN, NAN), "complex64", "(inf+infj)"),
        ("exp", complex(-INF, INF), complex(NAN, NAN), "complex64", "0j"),
        ("log", complex(-INF, -0.0), complex(INF, np.pi), "complex64", "(inf-3.14159"),
        ("abs", complex(NAN, INF), NAN, "complex64", "inf"),
        ("abs", complex(NAN, INF), NAN, "complex128", "inf"),
        ("sign", complex(NAN, 1), 1, "complex64", "(nan+nanj)"),
        ("tanh", complex(INF, 1), complex(NAN, NAN), "complex64", "(1+0j)"),
    )
]


def made_of(wrong: Wrong, name: str) -> Callable[[Operands, dict[str, Any]], list[np.ndarray]]:
    """The operation's function, with all results of the right types."""

    def run(operands: Operands, attributes: dict[str, Any]) -> list[np.ndarray]:
        right = RIGHT[name](operands, attributes)
        with np.errstate(all="ignore"):
            found = wrong(operands, attributes)
        results = found if isinstance(found, tuple) else (found,)
        return [np.asarray(x).astype(y.dtype) for x, y in zip(results, right, strict=True)]

    return run


@pytest.mark.parametrize(("name", "wrong", "dtype", "operand", "right"), FLOATS + INTEGERS + COMPLEX)
def test_single_finds_it_and_says_where(name: str, wrong: Wrong, dtype: str, operand: str, right: str) -> None:
    identifier = f"operations/special[{name},{dtype}]"
    assert identifier in SINGLE
    opened = session({name: made_of(wrong, name)})
    try:
        found = outcome(opened, find_test(identifier))
    finally:
        opened.close()
    assert found.status is Status.FAIL, found
    assert f"{name}({dtype}[" in found.observed and operand in found.observed.partition(" of ")[2], found.observed
    assert found.required.startswith(right), found.required


def without_nan(name: str) -> Callable[[Operands, dict[str, Any]], list[np.ndarray]]:
    """The operation, with numbers where its results have NaN."""
    def run(operands: Operands, attributes: dict[str, Any]) -> list[np.ndarray]:
        return [np.where(np.isnan(y), y.dtype.type(0), y) if y.dtype.kind in "fc" else y
                for y in RIGHT[name](operands, attributes)]

    return run


def test_no_operation_may_lose_nan() -> None:
    """All at once: each but those whose results are never NaN fails."""
    tried = [name for name in catalogue() if f"operations/special[{name},float32]" in SINGLE]
    opened = session({name: without_nan(name) for name in tried})
    try:
        right = {name for name in tried
                 if outcome(opened, find_test(f"operations/special[{name},float32]")).status is Status.PASS}
    finally:
        opened.close()
    assert right == {"argmax", "argmin", "eq", "ge", "gt", "is_finite", "le", "lt", "ne"}
    assert len(tried) > 60


def test_special_values_of_every_operation_belong_to_single() -> None:
    for name in catalogue():
        taken = dtypes_of(name, "special")
        assert not taken or any(f"operations/special[{name},{dtype}]" in SINGLE for dtype in taken), name
    usual = ("float32", "complex64", "int32", "uint32", "bool")
    assert {t.id for t in suite_tests() if t.requirement.name == "operations/special" and t.case.name.endswith(usual)
            } <= SINGLE


def test_what_orders_and_adds_has_special_values() -> None:
    """All but what moves elements as they are, transforms of many, and decompositions."""
    lacking = {name for name, entry in catalogue().items() if entry.special is None
               and entry.record.category in ("elementwise", "reduction", "cumulative", "contraction")}
    assert lacking <= {"select", "bitcast_convert", "threefry2x32", "random_bits"}
    assert all(dtypes_of(name, "special") for name in ("sort", "top_k", "scatter", "convolution"))


def test_an_operation_that_is_right_passes_with_either_nan() -> None:
    """A NaN has no bits that count."""
    def negated(y: np.ndarray) -> np.ndarray:
        return np.where(np.isnan(y), np.copysign(y, -1), y)

    for name in ("max", "sort", "reduce_max", "sqrt"):
        assert outcome_with(name, negated, f"operations/special[{name},float32]").status is Status.PASS


@pytest.mark.parametrize(("instance", "index", "says"), [
    (Instance(ops.reduce_sum, [np.arange(6, dtype=np.int32).reshape(2, 3)], {"dimensions": (0, 1)}), (),
     "[0 1 2 3 4 5]"),
    (Instance(ops.argmax, [np.arange(6, dtype=np.int32).reshape(2, 3)], {"dimension": 0, "dtype": dtypes.int32}), (2,),
     "[2 5]"),
    (Instance(ops.dot_general, [np.arange(12, dtype=np.int32).reshape(shape) for shape in ((2, 2, 3), (3, 2, 2))],
              {"lhs_batch": (0,), "rhs_batch": (1,), "lhs_contracting": (2,), "rhs_contracting": (0,), "dtype": None}),
     (1, 0, 1), "[6 7 8], [3 7 11]"),
    (Instance(ops.reverse, [np.arange(3, dtype=np.int32)], {"dimensions": (0,)}), (1,), ""),
    (Instance(ops.reduce_sum, [np.arange(60, dtype=np.int32)], {"dimensions": (0,)}), (),
     f"[{' '.join(map(str, range(48)))} ...]"),
], ids=str)
def test_messages_name_the_operands(instance: Instance, index: tuple[int, ...], says: str) -> None:
    assert operands_of(instance, index) == says


def test_complex_tables_are_of_functions_that_are_tried() -> None:
    for name in SPECIALS:
        assert f"operations/special[{name},complex64]" in SINGLE
