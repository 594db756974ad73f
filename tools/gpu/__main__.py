# SPDX-License-Identifier: Apache-2.0
"""Runs the pieces with this interpreter; installs nothing and needs no network.

`python -m tools.gpu --into FOLDER [PIECE...]`
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path

from .pieces import PIECES, Piece
from .run import run, told, write

_NEEDED = ("olympus", "numpy", "ml_dtypes", "pluggy", "cupy", "pytest", "hypothesis", "pydantic", "llvmlite")
_USAGE = 2


def missing() -> list[str]:
    """The requirements of the pieces that are not installed."""
    from importlib.metadata import entry_points

    lacks = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if not any(entry.name == "cuda" for entry in entry_points(group="olympus.platforms")):
        lacks.append("olympus's entry points (pip install --no-index --no-deps --no-build-isolation --editable .)")
    return lacks


def main(arguments: Sequence[str] | None = None, pieces: Sequence[Piece] = PIECES) -> int:
    """Runs the command; the exit code is 1 if a piece failed, and 2 for an unknown name."""
    parser = argparse.ArgumentParser(prog="python -m tools.gpu", description=__doc__)
    parser.add_argument("pieces", nargs="*", metavar="PIECE", help="the pieces to run, in this order; all by default")
    parser.add_argument("--into", type=Path, default=Path("gpu-report"), metavar="FOLDER", help="where reports go")
    parser.add_argument("--minutes", type=float, default=9.5, metavar="M", help="a piece's time (default: 9.5)")
    parser.add_argument("--jobs", type=int, default=0, metavar="N",
                        help="processes that run tests (default: 8 with pytest-xdist, else 1)")
    parser.add_argument("--list", action="store_true", help="tell the pieces and end")
    options = parser.parse_args(arguments)
    by_name = {piece.name: piece for piece in pieces}
    if options.list:
        sys.stdout.writelines(f"{piece.name:<18} {piece.about}\n" for piece in pieces)
        return 0
    unknown = [name for name in options.pieces if name not in by_name]
    if unknown:
        sys.stderr.write(f"tools.gpu: there is no piece {', '.join(unknown)}; --list tells them.\n")
        return _USAGE
    for name in missing():
        sys.stdout.write(f"not installed: {name}\n")
    jobs = options.jobs or (8 if importlib.util.find_spec("xdist") is not None else 1)
    options.into.mkdir(parents=True, exist_ok=True)
    results = []
    for name in options.pieces or by_name:
        results.append(run(by_name[name], options.into.resolve(), 60 * options.minutes, jobs))
        sys.stdout.write(told(results[-1]) + "\n")
        sys.stdout.flush()
        write(options.into, results[-1])
    return int(any(not result["passed"] for result in results))


if __name__ == "__main__":
    sys.exit(main())
