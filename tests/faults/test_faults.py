# SPDX-License-Identifier: Apache-2.0
"""A job of arrays in which one process fails: the others raise an error that names it, and nothing is left behind."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from tests.faults.programs import LOOP, PRELUDE
from tests.support.processes import Finished, Processes, free_port, run_processes
from tests.support.shared_memory import nothing_abandoned

pytestmark = [pytest.mark.slow, pytest.mark.processes]
_LIMIT = 10.0  # seconds that a survivor may take, from the fault to its error
_DEVICES = {"OLYMPUS_NUM_CPU_DEVICES": "2"}


@pytest.fixture
def leaves_nothing() -> Iterator[None]:
    """The test leaves nothing in shared memory."""
    with nothing_abandoned("olympus", "mpich"):
        yield


def _run(
    fault: str, count: int = 3, culprit: int | None = None, deadline: float = 45.0, env: dict[str, str] | None = None
) -> list[Finished]:
    port, culprit = free_port(), count - 1 if culprit is None else culprit
    program = LOOP.replace("FAULT", fault)
    env = {**_DEVICES, **(env or {})}
    return run_processes(program, count, lambda i: i, count, port, culprit, deadline=deadline, env=env)


def _assert_survivors(finished: list[Finished], culprit: int, error: str, *texts: str) -> None:
    for index, end in enumerate(finished):
        if index == culprit:
            continue
        assert not end.timed_out, end.stdout + end.stderr
        line = next(line for line in end.stdout.splitlines() if line.startswith("RAISED"))
        assert line.startswith(f"RAISED {error} after"), end.stdout
        assert float(line.split(" after ")[1].split()[0]) < _LIMIT
        for text in texts:
            assert text in end.stdout, end.stdout
        assert end.returncode == 3, end.stderr


@pytest.mark.usefixtures("leaves_nothing")
def test_killed() -> None:
    finished = _run("os.kill(os.getpid(), signal.SIGKILL)")
    texts = ("Process 2 was killed or crashed", "<lambda>(", "all_reduce at <string>:")
    _assert_survivors(finished, 2, "ProcessLostError", *texts)


@pytest.mark.usefixtures("leaves_nothing")
def test_killed_from_outside_in_the_middle_of_a_large_collective() -> None:
    program = PRELUDE + """
big = olympus.device_put(np.ones((24, 1 << 19), np.float32), NamedSharding(mesh, P("x")))
total = olympus.jit(lambda v: jnp.sum(v, axis=0))

def work():
    print("running", flush=True)
    while True:
        total(big).block_until_ready()

survive(work)
"""
    port = free_port()
    with Processes(45.0) as processes:
        running = [processes.start(program, i, 3, port, env=_DEVICES) for i in range(3)]
        for i in range(3):
            processes.wait_for_output(i, "running")
        os.kill(running[1].pid, signal.SIGKILL)
        finished = processes.wait()
    _assert_survivors(finished, 1, "ProcessLostError", "Process 1 was killed or crashed")


def test_raised() -> None:
    finished = _run("raise ValueError('loss is NaN')")
    _assert_survivors(finished, 2, "ProcessLostError", "Process 2 raised ValueError: loss is NaN")
    assert "loss is NaN" in finished[2].stderr and finished[2].returncode == 1


def test_stopped() -> None:
    port = free_port()
    program = LOOP.replace("FAULT", "os.kill(os.getpid(), signal.SIGSTOP)")
    with Processes(45.0) as processes:
        env = {**_DEVICES, "OLYMPUS_STOPPED_TIMEOUT": "1"}
        running = [processes.start(program, i, 3, port, 2, env=env) for i in range(3)]
        for i in range(2):
            processes.wait_for_output(i, "RAISED")
        running[2].kill()
        finished = processes.wait()
    _assert_survivors(finished, 2, "ProcessLostError", "Process 2 is stopped")


@pytest.mark.usefixtures("leaves_nothing")
def test_process_0_lost() -> None:
    finished = _run("os.kill(os.getpid(), signal.SIGKILL)", culprit=0)
    _assert_survivors(finished, 0, "ProcessLostError", "Process 0 was killed or crashed")


def test_left_early() -> None:
    finished = _run("sys.exit(0)")
    _assert_survivors(finished, 2, "ProcessLostError", "Process 2 left", "<lambda>(", "all_reduce at <string>:")
    assert finished[2].returncode == 0


def test_asleep() -> None:
    port = free_port()
    program = LOOP.replace("FAULT", "time.sleep(40)")
    with Processes(45.0) as processes:
        env = {**_DEVICES, "OLYMPUS_LATE_TIMEOUT": "2"}
        running = [processes.start(program, i, 2, port, env=env) for i in range(2)]
        processes.wait_for_output(0, "RAISED")
        running[1].kill()  # it has slept long enough
        finished = processes.wait()
    _assert_survivors(finished, 1, "CollectiveTimeoutError", "process 1 has not come")


def test_declared_slow_is_waited_for() -> None:
    # Six processes, and a limit for deadlocks that is passed twice: nobody but the slow one is missing.
    env = {"OLYMPUS_DEADLOCK_TIMEOUT": "1"}
    finished = _run("exec('with olympus.distributed.slow(\"saving\"): time.sleep(3)')", count=6, env=env)
    assert all("NOTHING RAISED" in end.stdout and end.returncode == 0 for end in finished), finished


def test_last_batch() -> None:
    """One process has a batch more than the others, which have left by then."""
    program = PRELUDE + """
