# SPDX-License-Identifier: Apache-2.0
"""Scatters of many updates: as by the reference, sorted first; what has no other form stays what it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Operation, Value
from olympus_core.toolkit import Flat
from olympus_cuda.products import scatters
from olympus_cuda.products.scatters import NAME, SORTED_SCATTERS
from olympus_cuda.products.work_steps import ProductWork

from .emulated_gpu import assert_near, made_step, run, some

ROWS = {"inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,), "operand_batching_dims": (),
        "indices_batching_dims": ()}


@pytest.fixture(autouse=True)
def _few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scatters, "_MANY", 1)


def program(x: np.ndarray, indices: np.ndarray, updates: np.ndarray, **attributes: Any) -> tuple[Flat, Operation]:
    """The program of one scatter."""
    inputs = tuple(Value(ArrayType(a.shape, a.dtype)) for a in (x, indices, updates))
    result = Value(inputs[0].type)
    operation = Operation(ops.scatter, inputs, attributes, (), (result,), None)
    ops.scatter.type_rule([v.type for v in inputs], attributes, ())
    return Flat(inputs, (operation,), (result,)), operation


def executed(flat: Flat, arrays: list[np.ndarray]) -> np.ndarray:
    """What a program gives: scatters of sorted updates by their work, all else by its reference."""
    values = dict(zip(flat.inputs, arrays, strict=True))
    for operation in flat.operations:
        given = [values[v] for v in operation.operands]
        if operation.name == NAME:
            work = made_step(operation)
            assert isinstance(work, ProductWork)
            results = run(work, given)
        else:
            assert operation.record.reference is not None
            results = list(operation.record.reference(given, operation.attributes))
        values.update(zip(operation.results, results, strict=True))
    return values[flat.outputs[0]]


def compare(arrays: list[np.ndarray], **attributes: Any) -> None:
    flat, operation = program(*arrays, **attributes)
    sorted_first = SORTED_SCATTERS(flat)
    assert NAME in [o.name for o in sorted_first.operations]
    assert operation.record.reference is not None
    (wanted,) = operation.record.reference(arrays, operation.attributes)
    assert_near(executed(sorted_first, arrays), wanted)


@pytest.mark.parametrize(("dtype", "combine"), [
    *((dtype, combine) for dtype in (dtypes.float32, dtypes.int8, dtypes.bfloat16)
      for combine in ("set", "add", "mul", "min", "max")),
    *((dtypes.complex64, combine) for combine in ("set", "add", "mul")),
    *((dtypes.bool_, combine) for combine in ("set", "min", "max")),
], ids=str)
def test_elements_and_rows(dtype: np.dtype, combine: str) -> None:
    rng = np.random.default_rng(0)
    for mode in ("drop", "clip"):
        indices = rng.integers(-3, 12, (90, 1)).astype(np.int32)
        small = (some((90,), dtype, 1) / 4).astype(dtype) if dtype == dtypes.bfloat16 else some((90,), dtype, 1)
        compare([some((9,), dtype), indices, small], combine=combine, mode=mode, update_window_dims=(), **ROWS)
        compare([some((9, 5), dtype), indices[:40], some((40, 5), dtype, 2)], combine=combine, mode=mode,
                update_window_dims=(1,), **ROWS)


@pytest.mark.parametrize("kind", [dtypes.int8, dtypes.uint8, dtypes.uint32, dtypes.int64, dtypes.uint64], ids=str)
def test_indices_of_several_components_and_all_types(kind: np.dtype) -> None:
    rng = np.random.default_rng(1)
    indices = rng.integers(0, 9, (6, 20, 2)).astype(kind)
    if kind == dtypes.uint64:
        indices[0, 0] = 2**64 - 1
    for mode in ("drop", "clip"):
        compare([some((7, 300, 2), dtypes.float32), indices, some((6, 20, 2), dtypes.float32, 3)], combine="add",
                mode=mode, update_window_dims=(2,), inserted_window_dims=(0, 1), scatter_dims_to_operand_dims=(1, 0),
                operand_batching_dims=(), indices_batching_dims=())


def test_many_updates_of_one_element_go_in_their_order() -> None:
    updates = np.random.default_rng(2).normal(size=1000).astype(np.float32) * 10.0 ** np.arange(-5, 5).repeat(100)
    updates = updates.astype(np.float32)
    x, indices = np.zeros(3, np.float32), np.ones((1000, 1), np.int32)
    flat, _ = program(x, indices, updates, combine="add", mode="drop", update_window_dims=(), **ROWS)
    total = np.float32(0)
    for update in updates:
        total += update
    assert executed(SORTED_SCATTERS(flat), [x, indices, updates])[1] == total


def test_zeros_are_not_read() -> None:
    flat, operation = program(np.zeros((50, 4), np.float32), np.zeros((9, 1), np.int32), np.ones((9, 4), np.float32),
                              combine="add", mode="drop", update_window_dims=(1,), **ROWS)
    constant, zeros = Value(ArrayType((), dtypes.float32)), Value(operation.operands[0].type)
    made = (Operation(ops.constant, (), {"value": np.zeros((), np.float32)}, (), (constant,), None),
            Operation(ops.broadcast_in_dim, (constant,), {"shape": (50, 4), "dimensions": ()}, (), (zeros,), None))
    inputs = operation.operands[1:]
    scatter = Operation(ops.scatter, (zeros, *inputs), operation.attributes, (), operation.results, None)
    changed = SORTED_SCATTERS(Flat(inputs, (*made, scatter), flat.outputs))
    assert [len(o.operands) for o in changed.operations if o.name == NAME] == [3]
    given = executed(changed, [np.arange(9, dtype=np.int32)[:, None] % 2, np.ones((9, 4), np.float32)])
    np.testing.assert_array_equal(given[:3], np.array([5, 4, 0], np.float32)[:, None].repeat(4, 1))
    assert not given[3:].any()


@pytest.mark.parametrize("changed", ["few", "constant", "part of a row", "a batch"])
def test_what_stays_as_it_is(changed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x, indices, updates = np.ones((9, 5), np.float32), np.zeros((40, 1), np.int32), np.ones((40, 5), np.float32)
    attributes: dict[str, Any] = {"combine": "add", "mode": "drop", "update_window_dims": (1,), **ROWS}
    if changed == "few":
        monkeypatch.setattr(scatters, "_MANY", 41)
    if changed == "part of a row":
        updates = updates[:, :4]
    if changed == "a batch":
        x, indices, updates = x[:, :, None], np.zeros((9, 1), np.int32), np.ones((9, 1), np.float32)
        attributes |= {"inserted_window_dims": (1,), "scatter_dims_to_operand_dims": (1,),
                       "operand_batching_dims": (0,), "indices_batching_dims": (0,)}
    flat, _ = program(x, indices, updates, **attributes)
    if changed == "constant":
        constants = tuple(Operation(ops.constant, (), {"value": value}, (), (v,), None)
                          for v, value in zip(flat.inputs, (x, indices, updates), strict=True))
        flat = Flat((), (*constants, *flat.operations), flat.outputs)
    assert SORTED_SCATTERS(flat).operations == flat.operations
