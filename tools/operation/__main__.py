# SPDX-License-Identifier: Apache-2.0
"""Lists every place where an operation's name stands, by role: `python -m tools.operation erf_inv`."""

from __future__ import annotations

import argparse
import sys
from itertools import groupby

from olympus_core.ops import OPERATIONS

from .occurrences import ABOUT, occurrences


def report(name: str) -> str:
    """The places of a name, by role, and the number of product files."""
    found = occurrences(name)
    lines = []
    for role, files in groupby(found, lambda o: o.role):
        lines.append(f"{role}: {ABOUT[role]}")
        lines += [f"  {o.path}:{','.join(map(str, o.lines))}" for o in files]
    count = sum(o.is_product for o in found)
    return "\n".join([*lines, f"{name} stands in {count} product files (Python written by hand, without tests)"])


def main() -> int:
    """Prints the report; the exit status is 1 for what is no operation."""
    parser = argparse.ArgumentParser(prog="python -m tools.operation", description=__doc__)
    parser.add_argument("name", help="the operation's name in its record")
    name = parser.parse_args().name
    if name not in OPERATIONS:
        sys.stderr.write(f"there is no operation {name!r}; the operations are {', '.join(sorted(OPERATIONS))}\n")
        return 1
    sys.stdout.write(report(name) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
