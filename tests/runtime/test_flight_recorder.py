# SPDX-License-Identifier: Apache-2.0
"""The flight recorder: what a process writes of its last launches, and what `olympus report` makes of it."""

from __future__ import annotations

import json
import os
import signal
import stat
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from olympus.cli import main
from olympus.cli.flight_records import culprits, differing_launches, processes_behind, read_records
from olympus_core.cluster.failure import failure
from olympus_core.errors.cluster import FlightRecordError
from olympus_core.runtime import flight_recorder
from olympus_core.runtime.flight_recorder import FlightRecorder
from tests.support.processes import Finished, free_port, run_processes


def recorder(folder: Path, process: int = 0, count: int = 2, job: str = "j1", **latest: int) -> FlightRecorder:
    connection: Any = SimpleNamespace(process_index=process, process_count=count, job=job, hosts=["a"] * count)
    made = FlightRecorder(connection, str(folder), False, lambda: {(0, 1): latest.get("number", 0)})
    assert connection.on_failure is not None
    made.fail = connection.on_failure
    return made


def test_what_is_written_is_what_was_launched_and_is_read_back(tmp_path: Path) -> None:
    made = recorder(tmp_path, number=3)
    for number in (1, 2, 3):
        began = time.monotonic()
        ended = began + 0.5 if number < 3 else 0.0
        made.launches.append([began, ended, number, f"#{number} f at a.py:{number}", (0, 1)])
    path = made.write("it failed")
    made.close()
    assert path == str(tmp_path / "j1" / "process-0.json")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and stat.S_IMODE(os.stat(tmp_path / "j1").st_mode) == 0o700
    assert os.listdir(tmp_path / "j1") == ["process-0.json"]
    record = read_records(tmp_path / "j1")[0]
    assert [(x.number, x.ended is None) for x in record.launches] == [(1, False), (2, False), (3, True)]
    assert record.launches[0].ended - record.launches[0].began == pytest.approx(0.5)
    assert abs(record.written - record.launches[2].began) < 60 and record.error == "it failed"
    assert record.latest == {"0, 1": 3} and record.processes == 2
    assert any("test_flight_recorder.py" in line for line in record.threads["MainThread"])
    assert "test_flight_recorder.py" in record.line


def test_only_the_last_launches_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flight_recorder, "_LAUNCHES", 4)
    made = recorder(tmp_path)
    for number in range(10):
        made.launches.append([1.0, 2.0, number, "f", (0, 1)])
    made.write()
    made.close()
    assert [x.number for x in read_records(tmp_path / "j1")[0].launches] == [6, 7, 8, 9]


def test_a_failure_is_written_once_and_an_end_is_none(tmp_path: Path) -> None:
    made = recorder(tmp_path)
    made.fail(failure("closed", reason="x"))
    made.close()
    assert not os.listdir(tmp_path)
    made = recorder(tmp_path)
    made.fail(failure("aborted", process=1, reason="enough"))
    path = tmp_path / "j1" / "process-0.json"
    before = path.stat().st_mtime_ns
    made.close()
    assert path.stat().st_mtime_ns == before
    assert read_records(tmp_path / "j1")[0].error == "Process 1 ended the job: enough."


def test_what_the_failing_thread_had_no_time_to_write_is_written_at_the_end(tmp_path: Path) -> None:
    made = recorder(tmp_path)
    made._fact = failure("aborted", process=1, reason="enough")
    made.close()
    assert read_records(tmp_path / "j1")[0].error is not None


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    made = recorder(tmp_path / "file")
    assert made.write() is None
    made.close()


def test_the_default_folder_keeps_the_newest_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flight_recorder, "_JOBS_KEPT", 3)
    for number in range(6):
        (tmp_path / f"old{number}").mkdir()
        os.utime(tmp_path / f"old{number}", (number, number))
    made = recorder(tmp_path)
    made._is_default = True
    made.write()
    made.close()
    assert sorted(os.listdir(tmp_path)) == ["j1", "old4", "old5"]


