"""The peak of a process's memory over what it had after importing, in MiB: prints ``=NUMBER``.

Arguments: the library, a work's name and its arguments as JSON. The work is called five times.
"""

from __future__ import annotations

import contextlib
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


side = Side(sys.argv[1])
if not side.plain:
    side.library.devices()
# Importing may have had a peak of its own; where the system allows it, that is forgotten.
with contextlib.suppress(OSError):
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
before = memory("VmRSS")
# The result is not compared: that would cost memory. The row that times the same work compares it.
work = WORKS[sys.argv[2]](side, **json.loads(sys.argv[3]), check=False)
code = compile(work.statement, sys.argv[2], "eval")
for _ in range(5):
    side.wait(eval(code, dict(work.names)))
print(f"={memory('VmHWM') - before}")
