# SPDX-License-Identifier: Apache-2.0
"""Runs the blocks of a page in a folder, and says what each printed.

`run` starts a process of its own for a page: programs of pages set options, and none should see another page's.
"""

from __future__ import annotations

import contextlib
import io
import json
import linecache
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from .blocks import Block, blocks

ROOT = Path(__file__).resolve().parents[2]
_NAME = "example.py"
_PROGRAMS = {
    "python": [], "olympus": ["-m", "olympus"], "olympus-conformance": ["-m", "olympus_conformance"],
}


class PageError(Exception):
    """A page's process ended before its last block."""


def plain_environment() -> dict[str, str]:
    """This process's environment without settings of olympus's, but where compiled code is kept and its key."""
    kept = "OLYMPUS_COMPILATION_CACHE_DIR", "OLYMPUS_CACHE_KEY_FILE"
    return {name: text for name, text in os.environ.items() if name in kept or not name.startswith("OLYMPUS_")}


def run(page: Path, folder: Path, timeout: float = 300.0) -> list[str]:
    """What each block of a page prints.

    Args:
        page: The page's file.
        folder: An empty folder for what its programs write.
        timeout: Seconds that all of it may take.

    Raises:
        PageError: Its process ended by itself.
    """
    tools = folder / ".programs"
    tools.mkdir()
    for name, words in _PROGRAMS.items():
        command = shlex.join([sys.executable, *words])
        (tools / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        (tools / name).chmod(0o755)
    paths = [str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**plain_environment(), "PATH": f"{tools}:{os.environ['PATH']}",
                   "PYTHONPATH": ":".join(filter(None, paths)), "XDG_CACHE_HOME": str(folder / ".cache"),
                   "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run([sys.executable, "-m", "tools.pages.running", str(page), str(folder / ".printed.json")],
                          cwd=folder, env=environment, capture_output=True, text=True, timeout=timeout)
    if done.returncode:
        raise PageError(f"{page.name}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
    found: list[str] = json.loads((folder / ".printed.json").read_text(encoding="utf-8"))
    return found


def run_here(page: Path) -> list[str]:
    """The same in this process and folder.

    Args:
        page: The page's file.
    """
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_run_block(block, names) for block in blocks(text)]


def _run_block(block: Block, names: dict[str, Any]) -> str:
    if block.kind == "file":
        Path(block.name).parent.mkdir(parents=True, exist_ok=True)
        Path(block.name).write_text(block.text, encoding="utf-8")
        return ""
    if block.kind == "console":
        done = subprocess.run(["bash", "-c", block.text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.stdout
    # Errors and `explain` name lines as a reader counts them: in the block.
    linecache.cache[_NAME] = (len(block.text), None, block.text.splitlines(keepends=True), _NAME)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(compile(block.text, _NAME, "exec"), names)  # noqa: S102  (the page's own)
        except Exception as error:  # noqa: BLE001  (a page shows errors, too)
            sys.stdout.write(f"{type(error).__name__}: {error}\n")
    return printed.getvalue()


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(run_here(Path(sys.argv[1]))), encoding="utf-8")
