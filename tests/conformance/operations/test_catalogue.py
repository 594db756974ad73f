# SPDX-License-Identifier: Apache-2.0
"""Every operation is tried, on every element type that it takes, and what is tried are programs."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_conformance.profiles import CORE_OPERATIONS, REQUIRED
from olympus_conformance.samples import elementwise, others, values
from olympus_conformance.samples.catalogue import (
    NEVER_ON_DEVICES,
    catalogue,
    dtypes_of,
    instances,
    needed_dtypes,
)
from olympus_conformance.samples.instance import Draw, program_of
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, verify

from .tables import AREA

KINDS = ("plain", "special", "denormal", "large")


def test_every_operation_has_an_entry() -> None:
    assert set(catalogue()) | NEVER_ON_DEVICES == set(ops.OPERATIONS)
    assert not set(catalogue()) & NEVER_ON_DEVICES
    assert all(dtypes_of(name) for name in catalogue())


def test_every_elementwise_operation_is_tried_on_each_type_that_its_rule_takes() -> None:
    for record in elementwise.generic():
        taken = set()
        for dtype in dtypes.ALL:
            for count in (1, 2, 3):
                try:
                    record.type_rule([ArrayType((), dtype)] * count, {}, ())
                except TypeError:
                    continue
                taken.add(dtype)
        assert set(dtypes_of(record.name)) == taken
        assert set(dtypes_of(record.name, "special")) == taken, record.name


@pytest.mark.parametrize("name", ["select", "convert", "concatenate", "gather", "scatter", "sort", "constant"])
def test_what_moves_elements_is_tried_on_all_types(name: str) -> None:
    assert set(dtypes_of(name)) == set(dtypes.ALL)


@pytest.mark.parametrize("kind", KINDS)
def test_instances_make_programs(kind: str) -> None:
    for name in catalogue():
        for dtype in dtypes_of(name, kind)[:3]:
            made = instances(name, dtype, kind)
            assert made
            verify(program_of(made), devices=1)


def test_no_form_is_dropped_on_every_type() -> None:
    for name, entry in catalogue().items():
        for kind in KINDS:
            forms = entry.forms(kind)
            if forms is None:
                continue
            accepted: dict[int, bool] = {}
            for dtype in dtypes_of(name, kind):
                for place, made in enumerate(forms(Draw(1), dtype)):
                    accepted[place] = accepted.get(place, False) or made.is_accepted()
            assert all(accepted.values()), (name, kind, accepted)


def test_core_operations_need_nothing_but_what_their_profile_needs() -> None:
    known = frozenset({dtypes.bool_, dtypes.int32, dtypes.uint32, dtypes.float32})
    for test in AREA["operations/result"].cases:
        operation, dtype = test.arguments["operation"], test.arguments["dtype"]
        if (test.profile == "single") != (operation in CORE_OPERATIONS and dtype in known):
            raise AssertionError(test.name)
        if test.profile == "single":
            assert set(test.needs) <= REQUIRED["single"], test.name
            assert instances(operation, dtype, known=known), test.name


def test_shapes_are_of_every_kind() -> None:
    for name in ("add", "exp", "select"):
        shapes = {made.operands[0].shape for made in instances(name, dtypes.float32)}
        assert {(), (0,), (1,), (7,), (3, 5), (2, 3, 4)} <= shapes
        assert any(int(np.prod(shape)) > 1000 for shape in shapes)


def test_special_values_hold_what_goes_wrong() -> None:
    x, y = instances("max", dtypes.float32, "special")[0].operands
    pairs = {(str(a), str(b)) for a, b in zip(x, y, strict=True)}
    for a in ("nan", "inf", "-inf", "0.0", "-0.0"):
        for b in ("nan", "inf", "-inf", "0.0", "-0.0"):
            assert (a, b) in pairs
    for dtype in (dtypes.float32, dtypes.float64, dtypes.bfloat16):
        for name in ("add", "exp", "convert", "pow"):
            assert not any(values.is_denormal(v).any() for made in instances(name, dtype, "special")
                           for v in made.operands)
    x, y = instances("div", dtypes.int32, "special")[0].operands
    assert ((x == np.iinfo(np.int32).min) & (y == -1)).any() and ((x == 7) & (y == 0)).any()
    x, y = instances("shift_left", dtypes.int8, "special")[0].operands
    assert {8, 7, -1, 16} <= set(y.tolist())


def test_plain_values_are_where_functions_have_values() -> None:
    for name in ("log", "sqrt", "acosh", "asin", "erf_inv", "atanh", "pow", "rsqrt"):
        for made in instances(name, dtypes.float32):
            assert np.isfinite(made.reference()[0]).all(), name


def test_the_same_seed_gives_the_same_arrays() -> None:
    for name in ("add", "scatter", "sort"):
        first, second = (instances(name, dtypes.float32, seed=7) for _ in range(2))
        for one, other in zip(first, second, strict=True):
            for x, y in zip(one.operands, other.operands, strict=True):
                assert x.tobytes() == y.tobytes()


def test_threefry_gives_the_known_answers() -> None:
    (first, second), wanted = instances("threefry2x32", dtypes.uint32)[0].reference(), others.KNOWN_THREEFRY
    assert [tuple(pair) for pair in zip(first.tolist(), second.tolist(), strict=True)] == [w for _, _, w in wanted]


def test_needed_types_begin_with_the_cases_own() -> None:
    assert needed_dtypes("abs", dtypes.complex64) == (dtypes.complex64, dtypes.float32)
    assert needed_dtypes("lt", dtypes.bfloat16) == (dtypes.bfloat16, dtypes.bool_)
    assert needed_dtypes("gather", dtypes.int8) == (dtypes.int8, dtypes.int32)
