# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.placement import NamedSharding, boxes_of, intersect, relative, replica_ids
from olympus_core.placement.boxes import Box, extent, part_numbers, slices, whole

from .devices import meshes, specs

SHAPE = (6, 5)
BOXES = st.tuples(*[
    st.tuples(st.integers(0, n), st.integers(0, n)).map(lambda pair: (min(pair), max(pair))) for n in SHAPE
])


def marked(box: Box) -> np.ndarray:
    mask = np.zeros(SHAPE, dtype=bool)
    mask[slices(box)] = True
    return mask


@settings(deadline=None, max_examples=80)
@given(BOXES, BOXES)
def test_intersect_is_the_common_elements(first: Box, second: Box) -> None:
    common = intersect(first, second)
    expected = marked(first) & marked(second)
    if common is None:
        assert not expected.any()
    else:
        assert (marked(common) == expected).all() and math.prod(extent(common)) == expected.sum() > 0


@settings(deadline=None, max_examples=80)
@given(BOXES, BOXES)
def test_relative_finds_the_same_elements_in_a_part(first: Box, second: Box) -> None:
    common = intersect(first, second)
    if common is not None:
        value = np.arange(math.prod(SHAPE)).reshape(SHAPE)
        np.testing.assert_array_equal(value[slices(first)][slices(relative(common, first))], value[slices(common)])
        assert extent(relative(common, first)) == extent(common)


def test_boxes_without_dimensions() -> None:
    assert intersect((), ()) == () == relative((), ()) == whole(())


@settings(deadline=None, max_examples=80)
@given(st.data())
def test_replica_ids_count_the_holders_of_a_part(data: st.DataObject) -> None:
    mesh = data.draw(meshes())
    ndim = data.draw(st.integers(0, 3))
    layout = NamedSharding(mesh, data.draw(specs(mesh, ndim))).layout(ndim)
    shape = tuple(2 * count for count in layout.parts())
    held = boxes_of(layout, shape)
    assert replica_ids(layout, shape) == tuple(held[:i].count(box) for i, box in enumerate(held))
    numbers = part_numbers(layout)
    assert all((numbers[i] == numbers[j]) == (held[i] == held[j]) for i in range(mesh.size) for j in range(i))
    # Without elements all boxes look alike, and the parts are still told apart.
    assert replica_ids(layout, (0,) * ndim) == replica_ids(layout)
