# SPDX-License-Identifier: Apache-2.0
"""Lanes, allocations and buffers over the stand-in."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator

import ml_dtypes
import numpy as np
import pytest

from olympus_core.errors import DeletedError
from olympus_core.errors.platform import OutOfMemoryError
from olympus_core.plugin import Device, DeviceDescription
from olympus_core.program import ArrayType
from olympus_cuda import dlpack, transfer
from olympus_cuda.buffer import CudaBuffer, DeviceArray, Stack
from olympus_cuda.gpu import Gpu
from olympus_cuda.memory import Allocation, StreamContext, rounded
from olympus_cuda.transfer import HostAllocation, downloaded, uploaded

from ..standin.machine import MACHINE

_open: list[StreamContext] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Closes the contexts of a test."""
    yield
    while _open:
        _open.pop().close()


def contexts(gpu: Gpu, *ordinals: int, kept: int | None = None) -> tuple[StreamContext, ...]:
    found = tuple(StreamContext(gpu, ordinal, f"GPU {ordinal}", kept) for ordinal in ordinals)
    for context in found:
        context.siblings = found
    _open.extend(found)
    return found


def device(index: int) -> Device:
    description = DeviceDescription(index, "gpu", f"cuda:{index}", f"CudaDevice(id={index})")
    return Device(description, platform="cuda", process_index=0, local_index=index, is_addressable=True)


def buffer(value: np.ndarray, context: StreamContext, at: Device) -> CudaBuffer:
    return CudaBuffer.of_allocation(uploaded(value, context), ArrayType(value.shape, value.dtype), at, context)


VALUE = np.arange(600, dtype=np.float32).reshape(20, 30)


@pytest.mark.parametrize("nbytes", [0, 1, 256, 257, 1000, 5000, 1 << 20, (1 << 20) + 1, 10**9])
def test_sizes_of_blocks_waste_little(nbytes: int) -> None:
    size = rounded(nbytes)
    assert size >= max(nbytes, 1) and size % 256 == 0 and size <= max(256, 1.25 * nbytes + 256)
    assert rounded(size) == size


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (1,), (7, 5, 3)])
@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.float64, np.complex128, ml_dtypes.bfloat16])
def test_there_and_back(gpu: Gpu, shape: tuple[int, ...], dtype: type) -> None:
    (context,) = contexts(gpu, 0)
    value = np.random.default_rng(0).integers(0, 2, shape).astype(dtype)
    allocation = uploaded(value, context)
    found = downloaded(allocation, shape, value.dtype)
    assert found.dtype == value.dtype and found.shape == shape and found.tobytes() == value.tobytes()


def test_large_transfers_go_in_pieces(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "_PIECE", 1000)
    (context,) = contexts(gpu, 0)
    value = np.arange(3001, dtype=np.float64)
    kept = value.copy()
    allocation = uploaded(value, context)
    value[:] = -1  # the caller may change it at once
    np.testing.assert_array_equal(downloaded(allocation, kept.shape, kept.dtype), kept)


