# SPDX-License-Identifier: Apache-2.0
"""The output of `olympus launch` where nobody reads it, somebody stops reading, or it cannot be written."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from olympus.cli import launch_writer
from olympus.cli.launch_writer import Printer, Writer
from tests.support.processes import ROOT, clean_environment, wait_until

DEADLINE = 40.0
LINES, WIDTH = 4_000, 200  # far more than a pipe holds
PROGRAM = f"""
import pathlib, sys
for i in range({LINES}):
    print(f"line {{i}} ".ljust({WIDTH}, "."))
sys.stdout.flush()
pathlib.Path(sys.argv[1]).write_text("done")
sys.exit(int(sys.argv[2]))
"""
# How long a reader is waited for must not depend on how busy the machine is.
COMMAND = """
import sys
from olympus.cli import launch_writer, main
launch_writer._PATIENCE = float(sys.argv.pop(1))
sys.exit(main())
"""


@contextlib.contextmanager
def launched(
    folder: Path, processes: int = 1, code: int = 0, out: Any = subprocess.PIPE, patience: float = 1.0,
    **options: object,
) -> Iterator[tuple[subprocess.Popen[bytes], list[Path]]]:
    """A job that prints and then says in a file that it did, and these files."""
    program = folder / "program.py"
    program.write_text(PROGRAM)
    done = [folder / f"done{i}" for i in range(processes)]
    command = [sys.executable, "-c", COMMAND, str(patience), "launch", "-n", str(processes), str(program),
               str(folder / "done{i}"), str(code)]
    variables = {f"OLYMPUS_{name.upper()}": str(value) for name, value in options.items()}
    job = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=ROOT,
                           env=clean_environment(variables), start_new_session=True)
    try:
        yield job, done
    finally:
        job.kill()
        job.wait()
        for pipe in (job.stdout, job.stderr):
            if pipe is not None:
                pipe.close()


def all_of(pipe: IO[bytes] | None) -> list[str]:
    assert pipe is not None
    return pipe.read().decode().splitlines()


def numbers(lines: list[str], index: int = 0) -> list[int]:
    """Those of the lines that a process printed."""
    found = [re.match(r"\[(\d+)\] line (\d+) \.+$", line) for line in lines]
    return [int(match[2]) for match in found if match and int(match[1]) == index]


@pytest.mark.slow
@pytest.mark.processes
def test_job_ends_while_nobody_reads_and_nothing_is_lost(tmp_path: Path) -> None:
    with launched(tmp_path, 2) as (job, done):
        wait_until(lambda: all(path.exists() for path in done), "the job's end", DEADLINE)
        assert job.poll() is None  # it waits for the reader
        lines = all_of(job.stdout)
        assert job.wait(DEADLINE) == 0 and all_of(job.stderr) == []
    assert numbers(lines, 0) == numbers(lines, 1) == list(range(LINES)) and len(lines) == 2 * LINES


@pytest.mark.slow
@pytest.mark.processes
def test_what_there_is_no_room_for_is_counted(tmp_path: Path) -> None:
    with launched(tmp_path, code=3, patience=0.0, launch_output_bytes=70_000) as (job, done):
        wait_until(lambda: all(path.exists() for path in done), "the job's end", DEADLINE)
        lines = all_of(job.stdout)
        assert job.wait(DEADLINE) == 3
    found = numbers(lines)
    told = [re.fullmatch(r"olympus launch: \.\.\. ([\d,]+) lines dropped, the reader was too slow", x) for x in lines]
    dropped = sum(int(match[1].replace(",", "")) for match in told if match)
    assert dropped > LINES // 2 and len(found) + dropped == LINES and len(found) + sum(map(bool, told)) == len(lines)
    assert found == sorted(found) and found[-1] == LINES - 1  # the oldest of those that waited went


@pytest.mark.slow
@pytest.mark.processes
def test_slow_reader_who_reads_gets_all(tmp_path: Path) -> None:
    with launched(tmp_path, patience=DEADLINE, launch_output_bytes=70_000) as (job, _):
        assert job.stdout is not None
        parts = []
        while part := os.read(job.stdout.fileno(), 3_000):  # in small pieces; the job waits at its pipe
            parts.append(part)
        assert job.wait(DEADLINE) == 0
    assert numbers(b"".join(parts).decode().splitlines()) == list(range(LINES))


def test_what_is_read_has_room_however_short_its_lines_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch_writer, "_PATIENCE", DEADLINE)
    reading, writing = os.pipe()
    with open(reading, "rb", buffering=0), open(writing, "w") as out:
        fill = os.write(writing, bytes(1 << 16))  # the pipe is full: what comes now waits
        printer = Printer(out, out, 70_000)
        read = 0
        while room := printer.room("0", False):
            for _ in range(room):
                printer.line("0", "", False)
            read += room
        assert read > 10_000
        while fill > 0:
            fill -= len(os.read(reading, fill))
        shown = b""
        while shown.count(b"\n") < read:
            shown += os.read(reading, 1 << 16)
        assert shown == b"[0] \n" * read and printer.finish(DEADLINE)


@pytest.mark.slow
@pytest.mark.processes
def test_reader_who_goes_ends_the_output_and_not_the_job(tmp_path: Path) -> None:
    with launched(tmp_path, code=7) as (job, done):
        assert job.stdout is not None
        assert job.stdout.read(8) == b"[0] line"
        job.stdout.close()
        assert job.wait(DEADLINE) == 7 and done[0].read_text() == "done"
        said = all_of(job.stderr)
    assert len(said) == 1 and "failed with exit code 7" in said[0]


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_full_disk_is_told_once_and_the_job_goes_on(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full, launched(tmp_path, out=full) as (job, done):
        assert job.wait(DEADLINE) == 0 and done[0].read_text() == "done"
        said = all_of(job.stderr)
    assert said == [f"olympus launch: output cannot be written ({os.strerror(errno.ENOSPC)}); the job goes on without "
                    "it."]


@pytest.mark.slow
@pytest.mark.processes
@pytest.mark.parametrize("command", [["doctor"], ["launch", "-n", "1", "no such program"], ["--help"]])
def test_no_command_complains_of_a_reader_who_has_gone(command: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with tempfile.TemporaryFile() as errors:
        job = subprocess.Popen(
            [sys.executable, "-m", "olympus", *command], stdout=writer, stderr=errors, cwd=ROOT,
            env=clean_environment())
        os.close(writer)
        job.wait(DEADLINE)
        errors.seek(0)
        said = errors.read()
    assert b"Traceback" not in said and b"BrokenPipe" not in said


class Disk:
    """A file that takes so many bytes at each attempt; None: it is full."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, room: list[int | None]) -> None:
        self.content, self._room = b"", room
        monkeypatch.setattr(launch_writer.os, "write", self._write)

    def fileno(self) -> int:
        return -1

    def flush(self) -> None:
        """Nothing waits here."""

    def _write(self, number: int, data: memoryview) -> int:
        room = self._room.pop(0) if self._room else len(data)
        if room is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.content += bytes(data[:room])
        return min(room, len(data))


