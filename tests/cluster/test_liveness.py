# SPDX-License-Identifier: Apache-2.0
"""Faults while a job runs: every survivor raises an error that names the process, and nothing is left behind."""

from __future__ import annotations

import re

import pytest

from tests.cluster.programs import PRELUDE, assert_within, run_job
from tests.support.processes import Processes, free_port, is_alive, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.processes]

# Process 1 fails where {fault} stands; the others wait for it in a meeting.
_FAULT = """
connection = join()
connection.set_position(20, "#20 all_reduce at train.py:33")
connection.exchange("all here", b"")
if index == {who}:
    while sum(one.state == "waiting" for one in connection.status().processes) < count - 1:
        time.sleep(0.02)
    {fault}
connection.set_position(21, "#21 all_reduce at train.py:34")
error = expect(errors.ClusterError, connection.exchange, "next", b"")
print("CHECK", end=" ")
expect(type(error), connection.check)
"""

# A process that is busy with other things until the job is broken.
_UNTIL_BROKEN = """
    while True:
        try:
            connection.check()
        except errors.ClusterError:
            break
        time.sleep(0.05)
"""


def _survivors(who: int, fault: str, **options: object) -> tuple[list[str], list[object]]:
    finished = run_job(_FAULT.format(who=who, fault=fault), **options)
    outputs = [end.stdout for index, end in enumerate(finished) if index != who]
    return outputs, list(finished)


def test_killed_process_is_named_by_every_survivor() -> None:
    outputs, finished = _survivors(1, "os.kill(os.getpid(), signal.SIGKILL)")
    assert_within(finished)
    for output in outputs:
        assert "ProcessLostError" in output and "Process 1 was killed or crashed" in output
        assert "processes 0, 2: meeting 'next'" in output
        assert "process 1: #20 all_reduce at train.py:33 (lost, as of its last heartbeat)" in output
        assert "CHECK ProcessLostError after 0." in output


def test_last_words_of_an_uncaught_exception_reach_every_survivor() -> None:
    outputs, finished = _survivors(1, "raise ValueError('learning rate is NaN')")
    assert_within(finished)
    for output in outputs:
        assert "Process 1 raised ValueError: learning rate is NaN, at <string>:" in output
    assert "learning rate is NaN" in finished[1].stderr and finished[1].returncode == 1


@pytest.mark.parametrize("who", [0, 1])
def test_stopped_process_is_named(who: int) -> None:
    port = free_port()
    with Processes(12.0) as processes:
        program = PRELUDE + _FAULT.format(who=who, fault="os.kill(os.getpid(), signal.SIGSTOP)")
        running = [processes.start(program, index, 3, port) for index in range(3)]
        for index in {0, 1, 2} - {who}:
            processes.wait_for_output(index, "CHECK ProcessLostError")
            output = processes.output(index)
            assert f"Process {who} is stopped: a signal stopped it" in output
            assert "OLYMPUS_STOPPED_TIMEOUT" in output
            wait_until(lambda index=index: running[index].poll() is not None, "end of a survivor")
        assert running[who].poll() is None


def test_loss_of_process_0_is_named() -> None:
    outputs, finished = _survivors(0, "os.kill(os.getpid(), signal.SIGKILL)")
    assert_within(finished)
    for output in outputs:
        assert "Process 0 was killed or crashed" in output and "(this process)" in output


def test_exception_in_process_0_is_named() -> None:
    outputs, finished = _survivors(0, "raise KeyError('weights')")
    assert_within(finished)
    for output in outputs:
        assert "Process 0 raised KeyError: 'weights'" in output


@pytest.mark.parametrize("who", [0, 1])
def test_process_that_leaves_while_others_wait(who: int) -> None:
    outputs, finished = _survivors(who, "sys.exit(0)")
    assert_within(finished)
    for output in outputs:
        assert f"Process {who} left: its program ended" in output


def test_process_that_sleeps_before_a_meeting() -> None:
    outputs, finished = _survivors(1, _UNTIL_BROKEN, env={"LATE": "2"})
    assert_within(finished)
    for output in outputs:
        assert "CollectiveTimeoutError" in output and "process 1 has not come" in output
        assert "process 1: #20 all_reduce at train.py:33 (running)" in output
    # The sleeper learns of it when it wakes.
    assert "process 1 has not come" in finished[1].stdout


def test_processes_that_wait_for_each_other_are_told_apart_from_late_ones() -> None:
    # 0 and 1 wait for each other in two meetings; nobody waits for 2, which sleeps.
    program = """
connection = join()
connection.exchange("all here", b"")
if index == 2:
    time.sleep(3)
    expect(errors.CollectiveTimeoutError, connection.check)
else:
    expect(errors.CollectiveTimeoutError, connection.exchange, f"of {index}", b"", (0, 1))
"""
    finished = run_job(program)
    assert_within(finished)
    for end in finished:
        assert "processes 0, 1 wait for each other" in end.stdout and "OLYMPUS_DEADLOCK_TIMEOUT" in end.stdout
        assert "process 0: meeting 'of 0' at <string>:" in end.stdout and "(waiting)" in end.stdout


@pytest.mark.parametrize("who", [0, 1])
@pytest.mark.parametrize("how", ["lock", "stop"])
def test_a_process_that_does_not_run_for_longer_than_the_limits_is_late_and_not_lost(who: int, how: str) -> None:
    # Its kernel acknowledges, whether a C call keeps Python's lock or the process is stopped; 1.5 s are the limit.
    program = f"""
import ctypes, dataclasses, subprocess
settings = dataclasses.replace(settings, stopped_timeout=30.0, warning_times=(1.0, 2.0))
connection = join()
connection.exchange("all here", b"")
if index == {who}:
    if {how!r} == "lock":
        ctypes.PyDLL(None).usleep(4_000_000)
    else:
        waker = subprocess.Popen(["sh", "-c", f"sleep 4; kill -CONT {{os.getpid()}}"])
        os.kill(os.getpid(), signal.SIGSTOP)
        waker.wait()
print(connection.exchange("after", str(index).encode()))
"""
    finished = run_job(program, deadline=40.0)
    for index, end in enumerate(finished):
        assert end.returncode == 0 and "[b'0', b'1', b'2']" in end.stdout, end.stderr
        if index != who:
            told = "it is stopped by a signal" if how == "stop" else "it holds Python's lock"
            text = told if who == 0 else {"lock": "(unresponsive;", "stop": "(stopped;"}[how]
            assert text in end.stderr and f"process {who}" in end.stderr, end.stderr


@pytest.mark.parametrize("who", [0, 1])
def test_a_process_that_is_stopped_for_longer_than_the_limits_while_it_joins_joins(who: int) -> None:
    program = f"""
import subprocess, threading
def stop():
    waker = subprocess.Popen(["sh", "-c", f"sleep 3; kill -CONT {{os.getpid()}}"])
    os.kill(os.getpid(), signal.SIGSTOP)
    waker.wait()
if index == {who}:
    threading.Timer(0.7, stop).start()
if index == 2:
    time.sleep(5.0)
connection = join(timeout=25.0)
print(connection.exchange("all here", b"x"))
"""
    for end in run_job(program, deadline=40.0):
        assert end.returncode == 0 and "[b'x', b'x', b'x']" in end.stdout, end.stdout + end.stderr


def test_a_late_process_is_named_with_its_stack_to_those_that_wait_and_to_itself() -> None:
    program = """
import dataclasses
settings = dataclasses.replace(settings, warning_times=(0.7, 60.0), late_timeout=4.0)

def load_data():
    while not is_broken():
        time.sleep(0.05)

def is_broken():
    try:
        connection.check()
    except errors.ClusterError:
        return True
    return False

connection = join()
connection.exchange("all here", b"")
if index == 1:
    load_data()
expect(errors.CollectiveTimeoutError, connection.exchange, "next", b"")
"""
    finished = run_job(program)
    assert_within(finished)
    # Whether both wait already when the first warning is due depends on the load.
    waiting = r"process(es)? [02](, 2)? waits? for this one \(process 1\) since"
    assert re.search(waiting, finished[1].stderr), finished[1].stderr
    for end in finished:
        assert "process 1 is at <string>:" in end.stdout and "in load_data, called from" in end.stdout
        assert "OLYMPUS_LATE_TIMEOUT" in end.stdout and "process 1 has not come" in end.stdout
    for index in (0, 2):
        told = finished[index].stderr
        assert re.search(rf"process {index} has waited \d s in meeting 'next' for process 1", told), told
        assert "in load_data" in told
        assert told.count("has waited") == 1


def test_status_shows_where_all_are() -> None:
    program = """
connection = join()
connection.exchange("all here", b"")

def compute():
    time.sleep(2.5)

if index == 1:
    connection.set_position(7, "#7 add at a.py:3", (0, 1, 2))
    compute()
if index == 0:
    connection.moved(4096)
    time.sleep(1.2)
    found = connection.status(stacks=True)
    print(found)
    waiting, late = found.processes[2], found.processes[1]
    assert (waiting.state, waiting.waiting) == ("waiting", "meeting 'next'") and waiting.waiting_seconds > 0.4
    assert (late.state, late.position, late.launch) == ("running", 7, "#7 add at a.py:3")
    assert " in compute" in late.stack[0] and late.line == late.stack[0].split(" in ")[0]
    assert found.processes[0].moved == 4096 and all(p.pid and p.host for p in found.processes)
    assert not connection.status().processes[1].stack and found.job == connection.job and not found.failure
connection.exchange("next", b"")
"""
    finished = run_job(program)
    assert [end.returncode for end in finished] == [0, 0, 0], [end.stderr for end in finished]
    assert "4.0 KiB" in finished[0].stdout and "waiting" in finished[0].stdout


