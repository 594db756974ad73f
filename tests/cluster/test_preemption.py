# SPDX-License-Identifier: Apache-2.0
"""A job that is asked to end learns of it in all processes at the same step, wherever each of them is."""

from __future__ import annotations

import random
import signal
import threading
from pathlib import Path

import pytest

from olympus_core.cluster.preemption import PreemptionPoint, PreemptionVote, request
from olympus_core.errors import CollectiveTimeoutError
from tests.support.launching import LAUNCH, written
from tests.support.processes import Processes, free_port, is_alive, run_processes, wait_until
from tools.fuzz_coordinator.seats import Job, faults

pytestmark = pytest.mark.processes


@pytest.fixture
def asked():
    request.make()
    yield
    request.is_made = False


@pytest.mark.parametrize("seed", range(20))
def test_threads_of_any_order_agree(seed: int, asked: None) -> None:
    """Members step in threads of their own, readers answer late and in any order, and all end at one step."""
    choice, count = random.Random(seed), 4
    pauses = [[choice.choice((0.0, 0.0, 0.0002, 0.001)) for _ in range(400)] for _ in range(count)]
    told, lock = threading.Event(), threading.Lock()
    points = [PreemptionPoint(told.set, lambda waited: None) for _ in range(count)]
    begin = choice.choice((0, 1000))
    vote = PreemptionVote(range(count), 0, 0.0, 1.0)
    ends: dict[int, int] = {}

    def step(member: int) -> None:
        for number in range(begin, 100_000):
            if points[member].reached(number):
                ends[member] = number
                return
            threading.Event().wait(pauses[member][number % 400])

    def answer(member: int) -> None:
        told.wait()
        threading.Event().wait(pauses[member][0])
        with lock:
            decided = vote.hear(member, points[member].hold())
        if decided is not None:
            for point in points:
                point.decide(decided)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(count) for work in (step, answer)]
    choice.shuffle(threads)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(ends) == count and len(set(ends.values())) == 1


def test_who_leaves_has_no_further_step() -> None:
    vote = PreemptionVote((0, 1, 2), 0, now=5.0, limit=10.0)
    assert [vote.hear(0, 7), vote.hear(0, 9), vote.forget(3), vote.forget(2)] == [None] * 4
    fact = vote.overdue(15.0)
    assert fact is not None and fact["missing"] == "1" and vote.overdue(14.0) is None
    assert vote.hear(1, -1) == 8 and vote.overdue(99.0) is None


def test_who_does_not_answer_is_named_with_the_limit() -> None:
    with faults() as found:
        job = Job()  # of three: the last one says nothing
        try:
            job.members[0].preemption._tell()
            wait_until(lambda: job.members[0].preemption.is_held, "the question")
            job.coordinator._preemption._limit = 0.1
            with pytest.raises(CollectiveTimeoutError, match=r"process 2 has not come") as caught:
                job.members[0].preemption.reached(3)
            assert "OLYMPUS_LATE_TIMEOUT" in str(caught.value) and "preempted()" in str(caught.value)
        finally:
            job.close()
    assert found == []


RANDOM_DELAYS = """
import random, sys, time
from olympus_core.cluster import connect
from olympus_core.cluster.preemption import request

index, count, *ports = map(int, sys.argv[1:])
for port in ports:
    connection = connect(f"localhost:{port}", count, index)
    choice = random.Random(1000 * port + index)
    asks = {port % count, port // 7 % count} if port % 2 else set(range(count))
    at, step, speed = choice.randrange(60), -1, choice.choice((0.0, 0.0005, 0.003))
    if port % 5 == 0 and index == 1 and asks != {1}:
        at, speed = 10**9, 0.02  # far behind, and asked by others only
    point = connection.preemption
    while True:
        step += 1
        if index in asks and step == at:
            request.make()
        if point.reached(step):
            break
        time.sleep(choice.random() * speed)
    ends = connection.exchange("ends", str(step).encode())
    assert len(set(ends)) == 1 and point.reached(step + 1), (port, ends)
    request.is_made = False
    connection.shutdown()
print("done")
"""


def test_processes_with_random_delays_agree() -> None:
    ports = [free_port() for _ in range(8)]
    for end in run_processes(RANDOM_DELAYS, 4, lambda i: i, 4, *ports, deadline=60.0):
        assert end.returncode == 0 and end.stdout == "done\n", end


