# SPDX-License-Identifier: Apache-2.0
"""Processes that connect with each other on demand, and strangers that do not belong to them."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections import deque
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.errors.platform import ProcessConnectionError, TransportError
from olympus_core.toolkit import Members, Phase, Steps, collectives
from olympus_cpu.transports.tcp import blocks, connector
from olympus_cpu.transports.tcp import engine as engine_module
from olympus_cpu.transports.tcp import request as request_module
from olympus_cpu.transports.tcp.connector import Limits
from olympus_cpu.transports.tcp.engine import Engine
from olympus_cpu.transports.tcp.handshake import DiallerHandshake, ListenerHandshake, Verdict
from olympus_cpu.transports.tcp.world import address_of

from ..test_pmi import Meeting, Rendezvous
from .engines import Engines


@pytest.fixture(autouse=True)
def causes_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_module, "await_cause", lambda *_: None)


def barrier(members: Members, _: int) -> Steps:
    return collectives.barrier(members)


def test_a_connection_is_made_for_the_first_message_and_no_other() -> None:
    with Engines(4) as engines:
        assert [list(engine._links) for engine in engines.engines] == [[], [], [], []]
        _pass_on(engines, 3, 1)  # the smaller index dials, and it only receives
        assert [list(engine._links) for engine in engines.engines] == [[], [3], [], [1]]
        _pass_on(engines, 0, 2)
        assert [list(engine._links) for engine in engines.engines] == [[2], [3], [0], [1]]
        engines.run(barrier)
        listening = [engine._connector._listener is not None for engine in engines.engines]
        assert listening == [False, True, True, True]


def _pass_on(engines: Engines, source: int, target: int) -> None:
    block = np.zeros(9, np.uint8)
    sending, receiving = Phase(), Phase()
    sending.send(target, block + 5)
    receiving.receive(source, block)
    tag = 1000 * source + target
    requests = [engines.engines[source].begin(_one(sending), "a test", tag),
                engines.engines[target].begin(_one(receiving), "a test", tag)]
    for request in requests:
        request.wait(time.monotonic() + 10)
    assert (block == 5).all()


def _one(phase: Phase) -> Steps:
    yield phase
    return []


def test_strangers_are_turned_away_and_do_no_harm() -> None:
    with Engines(2) as engines:
        strangers = []
        for words in (b"GET / HTTP/1.1\r\nHost: somebody.example.org\r\n\r\n" * 3, b"",
                      b"\1\0\0\0" + b"n" * 32 + b"p" * 48):
            stranger = socket.create_connection(engines.addresses[1], 5)
            stranger.sendall(words)
            if not words:
                stranger.shutdown(socket.SHUT_RDWR)
            strangers.append(stranger)
        engines.run(barrier)
        for stranger in strangers:
            stranger.settimeout(5)
            with suppress(ConnectionError):
                while stranger.recv(4096):
                    pass
            stranger.close()


def test_another_jobs_process_is_told_apart() -> None:
    with Engines(2, Limits(0.3, 0.3)) as engines:
        engines.engines[0]._connector._key = b"k" * 32
        first, second = engines.begin(barrier)
        with pytest.raises(ProcessConnectionError, match="process 1 at .* it closed the connection") as caught:
            first.wait(time.monotonic() + 10)
        assert caught.value.option == "olympus_connect_timeout"
        engines.engines[1].fail(TransportError("tcp", "a test", "it is over"))
        with pytest.raises(TransportError, match="it is over"):
            second.wait(time.monotonic() + 10)


def test_an_impostor_that_listens_is_an_error_at_once() -> None:
    with Engines(2) as engines, socket.create_server(("127.0.0.1", 0)) as impostor:
        engines.engines[0].know({1: impostor.getsockname()})
        request = engines.begin(barrier)[0]
        connection, _ = impostor.accept()
        with connection:
            connection.sendall(b"220 a mail server is here, which says much before it is asked anything" + b"." * 60)
            with pytest.raises(TransportError, match="lacks the job's secret"):
                request.wait(time.monotonic() + 10)
        engines.engines[1].fail(TransportError("tcp", "a test", "it is over"))


def test_a_process_that_does_not_listen_is_named_with_address_and_port() -> None:
    with Engines(2) as engines:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            nobody = probe.getsockname()
        engines.engines[0].know({1: nobody})
        request = engines.begin(barrier)[0]
        with pytest.raises(ProcessConnectionError, match=f"process 1 at 127.0.0.1:{nobody[1]} .*refused"):
            request.wait(time.monotonic() + 10)
        with pytest.raises(ProcessConnectionError):  # and so is what is begun later
            engines.begin(barrier)[0].wait(time.monotonic() + 10)
        engines.engines[1].fail(TransportError("tcp", "a test", "it is over"))


def test_a_filtered_port_is_named_with_address_and_port(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose queue of connections is full drops what comes, as a firewall does."""
    monkeypatch.setattr(connector, "_CONNECT_TIME", 0.05)
    with Engines(2, Limits(0.3, 0.3)) as engines, socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        host, port = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex((host, port))
        engines.engines[0].know({1: (host, port)})
        request = engines.begin(barrier)[0]
        with pytest.raises(ProcessConnectionError, match=rf"process 1 at {host}:{port} .*no answer for 0\.\d s"):
            request.wait(time.monotonic() + 10)
        engines.engines[1].fail(TransportError("tcp", "a test", "it is over"))
        for one in waiting:
            one.close()


