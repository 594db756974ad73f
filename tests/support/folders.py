# SPDX-License-Identifier: Apache-2.0
"""Folders that all tests of a session share, in however many processes they run."""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

# Set by pytest-xdist in the processes that run tests for another, whose folders they use.
_IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ


@lru_cache(maxsize=1)
def compilation_cache() -> str:
    """Where compiled code is kept while the tests run; gone after them."""
    return os.environ["OLYMPUS_COMPILATION_CACHE_DIR"] if _IS_WORKER else _until_the_end("olympus-tests-")


@lru_cache(maxsize=1)
def made() -> str:
    """Where `once` keeps what tests of several files look at; gone after them."""
    return os.environ["PYTEST_OLYMPUS_MADE"] if _IS_WORKER else _until_the_end("olympus-made-")


def once(name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first of a session's processes to ask for it fills, while the others wait.

    Args:
        name: The folder's.
        make: Fills it, which is empty.
    """
    folder, done = Path(made(), name), Path(made(), f"{name}.done")
    with Path(made(), f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)  # of one that failed
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


@lru_cache(maxsize=1)
def configuration() -> str:
    """Where the users' secret lies that the processes of tests share; gone after them."""
    return _until_the_end("olympus-config-")


@lru_cache(maxsize=1)
def cache_key() -> str:
    """The file with the key that signs compiled code while the tests run."""
    given = os.environ.get("OLYMPUS_CACHE_KEY_FILE", "")
    return given if _IS_WORKER else os.path.join(_until_the_end("olympus-key-"), "cache.key")


@lru_cache(maxsize=1)
def flights() -> str:
    """Where processes of tests write their last launches when a job fails; gone after them."""
    return _until_the_end("olympus-flights-")


@lru_cache(maxsize=1)
def bytecode() -> str:
    """Where Python's own compiled code is kept, from one run to the next, where it is not kept beside the sources.

    What is compiled of files that tests write is gone after them.
    """
    folder = Path(__file__).resolve().parents[2] / ".pytest_cache" / "bytecode"
    folder.mkdir(parents=True, exist_ok=True)
    _remove_at_the_end(str(folder) + tempfile.gettempdir())
    return str(folder)


def _until_the_end(prefix: str) -> str:
    folder = tempfile.mkdtemp(prefix=prefix)
    _remove_at_the_end(folder)
    return folder


def _remove_at_the_end(folder: str) -> None:
    owner = os.getpid()  # children of fork must leave it

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
