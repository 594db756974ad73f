# SPDX-License-Identifier: Apache-2.0
"""Control flow: type rules check every region, and the meaning as one call follows from the steps."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import OperandError
from olympus_core.placement import Mesh
from olympus_core.program import ArrayType, Program, Value, run

F, INDEX, B = ArrayType((), "float32"), ArrayType((), "int32"), ArrayType((), "bool")
XS = ArrayType((5,), "float32")
MESH = Mesh(np.arange(8).reshape(2, 4), ("x", "y"))


def region(inputs, outputs):
    """A region of these types; type rules look at types only."""
    return Program("region", tuple(map(Value, inputs)), (), tuple(map(Value, outputs)))


def types(record, operands, regions, **attributes):
    return tuple(record.type_rule(operands, attributes, regions))


def refused(match, record, operands, regions, **attributes):
    with pytest.raises(OperandError, match=match):
        types(record, operands, regions, **attributes)


def test_cond_types():
    branch = region([F, XS], [XS, B])
    assert types(ops.cond, [INDEX, F, XS], [branch]) == (XS, B)
    assert types(ops.cond, [INDEX, F, XS], [branch] * 3) == (XS, B)
    assert types(ops.cond, [INDEX], [region([], [F])]) == (F,)
    refused("int32 scalar", ops.cond, [B, F, XS], [branch])
    refused("int32 scalar", ops.cond, [ArrayType((1,), "int32"), F, XS], [branch])
    refused("int32 scalar", ops.cond, [], [branch])
    refused("no branch", ops.cond, [INDEX, F, XS], [])
    refused("inputs of branch 0", ops.cond, [INDEX, F], [branch])
    refused("inputs of branch 1", ops.cond, [INDEX, F, XS], [branch, region([XS, F], [XS, B])])
    refused("outputs of branch 1", ops.cond, [INDEX, F, XS], [branch, region([F, XS], [XS])])


def test_while_types():
    condition, body = region([F, INDEX, XS], [B]), region([F, INDEX, XS], [INDEX, XS])
    assert types(ops.while_, [F, INDEX, XS], [condition, body], constants=1) == (INDEX, XS)
    refused("number of regions", ops.while_, [F, INDEX, XS], [condition], constants=1)
    refused("attribute constants", ops.while_, [F, INDEX, XS], [condition, body], constants=4)
    refused("attribute constants", ops.while_, [F, INDEX, XS], [condition, body], constants=-1)
    refused("missing", ops.while_, [F, INDEX, XS], [condition, body])
    refused("condition's inputs", ops.while_, [F, INDEX, XS], [region([INDEX, XS], [B]), body], constants=1)
    refused("condition's outputs", ops.while_, [F, INDEX, XS], [region([F, INDEX, XS], [INDEX]), body], constants=1)
    refused("condition's outputs", ops.while_, [F, INDEX, XS], [region([F, INDEX, XS], [B, B]), body], constants=1)
    refused("body's inputs", ops.while_, [F, INDEX, XS], [condition, region([INDEX, XS], [INDEX, XS])], constants=1)
    refused("body's outputs", ops.while_, [F, INDEX, XS], [condition, region([F, INDEX, XS], [XS, INDEX])], constants=1)


def test_scan_types():
    body = region([F, INDEX, F], [INDEX, B, XS])
    good = {"constants": 1, "carry": 1, "length": 5, "reverse": False}
    expected = (INDEX, ArrayType((5,), "bool"), ArrayType((5, 5), "float32"))
    assert types(ops.scan, [F, INDEX, XS], [body], **good) == expected
    carried = {"constants": 0, "carry": 1, "length": 9, "reverse": True}
    assert types(ops.scan, [INDEX], [region([INDEX], [INDEX])], **carried) == (INDEX,)
    refused("number of regions", ops.scan, [F, INDEX, XS], [body, body], **good)
    refused("attribute carry", ops.scan, [F, INDEX, XS], [body], **{**good, "carry": 3})
    refused("length", ops.scan, [F, INDEX, XS], [body], **{**good, "length": -1})
    refused("another first dimension", ops.scan, [F, INDEX, XS], [body], **{**good, "length": 4})
    refused("another first dimension", ops.scan, [F, INDEX, F], [body], **good)
    refused("body's inputs", ops.scan, [F, INDEX, XS], [region([F, INDEX, XS], [INDEX])], **good)
    refused("body's carried outputs", ops.scan, [F, INDEX, XS], [region([F, INDEX, F], [F])], **good)
    refused("body's carried outputs", ops.scan, [F, INDEX, XS], [region([F, INDEX, F], [])], **good)


def test_call_types():
    assert types(ops.call, [F, INDEX], [region([F, INDEX], [B])]) == (B,)
    refused("region's inputs", ops.call, [F], [region([F, INDEX], [B])])
    refused("number of regions", ops.call, [F], [])


def test_manual_types():
    whole, local = ArrayType((8, 6), "int8"), ArrayType((1, 6), "int8")
    good = {"mesh": MESH, "axes": ("x", "y"), "in_dims": ((("y", "x"), ()),), "out_dims": (((), ("x",)),)}
    body = region([local], [ArrayType((3, 5), "int8")])
    assert types(ops.manual, [whole], [body], **good) == (ArrayType((3, 10), "int8"),)
    refused("number of regions", ops.manual, [whole], [], **good)
    refused("does not name axes", ops.manual, [whole], [body], **{**good, "axes": ("x", "z")})
    refused("does not name axes", ops.manual, [whole], [body], **{**good, "axes": ("x", "x")})
    refused("dims of operand 0", ops.manual, [whole], [body], **{**good, "axes": ("x",)})
    refused("in_dims", ops.manual, [whole], [body], **{**good, "in_dims": ()})
    refused("out_dims", ops.manual, [whole], [body], **{**good, "out_dims": ()})
    refused("dims of operand 0", ops.manual, [whole], [body], **{**good, "in_dims": ((("x",),),)})
    refused("dims of operand 0", ops.manual, [whole], [body], **{**good, "in_dims": ((("x",), ("x",)),)})
    refused("dims of output 0", ops.manual, [whole], [body], **{**good, "out_dims": (((), ("z",)),)})
    refused("does not divide", ops.manual, [whole], [body], **{**good, "in_dims": (((), ("y",)),)})
    refused("region's inputs", ops.manual, [local.with_shape((16, 6))], [body], **good)


def test_the_meaning_as_one_call():
    """`control_reference` runs every region that the steps ask for, in their order."""
    condition, body = region([F], [B]), region([F], [F])
    asked = []

    def run_region(program, values):
        asked.append(program)
        return [values[0] < 3] if program is condition else [values[0] + 1]

    (result,) = ops.while_.control_reference([np.float32(1)], {"constants": 0}, [condition, body], run_region)
    assert result == 3
    assert asked == [condition, body, condition, body, condition]
    assert ops.sin.control_reference is None


def test_results_of_scan_without_steps():
    body = region([F], [F, XS])
    attributes = {"constants": 0, "carry": 1, "length": 0, "reverse": False}
    carry, stacked = ops.scan.control_reference([np.float32(1)], attributes, [body], run)
    assert carry == 1
    assert (stacked.shape, stacked.dtype) == ((0, 5), np.float32)
