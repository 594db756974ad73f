# SPDX-License-Identifier: Apache-2.0
"""Dimensions that int32 cannot count: offsets and indices of 64 bits. Such arrays are only traced here."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.tracing import bind
from olympus_core import dtypes, ops
from olympus_core.ops.random import threefry
from olympus_core.partition import partition
from olympus_core.partition.emit import DeviceEmitter
from olympus_core.program import ArrayType, Program, ProgramBuilder, Value
from olympus_core.program.interpreter import run, run_members

from .oracle import mesh_of

LONG = 1 << 34
KEY = np.array([5, 7], np.uint32)


def local(builder: ProgramBuilder, *outputs: Value, split: bool = True) -> Program:
    """The program of one device of 16; inputs of many elements are split along their first dimension."""
    program = builder.finish(outputs)
    dims = [(("a",) if split and t.shape and t.shape[0] == LONG else (), *((),) * (t.ndim - 1)) if t.ndim else ()
            for t in program.input_types]
    return partition(program, mesh_of(16), dims, [(("a",), *((),) * (v.type.ndim - 1)) if v.type.shape[:1] == (LONG,)
                                                  else None for v in outputs]).device_program.program


@pytest.mark.parametrize(("size", "dtype"), [(1 << 26, "int32"), (1 << 27, "int64"), (1 << 33, "int64")])
def test_offsets_do_not_wrap(size: int, dtype: str) -> None:
    emitter = DeviceEmitter((("a", 4), ("b", 4)), "offsets", [])
    program = emitter.builder.finish([emitter.offset(("a", "b"), size), emitter.offset((), size)])
    found, first = run_members(program, [], range(16))
    assert [int(v) for v in found] == [size * i for i in range(16)] and {str(v.dtype) for v in found} == {dtype}
    assert {(int(v), str(v.dtype)) for v in first} == {(0, "int32")}


@pytest.mark.parametrize("dtype", ["int64", "float64", "int32"])
def test_numbers_of_a_long_dimension(dtype: str) -> None:
    builder = ProgramBuilder("numbers")
    (x,) = builder.emit(ops.iota, [], {"shape": (LONG,), "dtype": np.dtype(dtype), "dimension": 0})
    program = local(builder, x)
    (numbers,) = (o for o in program.operations if o.name == "iota")
    assert numbers.results[0].type == ArrayType((LONG // 16,), "int64")
    assert program.outputs[0].type == ArrayType((LONG // 16,), dtype)


@pytest.mark.parametrize("index", ["int32", "uint32", "int64", "int8"])
def test_gather_and_scatter_along_a_long_dimension(index: str) -> None:
    builder = ProgramBuilder("places")
    x, places = builder.input(ArrayType((LONG,), "int8")), builder.input(ArrayType((3, 1), index))
    (found,) = builder.emit(ops.gather, [x, places], {
        "offset_dims": (), "collapsed_slice_dims": (0,), "start_index_map": (0,), "operand_batching_dims": (),
        "indices_batching_dims": (), "slice_sizes": (1,), "mode": "fill", "fill_value": 5})
    (changed,) = builder.emit(ops.scatter, [x, places, found], {
        "update_window_dims": (), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
        "operand_batching_dims": (), "indices_batching_dims": (), "combine": "set", "mode": "clip"})
    operations = [o for o in local(builder, found, changed).operations if o.name in ("gather", "scatter")]
    assert [o.name for o in operations] == ["gather", "scatter"]
    assert {o.operands[1].type.dtype for o in operations} == {dtypes.int64}


def test_random_bits_of_parts_far_behind() -> None:
    """Their places have 64 bits; those that are made of two starts, too."""
    start = LONG // 2 + 3
    place = np.arange(start, start + 8, dtype=np.uint64)
    wanted = np.bitwise_xor(*threefry(*KEY, (place >> np.uint64(32)).astype(np.uint32), place.astype(np.uint32)))
    attributes = {"shape": (8,), "global_shape": (LONG,), "dtype": np.dtype("uint32")}
    builder = ProgramBuilder("bits")
    operands = [builder.input(ArrayType((2,), "uint32")), builder.input(ArrayType((), "int64"))]
    (found,) = run(builder.finish(builder.emit(ops.random_bits, operands, attributes)), [KEY, np.array(start)])
    np.testing.assert_array_equal(found, wanted)
    with olympus.enable_x64(True):
        compiled = bind(ops.random_bits, jnp.asarray(KEY), np.array(start), **attributes)
    np.testing.assert_array_equal(compiled, wanted)
    builder = ProgramBuilder("split")
    operands = [builder.input(ArrayType((2,), "uint32")), builder.input(ArrayType((), "int32"))]
    attributes = {**attributes, "shape": (LONG,), "global_shape": (2 * LONG,)}
    program = local(builder, *builder.emit(ops.random_bits, operands, attributes))
    (bits,) = (o for o in program.operations if o.name == "random_bits")
    assert bits.operands[1].type == ArrayType((), "int64")
