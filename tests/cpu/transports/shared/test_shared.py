# SPDX-License-Identifier: Apache-2.0
"""Shared memory between simulated processes: bits, sizes, memory, errors."""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.errors.platform import TransportError
from olympus_core.plugin import Transfer
from olympus_core.toolkit import tree_blocks, tree_reduce
from olympus_core.toolkit.sharedfile import SharedFile
from olympus_cpu.buffer import CpuBuffer
from olympus_cpu.transports.shared import engine, region, slot_collectives
from olympus_cpu.transports.shared.futex_words import FutexWords
from olympus_cpu.transports.shared.reduction_tree import reduce_into, tree_of
from tests.cpu.transports.shared.simulated import SimulatedGroup

DTYPES = [np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.int32, np.uint8, np.bool_, np.complex64]
OWNERS = [[0, 1], [0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 2, 2, 2], [2, 1, 0, 0, 1], [0, 1, 2, 3]]


@contextmanager
def simulated(owners: Sequence[int], slot: int = 4 << 10, segment: int = 1 << 20) -> Iterator[SimulatedGroup]:
    """Processes with small slots, so that small arrays are many pieces."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(region, "_SMALL_SLOT", 4 << 10)
        patch.setattr(region, "_LARGEST_SLOT", slot)
        patch.setattr(region, "_RINGS", 1)  # rings as small as they may be
        patch.setattr(slot_collectives, "SEGMENT_BYTES", segment)
        patch.setattr(slot_collectives, "SPREAD_BYTES", segment)
        group = SimulatedGroup(owners)
        try:
            yield group
        finally:
            group.close()


def values(dtype: Any, shape: tuple[int, ...], count: int, seed: int = 0) -> list[np.ndarray]:
    """Everybody's arrays; of floating point types such that the order of a sum shows."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype == np.bool_:
        return [random.random(shape) < 0.5 for _ in range(count)]
    if dtype.kind in "iu":
        return [random.integers(0, 100, shape).astype(dtype) for _ in range(count)]
    return [(random.standard_normal(shape) * 10.0 ** random.integers(-3, 3, shape)).astype(dtype)
            for _ in range(count)]


@settings(deadline=None, max_examples=40)
@given(
    owners=st.sampled_from(OWNERS), dtype=st.sampled_from(DTYPES), segment=st.sampled_from([1, 1 << 30]),
    sizes=st.lists(st.integers(0, 9000), min_size=1, max_size=3), slot=st.sampled_from([4096, 16384]),
)
def test_sums_of_any_size_have_the_same_bits(owners, dtype, segment, sizes, slot) -> None:
    with simulated(owners, slot, segment) as group:
        for seed, size in enumerate(sizes):
            group.run("all_reduce", values(dtype, (size,), len(owners), seed), reduction="sum")


@settings(deadline=None, max_examples=40)
@given(
    owners=st.sampled_from(OWNERS), dtype=st.sampled_from(DTYPES), segment=st.sampled_from([1, 1 << 30]),
    rows=st.integers(0, 3), columns=st.integers(0, 300), dimension=st.integers(0, 1),
    name=st.sampled_from(["all_gather", "broadcast", "reduce_scatter", "all_to_all", "permute"]),
)
def test_all_collectives_have_the_same_bits(owners, dtype, segment, rows, columns, dimension, name) -> None:
    size = len(owners)
    attributes: dict[str, dict[str, Any]] = {
        "all_gather": {"dimension": dimension}, "broadcast": {"source": size - 1},
        "reduce_scatter": {"dimension": dimension, "reduction": "max" if dtype is np.bool_ else "sum"},
        "all_to_all": {"split_dimension": dimension, "concat_dimension": 1 - dimension},
        "permute": {"pairs": tuple((i, (i + 1) % size) for i in range(size - 1))},
    }
    shape = (rows * size, columns * size) if name in ("reduce_scatter", "all_to_all") else (rows, columns)
    with simulated(owners, segment=segment) as group:
        for seed in range(2):
            group.run(name, values(dtype, shape, size, seed), **attributes[name])


