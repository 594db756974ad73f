# SPDX-License-Identifier: Apache-2.0
"""All collectives, compared bit by bit with the same ones in memory: ``index address transport owners``."""

from __future__ import annotations

import json
import sys
from typing import Any

import ml_dtypes
import numpy as np

from olympus_core.plugin import Transfer
from olympus_core.toolkit import LOCAL_COLLECTIVES
from olympus_cpu.buffer import CpuBuffer
from tests.cpu.transports.job import Job, in_seconds

DTYPES = {
    "float32": ("sum", "prod", "max", "min"), "float64": ("sum",), "bfloat16": ("sum", "prod", "max"),
    "float16": ("sum", "min"), "int32": ("sum", "prod", "max", "min", "and", "or"), "uint8": ("sum", "or"),
    "bool": ("and", "or", "max", "min"), "complex64": ("sum", "prod"), "int64": ("min",),
}
SHAPES = ((6, 12), (12, 6, 5), (12,), (24, 2048))


def dtype_of(name: str) -> np.dtype:
    """The element type of a name."""
    return np.dtype(getattr(ml_dtypes, name, name))


def values(name: str, shape: tuple[int, ...], count: int, seed: int) -> list[np.ndarray]:
    """Everybody's values: the same in all processes."""
    random = np.random.default_rng(seed)
    dtype = dtype_of(name)
    if name == "bool":
        return [random.random(shape) < 0.5 for _ in range(count)]
    if dtype.kind in "iu":
        return [random.integers(0, 100, shape).astype(dtype) for _ in range(count)]
    if dtype.kind == "c":
        return [(random.standard_normal(shape) + 1j * random.standard_normal(shape)).astype(dtype)
                for _ in range(count)]
    return [random.standard_normal(shape).astype(dtype) for _ in range(count)]


def compare(job: Job, communicator: Any, name: str, everybody: list[np.ndarray], **attributes: Any) -> None:
    """Runs one collective and compares this process's results."""
    expected = LOCAL_COLLECTIVES[name](everybody, attributes)
    inputs = job.buffers(communicator, everybody)
    pending = getattr(communicator, name)(inputs, *attributes.values())
    results = pending.result(in_seconds(20))
    positions = communicator.group.local_positions
    assert len(results) == len(positions)
    for position, result in zip(positions, results, strict=True):
        found, wanted = result.to_host(), expected[position]
        assert result.device is communicator.group.devices[position]
        assert found.dtype == wanted.dtype and found.shape == wanted.shape, (name, attributes, found, wanted)
        assert found.tobytes() == wanted.tobytes(), (name, attributes, found, wanted)
    assert pending.is_done()


def run_group(job: Job, positions: list[int]) -> None:
    """All collectives of one group; the sizes divide by 2, 3 and 6."""
    if job.index not in {job.owners[p] for p in positions}:
        return
    communicator, size = job.open(positions), len(positions)
    for seed, (name, reductions) in enumerate(DTYPES.items()):
        for shape in SHAPES if name in ("float32", "bfloat16") else SHAPES[:1]:
            everybody = values(name, shape, size, seed)
            for reduction in reductions:
                compare(job, communicator, "all_reduce", everybody, reduction=reduction)
            for dimension in range(len(shape)):
                compare(job, communicator, "all_gather", everybody, dimension=dimension)
                if shape[dimension] % size == 0:
                    compare(job, communicator, "reduce_scatter", everybody, dimension=dimension,
                            reduction=reductions[0])
                    for concat in range(len(shape)):
                        compare(job, communicator, "all_to_all", everybody, split_dimension=dimension,
                                concat_dimension=concat)
            for source in range(size):
                compare(job, communicator, "broadcast", everybody, source=source)
            ring = tuple((i, (i + 1) % size) for i in range(size))
            compare(job, communicator, "permute", everybody, pairs=ring)
            compare(job, communicator, "permute", everybody, pairs=((size - 1, 0),))
    compare(job, communicator, "all_reduce", [np.float32(i + 1)[...] for i in range(size)], reduction="sum")
    compare(job, communicator, "all_gather", [np.zeros((0, 3), np.float32)] * size, dimension=0)
    large = [np.full((1 << 19,), i + 1, np.float32) for i in range(size)]
    compare(job, communicator, "broadcast", large, source=size - 1)
    compare(job, communicator, "all_reduce", large, reduction="max")
    communicator.barrier().result(in_seconds(10))


def run_exchange(job: Job) -> None:
    """Large buffers in both directions at once, several between the same members, and some within a process."""
    communicator = job.open()
    size = len(job.owners)
    devices = communicator.group.devices
    block = 8 << 20

    def content(source: int, target: int, number: int) -> np.ndarray:
        return np.full(block if number == 0 else 3, source * 16 + target + 7 * number, np.uint8)

    transfers = [(s, t, n) for s in range(size) for t in range(size) if s == 0 or t == 0 for n in range(2)]
    sends = [Transfer(s, t, CpuBuffer(content(s, t, n), devices[s]), content(s, t, n).shape, np.uint8)
             for s, t, n in transfers if devices[s].is_addressable]
    # The receiving side may list other members' transfers in another order.
    wanted = [x for x in sorted(transfers, key=lambda x: (-x[1], -x[0], x[2])) if devices[x[1]].is_addressable]
    receives = [Transfer(s, t, None, content(s, t, n).shape, np.dtype(np.uint8)) for s, t, n in wanted]
    results = communicator.exchange(sends, receives).result(in_seconds(30))
    for (source, target, number), result in zip(wanted, results, strict=True):
        assert np.array_equal(result.to_host(), content(source, target, number))
        assert result.device is devices[target]


def run_interleaved(job: Job) -> None:
    """Several communications under way at once, waited for in another order than they were begun in."""
    one, two = job.open(), job.open()
    size = len(job.owners)
    numbers = range(12)
    started = [
        (one if n % 2 else two).all_reduce(
            job.buffers(one, [np.full(20000, n + i, np.int32) for i in range(size)]), "sum")
        for n in numbers
    ]
    order = list(numbers) if job.index % 2 else list(reversed(numbers))
    for n in order:
        for buffer in started[n].result(in_seconds(20)):
            assert (buffer.to_host() == sum(n + i for i in range(size))).all()


def main() -> None:
    """Everything, for the whole world and for groups of it."""
    index, address, transport, owners = int(sys.argv[1]), sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
    job = Job(index, address, transport, owners)
    size = len(owners)
    run_group(job, list(range(size)))
    run_group(job, list(reversed(range(size))))
    run_group(job, [p for p in range(size) if p % 2])
    run_group(job, [0, size - 1, 1])
    run_exchange(job)
    run_interleaved(job)
    job.close()
    print("all well")


if __name__ == "__main__":
    main()
