# SPDX-License-Identifier: Apache-2.0
"""Functions of neural networks, against formulas in float64."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import nn
from olympus_core.errors import ArgumentError

X = np.array([-60.0, -3.5, -2.0, -0.5, 0.0, 0.25, 1.0, 2.9, 7.0, 60.0], np.float32)
M = np.random.default_rng(3).standard_normal((3, 4)).astype(np.float32)
erf = np.vectorize(math.erf)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def elu(x: np.ndarray, alpha: float = 1.0) -> np.ndarray:
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


FORMULAS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda x: np.maximum(x, 0), "relu6": lambda x: np.clip(x, 0, 6), "sigmoid": sigmoid,
    "silu": lambda x: x * sigmoid(x), "swish": lambda x: x * sigmoid(x), "softplus": lambda x: np.logaddexp(x, 0),
    "soft_sign": lambda x: x / (1 + abs(x)), "softsign": lambda x: x / (1 + abs(x)), "elu": elu, "celu": elu,
    "selu": lambda x: 1.0507009873554805 * elu(x, 1.6732632423543772), "tanh": np.tanh,
    "leaky_relu": lambda x: np.where(x >= 0, x, 0.01 * x), "hard_tanh": lambda x: np.clip(x, -1, 1),
    "hard_sigmoid": lambda x: np.clip(x + 3, 0, 6) / 6, "hard_swish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "hard_silu": lambda x: x * np.clip(x + 3, 0, 6) / 6, "log_sigmoid": lambda x: -np.logaddexp(-x, 0),
    "mish": lambda x: x * np.tanh(np.logaddexp(x, 0)), "squareplus": lambda x: (x + np.sqrt(x * x + 4)) / 2,
    "sparse_plus": lambda x: np.where(x <= -1, 0, np.where(x >= 1, x, (x + 1) ** 2 / 4)),
    "sparse_sigmoid": lambda x: (np.clip(x, -1, 1) + 1) / 2, "identity": lambda x: x,
    "gelu": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
}


def close(found: object, expected: np.ndarray, tolerance: float = 2e-6) -> None:
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", FORMULAS)
def test_activations(name: str) -> None:
    expected = FORMULAS[name](X.astype(np.float64))
    close(getattr(nn, name)(X), expected)
    close(olympus.jit(getattr(nn, name))(X), expected)
    whole = np.array([-2, 0, 3])
    close(getattr(nn, name)(whole), FORMULAS[name](whole.astype(np.float64)), 1e-5)


@pytest.mark.parametrize("name", ["relu", "silu", "gelu", "softmax", "log_softmax", "standardize"])
def test_halves_stay_halves(name: str) -> None:
    assert getattr(nn, name)(jnp.ones((2, 3), jnp.bfloat16)).dtype == jnp.bfloat16


def test_tails_stay_exact() -> None:
    far = np.array([-80.0, 80.0], np.float32)
    assert float(nn.softplus(far)[0]) > 0 and float(nn.softplus(far)[1]) == 80
    assert float(nn.sigmoid(far)[0]) > 0 and float(nn.log_sigmoid(far)[0]) == -80
    assert np.isfinite(np.asarray(nn.elu(np.float32(1000)))).all()


def test_gelu_exactly() -> None:
    close(nn.gelu(X, approximate=False), X * 0.5 * (1 + erf(X.astype(float) / math.sqrt(2))))


def test_parameters() -> None:
    close(nn.elu(X, 0.5), elu(X.astype(float), 0.5))
    close(nn.celu(X, 2.0), np.maximum(X, 0) + np.minimum(0, 2.0 * np.expm1(np.minimum(X.astype(float), 0) / 2.0)))
    close(nn.leaky_relu(X, 0.2), np.where(X >= 0, X, 0.2 * X.astype(float)))
    close(nn.log1mexp(X[5:]), np.log(-np.expm1(-X[5:].astype(float))))
    close(nn.glu(M), M[:, :2] * sigmoid(M[:, 2:].astype(float)))
    close(nn.glu(M.T, axis=0), (M[:, :2] * sigmoid(M[:, 2:].astype(float))).T)
    with pytest.raises(ArgumentError, match="two halves"):
        nn.glu(M.T)


def softmax(x: np.ndarray, axis: object = -1, where: np.ndarray | None = None) -> np.ndarray:
    scaled = np.exp(x.astype(float) - x.max()) * (1 if where is None else where)
    return scaled / scaled.sum(axis=axis, keepdims=True)


@pytest.mark.parametrize("axis", [-1, 0, (0, 1)])
def test_softmax(axis: object) -> None:
    close(nn.softmax(M, axis=axis), softmax(M, axis))
    close(nn.log_softmax(M, axis=axis), np.log(softmax(M, axis)))
    mask = M > -0.5
    close(nn.softmax(M, axis=axis, where=mask), softmax(M, axis, mask))
    found = np.asarray(nn.log_softmax(M, axis=axis, where=mask))
    assert (found[~mask] == -np.inf).all()
    np.testing.assert_allclose(found[mask], np.log(softmax(M, axis, mask)[mask]), rtol=1e-5, atol=1e-6)


def test_softmax_of_extremes() -> None:
    close(nn.softmax(np.array([1e4, 0.0, -1e4], np.float32)), np.array([1.0, 0, 0]))
    close(nn.log_softmax(np.array([1e4, 0.0], np.float32)), np.array([0.0, -1e4]))


def test_logsumexp() -> None:
    wide = M.astype(float)
    for axis in (None, 0, (0, 1)):
        close(nn.logsumexp(M, axis=axis), np.log(np.exp(wide).sum(axis)), 1e-5)
        close(nn.logsumexp(M, axis=axis, keepdims=True), np.log(np.exp(wide).sum(axis, keepdims=True)), 1e-5)
    factors = np.array([1.0, 2.0, 0.0, 0.5], np.float32)
    close(nn.logsumexp(M, axis=1, b=factors), np.log((factors * np.exp(wide)).sum(1)), 1e-5)
    value, sign = nn.logsumexp(M, axis=1, b=-factors, return_sign=True)
    close(value, np.log((factors * np.exp(wide)).sum(1)), 1e-5)
    assert sign.tolist() == [-1, -1, -1]
    close(nn.logsumexp(M, where=M > 0), np.log(np.exp(wide[M > 0]).sum()), 1e-5)
    assert float(nn.logsumexp(np.array([-np.inf, -np.inf], np.float32))) == -np.inf
    assert float(nn.logsumexp(np.array([np.inf, 0.0], np.float32))) == np.inf
    close(nn.logmeanexp(M, axis=1), np.log(np.exp(wide).mean(1)), 1e-5)


def test_standardize() -> None:
    wide = M.astype(float)
    expected = (wide - wide.mean(0)) / np.sqrt(wide.var(0) + 1e-5)
    close(nn.standardize(M, axis=0), expected, 1e-5)
    close(nn.standardize(M, mean=0.0, variance=1.0, epsilon=0.0), wide)


def test_one_hot() -> None:
    close(nn.one_hot(np.array([0, 2, 5, -1]), 3), np.array([[1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0]]))
    found = nn.one_hot(np.array([[0, 1]]), 2, dtype=jnp.int8, axis=0)
    assert found.shape == (2, 1, 2) and found.dtype == jnp.int8 and found.tolist() == [[[1, 0]], [[0, 1]]]
    assert nn.one_hot(1, 3).tolist() == [0, 1, 0]
    assert nn.one_hot(np.array([300], np.uint16), 400).argmax() == 300
    assert nn.one_hot(np.array([200], np.uint8), 300).argmax() == 200


def attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float, seen: np.ndarray, bias: float | np.ndarray = 0.0
) -> np.ndarray:
    """One query at a time."""
    out = np.zeros(q.shape)
    heads_for_key = q.shape[2] // k.shape[2]
    for b, t, h in np.ndindex(q.shape[:3]):
        scores = k[b, :, h // heads_for_key] @ q[b, t, h] * scale + np.broadcast_to(
            bias, (q.shape[0], q.shape[2], q.shape[1], k.shape[1]))[b, h, t]
        weights = np.exp(scores - scores.max()) * seen[b, h, t]
        out[b, t, h] = weights @ v[b, :, h // heads_for_key] / weights.sum()
    return out


def test_attention() -> None:
    rng = np.random.default_rng(4)
    q, k, v = (rng.standard_normal(s).astype(np.float32) for s in ((2, 3, 4, 5), (2, 6, 2, 5), (2, 6, 2, 5)))
    everything = np.ones((2, 4, 3, 6))
    scale = 5**-0.5
    close(nn.dot_product_attention(q, k, v), attention(q, k, v, scale, everything), 1e-5)
    bias = rng.standard_normal((2, 4, 3, 6)).astype(np.float32)
    close(nn.dot_product_attention(q, k, v, bias, scale=0.3), attention(q, k, v, 0.3, everything, bias), 1e-5)
    mask = rng.random((2, 1, 3, 6)) < 0.7
    mask[..., 0] = True
    close(nn.dot_product_attention(q, k, v, mask=mask), attention(q, k, v, scale, everything * mask), 1e-5)
    row, column = np.arange(3)[:, None], np.arange(6)[None]
    for options, seen in (({"is_causal": True}, row >= column), ({"local_window_size": 1}, abs(row - column) <= 1),
                          ({"local_window_size": (1, 0), "is_causal": True}, (row - column <= 1) & (row >= column))):
        close(nn.dot_product_attention(q, k, v, **options), attention(q, k, v, scale, everything * seen), 1e-5)
    lengths = np.array([2, 6])
    close(nn.dot_product_attention(q, k, v, key_value_seq_lengths=lengths),
          attention(q, k, v, scale, everything * (column < lengths[:, None, None, None])), 1e-5)
    cut = np.asarray(nn.dot_product_attention(q, k, v, query_seq_lengths=np.array([1, 3])))
    assert (cut[0, 1:] == 0).all() and (cut[1] != 0).all()
    close(nn.dot_product_attention(q[0], k[0], v[0]), attention(q, k, v, scale, everything)[0], 1e-5)
    half = [jnp.asarray(x, jnp.bfloat16) for x in (q, k, v)]
    assert nn.dot_product_attention(*half).dtype == jnp.bfloat16
    with pytest.raises(ArgumentError, match="the shapes do not fit"):
        nn.dot_product_attention(q[:, :, :3], k, v)
    with pytest.raises(ArgumentError, match="three or four dimensions"):
        nn.dot_product_attention(q[0, 0], k, v)


KEY = olympus.random.key(3)
INITIAL = {
    "lecun_normal": [[-1.0610356330871582, 1.1198928356170654, 0.2928430438041687],
                     [1.3543111085891724, -0.4484679698944092, 0.16057848930358887]],
    "he_uniform": [[-1.475525140762329, 1.5177764892578125, 0.5160022377967834],
                   [1.6475993394851685, -0.7677218914031982, 0.28730592131614685]],
    "glorot_uniform": [[-0.9332041144371033, 0.959926187992096, 0.3263484835624695],
                       [1.0420334339141846, -0.4855499863624573, 0.1817082315683365]],
    "xavier_normal": [[-0.9490191340446472, 1.0016626119613647, 0.2619267702102661],
                      [1.2113326787948608, -0.40112194418907166, 0.14362576603889465]],
}


@pytest.mark.parametrize("name", INITIAL)
def test_initial_values(name: str) -> None:
    close(getattr(nn.initializers, name)()(KEY, (2, 3)), np.array(INITIAL[name]), 3e-6)


def test_other_initial_values() -> None:
    init = nn.initializers
    close(init.normal()(KEY, (3,)), np.array([-0.01446256972849369, 0.015393810346722603, 0.003825062420219183]), 3e-6)
    close(init.variance_scaling(2.0, "fan_avg", "normal")(KEY, (3, 2)), np.array(
        [[-1.2935715913772583, 1.3768641948699951], [0.34212398529052734, 1.7626492977142334],
         [-0.5256257057189941, 0.18730702996253967]]), 3e-6)
    assert init.constant(3)(KEY, (2,)).tolist() == [3, 3]
    assert init.zeros(KEY, (2,), jnp.bfloat16).dtype == jnp.bfloat16 and init.ones(KEY, (2,)).tolist() == [1, 1]
    assert init.kaiming_normal(dtype=jnp.bfloat16)(KEY, (2, 2)).dtype == jnp.bfloat16
    drawn = np.asarray(init.he_normal(in_axis=0, out_axis=1)(KEY, (400, 50)))
    assert abs(drawn.std() / math.sqrt(2 / 400) - 1) < 0.05
    kernel = np.asarray(init.lecun_uniform()(KEY, (3, 3, 100, 20)))
    assert abs(kernel.std() / math.sqrt(1 / 900) - 1) < 0.05
    drawn = np.asarray(init.uniform(2.0)(KEY, (1000,)))
    assert drawn.min() >= 0 and 1.9 < drawn.max() < 2
    with pytest.raises(ArgumentError, match="fans have no meaning"):
        init.he_normal()(KEY, (3,))
    with pytest.raises(ArgumentError, match="mode is not known"):
        init.variance_scaling(1.0, "fan", "normal")


def test_orthogonal_initializers() -> None:
    init = nn.initializers
    for shape, axis in (((4, 3), -1), ((3, 5), -1), ((2, 3, 4), -1), ((4, 2, 3), 0), ((3, 3), 1)):
        drawn = np.asarray(init.orthogonal(2.0, axis)(KEY, shape))
        matrix = np.moveaxis(drawn, axis, -1).reshape(-1, shape[axis]) / 2
        product = matrix.T @ matrix if matrix.shape[0] >= matrix.shape[1] else matrix @ matrix.T
        np.testing.assert_allclose(product, np.eye(len(product)), atol=1e-6)
    # The numbers that JAX gives for this key, but for the last digits of the decomposition.
    known = [[1.9322, 0.5163], [-0.5163, 1.9322]]
    np.testing.assert_allclose(init.orthogonal(2.0)(olympus.random.key(0), (2, 2)), known, atol=1e-4)
    kernel = np.array(init.delta_orthogonal()(KEY, (3, 4, 2, 5)))
    np.testing.assert_allclose(kernel[1, 1] @ kernel[1, 1].T, np.eye(2), atol=1e-6)
    kernel[1, 1] = 0
    assert not kernel.any()
    for bad in ((3,), (2, 2)):
        with pytest.raises(ArgumentError):
            init.delta_orthogonal()(KEY, bad)
    with pytest.raises(ArgumentError, match="fewer than two"):
        init.orthogonal()(KEY, (3,))


def test_scaled_matmul() -> None:
    random = np.random.default_rng(0)
    a, b = random.normal(size=(2, 3, 8)).astype(np.float32), random.normal(size=(2, 5, 8)).astype(np.float32)
    of_a, of_b = (np.exp2(random.integers(-3, 3, (2, n, k))).astype(np.float32) for n, k in ((3, 2), (5, 4)))
    found = olympus.nn.scaled_matmul(a, b, of_a, of_b)
    expected = np.einsum("bmk,bnk->bmn", a * of_a.repeat(4, 2), b * of_b.repeat(2, 2))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)
    narrow = olympus.nn.scaled_matmul(jnp.asarray(a, jnp.float8_e4m3fn), b, of_a, of_b, "bfloat16")
    assert narrow.dtype == jnp.bfloat16
    with pytest.raises(ArgumentError, match="do not fit"):
        olympus.nn.scaled_matmul(a, b, of_a[:, :2], of_b)


def test_attention_gives_its_residual() -> None:
    random = np.random.default_rng(0)
    q, k = (random.normal(size=(2, n, 2, 8)).astype(np.float32) for n in (3, 5))
    found, sums = olympus.nn.dot_product_attention(q, k, k, return_residual=True)
    np.testing.assert_array_equal(found, olympus.nn.dot_product_attention(q, k, k))
    scores = np.einsum("btnh,bsnh->btns", q, k) / np.sqrt(8)
    np.testing.assert_allclose(sums, np.log(np.exp(scores).sum(-1)), rtol=1e-5)


@pytest.mark.parametrize("size", [1, 3, 8, 20, 200])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_what_is_cut_at_zero_is_a_zero_without_a_sign(size: int, dtype: str) -> None:
    with olympus.enable_x64(dtype == "float64"):
        x = -jnp.zeros(size, dtype)
        for function in (nn.relu, nn.relu6, lambda x: jnp.clip(x, 0, 1), lambda x: jnp.maximum(x, 0)):
            for call in (function, olympus.jit(function), olympus.jit(lambda x: jnp.maximum(0, x))):
                assert not np.signbit(np.asarray(call(x), np.float64)).any()
        lower = olympus.jit(lambda x: jnp.minimum(x, -0.0))(-x)
        assert np.signbit(np.asarray(lower, np.float64)).all()
        special = jnp.asarray([np.nan, -np.inf, np.inf, -1.0, 2.0], dtype)
        np.testing.assert_array_equal(np.asarray(nn.relu(special), np.float64), [np.nan, 0, np.inf, 0, 2])


def test_a_mask_of_numbers_is_no_mask() -> None:
    q = jnp.ones((1, 3, 2, 4))
    with pytest.raises(olympus.errors.ArgumentError, match="mask holds no bools"):
        nn.dot_product_attention(q, q, q, mask=jnp.zeros((3, 3)))  # meant to be added: 0 is a key that counts
