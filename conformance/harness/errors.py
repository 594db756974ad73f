# SPDX-License-Identifier: Apache-2.0
"""Errors of a run, apart from the outcomes of tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import ConformanceError


class UsageError(ConformanceError, ValueError):
    """An invalid command line or call.

    Args:
        what: The problem.
        given: The given value.
        expected: The valid values.
        fix: What to do.
    """

    def __init__(self, what: str, given: object = None, expected: object = None, fix: str | None = None) -> None:
        super().__init__(what, given=given, expected=expected, fix=fix)


class PlatformNotOpenedError(ConformanceError, RuntimeError):
    """The platform under test cannot be opened in a process of its own, so nothing can be tested.

    Args:
        platform: Its name.
        reason: The worker's reason.
        trace: The traceback, or the last lines of the worker's output.
    """

    def __init__(self, platform: str, reason: str, trace: str = "") -> None:
        self.platform, self.reason, self.trace = platform, reason, trace
        super().__init__(
            f"The platform {platform!r} cannot be opened, so nothing can be tested.", given=reason,
            fix="Make `olympus doctor` show it as available; --output's folder `workers` holds what the process wrote.",
        )

    def __reduce__(self) -> tuple[object, ...]:
        return PlatformNotOpenedError, (self.platform, self.reason, self.trace)


class WaiverError(ConformanceError, ValueError):
    """A file of waivers cannot be read.

    Args:
        file: Its path.
        problems: The problems, one sentence each.
        fix: What to do; None for an example of a valid entry.
    """

    EXAMPLE = (
        '[[waiver]]\nid = "operations/tanh[bfloat16*"\nversions = ">=1.2,<2"\nlink = "https://example.com/issues/7"\n'
        'reason = "tanh is one unit off near 1"\nexpires = 2027-01-31'
    )

    def __init__(self, file: object, problems: Sequence[str], fix: str | None = None) -> None:
        self.file, self.problems = str(file), tuple(problems)
        super().__init__(
            f"The waivers in {file} cannot be used.", given="".join(f"\n    {p}" for p in self.problems),
            expected=None if fix else "entries such as\n    " + self.EXAMPLE.replace("\n", "\n    "),
            fix=fix or "Correct the entries; all five fields but `versions` must be there.",
        )


class ResumeError(ConformanceError, ValueError):
    """An output folder holds the results of another run.

    Args:
        folder: The folder.
        differences: For each fact that differs, the stored and the requested value.
    """

    def __init__(self, folder: object, differences: Mapping[str, tuple[object, object]]) -> None:
        self.folder, self.differences = str(folder), dict(differences)
        super().__init__(
            f"The run in {folder} cannot be resumed: it is another one.",
            given="; ".join(f"{name} was {old} and is {new}" for name, (old, new) in self.differences.items()),
            fix="Resume with the same arguments and versions, leave --resume out, or name another --output.",
        )


class MeetingError(ConformanceError, ValueError):
    """Two meetings use one label at the same time.

    Args:
        label: The label.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        super().__init__(
            f"The label {label!r} is used for two meetings at the same time.",
            fix="Give each exchange a label that no other one has while it is under way.",
        )
