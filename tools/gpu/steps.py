# SPDX-License-Identifier: Apache-2.0
"""The platform's parts one by one, on the first device: shows what works on a GPU that was not tested before.

`OLYMPUS_PLATFORMS=cuda OLYMPUS_NUM_CUDA_DEVICES=4 python -m tools.gpu.steps FOLDER`
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

Step = Callable[[Any], Any]
STEPS: dict[str, Step] = {}
_RANDOM = np.random.default_rng(0)
_CALLS = 200
_LARGE = int(os.environ.get("GPU_STEPS_ROWS", "4096"))  # rows of large products; a rehearsal takes fewer
_LOST = "GpuLostError"
_NCCL_SECONDS = 60.0
_WORK = "--work"  # runs steps in this process
_WORKER = (sys.executable, "-m", "tools.gpu.steps", _WORK)


def step(function: Step) -> Step:
    """A decorator that adds a function to the steps; it is called with the library."""
    STEPS[function.__name__.replace("_", " ").strip()] = function
    return function


def close(found: Any, expected: Any, tolerance: float = 1e-5) -> None:
    """Raises if the error of numbers exceeds a share of the largest.

    Raises:
        ArithmeticError: With the largest error.
    """
    kind = np.complex128 if np.iscomplexobj(expected) else np.float64
    mine, right = np.asarray(found).astype(kind), np.asarray(expected).astype(kind)
    if mine.shape != right.shape:
        raise ArithmeticError(f"shape {mine.shape} in place of {right.shape}")
    scale = max(float(np.max(np.abs(right), initial=0.0)), 1e-30)
    worst = float(np.max(np.abs(mine - right), initial=0.0)) / scale
    if not worst <= tolerance:
        raise ArithmeticError(f"off by {worst:.3g} of the largest number; {tolerance:.3g} is allowed")


def normal(*shape: int) -> np.ndarray:
    """Normal numbers."""
    return _RANDOM.standard_normal(shape).astype(np.float32)


@step
def _devices(olympus: Any) -> Any:
    device = olympus.devices()[0]
    return {"devices": repr(olympus.devices()), "kind": device.device_kind, "platform": device.platform}


@step
def _transfers(olympus: Any) -> None:
    for dtype in (np.bool_, np.int8, np.int64, np.float32, ml_dtypes.bfloat16, np.complex64):
        for shape in ((), (0,), (7, 5), (3000, 1000)):
            value = _RANDOM.integers(0, 2, shape).astype(dtype)
            with olympus.enable_x64():
                found = np.asarray(olympus.device_put(value))
            if (found.shape, found.dtype, found.tobytes()) != (shape, value.dtype, value.tobytes()):
                raise ArithmeticError(f"{value.dtype.name}{list(shape)} comes back as something else")


@step
def _linear_algebra(olympus: Any) -> Any:
    """Every function of cuSOLVER and cuBLAS that is called, alone and in batches, and matrices that fail."""
    jnp, tolerance = olympus.numpy, {np.float32: 1e-3, np.float64: 1e-9, np.complex64: 1e-3, np.complex128: 1e-9}
    with olympus.enable_x64():
        for dtype, allowed in tolerance.items():
            for shape in ((5, 5), (30, 7, 7), (2, 40, 40)):
                _decompose(jnp, _numbers(shape, dtype), allowed)
            tall = _numbers((1100, 4), dtype)  # beyond what singular values are found of by Jacobi's method
            for x in (tall, tall.T.copy()):
                u, s, vh = map(np.asarray, jnp.linalg.svd(x, full_matrices=False))
                close((u * s) @ vh, x, allowed)
    for n in (4, 40):
        broken = np.broadcast_to(np.eye(n, dtype=np.float32), (5, n, n)).copy()
        broken[1, 0, 0], broken[3, 1, 0] = -1, np.nan
        if np.isnan(np.asarray(jnp.linalg.cholesky(broken))).all((1, 2)).tolist() != [False, True, False, True, False]:
            raise ArithmeticError("a matrix that is not positive definite, or its neighbour")
        for found in (*jnp.linalg.eigh(broken), *jnp.linalg.svd(broken)):
            if np.isnan(np.asarray(found)).reshape(5, -1).any(1).tolist() != [False, False, False, True, False]:
                raise ArithmeticError("a matrix with a NaN, or its neighbour")


def _numbers(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    x = normal(*shape).astype(dtype)
    return x + 1j * normal(*shape).astype(dtype) if np.dtype(dtype).kind == "c" else x


def _decompose(jnp: Any, x: np.ndarray, allowed: float) -> None:
    """Every decomposition of square matrices, and what it is made of again."""
    spd = (x @ np.swapaxes(x, -1, -2).conj()) / x.shape[-1] + np.eye(x.shape[-1], dtype=x.dtype)
    close(jnp.linalg.cholesky(spd), np.linalg.cholesky(spd), allowed)
    close(jnp.linalg.solve(spd, x), np.linalg.solve(spd, x), allowed)
    q, r = map(np.asarray, jnp.linalg.qr(x))
    close(q @ r, x, allowed)
    w, v = map(np.asarray, jnp.linalg.eigh(spd))
    close((v * w[..., None, :]) @ np.swapaxes(v, -1, -2).conj(), spd, allowed)
    w, v = map(np.asarray, jnp.linalg.eig(x))
    close(x @ v, v * w[..., None, :], allowed)
    for part in (x, x[..., :3], x[..., :3, :]):
        for full in (True, False):
            u, s, vh = map(np.asarray, jnp.linalg.svd(part, full_matrices=full))
            k = s.shape[-1]
            close((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], part, allowed)


@step
def _elementwise(olympus: Any) -> None:
    x, y = normal(1000, 37), normal(37)
    f = olympus.jit(lambda x, y: olympus.numpy.exp(-x * x) * olympus.numpy.cos(y) + olympus.numpy.tanh(x))
    close(f(x, y), np.exp(-x * x) * np.cos(y) + np.tanh(x))


@step
def _reductions(olympus: Any) -> None:
    jnp, x = olympus.numpy, normal(515, 1026)
    for axis in (0, 1, None):
        close(olympus.jit(lambda x, axis=axis: jnp.sum(x, axis=axis))(x), x.astype(np.float64).sum(axis=axis), 1e-4)
        close(olympus.jit(lambda x, axis=axis: jnp.max(x, axis=axis))(x), x.max(axis=axis), 0.0)
    first = np.asarray(olympus.jit(jnp.sum)(x)).tobytes()
    if any(np.asarray(olympus.jit(jnp.sum)(x)).tobytes() != first for _ in range(5)):
        raise ArithmeticError("a sum has other bits at the next run")


@step
def _rows(olympus: Any) -> None:
    jnp, x = olympus.numpy, normal(300, 2050)

    def softmax(np_: Any, x: Any) -> Any:
        e = np_.exp(x - np_.max(x, axis=-1, keepdims=True))
        return e / np_.sum(e, axis=-1, keepdims=True)

    close(olympus.jit(lambda x: softmax(jnp, x))(x), softmax(np, x))
    close(olympus.jit(lambda x: jnp.cumsum(x, axis=1))(x), np.cumsum(x.astype(np.float64), axis=1), 1e-4)


@step
def _moves(olympus: Any) -> None:
    jnp, x, at = olympus.numpy, normal(64, 130), _RANDOM.integers(0, 64, 200)
    close(olympus.jit(lambda x: jnp.transpose(x) * 2)(x), x.T * 2, 0.0)
    close(olympus.jit(lambda x, at: x[at])(x, at), x[at], 0.0)
    added = np.zeros_like(x)
    np.add.at(added, at, 1.0)
    close(olympus.jit(lambda x, at: jnp.zeros_like(x).at[at].add(1.0))(x, at), added, 1e-6)
    close(olympus.jit(lambda x: jnp.sort(x, axis=1))(x), np.sort(x, axis=1), 0.0)
    close(olympus.jit(lambda x: jnp.concatenate([x[:, ::-1], x], axis=0))(x), np.concatenate([x[:, ::-1], x]), 0.0)


@step
def _products(olympus: Any) -> None:
    jnp = olympus.numpy
    for dtype, tolerance in ((np.float32, 1e-5), (ml_dtypes.bfloat16, 2e-2), (np.float16, 2e-3)):
        x, y, b = (v.astype(dtype) for v in (normal(100, 72), normal(72, 40), normal(40)))
        expected = np.maximum(x.astype(np.float64) @ y.astype(np.float64) + b.astype(np.float64), 0)
        close(olympus.jit(lambda x, y, b: jnp.maximum(x @ y + b, 0))(x, y, b), expected, tolerance)
    x, y = normal(5, 20, 30), normal(5, 30, 10)
    close(olympus.jit(jnp.matmul)(x, y), x @ y, 1e-5)


@step
def _timed_products(olympus: Any) -> list[str]:
    """Products that are large enough for algorithms to be timed: the log says how long each took."""
    import logging

    import cupy  # type: ignore[import-untyped, import-not-found, unused-ignore]  # has no types

    # What stands in for CuPy in a rehearsal multiplies on the host.
    large = _LARGE if hasattr(cupy, "from_dlpack") else 128
    said: list[str] = []
    handler, log = logging.Handler(), logging.getLogger("olympus.cuda")
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        for dtype, size in ((ml_dtypes.bfloat16, large), (np.float32, large)):
            x, y = (normal(size, size).astype(dtype) / np.asarray(size**0.5, dtype) for _ in range(2))
            found = np.asarray(olympus.jit(olympus.numpy.matmul)(x, y))[:8]
            close(found, x[:8].astype(np.float32) @ y.astype(np.float32), 1e-2)
    finally:
        log.removeHandler(handler)
        log.setLevel(level)
    return [text for text in said if "algorithms" in text]


@step
def _control_flow(olympus: Any) -> None:
    lax, x = olympus.lax, normal(40, 17)
    carry, rows = olympus.jit(lambda x: lax.scan(lambda c, e: (c + e, c * 2), x[0] * 0, x))(x)
    close(carry, x.sum(0), 1e-5)
    close(rows, 2 * np.concatenate([np.zeros((1, 17)), np.cumsum(x, 0)[:-1]]), 1e-5)
    count, _ = olympus.jit(lambda x: lax.while_loop(
        lambda s: s[1] < 100, lambda s: (s[0] + 1, s[1] * 2), (0, x.sum() * 0 + 1)))(x)
    close(count, 7, 0.0)


@step
def _graphs(olympus: Any) -> None:
    jnp, x, w = olympus.numpy, normal(32, 32), normal(32, 32) / 8

    def layers(np_: Any, x: Any) -> Any:
        for _ in range(8):
            x = np_.tanh(x @ w) - np_.mean(x)
        return x

    f, placed, expected = olympus.jit(lambda x: layers(jnp, x)), olympus.device_put(x), layers(np, x)
    for _ in range(6):  # the same addresses come again: captured at the second call
        close(f(placed), expected, 1e-4)


@step
def _donation(olympus: Any) -> None:
    f, x = olympus.jit(lambda x: x * 2 + 1, donate_argnums=0), normal(1000)
    y = olympus.device_put(x)
    for _ in range(4):
        y, x = f(y), x * 2 + 1
    close(y, x, 1e-6)


@step
def _derivatives(olympus: Any) -> None:
    jnp, x, w = olympus.numpy, normal(20, 10), normal(10, 5)
    found = olympus.jit(olympus.grad(lambda w: jnp.sum(jnp.tanh(x @ w))))(w)
    close(found, x.T @ (1 - np.tanh(x @ w) ** 2), 1e-4)


@step
def _sharded(olympus: Any) -> Any:
    from olympus.sharding import NamedSharding, PartitionSpec

    jnp, count = olympus.numpy, len(olympus.devices())
    mesh, x = olympus.make_mesh((count,), ("d",)), normal(8 * count, 12)
    placed = olympus.device_put(x, NamedSharding(mesh, PartitionSpec("d")))
    close(olympus.jit(lambda x: x.sum(0) + x.mean())(placed), x.sum(0) + x.mean(), 1e-4)
    close(olympus.jit(lambda x: x @ x.T)(placed), x @ x.T, 1e-4)
    close(olympus.jit(lambda x: jnp.sort(x, axis=0))(placed), np.sort(x, axis=0), 0.0)
    return {"devices": count}


@step
def _dlpack(olympus: Any) -> Any:
    import cupy

    if not hasattr(cupy, "from_dlpack"):
        return "not with this CuPy"
    x = normal(50, 4)
    y = olympus.device_put(x) * 2
    close(cupy.asnumpy(cupy.from_dlpack(y) + 1), x * 2 + 1, 1e-6)
    return _foreign_memory(olympus, cupy)


def _foreign_memory(olympus: Any, cupy: Any) -> dict[str, bool]:
    """Other libraries' memory without a copy: written in a stream of theirs when handed over, and read in ours."""
    x, f, libraries = normal(3000, 1000), olympus.jit(lambda x: x @ x.T), {"cupy": True}
    with cupy.cuda.Stream(non_blocking=True):
        for _ in range(5):
            theirs = cupy.asarray(x) * 3
            ours = olympus.numpy.from_dlpack(theirs, copy=False)
            result = f(ours)
            if ours._buffers[0].allocation.ptr != theirs.data.ptr:
                raise ArithmeticError("the memory was copied")
            del theirs, ours  # the memory goes back to CuPy, which uses it again in its own stream
            cupy.zeros((3000, 1000), np.float32)
            close(result, (3 * x) @ (3 * x).T, 1e-4)
    try:
        import torch  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return {**libraries, "torch": False}
    tensor = torch.from_numpy(x).cuda() * 2
    ours = olympus.numpy.from_dlpack(tensor, copy=False)
    close(ours + 1, x * 2 + 1, 1e-6)
    close(olympus.numpy.from_dlpack(tensor.T), x.T * 2, 1e-6)
    return {**libraries, "torch": True}