@pytest.mark.parametrize("text", [b"", b"[" * 5000, b'["127.0.0.1", 0]', b'["127.0.0.1", 1e999]', b'["::1"]', b"{}",
                                  b"[7, 7]", b'["127.0.0.1", true]', b'"ab"', b"9" * 5000, b"null",
                                  b'["' + b"a" * 300 + b'", 1]'])
def test_an_address_that_is_none_is_refused(text: bytes) -> None:
    with pytest.raises(TransportError, match="process 3.*it tells no address"):
        address_of(3, text)


def test_whoever_says_nothing_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """More idle strangers than may be there at once, and their time would be longer than the job's."""
    monkeypatch.setattr(connector, "_HANDSHAKE_TIME", 1000.0)
    with Engines(3) as engines:
        count = connector._MOST_UNAUTHENTICATED + 20
        strangers = [socket.create_connection(engines.addresses[2], 5) for _ in range(count)]
        engines.run(barrier)
        for stranger in strangers:
            stranger.close()


def test_a_member_among_a_flood_of_strangers_gets_in() -> None:
    stop = threading.Event()

    def flood(address: tuple[str, int]) -> None:
        held: deque[socket.socket] = deque()
        while not stop.is_set():
            with suppress(OSError):
                held.append(socket.create_connection(address, 0.2))
            if len(held) > 2 * connector._MOST_UNAUTHENTICATED:
                held.popleft().close()
        for stranger in held:
            stranger.close()

    with Engines(2) as engines:
        thread = threading.Thread(target=flood, args=(engines.addresses[1],), daemon=True)
        thread.start()
        try:
            engines.run(barrier)
        finally:
            stop.set()
            thread.join(10)


def test_what_a_process_says_it_has_received_is_checked() -> None:
    with Engines(2) as engines:
        engines.run(barrier)
        link = engines.engines[0]._links[1]
        for offset in (link._acknowledged - 1, link._framed + 1):
            with pytest.raises(TransportError, match="says that it has received"):
                link._acknowledge(offset)


KEY = b"k" * 32


def listener() -> ListenerHandshake:
    return ListenerHandshake(KEY, 0, frozenset({1}), lambda process: 40)


def dialler(key: bytes = KEY, own: int = 1, process: int = 0) -> DiallerHandshake:
    return DiallerHandshake(key, own, process, lambda process: 70)


def _shaken(welcoming: ListenerHandshake, dialling: DiallerHandshake) -> tuple[bytes, bytes, bytes]:
    """The three messages of a handshake that succeeds."""
    challenge = welcoming.first()
    _, claim = dialling.take(challenge)
    verdict, answer = welcoming.take(claim)
    assert verdict is Verdict.AUTHENTICATED and welcoming.process == 1
    assert dialling.take(answer)[0] is Verdict.AUTHENTICATED
    assert (welcoming.offset, dialling.offset) == (70, 40)
    return challenge, claim, answer


