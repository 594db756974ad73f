# SPDX-License-Identifier: Apache-2.0
"""An honest start: importing olympus opens nothing and loads little (what that takes, `benchmarks/` measures)."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

import olympus

from .source import ROOT
from .test_public_names import PUBLIC

# NumPy's own import is done first, so that only what olympus adds is seen.
PROBE = """
import json, os, socket, subprocess, sys, threading
import numpy
numpys = set(sys.modules)
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
import olympus, olympus.numpy
print(json.dumps({
    "events": events, "modules": sorted(set(sys.modules) - numpys),
    "missing": sorted({*olympus.__all__, *olympus.numpy.__all__} - {*dir(olympus), *dir(olympus.numpy)}),
    "threads": system_threads() - before, "python_threads": [t.name for t in threading.enumerate()],
}))
"""

# Needed only once a device is opened, a command is run, or a report is written.
HEAVY = ("mpi4py", "olympus_cpu", "pluggy", "pydantic", "rich", "argparse", "importlib.metadata", "llvmlite", "mpich",
         "scipy")
# Needed by programs that differentiate, map, draw, or are compiled.
LATE = (
    "olympus.transforms.derivatives", "olympus.transforms.batching", "olympus.nn", "olympus.random",
    "olympus.experimental", "olympus.scipy", "olympus.numpy.linalg", "olympus_core.partition.partitioner",
)


# All modules first, then the names: what stands for each.
HIDING = """
import importlib, json, sys, types
for name in json.load(sys.stdin):
    importlib.import_module(name)
import olympus
print(json.dumps([
    name for package in (olympus, olympus.numpy) for name in package.__all__
    if isinstance(getattr(package, name), types.ModuleType)
]))
"""


def run(program: str, given: str = "") -> Any:
    """What a program prints that runs in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program], input=given, capture_output=True, text=True, timeout=60, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    return run(PROBE)


def test_import_opens_nothing(seen: dict[str, Any]) -> None:
    assert seen["events"] == []
    assert seen["threads"] == 0 and seen["python_threads"] == ["MainThread"]


@pytest.mark.parametrize("late", HEAVY + LATE)
def test_import_loads_nothing_heavy_and_nothing_early(late: str, seen: dict[str, Any]) -> None:
    assert "olympus.numpy" in seen["modules"]
    assert not [module for module in seen["modules"] if f"{module}.".startswith(f"{late}.")]


def test_import_loads_few_modules(seen: dict[str, Any]) -> None:
    """Some 0.6 ms each, of the 150 ms that importing may take over NumPy's own."""
    assert len(seen["modules"]) <= 193


def test_names_that_are_imported_late_are_listed(seen: dict[str, Any]) -> None:
    """For whoever types a name and has it completed."""
    assert seen["missing"] == []


def test_no_module_hides_a_function_of_its_name() -> None:
    """Python sets a module as its package's attribute when it is imported, also over a function that is deferred."""
    paths = [path.relative_to(ROOT).with_suffix("") for path in sorted((ROOT / "olympus").rglob("*.py"))]
    modules = [".".join(path.parts) for path in paths if path.name not in ("__init__", "__main__")]
    public = {page.rpartition(".")[2] for page in PUBLIC}
    assert set(run(HIDING, json.dumps(modules))) <= public


def test_a_name_that_is_nowhere_is_an_error() -> None:
    with pytest.raises(AttributeError, match="module 'olympus' has no attribute 'gradd'"):
        olympus.gradd  # type: ignore[attr-defined]
    with pytest.raises(ImportError, match="cannot import name 'vectorise' from 'olympus.numpy'"):
        from olympus.numpy import vectorise  # type: ignore[attr-defined]  # noqa: F401
