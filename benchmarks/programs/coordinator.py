# SPDX-License-Identifier: Apache-2.0
"""Process 0 of a job of light clients: the coordinator, and a real connection to it; commands as in `light_clients`."""

from __future__ import annotations

import json
import os
import sys
import time

from benchmarks.programs.light_clients import value_of
from olympus_core.cluster.bootstrap import connect
from olympus_core.cluster.connection import Connection
from olympus_core.errors.cluster import ClusterError


def _peak() -> float:
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))


def _do(connection: Connection, name: str, arguments: list[str]) -> None:
    if name in ("meet", "comes"):
        label, kind = arguments
        count = connection.process_count
        found = connection.exchange(label, value_of(0, kind), timeout=3600.0)
        if found != [value_of(process, kind) for process in range(count)]:
            raise SystemExit("wrong values")
    elif name == "fail":
        while not connection.failed:
            time.sleep(0.001)
    elif name == "end":
        connection.shutdown()


def main() -> None:
    """Joins as process 0 and does what it is told."""
    address, secret, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    connection: Connection | None = None
    for line in sys.stdin:
        started = time.monotonic()
        name, *arguments = line.split()
        facts = {}
        try:
            if name == "join":
                environ = {**os.environ, "OLYMPUS_SECRET": secret}
                connection = connect(address, count, 0, timeout=3600.0, environ=environ)
                assert connection is not None
            elif connection is not None:
                _do(connection, name, arguments)
        except ClusterError as error:
            facts["error"] = str(error)[:2000]
        seconds = time.monotonic() - started
        print("=" + json.dumps({"seconds": seconds, "cpu": time.process_time(), "peak": _peak(), **facts}), flush=True)
        if "error" in facts:
            break


if __name__ == "__main__":
    main()
