"""An honest start: importing olympus opens nothing and is quick."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .source import ROOT

# NumPy's own import is done first, so that only what olympus adds is seen.
PROBE = """
import json, os, socket, subprocess, sys, threading, time
import numpy
def system_threads():
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return threading.active_count()
before = system_threads()
events = []
def watch(event, args):
    if event.startswith(("socket.", "subprocess.", "os.fork", "os.exec", "os.posix_spawn", "ctypes.dlopen")):
        events.append(event)
sys.addaudithook(watch)
start = time.thread_time()
import olympus
seconds = time.thread_time() - start
print(json.dumps({
    "seconds": seconds, "events": events, "modules": sorted(sys.modules),
    "threads": system_threads() - before, "python_threads": [t.name for t in threading.enumerate()],
}))
"""

# Needed only once a device is opened, a command is run, or a report is written.
LATE = ("mpi4py", "olympus_cpu", "pluggy", "pydantic", "rich", "argparse", "importlib.metadata", "llvmlite", "mpich")


@pytest.fixture(scope="module")
def bytecode(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for bytecode, already filled."""
    folder = tmp_path_factory.mktemp("bytecode")
    start(folder)
    return folder


def start(bytecode: Path) -> dict[str, Any]:
    """Imports olympus in a process of its own, whose bytecode lies in a folder as an installed package's would."""
    environ = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False,
        env=environ | {"PYTHONPYCACHEPREFIX": str(bytecode)},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_import_opens_nothing(bytecode: Path) -> None:
    seen = start(bytecode)
    assert seen["events"] == []
    assert seen["threads"] == 0 and seen["python_threads"] == ["MainThread"]


def test_import_loads_no_plugin_and_nothing_heavy(bytecode: Path) -> None:
    modules = start(bytecode)["modules"]
    assert not [m for m in modules if m in LATE or m.startswith(tuple(f"{late}." for late in LATE))]


def test_import_is_quick(bytecode: Path) -> None:
    """At most NumPy's own time and 150 ms: the bound of the project, by the quickest of several processes.

    The main thread's processor time, which on an idle machine is the time that passes, so that the threads of NumPy's
    BLAS do not matter; others that share the caches can only add to it.
    """
    assert min(start(bytecode)["seconds"] for _ in range(7)) <= 0.150
