# SPDX-License-Identifier: Apache-2.0
"""`olympus status`: what a shell sees of a running job, and what a stranger does not."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from olympus_core.cluster.status import without_answer
from olympus_core.errors.cluster import Standing
from olympus_core.job_status import JobStatus, ProcessStatus, alone
from tests.cluster.programs import PRELUDE
from tests.support.processes import Processes, free_port, wait_until

_STATUS = [sys.executable, "-m", "olympus", "status"]


def test_the_table_has_a_line_for_each_process() -> None:
    job = JobStatus("j-1", (
        ProcessStatus(
            0, "box", 12, "running", 3, "#3 add at a.py:1", 2.5, "", 0.0, "b.py:2", 2048, 0.1, ("b.py:2 in f",)
        ),
        ProcessStatus(1, "box", 13, "waiting", 4, "#4 sum at a.py:2", 1.0, "meeting 'x'", 120.4, "a.py:9", 10, 0.2),
        ProcessStatus(2),
    ))
    lines = str(job).splitlines()
    assert lines[0] == "job j-1: 3 processes"
    assert lines[2].split("  ")[0] == "0" and lines[2].endswith("2.0 KiB  #3 add at a.py:1, now at b.py:2")
    assert lines[3] == "    b.py:2 in f"
    assert "120 s" in lines[4] and lines[4].endswith("meeting 'x' at a.py:9")
    assert "not joined" in lines[5] and not job.needs_attention
    assert JobStatus("", (ProcessStatus(0, state="stopped"),)).needs_attention


def test_a_process_alone_and_one_without_an_answer_know_themselves() -> None:
    (own,) = alone().processes
    assert own.pid == os.getpid() and own.state == "running"
    found = without_answer(1, 3, 0, Standing(0, 4, "#4", "running"), 12.0)
    assert [one.state for one in found.processes] == ["unresponsive", "running", "unknown"]
    assert found.processes[0].heard == 12.0 and found.needs_attention


@pytest.mark.slow
@pytest.mark.processes
def test_a_shell_sees_where_the_processes_stand_and_a_stranger_nothing(tmp_path: Path) -> None:
    program = PRELUDE + """
import threading
connection = join()
def work():
    print("ready", flush=True)
    threading.Event().wait(60)
work() if index else connection.exchange("next", b"")
"""
    port, secret = free_port(), "s" * 40
    env = {"XDG_RUNTIME_DIR": str(tmp_path)}
    with Processes(50.0) as processes:
        running = [processes.start(program, i, 3, port, env={**env, "OLYMPUS_SECRET": secret}) for i in range(3)]
        for index in (1, 2):
            processes.wait_for_output(index, "ready")

        def ask(number: int, code: int, *arguments: str, **more: str) -> str:
            asking = processes.start([*_STATUS, *arguments], env={**env, **more})
            assert asking.wait(20) == code, processes.output(number)
            return processes.output(number)

        text = ask(3, 0, "--stacks")  # its user, who knows neither address nor secret
        assert f"localhost:{port}  pid {running[0].pid}  3 processes" in text
        assert " in work" in text and text.count("running") >= 2
        text = ask(4, 2, f"localhost:{port}", XDG_RUNTIME_DIR=str(tmp_path / "none"), OLYMPUS_SECRET="t" * 40)
        assert "do not know the same secret" in text and "running" not in text
        os.kill(running[1].pid, signal.SIGSTOP)
        with open(f"/proc/{running[1].pid}/stat") as file:
            wait_until(lambda: file.seek(0) == 0 and ") T " in file.read(), "the process being stopped")
        # Three heartbeats are missing before its machine is asked.
        number = 5
        while "stopped" not in (text := _asked(processes, number, env)):
            number += 1
            assert number < 15, text
        assert all(process.poll() is None for process in running), "asking has disturbed the job"
        for process in running:
            process.kill()
            process.wait()
        assert "no job of this user" in ask(number + 1, 2)  # what the killed process left is taken away
    assert not list((tmp_path / "olympus" / "jobs").iterdir())


def _asked(processes: Processes, number: int, env: dict[str, str]) -> str:
    processes.start(_STATUS, env=env).wait(20)
    return processes.output(number)
