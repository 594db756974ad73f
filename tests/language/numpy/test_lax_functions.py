# SPDX-License-Identifier: Apache-2.0
"""Functions of `lax` about bits, windows, groups, joining and staging, against NumPy and Python's integers."""

from __future__ import annotations

import itertools

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.test_util import check_grads
from olympus_core.errors import ArgumentError

RANDOM = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_upper_half_of_products(dtype: str) -> None:
    info = np.iinfo(dtype)
    edges = [info.min, info.max, 0, 1, info.max // 2, info.min // 2 - 1 if info.min else 3]
    pairs = [*itertools.product(edges, edges), *RANDOM.integers(info.min, info.max, (200, 2), dtype, endpoint=True)]
    x, y = np.array(pairs, dtype).T
    with olympus.enable_x64(info.bits == 64):
        found = lax.mulhi(x, y)
    assert found.dtype == dtype
    assert found.tolist() == [(int(a) * int(b)) >> info.bits for a, b in zip(x, y, strict=True)]


def _rounded(x: np.ndarray, kind: object) -> np.ndarray:
    """The numbers of a narrower type, its subnormal ones zero."""
    found = x.astype(kind)
    least = ml_dtypes.finfo(kind).smallest_normal
    return np.where(np.abs(found.astype(x.dtype)) < least, np.copysign(0, x), found.astype(x.dtype))


@pytest.mark.parametrize("kind, exponent, mantissa", [(np.float16, 5, 10), (ml_dtypes.bfloat16, 8, 7)])
def test_precision_is_reduced_to_that_of_a_type(kind: object, exponent: int, mantissa: int) -> None:
    x = (RANDOM.normal(size=500) * np.exp(RANDOM.normal(size=500) * 12)).astype(np.float32)
    x = np.concatenate([x, np.float32([np.nan, np.inf, -np.inf, 0.0, -0.0, 65504, 65520, -3e38, 1 + 2**-11])])
    found = np.asarray(lax.reduce_precision(x, exponent, mantissa))
    with np.errstate(all="ignore"):
        expected = _rounded(x, kind)
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found[:-9]), np.signbit(x[:-9]))
    same = lax.reduce_precision(x, 8, 23)
    np.testing.assert_array_equal(same, x)


def test_precision_of_other_floats() -> None:
    assert lax.reduce_precision(jnp.bfloat16(1.0078125), 8, 3) == 1 and lax.reduce_precision(
        np.float16(6e-8), 5, 10) == np.float16(6e-8)
    assert float(olympus.grad(lambda x: lax.reduce_precision(x, 5, 3) ** 2)(1.2)) == pytest.approx(2.5)
    for arguments in ((jnp.int32(1), 5, 3), (1.0, 0, 3), (1.0, 5, -1)):
        with pytest.raises(ArgumentError):
            lax.reduce_precision(*arguments)


def test_exclusive_or_and_powers_of_two() -> None:
    x = RANDOM.integers(-50, 50, (4, 7))
    np.testing.assert_array_equal(lax.reduce_xor(x, (0,)), np.bitwise_xor.reduce(x))
    np.testing.assert_array_equal(lax.reduce_xor(x > 0, [0, 1]), np.logical_xor.reduce((x > 0).reshape(-1)))
    y = np.float32([0, 1, -1, 10, -126, 127, 128, 0.5, -np.inf])
    with np.errstate(over="ignore"):
        expected = np.exp2(y)
    np.testing.assert_allclose(lax.exp2(y, accuracy=lax.Tolerance(rtol=1e-6)), expected, rtol=1e-6)
    assert float(lax.tanh(x=0.5, accuracy=lax.AccuracyMode.HIGHEST)) == float(lax.tanh(0.5))
    assert float(lax.add(x=1.0, y=2.0)) == 3


