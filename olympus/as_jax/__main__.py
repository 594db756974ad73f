# SPDX-License-Identifier: Apache-2.0
"""``python -m olympus.as_jax script.py [arguments]``: runs a program that is written for JAX on olympus."""

from __future__ import annotations

import os
import runpy
import sys
from types import ModuleType

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
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif arguments[0] == "-c":
        sys.argv = ["-c", *arguments[2:]]
        module = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(arguments[1], "<string>", "exec"), module.__dict__)  # noqa: S102  (what the user asks for)
    else:
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(arguments[0]))
        runpy.run_path(arguments[0], run_name="__main__")


def _open_in_children() -> None:
    """Lets processes that the program starts find the door open: those of multiprocessing, and any other Python."""
    os.environ["OLYMPUS_AS_JAX"] = "1"
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "startup")
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, *paths])


if __name__ == "__main__":
    main(sys.argv[1:])
