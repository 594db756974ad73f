# SPDX-License-Identifier: Apache-2.0
"""What a recurrence adds up is computed ahead, in vectors; results stay what they were, bit by bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core import ops
from olympus_core.toolkit.loops import (
    Affine,
    Index,
    IndexValue,
    Kernel,
    Loop,
    Parameter,
    Recurrence,
    Scalar,
    verify_kernel,
)
from olympus_cpu.codegen.emit.hoist import loops_in
from olympus_cpu.codegen.emit.recurrence_distribution import _STRIP, with_distributed_recurrences

from .running import Body, machine

F32 = np.dtype("f4")
RNG = np.random.default_rng(3)
EXTENTS = [15, 16, 17, 365, _STRIP, _STRIP + 1, 3 * _STRIP, 2 * _STRIP + 5]


def running(extent: int, rows: int = 3, reverse: bool = False) -> Kernel:
    """Rows of running sums of sin(x) times the place; what is handed on is also what was added last."""
    row, turn = Index("row"), Index("turn")
    x, y = (Parameter(name, F32, rows * extent, role) for name, role in (("x", "input"), ("y", "output")))
    z = Parameter("z", F32, rows, "output")
    at = Affine.of(row, extent).plus(Affine(extent - 1, ((turn, -1),)) if reverse else Affine.of(turn))
    outer, body = Body(), Body()
    zero = outer.constant(np.float32(0))
    before, last, ends = Scalar(F32), Scalar(F32), (Scalar(F32), Scalar(F32))
    place = Scalar(F32)
    body.add(IndexValue(place, Affine.of(turn).shifted(1)))
    term = body.compute(ops.mul, body.compute(ops.sin, body.load(x, at)), place)
    total = body.compute(ops.add, body.compute(ops.add, before, term), body.compute(ops.mul, last, place))
    body.store(y, at, total)
    outer.add(Loop(turn, extent, "serial", body.done(), recurrences=(
        Recurrence(ends[0], zero, before, total), Recurrence(ends[1], zero, last, term))))
    outer.store(z, Affine.of(row), outer.compute(ops.add, *ends))
    return Kernel("running", (x, y, z), Loop(row, rows, "parallel", outer.done()))


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("extent", EXTENTS)
def test_same_bits_as_one_loop(extent: int, reverse: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = running(extent, reverse=reverse)
    verify_kernel(kernel)
    made = with_distributed_recurrences(kernel)
    verify_kernel(made)
    ahead = [loop for loop in loops_in(made.loop) if loop.kind == "lanes"]
    assert len(ahead) == (extent >= 16) + (extent > _STRIP and extent % _STRIP > 0)
    assert all(p.size <= _STRIP for p in made.parameters if p.role == "local")
    inputs = [RNG.standard_normal(3 * extent, np.float32)]
    found = machine(kernel, inputs)
    monkeypatch.setattr("olympus_cpu.codegen.emit.module.with_distributed_recurrences", lambda kernel: kernel)
    for mine, right in zip(found, machine(kernel, inputs), strict=True):
        np.testing.assert_array_equal(mine, right)


def test_cheap_bodies_and_lanes_stay_as_they_are() -> None:
    row, turn = Index("row"), Index("turn")
    x, y = (Parameter(name, F32, 300, role) for name, role in (("x", "input"), ("y", "output")))
    for kind, record in (("parallel", ops.neg), ("lanes", ops.sin)):
        outer, body = Body(), Body()
        zero, before, end = outer.constant(np.float32(0)), Scalar(F32), Scalar(F32)
        at = Affine.of(row, 100).plus(Affine.of(turn))
        total = body.compute(ops.add, before, body.compute(record, body.load(x, at)))
        body.store(y, at, total)
        outer.add(Loop(turn, 100, "serial", body.done(), recurrences=(Recurrence(end, zero, before, total),)))
        kernel = Kernel("k", (x, y), Loop(row, 3, kind, outer.done()))
        assert with_distributed_recurrences(kernel) is kernel


@pytest.mark.parametrize("shape", [(7, 40), (2, 2500), (5000,)])
@pytest.mark.parametrize(("function", "truth"), [
    (lambda x: jnp.cumsum(jnp.exp(x), axis=-1), lambda x: np.cumsum(np.exp(x), axis=-1)),
    (lambda x: lax.cumsum(jnp.sin(x), axis=x.ndim - 1, reverse=True),
     lambda x: np.cumsum(np.sin(x)[..., ::-1], axis=-1)[..., ::-1]),
    (lambda x: lax.cummax(jnp.tanh(x), axis=x.ndim - 1), lambda x: np.maximum.accumulate(np.tanh(x), axis=-1)),
    (lambda x: jnp.cumprod(jnp.tanh(x), axis=-1), lambda x: np.cumprod(np.tanh(x), axis=-1)),
    (lambda x: jnp.cumsum(jnp.exp(x), axis=-1) * jnp.exp(x), lambda x: np.cumsum(np.exp(x), axis=-1) * np.exp(x)),
])
def test_cumulative_functions_of_costly_ones_are_numpys(
    function: Callable[..., object], truth: Callable[[np.ndarray], np.ndarray], shape: tuple[int, ...],
) -> None:
    x = RNG.standard_normal(shape, np.float32)
    right = truth(x.astype(np.float64))
    np.testing.assert_allclose(np.asarray(olympus.jit(function)(x)), right, rtol=1e-3, atol=1e-4 * np.abs(right).max())


@pytest.mark.parametrize("special", [np.nan, np.inf, -np.inf])
def test_special_numbers_run_on_from_where_they_are(special: float) -> None:
    x = RNG.standard_normal((4, 1500), np.float32)
    x[1, 1200] = x[2, 3] = special
    with np.errstate(all="ignore"):
        right = np.cumsum(np.exp(x.astype(np.float64)), axis=1)
    np.testing.assert_allclose(
        np.asarray(olympus.jit(lambda x: jnp.cumsum(jnp.exp(x), axis=1))(x)), right, rtol=1e-4)
