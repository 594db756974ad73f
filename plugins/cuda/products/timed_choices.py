# SPDX-License-Identifier: Apache-2.0
"""Large products: which of the algorithms that the library proposes is the fastest, by timing them once.

The choice is kept on disk, so that a product has the same bits in every run; it is not made where it cannot be kept,
nor in jobs of several processes, whose devices have to compute the same bits.
"""

from __future__ import annotations

import hashlib
import logging
import math
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from olympus_core.errors.platform import OutOfMemoryError
from olympus_core.plugin.version import VERSION

from ..errors import CublasLtError
from ..memory import StreamContext
from .cublaslt_types import HeuristicResult

if TYPE_CHECKING:
    from olympus_core.toolkit.objectcache import ObjectCache

    from ..gpu import Gpu, Stream
    from .cublaslt import Choose, Library, Matmul, Matrix, PreparedMatmul

LEAST = 1 << 33  # operations from which on a product is timed
_ROUNDS = 4
_WORTH = 1.3  # how much slower than the fastest an algorithm may have been to be timed again
_LONG = 0.2  # seconds after which nothing is timed again
_GAIN = 0.98  # of the time of an algorithm that the library prefers: what another has to need less
_BYTES = 0x3C  # of operands: small positive numbers in every type

logger = logging.getLogger("olympus.cuda")


def operations(matmul: Matmul) -> int:
    """The number of multiplications and additions of a product."""
    inner = matmul.a.rows if matmul.transpose_a else matmul.a.columns
    return 2 * matmul.batch * matmul.d.rows * matmul.d.columns * inner


class TimedChoices:
    """The choices of one client.

    Args:
        gpu: The driver interface.
        cache: The cache on disk, where choices are kept.
    """

    def __init__(self, gpu: Gpu, cache: ObjectCache) -> None:
        self._gpu, self._cache = gpu, cache
        self._lock = threading.Lock()
        self._kept: dict[str, bytes] = {}  # the algorithm's description, by key

    def for_product(self, lib: Library, ordinal: int, matmul: Matmul) -> Choose | None:
        """What chooses among the algorithms of a product; None where the library's own choice is good enough.

        Args:
            lib: The library.
            ordinal: The GPU.
            matmul: The product.
        """
        if operations(matmul) < LEAST:
            return None
        properties = self._gpu.properties(ordinal)
        identity = f"{VERSION}|{lib.version()}|{properties}|{matmul}"
        key = hashlib.sha256(f"cublaslt {identity}".encode()).hexdigest()

        def choose(product: PreparedMatmul, found: Sequence[HeuristicResult]) -> int:
            with self._lock:  # one at a time: what is timed beside something else is timed wrong
                return self._chosen(key, product, found, ordinal, matmul)

        return choose

    def _chosen(
        self, key: str, product: PreparedMatmul, found: Sequence[HeuristicResult], ordinal: int, matmul: Matmul
    ) -> int:
        algorithms = [bytes(each.algo) for each in found]
        kept = self._kept.get(key) or self._cache.load(key)
        if kept in algorithms:
            self._kept[key] = kept
            return algorithms.index(kept)
        try:
            times = _times(self._gpu, ordinal, product, found, matmul)
        except OutOfMemoryError:
            return 0
        best = min(range(len(times)), key=times.__getitem__)
        best = best if times[best] < _GAIN * times[0] else 0
        logger.info("of %d algorithms for %s number %d is taken: %s ms", len(times), matmul, best,
                    ", ".join(f"{1e3 * time:.3f}" for time in times))
        self._kept[key] = algorithms[best]
        self._cache.store(key, algorithms[best])
        return best


def _times(
    gpu: Gpu, ordinal: int, product: PreparedMatmul, found: Sequence[HeuristicResult], matmul: Matmul
) -> list[float]:
    """The shortest time of each algorithm in seconds, in a stream and in memory of its own."""
    context = StreamContext(gpu, ordinal, f"GPU {ordinal}", kept=0)
    try:
        sizes = [*(_nbytes(matrix, matmul.batch) for matrix in (matmul.a, matmul.b, matmul.d)),
                 matmul.d.rows * matmul.d.dtype.itemsize, max(1, matmul.workspace)]
        memory = [context.allocate(size) for size in sizes]
        a, b, d, bias, workspace = (allocation.ptr for allocation in memory)

        def run(which: int, stream: Stream) -> None:
            product.enqueue_as(found[which], stream.ptr, a, b, d, bias, workspace)

        with gpu.using(ordinal), context.lock:
            for size, allocation in zip(sizes, memory, strict=True):
                gpu.fill(allocation.ptr, _BYTES, size, context.stream)
            context.ticks += 1
        times = _timed(gpu, context, run, range(len(found)))
        for _ in range(1, _ROUNDS):
            fastest = min(times.values())
            again = [which for which, time in times.items() if time <= _WORTH * fastest]
            if fastest * len(again) > _LONG:
                break
            for which, time in _timed(gpu, context, run, again).items():
                times[which] = min(times[which], time)
        del memory
        return [times[which] for which in range(len(found))]
    finally:
        context.close()


def _timed(
    gpu: Gpu, context: StreamContext, run: Callable[[int, Stream], None], which: Sequence[int]
) -> dict[int, float]:
    """The time of each of some algorithms, one after the other; the first is run once more before.

    One that the library refuses in the end takes for ever.
    """
    with gpu.using(context.ordinal), context.lock:
        run(which[0], context.stream)
        marks, refused = [gpu.timed_event(context.ordinal)], set()
        gpu.record_in(context.stream.ptr, marks[0])
        for each in which:
            try:
                run(each, context.stream)
            except CublasLtError:
                refused.add(each)
            marks.append(gpu.timed_event(context.ordinal))
            gpu.record_in(context.stream.ptr, marks[-1])
        context.ticks += 1
    context.drain("products that are timed")
    times = {each: math.inf if each in refused else marks[i].nanoseconds_to(marks[i + 1]) * 1e-9
             for i, each in enumerate(which)}
    for mark in marks:
        mark.destroy()
    return times


def _nbytes(matrix: Matrix, batch: int) -> int:
    elements = (batch - 1) * matrix.stride + (matrix.columns - 1) * matrix.leading + matrix.rows
    return elements * matrix.dtype.itemsize

