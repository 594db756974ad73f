# SPDX-License-Identifier: Apache-2.0
"""`nn.scaled_dot_general` against products of NumPy arrays rounded by ml_dtypes; its derivatives, batches, refusals."""

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus_core.errors import ArgumentError

# A matrix product in a batch, plain ones, and sums over two dimensions whose order differs.
CASES = [
    ((2, 64, 32), (2, 96, 32), (((2,), (2,)), ((0,), (0,)))), ((32, 64), (64, 96), (((1,), (0,)), ((), ()))),
    ((64, 2, 32), (32, 64, 2), (((2,), (0,)), ((1,), (2,)))), ((32, 4, 8), (8, 32, 4), (((1, 2), (2, 0)), ((), ()))),
]


def configs(mode, scale=None):
    return [olympus.nn.get_scaled_dot_general_config(mode, scale)] * 3


def rounded(x, over, batch, mode, scale=1.0):
    """An operand as it is after rounding, with the blocks along the dimensions that are summed over."""
    others = [d for d in range(x.ndim) if d not in over and d not in batch]
    order = [*batch, *others, *over]
    moved = np.transpose(x, order)
    size = 32 if mode == "mxfp8" else 16
    blocks = (moved.reshape(-1, size) / np.float32(scale)).astype(np.float32)
    data = ml_dtypes.float8_e4m3fn if mode == "mxfp8" else ml_dtypes.float4_e2m1fn
    most = float(ml_dtypes.finfo(data).max)
    wanted = np.abs(blocks).max(-1, keepdims=True) / np.float32(most)
    if mode == "mxfp8":
        used = np.float32(2) ** np.ceil(np.log2(wanted.astype(np.float64))).astype(np.float32)
    else:
        used = wanted.astype(ml_dtypes.float8_e4m3fn).astype(np.float32)
    held = np.clip(blocks / used, -most, most).astype(data).astype(np.float32) * used * np.float32(scale)
    return np.transpose(held.reshape(moved.shape), np.argsort(order))


def product(a, b, numbers):
    """The product by NumPy, in float64."""
    (over_a, over_b), (batch_a, batch_b) = numbers
    letters = iter("abcdefghijkl")
    of_a, of_b = [""] * a.ndim, [""] * b.ndim
    for pairs in (zip(over_a, over_b, strict=True), zip(batch_a, batch_b, strict=True)):
        for i, j in pairs:
            of_a[i] = of_b[j] = next(letters)
    of_a, of_b = [x or next(letters) for x in of_a], [x or next(letters) for x in of_b]
    out = [of_a[d] for d in batch_a]
    for names, rest in ((of_a, {*over_a, *batch_a}), (of_b, {*over_b, *batch_b})):
        out += [x for d, x in enumerate(names) if d not in rest]
    return np.einsum(f"{''.join(of_a)},{''.join(of_b)}->{''.join(out)}", a.astype(np.float64), b.astype(np.float64))


@pytest.mark.parametrize(("left", "right", "numbers"), CASES)
@pytest.mark.parametrize(("mode", "scale"), [("mxfp8", None), ("nvfp4", None), ("nvfp4", 0.05)])
def test_operands_are_rounded_block_by_block(left, right, numbers, mode, scale):
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=shape).astype("float32") for shape in (left, right))
    given = None if scale is None else jnp.array([scale])
    found = olympus.jit(lambda x, y: olympus.nn.scaled_dot_general(x, y, numbers, configs=configs(mode, given)))(a, b)
    expected = product(*(rounded(x, over, batch, mode, scale or 1.0) for x, over, batch in zip(
        (a, b), *numbers, strict=True)), numbers)
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_result_and_derivatives_have_the_element_type(dtype):
    a, b = jnp.ones((32, 32), dtype), jnp.full((32, 32), 0.5, dtype)
    numbers = (((1,), (0,)), ((), ()))

    def total(x, y):
        return olympus.nn.scaled_dot_general(x, y, numbers, dtype, configs=configs("mxfp8")).sum()

    value, slopes = olympus.value_and_grad(total, (0, 1))(a, b)
    assert value.dtype == slopes[0].dtype == slopes[1].dtype == dtype
    assert value == 32 * 32 * 16
    np.testing.assert_array_equal(np.asarray(slopes[0], "float32"), 16)
    np.testing.assert_array_equal(np.asarray(slopes[1], "float32"), 32)


