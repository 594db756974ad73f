# SPDX-License-Identifier: Apache-2.0
"""torchrun, and whoever sets the same variables: ``RANK``, ``WORLD_SIZE``, ``MASTER_ADDR``, ``MASTER_PORT``."""

from __future__ import annotations

from collections.abc import Mapping

from .detection import Detection, Finding, integer, job_name, job_ports, listed, show

_INDEX, _COUNT, _HOST, _PORT = "RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"
_NAMES = (_INDEX, _COUNT, _HOST, _PORT)
_RUN, _RESTART = "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT"
_PORTS = 16


def find(environ: Mapping[str, str]) -> Finding:
    """All four are needed.

    ``MASTER_PORT`` itself is taken: torchrun's own store listens there. The coordinator takes one of the next ports.
    """
    given = show(environ, *_NAMES, "LOCAL_RANK", "GROUP_RANK", _RUN)
    if not any(name in environ for name in _NAMES):
        return Finding(None, f"no {_INDEX} and {_COUNT}")
    process, count, port = (integer(environ, name) for name in (_INDEX, _COUNT, _PORT))
    host = environ.get(_HOST, "").strip() or None
    values = dict(zip(_NAMES, (process, count, host, port), strict=True))
    absent = [name for name, value in values.items() if value is None]
    if absent or port is None:
        reason = f"{given}, but {listed(absent)} {'are' if len(absent) > 1 else 'is'} not set, or to no number"
        fix = f"Set all of {listed(_NAMES)}, as torchrun does, or take the others away."
        return Finding(Detection("torchrun", None, process, count), reason, True, fix)
    job = job_name("torchrun", environ.get(_RUN, "none"), str(port), environ.get(_RESTART, "0"))
    # Where the port is one of the last, those before it.
    first = port + 1 if port + _PORTS < 1 << 16 else port - _PORTS
    ports = job_ports(job, first, _PORTS)
    address = f"[{host}]:{ports[0]}" if host and ":" in host else f"{host}:{ports[0]}"
    local = integer(environ, "LOCAL_RANK")
    return Finding(Detection("torchrun", address, process, count, local, job=job, ports=ports), given)
