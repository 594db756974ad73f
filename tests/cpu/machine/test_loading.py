# SPDX-License-Identifier: Apache-2.0
"""Object code in memory: by our own loader what LLVM's gives; what is unknown goes to LLVM, what is damaged is told."""

from __future__ import annotations

import ctypes
import gc
import logging
import random
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from olympus_core import dtypes, ops
from olympus_core.errors.platform import NativeCodeError
from olympus_core.toolkit.loops import Kernel
from olympus_core.toolkit.stored_data import UnfitData
from olympus_cpu.codegen.emit.module import emit_module
from olympus_cpu.codegen.target import Target
from olympus_cpu.machine.loading import load_object
from olympus_cpu.native import linker
from olympus_cpu.native.linker import BASELINE, OPTIMISED, Library, link
from olympus_cpu.native.runtime import runtime
from tests.cpu.codegen.emit.running import flat_kernel
from tests.cpu.codegen.emit.test_targets import KERNELS, array

from .objects import EXPORTS, TEXT, headers, object_code, with_relocation

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="loads object code itself on Linux only")

F16, F32, F64 = dtypes.float16, dtypes.float32, dtypes.float64
_UNARY = (ops.sin, ops.log, ops.tanh, ops.erf, ops.lgamma, ops.expm1, ops.sqrt)
MORE: list[Kernel] = [
    *(flat_kernel(record, [kind], [kind], 137) for record in _UNARY for kind in (F16, F32, F64)),
    *(flat_kernel(record, [kind] * 2, [kind], 137) for record in (ops.pow, ops.atan2) for kind in (F32, F64)),
]
Function = Callable[[int], int]


def test_nothing_that_we_compile_needs_llvm_to_be_loaded(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "olympus.cpu"):
        for kernel in KERNELS:
            link(emit_module([(kernel, "f")], Target.host()), ["f"])
    assert not isinstance(runtime()._loaded, linker._ByLlvm)
    assert "loaded by LLVM" not in caplog.text


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
def test_kernels_give_the_same_bits_by_both_loaders(level: int) -> None:
    for kernel in KERNELS + MORE:
        code = object_code(emit_module([(kernel, "f")], Target.host()), level=level)
        rng = np.random.default_rng(3)
        inputs = [array(rng, p.dtype, p.size) for p in kernel.parameters if p.role == "input"]
        found = []
        for loaded, addresses in (load_object(code, ["f"], {}), _by_llvm(code, ["f"], {})):
            given = iter(inputs)
            memory = [next(given) if p.role == "input" else np.zeros(p.size, p.dtype) for p in kernel.parameters]
            Library(addresses, loaded, code, False).run("f", [a.ctypes.data for a in memory], 0, kernel.loop.extent)
            found.append([a.tobytes() for a in memory])
        assert found[0] == found[1], kernel


def _by_llvm(code: bytes, names: list[str], imports: dict[str, int]) -> tuple[linker._ByLlvm, dict[str, int]]:
    with linker._lock:
        return linker._sessions.link(code, names, imports)


@pytest.mark.parametrize("level", [BASELINE, OPTIMISED])
def test_constants_variables_tables_and_imports(level: int) -> None:
    code = object_code(level=level)
    far = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(lambda x: 10 * x)
    there = np.array([4])
    imports = {"far": ctypes.cast(far, ctypes.c_void_p).value or 0, "there": there.ctypes.data}
    for loaded, addresses in (load_object(code, EXPORTS, imports), _by_llvm(code, list(EXPORTS), imports)):
        f, own, place, counted = (
            ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * (name in ("f", "own")))(addresses[name])
            for name in EXPORTS)
        assert [f(i) for i in range(5)] == [215, 358, -201, 1032, 0]
        assert own(5) == 8 and place() == there.ctypes.data and counted() == 6
        assert loaded is not None


def test_calls_reach_what_is_far_and_what_is_near() -> None:
    """A stub in between, or none: the image is 2 GiB from the one, and a few pages from the other."""
    text = "declare i64 @other(i64)\ndefine i64 @f(i64 %x) {\n  %y = call i64 @other(i64 %x)\n" \
           "  %z = add i64 %y, 1\n  ret i64 %z\n}\n"
    double = "define i64 @other(i64 %x) {\n  %y = mul i64 %x, 2\n  ret i64 %y\n}\n"
    near, addresses = load_object(object_code(double), ["other"], {})
    negative = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(("labs", ctypes.CDLL(None)))
    targets = {addresses["other"]: 15, ctypes.cast(negative, ctypes.c_void_p).value or 0: 8}
    for target, wanted in targets.items():
        loaded, found = load_object(object_code(text), ["f"], {"other": target})
        assert ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(found["f"])(7) == wanted
        assert loaded is not near


def test_memory_is_never_writable_and_run_at_a_time() -> None:
    loaded, addresses = load_object(object_code(), EXPORTS, {"far": 1 << 40, "there": 1 << 40})
    end = loaded.address + len(loaded.memory())
    rights = [rights[:3] for (low, high), rights in _maps() if low < end and high > loaded.address]
    assert rights[:2] == ["r-x", "r--"] and not any("w" in one and "x" in one for one in rights)
    assert any(low <= addresses["f"] < high and one.startswith("r-x") for (low, high), one in _maps())


def test_memory_is_given_back() -> None:
    code = object_code("define void @f() {\n  ret void\n}\n")
    loaded, addresses = load_object(code, ["f"], {})
    where = addresses["f"]
    assert any(low <= where < high for (low, high), _ in _maps())
    del loaded
    gc.collect()
    assert not any(low <= where < high and "x" in rights for (low, high), rights in _maps())


