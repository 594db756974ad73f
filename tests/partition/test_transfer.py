# SPDX-License-Identifier: Apache-2.0
"""Transfer plans, carried out on NumPy boxes and compared with cutting the whole array."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.partition import TransferPlan, plan_transfer
from olympus_core.placement import Dims, Layout, Mesh
from olympus_core.plugin import Device
from olympus_core.program import ArrayType

from .oracle import fake_devices, placements, shards

_MANY = fake_devices(8, processes=4)


def layout(devices: Sequence[Device], sizes: tuple[int, ...], dims: Dims) -> Layout:
    grid = np.array(list(devices), dtype=object).reshape(sizes)
    return Layout(Mesh(grid, tuple("abc"[: len(sizes)])), dims)


def carry_out(plan: TransferPlan, array: np.ndarray) -> dict[Device, np.ndarray]:
    """Executes a plan; a stage reads only what was there before it."""
    source = dict(zip(plan.source.mesh.flat_devices, shards(plan.source.mesh, plan.source.dims, array), strict=True))
    shape = plan.target.shard_shape(plan.type.shape)
    target = {device: np.full(shape, -1, array.dtype) for device in plan.target.mesh.flat_devices}
    written = {device: np.zeros(shape, int) for device in target}
    for stage in plan.stages:
        reads = []
        for step in stage:
            box = tuple(slice(a, b) for a, b in step.source_box)
            if step.forwarded:
                assert written[step.source][box].all(), "hands on what has not arrived"
            reads.append(np.array((target if step.forwarded else source)[step.source][box]))
            assert reads[-1].nbytes == step.bytes
        for step, value in zip(stage, reads, strict=True):
            box = tuple(slice(a, b) for a, b in step.target_box)
            target[step.target][box] = value
            written[step.target][box] += 1
    for device in target:
        assert (written[device] == 1).all(), f"{device} is not written exactly once"
    return target


def check(type: ArrayType, source: Layout, target: Layout) -> TransferPlan:
    array = np.arange(type.size, dtype=type.dtype).reshape(type.shape)
    plan = plan_transfer(type, source, target)
    got = carry_out(plan, array)
    for device, right in zip(target.mesh.flat_devices, shards(target.mesh, target.dims, array), strict=True):
        np.testing.assert_array_equal(got[device], right)
    assert plan.bytes_between_processes <= plan.bytes_moved
    return plan


@st.composite
def layouts(draw: st.DrawFn, shape: tuple[int, ...]) -> Layout:
    sizes = draw(st.sampled_from([(1,), (2,), (3,), (4,), (6,), (8,), (2, 2), (2, 3), (2, 4), (2, 2, 2)]))
    devices = draw(st.permutations(_MANY))[: int(np.prod(sizes))]
    mesh = layout(devices, sizes, ((),)).mesh
    return Layout(mesh, draw(st.sampled_from(placements(mesh.shape_tuple, shape))))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_layout_to_any_other(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from([(), (24,), (12, 8), (2, 6, 4), (0, 8), (5,)]))
    type = ArrayType(shape, "int32")
    check(type, data.draw(layouts(shape)), data.draw(layouts(shape)))


def test_same_layout_moves_nothing() -> None:
    source = layout(_MANY, (8,), (("a",), ()))
    plan = check(ArrayType((16, 4), "float32"), source, source)
    assert plan.bytes_moved == 0
    assert len(plan.stages) == 1


def test_replicated_source_is_taken_from_the_nearest() -> None:
    type = ArrayType((16,), "float32")
    plan = check(type, layout(_MANY, (8,), ((),)), layout(_MANY, (8,), (("a",),)))
    assert plan.bytes_moved == 0
    some = layout(_MANY[::2], (4,), ((),))  # one device of each process
    plan = check(type, some, layout(_MANY, (8,), ((),)))
    assert plan.bytes_between_processes == 0
    assert plan.bytes_moved == 4 * type.nbytes


def test_each_process_gets_a_part_from_outside_once() -> None:
    type = ArrayType((16,), "float32")
    plan = check(type, layout(_MANY[:1], (1,), ((),)), layout(_MANY, (8,), ((),)))
    assert plan.bytes_between_processes == 3 * type.nbytes
    # Doubling: one process in the first stage, two in the second; then only hand-overs inside processes.
    between = [sum(step.crosses_processes for step in stage) for stage in plan.stages]
    assert between == [1, 2, 0]


def test_replicas_of_the_source_share_the_work() -> None:
    type = ArrayType((16,), "float32")
    plan = check(type, layout(_MANY[:4], (4,), ((),)), layout(_MANY[4:], (4,), (("a",),)))
    givers = [step.source for step in plan.steps]
    assert len(set(givers)) == 4
    assert len(plan.stages) == 1


def test_machines_are_nearer_than_other_machines() -> None:
    type = ArrayType((4,), "float32")
    source, target = layout([_MANY[0], _MANY[4]], (2,), ((),)), layout([_MANY[6]], (1,), ((),))
    near = plan_transfer(type, source, target, machine_of=lambda device: device.process_index // 2)
    assert [step.source for step in near.steps] == [_MANY[4]]


def test_plan_prints_its_bytes() -> None:
    type = ArrayType((8,), "float32")
    text = str(plan_transfer(type, layout(_MANY[:1], (1,), ((),)), layout(_MANY[2:4], (2,), (("a",),))))
    assert "FAKE_0 [0:4] -> FAKE_2 [0:4]: 16 bytes, between processes" in text
    assert text.endswith("total: 32 bytes moved, 32 between processes")


def test_size_that_does_not_divide_is_refused() -> None:
    with pytest.raises(ValueError, match="5 is not a multiple of 2"):
        plan_transfer(ArrayType((5,), "float32"), layout(_MANY[:1], (1,), ((),)), layout(_MANY[:2], (2,), (("a",),)))
