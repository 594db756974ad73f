# SPDX-License-Identifier: Apache-2.0
"""The parts that need no process: frames, addresses, roll-call, meetings, standings, errors."""

from __future__ import annotations

import inspect
import logging
import socket
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import errors as olympus_errors
from olympus_core import logs
from olympus_core.cluster.addresses import Address, DialResult, dial, listen, parse_address
from olympus_core.cluster.channels import Channel
from olympus_core.cluster.connection import Connection
from olympus_core.cluster.dial_warnings import DialWarnings, explain
from olympus_core.cluster.exit_report import describe
from olympus_core.cluster.failure import _CLASSES, error_of, failure
from olympus_core.cluster.groups import ProcessGroup, ProcessGroups, unspell
from olympus_core.cluster.keys import derived_key
from olympus_core.cluster.liveness import SilenceWatch
from olympus_core.cluster.machine import machine_identity, process_space, process_state
from olympus_core.cluster.meetings import Meetings
from olympus_core.cluster.member import Member
from olympus_core.cluster.progress import ProcessProgress
from olympus_core.cluster.roll_call import RollCall
from olympus_core.cluster.schema import FROM_COORDINATOR, FROM_MEMBERS, MalformedFrame
from olympus_core.cluster.send_queue import SendQueue
from olympus_core.cluster.session import Session
from olympus_core.cluster.session_link import SessionLink
from olympus_core.cluster.settings import ClusterSettings
from olympus_core.cluster.tcp_info import TcpInfo
from olympus_core.cluster.unauthenticated import refusal_of_bytes
from olympus_core.cluster.values import pack, unpack
from olympus_core.cluster.wire import Body, Frame, FrameReader, Link, LinkClosed, encode
from olympus_core.errors import (
    AddressInUseError,
    CoordinatorAddressError,
    OlympusError,
    authentication,
    joining,
    network,
)
from olympus_core.errors import cluster as errors

_LABELS = st.text(st.characters(codec="utf-8"), max_size=5)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(_LABELS, st.binary(max_size=40)), max_size=5), st.integers(1, 30))
def test_frames_survive_any_cutting(said: list[tuple[str, bytes]], step: int) -> None:
    sent = [({"t": "exchange", "token": 1, "label": label, "of": "0, 2"}, payload) for label, payload in said]
    stream = b"".join(encode(message, payload) for message, payload in sent)
    reader, received = FrameReader(FROM_MEMBERS, 1000), []
    for start in range(0, len(stream), step):
        reader.feed(stream[start : start + step])
        while (frame := reader.frame()) is not None:
            received.append(tuple(frame[:2]))
    assert received == sent


@pytest.mark.parametrize("text", [b"[]", b"{}", b"{", b"\xff", b"\xff" * 2000])
def test_malformed_frames_are_found(text: bytes) -> None:
    reader = FrameReader(FROM_MEMBERS, 1000)
    reader.feed(b"".join(Body(text, b"").pieces()))
    with pytest.raises(MalformedFrame):
        reader.frame()


def test_link_waits_end() -> None:
    here, there = socket.socketpair()
    link = Link(Channel(here))
    started = time.monotonic()
    assert link.receive(100, 0.05) == b""
    with pytest.raises(TimeoutError):
        link.send(b"x" * (1 << 26), 0.1)
    assert time.monotonic() - started < 10.0
    there.close()
    link.close()


def test_link_meets_the_end() -> None:
    here, there = socket.socketpair()
    link = Link(Channel(here))
    there.sendall(b"last")
    there.close()
    assert link.receive(100, 1.0) == b"last"
    with pytest.raises(LinkClosed):
        link.receive(100, 1.0)
    with pytest.raises(LinkClosed):
        link.send(b"x", 0.1)
    link.close()


@pytest.mark.parametrize(
    ("text", "address", "shown"),
    [
        ("localhost:10000", Address("localhost", 10000), "localhost:10000"),
        ("10.0.0.3", Address("10.0.0.3", 8476), "10.0.0.3:8476"),
        ("[::1]:80", Address("::1", 80), "[::1]:80"),
        ("fe80::1", Address("fe80::1", 8476), "[fe80::1]:8476"),
        (" node:1 ", Address("node", 1), "node:1"),
    ],
)
def test_addresses_are_read(text: str, address: Address, shown: str) -> None:
    assert parse_address(text) == address and str(address) == shown


