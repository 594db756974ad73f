# SPDX-License-Identifier: Apache-2.0
"""The checked-in LLVM IR of native code: made of the C files beside it, for any processor."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from olympus_cpu.codegen.target import Target
from olympus_cpu.native import runtime
from tools import native_ir

each_unit = pytest.mark.parametrize("unit", native_ir.UNITS, ids=lambda unit: unit.stem)


@each_unit
def test_ir_is_made_of_the_sources(unit: Path) -> None:
    said = re.search(r"^; sources (\w+)$", unit.with_suffix(".ll").read_text(), re.MULTILINE)
    assert said and said[1] == native_ir.digest(unit), "the C files have changed: run `python -m tools.native_ir`"


def test_constants_are_those_of_python() -> None:
    header = (native_ir.FOLDER / "native.h").read_text()
    values = dict(re.findall(r"^#define (\w+) (-?\d+)$", header, re.MULTILINE))
    assert values == {"RAISED": str(runtime.RAISED), "FRAME": str(runtime.FRAME)}


def test_system_holds_what_the_header_lists() -> None:
    header = (native_ir.FOLDER / "native.h").read_text()
    fields = re.search(r"extern const struct \{(.*?)\} SYSTEM;", header, re.DOTALL)
    assert fields
    code = re.sub(r"//.*", "", fields[1])
    assert len(re.findall(r"\w+(?=[,;])", code)) == len(runtime._system())


@each_unit
@pytest.mark.parametrize("name", ["x86-64", "neoverse"])
def test_ir_is_for_any_processor(name: str, unit: Path) -> None:
    import llvmlite.binding as llvm

    text = unit.with_suffix(".ll").read_text()
    target = Target.named(name)
    machine = target.machine()
    module = llvm.parse_assembly(f'target triple = "{target.triple}"\n{text}', context=llvm.create_context())
    module.verify()
    assert machine.emit_object(module)
    assert not re.search(r"llvm\.(x86|aarch64)|\basm\b|target-(cpu|features)|^target ", text, re.MULTILINE)


def test_printed_ir_loses_what_other_llvms_do_not_know() -> None:
    printed = """\
; ModuleID = 'runtime.c'
target triple = "x86_64-linux-gnu"
; Function Attrs: nounwind
define dso_local void @f(ptr noundef captures(none) initializes((0, 8)) %0) local_unnamed_addr #0 {
  call void @llvm.lifetime.start.p0(ptr nonnull %0) #2
  %2 = call range(i32 0, 2) i32 @g(ptr noundef nonnull align 8 %0) #1, !srcloc !7
  store i32 %2, ptr %0, align 4, !tbaa !5
  br label %3

3:                                                ; preds = %1
  ret void
}
declare void @llvm.lifetime.start.p0(ptr captures(none)) #2
attributes #0 = { nounwind "target-cpu"="x86-64" }
!5 = !{}
"""
    assert native_ir.portable(printed) == """\
define void @f(ptr %0) nounwind {
  %2 = call i32 @g(ptr align 8 %0)
  store i32 %2, ptr %0, align 4
  br label %3

3:
  ret void
}
"""
