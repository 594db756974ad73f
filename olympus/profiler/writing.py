# SPDX-License-Identifier: Apache-2.0
"""Profiles in folders: each process writes its own, and the last one of a job makes one of all."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from . import perfetto
from .profile import Profile

MERGED = "perfetto_trace.json.gz"


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[IO[str]]:
    """One process at a time, with the file that all share; where the file system has no locks, all go on."""
    with open(folder / ".lock", "a+") as file:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file


def run_folder(log_dir: str, profile: Profile, title: str) -> Path:
    """The folder of a profile, the same for all processes of a job.

    Args:
        log_dir: Where profiles lie.
        profile: The profile.
        title: The name of a new folder: the time.
    """
    base = Path(log_dir, "plugins", "profile")
    base.mkdir(parents=True, exist_ok=True)
    if profile.processes < 2:
        (base / title).mkdir(exist_ok=True)
        return base / title
    mark = f".job-{profile.job}-{profile.number}"
    with _locked(base):
        for folder in base.iterdir():
            if (folder / mark).exists():
                return folder
        (base / title).mkdir(exist_ok=True)
        (base / title / mark).touch()
        return base / title


def write(profile: Profile, folder: Path, about: dict[str, Any], is_whole: bool) -> dict[str, Any] | None:
    """Writes a process's trace, and the trace of all where this is the last of them.

    Args:
        profile: The profile.
        folder: Where to.
        about: What else is to stand in the file.
        is_whole: Whether one trace of all is wanted for a job of one process, too.

    Returns:
        The trace of all processes; None where some are not written yet.
    """
    folder.mkdir(parents=True, exist_ok=True)
    content = perfetto.content_of(profile, about)
    own = folder / perfetto.file_name(profile.host, profile.process)
    if profile.processes < 2:
        perfetto.write(content, str(own))
        if is_whole:
            perfetto.write(content, str(folder / MERGED))
        return perfetto.merged([content])
    perfetto.write(content, str(own))
    job = f"{profile.job} {profile.number}\n"
    with _locked(folder) as written:
        written.write(job)
        written.seek(0)
        # Only the last one reads what the others wrote.
        if list(written).count(job) < profile.processes:
            return None
        found = [perfetto.read(path) for path in sorted(folder.glob("*.trace.json.gz"))]
        whole = perfetto.merged([c for c in found if (c["metadata"].get("job"), c["metadata"].get("number")) == (
            profile.job, profile.number)])
        perfetto.write(whole, str(folder / MERGED))
        return whole
