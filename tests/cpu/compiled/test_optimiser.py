# SPDX-License-Identifier: Apache-2.0
"""The thread that makes better code: order, quiet, its end with the process, and in a child of fork."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest

from olympus_core.errors import OlympusInternalError
from olympus_cpu.compiled.optimiser import Optimiser
from tests.support.processes import Processes

_SECONDS = 10.0


@pytest.fixture
def optimiser() -> Iterator[Optimiser]:
    made = Optimiser()
    yield made
    made.close()


def test_jobs_run_in_order_in_another_thread(optimiser: Optimiser) -> None:
    done, ran = threading.Event(), []
    for i in range(3):
        optimiser.submit(lambda i=i: ran.append((i, threading.current_thread().name)))
    optimiser.submit(done.set)
    assert done.wait(_SECONDS)
    assert ran == [(i, "olympus-optimise") for i in range(3)]


def test_no_job_begins_while_somebody_compiles(optimiser: Optimiser) -> None:
    done = threading.Event()
    with optimiser.foreground():
        optimiser.submit(done.set)
        assert not done.wait(0.2)
    assert done.wait(_SECONDS)


def test_a_job_does_not_wait_for_ever(optimiser: Optimiser) -> None:
    done = threading.Event()
    with optimiser.foreground():
        optimiser.submit(done.set)
        assert done.wait(_SECONDS)


def test_closing_waits_for_the_job_under_way_and_forgets_the_others(optimiser: Optimiser) -> None:
    began, go, ran = threading.Event(), threading.Event(), []

    def job() -> None:
        began.set()
        go.wait(_SECONDS)
        ran.append("first")

    optimiser.submit(job)
    optimiser.submit(lambda: ran.append("second"))
    assert began.wait(_SECONDS)
    threading.Timer(0.05, go.set).start()
    optimiser.close()
    assert ran == ["first"]
    optimiser.submit(lambda: ran.append("third"))
    optimiser.close()
    assert ran == ["first"]


@pytest.mark.parametrize("kind", [OlympusInternalError, UserWarning])
def test_a_job_that_fails_is_logged_and_others_follow(
    optimiser: Optimiser, caplog: pytest.LogCaptureFixture, kind: type[Exception]
) -> None:
    def job() -> None:
        raise kind("no better code today")

    done = threading.Event()
    with caplog.at_level(logging.WARNING, "olympus.cpu"):
        optimiser.submit(job)
        optimiser.submit(done.set)
        assert done.wait(_SECONDS)
    assert "no better code today" in caplog.text


ENDS = """
import numpy, olympus, olympus.numpy as jnp
x = olympus.device_put(numpy.arange(100, dtype="float32"))
for i in range(5):
    f = olympus.jit(lambda x: jnp.tanh(jnp.sin(x) * i) + jnp.expm1(x))
    for _ in range(4):
        f(x)
print("end")
"""
FORKS = """
import os, time, warnings
from olympus_cpu.compiled.optimiser import Optimiser
warnings.simplefilter("ignore", DeprecationWarning)
optimiser, ran = Optimiser(), []
optimiser.submit(lambda: ran.append(1))
while not ran:
    time.sleep(0.001)
child = os.fork()
if child == 0:
    optimiser.submit(lambda: ran.append(2))
    end = time.monotonic() + 10
    while len(ran) < 2 and time.monotonic() < end:
        time.sleep(0.001)
    os._exit(len(ran))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.parametrize(("program", "output"), [(ENDS, "end"), (FORKS, "2")])
def test_processes_end_well(program: str, output: str) -> None:
    with Processes(60.0) as processes:
        for _ in range(2):
            processes.start(program, env={"OLYMPUS_ENABLE_COMPILATION_CACHE": "0"})
        ends = processes.wait()
    for end in ends:
        assert (end.returncode, end.stdout.strip(), end.stderr) == (0, output, "")
