# SPDX-License-Identifier: Apache-2.0
"""Products of operands that were rounded to TensorFloat-32 are tensor cores', and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core import dtypes
from olympus_core.program import Operation
from olympus_core.toolkit.flatten import flatten
from olympus_cuda.products.cublaslt_types import COMPUTE_32F, COMPUTE_32F_FAST_TF32
from olympus_cuda.products.epilogues import EPILOGUES, NAME, TF32
from olympus_cuda.products.work_steps import MatmulStep, ProductWork

from .emulated_gpu import alone, made_step, run, some

SHAPES = ((8, 64), (64, 32))


def arrays_of(dtype: np.dtype = dtypes.float32) -> list[np.ndarray]:
    return [some(shape, dtype, seed) for seed, shape in enumerate((*SHAPES, (32,)))]


def rounded(x: Any, mantissa: int = 10) -> Any:
    return lax.reduce_precision(x, 8, mantissa)


def product_in(function: Callable[..., Any], dtype: np.dtype = dtypes.float32) -> Operation:
    """The one product of a function, after the passes that look at it."""
    program = olympus.jit(function).trace(*arrays_of(dtype)).program
    found = [o for o in TF32(EPILOGUES(flatten(program))).operations if o.name in (NAME, "dot_general")]
    assert len(found) == 1
    return found[0]


def work_of(operation: Operation) -> ProductWork:
    work = made_step(operation)
    assert isinstance(work, ProductWork)
    return work


def computes(operation: Operation) -> list[int]:
    """The library's compute types, one for each way."""
    return [s.matmul.compute[0] for v in work_of(operation).variants for s in v.steps if isinstance(s, MatmulStep)]


MARKED: dict[str, Callable[..., Any]] = {
    "asked for": lambda x, y, b: jnp.matmul(x, y, precision="TF32_TF32_F32"),
    "by hand": lambda x, y, b: rounded(x) @ rounded(y),
    "fewer bits": lambda x, y, b: rounded(x, 7) @ rounded(y, 3),
    "moved": lambda x, y, b: rounded(x * 2).T.reshape(4, 16, 8).reshape(64, 8).T @ rounded(y)[::-1],
    "chosen": lambda x, y, b: jnp.where(x > 0, rounded(x), 0.5) @ rounded(y),
}


@pytest.mark.parametrize("name", MARKED)
def test_operands_of_few_bits_are_multiplied_by_tensor_cores(name: str) -> None:
    operation = product_in(MARKED[name])
    assert computes(operation) == [COMPUTE_32F_FAST_TF32, COMPUTE_32F]
    assert work_of(operation).variants[0].least == 80


def test_the_numbers_are_those_of_full_precision() -> None:
    """The stand-in reads no more bits than tensor cores do."""
    work = work_of(product_in(MARKED["by hand"]))
    arrays = [np.asarray(rounded(x)) for x in arrays_of()[:2]]
    wanted = arrays[0].astype(np.float64) @ arrays[1].astype(np.float64)
    for one in alone(work):
        np.testing.assert_allclose(run(one, arrays)[0], wanted, rtol=2e-6, atol=2e-6)
    given = arrays_of()[:2]
    assert np.abs(run(next(iter(alone(work))), given)[0] - given[0] @ given[1]).max() > 1e-4


def test_a_bias_and_a_limit_stay_with_the_product() -> None:
    operation = product_in(lambda x, y, b: jnp.maximum(rounded(x) @ rounded(y) + b, 0))
    assert operation.attributes["bias"] and operation.attributes["relu"] and operation.attributes["tf32"]
    assert computes(operation)[0] == COMPUTE_32F_FAST_TF32


OTHERS: dict[str, Callable[..., Any]] = {
    "plain": lambda x, y, b: x @ y,
    "one of two": lambda x, y, b: rounded(x) @ y,
    "more bits": lambda x, y, b: rounded(x) @ rounded(y, 11),
    "changed since": lambda x, y, b: (rounded(x) * 3) @ rounded(y),
    "one branch": lambda x, y, b: jnp.where(x > 0, rounded(x), x) @ rounded(y),
}


@pytest.mark.parametrize("name", OTHERS)
def test_no_bit_is_dropped_that_was_not_given_up(name: str) -> None:
    assert set(computes(product_in(OTHERS[name]))) == {COMPUTE_32F}


def test_other_element_types_are_not_marked() -> None:
    with olympus.enable_x64(True):
        assert product_in(MARKED["by hand"], dtypes.float64).name == "dot_general"
    assert product_in(lambda x, y, b: lax.reduce_precision(x, 5, 3) @ lax.reduce_precision(y, 5, 3),
                      dtypes.bfloat16).name == "dot_general"


def test_a_long_chain_of_shared_values_is_asked_once_each() -> None:
    """By paths there would be 2^30 of them."""
    def chained(x: Any, y: Any, b: Any) -> Any:
        words = lax.bitcast_convert_type(x, jnp.uint32)
        for _ in range(30):
            words = words & words
        return lax.bitcast_convert_type(words, jnp.float32) @ rounded(y)

    assert set(computes(product_in(chained))) == {COMPUTE_32F}