@pytest.mark.parametrize("reduction", ["prod", "max", "min"])
def test_other_reductions_and_nan(reduction: str) -> None:
    with simulated([0, 1, 1, 2]) as group:
        arrays = values(np.float32, (5000,), 4)
        arrays[2][::7] = np.nan
        arrays[1][::5] = -0.0
        group.run("all_reduce", arrays, reduction=reduction)
        group.run("all_reduce", [a[:3] for a in arrays], reduction=reduction)


def test_arrays_need_not_be_contiguous() -> None:
    with simulated([0, 1], segment=1 << 14) as group:
        for shape in ((40, 50), (100, 200)):
            arrays = [a.T for a in values(np.float32, shape, 2)]
            group.run("all_reduce", arrays, reduction="sum")
            group.run("all_gather", arrays, dimension=1)
            group.run("broadcast", arrays, source=1)


def test_messages_larger_than_a_ring_go_both_ways_at_once() -> None:
    with simulated([0, 1, 2]) as group:
        size = 3 * group.regions[0].layout.ring_bytes + 17
        arrays = [np.random.default_rng(i).integers(0, 256, size).astype(np.uint8) for i in range(3)]
        pending = []
        for here, communicator in enumerate(group.communicators):
            sends = [Transfer(here, to, CpuBuffer(arrays[here] + to, group.devices[here][here]), (size,), np.uint8)
                     for to in range(3) if to != here]
            receives = [Transfer(source, here, None, (size,), np.dtype(np.uint8))
                        for source in (2, 1, 0) if source != here]
            pending.append(communicator.exchange(sends, receives))
        for here, found in enumerate(group.finish(pending)):
            for source, array in zip([s for s in (2, 1, 0) if s != here], found, strict=True):
                assert np.array_equal(array, arrays[source] + here)


def test_a_shared_result_stays_as_it_is_while_it_is_used() -> None:
    with simulated([0, 1], segment=1) as group:
        kept = [group.run("all_reduce", values(np.float32, (3000,), 2, seed), reduction="sum") for seed in range(5)]
        copies = [[a.copy() for process in results for a in process] for results in kept]
        for seed in range(5):
            group.run("all_reduce", values(np.float32, (3000,), 2, 100 + seed), reduction="sum")
        for results, copy in zip(kept, copies, strict=True):
            assert all(np.array_equal(a, b) for a, b in zip((a for p in results for a in p), copy, strict=True))


def test_the_memory_of_results_is_used_again() -> None:
    with simulated([0, 1], segment=1) as group:
        sizes = []
        for seed in range(20):
            results = group.run("all_reduce", values(np.float32, (3000,), 2, seed), reduction="sum")
            addresses = {process[0].__array_interface__["data"][0] for process in results}
            del results
            gc.collect()
            sizes.append(group.regions[0].file.size())
        assert len(addresses) == 2  # each process has its own mapping of the one result
        assert sizes[0] == sizes[-1]


def test_results_of_changing_sizes_do_not_fill_the_memory() -> None:
    with simulated([0, 1], segment=1) as group:
        sizes = [8192 * (number + 1) for number in range(60)]  # none fits where a smaller one was
        for size in sizes:
            group.run("broadcast", values(np.uint8, (size,), 2), source=0)
        used = os.fstat(group.regions[0].file._file).st_blocks * 512
        assert used <= group.regions[0].layout.size + sum(sizes[-region.SEGMENTS:])


def test_a_shared_result_is_not_done_before_all_have_done_their_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.Engine, "ensure_progress_thread", lambda self: None)
    with simulated([0, 1], segment=1) as group:
        arrays = values(np.float32, (2000,), 2)
        first, second = (group.start(p, "all_reduce", arrays, "sum") for p in range(2))
        for _ in range(10):
            assert not second.is_done()  # the first has written its part, and reduces nothing before it is driven
        group.finish([first, second])