@pytest.mark.parametrize("text", ["", ":80", "a:b", "a:70000", "a:-1", "[::1", "[::1]80", "http://a:1", "a b:1", None])
def test_bad_addresses_are_refused(text: str) -> None:
    with pytest.raises(CoordinatorAddressError, match="cannot be used"):
        parse_address(text)


@pytest.mark.parametrize(
    ("host", "loopback"), [("localhost", True), ("127.0.0.9", True), ("::1", True), ("10.0.0.1", False), ("n", False)]
)
def test_loopback(host: str, loopback: bool) -> None:
    assert Address(host, 1).is_loopback is loopback


def test_busy_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as occupant:
        port = occupant.getsockname()[1]
        with pytest.raises(AddressInUseError, match=f"localhost:{port}: Address already in use") as caught:
            listen(Address("localhost", port), None)
        assert isinstance(caught.value, OSError)
        with pytest.raises(AddressInUseError, match="all interfaces"):
            listen(Address("node7.invalid", port), None)


def test_all_interfaces_unless_the_address_is_the_loopback() -> None:
    for address, bind, expected in (
        (Address("localhost", 0), None, {"127.0.0.1"}),
        (Address("node7.invalid", 0), None, {"::", "0.0.0.0"}),
        (Address("192.0.2.1", 0), None, {"::", "0.0.0.0"}),  # another machine's, as far as this one knows
        (Address("node7", 0), "127.0.0.1", {"127.0.0.1"}),
        (Address("localhost", 0), "0.0.0.0:0", {"0.0.0.0"}),
    ):
        with listen(address, bind) as listener:
            assert listener.getsockname()[0] in expected


def test_the_interface_that_the_address_leads_to(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"box": ["127.0.1.1"], "front": ["192.0.2.9", "127.0.0.5"]}

    def look_up(host: str, port: int, **_: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (ip, port)) for ip in known.get(host, [host])]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    # Its own name is loopback for this machine, and for no other one.
    with listen(Address("box", 0), None) as listener:
        assert listener.getsockname()[0] in {"::", "0.0.0.0"}
    monkeypatch.setattr(Address, "is_loopback", property(lambda self: self.host == "localhost"))
    with listen(Address("front", 0), None) as listener:
        assert listener.getsockname()[0] == "127.0.0.5"
    with socket.create_server(("127.0.0.5", 0)) as occupant:
        port = occupant.getsockname()[1]
        with pytest.raises(AddressInUseError, match=f"127.0.0.5:{port}: Address already in use"):
            listen(Address("front", port), None)


def test_dial_says_what_it_tried() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        result = dial(Address("localhost", server.getsockname()[1]), 1.0)
        assert result.sock is not None and "127.0.0.1" in result.names
        result.sock.close()
        port = server.getsockname()[1]
    refused = dial(Address("127.0.0.1", port), 1.0)
    assert refused.sock is None and refused.outcome == f"127.0.0.1:{port}: Connection refused"


def _warned(address: Address, result: DialResult, caplog: pytest.LogCaptureFixture) -> list[str]:
    """What is said of attempts that fail at these seconds."""
    warnings = DialWarnings(address, 3, 300.0)
    with caplog.at_level(logging.WARNING):
        for seconds in (0.1, 9.9, 10.1, 15.0, 59.0, 64.0, 70.0):
            warnings.failed(result, seconds)
        logs.drain(5.0)
    return [record.message for record in caplog.records]


def test_a_coordinator_that_is_not_reached_is_waited_for_and_told(caplog: pytest.LogCaptureFixture) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    address = Address("127.0.0.1", port)
    result = dial(address, 1.0)
    assert result.problem == "refused" and result.is_loopback
    said = _warned(address, result, caplog)
    assert len(said) == 2 and "for 10 s" in said[0] and "for 64 s" in said[1]
    assert f"127.0.0.1:{port}: Connection refused" in said[0] and "an address of this machine" in said[0]
    assert "initialization_timeout" in said[0] and "olympus doctor --cluster" in said[0]


@pytest.mark.parametrize(
    ("problem", "words"),
    [("refused", "nothing listens there yet"), ("silent", "a firewall drops what is sent to port 8476"),
     ("unknown", "the name is not known here")],
)
def test_what_a_failed_attempt_may_mean(problem: str, words: str) -> None:
    assert words in explain(Address("node7", 8476), DialResult(None, "", "", problem))