def test_an_array_that_is_not_row_major(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    np.testing.assert_array_equal(buffer(VALUE.T, context, device(0)).to_host(), VALUE.T)


def test_blocks_are_used_again_in_the_order_of_the_stream(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    first = context.allocate(1000)
    address, made = first.ptr, MACHINE.allocations
    del first
    again = context.allocate(1010)
    assert (again.ptr, MACHINE.allocations) == (address, made)
    assert context.figures() == {"bytes_in_use": rounded(1000), "peak_bytes_in_use": rounded(1000),
                              "bytes_kept_for_reuse": 0}
    del again
    assert (context.figures()["bytes_in_use"], context.figures()["bytes_kept_for_reuse"]) == (0, rounded(1000))


def test_copies_between_devices_of_one_gpu_and_of_two(gpu: Gpu) -> None:
    found = contexts(gpu, 0, 0, 1, kept=0)
    source = buffer(VALUE, found[0], device(0))
    copies = [source.copy_to(device(i)) for i in range(3)]
    source.delete()
    del source
    for i, copy in enumerate(copies):
        assert copy.device.id == i and copy.context is found[i] and copy.allocation.context is found[i]
        np.testing.assert_array_equal(copy.to_host(), VALUE)
    assert len({copy.allocation.ptr for copy in copies}) == 3


def test_a_deleted_buffer_is_not_read(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    one = buffer(VALUE, context, device(0))
    host = one.to_host()
    same = one.copy_to(one.device)
    one.delete()
    with pytest.raises(DeletedError, match="deleted"):
        one.to_host()
    np.testing.assert_array_equal(host, VALUE)
    np.testing.assert_array_equal(same.to_host(), VALUE)
    assert not host.flags.writeable


def test_another_stream_reads_before_memory_is_used_again(gpu: Gpu) -> None:
    first, second = contexts(gpu, 0, 0, kept=0)
    allocation = uploaded(VALUE, first)
    address = allocation.on(second)
    copy = second.allocate(VALUE.nbytes)
    with second.lock:
        gpu.copy(copy.ptr, address, VALUE.nbytes, second.stream)
        second.ticks += 1
    assert allocation.readers == {second}
    del allocation  # the stand-in refuses a block whose readers the first context has not waited for
    gc.collect()
    np.testing.assert_array_equal(downloaded(copy, VALUE.shape, VALUE.dtype), VALUE)


def test_who_takes_over_a_cell_waits_for_its_readers(gpu: Gpu) -> None:
    first, second = contexts(gpu, 0, 0, kept=0)
    allocation = uploaded(VALUE, first)
    other = allocation.copied_to(second)
    allocation.take_over(second)
    gpu.use(0)
    gpu.zero(allocation.ptr, allocation.nbytes, second.stream)
    second.ticks += 1
    assert allocation.context is second and allocation.readers is None
    del allocation
    np.testing.assert_array_equal(downloaded(other, VALUE.shape, VALUE.dtype), VALUE)


def test_readiness_is_shared_until_more_is_enqueued(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    one = context.mark()
    assert context.mark() is one
    later = buffer(VALUE, context, device(0))
    assert later._ready is context.mark() is not one
    later.block_until_ready()
    assert later.is_ready() and one.is_done()


def test_out_of_memory_says_what_was_asked_held_and_free(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    held = context.allocate(40 << 20)
    with pytest.raises(OutOfMemoryError) as caught:
        context.allocate(30 << 20)
    error = caught.value
    assert isinstance(error, MemoryError)
    assert (error.asked, error.held, error.free) == (30 << 20, 40 << 20, 24 << 20)
    del held
    context.allocate(30 << 20)


def test_what_is_kept_is_given_back_before_memory_runs_out(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    allocations = [context.allocate(4 << 20) for _ in range(16)]
    allocations.clear()
    assert context.figures()["bytes_kept_for_reuse"] == 64 << 20
    assert context.allocate(60 << 20).nbytes == 60 << 20


def test_a_value_of_the_host_comes_to_each_gpu_once(gpu: Gpu) -> None:
    first, second, third = contexts(gpu, 0, 0, 1)
    allocation = HostAllocation(VALUE)
    addresses = [allocation.on(context) for context in (first, second, third, first)]
    assert addresses[0] == addresses[1] == addresses[3] != addresses[2]
    assert np.shares_memory(downloaded(allocation, VALUE.shape, VALUE.dtype), VALUE)


def test_arrays_of_the_device(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    array = DeviceArray(uploaded(VALUE, context), ArrayType(VALUE.shape, VALUE.dtype))
    np.testing.assert_array_equal(array[3, ...].to_host(), VALUE[3])
    np.testing.assert_array_equal(array.reshape(-1).view(np.dtype(np.int32)).reshape((30, 20)).to_host(),
                                  VALUE.view(np.int32).reshape(30, 20))
    host = DeviceArray.of_host(VALUE.T)
    np.testing.assert_array_equal(host[2, ...].to_host(), VALUE.T[2])
    np.testing.assert_array_equal(host.reshape(-1).to_host(), VALUE.T.reshape(-1))


@pytest.mark.parametrize("where", ["device", "host", "both"])
def test_stacks_are_where_their_parts_are(gpu: Gpu, where: str) -> None:
    (context,) = contexts(gpu, 0)
    stack = Stack(ArrayType(VALUE.shape, VALUE.dtype))
    for i, row in enumerate(VALUE):
        of_device = where == "device" or (where == "both" and i > 4)
        allocation = uploaded(row, context) if of_device else HostAllocation(row)
        stack.put(i, DeviceArray(allocation, ArrayType(row.shape, row.dtype)))
    whole = stack.array()
    assert isinstance(whole.allocation, HostAllocation if where == "host" else Allocation)
    np.testing.assert_array_equal(whole.to_host(), VALUE)


def test_cuda_array_interface(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    one = buffer(VALUE, context, device(0))
    interface = one.__cuda_array_interface__
    assert interface == {"shape": (20, 30), "typestr": "<f4", "data": (one.allocation.ptr, True), "version": 3,
                         "strides": None, "stream": context.stream.ptr}
    narrow = buffer(VALUE.astype(ml_dtypes.bfloat16), context, device(0))
    assert not hasattr(narrow, "__cuda_array_interface__")


class _Tensor(ctypes.Structure):
    """As DLPack's header has it, written anew."""

    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int * 2), ("ndim", ctypes.c_int),
                ("code", ctypes.c_ubyte), ("bits", ctypes.c_ubyte), ("contexts", ctypes.c_ushort),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


def _pointer(capsule: object, name: bytes) -> int:
    get = ctypes.PyDLL(None).PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, name)


@pytest.mark.parametrize("versioned", [True, False])
def test_dlpack(gpu: Gpu, versioned: bool) -> None:
    context = contexts(gpu, 0, 0)[1]
    one = buffer(VALUE.astype(ml_dtypes.bfloat16), context, device(1))
    assert one.__dlpack_device__() == (2, 0)
    capsule = one.__dlpack__(stream=1, max_version=(1, 0) if versioned else None)
    name = b"dltensor_versioned" if versioned else b"dltensor"
    address = _pointer(capsule, name)
    if versioned:
        numbers = ctypes.c_uint32.from_address(address)
        flags = ctypes.c_uint64.from_address(address + 24).value
        deleter = ctypes.c_void_p.from_address(address + 16).value
        assert (numbers.value, flags) == (1, 1)  # version 1, read-only
    else:
        deleter = ctypes.c_void_p.from_address(address + ctypes.sizeof(_Tensor) + 8).value
    tensor = _Tensor.from_address(address + (32 if versioned else 0))
    assert (tensor.device[0], tensor.device[1], tensor.ndim, tensor.code, tensor.bits) == (2, 0, 2, 4, 16)
    assert (tensor.shape[:2], tensor.strides[:2], tensor.offset) == ([20, 30], [30, 1], 0)
    assert (tensor.data == one.allocation.ptr) is versioned  # who knows no read-only memory gets a copy
    held = context.figures()["bytes_in_use"]
    one.delete()
    context.drain("the test")
    found = (ctypes.c_uint8 * (2 * VALUE.size)).from_address(tensor.data)
    assert bytes(found) == VALUE.astype(ml_dtypes.bfloat16).tobytes()
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(address)
    assert context.figures()["bytes_in_use"] < held


def test_memory_that_a_dlpack_consumer_still_reads_is_not_used_again(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    one, consumer = buffer(VALUE, context, device(0)), gpu.stream(0)
    capsule = one.__dlpack__(stream=consumer.ptr, max_version=(1, 0))
    address, size = _pointer(capsule, b"dltensor_versioned"), one.allocation.ptr
    target = gpu.allocate(VALUE.nbytes, consumer)
    MACHINE.hang(consumer.ptr)
    gpu.copy(target.ptr, size, VALUE.nbytes, consumer)  # not before the consumer's stream goes on
    one.delete()
    deleter = ctypes.c_void_p.from_address(address + 16).value
    ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleter)(address)
    again = context.allocate(VALUE.nbytes)
    assert again.ptr == size
    gpu.zero(again.ptr, VALUE.nbytes, context.stream)  # refused by the stand-in where it would not wait
    MACHINE.release()
    context.drain("the test")


def test_dlpack_that_nobody_takes_gives_its_memory_back(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    one = buffer(VALUE, context, device(0))
    capsule = one.__dlpack__(max_version=(1, 0))
    one.delete()
    assert context.figures()["bytes_in_use"]
    del capsule
    dlpack.forget_unused()
    assert not context.figures()["bytes_in_use"]


def test_dlpack_to_the_host_and_to_nowhere(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    one = buffer(VALUE, context, device(0))

    class Exporter:
        def __dlpack__(self, **options: object) -> object:
            return one.__dlpack__(dl_device=(1, 0))

        def __dlpack_device__(self) -> tuple[int, int]:
            return (1, 0)

    np.testing.assert_array_equal(np.from_dlpack(Exporter()), VALUE)  # type: ignore[arg-type]
    with pytest.raises(BufferError, match="not"):
        one.__dlpack__(dl_device=(2, 1))
    with pytest.raises(BufferError, match="ambiguous"):
        one.__dlpack__(stream=0, max_version=(1, 0))


def test_what_a_cycle_of_garbage_held_can_be_used_again(gpu: Gpu) -> None:
    """The collector of garbage calls the finalisers of all that a cycle holds, also of what one of them takes out."""
    (context,) = contexts(gpu, 0)
    for _ in range(3):
        cycle: list[object] = [uploaded(VALUE, context)]
        cycle += [cycle, context.mark()]
        context.ticks += 1
        del cycle
        gc.collect()
        allocation = uploaded(VALUE, context)
        np.testing.assert_array_equal(downloaded(allocation, VALUE.shape, VALUE.dtype), VALUE)
        del allocation
    assert len(MACHINE.blocks) == 1


def test_a_capsule_that_nobody_takes_is_forgotten_at_the_next_one(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    one, other = buffer(VALUE, context, device(0)), buffer(VALUE, context, device(0))
    with pytest.raises((RuntimeError, BufferError), match=r"[Uu]nsupported device|device type"):
        np.from_dlpack(one)
    one.delete()
    assert context.in_use == 2 * rounded(VALUE.nbytes)
    capsule = other.__dlpack__(max_version=(1, 0))
    assert context.in_use == rounded(VALUE.nbytes) and capsule is not None


def test_a_donated_buffer_is_not_read_unless_it_was_spared(gpu: Gpu) -> None:
    (context,) = contexts(gpu, 0)
    for is_written in (False, True):
        one = buffer(VALUE, context, device(0))
        writes = one.allocation.writes
        allocation = one.allocation
        one.give()
        for read in (one.to_host, one.block_until_ready, lambda b=one: b.copy_to(b.device), lambda b=one: b.allocation):
            with pytest.raises(DeletedError, match="deleted or donated"):
                read()
        if is_written:
            allocation.take_over(context)
        one.recover(writes)
        assert one.is_spoiled == is_written
        if not is_written:
            np.testing.assert_array_equal(one.to_host(), VALUE)
        one.delete()
        one.delete()
        assert one.is_ready() and "deleted" in repr(one)
