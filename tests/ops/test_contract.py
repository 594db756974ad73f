# SPDX-License-Identifier: Apache-2.0
"""Contractions: the dot product against einsum, convolution against its sum written out."""

from __future__ import annotations

import itertools

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from olympus_core import dtypes, ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType

from .factor_check import apply, check_additive, check_factors, described

MATMUL = {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()}


@st.composite
def products(draw):
    """Letters and sizes of the operands, batch letters first in the result."""
    count = [draw(st.integers(0, 2)) for _ in range(4)]
    letters = iter("abcdefgh")
    batch, inner, left, right = ([next(letters) for _ in range(n)] for n in count)
    size = {c: draw(st.integers(0, 4)) for c in [*batch, *inner, *left, *right]}
    return size, batch, inner, draw(st.permutations(batch + inner + left)), draw(st.permutations(batch + inner + right))


@settings(max_examples=80, deadline=None)
@given(products(), st.sampled_from([np.int32, np.float64, np.complex128]))
def test_dot_general(case, dtype):
    size, batch, inner, lhs, rhs = case
    generator = np.random.default_rng(0)
    x, y = (generator.integers(-4, 5, [size[c] for c in side]).astype(dtype) for side in (lhs, rhs))
    attributes = {
        "lhs_contracting": tuple(map(lhs.index, inner)), "rhs_contracting": tuple(map(rhs.index, inner)),
        "lhs_batch": tuple(map(lhs.index, batch)), "rhs_batch": tuple(map(rhs.index, batch)),
    }
    out = batch + [c for c in lhs if c not in batch + inner] + [c for c in rhs if c not in batch + inner]
    expected = np.einsum(f"{''.join(lhs)},{''.join(rhs)}->{''.join(out)}", x, y)
    rule = check_factors(ops.dot_general, [x, y], **attributes)
    np.testing.assert_array_equal(apply(ops.dot_general, [x, y], **attributes)[0], expected)
    assert sum(f.kind == "reduced" for f in rule.factors) == len(inner)
    assert not any(f.kind == "whole" for f in rule.factors)


def test_matmul_rule():
    x = np.arange(24.0).reshape(4, 6)
    rule = check_factors(ops.dot_general, [x, x.T.copy()], **MATMUL)
    assert described(rule) == "ab, bc -> ac; b sum"
    check_additive(ops.dot_general, [x, x.T.copy()], **MATMUL)


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn])
def test_narrow_floats_are_accumulated_in_float32(dtype):
    x = np.ones((1, 3000)).astype(dtype)
    (result,) = apply(ops.dot_general, [x, x.T.copy()], **MATMUL, dtype=dtypes.float32)
    assert result.dtype == np.float32 and result[0, 0] == 3000
    if np.dtype(dtype).itemsize == 2:
        (result,) = apply(ops.dot_general, [x, x.T.copy()], **MATMUL, dtype=None)
        assert result.dtype == dtype and float(result[0, 0]) == float(np.asarray(3000).astype(dtype))


def test_integers_accumulate_in_the_type_asked_for_and_wrap():
    x = np.full((1, 4), 100, np.int8)
    assert apply(ops.dot_general, [x, x.T.copy()], **MATMUL, dtype=dtypes.int32)[0].tolist() == [[40000]]
    assert apply(ops.dot_general, [x, x.T.copy()], **MATMUL)[0].tolist() == [[40000 % 256]]
    for dtype, bits in ((dtypes.uint64, 64), (dtypes.uint32, 32), (dtypes.uint8, 8)):
        assert apply(ops.dot_general, [x, -x.T], **MATMUL, dtype=dtype)[0].tolist() == [[2**bits - 40000 % 2**bits]]
    wide = np.full((1, 1), 4_000_000_007, np.int64)  # float64 could not hold the square
    assert apply(ops.dot_general, [wide, wide], **MATMUL)[0].item() == 4_000_000_007**2 - 2**64


