# SPDX-License-Identifier: Apache-2.0
"""A valid message of each kind; a missing kind fails the first test of the fuzzer."""

from __future__ import annotations

from typing import Any

_STANDING = [1, 20, "#20 add at a.py:3", "running", 0.5]
_STANDINGS = ["1", *_STANDING[1:]]
_REPORT = {
    "position": 3, "text": "#3 add at a.py:1", "group": "0-2", "entered": {"0-2": 3}, "slow": None,
    "moved": 4096, "seconds": 0.5,
    "waits": [["sum of #3 add at a.py:1", False, "0-2", 3, 1.5, "a.py:1"]], "blocked": 1.5,
}
_MEMBER = {"process": 1, "count": 3, "job": None, "pid": 4711, "machine": "m", "space": "s", "name": "box"}

FAILURES: dict[str, dict[str, Any]] = {
    "lost": {"process": 1, "reason": "left", "detail": "d", "standings": [_STANDINGS], "waiting": [0]},
    "aborted": {"process": 1, "reason": "r", "standings": [_STANDINGS]},
    "timeout": {
        "label": "l", "process": 1, "seconds": 1.5, "missing": "2", "limit": "olympus_late_timeout",
        "standings": [_STANDINGS], "deadlocked": "0-1", "moved": 10, "stacks": [[2, ["a.py:3 in f"]]],
    },
    "divergence": {"claims": {"0": "a", "1": "b"}, "place": "#3", "difference": None},
    "join-timeout": {
        "joined": 1, "expected": 2, "missing": [1], "seconds": 2.0, "address": "a:1", "turned_away": ["x"],
        "view": None,
    },
    "duplicate": {"process": 1, "claims": ["a", "b"]},
    "size": {"claims": {"0": "a"}, "reason": "r"},
    "stranger": {"address": "a:1", "process": 1, "reason": "r"},
}

FROM_MEMBERS: dict[str, dict[str, Any]] = {
    "hello": {"member": _MEMBER},
    "resume": {"process": 1, "attempt": 1, "received": 2, "proof": "0" * 64},
    "ack": {},
    "seen": {"token": 1, "there": True},
    "report": {**_REPORT, "census": 0},
    "exchange": {"token": 1, "label": "m", "of": "1-2"},
    "who": {"token": 2, "label": None, "of": "0, 1", "position": 4},
    "stack": {"token": 3, "frames": ["a.py:3 in f"]},
    "status": {"token": 3, "stacks": True},
    "fail": {"failure": {"kind": "aborted", **FAILURES["aborted"]}},
    "words": {"token": 3, "words": "ValueError: x"},
    "preempted": {},
    "held": {"last": -1},
    "closing": {"token": 4, **_REPORT},
    "leave": {"token": 5, **_REPORT},
}

FROM_COORDINATOR: dict[str, dict[str, Any]] = {
    "refused": {"failure": {"kind": "size", **FAILURES["size"]}, "final": True},
    "welcome": {"coordinator": {**_MEMBER, "process": 0}, "session": "0" * 64},
    "resumed": {"received": 0, "proof": "0" * 64},
    "ack": {},
    "look": {"token": 1, "pid": 4711},
    "go": {"job": "abc-123", "salt": "0" * 64},
    "beat": {"own": _STANDING, "joined": 1, "missing": "1", "away": []},
    "ask": {"census": 1},
    "answer": {"token": 1},
    "values": {"token": 1},
    "hold": {},
    "preempt": {"step": 7},
    "departed": {"of": [["1", {"0-2": 3}]]},
    "found": {"token": 1, "missing": "1", "standings": [_STANDINGS]},
    "probe": {"token": 1},
    "late": {
        "label": "l", "seconds": 10.5, "missing": "1", "moved": 3,
        "stragglers": [[1, "running", "#20 add at a.py:3", 9.5, ["a.py:3 in f"]]],
    },
    "awaited": {"label": "l", "seconds": 10.5, "by": "0, 2", "position": 3},
    "table": {
        "token": 1, "job": "abc", "failure": "",
        "processes": [[0, "box", 4711, "running", 3, "#3 add at a.py:1", 1.5, "", 0.0, "a.py:1", 10, 0.5, ["a.py:3"]]],
        "clock": 1_700_000_000_000_000,
    },
    "failed": {"failure": {"kind": "lost", **FAILURES["lost"]}},
}
