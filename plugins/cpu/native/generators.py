# SPDX-License-Identifier: Apache-2.0
"""A pool of LLVM code generators; each is used by one thread at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..codegen.target import Target

BASELINE, OPTIMISED = 0, 2  # LLVM's optimisation levels of code generation

_EACH = 2  # for each level: one for foreground compilations, one for a background thread
_FORK_SECONDS = 60.0


class _Generator:
    """A code generator, made at its first use, and the lock of its user."""

    __slots__ = ("level", "lock", "machine")

    def __init__(self, level: int) -> None:
        self.level, self.lock = level, threading.Lock()
        self.machine: Any = None

    def made(self) -> Any:
        """LLVM's object."""
        if self.machine is None:
            self.machine = Target.host().machine(self.level)
        return self.machine


_generators = {level: [_Generator(level) for _ in range(_EACH)] for level in (BASELINE, OPTIMISED)}


@contextmanager
def generator(level: int) -> Iterator[Any]:
    """A code generator for the exclusive use of this thread; waits where all are in use.

    Args:
        level: `BASELINE` or `OPTIMISED`.
    """
    *others, last = _generators[level]
    for one in others:
        if one.lock.acquire(blocking=False):
            try:
                yield one.made()
            finally:
                one.lock.release()
            return
    with last.lock:
        yield last.made()


_held: list[_Generator] = []  # by this module while the process forks


def _all() -> list[_Generator]:
    return [one for generators in _generators.values() for one in generators]


def _before_fork() -> None:
    _held[:] = [one for one in _all() if one.lock.acquire(timeout=_FORK_SECONDS)]


def _after_fork() -> None:
    while _held:
        _held.pop().lock.release()


def _in_child() -> None:
    for one in _all():
        if one not in _held:  # its user does not exist in the child, so LLVM's state is incomplete
            one.lock, one.machine = threading.Lock(), None
    _after_fork()


# A child of fork must not inherit a lock that another thread held.
os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_in_child)
