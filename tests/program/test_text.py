# SPDX-License-Identifier: Apache-2.0
"""The text of programs: its form, what it tells apart, and that it is the same everywhere."""

from __future__ import annotations

import enum
import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from olympus_core import ops
from olympus_core.errors import OlympusInternalError
from olympus_core.placement import Mesh
from olympus_core.program import (
    ArrayType,
    AxisGroup,
    DeviceGroups,
    Operation,
    Program,
    ProgramBuilder,
    Value,
    attribute_text,
    first_difference,
    operation_text,
    program_text,
)

F4 = ArrayType((4,), "float32")
INDEX = ArrayType((), "int32")


def unary_program(record, type=F4):
    builder = ProgramBuilder(record.name)
    x = builder.input(type)
    return builder.finish(builder.emit(record, [x]))


def test_straight_line():
    builder = ProgramBuilder("f")
    x, y = builder.input(F4), builder.input(F4)
    (a,) = builder.emit(ops.sub, [y, x])
    (b,) = builder.emit(ops.reduce_sum, [a], {"dimensions": (0,)})
    assert program_text(builder.finish([b, x, b])) == (
        "program(%0: float32[4], %1: float32[4]) {\n"
        "  %2: float32[4] = sub %1, %0\n"
        "  %3: float32[] = reduce_sum %2 {dimensions=(0,)}\n"
        "  return %3, %0, %3\n"
        "}"
    )


def test_regions_and_several_results():
    builder = ProgramBuilder("f")
    i, x = builder.input(INDEX), builder.input(F4)
    (y,) = builder.emit(ops.cond, [i, x], regions=[unary_program(ops.sin), unary_program(ops.cos)])
    word = builder.input(ArrayType((), "uint32"))
    a, b = builder.emit(ops.threefry2x32, [word] * 4)
    assert str(builder.finish([y, a, b])) == (
        "program(%0: int32[], %1: float32[4], %2: uint32[]) {\n"
        "  %3: float32[4] = cond %0, %1 (%0: float32[4]) {\n"
        "    %1: float32[4] = sin %0\n"
        "    return %1\n"
        "  }, (%0: float32[4]) {\n"
        "    %1: float32[4] = cos %0\n"
        "    return %1\n"
        "  }\n"
        "  %4: uint32[], %5: uint32[] = threefry2x32 %2, %2, %2, %2\n"
        "  return %3, %4, %5\n"
        "}"
    )


def test_no_inputs_and_no_outputs():
    assert program_text(Program("f", (), (), ())) == "program() {\n  return\n}"


def test_values_of_nobody_do_not_stop_the_text():
    stray = Value(F4)
    program = Program("f", (), (Operation(ops.sin, (stray,), {}, (), (Value(F4),)),), (stray,))
    assert "= sin %?" in program_text(program)
    assert "return %?" in program_text(program)


def test_attributes_are_sorted_by_name():
    builder = ProgramBuilder()
    (x,) = builder.emit(ops.iota, [], {"shape": (2, 3), "dtype": np.dtype("int32"), "dimension": 1})
    text = program_text(builder.finish([x]))
    assert "  %0: int32[2,3] = iota {dimension=1, dtype=int32, shape=(2, 3)}" in text.splitlines()


class Color(enum.Enum):
    Red = 1


@pytest.mark.parametrize(("value", "text"), [
    ((), "()"),
    ((1,), "(1,)"),
    ([1, (2, 3)], "(1, (2, 3))"),
    (None, "None"),
    (True, "True"),
    (0.1, "0.1"),
    ("NC  HW", "'NC  HW'"),
    (np.dtype("float32"), "float32"),
    (np.dtype(ml_dtypes.bfloat16), "bfloat16"),
    (F4, "float32[4]"),
    (Color.Red, "Red"),
    ({"b": 1, "a": (2,)}, "{'a': (2,), 'b': 1}"),
    (frozenset({"y", "x"}), "{'x', 'y'}"),
    (AxisGroup((("x", 2), ("y", 4)), ("y", "x")), "(y,x)"),
    (DeviceGroups(((0, 1), (2, 3))), "{[0,1],[2,3]}"),
    (Mesh(np.arange(8).reshape(2, 4), ("x", "y")), "Mesh('x': 2, 'y': 4)"),
    (ops.HostFunction("log_loss", lambda x: x), "log_loss()"),
    (np.float32(0.1), "float32[](0.1)"),
    (np.array([1, 2], np.int8), "int8[2]([1, 2])"),
    (np.array([True]), "bool[1]([True])"),
    (np.array([[0.5], [-0.0]], np.float64), "float64[2,1]([[0.5], [-0.0]])"),
    (np.array([0.5, 2], ml_dtypes.bfloat16), "bfloat16[2]([0.5, 2.0])"),
    (np.zeros((2, 0), np.float32), "float32[2,0]([[], []])"),
])
def test_attribute_text(value, text):
    assert attribute_text(value) == text


def test_an_attribute_without_a_text_is_refused():
    with pytest.raises(OlympusInternalError, match="object"):
        attribute_text(object())


def test_long_arrays_are_digests_of_their_content():
    array = np.arange(64, dtype=np.float32).reshape(8, 8)
    text = attribute_text(array)
    assert text.startswith("float32[8,8](sha256:")
    assert text == attribute_text(np.asfortranarray(array))
    assert text == attribute_text(array.astype(">f4"))
    assert text != attribute_text(array.T)
    assert text != attribute_text(array.view(np.int32))


