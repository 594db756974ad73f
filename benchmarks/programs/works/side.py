# SPDX-License-Identifier: Apache-2.0
"""One library under measurement: olympus, its peer, NumPy or CuPy, under the same few names."""

from __future__ import annotations

import contextlib
import importlib
import threading
import time
import timeit
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np


def settle(seconds: float = 1.0) -> None:
    """Waits until this process's other threads are idle, at most so long.

    OpenBLAS's spin for 0.1 s after a product; what another process is measured doing meanwhile would be slower for it.
    """
    # A thread's state says it at once; processor time is counted by the system's tick, of up to 10 ms.
    end, quiet = time.monotonic() + seconds, 0
    while quiet < 3 and time.monotonic() < end:
        quiet = 0 if other_threads_run() else quiet + 1
        time.sleep(0.001)


def other_threads_run() -> bool:
    """Whether another thread of this process computes, or waits for a processor."""
    own = str(threading.get_native_id())
    for path in Path("/proc/self/task").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            if path.parent.name != own and path.read_text().rpartition(")")[2].split()[0] == "R":
                return True
    return False


class WrongResultError(Exception):
    """A library's numbers are not NumPy's."""


class Side:
    """The names that a work needs.

    Args:
        name: ``olympus``, ``jax``, ``numpy`` or ``cupy``.
        job: Of one process of several its index, their number and the coordinator's port.
    """

    def __init__(self, name: str, job: Sequence[str] = ()) -> None:
        self.name = name
        # Libraries that compute at once: what they are given is not compiled.
        self.plain = name in ("numpy", "cupy")
        self.library: Any = importlib.import_module(name)
        self.np: Any = np if self.plain else importlib.import_module(f"{name}.numpy")
        self.index = 0
        if job:
            self.index, count, port = map(int, job)
            self.library.distributed.initialize(f"localhost:{port}", count, self.index)

    def module(self, name: str) -> Any:
        """A module of the library, by its name in it."""
        return importlib.import_module(f"{self.name}.{name}")

    def jit(self, f: Callable[..., Any]) -> Callable[..., Any]:
        """A compiled function; of a plain library the function."""
        return f if self.plain else self.library.jit(f)

    def put(self, array: Any, *spec: Any, mesh: Any = None) -> Any:
        """An array of the library, split over a mesh where one is given."""
        if self.plain:
            return self.library.asarray(array)
        return self.library.device_put(array, None if mesh is None else self.sharding(mesh, *spec))

    def put_tree(self, tree: Any) -> Any:
        """A tree of arrays of the library."""
        return mapped(self.put, tree) if self.plain else self.library.device_put(tree)

    def wait(self, value: Any) -> Any:
        """The value, when all its arrays are ready."""
        if self.name == "cupy":
            self.library.cuda.get_current_stream().synchronize()
        return value if self.plain else self.library.block_until_ready(value)

    def host(self, value: Any) -> np.ndarray:
        """An array's content."""
        return self.library.asnumpy(value) if self.name == "cupy" else np.asarray(value)

    def mesh(self) -> Any:
        """All devices in a row, or None with NumPy."""
        return None if self.plain else self.library.make_mesh((self.library.device_count(),), ("i",))

    def sharding(self, mesh: Any, *spec: Any) -> Any:
        """An array's division over a mesh."""
        module = self.module("sharding")
        return module.NamedSharding(mesh, module.PartitionSpec(*spec))


@dataclass
class Work:
    """What is timed.

    Attributes:
        statement: Python's text for one call that gives an array or, with `tree`, a tree of arrays.
        names: What the statement's names mean.
        truth: The right result in NumPy, or what computes it; None where the result is not compared.
        tolerance: How far the result may be, as a share of the largest number in it.
        tree: Whether the result is a tree: then the library's `block_until_ready` waits for it.
        read: What of the result is compared; all of it by default.
    """

    statement: str
    names: Mapping[str, Any]
    truth: Any = None
    tolerance: float = 1e-5
    tree: bool = False
    read: Callable[[Any], Any] = field(default=lambda value: value)

    def blocked(self, side: Side) -> str:
        """The statement that also waits for the result."""
        if side.name == "numpy":
            return self.statement
        if side.plain:
            return f"wait({self.statement})"
        return f"wait({self.statement})" if self.tree else f"{self.statement}.block_until_ready()"

    def timer(self, side: Side) -> timeit.Timer:
        """Times the statement in a loop of its own text: no call of a wrapper is measured with it."""
        return timeit.Timer(self.blocked(side), globals={**self.names, "wait": side.wait})

    def call(self, side: Side) -> Any:
        """One call's result, when it is there."""
        return side.wait(eval(self.statement, dict(self.names)))  # the works' own text

    def check(self, side: Side, folder: Path | None = None) -> None:
        """Compares one call's result with the truth, and with another side's.

        Args:
            side: The library that makes it.
            folder: Where the first side leaves what the next ones are compared with.
        """
        found = self.read(self.call(side))
        if self.truth is not None:
            compare(found, self.truth() if callable(self.truth) else self.truth, self.tolerance, side.host)
        if folder is not None:
            _compare_sides(found, folder / f"{side.index}.npy", self.tolerance, side.host)


def _compare_sides(found: Any, path: Path, tolerance: float, host: Callable[[Any], np.ndarray]) -> None:
    leaves = [host(leaf) for leaf in _leaves(found)]
    if path.exists():
        with path.open("rb") as file:
            compare(leaves, [np.lib.format.read_array(file, allow_pickle=False) for _ in leaves], tolerance)
        return
    with path.open("wb") as file:
        for leaf in leaves:
            # A type that the file's format lacks is written as one that holds all its numbers.
            wide = leaf.astype(np.float32) if leaf.dtype.kind == "V" else leaf
            np.lib.format.write_array(file, wide, allow_pickle=False)


def _leaves(tree: Any) -> list[Any]:
    if isinstance(tree, Mapping):
        return [leaf for key in sorted(tree) for leaf in _leaves(tree[key])]
    if isinstance(tree, list | tuple):
        return [leaf for value in tree for leaf in _leaves(value)]
    return [tree]


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """A tree with a function's results in place of its leaves, without a library."""
    if isinstance(tree, Mapping):
        return {key: mapped(function, value) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return type(tree)(mapped(function, value) for value in tree)
    return function(tree)


def compare(result: Any, truth: Any, tolerance: float, host: Callable[[Any], np.ndarray] = np.asarray) -> None:
    """Raises when a result (or one of a list or dictionary) is not the truth.

    Raises:
        WrongResultError: With the worst distance.
    """
    if isinstance(truth, Mapping):
        for key in truth:
            compare(result[key], truth[key], tolerance, host)
        return
    if isinstance(truth, list | tuple):
        for one, other in zip(result, truth, strict=True):
            compare(one, other, tolerance, host)
        return
    mine, right = host(result), np.asarray(truth)
    if mine.shape != right.shape:
        raise WrongResultError(f"shape {mine.shape} in place of {right.shape}")
    if not right.size:
        return
    scale = max(float(np.max(np.abs(right.astype(np.float64)))), 1e-30)
    worst = float(np.max(np.abs(mine.astype(np.float64) - right.astype(np.float64)))) / scale
    if not worst <= tolerance:
        raise WrongResultError(f"off by {worst:.2g} of the largest number; {tolerance:.2g} is allowed")