def test_busy_process_is_waited_for() -> None:
    program = """
connection = join()
if index == 1:
    end = time.monotonic() + 3
    while time.monotonic() < end:
        pass
print(connection.exchange("slow start", str(index).encode()))
"""
    for end in run_job(program):
        assert "[b'0', b'1', b'2']" in end.stdout and end.returncode == 0, end.stderr


def test_declared_slow_process_is_waited_for() -> None:
    program = """
connection = join()
if index == 1:
    with connection.slow("saving"):
        time.sleep(2.5)
print(connection.exchange("after saving", b"x"))
"""
    for end in run_job(program):
        assert end.returncode == 0, end.stderr


def test_who_idles_in_a_wait_is_not_blamed_for_it() -> None:
    # 0 waits for 1, which waits for 2, which computes.
    program = """
connection = join()
if index == 2:
    end = time.monotonic() + 3
    while time.monotonic() < end:
        pass
if index in (1, 2):
    connection.exchange("inner", b"", (1, 2))
if index in (0, 1):
    connection.exchange("outer", b"", (0, 1))
"""
    for end in run_job(program):
        assert end.returncode == 0, end.stderr


def test_native_code_that_holds_the_interpreter_is_not_lost() -> None:
    # The power blocks the heartbeat's thread for longer than the time-out for silence.
    program = """
connection = join()
connection.exchange("all here", b"")
if index == 1:
    started, size = time.monotonic(), 400_000
    while time.monotonic() - started < 2.0:
        size *= 2
        started = time.monotonic()
        value = 7 ** size
    print("longest", time.monotonic() - started)
print(connection.exchange("after", b"x"))
"""
    finished = run_job(program, deadline=50.0)
    for end in finished:
        assert end.returncode == 0, end.stdout + end.stderr


def test_abort_reaches_all() -> None:
    program = """
connection = join()
if index == 1:
    connection.abort("the loss is NaN")
error = expect(errors.JobAbortedError, connection.exchange, "next", b"")
"""
    for end in run_job(program):
        assert "Process 1 ended the job: the loss is NaN" in end.stdout


def test_explicit_timeout_of_an_exchange() -> None:
    program = """
connection = join()
if index == 1:
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        pass
expect(errors.CollectiveTimeoutError, lambda: connection.exchange("soon", b"", timeout=0.5))
"""
    finished = run_job(program)
    for end in finished:
        assert "soon" in end.stdout and "process 1 has not come" in end.stdout
    assert "after 0." in finished[0].stdout + finished[2].stdout


def test_different_members_for_one_label_diverge() -> None:
    program = """
connection = join()
members = (0, 1, 2) if index else (0, 1)
expect(errors.DivergenceError, connection.exchange, "mesh", b"", members)
"""
    finished = run_job(program)
    assert_within(finished)
    for end in finished:
        assert "different things at meeting 'mesh'" in end.stdout
        assert "process 0: meeting 'mesh' of 2 processes [0, 1]" in end.stdout


def test_exchange_keeps_order_and_bytes() -> None:
    program = """
connection = join()
payload = bytes([index]) * (1 << 20)
values = connection.exchange("big", payload)
assert [len(v) for v in values] == [1 << 20] * 3 and [v[0] for v in values] == [0, 1, 2]
if index != 1:
    assert connection.exchange("pair", str(index).encode(), (2, 0)) == [b"2", b"0"]
assert connection.exchange("alone", b"me", (index,)) == [b"me"]
for step in range(50):
    assert connection.exchange("again", b"%d %d" % (index, step)) == [b"%d %d" % (i, step) for i in range(3)]
assert connection.hosts[0] == connection.hosts[1] == connection.hosts[2]
jobs = connection.exchange("job", connection.job.encode())
keys = connection.exchange("keys", connection.key("a") + connection.key("b"))
assert len(set(keys)) == 1 and len(keys[0]) == 64 and keys[0][:32] != keys[0][32:]
assert len(set(jobs)) == 1 and connection.job.replace("-", "").isalnum()
connection.shutdown()
print("fine")
"""
    for end in run_job(program):
        assert "fine" in end.stdout, end.stderr


