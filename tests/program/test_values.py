# SPDX-License-Identifier: Apache-2.0
"""Types, groups, factor rules and the builder."""

from __future__ import annotations

import itertools
import pickle

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import OperandError, OutOfMemoryError
from olympus_core.program import (
    ArrayType,
    AxisGroup,
    DeviceGroups,
    DeviceProgram,
    Factor,
    FactorRule,
    ProgramBuilder,
    axis_groups,
    operations_of,
)

F4 = ArrayType((4,), "float32")


def test_types_are_interned():
    assert ArrayType([4], np.float32) is F4
    assert F4.with_shape((2, 2)).with_shape((4,)) is F4
    assert F4.with_dtype("int8") is not F4
    assert pickle.loads(pickle.dumps(F4)) is F4
    pair = ArrayType((2, 3), "int16")
    assert (pair.size, pair.nbytes, ArrayType((), "bool").ndim) == (6, 12, 0)
    assert repr(ArrayType((2, 3), "int16")) == "int16[2,3]"


@pytest.mark.parametrize("shape", [(2**62,), (2**31, 2**30), (2**40, 2**40), (0, 2**63)])
def test_no_type_has_more_bytes_than_addresses(shape):
    with pytest.raises(OutOfMemoryError, match=r"Out of memory: int32\[.* more than any memory") as caught:
        ArrayType(shape, "int32")
    assert caught.value.asked == 4 * np.prod(shape, dtype=object) and isinstance(caught.value, MemoryError)
    assert ArrayType((2**31, 2**30 - 1), "int32").nbytes == 2**63 - 2**33


MESHES = [
    (("x", 1),), (("x", 8),), (("x", 2), ("y", 4)), (("x", 2), ("y", 2), ("z", 2)), (("x", 3), ("y", 1), ("z", 2)),
]


@pytest.mark.parametrize("mesh_shape", MESHES)
def test_axis_groups_are_the_devices_that_differ_in_these_axes_only(mesh_shape):
    names = [n for n, _ in mesh_shape]
    places = list(itertools.product(*(range(n) for _, n in mesh_shape)))
    for count in range(len(names) + 1):
        for axes in itertools.permutations(names, count):
            expected = {}
            for position, place in enumerate(places):
                outside = tuple(p for n, p in zip(names, place, strict=True) if n not in axes)
                inside = tuple(place[names.index(a)] for a in axes)
                expected.setdefault(outside, []).append((inside, position))
            groups = axis_groups(mesh_shape, axes)
            assert sorted(groups) == sorted(tuple(p for _, p in sorted(g)) for g in expected.values())
            assert [min(g) for g in groups] == sorted(min(g) for g in groups)
            group = AxisGroup(mesh_shape, axes)
            assert group.groups == groups
            assert group.size == len(groups[0])


def test_device_groups():
    groups = DeviceGroups(((0, 2), (1, 3)))
    assert groups.size == 2
    assert repr(groups) == "{[0,2],[1,3]}"


def test_einsum_rule():
    rule = FactorRule.einsum("mk,kn->mn", [(2, 3), (3, 4)], [(2, 4)], reduced={"k": "sum"})
    assert rule.factors == (Factor(2), Factor(3, "reduced", "sum"), Factor(4))
    assert rule.operands == (((0,), (1,)), ((1,), (2,)))
    assert rule.results == (((0,), (2,)),)
    assert FactorRule.einsum("i->i", [(5,)], [(5,)], whole="i").factors == (Factor(5, "whole"),)
    assert FactorRule.einsum("->i", [], [(5,)]) == FactorRule((Factor(5),), (), (((0,),),))
    assert FactorRule.einsum(",i->i", [(), (5,)], [(5,)]).operands == ((), ((0,),))


def test_unsplittable_rule():
    rule = FactorRule.unsplittable([(2, 3), ()], [(2,)])
    assert [f.kind for f in rule.factors] == ["whole"] * 3
    assert rule.operands == (((0,), (1,)), ())
    assert rule.results == (((2,),),)


def test_builder_leaves_out_what_nobody_needs():
    builder = ProgramBuilder()
    x = builder.input(F4)
    (y,) = builder.emit(ops.sin, [x])
    builder.emit(ops.cos, [y])
    assert [o.name for o in builder.finish([y]).operations] == ["sin"]


def callback(ordered):
    return {"callback": ops.HostFunction("note", lambda x: None), "result_types": (), "ordered": ordered}


def test_builder_keeps_effects_also_those_inside_regions():
    region = ProgramBuilder()
    inner = region.input(F4)
    region.emit(ops.host_callback, [inner], callback(True))
    (inner_result,) = region.emit(ops.cos, [inner])
    builder = ProgramBuilder()
    x = builder.input(F4)
    builder.emit(ops.call, [x], regions=[region.finish([inner_result])])
    builder.emit(ops.host_callback, [x], callback(False))
    builder.emit(ops.host_callback, [x], callback(True))
    program = builder.finish([x])
    assert [o.name for o in operations_of(program)] == ["call", "host_callback", "cos", "host_callback"]
    assert program.operations[-1].attributes["ordered"]


def test_builder_refuses_operands_that_do_not_fit():
    builder = ProgramBuilder()
    with pytest.raises(OperandError, match="add"):
        builder.emit(ops.add, [builder.input(F4), builder.input(ArrayType((5,), "float32"))])


class _Device:
    def __init__(self, process_index: int, is_addressable: bool) -> None:
        self.process_index, self.is_addressable = process_index, is_addressable


def test_device_program_knows_its_own_devices():
    builder = ProgramBuilder()
    program = builder.finish([builder.input(F4)])
    devices = tuple(_Device(i // 2, i // 2 == 1) for i in range(4))
    device_program = DeviceProgram(program, devices)
    assert device_program.local_positions == (2, 3)
    assert device_program.local_devices == devices[2:]
    assert device_program.spans_processes
    assert not DeviceProgram(program, devices[:2]).spans_processes


def test_types_are_the_same_however_they_are_asked_for() -> None:
    wanted = ArrayType((2, 3), np.dtype("float32"))
    for shape in ((2, 3), [2, 3], (np.int64(2), 3), (np.array(2), np.array(3))):
        for dtype in ("float32", np.float32, np.dtype("float32")):
            assert ArrayType(shape, dtype) is wanted
    assert [type(n) for n in ArrayType((True, 5), np.dtype("int8")).shape] == [int, int]
    assert repr(wanted) == "float32[2,3]" and ArrayType((), np.dtype("bool")).ndim == 0
