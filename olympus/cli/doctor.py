# SPDX-License-Identifier: Apache-2.0
"""`olympus doctor`: which platforms and which cluster this process would use, why, and what was refused."""

from __future__ import annotations

import argparse
import platform
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from olympus_core.cluster.detect import evidence
from olympus_core.config import OPTIONS, config
from olympus_core.errors.base import OlympusError
from olympus_core.plugin.version import API_VERSION, DISTRIBUTION
from olympus_core.runtime.registry import Registry, Selection, registry

_DISTRIBUTIONS = (DISTRIBUTION, "numpy", "ml_dtypes", "pluggy", "pydantic", "mpi4py", "mpich")


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "doctor",
        help="show which platforms and which cluster are used, and why",
        description="Shows versions, platforms, cluster detection and configuration of this environment.",
    )
    parser.add_argument("--open", action="store_true", help="also open the chosen platforms and list their devices")
    group = parser.add_argument_group(
        "cluster", "Run in all processes of a job at once, as the job is started: by the same launcher, or with the "
        "three options below. Takes about 20 s at most; the result is 1 where something is wrong.")
    group.add_argument("--cluster", action="store_true", help="check which processes reach each other, and how well")
    group.add_argument("--coordinator", metavar="ADDRESS", help="host:port of process 0")
    group.add_argument("--num-processes", type=int, metavar="N", help="number of processes")
    group.add_argument("--process-id", type=int, metavar="I", help="this process's index")
    group.add_argument(
        "--wait", type=float, default=10.0, metavar="S", help="seconds for the others to come (default 10)"
    )
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Prints the report; the result is 1 when no program could run here."""
    if args.cluster:
        from . import doctor_cluster  # sockets and TLS, slow to import

        return doctor_cluster.run(args)
    healthy = True
    for title, section in (
        ("Versions", versions()),
        ("Platforms", platforms(registry)),
        ("Cluster", cluster()),
        ("Configuration", configuration()),
        ("Hints", hints()),
        *((("Devices", devices()),) if args.open else ()),
    ):
        print(title)
        for line in section:
            healthy = healthy and not line.startswith("error: ")
            print(textwrap.indent(line, "  "))
    return 0 if healthy else 1


def versions() -> Iterator[str]:
    """The versions of what takes part, read from metadata without importing anything."""
    from importlib.metadata import PackageNotFoundError, version

    yield f"Python {platform.python_version()} ({sys.executable}) on {platform.platform()}"
    yield f"plugin contract {API_VERSION[0]}.{API_VERSION[1]}"
    for name in _DISTRIBUTIONS:
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            yield f"{name} is not installed"


def platforms(installed: Registry) -> Iterator[str]:
    """Every plugin: chosen and why, or not and why not."""
    selected: list[Selection] = []
    problem = None
    try:
        selected = installed.select(config.platforms)
    except OlympusError as error:
        problem = f"error: {error}"
    reasons = {selection.platform.name: selection.reason for selection in selected}
    order = list(reasons)
    rows = installed.report()
    rows.sort(key=lambda row: order.index(row.name) if row.name in reasons else len(order))
    for row in rows:
        verdict = "not chosen" if row.state == "available" else row.state
        is_chosen = row.name in reasons and row.state == "available"  # another's of that name is refused
        what = f"chosen: {reasons[row.name]}" if is_chosen else f"{verdict}: {row.reason}"
        yield f"{row.name}: {what}"
        more = [f"from {row.distribution}, {row.module}"]
        more += [f"priority {row.priority}"] if row.priority is not None else []
        more += [f"also named {', '.join(row.aliases)}"] if row.aliases else []
        more += [f"transports {', '.join(row.transports)}"] if row.transports else []
        yield f"    {'; '.join(more)}"
        if row.traceback:
            yield textwrap.indent(row.traceback.rstrip(), "    | ")
    if order:
        yield f"default platform: {order[0]}"
    if problem:
        yield problem


def cluster() -> Iterator[str]:
    """What each method of detection saw."""
    yield from evidence(config.environment)


def configuration() -> Iterator[str]:
    """Every option with its value and where that came from."""
    for option in OPTIONS:
        try:
            yield f"{option.name} = {config.get(option.name)!r}  ({config.source(option.name)})"
        except OlympusError as error:
            yield f"error: {error}"


def hints() -> Iterator[str]:
    """What often goes wrong with an environment like this one."""
    nothing = True
    for name, text in config.proxies().items():
        nothing = False
        yield f"{name}={text} is set; olympus never uses a proxy between its processes."
    for variable, meant in config.misspelled():
        nothing = False
        yield f"{variable} is set and is no option of olympus. Is {meant} meant?"
    if nothing:
        yield "none"


def devices() -> Iterator[str]:
    """This process's devices, which are opened for this."""
    from olympus_core.runtime import get_world  # slow to import, and only needed for --open

    try:
        world = get_world()
        for name in world.clients:
            yield f"{name}: {', '.join(map(repr, world.local_devices(name)))}"
    except OlympusError as error:
        yield f"error: {error}"
