# SPDX-License-Identifier: Apache-2.0
"""The flight records of a job: read from a folder, and what they say about who waits for whom."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, NonNegativeInt, ValidationError

from olympus_core.cluster.groups import unspell
from olympus_core.errors.cluster import FlightRecordError

_FILE = re.compile(r"process-(\d{1,6})\.json")
_MOST_BYTES = 64 << 20


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class RecordedLaunch(_Strict):
    """One launch: times in seconds since 1970; `ended` is None while it waits, or where that is not known."""

    group: str
    number: NonNegativeInt
    text: str
    began: float
    ended: float | None


class FlightRecord(_Strict):
    """What one process knew when its file was written."""

    format: int
    job: str
    process: NonNegativeInt
    processes: NonNegativeInt
    pid: int
    host: str
    written: float
    error: str | None
    launches: tuple[RecordedLaunch, ...]
    latest: dict[str, NonNegativeInt]
    threads: dict[str, list[str]]
    line: str

    @property
    def last(self) -> RecordedLaunch | None:
        """The last launch."""
        return self.launches[-1] if self.launches else None


def read_records(folder: Path) -> dict[int, FlightRecord]:
    """Reads the records of a job.

    Args:
        folder: Where they lie.

    Returns:
        Each process's record.

    Raises:
        FlightRecordError: If there are none, or they are not of one job.
    """
    if not folder.is_dir():
        raise FlightRecordError(folder, "there is no such folder")
    records: dict[int, FlightRecord] = {}
    for path in sorted(folder.iterdir()):
        if _FILE.fullmatch(path.name):
            record = _read(path)
            records[record.process] = record
    if not records:
        raise FlightRecordError(folder, "it holds no flight records")
    jobs = sorted({record.job for record in records.values()})
    if len(jobs) > 1:
        raise FlightRecordError(folder, f"its records are of several jobs ({', '.join(jobs)})")
    return dict(sorted(records.items()))


def _read(path: Path) -> FlightRecord:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise FlightRecordError(path, "it is too large for a flight record")
        return FlightRecord.model_validate_json(path.read_bytes())
    except ValidationError as error:
        found = error.errors(include_url=False)[0]
        where = ".".join(map(str, found["loc"])) or "its text"
        raise FlightRecordError(path, f"it is no flight record of this release ({where}: {found['msg']})") from None
    except OSError as error:
        raise FlightRecordError(path, f"it cannot be read ({error.strerror})") from None


class Behind(_Strict):
    """A process that has not come as far as others of a group.

    Args:
        process: Its index.
        number: Its last launch of the group; 0 before the first.
        group: The group, as written.
        ahead: Those that have come farthest.
        farthest: Their last launch of the group.
    """

    process: int
    number: int
    group: str
    ahead: tuple[int, ...]
    farthest: int


def processes_behind(records: Mapping[int, FlightRecord]) -> list[Behind]:
    """Who is behind whom, by the launches of each group; the largest group first."""
    groups = {group for record in records.values() for group in record.latest if record.latest[group]}
    found = []
    for group in sorted(groups, key=lambda g: (-len(unspell(g)), g)):
        numbers = {p: records[p].latest.get(group, 0) for p in unspell(group) if p in records}
        farthest = max(numbers.values())
        ahead = tuple(p for p, number in numbers.items() if number == farthest)
        found += [
            Behind(process=p, number=number, group=group, ahead=ahead, farthest=farthest)
            for p, number in numbers.items() if number < farthest
        ]
    return found


def differing_launches(records: Mapping[int, FlightRecord]) -> tuple[str, int, dict[int, str]] | None:
    """The first launch that has other words in some processes: its group, number, and the words of each."""
    texts: dict[tuple[str, int], dict[int, str]] = {}
    for process, record in records.items():
        for launch in record.launches:
            texts.setdefault((launch.group, launch.number), {})[process] = launch.text
    for (group, number), said in sorted(texts.items(), key=lambda item: item[0][1]):
        if len(set(said.values())) > 1:
            return group, number, said
    return None


def waits(records: Mapping[int, FlightRecord]) -> dict[int, list[int]]:
    """For each process that waits in its last launch those of the group that have not come there."""
    found = {}
    for process, record in records.items():
        last = record.last
        if last is not None and last.ended is None:
            found[process] = [
                p for p in unspell(last.group)
                if p not in records or records[p].latest.get(last.group, 0) < last.number
            ]
    return found


def culprits(records: Mapping[int, FlightRecord]) -> list[int]:
    """Those that others wait for, and who themselves wait for nobody who is missing."""
    waiting = waits(records)
    awaited = {p for missing in waiting.values() for p in missing}
    return sorted(p for p in awaited if not waiting.get(p))
