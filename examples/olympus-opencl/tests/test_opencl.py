"""Tests of the platform opencl: its memory, its errors, its kernels against what they mean, a user's program."""

from __future__ import annotations

import ctypes
import logging
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyopencl as cl
import pytest

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec
from olympus_conformance import Context, Session, Status, Test, run_test
from olympus_conformance import tests as conformance_tests
from olympus_core import dtypes, ops
from olympus_core.errors import DeletedError, NotCompiledWarning, OutOfMemoryError
from olympus_core.ops import OPERATIONS
from olympus_core.plugin import PlatformSettings
from olympus_core.program import ArrayType, DeviceProgram, Operation, OperationRecord, ProgramBuilder, Value
from olympus_core.toolkit.loops import (
    Affine,
    Compute,
    Constant,
    Index,
    Kernel,
    Load,
    Loop,
    Parameter,
    Reduction,
    Scalar,
    Store,
    run_kernel,
)
from olympus_opencl import clblast, olympus_platform
from olympus_opencl.code import CodeStore, kernel_of
from olympus_opencl.codegen import Launch, emit_module, supports
from olympus_opencl.codegen.declarations import OPTION, declared, halved
from olympus_opencl.codegen.functions import STORAGE, VECTOR_FUNCTIONS, function_of, needed
from olympus_opencl.devices import divided
from olympus_opencl.errors import DeviceLostError, NoDeviceError, OpenClError, error_of, status_name
from olympus_opencl.generator import OpenClGenerator, note_fallback
from olympus_opencl.memory import Lane
from olympus_opencl.products import made_product

GOOD = (Status.PASS, Status.NOT_SUPPORTED, Status.WARNING)
F32 = dtypes.float32


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """The platform, opened for the conformance suite with two devices and a folder for code."""
    folder = tmp_path_factory.mktemp("code")
    opened = Session(olympus_platform(), PlatformSettings(
        device_count=2, cache_folder=str(folder / "code"), cache_key_file=str(folder / "key")))
    yield opened
    opened.close()


def program_of(operation: object, count: int, session: Session, donated: bool = False) -> DeviceProgram:
    """An operation applied again and again, on the first device."""
    builder = ProgramBuilder("chain")
    value = builder.input(ArrayType((100_000,), "float32"))
    for _ in range(count):
        (value,) = builder.emit(operation, [value])
    return DeviceProgram(builder.finish([value]), session.devices[:1], donated=(0,) if donated else ())


def test_donated_memory_is_written_over(session: Session) -> None:
    program = program_of(ops.neg, 3, session, donated=True)
    executable = session.client.compile(program, session.links)
    values = np.arange(100_000, dtype=np.float32)
    buffer = session.client.buffer_from_host(values, session.devices[0])
    before = session.client.memory_stats(session.devices[0])["bytes_in_use"]
    memory = buffer.allocation.buffer
    ((result,),) = executable.execute([[buffer]])
    assert result.allocation.buffer is memory
    np.testing.assert_array_equal(result.to_host(), -values)
    assert session.client.memory_stats(session.devices[0])["bytes_in_use"] <= before
    with pytest.raises(DeletedError):
        buffer.to_host()


def test_executions_return_before_they_are_done(session: Session) -> None:
    """A thousand launches are enqueued; what reads the result waits for them."""
    executable = session.client.compile(program_of(ops.sin, 40, session), session.links)
    expected = values = np.linspace(0, 3, 100_000, dtype=np.float32)
    buffer = session.client.buffer_from_host(values, session.devices[0])
    seen = []
    for _ in range(10):
        ((buffer,),) = executable.execute([[buffer]])
        seen.append(buffer.is_ready())
    assert not all(seen)
    for _ in range(400):
        expected = np.sin(expected)
    np.testing.assert_allclose(buffer.to_host(), expected, rtol=1e-4)
    buffer.block_until_ready()
    assert buffer.is_ready()


def test_copies_between_devices_wait_for_both_queues(session: Session) -> None:
    first, second = session.devices
    values = np.arange(1 << 18, dtype=np.float32)
    for number in range(20):
        buffer = session.client.buffer_from_host(values + number, first)
        copy = buffer.copy_to(second)
        buffer.delete()  # its block is used again at once
        session.client.buffer_from_host(np.zeros_like(values), first)
        np.testing.assert_array_equal(copy.to_host(), values + number)


