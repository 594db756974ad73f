# SPDX-License-Identifier: Apache-2.0
"""The explicit variables, set by `olympus launch` or by hand; they always win."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

from .detection import Detection, Finding, integer, listed, show

ADDRESS, PROCESS, COUNT, LOCAL = (
    "OLYMPUS_COORDINATOR_ADDRESS",
    "OLYMPUS_PROCESS_ID",
    "OLYMPUS_NUM_PROCESSES",
    "OLYMPUS_LOCAL_INDEX",
)

RESTART_VARIABLE = "OLYMPUS_RESTART"  # set by `olympus launch`


def find(environ: Mapping[str, str]) -> Finding:
    """Needs the index and the number; the address may come as an argument."""
    given = show(environ, ADDRESS, PROCESS, COUNT)
    if not given:
        return Finding(None, f"no {PROCESS} and {COUNT}")
    process, count = integer(environ, PROCESS), integer(environ, COUNT)
    found = Detection("environment", environ.get(ADDRESS) or None, process, count, integer(environ, LOCAL))
    absent = [name for name, value in ((PROCESS, process), (COUNT, count)) if value is None]
    if absent:
        reason = f"{given}, but {listed(absent)} {'are' if len(absent) > 1 else 'is'} not set to a number"
        return Finding(found, reason, True, f"Set {listed(absent)}, too, or take the others away.")
    return Finding(found, given)


def restart_count() -> int:
    """How often the launcher has started this process's job before; 0 without one that counts."""
    return integer(os.environ, RESTART_VARIABLE) or 0


def override(found: Detection, environ: Mapping[str, str]) -> Detection:
    """Replaces what another method found by what is set explicitly."""
    process, count, address = integer(environ, PROCESS), integer(environ, COUNT), environ.get(ADDRESS)
    return replace(
        found,
        coordinator_address=address or found.coordinator_address,
        ports=() if address else found.ports,
        process_id=found.process_id if process is None else process,
        num_processes=found.num_processes if count is None else count,
    )
