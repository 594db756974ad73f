"""Derivatives: transformations of transformations, rules of one's own, checkpoints."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

import olympus
import olympus.numpy as jnp
from olympus import Array


@olympus.custom_vjp
def clipped(x: Array, limit: float = 1.0) -> Array:
    return x


def _forward(x: Array, limit: float) -> tuple[Array, float]:
    return x, limit


def _backward(limit: float, cotangent: Array) -> tuple[Array, None]:
    return jnp.clip(cotangent, -limit, limit), None


clipped.defvjp(_forward, _backward)


@olympus.custom_jvp
def softened(x: Array) -> Array:
    return jnp.log1p(jnp.exp(x))


@softened.defjvp
def _softened_rule(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (x,), (t,) = primals, tangents
    return softened(x), t / (1 + jnp.exp(-x))


@olympus.checkpoint
def block(x: Array, scale: float = 2.0) -> Array:
    return jnp.tanh(x * scale)


@olympus.jit
def objective(x: Array) -> Array:
    return jnp.sum(softened(block(clipped(x, 0.5))))


def energy(x: Array) -> tuple[Array, dict[str, int]]:
    return jnp.sum(x ** 2), {"terms": x.size}


def main() -> Array:
    x = jnp.arange(3.0)
    assert_type(clipped(x), Array)
    assert_type(block(x, scale=3.0), Array)
    slopes = olympus.grad(objective)(x)
    slope, further = olympus.grad(energy, has_aux=True)(x)
    assert_type(further, dict[str, int])
    assert_type(olympus.value_and_grad(energy, has_aux=True)(x), tuple[tuple[Array, dict[str, int]], Any])
    value, pull = olympus.vjp(objective, x)
    assert_type(value, Array)
    assert_type(pull(1.0), tuple[Any, ...])
    assert_type(olympus.jvp(softened, (x,), (jnp.ones(3),)), tuple[Array, Array])
    linear_value, linear = olympus.linearize(softened, x)
    assert_type(linear(jnp.ones(3)), Array)
    curvature = olympus.hessian(objective)(x)
    rows = olympus.vmap(olympus.grad(objective))(jnp.ones((2, 3)))
    assert slopes.shape == slope.shape == linear_value.shape and curvature.shape == (3, 3) and rows.shape == (2, 3)
    return value


if __name__ == "__main__":
    main()
