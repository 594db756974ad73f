# SPDX-License-Identifier: Apache-2.0
"""The stand-in refuses what a GPU does not allow: a check that cannot fail would check nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from olympus_cuda.gpu import ArgumentTable, Block, Gpu, Stream

from ..standin.machine import MACHINE, Violation

_MAGIC = b"olympus emulated\n"
TEXT = """
extern "C" __global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
"""


@pytest.fixture
def strict(gpu: Gpu) -> Iterator[Gpu]:
    """The driver interface to a machine whose last violation is expected."""
    yield gpu
    MACHINE.violation = None


def finish(gpu: Gpu, stream: Stream) -> None:
    """Waits for all of a stream."""
    event = gpu.event(stream.ordinal)
    event.record(stream)
    while not event.is_done():
        pass
    event.check()


def block(gpu: Gpu, stream: Stream, nbytes: int = 256) -> Block:
    return gpu.allocate(nbytes, stream)


def test_a_copy_beyond_a_block(strict: Gpu) -> None:
    stream = strict.stream(0)
    one, other = block(strict, stream), block(strict, stream, 512)
    strict.copy(other.ptr, one.ptr, 256, stream)
    with pytest.raises(Violation, match="256 bytes beyond a block of 256 bytes"):
        strict.copy(other.ptr, one.ptr, 512, stream)


def test_an_address_of_nothing(strict: Gpu) -> None:
    stream = strict.stream(0)
    with pytest.raises(Violation, match="in no block"):
        strict.zero(4096, 16, stream)


def test_use_after_free_in_the_order_of_the_stream(strict: Gpu) -> None:
    stream = strict.stream(0)
    one = block(strict, stream)
    address = one.ptr
    strict.zero(address, 16, stream)
    strict.free(one)
    with pytest.raises(Violation, match="given back"):
        strict.zero(address, 16, stream)


def test_a_free_that_does_not_wait_for_a_reader(strict: Gpu) -> None:
    first, second = strict.stream(0), strict.stream(0)
    one, other = block(strict, first), block(strict, second)
    event = strict.event(0)
    event.record(first)
    second.wait(event)
    strict.copy(other.ptr, one.ptr, 256, second)
    strict.free(one)
    with pytest.raises(Violation, match="the end of a block writes memory that stream .* reads, .* has not waited"):
        finish(strict, first)


def test_a_stream_that_does_not_wait_for_the_writer(strict: Gpu) -> None:
    first, second = strict.stream(0), strict.stream(0)
    one, other = block(strict, first), block(strict, second)
    strict.zero(one.ptr, 256, first)
    with pytest.raises(Violation, match="has not waited"):
        strict.copy(other.ptr, one.ptr, 256, second)


@pytest.mark.parametrize("how", ["event", "host"])
def test_a_stream_that_does(strict: Gpu, how: str) -> None:
    first, second = strict.stream(0), strict.stream(0)
    one, other = block(strict, first), block(strict, second)
    strict.zero(one.ptr, 256, first)
    if how == "host":
        finish(strict, first)
    else:
        event = strict.event(0)
        event.record(first)
        second.wait(event)
    strict.copy(other.ptr, one.ptr, 256, second)
    finish(strict, second)
    finish(strict, first)


def test_pinned_memory_given_back_too_early(strict: Gpu) -> None:
    stream = strict.stream(0)
    one, pinned = block(strict, stream), strict.pinned(64)
    strict.upload(one.ptr, pinned.ptr, 64, stream)
    del pinned
    with pytest.raises(Violation, match="pinned memory is given back"):
        finish(strict, stream)


def test_memory_of_the_host_that_is_not_pinned(strict: Gpu) -> None:
    stream = strict.stream(0)
    one = block(strict, stream)
    with pytest.raises(Violation, match="no pinned memory"):
        strict.upload(one.ptr, 4096, 64, stream)


@pytest.mark.parametrize(("threads", "grid", "shared", "text"), [
    (2048, 1, 0, "2048 threads"), (0, 1, 0, "0 threads"), (32, 0, 0, "grid of 0"),
    (32, 1, 49153, "49153 bytes of shared"),
])
def test_launches_that_no_gpu_takes(strict: Gpu, threads: int, grid: int, shared: int, text: str) -> None:
    stream = strict.stream(0)
    function = strict.load(_MAGIC + TEXT.encode(), 0).function("twice")
    one = block(strict, stream)
    with pytest.raises(Violation, match=text):
        strict.launch(function, grid, threads, shared, stream.ptr, [one.ptr, one.ptr])


def test_a_kernel_that_writes_beside_its_blocks(strict: Gpu) -> None:
    stream = strict.stream(0)
    function = strict.load(_MAGIC + TEXT.encode(), 0).function("twice")
    one, other = block(strict, stream, 512), block(strict, stream, 256)
    strict.launch(function, 1, 100, 0, stream.ptr, [one.ptr, other.ptr])
    with pytest.raises(Violation, match="behind"):
        finish(strict, stream)


def test_a_stream_of_a_gpu_that_is_not_current(strict: Gpu) -> None:
    stream = strict.stream(1)
    one = block(strict, stream)
    function = strict.load(_MAGIC + TEXT.encode(), 1).function("twice")
    with pytest.raises(Violation, match="device 0 is current"):
        strict.launch(function, 1, 32, 0, stream.ptr, [one.ptr, one.ptr])


def test_waiting_for_a_stream_that_is_captured(strict: Gpu) -> None:
    stream = strict.stream(0)
    strict.begin_capture(stream)
    with pytest.raises(Violation, match="captured"):
        finish(strict, stream)


def test_a_graph_is_checked_at_each_launch(strict: Gpu) -> None:
    stream, aside = strict.stream(0), strict.stream(0)
    function = strict.load(_MAGIC + TEXT.encode(), 0).function("twice")
    one, other = block(strict, stream), block(strict, stream)
    table = ArgumentTable([one.ptr, other.ptr])
    strict.begin_capture(aside)
    strict.launch_prepared(function, 1, 1, 1, 32, 1, 1, 0, aside.ptr, table.ptr, 0)
    graph = strict.end_capture(aside)
    graph.launch(stream)
    finish(strict, stream)
    strict.free(other)
    with pytest.raises(Violation, match="given back"):
        graph.launch(stream)
