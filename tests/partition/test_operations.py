# SPDX-License-Identifier: Apache-2.0
"""Every base operation under every sharding of its operands and results."""

from __future__ import annotations

import random

import pytest

from olympus_core import ops

from .cases import Case, all_cases
from .oracle import all_placements, check, mesh_of, placements, whole

CASES = all_cases()
MESHES = [(8,), (2, 4), (2, 2, 2)]
MOST = 2500  # all shardings of two matrices on (2, 2, 2)
SAMPLE = {(8,): 12, (2, 4): 10, (2, 2, 2): 8}
COMPLETE = ("add", "reduce_sum", "dot_general", "transpose", "reshape split")  # these on (8,) and (2, 4) in full


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("sizes", MESHES, ids=str)
def test_every_sharding(case: Case, sizes: tuple[int, ...], exhaustive: bool) -> None:
    mesh = mesh_of(*sizes)
    program, inputs = case.program(), case.inputs()
    expected = whole(program, inputs)
    choice = random.Random(f"{case.name} {sizes}")
    every = list(all_placements(mesh, case.types)) if len(case.types) < 4 or len(sizes) == 1 else []
    if every and ((exhaustive and len(every) <= MOST) or (case.name in COMPLETE and len(sizes) < 3)):
        tried = every
    elif every:
        count = MOST if exhaustive else SAMPLE[sizes]
        tried = [every[0], every[-1], *choice.sample(every, min(len(every), count))]
    else:
        options = [placements(mesh.shape_tuple, t.shape) for t in case.types]
        tried = [tuple(map(choice.choice, options)) for _ in range(500 if exhaustive else SAMPLE[sizes])]
    results = [placements(mesh.shape_tuple, t.shape) for t in program.output_types]
    for in_dims in tried:
        check(program, inputs, expected, mesh, in_dims)
        check(program, inputs, expected, mesh, in_dims, [choice.choice(options) for options in results])


def test_every_operation_has_a_case() -> None:
    apart = {"host_callback", "sharding_constraint"}  # tested with programs of their own
    wanted = {
        record.name for record in ops.OPERATIONS.values() if record.category not in ("control", "collective")
    }
    assert wanted - apart == {case.record.name for case in CASES}
