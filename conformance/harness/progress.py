# SPDX-License-Identifier: Apache-2.0
"""The progress display of a run."""

from __future__ import annotations

import shlex
import time
from collections import Counter
from collections.abc import Sequence
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from ..outcome import Outcome, Status
from ..report.facts import WaiverUse
from ..report.schema import Report
from ..report.words import conclusion
from ..requirement import PROFILES, Test
from .facts import RunSettings, contract_version
from .messages import Opened
from .verdicts import BAD

_STYLES = {
    Status.PASS: "green", Status.FAIL: "bold red", Status.ERROR: "bold red", Status.TIMEOUT: "bold red",
    Status.WARNING: "yellow", Status.WAIVED: "yellow", Status.NOT_SUPPORTED: "dim",
}
_PERIOD = 10.0  # seconds between progress lines, where there is no terminal
_PROGRAM_LINES, _TRACE_LINES = 25, 30


class ProgressView:
    """Writes progress: a bar on a terminal, lines elsewhere.

    Args:
        settings: The settings of the run.
        stream: The output.
    """

    def __init__(self, settings: RunSettings, stream: TextIO) -> None:
        self._settings = settings
        # Lines are not wrapped in files, so that they can be searched.
        self._console = Console(file=stream, highlight=False, soft_wrap=True)
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._counts: Counter[Status] = Counter()
        self._total = self._done = 0
        self._next = time.monotonic() + _PERIOD

    def begin(self, opened: Opened, total: int, resumed: int) -> None:
        """Writes the first line: the platform, its version and the machine."""
        asked = f"profile {self._settings.profile}" + ", quick: not submittable" * self._settings.quick
        if self._settings.fraction:
            asked += f", part {self._settings.fraction[0]} of {self._settings.fraction[1]}"
        self._line(
            f"olympus-conformance: contract {contract_version()}, platform {opened.platform}"
            f" ({opened.distribution or 'unknown distribution'} {opened.version}), devices {', '.join(opened.devices)}")
        self._line(f"{total} tests, {asked}" + (f"; {resumed} of them are done already" if resumed else ""))
        self._total, self._done = total, resumed
        if self._console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
                console=self._console, transient=True)
            self._task = self._bar.add_task("", total=total, completed=resumed)
            self._bar.start()

    def starts(self, test: Test) -> None:
        """Shows that a test begins."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=f"{test.id} ({test.case.processes})"[:60].ljust(60))

    def ends(self, test: Test, outcome: Outcome) -> None:
        """Shows that a test has ended; failures are shown at once."""
        self._counts[outcome.status] += 1
        self._done += 1
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=self._done)
        elif time.monotonic() > self._next:
            self._next = time.monotonic() + _PERIOD
            self._line(f"{self._done} of {self._total} tests: {spell_counts(self._counts)}")
        if outcome.status in BAD or outcome.status is Status.WARNING:
            self._line("")
            self._line(f"{outcome.status.value.upper()} {outcome.id}", _STYLES[outcome.status])
            for line in explain(test, outcome, self._settings):
                self._line(f"  {line}")
        elif outcome.status is Status.WAIVED:
            self._line(f"WAIVED {outcome.id}: {outcome.reason}", _STYLES[outcome.status])

    def note(self, text: str) -> None:
        """Writes a message that belongs to no test."""
        self._line(f"note: {text}", "yellow")

    def stop(self) -> None:
        """Removes the bar."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def finish(self, report: Report, waivers: Sequence[WaiverUse], files: Sequence[object], has_passed: bool) -> None:
        """Writes the summary and the verdict."""
        self.stop()
        self._line("")
        for profile in PROFILES[: PROFILES.index(self._settings.profile) + 1]:
            verdict = report.verdicts[profile]
            style = {"pass": "green", "fail": "bold red"}.get(verdict.ruling, "yellow")
            rest = [(verdict.failed, "failed"), (verdict.missing, "not run"), (verdict.not_supported, "not supported"),
                    (verdict.skipped, "skipped"), (verdict.warnings, "warnings"), (verdict.waived, "waived")]
            told = "".join(f", {count} {what}" for count, what in rest if count)
            self._line(f"{profile:8} {verdict.ruling:10} {verdict.held} of {verdict.listed} held{told}", style)
        counts = Counter({Status(name): count for name, count in report.counts.items()})
        self._line(f"{sum(counts.values())} tests in {report.facts.seconds:.1f} s: {spell_counts(counts)}")
        for use in waivers:
            if use.problem:
                self._line(f"waiver {use.pattern}: {use.problem}", "yellow")
        if report.obstacles:
            self._line(f"not submittable: {'; '.join(report.obstacles)}", "yellow")
        for file in files:
            self._line(f"wrote {file}", "dim")
        text = conclusion(report, has_passed)
        self._line(text, {"P": "bold green", "F": "bold red"}.get(text[0], "bold yellow"))

    def _line(self, text: str, style: str | None = None) -> None:
        self._console.print(text, style=style, markup=False, emoji=False)


def explain(test: Test, outcome: Outcome, settings: RunSettings) -> list[str]:
    """The lines of a failure: requirement, observed and required values, the program, and a command to repeat it."""
    lines = [test.requirement.statement]
    for label, text in (("observed", outcome.observed), ("required", outcome.required), ("reason", outcome.reason)):
        if text:
            lines += [f"{label}: {text}"]
    if outcome.program:
        lines += ["program:", *_clipped(outcome.program, _PROGRAM_LINES)]
    if outcome.trace:
        lines += ["trace:", *_clipped(outcome.trace, _TRACE_LINES)]
    lines += [f"again: {command(test, settings)}"]
    return [line for text in lines for line in text.splitlines()]


def command(test: Test, settings: RunSettings) -> str:
    """The command that runs just this test."""
    words = ["olympus-conformance", "run", "--platform", settings.platform, "--only", test.id]
    words += ["--launcher", settings.launcher] if settings.launcher else []
    words += ["--devices", str(settings.devices)] if settings.devices else []
    words += ["--timeout-factor", f"{settings.timeout_factor:g}"] if settings.timeout_factor != 1 else []
    return shlex.join(words)


def spell_counts(counts: Counter[Status]) -> str:
    """The counts of each status as text, the good ones first."""
    return ", ".join(f"{counts[status]} {status.value}" for status in Status if counts[status]) or "none"


def _clipped(text: str, most: int) -> list[str]:
    """The text's lines, indented; of long texts the end, which names the error of a traceback."""
    lines = text.splitlines()
    left_out = [f"  ... {len(lines) - most} lines before, in the report"] if len(lines) > most else []
    return left_out + [f"  {line}" for line in lines[-most:]]
