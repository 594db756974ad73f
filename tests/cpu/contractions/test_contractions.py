# SPDX-License-Identifier: Apache-2.0
"""Compiled contractions against their reference semantics in wider arithmetic."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core import dtypes, ops
from olympus_core.toolkit.flatten import flatten
from olympus_cpu.compiled.passes import PRODUCTS
from olympus_cpu.contractions.gemm_steps import made_step

FLOATS = (dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.float16)
INTEGERS = (dtypes.int8, dtypes.uint8, dtypes.int32, dtypes.int64, dtypes.uint32)
UNITS = {dtypes.float32: 2.0**-23, dtypes.float64: 2.0**-52, dtypes.bfloat16: 2.0**-8, dtypes.float16: 2.0**-10}


def random(shape: tuple[int, ...], dtype: np.dtype, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng((seed, *shape))
    if dtypes.is_integer(dtype):
        return np.frombuffer(generator.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)
    return generator.standard_normal(shape).astype(dtype)


def check(got: Any, record: Any, values: list[np.ndarray], attributes: dict[str, Any], length: int) -> None:
    """Compares with the reference in float64, and allows what summing `length` products may cost."""
    got, dtype = np.asarray(got), values[0].dtype
    if dtypes.is_integer(dtype):
        (expected,) = record.reference(values, attributes)
        np.testing.assert_array_equal(got, expected)
        return
    wide = [v.astype(np.float64) for v in values]
    plain = {k: v for k, v in attributes.items() if k != "dtype"}
    (expected,) = record.reference(wide, plain)
    (sizes,) = record.reference([np.abs(v) for v in wide], plain)
    summed = UNITS[dtypes.float64 if dtype == dtypes.float64 else dtypes.float32]
    allowed = sizes * summed * (4 + length**0.5) + np.abs(expected) * UNITS[got.dtype] + 1e-7 * (
        got.dtype == dtypes.float16)
    assert got.shape == expected.shape
    assert np.all(np.abs(got.astype(np.float64) - expected) <= allowed)


def dot(x: np.ndarray, y: np.ndarray, numbers: Any) -> None:
    (inner, batch) = numbers
    with olympus.enable_x64(True):
        got = olympus.jit(lambda x, y: lax.dot_general(x, y, numbers))(x, y)
    attributes = {
        "lhs_contracting": inner[0], "rhs_contracting": inner[1], "lhs_batch": batch[0], "rhs_batch": batch[1]}
    length = int(np.prod([x.shape[d] for d in inner[0]]))
    check(got, ops.dot_general, [x, y], attributes, length)


MATRICES = (((1,), (0,)), ((), ()))


class TestProducts:
    @pytest.mark.parametrize("dtype", [*FLOATS, *INTEGERS])
    @pytest.mark.parametrize(("rows", "inner", "columns"), [
        (1, 1, 1), (5, 3, 7), (6, 4, 16), (7, 300, 33), (64, 64, 64), (1, 70, 48), (48, 70, 1), (200, 2, 2)])
    def test_matrices(self, dtype: np.dtype, rows: int, inner: int, columns: int) -> None:
        dot(random((rows, inner), dtype), random((inner, columns), dtype, 1), MATRICES)

    @pytest.mark.parametrize("dtype", [*FLOATS, dtypes.int32])
    @pytest.mark.parametrize(("rows", "inner", "columns"), [
        (130, 257, 200), (50, 1000, 300), (7, 800, 64), (20, 30, 1050)])
    def test_matrices_of_several_passes_and_pieces(self, dtype: np.dtype, rows: int, inner: int, columns: int) -> None:
        dot(random((rows, inner), dtype), random((inner, columns), dtype, 1), MATRICES)

    @pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.bfloat16])
    @pytest.mark.parametrize("numbers", [((1,), (1,)), ((0,), (0,)), ((0,), (1,))])
    def test_transposed_operands(self, dtype: np.dtype, numbers: Any) -> None:
        x = random((45, 70) if numbers[0] == (0,) else (70, 45), dtype)
        y = random((45, 38) if numbers[1] == (0,) else (38, 45), dtype, 1)
        dot(x, y, (numbers, ((), ())))

    @given(st.data())
    @settings(deadline=None, max_examples=60, derandomize=True)
    def test_any_dimensions(self, data: Any) -> None:
        draw = data.draw
        size = st.integers(1, 9)
        batch, inner = (draw(st.lists(size, max_size=2)) for _ in range(2))
        free = [draw(st.lists(size, max_size=2)) for _ in range(2)]
        dtype = draw(st.sampled_from([*FLOATS, *INTEGERS]))
        values, numbers = [], []
        for seed in (0, 1):
            labels = [("b", i) for i in range(len(batch))] + [("k", i) for i in range(len(inner))]
            labels += [("f", i) for i in range(len(free[seed]))]
            order = draw(st.permutations(labels))
            of = {"b": batch, "k": inner, "f": free[seed]}
            values.append(random(tuple(of[kind][i] for kind, i in order), dtype, seed))
            numbers.append([tuple(order.index((k, i)) for i in range(len(of[k]))) for k in "kb"])
        dot(values[0], values[1], tuple(zip(*numbers, strict=True)))

    def test_stacks_of_small_matrices(self) -> None:
        dot(random((64, 32, 24), dtypes.float32), random((64, 24, 40), dtypes.float32, 1), (((2,), (1,)), ((0,), (0,))))

    def test_one_operand_for_a_whole_stack(self) -> None:
        x, y = random((5, 30, 20), dtypes.float32), random((20, 24), dtypes.float32, 1)
        np.testing.assert_allclose(olympus.jit(jnp.matmul)(x, y), x @ y, rtol=1e-4, atol=1e-4)

    def test_infinity_stays_in_its_own_elements(self) -> None:
        x, y = np.ones((7, 5), "f4"), np.ones((5, 9), "f4")
        x[6, 2], y[1, 8] = np.inf, np.nan
        with np.errstate(invalid="ignore"):  # on some processors NumPy's product tells of the NaN that it was given
            expected = x @ y
        np.testing.assert_array_equal(olympus.jit(jnp.matmul)(x, y), expected)

    def test_a_wider_result_is_exact(self) -> None:
        x, y = random((9, 40), dtypes.int8), random((40, 20), dtypes.int8, 1)
        got = olympus.jit(lambda x, y: lax.dot_general(x, y, MATRICES, preferred_element_type=np.int32))(x, y)
        np.testing.assert_array_equal(got, x.astype("i4") @ y.astype("i4"))

    def test_what_surrounds_a_product_is_in_the_same_call(self) -> None:
        x, w, b = random((33, 40), dtypes.float32), random((40, 50), dtypes.float32, 1), random((50,), dtypes.float32)
        got = olympus.jit(lambda x, w, b: jnp.maximum((x * 2) @ w + b, 0).sum(axis=1))(x, w, b)
        np.testing.assert_allclose(got, np.maximum((x * 2) @ w + b, 0).sum(axis=1), rtol=1e-4, atol=1e-4)


class TestSteps:
    def test_complex_and_narrow_results_are_left_to_others(self) -> None:
        taken: list[bool] = []

        def operation(dtype: np.dtype, result: np.dtype) -> Any:
            from olympus_core.program import ArrayType, Operation, Value

            attributes = {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": ()}
            operands = tuple(Value(ArrayType((4, 4), dtype)) for _ in range(2))
            return Operation(ops.dot_general, operands, attributes, (), (Value(ArrayType((4, 4), result)),))

        for pair in ((dtypes.complex64,) * 2, (dtypes.bfloat16,) * 2, (dtypes.bfloat16, dtypes.float32)):
            taken.append(made_step(operation(*pair)) is not None)
        assert taken == [False, False, True]


def convolve(x: np.ndarray, kernel: np.ndarray, **options: Any) -> None:
    count = x.ndim - 2
    given = {
        "window_strides": (1,) * count, "padding": ((0, 0),) * count, "lhs_dilation": (1,) * count,
        "rhs_dilation": (1,) * count, "lhs_layout": "NCHW"[:x.ndim], "rhs_layout": "OIHW"[:x.ndim],
        "out_layout": "NCHW"[:x.ndim], "feature_groups": 1, "batch_groups": 1, **options,
    }
    numbers = given["lhs_layout"], given["rhs_layout"], given["out_layout"]
    with olympus.enable_x64(True):
        got = olympus.jit(lambda x, k: lax.conv_general_dilated(
            x, k, given["window_strides"], given["padding"], given["lhs_dilation"], given["rhs_dilation"], numbers,
            given["feature_groups"], given["batch_groups"]))(x, kernel)
    assert got.dtype == x.dtype
    check(got, ops.convolution, [x, kernel], given, kernel.size)


NHWC = {"lhs_layout": "NHWC", "rhs_layout": "HWIO", "out_layout": "NHWC"}
OF_WEIGHTS = {"lhs_layout": "CHWN", "rhs_layout": "IHWO", "out_layout": "HWNC"}


class TestConvolutions:
    @pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.float16, dtypes.int32])
    def test_a_window_of_three(self, dtype: np.dtype) -> None:
        convolve(random((2, 9, 8, 5), dtype), random((3, 3, 5, 17), dtype, 1), **NHWC, padding=((1, 1), (1, 1)))

    @pytest.mark.parametrize(("strides", "padding", "spread", "holes"), [
        ((2, 1), ((0, 1), (2, 0)), (1, 1), (1, 1)), ((1, 3), ((-1, 2), (0, -2)), (1, 1), (1, 1)),
        ((1, 1), ((2, 2), (1, 1)), (2, 3), (1, 1)), ((1, 2), ((2, 2), (1, 1)), (1, 1), (2, 3)),
        ((2, 2), ((3, -2), (-1, 4)), (3, 2), (2, 2))])
    @pytest.mark.parametrize("layouts", [
        NHWC, {}, {"lhs_layout": "CHNW", "rhs_layout": "HOWI", "out_layout": "WNCH"}, OF_WEIGHTS,
        {"lhs_layout": "WCHN", "rhs_layout": "WHIO", "out_layout": "NHWC"}])
    def test_all_that_moves_windows(
        self, strides: Any, padding: Any, spread: Any, holes: Any, layouts: dict[str, str]
    ) -> None:
        letters = dict(zip("NCHWOI", (2, 3, 8, 9, 4, 3), strict=True))
        window = {**letters, "H": 3, "W": 2}
        x = random(tuple(letters[c] for c in layouts.get("lhs_layout", "NCHW")), dtypes.float32)
        kernel = random(tuple(window[c] for c in layouts.get("rhs_layout", "OIHW")), dtypes.float32, 1)
        convolve(x, kernel, window_strides=strides, padding=padding, lhs_dilation=spread, rhs_dilation=holes,
                 **layouts)

    @given(st.data())
    @settings(deadline=None, max_examples=40, derandomize=True)
    def test_dilated_operands_by_phases(self, data: Any) -> None:
        draw = data.draw
        spread = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
        window = tuple(draw(st.integers(1, 5)) for _ in spread)
        padding = tuple((draw(st.integers(-1, 5)), draw(st.integers(-1, 5))) for _ in spread)
        shape = tuple(draw(st.integers(2, 6)) for _ in spread)
        sizes = [(n - 1) * d + 1 + sum(p) - w + 1 for n, d, p, w in zip(shape, spread, padding, window, strict=True)]
        if min(sizes) < 1:
            return
        dtype = draw(st.sampled_from([dtypes.float32, dtypes.bfloat16, dtypes.int32]))
        convolve(random((2, *shape, 3), dtype), random((*window, 3, 4), dtype, 1), **NHWC, padding=padding,
                 lhs_dilation=spread)

    @pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.int32, dtypes.int8])
    @pytest.mark.parametrize(("window", "spread"), [((1, 1), (2, 2)), ((1, 3), (3, 2)), ((2, 1), (3, 3))])
    def test_phases_without_an_element_of_the_window(
        self, window: tuple[int, int], spread: tuple[int, int], dtype: np.dtype
    ) -> None:
        # The gradient of what a strided window of one reads: most of it is zero.
        convolve(random((2, 4, 5, 3), dtype), random((*window, 3, 4), dtype, 1), **NHWC, lhs_dilation=spread,
                 padding=((0, 1), (2, 1)))

    @pytest.mark.parametrize("dtype", [
        dtypes.float32, dtypes.float64, dtypes.bfloat16, dtypes.float16, dtypes.int32, dtypes.int8])
    @pytest.mark.parametrize("sizes", [(3, 9, 8, 5, 7), (2, 12, 11, 37, 40), (5, 7, 6, 1, 1), (1, 40, 40, 24, 33)])
    def test_gradients_of_weights(self, dtype: np.dtype, sizes: tuple[int, ...]) -> None:
        # Rows that are contiguous, across the ends of windows, and not; few and many contracted elements.
        batch, height, width, inputs, outputs = sizes
        x = random((batch, height, width, inputs), dtype)
        slopes = random((batch, height - 1, width, outputs), dtype, 1)
        convolve(x, slopes, **OF_WEIGHTS, padding=((1, 0), (1, 1)))

    def test_gradients_of_weights_are_read_where_they_lie(self) -> None:
        x, kernel = random((4, 10, 10, 16), dtypes.float32), random((3, 3, 16, 32), dtypes.float32, 1)

        def f(x: Any, kernel: Any) -> Any:
            return lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))

        def gradient(x: Any, kernel: Any, slopes: Any) -> Any:
            return olympus.vjp(partial(f, x), kernel)[1](slopes)

        slopes = random((4, 10, 10, 32), dtypes.float32, 2)
        made = olympus.jit(gradient).lower(x, kernel, slopes).compile()._call.loaded.partitioned
        program = made.device_program.program
        found = [o.name for o in PRODUCTS.function(flatten(program)).operations]
        assert [name for name in found if name in ("pad", "transpose", "convolution")] == ["pad", "convolution"]

    @pytest.mark.parametrize(("layout", "features", "options", "is_read"), [
        ("HWOI", 512, {}, True), ("HWOI", 1024, {"window_strides": (2, 1)}, True), ("OIHW", 512, {}, True),
        ("WIOH", 512, {"rhs_dilation": (2, 1)}, True), ("HWOI", 40, {}, False),
        ("HWOI", 512, {"lhs_dilation": (1, 2)}, False),
    ])
    @pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.int32, dtypes.bfloat16])
    def test_reversed_kernels_are_read_where_they_lie_if_sums_keep_their_order(
        self, dtype: np.dtype, layout: str, features: int, options: dict[str, Any], is_read: bool
    ) -> None:
        sizes = dict(zip("HWIO", (3, 2, features, 17), strict=True))
        x, kernel = random((2, 7, 6, features), dtype), random(tuple(sizes[c] for c in layout), dtype, 1)
        spatial = [layout.index(c) for c in "HW"]
        given = {"window_strides": (1, 1), "padding": ((1, 2), (1, 0)), "lhs_dilation": (1, 1), "rhs_dilation": (1, 1),
                 "lhs_layout": "NHWC", "rhs_layout": layout, "out_layout": "NHWC", "feature_groups": 1,
                 "batch_groups": 1, **options}

        def f(x: Any, kernel: Any) -> Any:
            turned = lax.rev(kernel, spatial)
            return turned, lax.conv_general_dilated(
                x, turned, given["window_strides"], given["padding"], given["lhs_dilation"], given["rhs_dilation"],
                ("NHWC", layout, "NHWC"))

        alone = olympus.jit(lambda x, kernel: f(x, kernel)[1])
        got = alone(x, kernel)
        check(got, ops.convolution, [x, np.flip(kernel, spatial)], given, kernel.size)
        # Where the reversed kernel is a result, too, the convolution reads that.
        assert np.asarray(got).tobytes() == np.asarray(olympus.jit(f)(x, kernel)[1]).tobytes()
        program = alone.lower(x, kernel).compile()._call.loaded.partitioned.device_program.program
        names = {o.name for o in PRODUCTS.function(flatten(program)).operations}
        assert ("convolution_of_reversed" in names) == (is_read and dtype != dtypes.bfloat16)

    @pytest.mark.parametrize(("features", "batches"), [(2, 1), (6, 1), (1, 2), (1, 4)])
    def test_groups(self, features: int, batches: int) -> None:
        x = random((4, 7, 6, 6), dtypes.float32)
        kernel = random((3, 2, 6 // features, 12), dtypes.float32, 1)
        convolve(x, kernel, **NHWC, feature_groups=features, batch_groups=batches, padding=((1, 1), (0, 1)))

    @pytest.mark.parametrize("strides", [(1, 1), (2, 3)])
    def test_each_feature_by_itself(self, strides: tuple[int, int]) -> None:
        x, kernel = random((2, 9, 8, 6), dtypes.float32), random((3, 2, 1, 6), dtypes.float32, 1)
        convolve(x, kernel, **NHWC, feature_groups=6, window_strides=strides, padding=((1, 1), (1, 0)),
                 rhs_dilation=(2, 1))

    def test_one_and_three_dimensions(self) -> None:
        convolve(random((2, 5, 30), dtypes.float32), random((8, 5, 4), dtypes.float32, 1), padding=((3, 0),),
                 lhs_layout="NCW", rhs_layout="OIW", out_layout="NCW")
        convolve(random((2, 3, 5, 6, 4), dtypes.float32), random((4, 3, 2, 3, 2), dtypes.float32, 1),
                 lhs_layout="NCHWD", rhs_layout="OIHWD", out_layout="NCHWD")



def put(x: np.ndarray, devices: int, spec: P) -> olympus.Array:
    return olympus.device_put(x, NamedSharding(olympus.make_mesh((devices,), ("i",)), spec))


class TestDevices:
    @pytest.mark.parametrize("devices", [2, 3, 8])
    @pytest.mark.parametrize(("rows", "columns"), [(5, 7), (40, 64), (200, 130)])
    def test_the_sum_of_all_devices_products(self, devices: int, rows: int, columns: int) -> None:
        inner = devices * 25
        x, y = random((rows, inner), dtypes.float32), random((inner, columns), dtypes.float32, 1)
        f = olympus.jit(lambda x, y: jnp.maximum(x @ y + 1, 0))
        got = f(put(x, devices, P(None, "i")), put(y, devices, P("i", None)))
        np.testing.assert_allclose(got, np.maximum(x.astype("f8") @ y + 1, 0), rtol=1e-5, atol=2e-4)

    def test_sums_within_groups(self) -> None:
        mesh = olympus.make_mesh((2, 4), ("a", "b"))
        x, y = random((6, 16), dtypes.float32), random((16, 10), dtypes.float32, 1)
        given = NamedSharding(mesh, P("a", "b")), NamedSharding(mesh, P("b", None))
        f = olympus.jit(olympus.shard_map(
            lambda x, y: lax.psum(x @ y, "b"), mesh=mesh, in_specs=(P("a", "b"), P("b", None)),
            out_specs=P("a", None)))
        got = f(*(olympus.device_put(v, s) for v, s in zip((x, y), given, strict=True)))
        np.testing.assert_allclose(got, x @ y, rtol=1e-4, atol=1e-4)

    @pytest.mark.parametrize("inner", [2, 8, 9, 64])
    def test_products_of_bfloat16_that_are_summed_in_float32(self, inner: int) -> None:
        rng = np.random.default_rng(0)
        x, y = (rng.integers(-8, 9, shape).astype(dtypes.bfloat16) for shape in ((20, 4 * inner), (4 * inner, 40)))
        x[0], y[:, 0] = 2.0**-70, 2.0**-70  # a product is subnormal
        mesh = olympus.make_mesh((4,), ("i",))
        f = olympus.jit(olympus.shard_map(
            lambda x, y: lax.psum(lax.dot(x, y, preferred_element_type=np.float32), "i"), mesh=mesh,
            in_specs=(P(None, "i"), P("i", None)), out_specs=P()))
        got = f(put(x, 4, P(None, "i")), put(y, 4, P("i", None)))
        np.testing.assert_array_equal(got, (x.astype(np.float64) @ y.astype(np.float64)).astype(np.float32))

    def test_a_product_that_is_needed_besides_its_sum(self) -> None:
        mesh = olympus.make_mesh((4,), ("i",))
        x = random((4, 6, 5), dtypes.float32)

        def f(x: Any) -> Any:
            y = x[0] @ x[0].T
            return lax.psum(y, "i"), y[None]

        total, each = olympus.jit(olympus.shard_map(
            f, mesh=mesh, in_specs=P("i"), out_specs=(P(), P("i"))))(put(x, 4, P("i")))
        products = x @ x.transpose(0, 2, 1)
        np.testing.assert_allclose(each, products, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(total, products.sum(0), rtol=1e-4, atol=1e-5)

    def test_the_same_weights_on_all_devices(self) -> None:
        x, y = random((64, 30), dtypes.float32), random((30, 20), dtypes.float32, 1)
        f = olympus.jit(lambda x, y: x @ y)
        np.testing.assert_allclose(f(put(x, 8, P("i")), put(y, 8, P())), x @ y, rtol=1e-4, atol=1e-4)

    def test_a_donated_operand_outlives_the_sum(self) -> None:
        x, y = random((12, 8), dtypes.float32), random((8, 12), dtypes.float32, 1)
        mesh = olympus.make_mesh((4,), ("i",))
        f = olympus.jit(olympus.shard_map(
            lambda x, y: (lax.psum(x @ y, "i"), x * 2), mesh=mesh, in_specs=(P(None, "i"), P("i", None)),
            out_specs=(P(), P(None, "i"))), donate_argnums=0)
        total, twice = f(put(x, 4, P(None, "i")), put(y, 4, P("i", None)))
        np.testing.assert_allclose(total, x @ y, rtol=1e-4, atol=1e-5)
        np.testing.assert_array_equal(twice, 2 * x)

    def test_the_sum_is_the_same_each_time(self) -> None:
        x, y = random((300, 512), dtypes.float32), random((512, 200), dtypes.float32, 1)
        f = olympus.jit(lambda x, y: x @ y)
        given = put(x, 8, P(None, "i")), put(y, 8, P("i", None))
        first = np.asarray(f(*given))
        for _ in range(10):
            np.testing.assert_array_equal(f(*given), first)
