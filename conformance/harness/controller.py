# SPDX-License-Identifier: Apache-2.0
"""The controller: runs each test in a job with the right number of processes, and starts new jobs as needed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from ..outcome import Outcome, Status
from ..requirement import Test
from .errors import PlatformNotOpenedError
from .job import Job, JobSettings, NotStarted
from .listener import WorkerListener
from .messages import Opened

_ATTEMPTS = 2  # attempts to start jobs of a number of processes, before all tests of that number fail


class Controller:
    """Runs tests, one at a time; never opens the platform itself.

    Args:
        settings: The settings of all jobs.
        tell: Receives messages that belong to no test, such as that a job did not close.
    """

    def __init__(self, settings: JobSettings, tell: Callable[[str], None] = lambda note: None) -> None:
        self._settings, self._tell = settings, tell
        self._listener = WorkerListener(is_local=settings.launcher is None)
        self._job: Job | None = None
        self._started = 0
        self._refusals: dict[int, list[NotStarted]] = {}

    def open(self) -> Opened:
        """Opens the platform in a worker, for its description.

        Raises:
            PlatformNotOpenedError: It cannot be opened.
        """
        try:
            return self._job_for(1).opened
        except NotStarted as problem:
            raise PlatformNotOpenedError(self._settings.platform, problem.reason, problem.trace) from None

    def run(self, test: Test) -> Outcome:
        """Runs a test; returns an outcome whatever happens to the processes that run it."""
        started = time.monotonic()
        count, is_fresh = test.case.processes, test.requirement.fresh
        if is_fresh:
            self._end()
        try:
            outcome = self._job_for(count).run(test)
        except NotStarted as problem:
            return Outcome(
                test.id, Status.ERROR, round(time.monotonic() - started, 3),
                f"the job of {count} process{'es' if count > 1 else ''} could not be started: "
                + " ".join(problem.reason.split()),
                trace=problem.trace)
        if is_fresh:
            has_passed = outcome.status is Status.PASS and not test.requirement.casualties
            problem_at_end = self._end(is_told=not has_passed)
            if problem_at_end and has_passed:
                return replace(outcome, status=Status.ERROR, reason=f"after the check: {problem_at_end}")
        elif self._job is not None and not self._job.is_usable:
            self._kill()
        return outcome

    def close(self) -> None:
        """Ends the job and stops listening; a job that hangs is killed."""
        try:
            self._end()
        finally:
            self.kill()

    def kill(self) -> None:
        """Kills everything at once."""
        self._kill()
        self._listener.close()

    def _job_for(self, count: int) -> Job:
        """A job of so many processes: the current one, or a new one."""
        job = self._job
        if job is not None and job.count == count:
            dead = job.find_dead()
            if not dead:
                return job
            self._tell(f"a job of {count} is replaced: {dead}")
            self._kill()
        else:
            self._end()
        refusals = self._refusals.setdefault(count, [])
        if len(refusals) >= _ATTEMPTS:
            raise refusals[-1]
        self._started += 1
        try:
            self._job = Job(self._started, count, self._settings, self._listener)
        except NotStarted as problem:
            refusals.append(problem)
            raise
        refusals.clear()
        return self._job

    def _end(self, is_told: bool = True) -> str:
        """Ends the job; returns the problem, or an empty text."""
        job, self._job = self._job, None
        if job is None:
            return ""
        if not job.is_usable:
            job.kill()
            return ""
        try:
            problem = job.close()
        finally:
            job.kill()
        if problem and is_told:
            self._tell(f"a job of {job.count} did not end well: {problem}")
        return problem

    def _kill(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.kill()
