# SPDX-License-Identifier: Apache-2.0
"""Derivatives in manual regions, of values that all devices share: against central differences of the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import CotangentError
from olympus.sharding import PartitionSpec as P

RANDOM = np.random.RandomState(0)
X, W = RANDOM.rand(8, 4), RANDOM.rand(2)
DX, DW = RANDOM.randn(8, 4), RANDOM.randn(2)
BOTH = ("i", "j")
WHOLE, EACH, ROWS = P(), P("i", "j"), P("j")  # of results: all devices', each device's own, one for each j


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    with olympus.enable_x64(True):
        yield


@pytest.fixture(scope="module")
def mesh() -> olympus.Mesh:
    return olympus.make_mesh((4, 2), BOTH)


@olympus.custom_vjp
def total(x: Any) -> Any:
    return lax.psum(x, "i")


@olympus.custom_vjp
def weighted(w: Any, x: Any) -> Any:
    return jnp.sum(w * x * x)


@olympus.custom_vjp
def square(w: Any) -> Any:
    return w * w


total.defvjp(lambda x: (lax.psum(x, "i"), None), lambda _, c: (c,))
# Of the parameters a rule may give the whole cotangent, or each device's part.
weighted.defvjp(lambda w, x: (weighted(w, x), (w, x)),
                lambda kept, c: (lax.psum(jnp.sum(c * kept[1] ** 2, 0), BOTH), 2 * c * kept[0] * kept[1]))
square.defvjp(lambda w: (w * w, w), lambda w, c: (2 * w * c,))


def loss(w: Any, x: Any) -> Any:
    return jnp.sum(jnp.sin(x * w))


def mean(w: Any, x: Any) -> Any:
    return lax.pmean(loss(w, x), BOTH)


def step(w: Any, x: Any) -> Any:
    return w - 0.3 * olympus.grad(mean)(w, x)


def steps(w: Any, x: Any) -> Any:
    return lax.scan(lambda w, _: (step(w, x), None), w, None, length=3)[0]


def until(w: Any, x: Any) -> Any:
    return lax.while_loop(lambda s: s[0] < 2, lambda s: (s[0] + 1, step(s[1], x)), (0, w))[1]


def split(x: Any) -> Any:
    return jnp.tile(x, (4, 1))


BODIES: dict[str, tuple[Callable[[Any, Any], Any], P]] = {
    "each": (loss, EACH),
    "sum": (lambda w, x: lax.psum(loss(w, x), BOTH), WHOLE),
    "sum of columns": (lambda w, x: lax.psum(loss(w, x), "i"), ROWS),
    "mean": (mean, WHOLE),
    "with a term of the parameters": (lambda w, x: mean(w, x) + jnp.sum(w ** 2), WHOLE),
    "parameters only": (lambda w, x: jnp.sum(w ** 2), WHOLE),
    "product of both": (lambda w, x: mean(w, x) * loss(w, x), EACH),
    "maximum": (lambda w, x: lax.pmax(loss(w, x), BOTH), WHOLE),
    "gathered": (lambda w, x: jnp.sum(lax.all_gather(x * w, "i") ** 2), EACH),
    "gathered parameters": (lambda w, x: jnp.sum(lax.all_gather(w * w, "i")), P("i")),
    "permuted": (lambda w, x: jnp.sum(lax.ppermute(x * w, "i", [(k, (k + 1) % 4) for k in range(4)]) * x), EACH),
    "scattered": (lambda w, x: jnp.sum(lax.psum_scatter(split(x * w), "i", tiled=True) ** 2), EACH),
    "by index": (lambda w, x: jnp.sum(w) * lax.axis_index("i"), P("i")),
    "constant of a loop": (lambda w, x: lax.scan(lambda c, _: (c + mean(w, x), None), 0.0, None, length=3)[0], WHOLE),
    "carried": (lambda w, x: jnp.sum(lax.scan(
        lambda c, _: (c + lax.psum(jnp.sum(x * c, 0), BOTH) * 0.1, None), w, None, length=3)[0]), WHOLE),
    "grows in a loop": (lambda w, x: jnp.sum(lax.scan(lambda c, _: (c * x[0], None), w, None, length=2)[0]), EACH),
    "trained in a loop": (lambda w, x: jnp.sum(steps(w, x)), WHOLE),
    "chosen": (lambda w, x: lax.cond(w[0] > 0, lambda w: mean(w, x), lambda w: jnp.sum(w), w), WHOLE),
    "trained in a branch": (lambda w, x: jnp.sum(lax.cond(w[0] > 0, lambda w: step(w, x), lambda w: w, w)), WHOLE),
    "jitted": (lambda w, x: olympus.jit(lambda w: mean(w, x))(w), WHOLE),
    "trained in jit": (lambda w, x: jnp.sum(olympus.jit(step)(w, x)), WHOLE),
    "computed again": (lambda w, x: olympus.checkpoint(lambda w: mean(w, x))(w), WHOLE),
    "trained and computed again": (lambda w, x: jnp.sum(olympus.checkpoint(lambda w: step(w, x))(w)), WHOLE),
    "batched": (lambda w, x: lax.psum(jnp.sum(olympus.vmap(lambda r: loss(w, r))(x)), BOTH), WHOLE),
    "of a gradient": (lambda w, x: jnp.sum(olympus.grad(mean)(w, x) ** 2), WHOLE),
    "of a Jacobian": (lambda w, x: jnp.sum(olympus.jacrev(olympus.grad(mean))(w, x) ** 2), WHOLE),
    "of forward mode": (lambda w, x: jnp.sum(olympus.jvp(
        lambda w: olympus.grad(mean)(w, x), (w,), (w,))[1]), WHOLE),
    "of a transpose": (lambda w, x: jnp.sum(olympus.linear_transpose(
        lambda v: lax.psum(jnp.sum(v * jnp.sin(x), 0), BOTH), w)(w * w)[0]), WHOLE),
    "rule of a sum": (lambda w, x: jnp.sum(lax.psum(total(x * w), "j") ** 2), WHOLE),
    "rule of a sum in a loop": (lambda w, x: jnp.sum(lax.scan(
        lambda c, _: (jnp.sum(lax.psum(total(x * c), "j"), 0) * 0.1, None), w, None, length=2)[0]), WHOLE),
    "rule that sums": (weighted, EACH),
    "rule that sums in a loop": (lambda w, x: lax.scan(
        lambda c, _: (c + weighted(w, x), None), lax.pcast(0.0, BOTH, to="varying"), None, length=2)[0], EACH),
    "rule of parameters": (lambda w, x: jnp.sum(square(w)) + loss(w, x), EACH),
    "rule of parameters only": (lambda w, x: jnp.sum(square(w)), WHOLE),
    "rule of parameters in a loop": (lambda w, x: jnp.sum(lax.scan(
        lambda c, _: (square(c) * 0.5, None), w, None, length=3)[0]), WHOLE),
}


def outside(mesh: olympus.Mesh, name: str) -> Callable[[Any, Any], Any]:
    """The sum of the function's results, each value counted once."""
    f, spec = BODIES[name]
    shape = tuple(1 for _ in range(2 if spec is EACH else len(spec)))
    mapped = olympus.shard_map(lambda w, x: jnp.reshape(f(w, x), shape), mesh=mesh, in_specs=(P(), EACH),
                               out_specs=spec)
    return lambda w, x: jnp.sum(mapped(w, x))


