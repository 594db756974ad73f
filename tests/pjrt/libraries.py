# SPDX-License-Identifier: Apache-2.0
"""The PJRT libraries that these tests run on, where they are installed."""

from __future__ import annotations

import importlib.util
import platform
import sys
from pathlib import Path

import pytest

CPU_WHEEL, TPU_WHEEL = "xla-cpu-pjrt", "libtpu"


def _folder(package: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(package)
    except ModuleNotFoundError:
        return None
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def cpu_folder() -> Path:
    """Where the CPU library and its header are; skips the test where they are not."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip(f"{CPU_WHEEL} is for Linux on x86-64 only")
    folder = _folder("xla_plugins.xla_cpu_pjrt")
    if folder is None:
        pytest.skip(f"{CPU_WHEEL} is not installed")
    return folder


def cpu_library() -> str:
    """The CPU library's file; skips the test where it is not."""
    return str(cpu_folder() / "xla_cpu_pjrt.so")


def tpu_library() -> str:
    """libtpu's file; skips the test where it is not."""
    folder = _folder("libtpu")
    if folder is None:
        pytest.skip(f"{TPU_WHEEL} is not installed")
    return str(folder / "libtpu.so")
