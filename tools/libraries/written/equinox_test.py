"""What equinox's documentation says, for which its distribution has no tests: run with JAX and with olympus."""

import functools as ft
import io
import warnings

import equinox as eqx
import equinox.internal as eqxi
import jax
import jax.numpy as jnp
import jax.random as jr
import jax.tree_util as jtu
import numpy as np
import pytest

KEY = jr.PRNGKey(0)


class Linear(eqx.Module):
    weight: jax.Array
    bias: jax.Array | None
    name: str = eqx.field(static=True, default="linear")

    def __call__(self, x):
        return self.weight @ x if self.bias is None else self.weight @ x + self.bias


def make(bias=True):
    return Linear(jnp.arange(6.0).reshape(2, 3), jnp.ones(2) if bias else None)


def test_modules_are_trees():
    leaves, structure = jtu.tree_flatten(make())
    assert len(leaves) == 2 and jtu.tree_unflatten(structure, leaves).name == "linear"
    with pytest.raises(AttributeError):
        make().weight = 1
    assert "Linear(" in str(make()) and "f32[2,3]" in str(make())


def test_filter_jit_traces_once_for_equal_statics():
    traces = []

    @eqx.filter_jit
    def f(model, x, flag):
        traces.append(1)
        return model(x) if flag else x.sum()

    np.testing.assert_allclose(f(make(), jnp.ones(3), True), [4, 13])
    f(make(), jnp.zeros(3), True)
    assert len(traces) == 1
    assert float(f(make(), jnp.ones(3), False)) == 3 and len(traces) == 2


def test_filter_grad_and_value_and_grad():
    grads = eqx.filter_grad(lambda m, x: jnp.sum(m(x) ** 2))(make(), jnp.ones(3))
    np.testing.assert_allclose(grads.bias, [8, 26])
    (value, aux), grads = eqx.filter_value_and_grad(lambda m: (jnp.sum(m.weight), m.name), has_aux=True)(make(False))
    assert float(value) == 15 and aux == "linear" and grads.bias is None
    hessian = eqx.filter_hessian(lambda x: jnp.sum(x ** 3))(jnp.arange(2.0))
    np.testing.assert_allclose(hessian, [[0, 0], [0, 6]])
    np.testing.assert_allclose(eqx.filter_jacrev(make())(jnp.ones(3)), make().weight)
    np.testing.assert_allclose(eqx.filter_jacfwd(make())(jnp.ones(3)), make().weight)


def test_filter_jvp_vjp_and_closures():
    out, tangent = eqx.filter_jvp(lambda x, n: (x * 2, n), (jnp.ones(2), "a"), (jnp.ones(2), None))
    assert out[1] == "a" and tangent[1] is None
    np.testing.assert_allclose(tangent[0], [2, 2])
    out, back = eqx.filter_vjp(make(), jnp.ones(3))
    np.testing.assert_allclose(back(jnp.ones(2))[0], [3, 5, 7])
    closed = eqx.filter_closure_convert(lambda x: make()(x), jnp.ones(3))
    np.testing.assert_allclose(closed(jnp.ones(3)), [4, 13])


def test_filter_vmap_and_ensembles():
    models = eqx.filter_vmap(lambda key: eqx.nn.Linear(3, 2, key=key))(jr.split(KEY, 5))
    assert models.weight.shape == (5, 2, 3)
    out = eqx.filter_vmap(lambda m, x: m(x), in_axes=(eqx.if_array(0), None))(models, jnp.ones(3))
    np.testing.assert_allclose(out, models.weight.sum(-1) + models.bias, rtol=1e-5)
    doubled = eqx.filter_vmap(lambda x, n: x * n, in_axes=(1, None), out_axes=1)(jnp.ones((2, 3)), 2)
    assert doubled.shape == (2, 3)


def test_filter_pmap():
    out = eqx.filter_pmap(lambda m, x: m(x), in_axes=(None, 0))(make(), jnp.ones((1, 3)))
    np.testing.assert_allclose(out, [[4, 13]])