def test_leaving_is_no_failure_when_nobody_waits() -> None:
    program = """
connection = join()
connection.exchange("all here", b"")
if index == 0:
    time.sleep(1.0)
elif index == 2:
    time.sleep(0.5)
    print("departed", sorted(connection.departed))
connection.check()
"""
    finished = run_job(program)
    assert [end.returncode for end in finished] == [0, 0, 0], [end.stderr for end in finished]
    assert "departed [1]" in finished[2].stdout


def test_process_0_serves_the_others_after_its_program_has_ended() -> None:
    program = """
connection = join()
if index:
    time.sleep(1.0)
    print(connection.exchange("later", b"x", (1, 2)))
"""
    finished = run_job(program)
    assert [end.returncode for end in finished] == [0, 0, 0], [end.stderr for end in finished]
    assert finished[0].seconds > 1.0


def test_wait_for_a_launch_names_who_left_before_it() -> None:
    program = """
connection = join()
connection.exchange("all here", b"")
if index == 1:
    connection.set_position(4, "#4 add at a.py:1", (0, 1, 2))
    connection.set_position(1, "#1 of a smaller group at a.py:2", (1, 2))
    sys.exit(0)
connection.set_position(5, "#5 all_reduce at a.py:2", (0, 1, 2))
def launch(position):
    end = time.monotonic() + 5
    while time.monotonic() < end:
        connection.check_group((0, 1, 2), position)
        time.sleep(0.01)
connection.check_group((0, 1, 2), 4)
expect(errors.ProcessLostError, launch, 5)
"""
    finished = run_job(program)
    assert_within(finished)
    for index in (0, 2):
        assert "Process 1 left" in finished[index].stdout
        assert "before #5 all_reduce at a.py:2" in finished[index].stdout


def test_overdue_launch_names_the_missing_and_where_they_stand() -> None:
    program = """
connection = join()
connection.exchange("all here", b"")
everybody = (0, 1, 2)
if index == 1:
    connection.set_position(20, "#20 add at train.py:30", everybody)
    time.sleep(3.0)
    expect(errors.CollectiveTimeoutError, connection.check)
else:
    connection.set_position(21, "#21 all_reduce at train.py:33", everybody)
    started, error = time.monotonic(), None
    while error is None and time.monotonic() - started < 5:
        time.sleep(0.1)
        error = connection.overdue("#21 all_reduce", everybody, 21, time.monotonic() - started)
    print(type(error).__name__, round(time.monotonic() - started, 1), error, connection.failed)
"""
    finished = run_job(program, env={"LATE": "1"})
    assert_within(finished)
    for end in finished:
        assert "CollectiveTimeoutError" in end.stdout and "process 1 has not come" in end.stdout, end.stderr
        assert "process 1: #20 add at train.py:30 (running)" in end.stdout


def test_orderly_shutdown_and_use_after_it() -> None:
    program = """
connection = join()
connection.shutdown()
connection.shutdown()
expect(errors.ShutdownError, connection.check)
expect(errors.ShutdownError, connection.exchange, "late", b"")
"""
    for end in run_job(program):
        assert end.stdout.count("the connection to the job is closed") == 2, end.stderr
        assert end.returncode == 0


@pytest.mark.parametrize("late", [0, 1])
def test_shutdown_has_a_deadline(late: int) -> None:
    program = f"""
connection = join()
if index == {late}:
    time.sleep(2.0)
else:
    error = expect(errors.ShutdownError, connection.shutdown, 0.5)
    print(error.missing)
"""
    finished = run_job(program)
    assert_within(finished)
    others = [end for index, end in enumerate(finished) if index != late]
    assert any(f"({late},)" in end.stdout for end in others), [end.stderr for end in finished]


def test_shutdown_of_one_ends_the_wait_of_another() -> None:
    program = """
connection = join()
if index == 1:
    expect(errors.ProcessLostError, connection.shutdown)
else:
    time.sleep(0.3)
    expect(errors.ProcessLostError, connection.exchange, "next", b"")
"""
    finished = run_job(program)
    assert_within(finished)
    for end in finished:
        assert "Process 1 left" in end.stdout


def test_forked_child_is_refused_and_does_not_hide_its_parents_death() -> None:
    program = """
import warnings
warnings.simplefilter("ignore")
connection = join()
if index == 1:
    child = os.fork()
    if child == 0:
        expect(errors.ForkedProcessError, connection.exchange, "forked", b"")
        time.sleep(5)
        os._exit(0)
    time.sleep(0.3)
    print("child", child, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
expect(errors.ProcessLostError, connection.exchange, "next", b"")
"""
    finished = run_job(program)
    for index in (0, 2):
        assert "Process 1 was killed" in finished[index].stdout
        assert finished[index].seconds < 10.0
    assert "This is a forked child of process" in finished[1].stdout
    child = int(finished[1].stdout.split("child")[-1].split()[0])
    wait_until(lambda: not is_alive(child), "end of the forked child")
