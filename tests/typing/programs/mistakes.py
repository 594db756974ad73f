"""Mistakes that type checkers find: each line is one, and a checker that does not see it fails the check."""

from __future__ import annotations

import olympus
import olympus.numpy as jnp
from olympus import Array


@olympus.jit
def scaled(x: Array, *, by: float = 2.0) -> Array:
    return x * by


def main() -> None:
    """Is never called."""
    x = jnp.ones(3)
    scaled("text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    scaled(x, of=2.0)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    olympus.vmap(scaled)(x, by="text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    olympus.grad(scaled)()  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    olympus.jit(3)  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    x[0] = 1.0  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
    x.summ()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]
    jnp.sin("text")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    jnp.sum(x, axis=1.5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    jnp.zeros(3, 4)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    olympus.lax.cond(True, jnp.sin, 3, x)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
