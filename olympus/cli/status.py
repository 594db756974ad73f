# SPDX-License-Identifier: Apache-2.0
"""`olympus status`: where every process of a running job stands; asks its coordinator, and is no part of the job."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

_WELL, _FAILED, _UNREACHABLE = 0, 1, 2


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "status",
        help="show where every process of a running job stands",
        description="Asks process 0 of a job where its processes stand: what each runs or waits for, since when, and"
        " where. Without an address it lists this user's jobs whose process 0 is on this machine, and shows each. It"
        " needs the job's secret: from the file that process 0 has left for its user, or from OLYMPUS_SECRET,"
        " OLYMPUS_SECRET_FILE or the user's own file.",
        epilog="exit code: 0 when all is well, 1 when a job has failed or a process is stopped, lost or does not"
        " answer, 2 when no job was found or it could not be asked",
    )
    parser.add_argument("address", nargs="?", help="HOST:PORT of process 0; by default all of this user's jobs here")
    parser.add_argument("--stacks", action="store_true", help="also ask each process for its Python stack")
    parser.add_argument("--timeout", type=float, default=10.0, metavar="S", help="seconds to wait for an answer (10)")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Prints the status of one job, or of all of this user's here."""
    from olympus_core.cluster import job_file
    from olympus_core.config import config
    from olympus_core.errors import OlympusError

    from .status_observer import observe

    jobs = job_file.find(config.environment)
    asked = [(args.address, None)] if args.address else [(job.address, job) for job in jobs]
    if not asked:
        print("olympus status: no job of this user has its process 0 on this machine.", file=sys.stderr)
        return _UNREACHABLE
    codes = []
    for number, (address, job) in enumerate(asked):
        known = job or next((one for one in reversed(jobs) if one.address == address), None)
        if number:
            print()
        if job is not None:
            began = time.time() - job.began
            print(f"{address}  pid {job.pid}  {job.processes} processes  since {began:.0f} s  {job.program}")
        try:
            status = observe(address, config.environment, args.stacks, args.timeout, known.secret if known else None)
        except OlympusError as error:
            print(f"olympus status: {error}", file=sys.stderr)
            codes.append(_UNREACHABLE)
            continue
        print(status)
        codes.append(_FAILED if status.needs_attention else _WELL)
    return max(codes)