@step
def _nccl_with_one_rank(olympus: Any) -> Any:
    """The library is loaded, a communicator opened, and a sum of one term enqueued in a stream of the platform."""
    from olympus_cuda.collectives import nccl_types
    from olympus_cuda.collectives.nccl_communicators import NcclCommunicators
    from olympus_cuda.collectives.nccl_library import library

    x = olympus.device_put(normal(1000))
    x.block_until_ready()
    context, nccl = x._buffers[0].context, library()
    communicators = NcclCommunicators(nccl, context.gpu, nccl.unique_id(), 1, [(0, context.ordinal)])
    communicators.open(lambda: None, ["the GPU"], _NCCL_SECONDS)
    target, source = context.allocate(x.nbytes), x._buffers[0].allocation
    number, total = nccl_types.DATA_TYPE[np.dtype(np.float32)], nccl_types.OPERATION["sum"]
    communicators.begin(lambda: nccl.call("ncclAllReduce", source.ptr, target.ptr, x.size, number, total,
                                          communicators.handle(0), context.stream.ptr))
    while not communicators.is_settled():
        time.sleep(0.001)
    context.drain("a sum by NCCL")
    pinned = context.gpu.pinned(x.nbytes)
    context.gpu.download(pinned.ptr, target.ptr, x.nbytes, context.stream)
    context.drain("a download")
    close(np.frombuffer(pinned.view(), np.float32), np.asarray(x), 0.0)
    communicators.close(lambda: None)
    return {"version": nccl.version()}


