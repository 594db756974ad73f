# SPDX-License-Identifier: Apache-2.0
"""Every operation on every element type that it takes, compiled, against its reference."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from olympus_conformance.random_programs.generator import elementwise_for
from olympus_conformance.random_programs.oracle import LARGEST, Expected
from olympus_conformance.samples.values import calm, specials
from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, ProgramBuilder
from tools.fuzz.execute import Case, outputs_of

from .single import ELEMENTS, SHAPES, Call, assert_same, check_exact, compiled, ulps

ELEMENTWISE = sorted({record.name for dtype in dtypes.ALL for record, _ in elementwise_for(dtype)})
# In units of the last digit, against the reference in float64 rounded once: more than anybody promises to need.
FLOAT_ULPS, NARROW_ULPS = 4.0, 1.0


def numbers(dtype: np.dtype, shape: Sequence[int], seed: int) -> np.ndarray:
    """Special numbers, calm ones, and floats of all sizes."""
    source = np.random.default_rng(seed)
    found = calm(source, ArrayType(shape, dtype))
    if dtypes.is_float(dtype):
        sizes = np.exp2(source.uniform(-40, 40, shape)) * source.choice([-1, 1], shape)
        with np.errstate(all="ignore"):
            found = np.where(source.random(shape) < 0.3, sizes, found.astype(np.float64)).astype(dtype)
    return np.asarray(np.where(source.random(shape) < 0.5, source.choice(specials(dtype), shape), found))


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_elementwise(name: str) -> None:
    record = ops.OPERATIONS[name]
    count = 0
    for dtype in dtypes.ALL:
        for arity in [n for r, n in elementwise_for(dtype) if r is record]:
            calls = [Call(record, [numbers(dtype, shape, 10 * i + k) for k in range(arity)])
                     for i, shape in enumerate(SHAPES)]
            assert all(call.accepts() for call in calls)
            for call, (found,) in zip(calls, compiled(calls), strict=True):
                (wanted,) = call.reference()
                with np.errstate(all="ignore"):
                    check_elementwise(name, found, wanted, call)
                count += found.size
    assert count > 1000


def check_elementwise(name: str, found: np.ndarray, wanted: np.ndarray, call: Call) -> None:
    exactness = call.record.exactness
    is_complex = any(dtypes.is_complex(x.dtype) for x in call.operands)
    if is_complex and exactness.complex is not None:
        if wanted.dtype == dtypes.complex64:  # NumPy's power loses digits of its own
            (wanted,) = Call(call.record, [x.astype(np.complex128) for x in call.operands]).reference()
            wanted = wanted.astype(np.complex64)
        # What arithmetic of infinite parts gives is left open, and where the size of a number is infinite.
        sure = np.isfinite(wanted) & np.logical_and.reduce([np.abs(x) < LARGEST for x in call.operands])
        part = np.finfo(dtypes.real_part(wanted.dtype))
        size = np.abs(wanted[sure].astype(np.complex128))
        # Near a pole the result's digits are the operand's; a power's are as many fewer as its exponent is large.
        lost = size if name == "logistic" else 3 * np.abs(call.operands[-1][sure]) if name == "pow" else 0
        bound = 16 * float(part.eps) * np.nan_to_num(size * (1 + lost), nan=np.inf)
        bound = bound + 8 * np.finfo(np.float64).eps + 4 * float(part.smallest_subnormal)
        apart = np.abs(found[sure].astype(np.complex128) - wanted[sure])
        wrong = apart > bound
        assert not wrong.any(), f"{call}: {found[sure][wrong][:1]}, not {wanted[sure][wrong][:1]}"
    elif exactness.kind == "function" and dtypes.is_float(wanted.dtype):
        apart = ulps(found, wanted)
        if exactness.reference_sizes is not None:
            apart = np.where(np.isclose(found.astype(np.float64), wanted.astype(np.float64), 2e-14, 2e-14), 0.0, apart)
        bound = FLOAT_ULPS if wanted.dtype.itemsize >= 4 else NARROW_ULPS
        if exactness.reference_sizes is not None:
            low, high = exactness.reference_sizes
            sizes = [np.abs(x.astype(np.float64)) for x in call.operands]
            apart = np.where(np.logical_or.reduce([(s < low) | (s > high) for s in sizes]), 0.0, apart)
        wrong = apart > bound
        at = [x[wrong][:3] for x in call.operands]
        assert not wrong.any(), f"{call}: off by {apart.max()} at {at}: {found[wrong][:3]}, not {wanted[wrong][:3]}"
        zeros = (wanted == 0) & (found == 0)
        assert_same(np.asarray(found[zeros]), np.asarray(wanted[zeros]), str(call))
    else:
        # C and NumPy differ in which zero follows a zero.
        assert_same(found, wanted, str(call), open_zeros=not exactness.signed_zero)


@pytest.mark.parametrize("source", dtypes.ALL, ids=str)
def test_convert(source: np.dtype) -> None:
    for target in dtypes.ALL:
        check_exact([Call(ops.convert, [numbers(source, shape, i)], {"dtype": target})
                     for i, shape in enumerate(((), (0,), (7,), (1000,), (3, 5)))])


def test_doubles_and_integers_become_bfloat16_in_one_rounding() -> None:
    exact = np.arange(0x7F80, dtype=np.uint16).view(dtypes.bfloat16).astype(np.float64)
    middle = np.concatenate([middles := (exact[1:] + exact[:-1]) / 2, -middles])
    operands = [np.concatenate([np.nextafter(middle, side) for side in (-np.inf, np.inf)]),
                np.array([np.inf, -np.inf, np.nan, 3.4e38, 1e300, -0.0, 5e-324])]
    for source in (np.int32, np.uint32, np.int64, np.uint64):
        limits = np.iinfo(source)
        middles = [int(m) for m in middle[np.abs(middle) > 256] if limits.min < int(m) < limits.max]
        near = [m + d for m in middles for d in (-1, 0, 1)]
        operands.append(np.array([*near, limits.min, limits.max, limits.max - 1], source))
    check_exact([Call(ops.convert, [x], {"dtype": dtypes.bfloat16}) for x in operands])


def test_bitcast() -> None:
    types = [d for d in dtypes.ALL if dtypes.is_integer(d) or dtypes.is_float(d)]
    calls = [Call(ops.bitcast_convert, [numbers(source, (5, 13), 0)], {"dtype": target})
             for source, target in itertools.product(types, types) if source.itemsize == target.itemsize]
    for call, (found,) in zip(calls, compiled(calls), strict=True):
        assert found.tobytes() == call.operands[0].tobytes(), str(call)


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_select(dtype: np.dtype) -> None:
    check_exact([Call(ops.select, [numbers(dtypes.bool_, s, i), numbers(dtype, s, i), numbers(dtype, s, i + 50)])
                 for i, s in enumerate(SHAPES)])


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_moves(dtype: np.dtype) -> None:
    x, row, one = (numbers(dtype, shape, i) for i, shape in enumerate(((4, 17, 33), (33,), ())))
    empty, many = numbers(dtype, (3, 0, 2), 4), numbers(dtype, (1003,), 5)
    order = itertools.permutations(range(3))
    calls = [
        *(Call(ops.transpose, [x], {"permutation": p}) for p in order),
        Call(ops.transpose, [empty], {"permutation": (2, 1, 0)}), Call(ops.transpose, [one], {"permutation": ()}),
        *(Call(ops.reverse, [x], {"dimensions": d}) for d in ((), (0,), (2,), (0, 1, 2))),
        Call(ops.reshape, [x], {"shape": (68, 33)}), Call(ops.reshape, [one], {"shape": (1, 1)}),
        Call(ops.reshape, [empty], {"shape": (0, 5)}),
        Call(ops.broadcast_in_dim, [row], {"shape": (4, 17, 33), "dimensions": (2,)}),
        Call(ops.broadcast_in_dim, [row], {"shape": (33, 5), "dimensions": (0,)}),
        Call(ops.broadcast_in_dim, [x[:, :1]], {"shape": (4, 17, 33), "dimensions": (0, 1, 2)}),
        Call(ops.broadcast_in_dim, [one], {"shape": (1001,), "dimensions": ()}),
        Call(ops.broadcast_in_dim, [one], {"shape": (0, 3), "dimensions": ()}),
        Call(ops.slice, [x], {"starts": (1, 0, 30), "limits": (4, 17, 33), "strides": (2, 3, 1)}),
        Call(ops.slice, [many], {"starts": (3,), "limits": (1000,), "strides": (1,)}),
        Call(ops.slice, [x], {"starts": (2, 5, 0), "limits": (2, 17, 33), "strides": (1, 1, 1)}),
        Call(ops.pad, [x, one], {"low": (1, 0, 5), "high": (0, 2, 1), "interior": (0, 0, 0)}),
        Call(ops.pad, [x, one], {"low": (-1, 3, -2), "high": (2, -4, 1), "interior": (0, 2, 1)}),
        Call(ops.pad, [empty, one], {"low": (0, 1, 0), "high": (0, 1, 0), "interior": (1, 1, 0)}),
        Call(ops.concatenate, [x, x[:1], x], {"dimension": 0}),
        Call(ops.concatenate, [x, x[:, :, :1], x[:, :, :0], x], {"dimension": 2}),
        Call(ops.concatenate, [row] * 12, {"dimension": 0}),
        *(Call(ops.dynamic_slice, [x, *(np.asarray(n, np.int32) for n in starts)], {"sizes": (2, 17, 5)})
          for starts in ((0, 0, 0), (1, 3, 28), (-7, 99, 30))),
        *(Call(ops.dynamic_update_slice, [x, x[:2, :, :5], *(np.asarray(n, np.int32) for n in starts)])
          for starts in ((0, 0, 0), (1, 3, 28), (-7, 99, 30))),
    ]
    check_exact(calls)


@pytest.mark.parametrize("dtype", ELEMENTS, ids=str)
def test_gather_and_scatter(dtype: np.dtype) -> None:
    table, vector = numbers(dtype, (9, 5), 0), numbers(dtype, (40,), 1)
    where = np.random.default_rng(2).integers(-3, 45, (6, 1)).astype(np.int32)
    pairs = np.random.default_rng(3).integers(-1, 10, (3, 2, 2)).astype(np.int64)
    none = {"operand_batching_dims": (), "indices_batching_dims": ()}
    calls = []
    for mode in ("clip", "fill"):
        calls += [
            Call(ops.gather, [vector, where], {
                "offset_dims": (), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (1,),
                "mode": mode, **none}),
            Call(ops.gather, [table, where], {
                "offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (1, 5),
                "mode": mode, **none}),
            Call(ops.gather, [table, pairs], {
                "offset_dims": (0, 2), "collapsed_slice_dims": (), "start_index_map": (1, 0), "slice_sizes": (2, 3),
                "mode": mode, "fill_value": 3, **none}),
            Call(ops.gather, [table, where[:5]], {
                "offset_dims": (), "collapsed_slice_dims": (0,), "start_index_map": (0,), "slice_sizes": (1, 1),
                "mode": mode, "operand_batching_dims": (1,), "indices_batching_dims": (0,)}),
        ]
    check_exact(calls)
    combines = {"set", "add", "mul", "min", "max"}
    combines -= {"add", "mul"} if dtype == dtypes.bool_ else {"min", "max"} if dtypes.is_complex(dtype) else set()
    plain = calm(np.random.default_rng(1), ArrayType((40,), dtype))
    for combine, mode in itertools.product(sorted(combines), ("clip", "drop")):
        updates = calm(np.random.default_rng(3), ArrayType((6,), dtype))
        attributes = {"update_window_dims": (), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
                      "combine": combine, "mode": mode, **none}
        check_expected([Call(ops.scatter, [plain, where, updates], attributes),
                        Call(ops.scatter, [plain[:7], where[:0], updates[:0]], attributes)])


def check_expected(calls: Sequence[Call]) -> None:
    """Runs operations whose results depend on the order in which things are added."""
    for call in calls:
        builder = ProgramBuilder(call.record.name)
        inputs = [builder.input(ArrayType(x.shape, x.dtype)) for x in call.operands]
        program = builder.finish(builder.emit(call.record, inputs, call.attributes))
        given = [[np.ascontiguousarray(x).reshape(x.shape)] for x in call.operands]
        problem = Expected(program, given, 1, 12).problem(outputs_of(Case(program, given), 1)[0])
        assert problem is None, f"{call}: {problem}"


REDUCTIONS = [f"reduce_{name}" for name in ("sum", "prod", "max", "min", "and", "or")]


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name: str) -> None:
    record = ops.OPERATIONS[name]
    count = 0
    for dtype in ELEMENTS:
        calls = []
        for i, shape in enumerate(((), (0,), (1,), (7,), (1000,), (3, 0), (17, 33), (5, 1, 70))):
            for dimensions in {(), tuple(range(len(shape))), (0,) if shape else (), (len(shape) - 1,) if shape else ()}:
                # Sums of special numbers are mostly no numbers, so that half of them are of calm ones.
                x = numbers(dtype, shape, i) if i % 2 else calm(np.random.default_rng(i), ArrayType(shape, dtype))
                calls.append(Call(record, [x], {"dimensions": dimensions}))
        if not calls[0].accepts():
            continue
        count += 1
        if name in ("reduce_sum", "reduce_prod") and not (dtypes.is_integer(dtype) or dtype == dtypes.bool_):
            check_expected_together(calls)
        else:
            check_exact(calls, open_zeros=True)
    assert count


def check_expected_together(calls: Sequence[Call]) -> None:
    builder = ProgramBuilder("together")
    outputs, given = [], []
    for call in calls:
        inputs = [builder.input(ArrayType(x.shape, x.dtype)) for x in call.operands]
        outputs += builder.emit(call.record, inputs, call.attributes)
        given += [[np.ascontiguousarray(x).reshape(x.shape)] for x in call.operands]
    program = builder.finish(outputs)
    problem = Expected(program, given, 1, 12).problem(outputs_of(Case(program, given), 1)[0])
    assert problem is None, f"{[str(call) for call in calls]}: {problem}"


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_places_of_extremes(name: str) -> None:
    for dtype in [d for d in ELEMENTS if not dtypes.is_complex(d)]:
        calls = []
        for i, shape in enumerate(((1,), (7,), (1000,), (17, 33), (5, 1, 70))):
            for d, target in itertools.product(range(len(shape)), (dtypes.int32, dtypes.int64)):
                x = numbers(dtype, shape, i) if i % 2 else calm(np.random.default_rng(i), ArrayType(shape, dtype))
                calls.append(Call(ops.OPERATIONS[name], [x], {"dimension": d, "dtype": target}))
        check_exact(calls)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "cummax", "cummin"])
def test_cumulative(name: str) -> None:
    record = ops.OPERATIONS[name]
    for dtype in ELEMENTS:
        calls = []
        for i, shape in enumerate(((0,), (1,), (7,), (1000,), (17, 33), (5, 1, 70))):
            for d, is_reverse in itertools.product(range(len(shape)), (False, True)):
                x = numbers(dtype, shape, i) if i % 2 else calm(np.random.default_rng(i), ArrayType(shape, dtype))
                calls.append(Call(record, [x], {"dimension": d, "reverse": is_reverse}))
        if not calls[0].accepts():
            continue
        if name in ("cumsum", "cumprod") and not dtypes.is_integer(dtype):
            check_expected_together(calls)
        else:
            check_exact(calls, open_zeros=True)


@pytest.mark.parametrize("dtype", ELEMENTS, ids=str)
def test_sort(dtype: np.dtype) -> None:
    x, y = numbers(dtype, (17, 33), 0), numbers(dtypes.int32, (17, 33), 1)
    few = x % x.dtype.type(3) if dtype in dtypes.INTEGERS else x
    check_exact([Call(ops.sort, [x], {"dimension": 0, "keys": 1}), Call(ops.sort, [x], {"dimension": 1, "keys": 1}),
                 Call(ops.sort, [few, y], {"dimension": 1, "keys": 1}),
                 Call(ops.sort, [x, y], {"dimension": 0, "keys": 2})])


@pytest.mark.parametrize("dtype", [d for d in ELEMENTS if d != dtypes.bool_], ids=str)
def test_contractions(dtype: np.dtype) -> None:
    def array(shape: tuple[int, ...], seed: int) -> np.ndarray:
        return calm(np.random.default_rng(seed), ArrayType(shape, dtype))

    def product(x: np.ndarray, y: np.ndarray, inner: tuple, batch: tuple = ((), ()), dtype: object = None) -> Call:
        return Call(ops.dot_general, [x, y], {
            "lhs_contracting": inner[0], "rhs_contracting": inner[1], "lhs_batch": batch[0], "rhs_batch": batch[1],
            "dtype": dtype})

    calls = [
        product(array((7,), 0), array((7,), 1), ((0,), (0,))), product(array((), 0), array((3,), 1), ((), ())),
        product(array((17, 33), 0), array((33, 5), 1), ((1,), (0,))),
        product(array((33, 17), 0), array((5, 33), 1), ((0,), (1,))),
        product(array((3, 4, 5), 0), array((3, 5, 6), 1), ((2,), (1,)), ((0,), (0,))),
        product(array((3, 0), 0), array((0, 4), 1), ((1,), (0,))),
        product(array((0, 3), 0), array((3, 4), 1), ((1,), (0,))),
        product(array((4, 3, 5), 0), array((5, 3, 2), 1), ((2, 1), (0, 1))),
    ]
    convolution = {"window_strides": (1, 2), "padding": ((1, 1), (0, 2)), "lhs_dilation": (1, 1),
                   "rhs_dilation": (2, 1), "lhs_layout": "NCHW", "rhs_layout": "OIHW", "out_layout": "NHWC",
                   "feature_groups": 1, "batch_groups": 1}
    calls.append(Call(ops.convolution, [array((2, 3, 9, 8), 0), array((4, 3, 3, 2), 1)], convolution))
    check_expected_together(calls)


def test_sources_and_random_bits() -> None:
    places = (((300,), 0), ((3, 5), 0), ((3, 5), 1), ((0,), 0))
    calls = [Call(ops.iota, [], {"shape": shape, "dtype": dtype, "dimension": d})
             for dtype in ELEMENTS if dtype != dtypes.bool_ for shape, d in places]
    calls += [Call(ops.constant, [], {"value": numbers(dtype, shape, 0)}) for dtype in dtypes.ALL for shape in SHAPES]
    key = np.array([1 << 31, 77], np.uint32)
    calls += [Call(ops.random_bits, [key], {"shape": s, "global_shape": s, "dtype": d})
              for d in dtypes.UNSIGNED for s in ((), (0,), (7,), (17, 33))]
    starts = [np.asarray(n, np.int32) for n in (2, 3)]
    part = {"shape": (5, 6), "global_shape": (9, 70_000), "dtype": dtypes.uint32}
    calls.append(Call(ops.random_bits, [key, *starts], part))
    for shape in SHAPES:
        calls.append(Call(ops.threefry2x32, [numbers(dtypes.uint32, shape, i) for i in range(4)]))
    check_exact(calls)
