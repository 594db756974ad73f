# SPDX-License-Identifier: Apache-2.0
"""`olympus profile`: runs a program and says where its time went."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from pathlib import Path
from typing import Any

from .. import python_programs

_EPILOG = """\
example: olympus profile train.py --steps 100

It prints a table and writes into the folder:

  index.html                  the table and a timeline, for any browser; it fetches nothing
  perfetto_trace.json.gz      the trace, for ui.perfetto.dev or chrome://tracing
  HOST.PROCESS.trace.json.gz  the trace of each process

Several processes: olympus launch -n 4 -m olympus profile train.py. Each records itself; the last one to end prints the
table and makes one trace of all, with who waited for whom. They need one folder that all of them can write to.

The program's exit code is the command's. What time of the program is in no row is Python's, between calls.
"""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "profile", help="run a program and say where its time went",
        description="Runs a Python program and says where its time went: compiling, kernels by the program's lines\n"
        "with their share of what the machine can do, waiting for other processes, Python between calls.",
        epilog=_EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-o", "--output", default="olympus-profile", metavar="FOLDER",
                        help="where to write (default: olympus-profile)")
    parser.add_argument("--no-limits", action="store_true",
                        help="do not measure, at the end, what the machine can do (0.7 s)")
    parser.add_argument("--as-jax", action="store_true",
                        help="the program is written for JAX: import jax gives olympus's modules")
    parser.add_argument("-m", "--module", action="store_true", help="the program is a module, as in python -m")
    parser.add_argument("program", help="the Python program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Runs the program; the result is its exit code."""
    if not args.module and not os.path.exists(args.program):
        print(f"olympus profile: there is no program {args.program!r}.", file=sys.stderr)
        return 2
    from olympus import profiler
    from olympus.profiler import accounting, page, report, writing

    folder = Path(args.output).absolute()
    if args.as_jax:
        from olympus.as_jax import install

        install()
    profiler.start_trace(folder)
    code = 1
    try:
        code = _run(args)
    finally:
        profile = profiler._stopped()
        rows = accounting.rows_of(profile)
        limits = None if args.no_limits or not profile.kernels else accounting.measured()
        about = {"table": [list(row) for row in rows], "limits": list(limits) if limits is not None else None,
                 "program": " ".join([args.program, *args.arguments])}
        whole = writing.write(profile, folder, about, True)
        if whole is not None:
            page.write(whole, folder / "index.html")
            print(report.text_of_all(whole))
            print(f"\n{folder / 'index.html'}: the timeline; {folder / writing.MERGED}: for ui.perfetto.dev")
            sys.stdout.flush()
    return code


def _run(args: argparse.Namespace) -> int:
    """Runs the program as Python would; an exception that nobody caught is shown as Python shows it."""
    arguments, path = sys.argv, sys.path[0]
    try:
        if args.module:
            sys.argv = [args.program, *args.arguments]
            sys.path[0] = os.getcwd()
            python_programs.run_module(args.program)
        else:
            sys.argv = [args.program, *args.arguments]
            sys.path[0] = os.path.dirname(os.path.abspath(args.program))
            python_programs.run_script(args.program)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except Exception as error:  # noqa: BLE001  (whatever the program raises is shown, and the profile written)
        own = error.with_traceback(_users(error))
        sys.excepthook(type(own), own, own.__traceback__)
        return 1
    finally:
        sys.argv, sys.path[0] = arguments, path
    return 0


def _users(error: BaseException) -> Any:
    """The traceback from the program's first frame on."""
    found = error.__traceback__
    while found is not None and found.tb_frame.f_code.co_filename in (
            __file__, python_programs.__file__, runpy.__file__, "<frozen runpy>"):
        found = found.tb_next
    return found or error.__traceback__