def _maps() -> list[tuple[tuple[int, int], str]]:
    found = []
    for line in Path("/proc/self/maps").read_text().splitlines():
        span, rights = line.split()[:2]
        low, high = (int(x, 16) for x in span.split("-"))
        found.append(((low, high), rights))
    return found


def test_a_symbol_that_is_nowhere() -> None:
    with pytest.raises(NativeCodeError, match="symbols are missing: far"):
        load_object(object_code(), EXPORTS, {"there": 8})
    with pytest.raises(NativeCodeError, match="symbols are missing: g"):
        load_object(object_code(), ("f", "g"), {"there": 8, "far": 8})


@pytest.mark.parametrize(("code", "reason"), [
    (with_relocation(object_code(), 250), "relocation of type 250"),
    (object_code()[:18] + struct.pack("<H", 8) + object_code()[20:], "another kind of processor: 8"),
    (object_code(TEXT + "@late = thread_local global i64 5\n"), "section of type|symbol of type"),
    (object_code(TEXT.replace("define i64 @f", "define weak i64 @f")), "symbol of type and binding"),
    (object_code(TEXT + "@aligned = constant i64 5, align 65536\n"), "aligned to 65536"),
    (object_code(TEXT + "@first = constant i64 5, section \"one\", align 8\n") + bytes(5), None),
    (b"\xcf\xfa\xed\xfe" + bytes(200), "not in the ELF format"),
])
def test_what_is_unknown_is_told(code: bytes, reason: str | None) -> None:
    if reason is None:  # a name of its own is no matter
        assert load_object(code, EXPORTS, {"far": 8, "there": 8})[1].keys() == set(EXPORTS)
        return
    with pytest.raises(UnfitData, match=reason):
        load_object(code, EXPORTS, {"far": 8, "there": 8})


def test_what_is_unknown_is_loaded_by_llvm(caplog: pytest.LogCaptureFixture) -> None:
    code = object_code("define weak i64 @f() {\n  ret i64 7\n}\n")
    with caplog.at_level(logging.DEBUG, "olympus.cpu"):
        library = linker._load(code, ["f"], {}, False, "")
    assert isinstance(library._loaded, linker._ByLlvm) and "loaded by LLVM: a symbol of type" in caplog.text
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(library["f"])() == 7


def test_a_system_without_memory_for_code_is_served_by_llvm(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise UnfitData("not here")

    monkeypatch.setattr(linker, "load_object", refuse)
    library = link("define i64 @f() {\n  ret i64 9\n}\n", ["f"])
    assert isinstance(library._loaded, linker._ByLlvm)
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(library["f"])() == 9


def _meets(code: bytes) -> str:
    """What becomes of bytes that are not run."""
    try:
        load_object(code, EXPORTS, {"far": 1 << 20, "there": 1 << 20})
    except NativeCodeError as error:
        assert "damaged" in error.reason or "missing" in error.reason
        return "damaged"
    except UnfitData:
        return "unknown"
    return "loaded"


def test_damaged_object_code_is_an_error_and_no_crash() -> None:
    code = object_code()
    met = {_meets(code[:size]) for size in range(0, len(code), 7)}
    assert met == {"damaged", "unknown"}
    chance = random.Random(5)
    for at in range(0, 64):  # the header, whole
        for value in (0, 1, 0x7F, 0x80, 0xFF):
            _meets(code[:at] + bytes([value]) + code[at + 1:])
    places = [at + i for at, _ in headers(code) for i in range(64)]
    places += [words[4] + i for _, words in headers(code) if words[1] in (2, 4) for i in range(words[5])]
    for at in places:
        for _ in range(4):
            _meets(code[:at] + bytes([chance.randrange(256)]) + code[at + 1:])
    for _ in range(300):
        changed = bytearray(code)
        for at in chance.sample(places, 5):
            changed[at] = chance.randrange(256)
        _meets(bytes(changed))


@pytest.mark.parametrize(("word", "value", "reason"), [
    (4, 1 << 40, "reaches beyond its end"), (5, 1 << 40, "reaches beyond its end"), (8, 3, "aligned to 3"),
])
def test_sections_that_contradict_the_file(word: int, value: int, reason: str) -> None:
    code = bytearray(object_code())
    (at, words), *_ = [(at, words) for at, words in headers(bytes(code)) if words[1] == 1 and words[2] & 4]
    words[word] = value
    struct.pack_into("<IIQQQQIIQQ", code, at, *words)
    with pytest.raises(NativeCodeError, match=reason):
        load_object(bytes(code), EXPORTS, {"far": 8, "there": 8})


@pytest.mark.parametrize(("offset", "value", "reason"), [
    (0, 1 << 30, "beyond its section"), (12, 1 << 20, "symbols beyond their table"),
])
def test_relocations_that_contradict_the_file(offset: int, value: int, reason: str) -> None:
    code = bytearray(object_code())
    (first,) = [words[4] for _, words in headers(bytes(code)) if words[1] == 4][:1]
    struct.pack_into("<I", code, first + offset, value)
    with pytest.raises(NativeCodeError, match=reason):
        load_object(bytes(code), EXPORTS, {"far": 8, "there": 8})


def test_damaged_code_in_the_cache_is_compiled_again(tmp_path: Path) -> None:
    from olympus_cpu.native.cache import ObjectCache
    from tests.support.folders import cache_key

    cache, text = ObjectCache(tmp_path, cache_key()), "define i64 @f() {\n  ret i64 11\n}\n"
    first = link(text, ["f"], cache=cache)
    cache.store(first.key, first.object_code[:100])
    again = link(text, ["f"], cache=cache)
    assert not again.from_cache and ctypes.CFUNCTYPE(ctypes.c_int64)(again["f"])() == 11
    cache.store(first.key, first.object_code[:100])
    linker._loaded.pop(first.key)
    assert linker.linked_again(first.key, ["f"], cache) is None
