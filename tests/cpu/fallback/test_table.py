# SPDX-License-Identifier: Apache-2.0
"""The CPU platform's own functions give what the operation set's references give."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.program import ArrayType, Program, ProgramBuilder
from olympus_core.toolkit import ArrayBuffer, compile_with_table, table_from_namespace
from olympus_cpu.buffer import CpuBuffer
from olympus_cpu.fallback.data_movement import DATA_MOVEMENT
from olympus_cpu.fallback.matmul import dot_general
from olympus_cpu.fallback.table import _PRECISE_UFUNCS, _REDUCTIONS, _UFUNCS, cpu_table, settle
from tests.support.processes import run_processes
from tests.toolkit.programs import device_program, fake_devices

UFUNCS = {*_UFUNCS, *_PRECISE_UFUNCS}
UNARY = {"neg", "abs", "floor", "ceil", "round", "exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "tanh",
         "is_finite", "not"}
ALL_DTYPES = [*dtypes.FLOATS, *dtypes.INTEGERS, *dtypes.COMPLEXES, dtypes.bool_]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 1e30, -1e30, np.inf, -np.inf, np.nan]
TABLES = {"cpu": cpu_table(), "namespace": table_from_namespace(np)}


def operands_of(dtype: np.dtype, shape: Sequence[int], count: int, seed: int = 0) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    if dtype == dtypes.bool_:
        return [random.random(shape) < 0.5 for _ in range(count)]
    if dtype in dtypes.INTEGERS:
        info = np.iinfo(dtype)
        low, high = max(info.min, -1000), min(info.max, 1000)
        return [random.integers(low, high, shape, endpoint=True).astype(dtype) for _ in range(count)]
    found = []
    for _ in range(count):
        values = np.where(random.random(shape) < 0.3, random.choice(SPECIAL, shape), random.standard_normal(shape) * 3)
        with np.errstate(all="ignore"):
            found.append(np.asarray(values).astype(dtype))
    return found


def one_operation(name: str, types: Sequence[ArrayType], attributes: Mapping[str, Any]) -> Program:
    builder = ProgramBuilder(name)
    return builder.finish(builder.emit(ops.OPERATIONS[name], [builder.input(t) for t in types], attributes))


def compare(name: str, operands: Sequence[np.ndarray], attributes: Mapping[str, Any] = {}, table: str = "cpu",
            rtol: float = 0.0) -> None:
    """Runs one operation by the table and by its reference; refused operands are passed by."""
    try:
        program = one_operation(name, [ArrayType(x.shape, x.dtype) for x in operands], attributes)
    except TypeError:
        return
    (device,) = fake_devices(1)
    executable = compile_with_table(device_program(program, [device]), TABLES[table], None, CpuBuffer)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        results = executable.execute([[ArrayBuffer(np.array(x), device)] for x in operands])
        expected = ops.OPERATIONS[name].reference(operands, attributes)
    for (found,), wanted in zip(results, expected, strict=True):
        array = found.to_host()
        assert isinstance(array, np.ndarray)
        assert not array.flags.writeable
        assert array.dtype == wanted.dtype, name
        assert array.shape == wanted.shape, name
        if array.dtype.kind == "V":  # NumPy does not know which of these are NaN
            array, wanted = array.astype(np.float32), wanted.astype(np.float32)
        if rtol:
            np.testing.assert_allclose(array, wanted, rtol=rtol, atol=rtol)
        else:
            np.testing.assert_array_equal(array, wanted)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", sorted(UFUNCS))
def test_elementwise(name: str, table: str) -> None:
    for dtype in ALL_DTYPES:
        for shape in ((), (7,), (0,), (3, 4)):
            compare(name, operands_of(dtype, shape, 1 if name in UNARY else 2), table=table,
                    rtol=1e-6 if dtype in dtypes.COMPLEXES or table == "namespace" else 0.0)


def test_both_tables_cover_both_kinds_of_elementwise_operations() -> None:
    assert UNARY < UFUNCS
    for name in UFUNCS:
        one_operation(name, [ArrayType((2,), np.int32 if name in ("not", "and", "or", "xor") else np.float32)]
                      * (1 if name in UNARY else 2), {})


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", sorted(_REDUCTIONS))
def test_reductions(name: str, table: str) -> None:
    for dtype in ALL_DTYPES:
        for shape in ((7,), (3, 4, 5), (0, 3), ()):
            for dimensions in {(), tuple(range(len(shape))), tuple(range(1, len(shape)))}:
                x = np.asarray(operands_of(dtype, shape, 1)[0])
                if dtype not in dtypes.INTEGERS and dtype != dtypes.bool_:
                    x = np.nan_to_num(x.astype(np.complex128), nan=1, posinf=2, neginf=-2)
                    x = (x if dtype in dtypes.COMPLEXES else x.real).clip(-4, 4).astype(dtype)
                compare(name, [x], {"dimensions": dimensions}, table, 1e-5)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.bfloat16, dtypes.int32, dtypes.complex64], ids=str)
def test_moves(dtype: np.dtype, table: str) -> None:
    (x,) = operands_of(dtype, (4, 6, 3), 1)
    (scalar,) = operands_of(dtype, (), 1)
    compare("reshape", [x], {"shape": (8, 9)}, table)
    compare("reshape", [scalar], {"shape": (1, 1)}, table)
    compare("transpose", [x], {"permutation": (2, 0, 1)}, table)
    compare("transpose", [scalar], {"permutation": ()}, table)
    compare("slice", [x], {"starts": (1, 0, 2), "limits": (3, 6, 3), "strides": (1, 2, 1)}, table)
    compare("reverse", [x], {"dimensions": (0, 2)}, table)
    compare("concatenate", [x, x[:, :2], x], {"dimension": 1}, table)
    for shape in ((2, 4, 6, 3), (64, 4, 6, 3)):  # copied, and as a view
        compare("broadcast_in_dim", [x], {"shape": shape, "dimensions": (1, 2, 3)}, table)
    compare("broadcast_in_dim", [x[:, :1]], {"shape": (4, 6, 3), "dimensions": (0, 1, 2)}, table)
    compare("broadcast_in_dim", [scalar], {"shape": (0, 2), "dimensions": ()}, table)
    for start in (-5, 0, 1, 7):
        starts = [np.int32(v)[...] for v in (start, 0, start)]
        compare("dynamic_slice", [x, *starts], {"sizes": (2, 6, 1)}, table)
        compare("dynamic_update_slice", [x, x[:2, :, :1] * dtype.type(2), *starts], {}, table)
    compare("iota", [], {"shape": (3, 4), "dtype": dtype, "dimension": 1}, table)
    compare("constant", [], {"value": x}, table)


def test_every_own_move_is_compared() -> None:
    assert set(DATA_MOVEMENT) == {"broadcast_in_dim", "reshape", "transpose", "slice", "reverse", "concatenate",
                                "dynamic_slice", "dynamic_update_slice"}


def test_select_and_convert() -> None:
    for dtype in ALL_DTYPES:
        (predicate,), (x, y) = operands_of(dtypes.bool_, (3, 4), 1, 1), operands_of(dtype, (3, 4), 2)
        compare("select", [predicate, x, y])
        compare("select", [np.True_[...], x[0, 0][...], y[0, 0][...]])
        for target in ALL_DTYPES:
            compare("convert", [np.asarray(x)], {"dtype": target})


@given(st.data())
@settings(max_examples=150)
def test_dot_general(data: st.DataObject) -> None:
    """Any numbers of batch, contracted and free dimensions, in any order."""
    counts = [data.draw(st.integers(0, 2)) for _ in range(4)]
    sizes = [[data.draw(st.integers(1, 4)) for _ in range(n)] for n in counts]
    batch, inner, left, right = sizes
    ranks = [len(batch + inner + free) for free in (left, right)]
    orders = [data.draw(st.permutations(range(rank))) for rank in ranks]
    shapes, placed = [], []
    for order, free in zip(orders, (left, right), strict=True):
        labelled = [*batch, *inner, *free]
        shapes.append(tuple(labelled[i] for i in order))
        placed.append([order.index(i) for i in range(len(labelled))])
    attributes = {
        "lhs_batch": tuple(placed[0][: len(batch)]), "rhs_batch": tuple(placed[1][: len(batch)]),
        "lhs_contracting": tuple(placed[0][len(batch) : len(batch) + len(inner)]),
        "rhs_contracting": tuple(placed[1][len(batch) : len(batch) + len(inner)]), "dtype": None,
    }
    dtype = data.draw(st.sampled_from([dtypes.float32, dtypes.int32, dtypes.complex64, dtypes.bfloat16]))
    random = np.random.default_rng(0)
    operands = [np.asarray(random.integers(-4, 5, shape)).astype(dtype) for shape in shapes]
    compare("dot_general", operands, attributes, data.draw(st.sampled_from(sorted(TABLES))), 1e-5)


def test_matrix_products_of_every_transposition_are_done_by_numpy() -> None:
    random = np.random.default_rng(0)
    for lhs in (0, 1):
        for rhs in (0, 1):
            attributes = {"lhs_contracting": (lhs,), "rhs_contracting": (rhs,), "lhs_batch": (), "rhs_batch": (),
                          "dtype": None}
            x = random.standard_normal((3, 5) if lhs else (5, 3)).astype(np.float32)
            y = random.standard_normal((7, 5) if rhs else (5, 7)).astype(np.float32)
            program = one_operation("dot_general", [ArrayType(v.shape, v.dtype) for v in (x, y)], attributes)
            kernel = dot_general(program.operations[0])
            assert kernel is not None
            assert kernel.is_fresh
            compare("dot_general", [x, y], attributes, rtol=1e-5)


def test_large_products_are_written_to_memory_of_their_own() -> None:
    random = np.random.default_rng(0)
    x, y, z = ((random.standard_normal((4, 90, 90)) + 1j * random.standard_normal((4, 90, 90))).astype(np.complex64)
               for _ in range(3))
    attributes = {"lhs_contracting": (1,), "rhs_contracting": (2,), "lhs_batch": (0,), "rhs_batch": (0,), "dtype": None}
    kernel = dot_general(one_operation("dot_general", [ArrayType(x.shape, x.dtype)] * 2, attributes).operations[0])
    assert kernel is not None
    first, second = kernel.function(x, y), kernel.function(x, z)
    for found, other in ((first, y), (second, z)):
        assert found.flags.c_contiguous
        np.testing.assert_allclose(found, x.swapaxes(1, 2) @ other.swapaxes(1, 2), rtol=1e-4, atol=1e-4)


WITH_THREADS = """
import os, sys
import numpy as np
assert len(os.listdir("/proc/self/task")) > 1 or sys.platform != "linux" or os.cpu_count() == 1
import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P

