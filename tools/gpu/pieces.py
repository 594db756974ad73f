# SPDX-License-Identifier: Apache-2.0
"""The pieces: each is one command that ends within minutes on one GPU and a dozen processors."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parents[2]
_GPU = MappingProxyType({"OLYMPUS_PLATFORMS": "cuda"})
_GPU_DEVICES = MappingProxyType({**_GPU, "OLYMPUS_NUM_CUDA_DEVICES": "8"})  # several devices on one GPU
_PARTS = 4
_DISTRIBUTION = ("--dist", "loadfile", "--max-worker-restart", "20")  # files share what they compiled


@dataclass(frozen=True)
class Piece:
    """One command.

    Attributes:
        name: Its name.
        about: Its description.
        command: The interpreter's arguments; `{report}` stands for the path of its report.
        variables: The environment variables that it runs with.
        is_tests: Whether it runs pytest, whose report is read.
    """

    name: str
    about: str
    command: Sequence[str]
    variables: Mapping[str, str] = field(default_factory=dict)
    is_tests: bool = False

    def arguments(self, report: Path, jobs: int) -> list[str]:
        """The command line.

        Args:
            report: The path of its report.
            jobs: Number of processes that run tests.
        """
        whole = [sys.executable, *(part.format(report=report) for part in self.command)]
        return [*whole, "-p", "xdist", "-n", str(jobs), *_DISTRIBUTION] if self.is_tests and jobs > 1 else whole


def _tests(name: str, about: str, paths: Sequence[str], variables: Mapping[str, str] = MappingProxyType({})) -> Piece:
    # Warnings are errors, and plugins of other packages may warn: only the needed plugins are loaded.
    options = ["-q", "-p", "no:cacheprovider", "-p", "hypothesispytest",
               "-p", "tools.gpu.recording", "--record-to={report}"]
    if variables:  # tests that start processes choose the number of devices themselves
        options += ["-m", "not processes"]
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return Piece(name, about, ["-m", "pytest", *options, *paths], {**variables, **alone}, is_tests=True)


def _benchmarks(name: str, about: str, *patterns: str) -> Piece:
    chosen = [word for pattern in patterns for word in ("--only", pattern)]
    return Piece(f"benchmarks-{name}", about, ["-m", "benchmarks.cuda", "--output", "{report}", *chosen])


PIECES: tuple[Piece, ...] = (
    Piece("doctor", "what is installed, and what is missing", ["-m", "olympus", "doctor"], _GPU),
    Piece("steps", "the platform's parts one by one, each compared with NumPy; goes on after a failure",
          ["-m", "tools.gpu.steps", "{report}"], {**_GPU, "OLYMPUS_NUM_CUDA_DEVICES": "4"}),
    Piece("control-flow", "loops and branches on the GPU, compared with the CPU's",
          ["-m", "tests.cuda.control_flow.programs"], {"OLYMPUS_PLATFORMS": "cuda,cpu"}),
    _tests("language", "arrays, jit, control flow, sharding: the language's own tests on the GPU",
           [f"tests/language/test_{name}.py" for name in (
               "arrays", "jit", "calls", "control", "control_keywords", "callbacks", "explicit", "shard_map", "pmap",
               "xmap", "exchange", "tree", "static_data", "nn", "random", "refusals", "sealed", "clear_caches",
               "kept_programs", "scatter_types", "references", "pickling", "stages", "disable_jit", "weak_types",
               "narrowed_types", "introspection", "compile_time", "debug_nans", "options", "monitoring", "advice",
               "array_protocols", "breakpoints", "empty_shardings", "key_reuse", "leaks", "scaled_products",
               "stand_ins", "traced_once", "transfer_guard", "weak_functions", "weak_results", "displays", "progress",
               "numbers_given", "wrapping", "host_arrays", "buffer_callback")],
           _GPU_DEVICES),
    _tests("numpy", "olympus.numpy on the GPU", ["tests/language/numpy"], _GPU_DEVICES),
    _tests("sharding", "shardings of values, types and memory on the GPU", ["tests/language/sharding"], _GPU_DEVICES),
    _tests("modules", "the language's smaller modules on the GPU", ["tests/language/modules"], _GPU_DEVICES),
    _tests("scipy", "olympus.scipy on the GPU", ["tests/language/scipy"], _GPU_DEVICES),
    _tests("sparse", "sparse arrays on the GPU", ["tests/language/sparse"], _GPU_DEVICES),
    _tests("linear-algebra", "linear algebra on the GPU", ["tests/language/linear_algebra"], _GPU_DEVICES),
    _tests("pallas", "kernels on a grid on the GPU", ["tests/language/pallas"], _GPU_DEVICES),
    _tests("jaxpr", "programs as data on the GPU", ["tests/language/jaxpr"], _GPU_DEVICES),
    _tests("export", "exported functions on the GPU", ["tests/language/export"], _GPU_DEVICES),
    _tests("derivatives", "derivatives on the GPU", ["tests/language/derivatives"], _GPU_DEVICES),
    _tests("high", "values of libraries' own types on the GPU", ["tests/language/high"], _GPU_DEVICES),
    _tests("batching", "vmap on the GPU", ["tests/language/batching"], _GPU_DEVICES),
    *(Piece(f"conformance-{i}", f"part {i} of {_PARTS} of the conformance profile full",
            ["-m", "olympus_conformance", "run", "--platform", "cuda", "--profile", "full", "--fraction",
             f"{i}/{_PARTS}", "--output", "{report}"], _GPU)
      for i in range(1, _PARTS + 1)),
    _benchmarks("calls", "small calls and compilation", "cuda-call", "cuda-twenty", "cuda-compile-*"),
    _benchmarks("chains", "fused elementwise chains of 2^28 numbers", "cuda-chain-*"),
    _benchmarks("rows", "sums, softmax, layernorm", "cuda-sum-*", "cuda-softmax", "cuda-layernorm"),
    _benchmarks("models", "the product with bias and relu, the transformer's block", "cuda-dense", "cuda-transformer*"),
    _benchmarks("linear-algebra", "decompositions and equations", "cuda-cholesky-*", "cuda-qr-*", "cuda-svd-*",
                "cuda-eigh-*", "cuda-solve-*"),
    Piece("machine-code", "every kernel that the tests make, compiled for three architectures",
          ["-m", "tests.cuda.machine_code"]),
    _tests("emulated", "the tests of the platform that need no GPU, with this machine's compilers", ["tests/cuda"]),
)
