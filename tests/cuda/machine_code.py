# SPDX-License-Identifier: Apache-2.0
"""Runs tests, then compiles every text whose kernels they ran to machine code, for three architectures.

``python -m tests.cuda.machine_code [PATH...]`` takes the tests' paths, ``tests/cuda`` by default, and pytest's options.
With ``--by-turns`` each text is compiled for one of them, by turns: the texts are the same for all.
The suite itself does this for a choice of tests (``nvrtc/test_produced.py``). All of them run some 1,100 texts, which
take four to five minutes of one core beside the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from olympus_core.errors import NativeCodeError
from olympus_cuda import nvrtc

from .emulation.compile import KEPT_TEXTS

ARCHITECTURES = ("sm_80", "sm_90", "sm_100")
_BY_TURNS = "--by-turns"


def refused(path: Path, architectures: Sequence[str] = ARCHITECTURES) -> list[str]:
    """What the compiler says against a text, for each architecture that it cannot be compiled for."""
    found = []
    for architecture in architectures:
        try:
            code = nvrtc.compile_cubin(path.read_text(), architecture, path.stem)
        except NativeCodeError as error:
            found.append(str(error))
            continue
        if code[:4] != b"\x7fELF":
            found.append(f"{path.stem}: what was made for {architecture} is no machine code")
    return found


def main(paths: Sequence[str]) -> int:
    """1 where the tests fail or a text is refused."""
    takes_turns = _BY_TURNS in paths
    paths = [path for path in paths if path != _BY_TURNS]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", *(paths or ["tests/cuda"])]
        failed = subprocess.run(command, env={**os.environ, KEPT_TEXTS: folder}, check=False).returncode
        texts = sorted(Path(folder).glob("*.cu"))
        turns = [ARCHITECTURES[i % 3:i % 3 + 1] if takes_turns else ARCHITECTURES for i in range(len(texts))]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            problems = [problem for found in pool.map(refused, texts, turns) for problem in found]
        print(*problems, sep="\n\n")
        print(f"{len(texts)} texts for {', '.join(ARCHITECTURES)}: {len(problems)} refused")
    return 1 if failed or problems or not texts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
