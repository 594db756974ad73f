# SPDX-License-Identifier: Apache-2.0
"""Machine code out of text."""

from __future__ import annotations

import ctypes
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import llvmlite.binding
import numpy as np
import pytest

from olympus_core.errors.platform import NativeCodeError
from olympus_cpu.codegen.builder import FunctionBuilder, module_text
from olympus_cpu.codegen.target import Target
from olympus_cpu.native.cache import ObjectCache
from olympus_cpu.native.generators import generator
from olympus_cpu.native.linker import BASELINE, OPTIMISED, Recipe, assembly, link
from olympus_cpu.native.runtime import runtime
from tests.support.folders import cache_key
from tests.support.heap import bytes_in_use
from tests.support.processes import Processes

from .kernels import loop


def constant(name: str, value: int) -> str:
    return loop(name, 1, f"  store i64 {value}, ptr %p0")


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
def test_runs_over_a_range(level: int) -> None:
    library = link(loop("fill", 2, "  %x = load i64, ptr %p1\n  store i64 %x, ptr %p0"), ["fill"], level=level)
    out, given = np.zeros(10, np.int64), np.arange(10)
    library.run("fill", [out.ctypes.data, given.ctypes.data], 2, 7)
    assert out.tolist() == [0, 0, 2, 3, 4, 5, 6, 0, 0, 0]


def test_imports_are_found_by_name() -> None:
    text = "@there = external global i64\n" + loop("read", 1, "  %x = load i64, ptr @there\n  store i64 %x, ptr %p0")
    there, out = np.array([41]), np.zeros(3, np.int64)
    link(text, ["read"], {"there": there.ctypes.data}).run("read", [out.ctypes.data], 0, 3)
    assert out.tolist() == [41, 41, 41]


def test_the_same_name_in_two_libraries() -> None:
    libraries = [link(constant("f", value), ["f"]) for value in (3, 4)]
    outs = []
    for library in libraries:
        out = np.zeros(1, np.int64)
        library.run("f", [out.ctypes.data], 0, 1)
        outs.append(int(out[0]))
    assert outs == [3, 4]


@pytest.mark.parametrize(
    ("text", "exports"),
    [
        ("define void @f( {", ["f"]),
        ("define void @f() {\n  ret i32 0\n}", ["f"]),
        ("define void @f() {\n  ret void\n}", ["g"]),
        ("declare void @nowhere()\ndefine void @f() {\n  call void @nowhere()\n  ret void\n}", ["f"]),
    ],
)
def test_faults_are_typed(text: str, exports: list[str]) -> None:
    with pytest.raises(NativeCodeError) as caught:
        link(text, exports)
    assert caught.value.text == text and caught.value.reason


def test_from_many_threads() -> None:
    def make(value: int) -> int:
        out = np.zeros(1, np.int64)
        link(constant("f", value), ["f"], level=BASELINE).run("f", [out.ctypes.data], 0, 1)
        return int(out[0])

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(make, range(64))) == list(range(64))


def test_an_llvmlite_without_a_way_around_its_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    library = llvmlite.binding.ffi.lib
    emit = library.LLVMPY_TargetMachineEmitToMemory
    assert len(emit._cfn.argtypes) == 4
    baseline = link(constant("f", 5), ["f"]).object_code
    monkeypatch.setitem(library._fntab, "LLVMPY_TargetMachineEmitToMemory", lambda *arguments: emit(*arguments))
    assert link(constant("f", 5), ["f"]).object_code == baseline


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_unloads_with_the_last_reference() -> None:
    def maps() -> int:
        with open("/proc/self/maps") as file:
            return sum(1 for _ in file)

    kept = [link(constant("f", value), ["f"], level=BASELINE) for value in range(3)]
    before = maps()
    for value in range(100):
        link(constant("f", value), ["f"], level=BASELINE)
    assert maps() < before + 50
    out = np.zeros(1, np.int64)
    kept[2].run("f", [out.ctypes.data], 0, 1)
    assert out[0] == 2


