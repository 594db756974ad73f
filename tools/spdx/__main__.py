# SPDX-License-Identifier: Apache-2.0
"""python -m tools.spdx: writes the licence's line into each source that lacks it; `--check` only names those.

Left out: programs that stand as documents or guides print them, what tools have made, and data.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LINE = "SPDX-License-Identifier: Apache-2.0"
_MARKS = {
    ".py": "# {}", ".sh": "# {}", ".c": "// {}", ".h": "// {}", ".cuh": "// {}", ".js": "/* {} */", ".css": "/* {} */",
}
# Printed elsewhere word by word, or not ours.
_EXCLUDED = ("examples/", "tests/documents/programs/", "tests/typing/programs/", "benchmarks/libraries/programs/",
             "olympus/ffi/include/", "tools/libraries/written/")


def sources() -> Iterator[Path]:
    """The files that have to have the line: those that git tracks."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in sorted(filter(None, listed.split("\0"))):
        if Path(name).suffix in _MARKS and not name.startswith(_EXCLUDED) and (ROOT / name).stat().st_size:
            yield ROOT / name


def lacks(path: Path) -> bool:
    """Whether a file lacks the line among its first three.

    Args:
        path: The file.
    """
    return not any(LINE in line for line in path.read_text(encoding="utf-8").split("\n", 3)[:3])


def write(path: Path) -> None:
    """Writes the line in front, behind a line that names an interpreter.

    Args:
        path: The file.
    """
    text = path.read_text(encoding="utf-8")
    first, rest = (text.split("\n", 1)[0] + "\n", text.split("\n", 1)[1]) if text.startswith("#!") else ("", text)
    path.write_text(f"{first}{_MARKS[path.suffix].format(LINE)}\n{rest}", encoding="utf-8")


def main() -> int:
    """The command line; with ``--check`` the exit code says whether a file lacks the line."""
    parser = argparse.ArgumentParser(prog="python -m tools.spdx", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    found = [path for path in sources() if lacks(path)]
    for path in found:
        if check:
            sys.stdout.write(f"{path.relative_to(ROOT)}\n")
        else:
            write(path)
    return bool(check and found)


if __name__ == "__main__":
    sys.exit(main())
