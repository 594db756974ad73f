# SPDX-License-Identifier: Apache-2.0
"""python -m tools.site: builds the site into a folder, and checks what came out.

    site/index.html      leads to the newest version
    site/versions.js     the versions that are there
    site/0.1.0/          a version: it can be opened as a file, copied, or served

Older versions stay where they are.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from .checking import problems
from .navigation import configuration
from .staging import ROOT, stage
from .versions import write_versions

_PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def main() -> int:
    """The command line; the exit code says whether something is wrong with what was built."""
    parser = argparse.ArgumentParser(prog="python -m tools.site", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, default=ROOT / "site", help="the folder of all versions")
    parser.add_argument("--version", default=_version(), help="the version's name")
    parser.add_argument("--requirements", action="store_true", help="print what pip has to install for this")
    chosen = parser.parse_args()
    if chosen.requirements:
        (extra,) = re.findall(r"^docs = \[(.+)\]$", _PROJECT, re.MULTILINE)
        sys.stdout.write("".join(f"{name}\n" for name in re.findall(r'"([^"]+)"', extra)))
        return 0
    built = chosen.into.resolve() / chosen.version
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "pages"
        pages.mkdir()
        stage(pages)
        settings = Path(folder) / "mkdocs.yml"
        settings.write_text(configuration(pages, built), encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", str(settings)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
        code = subprocess.run(command, env=environment).returncode
    if code:
        return code
    write_versions(chosen.into)
    found = problems(built)
    sys.stdout.write("".join(f"{line}\n" for line in [*found, f"built: {built / 'index.html'}"]))
    return bool(found)


def _version() -> str:
    (found,) = re.findall(r'^version = "(.+)"$', _PROJECT, re.MULTILINE)
    return str(found)


if __name__ == "__main__":
    sys.exit(main())
