# SPDX-License-Identifier: Apache-2.0
"""What the controller makes of processes that fail, hang, die, or talk to each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from olympus_conformance.harness import job as job_module
from olympus_conformance.harness.controller import Controller
from olympus_conformance.harness.errors import PlatformNotOpenedError
from olympus_conformance.harness.job import JobSettings
from olympus_conformance.outcome import Outcome, Status
from tests.support.processes import wait_until

from .probes import PROBES

pytestmark = pytest.mark.processes


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def controller(acme: Path, tmp_path: Path, notes: list[str]) -> Iterator[Controller]:
    made = Controller(JobSettings("acme", 2, None, 1.0, tmp_path), notes.append)
    yield made
    made.kill()


@pytest.fixture
def run(controller: Controller):
    return lambda name: controller.run(PROBES[name])


def pids(outcome: Outcome) -> list[int]:
    return [int(pid) for pid in outcome.observed.strip("[]").split(",")]


def test_one_process(controller: Controller, run, notes: list[str]) -> None:
    opened = controller.open()
    assert (opened.platform, opened.distribution, opened.version) == ("acme", "olympus-acme", "1.2")
    assert opened.devices == ("ACME_0", "ACME_1")
    assert run("passes").status is Status.PASS

    failed = run("fails")
    assert failed.status is Status.FAIL
    assert (failed.observed, failed.required, failed.program) == ("one", "another", "program f()")
    assert run("warns").status is Status.WARNING

    raised = run("raises")
    assert raised.status is Status.ERROR
    assert "nobody knows it" in raised.reason and "probes.py" in raised.trace
    exited = run("exits")
    assert exited.status is Status.ERROR and exited.reason == "SystemExit: 3"
    assert run("passes").status is Status.PASS
    assert not notes


def test_one_worker_serves_many_tests_and_fresh_ones_get_their_own(run) -> None:
    first, second = pids(run("whose_fresh")), pids(run("whose_fresh"))
    assert first != second


def test_a_crash_names_the_signal_and_the_last_lines(run) -> None:
    crashed = run("crashes")
    assert crashed.status is Status.ERROR
    assert crashed.reason == "the process was killed by SIGSEGV"
    assert "last words" in crashed.trace and "probes.py" in crashed.trace  # faulthandler's stacks
    assert run("passes").status is Status.PASS


def test_a_crash_between_two_tests_is_nobodys_failure(run, controller: Controller, notes: list[str]) -> None:
    assert run("crashes_later").status is Status.PASS
    controller._job._processes._started[0].wait(10)
    assert run("passes").status is Status.PASS
    assert len(notes) == 1 and "SIGALRM after probe/crashes_later" in notes[0]


@pytest.mark.parametrize("name, function", [("hangs", "hang_here"), ("hangs_and_holds", "hang_and_hold_here")])
def test_a_hang_ends_with_the_stacks(run, name: str, function: str) -> None:
    hung = run(name)
    assert hung.status is Status.TIMEOUT
    assert function in hung.trace
    assert hung.seconds < 15
    assert run("passes").status is Status.PASS


def test_processes_meet(run) -> None:
    together = run("together")
    assert together.status is Status.PASS, together
    assert run("misses").status is Status.PASS
    assert run("aborts").status is Status.PASS
    assert run("together").status is Status.PASS  # in a new job: the last one was aborted


def test_a_failure_in_one_process_ends_the_others(run) -> None:
    failed = run("one_fails")
    assert failed.status is Status.FAIL
    assert failed.reason == "in process 1 of 2" and failed.observed == "process 1"
    assert failed.seconds < 10


def test_a_death_in_one_process_ends_the_others(run) -> None:
    died = run("one_dies")
    assert died.status is Status.ERROR
    assert died.reason == "process 1 of 2: the process was killed by SIGKILL"
    assert died.seconds < 10


def test_a_hang_in_one_process_shows_the_stacks_of_all(run) -> None:
    hung = run("one_hangs")
    assert hung.status is Status.TIMEOUT
    assert hung.reason.startswith("process 1 of 2: it had not ended")
    assert "process 0:" in hung.trace and "hang_here" in hung.trace.partition("process 1:")[2]


def test_casualties_die_and_the_others_are_told(run) -> None:
    assert run("casualty").status is Status.PASS
    lives = run("casualty_lives")
    assert lives.status is Status.ERROR and lives.reason.startswith("process 1 of 2: the process was to die")


def test_a_job_is_kept_while_nothing_fails(run) -> None:
    first, second = pids(run("whose")), pids(run("whose"))
    assert not set(first) & set(second)  # it failed, so the next test gets a new job
    assert len(set(first)) == 2


def test_a_platform_that_does_not_close(run) -> None:
    outcome = run("cannot_close")
    assert outcome.status is Status.ERROR
    assert "after the check" in outcome.reason and "it is stuck" in outcome.reason


@pytest.mark.parametrize("fault, reason", [
    ("exits in import", "ended with status 7"),
    ("raises in import", "libacme.so is missing"),
    ("raises in open", "RuntimeError: the board does not answer"),
])
def test_a_platform_that_cannot_be_opened(
    controller: Controller, run, monkeypatch: pytest.MonkeyPatch, fault: str, reason: str
) -> None:
    monkeypatch.setenv("ACME_FAULT", fault)
    with pytest.raises(PlatformNotOpenedError) as caught:
        controller.open()
    assert reason in caught.value.reason
    outcome = run("passes")
    assert outcome.status is Status.ERROR and reason in outcome.reason


def test_a_platform_that_one_process_cannot_open(controller: Controller, run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_FAULT", "one raises in open")
    assert run("passes").status is Status.PASS
    outcome = run("together")
    assert outcome.status is Status.ERROR
    assert "process 1 of 2: RuntimeError: the second board does not answer" in outcome.reason
    run("together")
    started = controller._started
    assert "the second board" in run("together").reason
    assert controller._started == started  # two attempts are enough


def test_a_platform_that_hangs_when_it_is_opened(
    controller: Controller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    begun, open_all = tmp_path / "begun", job_module.Job._open

    def open_when_it_hangs(job: job_module.Job) -> None:
        wait_until(begun.exists, "the platform being opened", 30.0)  # its import is not what shall take too long
        open_all(job)

    monkeypatch.setattr(job_module.Job, "_open", open_when_it_hangs)
    monkeypatch.setenv("ACME_PIDS", str(begun))
    monkeypatch.setenv("ACME_FAULT", "hangs in open")
    monkeypatch.setattr(job_module, "_OPENING", 0.3)
    monkeypatch.setattr(job_module, "_GRACE", 0.1)
    with pytest.raises(PlatformNotOpenedError) as caught:
        controller.open()
    assert "had not opened the platform" in caught.value.reason
    assert "time.sleep(600)" in caught.value.trace


def test_a_launcher_that_starts_too_few(acme: Path, tmp_path: Path) -> None:
    script = tmp_path / "launch.sh"
    script.write_text('#!/bin/sh\necho "no such partition: $1"\nexit 4\n')
    script.chmod(0o755)
    controller = Controller(JobSettings("acme", 2, f"{script} {{n}}", 1.0, tmp_path))
    try:
        with pytest.raises(PlatformNotOpenedError) as caught:
            controller.open()
    finally:
        controller.kill()
    assert "ended with status 4" in caught.value.reason and "no such partition: 1" in caught.value.trace


def test_a_launcher(acme: Path, tmp_path: Path) -> None:
    """A launcher of a few lines: the workers need nothing of it but to be started."""
    script = tmp_path / "launch.sh"
    script.write_text(
        '#!/bin/sh\nn=$1; shift\ni=1\nwhile [ $i -lt $n ]; do "$@" & i=$((i+1)); done\n"$@"\nwait\n')
    script.chmod(0o755)
    controller = Controller(JobSettings("acme", 2, f"{script} {{n}}", 1.0, tmp_path))
    try:
        assert controller.run(PROBES["together"]).status is Status.PASS
        assert controller.run(PROBES["casualty"]).status is Status.PASS
        assert controller.run(PROBES["one_hangs"]).status is Status.TIMEOUT
    finally:
        controller.kill()
