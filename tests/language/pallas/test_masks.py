# SPDX-License-Identifier: Apache-2.0
"""Masked reads and writes at slices that reach outside, and what kernels for Triton use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus.experimental import pallas as pl
from olympus.experimental.pallas import triton as plgpu


@settings(max_examples=40, deadline=None)
@given(rows=st.integers(1, 4), columns=st.integers(1, 6), start=st.integers(-9, 9), size=st.integers(0, 8),
       stride=st.integers(1, 2), way=st.sampled_from(["index", "view", "triton"]), is_traced=st.booleans())
def test_slices_stay_where_they_reach_outside(
    rows: int, columns: int, start: int, size: int, stride: int, way: str, is_traced: bool
) -> None:
    content = np.arange(rows * columns, dtype=np.float32).reshape(rows, columns)
    at = start + stride * np.arange(size)
    mask = (at >= 0) & (at < columns)
    value = 100 + np.arange(size, dtype=np.float32)
    wanted = content.copy()
    wanted[-1, at[mask]] = value[mask]
    read = np.where(mask, content[-1, np.clip(at, 0, columns - 1)], -1)

    def f(content: Any, start: Any) -> Any:
        ref, part = olympus.new_ref(content), pl.ds(start, size, stride)
        if way == "index":
            found = pl.load(ref, (rows - 1, part), mask=mask, other=-1)
            pl.store(ref, (rows - 1, part), value, mask=mask)
        elif way == "view":
            found = jnp.where(mask, pl.swap(ref.at[rows - 1], part, value, mask=mask), -1)
        else:
            found = plgpu.load(ref.at[:, part].at[rows - 1], mask=mask, other=-1)
            plgpu.store(ref.at[rows - 1, part], value, mask=mask)
        return found, ref[...]

    found, content = (olympus.jit(f) if is_traced else f)(content, start)
    np.testing.assert_array_equal(found, read)
    np.testing.assert_array_equal(content, wanted)


def test_a_kernels_last_block_is_masked() -> None:
    def kernel(x_ref: Any, y_ref: Any) -> None:
        start = 4 * pl.program_id(0)
        mask = start + jnp.arange(4) < 6
        x = plgpu.load(x_ref.at[pl.ds(start, 4)], mask=mask, other=0)
        plgpu.store(y_ref.at[pl.ds(start, 4)], 2 * x, mask=mask)

    x = jnp.arange(6.0)
    doubled = pl.pallas_call(kernel, olympus.ShapeDtypeStruct((6,), jnp.float32), grid=(2,),
                             compiler_params=plgpu.CompilerParams(num_warps=4, num_stages=2))
    np.testing.assert_array_equal(doubled(x), 2 * x)
    np.testing.assert_array_equal(olympus.grad(lambda x: (doubled(x) ** 2).sum())(x), 8 * x)


ATOMIC = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
          "xor": np.bitwise_xor, "xchg": lambda x, y: y}


@pytest.mark.parametrize("name", ATOMIC)
def test_atomic_updates_of_all_steps_add_up(name: str) -> None:
    values = np.array([12, 7, 9, 10], np.int32)

    def kernel(value_ref: Any, ref: Any, before_ref: Any) -> None:
        i = pl.program_id(0)
        pl.when(i == 0)(lambda: ref.__setitem__(..., jnp.full(2, 5)))
        before_ref[i] = getattr(plgpu, f"atomic_{name}")(ref, pl.ds(1, 2), value_ref[i], mask=jnp.arange(2) < 1)[0]

    found, before = pl.pallas_call(kernel, [olympus.ShapeDtypeStruct((2,), jnp.int32),
                                            olympus.ShapeDtypeStruct((4,), jnp.int32)], grid=(4,))(values)
    steps = [np.int32(5)]
    for value in values:
        steps.append(ATOMIC[name](steps[-1], value))
    assert (found.tolist(), before.tolist()) == ([5, int(steps[-1])], [int(x) for x in steps[:-1]])


def test_atomic_updates_of_elements_named_twice() -> None:
    ref = olympus.new_ref(jnp.zeros(3, int))
    plgpu.atomic_add(ref, jnp.array([1, 1, 2]), jnp.array([1, 2, 3]))
    plgpu.atomic_max(ref, jnp.array([0, 0]), jnp.array([7, 5]))
    assert ref[...].tolist() == [7, 3, 3]
    with pytest.raises(olympus.errors.NotSupportedError, match="named twice"):
        plgpu.atomic_xor(ref, jnp.array([1, 1]), 3)
    with pytest.raises(olympus.errors.NotSupportedError, match="PTX"):
        plgpu.elementwise_inline_asm("", args=[], constraints="", pack=1, result_shape_dtypes=[])