def test_a_name_that_is_not_known_is_told() -> None:
    result = dial(Address("node7.invalid", 1), 1.0)
    assert result.sock is None and result.problem == "unknown" and "'node7.invalid'" in result.names


def _member(process: int, count: int = 3, job: str | None = None, pid: int | None = None) -> Member:
    return Member(process, count, job, pid=100 + process if pid is None else pid, machine="m", space="s", name="box")


def test_member_travels() -> None:
    member = _member(1, job="j")
    assert Member.from_message(member.to_message()) == member


def test_roll_call_admits_and_completes() -> None:
    roll = RollCall(3, None)
    for process in (2, 0):
        assert roll.hear(_member(process), "a").refusal is None
    assert roll.missing == [1] and not roll.is_complete
    assert roll.hear(_member(1), "a").refusal is None
    assert roll.is_complete and roll.missing == []


@pytest.mark.parametrize(
    ("member", "kind", "fatal_before", "fatal_after"),
    [
        (_member(0, pid=7), "duplicate", True, False),
        (_member(1, 4), "size", True, False),
        (_member(3, 3), "size", True, False),
        (_member(-1, 3), "size", True, False),
        (_member(1, 3, job="other"), "stranger", False, False),
    ],
)
def test_roll_call_finds_contradictions(member: Member, kind: str, fatal_before: bool, fatal_after: bool) -> None:
    roll = RollCall(3, None)
    roll.hear(_member(0), "a")
    answer = roll.hear(member, "a")
    assert answer.refusal is not None and answer.refusal["kind"] == kind and answer.is_fatal is fatal_before
    assert isinstance(error_of(answer.refusal), OlympusError)
    # Once a job without a launcher's name runs, it may be another job's process.
    roll.hear(_member(1), "a")
    roll.hear(_member(2), "a")
    answer = roll.hear(member, "a")
    assert answer.refusal is not None and answer.refusal["kind"] == kind and answer.is_fatal is fatal_after


def test_roll_call_of_a_named_job_is_sure_of_contradictions() -> None:
    roll = RollCall(1, "j")
    roll.hear(_member(0, 1, "j"), "a")
    assert roll.hear(_member(0, 2, "j"), "a").is_fatal
    assert not roll.hear(_member(0, 1, "k"), "a").is_fatal


def test_meetings_gather_and_forget() -> None:
    meetings, groups = Meetings(), ProcessGroups(4)

    def group(text: str) -> ProcessGroup:
        found = groups.named(text)
        assert found is not None
        return found

    first = meetings.enter(1, 11, "m", group("0, 1"), b"one")
    assert first.missing == [0] and meetings.waiting_for(0) is first and meetings.of(1) is first
    assert not first.is_complete and first.waits_for(0) and not first.waits_for(1) and not first.waits_for(2)
    assert meetings.conflict(1, "m", group("0, 1")) is first  # a second time
    assert meetings.conflict(0, "m", group("0-2")) is first  # other members
    assert meetings.conflict(0, "m", group("0, 1")) is None
    assert meetings.conflict(2, "m", group("2, 3")) is None
    other = meetings.enter(1, 12, "n", group("0-3"), b"")
    assert meetings.count(1) == 2 and list(meetings.all_of(1)) == [first, other] and meetings.count(0) == 0
    assert meetings.by_label(1, "n") is other and meetings.by_label(0, "n") is None
    second = meetings.enter(0, 10, "m", group("0, 1"), b"zero")
    assert second.values == {0: b"zero", 1: b"one"} and second.tokens == {0: 10, 1: 11}
    assert list(meetings) == [other] and meetings.waiting_for(0) is other and meetings.waiting_for(1) is None
    assert meetings.of(0) is None and meetings.count(1) == 1 and meetings.conflict(1, "m", group("0, 1")) is None


@pytest.mark.parametrize("text", ["", "4", "0-4", "0, 1, 2", "1-1", "0-65535"])
def test_groups_that_are_none_of_the_job(text: str) -> None:
    assert ProcessGroups(4).named(text) is None


def test_groups_are_parsed_once_and_not_kept_without_end() -> None:
    groups = ProcessGroups(1 << 16)
    first = groups.named("0-65535")
    assert first is not None and first is groups.named("0-65535") and first.members == tuple(range(1 << 16))
    assert groups.named("1-65535") is not None and groups.named("2-65535") is not None
    assert groups._kept <= 1 << 17 and groups.named("0-65535") == first


