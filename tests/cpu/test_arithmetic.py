# SPDX-License-Identifier: Apache-2.0
"""Processes of one job whose processors differ in results' bits: users are told."""

from __future__ import annotations

import platform

import pytest

from olympus_core.errors.platform import ArithmeticWarning, NativeCodeError
from olympus_core.plugin import PlatformSettings
from olympus_cpu.machine import arithmetic as room
from olympus_cpu.machine.arithmetic import arithmetic
from olympus_cpu.machine.description import Description
from tests.support.processes import Finished, Processes, free_port

_PROGRAM = """
import sys, warnings
import olympus

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    olympus.distributed.initialize(f"localhost:{sys.argv[3]}", int(sys.argv[2]), int(sys.argv[1]))
for one in caught:
    print(type(one.message).__name__, one.message)
print("devices", olympus.device_count())
olympus.distributed.shutdown()
"""
_FUSED, _AMX = "+sse2,+fma", "+sse2,+fma,+avx512bf16,+amx-tile,+amx-bf16"


def _described(features: str, triple: str = "x86_64-unknown-linux-gnu") -> Description:
    return Description(triple, "", "a processor", features, "a compiler")


@pytest.mark.parametrize(("found", "text"), [
    (_described("+sse2"), "no fused multiply-adds"),
    (_described(_FUSED), "fused multiply-adds"),
    (_described(_AMX), "fused multiply-adds, products of bfloat16 by AMX"),
    (_described("+sse2,+fma,+amx-tile,+amx-int8"), "fused multiply-adds"),  # bytes are exact
    (_described("+neon", "aarch64-unknown-linux-gnu"), "fused multiply-adds"),
])
def test_the_words_tell_apart_what_differs_in_bits(
    found: Description, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "description", lambda: found)
    assert arithmetic(PlatformSettings()) == text
    assert "OLYMPUS_REPRODUCIBLE" in arithmetic(PlatformSettings(reproducible=True))


def test_a_machine_without_llvm_computes_by_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> Description:
        raise NativeCodeError("there is no LLVM", "")

    monkeypatch.setattr(room, "description", refused)
    assert arithmetic(PlatformSettings()) == "NumPy's"


def _run(*levels: str, **variables: str) -> list[Finished]:
    port = free_port()
    with Processes(60.0) as processes:
        for index, level in enumerate(levels):
            env = {"OLYMPUS_CPU_LEVEL": level, **variables}
            processes.start(_PROGRAM, index, len(levels), port, env=env)
        ends = processes.wait()
    assert all(end.returncode == 0 and f"devices {len(levels)}" in end.stdout for end in ends), ends
    return ends


@pytest.mark.processes
@pytest.mark.skipif(platform.machine() != "x86_64", reason="levels are those of x86-64")
class TestJobs:
    def test_all_processes_of_a_mixed_job_are_told_once(self) -> None:
        for end in _run("x86-64-v2", "x86-64", "x86-64-v3"):
            assert end.stdout.count(ArithmeticWarning.__name__) == 1, end
            assert "no fused multiply-adds in process 0 and fused multiply-adds in 2:" in end.stdout

    def test_where_the_bits_are_the_same_nobody_is(self) -> None:
        same = _run("x86-64", "x86-64-v2"), _run("x86-64-v2", "x86-64-v3", OLYMPUS_REPRODUCIBLE="1")
        assert not any("Warning" in end.stdout for ends in same for end in ends), same
