# SPDX-License-Identifier: Apache-2.0
"""Object code beside the cache on disk: taken down while a program is compiled, or brought by a stored executable."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

_lock = threading.Lock()
_records: list[dict[str, bytes]] = []
_brought: list[Mapping[str, bytes]] = []


@contextmanager
def recorded() -> Iterator[dict[str, bytes]]:
    """The code, by its key, of all that is linked in the block, in any thread.

    Example:
        >>> with recorded() as codes:
        ...     note("key", b"code")
        >>> codes
        {'key': b'code'}
    """
    codes: dict[str, bytes] = {}
    with _lock:
        _records.append(codes)
    try:
        yield codes
    finally:
        with _lock:
            _records[:] = [other for other in _records if other is not codes]


@contextmanager
def given(codes: Mapping[str, bytes]) -> Iterator[None]:
    """Code that is used in the block, in any thread, instead of compiling it; whoever gives it vouches for it.

    Args:
        codes: The code by its key.
    """
    with _lock:
        _brought.append(codes)
    try:
        yield
    finally:
        with _lock:
            _brought[:] = [other for other in _brought if other is not codes]


def is_recorded() -> bool:
    """Whether somebody takes down what is linked: then optimised code is wanted at once."""
    return bool(_records)


def is_exchanged() -> bool:
    """Whether somebody takes down what is linked, or has brought code."""
    return bool(_records or _brought)


def note(key: str, code: bytes) -> None:
    """Told of code that was linked.

    Args:
        key: Its key.
        code: The code.
    """
    if _records:
        with _lock:
            for codes in _records:
                codes[key] = code


def given_code(key: str) -> bytes | None:
    """The code that somebody brought under a key, or None."""
    if _brought:
        with _lock:
            for codes in _brought:
                if key in codes:
                    return codes[key]
    return None
