"""Loops and branches inside of programs."""

from __future__ import annotations

from typing_extensions import assert_type

import olympus
import olympus.numpy as jnp
from olympus import Array, lax


def collatz(n: Array) -> Array:
    def proceed(state: tuple[Array, Array]) -> Array:
        return state[0] != 1

    def advance(state: tuple[Array, Array]) -> tuple[Array, Array]:
        n, count = state
        return lax.cond(n % 2 == 0, lambda n: n // 2, lambda n: 3 * n + 1, n), count + 1

    last, count = lax.while_loop(proceed, advance, (n, 0))
    assert_type(last, Array)
    return count


def powers(x: Array, count: int) -> Array:
    def multiplied(i: Array, y: Array) -> Array:
        return y * x

    return lax.fori_loop(0, count, multiplied, jnp.ones_like(x))


def averaged(x: Array) -> tuple[Array, Array]:
    def step(mean: Array, item: Array) -> tuple[Array, Array]:
        mean = 0.9 * mean + 0.1 * item
        return mean, mean

    return lax.scan(step, 0.0, x)


@olympus.jit
def chosen(which: Array, x: Array) -> Array:
    def negated(x: Array) -> Array:
        return -x

    return lax.switch(which, [jnp.sin, jnp.cos, negated], x)


def main() -> int:
    count = olympus.jit(collatz)(jnp.int32(6))
    assert_type(count, Array)
    assert_type(averaged(jnp.arange(4.0)), tuple[Array, Array])
    assert_type(lax.map(collatz, jnp.array([3, 4])), Array)
    assert_type(lax.associative_scan(jnp.add, jnp.arange(4)), Array)
    assert_type(jnp.where(count > 2, 1.0, 2.0), Array)
    assert_type(jnp.where(jnp.arange(3) > 1), tuple[Array, ...])
    assert float(powers(jnp.float32(2), 3)) == 8.0
    assert float(chosen(jnp.int32(2), jnp.float32(3))) == -3.0
    return int(count)


if __name__ == "__main__":
    main()
