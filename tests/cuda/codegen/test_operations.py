# SPDX-License-Identifier: Apache-2.0
"""Every elementwise operation on every element type, a few large kernels for each type."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, OperationRecord, Program, ProgramBuilder, Value
from olympus_core.toolkit.fusion import KernelStep
from olympus_core.toolkit.loops import run_kernel
from olympus_cuda.codegen import emit_module, supports

from ...toolkit.fusion.running import equal
from ...toolkit.fusion.test_operations import sample
from .running import kernels_of, machine, needs_compiler, planned

ELEMENTWISE = [r for r in ops.OPERATIONS.values() if r.category == "elementwise"]
SHAPE = (3, 67)


def _attributes(record: OperationRecord, dtype: np.dtype) -> Iterator[dict[str, Any]]:
    if record.name == "convert":
        yield from ({"dtype": target} for target in dtypes.ALL)
    elif record.name == "bitcast_convert":
        yield from ({"dtype": target} for target in dtypes.ALL if target.itemsize == dtype.itemsize)
    else:
        yield {}


def program(dtype: np.dtype, without: Collection[str] = ()) -> tuple[Program, list[np.ndarray], set[str]]:
    """A program of all operations that take a type, but for some; its inputs, and the operations' names."""
    builder, names = ProgramBuilder("everything"), set[str]()
    arrays = [sample(SHAPE, dtype) for _ in range(3)] + [sample(SHAPE, dtypes.bool_)]
    x, y, z, p = (builder.input(ArrayType(a.shape, a.dtype)) for a in arrays)
    results: list[Value] = []
    for record in ELEMENTWISE:
        if record.name in without:
            continue
        candidates: Sequence[Sequence[Value]] = ([x], [x, y], [x, y, z], [p, x, y], [x, y, z, x])
        for operands in candidates:
            for attributes in _attributes(record, dtype):
                if not supports(record, [v.type.dtype for v in operands]):
                    continue
                try:
                    results += builder.emit(record, operands, attributes)
                except OperandError:
                    continue
                names.add(record.name)
    return builder.finish(results), arrays, names


@needs_compiler
@pytest.mark.parametrize("dtype", dtypes.ALL, ids=lambda d: d.name)
def test_all_operations(dtype: np.dtype) -> None:
    made, arrays, names = program(dtype)
    assert names >= {"convert", "select"}
    plan = planned(made)
    values = {v: a.reshape(-1) for v, a in zip(plan.inputs, arrays, strict=True)}
    for step in plan.steps:
        if not isinstance(step, KernelStep):
            continue
        inputs = [values[v] for v in step.inputs]
        expected = run_kernel(step.kernel, inputs)
        for got, meant in zip(machine(step.kernel, inputs), expected, strict=True):
            equal(got, meant)
        values.update(zip(step.outputs, expected, strict=True))
    assert kernels_of(plan)


def test_what_is_generated() -> None:
    float_names = {r.name for r in ELEMENTWISE if supports(r, [dtypes.float32])}
    assert {"sin", "erf_inv", "lgamma", "digamma", "next_after", "pow", "select", "bitcast_convert"} <= float_names
    assert not supports(ops.sin, [dtypes.int32])
    assert not supports(None, [np.dtype("U3")])
    assert supports(None, dtypes.ALL)
    assert supports(ops.OPERATIONS["threefry2x32"], [dtypes.uint32] * 4)


def test_the_text_is_the_same_for_the_same_kernels() -> None:
    texts = [emit_module([(k, f"k{i}") for i, k in enumerate(kernels_of(planned(program(dtypes.float16)[0])))]).text
             for _ in range(2)]
    assert texts[0] == texts[1]
