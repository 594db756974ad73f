# SPDX-License-Identifier: Apache-2.0
"""The second loop over a row prefetches the next row, where rows come from beyond the second cache."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core.toolkit.flatten import flatten
from olympus_core.toolkit.fusion import FusionOptions, KernelStep, plan
from olympus_cpu.codegen.emit.module import emit_kernel
from olympus_cpu.codegen.emit.operations import supports
from olympus_cpu.codegen.target import Target


def softmax(x: Any) -> Any:
    e = jnp.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def variance(x: Any) -> Any:
    return ((x - x.mean(-1, keepdims=True))**2).mean(-1)


def distances(f: Callable[[Any], Any], shape: tuple[int, int], dtype: Any, processor: str) -> list[int]:
    """The bytes ahead of what is prefetched, in the order of the code."""
    program = olympus.jit(f).trace(np.empty(shape, dtype)).program
    (kernel,) = (s.kernel for s in plan(flatten(program), supports, FusionOptions(8, 1024)).steps
                 if isinstance(s, KernelStep))
    text = emit_kernel(kernel, Target.named(processor), "f")
    steps = {name: (base, int(step) * (4 if kind == "float" else 1)) for name, kind, base, step in re.findall(
        r"(%\w+) = getelementptr (float|i8), ptr (%\w+), i64 (\d+)", text)}
    found = []
    for name in re.findall(r"@llvm.prefetch.p0\(ptr (%\w+),", text):
        ahead = 0
        while name in steps:
            name, step = steps[name]
            ahead += step
        found.append(ahead)
    return found


@pytest.mark.parametrize("processor", ["haswell", "skylake-avx512"])
@pytest.mark.parametrize("f", [softmax, variance])
def test_a_line_at_a_time(f: Callable[[Any], Any], processor: str) -> None:
    found = distances(f, (4096, 1024), np.float32, processor)
    assert found == [4096 + 64 * line for line in range(len(found))] != []


@pytest.mark.parametrize("shape", [(64, 1024), (64, 1 << 16)])
def test_neither_of_small_arrays_nor_of_long_rows(shape: tuple[int, int]) -> None:
    assert not distances(softmax, shape, np.float32, "skylake-avx512")


def test_not_where_a_row_is_read_once() -> None:
    assert not distances(lambda x: jnp.exp(x).sum(-1), (4096, 1024), np.float32, "skylake-avx512")
