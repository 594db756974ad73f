# SPDX-License-Identifier: Apache-2.0
"""The machine and the software versions of a measurement."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

_VERSIONS = """
import importlib.metadata as m, sys
for name in sys.argv[1:]:
    try:
        print(name, m.version(name))
    except m.PackageNotFoundError:
        pass
"""


def describe(python: str, peer_python: str) -> dict[str, str]:
    """The machine, the interpreter and the versions, in words."""
    return {
        "machine": f"{_processor()}, {_cores()} cores, {platform.system()} {platform.release()}",
        "load": f"{os.getloadavg()[0]:.2f} at the start",
        "python": platform.python_version(),
        "olympus": _versions(python, "olympus", "numpy", "mpi4py", "mpich") + _commit(),
        "peer": _versions(peer_python, "jax", "jaxlib", "numpy") or "not installed",
    }


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _versions(python: str, *names: str) -> str:
    found = subprocess.run([python, "-c", _VERSIONS, *names], capture_output=True, text=True, timeout=60, check=False)
    return ", ".join(found.stdout.splitlines())


def _commit() -> str:
    """The checkout's commit, where there is one, and whether files were changed since."""
    here = Path(__file__).resolve().parent
    try:
        told = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--exclude=*"], cwd=here, capture_output=True, text=True,
            timeout=10, check=False,
        )
    except OSError:
        return ""
    return f", commit {told.stdout.strip()}" if told.returncode == 0 else ""


def caches(folder: Path = Path("/sys/devices/system/cpu")) -> dict[str, int]:
    """Bytes of each level of caches for data, of all processors that this process may use; none where nobody tells.

    Args:
        folder: Where the system tells of its processors.
    """
    processors = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()
    found: dict[str, dict[str, int]] = {}
    for processor in sorted(processors):
        for place in sorted((folder / f"cpu{processor}" / "cache").glob("index*")):
            try:
                level, kind, size, shared = (
                    (place / name).read_text().strip() for name in ("level", "type", "size", "shared_cpu_list"))
            except OSError:
                continue
            if kind != "Instruction" and size.endswith("K"):
                # One that several processors share counts once.
                found.setdefault(f"L{level}", {})[shared] = int(size[:-1]) << 10
    return {level: sum(found[level].values()) for level in sorted(found)}


if __name__ == "__main__":
    for key, text in describe(sys.executable, sys.executable).items():
        print(f"{key}: {text}")
