# SPDX-License-Identifier: Apache-2.0
"""Leaves the programs to their own processes, and writes `docs/documents.md` when asked to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

collect_ignore_glob = ["programs/*"]

_RESULTS: dict[tuple[str, str], list[bool]] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-documents-table", action="store_true", default=False,
                     help="write docs/documents.md from this run of tests/documents")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    report = yield
    callspec = getattr(item, "callspec", None)
    if call.when == "call" and callspec is not None and "program" in callspec.params:
        program = callspec.params["program"]
        _RESULTS.setdefault((program.document, program.name), []).append(report.outcome == "passed")
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not session.config.getoption("--write-documents-table"):
        return
    from .catalogue import PROGRAMS
    from .table import PATH, render

    if missing := PROGRAMS.keys() - _RESULTS.keys():
        raise pytest.UsageError(f"docs/documents.md is not written: these did not run: {sorted(missing)}")
    states = {
        key: program.pending or ("runs" if all(_RESULTS[key]) else "fails") for key, program in PROGRAMS.items()
    }
    PATH.write_text(render(states))