mesh = olympus.make_mesh((4,), ("x",))
random = np.random.default_rng(0)
x, y = (random.standard_normal((2, 256, 256)).astype(np.float32).view(np.complex64) for _ in range(2))
y = y.swapaxes(1, 2)
rows, columns = NamedSharding(mesh, P(None, "x")), NamedSharding(mesh, P(None, None, "x"))
wanted = np.stack([[(row[:, None] * b).sum(0) for row in a] for a, b in zip(x, y)])
multiply = olympus.jit(jnp.matmul)
for _ in range(2):
    for sharded in (rows, columns):
        found = multiply(olympus.device_put(x, sharded), olympus.device_put(y, rows))
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-3, atol=1e-3)
print("equal")
"""


@pytest.mark.processes
def test_products_while_the_threads_of_numpys_library_are_free() -> None:
    """All other tests hold it to one thread; here four devices multiply by it at the same time."""
    (end,) = run_processes(WITH_THREADS, 1, env={"OLYMPUS_NUM_CPU_DEVICES": "4", "OPENBLAS_NUM_THREADS": "4"})
    assert end.stdout == "equal\n", end.stderr


def test_results_do_not_hold_much_larger_arrays_alive() -> None:
    large = np.zeros((1000, 1000), np.float32)
    assert settle(large[:2]).base is None
    assert settle(large.T).flags.c_contiguous
    assert settle(np.broadcast_to(np.float32(1), (1000,))).flags.c_contiguous
    whole = large.reshape(-1)
    assert settle(whole) is whole
    assert settle(large) is large


def test_slices_of_large_arrays_come_out_as_arrays_of_their_own() -> None:
    program = one_operation("slice", [ArrayType((1000, 100), "float32")],
                            {"starts": (0, 0), "limits": (1, 100), "strides": (1, 1)})
    (device,) = fake_devices(1)
    executable = compile_with_table(device_program(program, [device]), cpu_table(), None, CpuBuffer)
    ((result,),) = executable.execute([[ArrayBuffer(np.ones((1000, 100), np.float32), device)]])
    assert result.to_host().base is None
