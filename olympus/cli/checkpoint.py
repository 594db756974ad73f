# SPDX-License-Identifier: Apache-2.0
"""`olympus checkpoint`: lists the checkpoints of a folder, shows what is in one, and compares two."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from olympus.checkpoints.manifest import Manifest


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Adds the command's own options."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "checkpoint",
        help="list, show and compare checkpoints",
        description="Looks at the checkpoints that olympus.checkpoints has saved; no device is opened.",
    )
    commands = parser.add_subparsers(dest="action", required=True, metavar="action")
    listing = commands.add_parser("list", help="the steps of a folder: when, how large, whether whole",
                                  epilog="exit code: 1 when a checkpoint is damaged")
    listing.add_argument("folder", type=Path)
    listing.add_argument("--verify", action="store_true", help="read everything and compute all checksums")
    listing.set_defaults(run=run_list)
    show = commands.add_parser("show", help="the tree of a step, with shapes, element types and shardings")
    show.add_argument("folder", type=Path, help="a folder of checkpoints, or that of one step")
    show.add_argument("--step", type=int, help="the step; the latest by default")
    show.set_defaults(run=run_show)
    diff = commands.add_parser(
        "diff", help="what differs between two steps or folders",
        description="Compares two steps: the last two of a folder, those that --steps names, or the latest of two "
        "folders. Content is compared by checksums, how arrays are sharded does not count.",
        epilog="exit code: 0 when nothing differs, 1 when something does")
    diff.add_argument("folders", type=Path, nargs="+", metavar="folder",
                      help="one or two folders of checkpoints, or of steps")
    diff.add_argument("--steps", type=int, nargs=2, metavar=("FIRST", "SECOND"), help="the steps to compare")
    diff.add_argument("--values", action="store_true",
                      help="read arrays that differ, and print the greatest absolute difference (needs TensorStore)")
    diff.set_defaults(run=run_diff)
    return parser


def run_list(args: argparse.Namespace) -> int:
    """Prints the steps; the result is 1 where one is damaged."""
    from olympus.checkpoints.comparing import damage
    from olympus.checkpoints.folders import folder_argument, step_folder, steps_in, unfinished_in
    from olympus.checkpoints.manifest import read_manifest
    from olympus_core.errors import CheckpointCorruptError, CheckpointNotFoundError

    folder = folder_argument("list", args.folder)
    steps = steps_in(folder)
    unfinished = unfinished_in(folder)
    if not steps and not unfinished:
        raise CheckpointNotFoundError(str(folder), None, (), None if folder.is_dir() else "there is no such folder")
    table = _table("step", "saved", "arrays", "size", "processes", "state")
    is_damaged = False
    for step in steps:
        where = step_folder(folder, step)
        try:
            manifest = read_manifest(where)
        except CheckpointCorruptError as error:
            is_damaged = True
            _add(table, step, "", "", "", "", f"damaged: {error.reason}")
            continue
        found = damage(where, manifest, args.verify)
        is_damaged = is_damaged or found is not None
        state = f"damaged: {found}" if found else "whole, verified" if args.verify else "whole"
        _add(table, step, manifest.created, len(manifest.arrays), _size(manifest.nbytes), manifest.processes, state)
    for path, is_locked in unfinished:
        kind, step_text, _ = path.name.split("-")
        state = "being written" if is_locked else "left behind by a save that was cut off; the next save removes it"
        if kind == ".removing":
            state = "being removed" if is_locked else "removed in part; the next save removes the rest"
        _add(table, int(step_text), "", "", "", "", state)
    _print(table)
    return int(is_damaged)


def run_show(args: argparse.Namespace) -> int:
    """Prints what a step holds."""
    from olympus.checkpoints.comparing import opened
    from olympus.checkpoints.folders import folder_argument
    from olympus.checkpoints.manifest import ArrayRecord
    from olympus.checkpoints.outline import decoded, kind_in, paths_in
    from olympus.tree import keystr

    where, manifest = opened(folder_argument("show", args.folder), args.step)
    print(f"{where}\n{_about(manifest)}")
    table = _table("path", "type", "sharding", "chunks", "size")
    for path, number in paths_in(manifest.outline):
        text = keystr(path) or "(the root)"
        if type(number) is not int:
            _add(table, text, f"{kind_in(number)}, empty" if number != {"none": None} else "None", "", "", "")
            continue
        leaf = manifest.leaves[number]
        if not isinstance(leaf, ArrayRecord):
            _add(table, text, f"{leaf.value[0]} {decoded(leaf.value)!r:.60}", "", "", "")
            continue
        notes = [leaf.type, *(["random keys"] if leaf.kind == "key" else []), *(["weak"] if leaf.weak else [])]
        if leaf.stored != leaf.dtype:
            notes.append(f"stored as {leaf.stored}")
        chunks = f"{leaf.grid.count} of {list(leaf.chunk)}" if leaf.grid.count != 1 else "1"
        _add(table, text, ", ".join(notes), leaf.sharding, chunks, _size(leaf.nbytes))
    _print(table)
    return 0


def run_diff(args: argparse.Namespace) -> int:
    """Prints what differs; the result is 1 where something does."""
    from olympus.checkpoints.comparing import differences, opened
    from olympus.checkpoints.folders import folder_argument, steps_in
    from olympus_core.errors import CheckpointNotFoundError
    from olympus_core.errors.tracing import ArgumentError

    folders = [folder_argument("diff", folder) for folder in args.folders]
    if len(folders) > 2:
        raise ArgumentError("olympus checkpoint diff", "more than two folders are given", len(folders), "one or two")
    steps: Sequence[int | None] = args.steps or (None, None)
    if len(folders) == 1:
        if args.steps is None:
            there = steps_in(folders[0])
            if len(there) < 2:
                raise CheckpointNotFoundError(str(folders[0]), None, there, "two steps are needed to compare")
            steps = there[-2:]
        folders *= 2
    pairs = [opened(folder, step) for folder, step in zip(folders, steps, strict=True)]
    found = differences(pairs[0], pairs[1], args.values)
    for sign, (where, manifest) in zip("-+", pairs, strict=True):
        print(f"{sign} {where}: {_about(manifest)}")
    if not found:
        print("nothing differs")
        return 0
    table = _table("path", "- first", "+ second", "differs in")
    for each in found:
        _add(table, each.path, each.first, each.second, each.what)
    _print(table)
    return 1


def _about(manifest: Manifest) -> str:
    count = len(manifest.arrays)
    return (f"step {manifest.step}, saved {manifest.created} by {manifest.processes} "
            f"process{'es' if manifest.processes > 1 else ''} with olympus {manifest.olympus}: "
            f"{count} array{'s' if count != 1 else ''}, {_size(manifest.nbytes)}")


def _size(count: int) -> str:
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:,.1f} TiB"


def _table(*names: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in names:
        table.add_column(name, justify="right" if name in ("step", "arrays", "size", "processes") else "left",
                         overflow="fold")
    return table


def _add(table: Table, *cells: object) -> None:
    from rich.text import Text

    table.add_row(*(Text(str(cell)) for cell in cells))  # paths have brackets, which are no markup


def _print(table: Table) -> None:
    import sys

    from rich.console import Console

    # Nobody's screen is too narrow for what goes into a file or another program.
    Console(width=None if sys.stdout.isatty() else 10_000, highlight=False).print(table)
