"""Processes that connect with each other, and strangers that do not belong to them."""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections import deque
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.errors.platform import TransportError
from olympus_core.toolkit import Phase
from olympus_cpu.transports.tcp import engine as engine_module
from olympus_cpu.transports.tcp import mesh
from olympus_cpu.transports.tcp.engine import Engine
from olympus_cpu.transports.tcp.handshake import DiallerHandshake, ListenerHandshake, Verdict
from olympus_cpu.transports.tcp.mesh import connect_all

from .test_pmi import Meeting, Rendezvous


class Late(Rendezvous):
    """Lets something happen between the exchange of the addresses and their use."""

    def __init__(self, process: int, meeting: Meeting, count: int, interlude=None) -> None:
        super().__init__(process, meeting, ["a"] * count)
        self.interlude = interlude

    def exchange(self, label, value, processes=None, timeout=None):
        answers = super().exchange(label, value, processes, timeout)
        if self.interlude is not None:
            self.interlude([json.loads(a) for a in answers])
        return answers


def connected(rendezvous: list[Rendezvous], timeout: float = 10.0) -> list[object]:
    """What each process has in the end: its sockets or its error."""
    results: list[object] = [None] * len(rendezvous)

    def run(i: int) -> None:
        try:
            results[i] = connect_all(rendezvous[i], range(len(rendezvous)), timeout)
        except Exception as error:  # noqa: BLE001  (the test looks at it)
            results[i] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(rendezvous))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return results


def close(results: list[object]) -> None:
    for links in results:
        for link in links.values():
            link.close()


def test_everybody_is_connected_with_everybody() -> None:
    meeting = Meeting(4)
    results = connected([Late(i, meeting, 4) for i in range(4)])
    for i, links in enumerate(results):
        assert sorted(links) == [p for p in range(4) if p != i]
        for process, link in links.items():
            link.setblocking(True)
            link.sendall(bytes([i, process]))
    for i, links in enumerate(results):
        for process, link in links.items():
            assert link.recv(2) == bytes([process, i])
    close(results)


def test_strangers_are_turned_away_and_do_no_harm() -> None:
    meeting = Meeting(2)
    strangers: list[socket.socket] = []

    def intrude(addresses) -> None:
        for words in (b"GET / HTTP/1.1\r\nHost: somebody.example.org\r\n\r\n" * 2, b"",
                      b"\1\0\0\0" + b"n" * 32 + b"p" * 32):
            stranger = socket.create_connection(tuple(addresses[0]), 5)
            stranger.sendall(words)
            if not words:
                stranger.shutdown(socket.SHUT_RDWR)
            strangers.append(stranger)

    results = connected([Late(0, meeting, 2, intrude), Late(1, meeting, 2)])
    assert [sorted(links) for links in results] == [[1], [0]]
    for stranger in strangers:
        stranger.settimeout(5)
        try:
            while stranger.recv(4096):
                pass
        except ConnectionError:
            pass
        stranger.close()
    close(results)


def test_another_jobs_process_is_told_apart() -> None:
    meeting = Meeting(2)
    ours, other = Late(0, meeting, 2), Late(1, meeting, 2)
    other.key = lambda purpose: b"k" * 32
    first, second = connected([ours, other], timeout=0.5)
    assert isinstance(first, TransportError) and isinstance(second, TransportError)
    assert "processes [1] did not connect" in str(first)
    assert "processes [0] did not connect (process 0: it closed the connection; perhaps not" in str(second)


def test_a_process_that_does_not_listen_is_named() -> None:
    meeting = Meeting(2)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nobody = probe.getsockname()
    with pytest.raises(TransportError, match="connecting to process 0"):
        connect_all(_Misled(meeting, nobody), (0, 1), 5)


@pytest.mark.parametrize("text", [b"", b"[" * 5000, b'["127.0.0.1", 0]', b'["127.0.0.1", 1e999]', b'["::1"]', b"{}",
                                  b"[7, 7]", b'["127.0.0.1", true]', b'"ab"', b"9" * 5000,
                                  b'["' + b"a" * 300 + b'", 1]'])
def test_an_address_that_is_none_is_refused(text: bytes) -> None:
    rendezvous = _Misled(Meeting(2), ("", 1))
    rendezvous.exchange = lambda label, value, processes=None, timeout=None: [text, value]
    with pytest.raises(TransportError, match="process 0.*it tells no address"):
        connect_all(rendezvous, (0, 1), 5)


class _Misled(Rendezvous):
    """Process 1 of two; the first listens where a test says."""

    def __init__(self, meeting: Meeting, address: tuple[str, int]) -> None:
        super().__init__(1, meeting, ["a", "a"])
        self.address = address

    def exchange(self, label, value, processes=None, timeout=None):
        return [json.dumps(self.address).encode(), value]


