# SPDX-License-Identifier: Apache-2.0
"""python -m tools.pages [PAGE ...]: runs the programs of pages, and writes what they print into them.

Where a page's text fits what is printed (`...` stands for anything), it stays as it is.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

from .blocks import blocks
from .checking import PAGES, agrees
from .running import run

# Times, and the folder in which this run wrote.
_CHANGING = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+Z]+|/tmp/tmp\w+")


def main() -> int:
    """Writes the pages; the exit code says whether one has changed."""
    parser = argparse.ArgumentParser(prog="python -m tools.pages", description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, help="their files; all without")
    changed = [page.name for page in parser.parse_args().pages or PAGES if update(page)]
    sys.stdout.write(f"changed: {', '.join(changed) or 'nothing'}\n")
    return bool(changed)


def update(page: Path) -> bool:
    """Writes what is printed into a page; says whether it has changed.

    Args:
        page: Its file.
    """
    before = text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        results = run(page.resolve(), Path(folder))
    for block, printed in reversed(list(zip(blocks(text), results, strict=True))):
        if not agrees(block, printed):
            start, end = block.span
            printed = "".join(f"{line.rstrip()}\n" for line in _CHANGING.sub("...", printed).splitlines())
            new = printed if block.printed is not None else f"\n\n```text\n{printed}```"
            text = text[:start] + new + text[end:]
    page.write_text(text, encoding="utf-8")
    return text != before


if __name__ == "__main__":
    sys.exit(main())
