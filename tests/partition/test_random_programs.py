# SPDX-License-Identifier: Apache-2.0
"""Random programs, meshes and shardings: all devices together give what the whole program gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .cases import draw as draw_array
from .oracle import check, mesh_of, placements, whole
from .programs import programs

MESHES = [(1,), (8,), (2, 4), (2, 2, 2), (4, 1), (3,), (6, 2)]


@pytest.mark.parametrize("sizes", MESHES, ids=str)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_program(sizes: tuple[int, ...], data: st.DataObject) -> None:
    mesh = mesh_of(*sizes)
    program = data.draw(programs(mesh))
    random = np.random.default_rng(0)
    inputs = [draw_array(random, t) for t in program.input_types]
    in_dims = [data.draw(st.sampled_from(placements(mesh.shape_tuple, t.shape))) for t in program.input_types]
    out_dims = [
        data.draw(st.none() | st.sampled_from(placements(mesh.shape_tuple, t.shape))) for t in program.output_types
    ]
    check(program, inputs, whole(program, inputs), mesh, in_dims, out_dims, rtol=1e-12)
