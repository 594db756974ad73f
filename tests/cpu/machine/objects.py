# SPDX-License-Identifier: Apache-2.0
"""Object code for tests, and what its headers say."""

from __future__ import annotations

import struct

from olympus_cpu.codegen.target import Target

# A constant, a variable, a function of its own, one from elsewhere, a variable from elsewhere, a jump table.
TEXT = """
@there = external global i64
@table = private constant [4 x i64] [i64 5, i64 6, i64 7, i64 8]
@count = internal global i64 0
@start = internal global i64 3
declare i64 @far(i64)
define i64 @own(i64 %x) noinline {
  %a = load i64, ptr @count
  %b = add i64 %a, 1
  store i64 %b, ptr @count
  %c = load i64, ptr @start
  %d = add i64 %x, %c
  ret i64 %d
}
define i64 @f(i64 %i) {
  %p = getelementptr [4 x i64], ptr @table, i64 0, i64 %i
  %a = load i64, ptr %p
  %b = load i64, ptr @there
  %c = call i64 @far(i64 %b)
  %d = call i64 @own(i64 %c)
  %e = mul i64 %a, %d
  switch i64 %i, label %other [ i64 0, label %zero
    i64 1, label %one
    i64 2, label %two
    i64 3, label %three ]
zero:
  ret i64 %e
one:
  %x1 = add i64 %e, 100
  ret i64 %x1
two:
  %x2 = sub i64 100, %e
  ret i64 %x2
three:
  %x3 = mul i64 %e, 3
  ret i64 %x3
other:
  ret i64 0
}
define ptr @place() {
  ret ptr @there
}
define i64 @counted() {
  %a = load i64, ptr @count
  ret i64 %a
}
"""
EXPORTS = ("f", "own", "place", "counted")


def object_code(text: str = TEXT, target: Target | None = None, level: int = 2) -> bytes:
    """What LLVM makes of a text."""
    import llvmlite.binding as llvm

    target = target or Target.host()
    machine = target.machine(level)
    head = f'target triple = "{target.triple}"\ntarget datalayout = "{target.data_layout}"\n'
    with llvm.parse_assembly(head + text, context=llvm.create_context()) as module:
        return bytes(machine.emit_object(module))


def headers(code: bytes) -> list[tuple[int, list[int]]]:
    """Of each section: where its header is, and the ten words of it."""
    (start,), (count,) = struct.unpack_from("<Q", code, 0x28), struct.unpack_from("<H", code, 0x3C)
    return [(start + 64 * i, list(struct.unpack_from("<IIQQQQIIQQ", code, start + 64 * i))) for i in range(count)]


def with_relocation(code: bytes, kind: int) -> bytes:
    """The same with its first relocation of another kind."""
    changed = bytearray(code)
    (first,) = [words[4] for _, words in headers(code) if words[1] == 4][:1]
    struct.pack_into("<I", changed, first + 8, kind)
    return bytes(changed)
