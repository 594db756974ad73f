# SPDX-License-Identifier: Apache-2.0
"""Reductions over groups of devices: values, element types, special values, the same bits for all."""

from __future__ import annotations

import hashlib

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Reduction

from ...checks import require, require_close, require_same_bits
from ...context import Context
from ...reference_collectives import Reduced, reduced
from ...requirement import requirement
from ...samples.values import ends
from .case_lists import COMMON, process_cases, reduction_cases
from .groups import Findings, collective, communicate, cut, host, own_groups, random_values, takes_large

_SHAPES = ((), (0,), (1,), (7,), (3, 0, 2), (8, 125))
_LARGE_BYTES = 1 << 20


def _shapes(name: str, dtype: np.dtype) -> list[tuple[int, ...]]:
    return [*_SHAPES, (_LARGE_BYTES // dtype.itemsize + 1,)] if takes_large(name, dtype) else list(_SHAPES)


def _pool(context: Context, dtype: np.dtype, reduction: str) -> list[np.ndarray]:
    size = _LARGE_BYTES // dtype.itemsize + 1 if dtype in COMMON else 1000
    kind = "factors" if reduction == "prod" else "any"
    pool = random_values(context, len(context.all_devices), size, dtype, kind)
    if reduction not in ("sum", "prod"):  # all members have the ends of the range, where an extreme begins
        found = ends(dtype)
        pool = [np.concatenate([found, values[found.size:]]) for values in pool]
    return pool


@requirement(
    "collectives/all_reduce",
    "all_reduce MUST give every member of a group, in whatever order its devices stand, the reduction of all members' "
    "buffers: bit for bit of integers and bools, which wrap around, and within half a unit in the last place "
    "for each addition of floats.",
    why="Gradients, losses and norms are such reductions.",
    profile="multi", cases=reduction_cases(), seconds=60.0,
)
def all_reduce(context: Context, reduction: Reduction, dtype: np.dtype) -> None:
    """Every size in every group."""
    findings, pool = Findings(), _pool(context, dtype, reduction)
    for name, devices in own_groups(context):
        for shape in _shapes(name, dtype):
            values = cut(pool[: len(devices)], shape)
            label = f"all_reduce {reduction} of {dtype}{list(shape)} among {name}"
            results = communicate(context, devices, values, collective("all_reduce", reduction), label)
            with findings:
                wanted = reduced(values, reduction)
                for position, buffer in results:
                    wanted.require(host(buffer, devices[position], label), f"{label}, at {position},")
    findings.settle()


@requirement(
    "collectives/reduce_scatter",
    "reduce_scatter MUST give the member at position i of a group part i, along the dimension, of the reduction of all "
    "members' buffers.",
    why="Sharded optimisers and products over sharded contractions are made of it.",
    profile="multi", cases=reduction_cases(), seconds=60.0,
)
def reduce_scatter(context: Context, reduction: Reduction, dtype: np.dtype) -> None:
    """Along the first and the last dimension, parts of nothing, of one element and of more."""
    findings, pool = Findings(), _pool(context, dtype, reduction)
    for name, devices in own_groups(context):
        count = len(devices)
        shapes = [((count,), 0), ((0, 3), 0), ((2 * count, 5), 0), ((3, 2, 3 * count), 2), ((5, count, 2), 1)]
        if takes_large(name, dtype):
            shapes.append(((count * (_LARGE_BYTES // dtype.itemsize // count),), 0))
        for shape, dimension in shapes:
            values = cut(pool[:count], shape)
            label = f"reduce_scatter {reduction} of {dtype}{list(shape)} along {dimension} among {name}"
            results = communicate(
                context, devices, values, collective("reduce_scatter", dimension, reduction), label)
            with findings:
                whole = reduced(values, reduction)
                for position, buffer in results:
                    part: Reduced = whole.part(dimension, position, count)
                    part.require(host(buffer, devices[position], label), f"{label}, at {position},")
    findings.settle()


@requirement(
    "collectives/all_reduce_same_bits",
    "all_reduce MUST give all members of a group the same bits.",
    why="Copies of the parameters that differ in a bit drift apart, and branches on a norm part the processes.",
    profile="multi", cases=process_cases(),
)
def all_reduce_same_bits(context: Context) -> None:
    """Sums and products of floats of very different sizes, where every order of additions rounds differently."""
    digests: list[bytes] = []
    pool = [
        (flat * 10.0 ** context.random.integers(-6, 6, flat.size)).astype(np.float32)
        for flat in random_values(context, len(context.all_devices), 262_147, dtypes.float32)
    ]
    for name, devices in own_groups(context):
        for size in (1, 7, 1000, 262_147):
            values = [flat[:size] for flat in pool[: len(devices)]]
            label = f"all_reduce sum of float32[{size}] among {name}"
            results = communicate(context, devices, values, collective("all_reduce", "sum"), label)
            digests.extend(
                f"{label}={hashlib.sha256(buffer.to_host().tobytes()).hexdigest()[:16]}".encode()
                for _, buffer in results
            )
    found: dict[bytes, set[bytes]] = {}
    for line in b"\n".join(context.exchange("same bits", b"\n".join(digests))).split(b"\n"):
        label_, _, digest = line.rpartition(b"=")
        found.setdefault(label_, set()).add(digest)
    for label_, kinds in found.items():
        require(len(kinds) == 1, observed=f"{label_.decode()} has {len(kinds)} different results",
                required="the same bits for all members")


@requirement(
    "collectives/special_values",
    "all_reduce MUST carry a NaN of any member into a sum, product, maximum or minimum, and infinities as arithmetic "
    "has them.",
    why="A diverged member that a maximum hides lets a training go on with garbage.",
    profile="multi", cases=process_cases(),
)
def special_values(context: Context) -> None:
    """NaN of the first and of the last member, infinities of one sign and of both, the largest numbers."""
    findings = Findings()
    largest = np.finfo(np.float32).max
    for name, devices in own_groups(context):
        values = [np.full(40, i + 1, np.float32) for i in range(len(devices))]
        values[0][0] = values[-1][1] = np.nan
        values[0][2], values[-1][3], values[0][4] = np.inf, -np.inf, -np.inf
        values[0][5], values[-1][6] = largest, -largest
        values[0][7] = np.inf
        values[-1][7] = -np.inf if len(devices) > 1 else np.inf
        values[0][8], values[-1][8] = largest, largest  # whose sum is infinite, but for a group of one
        for reduction in ("sum", "prod", "max", "min"):
            label = f"all_reduce {reduction} of special values among {name}"
            results = communicate(context, devices, values, collective("all_reduce", reduction), label)
            with findings, np.errstate(all="ignore"):
                wanted = reduced(values, reduction).value.astype(np.float32)
                for position, buffer in results:
                    observed = host(buffer, devices[position], label)
                    require_close(observed, wanted, f"{label}, at {position},", ulp=float(len(devices)))
    findings.settle()


@requirement(
    "collectives/all_reduce_large",
    "all_reduce MUST take buffers of 64 MiB a member.",
    why="Transports cut large buffers into pieces, and count them.",
    profile="multi", cases=process_cases(2, quick=()), seconds=120.0,
)
def all_reduce_large(context: Context) -> None:
    """Integers, so that the sum is exact, with a different one at every index."""
    devices = tuple(d for d in context.all_devices if d.local_index == 0)
    size = (64 << 20) // 4
    pattern = np.arange(size, dtype=np.int32)
    values = [pattern + np.int32(i) for i in range(len(devices))]
    label = "all_reduce sum of int32 of 64 MiB"
    for position, buffer in communicate(context, devices, values, collective("all_reduce", "sum"), label):
        wanted = pattern * np.int32(len(devices)) + np.int32(sum(range(len(devices))))
        require_same_bits(host(buffer, devices[position], label), wanted, label)
