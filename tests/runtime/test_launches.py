# SPDX-License-Identifier: Apache-2.0
"""The launch log: a process that launched something else is seen by whoever looks second."""

from __future__ import annotations

import functools
import mmap
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core.runtime.flight_recorder import FlightRecorder
from olympus_core.runtime.launch_log import _ENTRIES, GroupLog, LaunchLog
from olympus_core.runtime.launches import Span, digest_of
from olympus_core.toolkit.sharedfile import SharedFile


@pytest.fixture
def shared(tmp_path: Path) -> list[LaunchLog]:
    files = [SharedFile(str(tmp_path / "log"), LaunchLog.size_of(3)) for _ in range(3)]
    return [LaunchLog(file.map(0, LaunchLog.size_of(3)), index, range(3)) for index, file in enumerate(files)]


def logs_of(shared: list[LaunchLog], processes: tuple[int, ...] = (0, 1, 2)) -> list[GroupLog]:
    return [GroupLog(shared[p], processes) for p in processes]


def test_alike_is_alike_in_any_order_of_arrival(shared: list[LaunchLog]) -> None:
    logs = logs_of(shared)
    for step in range(50):
        for log in logs[step % 3:] + logs[:step % 3]:
            assert log.launch(digest_of(f"step {step}"), b"text") is None
        assert [log.settle() for log in logs] == [None] * 3


def test_a_difference_is_seen_by_the_second_and_then_by_the_first(shared: list[LaunchLog]) -> None:
    first, second, third = logs_of(shared)
    assert first.launch(1, b"add at a.py:1") is None
    assert first.settle() is None  # the others have not come yet
    assert second.launch(2, b"mul at b.py:2") == 0
    assert first.settle() == 1
    assert first.texts() == {0: "add at a.py:1", 1: "mul at b.py:2"} == second.texts()
    assert third.launch(1, b"add") == 1  # told by the first that differs from itself


def test_an_old_difference_is_never_forgotten(shared: list[LaunchLog]) -> None:
    first, second, _ = logs_of(shared)
    first.launch(1, b"")
    second.launch(2, b"")
    # Alike from now on, and yet not the same programs: the digests are chained.
    first.launch(3, b"")
    assert second.launch(3, b"") == 0


def test_a_process_may_be_ahead(shared: list[LaunchLog]) -> None:
    first, second, _ = logs_of(shared)
    for step in range(20):
        assert first.launch(step, b"") is None
    for step in range(20):
        assert second.launch(step, b"") is None
    assert second.launch(99, b"") is None and first.launch(98, b"") == 1


def test_sets_of_processes_do_not_mix(shared: list[LaunchLog]) -> None:
    both, pair = logs_of(shared), logs_of(shared, (0, 2))
    both[0].launch(1, b"")
    assert pair[0].launch(2, b"") is None and pair[1].launch(2, b"") is None
    assert both[1].launch(1, b"") is None and both[2].launch(1, b"") is None


@pytest.mark.parametrize("ahead", [_ENTRIES - 1, _ENTRIES, _ENTRIES + 1])
def test_the_table_wraps_around(shared: list[LaunchLog], ahead: int) -> None:
    first, second, _ = logs_of(shared)
    for step in range(ahead):
        first.launch(step, b"")
    # The entries that were overwritten say nothing; those that still stand are compared.
    assert all(second.launch(step, b"") is None for step in range(ahead))
    assert first.launch(ahead, b"") is None and second.launch(-1 % 2**64, b"") == 0


def test_a_log_has_rows_for_its_machines_processes_only() -> None:
    memory = mmap.mmap(-1, LaunchLog.size_of(2))  # of a job of a thousand
    first, second = (GroupLog(LaunchLog(memory, process, (700, 901)), (700, 901)) for process in (700, 901))
    assert first.launch(1, b"add") is None and second.launch(2, b"mul") == 700
    assert second.texts() == {700: "add", 901: "mul"}


@settings(max_examples=50)
@given(st.binary(max_size=700))
def test_any_text_fits(tmp_path_factory: pytest.TempPathFactory, text: bytes) -> None:
    log = LaunchLog(mmap.mmap(-1, LaunchLog.size_of(1)), 0, [0])
    log.write_text(7, text)
    assert log.text(0, 7) == text.split(b"\0")[0][:319].decode(errors="replace")


