# SPDX-License-Identifier: Apache-2.0
"""One process over the stand-in: all collectives in compiled programs, against NumPy; a line of JSON for each check.

`python -m tests.cuda.collectives.program_job 0 1 0 [CHECK...]`; one process, which joins nobody.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import Mesh, NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_conformance.reference_collectives import reduced
from olympus_core import ops
from olympus_core.plugin import Device
from olympus_core.program import ArrayType, DeviceGroups, DeviceProgram, ProgramBuilder
from olympus_core.runtime.world import World, get_world

from .job import MOVED, REDUCTIONS, values_of
from .jobs import PROGRAM_CHECKS


@dataclass(frozen=True)
class Here:
    """This process: its world, its client and devices, and the stand-in for NCCL, if there is one."""

    world: World
    client: Any
    devices: tuple[Device, ...]
    nccl: Any

    @property
    def count(self) -> int:
        """Number of devices."""
        return len(self.devices)


@cache
def here() -> Here:
    """This process, opened at the first call."""
    world, path = get_world(), os.environ["OLYMPUS_NCCL_LIBRARY"]
    nccl = ctypes.CDLL(path) if os.path.exists(path) else None
    return Here(world, world.clients["cuda"], tuple(world.local_devices("cuda")), nccl)


Variant = tuple[ArrayType, Mapping[str, Any]]


def groupings() -> dict[str, tuple[tuple[int, ...], ...]]:
    """How the devices may stand in groups: together, turned, two and two far apart, neighbours, each alone."""
    half = here().count // 2
    found = {"all": (tuple(range(here().count)),), "turned": ((*range(1, here().count), 0),)}
    if here().count > 2:
        found["far"] = tuple((i, i + half) for i in range(half))
        found["near"] = tuple((i + 1, i) for i in range(0, here().count, 2))
    found["alone"] = tuple((i,) for i in range(here().count))
    return found


def each_member(
    name: str, variants: Sequence[Variant], size: int | None = None, reduces: bool = False
) -> Iterator[tuple[str, Variant, tuple[int, ...], list[np.ndarray], list[np.ndarray]]]:
    """Runs a collective in all variants and groupings, one program for each grouping.

    Gives for each group what its participants gave, and what they got.

    Args:
        name: The collective.
        variants: Operands and attributes.
        size: Only groupings with so many participants in a group.
        reduces: Only groupings whose reductions are done in different ways.
    """
    for label, groups in groupings().items():
        if (size is not None and len(groups[0]) != size) or (reduces and label in ("turned", "near")):
            continue
        fitting = [v for v in variants if name == "all_gather" or _fits(v, len(groups[0]))]
        builder, seeds = ProgramBuilder(f"{name}_{label}"), range(len(fitting))
        values = [values_of(type_.shape, type_.dtype, here().count, seed)
                  for seed, (type_, _) in zip(seeds, fitting, strict=True)]
        outputs = []
        for type_, attributes in fitting:
            operand = builder.input(type_)
            outputs += builder.emit(ops.OPERATIONS[name], [operand], {**attributes, "group": DeviceGroups(groups)})
        program = builder.finish(outputs)
        executable = here().client.compile(DeviceProgram(program, here().devices), here().world.links["cuda"])
        inputs = [[here().client.buffer_from_host(x, d) for x, d in zip(column, here().devices, strict=True)]
                  for column in values]
        with on_gpus_only(groups):
            results = executable.execute(inputs)
        del inputs
        for variant, given, column in zip(fitting, values, results, strict=True):
            for buffer, device in zip(column, here().devices, strict=True):
                context = here().client.context(device)
                assert buffer.device is device and buffer.allocation.context.ordinal == context.ordinal
            found = [buffer.to_host() for buffer in column]
            for group in groups:
                yield f"{name} {label} {variant}", variant, group, [given[p] for p in group], [found[p] for p in group]


def _fits(variant: Variant, size: int) -> bool:
    type_, attributes = variant
    split = attributes.get("split_dimension", attributes.get("dimension"))
    return split is None or type_.shape[split] % size == 0


@contextmanager
def on_gpus_only(groups: Sequence[Sequence[int]] = ()) -> Iterator[None]:
    """Nothing comes to the host meanwhile; NCCL is called where a group stands on several GPUs, and only there."""
    gpu, came = here().client.gpu, []
    gpu.download = lambda *arguments: came.append(arguments)
    gpu.upload = lambda *arguments: came.append(arguments)
    before = here().nccl.olympus_fake_groups() if here().nccl is not None else 0
    try:
        yield
    finally:
        del gpu.download, gpu.upload
    assert not came, f"{len(came)} transfers"
    spans = any(len({here().client.ordinals[p] for p in group}) > 1 for group in groups)
    called = here().nccl.olympus_fake_groups() - before if here().nccl is not None else 0
    assert bool(called) == (spans and here().nccl is not None), f"NCCL was called {called} times"


def reductions() -> None:
    """Sums, products, extremes and truth, of the types that NCCL has and of others."""
    variants = [(ArrayType(shape, dtype), {"reduction": reduction})
                for reduction, dtype in REDUCTIONS for shape in ((), (0, 2), (5, 67))]
    for label, (_, attributes), _, given, found in each_member("all_reduce", variants, reduces=True):
        expected = reduced(given, attributes["reduction"])
        for array in found:
            expected.require(array, label)


def scattered() -> None:
    """Parts of reductions along every dimension."""
    n = here().count
    variants = [(ArrayType(shape, dtype), {"reduction": reduction, "dimension": dimension})
                for reduction, dtype in REDUCTIONS
                for shape, dimension in (((n, 3), 0), ((3, 2 * n), 1), ((2, n, 5), 1), ((n, 0), 0))]
    for label, (_, attributes), group, given, found in each_member("reduce_scatter", variants, reduces=True):
        whole = reduced(given, attributes["reduction"])
        for i, array in enumerate(found):
            whole.part(attributes["dimension"], i, len(group)).require(array, label)


def gathered() -> None:
    """Along every dimension, of nothing too."""
    variants = [(ArrayType(shape, dtype), {"dimension": d}) for dtype in MOVED
                for shape in ((3,), (2, 5), (4, 1, 3), (2, 0)) for d in range(len(shape))]
    for label, (_, attributes), _, given, found in each_member("all_gather", variants):
        for array in found:
            same(label, array, np.concatenate(given, attributes["dimension"]))


def exchanged() -> None:
    """All to all, split and joined along the same and along different dimensions."""
    n = here().count
    variants = [(ArrayType(shape, dtype), {"split_dimension": split, "concat_dimension": join}) for dtype in MOVED
                for shape, split, join in (((2 * n, 3), 0, 0), ((n, 3), 0, 1), ((3, n), 1, 0), ((2, 3 * n, 2), 1, 1),
                                           ((n, 0), 0, 1))]
    for label, (_, attributes), group, given, found in each_member("all_to_all", variants):
        split, join = attributes["split_dimension"], attributes["concat_dimension"]
        for i, array in enumerate(found):
            same(label, array, np.concatenate([np.split(m, len(group), split)[i] for m in given], join))


def moved() -> None:
    """Permutations and broadcasts."""
    def rings(size: int) -> Sequence[Sequence[tuple[int, int]]]:
        return ([(i, (i + 1) % size) for i in range(size)], [(0, size - 1)], [(i, i) for i in range(0, size, 2)], [])

    def variants(size: int, which: Sequence[Mapping[str, Any]]) -> list[Variant]:
        return [(ArrayType((5, 3), dtype), attributes) for dtype in MOVED for attributes in which]

    for size in {len(groups[0]) for groups in groupings().values()}:
        pairs = variants(size, [{"pairs": tuple(ring)} for ring in rings(size)])
        for label, (_, attributes), _, given, found in each_member("permute", pairs, size):
            of = {target: source for source, target in attributes["pairs"]}
            for i, array in enumerate(found):
                same(label, array, given[of[i]] if i in of else np.zeros_like(given[i]))
        sources = variants(size, [{"source": source} for source in {0, size - 1}])
        for label, (_, attributes), _, given, found in each_member("broadcast", sources, size):
            for array in found:
                same(label, array, given[attributes["source"]])


def same(label: str, found: np.ndarray, expected: np.ndarray) -> None:
    """Compares bit by bit."""
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape), (label, found.shape)
    assert found.tobytes() == np.ascontiguousarray(expected).tobytes(), (label, found, expected)


def special_values() -> None:
    """A NaN carries into extremes from whichever participant; all participants get the same bits of a sum."""
    mesh = Mesh(np.array(olympus.devices()), ("x",))
    values = [np.zeros(6, np.float32) + i for i in range(here().count)]
    values[0][0] = values[-1][1] = np.nan
    values[0][2], values[-1][3] = -np.inf, np.inf
    values[0][4], values[-1][5] = -np.nan, -7.5
    x = olympus.device_put(np.stack(values), NamedSharding(mesh, P("x")))
    for name, oracle in ((lax.pmax, np.maximum), (lax.pmin, np.minimum)):
        found = over(mesh, lambda v, f=name: f(v, "x"))(x)
        np.testing.assert_array_equal(np.asarray(found), np.stack([oracle.reduce(values)] * here().count))
    y = np.random.default_rng(1).normal(size=(here().count, 999)).astype(np.float32)
    sums = np.asarray(over(mesh, lambda v: lax.psum(v, "x"))(olympus.device_put(y, x.sharding)))
    assert {row.tobytes() for row in sums} == {sums[0].tobytes()}
    np.testing.assert_allclose(sums[0], y.sum(0), rtol=1e-4, atol=1e-4)


def over(mesh: Mesh, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of each device's part, compiled."""
    return olympus.jit(olympus.shard_map(function, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))