def test_out_of_memory(session: Session) -> None:
    device = session.devices[0]
    lane = session.client.lanes[0]
    with pytest.raises(OutOfMemoryError) as caught:
        lane.allocate(lane.most_bytes + 1)
    assert caught.value.asked == lane.most_bytes + 1
    held, total = lane.allocate(1000), lane.total_bytes
    lane.total_bytes = int(lane.pool.active_bytes) + 500  # a small device
    try:
        with pytest.raises(OutOfMemoryError) as caught:
            lane.allocate(1000)
    finally:
        lane.total_bytes = total
    assert caught.value.held >= held.nbytes and caught.value.free == 500
    np.testing.assert_array_equal(session.client.buffer_from_host(np.ones(3), device).to_host(), np.ones(3))


def test_codes_of_the_driver_are_typed_errors() -> None:
    assert isinstance(error_of(cl.status_code.MEM_OBJECT_ALLOCATION_FAILURE, "d", "x", 5), MemoryError)
    lost = error_of(cl.status_code.OUT_OF_RESOURCES, "opencl:0", "a launch")
    assert isinstance(lost, DeviceLostError) and isinstance(lost, RuntimeError) and "opencl:0 is lost" in str(lost)
    assert type(error_of(cl.status_code.INVALID_VALUE, "d", "a launch")) is OpenClError
    assert status_name(cl.status_code.OUT_OF_RESOURCES) == "OUT_OF_RESOURCES"


def test_a_failed_command_is_an_error_where_it_is_waited_for(session: Session) -> None:
    """A user event that is set to an error stands for a device that went away."""
    lane = session.client.lanes[0]
    event = cl.UserEvent(lane.context)
    event.set_status(cl.status_code.DEVICE_NOT_AVAILABLE)
    with pytest.raises(DeviceLostError, match="is lost to this process"):
        lane.wait(event)


def test_devices_that_are_not_there() -> None:
    with pytest.raises(NoDeviceError, match=r"local_device_ids names \[99\]"):
        olympus_platform().open(PlatformSettings(local_device_ids=[99]))


def test_devices_are_divided(session: Session) -> None:
    (device,) = {lane.device.get_info(cl.device_info.PARENT_DEVICE) or lane.device for lane in session.client.lanes}
    parts = divided(device, 2)
    assert len(parts) == 2
    if device.max_compute_units >= 2 and device.partition_properties:
        assert [part.max_compute_units for part in parts] == [device.max_compute_units // 2] * 2
    assert divided(device, 10_000) == [device] * 10_000  # more than it has compute units: queues on the whole


def test_without_doubles_the_host_computes_and_says_so_once(
    session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    """Two stands for a device that has none: what is asked is whether its kernels would hold them."""
    lane = session.client.lanes[0]
    missing = frozenset({dtypes.float64, dtypes.complex128})
    assert not supports(ops.add, [dtypes.float64], missing) and supports(ops.add, [F32], missing)
    whole = lane.target
    lane.target = replace(whole, missing=missing)
    try:
        builder = ProgramBuilder("doubles")
        x = builder.input(ArrayType((5,), "float64"))
        (y,) = builder.emit(ops.exp, [x])
        program = DeviceProgram(builder.finish([y]), session.devices[:1])
        values = np.linspace(-1, 1, 5)
        for _ in range(2):
            with caplog.at_level(logging.WARNING, "olympus.opencl"):
                executable = session.client.compile(program, session.links)
                buffer = session.client.buffer_from_host(values, session.devices[0])
                ((result,),) = executable.execute([[buffer]])
            np.testing.assert_allclose(result.to_host(), np.exp(values), rtol=1e-15)
    finally:
        lane.target = whole
    said = [r.getMessage() for r in caplog.records if r.getMessage().startswith("exp(float64[5]) at")]
    assert len(said) == 1 and "the host runs it" in said[0]
    assert note_fallback is OpenClGenerator.note_fallback


def reduction_kernel(rows: int, columns: int, dtype: np.dtype) -> Kernel:
    """Sums of rows, with the largest element of each."""
    i, j = Index("i"), Index("j")
    x, zero, least, total, most = (Scalar(dtype) for _ in range(5))
    source = Parameter("x", dtype, rows * columns, "input")
    sums, largest = Parameter("s", dtype, rows, "output"), Parameter("m", dtype, rows, "output")
    inner = Loop(j, columns, "lanes", (Load(x, source, Affine.of(i, columns).plus(Affine.of(j))),), reductions=(
        Reduction(total, "add", zero, x), Reduction(most, "max", least, x)))
    low = np.finfo(dtype).min if dtype.kind == "f" else np.iinfo(dtype).min
    body = (Constant(zero, dtype.type(0)), Constant(least, dtype.type(low)), inner,
            Store(sums, Affine.of(i), total), Store(largest, Affine.of(i), most))
    return Kernel("rows", (source, sums, largest), Loop(i, rows, "parallel", body))


@pytest.mark.parametrize("is_cpu", [True, False])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int8, dtypes.uint64], ids=str)
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 1000), (5, 33), (700, 9)])
def test_rows_are_reduced(
    session: Session, monkeypatch: pytest.MonkeyPatch, rows: int, columns: int, dtype: np.dtype, is_cpu: bool
) -> None:
    """A work-group for each row, or a work-item with vectors: the same as the toolkit's interpreter."""
    kernel = reduction_kernel(rows, columns, dtype)
    lane = session.client.lanes[0]
    monkeypatch.setattr(lane, "target", replace(lane.target, is_cpu=is_cpu))
    _, program, (launch,) = CodeStore(None).kernels([kernel], lane)
    run_rows(lane, kernel, kernel_of(program, launch), launch)