def test_more_results_than_segments_are_copied() -> None:
    with simulated([0, 1], segment=1) as group:
        kept = [group.run("all_reduce", values(np.int32, (2000,), 2, n), reduction="sum")
                for n in range(region.SEGMENTS + 3)]
        kept += [group.run("all_gather", values(np.int32, (2000,), 2, n), dimension=0) for n in range(2)]
        assert len(kept) == region.SEGMENTS + 5


def test_without_more_memory_everything_goes_through_the_small_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SharedFile, "add", lambda self, size: None)
    with simulated([0, 0, 1], segment=1, slot=16384) as group:
        for name, attributes in (("all_reduce", {"reduction": "sum"}), ("all_gather", {"dimension": 0}),
                                 ("broadcast", {"source": 1}), ("permute", {"pairs": ((0, 2), (2, 0))}),
                                 ("all_to_all", {"split_dimension": 0, "concat_dimension": 0})):
            group.run(name, values(np.float32, (9000,), 3), **attributes)
        group.run("reduce_scatter", values(np.float32, (9000, 2), 3), dimension=0, reduction="sum")


def test_many_may_be_under_way_and_are_waited_for_in_any_order() -> None:
    with simulated([0, 1]) as group:
        arrays = [values(np.int32, (size,), 2, size) for size in (5, 4000, 70, 9000, 1)]
        pending = [[group.start(p, "all_reduce", a, "sum") for a in arrays] for p in range(2)]
        found = group.finish([x for p in pending for x in reversed(p)])
        for (result, _), a in zip(zip(found[:5], found[5:], strict=True), reversed(arrays), strict=True):
            assert np.array_equal(result[0], a[0] + a[1])


def test_the_source_of_a_broadcast_waits_for_nobody_but_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.Engine, "ensure_progress_thread", lambda self: None)
    with simulated([0, 1, 2]) as group:
        everybody = [values(np.int32, (5,), 3, n) for n in range(7)]
        sent = [group.start(1, "broadcast", arrays, 1) for arrays in everybody]
        assert [p.is_done() for p in sent] == [n < region.DEPTH for n in range(7)]
        taken = [[group.start(p, "broadcast", arrays, 1) for arrays in everybody] for p in (0, 2)]
        found = group.finish([*sent, *taken[0], *taken[1]])
        for n, (array,) in enumerate(found):
            assert np.array_equal(array, everybody[n % 7][1])
        group.run("all_reduce", values(np.float32, (3,), 3), reduction="sum")


def test_a_thread_moves_what_nobody_waits_for() -> None:
    with simulated([0, 1]) as group:
        arrays = values(np.int32, (9000,), 2)
        first, second = (group.start(p, "all_reduce", arrays, "sum") for p in range(2))
        (result,) = first.result(time.monotonic() + 20)  # the second process has only begun
        assert np.array_equal(result.to_host(), arrays[0] + arrays[1])
        assert group.finish([second])[0][0].tobytes() == result.to_host().tobytes()


def test_a_wait_ends_at_its_deadline_and_may_be_taken_up_again() -> None:
    with simulated([0, 1]) as group:
        arrays = values(np.int32, (3,), 2)
        first = group.start(0, "all_reduce", arrays, "sum")
        for _ in range(2):
            with pytest.raises(TimeoutError):
                first.result(time.monotonic() + 0.02)
        group.finish([first, group.start(1, "all_reduce", arrays, "sum")])


