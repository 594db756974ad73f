# SPDX-License-Identifier: Apache-2.0
"""The peak of a whole process's memory, in MiB: prints ``=NUMBER``.

What a library loads is part of it, whether it is loaded by the import or by the first call.

Arguments: the library, a work's name and its arguments as JSON; for one process of several also its index, their number
and the coordinator's port. The work is called five times.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from works import WORKS
from works.side import Side


def memory(line: str) -> float:
    """A line of the process's status, in MiB."""
    for text in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if text.startswith(line):
            return int(text.split()[1]) / 1024
    raise SystemExit("this system tells no peak memory")


side = Side(sys.argv[1], sys.argv[4:])
if not side.plain:
    side.library.devices()
# The result is not compared: that would cost memory. The row that times the same work compares it.
work = WORKS[sys.argv[2]](side, **json.loads(sys.argv[3]))
code = compile(work.statement, sys.argv[2], "eval")
for _ in range(5):
    side.wait(eval(code, dict(work.names)))
print(f"={memory('VmHWM')}")
