# SPDX-License-Identifier: Apache-2.0
"""The bridge on the CPU library: buffers, programs, devices, errors, events, and what is given back."""

from __future__ import annotations

import dataclasses
import gc
import threading
import weakref
from collections.abc import Iterator

import ml_dtypes
import numpy as np
import pytest

from olympus_pjrt.bridge import NUMBERS, Client, load
from olympus_pjrt.bridge.events import Event
from olympus_pjrt.errors import PjrtArgumentError, PjrtClosedError, PjrtError

from ..libraries import cpu_library

DOUBLE = """module @double { func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32> } }"""
DONATED = DOUBLE.replace("tensor<4xf32>) ->", "tensor<4xf32> {tf.aliasing_output = 0 : i32}) ->")
SEVERAL = """module @several { func.func public @main(%x: tensor<3x4xf32>, %y: tensor<i32>)
    -> (tensor<4x3xf32>, tensor<i32>, tensor<3x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.add %y, %y : tensor<i32>
  return %0, %1, %x : tensor<4x3xf32>, tensor<i32>, tensor<3x4xf32> } }"""
TOGETHER = """module @together attributes {mhlo.num_replicas = 4 : i32} {
  func.func public @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<ui32>) {
    %0 = "stablehlo.all_reduce"(%x) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    %i = stablehlo.replica_id : tensor<ui32>
    return %0, %i : tensor<2xf32>, tensor<ui32> } }"""
X = np.arange(4, dtype=np.float32)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Client(load(cpu_library()), {"cpu_device_count": 4}) as opened:
        yield opened


def test_devices(client: Client) -> None:
    assert [(d.id, d.text, d.representation, d.kind) for d in client.devices] == [
        (i, f"TFRT_CPU_{i}", f"CpuDevice(id={i})", "cpu") for i in range(4)
    ]
    assert client.platform_name == "cpu" and client.process_index == 0 and client.device_count == 4


@pytest.mark.parametrize("count", [1, 2])
def test_the_number_of_devices_is_an_option(count: int) -> None:
    with Client(load(cpu_library()), {"cpu_device_count": count}) as opened:
        assert len(opened.devices) == count


@pytest.mark.parametrize("dtype", list(NUMBERS), ids=str)
@pytest.mark.parametrize("shape", [(), (3,), (2, 0, 3), (3, 4), (2, 3, 4)], ids=str)
def test_arrays_come_back(client: Client, dtype: np.dtype, shape: tuple[int, ...]) -> None:
    value = np.arange(int(np.prod(shape, dtype=int))).reshape(shape).astype(np.float32).astype(dtype)
    buffer = client.put(value, client.devices[1])
    assert (buffer.shape, buffer.dtype) == (shape, dtype)
    assert buffer.device_pointer == client.devices[1].pointer
    np.testing.assert_array_equal(buffer.to_host(), value)
    assert buffer.to_host().tobytes() == value.tobytes()


def test_strides_and_layouts(client: Client) -> None:
    value = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
    buffer = client.put(value.transpose(2, 0, 1), client.devices[0])
    np.testing.assert_array_equal(buffer.to_host(), value.transpose(2, 0, 1))
    assert buffer.minor_to_major == (2, 1, 0)
    assert buffer.device_bytes == value.nbytes
    assert buffer.raw((2, 1, 0)) == value.transpose(2, 0, 1).tobytes()


def test_what_was_put_may_change_afterwards(client: Client) -> None:
    value = np.arange(1000.0, dtype=np.float32)
    buffer = client.put(value, client.devices[0])
    value[:] = 0
    np.testing.assert_array_equal(buffer.to_host(), np.arange(1000.0, dtype=np.float32))