def work():
    for number in range(21 if index == culprit else 20):
        step(x)

survive(work)
"""
    port = free_port()
    finished = run_processes(program, 3, lambda i: i, 3, port, 1, deadline=45.0, env=_DEVICES)
    assert "RAISED ProcessLostError" in finished[1].stdout, finished[1]
    assert " left" in finished[1].stdout


@pytest.mark.parametrize("known", [False, True], ids=["first time", "both run before"])
def test_diverged(known: bool) -> None:
    """`x @ y` here and `y @ x` there: same shapes, same collectives, and a silent wrong sum anywhere else."""
    ours, theirs = ("x @ y", "y @ x") if known else ("jnp.sum(x + 1)", "jnp.sum(x * 2)")
    program = PRELUDE + f"""
def work():
    for number in range(20):
        step(x)
    result = {ours} if index != culprit else {theirs}
    print("DELIVERED", np.asarray(result.addressable_shards[0].data).ravel()[:1], flush=True)
    for number in range(5):
        step(x)

survive(work)
"""
    port = free_port()
    finished = run_processes(program, 3, lambda i: i, 3, port, 1, deadline=45.0, env=_DEVICES)
    _assert_survivors(finished, -1, "DivergenceError", "process 1: #", "<string>:31")
    claims = ("matmul(float32[24@x,24], float32[24,24@x])", "matmul(float32[24,24@x], float32[24@x,24])")
    for end in finished:
        assert all(claim in end.stdout for claim in claims if known), end.stdout
    assert not any("DELIVERED" in end.stdout for end in finished)


@pytest.mark.usefixtures("leaves_nothing")
def test_nothing_is_left_after_a_good_run() -> None:
    finished = _run("pass", count=4)
    assert all("NOTHING RAISED" in end.stdout and end.returncode == 0 for end in finished), finished
    assert all(end.stderr == "" for end in finished), finished


def test_check_can_be_turned_off() -> None:
    """Without the check differing launches that exchange nothing go unnoticed: the option is obeyed."""
    program = PRELUDE + """
def work():
    (x + 1) if index else (x * 2)

survive(work)
"""
    port = free_port()
    env = {**_DEVICES, "OLYMPUS_CHECK_DIVERGENCE": "0"}
    finished = run_processes(program, 2, lambda i: i, 2, port, deadline=45.0, env=env)
    assert all("NOTHING RAISED" in end.stdout for end in finished), finished


def test_different_machines_compare_by_message() -> None:
    """Processes that share no memory carry their log entries to each other."""
    program = """
import platform, sys
platform.node = lambda: f"machine {sys.argv[1]}"
""" + PRELUDE + """
def work():
    for number in range(10):
        step(x)
    print("HOSTS", len(set(olympus.distributed.get_connection().hosts)), flush=True)
    jnp.sum(x + 1) if index != culprit else jnp.sum(x * 2)

survive(work)
"""
    port = free_port()
    env = {**_DEVICES, "OLYMPUS_CPU_TRANSPORT": "tcp"}
    finished = run_processes(program, 2, lambda i: i, 2, port, deadline=45.0, env=env)
    assert all("HOSTS 2" in end.stdout for end in finished), finished
    _assert_survivors(finished, -1, "DivergenceError", "process 0: #", "process 1: #")