@pytest.mark.parametrize(("x", "y", "change"), [
    ("float32[4,6]", "float64[6,4]", {}), ("bool[4,6]", "bool[6,4]", {}), ("float32[4,6]", "float32[5,4]", {}),
    ("float32[4,6]", "float32[6,4]", {"lhs_contracting": (2,)}),
    ("float32[4,6]", "float32[6,4]", {"lhs_contracting": (0, 1)}),
    ("float32[6,6]", "float32[6,6]", {"lhs_batch": (1,), "rhs_batch": (1,)}),
    ("float32[4,6]", "float32[6,4]", {"dtype": dtypes.int32}), ("int8[4,6]", "int8[6,4]", {"dtype": dtypes.float32}),
])
def test_dot_general_refuses(x, y, change):
    types = [ArrayType(map(int, t[t.index("[") + 1:-1].split(",")), t[: t.index("[")]) for t in (x, y)]
    with pytest.raises(OperandError, match="dot_general"):
        ops.dot_general.type_rule(types, {**MATMUL, **change}, ())


def written_out(x, kernel, strides, padding, x_dilation, kernel_dilation, groups, batch_groups):
    """The convolution of NC... with OI..., one product at a time."""
    batch, outputs = x.shape[0] // batch_groups, kernel.shape[0]
    spatial = []
    for n, k, s, (low, high), dx, dk in zip(
        x.shape[2:], kernel.shape[2:], strides, padding, x_dilation, kernel_dilation, strict=True
    ):
        padded = low + high + (n - 1) * dx + 1
        spatial.append(len(range(0, padded - (k - 1) * dk, s)))
    out = np.zeros((batch, outputs, *spatial), np.complex128)
    for n, o, *place in np.ndindex(*out.shape):
        group = o * groups // outputs
        row = n + (o * batch_groups // outputs) * batch
        for i, *inner in np.ndindex(*kernel.shape[1:]):
            source = []
            for p, k, s, (low, _), dx, dk, size in zip(
                place, inner, strides, padding, x_dilation, kernel_dilation, x.shape[2:], strict=True
            ):
                at, rest = divmod(p * s + k * dk - low, dx)
                source.append(at if not rest and 0 <= at < size else None)
            if None not in source:
                out[(n, o, *place)] += x[(row, group * kernel.shape[1] + i, *source)] * kernel[(o, i, *inner)]
    return out


@st.composite
def convolutions(draw):
    count = draw(st.integers(0, 2))
    groups, batch_groups = draw(st.sampled_from([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2)]))
    inner = draw(st.integers(1, 2))
    outputs = draw(st.integers(1, 2)) * groups * batch_groups
    several = st.lists(st.integers(1, 3), min_size=count, max_size=count).map(tuple)
    spatial = draw(st.lists(st.integers(1, 6), min_size=count, max_size=count))
    generator = np.random.default_rng(draw(st.integers(0, 9)))
    x = generator.integers(-3, 4, (draw(st.integers(1, 2)) * batch_groups, inner * groups, *spatial))
    kernel = generator.integers(-3, 4, (outputs, inner, *draw(several)))
    padding = tuple((draw(st.integers(-1, 2)), draw(st.integers(-1, 2))) for _ in range(count))
    letters = "HW"[:count]
    layouts = ["".join(draw(st.permutations(c + letters))) for c in ("NC", "OI", "NC")]
    return x, kernel, (draw(several), padding, draw(several), draw(several), groups, batch_groups), layouts


@settings(max_examples=120, deadline=None)
@given(convolutions(), st.sampled_from([np.int32, np.float32, np.complex64]))
def test_convolution(case, dtype):
    x, kernel, arguments, (lhs, rhs, out) = case
    spatial = [c for c in rhs if c not in "OI"]
    # Per-dimension arguments follow the kernel's layout.
    order = ["HW".index(c) for c in spatial]
    strides, padding, x_dilation, kernel_dilation = (tuple(a[i] for i in order) for a in arguments[:4])
    attributes = {
        "window_strides": strides, "padding": padding, "lhs_dilation": x_dilation, "rhs_dilation": kernel_dilation,
        "lhs_layout": lhs, "rhs_layout": rhs, "out_layout": out, "feature_groups": arguments[4],
        "batch_groups": arguments[5],
    }
    letters = "HW"[: len(spatial)]
    given_x = x.transpose([("NC" + letters).index(c) for c in lhs]).astype(dtype)
    given_kernel = kernel.transpose([("OI" + letters).index(c) for c in rhs]).astype(dtype)
    (result,) = apply(ops.convolution, [given_x, given_kernel], **attributes)
    expected = written_out(x, kernel, *arguments).transpose([("NC" + letters).index(c) for c in out])
    np.testing.assert_array_equal(result, expected.astype(dtype) if np.dtype(dtype).kind == "c" else expected.real)
    check_factors(ops.convolution, [given_x, given_kernel], **attributes)


