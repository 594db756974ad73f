# SPDX-License-Identifier: Apache-2.0
"""What becomes of 64-bit types while 64 bits are not enabled: told where they are named or where numbers would wrap."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import IntegerOverflowWarning, NarrowedTypeWarning

HOST = np.arange(3.0)
WIDE = np.array([1 << 40, 1])

NAMED: list[Callable[[], Any]] = [
    lambda: jnp.zeros(2, "float64"),
    lambda: jnp.zeros(2, HOST.dtype),
    lambda: jnp.ones(2).astype(jnp.int64),
    lambda: jnp.asarray([1], dtype=np.int64),
    lambda: jnp.array(HOST, dtype=np.float64),
    lambda: jnp.arange(3, dtype="uint64"),
    lambda: jnp.float64(1),
    lambda: jnp.ones(3, jnp.complex128),
    lambda: jnp.sum(HOST, dtype=np.float64),
    lambda: lax.convert_element_type(jnp.ones(3), "float64"),
    lambda: lax.iota(np.int64, 3),
    lambda: olympus.random.uniform(olympus.random.key(0), (2,), np.float64),
    lambda: olympus.jit(lambda x: x.astype("float64"))(jnp.ones(2)),
]
NOT_NAMED: list[Callable[[], Any]] = [
    lambda: jnp.zeros(2, float),
    lambda: jnp.ones(2, int),
    lambda: jnp.asarray(HOST),
    lambda: jnp.full_like(HOST, 1),
    lambda: jnp.zeros_like(WIDE),
    lambda: jnp.sum(HOST),
    lambda: jnp.asarray(np.array([2**31 - 1, -(2**31)])),
    lambda: jnp.asarray(np.array([2**32 - 1], np.uint64)),
    lambda: jnp.asarray(np.array([], np.int64)),
    lambda: olympus.ShapeDtypeStruct((2,), np.float64),
    lambda: jnp.promote_types(np.float64, np.float32),
    lambda: jnp.finfo(np.float64),
    lambda: jnp.ones(2).astype("float32") + HOST[:2],
]
WRAPPED: list[Callable[[], Any]] = [
    lambda: jnp.asarray(WIDE),
    lambda: jnp.asarray(np.array([1 << 63], np.uint64)),
    lambda: olympus.device_put(WIDE),
    lambda: olympus.jit(lambda x: x)(WIDE),
    lambda: jnp.arange(2) + WIDE,
    lambda: jnp.ones(2) * WIDE,
    lambda: jnp.arange(4)[WIDE],
]


@pytest.mark.parametrize("call", NAMED, ids=range(len(NAMED)))
def test_a_wide_type_that_is_named_is_told(call: Callable[[], Any]) -> None:
    with pytest.warns(NarrowedTypeWarning, match="64 bits are not enabled") as told:
        found = call()
    assert found.dtype.itemsize <= 8 if found.dtype.kind == "c" else found.dtype.itemsize == 4
    assert {warning.filename for warning in told} == {__file__}


@pytest.mark.parametrize("call", NOT_NAMED, ids=range(len(NOT_NAMED)))
def test_a_wide_type_that_nobody_names_is_not(call: Callable[[], Any]) -> None:
    call()


@pytest.mark.parametrize("call", WRAPPED, ids=range(len(WRAPPED)))
def test_integers_that_wrap_are_told(call: Callable[[], Any]) -> None:
    with pytest.warns(IntegerOverflowWarning, match="do not all fit") as told:
        call()
    assert {warning.filename for warning in told} == {__file__}


def test_nothing_is_told_where_64_bits_are_enabled() -> None:
    with olympus.enable_x64(True):
        for call in NAMED + WRAPPED:
            call()


def test_each_line_is_told_once() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        for _ in range(3):
            jnp.zeros(2, "float64")
        jnp.zeros(2, "float64")
    assert len(told) == 2
