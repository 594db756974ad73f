# SPDX-License-Identifier: Apache-2.0
"""`olympus report`: reads the last launches that the processes of a job have written, and says who is behind whom."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "report",
        help="say which process of a failed job was behind, from its flight records",
        description="Reads the flight records of a job: the last launches of its processes, which are written when it"
        " fails and when a process gets SIGUSR1. Says who is behind whom, and where.",
        epilog="exit code: 0 when all processes have come equally far, 1 when some have not or the records differ",
    )
    parser.add_argument("folder", nargs="?", type=Path, help="the job's folder; by default the newest job's")
    parser.add_argument("--last", type=int, default=8, metavar="N", help="launches of each process to show (8)")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Prints the report; the result is 1 where processes are not equally far."""
    from . import flight_report  # what reads the records is slow to import, and the other commands need none of it

    return flight_report.show(args.folder or flight_report.newest_job(), max(0, args.last))
