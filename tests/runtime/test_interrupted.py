# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in the first use of a device leaves nothing half-done."""

from __future__ import annotations

import sys

import pytest

from tests.support.processes import Processes

# Where something is begun that others must not find half-done; `python -m tests.runtime.interrupted` tries any line.
PLACES = (
    "runtime/registry.py:_known", "runtime/registry.py:_plugin_manager", "runtime/plugins.py:load",
    "runtime/plugins.py:_offers", "plugins/cpu/hooks.py:olympus_platform", "runtime/plugins.py:probe",
    "runtime/world.py:__init__", "runtime/opening.py:_opened", "plugins/cpu/client.py:__init__",
    "plugins/cpu/client.py:bind_devices", "olympus_core/config.py:freeze", "native/runtime.py:_text",
    "native/linker.py:_load", "native/memory.py:__init__", "native/pool.py:__init__", "native/pool.py:resize",
)
LINES = (1000, 3000, 6000, 9000, 12000, 15000)


@pytest.mark.processes
def test_the_next_use_works() -> None:
    with Processes(240.0) as processes:
        for targets in (PLACES[::2], (*PLACES[1::2], *map(str, LINES))):
            command = [sys.executable, "-m", "tests.runtime.interrupted", *targets]
            processes.start(command, env={"OLYMPUS_PLATFORMS": "cpu", "OLYMPUS_NUM_THREADS": "2"})
        ends = processes.wait()
    assert [(end.returncode, end.stdout) for end in ends] == [(0, "")] * 2, [end.stdout + end.stderr for end in ends]
