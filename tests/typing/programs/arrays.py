"""Arrays: operators, methods, indices, element types, conversion."""

from __future__ import annotations

import numpy as np
from typing_extensions import assert_type

import olympus
import olympus.numpy as jnp
from olympus import Array
from olympus.typing import ArrayLike, DTypeLike


def standardized(x: ArrayLike, dtype: DTypeLike = jnp.float32) -> Array:
    values = jnp.asarray(x, dtype)
    return (values - values.mean(axis=0)) / jnp.maximum(values.std(axis=0), 1e-6)


class Model:
    """A class whose method is one program; the instance is part of it."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    @olympus.jit(static_argnums=0)
    def scaled(self, x: Array) -> Array:
        return x * self.scale


def main() -> Array:
    x = standardized(np.arange(6).reshape(3, 2))
    assert_type(x, Array)
    assert_type(x.T @ x, Array)
    assert_type(2 * x - 1, Array)
    assert_type(x == x, Array)
    assert_type(x[0, ::2], Array)
    assert_type(x.at[0].set(0.0), Array)
    assert_type(x.sum(axis=0, keepdims=True), Array)
    assert_type(x.shape, tuple[int, ...])
    assert_type(x.astype("int32").argmax(), Array)
    assert_type(jnp.float32(3), Array)
    assert_type(jnp.sin(0.5), Array)
    assert_type(jnp.split(x, 3), list[Array])
    assert_type(jnp.linalg.norm(x), Array)
    assert_type(float(x[0, 0]), float)
    assert_type(olympus.device_get(x), np.ndarray)
    rows = [row for row in x]
    assert_type(rows, list[Array])
    assert_type(Model(2.0).scaled(x), Array)
    return jnp.concatenate([x, np.ones((1, 2))])


if __name__ == "__main__":
    main()