def test_several_inputs_and_outputs(client: Client) -> None:
    program = client.compile(SEVERAL, [[client.devices[2]]])
    matrix, number = np.arange(12, dtype=np.float32).reshape(3, 4), np.int32(21)
    inputs = [[client.put(v, client.devices[2])] for v in (matrix, np.asarray(number))]
    transposed, doubled, same = (column[0].to_host() for column in program.execute(inputs))
    np.testing.assert_array_equal(transposed, matrix.T)
    np.testing.assert_array_equal(same, matrix)
    assert doubled == 42
    assert program.program.output_types() == [
        ((4, 3), np.dtype(np.float32)), ((), np.dtype(np.int32)), ((3, 4), np.dtype(np.float32))
    ]


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0)], ids=str)
def test_groups_hold_positions_whatever_the_assignment(client: Client, order: tuple[int, ...]) -> None:
    devices = [client.devices[i] for i in order]
    program = client.compile(TOGETHER, [[d] for d in devices])
    assert program.device_pointers == [d.pointer for d in devices]
    values = [np.array([1, 10], np.float32) * 100**i for i in range(4)]
    sums, places = program.execute([[client.put(v, d) for v, d in zip(values, devices, strict=True)]])
    for i in range(4):
        np.testing.assert_array_equal(sums[i].to_host(), values[i] + values[(i + 2) % 4])
        assert places[i].to_host() == i
        assert sums[i].device_pointer == devices[i].pointer


def test_facts_of_a_program(client: Client) -> None:
    program = client.compile(DOUBLE, [[client.devices[0]]]).program
    again = client.compile(DOUBLE, [[client.devices[0]]]).program
    assert (program.name, program.replicas, program.partitions, program.outputs) == ("double", 1, 1, 1)
    assert program.fingerprint == again.fingerprint != client.compile(
        SEVERAL, [[client.devices[0]]]).program.fingerprint
    assert program.memory()["argument_size_in_bytes"] == 16 == program.memory()["output_size_in_bytes"]
    assert program.cost()["flops"] == 4
    assert program.optimized().code
    assert client.compile(TOGETHER, [[d] for d in client.devices]).program.replicas == 4


def test_programs_survive_as_bytes(client: Client) -> None:
    data = client.compile(DOUBLE, [[client.devices[0]]]).program.serialize()
    loaded = client.deserialize(data)
    ((result,),) = loaded.execute([[client.put(X, client.devices[0])]])
    np.testing.assert_array_equal(result.to_host(), 2 * X)


def test_donated_memory_is_reused_unless_it_is_kept(client: Client) -> None:
    program = client.compile(DONATED, [[client.devices[0]]])
    assert program.program.memory()["alias_size_in_bytes"] == 16
    kept = client.put(X, client.devices[0])
    ((result,),) = program.execute([[kept]], keep=[0])
    np.testing.assert_array_equal(result.to_host(), 2 * X)
    np.testing.assert_array_equal(kept.to_host(), X)
    ((result,),) = program.execute([[kept]])
    np.testing.assert_array_equal(result.to_host(), 2 * X)
    with pytest.raises(PjrtError):
        kept.to_host()


def test_copies(client: Client) -> None:
    buffer = client.put(X, client.devices[0])
    copy = buffer.copy_to(client.devices[3].pointer)
    buffer.delete()
    assert copy.device_pointer == client.devices[3].pointer
    np.testing.assert_array_equal(copy.to_host(), X)


def test_events(client: Client) -> None:
    buffer = client.put(X, client.devices[0])
    buffer.block_until_ready()
    assert buffer.is_ready()
    event = Event(client.library, None)
    event.block_until_ready()
    assert event.is_ready()
    program = client.compile(DOUBLE, [[client.devices[0]]])
    program.execute([[buffer]])
    client.synchronize()


def test_errors_of_the_library_have_its_words(client: Client) -> None:
    with pytest.raises(PjrtError, match="custom op 'garbage' is unknown") as caught:
        client.compile("func.func @main() { garbage }", [[client.devices[0]]])
    assert caught.value.function == "Client_Compile" and caught.value.code
    program = client.compile(DOUBLE, [[client.devices[0]]])
    with pytest.raises(PjrtError):
        program.execute([[client.put(np.zeros(5, np.float32), client.devices[0])]])
    with pytest.raises(PjrtArgumentError, match="and not"):
        program.execute([[client.put(X, client.devices[0])]] * 2)
    with pytest.raises(PjrtArgumentError, match="no element type"):
        client.put(np.zeros(2, ml_dtypes.int4), client.devices[0])