@pytest.mark.parametrize("name", BODIES)
def test_against_differences(mesh: olympus.Mesh, name: str) -> None:
    whole = olympus.jit(outside(mesh, name))
    expected = (whole(W + 1e-6 * DW, X + 1e-6 * DX) - whole(W - 1e-6 * DW, X - 1e-6 * DX)) / 2e-6
    f = BODIES[name][0]
    inside = olympus.shard_map(olympus.grad(f, (0, 1)), mesh=mesh, in_specs=(P(), EACH), out_specs=(P(), EACH))
    for gradient in (inside, olympus.grad(outside(mesh, name), (0, 1))):
        of_w, of_x = olympus.jit(gradient)(W, X)
        np.testing.assert_allclose(np.sum(of_w * DW) + np.sum(of_x * DX), expected, rtol=1e-6, atol=1e-7)


def test_loops_that_are_not_differentiated_train(mesh: olympus.Mesh) -> None:
    for f in (steps, until):
        trained = olympus.shard_map(f, mesh=mesh, in_specs=(P(), EACH), out_specs=P())(W, X)
        w = W.copy()
        for _ in range(3 if f is steps else 2):
            w -= 0.3 * sum((np.cos(x * w) * x).sum(0) for x in np.split(X, 2, 1)) / 8
        np.testing.assert_allclose(trained, w, rtol=1e-12)


