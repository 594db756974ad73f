# SPDX-License-Identifier: Apache-2.0
"""What may be in a message: one table, by which both sides check what they receive and cut what they send."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

MOST_PROCESSES = 1 << 16
_MOST_DEPTH = 8
_MOST_DIGITS = 20
MOST_LABEL = 4096
MOST_STANDINGS = 1024  # places at which processes stand
_WORDS, _GROUP, _MOST_GROUPS, _MOST_LINES = 4000, 1 << 19, 4096, 64
_SECONDS = 1e10
_COUNTER = 1 << 53

Message = dict[str, Any]


class MalformedFrame(Exception):
    """What came is no frame, or no message.

    Attributes:
        kind: The kind that it says it is, if there is such a kind.
    """

    kind: str | None = None


class _Kind(Protocol):
    """A type of value: what it may be, and how what is sent becomes that."""

    def read(self, value: Any, where: str) -> None:
        """Raises MalformedFrame for what does not fit."""

    def fit(self, value: Any) -> Any:
        """The value as it is sent."""


def _wrong(where: str, expected: str) -> MalformedFrame:
    return MalformedFrame(f"{where} is not {expected}")


class _Plain:
    """A value that is sent as it is."""

    def fit(self, value: Any) -> Any:
        return value


class _Int(_Plain):
    """An integer."""

    def __init__(self, low: int, high: int) -> None:
        self._low, self._high = low, high

    def read(self, value: Any, where: str) -> None:
        if type(value) is not int or not self._low <= value <= self._high:
            raise _wrong(where, f"an integer from {self._low} to {self._high}")


class _Real(_Plain):
    """A finite number that is not negative."""

    def read(self, value: Any, where: str) -> None:
        if type(value) not in (int, float) or not math.isfinite(value) or not 0 <= value <= _SECONDS:
            raise _wrong(where, f"a number from 0 to {_SECONDS:g}")


class _Bool(_Plain):
    """A bool."""

    def read(self, value: Any, where: str) -> None:
        if type(value) is not bool:
            raise _wrong(where, "a bool")


class _Text:
    """A text; one that explains is cut to its length when it is sent, one that is compared must have it."""

    def __init__(self, most: int, explains: bool = True, pattern: str | None = None) -> None:
        self._most, self._explains = most, explains
        self._pattern = re.compile(pattern) if pattern else None

    def read(self, value: Any, where: str) -> None:
        if type(value) is not str or len(value) > self._most or not _is_unicode(value):
            raise _wrong(where, f"a text of up to {self._most} characters")
        if self._pattern is not None and not self._pattern.fullmatch(value):
            raise _wrong(where, f"a text like {self._pattern.pattern}")

    def fit(self, value: Any) -> Any:
        if self._explains and type(value) is str:
            value = value[: self._most]
            return value if _is_unicode(value) else value.encode(errors="replace").decode()
        return value


class _Maybe:
    """A value, or None."""

    def __init__(self, kind: _Kind) -> None:
        self._kind = kind

    def read(self, value: Any, where: str) -> None:
        if value is not None:
            self._kind.read(value, where)

    def fit(self, value: Any) -> Any:
        return None if value is None else self._kind.fit(value)


class _List:
    """Values of one kind."""

    def __init__(self, kind: _Kind, most: int, explains: bool = False) -> None:
        self._kind, self._most, self._explains = kind, most, explains

    def read(self, value: Any, where: str) -> None:
        if type(value) is not list or len(value) > self._most:
            raise _wrong(where, f"a list of up to {self._most}")
        for index, item in enumerate(value):
            self._kind.read(item, f"{where}[{index}]")

    def fit(self, value: Sequence[Any]) -> Any:
        return [self._kind.fit(item) for item in (value[: self._most] if self._explains else value)]


class _Tuple:
    """As many values as there are kinds."""

    def __init__(self, *kinds: _Kind) -> None:
        self._kinds = kinds

    def read(self, value: Any, where: str) -> None:
        if type(value) is not list or len(value) != len(self._kinds):
            raise _wrong(where, f"a list of {len(self._kinds)}")
        for index, (kind, item) in enumerate(zip(self._kinds, value, strict=True)):
            kind.read(item, f"{where}[{index}]")

    def fit(self, value: Sequence[Any]) -> Any:
        return [kind.fit(item) for kind, item in zip(self._kinds, value, strict=True)]


class _Processes(_Plain):
    """Indices of processes, ascending."""

    def read(self, value: Any, where: str) -> None:
        if type(value) is not list or len(value) > MOST_PROCESSES:
            raise _wrong(where, "a list of processes")
        before = -1
        for item in value:
            if type(item) is not int or not before < item < MOST_PROCESSES:
                raise _wrong(where, "a list of processes, ascending")
            before = item


class _Group(_Plain):
    """Processes as people write them: ``0-3, 7``."""

    def read(self, value: Any, where: str) -> None:
        if type(value) is not str or len(value) > _GROUP:
            raise _wrong(where, "a group")
        before = -1
        for part in value.split(", ") if value else ():
            found = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part)
            if found is None:
                raise _wrong(where, "a group")
            first, last = int(found[1]), int(found[2] or found[1])
            if not before < first <= last < MOST_PROCESSES:
                raise _wrong(where, "a group, ascending")
            before = last


class _Map:
    """Values of one kind by keys of one kind; the newest are kept where there are too many to send."""

    def __init__(self, key: _Kind, kind: _Kind, most: int) -> None:
        self._key, self._kind, self._most = key, kind, most

    def read(self, value: Any, where: str) -> None:
        if type(value) is not dict or len(value) > self._most:
            raise _wrong(where, f"a mapping of up to {self._most}")
        for key, item in value.items():
            self._key.read(key, f"a key of {where}")
            self._kind.read(item, f"{where}[{key[:40]!r}]")

    def fit(self, value: Mapping[str, Any]) -> Any:
        return {key: self._kind.fit(item) for key, item in list(value.items())[-self._most :]}


class _Record:
    """Values by name: all of `fields`, and any of `more`, but no others."""

    def __init__(self, fields: Mapping[str, _Kind], more: Mapping[str, _Kind] | None = None) -> None:
        self._needed, self._kinds = fields.keys(), {**fields, **(more or {})}

    def read(self, value: Any, where: str) -> None:
        if type(value) is not dict:
            raise _wrong(where, "an object")
        for name in self._needed:
            if name not in value:
                raise MalformedFrame(f"{where} has no {name}")
        for name, item in value.items():
            kind = self._kinds.get(name)
            if kind is None:
                raise MalformedFrame(f"{where} has an unknown field {name[:40]!r}")
            kind.read(item, f"{where}.{name}")

    def fit(self, value: Mapping[str, Any]) -> Any:
        return {name: self._kinds[name].fit(item) for name, item in value.items()}


class _Choice:
    """A record of the kind that one of its fields names."""

    def __init__(self, field: str, records: Mapping[str, _Record]) -> None:
        self._field, self._records = field, records

    def _record(self, value: Any, where: str) -> tuple[_Record, dict[str, Any]]:
        name = value.get(self._field) if isinstance(value, dict) else None
        record = self._records.get(name) if type(name) is str else None
        if record is None:
            raise MalformedFrame(f"{where} is of no known kind")
        return record, {key: item for key, item in value.items() if key != self._field}

    def read(self, value: Any, where: str) -> None:
        record, rest = self._record(value, where)
        record.read(rest, f"{where} {value[self._field]!r}")

    def fit(self, value: Any) -> Any:
        record, rest = self._record(value, "a message")
        return {self._field: value[self._field], **record.fit(rest)}


def _is_unicode(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which no encoding takes
        return False
    return True


_STEP = _Int(-1, _COUNTER - 1)  # -1 before the first
_PROCESS, _COUNT = _Int(0, MOST_PROCESSES - 1), _Int(0, _COUNTER)
_SOMEBODY = _Int(-(1 << 31), (1 << 31) - 1)  # what a process claims to be; the roll-call judges it
_SAID, _LABEL, _REAL = _Text(_WORDS), _Text(MOST_LABEL, explains=False), _Real()
_PROCESSES, _LINES = _Processes(), _List(_Text(_WORDS), _MOST_LINES, explains=True)
_STANDING = _Tuple(_PROCESS, _COUNT, _SAID, _SAID, _REAL)
_STANDINGS = _List(_Tuple(_Group(), _COUNT, _SAID, _SAID, _REAL), MOST_STANDINGS)
_STACK = _List(_Text(300), 12, explains=True)
_WAIT = _Tuple(_Text(MOST_LABEL), _Bool(), _Group(), _COUNT, _REAL, _SAID)
_ENTERED = _Map(_Group(), _COUNT, _MOST_GROUPS)
_CLAIMS = _Map(_Text(10, explains=False, pattern=r"-?[0-9]{1,9}"), _SAID, MOST_PROCESSES)
_MEMBER = _Record({
    "process": _SOMEBODY, "count": _SOMEBODY, "job": _Maybe(_Text(64, explains=False, pattern=r"[A-Za-z0-9_-]+")),
    "pid": _Int(0, (1 << 31) - 1), "machine": _Text(64), "space": _Text(200), "name": _Text(80),
})

# The failures that travel; `failure.py` has their errors.
FAILURES = {
    "lost": _Record(
        {"process": _PROCESS, "reason": _Text(40), "detail": _SAID}, {"standings": _STANDINGS, "waiting": _PROCESSES}
    ),
    "aborted": _Record({"process": _PROCESS, "reason": _SAID}, {"standings": _STANDINGS}),
    "timeout": _Record(
        {"label": _SAID, "process": _PROCESS, "seconds": _REAL, "missing": _Group(), "limit": _Text(40)}, {
            "standings": _STANDINGS, "deadlocked": _Group(), "moved": _COUNT,
            "stacks": _List(_Tuple(_PROCESS, _STACK), 8),
        }
    ),
    "divergence": _Record({"claims": _CLAIMS, "place": _SAID}, {"difference": _Maybe(_SAID)}),
    "join-timeout": _Record({
        "joined": _Maybe(_COUNT), "expected": _SOMEBODY, "missing": _PROCESSES, "seconds": _REAL, "address": _SAID,
        "turned_away": _LINES,
    }, {"view": _Maybe(_SAID)}),
    "duplicate": _Record({"process": _SOMEBODY, "claims": _LINES}),
    "size": _Record({"claims": _CLAIMS, "reason": _SAID}),
    "stranger": _Record({"address": _SAID, "process": _SOMEBODY, "reason": _SAID}),
}

_TOKEN = {"token": _COUNT}
_FAILURE = _Choice("kind", FAILURES)
_REPORT: dict[str, _Kind] = {
    "position": _COUNT, "text": _SAID, "group": _Group(), "entered": _ENTERED, "slow": _Maybe(_SAID),
    "moved": _COUNT, "seconds": _REAL, "waits": _List(_WAIT, 64), "blocked": _Maybe(_REAL),
}

_SESSION = _Text(64, explains=False, pattern=r"[0-9a-f]{64}")

FROM_MEMBERS = {
    "hello": _Record({"member": _MEMBER}),
    "resume": _Record({"process": _PROCESS, "attempt": _COUNT, "received": _COUNT, "proof": _SESSION}),
    "ack": _Record({}),
    "seen": _Record({**_TOKEN, "there": _Bool()}),
    "report": _Record(_REPORT, {"census": _COUNT}),
    "exchange": _Record({**_TOKEN, "label": _LABEL, "of": _Group()}),
    "who": _Record({**_TOKEN, "label": _Maybe(_LABEL), "of": _Group(), "position": _COUNT}),
    "stack": _Record({**_TOKEN, "frames": _STACK}),
    "status": _Record({**_TOKEN, "stacks": _Bool()}),
    "fail": _Record({"failure": _FAILURE}),
    "words": _Record({**_TOKEN, "words": _SAID}),
    "preempted": _Record({}),
    "held": _Record({"last": _STEP}),
    "closing": _Record({**_TOKEN, **_REPORT}),
    "leave": _Record({**_TOKEN, **_REPORT}),
}
FROM_COORDINATOR = {
    "refused": _Record({"failure": _FAILURE, "final": _Bool()}),
    "welcome": _Record({"coordinator": _MEMBER, "session": _SESSION}),
    "resumed": _Record({"received": _COUNT, "proof": _SESSION}),
    "ack": _Record({}),
    "look": _Record({**_TOKEN, "pid": _Int(0, (1 << 31) - 1)}),
    # The payload: the identity of each process's machine, packed.
    "go": _Record({
        "job": _Text(64, explains=False, pattern=r"[A-Za-z0-9_-]+"),
        "salt": _Text(64, explains=False, pattern=r"[0-9a-f]{64}"),
    }),
    "beat": _Record({}, {"own": _STANDING, "joined": _COUNT, "missing": _Group(), "away": _LINES}),
    "ask": _Record({"census": _COUNT}),
    "answer": _Record(_TOKEN),
    "values": _Record(_TOKEN),  # they are the payload, packed
    "hold": _Record({}),
    "preempt": _Record({"step": _COUNT}),
    "departed": _Record({"of": _List(_Tuple(_Group(), _ENTERED), MOST_PROCESSES)}),
    "found": _Record({**_TOKEN, "missing": _Group(), "standings": _STANDINGS}),
    "probe": _Record(_TOKEN),
    "late": _Record({
        "label": _SAID, "seconds": _REAL, "missing": _Group(), "moved": _COUNT,
        "stragglers": _List(_Tuple(_PROCESS, _SAID, _SAID, _REAL, _STACK), 8),
    }),
    "awaited": _Record({"label": _SAID, "seconds": _REAL, "by": _Group(), "position": _COUNT}),
    "table": _Record({
        **_TOKEN, "job": _Text(80), "failure": _SAID,
        "processes": _List(_Tuple(
            _PROCESS, _Text(80), _Int(0, (1 << 31) - 1), _SAID, _COUNT, _SAID, _REAL, _SAID, _REAL, _Text(300), _COUNT,
            _REAL, _STACK,
        ), MOST_PROCESSES),
        "clock": _COUNT,  # microseconds of process 0's time of day, read just before this was sent
    }),
    "failed": _Record({"failure": _FAILURE}),
}

Table = Mapping[str, _Record]
_EITHER = _Choice("t", {**FROM_MEMBERS, **FROM_COORDINATOR})
_READERS = {id(table): _Choice("t", table) for table in (FROM_MEMBERS, FROM_COORDINATOR)}


def compose(message: Message) -> bytes:
    """A message as it is sent: explanations cut to their length."""
    return json.dumps(_EITHER.fit(message), separators=(",", ":"), allow_nan=False).encode()


def read(data: bytes, table: Table) -> Message:
    """The message that these bytes are.

    Args:
        data: What came.
        table: What the sender may say: `FROM_MEMBERS` or `FROM_COORDINATOR`.

    Raises:
        MalformedFrame: If they are none.

    Example:
        >>> read(b'{"t":"ask","census":3}', FROM_COORDINATOR)
        {'t': 'ask', 'census': 3}
    """
    if _is_deep(data):
        raise MalformedFrame("a message nested too deeply")
    try:
        message: Message = _DECODER.decode(data.decode())
    except (ValueError, RecursionError) as error:
        raise MalformedFrame(f"no JSON: {str(error)[:200]}") from None
    try:
        _READERS[id(table)].read(message, "a message")
    except MalformedFrame as error:
        kind = message.get("t") if type(message) is dict else None
        error.kind = kind if type(kind) is str and kind in table else None
        raise
    return message


def _is_deep(data: bytes) -> bool:
    """Whether what is outside of the strings nests deeply, or its brackets do not match: found without recursion."""
    outside = b"".join(data.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    brackets = outside.translate(None, _NO_BRACKETS)
    for _ in range(_MOST_DEPTH):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    return bool(brackets)


def _constant(text: str) -> Any:
    raise MalformedFrame(f"the number {text}")


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise MalformedFrame(f"a number of {len(text)} digits")
    return int(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedFrame("an object with two fields of one name")
    return found


_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_DECODER = json.JSONDecoder(parse_constant=_constant, parse_int=_whole, object_pairs_hook=_object)
