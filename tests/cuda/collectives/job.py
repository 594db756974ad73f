# SPDX-License-Identifier: Apache-2.0
"""A process of a job over the stand-in: all collectives in several groups, against NumPy; a line of JSON for each.

`python -m tests.cuda.collectives.job INDEX COUNT PORT`; a count of 1 joins nobody.
"""

from __future__ import annotations

import json
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import olympus
from olympus_conformance.reference_collectives import reduced
from olympus_core import dtypes
from olympus_core.plugin import Device, Transfer
from olympus_core.runtime.world import World, get_world

REDUCTIONS = (
    ("or", dtypes.bool_), ("sum", dtypes.int16), ("and", dtypes.uint8), ("sum", dtypes.int32), ("max", dtypes.uint64),
    ("sum", dtypes.float32), ("prod", dtypes.float32), ("max", dtypes.float32), ("min", dtypes.float64),
    ("sum", dtypes.float16), ("min", dtypes.float16), ("sum", dtypes.bfloat16), ("max", dtypes.float8_e5m2),
    ("sum", dtypes.complex64), ("prod", dtypes.complex64),
)
MOVED = (dtypes.bool_, dtypes.float8_e4m3fn, dtypes.int16, dtypes.float32, dtypes.complex128)


def values_of(shape: Sequence[int], dtype: np.dtype, count: int, seed: int) -> list[np.ndarray]:
    """One array for each participant, the same in all processes."""
    draw = np.random.default_rng([seed, *shape])
    return [draw.integers(0, 2 if dtypes.is_bool(dtype) else 5, shape).astype(dtype) for _ in range(count)]


