# SPDX-License-Identifier: Apache-2.0
"""What a platform can tell a profile: which kernels ran, when, and what they were made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np


class KernelDescription(NamedTuple):
    """A kernel, or several that run together.

    Args:
        name: What it computes, for people.
        location: The line of the user's program that most of it comes from; empty where none is known.
        bytes: What it reads and writes, each operand and result once.
        work: Its arithmetic, in additions of one element; a multiply-add counts as two.
    """

    name: str
    location: str
    bytes: int
    work: float


class KernelTimes(NamedTuple):
    """What was recorded.

    Args:
        kernels: The kernels.
        rows: For each execution of one its number, the thread that called it (`threading.get_ident`), when it began and
            when it ended, in nanoseconds of `time.perf_counter_ns`; the last dimension has these four.
        later: For each kernel of which too many executions came to be kept: how many more, and their nanoseconds.
        lost: Executions of which nothing is known.
        queues: Names of the devices' queues, where kernels run later than they are called.
        enqueued: There, for each row, the number of its queue and when it was called; None elsewhere.
    """

    kernels: tuple[KernelDescription, ...]
    rows: np.ndarray
    later: Mapping[int, tuple[int, int]]
    lost: int
    queues: tuple[str, ...] = ()
    enqueued: np.ndarray | None = None


class KernelRecording(Protocol):
    """A recording under way: what `Client.record_kernels` gives."""

    def stop(self) -> KernelTimes:
        """Ends it."""