@step
def _out_of_memory(olympus: Any) -> str:
    jnp = olympus.numpy
    try:
        jnp.zeros((1 << 20, 1 << 20), np.float32).block_until_ready()
    except MemoryError as error:
        close(jnp.ones(10) + 1, np.full(10, 2.0))
        return str(error).replace("\n", " ")
    raise ArithmeticError("4 TB are there")


@step
def _latency(olympus: Any) -> dict[str, float]:
    f, x = olympus.jit(lambda x: x + 1), olympus.device_put(np.arange(8, dtype=np.float32))
    f(x).block_until_ready()
    figures = {}
    for name, call in (("call", lambda: f(x)), ("call and wait", lambda: f(x).block_until_ready())):
        start = time.perf_counter()
        for _ in range(_CALLS):
            call()
        figures[f"{name}, µs"] = round((time.perf_counter() - start) / _CALLS * 1e6, 2)
    return figures


def work(folder: Path, names: Sequence[str]) -> int:
    """Runs steps in this process, each recorded as it ends; stops where the GPU is lost to the process.

    Args:
        folder: Where `steps.jsonl` is, to which each step's result is appended.
        names: The steps.
    """
    import olympus
    import olympus.numpy

    for name in names:
        start = time.monotonic()
        try:
            said, problem = STEPS[name](olympus), None
        except Exception as error:  # noqa: BLE001  (the next step may work)
            said, problem = None, f"{type(error).__name__}: {error}"
            sys.stdout.write(traceback.format_exc())
        record(folder, name, time.monotonic() - start, problem, said)
        if problem is not None and problem.startswith(_LOST):
            return 1
    return 0


