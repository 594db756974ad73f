# SPDX-License-Identifier: Apache-2.0
"""What a profile hears of: whoever spends time tells the recorder, and asks first whether there is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import Any, Protocol


class Recorder(Protocol):
    """What `olympus.profiler` sets while it records. Times are those of `time.perf_counter_ns`."""

    def span(self, kind: str, name: str, start: int, end: int, location: str = "", **about: Any) -> None:
        """Told of what this thread did.

        Args:
            kind: ``operation`` (one that is no kernel), ``callback``, ``collective``, ``waiting`` (for other
                processes), ``ready`` (for this process's own devices), ``transfer``.
            name: What it was, for people.
            start: When it began.
            end: When it ended.
            location: The user's line; empty where it is not known.
            **about: What else is to be shown.
        """

    def queued(self, work: Callable[[], Any]) -> Callable[[], Any]:
        """An execution that another thread will run, as one that is told of."""

    def made(self, buffers: Sequence[Any], location: str) -> None:
        """Told of an array's buffers and of the line that made it."""

    def line_of(self, buffer: Any) -> str:
        """The line that made a buffer's array; empty where it is not known."""


recorder: Recorder | None = None


def timed(
    to: Recorder, kind: str, name: str, location: str | None, function: Callable[..., Any], *arguments: Any,
    **about: Any,
) -> Any:
    """A function's result, and a recorder told of its call.

    Args:
        to: The recorder.
        kind: See `Recorder.span`.
        name: Likewise.
        location: Likewise.
        function: The function.
        *arguments: Its arguments.
        **about: What else is to be shown.
    """
    start = perf_counter_ns()
    try:
        return function(*arguments)
    finally:
        to.span(kind, name, start, perf_counter_ns(), location or "", **about)
