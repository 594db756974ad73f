# SPDX-License-Identifier: Apache-2.0
"""`olympus launch`, and other launchers, with real processes."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tests.support.launching import LAUNCH, launch, written
from tests.support.processes import Processes, is_alive, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.processes]

def test_processes_find_each_other_and_output_has_prefixes(tmp_path: Path) -> None:
    program = """
    import os, sys
    from olympus_core.cluster import connect
    connection = connect()
    values = connection.exchange("x", str(connection.process_index).encode())
    print(b"".join(values).decode(), sys.argv[1:], os.environ["OLYMPUS_NUM_CPU_DEVICES"])
    print("to stderr", file=sys.stderr)
    assert "OLYMPUS_COORDINATOR_FD" not in os.environ
    connection.shutdown()
    """
    finished = launch(tmp_path, program, "-n", 3, "--devices-per-process", 2, arguments=("{i}", "{n}", "a{i}b", "-n"))
    assert finished.returncode == 0, finished.stderr
    for index in range(3):
        assert f"[{index}] 012 ['{index}', '3', 'a{index}b', '-n'] 2\n" in finished.stdout
        assert f"[{index}] to stderr\n" in finished.stderr
    assert len(finished.stdout.splitlines()) == 3


def test_processes_have_gpus_of_their_own(tmp_path: Path) -> None:
    program = """
    from olympus_core.config import config
    print(config.local_device_ids, config.source("olympus_local_device_ids"))
    """
    for count, expected in ((1, ["(0,)", "(1,)", "(2,)"]), (2, ["(0, 1)", "(2, 3)", "(4, 5)"])):
        finished = launch(tmp_path, program, "-n", 3, "--gpus-per-process", count)
        assert finished.returncode == 0, finished.stderr
        said = "environment variable OLYMPUS_LOCAL_DEVICE_IDS"
        lines = sorted(finished.stdout.splitlines())
        assert lines == [f"[{i}] {ids} {said}" for i, ids in enumerate(expected)]


def test_address_in_the_program_wins(tmp_path: Path) -> None:
    program = """
    import socket, sys
    from olympus_core.cluster import connect
    connection = connect(f"localhost:{sys.argv[3]}", int(sys.argv[2]), int(sys.argv[1]))
    print(connection.coordinator_address)
    """
    from tests.support.processes import free_port

    port = free_port()
    finished = launch(tmp_path, program, "-n", 2, arguments=("{i}", "{n}", port))
    assert finished.returncode == 0, finished.stderr
    assert f"[0] localhost:{port}" in finished.stdout and f"[1] 127.0.0.1:{port}" in finished.stdout


def test_first_failure_comes_first_and_the_others_once(tmp_path: Path) -> None:
    program = """
    import sys
    from olympus_core.cluster import connect
    connection = connect()
    if connection.process_index == 2:
        raise ValueError("the cause")
    connection.exchange("never", b"")
    """
    finished = launch(tmp_path, program, "-n", 4)
    lines = finished.stderr.splitlines()
    assert finished.returncode == 1
    assert lines[0] == "[2] Traceback (most recent call last):"
    cause = next(i for i, line in enumerate(lines) if line == "[2] ValueError: the cause")
    assert lines[cause + 1].startswith("olympus launch: process 2 failed with exit code 1 after ")
    assert finished.stderr.count("ProcessLostError: Process 2 raised ValueError: the cause") == 1
    assert any(line.startswith("[0,1,3] ") for line in lines[cause:])


@pytest.mark.parametrize(
    ("fault", "code"), [("os.kill(os.getpid(), signal.SIGKILL)", 137), ("sys.exit(7)", 7), ("os._exit(3)", 3)]
)
def test_exit_code_is_the_failing_process_s(tmp_path: Path, fault: str, code: int) -> None:
    program = f"""
    import os, signal, sys, time
    from olympus_core.cluster import connect
    connection = connect()
    if connection.process_index == 1:
        {fault}
    connection.exchange("never", b"")
    """
    finished = launch(tmp_path, program, "-n", 3)
    assert finished.returncode == code, finished.stderr
    assert "olympus launch: process 1 " in finished.stderr


def test_others_are_ended_with_what_they_started(tmp_path: Path) -> None:
    # Process 0 ignores the polite request, and has a child of its own.
    program = """
    import os, signal, subprocess, sys, time
    index = int(os.environ["OLYMPUS_PROCESS_ID"])
    if index == 1:
        time.sleep(0.5)
        sys.exit(5)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    print("pids", os.getpid(), child.pid, flush=True)
    time.sleep(60)
    """
    finished = launch(tmp_path, program, "-n", 2)
    assert finished.returncode == 5 and finished.seconds < 12.0
    pids = [int(word) for word in finished.stdout.split()[2:]]
    assert len(pids) == 2
    for pid in pids:
        wait_until(lambda pid=pid: not is_alive(pid), f"end of {pid}")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_are_forwarded(tmp_path: Path, number: int) -> None:
    program = """
    import signal, sys, time
    def told(number, frame):
        print("told", number, flush=True)
        sys.exit(0)
    signal.signal(signal.SIGINT, told)
    signal.signal(signal.SIGTERM, told)
    print("ready", flush=True)
    time.sleep(60)
    """
    with Processes(20.0) as processes:
        running = processes.start(LAUNCH, "launch", "-n", 2, written(tmp_path, program))
        for index in range(2):
            processes.wait_for_output(0, f"[{index}] ready")
        running.send_signal(number)
        (finished,) = processes.wait()
    assert finished.returncode == 128 + number
    assert finished.stdout.count(f"told {int(number)}") == 2


def test_a_question_reaches_those_that_can_answer_it(tmp_path: Path) -> None:
    program = """
    import os, signal, time
    if os.environ["OLYMPUS_PROCESS_ID"] == "1":
        signal.signal(signal.SIGUSR1, lambda number, frame: print("asked", flush=True))
    print("ready", flush=True)
    signal.sigtimedwait([signal.SIGTERM], 60)
    """
    with Processes(20.0) as processes:
        running = processes.start(LAUNCH, "launch", "-n", 2, written(tmp_path, program))
        for index in range(2):
            processes.wait_for_output(0, f"[{index}] ready")
        running.send_signal(signal.SIGUSR1)
        processes.wait_for_output(0, "[1] asked")
        running.send_signal(signal.SIGTERM)
        (finished,) = processes.wait()
    assert finished.returncode == 128 + signal.SIGTERM and "SIGUSR1" not in finished.stderr


def test_a_stranger_of_this_machine_can_neither_join_nor_end_the_job(tmp_path: Path) -> None:
    program = """
    import os, socket, sys
    from olympus_core.cluster import connect
    connection = connect()
    port = int(os.environ["OLYMPUS_COORDINATOR_ADDRESS"].rpartition(":")[2])
    connection.exchange("all here", b"")
    if connection.process_index == 1:
        # Somebody who knows the job's name, its size and what its processes know of each other, but not the secret.
        from olympus_core.errors import AuthenticationError
        environ = {**os.environ, "OLYMPUS_SECRET": "0" * 64}
        for count in (2, 7):
            try:
                connect(f"localhost:{port}", count, 1, environ=environ, timeout=0.5)
            except AuthenticationError:
                print("turned away", flush=True)
    with open("/proc/self/cmdline") as file:
        assert os.environ["OLYMPUS_SECRET"] not in file.read() and len(os.environ["OLYMPUS_SECRET"]) == 64
    print(connection.exchange("still", b"x"))
    connection.shutdown()
    """
    finished = launch(tmp_path, program, "-n", 2)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.count("turned away") == 2 and finished.stdout.count("[b'x', b'x']") == 2


def test_killed_launcher_leaves_nothing(tmp_path: Path) -> None:
    program = """
    import os, time
    print("pid", os.getpid(), flush=True)
    time.sleep(60)
    """
    with Processes(20.0) as processes:
        running = processes.start(LAUNCH, "launch", "-n", 2, written(tmp_path, program))
        for index in range(2):
            processes.wait_for_output(0, f"[{index}] pid")
        wait_until(lambda: processes.output(0).count("\n") == 2, "both lines")
        pids = [int(line.split()[2]) for line in processes.output(0).splitlines()]
        os.kill(running.pid, signal.SIGKILL)
        for pid in pids:
            wait_until(lambda pid=pid: not is_alive(pid), f"end of {pid}")


def test_job_has_a_deadline_if_asked(tmp_path: Path) -> None:
    finished = launch(tmp_path, "import time; time.sleep(60)", "-n", 2, "--timeout", 0.5)
    assert finished.returncode == 124 and "not ended after 0.5 s: processes [0, 1]" in finished.stderr


def test_traceback_that_is_not_the_last_is_shown_in_time(tmp_path: Path) -> None:
    program = """
    import os, sys, time, traceback
    try:
        1 / 0
    except ZeroDivisionError:
        traceback.print_exc()
    time.sleep(2.6)
    print("later", file=sys.stderr)
    """
    finished = launch(tmp_path, program, "-n", 1)
    assert finished.returncode == 0
    assert finished.stderr.index("ZeroDivisionError") < finished.stderr.index("later")


def test_missing_program_is_told(tmp_path: Path) -> None:
    with Processes() as processes:
        processes.start(LAUNCH, "launch", "-n", 2, "no-such-program.py")
        processes.start(LAUNCH, "launch", "-n", 0, "x.py")
        missing, zero = processes.wait()
    assert missing.returncode == 2 and "there is no program 'no-such-program.py'" in missing.stderr
    assert zero.returncode == 2 and "must be at least 1" in zero.stderr


def test_module_can_be_launched(tmp_path: Path) -> None:
    with Processes() as processes:
        processes.start(LAUNCH, "launch", "-n", 2, "-m", "this")
        (finished,) = processes.wait()
    assert finished.returncode == 0 and "[1] Beautiful is better than ugly." in finished.stdout


def test_under_mpiexec_no_argument_is_needed(tmp_path: Path) -> None:
    mpiexec = shutil.which("mpiexec", path=str(Path(sys.executable).parent)) or shutil.which("mpiexec")
    if mpiexec is None:
        pytest.skip("no mpiexec here")
    pytest.importorskip("mpi4py")
    program = """
    from olympus_core.cluster import connect
    connection = connect()
    values = connection.exchange("x", str(connection.process_index).encode())
    print(f"got {b''.join(values).decode()} of {connection.process_count}\\n", end="", flush=True)
    """
    with Processes(40.0) as processes:
        processes.start([mpiexec, "-n", "3", sys.executable, str(written(tmp_path, program))])
        (finished,) = processes.wait()
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert finished.stdout.count("got 012 of 3") == 3