def test_the_listener_shows_nothing_before_the_dialler_has() -> None:
    first, second = listener(), listener()
    challenge, claim, answer = _shaken(first, dialler())
    assert challenge != second.first()
    assert second.take(claim) == (Verdict.REJECTED, b"")  # heard elsewhere: another nonce
    assert len(challenge) + len(claim) + len(answer) < 200


@pytest.mark.parametrize(
    "case", ["another listener", "not a member", "itself", "reflected", "another key", "old answer"])
def test_a_code_is_good_for_one_pair_one_direction_and_one_time(case: str) -> None:
    welcoming, dialling = listener(), dialler()
    if case == "another listener":
        dialling = dialler(process=2)
    elif case == "not a member":
        dialling = dialler(own=7)
    elif case == "itself":
        dialling = dialler(own=0)
    elif case == "another key":
        dialling = dialler(b"x" * 32)
    _, claim = dialling.take(welcoming.first())
    if case in ("reflected", "old answer"):
        answer = claim[-40:] if case == "reflected" else _shaken(listener(), dialler())[2]
        assert dialling.take(answer) == (Verdict.REJECTED, b"")
    else:
        assert welcoming.take(claim) == (Verdict.REJECTED, b"")
        assert welcoming.process == -1


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_other_messages_are_taken_for_a_members(data: st.DataObject) -> None:
    """Each message of a handshake changed, cut and lengthened, or anything at all."""
    welcoming, dialling = listener(), dialler()
    challenge, claim, answer = _shaken(listener(), dialler())
    sample = data.draw(st.sampled_from([challenge, claim, answer]))
    changed = bytearray(sample)
    for at, bits in data.draw(st.lists(st.tuples(st.integers(0, len(sample) - 1), st.integers(0, 255)), max_size=3)):
        changed[at] ^= bits
    for side in (welcoming, dialling):
        message = (bytes(changed) + data.draw(st.binary(max_size=80))).ljust(side.lacks, b"\0")[: side.lacks]
        while side.lacks:
            verdict, reply = side.take(message[: side.lacks].ljust(side.lacks, b"\0"))
            assert verdict is not Verdict.AUTHENTICATED
            assert not reply or side is dialling
            if verdict is Verdict.REJECTED:
                break


NUMBERS = st.sampled_from([0, 1, 7, 16, 23, 1 << 20, 1 << 43, (1 << 64) - 2, (1 << 64) - 1])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(
    st.binary(max_size=40), st.builds(lambda first, second: struct.pack("<QQ", first, second), NUMBERS, NUMBERS),
    st.builds(lambda tag, size: struct.pack("<QQQQ", 16 + size, 0, tag, size) + b"b" * size,
              st.integers(0, 3), st.sampled_from([0, 1, 7])),
), max_size=12))
def test_frames_of_any_kind_end_in_an_error_and_take_no_memory(frames: list[bytes]) -> None:
    """What a member sends by mistake: nothing is taken for what was announced but has not come."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    taken, got = bytearray(), b"".join(frames)

    def steps() -> Steps:
        block = np.zeros(7, np.uint8)
        yield Phase(receives=[(0, block)], sends=[])
        taken.extend(block)
        return [block]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_module, "_LOOK_PERIOD", 0.01)
        engine = Engine(Rendezvous(1, Meeting(2), ["a", "a"]), None, Limits(0.05, 0.05))
        with engine._lock:
            engine.received(0)
            engine.attach(0, ours, 0)
        link = engine._links[0]
        job = engine.begin(steps(), "a test", 2)
        theirs.sendall(got)
        theirs.shutdown(socket.SHUT_WR)
        assert job.done.wait(10)
        assert link.blocks.early_bytes <= len(got) + len(frames) * blocks._PIECE
        assert job.error is None or isinstance(job.error, TransportError)
        if job.error is None:
            assert bytes(taken) in got
        engine.close()
    theirs.close()
