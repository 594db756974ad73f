# SPDX-License-Identifier: Apache-2.0
"""An oracle that is independent of the partitioner: run the whole program, run all devices in step, compare."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from olympus_core.partition import Partitioned, partition
from olympus_core.placement import Dims, Layout, Mesh
from olympus_core.plugin import Device, DeviceDescription
from olympus_core.program import ArrayType, Program
from olympus_core.program.interpreter import run, run_members
from olympus_core.program.verify import verify


def fake_devices(count: int, processes: int = 1) -> list[Device]:
    """Devices of no platform, shared out evenly over processes; process 0 is this one."""
    each = count // processes
    return [
        Device(
            DeviceDescription(i, "fake", f"FAKE_{i}", f"FakeDevice(id={i})"), platform="fake",
            process_index=i // each, local_index=i % each, is_addressable=i // each == 0,
        )
        for i in range(count)
    ]


_DEVICES = fake_devices(16)


def mesh_of(*sizes: int) -> Mesh:
    """A mesh of these sizes; its axes are a, b, c."""
    count = int(np.prod(sizes))
    return Mesh(np.array(_DEVICES[:count], dtype=object).reshape(sizes), tuple("abcd"[: len(sizes)]))


def shards(mesh: Mesh, dims: Dims, array: np.ndarray) -> list[np.ndarray]:
    """Every device's part of an array."""
    boxes = Layout(mesh, dims).boxes(array.shape)
    return [np.array(array[tuple(slice(a, b) for a, b in box)]) for box in boxes]


@lru_cache(maxsize=512)
def placements(sizes: tuple[tuple[str, int], ...], shape: tuple[int, ...]) -> tuple[Dims, ...]:
    """All dims that an array of this shape can have on a mesh."""
    table = dict(sizes)
    found: dict[Dims, None] = {}
    for order in itertools.permutations(table):
        for places in itertools.product(range(-1, len(shape)), repeat=len(order)):
            dims: list[tuple[str, ...]] = [()] * len(shape)
            for axis, place in zip(order, places, strict=True):
                if place >= 0:
                    dims[place] = (*dims[place], axis)
            if all(n % int(np.prod([table[axis] for axis in axes])) == 0 for n, axes in zip(shape, dims, strict=True)):
                found.setdefault(tuple(dims))
    return tuple(found)


def all_placements(mesh: Mesh, types: Sequence[ArrayType]) -> Iterator[tuple[Dims, ...]]:
    """All combinations of the operands' placements."""
    return itertools.product(*(placements(mesh.shape_tuple, t.shape) for t in types))


def check(
    program: Program, inputs: Sequence[np.ndarray], expected: Sequence[np.ndarray], mesh: Mesh,
    in_dims: Sequence[Dims], out_dims: Sequence[Dims | None] | None = None, rtol: float = 1e-6,
) -> Partitioned:
    """Partitions, runs all devices, and compares every replica with the whole program's outputs."""
    wanted = [None] * len(program.outputs) if out_dims is None else list(out_dims)
    partitioned = partition(program, mesh, in_dims, wanted)
    local = partitioned.device_program.program
    if mesh.size > 1:
        verify(local, mesh.size)
    members = [shards(mesh, dims, array) for dims, array in zip(in_dims, inputs, strict=True)]
    outputs = run_members(local, members, range(mesh.size))
    for i, (whole, dims, parts) in enumerate(zip(expected, partitioned.out_dims, outputs, strict=True)):
        assert wanted[i] is None or dims == wanted[i]
        for device, (part, right) in enumerate(zip(parts, shards(mesh, dims, whole), strict=True)):
            assert part.dtype == right.dtype
            assert part.shape == right.shape
            if not equal(part, right, rtol):
                raise AssertionError(
                    f"output {i} on device {device} of {mesh}, in {in_dims} out {dims}:\n{part}\nnot\n{right}\n"
                    f"{program}\n{local}"
                )
    return partitioned


def equal(part: np.ndarray, right: np.ndarray, rtol: float) -> bool:
    """Whether two arrays agree: exactly for integers and booleans, closely for the others."""
    if part.dtype.kind in "biu":
        return bool((part == right).all())
    return bool(np.allclose(part.astype(complex), right.astype(complex), rtol=rtol, atol=rtol, equal_nan=True))


def whole(program: Program, inputs: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The outputs of the whole program, by the reference interpreter."""
    return run(program, inputs)
