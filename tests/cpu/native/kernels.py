# SPDX-License-Identifier: Apache-2.0
"""Kernels in LLVM IR for the tests of the native runtime: over 64-bit integers, one loop each."""

from __future__ import annotations

import ctypes
from functools import lru_cache

from olympus_cpu.native.linker import Library, link
from olympus_cpu.native.runtime import runtime


def loop(name: str, arguments: int, body: str) -> str:
    """A kernel: `body` runs for each %i of its range and knows %a0, %a1, ... and the pointers %p0, %p1, ... to [i]."""
    head = "".join(
        f"  %t{k} = getelementptr ptr, ptr %table, i64 {k}\n  %a{k} = load ptr, ptr %t{k}\n" for k in range(arguments)
    )
    here = "".join(f"  %p{k} = getelementptr i64, ptr %a{k}, i64 %i\n" for k in range(arguments))
    return f"""
define void @{name}(ptr %table, i64 %low, i64 %high, i64 %index) {{
entry:
{head}  br label %check
check:
  %i = phi i64 [ %low, %entry ], [ %i1, %next ]
  %go = icmp slt i64 %i, %high
  br i1 %go, label %loop, label %out
loop:
{here}{body}
  br label %next
next:
  %i1 = add i64 %i, 1
  br label %check
out:
  ret void
}}
"""


def spin(name: str, wanted: int, before: str, after: str) -> str:
    """A kernel that waits until a0[0] is so much, for a bounded number of iterations; knows %a0 and %a1."""
    return f"""
define void @{name}(ptr %table, i64 %low, i64 %high, i64 %index) {{
entry:
  %a0 = load ptr, ptr %table
  %t1 = getelementptr ptr, ptr %table, i64 1
  %a1 = load ptr, ptr %t1
{before}  br label %spin
spin:
  %i = phi i64 [ 0, %entry ], [ %i1, %more ]
  %x = load atomic i64, ptr %a0 seq_cst, align 8
  %there = icmp eq i64 %x, {wanted}
  br i1 %there, label %came, label %more
more:
  %i1 = add i64 %i, 1
  %go = icmp slt i64 %i1, 10000000000
  br i1 %go, label %spin, label %out
came:
{after}  br label %out
out:
  ret void
}}
"""


_BINARY = "  %x = load i64, ptr %p0\n  %y = load i64, ptr %p1\n  %z = {} i64 %x, %y\n  store i64 %z, ptr %p2"

TEXT = "".join([
    # p1[i] = p0[i] + 1
    loop("increment", 2, "  %x = load i64, ptr %p0\n  %y = add i64 %x, 1\n  store i64 %y, ptr %p1"),
    loop("add", 3, _BINARY.format("add")),
    loop("multiply", 3, _BINARY.format("mul")),
    # Counts how often each index is visited.
    loop("visit", 1, "  %old = atomicrmw add ptr %p0, i64 1 monotonic"),
    # p0[chunk index] += i
    loop("sum_chunk", 1, "  %s = getelementptr i64, ptr %a0, i64 %index\n  %x = load i64, ptr %s\n"
         "  %y = add i64 %x, %i\n  store i64 %y, ptr %s"),
    # a0[0] = sum of a1[...]
    loop("total", 2, "  %x = load i64, ptr %a0\n  %y = load i64, ptr %p1\n  %z = add i64 %x, %y\n"
         "  store i64 %z, ptr %a0"),
    loop("clear", 1, "  store i64 0, ptr %p0"),
    # Writes 7 as the status when it meets a negative number: (values, status).
    loop("complain", 2, "  %x = load i64, ptr %p0\n  %bad = icmp slt i64 %x, 0\n  %old = load i32, ptr %a1\n"
         "  %new = select i1 %bad, i32 7, i32 %old\n  store i32 %new, ptr %a1"),
    # Waits until a0[0] is set; a1[0] = whether it came.
    spin("await", 1, "", "  store i64 1, ptr %a1\n"),
    # Two chunks that wait for each other: a0[0] counts them, a1[chunk index] = the thread's number.
    spin("meet", 2, "  %id = call i32 @gettid()\n  %id64 = zext i32 %id to i64\n"
         "  %place = getelementptr i64, ptr %a1, i64 %index\n  store i64 %id64, ptr %place\n"
         "  %before = atomicrmw add ptr %a0, i64 1 seq_cst\n", ""),
    """
declare i32 @gettid()
declare void @parallel_for(ptr, ptr, i64, i64)
""",
    # A loop inside of a loop.
    loop("nest", 1, "  call void @parallel_for(ptr @visit, ptr %table, i64 100, i64 7)"),
])
NAMES = (
    "increment", "add", "multiply", "visit", "sum_chunk", "total", "clear", "complain", "await", "meet", "nest",
)


@lru_cache(maxsize=1)
def kernels() -> Library:
    """All of them, linked."""
    return link(TEXT, NAMES, {"parallel_for": runtime()["parallel_for"], "gettid": _gettid()})


def _gettid() -> int:
    return ctypes.cast(ctypes.CDLL(None).gettid, ctypes.c_void_p).value or 0
