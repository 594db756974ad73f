"""Folders that all tests of a session share."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import lru_cache


@lru_cache(maxsize=1)
def compilation_cache() -> str:
    """Where compiled code is kept while the tests run; gone after them."""
    folder = tempfile.mkdtemp(prefix="olympus-tests-")
    owner = os.getpid()  # children of fork must leave it

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder
