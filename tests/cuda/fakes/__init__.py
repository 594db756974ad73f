# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for NVIDIA's libraries, in C++."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_DEADLINE = 120.0


def missing() -> str | None:
    """What keeps stand-ins from being compiled here, in words; None if nothing does."""
    return None if shutil.which("g++") else "no g++ to compile stand-ins for NVIDIA's libraries with"


@functools.cache
def built(name: str) -> Path:
    """The shared library of `name`.cpp, compiled once for all processes with this text."""
    source = _HERE / f"{name}.cpp"
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"olympus-fakes-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    target = folder / f"{name}-{digest}.so"
    if not target.exists():
        part = target.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
        flags = ["-std=c++17", "-O2", "-Wall", "-Werror", "-fPIC", "-shared"]
        subprocess.run(["g++", *flags, "-o", str(part), str(source)], check=True, timeout=_DEADLINE)
        os.replace(part, target)
    return target
