# SPDX-License-Identifier: Apache-2.0
"""The limit of open files: raised where it can be, told at once where not, and met without a loop."""

from __future__ import annotations

import logging
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from olympus_core import logs
from olympus_core.cluster.connections import Connections
from olympus_core.cluster.machine import process_state
from olympus_core.cluster.open_files import allow_open_files
from olympus_core.cluster.secret import Secret, Security
from olympus_core.errors import OpenFilesError
from tests.support.processes import clean_environment

_PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (100, int(sys.argv[1])))
from olympus_core.cluster.bootstrap import connect
from olympus_core.errors import JoinTimeoutError, OpenFilesError
try:
    connect("localhost:0", int(sys.argv[2]), int(sys.argv[3]), timeout=0.1)
except (OpenFilesError, JoinTimeoutError) as error:
    print(type(error).__name__, resource.getrlimit(resource.RLIMIT_NOFILE)[0], error)
"""


def _told(hard: int, count: int, process: int = 0) -> list[str]:
    command = [sys.executable, "-c", _PROGRAM, str(hard), str(count), str(process)]
    env = clean_environment({"OLYMPUS_SECRET": "s" * 40})
    return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.split(maxsplit=2)


def test_the_limit_is_raised_to_what_the_processes_need() -> None:
    name, soft, _ = _told(4096, 2000)
    assert name == "JoinTimeoutError" and 2000 < int(soft) < 4096


def test_a_hard_limit_that_is_too_low_is_told_at_once() -> None:
    name, soft, text = _told(1024, 2000)
    assert name == "OpenFilesError" and soft == "100"
    assert "connections of 2000 processes to process 0 need 2" in text and "may have 1024" in text
    assert "`ulimit -n 2" in text


def test_another_process_takes_what_it_can_have() -> None:
    # It may never talk to all others; here it only fails to reach process 0.
    assert _told(4096, 2000, 7)[0] == _told(1024, 2000, 7)[0] == "JoinTimeoutError"
    assert int(_told(4096, 2000, 7)[1]) > 2000


def test_a_limit_that_is_high_enough_stays() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    allow_open_files(1, "one")
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == before
    if before[1] != resource.RLIM_INFINITY:
        with pytest.raises(OpenFilesError) as caught:
            allow_open_files(before[1], "many")
        assert caught.value.needed > caught.value.limit == before[1]


@pytest.fixture
def few_files() -> Iterator[None]:
    """No further file can be opened."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    logs.drain(1.0)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))), before[1]))
    holes = []
    try:
        while True:
            holes.append(os.dup(0))
    except OSError:
        pass
    yield
    for hole in holes:
        os.close(hole)
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_connections_that_cannot_be_accepted_are_told_once_and_tried_again_later(
    caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest
) -> None:
    listener = socket.create_server(("127.0.0.1", 0))
    connections = Connections(listener, Security(Secret(b"s" * 40, "a test")), lambda: None)
    here, there = socket.socketpair()
    connections.begin(here)
    with there, socket.create_connection(listener.getsockname()), caplog.at_level(logging.WARNING):
        request.getfixturevalue("few_files")
        for now in range(100):
            assert connections.select(10.0) and not connections.open
            connections.accept(float(now))
            assert now < connections.accepts_again < now + 1 and not connections.select(0.0)
            connections.accept_again(now + 0.9)
        # That nothing can be opened is no sign that a process has ended.
        state = process_state(os.getpid())
        assert state is not None and not state.ended
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        connections.accept(200.0)
        assert len(connections.open) == 1
        connections.close()
    logs.drain(1.0)
    assert len([r for r in caplog.records if "could not be accepted" in r.message]) <= 11
