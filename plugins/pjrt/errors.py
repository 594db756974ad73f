# SPDX-License-Identifier: Apache-2.0
"""Errors of PJRT libraries, with the library's own code and text."""

from __future__ import annotations

from collections.abc import Sequence

from olympus_core.errors.platform import PlatformError

CODES = (
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
)


class PjrtError(PlatformError):
    """A function of a PJRT library failed.

    Args:
        function: The function's name, without its prefix.
        code: The error's code, a number of `CODES`.
        text: The library's text.
    """

    fix = "See what the library says; its documentation tells more."

    def __init__(self, function: str, code: int, text: str) -> None:
        self.function, self.code, self.text = function, code, text
        self.code_name = CODES[code] if 0 <= code < len(CODES) else str(code)
        super().__init__(f"PJRT_{function} failed: {self.code_name}: {text.rstrip('.')}.", fix=self.fix)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.function, self.code, self.text)


class PjrtOutOfMemoryError(PjrtError, MemoryError):
    """The device, or the memory plan of a compiled program, has not enough memory."""

    fix = "Delete arrays that are not needed, donate arguments, or split the work over more devices."


class PjrtArgumentError(PjrtError, ValueError):
    """The library rejects an argument: a program's text, an option, a shape."""


class PjrtUnimplementedError(PjrtError, NotImplementedError):
    """The library does not implement this."""

    fix = "Use another library, or another platform, such as cpu."


class PjrtMissingError(PjrtError, LookupError):
    """The library does not find something, such as its hardware."""

    fix = "Check that what the library names is there; hardware, its driver, and whether this process may see them."


_KINDS: dict[str, type[PjrtError]] = {
    "RESOURCE_EXHAUSTED": PjrtOutOfMemoryError, "INVALID_ARGUMENT": PjrtArgumentError,
    "OUT_OF_RANGE": PjrtArgumentError, "UNIMPLEMENTED": PjrtUnimplementedError, "NOT_FOUND": PjrtMissingError,
}


def error_of(function: str, code: int, text: str) -> PjrtError:
    """The error of a code, of the matching class."""
    name = CODES[code] if 0 <= code < len(CODES) else ""
    return _KINDS.get(name, PjrtError)(function, code, text)


class PjrtLibraryError(PlatformError, OSError):
    """A file is not a usable PJRT library.

    Args:
        path: The file.
        reason: The reason.
    """

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(
            f"The PJRT library {path!r} cannot be used: {reason.rstrip('.')}.",
            expected="a shared library that exports GetPjrtApi, for this system and processor",
            fix="Name another file in OLYMPUS_PJRT_LIBRARY, or install the library again.",
        )


class PjrtVersionError(PlatformError):
    """A library has an unsupported version of the C API.

    Args:
        path: The library.
        version: Its version.
        known: The supported version.
        problem: The problem.
    """

    def __init__(self, path: str, version: tuple[int, int], known: tuple[int, int], problem: str) -> None:
        self.path, self.version, self.known, self.problem = path, version, known, problem
        super().__init__(
            f"The PJRT library {path!r} does not fit: {problem}.",
            given=f"C API {version[0]}.{version[1]}", expected=f"C API {known[0]}.x, known up to {known[0]}.{known[1]}",
            fix="Upgrade olympus, or use an older release of the library.",
        )


class PjrtClosedError(PlatformError):
    """An object of a PJRT library was used after it was closed.

    Args:
        what: The kind of object.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"A closed {what} was used.", fix="Keep it open as long as it is needed.")


class PjrtDeviceCountError(PlatformError, ValueError):
    """A library has fewer devices than were asked for.

    Args:
        wanted: The number of devices, or their local ids.
        found: The available devices, as text.
    """

    def __init__(self, wanted: int | Sequence[int], found: Sequence[str]) -> None:
        self.wanted, self.found = wanted, tuple(found)
        super().__init__(
            f"The PJRT library has not the devices that were asked for: {wanted}.",
            given=f"{len(found)} devices: {', '.join(found)}",
            fix="Ask for fewer (OLYMPUS_NUM_PJRT_DEVICES), or give the library's own option for their number"
            " (OLYMPUS_PJRT_OPTIONS).",
        )


class PjrtOptionError(PlatformError, ValueError):
    """Options for a PJRT library that cannot be read.

    Args:
        text: What was given.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(
            "The options for the PJRT library cannot be read.", given=repr(text),
            expected="name=value, several separated by commas", fix="Change OLYMPUS_PJRT_OPTIONS.",
        )
