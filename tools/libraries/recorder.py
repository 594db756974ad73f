# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest, loaded in the process that runs a library's tests: writes one line for each event as it happens.

So that the results of a process that is ended, or ends by itself, are known up to the test at which that happened.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType
from typing import Any

import pytest

_EVENTS = os.environ["LIBRARIES_EVENTS"]
_SECONDS = float(os.environ["LIBRARIES_SECONDS"])


def _write(**event: Any) -> None:
    with open(_EVENTS, "a", encoding="utf-8") as file:
        file.write(json.dumps(event) + "\n")


def pytest_configure() -> None:
    """Gives the flags of absl, where it is installed, their defaults, as `python file_test.py` would."""
    with suppress(ImportError):
        from absl import flags

        flags.FLAGS.mark_as_parsed()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests that an earlier process has begun."""
    if os.path.exists(_EVENTS):
        with open(_EVENTS, encoding="utf-8") as file:
            begun = {json.loads(line).get("begins") for line in file}
        gone = [item for item in items if item.nodeid in begun]
        config.hook.pytest_deselected(items=gone)
        items[:] = [item for item in items if item.nodeid not in begun]


def _late(signum: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"the test took more than {_SECONDS:g} seconds")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Gives each test its time."""
    _write(begins=item.nodeid)
    signal.signal(signal.SIGALRM, _late)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Writes what came of a test's call, or of its set-up where that failed."""
    if report.when == "call" or report.outcome != "passed":
        _write(test=report.nodeid, outcome="passed" if hasattr(report, "wasxfail") else report.outcome,
               seconds=round(report.duration, 3), message=_message(report))


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Writes that a file cannot be imported."""
    if report.failed:
        _write(test=report.nodeid, outcome="failed", seconds=0.0, message=_message(report))


def _message(report: pytest.TestReport | pytest.CollectReport) -> str:
    return str(report.longrepr)[-3000:] if report.failed else ""
