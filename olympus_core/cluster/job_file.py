# SPDX-License-Identifier: Apache-2.0
"""Files by which this user finds the jobs of this machine: address and secret of each, for nobody else to read.

`olympus status` reads them. They lie where files end with the session or the machine, and each is taken away by the
process that made it; what a killed one has left is taken away by the next job, or whoever looks.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import NamedTuple

from .machine import process_space, start_time

_MOST_BYTES = 1 << 16


class JobFile(NamedTuple):
    """What is in one.

    Args:
        address: Where process 0 listens.
        secret: The job's secret.
        processes: How many the job has.
        program: The command line of process 0.
        pid: Its identifier.
        began: The time at which it began to listen, in seconds since 1970.
    """

    address: str
    secret: bytes
    processes: int
    program: str
    pid: int
    began: float


def write(environ: Mapping[str, str], name: str, address: str, secret: bytes, count: int) -> str | None:
    """Writes this process's job; gives the path, or None where it cannot be written: nobody needs it.

    Args:
        environ: The environment variables.
        name: The job's name, of letters that may be in a file's.
        address: Where this process listens.
        secret: The job's secret.
        count: How many processes the job has.
    """
    program = " ".join(getattr(sys, "argv", []))
    find(environ)  # takes away what killed processes have left
    with contextlib.suppress(OSError):
        folder = _folder(environ)
        text = json.dumps({
            "address": address, "secret": secret.decode("latin-1"), "count": count, "program": program[:200],
            "pid": os.getpid(), "space": process_space(), "start": start_time(os.getpid()), "began": time.time(),
        })
        path = os.path.join(folder, f"{name}-{os.getpid()}.json")
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            os.write(number, text.encode())
        finally:
            os.close(number)
        return path
    return None


def remove(path: str | None) -> None:
    """Takes a file away that `write` made."""
    if path is not None:
        with contextlib.suppress(OSError):
            os.unlink(path)


def find(environ: Mapping[str, str]) -> list[JobFile]:
    """This user's jobs whose process 0 runs in this process's view of the machine, the oldest first."""
    found = []
    with contextlib.suppress(OSError):
        folder = _folder(environ)
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                facts = json.loads(_read(path))
                if facts["space"] != process_space():
                    continue
                if start_time(int(facts["pid"])) != facts["start"]:
                    os.unlink(path)
                    continue
                found.append(JobFile(
                    facts["address"], facts["secret"].encode("latin-1"), facts["count"], facts["program"],
                    facts["pid"], facts["began"],
                ))
    return sorted(found, key=lambda job: job.began)


def _read(path: str) -> bytes:
    number = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        state = os.fstat(number)
        if not stat.S_ISREG(state.st_mode) or state.st_uid != os.geteuid() or state.st_mode & 0o077:
            raise OSError("another's file")
        return os.read(number, _MOST_BYTES)
    finally:
        os.close(number)


def _folder(environ: Mapping[str, str]) -> str:
    """The folder, made where it is missing; raises OSError where it is not this user's alone."""
    runtime = environ.get("XDG_RUNTIME_DIR") or ""
    if os.path.isabs(runtime) and os.path.isdir(runtime):
        parent = os.path.join(runtime, "olympus")
    else:
        parent = os.path.join(tempfile.gettempdir(), f"olympus-{os.geteuid()}")
    path = os.path.join(parent, "jobs")
    for folder in (parent, path):
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        state = os.lstat(folder)
        if not stat.S_ISDIR(state.st_mode) or state.st_uid != os.geteuid() or state.st_mode & 0o022:
            raise PermissionError(folder)
    return path
