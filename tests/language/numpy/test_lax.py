# SPDX-License-Identifier: Apache-2.0
"""The strict layer: functions of `lax` that `olympus.numpy` does not cover, against NumPy."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core import dtypes
from olympus_core.errors import ArgumentError, OperandError

X = np.arange(12, dtype=np.float32).reshape(3, 4)
T = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


def same(found: object, expected: object, tolerance: float = 1e-6) -> None:
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


def test_python_numbers_adapt_and_nothing_else() -> None:
    assert lax.add(jnp.ones(2, jnp.bfloat16), 1.5).dtype == jnp.bfloat16
    assert lax.mul(2, jnp.ones(2, jnp.int8)).dtype == jnp.int8
    assert lax.add(1, 2.5).weak_type
    same(lax.max(X, 5.0), np.maximum(X, 5))
    with pytest.raises(OperandError, match="differ in shape or element type"):
        lax.add(jnp.ones(2), jnp.ones(2, jnp.int32))
    with pytest.raises(OperandError):
        lax.add(jnp.ones((2, 3)), jnp.ones(3))
    with pytest.raises(ArgumentError, match="does not go with int32"):
        lax.add(jnp.arange(2), 1.5)
    with pytest.raises(OverflowError):
        lax.add(jnp.ones(2, jnp.uint8), 300)
    with pytest.raises(OperandError, match="sin"):
        lax.sin(1)


@pytest.mark.parametrize("name", ["add", "sub", "mul", "div", "max", "pow", "atan2", "lt", "nextafter", "igamma"])
def test_dimensions_of_size_1_take_the_others_size(name: str) -> None:
    f = getattr(lax, name)
    x, y = X[:1] + 1, X[:, 1:2]
    same(f(x, y), f(np.repeat(x, 3, 0), np.repeat(y, 4, 1)))
    assert f(np.ones(1, np.float32), np.ones(0, np.float32)).shape == (0,)
    for shape in [(2,), (3,), (1, 1, 3)]:
        with pytest.raises(OperandError, match="differ in shape"):
            f(X[:2], np.ones(shape, np.float32))


def test_what_stretches_has_slopes_and_batches() -> None:
    slope = olympus.grad(lambda x: lax.mul(x, X).sum())(X[:1])
    same(slope, X.sum(0, keepdims=True))
    same(olympus.vmap(lambda x: lax.mul(x, X[0]))(X[:, :1]), X[:, :1] * X[0])
    same(lax.betainc(X[:1] + 1, X[:1] + 1, np.full((2, 1), 0.5, np.float32)), np.full((2, 4), 0.5))
    same(lax.shift_left(jnp.array([1]), jnp.array([1, 2])), [2, 4])
    with pytest.raises(OperandError):
        lax.clamp(np.zeros(1, np.float32), np.ones(2, np.float32), np.ones(2, np.float32))
    with pytest.raises(OperandError):
        lax.select(np.ones(2, bool), np.zeros(1, np.float32), np.ones(2, np.float32))


def test_rounding_and_selection() -> None:
    x = np.array([0.5, 1.5, -2.5, 2.4], np.float32)
    same(lax.round(x), [1, 2, -3, 2])
    same(lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), np.round(x))
    same(lax.select(X > 5, X, -X), np.where(X > 5, X, -X))
    same(lax.select_n(X > 5, -X, X), np.where(X > 5, X, -X))
    which = np.array([0, 2, 1], np.int32)
    same(lax.select_n(which, *(np.full(3, v, np.float32) for v in (10, 20, 30))), [10, 30, 20])
    same(lax.clamp(2.0, X, 7.0), np.clip(X, 2, 7))


@pytest.mark.parametrize("y", [0, 1, 2, 5, -2])
def test_integer_pow(y: int) -> None:
    same(lax.integer_pow(np.array([2.0, -0.5], np.float32), y), np.array([2.0, -0.5]) ** y)


def test_bits() -> None:
    x = np.array([1.0, -2.0], np.float32)
    same(lax.bitcast_convert_type(x, jnp.int32), x.view(np.int32))
    same(lax.population_count(np.array([5, 255], np.uint8)), [2, 8])
    same(lax.clz(np.array([1, 255], np.uint8)), [7, 0])
    same(lax.shift_right_logical(np.array([-1], np.int32), np.array([28], np.int32)), [15])


starts = st.tuples(st.integers(-5, 5), st.integers(-6, 6))


@given(starts, st.tuples(st.integers(0, 3), st.integers(0, 4)))
@settings(max_examples=40)
def test_dynamic_slices(start: tuple[int, int], sizes: tuple[int, int]) -> None:
    """Negative starts count from the end; slices are moved inside."""
    first = [min(max(s + n if s < 0 else s, 0), n - k) for s, n, k in zip(start, X.shape, sizes, strict=True)]
    part = tuple(slice(a, a + k) for a, k in zip(first, sizes, strict=True))
    same(lax.dynamic_slice(X, start, sizes), X[part])
    same(olympus.jit(lambda i, j: lax.dynamic_slice(X, (i, j), sizes))(*start), X[part])
    expected = X.copy()
    expected[part] = -1
    same(lax.dynamic_update_slice(X, np.full(sizes, -1, np.float32), start), expected)


def test_slices_in_one_dimension() -> None:
    same(lax.slice_in_dim(X, 1, None, 2, axis=1), X[:, 1::2])
    same(lax.index_in_dim(X, -1, axis=1), X[:, -1:])
    same(lax.dynamic_slice_in_dim(X, 2, 2, axis=1), X[:, 2:4])
    same(lax.dynamic_index_in_dim(X, 2, keepdims=False), X[2])
    same(lax.dynamic_update_index_in_dim(X, np.zeros(3, np.float32), 1, 1), np.where(np.arange(4) == 1, 0, X))
    same(lax.dynamic_update_slice_in_dim(X, np.zeros((3, 2), np.float32), 1, 1),
         np.where((np.arange(4) == 1) | (np.arange(4) == 2), 0, X))
    same(lax.dynamic_slice(X, jnp.array([1, 1]), (1, 2)), X[1:2, 1:3])


def test_structure() -> None:
    same(lax.pad(X[:, :2], 9.0, [(1, 0, 0), (0, 1, 1)]), [[9, 9, 9, 9], [0, 9, 1, 9], [4, 9, 5, 9], [8, 9, 9, 9]])
    same(lax.pad(X, 0.0, [(-1, 0, 0), (0, -2, 0)]), X[1:, :2])
    same(lax.broadcast_in_dim(X[0], (2, 4), (1,)), np.broadcast_to(X[0], (2, 4)))
    same(lax.broadcast(X[0], (2,)), np.broadcast_to(X[0], (2, 4)))
    same(lax.broadcasted_iota(jnp.int32, (2, 3), 1), [[0, 1, 2]] * 2)
    same(lax.collapse(T, 1), T.reshape(2, 12))
    same(lax.reshape(X, (4, 3), dimensions=(1, 0)), X.T)
    same(lax.rev(X, (0, 1)), X[::-1, ::-1])
    same(lax.full_like(X, 2), np.full_like(X, 2))
    assert lax.iota("uint8", 3).dtype == jnp.uint8
    assert lax.broadcast_shapes((2, 1), (3,)) == (2, 3) and lax.broadcast_shapes() == ()


MONOIDS = [("add", np.sum, 0.0), ("mul", np.prod, 1.0), ("max", np.max, -np.inf), ("min", np.min, np.inf)]


@pytest.mark.parametrize("name, fold, first", MONOIDS, ids=[m[0] for m in MONOIDS])
def test_reduce_recognises_functions(name: str, fold: object, first: float) -> None:
    same(lax.reduce(X, first, getattr(lax, name), (0,)), fold(X, 0))
    same(lax.reduce(X, first, lambda a, b: getattr(lax, name)(b, a), (1,)), fold(X, 1))
    same(getattr(lax, f"reduce_{ {'add': 'sum', 'mul': 'prod'}.get(name, name)}")(X, (0, 1)), fold(X))


def test_reduce_of_trees_and_truth_values() -> None:
    found = lax.reduce({"a": X, "b": X > 5}, {"a": 1.0, "b": False}, lambda a, b: {
        "a": a["a"] + b["a"], "b": a["b"] | b["b"]}, (0,))
    same(found["a"], X.sum(0) + 1)
    same(found["b"], (X > 5).any(0))
    same(lax.reduce(X > 5, True, lax.bitwise_and, (1,)), (X > 5).all(1))
    same(lax.reduce_and(X > 5, (1,)), (X > 5).all(1))


@pytest.mark.parametrize("padding", ["VALID", "SAME", [(1, 0), (0, 2)]])
def test_windows(padding: object) -> None:
    """Each window by hand."""
    found = np.asarray(lax.reduce_window(X, -np.inf, lax.max, (2, 3), (1, 2), padding))
    words = {"VALID": [(0, 0), (0, 0)], "SAME": [(0, 1), (0, 1)]}
    pads = words[padding] if isinstance(padding, str) else padding
    wide = np.pad(X, pads, constant_values=-np.inf)
    rows, columns = wide.shape[0] - 1, (wide.shape[1] - 3) // 2 + 1
    expected = [[wide[i:i + 2, 2 * j:2 * j + 3].max() for j in range(columns)] for i in range(rows)]
    same(found, expected)


def test_dilated_windows() -> None:
    row = np.arange(5, dtype=np.float32)
    same(lax.reduce_window(row, 0.0, lax.add, (2,), (1,), "VALID", window_dilation=(2,)), row[:3] + row[2:])
    same(lax.reduce_window(row, 0.0, lax.add, (2,), (1,), "VALID", base_dilation=(2,)), [0, 1, 1, 2, 2, 3, 3, 4])


FOLDS = {
    "add": (lax.add, np.add, 0), "max": (lax.max, np.maximum, -99), "min": (lax.min, np.minimum, 99),
    "mul": (lax.mul, np.multiply, 1), "or": (lax.bitwise_or, np.bitwise_or, 0),
}


def windows_by_hand(
    x: np.ndarray, fold: np.ufunc, start: int, sizes: tuple, strides: tuple, holes: tuple
) -> np.ndarray:
    """All windows of an array of two dimensions, taken out whole."""
    rows, columns = (
        np.arange((n - (k - 1) * hole - 1) // s + 1)[:, None] * s + np.arange(k) * hole
        for n, k, s, hole in zip(x.shape, sizes, strides, holes, strict=True))
    taken = x[rows[:, None, :, None], columns[None, :, None, :]]
    return fold(start, fold.reduce(taken, axis=(2, 3)))


@given(
    st.sampled_from(sorted(FOLDS)), *[st.tuples(st.sampled_from(sizes), st.sampled_from(sizes)) for sizes in (
        (1, 3, 17, 20, 33), (1, 2, 7, 17, 40), (1, 1, 2, 3))], st.tuples(*[st.integers(0, 3)] * 4), st.integers(0, 30))
@settings(max_examples=25, deadline=None)
def test_windows_of_any_size(
    name: str, sizes: tuple, strides: tuple, holes: tuple, pads: tuple, surplus: int
) -> None:
    """In whatever steps a window is folded, the integers are those of folding it at once."""
    computation, fold, start = FOLDS[name]
    shape = [(k - 1) * hole + 1 + surplus for k, hole in zip(sizes, holes, strict=True)]
    x = (np.arange(np.prod(shape)).reshape(shape) * 7 % 11 - 5).astype(np.int32)
    padding = (pads[:2], pads[2:])
    found = lax.reduce_window(x, np.int32(start), computation, sizes, strides, padding, window_dilation=holes)
    wide = np.pad(x, padding, constant_values=start)
    expected = windows_by_hand(wide, fold, start, sizes, strides, holes)  # NumPy widens: products wrap in their type
    np.testing.assert_array_equal(np.asarray(found), expected.astype(np.int32))


@pytest.mark.parametrize("stride", [1, 3, 700, 5000])
def test_the_program_does_not_grow_with_the_window(stride: int) -> None:
    """A hundred times the window is a few more operations, not a hundred times as many."""
    def program(size: int, x: np.ndarray) -> str:
        folded = olympus.jit(lambda x: lax.reduce_window(x, 0.0, lax.add, (size,), (stride,), "VALID"))
        return folded.lower(x).as_text()

    short, long = (len(program(n, np.ones(n + 5, np.float32)).splitlines()) for n in (1000, 100_000))
    assert long < short + 60
    x = np.linspace(0, 1, 100_005, dtype=np.float32)
    found = lax.reduce_window(x, 0.0, lax.add, (100_000,), (stride,), "VALID")
    same(found, [x[i:i + 100_000].sum(dtype=np.float64) for i in range(0, 6, stride)], 1e-4)


@pytest.mark.parametrize("stride, hole", [(1, 1), (4, 1), (19, 1), (30, 1), (3, 2), (4, 2)])
def test_derivatives_of_long_windows(stride: int, hole: int) -> None:
    """Of sums: how many windows an element is in; of maxima: whose window it is the greatest of. Mapped the same."""
    x = (np.arange(80) * 37 % 83).astype(np.float32)
    places = [np.arange(19) * hole + i for i in range(0, 80 - 18 * hole, stride)]

    def total(x: object, computation: object, start: float) -> object:
        windows = lax.reduce_window(x, start, computation, (19,), (stride,), "VALID", window_dilation=(hole,))
        return jnp.sum(windows * windows)

    sums, greatest = np.zeros(80), np.zeros(80)
    for window in places:
        sums[window] += 2 * x[window].sum()
        greatest[window[x[window].argmax()]] += 2 * x[window].max()
    for computation, start, expected in ((lax.add, 0.0, sums), (lax.max, -np.inf, greatest)):
        gradient = olympus.grad(functools.partial(total, computation=computation, start=start))
        same(gradient(x), expected)
        same(olympus.vmap(gradient)(np.stack([x, x])), np.stack([expected] * 2))


def test_long_windows_without_a_place() -> None:
    assert lax.reduce_window(np.ones(5, np.float32), 0.0, lax.add, (40,), (1,), "VALID").shape == (0,)
    same(lax.reduce_window(np.ones(5, np.float32), 0.0, lax.add, (40,), (1,), "SAME"), [5] * 5)


@pytest.mark.parametrize("name, fold", [("cumsum", np.add), ("cumprod", np.multiply), ("cummax", np.maximum),
                                        ("cummin", np.minimum)])
def test_running_folds(name: str, fold: np.ufunc) -> None:
    x = X - 5
    same(getattr(lax, name)(x, axis=1), fold.accumulate(x, axis=1))
    same(getattr(lax, name)(x, axis=0, reverse=True), fold.accumulate(x[::-1], axis=0)[::-1])
    same(lax.cumlogsumexp(x, axis=1), np.logaddexp.accumulate(x.astype(float), axis=1), 1e-5)


@given(st.integers(0, 17), st.booleans())
@settings(max_examples=25)
def test_associative_scan(n: int, reverse: bool) -> None:
    """Of a function that does not commute: the composition of affine maps."""
    a, b = np.arange(n) % 3 - 1, np.arange(n) % 5

    def compose(first: tuple, second: tuple) -> tuple:
        return first[0] * second[0], second[0] * first[1] + second[1]

    found = lax.associative_scan(compose, (a, b), reverse=reverse)
    order = list(range(n))[::-1] if reverse else list(range(n))
    total, expected = None, {}
    for i in order:
        total = (a[i], b[i]) if total is None else compose(total, (a[i], b[i]))
        expected[i] = total
    same(found[0], [expected[i][0] for i in range(n)])
    same(found[1], [expected[i][1] for i in range(n)])


def test_the_function_of_an_associative_scan_may_give_other_containers() -> None:
    class Pair(NamedTuple):
        total: Any
        greatest: Any

    x = np.array([3.0, 1.0, 4.0, 1.0, 5.0])
    found = lax.associative_scan(lambda a, b: [a.total + b.total, jnp.maximum(a.greatest, b.greatest)], Pair(x, x))
    assert isinstance(found, Pair)
    same(found.total, np.cumsum(x))
    same(found.greatest, np.maximum.accumulate(x))


def test_the_greatest_come_in_a_list_as_what_has_several_results_does() -> None:
    for function, wanted in ((lax.top_k, [3.0]), (lax.approx_max_k, [3.0]), (lax.approx_min_k, [1.0])):
        found = function(jnp.array([1.0, 3.0]), 1)
        assert isinstance(found, list) and found[0].tolist() == wanted


def test_sorting() -> None:
    keys, values = np.array([3, 1, 3, 2]), np.array([0, 1, 2, 3])
    same(lax.sort(keys), np.sort(keys))
    found = lax.sort((keys, values), num_keys=1)
    same(found[1], values[np.argsort(keys, kind="stable")])
    same(lax.sort_key_val(keys, values)[1], found[1])
    best, places = lax.top_k(np.array([[1, 3, 3, 2], [9, 0, 9, 9]]), 3)
    same(best, [[3, 3, 2], [9, 9, 9]])
    same(places, [[1, 2, 3], [0, 2, 3]])
    same(lax.top_k(X, 1, axis=0)[0], X[2:])
    same(lax.approx_max_k(X, 2)[0], X[:, :1:-1])
    same(lax.approx_min_k(X, 2)[0], X[:, :2])
    with pytest.raises(ArgumentError, match="k does not fit"):
        lax.top_k(X, 5)


def test_the_greatest_elements() -> None:
    x = np.random.default_rng(0).integers(0, 40, (6, 5, 300)).astype(np.float32)
    x[0, 0, 7] = x[0, 0, 3] = np.nan
    order = np.argsort(np.where(np.isnan(x), -np.inf, -x), axis=-1, kind="stable")[..., :9]
    best, places = lax.top_k(x, 9)
    same(best, np.take_along_axis(x, order, -1))
    same(places, order)
    assert places.dtype == np.int32
    for found, wanted in zip(lax.top_k(x.transpose(2, 0, 1), 9, axis=0), (best, places), strict=True):
        same(found, np.asarray(wanted).transpose(2, 0, 1))
    for found, wanted in zip(olympus.vmap(lambda a: lax.top_k(a, 9), in_axes=1, out_axes=1)(x), (best, places),
                             strict=True):
        same(found, wanted)
    mesh = olympus.make_mesh((2, 2), ("a", "b"), devices=olympus.devices()[:4])
    split = olympus.device_put(x, olympus.NamedSharding(mesh, olympus.P("a", None, "b")))
    for found, wanted in zip(olympus.jit(lambda a: lax.top_k(a, 9))(split), (best, places), strict=True):
        same(found, wanted)


def test_slopes_of_the_greatest_elements() -> None:
    x = np.random.default_rng(0).standard_normal((4, 300)).astype(np.float32)
    weights = np.arange(1, 6, dtype=np.float32)
    slope = olympus.grad(lambda a: (lax.top_k(a, 5)[0] * weights).sum())(x)
    wanted = np.zeros_like(x)
    np.put_along_axis(wanted, np.argsort(-x, axis=1)[:, :5], weights[None], 1)
    same(slope, wanted)


def test_contractions() -> None:
    same(lax.dot(X, X.T), X @ X.T)
    same(lax.dot_general(T, T, (((2,), (2,)), ((0,), (0,)))), np.einsum("bik,bjk->bij", T, T))
    same(lax.dot_general(T, X, (((1, 2), (0, 1)), ((), ()))), np.einsum("bij,ij->b", T, X))
    same(lax.batch_matmul(T, T.transpose(0, 2, 1)), T @ T.transpose(0, 2, 1))
    half = jnp.ones((2, 3), jnp.bfloat16)
    assert lax.dot(half, half.T, preferred_element_type=jnp.float32).dtype == jnp.float32
    weights = np.arange(24, dtype=np.float32).reshape(2, 4, 3)
    found = lax.ragged_dot(X, weights, np.array([1, 1]))
    same(found, np.stack([X[0] @ weights[0], X[1] @ weights[1], np.zeros(3)]))
    with pytest.raises(ArgumentError, match="no vectors or matrices"):
        lax.dot(T, X)


def convolved(x: np.ndarray, kernel: np.ndarray, strides: tuple[int, int], pads: list[tuple[int, int]]) -> np.ndarray:
    """A convolution in NCHW and OIHW, one window at a time."""
    wide = np.pad(x, [(0, 0), (0, 0), *pads])
    h, w = kernel.shape[2:]
    rows, columns = (wide.shape[2] - h) // strides[0] + 1, (wide.shape[3] - w) // strides[1] + 1
    out = np.zeros((x.shape[0], kernel.shape[0], rows, columns))
    for i in range(rows):
        for j in range(columns):
            window = wide[:, :, i * strides[0]:i * strides[0] + h, j * strides[1]:j * strides[1] + w]
            out[:, :, i, j] = np.einsum("nchw,ochw->no", window, kernel)
    return out


@pytest.mark.parametrize("strides", [(1, 1), (2, 1), (2, 3)])
@pytest.mark.parametrize("padding", ["SAME", "VALID", [(1, 0), (2, 1)]])
def test_convolution(padding: object, strides: tuple[int, int]) -> None:
    rng = np.random.default_rng(0)
    x, kernel = (rng.standard_normal(s).astype(np.float32) for s in ((2, 3, 7, 6), (4, 3, 3, 2)))
    if padding == "SAME":
        pads = []
        for n, k, s in zip((7, 6), (3, 2), strides, strict=True):
            total = max((-(-n // s) - 1) * s + k - n, 0)
            pads.append((total // 2, total - total // 2))
    else:
        pads = [(0, 0), (0, 0)] if padding == "VALID" else padding
    expected = convolved(x, kernel, strides, pads)
    same(lax.conv_general_dilated(x, kernel, strides, padding), expected, 1e-5)
    last = lax.conv_general_dilated(
        x.transpose(0, 2, 3, 1), kernel.transpose(2, 3, 1, 0), strides, padding,
        dimension_numbers=("NHWC", "HWIO", "NHWC"))
    same(last, expected.transpose(0, 2, 3, 1), 1e-5)


def test_other_convolutions() -> None:
    x, kernel = np.arange(5, dtype=np.float32).reshape(1, 1, 5), np.array([1, 2], np.float32).reshape(1, 1, 2)
    same(lax.conv(x, kernel, (1,), "VALID"), [[[2, 5, 8, 11]]])
    same(lax.conv_with_general_padding(x, kernel, (1,), [(0, 0)], (2,), (2,)), [[[2, 0, 5, 0, 8, 0, 11]]])
    up = lax.conv_transpose(np.ones((1, 3, 1), np.float32), np.array([1, 2], np.float32).reshape(2, 1, 1), (2,),
                            "VALID")
    same(up, np.array([2, 1, 2, 1, 2, 1]).reshape(1, 6, 1))
    grouped = lax.conv_general_dilated(np.ones((1, 4, 3), np.float32), np.ones((4, 1, 1), np.float32), (1,), "VALID",
                                       feature_group_count=4)
    same(grouped, np.ones((1, 4, 3)))
    with pytest.raises(ArgumentError, match="the padding is not known"):
        lax.conv(x, kernel, (1,), "SOME")
    with pytest.raises(ArgumentError, match="the layout does not fit"):
        lax.conv_general_dilated(x, kernel, (1,), "VALID", dimension_numbers=("NCH", "OIW", "NCH"))


@pytest.mark.parametrize("mode", ["clip", "fill"])
def test_a_gather_of_no_windows_reads_nothing(mode: str) -> None:
    numbers = lax.GatherDimensionNumbers((1,), (0,), (0,))
    none, empty = jnp.zeros((0, 1), int), jnp.zeros((0, 3))

    def rows(x: Any, i: Any) -> Any:
        return lax.gather(x, i, numbers, (1, 3), mode=mode)

    assert rows(empty, none).shape == olympus.jit(rows)(empty, none).shape == (0, 3)
    assert rows(jnp.ones((2, 1), "int8"), none).dtype == jnp.int8
    assert olympus.grad(lambda x: rows(x, none).sum())(jnp.ones((2, 1))).tolist() == [[0], [0]]
    with pytest.raises(OperandError, match="slice_sizes"):
        rows(empty, jnp.zeros((2, 1), int))


def test_gather_and_scatter() -> None:
    numbers = lax.GatherDimensionNumbers((1,), (0,), (0,))
    indices = np.array([[2], [5]])
    same(lax.gather(X, indices, numbers, (1, 4)), X[[2, 2]])
    assert np.isnan(lax.gather(X, indices, numbers, (1, 4), mode="fill")[1]).all()
    same(lax.gather(X, indices, numbers, (1, 4), mode="fill", fill_value=7)[1], np.full(4, 7))
    where = lax.ScatterDimensionNumbers((1,), (0,), (0,))
    updates = np.ones((2, 4), np.float32)
    for name, fold in (("scatter", lambda a, b: b), ("scatter_add", np.add), ("scatter_mul", np.multiply),
                       ("scatter_min", np.minimum), ("scatter_max", np.maximum), ("scatter_sub", np.subtract)):
        expected = X.copy()
        expected[2] = fold(X[2], 1)
        same(getattr(lax, name)(X, indices, updates, where), expected)
    with pytest.raises(ArgumentError, match="is not known"):
        lax.gather(X, indices, numbers, (1, 4), mode="nearest")


def test_conversions() -> None:
    assert lax.convert_element_type(X, "bfloat16").dtype == dtypes.bfloat16
    assert lax.convert_element_type(2.5, float).weak_type and not lax.convert_element_type(2.5, "float32").weak_type
    same(lax.convert_element_type(np.array([1.9, -1.9], np.float32), int), [1, -1])
    x = jnp.asarray(X)
    assert lax.stop_gradient(x) is x


_SUMS = (((1,), (0,)), ((), ()))


@pytest.mark.parametrize(("first", "second", "expected"), [
    ("float32", "bfloat16", "float32"), ("float16", "bfloat16", "bfloat16"), ("int32", "float16", "float16"),
    ("int8", "int32", "int32"), ("int8", "uint8", "int8"), ("uint32", "int8", "uint32"), ("uint32", "int32", "int32"),
    ("bool", "uint8", "uint8"), ("complex64", "float32", "complex64"), ("bool", "float32", "float32"),
    ("float8_e4m3fn", "float8_e5m2", "float8_e5m2"), ("float8_e4m3fn", "int32", "float8_e4m3fn"),
])
def test_dot_general_of_two_element_types(first: str, second: str, expected: str) -> None:
    x, y = jnp.asarray([[1.0, 2.0, 0.25], [3.0, 4.0, 1.5]]).astype(first), jnp.ones((3, 2)).astype(second)
    wide = np.complex64 if expected == "complex64" else np.float32
    wanted = np.asarray(x.astype(wide)) @ np.asarray(y.astype(wide))
    for place in (lambda f: f, olympus.jit):
        for a, b, numbers in ((x, y, _SUMS), (y, x, (((0,), (1,)), ((), ())))):
            found = place(lambda a, b, n=numbers: lax.dot_general(a, b, n))(a, b)
            assert found.dtype == expected and not found.weak_type
            rounded = jnp.asarray(wanted if a is x else wanted.T).astype(expected)
            np.testing.assert_array_equal(np.asarray(found.astype(wide)), np.asarray(rounded.astype(wide)))
        sums = np.int32 if "int" in expected else wide
        given = place(lambda a, b, sums=sums: lax.dot_general(a, b, _SUMS, preferred_element_type=sums))(x, y)
        assert given.dtype == sums
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("sums", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint32", "uint64"])
def test_sums_of_integers_wrap_at_their_own_type(dtype: str, sums: str) -> None:
    """Small products, products with a vector and blocks are computed by different code: no float is between."""
    rng, limits, bits = np.random.default_rng(5), np.iinfo(dtype), np.iinfo(sums).bits
    with olympus.enable_x64(True):
        for rows, inner, columns in ((2, 2, 2), (2, 90, 1), (1, 1, 3), (40, 90, 50)):
            x, y = (rng.integers(limits.min, limits.max, shape, dtype, endpoint=True)
                    for shape in ((rows, inner), (inner, columns)))
            exact = (x.astype(object) @ y.astype(object)) % (1 << bits)
            found = lax.dot_general(x, y, _SUMS, preferred_element_type=sums)
            np.testing.assert_array_equal(found, exact.astype(np.uint64).astype(sums))


@pytest.mark.parametrize(("first", "second", "sums"), [
    ("uint8", "int8", "int32"), ("int8", "uint8", "int16"), ("uint16", "int16", "int32"), ("uint8", "int8", "float32"),
    ("uint32", "int32", "int64"), ("uint32", "int8", "int64"), ("int32", "float16", "float32"),
    ("int64", "float32", "float64"), ("uint16", "int8", "int8"),
])
def test_values_that_only_the_sum_s_type_holds_are_not_wrapped(first: str, second: str, sums: str) -> None:
    x, y = (np.array([[np.iinfo(t).max, 3], [np.iinfo(t).min, 5]], t) if "int" in t else np.eye(2, dtype=t)
            for t in (first, second))
    exact = x.astype(object) @ y.astype(object)
    with olympus.enable_x64(True):
        for a, b, wanted in ((x, y, exact), (y, x, y.astype(object) @ x.astype(object))):
            found = lax.dot_general(a, b, _SUMS, preferred_element_type=sums)
            assert found.dtype == sums
            if "int" in sums:  # wraps at the sum's width and at no other
                bits = np.iinfo(sums).bits
                wanted = (wanted + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
            np.testing.assert_array_equal(found, wanted.astype(sums))


@pytest.mark.parametrize(("dtype", "sums"), [
    ("int8", "float32"), ("uint8", "bfloat16"), ("int32", "float64"), ("uint32", "float64"), ("bool", "float32"),
    ("bool", "int32"), ("int16", "complex64"), ("float32", "complex64"), ("float64", "complex128"),
])
def test_sums_of_a_greater_kind_than_the_operands(dtype: str, sums: str) -> None:
    limits = np.iinfo(dtype) if "int" in dtype else None
    x = np.array([[1, 1, 0], [0, 1, 1]], dtype) if limits is None else np.array([[limits.max, 3, 1], [0, 1, 2]], dtype)
    with olympus.enable_x64(True):
        found = lax.dot_general(x, x, _SUMS_OF_ROWS, preferred_element_type=sums)
        wide = np.complex128 if "complex" in sums else np.float64
        wanted = np.asarray(jnp.asarray(x.astype(wide) @ x.astype(wide).T).astype(sums))
        assert found.dtype == sums
        np.testing.assert_array_equal(found, wanted)
        with pytest.raises(TypeError, match="cannot accumulate"):
            lax.dot_general(x.astype(np.float32), x.astype(np.float32), _SUMS_OF_ROWS, preferred_element_type="int32")


_SUMS_OF_ROWS = (((1,), (1,)), ((), ()))


@pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "complex64"])
@pytest.mark.parametrize("integers", ["int8", "int32", "uint16"])
def test_powers_of_floats_by_integers(kind: str, integers: str) -> None:
    x, y = jnp.array([-2, 0, 3, 1], kind), np.array([3, 0, 2, 100], integers)
    y = y if integers == "uint16" else y * np.array([1, 1, -1, 1], integers)
    wanted = np.asarray(x).astype(np.complex128) ** y
    for function in (lax.pow, olympus.jit(lax.pow)):
        found = function(x, y)
        assert found.dtype == kind and not found.weak_type
        np.testing.assert_allclose(
            np.asarray(found).astype(np.complex128), wanted, rtol=1e-2 if kind == "bfloat16" else 1e-3)
    assert lax.pow(1.5, y).dtype == np.float32
    if kind == "float32":
        slope = olympus.grad(lambda x: lax.pow(x, y).sum())(x)
        np.testing.assert_allclose(slope, [12, 0, y[2] * 3.0 ** (int(y[2]) - 1), 100], rtol=1e-5)


@pytest.mark.parametrize("kind, exponent", [("float16", 2049), ("bfloat16", 257), ("float32", 2**24 + 1)])
def test_odd_powers_stay_odd_where_the_type_holds_no_odd_numbers(kind: str, exponent: int) -> None:
    minus_one = jnp.array([-1, -1], kind)
    found = lax.pow(minus_one, np.array([exponent, exponent + 1], np.int32))
    assert np.asarray(found).astype(float).tolist() == [-1, 1]


def test_complex_numbers_reinterpreted_as_themselves() -> None:
    x = np.array([1 + 2j], np.complex64)
    np.testing.assert_array_equal(lax.bitcast_convert_type(x, "complex64"), x)


@pytest.mark.parametrize("wanted", [None, "bool", "int32", "float32", "float16"])
def test_dot_general_of_bools(wanted: str | None) -> None:
    x, y = np.array([[True, True, False], [False] * 3]), np.array([[True, False], [True, False], [False, True]])
    numbers = (((1,), (0,)), ((), ()))
    for function in (lax.dot_general, olympus.jit(lax.dot_general, static_argnums=(2, 3, 4))):
        found = function(x, y, numbers, None, wanted)
        assert found.dtype == (wanted or "bool")
        np.testing.assert_array_equal(found, (x.astype(int) @ y).astype(wanted or bool))
    mapped = olympus.vmap(lambda v: lax.dot(v, y))(x)
    np.testing.assert_array_equal(mapped, x @ y)


def test_derivatives_of_dot_general_of_two_element_types() -> None:
    x, y = jnp.arange(6.0).reshape(2, 3), jnp.arange(6).reshape(3, 2).astype(jnp.bfloat16)
    gx, gy = olympus.grad(lambda x, y: lax.dot_general(x, y, _SUMS).sum(), (0, 1))(x, y)
    assert (gx.dtype, gy.dtype) == (x.dtype, y.dtype)
    np.testing.assert_array_equal(gx, np.tile(np.asarray(y.astype(jnp.float32)).sum(1), (2, 1)))
    np.testing.assert_array_equal(gy.astype(jnp.float32), np.tile(np.asarray(x).sum(0)[:, None], (1, 2)))


def test_einsum_tells_a_product_of_users_the_element_type() -> None:
    told: list[Any] = []

    def product(*args: Any, preferred_element_type: Any = None, **options: Any) -> Any:
        told.append(preferred_element_type)
        return lax.dot_general(*args, preferred_element_type=preferred_element_type, **options)

    x = jnp.ones((2, 2), jnp.bfloat16)
    assert jnp.einsum("ij,jk->ik", x, x, _dot_general=product).dtype == jnp.bfloat16
    assert jnp.einsum("ij,jk->ik", x, x, _dot_general=product, preferred_element_type=jnp.float32).dtype == jnp.float32
    assert told == [jnp.bfloat16, jnp.float32]


def test_values_that_only_pass_are_arrays() -> None:
    for function in (lax.stop_gradient, lax.optimization_barrier):
        x, y = function((np.ones(2, np.float32), np.int32(3)))
        assert isinstance(x, olympus.Array) and isinstance(y, olympus.Array) and y.dtype == np.int32
    assert lax.stop_gradient(1.5) == 1.5 and isinstance(lax.optimization_barrier(1.5), olympus.Array)
