# SPDX-License-Identifier: Apache-2.0
"""Random kernels against the reference: nests, strides, mixed element types, conditions, reductions, cuts."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.toolkit.loops import Affine, Index, Inside, Kernel, Loop, Parameter, Reduction, Scalar
from olympus_cpu.codegen.target import Target

from .running import Body, check

BOOL, I32 = dtypes.bool_, dtypes.int32
TYPES = (dtypes.float32, dtypes.float64, I32, dtypes.uint8, dtypes.int64, dtypes.float16, dtypes.bfloat16, BOOL,
         dtypes.complex64)
BINARY = {
    "float": (ops.add, ops.sub, ops.mul, ops.max, ops.min, ops.rem),
    "integer": (ops.add, ops.sub, ops.mul, ops.max, ops.min, ops.div, ops.rem, ops.shift_left,
                ops.shift_right_arithmetic, ops.xor),
    "bool": (ops.and_, ops.or_, ops.xor, ops.lt),
    "complex": (ops.add, ops.sub),
}


def family(dtype: np.dtype) -> str:
    if dtypes.is_bool(dtype):
        return "bool"
    return "float" if dtypes.is_float(dtype) else "complex" if dtypes.is_complex(dtype) else "integer"


@st.composite
def kernels(draw: st.DrawFn) -> tuple[Kernel, list[np.ndarray], int, list[int]]:
    """A kernel of rows by lanes, its inputs, the vectors' width and where the outermost loop is cut."""
    count, size = draw(st.integers(1, 5)), draw(st.integers(1, 75))
    flat = draw(st.booleans())
    row, lane = Index("row"), Index("lane")
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    outer, body, inputs, arrays = Body(), Body(), [], []
    known: list[Scalar] = []
    for place in range(draw(st.integers(1, 3))):
        dtype = draw(st.sampled_from(TYPES))
        steps = draw(st.sampled_from([(size, 1), (0, 1), (1, 0), (size, -1), (1, count), (2 * size, 2), (0, 0)]))
        terms = [(i, s) for i, s in ((row, steps[0]), (lane, steps[1])) if s and not (flat and i is row)]
        start = size - 1 if steps[1] < 0 else 0
        length = start + 1 + sum(max(s, 0) * ((count if i is row else size) - 1) for i, s in terms)
        parameter = Parameter(f"x{place}", dtype, length, "input")
        inputs.append(parameter)
        arrays.append(array(rng, dtype, length))
        more = {}
        if draw(st.booleans()):
            more["when"] = Scalar(BOOL)
            body.add(Inside(more["when"], Affine.of(lane), draw(st.integers(0, 20)), draw(st.integers(0, 80))))
        known.append(body.load(parameter, Affine(start, tuple(terms)), **more))
    for _ in range(draw(st.integers(1, 6))):
        known.append(operation(draw, body, known))
    result = known[-1]
    at = Affine.of(lane) if flat else Affine.of(row, size).plus(Affine.of(lane))
    outputs = [Parameter("y", result.dtype, size if flat else count * size, "output")]
    body.store(outputs[0], at, result)
    reductions: tuple[Reduction, ...] = ()
    kind = "lanes"
    if not flat and family(result.dtype) in ("integer", "bool") and draw(st.booleans()):
        start_value = outer.constant(result.dtype.type(1))
        combination = "or" if result.dtype == BOOL else draw(st.sampled_from(["add", "mul", "max", "min", "and"]))
        reductions = (Reduction(Scalar(result.dtype), combination, start_value, result),)
        outputs.append(Parameter("t", result.dtype, count, "output"))
        kind = draw(st.sampled_from(["lanes", "serial"]))
    loop = Loop(lane, size, kind, body.done(), reductions=reductions)
    if not flat:
        outer.add(loop)
        if reductions:
            outer.store(outputs[1], Affine.of(row), reductions[0].result)
        loop = Loop(row, count, "parallel", outer.done())
    cuts = sorted(draw(st.lists(st.integers(0, loop.extent), max_size=2)))
    width = draw(st.sampled_from([128, 256, 512]))
    return Kernel("random", (*inputs, *outputs), loop), arrays, width, cuts


def operation(draw: st.DrawFn, body: Body, known: list[Scalar]) -> Scalar:
    """One more element of those that are known."""
    x = draw(st.sampled_from(known))
    fitting = [s for s in known if s.dtype == x.dtype]
    y = draw(st.sampled_from(fitting))
    what = draw(st.sampled_from(["binary", "binary", "convert", "select"]))
    if what == "convert":
        target = draw(st.sampled_from(TYPES))
        return body.compute(ops.convert, x, dtype=target, attributes={"dtype": target})
    if what == "select":
        truth = body.compute(ops.ne, x, y, dtype=bool)
        return body.compute(ops.select, truth, x, y, dtype=x.dtype)
    record = draw(st.sampled_from(BINARY[family(x.dtype)]))
    return body.compute(record, x, y, dtype=BOOL if record is ops.lt else x.dtype)


def array(rng: np.random.Generator, dtype: np.dtype, size: int) -> np.ndarray:
    if family(dtype) == "integer":
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max, size, dtype=dtype, endpoint=True)
    if dtypes.is_bool(dtype):
        return rng.integers(0, 2, size).astype(bool)
    return (rng.normal(size=size) * 10.0 ** rng.integers(-3, 4, size)).astype(dtype)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(kernels())
def test_random_kernels(case: tuple[Kernel, list[np.ndarray], int, list[int]]) -> None:
    kernel, arrays, width, cuts = case
    check(kernel, arrays, target=Target.host(width), cuts=cuts, level=0)