def run_rows(lane: Lane, kernel: Kernel, function: cl.Kernel, launch: Launch) -> None:
    """A kernel of `reduction_kernel`, beside the toolkit's interpreter."""
    dtype, rows = kernel.parameters[0].dtype, kernel.parameters[1].size
    rng = np.random.default_rng(0)
    values = rng.integers(-9 if dtype.kind != "u" else 0, 9, kernel.parameters[0].size).astype(dtype)
    made = [lane.allocate(rows * dtype.itemsize) for _ in range(2)]
    for number, memory in enumerate([lane.uploaded(values), *made]):
        function.set_arg(number, memory.buffer)
    event = cl.enqueue_nd_range_kernel(lane.queue, function, (launch.grid * launch.block,), (launch.block,))
    lane.queue.flush()
    for memory, expected in zip(made, run_kernel(kernel, [values]), strict=True):
        np.testing.assert_array_equal(lane.download(memory, (rows,), dtype, event), expected)


def test_texts_go_by_vectors_and_groups(session: Session) -> None:
    target = replace(session.client.lanes[0].target, widest=16)
    i, x, y = Index("i"), Scalar(F32), Scalar(F32)
    a, b = Parameter("a", F32, 1003, "input"), Parameter("b", F32, 1003, "output")
    body = (Load(x, a, Affine.of(i)), Compute((y,), ops.max, (x, x)), Store(b, Affine.of(i), y))
    text = emit_module([(Kernel("copy", (a, b), Loop(i, 1003, "lanes", body)), "copy")], target).text
    assert "*(global const float16u*)&p0[" in text and "olympus_max_float32x16" in text and "olympus_max_float32(" in text
    text = emit_module([(reduction_kernel(3, 1000, F32), "rows")], target).text
    assert "float16 x2v = " in text and "x2v.sf" in text and "barrier(" not in text
    text = emit_module([(reduction_kernel(3, 1000, F32), "rows")], replace(target, is_cpu=False)).text
    assert "local float sums0[256]" in text and "barrier(" in text


