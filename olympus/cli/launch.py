# SPDX-License-Identifier: Apache-2.0
"""`olympus launch`: starts the processes of a job, here or over ssh, ends them together, starts them anew if asked."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from olympus_core.config import config

from .launch_devices import variables
from .launch_hosts import assign, parse_hosts, read_hostfile
from .launch_rounds import Elastic, Rounds

_USAGE = 2
_EXIT_CODES = """\
example: olympus launch -n 4 --devices-per-process 2 toy.py {i} {n}

A reader of the output who goes away ends the output and not the job, whose exit code stays the launcher's.

Hosts. With --hosts or --hostfile the processes run on these machines, which need the same program, folder and Python:
neighbours on the same host, spread evenly, or as many as a host has slots; -n is not needed where there are slots.
The machines are reached by the system's ssh, which must not ask for a password. The documentation has more: "Jobs over
several machines".

Restarts. When a process ends with another exit code than 0, or by a signal, the others are ended. With --restarts all
are started anew: the same command, another port, another secret, OLYMPUS_RESTART one higher (in the program
olympus.distributed.restart_count()); the output's prefix is then [i#k], process i after k restarts. With --elastic the
job goes on first with the processes that are left: those that a signal ended and the first one that failed are not
started again, and the rest are numbered from 0. That uses up no restart. Processes that end with 143, since they were
asked to end, have not died: the job is started anew with all. The wait before each start is --backoff
seconds, doubled each time up to 60. After --restart-window seconds without a failure all restarts, and the first wait,
are given back. A job that was interrupted, or has reached its --timeout, is not started anew.

Signals. SIGTERM and SIGINT (Ctrl-C) are passed on to all processes. After SIGTERM they have --grace seconds before
SIGKILL, to save: see olympus.distributed.preempted(). After SIGINT they have 2 s; a second SIGINT ends them at once.
SIGUSR1 is passed on to those that have a handler: each process of a job writes its last launches for olympus report.

exit codes:
  0       every process has ended with 0
  1-127   the exit code of the process that failed first, in the last round
  128+k   that process was ended by signal k; or the launcher was: 130 for SIGINT, 143 for SIGTERM, whatever the
          processes say, so that who starts jobs knows that this one is not done. A program that has saved and ends
          because preempted() is true should do it with 143, too: sys.exit(143)
  124     the job has reached its --timeout
  2       the command line cannot be understood
"""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "launch",
        help="run a program in several processes, on this machine or over ssh",
        description="Runs a Python program in N processes that form one job. In the program's arguments {i} becomes\n"
        "the process's index and {n} the number of processes; initialize() needs no arguments.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "-n", "--processes", type=_positive, metavar="N", help="number of processes; --elastic gives it, too"
    )
    parser.add_argument(
        "-d", "--devices-per-process", type=_positive, metavar="D",
        help="devices of each process: CPU devices, or devices on its GPUs, of which several may share one",
    )
    parser.add_argument(
        "-g", "--gpus-per-process", type=_positive, metavar="G", help="GPUs of each process, no two of which share one"
    )
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="end the job after this many seconds")
    parser.add_argument(
        "--grace", type=_seconds, default=30.0, metavar="S",
        help="seconds between SIGTERM, passed on to the processes, and SIGKILL (default 30)",
    )
    parser.add_argument(
        "--restarts", type=_count, default=0, metavar="N",
        help="start the job anew up to N times when a process dies (default 0)",
    )
    parser.add_argument(
        "--elastic", type=Elastic.parse, metavar="MIN:MAX",
        help="start MAX processes; when some die go on with those that are left, as long as there are MIN",
    )
    parser.add_argument(
        "--backoff", type=_seconds, default=1.0, metavar="S",
        help="seconds before the first restart; each further one doubles them, up to 60 (default 1)",
    )
    parser.add_argument(
        "--restart-window", type=_seconds, default=600.0, metavar="S",
        help="seconds without a failure after which all restarts are given back (default 600)",
    )
    hosts = parser.add_mutually_exclusive_group()
    hosts.add_argument(
        "--hosts", metavar="A,B", help="start the processes on these hosts, over ssh: names separated by commas; a:4 "
        "takes four processes, n[01-04] stands for four hosts"
    )
    hosts.add_argument(
        "--hostfile", metavar="FILE", help="the same from a file, a host in each line: a, a slots=4, or a:4"
    )
    parser.add_argument(
        "--port", type=_port, metavar="P", help="where process 0 listens (default: a free port of OLYMPUS_PORTS)"
    )
    parser.add_argument("--ssh", default="ssh", metavar="CMD", help='the ssh client with its options, as "ssh -p 2222"')
    parser.add_argument(
        "--python", default=sys.executable, metavar="PATH", help="the hosts' interpreter (default: this one's path)"
    )
    parser.add_argument(
        "--env", action="append", type=_variable, default=[], metavar="NAME", help="pass this environment variable to "
        "the hosts, too, beside OLYMPUS_*; NAME=VALUE gives it another value"
    )
    parser.add_argument(
        "--as-jax", action="store_true", help="the program is written for JAX: import jax gives olympus's modules"
    )
    parser.add_argument("-m", "--module", action="store_true", help="the program is a module, as in python -m")
    parser.add_argument("program", help="the Python program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its arguments")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Runs the job; the result is the exit code of the process that failed first, or 0."""
    problem = _problem(args)
    if problem is not None:
        print(f"olympus launch: {problem}", file=sys.stderr)
        return _USAGE
    args.env = dict(args.env)
    args.places = None
    if args.hosts is not None or args.hostfile is not None:
        hosts = parse_hosts(args.hosts) if args.hosts is not None else read_hostfile(args.hostfile)
        args.places = assign(hosts, args.processes if args.elastic is None else args.elastic.most)
        args.processes = len(args.places)
    variables(args.devices_per_process, args.gpus_per_process, 0)  # what makes no sense is told before anything starts
    return Rounds(args).run()


def _problem(args: argparse.Namespace) -> str | None:
    """What is wrong with the command line as a whole."""
    is_here = args.hosts is None and args.hostfile is None
    if is_here and args.processes is None and args.elastic is None:
        return "how many processes? Give -n N, or --elastic MIN:MAX."
    unset = next((name for name, value in args.env if value is None), None)
    if unset is not None:
        return f"--env {unset}: there is no such variable."
    if args.elastic is not None and args.processes not in (None, args.elastic.most):
        return f"-n {args.processes} and --elastic {args.elastic} differ: the job starts with {args.elastic.most}."
    if is_here and not args.module and not os.path.exists(args.program):
        return f"there is no program {args.program!r}."
    return None


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def _count(text: str) -> int:
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError("must be at least 0")
    return value


def _port(text: str) -> int:
    value = int(text)
    if not 0 < value < 1 << 16:
        raise argparse.ArgumentTypeError("must be from 1 to 65535")
    return value


def _variable(text: str) -> tuple[str, str | None]:
    name, equals, value = text.partition("=")
    if not name:
        raise argparse.ArgumentTypeError("must be NAME, or NAME=VALUE")
    return name, value if equals else config.environment.get(name)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError("must be a number of seconds, at least 0")
    return value
