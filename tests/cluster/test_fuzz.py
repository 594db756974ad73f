# SPDX-License-Identifier: Apache-2.0
"""The fuzzer of the coordinator in bounded form, and what it found; all of it: `python -m tools.fuzz_coordinator`."""

from __future__ import annotations

import itertools
import json
import socket
import threading
import time

import pytest

from olympus_core.cluster import failure, schema
from olympus_core.cluster.authentication import NONCE_SIZE, PROOF_SIZE, Challenge, proof
from olympus_core.cluster.schema import FROM_COORDINATOR, FROM_MEMBERS, MalformedFrame, compose, read
from olympus_core.cluster.unauthenticated import UnauthenticatedPeers
from olympus_core.cluster.wire import PREAMBLE, Body, encode, most_text
from olympus_core.errors import AuthenticationError, MessageSizeError, ProcessLostError
from olympus_core.errors.cluster import spell
from tests.support.processes import wait_until
from tools.fuzz_coordinator import samples
from tools.fuzz_coordinator.packets import packet
from tools.fuzz_coordinator.seats import SECRET, Job, faults, play_coordinator, play_member, reset, show_secret
from tools.fuzz_coordinator.strangers import Crowd

TABLES = ((FROM_MEMBERS, samples.FROM_MEMBERS), (FROM_COORDINATOR, samples.FROM_COORDINATOR))


def test_every_kind_has_a_sample_that_is_right() -> None:
    for table, messages in TABLES:
        assert table.keys() == messages.keys()
        for kind, message in messages.items():
            said = {"t": kind, **message}
            assert read(compose(said), table) == said
    assert schema.FAILURES.keys() == samples.FAILURES.keys()
    assert failure._CLASSES.keys() - schema.FAILURES.keys() == {"forked", "closed"}
    for kind, facts in samples.FAILURES.items():
        assert str(failure.error_of({"kind": kind, **facts}))


def test_what_is_read_is_a_message_or_malformed() -> None:
    """Whatever is changed in a message: nothing else than MalformedFrame is raised, and what passes fits when sent."""
    passed = 0
    for table, messages in TABLES:
        for seed in range(1500):
            _, data = packet(seed, messages)
            size = int.from_bytes(data[:4], "big")
            try:
                message = read(data[24 : 24 + size], table)
            except MalformedFrame as error:
                assert len(str(error)) < 1000
                continue
            passed += 1
            assert read(compose(message), table) == message
    assert 300 < passed < 2000


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"t":"report","position":' + "[" * 5000 + "]" * 5000 + "}",
        '{"t":"ask","census":' + '{"a":' * 20 + "1" + "}" * 21,
        '{"t":"ask","census":1e999}',
        '{"t":"ask","census":Infinity}',
        '{"t":"ask","census":NaN}',
        '{"t":"ask","census":true}',
        '{"t":"ask","census":1.0}',
        '{"t":"ask","census":' + "9" * 5000 + "}",
        '{"t":"ask","census":1,"census":1}',
        '{"t":"ask","census":1,"more":1}',
        '{"t":"refused","failure":{"kind":"size","claims":{},"reason":"\\ud800"},"final":true}',
        '{"t":"refused","failure":{"kind":"closed","reason":"x"},"final":true}',
        '{"t":"refused","failure":{"kind":[],"reason":"x"},"final":true}',
        '{"t":["ask"],"census":1}',
        '"\\"[[[[[[[[[[[[[[[[[[[["',
        "",
    ],
)
def test_what_ended_jobs_before_is_malformed(text: str) -> None:
    with pytest.raises(MalformedFrame):
        read(text.encode(), FROM_COORDINATOR)


def test_brackets_in_texts_are_no_depth() -> None:
    said = {"t": "words", "token": 1, "words": '[{"' * 100 + "\\"}
    assert read(json.dumps(said).encode(), FROM_MEMBERS) == said


def test_a_group_is_bounded() -> None:
    report = {"t": "report", **samples.FROM_MEMBERS["report"]}
    for group in ("0-99999999", "0-65536", "3-1", "0-2, 1-3", "1, 1", "0-", ",", " 1", "\u0661"):
        with pytest.raises(MalformedFrame, match="group"):
            read(json.dumps({**report, "group": group}).encode(), FROM_MEMBERS)


