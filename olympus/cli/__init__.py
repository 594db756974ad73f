# SPDX-License-Identifier: Apache-2.0
"""The command line: ``olympus COMMAND``, one file for each command, also as ``python -m olympus``."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def make_parser() -> argparse.ArgumentParser:
    """The parser of all commands: `run` of what it parses runs the command."""
    import argparse

    from olympus_core.plugin.version import DISTRIBUTION, VERSION

    from . import checkpoint, compile, demo, doctor, launch, new_plugin, profile, report, run, status

    parser = argparse.ArgumentParser(prog="olympus", description="One program over all devices of all processes.")
    parser.add_argument("--version", action="version", version=f"olympus {VERSION} (distribution {DISTRIBUTION})")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    demo.add_parser(commands)
    launch.add_parser(commands)
    doctor.add_parser(commands)
    compile.add_parser(commands)
    new_plugin.add_parser(commands)
    report.add_parser(commands)
    checkpoint.add_parser(commands)
    status.add_parser(commands)
    run.add_parser(commands)
    profile.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command.

    Args:
        arguments: The command line without the program's name; None for the process's own.

    Returns:
        The exit code.
    """
    from olympus_core.errors.base import OlympusError

    try:
        try:
            chosen = make_parser().parse_args(arguments)
            try:
                code = int(chosen.run(chosen))
            except OlympusError as error:
                # The message says what to do; a traceback through olympus would bury it.
                print(f"olympus {chosen.command}: {error}", file=sys.stderr)
                code = 1
        finally:
            for file in (sys.stdout, sys.stderr):
                if file is not None:  # closed by who started it
                    file.flush()
        return code
    except OSError as error:
        if error.errno not in _UNWRITABLE:
            raise
        _write_no_more(error)
        return 1


# Whoever read the output has seen enough; or the disk is full.
_UNWRITABLE = frozenset({errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def _write_no_more(error: OSError) -> None:
    """After output that could not be written: what is left must not be complained about at the exit."""
    with contextlib.suppress(OSError):
        if error.errno != errno.EPIPE:
            print(f"olympus: output cannot be written ({error.strerror}).", file=sys.stderr, flush=True)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for file in (sys.stdout, sys.stderr):
        try:
            file.flush()
        except OSError:
            os.dup2(nowhere, file.fileno())
    os.close(nowhere)
