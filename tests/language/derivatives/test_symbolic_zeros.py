# SPDX-License-Identifier: Apache-2.0
"""Rules that ask for symbolic zeros: which tangents and cotangents are known to be zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.custom_derivatives import (
    CustomVJPPrimal,
    SymbolicZero,
    custom_vjp_primal_tree_values,
    zero_from_primal,
)

seen: list[Any] = []


@pytest.fixture(autouse=True)
def _nothing_seen() -> None:
    seen.clear()


@olympus.custom_jvp
def product(x: Any, y: Any) -> Any:
    return x * y


def _product_rule(primals: Any, tangents: Any) -> Any:
    (x, y), (a, b) = primals, tangents
    seen.append([isinstance(t, SymbolicZero) for t in tangents])
    parts = [c * t for c, t in ((y, a), (x, b)) if not isinstance(t, SymbolicZero)]
    return x * y, sum(parts) if parts else zero_from_primal(x, symbolic_zeros=True)


product.defjvp(_product_rule, symbolic_zeros=True)


def test_tangents() -> None:
    assert float(olympus.grad(product)(2.0, 3.0)) == 3.0
    assert float(olympus.jit(olympus.grad(product, 1))(2.0, 3.0)) == 2.0
    assert float(olympus.jvp(product, (2.0, 3.0), (1.0, 1.0))[1]) == 5.0
    assert seen == [[False, True], [True, False], [False, False]]
    np.testing.assert_array_equal(olympus.vmap(olympus.grad(product))(jnp.arange(3.0), jnp.arange(3.0) + 4), [4, 5, 6])
    value = float(olympus.grad(lambda x: lax.scan(lambda c, _: (product(c, 3.0), None), x, None, length=2)[0])(2.0))
    assert value == 9.0


def test_a_tangent_that_a_rule_gives_may_be_a_symbolic_zero() -> None:
    f = olympus.custom_jvp(lambda x: (x, 2 * x))
    f.defjvp(lambda primals, tangents: (
        (primals[0], 2 * primals[0]), (SymbolicZero.from_primal_value(primals[0]), tangents[0])), symbolic_zeros=True)
    assert [float(t) for t in olympus.jvp(f, (1.0,), (1.0,))[1]] == [0.0, 1.0]
    assert float(olympus.jit(olympus.grad(lambda x: sum(f(x))))(1.0)) == 1.0


@olympus.custom_vjp
def both(x: Any, y: Any) -> Any:
    return {"product": x["a"] * y, "sum": x["a"] + y}


def _both_forward(x: Any, y: Any) -> Any:
    assert isinstance(x["a"], CustomVJPPrimal)
    seen.append((x["a"].perturbed, y.perturbed))
    values = custom_vjp_primal_tree_values((x, y))
    return both.fun(*values), values


def _both_backward(kept: Any, cotangents: Any) -> Any:
    x, y = kept
    seen.append({name for name, c in cotangents.items() if isinstance(c, SymbolicZero)})
    given = {name: 0.0 if isinstance(c, SymbolicZero) else c for name, c in cotangents.items()}
    of_y = given["product"] * x["a"] + given["sum"]
    return {"a": given["product"] * y + given["sum"]}, of_y


both.defvjp(_both_forward, _both_backward, symbolic_zeros=True)


@pytest.mark.parametrize("place", [lambda f: f, olympus.jit])
def test_arguments_and_cotangents(place: Any) -> None:
    x = {"a": jnp.asarray(2.0)}
    assert float(olympus.grad(place(lambda x: both(x, 3.0)["product"]))(x)["a"]) == 3.0
    assert seen == [(True, False), {"sum"}]
    seen.clear()
    found = olympus.grad(place(lambda x, y: both(x, y)["sum"]), (0, 1))(x, 3.0)
    assert (float(found[0]["a"]), float(found[1])) == (1.0, 1.0)
    assert seen == [(True, True), {"product"}]
    seen.clear()
    found = olympus.grad(place(lambda x, y: both(x, y)["sum"] * both(x, y)["product"]), (0, 1))(x, 3.0)
    assert (float(found[0]["a"]), float(found[1])) == (21.0, 16.0)


def test_a_cotangent_that_a_rule_gives_may_be_a_symbolic_zero() -> None:
    f = olympus.custom_vjp(lambda x, n: x)
    f.defvjp(lambda x, n: (x.value, None), lambda kept, c: (SymbolicZero.from_primal_value(c), zero_from_primal(1)),
             symbolic_zeros=True)
    np.testing.assert_array_equal(olympus.grad(lambda x: x.sum() + f(x, 1).sum())(jnp.ones(3)), [1, 1, 1])


def test_arguments_under_vmap_and_in_scan() -> None:
    xs = jnp.arange(3.0)
    found = olympus.vmap(olympus.grad(lambda x: both({"a": x}, 3.0)["product"]))(xs)
    np.testing.assert_array_equal(found, [3, 3, 3])

    def chain(x: Any) -> Any:
        return lax.scan(lambda c, _: (both({"a": c}, 3.0)["product"], None), x, None, length=2)[0]

    assert float(olympus.grad(chain)(2.0)) == 9.0


def test_symbolic_zeros_themselves() -> None:
    zero = SymbolicZero.from_primal_value(jnp.ones((2, 3), "bfloat16"))
    assert (zero.shape, zero.dtype, zero.ndim, zero.size) == ((2, 3), jnp.bfloat16, 2, 6)
    assert SymbolicZero.from_primal_value(jnp.arange(3)).dtype == olympus.dtypes.float0
    assert zero != SymbolicZero.from_primal_value(jnp.ones((2, 3), "bfloat16"))
    assert repr(zero) == "SymbolicZero"
    assert zero_from_primal(jnp.arange(3)).dtype == olympus.dtypes.float0
    np.testing.assert_array_equal(zero_from_primal(jnp.ones(2)), [0, 0])
    found = zero_from_primal({"a": jnp.ones(2), "b": (None, 3)})
    assert found["b"][0] is None and found["b"][1].dtype == olympus.dtypes.float0 and found["a"].shape == (2,)
    assert isinstance(zero_from_primal([1.0], symbolic_zeros=True)[0], SymbolicZero)
    assert repr(CustomVJPPrimal(1.0, False)) == "CustomVJPPrimal(value=1.0, perturbed=False)"
