# SPDX-License-Identifier: Apache-2.0
"""The overhead of the CPU platform's native runtime: calls, parallel loops, memory, linking.

    python -m benchmarks.native
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from olympus_cpu.native.cache import ObjectCache
from olympus_cpu.native.entry import INLINE, PARALLEL, RELEASED, Slots, Step, make_entry, make_kernel_entry
from olympus_cpu.native.linker import BASELINE, OPTIMISED, link
from olympus_cpu.native.memory import allocator, block_array, trim
from olympus_cpu.native.pool import pool, use_threads
from olympus_cpu.native.runtime import runtime, use_cache

# Eight floats an iteration: y = x + 1.
KERNEL = """
define void @increment(ptr %table, i64 %low, i64 %high, i64 %index) {
entry:
  %x = load ptr, ptr %table
  %t1 = getelementptr ptr, ptr %table, i64 1
  %y = load ptr, ptr %t1
  %any = icmp slt i64 %low, %high
  br i1 %any, label %loop, label %out
loop:
  %i = phi i64 [ %low, %entry ], [ %i1, %loop ]
  %xp = getelementptr float, ptr %x, i64 %i
  %v = load <8 x float>, ptr %xp, align 4
  %w = fadd <8 x float> %v, splat (float 1.0)
  %yp = getelementptr float, ptr %y, i64 %i
  store <8 x float> %w, ptr %yp, align 4
  %i1 = add i64 %i, 8
  %more = icmp slt i64 %i1, %high
  br i1 %more, label %loop, label %out
out:
  ret void
}
"""


def hot(call: Callable[..., object], *arguments: object, count: int = 20_000) -> float:
    """Seconds of one call among many, the median of several rounds."""
    iterations = range(count)
    rounds = []
    for _ in range(7):
        start = time.perf_counter()
        for _ in iterations:
            call(*arguments)
        rounds.append((time.perf_counter() - start) / count)
    return statistics.median(rounds)


def cold(call: Callable[..., object], *arguments: object) -> float:
    """Seconds of one call after a pause in which the threads fall asleep."""
    rounds = []
    for _ in range(101):
        time.sleep(0.002)
        start = time.perf_counter()
        call(*arguments)
        rounds.append(time.perf_counter() - start)
    return statistics.median(rounds)


def show(what: str, seconds: float, unit: str = "ns") -> None:
    factor = {"ns": 1e9, "us": 1e6, "ms": 1e3}[unit]
    print(f"  {what:<64}{seconds * factor:>10.1f} {unit}")


def timed(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def main() -> None:
    print("linking")
    with tempfile.TemporaryDirectory() as folder:
        use_cache(ObjectCache(Path(folder) / "objects", Path(folder) / "key"))
        show("LLVM's first use", timed(lambda: link("define void @f() {\n ret void\n}", ["f"])), "ms")
        show("the runtime itself, optimised", timed(runtime), "ms")
        cache = ObjectCache(Path(folder) / "objects", Path(folder) / "key")
        show("a small kernel, quick", timed(lambda: link(KERNEL, ["increment"], level=BASELINE)), "ms")
        show("a small kernel, optimised", timed(lambda: link(KERNEL, ["increment"], cache=cache)), "ms")
        show("the same out of the disk cache", timed(lambda: link(KERNEL, ["increment"], cache=cache)), "ms")
    library = link(KERNEL, ["increment"], level=OPTIMISED)
    increment, nothing = library["increment"], runtime()["nothing"]

    print("calls of a kernel over 8 floats")
    take = allocator().take
    x, y = np.zeros(8, np.float32), np.zeros(8, np.float32)
    xa, ya, xb, yb = x.ctypes.data, y.ctypes.data, take(32), take(32)
    show("an empty Python function, for comparison", hot(lambda a, b: None, xa, ya))
    inline = make_kernel_entry(increment, 2, 8, 8, INLINE, library)
    show("addresses", hot(inline, xa, ya))
    show("blocks", hot(inline, xb, yb))
    show("Python's lock released", hot(make_kernel_entry(increment, 2, 8, 8, RELEASED, library), xa, ya))
    step = Step(increment, 8, 8, ((0, 1),))
    show("output made by the call", hot(make_entry([step], Slots(1, (32,)), INLINE, library), xb))
    chain = [Step(increment, 8, 8, ((i, i + 1),)) for i in range(4)]
    chained = make_entry(chain, Slots(1, (32,) * 4), INLINE, library)
    show("4 kernels, 4 outputs", hot(chained, xb))
    devices = Step(increment, 8, 8, tuple((d, 8 + d) for d in range(8)))
    blocks = [take(32) for _ in range(8)]
    for mode, how in ((INLINE, "one thread"), (PARALLEL, "in parallel")):
        entry = make_entry([devices], Slots(8, (32,) * 8), mode, library)
        show(f"8 devices, 8 outputs, {how}", hot(entry, *blocks))
    show("making an entry", hot(lambda: make_kernel_entry(increment, 2, 8, 8, INLINE, library), count=2000), "us")

    print(f"parallel loops, {pool().threads} threads of {os.cpu_count()} processors")
    for chunks in (2, 16):
        loop = make_kernel_entry(nothing, 1, chunks, 1, PARALLEL)
        show(f"{chunks} chunks of nothing, hot", hot(loop, xa))
        show(f"{chunks} chunks of nothing, cold", cold(loop, xa), "us")
    n = 10_000_000
    big, out = np.zeros(n, np.float32), np.zeros(n, np.float32)
    for threads in (1, pool().threads):
        use_threads(threads)
        for chunk in (n, 250_000, 16_000):
            entry = make_kernel_entry(increment, 2, n, chunk, PARALLEL, library)
            label = f"x + 1 over 1e7 floats, {threads} threads, chunks of {chunk}"
            show(label, hot(entry, big.ctypes.data, out.ctypes.data, count=5), "ms")
    use_threads(None)
    show("a copy of 1e7 floats by NumPy", hot(lambda: np.copyto(out, big), count=5), "ms")

    print("memory")
    for size in (100, 10_000, 1_000_000, 40_000_000):
        show(f"take and release {size} bytes", hot(take, size))
    show("a NumPy array over a block", hot(block_array, take(400), (10, 10), np.dtype(np.float32)))
    show("numpy.empty of 400 bytes, for comparison", hot(np.empty, (10, 10), np.float32))

    def fresh() -> None:
        trim()
        block_array(take(40_000_000), (n,), np.dtype(np.float32)).fill(1)

    show("take and fill 40 MB, fresh", hot(fresh, count=3), "ms")
    show("take and fill 40 MB, used before",
         hot(lambda: block_array(take(40_000_000), (n,), np.dtype(np.float32)).fill(1), count=3), "ms")
    show("numpy.empty and fill 40 MB, for comparison", hot(lambda: np.empty(n, np.float32).fill(1), count=3), "ms")


if __name__ == "__main__":
    main()
