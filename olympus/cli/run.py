# SPDX-License-Identifier: Apache-2.0
"""`olympus run`: calls an exported function with arrays from files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from olympus_core.errors import ArgumentError

_EXAMPLE = """\
The function was stored with olympus.export:

    exported = olympus.export.export(olympus.jit(f))(x)
    open("f.olx", "wb").write(exported.serialize())

    $ olympus run f.olx --input x.npy --output y.npy
"""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "run", help="call an exported function with arrays from files",
        description="Calls an exported function, without the code that made it, and prints or stores its results.",
        epilog=_EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("artefact", type=Path, help="what Exported.serialize gave, in a file")
    parser.add_argument("--input", action="append", default=[], type=Path, metavar="FILE.npy",
                        help="an argument; once for each array of the arguments, in the order of their structure")
    parser.add_argument("--output", action="append", default=[], type=Path, metavar="FILE.npy",
                        help="where a result goes; once for each, in order; without it results are printed")
    parser.add_argument("--describe", action="store_true", help="only say what it takes and gives")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Reads, calls, and writes."""
    from olympus import export, tree
    from olympus import numpy as jnp

    made = export.deserialize(_content(args.artefact))
    if args.describe:
        print(f"{made.fun_name} for {', '.join(made.platforms)}, {made.nr_devices} device(s)")
        print(f"takes {made.in_tree}: {', '.join(map(repr, made.in_avals))}")
        print(f"gives {made.out_tree}: {', '.join(map(repr, made.out_avals))}")
        return 0
    if len(args.input) != len(made.in_avals):
        raise ArgumentError("run", f"{made.fun_name} takes {len(made.in_avals)} arrays", f"{len(args.input)} --input",
                            f"one --input for each of {', '.join(map(repr, made.in_avals))}")
    leaves = [_array(path) for path in args.input]
    positional, named = tree.unflatten(made.in_tree, leaves)
    results = tree.leaves(made.call(*positional, **named))
    if args.output and len(args.output) != len(results):
        raise ArgumentError("run", f"{made.fun_name} gives {len(results)} arrays", f"{len(args.output)} --output",
                            "one --output for each, or none")
    for i, result in enumerate(results):
        if args.output:
            jnp.save(args.output[i], result)
        else:
            print(result)
    return 0


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ArgumentError("run", "the artefact cannot be read", f"{path}: {error.strerror}") from None


def _array(path: Path) -> Any:
    from olympus import numpy as jnp

    try:
        return jnp.load(path)
    except (OSError, ValueError) as error:
        raise ArgumentError("run", "an input is no array in a file of NumPy's", f"{path}: {error}",
                            "a file that numpy.save has written") from None
