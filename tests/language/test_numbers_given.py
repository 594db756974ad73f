# SPDX-License-Identifier: Apache-2.0
"""What a user's function gets for Python's numbers and NumPy's arrays, wherever it is called: typed values.

The expected kinds are those that JAX 0.10 hands out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax, tree
from olympus.sharding import PartitionSpec as P
from olympus.sharding import SingleDeviceSharding

GIVEN = (2.0, {"a": 3, "b": True}, np.ones(2, np.float32))
KINDS = [("float32", True, ()), ("int32", True, ()), ("bool", False, ()), ("float32", False, (2,))]
X = np.arange(3.0, dtype=np.float32)


def _seen(place: Any, make: Any) -> list[list[tuple[str, bool, tuple[int, ...]]]]:
    """What a transformed function finds when it is called at a place."""
    found = []

    def look(*args: Any, **kwargs: Any) -> Any:
        leaves = tree.leaves((args, kwargs))
        found.append([(x.dtype.name, bool(x.weak_type), x.shape) for x in leaves])
        return leaves[0] * 2

    transformed = make(look)
    place(lambda: transformed(*GIVEN))
    return found


def _in_region(g: Any) -> Any:
    mesh = olympus.make_mesh((1,), ("i",))
    return olympus.shard_map(lambda x: (g(), x)[1], mesh=mesh, in_specs=P("i"), out_specs=P("i"))(X)


def _with_reference(g: Any) -> Any:
    def f(x: Any) -> Any:
        ref = olympus.new_ref(x)
        ref[...] = ref[...] * g()
        return ref[...]

    return olympus.jit(f)(X)


def _ruled(g: Any) -> Any:
    function = olympus.custom_vjp(lambda x: x * g())
    function.defvjp(lambda x: (x * g(), x), lambda x, c: (c * g(),))
    return function


PLACES = {
    "outside": lambda g: g(),
    "jit": lambda g: olympus.jit(lambda x: x * g())(X),
    "grad": lambda g: olympus.grad(lambda x: x * g())(1.0),
    "jvp": lambda g: olympus.jvp(lambda x: x * g(), (1.0,), (1.0,)),
    "vmap": lambda g: olympus.vmap(lambda x: x * g())(X),
    "vmap with a name": lambda g: olympus.vmap(lambda x: x * g(), axis_name="i")(X),
    "jit of it": lambda g: olympus.jit(olympus.vmap(lambda x: x * g(), axis_name="i"))(X),
    "its gradient": lambda g: olympus.jit(olympus.vmap(olympus.grad(lambda x: x * g()), axis_name="i"))(X),
    "shard_map": _in_region,
    "references": _with_reference,
    "scan": lambda g: lax.scan(lambda c, x: (c, x * g()), 0.0, X),
    "checkpoint": lambda g: olympus.checkpoint(lambda x: x * g())(X),
    "rules": lambda g: (_ruled(g)(1.0), olympus.grad(_ruled(g))(1.0)),
    "jet": lambda g: olympus.experimental.jet.jet(lambda x: x * g(), (1.0,), ((1.0, 0.0),)),
    "shapes": lambda g: olympus.eval_shape(g),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("make", [
    olympus.jit, lambda f: olympus.jit(f, out_shardings=SingleDeviceSharding(olympus.devices()[0])), olympus.checkpoint,
], ids=["jit", "jit with shardings", "checkpoint"])
def test_a_function_gets_values(place: str, make: Any) -> None:
    found = _seen(PLACES[place], make)
    assert found and all(kinds == KINDS for kinds in found)


def test_static_arguments_stay_python_values() -> None:
    seen: list[Any] = []

    def f(n: Any, x: Any, *, k: Any) -> Any:
        seen.append((n, k))
        return x.astype(np.float32) * n

    called = olympus.jit(f, static_argnums=0, static_argnames="k")
    np.testing.assert_array_equal(olympus.vmap(lambda x: x * called(3, 2, k="a"), axis_name="i")(X), 6 * X)
    assert seen == [(3, "a")]


@pytest.mark.parametrize("make", [olympus.custom_jvp, olympus.custom_vjp], ids=["custom_jvp", "custom_vjp"])
def test_functions_with_rules_get_values(make: Any) -> None:
    seen: list[Any] = []

    def f(x: Any, y: Any) -> Any:
        seen.append((x.dtype.name, y.dtype.name))
        return x * y

    def of_values(x: Any, y: Any) -> Any:
        seen.append((x.dtype.name, y.dtype.name))
        return x * y, y

    ruled = make(f)
    if make is olympus.custom_jvp:
        ruled.defjvp(lambda primals, tangents: (of_values(*primals)[0], primals[1] * tangents[0]))
    else:
        ruled.defvjp(of_values, lambda y, c: (c * y, c))
    assert float(ruled(2.0, 3)) == 6.0
    assert float(olympus.grad(lambda x: ruled(x, 3.0))(2.0)) == 3.0
    np.testing.assert_array_equal(olympus.vmap(lambda x: x * ruled(2.0, 3))(X), 6 * X)
    np.testing.assert_array_equal(olympus.grad(lambda x: jnp.sum(x * ruled(2.0, 3)))(X), [6, 6, 6])
    assert set(seen) == {("float32", "int32"), ("float32", "float32")}


def test_solvers_get_values() -> None:
    def newton(f: Any, x: Any) -> Any:
        return lax.fori_loop(0, 9, lambda _, x: x - f(x) / olympus.grad(f)(x), x.astype(x.dtype))

    assert float(lax.custom_root(lambda x: x * x - 4.0, 1.0, newton, lambda g, y: y / g(1.0))) == 2.0
    halved = lax.custom_linear_solve(lambda x: x * 2.0, 3.0, lambda f, b: b / f(jnp.ones(b.shape, b.dtype)),
                                     symmetric=True)
    assert float(halved) == 1.5


def test_the_search_for_nan_gives_values() -> None:
    @olympus.jit
    def f(x: Any) -> Any:
        return jnp.log(x.astype(np.float32))

    with olympus.debug_nans(True), pytest.raises(FloatingPointError, match="log"):
        olympus.jit(lambda x: f(x) + 1)(-1)


def test_a_program_may_still_look_at_numbers() -> None:
    powers = olympus.jit(lambda x, n: sum((x ** i for i in range(n)), start=jnp.zeros_like(x)))
    np.testing.assert_array_equal(olympus.jit(lambda x: powers(x, 3))(X), 1 + X + X * X)
