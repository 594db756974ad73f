# SPDX-License-Identifier: Apache-2.0
"""`olympus compile`: what a function of a script would need and do on a machine that is not there."""

from __future__ import annotations

import argparse
import runpy
from collections.abc import Callable
from typing import Any

from olympus_core.errors import ArgumentError

_EXAMPLE = """\
The function is called with the topology's devices, and gives a function of arrays (jitted or not) and its arguments:

    import olympus, olympus.numpy as jnp
    from olympus.sharding import NamedSharding, PartitionSpec as P

    def toy(devices):
        mesh = olympus.make_mesh((4, 4), ("x", "y"), devices=devices)
        x = olympus.ShapeDtypeStruct((4096, 4096), "float32", sharding=NamedSharding(mesh, P("x", "y")))
        return olympus.jit(lambda x: jnp.sum(jnp.sin(x))), (x,)

    $ olympus compile --topology v5e:4x4 script.py:toy
"""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "compile",
        help="compile a function for a machine that is not there, and show memory, estimates and collectives",
        description="Compiles a function for a topology ahead of time, without its hardware, and prints memory per"
                    " device, estimates and collectives as a table.",
        epilog=_EXAMPLE, formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("target", metavar="script.py:function", help="the function that gives function and arguments")
    parser.add_argument("--topology", required=True, help="such as v5e:4x4 or v5litepod-16")
    parser.add_argument("--processes", type=int, help="how many processes the topology must have")
    parser.add_argument("--platform", help="which platform compiles; the first that knows the topology by default")
    parser.add_argument("--explain", action="store_true", help="also list the collectives and why they are needed")
    parser.add_argument("--text", action="store_true", help="also print the optimised program")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Compiles and prints the table."""
    from olympus.experimental import aot

    there = aot.devices(args.topology, processes=args.processes, platform=args.platform)
    made = _function(args.target)(there)
    if not (isinstance(made, tuple) and len(made) == 2 and callable(made[0]) and isinstance(made[1], (tuple, list))):
        raise ArgumentError("target", f"{args.target} gave something else than it should",
                            type(made).__name__, "a function and a tuple of its arguments")
    found = aot.compile(made[0], *made[1], topology=args.topology, platform=args.platform)
    print(found)
    if args.explain:
        print(found.announced_text)
    if args.text:
        print(found.as_text())
    return 0


def _function(target: str) -> Callable[[Any], Any]:
    """The function that the command line names."""
    path, colon, name = target.rpartition(":")
    if not colon or not path or not name:
        raise ArgumentError("target", "a script and a function are needed", target, "script.py:function")
    try:
        names = runpy.run_path(path, run_name="__compile__")
    except (FileNotFoundError, IsADirectoryError):
        raise ArgumentError("target", "there is no such script", path) from None
    found = names.get(name)
    if not callable(found):
        mine = sorted(n for n, value in names.items() if callable(value) and not n.startswith("_"))
        raise ArgumentError("target", f"{path} has no function {name}", name, ", ".join(mine) or None)
    return found
