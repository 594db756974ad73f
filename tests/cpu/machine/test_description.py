# SPDX-License-Identifier: Apache-2.0
"""What this machine is: told by the processor, kept in LLVM's words, asked anew where anything differs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest

from olympus_core.toolkit import object_code as exchange
from olympus_core.toolkit.stored_data import UnfitData
from olympus_cpu.codegen.target import Target
from olympus_cpu.machine import description as room
from olympus_cpu.machine import processor as processors
from olympus_cpu.native.cache import ObjectCache
from olympus_cpu.native.linker import code_identity
from tests.support.folders import cache_key

from .objects import headers, object_code

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="tells processors apart on Linux only")

_ASK = """
  call void asm sideeffect "push %rbx\\0Amov %edi, %eax\\0Amov %esi, %ecx\\0Amov %rdx, %r8\\0Acpuid\\0Amov %eax, (%r8)
mov %ebx, 4(%r8)\\0Amov %ecx, 8(%r8)\\0Amov %edx, 12(%r8)\\0Apop %rbx", ""()
  ret void
"""
_ENABLED = """
  call void asm sideeffect "xor %ecx, %ecx\\0Axgetbv\\0Ashl $$32, %rdx\\0Aor %rdx, %rax", ""()
  ret void
"""


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """As in a new process; how often LLVM was asked."""
    asked: list[int] = []
    real = room.ask_llvm
    monkeypatch.setattr(room, "ask_llvm", lambda: (asked.append(1), real())[1])
    monkeypatch.setattr(room, "_known", None)
    monkeypatch.setattr(room, "_cache", None)
    room._key.cache_clear()
    yield asked
    room._key.cache_clear()


def _again(cache: ObjectCache | None) -> room.Description:
    room._known = None
    room.keep_in(cache)
    return room.description()


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="instructions of x86")
@pytest.mark.parametrize(("body", "wanted"), [(_ASK, processors.CPUID), (_ENABLED, processors.XGETBV)])
def test_instructions_are_what_an_assembler_writes(body: str, wanted: bytes) -> None:
    code = object_code(f"define void @f() {{{body}}}\n")
    (text,) = [code[words[4]:words[4] + words[5]] for _, words in headers(code) if words[2] & 4]
    assert text == wanted


@pytest.mark.parametrize(("answer", "bits"), [(-1, 0), (16, 128), (0x2_0040, 512)])
def test_the_system_tells_the_length_of_scalable_vectors(
    answer: int, bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.uname().machine == "x86_64":
        assert processors.scalable_vector_bits() == 0
    library = SimpleNamespace(prctl=lambda request, *rest: answer if request == 51 else 0)
    monkeypatch.setattr(processors.os, "uname", lambda: SimpleNamespace(machine="aarch64"))
    monkeypatch.setattr(processors.ctypes, "CDLL", lambda name: library)
    assert processors.scalable_vector_bits() == bits


def test_every_core_tells_the_same() -> None:
    cores = sorted(os.sched_getaffinity(0))

    def on(core: int) -> str:
        os.sched_setaffinity(0, {core})  # of this thread
        return processors.processor()

    with ThreadPoolExecutor(1) as thread:
        assert len(set(thread.map(on, cores))) == 1


def test_it_is_kept_and_is_what_llvm_says(tmp_path: Path, fresh: list[int]) -> None:
    first = _again(ObjectCache(tmp_path, cache_key()))
    assert fresh == [1]
    assert _again(ObjectCache(tmp_path, cache_key())) == first == room.ask_llvm()
    assert fresh == [1, 1]  # the second by this test
    assert first.identity in code_identity()
    host = Target.host()
    assert (host.triple, host.data_layout, host.cpu, host.features) == (
        first.triple, first.layout, first.cpu, first.features)


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b'{"triple": 1}', b"\xff", b"null"])
def test_what_does_not_describe_a_machine_is_asked_anew(data: bytes, tmp_path: Path, fresh: list[int]) -> None:
    cache = ObjectCache(tmp_path, cache_key())
    key = room._key()
    assert key is not None
    cache.store(key, data or b" ")
    assert _again(cache) == room.ask_llvm() and fresh == [1, 1]
    assert _again(cache).triple and fresh == [1, 1]  # it was replaced


@pytest.mark.parametrize("what", ["processor", "_compiler_files"])
def test_another_processor_or_compiler_is_asked(
    what: str, tmp_path: Path, fresh: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ObjectCache(tmp_path, cache_key())
    _again(cache)
    monkeypatch.setattr(room, what, lambda: "another")
    room._key.cache_clear()
    _again(cache)
    assert fresh == [1, 1]


def test_what_cannot_be_told_without_llvm_is_asked(
    tmp_path: Path, fresh: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> str:
        raise UnfitData("not here")

    monkeypatch.setattr(room, "processor", refuse)
    cache = ObjectCache(tmp_path, cache_key())
    assert _again(cache) == _again(cache) and fresh == [1, 1]
    with exchange.recorded() as codes:
        room.note_description()
    assert codes == {} and not list(tmp_path.iterdir())


def test_stored_executables_bring_it(fresh: list[int]) -> None:
    first = _again(None)
    with exchange.recorded() as codes:
        room.note_description()
    with exchange.given(codes):
        assert _again(None) == first
    assert fresh == [1]


def test_processors_of_arm_are_told_by_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    core = "processor\t: {}\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU part\t: {}\n\n"
    file = tmp_path / "cpuinfo"
    file.write_text("".join(core.format(i, "0xd0c" if i < 2 else "0xd05") for i in range(4)))
    monkeypatch.setattr("builtins.open", lambda name, real=open: real(file if name == "/proc/cpuinfo" else name))
    found = processors._from_system()
    assert found == "Features\t: fp asimd; CPU implementer\t: 0x41; CPU part\t: 0xd0c; CPU part\t: 0xd05"
    file.write_text("nothing")
    with pytest.raises(UnfitData, match="says nothing"):
        processors._from_system()
