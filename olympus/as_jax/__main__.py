# SPDX-License-Identifier: Apache-2.0
"""``python -m olympus.as_jax script.py [arguments]``: runs a program that is written for JAX on olympus."""

from __future__ import annotations

import os
import sys

from ..python_programs import run_module, run_script, run_text
from . import install

_USAGE = """usage: python -m olympus.as_jax (script.py | -m module | -c code) [arguments]

Runs a Python program in which `import jax` gives olympus's modules."""


def main(arguments: list[str]) -> None:
    """Runs what the command line names as Python would, with the door open.

    Args:
        arguments: The command line after ``python -m olympus.as_jax``.
    """
    if not arguments or arguments[0] in ("-h", "--help") or (arguments[0] in ("-m", "-c") and len(arguments) < 2):
        sys.exit(_USAGE)
    install()
    _open_in_children()
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        run_module(arguments[1])
    elif arguments[0] == "-c":
        sys.argv = ["-c", *arguments[2:]]
        run_text(arguments[1])
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        run_script(arguments[0])


def _open_in_children() -> None:
    """Lets processes that the program starts find the door open: those of multiprocessing, and any other Python."""
    os.environ["OLYMPUS_AS_JAX"] = "1"
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "startup")
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *paths])


if __name__ == "__main__":
    main(sys.argv[1:])
