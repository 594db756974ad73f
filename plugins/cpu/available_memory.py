# SPDX-License-Identifier: Apache-2.0
"""How much memory this process may still take, by the system and by the limit of its container."""

from __future__ import annotations

from pathlib import Path

_GROUP = Path("/sys/fs/cgroup")


def available_memory(system: Path = Path("/proc/meminfo"), group: Path = _GROUP) -> int | None:
    """Bytes that can be taken without the kernel ending somebody; None on systems that do not tell.

    What is cached of files, which the kernel gives back when asked, counts as available, as in ``MemAvailable`` of the
    system's own figures.

    Args:
        system: The system's figures.
        group: The figures of the control group (version 2).
    """
    try:
        lines = dict(line.split(":", 1) for line in system.read_text().splitlines())
        found = sum(1024 * int(lines[name].split()[0]) for name in ("MemAvailable", "SwapFree"))
    except (OSError, LookupError, ValueError):
        return None
    try:
        limit = (group / "memory.max").read_text().strip()
        if limit != "max":
            cached = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
            kept = sum(int(cached.get(name, 0)) for name in ("inactive_file", "active_file", "slab_reclaimable"))
            used = int((group / "memory.current").read_text()) - kept
            found = min(found, max(0, int(limit) - used))
    except (OSError, ValueError):  # no such group, or of another version
        pass
    return found
