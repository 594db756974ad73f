# SPDX-License-Identifier: Apache-2.0
"""Reductions over dimensions and over mapped axes that have names, beside the same reductions over the whole array."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import PartitionSpec as P
from olympus_core.errors import ArgumentError, UnboundAxisError

X = np.random.default_rng(0).normal(size=(4, 2, 3)).astype(np.float32) * 3
SOME = X > 0.5
# Axes inside of a map over the first dimension, and the whole array's dimensions that they mean.
AXES: list[tuple[Any, tuple[int, ...]]] = [
    ("i", (0,)), (("i", 0), (0, 1)), ((-1, "i"), (0, 2)), (["i", 1, 0], (0, 1, 2)),
]
FOLDS = {
    "sum": X, "prod": X, "max": X, "min": X, "any": SOME, "all": SOME, "mean": X, "var": X, "std": X, "ptp": X,
    "count_nonzero": SOME, "nansum": X, "nanmax": X, "nanmean": X, "average": X,
}


def _inside(f: Any, *args: Any) -> np.ndarray:
    """What the function gives for the first index, and that it gives the same for all."""
    found = np.asarray(olympus.vmap(f, axis_name="i")(*args))
    np.testing.assert_array_equal(found, np.broadcast_to(found[:1], found.shape))
    return found[0]


@pytest.mark.parametrize("name", FOLDS)
def test_folds(name: str) -> None:
    fold, x = getattr(jnp, name), FOLDS[name]
    for axis, dimensions in AXES:
        wanted = getattr(np, name)(x, axis=dimensions)
        np.testing.assert_allclose(_inside(lambda r, axis=axis: fold(r, axis=axis), x), wanted, rtol=2e-5)
        np.testing.assert_allclose(
            _inside(olympus.jit(lambda r, axis=axis: fold(r, axis=axis, keepdims=True)), x),
            getattr(np, name)(x, axis=dimensions, keepdims=True)[0], rtol=2e-5)


@pytest.mark.parametrize("name", ["sum", "mean", "var"])
def test_where(name: str) -> None:
    for axis, dimensions in AXES:
        found = _inside(lambda r, w, axis=axis: getattr(jnp, name)(r, axis=axis, where=w), X, SOME | (X < 0.1))
        wanted = getattr(np, name)(X.astype(np.float64), axis=dimensions, where=SOME | (X < 0.1))
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(_inside(lambda r, w: r.max("i", where=w, initial=1), X, SOME),
                               X.max(0, where=SOME, initial=1))
    np.testing.assert_allclose(_inside(lambda r: r.sum("i", initial=3), X), X.sum(0, initial=3), rtol=1e-5)


def test_shares() -> None:
    for axis, dimensions in AXES:
        powers = np.exp(X.astype(np.float64))
        wanted = powers / powers.sum(dimensions, keepdims=True)
        softmax = olympus.vmap(lambda r, axis=axis: olympus.nn.softmax(r, axis), axis_name="i")(X)
        np.testing.assert_allclose(softmax, wanted, rtol=1e-5)
        shares = olympus.vmap(lambda r, axis=axis: olympus.nn.log_softmax(r, axis), axis_name="i")(X)
        np.testing.assert_allclose(shares, np.log(wanted), rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(_inside(lambda r, axis=axis: olympus.nn.logsumexp(r, axis), X),
                                   np.log(powers.sum(dimensions)), rtol=1e-5)
        usual = olympus.vmap(lambda r, axis=axis: olympus.nn.standardize(r, axis, epsilon=0.0), axis_name="i")(X)
        np.testing.assert_allclose(
            usual, (X - X.mean(dimensions, keepdims=True)) / X.std(dimensions, keepdims=True), rtol=1e-4, atol=1e-5)


def test_collectives_take_dimensions() -> None:
    for axis, dimensions in AXES:
        for name, wanted in (("psum", X.sum(dimensions)), ("pmax", X.max(dimensions)), ("pmin", X.min(dimensions)),
                             ("pmean", X.mean(dimensions))):
            found = _inside(lambda r, name=name, axis=axis: getattr(lax, name)(r, axis), X)
            np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=1e-6)


def test_derivative() -> None:
    def loss(x: Any) -> Any:
        return (olympus.vmap(lambda r: r - r.mean(("i", 0)), axis_name="i")(x) ** 2).sum()

    np.testing.assert_allclose(olympus.grad(loss)(X), 2 * (X - X.mean((0, 1))), rtol=1e-4, atol=1e-5)


def test_devices_and_what_is_the_same_for_all() -> None:
    mesh = olympus.make_mesh((4,), ("i",))
    mean = olympus.shard_map(lambda r: r.mean(("i", 0, 1)), mesh=mesh, in_specs=P("i"), out_specs=P())
    np.testing.assert_allclose(mean(X), X.mean((0, 1)), rtol=1e-5)
    for size in (2, 5):  # nothing of one size is used again for another one
        sums = olympus.vmap(lambda r: r + jnp.sum(jnp.arange(3), axis="i"), axis_name="i")(jnp.zeros(size))
        np.testing.assert_array_equal(sums, np.tile(np.arange(3) * size, (size, 1)))


def test_refusals() -> None:
    with pytest.raises(UnboundAxisError):
        jnp.sum(X, axis="j")
    with pytest.raises(ArgumentError, match="named twice"):
        olympus.vmap(lambda r: r.sum(("i", "i")), axis_name="i")(X)
    with pytest.raises(ArgumentError, match="axis is not an integer"):
        jnp.sum(X, axis=1.5)  # type: ignore[arg-type]