def record_of(folder: Path, process: int, launches: list[tuple[str, int, str, bool]], count: int = 3) -> None:
    latest: dict[str, int] = {}
    for group, number, _, _ in launches:
        latest[group] = number
    (folder / f"process-{process}.json").write_text(json.dumps({
        "format": 1, "job": "j", "process": process, "processes": count, "pid": 1, "host": "h", "written": 100.0,
        "error": "Process 1 is lost.", "latest": latest, "threads": {"MainThread": ["train.py:9 in load"]},
        "line": "train.py:9",
        "launches": [
            {"group": group, "number": number, "text": text, "began": 90.0 + i, "ended": 90.5 + i if ended else None}
            for i, (group, number, text, ended) in enumerate(launches)
        ],
    }))


def test_the_report_names_who_is_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    step, last = ("0-2", 1, "#1 f at t.py:3", True), ("0-2", 2, "#2 g at t.py:4", False)
    record_of(tmp_path, 0, [step, last])
    record_of(tmp_path, 1, [step])
    record_of(tmp_path, 2, [step, last])
    records = read_records(tmp_path)
    assert culprits(records) == [1]
    (behind,) = processes_behind(records)
    assert (behind.process, behind.number, behind.ahead, behind.farthest) == (1, 1, (0, 2), 2)
    assert main(["report", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "Process 0, 2 wait for process 1," in out
    assert "whose last launch was #1 f at t.py:3, 9.5 s before its record; it is at train.py:9" in out
    assert "Process 1 has come to #1, process 0, 2 to #2: 1 behind" in out
    assert "[0-2] #2 g at t.py:4" in out and "waits" in out and "500.0 ms" in out
    assert "train.py:9 in load" in out


def test_a_chain_of_waits_is_followed_to_who_began_it(tmp_path: Path) -> None:
    # 0 waits for 1 in their group; 1 waits for 2 in theirs; 2 computes.
    record_of(tmp_path, 0, [("0-1", 1, "a", False)])
    record_of(tmp_path, 1, [("1-2", 1, "b", False)])
    record_of(tmp_path, 2, [])
    assert culprits(read_records(tmp_path)) == [2]


def test_a_ring_of_waits_is_told_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record_of(tmp_path, 0, [("0-1", 1, "a", False)])
    record_of(tmp_path, 1, [("1-2", 1, "b", False)])
    record_of(tmp_path, 2, [("0, 2", 1, "c", False)])
    assert culprits(read_records(tmp_path)) == []
    assert main(["report", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "Process 0 waits for process 1, which waits for others in turn" in out
    assert "Process 2 waits for process 0, which waits for others in turn" in out


def test_differing_launches_and_missing_records_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record_of(tmp_path, 0, [("0-2", 1, "#1 f", True), ("0-2", 2, "#2 f", False)])
    record_of(tmp_path, 2, [("0-2", 1, "#1 f", True), ("0-2", 2, "#2 g", False)])
    assert differing_launches(read_records(tmp_path)) == ("0-2", 2, {0: "#2 f", 2: "#2 g"})
    assert main(["report", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "no record of process 1: killed" in out and "launched different things at launch #2" in out
    assert "Process 0, 2 wait for process 1,\n    of which there is no record" in out


def test_equal_processes_are_no_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for process in range(3):
        record_of(tmp_path, process, [("0-2", 1, "#1 f", True)])
    assert main(["report", str(tmp_path), "--last", "0"]) == 0
    assert "All processes have come equally far." in capsys.readouterr().out


@pytest.mark.parametrize("content", ["", "{}", "[" * 1000, '{"format": 1, "job": 3}', "\x00" * 50])
def test_what_is_no_record_is_told_with_its_file(tmp_path: Path, content: str) -> None:
    (tmp_path / "process-0.json").write_text(content)
    with pytest.raises(FlightRecordError, match=r"process-0\.json cannot be reported on"):
        read_records(tmp_path)


def test_folders_without_records_and_of_two_jobs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FlightRecordError, match="no such folder"):
        read_records(tmp_path / "nowhere")
    with pytest.raises(FlightRecordError, match="no flight records"):
        read_records(tmp_path)
    for process, job in enumerate(("j1", "j2")):
        made = recorder(tmp_path, process, job=job)
        made.write()
        made.close()
    os.rename(tmp_path / "j1" / "process-0.json", tmp_path / "j2" / "process-0.json")
    with pytest.raises(FlightRecordError, match="several jobs"):
        read_records(tmp_path / "j2")


_PROGRAM = """
    import os, signal, sys
    import numpy as np
    import olympus
    from olympus.experimental import multihost_utils
    olympus.distributed.initialize("localhost:" + sys.argv[1], 3, int(sys.argv[2]))
    me = olympus.process_index()
    for step in range(3):
        multihost_utils.process_allgather(np.ones(4))
    if me == 1:
        os.kill(os.getpid(), getattr(signal, sys.argv[3]))
    multihost_utils.sync_global_devices("end")
    print("reached the end")
"""


def run(env: dict[str, str], name: str) -> list[Finished]:
    return run_processes(_PROGRAM, 3, free_port(), lambda index: index, name, deadline=60.0, env=env)


def test_the_survivors_of_a_killed_process_write_what_they_wait_for(tmp_path: Path) -> None:
    env = {"OLYMPUS_FLIGHT_RECORDER_DIR": str(tmp_path)}
    ended = run(env, "SIGKILL")
    assert ended[1].returncode == -signal.SIGKILL
    assert all("ProcessLostError" in ended[p].stderr for p in (0, 2))
    (job,) = os.listdir(tmp_path)
    records = read_records(tmp_path / job)
    assert sorted(records) == [0, 2] and culprits(records) == [1]
    for record in records.values():
        assert record.error is not None and record.error.startswith("Process 1 ")
        assert record.last is not None and "sync_global_devices('end')" in record.last.text
        assert record.last.ended is None and all(x.ended is not None for x in record.launches[:3])
    assert "olympus report" in ended[0].stderr and "olympus report" not in ended[2].stderr


def test_sigusr1_writes_and_harms_nothing(tmp_path: Path) -> None:
    ended = run({"OLYMPUS_FLIGHT_RECORDER_DIR": str(tmp_path)}, "SIGUSR1")
    assert [(e.returncode, "reached the end" in e.stdout) for e in ended] == [(0, True)] * 3, ended
    (job,) = os.listdir(tmp_path)
    assert list(read_records(tmp_path / job)) == [1]
    assert "SIGUSR1: the last launches are in" in ended[1].stderr


def test_what_a_signal_asked_for_is_written_before_the_program_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A daemon thread would be cut off, and the program would end as if nobody had asked."""
    made, began, may_go_on = recorder(tmp_path, 0), threading.Event(), threading.Event()
    own = made.write

    def slow(error: str | None = None) -> str | None:
        began.set()
        assert may_go_on.wait(60)
        return own(error)

    monkeypatch.setattr(made, "write", slow)
    made.write_on_signal()
    try:
        os.kill(os.getpid(), signal.SIGUSR1)
        assert began.wait(60)
        (writing,) = [t for t in threading.enumerate() if t.name == "olympus-flight-recorder"]
        assert not writing.daemon
        may_go_on.set()
        writing.join(60)
        assert len(list(tmp_path.rglob("process-0.json"))) == 1
    finally:
        may_go_on.set()
        made.close()


def test_nothing_is_written_where_the_recorder_is_off(tmp_path: Path) -> None:
    env = {"OLYMPUS_FLIGHT_RECORDER_DIR": str(tmp_path), "OLYMPUS_FLIGHT_RECORDER": "0"}
    run(env, "SIGKILL")
    assert not os.listdir(tmp_path)
