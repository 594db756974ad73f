# SPDX-License-Identifier: Apache-2.0
"""Runs them: ``python -m benchmarks.cuda [--only NAME] [--quick]``, with the options of ``python -m benchmarks``."""

from __future__ import annotations

import subprocess
import sys

from benchmarks.__main__ import main

from .cases import CASES


def gpus() -> dict[str, str]:
    """The GPUs and their driver, in words; nothing where the driver's tool is not there."""
    command = ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except OSError:
        return {}
    return {"gpus": "; ".join(told.stdout.splitlines())} if told.returncode == 0 else {}


if __name__ == "__main__":
    found = gpus()
    if not found and not {"--list", "--help", "-h"} & set(sys.argv):
        sys.exit("benchmarks.cuda: no NVIDIA GPU is here (nvidia-smi says nothing)")
    sys.exit(main(every=CASES, name="benchmarks.cuda", further=found))