def test_a_part_of_a_job_connects_alone() -> None:
    meeting = Meeting(4)
    results: dict[int, object] = {}

    def run(process: int) -> None:
        results[process] = connect_all(Late(process, meeting, 4), (1, 3), 10)

    threads = [threading.Thread(target=run, args=(p,)) for p in (1, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert {p: sorted(links) for p, links in results.items()} == {1: [3], 3: [1]}
    close(list(results.values()))


def test_whoever_says_nothing_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """More idle strangers than may be there at once, and their time would be longer than the job's."""
    monkeypatch.setattr(mesh, "_HANDSHAKE_TIME", 1000.0)
    meeting, strangers = Meeting(3), []

    def intrude(addresses) -> None:
        count = mesh._MOST_UNAUTHENTICATED + 20
        strangers.extend(socket.create_connection(tuple(addresses[0]), 5) for _ in range(count))

    results = connected([Late(0, meeting, 3, intrude), Late(1, meeting, 3), Late(2, meeting, 3)])
    assert [sorted(links) for links in results] == [[1, 2], [0, 2], [0, 1]]
    close(results)
    for stranger in strangers:
        stranger.close()


def test_a_member_among_a_flood_of_strangers_gets_in() -> None:
    meeting, stop, threads = Meeting(2), threading.Event(), []

    def flood(address: tuple[str, int]) -> None:
        held: deque[socket.socket] = deque()
        while not stop.is_set():
            with suppress(OSError):
                held.append(socket.create_connection(address, 0.2))
            if len(held) > 2 * mesh._MOST_UNAUTHENTICATED:
                held.popleft().close()
        for stranger in held:
            stranger.close()

    def intrude(addresses) -> None:
        threads.append(threading.Thread(target=flood, args=(tuple(addresses[0]),), daemon=True))
        threads[0].start()

    results = connected([Late(0, meeting, 2, intrude), Late(1, meeting, 2)])
    stop.set()
    threads[0].join(10)
    assert [sorted(links) for links in results] == [[1], [0]]
    close(results)


def test_only_the_address_that_the_others_use_is_listened_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mesh, "address_towards", lambda rendezvous: "127.0.0.5")
    meeting, refused = Meeting(2), []

    def intrude(addresses) -> None:
        assert addresses[0][0] == "127.0.0.5"
        try:
            socket.create_connection(("127.0.0.1", addresses[0][1]), 5).close()
        except ConnectionRefusedError:
            refused.append(True)

    results = connected([Late(0, meeting, 2, intrude), Late(1, meeting, 2)])
    assert [sorted(links) for links in results] == [[1], [0]] and refused
    close(results)


KEY = b"k" * 32


def _shaken(welcoming: ListenerHandshake, dialling: DiallerHandshake) -> tuple[bytes, bytes, bytes]:
    """The three messages of a handshake that succeeds."""
    challenge = welcoming.first()
    _, claim = dialling.take(challenge)
    verdict, answer = welcoming.take(claim)
    assert verdict is Verdict.AUTHENTICATED and welcoming.process == 1
    assert dialling.take(answer)[0] is Verdict.AUTHENTICATED
    return challenge, claim, answer


def test_the_listener_shows_nothing_before_the_dialler_has() -> None:
    first, second = ListenerHandshake(KEY, 0, frozenset({1})), ListenerHandshake(KEY, 0, frozenset({1}))
    challenge, claim, answer = _shaken(first, DiallerHandshake(KEY, 1, 0))
    assert challenge != second.first()
    assert second.take(claim) == (Verdict.REJECTED, b"")  # heard elsewhere: another nonce
    assert len(challenge) + len(claim) + len(answer) < 200


@pytest.mark.parametrize(
    "case", ["another listener", "not a member", "itself", "reflected", "another key", "old answer"])
def test_a_code_is_good_for_one_pair_one_direction_and_one_time(case: str) -> None:
    welcoming, dialling = ListenerHandshake(KEY, 0, frozenset({1})), DiallerHandshake(KEY, 1, 0)
    if case == "another listener":
        dialling = DiallerHandshake(KEY, 1, 2)
    elif case == "not a member":
        dialling = DiallerHandshake(KEY, 7, 0)
    elif case == "itself":
        dialling = DiallerHandshake(KEY, 0, 0)
    elif case == "another key":
        dialling = DiallerHandshake(b"x" * 32, 1, 0)
    _, claim = dialling.take(welcoming.first())
    if case in ("reflected", "old answer"):
        answer = claim[-32:] if case == "reflected" else _shaken(ListenerHandshake(KEY, 0, frozenset({1})),
                                                                  DiallerHandshake(KEY, 1, 0))[2]
        assert dialling.take(answer) == (Verdict.REJECTED, b"")
    else:
        assert welcoming.take(claim) == (Verdict.REJECTED, b"")
        assert welcoming.process == -1


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_no_other_messages_are_taken_for_a_members(data: st.DataObject) -> None:
    """Each message of a handshake changed, cut and lengthened, or anything at all."""
    welcoming, dialling = ListenerHandshake(KEY, 0, frozenset({1})), DiallerHandshake(KEY, 1, 0)
    challenge, claim, answer = _shaken(ListenerHandshake(KEY, 0, frozenset({1})), DiallerHandshake(KEY, 1, 0))
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


@settings(max_examples=30, deadline=None)
@given(st.lists(st.one_of(
    st.binary(max_size=40), st.builds(lambda tag, size: struct.pack("<QQ", tag, size),
                                      st.integers(0, 3), st.sampled_from([0, 1, 7, 1 << 20, 1 << 43, (1 << 64) - 1])),
), max_size=12))
def test_frames_of_any_kind_end_in_an_error_and_take_no_memory(frames: list[bytes]) -> None:
    """What a member sends by mistake: nothing is taken for what was announced but has not come."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    rendezvous = Rendezvous(0, Meeting(2), ["a", "a"])
    engine = Engine({1: ours}, rendezvous)
    taken, got = bytearray(), b"".join(frames)
    link = engine._links[1]

    def steps():
        block = np.zeros(7, np.uint8)
        yield Phase(receives=[(1, block)], sends=[])
        taken.extend(block)
        return [block]

    job = engine.begin(steps(), "a test", 2)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_module, "await_cause", lambda *_: None)
        theirs.sendall(got)
        theirs.shutdown(socket.SHUT_WR)
        assert job.done.wait(10)
        held = sum(piece.nbytes for queue in link.early.values() for i in queue for piece in i._pieces)
        assert held <= len(got) + len(frames) * engine_module._PIECE
        assert job.error is None or isinstance(job.error, TransportError)
        if job.error is None:
            assert bytes(taken) in got
    engine.close()
    theirs.close()
