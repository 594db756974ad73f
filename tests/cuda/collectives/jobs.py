# SPDX-License-Identifier: Apache-2.0
"""Jobs over the stand-in for GPUs and the one for NCCL."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.processes import Finished, Processes, free_port

from ..standin.environment import environment

# What `program_job` looks at.
PROGRAM_CHECKS = (
    "reductions", "scattered", "gathered", "exchanged", "moved", "special_values", "layers", "by_sharding", "in_loops",
    "from_threads", "unwaited", "memory_comes_back",
)


def variables(gpus: int, devices: int | None, folder: Path | str, **more: str) -> dict[str, str]:
    """The environment of a process with so many GPUs, and so many devices on them."""
    found = {**environment(gpus, keeps=False), "OLYMPUS_FAKE_NCCL_FOLDER": str(folder), **more}
    if devices is not None:
        found["OLYMPUS_NUM_CUDA_DEVICES"] = str(devices)
    return found


def run(
    module: str, gpus: int, devices: list[int | None], deadline: float, *arguments: object, **more: str
) -> list[Finished]:
    """Runs a module of this folder in one process for each entry of `devices`; how each ended."""
    port = free_port()
    with TemporaryDirectory(prefix="olympus-fake-nccl-") as folder, Processes(deadline) as processes:
        for index, number in enumerate(devices):
            processes.start([sys.executable, "-m", f"{__package__}.{module}"], index, len(devices), port, *arguments,
                            env=variables(gpus, number, folder, **more))
        return processes.wait()