@settings(deadline=None, max_examples=60)
@given(st.lists(st.one_of(st.just(b""), st.just(b"same"), st.binary(max_size=200)), max_size=40))
def test_values_survive_packing(values: list[bytes]) -> None:
    data = pack(values)
    assert unpack(data, len(values)) == values
    for count in {len(values) - 1, len(values) + 1} - {-1}:
        with pytest.raises(MalformedFrame):
            unpack(data, count)


def test_packed_values_are_as_long_as_what_differs() -> None:
    barrier, equal = [b""] * 10_000, [bytes(range(256)) * 4] * 10_000
    own = [b"10.0.%d.%d:40123" % (p >> 8, p & 255) for p in range(10_000)]
    assert len(pack(barrier)) < 300 and len(pack(equal)) < 2000 and len(pack(own)) < sum(map(len, own)) / 2
    assert unpack(pack(own), 10_000) == own
    large = [bytes(1 << 20), b"x" * (1 << 23)]
    assert unpack(pack(large), 2) == large


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=60), st.booleans(), st.integers(0, 3))
def test_damaged_values_are_found(noise: bytes, is_whole: bool, at: int) -> None:
    good = bytearray(pack([b"a" * 300, b"b", b""]))
    good[at * 4 : at * 4 + len(noise)] = noise
    try:
        found = unpack(noise if is_whole else bytes(good), 3)
    except MalformedFrame:
        return
    assert len(found) == 3 and all(type(value) is bytes for value in found)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.binary(max_size=40_000), max_size=6), st.lists(st.integers(0, 30_000), min_size=1, max_size=50))
def test_pieces_go_out_whole_and_in_order(pieces: list[bytes], taken: list[int]) -> None:
    queue, sent, turns = SendQueue(), bytearray(), iter(taken * 100)

    def send(data: bytes | memoryview) -> int:
        size = min(next(turns), len(data))
        if not size:
            raise BlockingIOError
        sent.extend(data[:size])
        return size

    for piece in pieces:
        queue.append(piece)
        with suppress(BlockingIOError, StopIteration):
            queue.send(send)
        assert len(sent) + len(queue) == sum(map(len, pieces[: pieces.index(piece) + 1])) or pieces.count(piece) > 1
    queue.send(lambda data: sent.extend(data) or len(data))
    assert bytes(sent) == b"".join(pieces) and not len(queue)


@pytest.mark.parametrize(
    ("data", "words", "reply"),
    [
        (b"GET / HTTP/1.1\r\n", "spoke HTTP", b"HTTP/1.1 400"),
        (b"OLYMPUS\x01....", "version 1", b"OLYMPUS\x03"),
        (b"\x16\x03\x01", "spoke TLS", b"This port is the coordinator"),
        (b"SSH-2.0", "does not speak olympus", b"This port is the coordinator"),
    ],
)
def test_strangers_get_a_sentence(data: bytes, words: str, reply: bytes) -> None:
    reason, answer = refusal_of_bytes(data)
    assert words in reason and answer.startswith(reply)


def test_keys_are_of_one_run_and_one_purpose() -> None:
    key = derived_key(b"s" * 32, "run", "purpose")
    assert key == derived_key(b"s" * 32, "run", "purpose") and len(key) == 32
    others = [(b"t" * 32, "run", "purpose"), (b"s" * 32, "ru", "npurpose"), (b"s" * 32, "runp", "urpose")]
    assert len({key, *(derived_key(*other) for other in others)}) == 4


def test_silence_counts_from_the_last_acknowledgement() -> None:
    times = ClusterSettings(heartbeat_timeout=6.0)
    watch = SilenceWatch(Member(1, 2, space="another boot"), times, now=0.0)
    # Its process has not said anything for long, and its machine acknowledges: it is late, whatever keeps it.
    for now in range(1, 100):
        assert watch.verdict(float(now), TcpInfo(False, 30.0)) is None
        assert watch.verdict(now + 0.5, TcpInfo(True, 0.1)) is None
    assert watch.verdict(100.0, TcpInfo(True, 50.0)) is None  # a probe has just been sent: its answer is not due yet
    assert watch.verdict(105.0, TcpInfo(True, 55.0)) is None
    reason, detail = watch.verdict(106.5, TcpInfo(True, 56.5)) or ("", "")
    assert reason == "silent" and "not even its kernel has answered for 6.5 s" in detail
    watch.hear(107.0)
    assert watch.verdict(109.0, TcpInfo(True, 56.0)) is None


def test_silence_without_the_kernel_s_word_is_of_received_bytes() -> None:
    watch = SilenceWatch(Member(1, 2, space="another boot"), ClusterSettings(heartbeat_timeout=6.0), now=0.0)
    assert watch.verdict(6.0, None) is None
    assert (watch.verdict(6.1, None) or "")[0] == "silent"
    watch.forgive(5.0)
    assert watch.verdict(6.1, None) is None


def test_a_process_that_has_ended_is_lost_at_once() -> None:
    gone = SilenceWatch(Member(1, 2, pid=2**22 + 1), ClusterSettings(), now=0.0)
    assert gone.verdict(0.1, None) is None
    assert (gone.verdict(2.5, TcpInfo(False, 0.0)) or "")[0] == "killed"  # a child of it may hold the connection


def test_machine_facts() -> None:
    assert machine_identity() == machine_identity() and len(machine_identity()) == 16
    assert Member(0, 1).is_visible_here() is bool(process_space())
    assert process_state(2**22 + 1) is None
    state = process_state(Member(0, 1).pid)
    assert state is not None and not state.ended and not state.stopped


def test_last_words_name_the_line() -> None:
    try:
        int("x")
    except ValueError as error:
        words = describe(error, error.__traceback__)
    assert words.startswith("ValueError: invalid literal") and "test_parts.py:" in words
    assert describe(KeyboardInterrupt(), None) == "KeyboardInterrupt"


def test_processes_are_spelled_in_runs() -> None:
    assert errors.spell([3, 1, 2, 7, 9, 10, 1]) == "1-3, 7, 9, 10"


def test_standings_are_grouped() -> None:
    same = [errors.Standing(p, 21, "#21 all_reduce at t.py:3", "running") for p in (0, 1, 3)]
    text = errors.describe_standings([*same, errors.Standing(2, 0, "", "stopped")])
    assert text == (
        "processes 0, 1, 3: #21 all_reduce at t.py:3 (running); "
        "process 2: before its first launch (stopped, as of its last heartbeat)"
    )


# For each class an example of its arguments: no class is without one.
_EXAMPLES: dict[str, tuple[dict[str, object], type[BaseException]]] = {
    "ClusterError": ({"what": "x"}, OlympusError),
    "CoordinatorAddressError": ({"address": "x:y", "reason": "bad port"}, ValueError),
    "IncompleteClusterError": ({"known": {"a": 1}, "missing": ["b"], "evidence": ["c"]}, ValueError),
    "IncompleteLauncherError": (
        {"problems": [("slurm: a", "b")], "known": {"a": 1}, "missing": ["b"], "evidence": ["c"]}, ValueError
    ),
    "UnknownDetectionMethodError": ({"method": "a", "methods": ["b"], "nearest": None}, ValueError),
    "LauncherMismatchError": ({"launcher": "a", "launched": 4, "asked": 1, "evidence": "b"}, ValueError),
    "AddressInUseError": ({"address": "a", "reason": "b"}, OSError),
    "NotACoordinatorError": ({"address": "a", "answer": b"b"}, ConnectionError),
    "StrangerError": ({"address": "a", "process": 1, "reason": "b"}, ConnectionError),
    "AuthenticationError": ({"address": "a", "process": 1, "source": "b", "reason": "c"}, ConnectionError),
    "SecretError": ({"source": "a", "reason": "b", "is_short": True}, PermissionError),
    "TlsError": ({"address": "a", "reason": "b"}, ConnectionError),
    "TlsFileError": ({"path": "a", "reason": "b"}, OSError),
    "MessageSizeError": ({"label": "a", "size": 2, "limit": 1}, ValueError),
    "BacklogError": ({"size": 3, "most": 2}, BufferError),
    "ReceivedError": ({"what": "types", "process": 1, "problem": "p", "expected": "e"}, ValueError),
    "JoinTimeoutError": (
        {"joined": 1, "expected": 2, "missing": [1], "seconds": 3.0, "address": "a", "turned_away": ["b"]},
        TimeoutError,
    ),
    "DuplicateProcessError": ({"process": 1, "claims": ["a", "b"]}, ValueError),
    "SizeMismatchError": ({"claims": {"0": "a"}, "reason": "b"}, ValueError),
    "OpenFilesError": ({"what": "a", "needed": 2, "limit": 1}, OSError),
    "AlreadyInitializedError": ({"first": "a", "second": "b"}, RuntimeError),
    "InitializedTooLateError": ({"where": "a.py:3", "what": "zeros()"}, RuntimeError),
    "NoFreePortError": ({"host": "a", "ports": "1-2", "source": "b", "reason": "c"}, OSError),
    "NotOwnAddressError": ({"host": "a", "reason": "b"}, OSError),
    "MachineListError": ({"where": "a", "reason": "b"}, ValueError),
    "NoAddressError": ({"network": "a", "source": "b", "interfaces": ["c"]}, OSError),
    "ProcessLostError": ({"process": 1, "reason": "left", "detail": "a", "waiting": [0]}, RuntimeError),
    "ProcessFailureError": ({"failed_devices": ["a"], "process": 1}, RuntimeError),
    "JobUnreachableError": ({"address": "a", "reason": "b"}, ConnectionError),
    "JobAbortedError": ({"process": 1, "reason": "a"}, RuntimeError),
    "CollectiveTimeoutError": ({"label": "a", "process": 0, "seconds": 1.0, "missing": [1]}, TimeoutError),
    "DivergenceError": ({"claims": {"0": "a", "1": "b"}, "place": "#3", "difference": "c"}, RuntimeError),
    "FlightRecordError": ({"where": "a", "problem": "b"}, ValueError),
    "ForkedProcessError": ({"parent": 1}, RuntimeError),
    "ShutdownError": ({"reason": "a"}, RuntimeError),
    "ValuesDifferError": ({"message": "Batches differ.", "processes": [1]}, AssertionError),
}


