"""The command line: ``olympus launch``, ``doctor``, ``compile`` and ``new-plugin``, also as ``python -m olympus``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command.

    Args:
        arguments: The command line without the program's name; None for the process's own.

    Returns:
        The exit code.
    """
    import argparse

    from olympus_core.errors.base import OlympusError

    from . import compile, doctor, launch, new_plugin

    parser = argparse.ArgumentParser(prog="olympus", description="One program over all devices of all processes.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    launch.add_parser(commands)
    doctor.add_parser(commands)
    compile.add_parser(commands)
    new_plugin.add_parser(commands)
    chosen = parser.parse_args(arguments)
    try:
        status = int(chosen.run(chosen))
        sys.stdout.flush()
        return status
    except OlympusError as error:
        # The message says what to do; a traceback through olympus would bury it.
        print(f"olympus {chosen.command}: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is left must not be complained about at the exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
