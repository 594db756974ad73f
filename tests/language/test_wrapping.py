# SPDX-License-Identifier: Apache-2.0
"""Objects that are called like functions are transformed, whatever their attributes are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.experimental import sparse

X = np.array([1.0, 2.0], np.float32)


class Odd:
    """Its attributes are such as no function can have."""

    __name__ = 3
    __annotations__ = ("x",)
    __type_params__ = None

    def __call__(self, x: Any) -> Any:
        return jnp.sum(x * x)


@pytest.mark.parametrize("transform", [
    olympus.jit, olympus.vmap, olympus.grad, olympus.value_and_grad, olympus.jacfwd, olympus.jacrev, olympus.hessian,
    olympus.checkpoint, olympus.named_call, olympus.custom_jvp, olympus.custom_vjp, olympus.make_jaxpr,
    olympus.custom_batching.sequential_vmap, olympus.custom_batching.custom_vmap, olympus.profiler.annotate_function,
    jnp.vectorize, sparse.sparsify, sparse.grad])
def test_attributes_that_no_function_has(transform: Any) -> None:
    def plain(x: Any) -> Any:
        return Odd()(x)

    assert str(transform(Odd())(X)) == str(transform(plain)(X))


def test_what_a_function_has_is_kept() -> None:
    def twice(x: float) -> float:
        """Two times."""
        return 2 * x

    twice.kind = "plain"  # type: ignore[attr-defined]
    for transform in (olympus.vmap, olympus.grad, olympus.named_call, jnp.vectorize):
        made: Any = transform(twice)  # type: ignore[operator]
        assert (made.__name__, made.__annotations__, made.__wrapped__, made.kind) == (
            "twice", twice.__annotations__, twice, "plain")
        assert "Two times" in made.__doc__