def test_tree_functions():
    model = eqx.tree_at(lambda m: m.bias, make(), jnp.zeros(2))
    np.testing.assert_allclose(model(jnp.ones(3)), [3, 12])
    assert eqx.tree_at(lambda m: m.bias, make(False), 1, is_leaf=lambda x: x is None).bias == 1
    assert eqx.tree_equal(make(), make()) and not eqx.tree_equal(make(), make(False))
    arrays, rest = eqx.partition(make(), eqx.is_array)
    assert eqx.tree_equal(eqx.combine(arrays, rest), make())
    assert eqx.tree_inference(eqx.nn.Dropout(0.5), True).inference
    updated = eqx.apply_updates(make(), jtu.tree_map(jnp.ones_like, make()))
    np.testing.assert_allclose(updated.bias, [2, 2])
    assert eqx.filter_eval_shape(make(), jax.ShapeDtypeStruct((3,), jnp.float32)).shape == (2,)
    assert eqx.tree_check(make()) is None
    assert "bias" in eqx.tree_pformat(make())


def test_serialisation():
    file = io.BytesIO()
    eqx.tree_serialise_leaves(file, (make(), 3, 2.5, True, np.arange(2)))
    file.seek(0)
    like = (jtu.tree_map(jnp.zeros_like, make()), 0, 0.0, False, np.zeros(2, int))
    model, *rest = eqx.tree_deserialise_leaves(file, like)
    assert eqx.tree_equal(model, make()) and rest[:3] == [3, 2.5, True]


@pytest.mark.parametrize("kind", ["lax", "checkpointed", "bounded"])
def test_while_loops(kind):
    def run(x):
        return eqxi.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * x), (0, x), kind=kind, max_steps=16)[1]

    assert float(jax.jit(run)(2.0)) == 64
    if kind == "lax":
        assert float(jax.jvp(run, (2.0,), (1.0,))[1]) == 192
    else:
        assert float(jax.grad(run)(2.0)) == 192
        np.testing.assert_allclose(jax.vmap(jax.grad(run))(jnp.array([1.0, 2.0])), [6, 192])


def test_scans():
    def run(x):
        return eqxi.scan(lambda c, y: (c * y, c), x, jnp.arange(1.0, 5.0), kind="checkpointed", checkpoints=2)[0]

    assert float(jax.grad(run)(2.0)) == 24


def test_custom_rules():
    @eqx.filter_custom_vjp
    def f(x, scale, *, name):
        return x * scale

    @f.def_fwd
    def fwd(perturbed, x, scale, *, name):
        return x * scale, scale

    @f.def_bwd
    def bwd(residual, grad, perturbed, x, scale, *, name):
        return grad * residual * 10

    assert float(jax.grad(lambda x: f(x, 3.0, name="a"))(1.0)) == 30

    @eqx.filter_custom_jvp
    def g(x, y):
        return x * y

    @g.def_jvp
    def g_jvp(primals, tangents):
        return g(*primals), tangents[0] * 7

    assert float(jax.grad(lambda x: g(x, 2.0))(1.0)) == 7
    np.testing.assert_allclose(jax.vmap(jax.grad(lambda x: g(x, 2.0)))(jnp.ones(3)), [7, 7, 7])


def test_checkpoint_and_noinline():
    f = eqx.filter_checkpoint(lambda x, n: jnp.sin(x) * n)
    assert abs(float(jax.grad(lambda x: f(x, 2))(0.0)) - 2) < 1e-6
    inner = eqxi.noinline(lambda x: x ** 2)
    assert float(jax.jit(jax.grad(inner))(3.0)) == 6
    np.testing.assert_allclose(jax.vmap(inner)(jnp.arange(3.0)), [0, 1, 4])


def test_errors_at_run_time():
    @eqx.filter_jit
    def f(x):
        return eqx.error_if(x, x < 0, "must not be negative") * 2

    assert float(f(jnp.array(2.0))) == 4
    with pytest.raises(Exception, match="must not be negative"):
        jax.block_until_ready(f(jnp.array(-2.0)))
    assert float(jax.grad(lambda x: eqx.error_if(x, x < 0, "no") * 2)(1.0)) == 2
    with pytest.raises(Exception, match="second"):
        f = eqx.filter_jit(lambda x, i: eqx.branched_error_if(x, x < 0, i, ["first", "second"]))
        jax.block_until_ready(f(jnp.array(-2.0), jnp.array(1)))


def test_enumerations():
    class Result(eqx.Enumeration):
        good = "good"
        bad = "it went wrong"

    chosen = jax.jit(lambda p: Result.where(p, Result.good, Result.bad))(True)
    assert bool(chosen == Result.good) and Result[chosen] == "good"
    with pytest.raises(Exception, match="it went wrong"):
        jax.block_until_ready(eqx.filter_jit(lambda x, r: r.error_if(x, r != Result.good))(jnp.ones(2), Result.bad))


