# SPDX-License-Identifier: Apache-2.0
"""Magnitudes compared with numbers, by their squares: every comparison has the result that the root would give."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core import ops
from olympus_core.toolkit.loops import Affine, Index, Kernel, Loop, Parameter
from olympus_cpu.codegen.emit.module import emit_module
from olympus_cpu.codegen.emit.squared_magnitudes import _least_sum
from olympus_cpu.codegen.target import Target

from .running import Body, machine

SPECIAL = [0.0, -0.0, 1.0, -1.5, 3e38, -3e38, 1e-38, 1e-45, np.inf, -np.inf, np.nan]
LARGEST = float(np.finfo(np.float32).max)
NUMBERS = [2.0, 0.1, 1.0, 0.0, -1.0, 1e-45, 1e30, LARGEST, np.inf, -np.inf, np.nan]


def points(number: float) -> np.ndarray:
    """Special pairs, and many whose magnitudes are within some roundings of a number."""
    rng = np.random.default_rng(5)
    angles = rng.uniform(0, 2 * np.pi, 4000)
    near = (number if np.isfinite(number) else 1.0) * np.exp(1j * angles) * (1 + rng.integers(-3, 4, 4000) * 2.0**-24)
    return np.array([*(complex(a, b) for a, b in itertools.product(SPECIAL, SPECIAL)), *near]).astype(np.complex64)


def kernel_of(name: str, number: float, size: int, mirrored: bool, kept: bool) -> Kernel:
    index, body = Index("i"), Body()
    x = Parameter("x", np.dtype("c8"), size, "input")
    y, z = Parameter("y", np.dtype("?"), size, "output"), Parameter("z", np.dtype("f4"), size, "output")
    length = body.compute(ops.abs, body.load(x, Affine.of(index)), dtype="f4")
    pair = (length, body.constant(np.float32(number)))
    found = body.compute(ops.OPERATIONS[name], *(pair[::-1] if mirrored else pair), dtype="?")
    body.store(y, Affine.of(index), found)
    if kept:
        body.store(z, Affine.of(index), length)
    return Kernel("k", (x, y, z) if kept else (x, y), Loop(index, size, "lanes", body.done()))


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq"])
def test_comparison_is_as_of_the_magnitude(name: str, number: float, monkeypatch: pytest.MonkeyPatch) -> None:
    x = points(number)
    for mirrored, kept in ((False, True), (True, False)):
        kernel = kernel_of(name, number, x.size, mirrored, kept)
        text = emit_module([(kernel, "f")], Target.host())
        assert ("sqrt" in text) == (kept or name == "eq" or not np.isfinite(number))
        found = machine(kernel, [x])
        with monkeypatch.context() as patch:
            patch.setattr("olympus_cpu.codegen.emit.module.with_squared_magnitudes", lambda kernel: kernel)
            expected = machine(kernel, [x])
        for mine, right in zip(found, expected, strict=True):
            np.testing.assert_array_equal(mine, right)


@pytest.mark.parametrize("number", [0.1, 1.0, 2.0, 1e-45, 1e30, LARGEST])
def test_limit_is_the_least_sum(number: float) -> None:
    with np.errstate(over="ignore"):
        for reached, above in ((True, operator.ge), (False, operator.gt)):
            limit = _least_sum(float(np.float32(number)), reached)
            assert above(np.float32(np.sqrt(limit)), np.float32(number))
            assert not above(np.float32(np.sqrt(np.nextafter(limit, 0))), np.float32(number))


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_functions_are_numpys(compare: Callable[..., Any], dtype: type) -> None:
    x = points(2.0).astype(dtype)
    with np.errstate(all="ignore"):
        expected = compare(np.abs(x.astype(np.complex128)), 2), compare(2, np.abs(x.astype(np.complex128)))
    found = olympus.jit(lambda x: (compare(jnp.abs(x), 2), compare(2, jnp.abs(x))))(x)
    # Beyond a rounding of the magnitude there is one right result.
    clear = ~(np.abs(np.abs(x.astype(np.complex128)) - 2) < 1e-6)
    for mine, right in zip(found, expected, strict=True):
        np.testing.assert_array_equal(np.asarray(mine)[clear], right[clear])
