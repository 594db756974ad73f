# SPDX-License-Identifier: Apache-2.0
"""Plans for a GPU beside XLA's, without a GPU: how many kernels a program is, and how many bytes they move.

`python -m tools.gpu.plans [--json] [PROGRAM...]` compiles the benchmarks' programs for an H100 by XLA's own library
(wheel `jax-cuda13-pjrt`, or a path in `OLYMPUS_XLA_CUDA_LIBRARY`) and plans them as the platform `cuda` does. A kernel
counts with the bytes of its operands and results, library calls too; XLA chooses without measuring.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = "OLYMPUS_XLA_CUDA_LIBRARY"
_MULTIPROCESSORS = 132
_TARGET = """gpu_device_info {
  threads_per_block_limit: 1024 threads_per_warp: 32 shared_memory_per_block: 49152 shared_memory_per_core: 233472
  threads_per_core_limit: 2048 core_count: 132 fpus_per_core: 128 block_dim_limit_x: 2147483647
  block_dim_limit_y: 65535 block_dim_limit_z: 65535 memory_bandwidth: 3352320000000 l2_cache_size: 52428800
  clock_rate_ghz: 1.98 device_memory_size: 84942979072 shared_memory_per_block_optin: 232448
  cuda_compute_capability { major: 9 minor: 0 } registers_per_core_limit: 65536 registers_per_block_limit: 65536
}
platform_name: "CUDA" dnn_version_info { major: 9 minor: 8 patch: 0 } device_description_str: "NVIDIA H100 80GB HBM3"
"""
_SIZES = {"pred": 1, "s8": 1, "u8": 1, "bf16": 2, "f16": 2, "f32": 4, "s32": 4, "u32": 4, "f64": 8, "s64": 8, "u64": 8}
# Instructions that run nothing.
_FREE = {"parameter", "tuple", "get-tuple-element", "bitcast", "constant", "after-all"}
_INSTRUCTION = re.compile(r"\s+(?:ROOT )?%?([\w.\-]+) = (\(.*?\)|\S+) ([\w\-]+)\((.*?)\)")
_TYPE = re.compile(r"\b([a-z]+\d*)\[([\d,]*)\]")

Program = tuple[Callable[..., Any], Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a plan takes: kernels and library calls, and the bytes of their operands and results."""

    kernels: int
    moved: int


def library() -> str | None:
    """The path of XLA's library for GPUs; None where it is not installed."""
    if LIBRARY in os.environ:
        return os.environ[LIBRARY]
    with contextlib.suppress(ModuleNotFoundError):
        spec = importlib.util.find_spec("jax_plugins.xla_cuda13")
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            found = Path(folder) / "xla_cuda_plugin.so"
            if found.exists():
                return str(found)
    return None


def programs() -> dict[str, Program]:
    """The programs of `benchmarks.cuda` but for linear algebra, with their arguments' types."""
    import olympus
    import olympus.numpy as jnp

    sys.path.insert(0, str(ROOT / "benchmarks" / "programs"))
    from works.accelerators import block, layers  # type: ignore[import-not-found, unused-ignore]
    from works.chains import CHAINS, ten  # type: ignore[import-not-found, unused-ignore]
    from works.reductions import REDUCTIONS  # type: ignore[import-not-found, unused-ignore]

    def of(*shape: int, dtype: str = "float32") -> Any:
        return olympus.ShapeDtypeStruct(shape, dtype)

    narrow = partial(of, dtype="bfloat16")
    found: dict[str, Program] = {
        f"chain-{which}": (partial(CHAINS[which][1], jnp), [of(1 << 28)] * CHAINS[which][0])
        for which in ("relu", "gelu", "silu", "expcos")}
    found |= {which.replace("_", "-"): (partial(REDUCTIONS[which], jnp), [of(16384, 8192)])
              for which in ("sum_axis0", "sum_axis1", "softmax", "layernorm")}
    width = 4096
    tokens = [narrow(width, width), *[narrow(width, width)] * 4, narrow(width, 4 * width), narrow(4 * width, width)]

    def forward(x: Any, *weights: Any) -> Any:
        return block(jnp, x, weights, 32)

    def loss(x: Any, *weights: Any) -> Any:
        return jnp.sum(forward(x, *weights).astype(jnp.float32) * 1.5)

    def twenty(x: Any, *weights: Any) -> Any:
        with olympus.default_matmul_precision("highest"):
            return layers(jnp, x, weights)

    return {
        **found,
        "dense": (lambda x, y, b: jnp.maximum(x @ y + b, 0), [narrow(8192, 8192), narrow(8192, 8192), narrow(8192)]),
        "transformer": (forward, tokens),
        "transformer-gradient": (olympus.grad(loss, argnums=tuple(range(len(tokens)))), tokens),
        "call": (lambda x: x + 1, [of(8)]),
        "twenty": (twenty, [of(32, 32)] * 11),
        "compile-chain": (lambda x: ten(jnp, x, 1.3), [of(1000)]),
    }


