# SPDX-License-Identifier: Apache-2.0
"""Device queues: order, overlap, errors, pending buffers."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core.errors import DeletedError, FewerThreadsWarning, LostAtForkError
from olympus_core.plugin import Device, DeviceDescription
from olympus_core.program import ArrayType
from olympus_core.toolkit import ArrayBuffer, DeviceQueue, PendingBuffer

TYPE = ArrayType((2,), "float32")


def device(i: int) -> Device:
    text = f"FAKE_{i}"
    return Device(DeviceDescription(i, "fake", text, text), platform="fake", process_index=0, local_index=i,
                  is_addressable=True)


def value(number: float, where: Device) -> list[list[Any]]:
    return [[ArrayBuffer(np.full(2, number, np.float32), where)]]


def test_executions_of_a_device_run_in_order() -> None:
    queue, seen = DeviceQueue(device(0)), []
    for i in range(100):
        queue.submit(lambda i=i: seen.append(i) or [], f"execution {i}")
    queue.drain()
    assert seen == list(range(100))
    queue.close()
    assert not queue.is_alive()


def test_without_a_thread_executions_are_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    queue, seen = DeviceQueue(device(0)), []

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        with pytest.warns(FewerThreadsWarning, match="the queue of FAKE_0") as warned:
            outcomes = [queue.submit(lambda i=i: seen.append(i) or value(i, queue.device), "now") for i in range(3)]
        assert len(warned) == 1 and seen == [0, 1, 2] and not queue.is_alive()
        failing = queue.submit(lambda: [][0], "a failure")
    assert [float(outcome.result(0).to_host()[0]) for outcome in outcomes] == [0, 1, 2]
    with pytest.raises(IndexError):
        failing.result(0)
    later = queue.submit(lambda: seen.append(3) or [], "with a thread")
    queue.drain()
    assert later.is_done() and seen == [0, 1, 2, 3]
    queue.close()


def test_executions_of_two_devices_overlap() -> None:
    """Each waits for the other in its middle: one after the other they would never get there."""
    meeting = threading.Barrier(2)
    queues = [DeviceQueue(device(i)) for i in range(2)]
    outcomes = [
        queue.submit(lambda q=queue: (meeting.wait(20), value(1, q.device))[1], "meeting") for queue in queues
    ]
    for queue, outcome in zip(queues, outcomes, strict=True):
        np.testing.assert_array_equal(PendingBuffer(outcome, 0, TYPE, queue.device).to_host(), [1, 1])
        queue.close()


def test_a_pending_buffer_is_waited_for_by_whoever_reads_it() -> None:
    first, second, gate = DeviceQueue(device(0)), DeviceQueue(device(1)), threading.Event()
    made = first.submit(lambda: (gate.wait(20), value(3, first.device))[1], "first")
    pending = PendingBuffer(made, 0, TYPE, first.device)
    moved = pending.copy_to(second.device)
    doubled = second.submit(lambda: [[ArrayBuffer(moved.array * 2, second.device)]], "second")
    result = PendingBuffer(doubled, 0, TYPE, second.device)
    assert not pending.is_ready() and not result.is_ready()
    assert (result.shape, result.dtype, moved.device) == ((2,), np.float32, second.device)
    gate.set()
    np.testing.assert_array_equal(result.to_host(), [6, 6])
    assert pending.is_ready()
    first.close(), second.close()


def test_each_copy_of_a_pending_buffer_ends_by_itself() -> None:
    """Before and after the content is there; a copy on another device is made although its source is deleted."""
    queue, gate = DeviceQueue(device(0)), threading.Event()
    made = queue.submit(lambda: (gate.wait(20), value(3, queue.device))[1], "made")
    first = PendingBuffer(made, 0, TYPE, queue.device)
    elsewhere, second, third = (first.copy_to(d) for d in (device(1), queue.device, queue.device))
    first.delete()
    gate.set()
    np.testing.assert_array_equal(elsewhere.to_host(), [3, 3])
    second.block_until_ready()
    second.buffer().delete()  # as what it was donated to may
    second.delete()
    np.testing.assert_array_equal(third.to_host(), [3, 3])
    moved = third.moved()
    for gone in (first, second, third):
        assert gone.is_ready()
        for read in (gone.to_host, gone.block_until_ready, lambda b=gone: b.copy_to(device(1)),
                     lambda b=gone: b.allocation):
            with pytest.raises(DeletedError, match=r"float32\[2\] on FAKE_0 was used after its buffer was deleted"):
                read()
    np.testing.assert_array_equal(moved.to_host(), [3, 3])
    queue.close()


def test_a_deleted_output_is_not_kept_for_the_other_one() -> None:
    queue, gate = DeviceQueue(device(0)), threading.Event()
    arrays = [np.ones(2, np.float32) for _ in range(3)]
    memory = [weakref.ref(array) for array in arrays]

    def work() -> list[list[Any]]:
        gate.wait(20)
        return [[ArrayBuffer(arrays.pop(0), queue.device)] for _ in range(3)]

    outcome = queue.submit(work, "three outputs")
    early, late, kept = (PendingBuffer(outcome, i, TYPE, queue.device) for i in range(3))
    early.delete()
    gate.set()
    kept.block_until_ready()
    queue.drain()
    late.delete()
    assert [reference() is None for reference in memory] == [True, True, False]
    queue.close()


def test_an_error_comes_out_where_the_result_is_read_and_spares_later_executions() -> None:
    queue = DeviceQueue(device(0))

    def fail() -> list[list[Any]]:
        raise ZeroDivisionError("in the kernel")

    broken = PendingBuffer(queue.submit(fail, "broken"), 0, TYPE, queue.device)
    fine = PendingBuffer(queue.submit(lambda: value(1, queue.device), "fine"), 0, TYPE, queue.device)
    fine.block_until_ready()
    for read in (broken.block_until_ready, broken.to_host, lambda: broken.array):
        with pytest.raises(ZeroDivisionError, match="in the kernel"):
            read()
    queue.close()


def test_large_executions_return_before_they_are_done_and_small_ones_do_not() -> None:
    heavy = olympus.jit(lambda x: jnp.sin(x) * 2)
    large, small = jnp.ones((1024, 1024)), jnp.ones(8)
    result = heavy(large)
    assert type(result._buffers[0]).__name__ == "PendingBuffer"
    assert type(heavy(small)._buffers[0]).__name__ == "CpuBuffer"
    np.testing.assert_allclose(np.asarray(result)[0, 0], 2 * np.sin(1), rtol=1e-6)
    assert result.block_until_ready() is result and result.is_ready()


def test_an_argument_may_be_deleted_or_donated_at_once() -> None:
    heavy = olympus.jit(lambda x: x + 1)
    x = jnp.zeros((1024, 1024))
    y = heavy(x)
    x.delete()
    z = olympus.jit(lambda x: x * 2, donate_argnums=0)(y)
    assert y.is_deleted()
    np.testing.assert_array_equal(np.asarray(z)[:2, 0], [2, 2])


def test_a_pipeline_over_devices_gives_what_one_device_gives() -> None:
    stages = [olympus.jit(lambda x, k=k: jnp.sin(x) * k) for k in (1.5, -2.0, 0.5, 3.0)]
    batches = [np.arange(256 * 1024, dtype=np.float32).reshape(256, 1024) * scale for scale in (1, 2, 3)]
    results = []
    for batch in batches:
        for place, stage in zip(olympus.devices()[:4], stages, strict=True):
            batch = stage(olympus.device_put(batch, place))
        results.append(batch)
    for batch, result in zip(batches, results, strict=True):
        for stage in stages:
            batch = np.asarray(stage(batch))
        assert result.devices() == {olympus.devices()[3]}
        np.testing.assert_array_equal(np.asarray(result), batch)


def test_heavy_results_go_into_programs_over_several_devices() -> None:
    mesh = olympus.make_mesh((8,), ("x",))
    heavy = jnp.sin(jnp.ones((1024, 1024)))
    sharded = olympus.device_put(heavy, olympus.NamedSharding(mesh, olympus.P("x")))
    np.testing.assert_allclose(float(jnp.sum(sharded)), 1024 * 1024 * np.sin(1), rtol=1e-5)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_queues_of_its_own() -> None:
    queue = DeviceQueue(device(0))
    entered, go = threading.Event(), threading.Event()

    def slow() -> list[list[Any]]:
        entered.set()
        go.wait(60)
        return value(1, device(0))

    done, running = queue.submit(lambda: value(7, device(0)), "a program"), queue.submit(slow, "another program")
    assert done.result(0) is not None and entered.wait(10)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            done.result(0)  # what was there stays there
            try:
                running.result(0)
            except LostAtForkError as error:
                status = int("another program was still" not in str(error))
            status |= int(queue.submit(lambda: value(3, device(0)), "the child's").result(0) is None)
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    go.set()
    assert running.result(0) is not None
    queue.close()
