# SPDX-License-Identifier: Apache-2.0
"""Reshard plans: every pair of shardings of small meshes, carried out and compared with cutting the whole array."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from olympus_core.partition import ValueSharding, plan_reshard, reshard_program
from olympus_core.placement import Dims, Layout
from olympus_core.program import ArrayType, DeviceGroups, ProgramBuilder
from olympus_core.program.interpreter import run_members

from .oracle import mesh_of, placements, shards

PAIRS = [
    ((8,), (8, 16)), ((2, 4), (8, 16)), ((2, 4), (8,)), ((2, 2, 2), (8, 8)), ((2, 2, 2), (4, 2, 8)), ((2, 3), (6, 12)),
    ((4, 2), (4, 2)), ((2, 2), (2, 2, 2)), ((1, 4), (4, 4)), ((2, 4), ()),
]


def _all_fit(sizes: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Whether every dimension can be split over all axes, so that no step is ruled out."""
    return all(n % int(np.prod(sizes)) == 0 for n in shape)


@pytest.mark.parametrize(("sizes", "shape"), PAIRS, ids=str)
def test_every_pair_of_shardings(sizes: tuple[int, ...], shape: tuple[int, ...], exhaustive: bool) -> None:
    mesh = mesh_of(*sizes)
    array = np.arange(np.prod(shape, dtype=int), dtype="int32").reshape(shape)
    pairs = list(itertools.product(placements(mesh.shape_tuple, shape), repeat=2))
    if not exhaustive and len(pairs) > 400:
        pairs = random.Random(f"{sizes} {shape}").sample(pairs, 400)
    for source, target in pairs:
        partitioned = reshard_program(ArrayType(shape, "int32"), Layout(mesh, source), Layout(mesh, target))
        program = partitioned.device_program.program
        (got,) = run_members(program, [shards(mesh, source, array)], range(mesh.size))
        for part, right in zip(got, shards(mesh, target, array), strict=True):
            np.testing.assert_array_equal(part, right, err_msg=f"{source} to {target}: {program}")


@pytest.mark.parametrize(("sizes", "shape"), [pair for pair in PAIRS if 1 not in pair[0] and _all_fit(*pair)], ids=str)
def test_memory_and_bytes_are_bounded(sizes: tuple[int, ...], shape: tuple[int, ...]) -> None:
    mesh_shape = mesh_of(*sizes).shape_tuple
    pairs = list(itertools.product(placements(mesh_shape, shape), repeat=2))
    for source, target in random.Random(1).sample(pairs, min(len(pairs), 300)):
        plan = plan_reshard(mesh_shape, shape, 4, ValueSharding(source), ValueSharding(target))
        most = max(plan.local_bytes(plan.source), plan.local_bytes(plan.target))
        assert all(plan.local_bytes(step.after) <= most for step in plan.steps), str(plan)
        whole = 4 * int(np.prod(shape, dtype=int))
        assert plan.bytes <= whole - plan.local_bytes(plan.source), f"worse than gathering everything: {plan}"
        assert (plan.bytes == 0) == all(step.kind == "slice" for step in plan.steps)


KINDS: list[tuple[Dims, Dims, list[str]]] = [
    ((("a",), ()), (("a",), ()), []),
    (((), ()), (("a",), ("b",)), ["slice"]),
    ((("a",), ()), (("a", "b"), ()), ["slice"]),
    ((("a", "b"), ()), (("a",), ()), ["all_gather"]),
    ((("a", "b"), ()), ((), ()), ["all_gather"]),
    ((("a",), ()), ((), ("a",)), ["all_to_all"]),
    ((("a", "b"), ()), ((), ("a", "b")), ["all_to_all"]),
    ((("a", "b"), ()), (("b", "a"), ()), ["permute"]),
    ((("a", "b"), ()), (("b",), ()), ["permute", "all_gather"]),
]


@pytest.mark.parametrize(("source", "target", "kinds"), KINDS, ids=str)
def test_kinds_of_steps(source: Dims, target: Dims, kinds: list[str]) -> None:
    plan = plan_reshard(mesh_of(2, 4).shape_tuple, (16, 16), 4, ValueSharding(source), ValueSharding(target))
    assert [step.kind for step in plan.steps] == kinds


def test_idle_axis_of_equal_size_takes_over_by_one_permute() -> None:
    plan = plan_reshard(mesh_of(2, 2).shape_tuple, (8,), 4, ValueSharding((("a",),)), ValueSharding((("b",),)))
    assert [step.kind for step in plan.steps] == ["permute"]


def test_partial_becomes_whole_or_scattered() -> None:
    mesh_shape = mesh_of(2, 4).shape_tuple
    partial = ValueSharding(((), ()), ("b",), "sum")
    whole = plan_reshard(mesh_shape, (8, 8), 4, partial, ValueSharding(((), ())))
    assert [(step.kind, step.axes) for step in whole.steps] == [("all_reduce", ("b",))]
    part = plan_reshard(mesh_shape, (8, 8), 4, partial, ValueSharding((("b",), ())))
    assert [(step.kind, step.axes) for step in part.steps] == [("reduce_scatter", ("b",))]
    assert part.bytes * 2 == whole.bytes
    # What is split anyway is split before the terms are combined.
    smaller = plan_reshard(mesh_shape, (8, 8), 4, partial, ValueSharding((("a",), ())))
    assert [step.kind for step in smaller.steps] == ["slice", "all_reduce"]


def test_partial_scatters_over_several_axes_in_one_call() -> None:
    plan = plan_reshard(
        mesh_of(2, 4).shape_tuple, (8, 8), 4,
        ValueSharding(((), ()), ("a", "b"), "sum"), ValueSharding((("a", "b"), ())),
    )
    assert [(step.kind, step.axes) for step in plan.steps] == [("reduce_scatter", ("a", "b"))]


def test_same_sharding_is_the_program_itself() -> None:
    mesh = mesh_of(2, 4)
    partitioned = reshard_program(ArrayType((8, 8), "float32"), Layout(mesh, (("a",), ())), Layout(mesh, (("a",), ())))
    assert partitioned.device_program.program.operations == ()
    assert partitioned.collectives == ()


def test_groups_are_positions_in_the_mesh() -> None:
    mesh = mesh_of(2, 2)
    partitioned = reshard_program(
        ArrayType((8, 8), "float32"), Layout(mesh, (("b",), ())), Layout(mesh, ((), ())))
    (gather,) = partitioned.device_program.program.operations
    assert gather.attributes["group"] == DeviceGroups(((0, 1), (2, 3)))
    builder = ProgramBuilder("check")
    assert builder.input(ArrayType((4, 8), "float32")).type == partitioned.device_program.program.inputs[0].type


def test_plan_prints_steps_and_bytes() -> None:
    plan = plan_reshard((("a", 2), ("b", 2)), (4, 4), 4, ValueSharding((("a",), ())), ValueSharding(((), ("a",))))
    assert str(plan).splitlines() == [
        "reshard [4, 4] from P('a', None) to P(None, 'a')",
        "  all_to_all     over a          -> P(None, 'a'): 16 bytes per device, 64 in all",
        "  total: 16 bytes per device, 64 in all",
    ]
