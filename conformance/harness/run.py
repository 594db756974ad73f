# SPDX-License-Identifier: Apache-2.0
"""A run, from its settings to its report."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from ..outcome import Outcome
from ..report import Report, build, write
from ..requirement import Test, tests
from ..waivers import Waiver, Waivers
from .controller import Controller
from .facts import RunSettings, facts_of, identity
from .job import JobSettings
from .progress import ProgressView
from .schedule import schedule
from .store import Store


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished run.

    Args:
        report: Its report.
        files: The report's files.
        has_passed: Whether no test that was run speaks against the platform.
    """

    report: Report
    files: list[Path]
    has_passed: bool


def perform(
    settings: RunSettings, folder: Path, stream: TextIO, is_resumed: bool = False, waivers: tuple[Waiver, ...] = (),
) -> Finished:
    """Runs the selected tests and writes the report.

    Args:
        settings: The settings of the run.
        folder: The output folder.
        stream: The stream for progress.
        is_resumed: Whether to continue the run in the folder.
        waivers: Known failures.

    Raises:
        UsageError: The settings are invalid.
        ResumeError: The folder holds another run.
        PlatformNotOpenedError: The platform cannot be opened.
    """
    chosen = schedule(settings.profile, settings.only, settings.quick, settings.fraction)
    view = ProgressView(settings, stream)
    store = Store(folder)
    store.prepare(is_resumed)
    jobs = job_settings(settings, store.workers)
    controller = Controller(jobs, view.note)
    started = time.monotonic()
    try:
        opened = controller.open()
        outcomes = store.begin(identity(settings, opened))
        active = Waivers(waivers, opened.version)
        pending = [test for test in chosen if test.id not in outcomes]
        view.begin(opened, len(chosen), len(chosen) - len(pending))
        for test in pending:
            view.starts(test)
            outcome = _run(controller, store, jobs, test)
            outcomes[test.id] = outcome
            view.ends(test, active.apply(outcome))
        controller.close()
    finally:
        view.stop()
        controller.kill()
        if store.is_begun:
            store.keep(store.seconds + time.monotonic() - started)
    final = [active.apply(outcomes[test.id]) for test in chosen]
    uses = active.uses([test.id for test in tests()], final)
    seconds = store.seconds + time.monotonic() - started
    report = build(final, facts_of(settings, opened, store.started, seconds, store.topology, uses))
    has_passed = not any(r.is_bad for r in report.results) and not report.verdicts[settings.profile].failed
    files = write(report, folder)
    view.finish(report, uses, files, has_passed)
    return Finished(report, files, has_passed)


def job_settings(settings: RunSettings, folder: Path) -> JobSettings:
    """The settings of all jobs of a run."""
    return JobSettings(settings.platform, settings.devices, settings.launcher, settings.timeout_factor, folder)


def _run(controller: Controller, store: Store, jobs: JobSettings, test: Test) -> Outcome:
    outcome = controller.run(test)
    store.add(outcome, test.case.processes, jobs.devices_of(test.case.processes))
    return outcome