def layers() -> None:
    """Kernels and collectives by turns, launched many times before anybody waits, inputs given away."""
    mesh = Mesh(np.array(olympus.devices()), ("x",))
    rows = NamedSharding(mesh, P("x"))
    ring = [(i, (i + 1) % here().count) for i in range(here().count)]

    def turn(v: Any) -> Any:
        for _ in range(2):
            v = jnp.sin(v) + lax.psum(v, "x") / 8
            v = lax.ppermute(v * 2, "x", ring) - 1
            v = lax.all_to_all(v + 1, "x", 1, 0, tiled=True).reshape(v.shape) / 2
            v = jnp.cos(v) * jnp.tile(lax.psum_scatter(v, "x", scatter_dimension=1, tiled=True), (1, here().count))
        return v

    def expected(parts: list[np.ndarray]) -> list[np.ndarray]:
        for _ in range(2):
            total = sum(parts)
            parts = [np.sin(v) + total / 8 for v in parts]
            parts = [parts[i - 1] * 2 - 1 for i in range(here().count)]
            parts = [np.concatenate([np.split(v + 1, here().count, 1)[i] for v in parts]).reshape(parts[0].shape) / 2
                     for i in range(here().count)]
            cut = np.split(sum(parts), here().count, 1)
            parts = [np.cos(v) * np.tile(c, (1, here().count)) for v, c in zip(parts, cut, strict=True)]
        return parts

    program = olympus.jit(
        olympus.shard_map(turn, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False), donate_argnums=0)
    begun = []
    for k in range(6):
        x = np.random.default_rng(k).normal(size=(2 * here().count, 4 * here().count)).astype(np.float32)
        begun.append((x, program(olympus.device_put(x, rows))))
    for x, y in begun:
        wanted = np.concatenate(expected(np.split(x, here().count)))
        np.testing.assert_allclose(np.asarray(y), wanted, rtol=2e-3, atol=2e-3)


