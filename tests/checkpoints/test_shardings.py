# SPDX-License-Identifier: Apache-2.0
"""From any sharding onto any other, chunks with one writer each, and no more read than is needed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import NamedSharding, P, checkpoints
from olympus.checkpoints.chunks import MOST_BYTES, Grid, Writers, chunk_shape, part_of
from olympus.checkpoints.store import Reader
from olympus.errors import IndivisibleError

from .support import need_tensorstore

need_tensorstore()

MESHES = [((8,), ("x",)), ((4, 2), ("x", "y")), ((2, 2, 2), ("x", "y", "z")), ((2,), ("x",)), ((1,), ("x",))]


@st.composite
def shardings(draw: Any) -> NamedSharding:
    sizes, names = draw(st.sampled_from(MESHES))
    left = list(draw(st.permutations(names)))
    spec = []
    for _ in range(2):
        count = draw(st.integers(0, len(left)))
        spec.append(tuple(left[:count]) or None)
        left = left[count:]
    return NamedSharding(olympus.make_mesh(sizes, names), P(*spec))


@settings(max_examples=40)
@given(before=shardings(), after=shardings(), most=st.sampled_from([64, 300, MOST_BYTES]))
def test_any_sharding_is_restored_onto_any_other(
    before: NamedSharding, after: NamedSharding, most: int, tmp_path_factory: Any
) -> None:
    folder = tmp_path_factory.mktemp("any")
    values = np.arange(16 * 24, dtype=np.int32).reshape(16, 24)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunk_shape, "__defaults__", (most,))
        checkpoints.save(folder, olympus.device_put(values, before))
    restored = checkpoints.restore(folder, olympus.ShapeDtypeStruct((16, 24), "int32", sharding=after))
    assert restored.sharding == after and restored.committed
    for shard in restored.addressable_shards:
        assert np.array_equal(shard.data, values[shard.index])


def test_a_sharding_that_does_not_divide_is_refused(tmp_path: Path) -> None:
    checkpoints.save(tmp_path, jnp.arange(6))
    eight = NamedSharding(olympus.make_mesh((8,), ("x",)), P("x"))
    with pytest.raises(IndivisibleError):
        checkpoints.restore(tmp_path, olympus.ShapeDtypeStruct((6,), "int32", sharding=eight))


@given(
    shards=st.lists(st.tuples(st.integers(1, 4), st.integers(1, 12)), min_size=1, max_size=3),
    itemsize=st.sampled_from([1, 4, 16]), most=st.integers(64, 4000),
)
def test_no_chunk_has_elements_of_two_shards(shards: list[tuple[int, int]], itemsize: int, most: int) -> None:
    parts, sizes = [cut for cut, _ in shards], [size for _, size in shards]
    shape = tuple(cut * size for cut, size in shards)
    chunk = chunk_shape(shape, parts, itemsize, most)
    assert all(size % step == 0 for size, step, cut in zip(sizes, chunk, parts, strict=True) if cut > 1)
    assert math.prod(chunk) * itemsize <= max(most, itemsize)  # these sizes have small factors
    grid = Grid(shape, chunk)
    covered = np.zeros(shape, int)
    for number, index in enumerate(grid.indices()):
        assert grid.number(index) == number
        covered[tuple(slice(*ends) for ends in grid.box(index))] += 1
    assert (covered == 1).all()


def test_a_shard_of_a_large_prime_size_is_one_chunk() -> None:
    assert chunk_shape((2 * 7919,), (2,), 4, 64) == (7919,)
    assert chunk_shape((7919,), (1,), 4, 16000) == (3960,)


def test_replicas_are_shared_out_evenly() -> None:
    writers = Writers(4)
    one_each = writers.assign(Grid((4, 8), (1, 8)), (4, 1), [(0,), (1,), (2,), (3,)], 1)
    assert one_each == [0, 1, 2, 3]
    replicated = writers.assign(Grid((64, 8), (1, 8)), (1, 1), [(0, 1, 2, 3)], 1)
    assert [replicated.count(process) for process in range(4)] == [16] * 4
    # Parts that two processes hold each: both write half of it.
    pairs = writers.assign(Grid((16, 8), (1, 8)), (2, 1), [(0, 1), (2, 3)], 1)
    assert sorted(pairs[:8]) == [0] * 4 + [1] * 4 and sorted(pairs[8:]) == [2] * 4 + [3] * 4
    # Who had more to write before gets less.
    uneven = Writers(2)
    uneven.assign(Grid((8, 8), (8, 8)), (1, 1), [(0,)], 1)
    assert uneven.assign(Grid((8, 8), (1, 8)), (1, 1), [(0, 1)], 1) == [1] * 8


def test_chunks_belong_to_their_parts() -> None:
    grid, parts = Grid((8, 6), (2, 3)), (2, 2)
    assert [part_of(index, (2, 1), parts) for index in grid.indices()] == [0, 1, 0, 1, 2, 3, 2, 3]


def test_only_the_chunks_that_are_needed_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mesh = olympus.make_mesh((8,), ("x",))
    x = olympus.device_put(np.arange(64.0, dtype=np.float32).reshape(8, 8), NamedSharding(mesh, P("x")))
    checkpoints.save(tmp_path, x)
    boxes = []
    begin = Reader.begin
    monkeypatch.setattr(Reader, "begin", lambda self, record, box: (boxes.append(box), begin(self, record, box))[1])
    two = NamedSharding(olympus.make_mesh((2,), ("x",)), P("x"))
    checkpoints.restore(tmp_path, olympus.ShapeDtypeStruct((8, 8), "float32", sharding=two))
    assert boxes == [((0, 4), (0, 8)), ((4, 8), (0, 8))]
    (tmp_path / "step-00000000/tree/c.7.0").unlink()  # chunk 7 is not needed for the first half
    first = NamedSharding(olympus.make_mesh((1,), ("x",)), P())
    with pytest.raises(olympus.errors.CheckpointCorruptError, match="tree/c.7.0"):
        checkpoints.restore(tmp_path, olympus.ShapeDtypeStruct((8, 8), "float32", sharding=first))
    assert list(Grid((8, 8), (1, 8)).touched(((2, 4), (0, 8)))) == [(2, 0), (3, 0)]
