# SPDX-License-Identifier: Apache-2.0
"""Collectives out of point-to-point messages, with processes that are only played."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.errors import OlympusInternalError
from olympus_core.plugin import Communicator, Group, Transfer
from olympus_core.toolkit import (
    LOCAL_COLLECTIVES,
    ArrayBuffer,
    LocalCommunicator,
    collectives,
    communicator_from_exchange,
)

from .programs import fake_devices


class Post:
    """Carries the messages of all played processes; the order of delivery is that of a pair's sends."""

    def __init__(self) -> None:
        self.boxes: dict[tuple[int, int], deque[np.ndarray]] = {}

    def exchange(self, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Exchange:
        for send in sends:
            assert send.buffer is not None
            self.boxes.setdefault((send.source, send.target), deque()).append(send.buffer.to_host().copy())
        return Exchange(self, list(receives))


class Exchange:
    """A `Pending` that is done when all has come."""

    def __init__(self, post: Post, receives: list[Transfer]) -> None:
        self.post, self.receives = post, receives
        self.found: list[ArrayBuffer] = []

    def is_done(self) -> bool:
        while len(self.found) < len(self.receives):
            wanted = self.receives[len(self.found)]
            box = self.post.boxes.get((wanted.source, wanted.target))
            if not box:
                return False
            array = box.popleft()
            assert array.shape == wanted.shape
            self.found.append(ArrayBuffer(array, None))
        return True

    def result(self, deadline: float) -> list[ArrayBuffer]:
        if not self.is_done():
            raise TimeoutError
        return self.found


def play(owners: Sequence[int], name: str, values: Sequence[np.ndarray], **attributes: Any) -> list[np.ndarray]:
    """Runs a collective in all processes by turns; the results by position."""
    post, pendings, groups = Post(), {}, {}
    for process in sorted(set(owners)):
        group = groups[process] = Group(fake_devices(len(owners), owners, process))
        communicator = communicator_from_exchange(group, post.exchange)
        inputs = [ArrayBuffer(values[p], group.devices[p]) for p in group.local_positions]
        pendings[process] = getattr(communicator, name)(inputs, *attributes.values())
    for _ in range(100):
        if all([p.is_done() for p in pendings.values()]):
            break
    else:
        pytest.fail("the processes wait for each other")
    results: dict[int, np.ndarray] = {}
    for process, pending in pendings.items():
        positions = groups[process].local_positions
        for position, buffer in zip(positions, pending.result(0.0), strict=True):
            assert buffer.device is groups[process].devices[position]
            results[position] = buffer.to_host()
    assert not any(post.boxes.values()), "messages that nobody wanted"
    return [results[p] for p in range(len(owners))]


def check(owners: Sequence[int], name: str, values: Sequence[np.ndarray], **attributes: Any) -> None:
    expected = LOCAL_COLLECTIVES[name](values, attributes)
    for found, wanted in zip(play(owners, name, values, **attributes), expected, strict=True):
        assert found.dtype == wanted.dtype
        assert found.shape == wanted.shape
        assert found.tobytes() == wanted.tobytes()


OWNERS = st.lists(st.integers(0, 3), min_size=2, max_size=9).filter(lambda o: len(set(o)) > 1)


@given(OWNERS, st.sampled_from(["float32", "float16", "int32", "complex64"]), st.integers(0, 3), st.booleans(),
       st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_any_distribution_gives_the_bits_of_one_process(owners, dtype, rows, is_large, random) -> None:
    size = len(owners)
    numbers = np.random.default_rng(random.randrange(1000))
    shape = (rows * size, 5 if not is_large else 9000)
    values = [(numbers.standard_normal(shape) * 9).astype(dtype) for _ in range(size)]
    check(owners, "all_reduce", values, reduction=random.choice(["sum", "prod"]))
    check(owners, "reduce_scatter", values, dimension=0, reduction="sum")
    check(owners, "all_gather", values, dimension=random.choice([0, 1]))
    check(owners, "all_to_all", values, split_dimension=0, concat_dimension=random.choice([0, 1]))
    check(owners, "broadcast", values, source=random.randrange(size))
    pairs = tuple(zip(random.sample(range(size), 2), random.sample(range(size), 2), strict=True))
    check(owners, "permute", values, pairs=pairs)


@pytest.mark.parametrize("count", [9, 12])
def test_many_processes_take_rounds_instead_of_messages_to_all(count: int) -> None:
    values = [np.full((2, 3), i + 0.1, np.float32) for i in range(count)]
    check(range(count), "all_reduce", values, reduction="sum")
    check(range(count), "all_gather", values, dimension=1)
    assert play(range(count), "broadcast", values, source=5)[3][0, 0] == np.float32(5.1)


@pytest.mark.parametrize("owners", [
    range(16), range(32), [p // 2 for p in range(32)], [p // 3 for p in range(48)], [15 - p for p in range(16)],
    [p % 16 for p in range(32)], range(15), range(17),
], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float16", "bool"])
def test_small_reductions_of_many_processes_have_the_trees_bits(owners: Sequence[int], dtype: str) -> None:
    numbers = np.random.default_rng(len(owners))
    values = [(numbers.standard_normal((3, 5)) * 10.0 ** numbers.integers(-3, 3)).astype(dtype) for _ in owners]
    values[1][0, 0] = np.inf if dtype != "bool" else True
    for reduction in ("sum", "prod", "max"):
        check(owners, "all_reduce", values, reduction=reduction)


def test_a_small_reduction_sends_as_many_messages_as_its_tree_has_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    exchange = Post.exchange

    def count(self: Post, sends: Sequence[Transfer], receives: Sequence[Transfer]) -> Exchange:
        sent.extend(send.buffer.to_host().nbytes for send in sends if send.buffer is not None)
        return exchange(self, sends, receives)

    monkeypatch.setattr(Post, "exchange", count)
    play(range(64), "all_reduce", [np.ones(10, np.float32)] * 64, reduction="sum")
    assert sent == [40] * (64 * 6)


@pytest.mark.parametrize("owners", [[0, 1], [0, 0, 1, 1], [2, 0, 1, 0, 2], [0, 1, 0, 1]], ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_large_reductions_go_in_rounds(owners: list[int], dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collectives, "_ROUND_BYTES", 5000)
    numbers = np.random.default_rng(0)
    values = [(numbers.standard_normal(60_001) * 5).astype(dtype) for _ in owners]
    check(owners, "all_reduce", values, reduction="sum")
    values[0][7] = values[-1][7] = np.nan
    check(owners, "all_reduce", values, reduction="max")


@pytest.mark.parametrize("source", range(4))
def test_a_large_broadcast_goes_in_parts(source: int) -> None:
    values = [np.full(collectives._LARGE_BROADCAST + 3, i, np.uint8) for i in range(4)]
    check([0, 1, 2, 3], "broadcast", values, source=source)


@pytest.mark.parametrize("source", range(3))
def test_a_broadcast_keeps_having_no_dimensions(source: int) -> None:
    check([0, 1, 1], "broadcast", [np.asarray(i, np.int32) for i in range(3)], source=source)


def test_reductions_agree_with_numpy() -> None:
    values = [np.random.default_rng(i).standard_normal((4, 6)) for i in range(4)]
    (found, *_) = play([0, 1, 0, 1], "all_reduce", values, reduction="sum")
    np.testing.assert_allclose(found, np.sum(values, 0), rtol=1e-12)
    parts = play([0, 1, 0, 1], "reduce_scatter", values, dimension=0, reduction="max")
    np.testing.assert_array_equal(np.concatenate(parts), np.max(values, 0))


def test_barriers_need_everybody() -> None:
    post = Post()
    groups = [Group(fake_devices(3, [0, 1, 2], process)) for process in range(3)]
    first, second = (communicator_from_exchange(g, post.exchange).barrier() for g in groups[:2])
    assert not first.is_done()
    assert not second.is_done()
    with pytest.raises(TimeoutError):
        first.result(0.0)
    third = communicator_from_exchange(groups[2], post.exchange).barrier()
    for _ in range(3):
        done = [p.is_done() for p in (first, second, third)]
    assert done == [True] * 3
    assert first.result(0.0) == []


def test_exchange_pairs_transfers_of_the_same_members_in_order() -> None:
    post = Post()
    owners = [0, 0, 1]
    groups = [Group(fake_devices(3, owners, process)) for process in range(2)]
    kind = ((2,), np.dtype(np.int32))

    def sent(source: int, target: int, value: int) -> Transfer:
        return Transfer(source, target, ArrayBuffer(np.full(2, value, np.int32), None), *kind)

    left = communicator_from_exchange(groups[0], post.exchange).exchange(
        [sent(1, 2, 12), sent(0, 2, 2), sent(0, 2, 3), sent(0, 1, 1)],
        [Transfer(0, 1, None, *kind), Transfer(2, 0, None, *kind)])
    right = communicator_from_exchange(groups[1], post.exchange).exchange(
        [sent(2, 0, 20), sent(2, 2, 22)],
        [Transfer(2, 2, None, *kind), Transfer(0, 2, None, *kind), Transfer(1, 2, None, *kind),
         Transfer(0, 2, None, *kind)])
    assert [p.is_done() for p in (left, right, left)][1:] == [True, True]
    assert [b.to_host()[0] for b in left.result(0.0)] == [1, 20]
    assert [b.to_host()[0] for b in right.result(0.0)] == [22, 2, 12, 3]


def test_a_transfer_without_content_is_a_bug_that_is_named() -> None:
    group = Group(fake_devices(2, [0, 1], 0))
    with pytest.raises(OlympusInternalError, match="0 -> 1"):
        communicator_from_exchange(group, Post().exchange).exchange(
            [Transfer(0, 1, None, (2,), np.dtype(np.int32))], [])


def test_communicators_fulfil_the_contract() -> None:
    group = Group(fake_devices(2))
    local = LocalCommunicator(group)
    for name in (n for n in vars(Communicator) if not n.startswith("_")):
        if name != "group":
            assert callable(getattr(local, name)), name
            assert callable(getattr(communicator_from_exchange(group, Post().exchange), name)), name
    results = local.exchange([Transfer(0, 1, ArrayBuffer(np.ones(2), None), (2,), float)],
                             [Transfer(0, 1, None, (2,), float)]).result(0.0)
    assert results[0].device is group.devices[1]
