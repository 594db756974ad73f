# SPDX-License-Identifier: Apache-2.0
"""Measures what this machine can do at most: bytes and multiply-adds a second, of all threads together.

Its argument is the largest working set, in bytes. Prints one line of JSON, as `benchmarks.roof.Roof.parse` takes it.
The kernels are LLVM's text below, made into machine code as they stand: nothing of what is measured beside is in them.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import platform
import sys
import threading
import time
from collections.abc import Callable, Sequence

import llvmlite.binding as llvm
import numpy as np

from olympus_cpu.machine.permission import permitted
from olympus_cpu.native.pool import processors

# So many rounds go together. Each is short, of so many bytes or operations of each thread (less than half a
# millisecond): a short one is seldom disturbed, and of many some one is not. Large working sets take longer.
ROUNDS, FEW, BYTES, FLOPS = 8, 4, 6e7, 2e7
# A round in which a thread ran for less than this share of its time was disturbed. Rounds go on until so many were not,
# or so many seconds are over.
RAN, UNDISTURBED, SECONDS = 0.9, 4, 0.5
SMALLEST = 1 << 15  # bytes of all threads
UNROLLED = 8
# Source and target of a copy are not whole pages apart: processors take such addresses for the same one.
_APART = 2048 + 64
# From here on copies past the caches may be the quicker ones.
_LARGE = 1 << 22
_STREAMS = (1, 4)
# The configuration of AMX's registers: eight tiles of 16 rows of 64 bytes.
_TILES = (1, 0, *[64 * 0x0001_0001_0001_0001] * 2, 0, 0, 16 * 0x0101_0101_0101_0101, 0)

_LOOP = """
define i64 @{name}(ptr %from, ptr %to, i64 %bytes, i64 %times) {attributes} {{
entry:
{given}
  br label %again
again:
  %turn = phi i64 [ 0, %entry ], [ %next_turn, %done ]
{sums_outer}
  br label %body
body:
  %at = phi i64 [ 0, %again ], [ %next, %body ]
{sums}
{body}
  %next = add i64 %at, {step}
  %more = icmp ult i64 %next, %bytes
  br i1 %more, label %body, label %done
done:
  %next_turn = add i64 %turn, 1
  %again_more = icmp ult i64 %next_turn, %times
  br i1 %again_more, label %again, label %end
end:
{end}
  ret i64 %found
}}
"""

# Threads wait for each other in their processors: woken by the system, they would begin long after each other.
MEETING = """
define void @meet(ptr %arrived, i64 %all) {
entry:
  %before = atomicrmw add ptr %arrived, i64 1 seq_cst
  br label %wait
wait:
  %now = load atomic i64, ptr %arrived seq_cst, align 8
  %less = icmp ult i64 %now, %all
  br i1 %less, label %wait, label %done
done:
  ret void
}
"""


def reading(name: str, bits: int, attributes: str, streams: int) -> str:
    """A kernel that only reads, `bytes` at so many places; what it has read goes into its result, so all is needed."""
    lanes, width = bits // 64, bits // 8
    vector = f"<{lanes} x i64>"
    outer, sums, body = [], [], []
    for k in range(UNROLLED):
        outer.append(f"  %o{k} = phi {vector} [ zeroinitializer, %entry ], [ %n{k}, %done ]")
        sums.append(f"  %s{k} = phi {vector} [ %o{k}, %again ], [ %n{k}, %body ]")
        stream, step = divmod(k, UNROLLED // streams)
        body += [f"  %b{k} = mul i64 %bytes, {stream}", f"  %a{k} = add i64 %b{k}, {step * width}",
                 f"  %i{k} = add i64 %at, %a{k}", f"  %p{k} = getelementptr i8, ptr %from, i64 %i{k}",
                 f"  %v{k} = load {vector}, ptr %p{k}, align 64", f"  %n{k} = xor {vector} %s{k}, %v{k}"]
    end = [f"  %e1 = xor {vector} %n0, %n1"]
    end += [f"  %e{k} = xor {vector} %e{k - 1}, %n{k}" for k in range(2, UNROLLED)]
    end.append(f"  %found = extractelement {vector} %e{UNROLLED - 1}, i32 0")
    return _LOOP.format(name=name, attributes=attributes, given="", sums_outer="\n".join(outer), sums="\n".join(sums),
                        body="\n".join(body), step=UNROLLED // streams * width, end="\n".join(end))


def copying(name: str, bits: int, attributes: str, past_caches: bool) -> str:
    """A kernel that reads and writes, with stores that leave the caches out where asked."""
    width, vector = bits // 8, f"<{bits // 64} x i64>"
    how = ", !nontemporal !0" if past_caches else ""
    body = []
    for k in range(UNROLLED):
        body += [f"  %i{k} = add i64 %at, {k * width}", f"  %p{k} = getelementptr i8, ptr %from, i64 %i{k}",
                 f"  %q{k} = getelementptr i8, ptr %to, i64 %i{k}", f"  %v{k} = load {vector}, ptr %p{k}, align 64",
                 f"  store {vector} %v{k}, ptr %q{k}, align 64{how}"]
    end = ["  fence seq_cst" if past_caches else "", "  %found = add i64 0, 0"]
    return _LOOP.format(name=name, attributes=attributes, given="", sums_outer="", sums="", body="\n".join(body),
                        step=UNROLLED * width, end="\n".join(end))


def multiplying(name: str, kind: str, bits: int, count: int, attributes: str) -> str:
    """A kernel that multiplies and adds in registers, `count` sums that do not wait for each other."""
    dot = kind == "bfloat"
    element, size = ("float", 32) if dot else (kind, {"float": 32, "double": 64}[kind])
    vector, lanes = f"<{bits // size} x {element}>", bits // size
    # Of bfloat16 the instruction adds two products to each float32.
    call = f"llvm.x86.avx512bf16.dpbf16ps.{bits}" if dot else f"llvm.fmuladd.v{lanes}f{size}"
    factor = f"<{2 * lanes} x bfloat>" if dot else vector
    sums = [f"  %s{k} = phi {vector} [ zeroinitializer, %again ], [ %n{k}, %body ]" for k in range(count)]
    arguments = ("{s}, " + f"{factor} %x, {factor} %y") if dot else (f"{factor} %x, {factor} %y, " + "{s}")
    body = [f"  %n{k} = call {vector} @{call}({arguments.format(s=f'{vector} %s{k}')})" for k in range(count)]
    end = [f"  %e0 = fadd {vector} %n0, %n1"]
    end += [f"  %e{k} = fadd {vector} %e{k - 1}, %n{k + 1}" for k in range(1, count - 1)]
    end += [f"  store {vector} %e{count - 2}, ptr %to, align 64", "  %found = add i64 0, 0"]
    given = [f"  %{one} = load {factor}, ptr %from, align 64" for one in "xy"]
    text = _LOOP.format(name=name, attributes=attributes, given="\n".join(given), sums_outer="", sums="\n".join(sums),
                        body="\n".join(body), step=1, end="\n".join(end))
    order = f"{vector}, {factor}, {factor}" if dot else f"{factor}, {factor}, {vector}"
    return f"declare {vector} @{call}({order})\n" + text


def multiplying_tiles(name: str, attributes: str) -> str:
    """A kernel that multiplies tiles of bfloat16 (AMX), four of sums that do not wait for each other."""
    tiles = ["tilezero", "tileloadd64", "tilestored64", "tdpbf16ps", "ldtilecfg", "tilerelease"]
    kinds = ["i8", "i8, ptr, i64", "i8, ptr, i64", "i8, i8, i8", "ptr", ""]
    declared = [f"declare void @llvm.x86.{one}({kind})" for one, kind in zip(tiles, kinds, strict=True)]
    given = []
    for k, word in enumerate(_TILES):
        given += [f"  %c{k} = getelementptr i64, ptr %to, i64 {k}", f"  store i64 {word}, ptr %c{k}, align 8"]
    given += ["  call void @llvm.x86.ldtilecfg(ptr %to)",
              *(f"  call void @llvm.x86.tilezero(i8 {k})" for k in range(4)),
              *(f"  call void @llvm.x86.tileloadd64(i8 {k}, ptr %from, i64 64)" for k in range(4, 8))]
    body = [f"  call void @llvm.x86.tdpbf16ps(i8 {2 * i + j}, i8 {4 + i}, i8 {6 + j})" for i in (0, 1) for j in (0, 1)]
    end = [*(f"  call void @llvm.x86.tilestored64(i8 {k}, ptr %to, i64 64)" for k in range(4)),
           "  call void @llvm.x86.tilerelease()", "  %found = add i64 0, 0"]
    text = _LOOP.format(name=name, attributes=attributes, given="\n".join(given), sums_outer="", sums="",
                        body="\n".join(body), step=1, end="\n".join(end))
    return "\n".join(declared) + "\n" + text


class Machine:
    """The kernels, compiled for this processor."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        features = llvm.get_host_cpu_features()
        self.bits = 512 if features.get("avx512f") else 256 if features.get("avx2") else 128
        # As many sums as registers can hold, beside two factors.
        count = 12 if platform.machine() in ("x86_64", "AMD64") and self.bits < 512 else 24
        allowed = permitted(features.flatten())
        target = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=allowed, opt=2)
        # Else LLVM may split 512-bit vectors in two.
        wide = f'"min-legal-vector-width"="{self.bits}" "prefer-vector-width"="{self.bits}"'
        texts = [MEETING, *(reading(f"read_{n}", self.bits, wide, n) for n in _STREAMS),
                 copying("copy", self.bits, wide, past_caches=False),
                 copying("copy_past_caches", self.bits, wide, past_caches=True)]
        kinds = {"float32": ("float", 32), "float64": ("double", 64)}
        if features.get("avx512bf16"):
            kinds["bfloat16"] = ("bfloat", 16)
        texts += [multiplying(name, kind, self.bits, count, wide) for name, (kind, _) in kinds.items()]
        # By kernel, the operations of one turn.
        self.multipliers = {name: 2 * count * self.bits // size for name, (_, size) in kinds.items()}
        if {"+amx-tile", "+amx-bf16"} <= set(allowed.split(",")):
            texts = [text for text in texts if "@bfloat16(" not in text]
            texts.append(multiplying_tiles("bfloat16", wide))
            self.multipliers["bfloat16"] = 4 * 2 * 16 * 16 * 32
        declared = dict.fromkeys(line for text in texts for line in text.splitlines() if line.startswith("declare"))
        code = [line for text in texts for line in text.splitlines() if not line.startswith("declare")]
        module = llvm.parse_assembly("\n".join([*declared, *code, "!0 = !{i32 1}"]))
        self._engine = llvm.create_mcjit_compiler(module, target)
        self._engine.finalize_object()

    def kernel(self, name: str) -> Callable[..., int]:
        """A kernel to call; the call lets Python's lock go."""
        word, address = ctypes.c_int64, ctypes.c_void_p
        kind = ctypes.CFUNCTYPE(None, address, word) if name == "meet" else ctypes.CFUNCTYPE(
            word, address, address, word, word)
        return kind(self._engine.get_function_address(name))


class Team:
    """As many threads as olympus computes with, each with memory of its own that it has touched first.

    Args:
        threads: How many.
        size: Bytes of each one's memory.
        meet: The kernel in which threads wait for each other.
    """

    def __init__(self, threads: int, size: int, meet: Callable[..., object]) -> None:
        self.threads, self._meet = threads, meet
        # Each at a processor of its own, where the system has a say in it and there are as many.
        allowed = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        self._processors = allowed[:threads] if len(allowed) >= threads else []
        self._memory = [np.empty(size + 4096, np.uint8) for _ in range(threads)]
        self._addresses = [-(-block.ctypes.data // 64) * 64 for block in self._memory]
        self.disturbed: list[str] = []
        self._each(lambda k: self._memory[k].fill(0), 1)

    def _each(self, act: Callable[[int], object], rounds: int) -> tuple[np.ndarray, np.ndarray]:
        """Seconds of rounds, from the start of the first thread to the end of the last, and the share that they ran."""
        times = np.zeros((rounds, self.threads, 3))
        arrived, barrier = ctypes.c_int64(0), threading.Barrier(self.threads)

        def turns(k: int) -> None:
            if self._processors:
                os.sched_setaffinity(0, {self._processors[k]})  # of this thread alone
            for number in range(rounds):
                barrier.wait()
                self._meet(ctypes.addressof(arrived), (number + 1) * self.threads)
                ran, started = time.thread_time(), time.perf_counter()
                act(k)
                times[number, k] = started, time.perf_counter(), time.thread_time() - ran

        others = [threading.Thread(target=turns, args=(k,)) for k in range(self.threads)]
        for other in others:
            other.start()
        for other in others:
            other.join()
        spans = times[:, :, 1].max(axis=1) - times[:, :, 0].min(axis=1)
        return spans, times[:, :, 2].min(axis=1) / spans

    def rate(
        self, name: str, kernel: Callable[..., int], work: float, size: int, times: int, apart: int = 0
    ) -> float:
        """The most of `work` a second: what one turn of a kernel over `size` bytes of each thread's memory does."""
        shortest, undisturbed, end = math.inf, 0, time.perf_counter() + SECONDS
        while undisturbed < UNDISTURBED and time.perf_counter() < end:
            spans, shares = self._each(
                lambda k: kernel(self._addresses[k], self._addresses[k] + apart, size, times),
                ROUNDS if times > 1 else FEW)
            shortest = min(shortest, float(spans.min()))
            undisturbed += int(np.sum(shares >= RAN))
        if not undisturbed:
            self.disturbed.append(name)
        return self.threads * work * times / shortest


def bandwidths(machine: Machine, team: Team, sizes: Sequence[int]) -> dict[str, dict[int, float]]:
    """Bytes a second that are only read, and that are read and written in equal parts, by the bytes touched."""
    read = {streams: machine.kernel(f"read_{streams}") for streams in _STREAMS}
    copies = {0: machine.kernel("copy"), _LARGE: machine.kernel("copy_past_caches")}
    found: dict[str, dict[int, float]] = {"read": {}, "copy": {}}
    step = 4 * UNROLLED * machine.bits // 8
    for size in sizes:
        each = size // team.threads // step * step
        if not each:
            continue
        times, half = max(1, round(BYTES / each)), each // 2
        found["read"][size] = max(
            team.rate(f"read {size}", kernel, each, each // n, times) for n, kernel in read.items())
        found["copy"][size] = max(
            team.rate(f"copy {size}", kernel, each, half, times, half + _APART)
            for least, kernel in copies.items() if size >= least)
    return found


def main() -> None:
    """Measures all."""
    machine, threads = Machine(), processors()
    sizes = [SMALLEST]
    while sizes[-1] < int(sys.argv[1]):
        sizes.append(2 * sizes[-1])
    team = Team(threads, sizes[-1] // threads, machine.kernel("meet"))
    # A kernel's `bytes` are turns here; ten times one tenth of the operations.
    flops = {name: team.rate(name, machine.kernel(name), each * turns, turns, 10)
             for name, each in machine.multipliers.items() for turns in [round(FLOPS / each / 10)]}
    moved = bandwidths(machine, team, sizes)
    print(json.dumps({"threads": threads, **moved, "flops": flops, "disturbed": sorted(set(team.disturbed))}))


if __name__ == "__main__":
    main()
