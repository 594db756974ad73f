# SPDX-License-Identifier: Apache-2.0
"""`python -m tests.reproducibility.digests`: the digest of each program's results, as JSON.

The options of the process say what computes them: threads, devices, vectors, instructions.
"""

from __future__ import annotations

import hashlib
import json
import sys
import warnings
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import numpy as np

import olympus
from olympus.errors import NotSupportedError
from olympus.sharding import NamedSharding, PartitionSpec

from .programs import Program, programs
from .sharded import sharded_programs


def digest(results: Any) -> str:
    """The digest of the bytes, shapes and types of all arrays; NaNs are one, since their payloads mean nothing."""
    sums = hashlib.sha256()
    for leaf in olympus.tree.leaves(results):
        array = np.array(leaf)
        if array.dtype.kind in "fcV" and np.isnan(array).any():
            array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
        sums.update(f"{array.dtype} {array.shape}".encode())
        sums.update(np.ascontiguousarray(array).tobytes())
    return sums.hexdigest()[:16]


def digests(which: Iterable[Program]) -> dict[str, str]:
    """The digest of each program's results; without decompositions that no library computes alike on this processor."""
    found = {}
    for program in which:
        with suppress(NotSupportedError):
            found[program.name] = digest(_whole(olympus.jit(program.function)(*program.operands)))
    return found


def _whole(results: Any) -> Any:
    """Results on all devices as they are on one."""
    def whole(x: Any) -> Any:
        if not isinstance(x.sharding, NamedSharding):
            return x
        return olympus.device_put(x, NamedSharding(x.sharding.mesh, PartitionSpec()))

    return olympus.tree.map(whole, results)


def library() -> str:
    """Which LAPACK computes decompositions: another one's bits are others."""
    import scipy

    return str(scipy.show_config(mode="dicts")["Build Dependencies"]["lapack"].get("version"))


def main(kind: str, index: int = 0, count: int = 1, port: int = 0) -> None:
    """Prints all digests.

    Args:
        kind: Which programs: "alone" those of one device ("alone/5" every fifth), "sharded" those over all devices;
            with "@" and the name of an ARM processor, which is emulated.
        index: This process's index.
        count: The number of processes.
        port: Where process 0 listens.
    """
    warnings.simplefilter("ignore")
    olympus.config.update("olympus_enable_x64", True)
    if count > 1:
        olympus.distributed.initialize(f"localhost:{port}", count, index)
    kind, _, processor = kind.partition("@")
    if processor:
        from tests.cpu.arm.emulation import emulate

        emulate(processor)
    name, _, step = kind.partition("/")
    found = digests((programs() if name == "alone" else sharded_programs())[::int(step or 1)])
    json.dump({"library": library(), "digests": found}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