def test_arrays_cut_and_joined() -> None:
    x = RANDOM.normal(size=(2, 3, 4)).astype(np.float32)
    for found, expected in zip(lax.split(x, (1, 0, 3), -1), np.split(x, [1, 1], -1), strict=True):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(lax.stack([x, 2 * x], -1), np.stack([x, 2 * x], -1))
    for found, expected in zip(lax.unstack(x, 1), x.transpose(1, 0, 2), strict=True):
        np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(lax.tile(x, (2, 1, 3)), np.tile(x, (2, 1, 3)))
    assert lax.tile(x, (2, 0, 1)).shape == (4, 0, 4)
    np.testing.assert_array_equal(lax.broadcast_like(np.arange(4), x), np.broadcast_to(np.arange(4), x.shape))
    taken = lax.index_take(x, (jnp.array([0, 1, 9]), jnp.array([2, 0, -5])), (0, 2))
    np.testing.assert_array_equal(taken, x[[0, 1, 1], :, [2, 0, 0]])
    assert lax.shape_as_value((2, 3)).tolist() == [2, 3]
    assert lax.dtype(1) == np.int32 and lax.dtype(int) == np.int32 and lax.dtype(x) == np.float32
    check_grads(lambda x: lax.tile(lax.stack(lax.split(x, (2, 2), 2)), (1, 1, 2, 1)), (x,), order=2)
    for wrong in (lambda: lax.split(x, (1, 2)), lambda: lax.stack([x, x[0]]), lambda: lax.tile(x, (2,)),
                  lambda: lax.stack([]), lambda: lax.index_take(x, (jnp.array([0]),), (0, 1)), lambda: lax.dtype(None),
                  lambda: lax.broadcast_like(x, np.ones(4))):
        with pytest.raises(ArgumentError):
            wrong()


@pytest.mark.parametrize("numbers", [("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW"), ("HNWC", "WOHI", "CWNH")])
@pytest.mark.parametrize("padding", ["SAME", "VALID", ((1, 2), (0, 1))])
def test_patches_are_what_a_convolution_sees(numbers: tuple[str, str, str], padding: object) -> None:
    """A kernel times the patches is the convolution."""
    spec = lax.conv_dimension_numbers((1,) * 4, (1,) * 4, numbers)
    sizes = dict(zip("NCHW", (2, 3, 5, 6), strict=True))
    x = RANDOM.normal(size=[sizes[c] for c in numbers[0]]).astype(np.float32)
    window = {"H": 2, "W": 3}
    kernel = RANDOM.normal(size=[{"O": 4, "I": 3, **window}[c] for c in numbers[1]]).astype(np.float32)
    letters = [c for c in numbers[1] if c in window]
    shape = [window[c] for c in letters]
    for dilation in ((1, 1), (2, 1)):
        patches = lax.conv_general_dilated_patches(x, shape, (2, 1), padding, None, dilation, numbers)
        flat, features = kernel.transpose(spec.rhs_spec).reshape(4, -1), spec.out_spec[1]
        found = jnp.moveaxis(jnp.tensordot(jnp.moveaxis(patches, features, -1), flat.T, 1), -1, features)
        expected = lax.conv_general_dilated(x, kernel, (2, 1), padding, None, dilation, numbers)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
        if dilation == (1, 1):
            assert lax.conv_general_shape_tuple(x.shape, kernel.shape, (2, 1), padding, numbers) == expected.shape
        # The same kernel at every place.
        places = [expected.shape[d] for d in spec.out_spec[2:]]
        everywhere = np.broadcast_to(flat[..., None, None], (*flat.shape, *places))
        everywhere = everywhere.transpose([spec.rhs_spec.index(d) for d in range(4)])
        local = lax.conv_general_dilated_local(x, everywhere, (2, 1), padding, shape, None, dilation, numbers)
        np.testing.assert_allclose(local, expected, rtol=1e-4, atol=1e-5)
    with pytest.raises(ArgumentError, match="kernels do not fit"):
        lax.conv_general_dilated_local(x, everywhere, (1, 1), padding, shape, dimension_numbers=numbers)


@pytest.mark.parametrize("seed", range(6))
def test_a_convolutions_dimensions_may_lie_in_any_order(seed: int) -> None:
    """Strides, padding and dilations follow the order in which the specs name the spatial dimensions."""
    random = np.random.default_rng(seed)
    x, kernel = (random.integers(-3, 4, shape).astype(np.float32) for shape in ((2, 3, 7, 9, 4), (4, 3, 3, 2, 1)))
    options = {"window_strides": (1, 2, 1), "padding": ((1, 1), (0, 3), (2, 0)), "lhs_dilation": (1, 2, 1),
               "rhs_dilation": (2, 1, 3)}
    wanted = np.asarray(lax.conv_general_dilated(x, kernel, **options))
    lhs, rhs, out = (tuple(random.permutation(5).tolist()) for _ in range(3))
    moved = x.transpose(np.argsort(lhs)), kernel.transpose(np.argsort(rhs))
    options["dimension_numbers"] = lax.ConvDimensionNumbers(lhs, rhs, out)
    found = lax.conv_general_dilated(*moved, **options)
    np.testing.assert_array_equal(np.asarray(found).transpose(out), wanted)
    read = olympus.make_jaxpr(lambda x, k: lax.conv_general_dilated(x, k, **options))(*moved)
    np.testing.assert_array_equal(olympus.core.eval_jaxpr(read.jaxpr, read.consts, *moved)[0], found)


