# SPDX-License-Identifier: Apache-2.0
"""The errors of reports and lists."""

from __future__ import annotations

from pathlib import Path

from ..errors import ConformanceError


class ReportFileError(ConformanceError, ValueError):
    """A file that should hold a report does not.

    Args:
        path: The file.
        problem: The problem.
    """

    def __init__(self, path: Path, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(
            f"{path} is not a report of the conformance suite: {problem}", expected="the report.json of a run",
            fix="Give the files that `olympus-conformance run` wrote.",
        )


class UnknownTestError(ConformanceError, LookupError):
    """A result belongs to no test of the suite.

    Args:
        identifiers: The ids that no test has.
    """

    def __init__(self, identifiers: tuple[str, ...]) -> None:
        self.identifiers = identifiers
        super().__init__(
            f"{len(identifiers)} results belong to no test of this suite.", given=", ".join(identifiers[:5]),
            expected="ids that `olympus-conformance run --list` shows",
            fix="Run the suite that is installed, and build the report from its outcomes.",
        )


class MustpassError(ConformanceError, LookupError):
    """There are no mustpass lists for a version of the suite.

    Args:
        version: The version.
        known: Those that have lists.
    """

    def __init__(self, version: str, known: tuple[str, ...]) -> None:
        self.version, self.known = version, known
        super().__init__(
            f"There are no mustpass lists for version {version} of the suite.", given=version,
            expected=", ".join(known) or "none have been written",
            fix="Install a suite that knows this version, or run `olympus-conformance mustpass --write`.",
        )


class NotCertifiableError(ConformanceError, ValueError):
    """A report of which no certificate can be made.

    Args:
        name: What the report is called.
        reasons: What speaks against it.
    """

    def __init__(self, name: str, reasons: tuple[str, ...]) -> None:
        self.name, self.reasons = name, reasons
        super().__init__(
            f"There is no certificate of {name}: {'; '.join(reasons)}", given=name,
            expected="a report that `olympus-conformance verify` accepts, of a whole profile that passes",
            fix="Run the profile without --quick and --only, and verify what it wrote.",
        )
