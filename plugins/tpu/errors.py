# SPDX-License-Identifier: Apache-2.0
"""Errors of the platform `tpu`."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.errors.platform import PlatformError


class TpuSliceError(PlatformError, ValueError):
    """A name that no slice of TPUs has.

    Args:
        name: The given name.
        nearest: The most similar name, if any.
        known: The known names.
    """

    def __init__(self, name: str, nearest: str | None, known: Sequence[str]) -> None:
        self.name, self.nearest, self.known = name, nearest, tuple(known)
        near = f"Did you mean {nearest!r}? If not, give" if nearest else "Give"
        super().__init__(
            f"There is no slice of TPUs named {name!r}.", expected=f"one of {', '.join(known)}",
            fix=f"{near} the slice's type or its chips along the sides, such as 'v5litepod-16' or 'v5e:4x4'.",
        )


class TpuLibraryError(PlatformError, ImportError):
    """libtpu is not installed.

    Args:
        what: The feature that needs it.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(
            f"{what} needs the library libtpu, and it is not installed.",
            fix="Install it (pip install 'olympus-runtime[tpu]'); it is there for Linux on x86-64 only.",
        )


class TpuCompilerError(PlatformError):
    """The process that compiles for TPUs ended, or took too long.

    Args:
        what: Its task.
        ending: How it ended.
        output: The end of its output.
    """

    def __init__(self, what: str, ending: str, output: str) -> None:
        self.what, self.ending, self.output = what, ending, output
        super().__init__(
            f"libtpu could not {what}: its process {ending}.", given=output.strip() or "it wrote nothing",
            fix="See what it says. A smaller program, or an earlier libtpu, may tell what it stumbles over.",
        )


class TpuJobError(PlatformError, ValueError):
    """A job's processes do not fit the slice of TPUs.

    Args:
        name: The slice.
        expected: Its machines.
        machines: For each process its machine.
        problem: The problem.
    """

    def __init__(self, name: str, expected: int, machines: Sequence[str], problem: str) -> None:
        self.name, self.expected, self.machines, self.problem = name, expected, tuple(machines), problem
        super().__init__(
            f"{len(machines)} processes cannot run on the slice {name}: {problem}.",
            given=f"processes on {', '.join(machines)}",
            expected=f"one process, or 2, 4 or 8 of them, on each of {expected} machines",
            fix="Start as many processes on each of its machines as share its chips evenly.",
        )


class TpuPrecisionError(PlatformError, ValueError):
    """A precision of products that TPUs do not have.

    Args:
        given: The given precision.
        known: The known precisions.
    """

    def __init__(self, given: str, known: Sequence[str]) -> None:
        self.given, self.known = given, tuple(known)
        super().__init__(
            f"There is no precision {given!r} for products on TPUs.", expected=f"one of {', '.join(known)}",
            fix="Change OLYMPUS_TPU_PRECISION: 'default' multiplies bfloat16, 'highest' as float32 does.",
        )
