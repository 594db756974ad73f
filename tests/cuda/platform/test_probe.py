# SPDX-License-Identifier: Apache-2.0
"""What is missing is said exactly, and before CuPy is imported."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from typing import Any

import pytest

from olympus_cuda import platform
from olympus_cuda.platform import CudaPlatform

from .. import fakes


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A driver that is there."""
    lacks = fakes.missing()
    if lacks is not None:
        pytest.skip(lacks)
    monkeypatch.setattr(platform, "DRIVER", str(fakes.built("cuda")))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())
    return monkeypatch


def test_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "DRIVER", "libcuda-that-is-nowhere.so.1")
    probe = CudaPlatform().probe()
    assert not probe.available and "libcuda-that-is-nowhere.so.1 is not found" in probe.reason
    assert "install the driver" in probe.reason


def test_no_cupy(driver: pytest.MonkeyPatch) -> None:
    driver.setattr(importlib.util, "find_spec", lambda name: None)
    probe = CudaPlatform().probe()
    assert not probe.available and "pip install 'olympus-runtime[cuda]'" in probe.reason


def test_no_gpu(driver: pytest.MonkeyPatch) -> None:
    driver.setenv("OLYMPUS_STANDIN_GPUS", "0")
    probe = CudaPlatform().probe()
    assert not probe.available and "no GPU" in probe.reason


@pytest.mark.parametrize(("code", "text"), [("999", "CUDA_ERROR_UNKNOWN"), ("803", "error 803")])
def test_a_driver_that_does_not_start(driver: pytest.MonkeyPatch, code: str, text: str) -> None:
    driver.setenv("OLYMPUS_STANDIN_INIT", code)
    probe = CudaPlatform().probe()
    assert not probe.available and text in probe.reason


@pytest.mark.parametrize(("count", "text"), [("1", "1 NVIDIA GPU"), ("3", "3 NVIDIA GPUs")])
def test_gpus(driver: pytest.MonkeyPatch, count: str, text: str) -> None:
    driver.setenv("OLYMPUS_STANDIN_GPUS", count)
    probe = CudaPlatform().probe()
    assert probe.available and probe.reason == text


def _run(script: str, **variables: str) -> Any:
    env = {k: v for k, v in os.environ.items() if k not in ("OLYMPUS_PLATFORMS", "LD_LIBRARY_PATH")}
    return subprocess.run([sys.executable, "-W", "error", "-c", script], env={**env, **variables}, capture_output=True,
                          text=True, timeout=60, check=False)


def test_probing_imports_no_cupy() -> None:
    done = _run("import olympus_cuda.hooks, olympus_cuda.platform, sys\n"
                "olympus_cuda.platform.CudaPlatform().probe()\nassert 'cupy' not in sys.modules, 'cupy'")
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(CudaPlatform().probe().available, reason="this machine has a GPU")
def test_who_asks_for_the_platform_hears_what_is_missing() -> None:
    done = _run("import olympus; olympus.devices()", OLYMPUS_PLATFORMS="cuda")
    assert done.returncode == 1 and "PlatformUnavailableError" in done.stderr
    assert CudaPlatform().probe().reason in done.stderr
    done = _run("import olympus; print(olympus.devices())")
    assert (done.stdout, done.stderr) == ("[CpuDevice(id=0)]\n", "")
