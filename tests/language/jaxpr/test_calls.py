# SPDX-License-Identifier: Apache-2.0
"""Jitted functions, olympus's own among them, stay calls by name for those who look at programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
import olympus.scipy.linalg
from olympus.extend.core import jaxpr_as_fun
from olympus.sharding import PartitionSpec as P

V = jnp.arange(3.0) + 1
M = jnp.eye(3) + 0.1
KEY = olympus.random.key(0)
# JAX 0.10's names of the calls, by what is called.
ROWS = {
    olympus.nn: "celu elu hard_sigmoid hard_silu hard_tanh identity leaky_relu log_sigmoid log_softmax mish relu6 selu "
                "silu soft_sign softplus sparse_plus sparse_sigmoid squareplus standardize",
    jnp: "angle arccosh argsort count_nonzero cumprod cumsum diff i0 isinf isreal iscomplex "
         "modf nan_to_num nancumprod nancumsum nanmean nanprod nanstd nansum nanvar poly rint round signbit sinc "
         "sort trapezoid trunc vander frexp",
}
PAIRS = {jnp: "clip copysign convolve digitize divmod floor_divide fmax fmin fmod heaviside hypot isclose "
              "polyval remainder searchsorted"}
MATRICES = {
    jnp: "tril rot90 diagonal",
    jnp.linalg: "cholesky cond det eigh eigvals eigvalsh inv matrix_rank norm qr slogdet svd",
    olympus.scipy.linalg: "expm hessenberg lu lu_factor polar",
}
OTHERS: dict[str, Callable[[], Any]] = {
    "_std": lambda: jnp.std(V), "_var": lambda: jnp.var(V), "_ptp": lambda: jnp.ptp(V),
    "_nanargmax": lambda: jnp.nanargmax(V), "_linspace": lambda: jnp.linspace(0.0, 1.0, 5),
    "_where": lambda: jnp.where(V > V, V, V), "_take": lambda: jnp.take(V, jnp.arange(2)), "_one_hot":
    lambda: olympus.nn.one_hot(jnp.arange(3), 3), "quantile": lambda: jnp.quantile(V, 0.5),
    "solve": lambda: jnp.linalg.solve(M, V), "cross": lambda: jnp.cross(V, V), "kron": lambda: jnp.kron(M, M),
    "fft": lambda: jnp.fft.fft(V), "_normal": lambda: olympus.random.normal(KEY, (3,)),
    "_gamma": lambda: olympus.random.gamma(KEY, V), "_solve_triangular":
    lambda: olympus.scipy.linalg.solve_triangular(M, V),
}
CALLS: dict[str, Callable[[], Any]] = {
    **{f"{module.__name__}.{name}": lambda f=getattr(module, name), a=given: f(*a)
       for rows, given in ((ROWS, (V,)), (PAIRS, (V, V)), (MATRICES, (M,)))
       for module, names in rows.items() for name in names.split()},
    **OTHERS,
}


def names_in(f: Callable[..., Any], *args: Any) -> list[Any]:
    return [eqn.params.get("name", eqn.primitive.name) for eqn in olympus.make_jaxpr(f)(*args).eqns]


def equal(got: Any, wanted: Any) -> None:
    for x, y in zip(olympus.tree.leaves(got), olympus.tree.leaves(wanted), strict=True):
        assert (x.dtype, x.weak_type) == (y.dtype, y.weak_type)
        np.testing.assert_array_equal(np.asarray(x), np.asarray(y))


@pytest.mark.parametrize("name", CALLS)
def test_a_function_is_a_call_of_jaxs_name_and_gives_its_values(name: str) -> None:
    f = CALLS[name]
    assert name.rpartition(".")[2] in names_in(f)
    closed = olympus.make_jaxpr(f)()
    equal(jaxpr_as_fun(closed)(), olympus.jit(f)())


def test_calls_stay_calls_under_transformations() -> None:
    def f(x: Any) -> Any:
        return jnp.linalg.slogdet(x)[1]

    assert names_in(f, M) == ["slogdet"]
    assert names_in(olympus.vmap(f), M[None]) == ["slogdet"]
    assert names_in(olympus.grad(f), M)[0] == "slogdet"
    assert names_in(lambda x: olympus.jvp(f, (x,), (x,)), M)[0] == "slogdet"
    assert names_in(olympus.vmap(olympus.jit(lambda x: jnp.sin(x))), V) == ["<lambda>"]
    for g, x in ((olympus.vmap(f), M[None]), (olympus.grad(f), M), (olympus.vmap(olympus.grad(f)), M[None]),
                 (olympus.hessian(lambda x: olympus.nn.silu(x).sum()), V)):
        found, = jaxpr_as_fun(olympus.make_jaxpr(g)(x))(x)
        np.testing.assert_allclose(found, g(x), rtol=1e-5, atol=1e-6)


def test_what_is_compiled_has_no_calls() -> None:
    program = olympus.make_program(olympus.jit(lambda x: olympus.nn.silu(x)))(V)
    assert [operation.name for operation in program.operations] == ["logistic", "mul"]


@pytest.mark.parametrize("f", [
    lambda u, x: jnp.clip(u, 0, 2**32 - 1), lambda u, x: jnp.where(u > 1, u, 4_000_000_000),
    lambda u, x: u // 4_000_000_000, lambda u, x: jnp.fmax(u, 3_000_000_000),
    lambda u, x: jnp.clip(x, 0, 2**40), lambda u, x: jnp.where(x > 0, x, 2**40), lambda u, x: jnp.hypot(x, 2**40),
])
def test_integers_beyond_the_default_type_are_what_they_are_everywhere(f: Callable[..., Any]) -> None:
    u, x = jnp.arange(4, dtype=jnp.uint32), jnp.arange(4.0)
    wanted = f(np.arange(4, dtype=np.uint64), np.arange(4.0))
    ways = [f, olympus.jit(f), lambda u, x: olympus.vmap(f)(u, x),
            lambda u, x: olympus.jvp(lambda y: f(u, y), (x,), (x,))[0],
            lambda u, x: jaxpr_as_fun(olympus.make_jaxpr(f)(u, x))(u, x)[0]]
    for way in ways:
        np.testing.assert_allclose(np.asarray(way(u, x), np.float64), np.asarray(wanted, np.float64), rtol=1e-6)


@pytest.mark.parametrize("f", [
    lambda x: jnp.where(x > 0, 1, 2), lambda x: jnp.where(x > 0, 1.0, 2), lambda x: olympus.lax.mul(2.0, 3.0)])
def test_weakly_typed_results_stay_so(f: Callable[..., Any]) -> None:
    closed = olympus.make_jaxpr(f)(V)
    equal(jaxpr_as_fun(closed)(V), f(V))
    assert (olympus.jit(jaxpr_as_fun(closed))(V)[0] + jnp.float16(1)).dtype == (f(V) + jnp.float16(1)).dtype


def test_calls_stay_calls_in_manual_regions() -> None:
    mesh = olympus.make_mesh((2,), ("i",), devices=olympus.devices()[:2])
    total = olympus.jit(lambda y: olympus.lax.psum(y, "i") * olympus.lax.axis_index("i"))

    def f(x: Any) -> Any:
        return total(x) + jnp.linalg.slogdet(jnp.eye(3) + x[0])[1] + olympus.nn.silu(x)

    mapped = olympus.shard_map(f, mesh=mesh, in_specs=P("i"), out_specs=P("i"))
    x = jnp.arange(4.0)
    for g in (mapped, olympus.grad(lambda x: mapped(x).sum())):
        closed = olympus.make_jaxpr(g)(x)
        for again in (jaxpr_as_fun(closed), olympus.jit(jaxpr_as_fun(closed))):
            np.testing.assert_allclose(again(x)[0], g(x), rtol=1e-6)
    inside, = [eqn.params["jaxpr"] for eqn in olympus.make_jaxpr(mapped)(x).eqns]
    names = [eqn.params.get("name") for eqn in inside.eqns]
    assert [name for name in names if name] == ["<lambda>", "slogdet", "silu"]


def test_calls_know_the_axes_that_are_mapped_around_them() -> None:
    mean = olympus.jit(lambda x: olympus.lax.pmean(x, "i"))
    for size in (4, 2):  # the second would have the first one's size
        x = jnp.arange(3.0 * size).reshape(size, 3)

        def again(x: Any) -> Any:
            closed = olympus.make_jaxpr(lambda x: (mean(x), jnp.nanmean(x, axis=("i", 0))))(x)
            assert [eqn.params["name"] for eqn in closed.eqns] == ["<lambda>", "nanmean"]
            return jaxpr_as_fun(closed)(x)

        found, whole = olympus.vmap(again, axis_name="i")(x)
        np.testing.assert_allclose(found, np.broadcast_to(np.mean(x, 0), (size, 3)), rtol=1e-6)
        np.testing.assert_allclose(whole, np.full(size, np.mean(x)), rtol=1e-6)
        sizes = olympus.make_jaxpr(mean, axis_env=[("i", size)])(jnp.ones(3)).eqns[0].params["jaxpr"].eqns[-1]
        assert float(sizes.invars[1].val) == size
        slopes = olympus.make_jaxpr(lambda x: olympus.jvp(mean, (x,), (x,)), axis_env=[("i", size)])(jnp.ones(3))
        divisors = [eqn.invars[1].val for eqn in slopes.eqns if eqn.primitive.name == "div"]
        assert divisors and {float(x) for x in divisors} == {size}
