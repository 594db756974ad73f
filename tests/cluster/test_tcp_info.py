# SPDX-License-Identifier: Apache-2.0
"""What the kernel tells of a connection: a peer that does not run acknowledges, a network that is cut does not."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time

import pytest

from olympus_core.cluster.channels import Channel
from olympus_core.cluster.tcp_info import TcpInfo, tcp_info
from tests.support.networks import ADDRESSES, Networks, are_allowed
from tests.support.processes import Processes, wait_until

pytestmark = pytest.mark.skipif(not hasattr(socket, "TCP_INFO"), reason="the system does not tell")

_PEER = """
import socket, sys, time
with socket.create_server((sys.argv[1], int(sys.argv[2]))) as server:
    print(f"listening at {server.getsockname()[1]}.", flush=True)
    connection = server.accept()[0]
    print("accepted", flush=True)
    time.sleep(60)
"""


def _known(channel: Channel) -> TcpInfo:
    found = channel.tcp_info()
    assert found is not None
    return found


def test_a_stopped_process_acknowledges() -> None:
    with Processes(30.0) as processes:
        peer = processes.start(_PEER, "127.0.0.1", 0)
        processes.wait_for_output(0, "listening at ")
        port = int(processes.output(0).partition("listening at ")[2].partition(".")[0])
        with socket.create_connection(("127.0.0.1", port)) as sock:
            channel = Channel(sock)
            assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
            processes.wait_for_output(0, "accepted")
            os.kill(peer.pid, signal.SIGSTOP)
            for _ in range(5):
                sent = time.monotonic()
                channel.send(b"x" * 100)
                wait_until(lambda: not _known(channel).unanswered, "the acknowledgement")
                assert _known(channel).age <= time.monotonic() - sent + 0.05
            # Its buffer is filled: the kernel has acknowledged what it had room for, so nothing is unanswered for long.
            for _ in range(100_000):
                try:
                    channel.send(b"x" * 65536)
                except BlockingIOError:
                    break
            wait_until(lambda: not _known(channel).unanswered, "the acknowledgement of what had room")


@pytest.mark.slow
@pytest.mark.skipif(not are_allowed(), reason="this machine lets nobody make networks")
def test_a_network_that_is_cut_does_not_acknowledge() -> None:
    asker = f"""
import socket, sys, time
from olympus_core.cluster.tcp_info import tcp_info
with socket.create_connection(({ADDRESSES[1]!r}, 4711), 10) as sock:
    before = tcp_info(sock)
    print("connected", flush=True)
    while True:
        sock.send(b"x")
        time.sleep(0.05)
        found = tcp_info(sock)
        if found.unanswered and found.age > 1.0:
            print("silent", flush=True)
            break
    while found.unanswered:
        time.sleep(0.05)
        found = tcp_info(sock)
    print("answered", found.age < 1.0, flush=True)
"""
    with Networks() as networks, Processes(30.0) as processes:
        processes.start([*networks.command(1), sys.executable, "-c", _PEER], ADDRESSES[1], 4711)
        processes.wait_for_output(0, "listening")
        processes.start([*networks.command(0), sys.executable, "-c", asker])
        processes.wait_for_output(1, "connected")
        networks.cut()
        processes.wait_for_output(1, "silent")
        networks.heal()
        processes.wait_for_output(1, "answered True")


def test_what_is_no_tcp_connection_is_not_known() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert tcp_info(ours) is None
    with socket.socket() as closed:
        pass
    assert tcp_info(closed) is None
