# SPDX-License-Identifier: Apache-2.0
"""What `olympus report` prints: who is behind whom, the last launches, where each process is."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from olympus_core.config import config
from olympus_core.errors.cluster import spell

from .flight_records import (
    FlightRecord,
    FlightRecordError,
    culprits,
    differing_launches,
    processes_behind,
    read_records,
    waits,
)

_SHOWN_FRAMES = 6


def show(folder: Path, last: int) -> int:
    """Prints the report of a job.

    Args:
        folder: Where its records lie.
        last: How many launches of each process to print.

    Returns:
        1 where processes are not equally far or have launched different things, else 0.
    """
    records = read_records(folder)
    print(f"Flight records of job {next(iter(records.values())).job} in {folder}")
    findings = list(conclusions(records))
    for title, section in (
        ("", summary(records)),
        ("Conclusion", findings or ["  All processes have come equally far."]),
        ("Launches", launches(records, last)),
        ("Stacks", stacks(records)),
    ):
        if title:
            print(f"\n{title}")
        for line in section:
            print(line)
    return 1 if findings else 0


def newest_job() -> Path:
    """The folder of the job whose records were written last.

    Raises:
        FlightRecordError: If none has written any.
    """
    base, _ = config.flight_record_folder()
    if base is None:
        raise FlightRecordError("No folder", "olympus_flight_recorder is off")
    jobs = [path for path in Path(base).iterdir() if path.is_dir()] if Path(base).is_dir() else []
    if not jobs:
        raise FlightRecordError(base, "no job has written flight records there")
    return max(jobs, key=lambda path: path.stat().st_mtime)


def summary(records: Mapping[int, FlightRecord]) -> Iterator[str]:
    """When and why the records were written, and whose are missing."""
    first = next(iter(records.values()))
    missing = [p for p in range(first.processes) if p not in records]
    yield f"  {len(records)} of {first.processes} processes, on {len({r.host for r in records.values()})} machines"
    if missing:
        yield f"  no record of process {spell(missing)}: killed, or on a machine whose files are not here"
    errors: dict[str, list[int]] = {}
    for process, record in records.items():
        errors.setdefault(record.error or "no error: written on SIGUSR1", []).append(process)
    for text, processes in errors.items():
        yield f"  process {spell(processes)}: {text}"


def conclusions(records: Mapping[int, FlightRecord]) -> Iterator[str]:
    """Who is to blame, as far as the records tell."""
    count = next(iter(records.values())).processes
    differing = differing_launches(records)
    if differing is not None:
        group, number, said = differing
        yield f"  The processes {group} launched different things at launch #{number}:"
        texts: dict[str, list[int]] = {}
        for process, text in said.items():
            texts.setdefault(text, []).append(process)
        yield from (f"    process {spell(processes)}: {text}" for text, processes in texts.items())
    for process in culprits(records):
        waiting = sorted(p for p, missing in waits(records).items() if process in missing)
        yield f"  Process {spell(waiting)} wait{'s' if len(waiting) == 1 else ''} for process {process},"
        record = records.get(process)
        if record is None:
            yield "    of which there is no record"
        elif record.last is None:
            yield f"    which has launched nothing yet; it is at {record.line}"
        else:
            ago = record.written - (record.last.ended or record.last.began)
            yield f"    whose last launch was {record.last.text}, {ago:.1f} s before its record; it is at {record.line}"
    if not culprits(records):
        rings = {p: missing for p, missing in waits(records).items() if missing}
        for process, missing in rings.items():
            yield f"  Process {process} waits for process {spell(missing)}, which waits for others in turn"
    for behind in processes_behind(records):
        what = f"#{behind.number}" if behind.number else "nothing"
        whole = "" if len(behind.ahead) + 1 == count else f" of {behind.group}"
        yield (f"  Process {behind.process} has come to {what}{whole}, process {spell(behind.ahead)} to"
               f" #{behind.farthest}: {behind.farthest - behind.number} behind")


def launches(records: Mapping[int, FlightRecord], count: int) -> Iterator[str]:
    """The last launches of each process with their times."""
    for process, record in records.items():
        yield f"  process {process} ({record.host}, pid {record.pid})"
        for launch in record.launches[-count:] if count else ():
            at = time.strftime("%H:%M:%S", time.localtime(launch.began)) + f"{launch.began % 1:.3f}"[1:]
            took = "waits" if launch.ended is None else f"{(launch.ended - launch.began) * 1e3:.1f} ms"
            yield f"    {at}  {took:>12}  [{launch.group}] {launch.text}"


def stacks(records: Mapping[int, FlightRecord]) -> Iterator[str]:
    """Where the main thread of each process was; processes at the same place together."""
    same: dict[tuple[str, ...], list[int]] = {}
    for process, record in records.items():
        same.setdefault(tuple(record.threads.get("MainThread", ())[:_SHOWN_FRAMES]), []).append(process)
    for stack, processes in same.items():
        yield f"  process {spell(processes)}"
        yield from (f"    {frame}" for frame in stack)
