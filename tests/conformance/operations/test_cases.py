# SPDX-License-Identifier: Apache-2.0
"""The cases pass on platforms that are right, and fail on those that are wrong in one way."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest

from olympus_conformance import Session, Status
from olympus_conformance.requirement import Test
from olympus_conformance.samples.catalogue import catalogue, dtypes_of
from olympus_core import dtypes, ops
from olympus_core.plugin import PlatformSettings
from olympus_core.toolkit import table_from_references, table_platform
from olympus_core.toolkit.optable import OperationTable

from .tables import AREA, REFERENCES, find_test, outcome, outcome_with, session

QUICK = [Test(r, case) for r in AREA.values() for case in r.cases if case.quick]


def run_all(opened: Session, tests: list[Test]) -> dict[str, Status]:
    found = {}
    for test in tests:
        result = outcome(opened, test)
        if result.status is not Status.PASS:
            found[test.id] = result.status
    opened.close()
    return found


def test_the_references_pass() -> None:
    some = [Test(r, case) for r in AREA.values() for case in r.cases[::9] if r.name != "operations/large"]
    assert run_all(session(), QUICK + some) == {}


def test_an_array_library_passes() -> None:
    opened = Session(table_platform("library", np), PlatformSettings())
    known = [t for t in QUICK if not {"dtype:bfloat16", "dtype:float16"} & set(t.case.needs)]
    assert len(known) > 100
    assert run_all(opened, known) == {}


def test_what_is_not_declared_must_be_refused() -> None:
    functions = {name: f for name, f in REFERENCES.functions.items() if name != "cbrt"}
    opened = Session(table_platform("less", OperationTable(functions), dtypes=(
        dtypes.bool_, dtypes.int32, dtypes.uint32, dtypes.float32)), PlatformSettings())
    assert outcome(opened, find_test("operations/result[cbrt,float32]")).status is Status.NOT_SUPPORTED
    assert outcome(opened, find_test("operations/result[add,float64]")).status is Status.NOT_SUPPORTED
    assert outcome(opened, find_test("operations/result[convert,float32]")).status is Status.PASS
    opened.client.compile = lambda program, links: None
    taken = outcome(opened, find_test("operations/result[cbrt,float32]"))
    assert (taken.status, "cbrt" in taken.observed) == (Status.FAIL, True)
    opened.close()


def changed_at_the_end(y: np.ndarray) -> np.ndarray:
    """The last element of what has a few, so that what is left over beside vectors counts."""
    if y.size < 5:
        return y
    flat = y.reshape(-1)
    last = flat[-1]
    if dtypes.is_bool(y.dtype):
        flat[-1] = not last
    elif dtypes.is_integer(y.dtype):
        flat[-1] = last ^ y.dtype.type(1)
    else:
        flat[-1] = last * y.dtype.type(1.01) if np.isfinite(last) and abs(last) > 1e-3 else y.dtype.type(3.25)
    return flat.reshape(y.shape)


def first_type(name: str) -> np.dtype:
    taken = dtypes_of(name)
    return next(d for d in (dtypes.float32, dtypes.int32, dtypes.uint32, dtypes.complex64, *taken) if d in taken)


@pytest.mark.parametrize("name", sorted(set(catalogue()) & set(REFERENCES.functions)))
def test_a_wrong_last_element_is_found_in_every_operation(name: str) -> None:
    found = outcome_with(name, changed_at_the_end, f"operations/result[{name},{first_type(name)}]")
    assert found.status is Status.FAIL
    assert name in found.observed and name in found.program
    assert len(found.program.splitlines()) < 12  # of the one that failed, not of all


FUNCTIONS = [name for name, record in ops.OPERATIONS.items() if record.exactness.kind == "function"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_that_lack_digits_are_found(name: str) -> None:
    def short(y: np.ndarray) -> np.ndarray:
        return np.where(np.isfinite(y), y * (1 + 20 * 2**-23), y) if y.dtype == np.float32 else y

    assert outcome_with(name, short, f"operations/result[{name},float32]").status is Status.FAIL
    assert outcome_with(name, short, f"operations/special[{name},float32]").status is Status.FAIL


def without_nan(y: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(y), y.dtype.type(0), y)


def positive_zeros(y: np.ndarray) -> np.ndarray:
    return np.where(y == 0, y.dtype.type(0), y)


def truncated(y: np.ndarray) -> np.ndarray:
    """The neighbour towards zero, in a third of the places: what rounding toward zero gives."""
    nearer = np.nextafter(y, np.zeros((), y.dtype))
    return np.where(np.arange(y.size).reshape(y.shape) % 3 == 0, nearer, y)


def without_infinity(y: np.ndarray) -> np.ndarray:
    return np.clip(y, np.finfo(y.dtype).min, np.finfo(y.dtype).max)


def flushed(y: np.ndarray) -> np.ndarray:
    return np.where(np.abs(y) < np.finfo(y.dtype).tiny, np.copysign(y.dtype.type(0), y), y)


@pytest.mark.parametrize(("name", "change", "case", "status"), [
    ("max", without_nan, "special[max,float32]", Status.FAIL),
    ("min", without_nan, "special[min,float64]", Status.FAIL),
    ("reduce_max", without_nan, "special[reduce_max,float32]", Status.FAIL),
    ("cummin", without_nan, "special[cummin,bfloat16]", Status.FAIL),
    ("dot_general", without_nan, "special[dot_general,float32]", Status.FAIL),
    ("neg", positive_zeros, "special[neg,float32]", Status.FAIL),
    ("sin", positive_zeros, "special[sin,float32]", Status.FAIL),
    ("round", positive_zeros, "special[round,float64]", Status.FAIL),
    ("add", truncated, "result[add,bfloat16]", Status.FAIL),
    ("mul", truncated, "result[mul,float16]", Status.FAIL),
    ("div", truncated, "result[div,float32]", Status.FAIL),
    ("sqrt", truncated, "result[sqrt,float64]", Status.FAIL),
    ("exp", without_infinity, "special[exp,float32]", Status.FAIL),
    ("reduce_sum", without_infinity, "special[reduce_sum,float32]", Status.FAIL),
    ("add", flushed, "denormals[add,float32]", Status.WARNING),
    ("add", flushed, "special[add,float32]", Status.PASS),
    ("mul", flushed, "special[mul,float32]", Status.PASS),
    ("exp", flushed, "special[exp,float32]", Status.PASS),
])
def test_platforms_that_are_wrong_in_one_way(
    name: str, change: Callable[[np.ndarray], np.ndarray], case: str, status: Status
) -> None:
    assert outcome_with(name, change, f"operations/{case}").status is status


def test_narrow_conversions_that_cut_are_found() -> None:
    def cut(operands: list[np.ndarray], attributes: dict[str, np.dtype]) -> list[np.ndarray]:
        x, dtype = operands[0], attributes["dtype"]
        if dtype == dtypes.bfloat16 and x.dtype == np.float32:
            return [(np.ascontiguousarray(x).view(np.uint32) >> 16).astype(np.uint16).view(dtype).reshape(x.shape)]
        return list(REFERENCES.functions["convert"](operands, attributes))

    opened = session({"convert": cut})
    for case in ("result[convert,float32]", "special[convert,float32]"):
        assert outcome(opened, find_test(f"operations/{case}")).status is Status.FAIL
    opened.close()


def _shifted_with_mask(operands: list[np.ndarray], attributes: dict[str, object]) -> list[np.ndarray]:
    x, amount = operands
    return [np.left_shift(x, amount & x.dtype.type(8 * x.dtype.itemsize - 1))]


def _divided_to_zero(operands: list[np.ndarray], attributes: dict[str, object]) -> list[np.ndarray]:
    x, y = operands
    (found,) = REFERENCES.functions["div"](operands, attributes)
    return [np.where(y == 0, np.zeros_like(x), found)]


def _wrapped(operands: list[np.ndarray], attributes: dict[str, np.dtype]) -> list[np.ndarray]:
    x, dtype = operands[0], attributes["dtype"]
    if dtypes.is_integer(dtype) and dtypes.is_float(x.dtype):
        return [x.astype(np.int64).astype(dtype)]
    return list(REFERENCES.functions["convert"](operands, attributes))


def _half_away(operands: list[np.ndarray], attributes: dict[str, object]) -> list[np.ndarray]:
    (x,) = operands
    return [np.copysign(np.floor(np.abs(x) + x.dtype.type(0.5)), x)]


def _last_of_ties(operands: list[np.ndarray], attributes: dict[str, object]) -> list[np.ndarray]:
    (x,), d = operands, attributes["dimension"]
    return [(x.shape[d] - 1 - np.argmax(np.flip(x, d), axis=d)).astype(attributes["dtype"])]


def _sorted_unstably(operands: list[np.ndarray], attributes: dict[str, object]) -> list[np.ndarray]:
    if len(operands) == 1:
        return list(REFERENCES.functions["sort"](operands, attributes))
    turned = [np.flip(x, attributes["dimension"]) for x in operands]
    return list(REFERENCES.functions["sort"](turned, attributes))


def _summed_narrowly(operands: list[np.ndarray], attributes: dict[str, tuple[int, ...]]) -> list[np.ndarray]:
    (x,) = operands
    total = np.zeros((), x.dtype)
    if x.ndim != 1 or attributes["dimensions"] != (0,):
        return list(REFERENCES.functions["reduce_sum"](operands, attributes))
    for value in x:
        total = np.asarray(total + value)
    return [total]


def _wrapping_start(operands: list[np.ndarray], attributes: dict[str, object]) -> list[np.ndarray]:
    x, *starts = operands
    inside = [np.asarray(np.where(s < 0, s + n, s)) for s, n in zip(starts, x.shape, strict=True)]
    return list(REFERENCES.functions["dynamic_slice"]([x, *inside], attributes))


@pytest.mark.parametrize(("name", "broken", "case"), [
    ("shift_left", _shifted_with_mask, "special[shift_left,int32]"),
    ("div", _divided_to_zero, "special[div,int32]"),
    ("convert", _wrapped, "special[convert,float32]"),
    ("round", _half_away, "special[round,float32]"),
    ("argmax", _last_of_ties, "result[argmax,int32]"),
    ("sort", _sorted_unstably, "result[sort,float32]"),
    ("reduce_sum", _summed_narrowly, "result[reduce_sum,bfloat16]"),
    ("dynamic_slice", _wrapping_start, "result[dynamic_slice,float32]"),
    ("rem", lambda operands, attributes: [np.mod(*operands)], "result[rem,float32]"),
    ("sign", lambda operands, attributes: [np.where(operands[0] < 0, -1, 1).astype(operands[0].dtype)],
     "special[sign,int32]"),
    ("pow", lambda operands, attributes: [np.where(operands[1] < 0, 0, np.power(operands[0], np.maximum(
        operands[1], 0))).astype(operands[0].dtype)], "special[pow,int32]"),
    ("abs", lambda operands, attributes: [np.sqrt(operands[0].real**2 + operands[0].imag**2) * np.float32(1.0001)],
     "result[abs,complex64]"),
])
def test_other_meanings_are_found(name: str, broken: Callable[..., list[np.ndarray]], case: str) -> None:
    def quiet(operands: list[np.ndarray], attributes: dict[str, object]) -> list[np.ndarray]:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return broken(operands, attributes)

    opened = session({name: quiet})
    assert outcome(opened, find_test(f"operations/{case}")).status is Status.FAIL
    opened.close()


def test_wrong_forms_are_found() -> None:
    """Attributes that are ignored in one way each."""
    functions = table_from_references().functions

    def without(name: str, **fixed: object) -> Status:
        opened = session({name: lambda operands, attributes: functions[name](operands, {**attributes, **fixed})})
        found = outcome(opened, find_test(f"operations/result[{name},float32]"))
        opened.close()
        return found.status

    assert without("gather", mode="clip") is Status.FAIL
    assert without("gather", mode="fill") is Status.FAIL
    assert without("scatter", mode="clip") is Status.FAIL
    assert without("scatter", combine="set") is Status.FAIL
    assert without("cumsum", reverse=False) is Status.FAIL
    assert without("sort", keys=1) is Status.FAIL
    assert without("iota", dimension=0) is not Status.PASS
