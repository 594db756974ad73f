# SPDX-License-Identifier: Apache-2.0
"""`olympus demo`: the first program, on four processes of this machine with two devices each."""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

from olympus_core.errors import ArgumentError

from . import launch

_PROCESSES, _DEVICES, _PORT = 4, 2, 10000


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "demo", help="run the first program, to see that this installation works",
        description=f"Runs a small program in {_PROCESSES} processes with {_DEVICES} devices each: an array over all "
                    "of them, and a sum that is split automatically.")
    parser.add_argument("--port", type=int, default=_PORT, metavar="P", help=f"of process 0 (default {_PORT})")
    parser.add_argument("--save", metavar="FILE", help="write the program to this file, to be changed, and run that")
    parser.add_argument("--timeout", type=float, default=120.0, metavar="S", help="seconds it may take (default 120)")
    parser.set_defaults(run=run)
    return parser


def program(port: int = _PORT) -> str:
    """The first program's text, which says the port."""
    text = (resources.files("olympus.cli") / "programs" / "toy.py.txt").read_text(encoding="utf-8")
    return text.replace(f"localhost:{_PORT}", f"localhost:{port}")


def run(args: argparse.Namespace) -> int:
    """Runs the program; the result is the job's exit code."""
    if args.save is None:
        with tempfile.TemporaryDirectory(prefix="olympus-demo-") as folder:
            return _launch(Path(folder) / "toy.py", args)
    path = Path(args.save)
    if path.exists():
        raise ArgumentError("olympus demo", "the file is there, and nothing is overwritten", str(path), "a new file",
                            "Give --save another name.")
    code = _launch(path, args)
    print(f"olympus demo: the program is {path}; run it again by\n"
          f"  olympus launch -n {_PROCESSES} -d {_DEVICES} {path} {{i}} {{n}}", file=sys.stderr)
    return code


def _launch(path: Path, args: argparse.Namespace) -> int:
    path.write_text(program(args.port), encoding="utf-8")
    launcher = launch.add_parser(argparse.ArgumentParser(prog="olympus").add_subparsers())
    sizes = ["-n", str(_PROCESSES), "-d", str(_DEVICES), "--timeout", str(args.timeout)]
    return launch.run(launcher.parse_args([*sizes, str(path), "{i}", "{n}"]))
