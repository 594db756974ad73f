"""The pieces: each is one command, and ends within minutes on one GPU and a dozen of processors."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

ROOT = Path(__file__).resolve().parents[2]
_CARD = MappingProxyType({"OLYMPUS_PLATFORMS": "cuda"})
_CARDS = MappingProxyType({**_CARD, "OLYMPUS_NUM_CUDA_DEVICES": "8"})  # several devices on one GPU
_PARTS = 4


@dataclass(frozen=True)
class Piece:
    """One command.

    Attributes:
        name: Its name.
        about: What it shows.
        command: What the interpreter is given; `{report}` stands for a file or folder of its own.
        variables: The environment variables that it runs with.
        is_tests: Whether it is pytest's, whose report is read.
    """

    name: str
    about: str
    command: Sequence[str]
    variables: Mapping[str, str] = field(default_factory=dict)
    is_tests: bool = False

    def arguments(self, report: Path, jobs: int) -> list[str]:
        """The command line.

        Args:
            report: Where its own report goes.
            jobs: Number of processes that run tests.
        """
        whole = [sys.executable, *(part.format(report=report) for part in self.command)]
        return [*whole, "-p", "xdist", "-n", str(jobs)] if self.is_tests and jobs > 1 else whole


def _tests(name: str, about: str, paths: Sequence[str], variables: Mapping[str, str] = MappingProxyType({})) -> Piece:
    # Other packages' plugins for pytest may warn, which is an error here: of those that are installed few are loaded.
    options = ["-q", "-p", "no:cacheprovider", "-p", "hypothesispytest", "--junitxml={report}",
               "-o", "junit_family=xunit1"]
    if variables:  # what starts processes of its own says itself how many devices each of them has
        options += ["-m", "not processes"]
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return Piece(name, about, ["-m", "pytest", *options, *paths], {**variables, **alone}, is_tests=True)


def _benchmarks(name: str, about: str, *patterns: str) -> Piece:
    chosen = [word for pattern in patterns for word in ("--only", pattern)]
    return Piece(f"benchmarks-{name}", about, ["-m", "benchmarks.cuda", "--output", "{report}", *chosen])


PIECES: tuple[Piece, ...] = (
    Piece("doctor", "what is installed, and what is missing", ["-m", "olympus", "doctor"], _CARD),
    Piece("steps", "the platform's parts in turn, each compared with NumPy; goes on after a failure",
          ["-m", "tools.gpu.steps", "{report}"], {**_CARD, "OLYMPUS_NUM_CUDA_DEVICES": "4"}),
    _tests("language", "arrays, jit, control flow, sharding: the language's own tests on the card",
           [f"tests/language/test_{name}.py" for name in (
               "arrays", "jit", "calls", "control", "callbacks", "explicit", "shard_map", "pmap", "xmap", "tree", "nn",
               "public_names", "random", "refusals", "sealed", "clear_caches", "kept_programs", "scatter_types")],
           _CARDS),
    _tests("numpy", "olympus.numpy on the card", ["tests/language/numpy"], _CARDS),
    _tests("derivatives", "derivatives on the card", ["tests/language/derivatives"], _CARDS),
    _tests("batching", "vmap on the card", ["tests/language/batching"], _CARDS),
    *(Piece(f"conformance-{i}", f"part {i} of {_PARTS} of the conformance profile full",
            ["-m", "olympus_conformance", "run", "--platform", "cuda", "--profile", "full", "--fraction",
             f"{i}/{_PARTS}", "--output", "{report}"], _CARD)
      for i in range(1, _PARTS + 1)),
    _benchmarks("calls", "small calls and compilation", "cuda-call", "cuda-twenty", "cuda-compile-*"),
    _benchmarks("chains", "fused elementwise chains of 2^28 numbers", "cuda-chain-*"),
    _benchmarks("rows", "sums, softmax, layernorm", "cuda-sum-*", "cuda-softmax", "cuda-layernorm"),
    _benchmarks("models", "the product with bias and relu, the transformer's block", "cuda-dense", "cuda-transformer"),
    Piece("machine-code", "every kernel that the tests make, compiled for three architectures",
          ["-m", "tests.cuda.machine_code"]),
    _tests("emulated", "the tests of the platform that need no card, with this machine's compilers", ["tests/cuda"]),
)
