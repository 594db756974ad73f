# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest: writes each outcome as it comes, so that a time-out loses nothing; ends a process without GPU.

`-p tools.gpu.recording --record-to FILE`
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

_LOST = pytest.StashKey[bool]()
_STATUS = 70  # of a worker that ended because its GPU was lost
_GRACE = 3.0  # seconds that the process which started it may need to take its last report


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option."""
    parser.addoption("--record-to", type=Path, default=None, help="where outcomes go, a line of JSON each")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the recorder, where tests are told of: not in the workers of pytest-xdist."""
    if config.getoption("--record-to") is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder(config.getoption("--record-to")))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Notes that a test has lost the GPU: every later one of this process would fail, too."""
    report = yield
    error = call.excinfo.value if call.excinfo is not None else None
    while error is not None:
        if type(error).__name__ == "GpuLostError":
            item.config.stash[_LOST] = True
        error = error.__cause__
    return report


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Ends the run of a process whose GPU is lost."""
    if item.config.stash.get(_LOST, False):
        item.session.shouldstop = "the GPU is lost to this process"


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Lets pytest-xdist start another worker in place of one whose GPU is lost."""
    if session.config.stash.get(_LOST, False) and hasattr(session.config, "workerinput"):
        # On the last report pytest-xdist sends more tests, and breaks down where nobody is there to take them.
        time.sleep(_GRACE)
        os._exit(_STATUS)


class _Recorder:
    """Appends outcomes to a file.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.write_text("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Writes what is told of one phase of a test."""
        if report.when != "call" and report.outcome == "passed":
            return
        line: dict[str, Any] = {"test": report.nodeid, "outcome": report.outcome, "seconds": round(report.duration, 2)}
        if report.outcome == "failed":
            line["text"] = report.longreprtext
        with self._path.open("a", encoding="utf-8") as results:
            results.write(json.dumps(line) + "\n")
