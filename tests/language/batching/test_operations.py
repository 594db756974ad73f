# SPDX-License-Identifier: Apache-2.0
"""Every operation: batched, it does what a loop over the indices does."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import olympus
from olympus import vmap
from olympus.errors import NotSupportedError
from olympus.tracing import Aval, bind_all, stage
from olympus.transforms import rules as _filled  # noqa: F401 - the rules fill the table
from olympus.transforms.traces.table import RULES, Rules
from olympus_core.ops import OPERATIONS
from olympus_core.program import ArrayType, OperationRecord
from olympus_core.program.interpreter import run

from .cases import ELSEWHERE, all_cases, filled

SIZE = 3
CASES = list(all_cases())


def own_rules() -> dict[str, Rules]:
    """The rules of olympus's own operations: other tests, and olympus.ffi, register further ones."""
    return {name: rules for name, rules in RULES.items() if not rules.is_external}


def staged(function: Any, values: Sequence[np.ndarray]) -> list[np.ndarray]:
    """What the reference interpreter makes of a function."""
    program, _, captured = stage(function, [Aval(ArrayType(v.shape, v.dtype)) for v in values], "f")
    assert not captured
    return run(program, values)


def subsets(count: int) -> list[tuple[bool, ...]]:
    found = [flags for flags in itertools.product([True, False], repeat=count) if any(flags)]
    return found if len(found) < 8 else [*found[:3], *found[-4:]]


def same(actual: np.ndarray, expected: np.ndarray) -> None:
    assert actual.dtype == expected.dtype and actual.shape == expected.shape
    if actual.dtype.kind in "fc":
        np.testing.assert_allclose(actual, expected, rtol=1e-5, atol=1e-6)
    else:
        np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(("name", "number", "case"), CASES, ids=[f"{n}-{i}" for n, i, _ in CASES])
def test_every_choice_of_mapped_operands(name: str, number: int, case: Any) -> None:
    types, attributes = case
    record = OPERATIONS[name]
    random = np.random.default_rng(number + len(name))

    def f(*values: Any) -> tuple[Any, ...]:
        return tuple(bind_all(record, values, attributes))

    for flags in subsets(len(types)):
        axes = [int(random.integers(0, type.ndim + 1)) if flag else None
                for type, flag in zip(types, flags, strict=True)]
        values = [filled(type if axis is None else type.with_shape(
            (*type.shape[:axis], SIZE, *type.shape[axis:])), random) for type, axis in zip(types, axes, strict=True)]
        if name == "random_bits":  # parts begin at places, which are not negative
            values = [abs(v) for v in values]
        each = [staged(f, [v if axis is None else np.take(v, i, axis) for v, axis in zip(values, axes, strict=True)])
                for i in range(SIZE)]
        place = int(random.integers(0, min(part.ndim for part in each[0]) + 1))
        got = staged(vmap(f, in_axes=tuple(axes), out_axes=place), values)
        for result, parts in zip(got, zip(*each, strict=True), strict=True):
            same(result, np.stack(parts, place))


def test_two_mapped_dimensions() -> None:
    random = np.random.default_rng(5)
    for name, number, (types, attributes) in CASES:
        if number:
            continue
        record = OPERATIONS[name]
        values = [filled(type.with_shape((2, SIZE, *type.shape)), random) for type in types]

        def f(*values: Any, record: OperationRecord = record, attributes: Any = attributes) -> tuple[Any, ...]:
            return tuple(bind_all(record, values, attributes))

        got = staged(vmap(vmap(f)), values)
        # The second dimension is the inner map's.
        each = [[staged(f, [v[i, j] for v in values]) for j in range(SIZE)] for i in range(2)]
        for k, result in enumerate(got):
            same(result, np.stack([np.stack([row[k] for row in rows]) for rows in each]))


def test_no_index_at_all() -> None:
    for name, number, (types, attributes) in CASES:
        if number or name in ("argmax", "argmin"):
            continue
        record = OPERATIONS[name]
        results = staged(vmap(lambda *v, r=record, a=attributes: tuple(bind_all(r, v, a))),
                         [np.zeros((0, *type.shape), type.dtype) for type in types])
        assert all(result.shape[0] == 0 for result in results), name


def test_every_operation_has_a_rule_and_a_test() -> None:
    assert {name for name, rules in own_rules().items() if rules.batching is not None} == set(OPERATIONS)
    assert {name for name, _, _ in CASES} | ELSEWHERE == set(OPERATIONS)
    assert not {name for name, _, _ in CASES} & ELSEWHERE


def test_an_operation_without_a_rule_is_refused_by_name() -> None:
    record = OperationRecord("unheard_of", "elementwise", lambda types, attributes, regions: types)
    with pytest.raises(NotSupportedError, match="unheard_of under vmap"):
        vmap(lambda x: bind_all(record, [x]))(np.zeros(SIZE))


RICH = [case for case in CASES if case[0] in (
    "gather", "scatter", "dynamic_slice", "dynamic_update_slice", "dot_general", "convolution", "random_bits", "sort",
    "top_k", "pad", "concatenate", "cumsum", "argmax")]


@pytest.mark.parametrize(("name", "number", "case"), RICH, ids=[f"{n}-{i}" for n, i, _ in RICH])
def test_on_the_platform_split_along_the_mapped_dimension(name: str, number: int, case: Any) -> None:
    types, attributes = case
    record = OPERATIONS[name]
    random = np.random.default_rng(number)
    sharding = olympus.NamedSharding(olympus.make_mesh((4,), ("x",), devices=olympus.devices()[:4]), olympus.P("x"))

    def f(*values: Any) -> tuple[Any, ...]:
        return tuple(bind_all(record, values, attributes))

    for flags in {(True,) * len(types), (True, *[False] * (len(types) - 1)), (*[False] * (len(types) - 1), True)}:
        values = [filled(type.with_shape((4, *type.shape) if flag else type.shape), random)
                  for type, flag in zip(types, flags, strict=True)]
        if name == "random_bits":
            values = [abs(v) for v in values]
        axes = tuple(0 if flag else None for flag in flags)
        with olympus.enable_x64(True):  # some cases are about 64 bits
            expected = staged(vmap(f, axes), values)
            placed = [olympus.device_put(v, sharding) if flag else v for v, flag in zip(values, flags, strict=True)]
            results = olympus.jit(vmap(f, axes))(*placed)
        for result, wanted in zip(results, expected, strict=True):
            same(np.asarray(result), wanted)
