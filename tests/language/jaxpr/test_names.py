# SPDX-License-Identifier: Apache-2.0
"""Names that libraries import: primitives, questions about traces, and what composed primitives compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.extend import core as extend

X = np.arange(12, dtype=np.float32).reshape(3, 4)
WINDOW = {"window_dimensions": (2, 2), "window_strides": (1, 1), "padding": ((0, 0), (0, 0)), "base_dilation": (1, 1),
          "window_dilation": (1, 1)}


def test_primitives_by_name() -> None:
    assert lax.add_p is extend.primitives.add_p and lax.scatter_add_p.name == "scatter-add"  # type: ignore[attr-defined]
    assert extend.primitives.jit_p.name == "jit" and extend.primitives.remat_p.name == "remat2"
    assert "add_p" not in dir(lax) and "add_p" in dir(extend.primitives)
    for name in extend.primitives.__all__:
        assert isinstance(getattr(extend.primitives, name), extend.Primitive), name
    with pytest.raises(AttributeError, match="unheard_of_p"):
        lax.unheard_of_p  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "params", "expected"), [
    ("square", {}, X * X), ("integer_pow", {"y": 3}, X**3), ("exp2", {"accuracy": None}, 2.0**X), ("copy", {}, X),
    ("reduce_window_max", WINDOW, X[1:, 1:]), ("reduce_window_min", WINDOW, X[:-1, :-1]),
    ("reduce_window_sum", WINDOW, X[1:, 1:] + X[:-1, 1:] + X[1:, :-1] + X[:-1, :-1]),
    ("cumlogsumexp", {"axis": 0, "reverse": False}, np.logaddexp.accumulate(X, 0)),
    ("reduce_precision", {"exponent_bits": 8, "mantissa_bits": 23}, X), ("tile", {"reps": (2, 1)}, np.tile(X, (2, 1))),
])
def test_composed_primitives(name: str, params: dict[str, Any], expected: np.ndarray) -> None:
    primitive = getattr(extend.primitives, f"{name}_p")
    np.testing.assert_allclose(olympus.jit(lambda x: primitive.bind(x, **params))(X), expected, rtol=1e-6)
    with pytest.raises(olympus.errors.ArgumentError, match="the parameters do not fit"):
        primitive.bind(X, **params, unheard_of=1)


def test_further_composed_primitives() -> None:
    p = extend.primitives
    np.testing.assert_array_equal(p.squeeze_p.bind(X[:1], dimensions=(0,)), X[0])
    np.testing.assert_array_equal(p.add_jaxvals_p.bind(X, X), 2 * X)
    np.testing.assert_array_equal(p.reduce_xor_p.bind(np.arange(5, dtype=np.int32), axes=(0,)), 0 ^ 1 ^ 2 ^ 3 ^ 4)
    q, r = p.qr_p.bind(X, full_matrices=False, pivoting=False, use_magma=None)
    np.testing.assert_allclose(q @ r, X, atol=1e-5)
    np.testing.assert_array_equal(p.split_p.bind(X, sizes=(1, len(X) - 1), axis=0)[1], X[1:])
    np.testing.assert_array_equal(p.stack_p.bind(X, X, axis=1), np.stack([X, X], 1))
    np.testing.assert_array_equal(p.unstack_p.bind(X, axis=0)[1], X[1])
    np.testing.assert_array_equal(p.optimization_barrier_p.bind(X, X)[1], X)
    np.testing.assert_array_equal(p.mulhi_p.bind(np.int32([1 << 30]), np.int32([8])), [2])
    known = {"reduction_dimension": -1, "recall_target": 0.95, "reduction_input_size_override": -1,
             "aggregate_to_topk": True}
    for is_max_k, wanted in ((True, X.max(-1)), (False, X.min(-1))):
        values, _ = p.approx_top_k_p.bind(X, k=1, is_max_k=is_max_k, **known)
        np.testing.assert_array_equal(values[:, 0], wanted)
    assert p.rng_uniform_p.bind(np.float32(0), np.float32(1), shape=(3,)).shape == (3,)
    lower = np.float32([[2, 1], [0, 3]])
    assert lax.linalg.cholesky_p is p.cholesky_p
    np.testing.assert_allclose(lax.linalg.symmetric_product_p.bind(lower, 0 * lower, alpha=1.0, beta=0.0),
                               lax.linalg.symmetric_product(lower, 0 * lower))
    np.testing.assert_array_equal(
        lax.linalg.lu_pivots_to_permutation_p.bind(np.int32([1, 1]), permutation_size=3), [1, 0, 2])
    with pytest.raises(AttributeError, match="unheard_of_p"):
        lax.linalg.unheard_of_p


def test_questions_about_traces() -> None:
    outside = extend.get_opaque_trace_state(convention="flax")
    seen: list[tuple[Any, ...]] = []

    def f(x: Any) -> Any:
        seen.append((extend.get_opaque_trace_state() == outside, extend.unsafe_am_i_under_a_jit_DO_NOT_USE(),
                     extend.unsafe_am_i_under_a_vmap_DO_NOT_USE(), extend.unsafe_get_axis_names_DO_NOT_USE(),
                     extend.nonempty_axis_env_DO_NOT_USE()))
        return x

    f(1.0)
    olympus.jit(f)(1.0)
    olympus.vmap(f, axis_name="b")(np.ones(2))
    olympus.grad(f)(1.0)
    olympus.jit(olympus.vmap(f))(np.ones(2))
    assert seen == [(True, False, False, [], False), (False, True, False, [], False),
                    (False, False, True, ["b"], True), (False, False, False, [], False),
                    (False, True, True, [], False)]


def test_other_traces_in_a_block() -> None:
    def f(x: Any) -> Any:
        with extend.take_current_trace() as trace:
            n = int(jnp.sum(jnp.arange(4)))
            with extend.set_current_trace(trace):
                y = jnp.sin(x)
        with olympus.core.eval_context():
            assert isinstance(jnp.ones(2) + 1, olympus.Array)
        assert extend.find_top_trace([x]) is trace
        return y * n

    np.testing.assert_allclose(olympus.jit(f)(1.0), 6 * np.sin(1), rtol=1e-6)


def test_small_names() -> None:
    assert extend.concrete_or_error(int, 3.0) == 3 and extend.concrete_or_error(None, "x") == "x"
    with pytest.raises(olympus.errors.ConcretizationError, match="in here"):
        olympus.jit(lambda x: extend.concrete_or_error(int, x, "in here"))(1)
    assert extend.gensym()(olympus.typeof(1.0)).aval == olympus.typeof(1.0)
    assert {np.ndarray, np.float32} <= extend.array_types
    assert olympus.core.max_dim(3, 4) == 4 and olympus.core.min_dim(3, 4) == 3
    assert isinstance(extend.Literal(1.0), olympus.core.Atom)
    assert isinstance(olympus.lax.create_token(), extend.Token)
    assert olympus.core.ensure_compile_time_eval is olympus.ensure_compile_time_eval
    (equation,) = olympus.make_jaxpr(jnp.sin)(1.0).eqns
    with equation.ctx.manager:  # as interpreters of the peers do
        assert equation.replace(params={}).ctx is equation.ctx
    assert olympus.jit(lambda x: jnp.float32(isinstance(x, olympus.core.Tracer)))(1.0) == 1


@pytest.mark.parametrize("call", [
    lambda: extend.jaxpr_as_fun(3), lambda: olympus.core.ShapedArray((2,), "nonsense"), lambda: olympus.vjp(3, 1.0),
    lambda: olympus.jvp(3, (1.0,), (1.0,)), lambda: olympus.linearize(3, 1.0), lambda: olympus.custom_jvp(3),
    lambda: olympus.custom_vjp(3), lambda: olympus.custom_gradient(3), lambda: olympus.closure_convert(3),
    lambda: olympus.custom_batching.custom_vmap(3), lambda: olympus.custom_batching.custom_vmap(jnp.sin).def_vmap(3),
    lambda: olympus.custom_jvp(jnp.sin).defjvp(3), lambda: olympus.custom_jvp(jnp.sin).defjvps(None, 3),
    lambda: olympus.custom_vjp(jnp.sin).defvjp(3, jnp.sin), lambda: olympus.custom_vjp(jnp.sin).defvjp(jnp.sin, 3),
    lambda: olympus.custom_derivatives.linear_call(3, jnp.sin, 1.0, 1.0),
    lambda: olympus.custom_derivatives.linear_call(jnp.sin, 3, 1.0, 1.0),
    lambda: olympus.export.symbolic_shape("n", scope=3),
])
def test_other_things_are_refused_where_a_function_or_a_program_is_needed(call: Any) -> None:
    with pytest.raises(olympus.errors.ArgumentError, match=r"needed|not known|scope is none"):
        call()


def test_transforms_over_several_dimensions_and_extremes_of_complex_numbers() -> None:
    p = extend.primitives
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for kind, lengths in (("FFT", (3, 4)), ("IFFT", (2, 3, 4)), ("IRFFT", (3, 6)), ("RFFT", (3, 4)), ("FFT", (4,))):
        operand = x if kind == "RFFT" else x.astype(np.complex64)
        np.testing.assert_array_equal(p.fft_p.bind(operand, fft_type=kind, fft_lengths=lengths),
                                      lax.fft(operand, kind, lengths))
    with pytest.raises(olympus.errors.ArgumentError, match="last dimensions"):
        p.fft_p.bind(x.astype(np.complex64), fft_type="FFT", fft_lengths=(3, 4), dimension=1)
    z = np.array([1 + 2j, 1 - 2j, -1j, 3], np.complex64)
    np.testing.assert_array_equal(p.max_p.bind(z, z[::-1]), np.maximum(z, z[::-1]))
    np.testing.assert_array_equal(p.min_p.bind(z, z[::-1]), np.minimum(z, z[::-1]))
    np.testing.assert_array_equal(p.reduce_max_p.bind(z, axes=(0,)), z.max())
    np.testing.assert_array_equal(p.argmin_p.bind(z, axes=(0,), index_dtype=np.int32), z.argmin())


def test_scatters_say_how_they_combine() -> None:
    x, i = jnp.zeros(3), jnp.array([0, 0])
    for method, name in (("add", "add"), ("multiply", "mul"), ("min", "min"), ("max", "max"), ("set", None)):
        closed = olympus.make_jaxpr(lambda x, u, method=method: getattr(x.at[i], method)(u))(x, jnp.ones(2))
        eqn = next(eqn for eqn in closed.eqns if eqn.primitive.name.startswith("scatter"))
        update = eqn.params["update_jaxpr"]
        assert (update and [one.primitive.name for one in update.eqns]) == (name and [name]), method
        assert update is None or [v.aval.shape for v in (*update.invars, *update.outvars)] == [(), (), ()]
        again = extend.jaxpr_as_fun(closed)(x + 2, jnp.array([3.0, 1.0]))[0]
        np.testing.assert_array_equal(again, getattr((x + 2).at[i], method)(jnp.array([3.0, 1.0])))
        bound = eqn.primitive.bind(x + 2, i[:, None], jnp.array([3.0, 1.0]), **eqn.params)
        np.testing.assert_array_equal(bound, again)
