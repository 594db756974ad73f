# SPDX-License-Identifier: Apache-2.0
"""A platform of its own distribution, whose faults are switched on by variables of the environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.processes import ROOT

PLATFORM = '''
import os, sys, time
import numpy as np
from olympus_core.plugin import hookimpl
from olympus_core.toolkit import table_platform

FAULT = os.environ.get("ACME_FAULT", "")
if FAULT == "exits in import":
    os._exit(7)
if FAULT == "raises in import":
    raise ImportError("libacme.so is missing")


@hookimpl
def olympus_platform():
    platform = table_platform("acme", np, device_count=2)
    open_it = platform.open

    def open(settings):
        pids = os.environ.get("ACME_PIDS")
        if pids:
            with open_file(pids) as file:
                file.write(f"{os.getpid()}\\n")
        if FAULT == "raises in open":
            raise RuntimeError("the board does not answer")
        if FAULT == "one raises in open" and settings.process_index == 1:
            raise RuntimeError("the second board does not answer")
        if FAULT == "hangs in open":
            time.sleep(600)
        client = open_it(settings)
        make = client.buffer_from_host

        def buffer_from_host(value, device):
            if FAULT == "wrong int32" and value.dtype == np.int32:
                value = value + 1
            if FAULT == "waits for a file" and value.dtype == np.float64:
                while not os.path.exists(os.environ["ACME_GATE"]):
                    time.sleep(0.01)
            return make(value, device)

        client.buffer_from_host = buffer_from_host
        return client

    def open_file(path):
        import builtins
        return builtins.open(path, "a")

    platform.open = open
    return platform
'''


@pytest.fixture
def acme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an installed platform named acme, which workers see."""
    site = tmp_path / "site"
    metadata = site / "olympus_acme-1.2.dist-info"
    metadata.mkdir(parents=True)
    (site / "olympus_acme.py").write_text(PLATFORM)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: olympus-acme\nVersion: 1.2\n")
    (metadata / "entry_points.txt").write_text("[olympus.platforms]\nacme = olympus_acme\n")
    paths = [str(site), str(ROOT), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    return site
