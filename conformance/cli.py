# SPDX-License-Identifier: Apache-2.0
"""The command line: ``olympus-conformance``, also as ``python -m olympus_conformance``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from olympus_core.errors import OlympusError

from .requirement import PROFILES, requirements

PASS, FAIL, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command.

    Args:
        arguments: The command line without the program's name; None for the process's own.

    Returns:
        The exit code: 0 pass, 1 fail, 2 where nothing could be tested, 130 after Ctrl-C.
    """
    from .report.commands import add_commands

    parser = argparse.ArgumentParser(
        prog="olympus-conformance", description="What the plugin contract asks of a platform, and how far one is.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    _add_run(commands)
    _add_measure(commands)
    _add_guide(commands)
    add_commands(commands)
    chosen = parser.parse_args(arguments)
    try:
        status = int(chosen.run(chosen))
        sys.stdout.flush()
        return status
    except OlympusError as error:
        # The message says what to do; the traceback through the suite is not helpful.
        sys.stderr.write(f"olympus-conformance {chosen.command}: {error}\n{_trace_of(error)}")
        return USAGE
    except KeyboardInterrupt:
        sys.stderr.write("olympus-conformance: interrupted; the same command with --resume goes on.\n")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe; the rest of the output must not cause an error at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAIL


def _add_run(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("run", help="run the tests on an installed platform and write the report")
    add = parser.add_argument
    add("--platform", required=True, metavar="NAME", help="the platform, or an alias of it")
    add("--profile", default="full", choices=PROFILES, help="what is asked for; each holds the ones before it")
    add("--only", action="extend", nargs="+", default=[], metavar="GLOB",
        help="only tests whose id, or requirement, matches; * and ? are wild")
    add("--quick", action="store_true", help="leave out what takes long; the report cannot be submitted")
    add("--fraction", metavar="I/N", help="only part I of N; `verify` puts the parts' reports together")
    add("--resume", action="store_true", help="go on with the run that the output folder holds")
    add("--launcher", metavar="COMMAND", help="how several processes are started, such as 'srun -n {n}'")
    add("--devices", type=int, metavar="N", help="devices of each process (default: 4, and 2 where there are several)")
    add("--waivers", type=Path, metavar="FILE", help="known failures, in TOML or JSON")
    add("--output", type=Path, metavar="FOLDER", help="where to (default: conformance-NAME)")
    add("--timeout-factor", type=float, default=1.0, metavar="X", help="by how much tests may be slower")
    add("--list", action="store_true", help="list the tests that would be run, and run none")
    parser.set_defaults(run=_run)


def _add_measure(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "measure", help="bandwidths and latencies beside the device's own copy: numbers without a verdict")
    add = parser.add_argument
    add("--platform", required=True, metavar="NAME", help="the platform, or an alias of it")
    add("--devices", type=int, default=1, metavar="N", help="devices to open; a copy between devices takes two")
    add("--bytes", type=int, action="extend", nargs="+", metavar="N", help="sizes of arrays (default: 4 KiB to 64 MiB)")
    add("--seconds", type=float, default=0.3, metavar="X", help="how long each figure is measured (default: 0.3)")
    add("--output", type=Path, metavar="FOLDER", help="write measurements.json and measurements.md there, too")
    parser.set_defaults(run=_measure)


def _measure(chosen: argparse.Namespace) -> int:
    from .harness.errors import UsageError
    from .measure import SIZES, measure

    sizes = tuple(chosen.bytes or SIZES)
    if chosen.devices < 1 or chosen.seconds <= 0 or min(sizes) < 8:
        raise UsageError("--devices and --seconds are positive, and --bytes at least 8.")
    found = measure(chosen.platform, sizes, chosen.seconds, chosen.devices)
    text = found.markdown()
    sys.stdout.write(text)
    if chosen.output is not None:
        chosen.output.mkdir(parents=True, exist_ok=True)
        (chosen.output / "measurements.json").write_text(found.json(), "utf-8")
        (chosen.output / "measurements.md").write_text(text, "utf-8")
    return PASS


def _add_guide(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    from .guide import GUIDES

    parser = commands.add_parser("guide", help="print the guide to writing a platform, or to a generator of kernels")
    parser.add_argument("which", nargs="?", default=GUIDES[0], choices=GUIDES, help=f"default: {GUIDES[0]}")
    parser.set_defaults(run=_guide)


def _guide(chosen: argparse.Namespace) -> int:
    from .guide import text

    sys.stdout.write(text(chosen.which))
    return PASS


def _run(chosen: argparse.Namespace) -> int:
    from . import waivers
    from .harness.errors import UsageError
    from .harness.facts import RunSettings
    from .harness.processes import launcher_command
    from .harness.run import perform
    from .harness.schedule import parse_fraction, schedule

    if chosen.timeout_factor <= 0 or (chosen.devices is not None and chosen.devices < 1):
        raise UsageError("--timeout-factor and --devices are positive.")
    settings = RunSettings(
        chosen.platform, chosen.profile, tuple(chosen.only), chosen.quick,
        parse_fraction(chosen.fraction) if chosen.fraction else None, chosen.launcher, chosen.devices,
        chosen.timeout_factor,
    )
    if chosen.launcher is not None:
        launcher_command(chosen.launcher, 1)
    if chosen.list:
        for test in schedule(settings.profile, settings.only, settings.quick, settings.fraction):
            sys.stdout.write(f"{test.id}\n")
        return PASS
    known = waivers.read(chosen.waivers) if chosen.waivers is not None else ()
    requirements()  # finds mistakes of the suite itself before any process is started
    folder = chosen.output or Path(f"conformance-{chosen.platform}")
    return PASS if perform(settings, folder, sys.stdout, chosen.resume, known).has_passed else FAIL


def _trace_of(error: OlympusError) -> str:
    """The worker's traceback, when the platform could not be opened."""
    trace = getattr(error, "trace", "")
    return "".join(f"  | {line}\n" for line in trace.splitlines())