@pytest.mark.parametrize(("left", "right", "numbers"), CASES)
@pytest.mark.parametrize("mode", ["mxfp8", "nvfp4"])
def test_derivatives_are_products_of_the_rounded_cotangent(left, right, numbers, mode):
    rng = np.random.default_rng(1)
    a, b = (rng.normal(size=shape).astype("float32") for shape in (left, right))
    found, pull = olympus.vjp(lambda x, y: olympus.nn.scaled_dot_general(x, y, numbers, configs=configs(mode)), a, b)
    cotangent = rng.normal(size=found.shape).astype("float32")
    exact = olympus.vjp(lambda x, y: olympus.lax.dot_general(x, y, numbers), a, b)[1](cotangent)
    for slope, of_exact in zip(pull(cotangent), exact, strict=True):
        if mode == "nvfp4":  # not rounded
            np.testing.assert_allclose(slope, of_exact, rtol=1e-4, atol=1e-4)
        else:  # eight elements of three bits: an error of a few hundredths, and none of position
            assert np.abs(slope - of_exact).max() < 0.06 * np.abs(of_exact).max()
            assert np.corrcoef(np.ravel(slope), np.ravel(of_exact))[0, 1] > 0.99


def test_what_is_beyond_the_greatest_has_no_derivative_and_zeros_stay():
    a = jnp.array([[1e6] + [1.0] * 15])
    slope = olympus.grad(lambda x: olympus.nn.scaled_dot_general(
        x, jnp.ones((1, 16)), (((1,), (1,)), ((), ())), configs=configs("nvfp4")).sum())(a)
    assert slope.tolist() == [[0.0] + [1.0] * 15]
    for mode in ("mxfp8", "nvfp4"):
        zeros = jnp.zeros((1, 32))
        assert olympus.nn.scaled_dot_general(
            zeros, zeros, (((1,), (1,)), ((), ())), configs=configs(mode)).tolist() == [[0.0]]


def test_a_batch_is_the_same_as_one_by_one():
    rng = np.random.default_rng(2)
    a, b = (rng.normal(size=(3, 4, 32)).astype("float32") for _ in range(2))

    def one(x, y):
        return olympus.nn.scaled_dot_general(x, y, (((1,), (1,)), ((), ())), configs=configs("mxfp8"))

    np.testing.assert_allclose(olympus.vmap(one)(a, b), [one(x, y) for x, y in zip(a, b, strict=True)], rtol=1e-6)
    assert one(a[0], b[0]).shape == (4, 4)
    np.testing.assert_array_equal(
        olympus.nn.scaled_dot_general(a[0], b[0], (((1,), (1,)), ((), ()))), olympus.lax.dot_general(
            a[0], b[0], (((1,), (1,)), ((), ()))))


def test_refusals():
    a, numbers = jnp.ones((2, 33)), (((1,), (1,)), ((), ()))
    with pytest.raises(ArgumentError, match="whole blocks"):
        olympus.nn.scaled_dot_general(a, a, numbers, configs=configs("mxfp8"))
    with pytest.raises(ArgumentError, match="three of one mode"):
        olympus.nn.scaled_dot_general(a, a, numbers, configs=configs("mxfp8")[:2])
    with pytest.raises(ArgumentError, match="element type"):
        olympus.nn.scaled_dot_general(a, a, numbers, "int32", configs=configs("mxfp8"))
    with pytest.raises(ArgumentError, match="mode"):
        olympus.nn.get_scaled_dot_general_config("int8")