@pytest.mark.skipif(sys.platform != "linux", reason="lays out the process's addresses as Linux does")
def test_code_and_constants_lie_together_whatever_is_mapped() -> None:
    program = """
        import ctypes
        from olympus_cpu.native.linker import link

        text = "define double @f(double %x) {\\n  %y = fmul double %x, 3.14159\\n  ret double %y\\n}\\n"
        link(text, ["f"])  # LLVM's own memory is mapped now

        libc = ctypes.CDLL(None)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]

        def reserve(size):
            return libc.mmap(None, size, 0, 0x4022, -1, 0)  # private, anonymous, no memory behind it

        large = reserve(16 << 30)
        while reserve(4096) > large:  # fills all holes above it
            pass
        libc.munmap(large + (15 << 30), 4096)  # leaves one: of one page, 15 GiB from all that is free
        library = link(text, ["f"])
        call = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(library["f"])
        print(library["f"] < large, call(2.0))
    """
    with Processes() as running:
        running.start(program)
        (end,) = running.wait()
    assert end.returncode == 0, end.stderr
    assert end.stdout == "True 6.28318\n"


def test_assembly_is_readable() -> None:
    text = assembly(constant("fill", 5))
    assert "fill:" in text and "ret" in text


def test_runtime_is_linked_once() -> None:
    assert runtime() is runtime()


def test_import_loads_nothing() -> None:
    program = """
        import os, sys
        before = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 0
        import numpy
        threads = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 0
        from olympus_cpu.native import cache, entry, linker, memory, pool, runtime, settings
        after = len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 0
        print(after - threads, [name for name in sys.modules if name.startswith("llvmlite")])
    """
    with Processes() as running:
        running.start(program)
        (end,) = running.wait()
    assert end.returncode == 0, end.stderr
    assert end.stdout == "0 []\n"


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
def test_two_threads_generate_code_at_the_same_time_and_a_third_waits(level: int) -> None:
    with ThreadPoolExecutor(1) as threads:
        with generator(level) as first:
            assert threads.submit(link, constant("beside", 5), ["beside"], level=level).result(30).addresses["beside"]
            with generator(level) as second:
                assert first is not second
                late = threads.submit(link, constant("late", 6), ["late"], level=level)
                other = BASELINE if level == OPTIMISED else OPTIMISED
                assert link(constant("own", 7), ["own"], level=other).addresses["own"]
                assert not late.done()
        assert late.result(30).addresses["late"]


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
def test_object_code_is_what_llvmlite_gives(level: int) -> None:
    import llvmlite.binding as llvm

    text = module_text([_sum_function()])
    with llvm.parse_assembly(text, context=llvm.create_context()) as module:
        wanted = bytes(Target.host().machine(level).emit_object(module))
    assert link(text, ["total"], level=level).object_code == wanted


def _sum_function() -> FunctionBuilder:
    b = FunctionBuilder(Target.host(), "total", [("x", "ptr"), ("count", "i64")])
    with b.for_loop(b.constant(0, "i64"), b.parameter("count"), 1, [b.constant(0.0, "double")]) as iteration:
        value = b.load(b.gep(b.parameter("x"), iteration.index, "double"), "double")
        iteration.next([b.add(iteration.carried[0], value)])
    b.store(b.parameter("x"), iteration.results[0])
    b.ret()
    return b


def test_a_recipe_is_written_once_for_all_processes(tmp_path: Path) -> None:
    cache, written = ObjectCache(tmp_path, cache_key()), []

    def write() -> str:
        written.append(1)
        return "define i64 @answer() {\n  ret i64 42\n}\n"

    first = link(Recipe("the answer", write), ["answer"], cache=cache)
    again = link(Recipe("the answer", write), ["answer"], cache=cache)
    other = link(Recipe("another answer", write), ["answer"], cache=cache)
    assert (first.from_cache, again.from_cache, other.from_cache) == (False, True, False)
    assert len(written) == 2
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(again["answer"])() == 42


def test_libraries_that_are_gone_leave_nothing() -> None:
    code = [constant("f", value) for value in range(4)]

    def used() -> int:
        for text in code * 40:
            link(text, ["f"], level=BASELINE)
        return bytes_in_use()

    used()
    first = used()
    # Each library's notes are gone with it: kept, all would be 160 times 9 KiB each round.
    assert max(used() for _ in range(3)) - first < 100_000


def test_library_lives_longer_than_the_linkers_after_it() -> None:
    library = link(constant("f", 7), ["f"], level=BASELINE)
    for _ in range(140):
        link(constant("f", 8), ["f"], level=BASELINE)
    out = np.zeros(1, np.int64)
    library.run("f", [out.ctypes.data], 0, 1)
    assert out[0] == 7