class Check:
    """One group, its communicator, and what its collectives give."""

    def __init__(self, world: World, name: str, devices: Sequence[Device]) -> None:
        self.name, self.devices, self.count = name, tuple(devices), len(devices)
        self.links = world.links["cuda"]
        self.client = world.clients["cuda"]
        self.mine = [i for i, d in enumerate(devices) if d.is_addressable]
        self.communicator = self.links.communicator(self.devices)

    def put(self, values: Sequence[np.ndarray]) -> list[Any]:
        """This process's participants' buffers."""
        return [self.client.buffer_from_host(values[i], self.devices[i]) for i in self.mine]

    def same(self, label: str, pending: Any, wanted: Callable[[int], np.ndarray]) -> None:
        """Compares the results bit by bit with what each participant must get."""
        results = self.links.wait(pending, label)
        assert len(results) == len(self.mine)
        for i, buffer in zip(self.mine, results, strict=True):
            found, expected = buffer.to_host(), wanted(i)
            assert buffer.device is self.devices[i]
            assert (found.dtype, found.shape) == (expected.dtype, expected.shape), (label, i, found.shape)
            assert found.tobytes() == np.ascontiguousarray(expected).tobytes(), (label, i, found, expected)

    def reductions(self) -> None:
        """Sums, products, extremes and truth, of the types that NCCL has and of others."""
        for seed, (reduction, dtype) in enumerate(REDUCTIONS):
            for shape in ((), (3,), (0, 2), (5, 67)):
                values = values_of(shape, dtype, self.count, seed)
                label = f"{reduction} of {dtype.name}{list(shape)}"
                expected = reduced(values, reduction)
                for buffer in self.links.wait(self.communicator.all_reduce(self.put(values), reduction), label):
                    expected.require(buffer.to_host(), label)

    def scattered(self) -> None:
        """Parts of reductions along every dimension."""
        for seed, (reduction, dtype) in enumerate(REDUCTIONS):
            for shape, dimension in (((self.count, 3), 0), ((3, 2 * self.count), 1), ((2, self.count, 5), 1)):
                values = values_of(shape, dtype, self.count, seed)
                label = f"{reduction} of {dtype.name}{list(shape)} scattered along {dimension}"
                pending = self.communicator.reduce_scatter(self.put(values), dimension, reduction)
                for i, buffer in zip(self.mine, self.links.wait(pending, label), strict=True):
                    reduced(values, reduction).part(dimension, i, self.count).require(buffer.to_host(), label)

    def special_values(self) -> None:
        """A NaN carries into extremes from whichever participant; infinities and signs stay."""
        values = [np.zeros(6, np.float32) + i for i in range(self.count)]
        values[0][0] = values[-1][1] = np.nan
        values[0][2], values[-1][3] = -np.inf, np.inf
        values[0][4], values[-1][5] = -np.nan, -7.5
        for reduction, oracle in (("max", np.maximum), ("min", np.minimum)):
            expected = oracle.reduce(values)
            for buffer in self.links.wait(self.communicator.all_reduce(self.put(values), reduction), reduction):
                np.testing.assert_array_equal(buffer.to_host(), expected)

    def gathered(self) -> None:
        """Along every dimension, of nothing too."""
        for seed, dtype in enumerate(MOVED):
            for shape, dimension in (((3,), 0), ((2, 5), 1), ((4, 1, 3), 1), ((2, 0), 0)):
                values = values_of(shape, dtype, self.count, seed)
                whole = np.concatenate(values, dimension)
                self.same(f"all_gather {dtype}{shape}", self.communicator.all_gather(self.put(values), dimension),
                          lambda i, w=whole: w)

    def exchanged(self) -> None:
        """All to all, split and joined along the same and along different dimensions."""
        n = self.count
        for seed, dtype in enumerate(MOVED):
            for shape, split, join in (((2 * n, 3), 0, 0), ((n, 3), 0, 1), ((3, n), 1, 0), ((2, 3 * n, 2), 1, 1),
                                       ((n, 0), 0, 1)):
                values = values_of(shape, dtype, n, seed)
                self.same(
                    f"all_to_all {dtype}{shape} {split} {join}",
                    self.communicator.all_to_all(self.put(values), split, join),
                    lambda i, v=values, s=split, j=join: np.concatenate([np.split(m, n, s)[i] for m in v], j))

    def moved(self) -> None:
        """Permutations, broadcasts, single transfers, barriers."""
        n = self.count
        for seed, dtype in enumerate(MOVED):
            values = values_of((5, 3), dtype, n, seed)
            for pairs in ([(i, (i + 1) % n) for i in range(n)], [(0, n - 1)], [(i, i) for i in range(0, n, 2)], []):
                of = {target: source for source, target in pairs}
                self.same(
                    f"permute {dtype} {pairs}", self.communicator.permute(self.put(values), pairs),
                    lambda i, o=of, v=values: v[o[i]] if i in o else np.zeros_like(v[i]))
            for source in {0, n - 1}:
                self.same(f"broadcast {dtype} {source}", self.communicator.broadcast(self.put(values), source),
                          lambda i, v=values, s=source: v[s])
        routes = [(i, j) for i in range(n) for j in range(n)] + [(0, n - 1)]
        values = [np.arange(5 + k, dtype=np.float32) * k for k in range(len(routes))]
        sends, receives = [], []
        for value, (source, target) in zip(values, routes, strict=True):
            if source in self.mine:
                buffer = self.client.buffer_from_host(value, self.devices[source])
                sends.append(Transfer(source, target, buffer, value.shape, value.dtype))
            if target in self.mine:
                receives.append((Transfer(source, target, None, value.shape, value.dtype), value))
        pending = self.communicator.exchange(sends, [r for r, _ in receives])
        for buffer, (receive, value) in zip(self.links.wait(pending, "exchange"), receives, strict=True):
            assert buffer.device is self.devices[receive.target]
            assert buffer.to_host().tobytes() == value.tobytes()
        assert self.links.wait(self.communicator.barrier(), "barrier") == []

    def under_way(self) -> None:
        """Many at once; the last one's result is asked for first, inputs and results are deleted."""
        begun = []
        for k in range(24):
            values = values_of((7 + k,), dtypes.int32, self.count, k)
            inputs = self.put(values)
            gathers = k % 2 == 1
            on = self.communicator
            pending = on.all_gather(inputs, 0) if gathers else on.all_reduce(inputs, "sum")
            begun.append((pending, inputs, np.concatenate(values) if gathers else sum(values).astype(np.int32)))
        for pending, inputs, expected in reversed(begun):
            results = self.links.wait(pending, "one of many")
            for buffer in results:
                assert buffer.to_host().tobytes() == expected.tobytes()
            for buffer in (*inputs, *results):
                buffer.delete()


CHECKS = ("reductions", "scattered", "special_values", "gathered", "exchanged", "moved", "under_way")


def groups(devices: Sequence[Device]) -> dict[str, Sequence[Device]]:
    """Groups of all devices in several orders, and of some."""
    found = {"all": devices, "turned": [*devices[1:], devices[0]]}
    if len(devices) > 2:
        found["some"] = [devices[-1], devices[0]]
    return found


def main() -> None:
    """Runs the checks."""
    index, count, port = map(int, sys.argv[1:4])
    if count > 1:
        olympus.distributed.initialize(f"localhost:{port}", count, index)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        world = get_world()
        for name, devices in groups(world.devices("cuda")).items():
            if not any(d.is_addressable for d in devices):
                continue
            check = Check(world, name, devices)
            for what in CHECKS:
                try:
                    getattr(check, what)()
                    problem = ""
                except Exception:  # noqa: BLE001  (it is told, and the other checks go on)
                    problem = traceback.format_exc()
                print(json.dumps({"group": name, "check": what, "problem": problem,
                                  "kind": type(check.communicator._inner).__name__}), flush=True)
    print(json.dumps({"warnings": [str(w.message) for w in caught]}), flush=True)
    olympus.distributed.shutdown()


if __name__ == "__main__":
    main()