@pytest.mark.parametrize(("room", "written"), [
    ([3, 2], "zero\none\ntwo\n"),
    ([None], "{1}one\ntwo\n"),
    ([None, None], "{2}two\n"),
    ([None, None, None], ""),
    ([2, None], "ze\n{1}one\ntwo\n"),
    ([5, 2, None], "zero\non\n{1}two\n"),
])
def test_lines_that_a_full_disk_lost_are_told_when_it_has_room(
    monkeypatch: pytest.MonkeyPatch, room: list[int | None], written: str
) -> None:
    disk, told, fails = Disk(monkeypatch, list(room)), list[str](), None in room
    writer = Writer(disk, 1 << 20, told.append)  # type: ignore[arg-type]
    for line in ("zero", "one", "two"):
        writer.line(line)
        assert writer_is_idle(writer)
    for count in (1, 2):
        written = written.replace(
            f"{{{count}}}",
            f"olympus launch: ... {count} lines dropped, they could not be written (No space left on device)\n")
    assert disk.content.decode() == written and len(told) == fails


def writer_is_idle(writer: Writer) -> bool:
    with writer._changed:
        return writer._changed.wait_for(lambda: not writer._waiting, DEADLINE)


def test_output_that_is_no_file_and_none() -> None:
    out = io.StringIO()
    printer = Printer(out, None, 1 << 20)
    printer.line("0", "a line", False)
    printer.line("0", "to nowhere", True)
    printer.say("neither")
    assert printer.finish(DEADLINE) and out.getvalue() == "[0] a line\n"


def test_output_and_errors_in_one_file_keep_their_order() -> None:
    reader, number = os.pipe()
    with open(number, "w") as out, os.fdopen(os.dup(number), "w") as err, open(reader) as read:
        printer = Printer(out, err, 1 << 20)
        for i in range(200):
            printer.line("0", str(i), bool(i % 3))
        assert printer.finish(DEADLINE)
        out.close(), err.close()
        assert read.read().split() == [x for i in range(200) for x in ("[0]", str(i))]


def test_a_line_that_comes_after_the_end_is_written_too(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as file:
        writer = Writer(file, 1 << 16)
        writer.line("first")
        assert writer.finish(DEADLINE)
        wait_until(lambda: writer._thread is None, "the end of the writing thread")
        writer.line("a connection's last words")
        assert writer.finish(DEADLINE)
    assert (tmp_path / "out").read_text() == "first\na connection's last words\n"
