# SPDX-License-Identifier: Apache-2.0
"""What processes leave in this machine's shared memory, told apart from what others are using at the same time."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from .processes import wait_until

FOLDER = "/dev/shm"


@contextlib.contextmanager
def nothing_abandoned(*prefixes: str) -> Iterator[None]:
    """Fails when what runs meanwhile abandons names in shared memory that begin so."""
    before = abandoned(*prefixes)
    yield
    # Another test's job may be ending at this moment; what ours has left would stay.
    wait_until(lambda: abandoned(*prefixes) <= before, "shared memory being as before", 5.0)


def abandoned(*prefixes: str) -> set[str]:
    """Names in shared memory that begin so, and that no process has open or mapped: nobody will take them away."""
    names = {name for name in os.listdir(FOLDER) if name.startswith(prefixes)}
    return names - _in_use() if names else names


def _in_use() -> set[str]:
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        # What it has open, and then what it has mapped: a file is mapped before it is closed.
        for paths in (_open(process), _mapped(process)):
            found |= {path.rpartition("/")[2] for path in paths if path.startswith(FOLDER)}
    return found


def _open(process: Path) -> list[str]:
    paths: list[str] = []
    with contextlib.suppress(OSError):  # it has ended meanwhile, or is somebody else's
        for link in (process / "fd").iterdir():
            with contextlib.suppress(OSError):  # closed meanwhile
                paths.append(os.readlink(link))
    return paths


def _mapped(process: Path) -> list[str]:
    with contextlib.suppress(OSError):
        lines = (process / "maps").read_text(errors="replace").splitlines()
        return [line[line.index("/"):] for line in lines if "/" in line]
    return []
