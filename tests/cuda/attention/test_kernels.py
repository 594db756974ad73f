# SPDX-License-Identifier: Apache-2.0
"""The kernels of attention, emulated, against float64: forwards and backwards, and what they read and write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from olympus_core import dtypes
from olympus_cuda.attention.backward import keys_module, queries_module
from olympus_cuda.attention.forward import forward_module
from olympus_cuda.attention.shapes import Shape
from olympus_cuda.codegen.module import Module

from ..emulation import EmulatedModule, Guarded, missing
from .exact import Exact, attention

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))
Mask = tuple[bool, bool, bool, bool]


@dataclass(frozen=True)
class Case:
    """One attention, and what it has to give."""

    shape: Shape
    operands: list[np.ndarray]  # query, key, value, the mask if there is one
    cotangent: np.ndarray
    wanted: Exact

    @property
    def backward_operands(self) -> list[np.ndarray]:
        """What the kernels of the derivative read."""
        sums, products = (x.astype(np.float32) for x in (self.wanted.sums, self.wanted.products))
        return [*self.operands, sums, self.cotangent, products]


def case(
    sizes: tuple[int, int, int, int, int, int], dtype: np.dtype, left: int | None = None, right: int | None = None,
    mask: Mask | None = None,
) -> Case:
    """An attention by (batch, queries, keys, heads, groups, size)."""
    batch, queries, keys, heads, groups, size = sizes
    random = np.random.default_rng(queries)
    query, key, value, cotangent = (
        random.normal(size=shape).astype(dtype) for shape in (
            (batch, queries, heads, size), (batch, keys, groups, size), (batch, keys, groups, size),
            (batch, queries, heads, size)))
    given: np.ndarray | None = None
    if mask is not None:
        sizes_of_mask = [n if has else 1 for n, has in zip((batch, heads, queries, keys), mask, strict=True)]
        given = random.random(sizes_of_mask) > 0.4
        if mask[2]:
            given[:, :, 3] = False  # a query that sees nothing
    scale = 1.1 * size ** -0.5
    shape = Shape(np.dtype(dtype), batch, queries, keys, heads, groups, size, scale, left, right, mask)
    return Case(shape, [query, key, value, *([] if given is None else [given])], cotangent,
                attention(query, key, value, cotangent, scale, left, right, given))


def ran(module: Module, operands: Sequence[np.ndarray], outputs: Sequence[tuple[np.dtype, tuple[int, ...]]],
        checked: bool = False) -> list[np.ndarray]:
    """What a module's kernel writes; it touches nothing else."""
    ((launch,),) = module.launches.values()
    given = [Guarded(x) for x in operands]
    made = [Guarded(int(np.prod(shape)) * dtype.itemsize) for dtype, shape in outputs]
    every = [*given, *made]
    EmulatedModule(module.text, checked).launch(
        launch.function, launch.grid, launch.block, launch.shared, [x.address for x in every], [x.bound for x in every])
    return [x.read(dtype, shape) for x, (dtype, shape) in zip(made, outputs, strict=True)]


def near(found: np.ndarray, wanted: np.ndarray, dtype: np.dtype) -> None:
    """Equal to a few units of the last place of the greatest number."""
    least = {dtypes.float16: 2e-3, dtypes.bfloat16: 1.6e-2}[dtype]
    np.testing.assert_allclose(found.astype(np.float64), wanted, rtol=0, atol=least * max(1.0, np.abs(wanted).max()))


def forward(given: Case, checked: bool = False) -> None:
    """Runs and compares the kernel of attention."""
    s, dtype = given.shape, given.shape.dtype
    out, sums = ran(forward_module(s), given.operands, [
        (dtype, given.operands[0].shape), (np.dtype(np.float32), (s.batch, s.heads, s.queries))], checked)
    near(out, given.wanted.out, dtype)
    np.testing.assert_allclose(sums, given.wanted.sums, rtol=2e-6, atol=2e-6)


def backward(given: Case, checked: bool = False) -> None:
    """Runs and compares the kernels of its derivative."""
    dtype, operands = given.shape.dtype, given.backward_operands
    query, key, value = (x.shape for x in given.operands[:3])
    (c_query,) = ran(queries_module(given.shape), operands, [(dtype, query)], checked)
    c_key, c_value = ran(keys_module(given.shape), operands, [(dtype, key), (dtype, value)], checked)
    near(c_query, given.wanted.c_query, dtype)
    near(c_key, given.wanted.c_key, dtype)
    near(c_value, given.wanted.c_value, dtype)


SIZES = [
    ((1, 65, 65, 1, 1, 64), None, 0),  # causal; one more than a tile
    ((1, 140, 40, 2, 1, 128), None, None),  # two tiles of queries, heads that share keys
    ((1, 77, 100, 1, 1, 40), None, 0),  # fewer queries than keys, a head of odd size
    ((1, 90, 70, 1, 1, 24), 20, 9),  # a window
    ((2, 1, 1, 1, 1, 8), None, 0),  # the least one
    ((1, 40, 33, 1, 1, 96), 30, None),
]


@pytest.mark.parametrize(("sizes", "left", "right"), SIZES, ids=str)
@pytest.mark.parametrize("dtype", [dtypes.float16, dtypes.bfloat16], ids=lambda d: d.name)
def test_forwards(
    sizes: tuple[int, int, int, int, int, int], left: int | None, right: int | None, dtype: np.dtype
) -> None:
    forward(case(sizes, dtype, left, right))


@pytest.mark.parametrize(("sizes", "left", "right"), SIZES, ids=str)
def test_backwards(sizes: tuple[int, int, int, int, int, int], left: int | None, right: int | None) -> None:
    backward(case(sizes, dtypes.float16, left, right))


@pytest.mark.parametrize("mask", [(True, False, True, True), (False, True, True, False), (False, False, False, True)],
                         ids=str)
def test_masks_and_queries_that_see_nothing(mask: Mask) -> None:
    given = case((2, 12, 70, 2, 1, 128 if mask[1] else 16), dtypes.float16, None, 60, mask)
    forward(given)
    backward(given)


def test_bfloat16_backwards() -> None:
    backward(case((1, 66, 70, 2, 1, 64), dtypes.bfloat16, None, 0))


@pytest.mark.parametrize("mask", [None, (False, False, True, True)], ids=["causal", "masked"])
def test_no_races_and_nothing_beside_the_arrays(mask: Mask | None) -> None:
    given = case((1, 34, 66, 1, 1, 16), dtypes.float16, None, 0, mask)
    forward(given, checked=True)
    backward(given, checked=True)


def test_numbers_that_are_not_finite() -> None:
    """A key that is NaN reaches the queries that see it, and no others; an infinite value its own element."""
    given = case((1, 20, 70, 1, 1, 16), dtypes.float16, None, 0)
    query, key, value = given.operands
    made = [(dtypes.float16, query.shape), (np.dtype(np.float32), (1, 1, 20))]
    bad_key, bad_value = key.copy(), value.copy()
    bad_key[0, 9], bad_value[0, 15, :, 3] = np.nan, np.inf
    out, sums = ran(forward_module(given.shape), [query, bad_key, value], made)
    assert np.isfinite(out[0, :9]).all() and np.isnan(out[0, 9:]).all() and np.isnan(sums[0, 0, 9:]).all()
    out, _ = ran(forward_module(given.shape), [query, key, bad_value], made)
    assert np.isposinf(out[0, 15:, 0, 3]).all() and np.isfinite(np.delete(out, 3, axis=3)).all()