def planned(function: Callable[..., Any], arguments: Sequence[Any]) -> Cost:
    """The plan of the platform `cuda` for one GPU."""
    import olympus
    from olympus_core.toolkit.flatten import flatten
    from olympus_core.toolkit.fusion import KernelStep, OperationStep, plan
    from olympus_cuda.codegen.emit import emit_module
    from olympus_cuda.codegen.options import OPTIONS
    from olympus_cuda.codegen.target import Target, supports
    from olympus_cuda.products.selection import PASSES, made_step
    from olympus_cuda.products.work_steps import ProductWork

    flat = flatten(olympus.jit(function).trace(*arguments).program)
    kernels = moved = 0
    for step in plan(flat, supports, OPTIONS, PASSES).steps:
        if isinstance(step, OperationStep):
            if step.operation.name == "constant":
                continue
            work = made_step(step.operation, None)  # type: ignore[arg-type]  # only linear algebra asks it
            if work is None:
                raise LookupError(f"{step.operation.name} has no work")
            kernels += len(work.variants[0].steps if isinstance(work, ProductWork) else (work,))
        elif isinstance(step, KernelStep):
            work = step
            kernels += len(emit_module([(step.kernel, "k")], Target("sm_90", _MULTIPROCESSORS)).launches["k"])
        else:
            continue
        moved += sum(v.type.nbytes for v in {*work.inputs, *work.outputs})
    return Cost(kernels, moved)


class Xla:
    """XLA's compiler for an H100 that need not be there.

    Args:
        path: Its library.
    """

    def __init__(self, path: str) -> None:
        from olympus_pjrt.bridge import Topology, load

        self._topology = Topology(load(path), "1x1x1", {"target_config": _TARGET, "topology": "1x1x1"})

    def planned(self, function: Callable[..., Any], arguments: Sequence[Any]) -> Cost:
        """XLA's plan, as its optimized program says."""
        import olympus
        from olympus_pjrt.bridge import compile_ahead_of_time

        text = olympus.jit(function).lower(*arguments).as_text("stablehlo")
        with tempfile.TemporaryDirectory() as folder:
            overrides = {"xla_gpu_autotune_level": 0, "xla_dump_to": folder, "xla_dump_hlo_as_text": True}
            compile_ahead_of_time(
                self._topology, text, [[self._topology.devices()[0]]], overrides=overrides).close()
            (written,) = Path(folder).glob("*gpu_after_optimizations.txt")
            return cost_of(written.read_text())


def cost_of(text: str) -> Cost:
    """The cost of an optimized program without loops, by its text."""
    types: dict[str, str] = {}
    kernels = moved = 0
    for line in text[text.index("\nENTRY"):].splitlines():
        found = _INSTRUCTION.match(line)
        if found is None:
            continue
        name, type_, operation, operands = found.groups()
        types[name] = type_
        if operation in _FREE:
            continue
        kernels += 1
        names = {operand.strip().lstrip("%") for operand in re.sub(r"/\*.*?\*/", "", operands).split(",")}
        moved += _nbytes(type_, is_result=True) + sum(_nbytes(types.get(each, "")) for each in names)
    return Cost(kernels, moved)


def _nbytes(type_: str, is_result: bool = False) -> int:
    """The bytes of a type or a tuple of types; a call's result in bytes is its workspace, which is not counted."""
    total = 0
    for element, shape in _TYPE.findall(type_):
        if is_result and element == "s8" and type_.startswith("("):
            continue
        size = _SIZES[element]
        for each in filter(None, shape.split(",")):
            size *= int(each)
        total += size
    return total


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the comparison; 1 where a plan of ours takes more."""
    parser = argparse.ArgumentParser(prog="python -m tools.gpu.plans", description=__doc__)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="some of the programs; all by default")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args(arguments)
    path = library()
    if path is None:
        sys.exit(f"XLA's library for GPUs is not there: pip install jax-cuda13-pjrt, or name it in {LIBRARY}")
    xla, known, rows = Xla(path), programs(), {}
    for name in options.programs or known:
        rows[name] = planned(*known[name]), xla.planned(*known[name])
        if not options.json:
            ours, theirs = rows[name]
            sys.stdout.write(f"{name:<22} {ours.kernels:>3} kernels {ours.moved / 1e6:>10.1f} MB   "
                             f"XLA {theirs.kernels:>3} {theirs.moved / 1e6:>10.1f} MB\n")
    if options.json:
        sys.stdout.write(json.dumps({name: [asdict(ours), asdict(theirs)] for name, (ours, theirs) in rows.items()}))
    return int(any(ours.kernels > theirs.kernels or ours.moved > theirs.moved for ours, theirs in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
