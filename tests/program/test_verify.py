# SPDX-License-Identifier: Apache-2.0
"""The verifier takes what the builder makes, and refuses each way of being ill-formed."""

from __future__ import annotations

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import VerificationError
from olympus_core.placement import Mesh
from olympus_core.program import ArrayType, AxisGroup, DeviceGroups, Operation, Program, ProgramBuilder, Value, verify

F4 = ArrayType((4,), "float32")
MESH = Mesh(np.arange(4).reshape(2, 2), ("x", "y"))


def sum_over(axes, mesh_shape=MESH.shape_tuple, type=F4):
    builder = ProgramBuilder("body")
    x = builder.input(type)
    group = AxisGroup(mesh_shape, axes)
    return builder.finish(builder.emit(ops.all_reduce, [x], {"reduction": "sum", "group": group}))


def manual_over(axes, region, type=F4, mesh=MESH):
    builder = ProgramBuilder("f")
    x = builder.input(type)
    whole = ((),) * type.ndim
    attributes = {"mesh": mesh, "axes": axes, "in_dims": (whole,), "out_dims": (whole,)}
    return builder.finish(builder.emit(ops.manual, [x], attributes, [region]))


def refused(program, match, devices=None):
    with pytest.raises(VerificationError, match=match) as caught:
        verify(program, devices)
    return str(caught.value)


def step(record, operands, results, **more):
    return Operation(record, tuple(operands), more.get("attributes", {}), more.get("regions", ()), tuple(results),
                     more.get("location"))


def test_a_good_program_passes():
    verify(manual_over(("x",), sum_over(("x",))))
    verify(manual_over(("x", "y"), sum_over(("y", "x"))))
    verify(manual_over(("x",), manual_over(("y",), sum_over(("x", "y")))))


def test_use_before_the_value_is_made():
    x, y, z = Value(F4), Value(F4), Value(F4)
    program = Program("f", (x,), (step(ops.sin, [y], [z], location="a.py:3"), step(ops.sin, [x], [y])), (z,))
    message = refused(program, "before its use")
    assert "sin" in message
    assert "a.py:3" in message


def test_regions_are_closed():
    x, y = Value(F4), Value(F4)
    inner = Value(F4)
    region = Program("r", (inner,), (step(ops.add, [inner, x], [y]),), (y,))
    z = Value(F4)
    refused(Program("f", (x,), (step(ops.call, [x], [z], regions=(region,)),), (z,)), "before its use")


def test_values_are_made_once():
    x, y = Value(F4), Value(F4)
    refused(Program("f", (x,), (step(ops.sin, [x], [y]), step(ops.cos, [x], [y])), (y,)), "made once")
    refused(Program("f", (x,), (step(ops.sin, [x], [x]),), (x,)), "made once")
    refused(Program("f", (x, x), (), (x,)), "twice")


def test_outputs_are_made():
    refused(Program("f", (), (), (Value(F4),)), "output is made")


def test_types_are_those_of_the_type_rule():
    x, y = Value(F4), Value(ArrayType((5,), "float32"))
    refused(Program("f", (x,), (step(ops.sin, [x], [y]),), (y,)), "type rule gives")
    refused(Program("f", (x, y), (step(ops.add, [x, y], [Value(F4)]),), ()), "takes its operands")
    refused(Program("f", (x,), (step(ops.sin, [x], []),), ()), "type rule gives")


def test_types_inside_regions_are_checked():
    x, y = Value(F4), Value(ArrayType((), "float32"))
    region = Program("r", (x,), (step(ops.sin, [x], [y]),), (y,))
    outer, result = Value(F4), Value(ArrayType((), "float32"))
    refused(Program("f", (outer,), (step(ops.call, [outer], [result], regions=(region,)),), (result,)),
            "type rule gives")


def test_collectives_over_axes_stand_in_manual_regions():
    refused(sum_over(("x",)), "stands in a manual region")
    refused(manual_over(("x",), sum_over(("y",))), "axes that are manual")
    refused(manual_over(("x",), sum_over(("x",), (("x", 4), ("y", 1)))), "axes that are manual")


def test_nested_manual_regions():
    refused(manual_over(("x",), manual_over(("x",), sum_over(("x",)))), "becomes manual once")
    other = Mesh(np.arange(4), ("x",))
    refused(manual_over(("y",), manual_over(("x",), sum_over(("x",), other.shape_tuple), mesh=other)), "one mesh")


def exchange(groups):
    builder = ProgramBuilder("device")
    x = builder.input(F4)
    return builder.finish(builder.emit(ops.all_reduce, [x], {"reduction": "sum", "group": DeviceGroups(groups)}))


def test_groups_share_out_the_positions_of_a_device_program():
    verify(exchange(((0, 2), (1, 3))), devices=4)
    refused(exchange(((0, 2),)), "share out", devices=4)
    refused(exchange(((0, 1), (2, 4))), "share out", devices=4)
    refused(exchange(((0, 1),)), "program of one device")
    refused(manual_over(("x",), sum_over(("x",))), "no manual regions", devices=4)


def test_groups_are_checked_inside_control_flow():
    builder = ProgramBuilder("f")
    x = builder.input(F4)
    (y,) = builder.emit(ops.call, [x], regions=[exchange(((0, 1),))])
    program = builder.finish([y])
    verify(program, devices=2)
    refused(program, "share out", devices=3)
