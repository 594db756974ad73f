# SPDX-License-Identifier: Apache-2.0
"""Runs a library's tests in child processes, a file in each, with JAX or with olympus."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from . import sources
from .catalogue import Library

ROOT = Path(__file__).parents[2]
SIDES = ("peer", "olympus")
# After so many processes that did not come to a file's end, the rest of its tests is given up.
_TRIES = 8
# pytest came to its end: all passed, some failed, interrupted by a file that cannot be imported, nothing to run.
_ENDS = (0, 1, 2, 5)


@dataclass(frozen=True)
class Outcome:
    """What came of one test: ``passed``, ``failed``, ``skipped``, or ``ended`` where the process did not survive it."""

    test: str
    outcome: str
    seconds: float
    message: str


def outcomes(library: Library, side: str, place: Path, seconds: float, chosen: str = "") -> Iterator[Outcome]:
    """Runs a library's tests, one file after the other.

    Args:
        library: The library.
        side: ``"peer"`` or ``"olympus"``.
        place: Where source distributions and results are kept.
        seconds: The time of one test; a file has twenty times as much.
        chosen: Only files with this in their path.

    Yields:
        What came of each test.
    """
    for path in sources.test_files(library, place):
        base = sources.WRITTEN if path.parent == sources.WRITTEN else sources.folder(library, place)
        name = path.relative_to(base).as_posix()
        if chosen in name:
            yield from _file(library, side, place, base, name, seconds)


def _file(library: Library, side: str, place: Path, base: Path, name: str, seconds: float) -> Iterator[Outcome]:
    events = (place / "events" / side / library.requirement / name).with_suffix(".jsonl")
    events.parent.mkdir(parents=True, exist_ok=True)
    events.unlink(missing_ok=True)
    door = ["-m", "olympus.as_jax"] if side == "olympus" else []
    command = [sys.executable, *door, "-m", "pytest", name, "-p", "tools.libraries.recorder", "-p", "no:cacheprovider",
               "-q", "--rootdir", str(base), "--confcutdir", str(base), "-W", "ignore", "--import-mode=importlib",
               "-o", "addopts=", "-o", "filterwarnings=", "-p", "no:olympus_conformance"]
    paths = [str(base), *(str(base / path) for path in library.paths), str(ROOT), str(ROOT / ".links"),
             os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, **dict(library.variables), "LIBRARIES_EVENTS": str(events),
                   "LIBRARIES_SECONDS": str(seconds), "PYTHONPATH": os.pathsep.join(filter(None, paths)),
                   "PYTHONDONTWRITEBYTECODE": "1"}
    log = events.with_suffix(".log")
    for _ in range(_TRIES):
        with open(log, "wb") as output:
            try:
                done = subprocess.run(command, cwd=base, env=environment, stdout=output, stderr=subprocess.STDOUT,
                                      timeout=20 * seconds, check=False)
            except subprocess.TimeoutExpired:
                continue
        if done.returncode in _ENDS:
            break
    yield from _read(events) or [Outcome(name, "failed", 0.0, log.read_text(errors="replace")[-3000:])]


def _read(events: Path) -> list[Outcome]:
    """The last outcome of each test; a test that has begun and has none ended its process."""
    found: dict[str, Outcome] = {}
    if events.exists():
        for line in events.read_text(encoding="utf-8").splitlines():
            event = json.loads(line)
            if "begins" in event:
                found[event["begins"]] = Outcome(event["begins"], "ended", 0.0, "the process did not survive it")
            elif event["test"] not in found or found[event["test"]].outcome != "failed":  # a part of it may have failed
                found[event["test"]] = Outcome(**event)
    return list(found.values())
