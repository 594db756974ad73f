# SPDX-License-Identifier: Apache-2.0
"""TLS between processes and coordinator: it works, and what does not fit is told."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from olympus_core.cluster.channels import Channel, TlsChannel, TlsFiles, TlsProblem
from olympus_core.cluster.wire import Link
from olympus_core.errors import TlsFileError
from tests.cluster.programs import PRELUDE, run_job
from tests.support.processes import Finished, Processes, free_port

CERTIFICATES = Path(__file__).parent / "certificates"
MEMBER = TlsFiles(*(str(CERTIFICATES / name) for name in ("member.pem", "member.key", "authority.pem")))
processes = pytest.mark.processes


def tls_env(name: str | None = "member", authority: str = "authority") -> dict[str, str]:
    if name is None:
        return {}
    files = {"CERT": f"{name}.pem", "KEY": f"{name}.key", "CA": f"{authority}.pem"}
    return {f"OLYMPUS_TLS_{what}": str(CERTIFICATES / file) for what, file in files.items()}


def _two(env_0: dict[str, str], env_1: dict[str, str]) -> list[Finished]:
    program = "expect(errors.ClusterError, join, 1.5)\nos._exit(0)"
    port = free_port()
    with Processes(20.0) as running:
        for index, env in enumerate((env_0, env_1)):
            running.start(PRELUDE + program, index, 2, port, env=env)
        return running.wait()


@processes
@pytest.mark.slow
def test_a_job_with_tls() -> None:
    program = """
connection = join()
big = bytes([index]) * (3 << 20)  # more than sockets and records hold
assert [len(v) for v in connection.exchange("big", big)] == [len(big)] * 3
for step in range(20):
    assert connection.exchange("again", b"%d" % index) == [b"0", b"1", b"2"]
connection.shutdown()
print("fine")
"""
    for end in run_job(program, env=tls_env()):
        assert "fine" in end.stdout, end.stderr


@processes
@pytest.mark.slow
@pytest.mark.parametrize(
    ("env_0", "env_1", "words"),
    [
        (tls_env(), tls_env(None), "the coordinator wants it, and this process has no certificate"),
        (tls_env(None), tls_env(), "TLS with the coordinator at localhost"),
        (tls_env(), tls_env("stranger", "another"), "certificate"),
        (tls_env(), tls_env("stranger", "authority"), "unknown ca"),
    ],
)
def test_what_does_not_fit_is_told(env_0: dict[str, str], env_1: dict[str, str], words: str) -> None:
    finished = _two(env_0, env_1)
    assert "TlsError" in finished[1].stdout and words in finished[1].stdout, finished[1]
    assert "JoinTimeoutError" in finished[0].stdout and "turned away" in finished[0].stdout


@processes
def test_a_part_of_the_variables_is_told() -> None:
    env = tls_env()
    del env["OLYMPUS_TLS_KEY"]
    (end,) = run_job("expect(errors.TlsError, join, 1.0)", count=2, indices=[1], env=env)
    assert "OLYMPUS_TLS_KEY is not set" in end.stdout


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (MEMBER._replace(certificate="/nowhere/a.pem"), "No such file"),
        (MEMBER._replace(key=str(CERTIFICATES / "stranger.key")), "mismatch"),
        (MEMBER._replace(authority=str(CERTIFICATES / "README.md")), "no certificate|not|crl"),
    ],
)
def test_files_that_cannot_be_used(files: TlsFiles, words: str) -> None:
    with pytest.raises(TlsFileError, match=words) as caught:
        files.context(is_server=False)
    assert isinstance(caught.value, OSError)


def _pair() -> tuple[TlsChannel, TlsChannel]:
    here, there = socket.socketpair()
    return (TlsChannel(here, MEMBER.context(is_server=True), True, b""),
            TlsChannel(there, MEMBER.context(is_server=False), False, b""))


def _agree(*channels: TlsChannel) -> None:
    for _ in range(10):
        for channel in channels:
            try:
                assert channel.receive(1 << 16) == b""
            except BlockingIOError:
                pass
    assert all(channel.is_agreed for channel in channels)


def test_nothing_stays_where_no_select_sees_it() -> None:
    server, client = _pair()
    _agree(server, client)
    for piece in (b"a" * 10, b"b" * 20, b"c" * 30):
        assert client.send(piece) == len(piece)
    # One reading decrypts the records of all three.
    assert server.receive(1 << 16) == b"a" * 10 + b"b" * 20 + b"c" * 30
    with pytest.raises(BlockingIOError):
        server.receive(1 << 16)
    with pytest.raises(BlockingIOError):
        client.receive(1 << 16)  # what a server says after a handshake: unread, it would become an error
    client.close()
    assert server.receive(1 << 16) == b""
    server.close()


def test_the_end_of_a_connection_is_answered_with_nothing() -> None:
    server, client = _pair()
    _agree(server, client)
    client.end_receiving()
    assert client.receive(1 << 16) == b""
    with pytest.raises(BlockingIOError):
        server.receive(1 << 16)  # and no alert, which would end a member that only closes
    client.close()
    assert server.receive(1 << 16) == b""
    server.close()


def test_much_is_sent_while_the_other_side_reads_slowly() -> None:
    server, client = _pair()
    _agree(server, client)
    data = bytes(range(256)) * (1 << 14)
    thread = threading.Thread(target=Link(client).send, args=(data, 20.0))
    thread.start()
    received = bytearray()
    while len(received) < len(data):
        try:
            received += server.receive(1 << 12)
        except BlockingIOError:
            pass
    thread.join(20)
    assert received == data
    client.close()
    server.close()


def test_a_connection_that_has_ended_before_the_first_word_is_met_when_it_is_read() -> None:
    here, there = socket.socketpair()
    there.close()
    client = Channel(here).secured(MEMBER.context(is_server=False), False)
    assert client.receive(100) == b""
    client.close()


def test_what_is_no_tls_is_a_problem_once() -> None:
    here, there = socket.socketpair()
    server = TlsChannel(here, MEMBER.context(is_server=True), True, b"\x16\x03\x01\x00\x05hello")
    there.sendall(b"more")
    with pytest.raises(TlsProblem):
        server.receive(100)
    with pytest.raises(BlockingIOError):
        server.receive(100)
    assert there.recv(100).startswith(b"\x15")  # an alert says why
    there.close()
    assert server.receive(100) == b""
    server.close()
