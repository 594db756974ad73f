# SPDX-License-Identifier: Apache-2.0
"""Questions about element types."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import dtypes
from olympus.errors import ArgumentError


def test_types_that_arrays_get() -> None:
    assert dtypes.canonicalize_dtype("float64") == np.float32 and dtypes.canonicalize_dtype(complex) == np.complex64
    with olympus.enable_x64(True):
        assert dtypes.canonicalize_dtype(np.int64) == np.int64
    with pytest.raises(ArgumentError, match="not known"):
        dtypes.canonicalize_dtype("S5")


@pytest.mark.parametrize(("args", "dtype", "weak"), [
    ((1, 2.0), "float32", True), ((jnp.bfloat16(1), 2.0), "bfloat16", False), ((np.int8(1), 1), "int8", False),
    ((int,), "int32", True), ((True,), "bool", False), ((jnp.asarray(2.0),), "float32", True),
])
def test_common_types(args: tuple[Any, ...], dtype: str, weak: bool) -> None:
    assert dtypes.result_type(*args) == dtype
    assert dtypes.result_type(*args, return_weak_type_flag=True) == (np.dtype(jnp.dtype(dtype)), weak)


def test_types_without_a_common_one() -> None:
    for act in (lambda: jnp.zeros(1, "float8_e5m2") + jnp.zeros(1, "float8_e4m3fn"),
                lambda: jnp.promote_types("float8_e5m2", "float8_e4m3fn")):
        with pytest.raises(dtypes.TypePromotionError, match="no common one"):
            act()
    assert issubclass(dtypes.TypePromotionError, ValueError)


@pytest.mark.parametrize(("dtype", "bits"), [
    ("int4", 4), ("uint4", 4), ("int8", 8), ("bool", 8), ("float8_e5m2", 8), ("bfloat16", 16), ("float64", 64),
    ("complex64", 64),
])
def test_widths(dtype: str, bits: int) -> None:
    assert dtypes.itemsize_bits(jnp.dtype(dtype)) == bits


def test_kinds_of_numbers() -> None:
    for value, kind in ((True, bool), (jnp.uint8(1), int), (jnp.bfloat16(1), float), (1j, complex)):
        assert dtypes.scalar_type_of(value) is kind
    assert dtypes.issubdtype(dtypes.bfloat16, np.floating)
    gradient = olympus.grad(lambda x: 2.0 * x, allow_int=True)(1)
    assert gradient.dtype == dtypes.float0


def test_the_shape_of_what_is_no_number() -> None:
    words = np.array([["a", "bc"]])
    assert (jnp.shape(words), jnp.ndim(words), jnp.size(words), jnp.shape(np.str_("a"))) == ((1, 2), 2, 2, ())