def test_a_consistently_padded_transpose_is_the_derivative() -> None:
    """With a kernel turned around, the transposed convolution is what a convolution's backward pass gives."""
    numbers, kernel = ("NHWC", "HWIO", "NHWC"), RANDOM.normal(size=(3, 3, 2, 4)).astype(np.float32)
    for pad, dilation in ((((1, 1), (1, 2)), (1, 1)), (((0, 0), (2, 1)), (2, 1))):
        x = RANDOM.normal(size=(1, 7, 8, 2)).astype(np.float32)
        y, back = olympus.vjp(lambda x: lax.conv_general_dilated(x, kernel, (1, 1), pad, None, dilation, numbers), x)
        found = lax.conv_transpose(y, kernel, (1, 1), pad, dilation, numbers, transpose_kernel=True,
                                   use_consistent_padding=True)
        np.testing.assert_allclose(found, back(y)[0], rtol=1e-4, atol=1e-4)
    assert lax.conv_transpose(y, kernel.transpose(0, 1, 3, 2), (2, 3), "SAME", None, numbers).shape == (
        lax.conv_transpose_shape_tuple(y.shape, (3, 3, 4, 2), (2, 3), "SAME", numbers))


def _groups(sizes: list[int]) -> list[slice]:
    ends = np.cumsum(sizes)
    return [slice(e - n, e) for e, n in zip(ends, sizes, strict=True)]


def test_ragged_products() -> None:
    x, w = RANDOM.normal(size=(7, 4)).astype(np.float32), RANDOM.normal(size=(3, 4, 5)).astype(np.float32)
    sizes, expected = [2, 0, 4], np.zeros((7, 5), np.float32)
    for part, m in zip(_groups(sizes), w, strict=True):
        expected[part] = x[part] @ m
    np.testing.assert_allclose(lax.ragged_dot(x, w, np.array(sizes)), expected, rtol=1e-5)
    # With matrices for two of four groups only.
    moved = lax.ragged_dot(x, w[:2], np.array([1, 2, 3, 1]), group_offset=np.array([1]))
    expected = np.zeros((7, 5), np.float32)
    expected[1:3], expected[3:6] = x[1:3] @ w[0], x[3:6] @ w[1]
    np.testing.assert_allclose(moved, expected, rtol=1e-5)
    # Groups of what is summed over.
    y = RANDOM.normal(size=(7, 5)).astype(np.float32)
    numbers = lax.RaggedDotDimensionNumbers((((0,), (0,)), ((), ())), (0,), ())
    found = lax.ragged_dot_general(x, y, np.array(sizes), numbers)
    np.testing.assert_allclose(found, [x[p].T @ y[p] for p in _groups(sizes)], rtol=1e-5, atol=1e-6)
    # In a batch, whose members have groups of their own.
    both, rows = np.stack([x, 2 * x]), [[2, 1, 4], [1, 0, 3]]
    numbers = lax.RaggedDotDimensionNumbers((((2,), (2,)), ((0,), (1,))), (1,), (0,))
    found = lax.ragged_dot_general(both, np.stack([w, w], 1), np.array(rows), numbers)
    for one, given, sizes in zip(found, both, rows, strict=True):
        expected = np.zeros((7, 5), np.float32)
        for part, m in zip(_groups(sizes), w, strict=True):
            expected[part] = given[part] @ m
        np.testing.assert_allclose(one, expected, rtol=1e-5, atol=1e-6)
    check_grads(lambda x, w: lax.ragged_dot(x, w, np.array([2, 0, 4])), (x, w), order=2)


def test_scaled_products() -> None:
    x, y = RANDOM.normal(size=(2, 3, 8)).astype(np.float32), RANDOM.normal(size=(2, 8, 4)).astype(np.float32)
    a, b = np.exp2(RANDOM.integers(-2, 2, (2, 3, 2))).astype(np.float32), np.exp2(RANDOM.integers(-2, 2, (2, 4, 4)))
    found = lax.scaled_dot(x, y, lhs_scale=a, rhs_scale=b.astype(np.float32), preferred_element_type="float32")
    np.testing.assert_allclose(found, (x * a.repeat(4, 2)) @ (y * b.repeat(2, 1)), rtol=1e-5)
    assert lax.scaled_dot(x, y).dtype == jnp.bfloat16
    with pytest.raises(ArgumentError, match="does not fit"):
        lax.scaled_dot(x, y, lhs_scale=a[:, :2])


