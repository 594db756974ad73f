"""Tests and the examples in docstrings see eight CPU devices in this process."""

from __future__ import annotations

from olympus_core.config import config

# By the configuration and not by the environment, so that processes that tests start do not inherit it.
config.update("olympus_num_cpu_devices", 8)
