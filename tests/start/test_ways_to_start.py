# SPDX-License-Identifier: Apache-2.0
"""Every way to start the documents' first program gives the output that their introduction prints."""

from __future__ import annotations

import re
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT, Finished, Processes, free_port, is_alive, wait_until

pytestmark = pytest.mark.processes
PRINTED = ROOT / "tests" / "documents" / "programs" / "000"
DEVICES = {"OLYMPUS_NUM_CPU_DEVICES": "2"}
LAUNCH = [sys.executable, "-m", "olympus", "launch"]


def printed(shape: str) -> list[str]:
    """What the introduction prints, for each process."""
    parts = re.split(r"^=+ process \d+ output =+\n", (PRINTED / f"toy.{shape}.out").read_text(), flags=re.M)
    return [part for part in parts if part]


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """The program, with a port that is free."""
    path = tmp_path / "toy.py"
    source = (ROOT / "examples" / "toy.py").read_text()
    assert "'localhost:10000'" in source
    path.write_text(source.replace("'localhost:10000'", f"'localhost:{free_port()}'"))
    return path


@pytest.fixture
def toy_without_arguments(toy: Path) -> Path:
    """The program where the launcher says who is who."""
    source = re.sub(r"initialize\(.*\)", "initialize()", toy.read_text())
    source = source.replace("int(sys.argv[1])", "None").replace("int(sys.argv[2])", "None")
    toy.write_text(source.replace("process={proc_id}", "process={olympus.process_index()}"))
    return toy


def by_process(text: str) -> list[str]:
    """The output of a launcher with prefixes, for each process."""
    lines: dict[int, str] = {}
    for line in text.splitlines(keepends=True):
        found = re.fullmatch(r"\[(\d+)\] (.*\n)", line)
        assert found, f"a line without a prefix: {line!r}"
        lines[int(found[1])] = lines.get(int(found[1]), "") + found[2]
    return [lines[index] for index in sorted(lines)]


def run(command: list[str], env: dict[str, str] | None = None) -> Finished:
    with Processes(40.0) as processes:
        processes.start(command, env=env)
        (end,) = processes.wait()
    assert not end.timed_out, end.stdout + end.stderr
    return end


def test_plain_processes(toy: Path) -> None:
    with Processes(40.0) as processes:
        for index in range(4):
            processes.start(toy, index, 4, env=DEVICES)
        ends = processes.wait()
    assert [end.returncode for end in ends] == [0] * 4, [end.stderr for end in ends]
    assert [end.stdout for end in ends] == printed("4x2")


def test_the_launcher_with_the_program_that_comes_with_the_package(tmp_path: Path) -> None:
    saved, port = tmp_path / "first.py", free_port()
    demo = [sys.executable, "-m", "olympus", "demo", "--port", str(port), "--save", str(saved)]
    end = run(demo)
    assert end.returncode == 0, end.stderr
    assert by_process(end.stdout) == printed("4x2")
    assert saved.read_text() == (ROOT / "examples" / "toy.py").read_text().replace("10000", str(port))
    assert f"olympus launch -n 4 -d 2 {saved} {{i}} {{n}}" in end.stderr
    again = run(demo)
    assert again.returncode == 1 and "nothing is overwritten" in again.stderr and str(saved) in again.stderr


def test_the_launcher_alone_tells_who_is_who(toy_without_arguments: Path) -> None:
    end = run([*LAUNCH, "-n", "4", str(toy_without_arguments)], DEVICES)
    assert end.returncode == 0, end.stderr
    assert by_process(end.stdout) == printed("4x2")


def test_mpiexec(toy_without_arguments: Path) -> None:
    mpiexec = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")
    if mpiexec is None:
        pytest.skip("no mpiexec here")
    # mpiexec mixes what the processes write, and has no prefixes: each writes once, at its end.
    env = {**DEVICES, "PYTHONUNBUFFERED": ""}
    end = run([mpiexec, "-n", "4", sys.executable, str(toy_without_arguments)], env)
    assert end.returncode == 0, end.stderr
    assert sorted(end.stdout.splitlines()) == sorted("".join(printed("4x2")).splitlines())


def test_one_process_with_eight_devices(toy: Path) -> None:
    end = run([sys.executable, str(toy), "0", "1"], {"OLYMPUS_NUM_CPU_DEVICES": "8"})
    assert (end.returncode, end.stdout) == (0, printed("1x8")[0]), end.stderr


JOB = """
import os, sys, time
import numpy as np
import olympus, olympus.numpy as jnp
olympus.distributed.initialize()
x = olympus.device_put(np.arange(8.0), olympus.NamedSharding(olympus.make_mesh((8,), ("x",)), olympus.P("x")))
print("pid", os.getpid(), float(jnp.sum(x)), flush=True)
"""


def test_ctrl_c_ends_all(tmp_path: Path) -> None:
    path = tmp_path / "job.py"
    path.write_text(JOB + "while True:\n    jnp.sum(x).block_until_ready()\n")
    with Processes(40.0) as processes:
        running = processes.start([*LAUNCH, "-n", "4", "-d", "2", str(path)])
        wait_until(lambda: processes.output(0).count(" 28.0\n") == 4, "four results", 20.0)
        pids = [int(pid) for pid in re.findall(r"pid (\d+)", processes.output(0))]
        running.send_signal(signal.SIGINT)
        (end,) = processes.wait()
    assert not end.timed_out and end.returncode == 130, end.stderr
    for pid in pids:
        wait_until(lambda pid=pid: not is_alive(pid), f"end of {pid}")


def test_a_failing_process_s_exit_code(tmp_path: Path) -> None:
    path = tmp_path / "job.py"
    path.write_text(JOB + "if olympus.process_index() == 2:\n    sys.exit(7)\nwhile True:\n    jnp.sum(x)\n")
    end = run([*LAUNCH, "-n", "4", "-d", "2", str(path)])
    assert end.returncode == 7, end.stderr
    assert "olympus launch: process 2 failed with exit code 7" in end.stderr
    assert end.stderr.count("Process 2 left") <= 1  # what the others say of it is shown once
