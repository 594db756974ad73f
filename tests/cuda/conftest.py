# SPDX-License-Identifier: Apache-2.0
"""What tests of the CUDA platform share: GPUs that the stand-in plays, in this process and in others."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator

import pytest

from olympus_cuda.gpu import Gpu

from .standin.environment import ROOT, environment, missing

_DEADLINE = 120.0

RunWithGpus = Callable[..., str]


@pytest.fixture
def gpu() -> Iterator[Gpu]:
    """The driver interface to two GPUs of the stand-in, with 64 MiB each."""
    lacks = missing()
    if lacks is not None:
        pytest.skip(lacks)
    from .standin import cuda
    from .standin.machine import MACHINE

    gc.collect()  # what a test before left is given back to its own machine
    MACHINE.__init__(2, 64 << 20)  # type: ignore[misc]  # the same machine, as new
    gpu = Gpu(cuda)
    gpu.use(0)
    yield gpu
    gc.collect()
    violation, MACHINE.violation = MACHINE.violation, None
    assert violation is None, violation


@pytest.fixture
def run_with_gpus() -> RunWithGpus:
    """Runs a script in a process with GPUs of the stand-in, and gives what it prints."""
    lacks = missing()
    if lacks is not None:
        pytest.skip(lacks)

    def run(script: str, gpus: int = 1, memory: int | None = None, keeps: bool = True, **variables: str) -> str:
        env = {**os.environ, **environment(gpus, memory, keeps), **variables}
        done = subprocess.run([sys.executable, "-W", "error", "-c", textwrap.dedent(script)], env=env, cwd=ROOT,
                              capture_output=True, text=True, timeout=_DEADLINE, check=False)
        assert done.returncode == 0, done.stderr
        assert "Exception ignored" not in done.stderr, done.stderr
        return done.stdout

    return run