def test_drivers_get_no_longer_vectors_than_they_take(session: Session) -> None:
    """PoCL 3.0 crashes where it calls functions of vectors of 64 bytes on processors that it mistakes for others."""
    target = session.client.lanes[0].target
    i, x, y = Index("i"), Scalar(F32), Scalar(F32)
    a, b = Parameter("a", F32, 4096, "input"), Parameter("b", F32, 4096, "output")
    body = (Load(x, a, Affine.of(i)), Compute((y,), ops.sin, (x,)), Store(b, Affine.of(i), y))
    for widest, found in ((8, True), (16, False)):
        text = emit_module([(Kernel("sine", (a, b), Loop(i, 4096, "lanes", body)), "f")], replace(target, widest=widest)).text
        assert ("float16 sin(float16 x) { return (float16)(sin(x.lo), sin(x.hi)); }" in text) is found
    text = "float16 f(int16 x) { return fmod(convert_float16(x), (float16)(2)); }"
    assert halved(text) == """__attribute__((overloadable)) float16 fmod(float16 x, float16 y) { return (float16)(fmod(x.lo, y.lo), fmod(x.hi, y.hi)); }
__attribute__((overloadable)) float16 convert_float16(int16 x) { return (float16)(convert_float8(x.lo), convert_float8(x.hi)); }
"""


