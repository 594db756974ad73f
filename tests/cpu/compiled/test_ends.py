# SPDX-License-Identifier: Apache-2.0
"""Arrays that end, deleted or donated, while calls read them: a call holds what it reads."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import DeletedError
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core import ops
from olympus_core.program import ArrayType, DeviceProgram, Operation, ProgramBuilder
from olympus_core.toolkit import queues
from olympus_core.toolkit.fused import FusedCompiler
from olympus_core.toolkit.optable import Kernel
from olympus_cpu.buffer import CpuBuffer, array_of
from tests.support.instructions import at_each_instruction
from tools.fuzz.execute import _Alone, block_of, client

N = 1000


@pytest.fixture
def during() -> Iterator[list[Callable[[], object]]]:
    """What is done in the middle of each call, after it has read its arrays and before it computes with them.

    A program with a sort has this in it, so each test's is one that no other test has.
    """
    work: list[Callable[[], object]] = []
    kernel = FusedCompiler.kernel

    def with_work(self: FusedCompiler, operation: Operation) -> Kernel:
        found = kernel(self, operation)
        if operation.name != "sort":
            return found

        def function(*arrays: Any) -> Any:
            for one in work:
                one()
            return found.function(*arrays)

        return found._replace(function=function)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FusedCompiler, "kernel", with_work)
        yield work
        work.clear()


def of_host(start: float = 0.0) -> tuple[olympus.Array, np.ndarray, weakref.ref[np.ndarray]]:
    """An array in memory that came from NumPy, its content, and what tells whether the memory is there."""
    value = np.arange(start, start + N, dtype=np.float32)
    array = jnp.asarray(value)
    memory: Any = array._buffers[0].allocation  # type: ignore[attr-defined]  # the CPU platform's
    return array, value, weakref.ref(memory)


def test_a_call_holds_what_it_reads(during: list[Callable[[], object]]) -> None:
    x, value, memory = of_host()
    y = jnp.asarray(value[::-1].copy())
    called = jnp.zeros(N)
    f = olympus.jit(lambda x, y, c: (jnp.sort(y) + c, x * 2))
    f(jnp.zeros(N), y, called)
    seen: list[bool] = []
    during += [x.delete, gc.collect, lambda: seen.append(memory() is not None)]
    of_y, of_x = f(x, y, called)
    assert seen == [True] and memory() is None  # given back when the call was done
    assert np.array_equal(of_x, 2 * value) and np.array_equal(of_y, value)
    during.clear()
    with pytest.raises(DeletedError, match=r"delete\(\)"):
        f(x, y, called)


def test_on_several_devices(during: list[Callable[[], object]]) -> None:
    mesh = olympus.make_mesh((4,), ("x",))
    value = np.arange(4 * N, dtype=np.float32).reshape(4, N)
    x, y = (olympus.device_put(value[:, ::-1].copy(), NamedSharding(mesh, P("x"))) for _ in range(2))
    during.append(x.delete)
    of_y, of_x = olympus.jit(lambda x, y: (jnp.sort(y, axis=1), x * 2))(x, y)
    assert np.array_equal(of_y, value) and np.array_equal(of_x, 2 * value[:, ::-1])


def test_a_program_in_stages_holds_what_it_reads() -> None:
    x, value, _ = of_host()

    def deletes(y: np.ndarray) -> np.ndarray:
        x.delete()
        return y

    def f(x: olympus.Array, y: olympus.Array) -> tuple[olympus.Array, olympus.Array]:
        return olympus.pure_callback(deletes, olympus.ShapeDtypeStruct((N,), np.float32), y), x * 2 + 1

    _, of_x = olympus.jit(f)(x, jnp.ones(N))
    assert np.array_equal(of_x, 2 * value + 1) and x.is_deleted()


@pytest.mark.parametrize("ends", [CpuBuffer.delete, CpuBuffer.give, CpuBuffer.moved])
def test_a_buffer_that_ends_has_its_content_or_none(ends: Any) -> None:
    """At each instruction of what ends it, and of what reads it, another thread reads it, or ends it."""
    make = olympus.jit(lambda: jnp.arange(float(N)) * 2 + 1)
    expected, buffers = 2.0 * np.arange(N, dtype=np.float32) + 1, list[CpuBuffer]()

    def fresh() -> CpuBuffer:
        buffers.append(make()._buffers[0])
        return buffers[-1]

    def read(buffer: CpuBuffer) -> None:
        for found in (lambda: buffer.array, buffer.to_host, lambda: array_of(buffer.allocation, buffer._type),
                      lambda: buffer.copy_to(buffer.device).array):
            with suppress(DeletedError):
                assert np.array_equal(found(), expected)

    assert at_each_instruction(ends, lambda: ends(fresh()), lambda: read(buffers[-1]), lambda: None) > 5
    for reader in (CpuBuffer.array.fget, CpuBuffer.to_host, CpuBuffer.copy_to):
        assert at_each_instruction(reader, lambda: read(fresh()), lambda: ends(buffers[-1]), lambda: None) > 5


def test_what_is_donated_is_over_when_the_call_begins(during: list[Callable[[], object]]) -> None:
    """Before anything is written over: who comes later is told, who read before has what there was."""
    f = olympus.jit(lambda x: (jnp.sort(x) * 5, x * 2), donate_argnums=0)
    f(jnp.arange(float(N)) + 1)
    x = jnp.arange(float(N)) - 3
    told: list[DeletedError] = []

    def reads() -> None:
        for read in (lambda: np.asarray(x), lambda: x + 1, lambda: x.addressable_data(0), x.block_until_ready):
            with pytest.raises(DeletedError) as caught:
                read()
            told.append(caught.value)

    during.append(reads)
    of_sorted, of_x = f(x)
    assert len(told) == 4 and all("donated to a jitted function" in str(error) for error in told)
    assert np.array_equal(of_sorted, 5 * (np.arange(N) - 3)) and np.array_equal(of_x, 2 * (np.arange(N) - 3))


@pytest.mark.parametrize("is_held", [False, True])
def test_donated_memory_is_used_again_beside_an_operation_that_has_read_it(is_held: bool) -> None:
    """The operation of NumPy has looked at the memory, and looks no more; somebody else may."""
    f = olympus.jit(lambda x: (jnp.sort(x) * 3, x * 2), donate_argnums=0)
    x = jnp.asarray(np.arange(N, dtype=np.float32)[::-1]) + 0
    allocation = x._buffers[0].allocation  # type: ignore[attr-defined]  # the CPU platform's
    address = allocation.address
    if not is_held:
        del allocation
    of_sorted, of_x = f(x)
    assert np.array_equal(of_sorted, 3 * np.arange(N)) and np.array_equal(of_x, 2 * np.arange(N)[::-1])
    assert (of_x._buffers[0].allocation.address == address) == (not is_held)


@pytest.mark.parametrize("held", [None, 0, 2])
def test_donated_memory_of_several_devices_is_used_again_where_nobody_looks_at_any(held: int | None) -> None:
    sharding = NamedSharding(olympus.make_mesh((4,), ("x",), devices=olympus.devices()[:4]), P("x"))
    value = np.arange(4 * N, dtype=np.float32)
    x = olympus.device_put(value, sharding) + 0
    addresses = [buffer.allocation.address for buffer in x._buffers]  # type: ignore[attr-defined]  # the CPU platform's
    seen = None if held is None else x._buffers[held].to_host()
    y = olympus.jit(lambda x: x * 2, donate_argnums=0)(x)
    assert np.array_equal(y, 2 * value) and ([b.allocation.address for b in y._buffers] == addresses) == (seen is None)
    assert seen is None or np.array_equal(seen, value[held * N:(held + 1) * N])


@pytest.mark.parametrize("share", [lambda x: x.addressable_shards[1].data, lambda x: x.addressable_data(1)])
def test_an_array_that_shares_donated_buffers_keeps_them(share: Callable[[olympus.Array], olympus.Array]) -> None:
    sharding = NamedSharding(olympus.make_mesh((4,), ("x",), devices=olympus.devices()[:4]), P("x"))
    value = np.arange(4 * N, dtype=np.float32)
    x = olympus.device_put(value, sharding) + 0
    part = share(x)
    assert np.array_equal(olympus.jit(lambda x: x * 2, donate_argnums=0)(x), 2 * value)
    assert x.is_deleted() and np.array_equal(part, value[N:2 * N])


def test_an_output_s_memory_does_not_wait_for_the_others() -> None:
    n = 1 << 20  # in the queue
    first, second = olympus.jit(lambda x: (jnp.cumsum(x), jnp.sin(jnp.cos(jnp.exp(x)))))(jnp.zeros(n))
    olympus.block_until_ready((first, second))
    memory = weakref.ref(first._buffers[0].array)  # type: ignore[attr-defined]  # the CPU platform's
    gc.collect()
    assert memory() is not None
    first.delete()
    assert memory() is None and float(second[0]) == pytest.approx(np.sin(np.cos(1.0)))


@pytest.mark.parametrize("is_queued", [False, True])
@pytest.mark.parametrize("donated", [(0,), (1,), (0, 1)])
def test_a_buffer_that_is_given_twice(
    is_queued: bool, donated: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A platform's executables may be given one buffer in two places; the language refuses that before."""
    monkeypatch.setattr(queues, "_WORTH_SECONDS", 0.0 if is_queued else 1.0)
    platform, devices = client()
    builder, kind, size = ProgramBuilder("twice"), ArrayType((100,), "float32"), 100
    x, y = builder.input(kind), builder.input(kind)
    (turned,) = builder.emit(ops.sort, [x], {"dimension": 0, "keys": 1})
    program = builder.finish([*builder.emit(ops.add, [x, turned]), *builder.emit(ops.sin, [y])])
    executable = platform.compile(DeviceProgram(program, devices[:1], donated), _Alone())
    value = np.arange(size, dtype=np.float32)[::-1].copy()
    for put in (block_of, platform.buffer_from_host):
        buffer = put(value, devices[0])
        (added,), (sines,) = executable.execute([[buffer], [buffer]])
        assert (type(added) is queues.PendingBuffer) == is_queued
        assert np.array_equal(added.to_host(), np.full(size, size - 1)), donated
        np.testing.assert_allclose(sines.to_host(), np.sin(value), atol=2e-6)


