# SPDX-License-Identifier: Apache-2.0
"""Programs on the CPU library give what the reference gives: every operation, control flow, collectives."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from olympus_conformance.samples.catalogue import dtypes_of, instances
from olympus_conformance.samples.compare import require_results
from olympus_conformance.samples.instance import Instance, inputs_of, program_of, results_of
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, DeviceGroups, Program, ProgramBuilder, Value
from olympus_pjrt.errors import PjrtError
from olympus_pjrt.stablehlo import emit_program
from tests.pjrt.libraries import cpu_library

from .samples import names, usual_dtype
from .support import client, require_reference, run, run_on

VECTOR = ArrayType((3,), dtypes.float32)
INDEX = ArrayType((), dtypes.int32)


@pytest.fixture(autouse=True)
def _library() -> None:
    cpu_library()


def _constant(builder: ProgramBuilder, value: np.ndarray) -> Value:
    (result,) = builder.emit(ops.constant, [], {"value": value})
    return result


def _require(found: list[Instance]) -> None:
    program = program_of(found)
    for instance, results in zip(found, results_of(found, run(program, inputs_of(found))), strict=True):
        require_results(instance, results, program.text)


@pytest.mark.parametrize("name", names())
def test_operation(name: str) -> None:
    dtype = usual_dtype(name)
    found = instances(name, dtype, "plain")[:5]  # the conformance suite runs all of them on this library
    if dtype in dtypes_of(name, "special"):
        found += instances(name, dtype, "special")
    _require(found)


@pytest.mark.parametrize("name", names())
def test_operation_on_constants(name: str) -> None:
    """What a compiler computes itself, while it folds constants, is the same."""
    found = instances(name, usual_dtype(name), "plain")[:3]
    whole, inputs = program_of(found), inputs_of(found)
    builder = ProgramBuilder("constants")
    known = {v: _constant(builder, x) for v, x in zip(whole.inputs, inputs, strict=True)}
    for operation in whole.operations:
        results = builder.emit(operation.record, [known[v] for v in operation.operands], operation.attributes,
                               regions=operation.regions)
        known.update(zip(operation.results, results, strict=True))
    folded = builder.finish([known[v] for v in whole.outputs])
    for instance, results in zip(found, results_of(found, run(folded, [])), strict=True):
        require_results(instance, results, folded.text)


@pytest.mark.parametrize(
    "dtype", [dtypes.int8, dtypes.int32, dtypes.uint32, dtypes.float32, dtypes.bfloat16, dtypes.bool_], ids=str,
)
def test_comparisons_of_constants_know_their_type(dtype: np.dtype) -> None:
    """Without a type in the text the library compared -128 and 128 as unsigned numbers."""
    x, y = (np.array(values).astype(dtype) for values in ([-100, 100, 0, 3], [100, -100, 0, 2]))
    builder = ProgramBuilder("comparisons")
    operands = [_constant(builder, x), _constant(builder, y)]
    program = builder.finish([builder.emit(record, operands)[0] for record in (ops.lt, ops.le, ops.gt, ops.ge, ops.eq)])
    require_reference(program, [])


@pytest.mark.parametrize(("name", "dtype"), [
    ("pow", dtypes.int32), ("div", dtypes.int8), ("rem", dtypes.int64), ("shift_right_arithmetic", dtypes.uint16),
    ("max", dtypes.bfloat16), ("reduce_min", dtypes.float8_e4m3fn), ("sign", dtypes.uint8), ("convert", dtypes.float64),
    ("sort", dtypes.complex64), ("top_k", dtypes.complex64), ("top_k", dtypes.bfloat16),
    ("argmax", dtypes.bool_), ("next_after", dtypes.float8_e5m2), ("iota", dtypes.bfloat16),
    ("dot_general", dtypes.float8_e4m3fn), ("dot_general", dtypes.int8), ("convolution", dtypes.bfloat16),
    ("scatter", dtypes.float16), ("gather", dtypes.bool_), ("random_bits", dtypes.uint64), ("constant", dtypes.bool_),
    ("log1p", dtypes.float64), ("atanh", dtypes.float64), ("erfc", dtypes.float64), ("cosh", dtypes.float64),
])
def test_element_type_that_needs_care(name: str, dtype: np.dtype) -> None:
    found = instances(name, dtype, "plain")[:6]
    if dtype in dtypes_of(name, "special"):
        found += instances(name, dtype, "special")
    _require(found)


def test_next_after_steps_through_denormal_numbers() -> None:
    _require(instances("next_after", np.dtype(np.float32), "denormal"))


def test_donated_memory_is_taken_over() -> None:
    """The input is gone afterwards, and the result right."""
    program = _region([VECTOR], lambda b, v: list(b.emit(ops.neg, v)))
    device = client().devices[0]
    executable = client().compile(emit_program(program, 1, (0,)), [[device]], inputs=1)
    x = client().put(np.float32([1, 2, 3]), device)
    ((y,),) = executable.execute([[x]])
    np.testing.assert_array_equal(y.to_host(), np.float32([-1, -2, -3]))
    with pytest.raises(PjrtError):
        x.to_host()


def _region(types: list[ArrayType], write) -> Program:
    builder = ProgramBuilder("region")
    return builder.finish(write(builder, [builder.input(t) for t in types]))


def _add(builder: ProgramBuilder, x, y):
    return builder.emit(ops.add, [x, y])[0]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("length", [0, 1, 5])
def test_scan(length: int, reverse: bool) -> None:
    def body(builder, values):
        constant, carry, x = values
        (scaled,) = builder.emit(ops.mul, [carry, constant])
        total = _add(builder, scaled, x)
        return [total, builder.emit(ops.neg, [total])[0], x]

    region = _region([VECTOR] * 3, body)
    builder = ProgramBuilder("scan")
    inputs = [builder.input(t) for t in (VECTOR, VECTOR, ArrayType((length, 3), dtypes.float32))]
    outputs = builder.emit(
        ops.scan, inputs, {"constants": 1, "carry": 1, "length": length, "reverse": reverse}, [region])
    values = [np.float32([2, 3, -1]), np.float32([1, 0, 4]), np.arange(3 * length, dtype=np.float32).reshape(length, 3)]
    require_reference(builder.finish(outputs), [[v] for v in values])


@pytest.mark.parametrize("index", [-3, 0, 1, 2, 7])
def test_branches_are_clamped(index: int) -> None:
    branches = [_region([VECTOR], lambda b, v, f=f: list(b.emit(f, v)) * 2) for f in (ops.neg, ops.abs, ops.sign)]
    builder = ProgramBuilder("cond")
    inputs = [builder.input(INDEX), builder.input(VECTOR)]
    program = builder.finish(builder.emit(ops.cond, inputs, {}, branches))
    require_reference(program, [[np.asarray(index, np.int32)], [np.float32([-2, 0, 5])]])


def test_regions_in_regions() -> None:
    """A loop whose body branches, each branch calling one function."""
    called = _region([INDEX, VECTOR], lambda b, v: list(b.emit(ops.add, [v[1], v[1]])))
    twice = _region([INDEX, VECTOR], lambda b, v: list(b.emit(ops.call, v, {}, [called])))
    same = _region([INDEX, VECTOR], lambda b, v: list(b.emit(ops.neg, b.emit(ops.call, v, {}, [called]))))

    def goes_on(builder, values):
        return list(builder.emit(ops.lt, [values[1], values[0]]))

    def turn(builder, values):
        limit, count, x = values
        (one,) = builder.emit(ops.constant, [], {"value": np.asarray(1, np.int32)})
        (bit,) = builder.emit(ops.and_, [count, one])
        (y,) = builder.emit(ops.cond, [bit, limit, x], {}, [twice, same])
        return [_add(builder, count, one), y]

    types = [INDEX, INDEX, VECTOR]
    builder = ProgramBuilder("loop")
    outputs = builder.emit(ops.while_, [builder.input(t) for t in types], {"constants": 1},
                           [_region(types, goes_on), _region(types, turn)])
    values = [np.asarray(5, np.int32), np.asarray(0, np.int32), np.float32([1, -2, 0.5])]
    require_reference(builder.finish(outputs), [[v] for v in values])


GROUPS = (DeviceGroups(((0, 1, 2, 3),)), DeviceGroups(((0, 2), (3, 1))), DeviceGroups(((1,), (0,), (3,), (2,))))


def collectives(dtype: np.dtype) -> Program:
    """Every collective over several kinds of groups."""
    builder = ProgramBuilder("collectives")
    x = builder.input(ArrayType((4, 6), dtype))
    outputs = []
    if dtypes.is_bool(dtype):
        reductions = ["max", "min", "and", "or"]
    elif dtypes.is_complex(dtype):
        reductions = ["sum", "prod"]
    else:
        reductions = ["sum", "prod", "max", "min", *(("and", "or") if dtypes.is_integer(dtype) else ())]
    for group in GROUPS:
        for reduction in reductions:
            outputs += builder.emit(ops.all_reduce, [x], {"reduction": reduction, "group": group})
            outputs += builder.emit(
                ops.reduce_scatter, [x], {"reduction": reduction, "dimension": 0, "group": group})
        outputs += builder.emit(ops.all_gather, [x], {"dimension": 1, "group": group})
        outputs += builder.emit(
            ops.all_to_all, [x], {"split_dimension": 0, "concat_dimension": 1, "group": group})
        pairs = ((0, 1),) if group.size > 1 else ()
        outputs += builder.emit(ops.permute, [x], {"pairs": pairs, "group": group})
        outputs += builder.emit(ops.broadcast, [x], {"source": group.size - 1, "group": group})
        outputs += builder.emit(ops.axis_index, [], {"group": group})
    return builder.finish(outputs)


@pytest.mark.parametrize("name", [
    "float32", "bfloat16", "int8", "uint64", "bool", "complex64",
])
def test_collectives_between_four_devices(name: str) -> None:
    dtype = np.dtype(getattr(ml_dtypes, name, name))
    source = np.random.default_rng(3)
    values = [source.integers(-4, 5, (4, 6)).astype(dtype) for _ in range(4)]
    if dtypes.is_float(dtype):
        values[1][0, :2], values[2][0, 3] = (np.nan, -0.0), np.nan
    require_reference(collectives(dtype), [values], 4)


def test_broadcast_keeps_every_bit() -> None:
    builder = ProgramBuilder("broadcast")
    x = builder.input(ArrayType((4,), dtypes.float32))
    program = builder.finish(builder.emit(ops.broadcast, [x], {"source": 2, "group": GROUPS[0]}))
    values = [np.float32([i, np.inf, 1, -i]) for i in range(4)]
    values[2] = np.array([0x7FC12345, 0x80000000, 1, 0xFF800000], np.uint32).view(np.float32)
    (found,) = run_on(program, [values], 4)
    for array in found:
        np.testing.assert_array_equal(array.view(np.uint32), values[2].view(np.uint32))


def test_elements_of_large_arrays_are_counted_in_64_bits() -> None:
    """A part far inside of an array of more elements than 32 bits count."""
    whole, shape = (3, 1 << 20, 1 << 12), (1, 2, 8)
    builder = ProgramBuilder("bits")
    inputs = [builder.input(t) for t in (ArrayType((2,), dtypes.uint32), INDEX, INDEX, INDEX)]
    program = builder.finish(builder.emit(
        ops.random_bits, inputs, {"shape": shape, "global_shape": whole, "dtype": dtypes.uint32}))
    starts = [np.asarray(n, np.int32) for n in (2, (1 << 20) - 2, 100)]
    require_reference(program, [[np.uint32([1, 2])], *([s] for s in starts)])


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.complex128], ids=str)
def test_matrices_without_a_cholesky_factor_are_nan_and_their_neighbours_are_not(dtype: np.dtype) -> None:
    x = np.broadcast_to(np.eye(4, dtype=dtype) * 4, (6, 4, 4)).copy()
    x[1, 3, 3], x[2, 0, 0], x[3, 3, 3], x[4, 1, 0] = -1, np.inf, 0, np.nan
    builder = ProgramBuilder("f")
    results = builder.emit(ops.cholesky, [builder.input(ArrayType(x.shape, dtype))])
    (factor,) = run(builder.finish(results), [x])
    assert np.isnan(factor[1:5]).all() and (factor[[0, 5]] == 2 * np.eye(4)).all()
