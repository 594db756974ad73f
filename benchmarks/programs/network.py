# SPDX-License-Identifier: Apache-2.0
"""One of two processes that measure what the network between them carries: `plain|olympus INDEX ADDRESS BYTES ROUNDS`.

Process 0 prints one JSON object: seconds of a block one way, of an all-reduce of as many bytes, and of a small one.
``plain`` sends the block through one socket, and that is the link's own time.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Callable

import numpy as np

what, index, address, size, rounds = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
_SMALL_ROUNDS = 30


def best(run: Callable[[], object], count: int) -> float:
    """The shortest of some runs in seconds."""
    times = []
    for _ in range(count):
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return min(times)


def plain() -> dict[str, float]:
    """A block through a socket, and a byte back."""
    host, _, port = address.rpartition(":")
    block = memoryview(bytearray(size))
    if index == 0:
        with socket.create_server((host, int(port))) as listener, listener.accept()[0] as link:
            def send() -> None:
                link.sendall(block)
                if link.recv(1) != b"k":
                    raise ConnectionError("the other process has ended")

            return {"one_way": best(send, rounds)}
    while True:
        try:
            link = socket.create_connection((host, int(port)), 5)
            break
        except OSError:
            time.sleep(0.02)
    with link:
        link.settimeout(None)
        for _ in range(rounds):
            left = size
            while left:
                got = link.recv_into(block, left)
                if not got:
                    raise ConnectionError("the other process has ended")
                left -= got
            link.sendall(b"k")
    return {}


def olympus() -> dict[str, float]:
    """The same by collectives."""
    import olympus
    from olympus import lax
    from olympus.sharding import NamedSharding, PartitionSpec

    olympus.distributed.initialize(address, 2, index)
    mesh = olympus.make_mesh((2,), ("i",))
    rows = NamedSharding(mesh, PartitionSpec("i"))

    def sharded(count: int) -> olympus.Array:
        own = np.full((1, count), index + 1, np.float32)
        return olympus.make_array_from_process_local_data(rows, own)

    def compiled(of: Callable[[olympus.Array], olympus.Array]) -> Callable[[olympus.Array], olympus.Array]:
        return olympus.jit(olympus.shard_map(of, mesh=mesh, in_specs=PartitionSpec("i"), out_specs=PartitionSpec("i")))

    large, small = sharded(size // 4), sharded(1)
    there = compiled(lambda x: lax.ppermute(x, "i", [(0, 1)]))
    total = compiled(lambda x: lax.psum(x, "i"))

    def moved() -> None:
        found = there(large)
        total(small + found[:, :1]).block_until_ready()  # process 0 has its zeros before the block has arrived

    reduced = np.asarray(total(large).addressable_data(0))
    if not (reduced == 3).all() or not (np.asarray(there(large).addressable_data(0)) == index).all():
        raise AssertionError("wrong numbers")
    figures = {
        "one_way": best(moved, rounds),
        "all_reduce": best(lambda: total(large).block_until_ready(), rounds),
        "small": best(lambda: total(small).block_until_ready(), _SMALL_ROUNDS),
    }
    olympus.distributed.shutdown()
    return figures


figures = plain() if what == "plain" else olympus()
if index == 0:
    print(json.dumps(figures), flush=True)
