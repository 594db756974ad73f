# SPDX-License-Identifier: Apache-2.0
"""Memory over many different programs: `python -m benchmarks.growth` compiles 50,000 and prints what the process holds.

Every program differs from all others: in the shape of its arguments, in a constant, in its function; jitted and eager,
over one device and over several, with derivatives and trees of new structures. Flat means: the second half of the
programs adds no more than a few percent to what there was after the first.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.program import types
from olympus_core.runtime import kept_bytes

ROWS = 5
GROWTH = 0.05  # of the first half's memory, at most
_DEVICES = 2


def uses() -> dict[str, Callable[[int], object]]:
    """What makes a program that there was not, of each kind, from a number."""
    mesh = olympus.make_mesh((_DEVICES,), ("i",))
    spread = NamedSharding(mesh, P("i"))
    jitted, eight = olympus.jit(lambda x: x * 2 + 1), jnp.arange(8.0)
    many = olympus.device_put(np.arange(8.0, dtype=np.float32), spread)
    return {
        "shapes": lambda i: jitted(np.zeros(i + 1, np.float32)),
        "constants": lambda i: olympus.jit(lambda x: x * float(i) + 1)(eight),
        "eager shapes": lambda i: -olympus.device_put(np.zeros((2, i + 1), np.float32)),
        "eager attributes": lambda i: jnp.pad(eight, (i % 300, i // 300)),
        "captured arrays": lambda i: adding(np.full(3, i, np.float32))(eight),
        "two devices": lambda i: olympus.jit(lambda x: (x + float(i)).sum())(many),
        "derivatives": lambda i: olympus.grad(lambda x: (x * float(i)).sum())(eight),
        "trees": lambda i: jitted_tree({f"key {i}": eight}),
        "loops": lambda i: olympus.lax.fori_loop(0, 3, lambda _, x: x + float(i), eight),
    }


def adding(constant: np.ndarray) -> Callable[[olympus.Array], olympus.Array]:
    """A function that uses an array from outside, as a constant of its program."""
    return olympus.jit(lambda x: x[:3] + constant)


@olympus.jit
def jitted_tree(tree: dict[str, olympus.Array]) -> dict[str, olympus.Array]:
    """Of a structure that was never seen."""
    return {key: value + 1 for key, value in tree.items()}


def resident() -> int:
    """Bytes of this process that lie in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def rows_of(count: int, names: Sequence[str], rows: int = ROWS) -> list[tuple[int, int, int, int, int]]:
    """Compiles so many programs and tells after each part: programs, resident bytes, kept bytes and programs, types."""
    made = uses()
    chosen = [made[name] for name in names or made]
    found = []
    for i in range(count):
        chosen[i % len(chosen)](i // len(chosen))
        if (i + 1) % (count // rows) == 0:
            found.append((i + 1, resident(), *kept_bytes(), len(types._interned)))
    return found


def main() -> int:
    """Runs the command; the exit code is 1 where memory grew."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--programs", type=int, default=50_000, help="how many (default: 50,000)")
    parser.add_argument("--only", action="append", default=[], help="a kind of program; may be repeated")
    parser.add_argument("--keep", default="64MiB", help="olympus_compiled_cache_bytes (default: 64MiB)")
    options = parser.parse_args()
    olympus.config.update("olympus_compiled_cache_bytes", options.keep)
    olympus.config.update("olympus_num_cpu_devices", _DEVICES)
    with tempfile.TemporaryDirectory() as folder:  # the disk's cache of machine code is another matter
        olympus.config.update("olympus_compilation_cache_dir", folder)
        start = time.perf_counter()
        print(f"{'programs':>9} {'resident':>12} {'counted':>12} {'kept':>7} {'types':>7}")
        rows = rows_of(options.programs, options.only)
        for done, bytes_, kept, kept_programs, known in rows:
            print(f"{done:9,} {bytes_ / 1e6:9.1f} MB {kept / 1e6:9.1f} MB {kept_programs:7,} {known:7,}")
        grown = rows[-1][1] / rows[ROWS // 2 - 1][1] - 1
        olympus.clear_caches()
        gc.collect()
        print(f"after clear_caches: {resident() / 1e6:.1f} MB; {time.perf_counter() - start:.0f} s; "
              f"the second half added {100 * grown:.1f} %")
        return int(grown > GROWTH)


if __name__ == "__main__":
    sys.exit(main())