def test_a_processor_has_one_function_for_kernels(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drivers compile it sooner; other devices get each kernel for itself. Each computes what it means, either way."""
    lane, whole = session.client.lanes[0], session.client.lanes[0].target
    kernels = [reduction_kernel(3, 50, F32), reduction_kernel(7, 9, dtypes.int8), reduction_kernel(2, 6000, F32)]
    for is_cpu, function in ((True, ["joined"] * 3), (False, ["k0", "k1", "k2"])):
        monkeypatch.setattr(lane, "target", replace(whole, is_cpu=is_cpu))
        _, program, launches = CodeStore(None).kernels(kernels, lane)
        assert [launch.function for launch in launches] == function
        for kernel, launch in zip(kernels, launches, strict=True):
            run_rows(lane, kernel, kernel_of(program, launch), launch)


def test_all_functions_are_declared_for_pocl(session: Session) -> None:
    """PoCL is told not to read its header; a text that lacks a declaration would be compiled twice."""
    lane = session.client.lanes[0]
    if not lane.target.is_pocl:
        pytest.skip("another driver")
    names = {function_of(operation, t) for operation in OPERATIONS for t in STORAGE} - {None}
    names |= {f"olympus_{kind}_{t.name}" for t in STORAGE for kind in (
        *(["load", "store"] if t not in (F32, dtypes.float64) else []), "single", *([] if t.kind in "bc" else ["bits", "frombits"]))}
    names |= {f"olympus_convert_{a.name}_to_{b.name}" for a in STORAGE for b in STORAGE if a != b}
    names |= {f"olympus_{name}_{t}x{width}" for t in ("float32", "int32", "uint32", "bool") for width in (8, 16)
              for name in VECTOR_FUNCTIONS[np.dtype(t).kind]}
    functions = needed(" ".join(sorted(names)))
    assert functions.count("\ninline") > 300
    text = functions + """kernel void f(global float8* p, global int* n) {
    p[0] = convert_float8(as_int8(p[0]));
}"""
    for whole in (text, halved(text) + text):
        cl.Program(lane.context, declared(whole)).build(["-cl-std=CL1.2", "-w", OPTION], [lane.device], cache_dir=False)
    # Where PoCL has another header the definitions stand beside its declarations.
    cl.Program(lane.context, halved(text) + text).build(["-cl-std=CL1.2", "-w"], [lane.device], cache_dir=False)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize(("m", "k", "n"), [(1, 1, 1), (37, 100, 5), (70, 33, 130), (1, 64, 100)])
def test_products(session: Session, m: int, k: int, n: int, dtype: str) -> None:
    builder = ProgramBuilder("product")
    x, y = builder.input(ArrayType((2, m, k), dtype)), builder.input(ArrayType((k, n, 2), dtype))
    how = {"lhs_contracting": (2,), "rhs_contracting": (0,), "lhs_batch": (0,), "rhs_batch": (2,),
           "dtype": np.dtype(dtype) if dtype != "bfloat16" else dtypes.bfloat16}
    (z,) = builder.emit(ops.dot_general, [x, y], how)
    program = DeviceProgram(builder.finish([z]), session.devices[:1])
    rng = np.random.default_rng(0)
    given = [rng.standard_normal(v.type.shape).astype(v.type.dtype) for v in (x, y)]
    buffers = [[session.client.buffer_from_host(v, session.devices[0])] for v in given]
    ((result,),) = session.client.compile(program, session.links).execute(buffers)
    expected = np.einsum("bmk,knb->bmn", *(v.astype(np.float64) for v in given))
    bound = 8 * k ** 0.5 * {"float32": 6e-8, "float64": 2e-16, "float16": 5e-4, "bfloat16": 4e-3}[dtype]
    np.testing.assert_allclose(result.to_host().astype(np.float64), expected, rtol=2 * bound, atol=4 * bound)


class ClBlast:
    """What stands for CLBlast where it is not installed: NumPy's product of the matrices that its interface names.

    Args:
        context: Where the buffers are.
        status: What its functions give.
    """

    def __init__(self, context: cl.Context, status: int = 0) -> None:
        self.context, self.status, self.calls = context, status, []

    def __getattr__(self, name: str) -> object:
        dtype = np.dtype({"S": "f4", "D": "f8"}[name.removeprefix("CLBlast")[0]])
        batched = name.endswith("gemmStridedBatched")
        assert batched or name.endswith("gemm")

        def gemm(*given: object) -> int:
            self.calls.append(name)
            layout, flips, (m, n, k, alpha, *rest) = given[0], given[1:3], [getattr(v, "value", v) for v in given[3:-2]]
            each = 4 if batched else 3
            x, y, (beta,), z = rest[:each], rest[each:2 * each], rest[2 * each:2 * each + 1], rest[2 * each + 1:][:each]
            count = rest[-1] if batched else 1
            queue, event = (v._obj for v in given[-2:])
            assert (layout, alpha, beta) == (101, 1, 0)
            queue = cl.CommandQueue.from_int_ptr(queue.value, retain=True)
            queue.finish()

            def seen(place: list[int], shape: tuple[int, int], flat: np.ndarray) -> np.ndarray:
                _, offset, distance, *batch = place
                distances = [batch[0] if batch else 0, distance, 1]
                return np.lib.stride_tricks.as_strided(
                    flat[offset:], (count, *shape), [v * dtype.itemsize for v in distances])

            def read(place: list[int]) -> np.ndarray:
                buffer = cl.MemoryObject.from_int_ptr(place[0], retain=True)
                flat = np.empty(buffer.size // dtype.itemsize, dtype)
                cl.enqueue_copy(queue, flat, buffer)
                return flat

            a, b = (seen(place, shape[::-1], read(place)).swapaxes(1, 2) if flip == 112 else seen(place, shape, read(place))
                    for place, shape, flip in zip((x, y), ((m, k), (k, n)), flips, strict=True))
            flat = read(z)
            seen(z, (m, n), flat)[...] = a @ b
            cl.enqueue_copy(queue, cl.MemoryObject.from_int_ptr(z[0], retain=True), flat)
            done = cl.enqueue_marker(queue)
            event.value = done.int_ptr
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(done))  # its reference is the caller's
            return self.status

        return gemm


# The shapes of two operands and which dimensions are contracted and batched: plain, transposed, batched, a vector.
MATRICES = {
    "plain": ((150, 130), (130, 140), (1,), (0,), (), ()),
    "transposed": ((130, 150), (140, 130), (0,), (1,), (), ()),
    "batched": ((3, 100, 80), (100, 90, 3), (1,), (0,), (0,), (2,)),
    "batches of rows": ((3, 100, 80), (3, 100, 90), (1,), (1,), (0,), (0,)),
    "two that are one": ((150, 13, 10), (13, 10, 140), (1, 2), (0, 1), (), ()),
}
EINSUMS = {"plain": "ik,kj->ij", "transposed": "ki,jk->ij", "batched": "bki,kjb->bij", "batches of rows": "bki,bkj->bij",
           "two that are one": "ikl,klj->ij"}


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("form", MATRICES)
def test_products_by_clblast(session: Session, monkeypatch: pytest.MonkeyPatch, form: str, dtype: str) -> None:
    left, right, *dimensions = MATRICES[form]
    names = ("lhs_contracting", "rhs_contracting", "lhs_batch", "rhs_batch")
    builder = ProgramBuilder("product")
    x, y = builder.input(ArrayType(left, dtype)), builder.input(ArrayType(right, dtype))
    (z,) = builder.emit(ops.dot_general, [x, y], {**dict(zip(names, dimensions, strict=True)), "dtype": np.dtype(dtype)})
    program = DeviceProgram(builder.finish([z]), session.devices[:1])
    lane = session.client.lanes[0]
    library = ClBlast(lane.context)
    monkeypatch.setattr(clblast, "library", lambda: library)
    monkeypatch.setattr(clblast, "_LEAST", 1 << 20)
    random = np.random.default_rng(0)
    given = [random.standard_normal(v.type.shape).astype(dtype) for v in (x, y)]
    monkeypatch.setattr(lane, "target", replace(lane.target, is_cpu=False))
    buffers = [[session.client.buffer_from_host(v, session.devices[0])] for v in given]
    ((result,),) = session.client.compile(program, session.links).execute(buffers)
    suffix = "StridedBatched" if "batche" in form else ""
    takes = dtype != "float16" and form != "batched"  # there the batches lie between the columns
    assert library.calls == ([f"CLBlast{'S' if dtype == 'float32' else 'D'}gemm{suffix}"] if takes else [])
    bound = {"float32": 1e-5, "float64": 1e-13, "float16": 1e-2}[dtype]
    expected = np.einsum(EINSUMS[form], *(v.astype(np.float64) for v in given))
    np.testing.assert_allclose(result.to_host().astype(np.float64), expected, rtol=bound, atol=10 * bound)


def test_an_error_of_clblast_is_typed(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = ProgramBuilder("product")
    x = builder.input(ArrayType((150, 150), "float32"))
    how = {name: () for name in ("lhs_batch", "rhs_batch")} | {"lhs_contracting": (1,), "rhs_contracting": (0,)}
    (z,) = builder.emit(ops.dot_general, [x, x], {**how, "dtype": F32})
    lane = session.client.lanes[0]
    monkeypatch.setattr(clblast, "library", lambda: ClBlast(lane.context, -2046))
    monkeypatch.setattr(lane, "target", replace(lane.target, is_cpu=False))
    executable = session.client.compile(DeviceProgram(builder.finish([z]), session.devices[:1]), session.links)
    buffer = session.client.buffer_from_host(np.zeros((150, 150), np.float32), session.devices[0])
    with pytest.raises(OpenClError, match="CLBlast") as caught:
        executable.execute([[buffer]])
    assert caught.value.status == "status -2046"


FUNCTIONS = {ops.logistic: lambda x: 1 / (1 + np.exp(-x)), ops.sin: np.sin, ops.cos: np.cos, ops.tan: np.tan, ops.tanh: np.tanh, ops.exp: np.exp, ops.log: np.log,
             ops.sinh: np.sinh, ops.atan: np.arctan, ops.expm1: np.expm1, ops.sqrt: np.sqrt, ops.cbrt: np.cbrt}


@pytest.mark.parametrize("operation", FUNCTIONS, ids=lambda operation: operation.name)
def test_functions_of_any_number(session: Session, operation: OperationRecord) -> None:
    """Small numbers beside large ones, in one vector: a driver's functions of vectors need not be right then."""
    check_function(session, operation)


@pytest.mark.parametrize("operation", [ops.sin, ops.log], ids=lambda operation: operation.name)
def test_functions_by_halves(session: Session, monkeypatch: pytest.MonkeyPatch, operation: OperationRecord) -> None:
    lane = session.client.lanes[0]
    monkeypatch.setattr(lane, "target", replace(lane.target, widest=8))
    check_function(session, operation)


def check_function(session: Session, operation: OperationRecord) -> None:
    """A function of elements by NumPy's of float64."""
    rng = np.random.default_rng(3)
    special = [0, -0.0, np.inf, -np.inf, np.nan, 8192, -8193]
    some = [rng.uniform(-20, 20, 20_000), rng.uniform(-120, 100, 20_000), rng.uniform(-1, 1, 20_000), np.arange(1, 4000) * np.pi / 2, special]
    x = np.concatenate([rng.integers(0, 1 << 32, 20_000, dtype=np.uint32).view(np.float32),
                        *(np.array(part, np.float32) for part in some)])
    rng.shuffle(x)
    builder = ProgramBuilder("function")
    (y,) = builder.emit(operation, [builder.input(ArrayType(x.shape, "float32"))])
    program = DeviceProgram(builder.finish([y]), session.devices[:1])
    buffer = session.client.buffer_from_host(x, session.devices[0])
    ((result,),) = session.client.compile(program, session.links).execute([[buffer]])
    with np.errstate(all="ignore"):
        wide = FUNCTIONS[operation](x.astype(np.float64))
        expected = wide.astype(np.float32)
    found = result.to_host()
    np.testing.assert_array_equal(np.isnan(found), np.isnan(expected))
    np.testing.assert_array_equal(np.signbit(found[wide == 0]), np.signbit(expected[wide == 0]))
    finite = np.isfinite(expected) & np.isfinite(found)
    with np.errstate(all="ignore"):
        ulps = np.abs(found - wide)[finite] / np.spacing(np.abs(expected[finite])).astype(np.float64)
    assert ulps.max() <= (5 if operation is ops.tan else 4), x[finite][ulps.argmax()]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["abs", "conj", "imag", "real", "neg"])