def test_impossible_devices_are_refused_before_the_library_sees_them(client: Client) -> None:
    one, two = client.devices[:2]
    with pytest.raises(PjrtArgumentError, match="not distinct"):
        client.compile(DOUBLE, [[one], [one]])
    with pytest.raises(PjrtArgumentError, match="no device has the ids"):
        client.compile(DOUBLE, [[dataclasses.replace(two, id=99)]])


def test_what_is_deleted_is_not_used(client: Client) -> None:
    buffer = client.put(X, client.devices[0])
    program = client.compile(DOUBLE, [[client.devices[0]]])
    buffer.delete()
    buffer.delete()
    for use in (buffer.to_host, buffer.is_ready, lambda: program.execute([[buffer]])):
        with pytest.raises(PjrtClosedError):
            use()
    program.close()
    with pytest.raises(PjrtClosedError):
        program.execute([[client.put(X, client.devices[0])]])


def test_a_client_lives_as_long_as_what_is_made_with_it() -> None:
    opened = Client(load(cpu_library()), {"cpu_device_count": 1})
    program = opened.compile(DOUBLE, [[opened.devices[0]]])
    buffer = opened.put(X, opened.devices[0])
    owner = weakref.ref(opened.owner)
    opened.close()
    with pytest.raises(PjrtClosedError):
        opened.put(X, opened.devices[0])
    ((result,),) = program.execute([[buffer]])
    np.testing.assert_array_equal(result.to_host(), 2 * X)
    assert owner() is not None
    del program, buffer, result
    gc.collect()
    assert owner() is None


@pytest.mark.parametrize("turn", range(8))
def test_cycles_are_taken_apart_in_any_order(turn: int) -> None:
    """The collector finalises a cycle's objects as it likes: the client still goes last."""
    opened = Client(load(cpu_library()), {"cpu_device_count": 1})
    program = opened.compile(DOUBLE, [[opened.devices[0]]])
    buffer = opened.put(X, opened.devices[0])
    things = [opened, program, program.program, buffer, opened.owner, *program.execute([[buffer]])[0]]
    destroyed: list[str] = []
    library = opened.library
    original = library.destroy
    library.destroy = lambda name, pointer: (destroyed.append(name), original(name, pointer))  # type: ignore
    try:
        cycle: list[object] = things[turn % len(things):] + things[: turn % len(things)]
        cycle.append(cycle)
        del opened, program, buffer, things, cycle
        gc.collect()
    finally:
        del library.destroy
    assert destroyed.count("Client_Destroy") == 1 and destroyed[-1] == "Client_Destroy"
    assert sorted(set(destroyed) - {"Event_Destroy"}) == [
        "Buffer_Destroy", "Client_Destroy", "Executable_Destroy", "LoadedExecutable_Destroy"
    ]


def resident_pages() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1])


def test_memory_does_not_grow(client: Client) -> None:
    """20,000 executions with their buffers, events and callbacks; a leak of 64 bytes in each would be 300 pages.

    A leak shows in every window; what the process's other threads and its allocator take shows in one or the other.
    """
    program = client.compile(DOUBLE, [[client.devices[0]]])
    buffer = client.put(X, client.devices[0])

    def run(times: int) -> None:
        for _ in range(times):
            program.execute([[buffer]])

    run(4000)
    client.synchronize()
    grown = []
    for _ in range(4):
        before = resident_pages()
        run(20_000)
        client.synchronize()
        grown.append(resident_pages() - before)
    assert min(grown) < 128, grown


def test_threads_share_a_program(client: Client) -> None:
    program = client.compile(DOUBLE, [[client.devices[0]]])
    wrong: list[int] = []

    def work(number: int) -> None:
        for i in range(100):
            value = np.full(4, number * 1000 + i, np.float32)
            ((result,),) = program.execute([[client.put(value, client.devices[0])]])
            if not np.array_equal(result.to_host(), 2 * value):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == [] and not any(t.is_alive() for t in threads)
