"""Tangents of integers, float0, in and out of jitted functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.dtypes import float0

NONE = np.zeros((3,), float0)


def is_none(x: Any, shape: tuple[int, ...]) -> bool:
    return type(x) is np.ndarray and x.dtype == float0 and x.shape == shape


def test_gradients_by_integers_come_out_of_jitted_functions() -> None:
    @olympus.jit
    def slopes(x: Any, n: Any) -> Any:
        return olympus.grad(lambda v, k: (v * k).sum(), argnums=(0, 1), allow_int=True)(x, n)

    for _ in range(2):  # compiled, and known
        by_x, by_n = slopes(jnp.array([2.0, 3.0]), jnp.array([4, 5]))
        assert by_x.tolist() == [4, 5] and is_none(by_n, (2,))
    again = olympus.grad(lambda v, k: (v * k).sum(), argnums=(0, 1), allow_int=True)
    assert is_none(again(jnp.ones(2), jnp.arange(2))[1], (2,))
    (_, count), (_, moved) = olympus.jit(lambda x: olympus.jvp(lambda v: (v * 2, 3), (x,), (1.0,)))(1.0)
    assert int(count) == 3 and is_none(moved, ())
    assert is_none(olympus.eval_shape(slopes, jnp.ones(2), jnp.arange(2))[1], (2,))


@pytest.mark.parametrize("call", [
    lambda f: f(NONE, 1.0), lambda f: f(NONE, b=jnp.ones(2)),
    lambda f: f(b=np.ones(2), a={"one": NONE, "two": [NONE, 2]}),
])
def test_they_go_into_jitted_functions_and_out_again(call: Any) -> None:
    f = olympus.jit(lambda a, b: (a, b + 1))
    for _ in range(2):
        a, b = call(f)
        assert float(b.sum()) == 2 * b.size
        leaves = olympus.tree.leaves(a)
        assert is_none(leaves[0], (3,)) and len(leaves) in (1, 3)


def test_a_structured_array_is_no_argument() -> None:
    with pytest.raises(TypeError, match="is not an array"):
        olympus.jit(lambda x: x)(np.zeros(2, [("a", np.float32), ("b", np.int32)]))


def test_types_tell_their_tangents() -> None:
    assert olympus.typeof(jnp.arange(2)).to_tangent_aval().dtype == olympus.dtypes.float0
    assert olympus.typeof(jnp.arange(2)).to_tangent_aval().shape == (2,)
    of_floats = olympus.typeof(jnp.ones((2, 3), "bfloat16"))
    assert of_floats.to_tangent_aval() == of_floats and olympus.typeof(1.0).to_tangent_aval().weak_type