def record(folder: Path, name: str, seconds: float, problem: str | None, said: Any = None) -> None:
    """Appends a step's result and prints it."""
    result = {"step": name, "seconds": round(seconds, 2), "problem": problem, "said": said}
    with (folder / "steps.jsonl").open("a", encoding="utf-8") as results:
        results.write(json.dumps(result) + "\n")
    sys.stdout.write(f"{name:<16} {'FAILED' if problem else 'ok'} in {result['seconds']} s {said or problem or ''}\n")
    sys.stdout.flush()


def recorded(folder: Path) -> list[dict[str, Any]]:
    """The results so far."""
    with (folder / "steps.jsonl").open(encoding="utf-8") as results:
        return [json.loads(line) for line in results]


def main(arguments: Sequence[str], seconds: float = 90.0, worker: Sequence[str] = _WORKER) -> int:
    """Runs all steps; where one ends the process or loses the GPU, a fresh process goes on with the next.

    Args:
        arguments: The folder of the results, and the steps; all where none is named.
        seconds: The longest that one step may take.
        worker: The command line that runs steps, which are appended to it behind the folder.

    Returns:
        1 if one failed.
    """
    folder = Path(arguments[0] if arguments else ".")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "steps.jsonl").write_text("")
    left = list(arguments[1:] or STEPS)
    while left:
        before = len(recorded(folder))
        status = _watched([*worker, str(folder), *left], folder, seconds)
        done = recorded(folder)[before:]
        left = left[len(done):]
        if left and not (done and str(done[-1]["problem"]).startswith(_LOST)):
            ended = f"no end after {seconds:g} s" if status is None else f"the process ended with status {status}"
            record(folder, left.pop(0), seconds if status is None else 0.0, ended)
    return int(any(result["problem"] for result in recorded(folder)))


def _watched(command: Sequence[str], folder: Path, seconds: float) -> int | None:
    """The status of a process; None if it recorded nothing for so many seconds and was killed."""
    with subprocess.Popen(command) as process:
        count, since = -1, time.monotonic()
        while True:
            try:
                return process.wait(timeout=0.5)
            except subprocess.TimeoutExpired:
                now = len(recorded(folder))
                if now != count:
                    count, since = now, time.monotonic()
                elif time.monotonic() - since > seconds:
                    process.kill()
                    return None


if __name__ == "__main__":
    if sys.argv[1:2] == [_WORK]:
        sys.exit(work(Path(sys.argv[2]), sys.argv[3:]))
    sys.exit(main(sys.argv[1:]))