def test_algorithms_of_products() -> None:
    x = (1 + RANDOM.normal(size=(3, 50)) * 1e-3).astype(np.float32)
    rounded = x.astype(ml_dtypes.bfloat16).astype(np.float32)
    for precision in (lax.DotAlgorithmPreset.BF16_BF16_F32, "BF16_BF16_F32",
                      lax.DotAlgorithm("bfloat16", ml_dtypes.bfloat16, np.float32)):
        found = lax.dot(x, x.T, precision=precision)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, rounded @ rounded.T, rtol=1e-6)
    tf32 = np.asarray(lax.reduce_precision(x, 8, 10))
    np.testing.assert_allclose(lax.dot(x, x.T, "TF32_TF32_F32"), tf32 @ tf32.T, rtol=1e-6)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(lax.dot(x, x.T, "F64_F64_F64"), wide @ wide.T, rtol=1e-7)
    assert lax.dot(x.astype(np.float16), x.T.astype(np.float16), "F16_F16_F32").dtype == np.float16
    assert lax.dot(x.astype(np.float16), x.T.astype(np.float16), "F16_F16_F32", "float32").dtype == np.float32
    for precision in (None, "highest", "tensorfloat32", ("high", lax.Precision.DEFAULT), "DEFAULT", "BF16_BF16_F32_X6"):
        np.testing.assert_allclose(lax.dot(x, x.T, precision), x @ x.T, rtol=1e-6)
    for precision in ("nope", 3, ("high",), ("nope", "high")):
        with pytest.raises(ArgumentError, match="precision is not known"):
            lax.dot(x, x.T, precision)
    assert lax.Precision("float32") is lax.Precision.HIGHEST and lax.Precision(None) is lax.Precision.DEFAULT


def test_functions_applied_where_indices_say() -> None:
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    x = np.arange(5, dtype=np.float32)
    places = np.array([[1], [3], [1], [7]])
    assert lax.scatter_apply(x, places, lambda v: v * v + 1, numbers, update_shape=(4,)).tolist() == [0, 5, 2, 10, 4]
    unique = lax.scatter_apply(x, places[:2], jnp.square, numbers, update_shape=(2,), unique_indices=True)
    assert unique.tolist() == [0, 1, 2, 9, 4]


def test_staging() -> None:
    scaled = lax.composite(lambda x, *, by: jnp.sin(x) * by, "my.scaled")
    assert float(scaled(1.0, by=2.0)) == pytest.approx(2 * np.sin(1.0))
    assert float(olympus.grad(lambda x: scaled(x, by=2.0))(0.0)) == 2
    assert lax.platform_dependent(1, cpu=lambda x: x + 1, cuda=lambda x: x + 2, default=lambda x: x) in (2, 3, 1)
    platform = olympus.default_backend()
    assert olympus.jit(lambda x: lax.platform_dependent(x, **{platform: jnp.sin}, default=jnp.cos))(0.0) == 0
    assert lax.platform_dependent(0.0, other=jnp.sin, default=jnp.cos) == 1
    with pytest.raises(ArgumentError, match="no function for the platform"):
        lax.platform_dependent(0.0, other=jnp.sin)
    assert lax.dce_sink(jnp.ones(3)) is None
    assert lax.stage(2).weak_type and lax.stage(np.ones(2, np.float32)).shape == (2,)


def test_offsets_that_do_not_count_from_the_end() -> None:
    x, i = np.arange(5), jnp.int32(-2)
    assert lax.dynamic_slice_in_dim(x, i, 2).tolist() == [3, 4]
    assert lax.dynamic_slice_in_dim(x, i, 2, allow_negative_indices=False).tolist() == [0, 1]
    assert lax.dynamic_index_in_dim(x, i, keepdims=False, allow_negative_indices=False) == 0
    assert lax.dynamic_update_index_in_dim(x, 9, i, 0, allow_negative_indices=False).tolist() == [9, 1, 2, 3, 4]
    table = np.arange(12).reshape(3, 4)
    assert lax.dynamic_slice(table, jnp.array([-1, -1]), (1, 1), allow_negative_indices=[False, True]).tolist() == [[3]]
    assert lax.dynamic_slice(table, (-1, i), (1, 1), allow_negative_indices=False).tolist() == [[0]]