def test_axes_that_are_not_checked_or_not_manual(mesh: olympus.Mesh) -> None:
    """Without types each device's parameters are its own; where an axis is not manual there is one value."""
    own = olympus.shard_map(lambda w, x: olympus.grad(mean)(w, x)[None, None], mesh=mesh, in_specs=(P(), EACH),
                            out_specs=EACH, check_vma=False)(W, X)
    x = X.reshape(4, 2, 2, 2)
    np.testing.assert_allclose(own, np.sum(np.cos(x * W) * x, 1).reshape(4, 2, 2), rtol=1e-12)
    part = olympus.shard_map(lambda w, x: olympus.grad(lambda w: lax.pmean(jnp.sum(jnp.sin(x[:, :2] * w)), "i"))(w),
                             mesh=mesh, in_specs=(P(), P("i")), out_specs=P(), axis_names={"i"})
    np.testing.assert_allclose(olympus.jit(part)(W, X), np.sum(np.cos(X[:, :2] * W) * X[:, :2], 0) / 4, rtol=1e-12)


def test_collectives_of_forward_rules(mesh: olympus.Mesh) -> None:
    @olympus.custom_jvp
    def f(x: Any) -> Any:
        return lax.psum(x ** 2, BOTH)

    f.defjvp(lambda primals, tangents: (f(*primals), lax.psum(2 * primals[0] * tangents[0], BOTH)))
    whole = lambda x: olympus.shard_map(f, mesh=mesh, in_specs=EACH, out_specs=P())(x).sum()
    for g in (olympus.grad(whole), olympus.jit(olympus.grad(whole))):
        np.testing.assert_allclose(g(X), 2 * X * np.tile(1.0, (8, 4)), rtol=1e-12)
    np.testing.assert_allclose(olympus.jvp(whole, (X,), (DX,))[1], (2 * X * DX).sum(), rtol=1e-12)


def test_three_devices_share_evenly() -> None:
    mesh = olympus.make_mesh((3,), ("i",), devices=olympus.devices()[:3])
    x = RANDOM.rand(3)
    found = olympus.shard_map(olympus.grad(lambda w, x: lax.pmean(jnp.sum(w * x), "i")), mesh=mesh,
                              in_specs=(P(), P("i")), out_specs=P())(2.0, x)
    np.testing.assert_allclose(found, x.mean(), rtol=1e-15)


def test_a_cotangent_that_differs_of_a_value_that_does_not(mesh: olympus.Mesh) -> None:
    def f(w: Any, x: Any) -> Any:
        return olympus.vjp(lambda w: lax.psum(w * x, BOTH), w)[1](x)[0]

    with pytest.raises(CotangentError, match=r"varies over 'i', 'j'"):
        olympus.shard_map(f, mesh=mesh, in_specs=(P(), EACH), out_specs=P())(W, X)
