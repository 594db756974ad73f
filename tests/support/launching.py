# SPDX-License-Identifier: Apache-2.0
"""Runs `olympus launch` as a real process; its module alone, which starts quicker than all commands."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path

from .processes import Finished, Processes

LAUNCH = """
import argparse, sys
from olympus.cli import launch
parser = argparse.ArgumentParser()
launch.add_parser(parser.add_subparsers())
args = parser.parse_args(sys.argv[1:])
sys.exit(args.run(args))
"""


def launch(
    folder: Path, program: str, *options: object, arguments: tuple[object, ...] = (), deadline: float = 25.0,
    env: Mapping[str, str] | None = None,
) -> Finished:
    """Runs a program's source under the launcher, and fails where it does not end in time."""
    with Processes(deadline) as processes:
        processes.start(LAUNCH, "launch", *options, written(folder, program), *arguments, env=env)
        (finished,) = processes.wait()
    assert not finished.timed_out, finished.stdout + finished.stderr
    return finished


def written(folder: Path, program: str) -> Path:
    """The program in a file."""
    path = folder / "program.py"
    path.write_text(textwrap.dedent(program))
    return path
