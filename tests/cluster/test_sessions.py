# SPDX-License-Identifier: Apache-2.0
"""Sessions: a connection between a member and the coordinator that is reset, ended or cut, and goes on."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.cluster.schema import FROM_COORDINATOR
from olympus_core.cluster.session import MOST_KEPT, UNNUMBERED, Session
from olympus_core.cluster.wire import Body, BrokenStream, FrameReader, body, encode
from olympus_core.errors import BacklogError, JobAbortedError
from tests.support.processes import wait_until
from tests.support.proxy import Proxy
from tools.fuzz_coordinator.seats import SECRET, Job, faults, introduced

_KEY = b"k" * 32


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_each_frame_arrives_once_and_in_order(seed: int, count: int) -> None:
    """Two accounts, frames that are lost with their connection at any byte, acknowledgements on the way back."""
    choice = random.Random(seed)
    ours, theirs = Session(_KEY, "a"), Session(_KEY, "a")
    reader, received, sent = FrameReader(FROM_COORDINATOR, 1000), [], 0
    while len(received) < count:
        stream = b""
        if sent < count and choice.random() < 0.7:
            sent += 1
            stream = b"".join(ours.send(body({"t": "answer", "token": sent})))
        if choice.random() < 0.3 or sent == count:  # the connection is made anew
            reader = FrameReader(FROM_COORDINATOR, 1000)
            assert ours.can_resume_at(theirs.received)
            stream = b"".join(ours.resume(theirs.received))
        if choice.random() < 0.3:
            stream = stream[: choice.randrange(len(stream) + 1)]
            reader.feed(stream)
            received += _taken(reader, theirs)
            reader = FrameReader(FROM_COORDINATOR, 1000)
            stream = b"".join(ours.resume(theirs.received))
        reader.feed(stream)
        received += _taken(reader, theirs)
        if choice.random() < 0.5:
            (ack,) = theirs.tell(body({"t": "ack"}))
            back = FrameReader(FROM_COORDINATOR, 1000)
            back.feed(ack)
            frame = back.frame()
            assert frame is not None and ours.accept(frame)
    assert received == [*range(1, count + 1)]
    ours.resume(theirs.received)
    assert ours.kept == 0


def _taken(reader: FrameReader, session: Session) -> list[int]:
    found = []
    while (frame := reader.frame()) is not None:
        if session.accept(frame):
            found.append(frame.message["token"])
    return found


def _frame(number: int, acknowledged: int = 0, kind: str = "answer"):
    reader = FrameReader(FROM_COORDINATOR, 1000)
    message = {"t": kind, "token": 1} if kind == "answer" else {"t": kind}
    reader.feed(b"".join(body(message).pieces(number, acknowledged)))
    return reader.frame()


def test_numbers_out_of_order_are_no_session() -> None:
    session = Session(_KEY, "a")
    for number, acknowledged, kind in ((2, 0, "answer"), (0, 0, "answer"), (1, 0, "ack"), (1, 1, "answer"),
                                       ((1 << 64) - 1, 0, "answer"), (0, (1 << 64) - 1, "ack")):
        with pytest.raises(BrokenStream):
            session.accept(_frame(number, acknowledged, kind))
    assert session.received == 0
    assert session.accept(_frame(1)) and not session.accept(_frame(1)) and session.accept(_frame(2))
    assert not session.can_resume_at(1) and session.can_resume_at(0)
    session.send(Body(b"{}", b""))
    assert session.accept(_frame(0, 1, "ack")) and not session.can_resume_at(0) and session.can_resume_at(1)


def test_who_receives_much_says_so() -> None:
    session = Session(_KEY, "a")
    for number in range(1, 258):
        assert not session.owes_word
        session.accept(_frame(number))
    assert session.owes_word
    session.tell(body({"t": "ack"}))
    assert not session.owes_word


def test_what_is_kept_has_a_limit() -> None:
    session, large = Session(_KEY, "a"), bytes(64 << 20)
    for _ in range(MOST_KEPT // len(large) - 1):
        session.send(Body(b"", large))
    with pytest.raises(BacklogError, match="OLYMPUS_HEARTBEAT_TIMEOUT"):
        session.send(Body(b"x", large + b"x"))
    assert session.sent == MOST_KEPT // len(large) - 1


def test_a_proof_holds_for_one_session_side_connection_and_attempt() -> None:
    session = Session(_KEY, "a")
    right = ("member", b"n" * 64, 1, 5, 1)
    proof = session.proof(*right)
    assert session.is_proof(proof, *right)
    for wrong in (("coordinator", *right[1:]), ("member", b"m" * 64, 1, 5, 1), ("member", b"n" * 64, 2, 5, 1),
                  ("member", b"n" * 64, 1, 4, 1), ("member", b"n" * 64, 1, 5, 2)):
        assert not session.is_proof(proof, *wrong)
    for other in (Session(b"l" * 32, "a"), Session(_KEY, "b")):
        assert not other.is_proof(proof, *right)
    assert "exchange" not in UNNUMBERED


@contextlib.contextmanager
def _proxied(seed: int = 0, most: int | None = None) -> Iterator[tuple[Job, Proxy]]:
    """A job of members 0 and 1, the latter behind a proxy, and a third that only sits there."""
    with faults() as found, contextlib.ExitStack() as stack:
        proxies: list[Proxy] = []

        def between(port: int) -> int:
            proxies.append(stack.enter_context(Proxy(port, seed, most)))
            return proxies[0].port

        job = Job(between)
        try:
            yield job, proxies[0]
        finally:
            job.close()
    assert found == []


@pytest.mark.parametrize("seed", range(3))
def test_a_connection_that_is_reset_all_the_time_loses_nothing_and_repeats_nothing(seed: int) -> None:
    choice = random.Random(seed)
    said = {p: [choice.randbytes(choice.randrange(choice.choice((10, 6000)))) for _ in range(150)] for p in (0, 1)}
    values: dict[int, list[list[bytes]]] = {0: [], 1: []}
    with _proxied(seed, 30_000) as (job, proxy):

        def work(process: int) -> None:
            member = job.members[process]
            for number, value in enumerate(said[process]):
                values[process].append(member.exchange(f"m{number}", value, (0, 1)))

        threads = [threading.Thread(target=work, args=(p,)) for p in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        expected = [list(pair) for pair in zip(said[0], said[1], strict=True)]
        assert values[0] == expected and values[1] == expected
        assert proxy.resets > 20
        assert not any(member.failed for member in job.members)


def _resume(job: Job, session: Session, process: int, received: int, attempt: int | None = None) -> socket.socket:
    """A connection that knows the job's secret and asks to go on with a session."""
    sock, nonces = introduced(job.port, SECRET.encode())
    attempt = session.attempt + 1 if attempt is None else attempt
    proof = session.proof("member", nonces, process, received, attempt)
    message = {"t": "resume", "process": process, "attempt": attempt, "received": received, "proof": proof}
    sock.sendall(encode(message))
    return sock