def test_texts_that_explain_are_cut_when_they_are_sent() -> None:
    said = read(compose({"t": "words", "token": 1, "words": "x\ud800" * 10_000}), FROM_MEMBERS)
    assert said["words"] == "x?" * 2000


def test_the_longest_that_a_healthy_process_says_is_not_too_long() -> None:
    count, words = 40, "\u1234" * 9000
    standings = [[f"{process}", 1 << 50, words, f"slow: {words}", 1.0] for process in range(count)]
    fact = {"kind": "timeout", "label": words, "process": 1, "seconds": 1.0, "missing": "0-39", "limit": "x"}
    data = compose({"t": "failed", "failure": {**fact, "standings": standings}})
    assert len(data) < most_text(count) and read(data, FROM_COORDINATOR)
    groups = itertools.islice(itertools.combinations(range(count), count // 2), 5000)
    report = {"t": "report", **samples.FROM_MEMBERS["report"], "entered": {spell(group): 1 for group in groups}}
    data = compose(report)
    newest = [*report["entered"]][-1]
    assert len(data) < most_text(count) and newest in read(data, FROM_MEMBERS)["entered"]


@pytest.mark.slow
def test_members_that_misbehave() -> None:
    rounds = [play_member(seed) for seed in range(40)]
    assert [problem for _, problem in rounds if problem is not None] == []
    assert sum(sent for sent, _ in rounds) > 200


@pytest.mark.slow
def test_coordinators_that_misbehave() -> None:
    rounds = [play_coordinator(seed) for seed in range(20)]
    assert [problem for _, problem in rounds if problem is not None] == []
    assert sum(sent for sent, _ in rounds) > 100


@pytest.mark.slow
def test_strangers_and_those_who_know_the_secret_keep_nobody() -> None:
    with faults() as found:
        job = Job()
        try:
            crowd = Crowd(job.port, SECRET.encode(), 0)
            while crowd.sent < 1500:
                crowd.act()
            assert job.meet("while they knock") is None and job.problem() is None
            assert not job.members[0].failed and not job.members[1].failed
            crowd.close()
        finally:
            job.close()
    assert found == []


@pytest.fixture
def job():
    with faults() as found:
        job = Job()
        yield job
        job.close()
    assert found == []


def test_a_report_that_cannot_be_read_is_dropped(job: Job) -> None:
    for data in (b'{"t":"report","position":1e999}', b'{"t":"report","group":"0-99999999"}', b'{"t":"report"}'):
        job.seat.sendall(Body(data, b"").pieces()[0])
    job.seat.sendall(encode({"t": "exchange", "token": 1, "label": "all", "of": "0-2"}, b"2", 1))
    found: list[list[bytes]] = []
    threads = [threading.Thread(target=lambda m=m: found.append(m.exchange("all", b"x"))) for m in job.members]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert found == [[b"x", b"x", b"2"]] * 2


@pytest.mark.parametrize("data", [b"[" * 20_000, b'{"t":"exchange","of":1e999}', b'{"t":"hello"}'])
def test_a_member_that_cannot_be_heard_is_lost_in_these_words(job: Job, data: bytes) -> None:
    job.seat.sendall(b"".join(Body(data, b"").pieces(1)))
    for member in job.members:
        with pytest.raises(ProcessLostError, match="Process 2 cannot be heard any more: it sent what is no message"):
            member.exchange("next", b"")
            member.exchange("next", b"", timeout=5.0)


def test_a_fault_of_our_own_ends_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job()

    def broken(self: object, *_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(type(job.coordinator), "_hear_newcomer", broken)
    with faults() as found, show_secret(job.port, SECRET.encode()) as sock:
        sock.sendall(encode({"t": "hello", **samples.FROM_MEMBERS["hello"]}))
        assert sock.recv(100) == b""
        wait_until(lambda: bool(found), "the fault in the log")
        fault = found.pop()
    assert "ZeroDivisionError" in fault
    assert job.meet("after it") is None and not job.members[0].failed
    job.close()


def test_a_stranger_learns_a_version_and_a_nonce(job: Job) -> None:
    with socket.create_connection(("127.0.0.1", job.port), 10) as sock:
        sock.sendall(PREAMBLE + bytes(NONCE_SIZE) + bytes(PROOF_SIZE))
        received = b""
        while data := sock.recv(1000):
            received += data
    assert len(received) == len(PREAMBLE) + 1 + NONCE_SIZE + 2 + 1
    assert received.startswith(PREAMBLE + b"N") and received.endswith(b"\0\0R")


def test_proofs_can_be_neither_reflected_nor_replayed() -> None:
    secret, nonce = b"s" * 32, b"n" * NONCE_SIZE
    first, second = Challenge(secret, b""), Challenge(secret, b"")
    answer, _ = first.feed(PREAMBLE + nonce)
    theirs = answer[len(PREAMBLE) + 1 :][:NONCE_SIZE]
    right = proof(secret, "member", nonce, theirs)
    # The same proof for another nonce of the coordinator, and the coordinator's own proof sent back.
    second.feed(PREAMBLE + nonce)
    assert second.feed(right) == (b"R", b"") and not second.is_proven
    third = Challenge(secret, b"")
    answer, _ = third.feed(PREAMBLE + nonce)
    theirs_3 = answer[len(PREAMBLE) + 1 :][:NONCE_SIZE]
    assert third.feed(proof(secret, "coordinator", nonce, theirs_3))[0] == b"R"
    answer, rest = first.feed(right + b"rest")
    assert (answer, rest) == (b"Y" + proof(secret, "coordinator", nonce, theirs), b"rest") and first.is_proven


def test_a_coordinator_that_does_not_know_the_secret_is_told_nothing() -> None:
    heard: list[bytes] = []

    def pretend(listener: socket.socket) -> None:
        sock, _ = listener.accept()
        with sock:
            sock.recv(1000)
            sock.sendall(PREAMBLE + b"N" + bytes(NONCE_SIZE) + b"\0\0")
            heard.append(sock.recv(1000))
            sock.sendall(b"Y" + bytes(PROOF_SIZE))
            heard.append(sock.recv(1000))

    from tools.fuzz_coordinator.seats import _joiner

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=pretend, args=(listener,))
        thread.start()
        with pytest.raises(AuthenticationError, match="what answers there does not know"):
            _joiner(listener.getsockname()[1], 1, 2).join()
        thread.join(20)
    assert [len(data) for data in heard] == [PROOF_SIZE, 0]


def test_those_who_stay_silent_give_way_and_members_get_in(job: Job) -> None:
    idle = [socket.create_connection(("127.0.0.1", job.port), 10) for _ in range(400)]
    with show_secret(job.port, SECRET.encode()) as sock:
        assert sock.fileno() > 0
    assert len(job.coordinator._connections._unauthenticated) <= 256
    assert job.meet("while they wait") is None
    for sock in idle:
        reset(sock)


def test_the_oldest_of_the_address_that_has_most_gives_way() -> None:
    class Somebody:
        def __init__(self, host: str) -> None:
            self.origin = host

    peers = UnauthenticatedPeers(most=4)
    few, many = Somebody("a"), [Somebody("b") for _ in range(4)]
    assert [peers.add(peer) for peer in (few, *many[:3])] == [None] * 4
    assert peers.add(many[3]) is many[0]
    peers.remove(many[0])
    peers.remove(many[0])
    assert len(peers) == 4 and peers.add(Somebody("c")) is many[1]


def test_no_descriptor_left_is_a_pause_and_no_storm(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    connections, calls = job.coordinator._connections, []

    class Listener:
        def __init__(self, inner: socket.socket) -> None:
            self.inner = inner

        def accept(self) -> object:
            calls.append(1)
            raise OSError(24, "Too many open files")

        def __getattr__(self, name: str) -> object:
            return getattr(self.inner, name)

    inner = connections._listener
    connections._listener = Listener(inner)
    with socket.create_connection(("127.0.0.1", job.port), 10):
        end = time.monotonic() + 0.35
        while time.monotonic() < end:
            assert job.meet("meanwhile") is None
        assert 1 <= len(calls) < 50
        connections._listener = inner
        with show_secret(job.port, SECRET.encode()):
            pass


def test_what_is_too_much_for_a_message_is_told(job: Job) -> None:
    with pytest.raises(MessageSizeError, match="too much for messages"):
        job.members[0].exchange("m" * 5000, b"")
    with pytest.raises(MessageSizeError, match="too much for messages"):
        job.members[0].exchange("m", bytes(100 << 20))
    assert job.meet("after it") is None
