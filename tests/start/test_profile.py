# SPDX-License-Identifier: Apache-2.0
"""`olympus profile`, run as users run it: in one process, and in two that one folder brings together."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import Finished, Processes

ONE = """
import sys
import olympus
import olympus.numpy as jnp

def work(x):
    return jnp.sin(x) @ x

assert sys.argv[1:] == ["--steps", "3"], sys.argv
f = olympus.jit(work)
x = jnp.ones((64, 64))
for _ in range(int(sys.argv[2])):
    x = f(x)
print("sum", float(jnp.sum(x)) != 0)
raise SystemExit(3)
"""
TWO = """
import time
import numpy as np
import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding, PartitionSpec as P

olympus.distributed.initialize()
mesh = olympus.make_mesh((4,), ("i",))
x = olympus.device_put(np.ones((8, 16), np.float32), NamedSharding(mesh, P("i")))
total = olympus.jit(lambda x: jnp.sum(jnp.sin(x)))
for _ in range(5):
    if olympus.process_index() == 1:
        end = time.perf_counter() + 0.02
        while time.perf_counter() < end:
            pass
    total(x).block_until_ready()
"""


def run(*words: str, cwd: Path) -> Finished:
    with Processes(110.0) as processes:
        processes.start([sys.executable, "-m", "olympus", *words], cwd=cwd)
        (done,) = processes.wait()
    return done


def trace(folder: Path) -> Any:
    with gzip.open(folder / "perfetto_trace.json.gz", "rt") as file:
        return json.load(file)


@pytest.mark.processes
def test_a_program_keeps_its_arguments_and_exit_code(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(ONE)
    done = run("profile", "-o", "found", "one.py", "--steps", "3", cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "sum True" in done.stdout and "one.py:7" in done.stdout and "100.0%" in done.stdout
    content = trace(tmp_path / "found")
    (about,) = [content["metadata"]] if "table" in content["metadata"] else content["metadata"]["processes"]
    told = sum(row[3] for row in about["table"] if not row[1])
    assert told == pytest.approx(about["seconds"], rel=1e-6)
    kernels = [e for e in content["traceEvents"] if e.get("cat") == "kernel"]
    assert {e["args"]["line"].rpartition("/")[2] for e in kernels} >= {"one.py:7"}
    page = (tmp_path / "found" / "index.html").read_text()
    assert "olympus profile: one.py --steps 3" in page and "http" not in page


@pytest.mark.processes
def test_an_error_of_the_program_is_shown_and_the_profile_written(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def f():\n    raise KeyError('gone')\nf()\n")
    done = run("profile", "--no-limits", "bad.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "KeyError: 'gone'" in done.stderr and "runpy" not in done.stderr
    assert (tmp_path / "olympus-profile" / "index.html").exists()
    assert run("profile", "none.py", cwd=tmp_path).returncode == 2


@pytest.mark.processes
def test_two_processes_on_one_axis(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(TWO)
    done = run("launch", "-n", "2", "-d", "2", "-m", "olympus", "profile", "--no-limits", "-o", "found", "two.py",
               cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "process 0 waited" in done.stdout and "two.py:11" in done.stdout
    content = trace(tmp_path / "found")
    assert [m["process"] for m in content["metadata"]["processes"]] == [0, 1]
    for about in content["metadata"]["processes"]:
        assert sum(row[3] for row in about["table"] if not row[1]) == pytest.approx(about["seconds"], rel=1e-6)
    waits = [e for e in content["traceEvents"] if e.get("cat") == "waiting" and "waited_for" in e["args"]]
    mine = [e for e in waits if e["pid"] == 0 and e["args"]["waited_for"] == 1]
    assert mine and max(e["args"]["waited_us"] for e in mine) > 5_000
    # On one axis neither process is done with a sum before the other one has begun it, whoever is late.
    sums = {p: [(e["ts"], e["ts"] + e["dur"]) for e in content["traceEvents"]
                if e.get("cat") == "collective" and e["pid"] == p] for p in (0, 1)}
    assert len(sums[0]) == 5
    for (first, last), (begin, end) in zip(sums[0], sums[1], strict=True):
        assert end + 1e3 > first and last + 1e3 > begin