def test_a_process_that_holds_learns_that_the_job_has_failed() -> None:
    program = """
    import os, signal, sys
    from olympus_core.cluster import connect
    from olympus_core.cluster.preemption import request
    from olympus_core.errors import ProcessLostError
    index, port = map(int, sys.argv[1:])
    connection = connect(f"localhost:{port}", 2, index)
    if index == 1:
        handle = connection._handle
        def killed_before_it_answers(frame):
            if frame.message["t"] == "hold":
                os.kill(os.getpid(), signal.SIGKILL)
            handle(frame)
        connection._handle = killed_before_it_answers
        connection.exchange("begin", b"")
        signal.pause()
    connection.exchange("begin", b"")
    request.make()
    try:
        while not connection.preemption.reached(connection.preemption.last + 1):
            pass
    except ProcessLostError as error:
        print("lost", error.process)
    """
    holder, killed = run_processes(program, 2, lambda i: i, free_port())
    assert holder.stdout == "lost 1\n" and killed.returncode == -signal.SIGKILL, holder


SIGNALS = """
import os, signal, sys, threading
import olympus
from olympus import distributed

def handler():
    return signal.getsignal(signal.SIGTERM)
def kill(number=signal.SIGTERM):
    os.kill(os.getpid(), number)
def never():
    distributed.is_initialized()
    kill()
def over():
    assert not distributed.preempted()
    distributed.shutdown()
    kill()
def off():
    olympus.config.update("olympus_preemption_signal", "none")
    assert not distributed.preempted()
    kill()
def thread():
    other = threading.Thread(target=distributed.preempted)
    other.start()
    other.join()
    kill()
def thread_first():
    other = threading.Thread(target=distributed.preempted)
    other.start()
    other.join()
    assert not distributed.preempted()
    kill()
    assert distributed.preempted()
def asks():
    assert not distributed.preempted() and handler() is not signal.SIG_DFL
    kill()
    assert distributed.preempted() and distributed.preempted(0)
    kill()
    if not (child := os.fork()):
        kill()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == signal.SIGTERM
    distributed.shutdown()
    assert handler() is signal.SIG_DFL
def another():
    olympus.config.update("olympus_preemption_signal", "USR2")
    assert not distributed.preempted() and handler() is signal.SIG_DFL
    kill(signal.SIGUSR2)
    assert distributed.preempted()
def own_handler():
    own = lambda *_: distributed.request_preemption()
    signal.signal(signal.SIGTERM, own)
    assert not distributed.preempted() and handler() is own
    kill()
    assert distributed.preempted()
def own_handler_later():
    assert not distributed.preempted()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    distributed.shutdown()
    kill()

for case in (never, over, off, thread, thread_first, asks, another, own_handler, own_handler_later):
    if not (child := os.fork()):
        case()
        os._exit(0)
    print(case.__name__, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def test_the_signal_means_something_only_where_somebody_asks() -> None:
    (end,) = run_processes(SIGNALS, 1)
    codes = dict(line.split() for line in end.stdout.splitlines())
    ended = dict.fromkeys(("never", "over", "off", "thread"), str(-signal.SIGTERM))
    goes_on = dict.fromkeys(("thread_first", "asks", "another", "own_handler", "own_handler_later"), "0")
    assert codes == {**ended, **goes_on}, end


def test_a_killed_launcher_leaves_nothing(tmp_path: Path) -> None:
    program = """
    import os, time
    from olympus.distributed import preempted
    assert not preempted()
    print("pid", os.getpid(), flush=True)
    time.sleep(60)
    """
    with Processes(25.0) as processes:
        launcher = processes.start(LAUNCH, "launch", "-n", 1, written(tmp_path, program))
        processes.wait_for_output(0, "pid")
        wait_until(lambda: processes.output(0).endswith("\n"), "the line's end")
        pid = int(processes.output(0).split()[2])
        launcher.kill()
        wait_until(lambda: not is_alive(pid), f"end of {pid}")


TRAINING = """
import sys
import numpy as np, olympus
from olympus import distributed

distributed.initialize()
mesh = olympus.make_mesh((len(olympus.devices()),), ("x",))
put = lambda value: olympus.device_put(value, olympus.NamedSharding(mesh, olympus.P("x")))
value = put(np.ones(6, np.float32))
step = olympus.jit(lambda v: v + v.sum() * 0)
for number in range(100_000):
    value = step(value)
    if number == 5:
        print("running", flush=True)
    if distributed.preempted():
        print("saved", number, flush=True)
        sys.exit(143)
"""


@pytest.mark.slow
def test_a_launched_job_saves_the_same_step(tmp_path: Path) -> None:
    with Processes(45.0) as processes:
        launcher = processes.start(LAUNCH, "launch", "-n", 3, "-d", 1, written(tmp_path, TRAINING))
        for index in range(3):
            processes.wait_for_output(0, f"[{index}] running")
        launcher.send_signal(signal.SIGTERM)
        (finished,) = processes.wait()
    steps = [line.split()[2] for line in finished.stdout.splitlines() if " saved " in line]
    assert finished.returncode == 128 + signal.SIGTERM and len(steps) == 3 and len(set(steps)) == 1, finished