def bits(array):
    return (array.shape, array.dtype, array.tobytes())


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_arrays_of_equal_text_have_equal_bits(data):
    dtype = data.draw(st.sampled_from([np.float16, np.float32, np.float64, np.complex64, np.int8, np.uint64, np.bool_]))
    shape = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=4))
    # Patterns of bits rather than numbers: NaNs of several kinds and both zeros are among them.
    count = int(np.prod(shape, dtype=int)) * np.dtype(dtype).itemsize
    pattern = st.just(bytes(count)) | st.binary(min_size=count, max_size=count)
    if dtype is np.bool_:
        pattern = st.lists(st.sampled_from([0, 1]), min_size=count, max_size=count).map(bytes)
    a, b = (np.frombuffer(data.draw(pattern), dtype).reshape(shape) for _ in range(2))
    assert (attribute_text(a) == attribute_text(b)) == (bits(a) == bits(b))


def test_not_a_number_with_other_bits_is_another_constant():
    a, b = np.array([0x7FC00000, 0x7FC00001], np.uint32).view(np.float32)[:, None]
    assert attribute_text(a) != attribute_text(b)


def test_name_and_locations_are_not_in_the_fingerprint():
    def build(name, location):
        builder = ProgramBuilder(name)
        x = builder.input(F4)
        return builder.finish(builder.emit(ops.sin, [x], location=location))

    a, b = build("f", "a.py:1"), build("g", None)
    assert a.fingerprint == b.fingerprint
    assert len(a.fingerprint) == 32
    assert program_text(a, locations=True).splitlines()[1] == "  %1: float32[4] = sin %0  # a.py:1"
    assert program_text(b, locations=True) == program_text(b)
    assert operation_text(a, a.operations[0]) == "%1: float32[4] = sin %0  # a.py:1"


def product(swapped, location):
    builder = ProgramBuilder()
    x, y = builder.input(ArrayType((2, 2), "float32")), builder.input(ArrayType((2, 2), "float32"))
    operands = [y, x] if swapped else [x, y]
    attributes = {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": (), "dtype": None}
    (z,) = builder.emit(ops.dot_general, operands, attributes, location=location)
    (w,) = builder.emit(ops.sin, [z], location="train.py:99")
    return builder.finish([w])


def test_first_difference_shows_both_lines_with_locations():
    a = program_text(product(False, "train.py:7"), locations=True)
    b = program_text(product(True, "train.py:8"), locations=True)
    line_a, line_b = first_difference(a, b)
    assert "dot_general %0, %1 " in line_a
    assert "dot_general %1, %0 " in line_b
    assert line_a.endswith("# train.py:7")
    assert line_b.endswith("# train.py:8")


def test_locations_alone_are_no_difference():
    a = program_text(product(False, "train.py:7"), locations=True)
    b = program_text(product(False, "other.py:1"), locations=True)
    assert a != b
    assert first_difference(a, b) is None
    assert first_difference(a, program_text(product(False, None))) is None


def test_first_difference_in_length_inputs_and_regions():
    assert first_difference("program() {", "program() {\n  return\n}") == ("(the program ends here)", "return")

    def branch(record):
        builder = ProgramBuilder()
        i, x = builder.input(INDEX), builder.input(F4)
        return builder.finish(builder.emit(ops.cond, [i, x], regions=[unary_program(ops.sin), unary_program(record)]))

    assert first_difference(branch(ops.cos).text, branch(ops.tan).text) == (
        "%1: float32[4] = cos %0", "%1: float32[4] = tan %0",
    )


SCRIPT = """
import numpy as np
from olympus_core import ops
from olympus_core.placement import Mesh
from olympus_core.program import ArrayType, AxisGroup, ProgramBuilder, program_text

mesh = Mesh(np.arange(4).reshape(2, 2), ("x", "y"))
body = ProgramBuilder("body")
x = body.input(ArrayType((2, 8), "float32"))
(s,) = body.emit(ops.all_reduce, [x], {"reduction": "sum", "group": AxisGroup(mesh.shape_tuple, ("x",))})
region = body.finish([s])
builder = ProgramBuilder("f")
x = builder.input(ArrayType((4, 8), "float32"))
attributes = {"mesh": mesh, "axes": ("x",), "in_dims": ((("x",), ()),), "out_dims": (((), ()),)}
(y,) = builder.emit(ops.manual, [x], attributes, [region], location="f.py:1")
(c,) = builder.emit(ops.constant, [], {"value": np.linspace(0, 1, 16, dtype=np.float32).reshape(2, 8)})
(d,) = builder.emit(ops.constant, [], {"value": np.array(0.1, np.float32)})
(z,) = builder.emit(ops.add, [y, c])
types = (ArrayType((), "float32"),)
attributes = {"callback": ops.HostFunction("note", print), "result_types": types, "ordered": True}
(e,) = builder.emit(ops.host_callback, [z], attributes)
program = builder.finish([z, d, e])
print(program.fingerprint)
print(program_text(program, locations=True))
"""


def test_the_same_in_every_process():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE,
            text=True, check=True, timeout=60,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(outputs) == 1
    assert "all_reduce %0 {group=(x), reduction='sum'}" in outputs.pop()


def test_identities_tell_apart_what_text_shortens() -> None:
    def summed(*mesh_shape: tuple[str, int]) -> Program:
        builder = ProgramBuilder()
        x = builder.input(ArrayType((4,), "float32"))
        return builder.finish(builder.emit(ops.all_reduce, [x], {
            "reduction": "sum", "group": AxisGroup(mesh_shape, ("i",))}))

    one, again, other = summed(("i", 2)), summed(("i", 2)), summed(("j", 3), ("i", 2))
    assert one.fingerprint == other.fingerprint
    assert one.identity == again.identity != other.identity