def test_a_sleeping_process_is_woken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its naps are made so long that only being woken ends them in time."""
    monkeypatch.setattr(engine, "_NAP", 30.0)
    monkeypatch.setattr(engine, "_LONGEST_NAP", 30.0)
    sleep, is_sleeping = FutexWords.sleep, threading.Event()

    def told(self: FutexWords, index: int, seen: int, seconds: float) -> None:
        is_sleeping.set()  # whoever waits for this goes on when the lock of the interpreter is let go, in the call
        sleep(self, index, seen, seconds)

    monkeypatch.setattr(FutexWords, "sleep", told)
    with simulated([0, 1]) as group:
        arrays = values(np.int32, (3,), 2)
        first = group.start(0, "all_reduce", arrays, "sum")
        found: list[Any] = []
        waiter = threading.Thread(target=lambda: found.extend(first.result(time.monotonic() + 30)), daemon=True)
        waiter.start()
        assert is_sleeping.wait(10)
        group.start(1, "all_reduce", arrays, "sum")
        waiter.join(10)
        assert not waiter.is_alive()
        assert np.array_equal(found[0].to_host(), arrays[0] + arrays[1])


@pytest.mark.parametrize("size", [3, 9000])
def test_processes_that_do_different_things_are_told(size: int) -> None:
    with simulated([0, 1]) as group:
        group.job.error = None
        first = group.start(0, "all_reduce", values(np.float32, (size,), 2), "sum")
        second = group.start(1, "all_reduce", values(np.float32, (size,), 2), "max")
        for _ in range(10):
            first.is_done(), second.is_done()
        group.job.error = RuntimeError("the job says why")
        with pytest.raises(RuntimeError, match="the job says why"):
            first.result(time.monotonic() + 5)
        assert isinstance(first.error, TransportError) and isinstance(second.error, TransportError)


def test_the_jobs_failure_ends_a_wait_and_what_comes_after() -> None:
    with simulated([0, 1]) as group:
        first = group.start(0, "all_reduce", values(np.float32, (3,), 2), "sum")
        group.job.error = RuntimeError("process 1 is lost")
        for pending in (first, group.start(0, "all_reduce", values(np.float32, (3,), 2), "sum")):
            with pytest.raises(RuntimeError, match="process 1 is lost"):
                pending.result(time.monotonic() + 5)


def test_abort_ends_what_is_under_way() -> None:
    with simulated([0, 1]) as group:
        first = group.start(0, "all_reduce", values(np.float32, (3,), 2), "sum")
        group.communicators[0].abort("enough")
        with pytest.raises(TransportError, match="enough"):
            first.result(time.monotonic() + 5)


@pytest.mark.parametrize("count", [1, 2, 3, 8, 64])
def test_nothing_in_a_file_overlaps(count: int) -> None:
    layout = region.Layout(count)
    words = [layout.counters_of(p) + k for p in range(count) for k in range(region.SIGNATURES + 4)]
    words += [layout.window, layout.window + 1, *(layout.offers + k for k in range(8))]
    words += [layout.table + s * 4 + k for s in range(region.SEGMENTS) for k in range(4)]
    words += [layout.released_word(s, p) for s in range(region.SEGMENTS) for p in range(count)]
    words += [w for s in range(count) for t in range(count) for w in (layout.ring(s, t), layout.taken(s, t))]
    assert len(set(words)) == len(words) and max(words) < layout.words
    assert layout.words * 8 <= layout.slots_at
    assert layout.slots_at + region.DEPTH * (count + 1) * layout.slot_bytes <= layout.rings_at
    assert layout.rings_at + count * count * layout.ring_bytes <= layout.size
    assert layout.window_bytes(layout.large_slot_bytes) <= 64 << 20


@given(owners=st.lists(st.integers(0, 3), min_size=1, max_size=12))
def test_the_trees_order_is_the_toolkits(owners: list[int]) -> None:
    positions = [[i for i, o in enumerate(owners) if o == p] for p in sorted(set(owners))]
    blocks = [block for own in positions for block in tree_blocks(len(owners), own)]
    random = np.random.default_rng(len(owners))
    arrays = [(random.standard_normal(7) * 10.0 ** random.integers(-6, 6, 7)).astype(np.float32) for _ in blocks]
    out = np.empty(7, np.float32)
    reduce_into(out, tree_of(blocks, 0, len(owners)), arrays, np.add)
    expected = tree_reduce(dict(zip(blocks, arrays, strict=True)), 0, len(owners), np.add)
    assert out.tobytes() == expected.tobytes()