PLAIN = {"window_strides": (1, 1), "padding": ((1, 1), (0, 0)), "lhs_dilation": (1, 1), "rhs_dilation": (1, 1),
         "lhs_layout": "NCHW", "rhs_layout": "OIHW", "out_layout": "NHWC", "feature_groups": 1, "batch_groups": 1}


def test_convolution_rules():
    generator = np.random.default_rng(0)
    x, kernel = generator.normal(size=(2, 4, 6, 4)), generator.normal(size=(6, 4, 3, 1))
    rule = check_factors(ops.convolution, [x, kernel], **PLAIN)
    # The width is pointwise, the height is not.
    assert described(rule) == "abcd, ebfg -> ahde; b sum, c whole, f whole, g whole, h whole"
    check_additive(ops.convolution, [x, kernel], **PLAIN)
    rule = check_factors(ops.convolution, [x, kernel[:, :2]], **{**PLAIN, "feature_groups": 2})
    assert [f.kind for f in rule.factors if f.kind != "whole"] == ["parallel", "parallel"]


def test_convolution_of_nothing_and_of_narrow_floats():
    (result,) = apply(ops.convolution, [np.zeros((2, 4, 1, 4)), np.zeros((6, 4, 5, 1))], **PLAIN)
    assert result.shape == (2, 0, 4, 6)
    (result,) = apply(ops.convolution, [np.zeros((2, 0, 3, 4)), np.zeros((6, 0, 3, 1))], **PLAIN)
    assert result.shape == (2, 3, 4, 6) and not result.any()
    x = np.ones((1, 3000, 1, 1), ml_dtypes.bfloat16)
    (result,) = apply(ops.convolution, [x, x], **{**PLAIN, "padding": ((0, 0), (0, 0))})
    assert float(result.item()) == float(np.asarray(3000).astype(x.dtype))


def test_convolution_needs_no_spatial_dimensions():
    attributes = {**PLAIN, "lhs_layout": "NC", "rhs_layout": "IO", "out_layout": "CN",
                  **{k: () for k in ("window_strides", "padding", "lhs_dilation", "rhs_dilation")}}
    x, y = np.arange(6).reshape(2, 3), np.arange(12).reshape(3, 4)
    np.testing.assert_array_equal(apply(ops.convolution, [x, y], **attributes)[0], (x @ y).T)


@pytest.mark.parametrize("change", [
    {"lhs_layout": "NCH"}, {"lhs_layout": "NCHX"}, {"rhs_layout": "OIHH"}, {"out_layout": "OIHW"},
    {"window_strides": (1,)}, {"window_strides": (0, 1)}, {"padding": (1, 1)}, {"padding": ((1, 1),)},
    {"feature_groups": 3}, {"feature_groups": 0}, {"batch_groups": 3}, {"feature_groups": 2, "batch_groups": 2},
    {"lhs_dilation": (1, 0)}, {"rhs_layout": None},
])
def test_convolution_refuses(change):
    types = [ArrayType((2, 4, 6, 4), np.float32), ArrayType((6, 4, 3, 1), np.float32)]
    with pytest.raises(OperandError, match="convolution"):
        ops.convolution.type_rule(types, {**PLAIN, **change}, ())


def test_every_number_type_contracts():
    for dtype, flip in itertools.product([d for d in dtypes.ALL if d.kind != "b"], (False, True)):
        x = np.array([[1, 2], [3, 1]], dtype)
        y = x.T if flip else x
        (result,) = apply(ops.dot_general, [x, y], **MATMUL)
        expected = x.astype(complex) @ y.astype(complex)
        np.testing.assert_array_equal(result.astype(complex), expected)
