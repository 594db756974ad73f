# SPDX-License-Identifier: Apache-2.0
"""One process of a job that saves checkpoints: measured beside plain writes, or for ever, until it is killed.

``checkpoint.py measure FOLDER ADDRESS COUNT INDEX MIB ROUNDS`` prints a line of JSON for each round;
``checkpoint.py endless FOLDER ADDRESS COUNT INDEX FIRST`` prints ``saved STEP`` for each complete checkpoint. What it
saves as step n is n, everywhere.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from pathlib import Path

import numpy as np

import olympus
from olympus.experimental import multihost_utils as hosts
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P

ROWS, COLUMNS = 2048, 2048  # of a process's shard: 16 MiB


def make_tree(mesh: olympus.Mesh, mib: int, index: int) -> tuple[dict[str, olympus.Array], list[np.ndarray]]:
    """Arrays of so many MiB in all, half of them split by rows and half by columns; and this process's parts."""
    rng = np.random.default_rng(index)
    tree, parts = {}, []
    for i in range(max(2, mib // (16 * mesh.size))):
        part = rng.integers(0, 2**32, (ROWS, COLUMNS), dtype=np.uint32)
        rows = i % 2 == 0
        shape = (ROWS * mesh.size, COLUMNS) if rows else (ROWS, COLUMNS * mesh.size)
        sharding = NamedSharding(mesh, P("x") if rows else P(None, "x"))
        tree[f"w{i}"] = olympus.make_array_from_callback(shape, sharding, lambda _, part=part: part)
        parts.append(part)
    return tree, parts


def plain_write(folder: Path, parts: list[np.ndarray]) -> None:
    """The same bytes in as many files, which last when this returns."""
    folder.mkdir(parents=True)
    for i, part in enumerate(parts):
        file = os.open(folder / str(i), os.O_WRONLY | os.O_CREAT)
        data = memoryview(part).cast("B")
        while data:
            data = data[os.write(file, data):]
        os.fsync(file)
        os.close(file)
    directory = os.open(folder, os.O_RDONLY)
    os.fsync(directory)
    os.close(directory)


def measure(folder: Path, mib: int, rounds: int) -> None:
    mesh = olympus.make_mesh((olympus.device_count(),), ("x",))
    index = olympus.process_index()
    tree, parts = make_tree(mesh, mib, index)
    size = sum(array.nbytes for array in tree.values())
    copies = [np.empty_like(part) for part in parts]
    manager = olympus.checkpoints.Manager(folder / "checkpoints")
    for number in range(-1, rounds):  # the first one warms up
        if index == 0:
            shutil.rmtree(folder / "checkpoints", ignore_errors=True)
        meet(f"plain {number}")
        started = time.monotonic()
        plain_write(folder / "plain" / str(index), parts)
        meet(f"plain written {number}")
        plain = time.monotonic() - started
        shutil.rmtree(folder / "plain" / str(index))
        meet(f"copy {number}")
        started = time.monotonic()
        for copy, part in zip(copies, parts, strict=True):
            np.copyto(copy, part)
        copied = time.monotonic() - started
        meet(f"save {number}")
        started = time.monotonic()
        manager.save(number + 1, tree)
        blocked = time.monotonic() - started
        manager.wait()
        meet(f"saved {number}")
        saved = time.monotonic() - started
        if number >= 0:
            print(json.dumps({"bytes": size, "plain": plain, "save": saved, "blocked": blocked, "copy": copied}),
                  flush=True)
    restored = olympus.checkpoints.restore(folder / "checkpoints", tree)
    for name, array in tree.items():
        for mine, other in zip(array.addressable_shards, restored[name].addressable_shards, strict=True):
            if not np.array_equal(mine.data, other.data):
                raise ValueError(f"{name} was not restored")


def meet(name: str) -> None:
    hosts.sync_global_devices(name)


def endless(folder: Path, first: int) -> None:
    mesh = olympus.make_mesh((olympus.device_count(),), ("x",))
    spread = NamedSharding(mesh, P("x"))
    manager = olympus.checkpoints.Manager(folder, keep=3)
    for step in range(first, 10**9):
        tree = {f"w{i}": olympus.device_put(np.full((1024 * mesh.size, 512), step + i, np.float32), spread)
                for i in range(4)}
        manager.save(step, {**tree, "whole": np.full(1 << 16, step), "step": step})
        if step > first:
            print(f"saved {step - 1}", flush=True)


if __name__ == "__main__":
    what, where, address, count, process, *numbers = sys.argv[1:]
    olympus.distributed.initialize(address, int(count), int(process))
    if what == "measure":
        measure(Path(where), *map(int, numbers))
    else:
        endless(Path(where), *map(int, numbers))
