# SPDX-License-Identifier: Apache-2.0
"""Each broken platform is found by name, for what is wrong with it; and every requirement finds one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from olympus_conformance import Context, Session, Status, Test, requirements, run_test
from olympus_conformance import tests as suite_tests
from olympus_conformance.cli import main
from olympus_conformance.harness.controller import Controller
from olympus_conformance.harness.job import JobSettings
from olympus_conformance.harness.schedule import matches
from olympus_conformance.suite.full import performance, random_programs
from olympus_conformance.suite.single import asynchrony
from olympus_core.plugin import PlatformSettings
from tests.support.processes import ROOT

from .broken import BROKEN
from .broken.base import build
from .broken.jobs import ALONE, BAD, run
from .broken.plugins import RIGHT, entry_points

pytestmark = pytest.mark.slow


def _first_of_each() -> list[Test]:
    """A quick test of each requirement of profile minimal; what watches memory, threads and clocks takes too long."""
    found: dict[str, Test] = {}
    for test in suite_tests("minimal"):
        if test.case.quick and test.requirement.is_mandatory and not test.requirement.name.startswith("memory/"):
            found.setdefault(test.requirement.name, test)
    return list(found.values())


HANDFUL = _first_of_each()
SEVERAL: dict[str, tuple[Test, float]] = {}  # with the least time that a broken platform is given
for _broken in BROKEN.values():
    for _test, *_ in _broken.expected():
        if _test.case.processes > 1 and _test.requirement.is_mandatory:
            SEVERAL[_test.id] = (_test, min(_broken.seconds, SEVERAL.get(_test.id, (_test, 60.0))[1]))


def _few(work: Callable[[], Any], times: int) -> float:
    """As the suite measures, but for the repeats: the first run is not counted.

    The least of three: beside other work one of NumPy's runs may be twice as long as the others. Always as many, since
    all processes of a communication must have it as often.
    """
    found = []
    for _ in range(4):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return min(found[1:])


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks that repeat themselves do so less often, with less: what they look for is there each time."""
    monkeypatch.setattr(asynchrony, "_SECONDS", 0.5)
    monkeypatch.setattr(random_programs, "_SHRINK_SECONDS", 2.0)
    monkeypatch.setattr(performance, "_seconds", _few)
    monkeypatch.setattr(performance, "_COPY", 8 << 20)
    monkeypatch.setattr(performance, "_ELEMENTS", 1_000_000)


@pytest.mark.parametrize("name", sorted(BROKEN))
@pytest.mark.usefixtures("hurried")
def test_a_broken_platform_is_found(name: str) -> None:
    broken = BROKEN[name]
    for pattern, candidates in zip(broken.fails, broken.expected(), strict=True):
        found = []
        for test in candidates:
            found.append(run(test, broken.make, broken.seconds))
            if found[-1].status in BAD:
                break
        usual = Status.FAIL if candidates[0].requirement.is_mandatory else Status.WARNING
        last = found[-1]
        assert last.status is (broken.ends or usual), f"{pattern}, for {broken.says}: {found}"
        assert broken.ends or (last.observed and last.required)


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_it_is_broken_in_one_way(name: str) -> None:
    broken = BROKEN[name]
    allowed = {t.id for tests in broken.expected() for t in tests}
    spared = [t for t in HANDFUL if t.id not in allowed and not any(matches(p, t.id) for p in broken.also)]
    session = Session(broken.make(), PlatformSettings(device_count=ALONE), seconds=2.0)
    try:
        found = [run_test(test, Context(session, test.id)) for test in spared]
    finally:
        session.close()
    assert [o for o in found if o.status in BAD] == []


@pytest.mark.parametrize("identifier", SEVERAL)
@pytest.mark.usefixtures("hurried")
def test_the_right_platform_passes(identifier: str) -> None:
    """In the time that ends as a hang for broken ones; and so the threads that stand for processes are right."""
    test, seconds = SEVERAL[identifier]
    outcome = run(test, lambda: build(declared={"donation": True}), seconds)
    assert outcome.status is Status.PASS, outcome


def test_every_requirement_can_fail() -> None:
    shown = set()
    for broken in BROKEN.values():
        for pattern, tests in zip(broken.fails, broken.expected(), strict=True):
            names = {t.requirement.name for t in tests}
            assert len(names) == 1, f"{broken.name}: {pattern} is of the requirements {sorted(names)}, and not of one"
            shown |= names
    assert sorted({r.name for r in requirements()} - shown) == []


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder; the distribution olympus-broken is installed for the processes that the harness starts."""
    metadata = tmp_path / "site" / "olympus_broken-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: olympus-broken\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(entry_points())
    monkeypatch.setenv("PYTHONPATH", f"{metadata.parent}:{ROOT}")
    return tmp_path


@pytest.fixture
def controller(installed: Path) -> Iterator[Callable[[str, float], Controller]]:
    made: list[Controller] = []

    def make(name: str, factor: float) -> Controller:
        made.append(Controller(JobSettings(name, 2, None, factor, installed)))
        return made[-1]

    yield make
    for one in made:
        one.kill()


def _find(identifier: str) -> Test:
    (test,) = [t for t in suite_tests() if t.id == identifier]
    return test


@pytest.mark.processes
@pytest.mark.parametrize(("name", "identifier", "status", "where"), [
    ("wrong_group_order", "communicators/any_group[2 processes]", Status.FAIL, ""),
    ("hang_in_third_collective", "collectives/order[2 processes]", Status.TIMEOUT, "broken/communicators.py"),
    ("death_unnoticed", "faults/killed[all_reduce,2 processes]", Status.TIMEOUT, "broken/lifecycle.py"),
    (RIGHT, "communicators/any_group[2 processes]", Status.PASS, ""),
    (RIGHT, "faults/killed[all_reduce,2 processes]", Status.PASS, ""),
])
def test_real_processes_find_it_too(
    controller: Callable[[str, float], Controller], name: str, identifier: str, status: Status, where: str
) -> None:
    """Over sockets, with a process that is really killed; a hang shows where it is."""
    outcome = controller(name, 0.05 if status is Status.TIMEOUT else 1.0).run(_find(identifier))
    assert outcome.status is status, outcome
    assert where in outcome.trace


@pytest.mark.processes
def test_the_command_names_what_is_broken(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["run", "--platform", "dropped_error", "--only", "errors/raised", "buffers/metadata",
                   "--output", str(installed / "out")])
    out = capsys.readouterr().out
    assert status == 1 and out.splitlines()[-1] == "FAIL"
    assert "(olympus-broken 1.0)" in out.splitlines()[0]
    assert [line.split()[1] for line in out.splitlines() if line.startswith("FAIL ")] == [
        "errors/raised"]
