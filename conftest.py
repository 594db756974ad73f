# SPDX-License-Identifier: Apache-2.0
"""Tests and the examples in docstrings see eight CPU devices in this process, and keep compiled code to themselves."""

from __future__ import annotations

import os
import signal
import sys
import threading
from importlib.util import find_spec

import pytest

from tests.support.folders import bytecode, cache_key, compilation_cache, made

# A shell that starts the tests in the background has them ignore SIGINT, and whatever they start inherits that. A
# handler is not inherited: what tests start heeds SIGINT then. Only the main thread may set one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Not the user's: processes that tests start find it too, so that they need not compile what another has.
os.environ["OLYMPUS_COMPILATION_CACHE_DIR"] = compilation_cache()
os.environ["OLYMPUS_CACHE_KEY_FILE"] = cache_key()
os.environ["PYTEST_OLYMPUS_MADE"] = made()

# Before NumPy is loaded. Its library's threads spin after each product: in hundreds of processes that is a tenth of all
# the time. `tests/cpu/fallback/test_table.py` leaves them free.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Hundreds of processes: without it each would compile all sources that it imports, and this one all tests.
if sys.dont_write_bytecode:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = bytecode()
    sys.dont_write_bytecode = False

from olympus_core.config import config  # reads the environment

# By the configuration and not by the environment, so that processes that tests start do not inherit it.
config.update("olympus_num_cpu_devices", 8)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The examples of checkpoints need what only their extra has."""
    if find_spec("tensorstore") is None:
        for item in items:
            if "olympus/checkpoints" in item.path.as_posix() and "/tests/" not in item.path.as_posix():
                item.add_marker(pytest.mark.skip(reason="needs TensorStore, the extra 'checkpoints'"))