_NAMES = [n for module in (errors, joining, network, authentication) for n in module.__all__ if n != "Standing"]


@pytest.mark.parametrize("name", _NAMES)
def test_errors_word_themselves_and_keep_their_facts(name: str) -> None:
    kind = getattr(olympus_errors, name)
    facts, builtin = _EXAMPLES[name]
    error = kind(**facts)
    assert isinstance(error, OlympusError) and isinstance(error, builtin)
    assert str(error).splitlines()[0].endswith((".", ":", "x"))
    if name != "ClusterError":
        assert "\n  to do: " in str(error)
        for parameter in inspect.signature(kind).parameters:
            if parameter in facts:
                assert hasattr(error, parameter)


def test_every_failure_that_travels_has_a_class() -> None:
    for kind, error_class in _CLASSES.items():
        facts = dict(_EXAMPLES[error_class.__name__][0])
        if kind == "timeout":
            facts["missing"] = "1"  # as it travels
        assert type(error_of(failure(kind, **facts))) is error_class


def test_whereabouts_keep_the_last_launch_of_every_group() -> None:
    progress = ProcessProgress()

    def launch(number: int, group: tuple[int, ...]) -> None:
        if group is not progress.current[2]:
            progress.change_group()
        progress.current = (number, f"#{number}", group)

    groups = [tuple(range(size)) for size in range(2, 60)]
    for number in (1, 2):
        for group in groups:
            launch(number, group)
        report = progress.report()
        assert report["position"] == number and report["group"] == "0-58"
        assert all(report["entered"][errors.spell(group)] == number for group in groups)
    assert not progress.latest  # so many are kept as text
    launch(7, (0, 1))
    assert progress.report()["entered"]["0, 1"] == 7
    assert unspell(errors.spell([0, 1, 2, 7, 9, 10])) == [0, 1, 2, 7, 9, 10] and unspell("") == []


def test_an_early_question_of_a_coordinator_that_has_gone() -> None:
    here, there = socket.socketpair()
    there.close()
    reader, session = FrameReader(FROM_COORDINATOR, 1000), Session(b"s" * 32, "a")
    link = SessionLink(Channel(here), reader, session, _member(0, 2), ClusterSettings(), None)
    ask = Frame({"t": "ask", "census": 1}, b"")
    connection = Connection(
        link, _member(1, 2), _member(0, 2), "job", ["a", "a"], "here", ClusterSettings(), None, b"s" * 32, b"", [ask])
    with pytest.raises(errors.ProcessLostError, match="0"):
        connection.exchange("a meeting", b"")
    connection.leave()
