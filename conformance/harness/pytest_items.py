# SPDX-License-Identifier: Apache-2.0
"""The suite in pytest: one item for each test, run by the same controller as from the command line."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ..outcome import Status
from ..requirement import PROFILES, Test
from ..waivers import Waivers, read
from .controller import Controller
from .errors import PlatformNotOpenedError, UsageError
from .facts import RunSettings, contract_version
from .job import JobSettings
from .progress import explain
from .schedule import schedule
from .verdicts import BAD

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr

_PACKAGE = Path(__file__).resolve().parents[1]
_ANCHOR = _PACKAGE / "__main__.py"  # a file that contains neither tests nor doctests
_SETTINGS = pytest.StashKey[RunSettings]()
_SUITE = pytest.StashKey["_Suite"]()


class ConformanceWarning(UserWarning):
    """A SHOULD of the contract does not hold.

    Args:
        lines: The description.
    """

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))


class ConformanceFailure(Exception):
    """The exception of an item that fails.

    Args:
        lines: The description.
    """

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))


class _Suite:
    """The controller of a pytest session, started at its first item."""

    def __init__(self, settings: RunSettings, waivers: Path | None) -> None:
        self.settings = settings
        self._entries = read(waivers) if waivers is not None else ()
        self._folder = tempfile.TemporaryDirectory(prefix="olympus-conformance-")
        self.notes: list[str] = []
        self.controller = Controller(
            JobSettings(settings.platform, settings.devices, settings.launcher, settings.timeout_factor,
                        Path(self._folder.name)), self.notes.append)
        self.opened = self.controller.open()
        self.waivers = Waivers(self._entries, self.opened.version)

    def close(self) -> None:
        """Ends the workers."""
        self.controller.close()
        self._folder.cleanup()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options of ``olympus-conformance run`` that apply here."""
    group = parser.getgroup("olympus conformance")
    group.addoption("--platform", metavar="NAME", help="the platform to test")
    group.addoption("--profile", default="full", choices=PROFILES, help="what is asked for")
    group.addoption("--quick", action="store_true", help="leave out what takes long")
    group.addoption("--launcher", metavar="COMMAND", help="how processes are started, such as 'srun -n {n}'")
    group.addoption("--devices", type=int, metavar="N", help="devices of each process")
    group.addoption("--waivers", type=Path, metavar="FILE", help="known failures, in TOML or JSON")
    group.addoption("--timeout-factor", type=float, default=1.0, metavar="X", help="by how much tests may be slower")


def pytest_configure(config: pytest.Config) -> None:
    """Reads the options."""
    option = config.option
    if not option.platform:
        raise pytest.UsageError(
            "olympus_conformance tests one platform: add --platform NAME, such as --platform cpu"
            " (`olympus doctor` lists the installed ones)")
    config.stash[_SETTINGS] = RunSettings(
        option.platform, option.profile, quick=option.quick, launcher=option.launcher, devices=option.devices,
        timeout_factor=option.timeout_factor)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends the workers."""
    suite = config.stash.get(_SUITE, None)
    if suite is not None:
        suite.close()


def pytest_report_header(config: pytest.Config) -> str:
    """Describes the platform under test."""
    settings = config.stash[_SETTINGS]
    what = f"platform {settings.platform}, profile {settings.profile}"
    return f"olympus-conformance: contract {contract_version()}, {what}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Shows messages that belong to no test."""
    suite = config.stash.get(_SUITE, None)
    for note in suite.notes if suite is not None else ():
        terminalreporter.write_line(f"note: {note}")
    settings = config.stash[_SETTINGS]
    if settings.quick:
        missing = len(schedule(settings.profile)) - len(schedule(settings.profile, quick=True))
        terminalreporter.write_line(
            f"INCOMPLETE: --quick leaves out {missing} tests of profile {settings.profile}")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Ignores all files of the suite but one, which stands for all tests."""
    inside = _PACKAGE in collection_path.parents
    return True if inside and collection_path != _ANCHOR else None


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects the tests of the suite."""
    if file_path == _ANCHOR:
        return ConformanceFile.from_parent(parent, path=file_path)
    return None


class ConformanceFile(pytest.File):
    """The selected tests of the suite."""

    def collect(self) -> Iterator[pytest.Item]:
        """An item for each test."""
        settings = self.config.stash[_SETTINGS]
        for test in schedule(settings.profile, quick=settings.quick):
            yield ConformanceItem.from_parent(self, name=test.id, test=test)


class ConformanceItem(pytest.Item):
    """One test of the suite."""

    def __init__(self, *, test: Test, **rest: Any) -> None:
        super().__init__(**rest)
        self.test = test

    def runtest(self) -> None:
        """Runs the test in the workers, and reports its outcome to pytest."""
        suite = _suite_of(self.config)
        outcome = suite.waivers.apply(suite.controller.run(self.test))
        if outcome.status is Status.NOT_SUPPORTED:
            pytest.skip(outcome.reason)
        if outcome.status is Status.WAIVED:
            pytest.xfail(outcome.reason)
        if outcome.status is Status.WARNING:
            self.warn(ConformanceWarning(*explain(self.test, outcome, suite.settings)))
        if outcome.status in BAD:
            raise ConformanceFailure(
                f"{outcome.status.value}: {outcome.id}", *explain(self.test, outcome, suite.settings))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | TerminalRepr:
        """The failure, without a traceback of this file."""
        if isinstance(excinfo.value, ConformanceFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The location and name of the test."""
        return self.path, None, self.name


def _suite_of(config: pytest.Config) -> _Suite:
    suite = config.stash.get(_SUITE, None)
    if suite is None:
        try:
            suite = config.stash[_SUITE] = _Suite(config.stash[_SETTINGS], config.option.waivers)
        except (PlatformNotOpenedError, UsageError) as error:
            pytest.exit(str(error), returncode=pytest.ExitCode.USAGE_ERROR)
    return suite
