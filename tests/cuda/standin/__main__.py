# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.cuda.standin [--gpus N] COMMAND...` runs a command with the stand-in for GPUs."""

from __future__ import annotations

import argparse
import os
import sys

from .environment import environment, missing

parser = argparse.ArgumentParser(prog="python -m tests.cuda.standin", description=__doc__)
parser.add_argument("--gpus", type=int, default=1, help="number of GPUs")
parser.add_argument("--no-keep", action="store_true", help="every block goes back to the pool, which checks its use")
parser.add_argument("command", nargs=argparse.REMAINDER)
arguments = parser.parse_args()
lacks = missing()
if lacks is not None:
    sys.exit(lacks)
os.environ.update(environment(arguments.gpus, keeps=not arguments.no_keep))
os.execvp(arguments.command[0], arguments.command)