def test_functions_of_a_complex_number_are_compiled(name: str, dtype: str) -> None:
    x = np.array([1 + 2j, -3j, 0.5], dtype)
    device = olympus.devices("opencl")[0]
    program = olympus.jit(lambda x: (getattr(olympus.lax, name)(x) + 1,))
    with warnings.catch_warnings():
        warnings.simplefilter("error", NotCompiledWarning)
        (found,) = program(olympus.device_put(x, device))
    function = {"neg": np.negative}.get(name) or getattr(np, name)
    np.testing.assert_allclose(found, function(x) + 1, rtol=1e-6)


def test_what_no_kernel_multiplies() -> None:
    x = Value(ArrayType((3, 3), "int32"))
    how = {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()}
    assert made_product(Operation(ops.dot_general, (x, x), how, (), (Value(x.type),)), ()) is None
    y = Value(ArrayType((3, 3), "float64"))
    assert made_product(Operation(ops.dot_general, (y, y), how, (), (Value(y.type),)), {dtypes.float64}) is None
    assert made_product(Operation(ops.dot_general, (y, y), how, (), (Value(y.type),)), ()) is not None


def test_code_is_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second client builds no text: it has the first one's binaries. PoCL keeps programs itself."""
    settings = PlatformSettings(cache_folder=str(tmp_path / "code"), cache_key_file=str(tmp_path / "key"))
    sources: list[bool] = []
    build = cl.Program.build
    for is_pocl, expected in ((True, True), (False, True), (False, False)):
        opened = Session(olympus_platform(), settings)
        lane = opened.client.lanes[0]
        lane.target = replace(lane.target, is_pocl=is_pocl)
        with monkeypatch.context() as patch:
            patch.setattr(cl.Program, "build", lambda self, *a, **k: (sources.append(bool(a)), build(self, *a, **k))[1])
            _, _, (launch,) = opened.client._store.kernels([reduction_kernel(2, 7, F32)], lane)
        assert sources == [expected] and launch.function == "k0"
        assert any(path.is_file() for path in (tmp_path / "code").rglob("*")) is not is_pocl
        sources.clear()
        opened.close()


def test_a_program() -> None:
    """Split over the devices, with a sum over all of them."""
    devices = olympus.devices("opencl")
    mesh = olympus.Mesh(devices, ("x",))
    values = np.arange(8 * len(devices), dtype=np.float32)
    x = olympus.device_put(values, NamedSharding(mesh, PartitionSpec("x")))
    total = olympus.jit(lambda x: jnp.sum(jnp.sin(x) + x))(x)
    np.testing.assert_allclose(np.asarray(total), np.sum(np.sin(values) + values), rtol=1e-5)


@pytest.mark.parametrize("test", conformance_tests("minimal"), ids=lambda test: test.id)
def test_conformance(session: Session, test: Test) -> None:
    """Profile minimal, a test for each requirement; the command `olympus-conformance` runs the others."""
    outcome = run_test(test, Context(session, test.id))
    assert outcome.status in GOOD, (
        f"{test.requirement.statement}\nobserved: {outcome.observed or outcome.reason}\n"
        f"required: {outcome.required}\n{outcome.program}{outcome.trace}"
    )