def test_callbacks():
    f = eqx.filter_jit(lambda x: eqx.filter_pure_callback(
        lambda x: np.asarray(x) * 2, x, result_shape_dtypes=jax.ShapeDtypeStruct((2,), jnp.float32)))
    np.testing.assert_allclose(f(jnp.arange(2.0)), [0, 2])


def test_jaxprs():
    jaxpr, out, static = eqx.filter_make_jaxpr(lambda x, n: (x + n, "a"))(jnp.ones(2), 3)
    assert jaxpr.jaxpr.eqns[-1].primitive.name == "add" and static[1] == "a"
    flat = jax.core.eval_jaxpr(eqxi.finalise_jaxpr(jaxpr).jaxpr, jaxpr.consts, jnp.ones(2))
    np.testing.assert_allclose(flat[0], [4, 4])


def test_debugging():
    model = eqx.nn.MLP(2, 2, 3, 1, key=KEY)
    f = eqx.debug.assert_max_traces(lambda x: x + 1, max_traces=1)
    jax.jit(f)(1.0)
    np.testing.assert_allclose(jax.grad(lambda x: eqx.debug.backward_nan(x, terminate=False) * 2)(1.0), 2)
    assert model.layers[0].weight.shape == (3, 2)


LAYERS = {
    "Linear": (lambda k: eqx.nn.Linear(4, 3, key=k), (4,), (3,)),
    "Identity": (lambda k: eqx.nn.Identity(), (4,), (4,)),
    "MLP": (lambda k: eqx.nn.MLP(4, 3, 5, 2, key=k), (4,), (3,)),
    "Conv1d": (lambda k: eqx.nn.Conv1d(2, 3, 3, padding=1, key=k), (2, 8), (3, 8)),
    "Conv2d": (lambda k: eqx.nn.Conv2d(2, 4, 3, groups=2, stride=2, key=k), (2, 9, 9), (4, 4, 4)),
    "circular": (lambda k: eqx.nn.Conv2d(2, 3, 3, padding="SAME", padding_mode="CIRCULAR", key=k), (2, 6, 6),
                 (3, 6, 6)),
    "ConvTranspose2d": (lambda k: eqx.nn.ConvTranspose2d(2, 3, 3, stride=2, key=k), (2, 4, 4), (3, 9, 9)),
    "AvgPool2d": (lambda k: eqx.nn.AvgPool2d(2, 2), (2, 6, 6), (2, 3, 3)),
    "MaxPool1d": (lambda k: eqx.nn.MaxPool1d(3, 2, use_ceil=True), (2, 8), (2, 4)),
    "AdaptiveAvgPool2d": (lambda k: eqx.nn.AdaptiveAvgPool2d(3), (2, 7, 8), (2, 3, 3)),
    "LayerNorm": (lambda k: eqx.nn.LayerNorm(4), (4,), (4,)),
    "RMSNorm": (lambda k: eqx.nn.RMSNorm(4), (4,), (4,)),
    "GroupNorm": (lambda k: eqx.nn.GroupNorm(2, 4), (4, 5), (4, 5)),
    "PReLU": (lambda k: eqx.nn.PReLU(0.2), (4,), (4,)),
    "Sequential": (lambda k: eqx.nn.Sequential([eqx.nn.Linear(4, 4, key=k), eqx.nn.Lambda(jax.nn.relu)]), (4,), (4,)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_are_differentiated_and_mapped(name):
    make_layer, shape, expected = LAYERS[name]
    layer, x = make_layer(KEY), jr.normal(KEY, shape)
    assert layer(x).shape == expected
    batch = jax.vmap(layer)(jnp.stack([x, 2 * x]))
    np.testing.assert_allclose(batch[0], layer(x), rtol=1e-4, atol=1e-5)
    grads = eqx.filter_jit(eqx.filter_grad(lambda m: jnp.sum(m(x) ** 2)))(layer)
    assert all(bool(jnp.all(jnp.isfinite(g))) for g in jtu.tree_leaves(grads))


def test_recurrent_layers_attention_and_embeddings():
    gru, lstm = eqx.nn.GRUCell(3, 4, key=KEY), eqx.nn.LSTMCell(3, 4, key=KEY)
    h, _ = jax.lax.scan(lambda h, x: (gru(x, h), None), jnp.zeros(4), jnp.ones((5, 3)))
    (h2, _), _ = jax.lax.scan(lambda c, x: (lstm(x, c), None), (jnp.zeros(4), jnp.zeros(4)), jnp.ones((5, 3)))
    assert h.shape == h2.shape == (4,)
    attention = eqx.nn.MultiheadAttention(2, 8, key=KEY)
    x = jr.normal(KEY, (5, 8))
    mask = jnp.tril(jnp.ones((5, 5), bool))
    masked = attention(x, x, x, mask=mask)
    np.testing.assert_allclose(masked[:2], attention(x[:2], x[:2], x[:2], mask=mask[:2, :2]), rtol=1e-4, atol=1e-5)
    assert eqx.nn.Embedding(7, 4, key=KEY)(jnp.array(3)).shape == (4,)
    assert eqx.nn.RotaryPositionalEmbedding(8)(x).shape == (5, 8)
    dropped = eqx.nn.Dropout(0.5)(jnp.ones(100), key=KEY)
    assert set(np.unique(dropped)) == {0, 2}


@pytest.mark.parametrize("mode", ["ema", "batch"])
def test_batch_norm_has_state(mode):
    norm, state = eqx.nn.make_with_state(eqx.nn.BatchNorm)(3, axis_name="batch", mode=mode)
    x = jr.normal(KEY, (16, 3)) * 2 + 1

    @eqx.filter_jit
    def run(state, x):
        return jax.vmap(norm, in_axes=(0, None), out_axes=(0, None), axis_name="batch")(x, state)

    out, state = run(state, x)
    np.testing.assert_allclose(out.mean(0), np.zeros(3), atol=1e-5)
    still = eqx.nn.inference_mode(norm)
    out, _ = jax.vmap(still, in_axes=(0, None), out_axes=(0, None), axis_name="batch")(x, state)
    assert out.shape == (16, 3)


def test_stateful_counters():
    class Counter(eqx.Module):
        index: eqx.nn.StateIndex

        def __init__(self):
            self.index = eqx.nn.StateIndex(jnp.array(0))

        def __call__(self, x, state):
            return x + state.get(self.index), state.set(self.index, state.get(self.index) + 1)

    counter, state = eqx.nn.make_with_state(Counter)()
    for i in range(3):
        out, state = eqx.filter_jit(counter)(jnp.array(10), state)
        assert int(out) == 10 + i


def test_shared_and_spectral_norm():
    shared = eqx.nn.Shared((make(), make()), where=lambda pair: pair[1].weight, get=lambda pair: pair[0].weight)
    first, second = shared()
    np.testing.assert_array_equal(first.weight, second.weight)
    norm, state = eqx.nn.make_with_state(eqx.nn.SpectralNorm)(
        eqx.nn.Linear(4, 4, key=KEY), "weight", num_power_iterations=20, key=KEY)
    out, state = norm(jnp.ones(4), state)
    assert out.shape == (4,)


def test_training_goes_down():
    model = eqx.nn.MLP(2, "scalar", 16, 2, activation=jax.nn.tanh, key=KEY)
    x = jr.normal(KEY, (64, 2))
    y = x[:, 0] * x[:, 1]

    @eqx.filter_jit(donate="all-except-first")
    def step(data, model):
        value, grads = eqx.filter_value_and_grad(lambda m: jnp.mean((jax.vmap(m)(data[0]) - data[1]) ** 2))(model)
        return eqx.apply_updates(model, jtu.tree_map(lambda g: -0.1 * g, grads)), value

    values = []
    for _ in range(30):
        model, value = step((x, y), model)
        values.append(float(value))
    assert values[-1] < 0.9 * values[0]


def test_methods_and_abstract_classes():
    class Base(eqx.Module):
        x: eqx.AbstractVar[int]

        @jax.jit
        def double(self):
            return self.x * 2

    class Derived(Base):
        x: int = 3

    assert int(Derived().double()) == 6
    with pytest.raises(TypeError):
        Base()
    assert int(eqx.filter_jit(Derived(4).double)()) == 8
    assert eqx.Partial(ft.partial(lambda a, b: a - b, 3), 1)() == 2


def test_kinds_of_leaves():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert eqx.is_array(jnp.ones(1)) and eqx.is_array(np.ones(1)) and not eqx.is_array(1.0)
    assert eqx.is_inexact_array(jnp.ones(1)) and not eqx.is_inexact_array(jnp.arange(2))
    assert eqx.is_array_like(1.0) and not eqx.is_array_like("a")