def _answer(sock: socket.socket) -> str:
    """The kind of the first message."""
    reader = FrameReader(FROM_COORDINATOR, 1 << 20)
    while (frame := reader.frame()) is None:
        data = sock.recv(1 << 16)
        assert data
        reader.feed(data)
    return str(frame.message["t"])


def test_whoever_may_not_go_on_with_a_session_does_not_disturb_it() -> None:
    with _proxied() as (job, _):
        mine = job.coordinator._peers[1].session
        assert mine is not None
        channel = job.coordinator._peers[1].channel
        foreign = Session(SECRET.encode(), "f" * 64)  # of another run, with the same secret
        of_another = job.coordinator._peers[2].session  # of another member of this run
        assert of_another is not None
        wrong = [
            (foreign, 1, 0, 1), (of_another, 1, 0, 1), (mine, 2, 0, 1), (mine, 0, 0, 1), (mine, 700, 0, 1),
            (mine, 1, 1 << 50, 1), (mine, 1, mine.sent + 1, 1), (mine, 1, mine.sent, 0),
        ]
        for session, process, received, attempt in wrong:
            with _resume(job, session, process, received, attempt) as sock:
                assert _answer(sock) == "refused"
        assert job.meet("meanwhile") is None
        assert job.coordinator._peers[1].channel is channel and mine.attempt == 0
        assert not any(member.failed for member in job.members)


def test_a_proof_of_another_connection_is_refused() -> None:
    with _proxied() as (job, _):
        session = job.coordinator._peers[1].session
        assert session is not None
        sock, _ = introduced(job.port, SECRET.encode())
        proof = session.proof("member", b"n" * 64, 1, session.sent, 1)
        with sock:
            sock.sendall(encode({"t": "resume", "process": 1, "attempt": 1, "received": session.sent, "proof": proof}))
            assert _answer(sock) == "refused"
        assert job.meet("after it") is None


def test_a_new_connection_supersedes_the_old_one_and_an_old_attempt_nothing() -> None:
    with _proxied() as (job, proxy):
        peer, link = job.coordinator._peers[1], job.members[1]._link
        only_one, last = job.coordinator._connections.open, job.coordinator._peers[2]
        only_one.discard(last)
        for expected in (1, 2, 3):
            old = peer.channel
            link._give_up("the test says so", is_silent=True)
            link.wake()
            wait_until(lambda old=old: peer.channel is not old and peer.is_open, "the new connection")
            assert job.meet(f"over connection {expected}") is None
            assert peer.session is not None and peer.session.attempt == link._session.attempt == expected
        with _resume(job, peer.session, 1, peer.session.sent, 2) as sock:
            assert _answer(sock) == "refused"
        assert job.meet("after it") is None and proxy.made == 4
        assert not job.coordinator.wait_until_alone(0.0)  # it has never been without that process
        only_one.add(last)


def test_who_was_cut_off_learns_what_ended_the_job() -> None:
    with _proxied() as (job, proxy):
        proxy.hold(True)
        job.members[0].abort("enough")
        proxy.reset()
        assert not job.members[1].failed
        proxy.hold(False)
        wait_until(lambda: job.members[1].failed, "the news")
        with pytest.raises(JobAbortedError, match="enough"):
            job.members[1].check()


def test_connections_that_end_in_order_are_made_anew() -> None:
    with _proxied() as (job, proxy):
        for number in range(5):
            proxy.end()
            assert job.meet(f"meeting {number}") is None
        assert proxy.made > 3 and not any(member.failed for member in job.members)
