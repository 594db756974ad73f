"""NumPy's matrix library: how many threads it uses, and products of several devices at once.

One product after the other, each on all threads, wakes and joins threads for every product; several products side by
side, each on one thread, do not. The library's number of threads belongs to the whole process, so it is put back.
"""

from __future__ import annotations

import ctypes
import glob
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

import numpy as np

_NAMES = ("scipy_openblas_{}_num_threads64_", "scipy_openblas_{}_num_threads", "openblas_{}_num_threads64_",
          "openblas_{}_num_threads")
_lock = threading.Lock()


class MatrixLibrary:
    """The OpenBLAS that NumPy brings along.

    Args:
        get: Gives the number of threads.
        set: Sets it.
    """

    def __init__(self, get: Callable[[], int], set: Callable[[int], Any]) -> None:
        self.get, self.set = get, set


@lru_cache(maxsize=1)
def matrix_library() -> MatrixLibrary | None:
    """NumPy's OpenBLAS; None where NumPy uses another library."""
    folder = os.path.dirname(np.__file__)
    for place in (os.path.join("..", "numpy.libs"), ".dylibs"):
        for path in glob.glob(os.path.join(folder, place, "*openblas*")):
            library = ctypes.CDLL(path)  # loaded already: this finds the same one
            for name in _NAMES:
                get, set_ = (getattr(library, name.format(verb), None) for verb in ("get", "set"))
                if get is not None and set_ is not None:
                    return MatrixLibrary(get, set_)
    return None


class SideBySide:
    """Runs pieces of work that call the matrix library on several threads, each with the library on one.

    Args:
        threads: How many at most, the caller's own among them.
    """

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._pool: ThreadPoolExecutor | None = None

    def run(self, pieces: Sequence[Callable[[], Any]]) -> list[Any]:
        """Runs all; gives their results in order, or raises the first error."""
        library = matrix_library()
        count = min(self._threads, len(pieces))
        # Only one caller at a time has the library on one thread; whoever comes meanwhile works in turn.
        if library is None or count < 2 or not _lock.acquire(blocking=False):
            return [piece() for piece in pieces]
        before = library.get()
        try:
            library.set(1)
            return self._spread(pieces, count)
        finally:
            library.set(before)
            _lock.release()

    def _spread(self, pieces: Sequence[Callable[[], Any]], count: int) -> list[Any]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads - 1, thread_name_prefix="olympus-matrix")
        results: list[Any] = [None] * len(pieces)
        remaining = iter(range(len(pieces)))
        taking = threading.Lock()

        def work() -> None:
            while True:
                with taking:
                    i = next(remaining, None)
                if i is None:
                    return
                results[i] = pieces[i]()

        others = [self._pool.submit(work) for _ in range(count - 1)]
        try:
            work()
        finally:
            for other in others:
                other.exception()  # all threads have left before anything is raised
        for other in others:
            other.result()
        return results

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