def by_sharding() -> None:
    """What the compiler itself makes of shardings: sums over rows, products of split matrices, other layouts."""
    mesh = Mesh(np.array(olympus.devices()).reshape(2, -1), ("x", "y"))
    rank = lambda *spec: NamedSharding(mesh, P(*spec))
    a = np.random.default_rng(0).normal(size=(8, 8 * here().count)).astype(np.float32)
    b = np.random.default_rng(1).normal(size=(8 * here().count, 16)).astype(np.float32)
    product = olympus.jit(lambda x, y: jnp.tanh(x @ y).sum(0), out_shardings=rank("y"))
    found = product(olympus.device_put(a, rank(None, ("x", "y"))), olympus.device_put(b, rank(("x", "y"), None)))
    np.testing.assert_allclose(np.asarray(found), np.tanh(a @ b).sum(0), rtol=1e-3, atol=1e-3)
    turned = olympus.jit(lambda x: x * 2, out_shardings=rank("y", "x"))
    np.testing.assert_array_equal(np.asarray(turned(olympus.device_put(b, rank("x", "y")))), b * 2)
    whole = olympus.jit(lambda x: x + 1, out_shardings=rank())
    np.testing.assert_array_equal(np.asarray(whole(olympus.device_put(b, rank("y", "x")))), b + 1)


