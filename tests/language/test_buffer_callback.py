# SPDX-License-Identifier: Apache-2.0
"""Functions of the host that write their results into memory which they are given."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, NotSupportedError
from olympus.experimental.buffer_callback import Buffer, ExecutionContext, buffer_callback


def _double(context: Any, out: Any, x: Any) -> None:
    assert isinstance(context, ExecutionContext) and isinstance(out, Buffer) and isinstance(x, Buffer)
    assert out.writeable and not x.writeable
    assert (out.shape, out.dtype, out.ndim) == (x.shape, x.dtype, x.ndim)
    np.asarray(out)[...] = 2 * np.asarray(x)


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
@pytest.mark.parametrize("dtype", ["float32", "int8", "bfloat16", "bool", "complex64"])
def test_results_are_written_in_place(wrap: Any, dtype: str) -> None:
    x = jnp.arange(6).reshape(2, 3).astype(dtype)

    def write(context: Any, out: Any, x: Any) -> None:
        np.asarray(out)[...] = np.asarray(x)[::-1]

    found = wrap(buffer_callback(write, olympus.ShapeDtypeStruct(x.shape, x.dtype)))(x)
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(np.asarray(found), np.asarray(x)[::-1])


def test_trees_of_arguments_and_results() -> None:
    def write(context: Any, out: Any, pair: Any, *, scale: Any) -> None:
        np.asarray(out["sum"])[...] = (np.asarray(pair[0]) + np.asarray(pair[1])) * np.asarray(scale)
        np.asarray(out["first"])[...] = np.asarray(pair[0])

    kind = olympus.ShapeDtypeStruct((2,), "float32")
    f = olympus.jit(buffer_callback(write, {"sum": kind, "first": kind}))
    found = f((jnp.ones(2), jnp.arange(2.0)), scale=jnp.float32(3))
    np.testing.assert_array_equal(found["sum"], [3, 6])
    np.testing.assert_array_equal(found["first"], [1, 1])


@pytest.mark.parametrize("method", ["sequential", "expand_dims", "broadcast_all"])
def test_vmap(method: str) -> None:
    def write(context: Any, out: Any, x: Any, y: Any) -> None:
        np.asarray(out)[...] = np.asarray(x) * np.asarray(y)

    f = buffer_callback(write, olympus.ShapeDtypeStruct((3,), "float32"), vmap_method=method)
    x, y = np.arange(6, dtype=np.float32).reshape(2, 3), np.arange(3, dtype=np.float32)
    np.testing.assert_array_equal(olympus.jit(olympus.vmap(f, (0, None)))(x, y), x * y)


def test_a_result_with_the_content_of_an_argument() -> None:
    def write(context: Any, out: Any, x: Any) -> None:
        np.asarray(out)[0] = 7

    x = jnp.arange(3)
    f = buffer_callback(write, olympus.ShapeDtypeStruct((3,), "int32"), input_output_aliases={0: 0})
    np.testing.assert_array_equal(f(x), [7, 1, 2])
    np.testing.assert_array_equal(x, [0, 1, 2])  # as it was
    other = buffer_callback(write, olympus.ShapeDtypeStruct((3,), "float32"), input_output_aliases={0: 0})
    with pytest.raises(ArgumentError, match="not alike"):
        other(x)


def test_one_that_does_something_is_never_left_out() -> None:
    seen: list[float] = []

    def note(context: Any, out: Any, x: Any) -> None:
        seen.append(float(np.asarray(x)))
        np.asarray(out)[...] = 0

    kind = olympus.ShapeDtypeStruct((), "float32")
    f = olympus.jit(lambda x: (buffer_callback(note, kind, has_side_effect=True)(x), x)[1])
    f(1.0), f(2.0)
    olympus.effects_barrier()
    assert seen == [1, 2]
    with pytest.raises(NotSupportedError, match="one index after another"):
        buffer_callback(note, kind, has_side_effect=True, vmap_method="expand_dims")


def test_what_it_refuses() -> None:
    with pytest.raises(ArgumentError, match="a function is needed"):
        buffer_callback(1, ())  # type: ignore[arg-type]
    with pytest.raises(NotSupportedError, match="host's memory"):
        _ = ExecutionContext().stream
    np.testing.assert_array_equal(
        buffer_callback(_double, olympus.ShapeDtypeStruct((2,), "int32"))(jnp.arange(2)), [0, 2])