def test_digests_tell_facts_and_content_apart() -> None:
    digests = [digest_of("a"), digest_of("b"), digest_of("a", b"x"), digest_of("a", b"y"), digest_of("ax")]
    assert len(set(digests[:4])) == 4 and all(0 <= d < 2**64 for d in digests)
    assert digest_of("a", memoryview(np.frombuffer(b"x", np.uint8))) == digest_of("a", b"x")


class FakeConnection:
    """What a span needs of the connection, and what became of it."""

    def __init__(self, hosts: list[str], process_index: int = 0) -> None:
        self.hosts, self.process_index, self.positions = hosts, process_index, []

    def set_position(self, sequence: int, label: str, processes: tuple[int, ...]) -> None:
        self.positions.append((sequence, label, processes))

    def check_group(self, processes: tuple[int, ...], sequence: int) -> None:
        pass

    def diverged(self, claims: dict[int, str], place: str) -> Exception:
        return RuntimeError(f"{place}: {dict(claims)}")


def recorder_of(connection: FakeConnection) -> FlightRecorder:
    connection.process_count, connection.job = len(connection.hosts), "job"
    recorder = FlightRecorder(connection, None, True, dict)
    recorder.close()
    return recorder


def test_a_span_names_the_line_and_what_both_launched(shared: list[LaunchLog]) -> None:
    connections = [FakeConnection(["here"] * 3, index) for index in (0, 1)]
    first, second = (Span(c, b, recorder_of(c), (0, 1), None) for c, b in zip(connections, shared[:2], strict=True))
    first.enter("f(float32[3])", 1)
    with pytest.raises(RuntimeError, match=r"launch #1.*0: '#1 f\(float32\[3\]\) at .*test_launches.py:\d+'") as caught:
        second.enter("g(float32[3])", 2)
    assert "1: '#1 g(float32[3]) at" in str(caught.value)
    with pytest.raises(RuntimeError, match="launch #1"):
        first.settle()
    assert connections[0].positions[0][0] == 1 and connections[0].positions[0][2] == (0, 1)


def test_over_machines_entries_go_by_message(shared: list[LaunchLog]) -> None:
    meeting = threading.Barrier(2)
    entries: dict[int, np.ndarray] = {}
    sizes: list[list[int]] = [[], []]

    def gather(index: int, entry: np.ndarray) -> list[np.ndarray]:
        entries[index] = entry
        sizes[index].append(entry.nbytes)
        meeting.wait(10.0)
        found = [entries[0], entries[1]]
        meeting.wait(10.0)
        return found

    connections = [FakeConnection(["a", "b"], index) for index in (0, 1)]
    spans = [
        Span(c, shared[i], recorder_of(c), (0, 1), functools.partial(gather, i)) for i, c in enumerate(connections)]
    assert not spans[0].same_machine
    said: list[str] = ["", ""]

    def work(index: int) -> None:
        spans[index].enter("same", 3)
        try:
            spans[index].enter("fg"[index], 1 + index)
        except RuntimeError as error:
            said[index] = str(error)

    threads = [threading.Thread(target=work, args=(index,)) for index in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all("#2 f at" in text and "#2 g at" in text for text in said)
    assert sizes == [[8, 8, 256]] * 2  # the words only where they are needed


def test_who_sees_another_launch_waits_for_what_the_rest_launch(shared: list[LaunchLog]) -> None:
    late = GroupLog(shared[2], (0, 1, 2))

    class Watched(FakeConnection):
        asked = 0

        @property
        def failed(self) -> bool:  # asked as long as somebody's launch is missing
            self.asked += 1
            if self.asked == 3:
                late.launch(3, b"h")
            return False

    connections = [Watched(["here"] * 3, index) for index in (0, 1)]
    first, second = (Span(c, shared[i], recorder_of(c), (0, 1, 2), None) for i, c in enumerate(connections))
    first.enter("f", 1)
    with pytest.raises(RuntimeError, match=r"0: '#1 f at .*1: '#1 g at .*2: 'h'"):
        second.enter("g", 2)


def test_who_sees_another_launch_does_not_wait_in_a_job_that_has_failed(shared: list[LaunchLog]) -> None:
    class Failed(FakeConnection):
        failed = True

    connections = [Failed(["here"] * 3, index) for index in (0, 1)]
    first, second = (Span(c, shared[i], recorder_of(c), (0, 1, 2), None) for i, c in enumerate(connections))
    first.enter("f", 1)
    with pytest.raises(RuntimeError, match=r"0: '#1 f at .*1: '#1 g at [^,]*'}"):
        second.enter("g", 2)
