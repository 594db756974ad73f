# SPDX-License-Identifier: Apache-2.0
"""Log lines that never block: a pipe that nobody reads, many lines, a fork."""

from __future__ import annotations

import logging
import os
import re
import threading
from collections.abc import Iterator

import pytest

from olympus_core import logs
from olympus_core.logs import Log
from tests.cluster.programs import PRELUDE, run_job
from tests.support.processes import Processes, free_port, wait_until

# Heartbeats are due every 0.1 s and missed after 1.5 s; each process logs into a pipe that is full already.
_FILL = """
import fcntl
read, write = os.pipe()
fcntl.fcntl(write, fcntl.F_SETFL, os.O_NONBLOCK)
try:
    while True:
        os.write(write, b"x" * 4096)
except BlockingIOError:
    fcntl.fcntl(write, fcntl.F_SETFL, 0)
os.dup2(write, 2)
"""
_FULL_PIPE = _FILL + """
import logging
logging.basicConfig(level=logging.DEBUG)
connection = join()
import socket
for _ in range(20):  # each is a line of the coordinator's
    with socket.create_connection(("127.0.0.1", int(port))) as stranger:
        stranger.sendall(b"GET / HTTP/1.1\\r\\n\\r\\n")
        stranger.recv(100)
time.sleep(1.7)
print(connection.exchange("later", b"x"))
connection.shutdown()
"""


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.gate = threading.Event()
        self.gate.set()

    def emit(self, record: logging.LogRecord) -> None:
        assert self.gate.wait(20)
        self.lines.append(self.format(record))


@pytest.fixture
def lines() -> Iterator[_Lines]:
    handler = _Lines()
    logger = logging.getLogger("olympus-test")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    yield handler
    handler.gate.set()
    logger.removeHandler(handler)


@pytest.mark.slow
@pytest.mark.processes
def test_full_pipe_for_errors_stops_no_heartbeat() -> None:
    for end in run_job(_FULL_PIPE):
        assert not end.timed_out and "[b'x', b'x', b'x']" in end.stdout, end
        assert end.returncode == 0


@pytest.mark.slow
@pytest.mark.processes
def test_last_words_are_heard_though_the_traceback_cannot_be_written() -> None:
    program = f"""
if index == 1:
    {_FILL.strip().replace(chr(10), chr(10) + "    ")}
connection = join()
if index == 1:
    raise ValueError("nobody reads this")
expect(errors.ProcessLostError, lambda: connection.exchange("next", b"", timeout=20.0))
"""
    with Processes(20.0) as processes:
        port = free_port()
        for index in range(2):
            processes.start(PRELUDE + program, index, 2, port)
        processes.wait_for_output(0, "Process 1 raised ValueError: nobody reads this")


def test_lines_are_written_as_they_were_said(lines: _Lines) -> None:
    said = ["a"]
    log = Log("olympus-test")
    log.info("here is %s", said)
    said.append("b")
    try:
        raise KeyError("x")
    except KeyError:
        log.exception("it broke")
    wait_until(lambda: len(lines.lines) == 2, "two lines")
    assert lines.lines[0] == "here is ['a']"
    assert lines.lines[1].startswith("it broke\nTraceback") and "KeyError: 'x'" in lines.lines[1]


def test_a_handler_that_blocks_or_raises_keeps_nobody(lines: _Lines) -> None:
    log = Log("olympus-test", per_minute=10_000)
    lines.gate.clear()
    for number in range(1000):  # more than wait: none of these calls may block
        log.warning("line %d", number)
    lines.gate.set()
    wait_until(lambda: len(lines.lines) >= 256, "what had waited")
    log.warning("the last")
    wait_until(lambda: lines.lines[-1].startswith("the last"), "the last line")
    left_out = [int(found) for line in lines.lines for found in re.findall(r"\(and (\d+) lines", line)]
    assert sum(left_out) > 0 and sum(left_out) + len(lines.lines) == 1001


def test_a_minute_has_so_many_lines(lines: _Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(logs.time, "monotonic", lambda: now)
    log = Log("olympus-test", per_minute=3)
    for number in range(10):
        log.info("line %d", number)
    now += 60.0
    log.info("the next minute")
    monkeypatch.undo()
    wait_until(lambda: len(lines.lines) == 4, "four lines")
    assert lines.lines[-1] == "the next minute (and 7 lines that were left out)"


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_can_log(lines: _Lines) -> None:
    Log("olympus-test").info("before")
    wait_until(lambda: lines.lines == ["before"], "the parent's line")
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            Log("olympus-test").info("in the child")
            wait_until(lambda: "in the child" in lines.lines, "the child's line")
            os.write(write, b"fine")
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as file:
        assert file.read() == b"fine"
    os.waitpid(child, 0)
