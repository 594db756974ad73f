# SPDX-License-Identifier: Apache-2.0
"""The environment of processes that take the stand-in for GPUs."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .. import fakes
from ..emulation import missing as missing_emulation

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]


def missing() -> str | None:
    """What keeps the stand-in from working here, in words; None if nothing does."""
    return missing_emulation() or fakes.missing()


def environment(gpus: int = 1, memory: int | None = None, keeps: bool = True) -> dict[str, str]:
    """The variables of a process with so many GPUs.

    Args:
        gpus: Number of GPUs.
        memory: Bytes of each.
        keeps: Whether the platform keeps blocks for later; if not, the stand-in sees all that is given back.
    """
    driver = fakes.built("cuda")
    folder = driver.parent / f"driver-{driver.stem}"
    folder.mkdir(exist_ok=True)
    target = folder / "libcuda.so.1"
    if not target.exists():
        part = target.with_suffix(f".{os.getpid()}")
        shutil.copyfile(driver, part)
        os.replace(part, target)
    found = {
        "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE), str(ROOT), os.environ.get("PYTHONPATH", "")])),
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, [str(folder), os.environ.get("LD_LIBRARY_PATH", "")])),
        "OLYMPUS_NVRTC_LIBRARY": str(fakes.built("nvrtc")),
        "OLYMPUS_CUBLASLT_LIBRARY": str(fakes.built("cublaslt")),
        "OLYMPUS_STANDIN_GPUS": str(gpus),
        "OLYMPUS_PLATFORMS": "cuda",
    }
    if (Path(fakes.__file__).parent / "nccl.cpp").exists():
        found["OLYMPUS_NCCL_LIBRARY"] = str(fakes.built("nccl"))
        talk = driver.parent / "nccl"  # where the stand-ins of several processes talk to each other
        talk.mkdir(exist_ok=True)
        found["OLYMPUS_FAKE_NCCL_FOLDER"] = str(talk)
    if memory is not None:
        found["OLYMPUS_STANDIN_MEMORY"] = str(memory)
    if not keeps:
        found["OLYMPUS_STANDIN_KEEPS"] = "0"
    return found
