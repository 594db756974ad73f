# SPDX-License-Identifier: Apache-2.0
"""Explicit mode: what every operation makes of its operands' shardings, apart from any language."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from olympus_core import ops
from olympus_core.errors import ShardingTypeError
from olympus_core.partition import explicit_layout, program_layouts, result_layouts, same_layout, type_text
from olympus_core.placement import AxisType, Dims, Layout, Mesh
from olympus_core.program import ArrayType, Program, ProgramBuilder

from .cases import Case, all_cases
from .oracle import fake_devices, placements

CASES = all_cases()
DEVICES = fake_devices(8)


def mesh_of(sizes: Sequence[int], *types: AxisType) -> Mesh:
    count = int(np.prod(sizes))
    names = tuple("abcd"[: len(sizes)])
    return Mesh(np.array(DEVICES[:count], dtype=object).reshape(sizes), names, types or AxisType.Explicit)


def found_layouts(case: Case, program: Program, mesh: Mesh, dims: Sequence[Dims]) -> list[Layout | None] | None:
    """What the operation's results are; None where it is refused."""
    layouts = [Layout(mesh, d) for d in dims]
    try:
        return result_layouts(case.record, case.types, layouts, program.output_types, case.attributes)
    except ShardingTypeError as error:
        assert error.operation == case.record.name
        assert "to do:" in str(error)
        return None


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("sizes", [(2, 4), (2, 2)], ids=str)
def test_every_operation_under_sampled_shardings(case: Case, sizes: tuple[int, ...]) -> None:
    mesh, program = mesh_of(sizes), case.program()
    choice = random.Random(f"{case.name} {sizes}")
    options = [placements(mesh.shape_tuple, t.shape) for t in case.types]
    possible = [set(placements(mesh.shape_tuple, t.shape)) for t in program.output_types]
    replicated = [((),) * t.ndim for t in case.types]
    whole = found_layouts(case, program, mesh, replicated)
    assert whole is not None
    assert all(same_layout(layout, None) for layout in whole)
    swap = {"a": "b", "b": "a"}
    for _ in range(30):
        dims = [choice.choice(o) for o in options]
        layouts = found_layouts(case, program, mesh, dims)
        used = {axis for d in dims for axes in d for axis in axes}
        inside = program_layouts(program, [Layout(mesh, d) for d in dims])
        if layouts is None:
            assert inside == [None] * len(program.outputs)
            continue
        assert inside == layouts
        for layout, allowed in zip(layouts, possible, strict=True):
            if layout is not None:
                assert layout.dims in allowed  # divides, and each axis once
                assert {axis for axes in layout.dims for axis in axes} <= used
        if sizes[0] == sizes[1]:  # the axes' names carry no meaning
            other = [tuple(tuple(swap[a] for a in axes) for axes in d) for d in dims]
            swapped = found_layouts(case, program, mesh, other)
            assert swapped is not None
            for layout, mirrored in zip(layouts, swapped, strict=True):
                if layout is not None and mirrored is not None:
                    assert mirrored.dims == tuple(tuple(swap[a] for a in axes) for axes in layout.dims)


@pytest.mark.parametrize("case", [c for c in CASES if c.record.category == "elementwise"], ids=lambda case: case.name)
def test_elementwise_operations_keep_what_their_operands_agree_on(case: Case) -> None:
    mesh, program = mesh_of((2, 4)), case.program()
    for dims in placements(mesh.shape_tuple, case.types[0].shape):
        found = found_layouts(case, program, mesh, [dims] * len(case.types))
        assert found == [Layout(mesh, dims)] * len(program.outputs)


def test_nothing_known_gives_nothing() -> None:
    type = ArrayType((8,), "float32")
    assert result_layouts(ops.neg, [type], [None], [type], {}) == [None]


def test_the_type_holds_the_explicit_axes_only() -> None:
    mesh = mesh_of((2, 4), AxisType.Explicit, AxisType.Auto)
    assert explicit_layout(Layout(mesh, (("a", "b"), ()))) == Layout(mesh, (("a",), ()))
    assert explicit_layout(Layout(mesh_of((2, 4), AxisType.Auto, AxisType.Auto), (("a",),))) is None


def test_types_in_text() -> None:
    mesh, type = mesh_of((2, 4)), ArrayType((8, 2), "int32")
    assert type_text(type, None) == "int32[8,2]"
    assert type_text(type, Layout(mesh, (("b",), ("a",)))) == "int32[8@b,2@a]"
    assert type_text(type, Layout(mesh, (("a", "b"), ()))) == "int32[8@(a,b),2]"
    assert type_text(ArrayType((), "bool"), Layout(mesh, ())) == "bool[]"


def test_a_program_falls_back_to_what_constraints_say() -> None:
    """What automatic mode left open inside is settled by the constraint that ends it."""
    mesh = mesh_of((2, 4))
    builder = ProgramBuilder("scope")
    x, y = builder.input(ArrayType((8, 8), "float32")), builder.input(ArrayType((8, 8), "float32"))
    (product,) = builder.emit(ops.dot_general, [x, y], {
        "lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()})
    (placed,) = builder.emit(ops.sharding_constraint, [product], {"mesh": mesh, "dims": ((), ("b",))})
    (after,) = builder.emit(ops.neg, [placed])
    program = builder.finish([product, after])
    both = [Layout(mesh, ((), ("a",))), Layout(mesh, (("a",), ()))]
    assert program_layouts(program, both) == [None, Layout(mesh, ((), ("b",)))]
