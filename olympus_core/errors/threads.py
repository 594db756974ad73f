# SPDX-License-Identifier: Apache-2.0
"""Errors about threads that the system does not give."""

from __future__ import annotations

from .platform import PlatformError

_LIMITS = "raise the limit of the user (`ulimit -u`), of the container (its number of processes) or of memory"


class ThreadStartError(PlatformError):
    """The system starts no further thread.

    Args:
        thread: The thread's name.
        purpose: What it is for.
        running: Threads that this process has; None where nobody knows.
        limit: Processes and threads that the user may have; None for any number.
    """

    def __init__(self, thread: str, purpose: str, running: int | None, limit: int | None) -> None:
        self.thread, self.purpose, self.running, self.limit = thread, purpose, running, limit
        super().__init__(
            f"The system starts no further thread, and {purpose} needs one ({thread}).",
            given=f"{'an unknown number of' if running is None else running} threads of this process, "
                  f"{'no limit' if limit is None else f'a limit of {limit}'} for all processes of the user",
            fix="Have fewer threads that compute (OLYMPUS_NUM_THREADS) or fewer CPU devices (OLYMPUS_NUM_CPU_DEVICES), "
                f"or {_LIMITS}.",
        )


class ThreadGuardError(PlatformError):
    """Work over several processes is launched by another thread than the one that may, by `olympus.thread_guard`.

    Args:
        what: What is launched.
        thread: The thread's name.
        owner: The name of the thread that may.
    """

    def __init__(self, what: str, thread: str, owner: str) -> None:
        super().__init__(
            f"{what} spans several processes and is launched by another thread than the one that may.",
            given=f"thread {thread}", expected=f"thread {owner}, which set the option olympus_thread_guard",
            fix="Launch what spans several processes from one thread: processes must launch it in the same order.")


class FewerThreadsWarning(RuntimeWarning):
    """There are fewer threads than were wanted; results are the same, and come later.

    Args:
        wanted: How many were wanted, or what one was wanted for.
        started: How many there are, with the one that asks.
        option: The option that says how many.
    """

    def __init__(self, wanted: int | str, started: int, option: str) -> None:
        self.wanted, self.started, self.option = wanted, started, option
        super().__init__(
            (f"{wanted} threads that compute were wanted, and there are {started}, since the system starts no more.\n"
             if isinstance(wanted, int) else
             f"The system starts no thread for {wanted}: the work is done in the thread that asks for it.\n") +
            f"  What to do: set {option.upper()} to what can be had, or {_LIMITS}."
        )
