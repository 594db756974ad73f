# SPDX-License-Identifier: Apache-2.0
"""Which operations run by NumPy because the compiler leaves them: an explicit list, so that a change is noticed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from olympus_conformance.random_programs.generator import elementwise_for
from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, DeviceGroups, OperationRecord, Program, ProgramBuilder
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import OperationStep, plan
from olympus_cpu.codegen.emit.operations import supports
from olympus_cpu.compiled.passes import PRODUCTS

FLOATS = frozenset(dtypes.FLOATS)
NARROW = frozenset(dtypes.NARROW_FLOATS)
COMPLEX = frozenset(dtypes.COMPLEXES)
EVERYTHING = frozenset(dtypes.ALL)
NUMBERS = EVERYTHING - {dtypes.bool_}

# By design: control flow is a step of its own (test_loops.py) or Python's, callbacks are Python's, collectives go
# between devices, products are steps of their own.
BY_DESIGN = {"cond", "while", "scan", "host_callback", "dot_general", "manual", "all_gather", "all_reduce",
             "all_to_all", "reduce_scatter", "permute", "broadcast", "axis_index"}
# Not yet: no kernel is generated for any element type.
NEVER = {"fft", "sort", "top_k", "convolution",
         *(name for name, record in ops.OPERATIONS.items() if record.category == "linear_algebra")}
# No kernel for these element types; floats of 8 bits have none at all.
IN_PART: dict[str, frozenset[np.dtype]] = {}


def attributes_of(name: str, dtype: np.dtype) -> tuple[list[ArrayType], dict[str, Any]] | None:
    """Operands and attributes with which an operation that is not element by element is tried."""
    x, i = ArrayType((4, 6), dtype), ArrayType((), "int32")
    none = {"operand_batching_dims": (), "indices_batching_dims": ()}
    where = ArrayType((3, 1), "int32")
    table: dict[str, tuple[list[ArrayType], dict[str, Any]]] = {
        "argmax": ([x], {"dimension": 1, "dtype": dtypes.int32}),
        "argmin": ([x], {"dimension": 1, "dtype": dtypes.int32}),
        "bitcast_convert": ([x], {"dtype": np.dtype(f"u{dtype.itemsize}") if dtype.itemsize <= 8 else dtype}),
        "broadcast_in_dim": ([x], {"shape": (3, 4, 6), "dimensions": (1, 2)}),
        "concatenate": ([x, x], {"dimension": 0}),
        "convert": ([x], {"dtype": dtypes.float32 if dtype != dtypes.float32 else dtypes.int8}),
        "convolution": ([ArrayType((1, 1, 5), dtype), ArrayType((1, 1, 2), dtype)], {
            "window_strides": (1,), "padding": ((0, 0),), "lhs_dilation": (1,), "rhs_dilation": (1,),
            "lhs_layout": "NCW", "rhs_layout": "OIW", "out_layout": "NCW", "feature_groups": 1, "batch_groups": 1}),
        "dot_general": ([x, x], {"lhs_contracting": (1,), "rhs_contracting": (1,), "lhs_batch": (), "rhs_batch": (),
                                 "dtype": None}),
        "dynamic_slice": ([x, i, i], {"sizes": (2, 3)}),
        "dynamic_update_slice": ([x, x.with_shape((2, 3)), i, i], {}),
        "fft": ([x], {"kind": "rfft" if dtypes.is_float(dtype) else "fft", "dimension": 1, "length": 6}),
        "gather": ([x, where], {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,),
                                "slice_sizes": (1, 6), "mode": "fill", **none}),
        "iota": ([], {"shape": (4, 6), "dtype": dtype, "dimension": 1}),
        **{name: ([ArrayType((4, 4), dtype)], {}) for name in ("cholesky", "lu", "geqrf", "hessenberg")},
        "eig": ([ArrayType((4, 4), dtype)], {"left": False, "right": True}),
        "eigh": ([ArrayType((4, 4), dtype)], {"lower": True, "vectors": True}),
        "geqp3": ([x, ArrayType((6,), "int32")], {}),
        "householder_product": ([ArrayType((6, 4), dtype), ArrayType((4,), dtype)], {}),
        "ormqr": ([x, ArrayType((4,), dtype), x], {"left": True, "transpose": False}),
        "schur": ([ArrayType((4, 4), dtype)], {"vectors": True}),
        "svd": ([x], {"full_matrices": False, "vectors": True}),
        "triangular_solve": ([ArrayType((4, 4), dtype), x], dict.fromkeys(
            ("left_side", "lower", "transpose", "conjugate", "unit_diagonal"), True)),
        "tridiagonal": ([ArrayType((4, 4), dtype)], {"lower": True}),
        "tridiagonal_solve": ([ArrayType((4,), dtype)] * 3 + [x], {}),
        "pad": ([x, x.with_shape(())], {"low": (1, 0), "high": (0, 2), "interior": (0, 1)}),
        "random_bits": ([ArrayType((2,), "uint32")], {"shape": (4,), "global_shape": (4,), "dtype": dtype}),
        "reshape": ([x], {"shape": (24,)}),
        "reverse": ([x], {"dimensions": (1,)}),
        "scatter": ([x, where, x.with_shape((3, 6))], {
            "update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
            "combine": "set", "mode": "drop", **none}),
        "select": ([x.with_dtype(np.bool_), x, x], {}),
        "slice": ([x], {"starts": (1, 0), "limits": (4, 6), "strides": (2, 1)}),
        "sort": ([x], {"dimension": 1, "keys": 1}),
        "top_k": ([x], {"dimension": 1, "k": 2, "dtype": dtypes.int32}),
        "threefry2x32": ([x] * 4, {}),
        "transpose": ([x], {"permutation": (1, 0)}),
        **{name: ([x], {"dimensions": (1,)}) for name in ops.OPERATIONS if name.startswith("reduce_")},
        **{f"cum{name}": ([x], {"dimension": 1, "reverse": True}) for name in ("sum", "prod", "max", "min")},
    }
    return table.get(name)


def is_left(record: OperationRecord, types: Sequence[ArrayType], attributes: Mapping[str, Any]) -> bool | None:
    """Whether the operation stays one in the plan; None where it does not take these operands."""
    builder = ProgramBuilder("one")
    inputs = [builder.input(t) for t in types]
    try:
        results = builder.emit(record, inputs, attributes)
    except OperandError:
        return None
    found = plan(PRODUCTS(flatten(builder.finish(results))), lambda r, t: supports(r or ops.convert, t))
    return any(isinstance(step, OperationStep) for step in found.steps)


def left_types(record: OperationRecord) -> tuple[set[np.dtype], set[np.dtype]]:
    """The element types that an operation takes, and those of them on which it is left to the table."""
    taken, left = set(), set()
    for dtype in dtypes.ALL:
        arity = [n for r, n in elementwise_for(dtype) if r is record]
        given = ([ArrayType((4, 6), dtype)] * arity[0], {}) if arity else attributes_of(record.name, dtype)
        if given is None:
            continue
        answer = is_left(record, *given)
        if answer is not None:
            taken.add(dtype)
            if answer:
                left.add(dtype)
    return taken, left


@pytest.mark.parametrize("name", sorted(set(ops.OPERATIONS) - BY_DESIGN - {"constant", "sharding_constraint", "call"}))
def test_what_is_left_to_the_table_is_what_is_listed(name: str) -> None:
    taken, left = left_types(ops.OPERATIONS[name])
    assert taken, "no operands were found for it"
    if name in NEVER:
        assert left == taken
    else:
        assert left - NARROW == IN_PART.get(name, frozenset()) & taken
        assert taken & NARROW <= left


def test_products_stay_products() -> None:
    taken, left = left_types(ops.dot_general)
    assert taken == left == set(NUMBERS)


def test_control_flow_and_callbacks_stay_python() -> None:
    builder = ProgramBuilder("body")
    kind = ArrayType((3,), "float32")
    body = builder.finish(builder.emit(ops.sin, [builder.input(kind)]))
    assert is_left(ops.cond, [ArrayType((), "int32"), kind], {}) is None  # needs regions
    outer = ProgramBuilder("outer")
    index, x = outer.input(ArrayType((), "int32")), outer.input(kind)
    program: Program = outer.finish(outer.emit(ops.cond, [index, x], {}, [body]))
    found = plan(flatten(program), lambda r, t: supports(r or ops.convert, t))
    assert [step.operation.name for step in found.steps if isinstance(step, OperationStep)] == ["cond"]
    group = DeviceGroups(((0, 1),))
    assert is_left(ops.all_reduce, [kind], {"reduction": "sum", "group": group})


def test_called_functions_are_written_out() -> None:
    inner = ProgramBuilder("inner")
    kind = ArrayType((3,), "float32")
    region = inner.finish(inner.emit(ops.sin, [inner.input(kind)]))
    builder = ProgramBuilder("outer")
    program = builder.finish(builder.emit(ops.call, [builder.input(kind)], {}, [region]))
    found = plan(flatten(program), lambda r, t: supports(r or ops.convert, t))
    assert not [step for step in found.steps if isinstance(step, OperationStep)]


def test_constants_are_kept_and_numbers_become_part_of_kernels() -> None:
    for value, stays in ((np.float32(3), False), (np.arange(4, dtype="f4"), True)):
        builder = ProgramBuilder("constant")
        x = builder.input(ArrayType(value.shape, "float32"))
        (c,) = builder.emit(ops.constant, [], {"value": np.asarray(value)})
        program = builder.finish(builder.emit(ops.add, [x, c]))
        found = plan(flatten(program), lambda r, t: supports(r or ops.convert, t))
        assert any(isinstance(step, OperationStep) for step in found.steps) == stays


def test_forms_that_are_left() -> None:
    """Operations that have kernels, but not for these operands."""
    x = ArrayType((4, 6), "float32")
    assert is_left(ops.concatenate, [x] * 9, {"dimension": 0})
    assert is_left(ops.concatenate, [x] * 8, {"dimension": 0}) is False
    assert is_left(ops.add, [x.with_shape((0, 3))] * 2, {})  # nothing to do
    assert is_left(ops.reduce_sum, [x.with_shape((0, 3))], {"dimensions": (0,)})