def in_loops() -> None:
    """Collectives in control flow, where devices come group by group."""
    mesh = Mesh(np.array(olympus.devices()), ("x",))
    ring = [(i, (i + 1) % here().count) for i in range(here().count)]

    def body(i: Any, v: Any) -> Any:
        return lax.ppermute(v, "x", ring) + lax.all_to_all(v, "x", 1, 0, tiled=True).reshape(v.shape) % 7

    x = np.arange(here().count * 2 * here().count, dtype=np.int32).reshape(here().count, -1)
    found = over(mesh, lambda v: lax.fori_loop(0, 3, body, v))(olympus.device_put(x, NamedSharding(mesh, P("x"))))
    wanted = x
    for _ in range(3):
        pieces = wanted.reshape(here().count, here().count, 2).transpose(1, 0, 2).reshape(here().count, -1)
        wanted = np.roll(wanted, 1, 0) + pieces % 7
    np.testing.assert_array_equal(np.asarray(found), wanted)


def from_threads() -> None:
    """Programs with collectives from several threads, beside copies between devices."""
    mesh = Mesh(np.array(olympus.devices()), ("x",))
    rows, problems = NamedSharding(mesh, P("x")), []

    def work(k: int) -> None:
        try:
            program = over(mesh, lambda v: lax.psum(v, "x") + k)
            for i in range(5):
                x = np.full((here().count, 10 + k), i, np.int32)
                y = program(olympus.device_put(x, rows))
                z = olympus.device_put(y, olympus.devices()[i % here().count])
                np.testing.assert_array_equal(np.asarray(z), x * here().count + k)
        except Exception:  # noqa: BLE001  (told by the one who started it)
            problems.append(traceback.format_exc())

    threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not problems, problems[0]


def unwaited() -> None:
    """A call returns while its GPUs are busy, and its results are used before they are there."""
    from tests.cuda.standin.machine import MACHINE

    mesh = Mesh(np.array(olympus.devices()), ("x",))
    program = over(mesh, lambda v: jnp.sin(lax.psum(v + 1, "x")) - lax.all_gather(v, "x").sum())
    x = olympus.device_put(np.ones((here().count, 4), np.float32), NamedSharding(mesh, P("x")))
    expected = np.asarray(program(x))
    free = threading.Event()
    for context in here().client.contexts:
        MACHINE.streams[context.stream.ptr].push(lambda: bool(free.wait(60)))
    begun = time.monotonic()
    y = program(program(x) * 0 + 1)
    assert time.monotonic() - begun < 30 and not y.is_ready()
    free.set()
    np.testing.assert_array_equal(np.asarray(y), expected)


def memory_comes_back() -> None:
    """What collectives take is given back."""
    mesh = Mesh(np.array(olympus.devices()), ("x",))
    program = over(mesh, lambda v: lax.psum_scatter(v, "x", scatter_dimension=1, tiled=True) * lax.pmax(v[:, :1], "x"))
    x = olympus.device_put(np.ones((here().count, 512 * here().count), np.float32), NamedSharding(mesh, P("x")))
    before = None
    for _ in range(4):
        program(x).block_until_ready()
        held = [here().client.memory_stats(device)["bytes_in_use"] for device in here().devices]
        assert before is None or held == before, (before, held)
        before = held


def main() -> None:
    """Runs the checks."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for what in sys.argv[4:] or PROGRAM_CHECKS:
            started = time.monotonic()
            try:
                globals()[what]()
                problem = ""
            except Exception:  # noqa: BLE001  (it is told, and the other checks go on)
                problem = traceback.format_exc()
            print(json.dumps({"check": what, "problem": problem, "seconds": round(time.monotonic() - started, 1)}),
                  flush=True)
    print(json.dumps({"warnings": [f"{type(w.message).__name__}: {w.message}" for w in caught]}), flush=True)
    olympus.distributed.shutdown()


if __name__ == "__main__":
    main()
