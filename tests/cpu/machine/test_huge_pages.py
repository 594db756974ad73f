# SPDX-License-Identifier: Apache-2.0
"""Where memory is asked of the system in pages of 2 MiB."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from olympus_core.errors.config import OptionValueError
from olympus_cpu.machine import huge_pages
from olympus_cpu.machine.choice import PAGES_VARIABLE as VARIABLE
from olympus_cpu.machine.huge_pages import host_takes_free_pages, wants_huge_pages

ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such advice")
# Whether the kernel was given the advice for a block of 8 MiB: "hg" among the flags of its mapping.
PROGRAM = """
from olympus_cpu.native.memory import take
block = take(8 << 20)
with open("/proc/self/smaps") as file:
    for line in file:
        first = line.split()[0]
        if "-" in first and ":" not in first:
            low, high = (int(part, 16) for part in first.split("-"))
        elif first == "VmFlags:" and low <= block.address < high:
            print("hg" in line.split())
"""


@pytest.fixture(autouse=True)
def read_anew() -> Iterator[None]:
    """Each test's variable is read, and forgotten after it."""
    wants_huge_pages.cache_clear()
    yield
    wants_huge_pages.cache_clear()


def device(folder: Path, name: str, number: str, features: str) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / "device").write_text(number + "\n")
    (folder / name / "features").write_text(features + "\n")


def test_a_balloon_that_reports_free_pages_is_seen(tmp_path: Path) -> None:
    assert not host_takes_free_pages(tmp_path / "none")
    device(tmp_path, "virtio0", "0x0002", "111111")
    device(tmp_path, "virtio1", "0x0005", "111110")
    (tmp_path / "virtio2").mkdir()
    (tmp_path / "virtio2" / "device").write_text("0x0005\n")
    assert not host_takes_free_pages(tmp_path)
    device(tmp_path, "virtio3", "0x0005", "011001010000")
    assert host_takes_free_pages(tmp_path)


@ON_LINUX
@pytest.mark.parametrize("reports", [False, True])
def test_the_machine_decides_and_the_variable_before_it(monkeypatch: pytest.MonkeyPatch, reports: bool) -> None:
    monkeypatch.setattr(huge_pages, "host_takes_free_pages", lambda: reports)
    for value, wanted in (("", not reports), ("0", False), ("1", True)):
        monkeypatch.setenv(VARIABLE, value)
        wants_huge_pages.cache_clear()
        assert wants_huge_pages() == wanted


def test_another_value_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "always")
    with pytest.raises(OptionValueError, match="OLYMPUS_CPU_HUGE_PAGES.*always"):
        wants_huge_pages()


@ON_LINUX
@pytest.mark.processes
@pytest.mark.parametrize("value", ["0", "1"])
def test_blocks_have_the_pages_that_were_asked_for(value: str) -> None:
    if not os.path.exists("/sys/kernel/mm/transparent_hugepage"):
        pytest.skip("this kernel has no transparent huge pages")
    done = subprocess.run([sys.executable, "-c", PROGRAM], env={**os.environ, VARIABLE: value}, capture_output=True,
                          text=True, timeout=120, check=True)
    assert done.stdout.split() == [str(value == "1")]