def test_a_deleted_buffer_tells() -> None:
    device = olympus.devices()[0]
    for ending in ("delete", "give"):
        buffer = CpuBuffer(np.arange(3), device)
        getattr(buffer, ending)()
        for read in ("allocation", "array", "shape", "dtype"):
            with pytest.raises(DeletedError, match="was deleted or donated"):
                getattr(buffer, read)
        for read in (buffer.to_host, buffer.block_until_ready, lambda b=buffer: b.copy_to(device)):
            with pytest.raises(DeletedError):
                read()
        assert buffer.is_ready() and "deleted" in repr(buffer)
        buffer.delete()


def test_what_cannot_be_written_over() -> None:
    """Memory that came from NumPy may be the user's: it is read, and left as it is."""
    value = np.arange(N, dtype=np.float32)
    value.flags.writeable = False
    x = jnp.asarray(value)
    olympus.jit(lambda x: x + 1, donate_argnums=0)(x)
    assert np.array_equal(value, np.arange(N))


def test_what_another_call_gives_back_is_donated_after_all(monkeypatch: pytest.MonkeyPatch) -> None:
    x, lend = jnp.arange(float(N)) + 1, olympus.Array._lend
    calls: list[object] = []

    def after_another(self: olympus.Array, reason: str) -> Any:
        calls.append(self)
        if len(calls) > 1:
            return lend(self, reason)
        other = lend(self, "of another thread's call")
        mine = lend(self, reason)
        assert mine is None and other is not None
        self._take_back(other)  # that call has failed
        return mine

    monkeypatch.setattr(olympus.Array, "_lend", after_another)
    assert np.array_equal(olympus.jit(lambda x: x * 2, donate_argnums=0)(x), 2.0 * (np.arange(N) + 1))
    assert x.is_deleted() and [one is x for one in calls] == [True, True]
