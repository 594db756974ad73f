# SPDX-License-Identifier: Apache-2.0
"""Kernels on a grid against NumPy: blocks, masks, loops, scratch, aliases, under transformations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.experimental import pallas as pl
from olympus.test_util import check_grads
from olympus_core.errors import ArgumentError, AxisError, NotSupportedError, ReferenceUseError

X = np.arange(24, dtype=np.float32).reshape(4, 6)


def like(*shape: int, dtype: Any = np.float32) -> Any:
    return olympus.ShapeDtypeStruct(shape, dtype)


def multiply(x_ref: Any, y_ref: Any, o_ref: Any) -> None:
    @pl.when(pl.program_id(2) == 0)
    def _() -> None:
        o_ref[...] = jnp.zeros_like(o_ref)

    o_ref[...] += jnp.dot(x_ref[...], y_ref[...])


def matmul(x: Any, y: Any, m: int = 4, n: int = 3, k: int = 5) -> Any:
    grid = (x.shape[0] // m, y.shape[1] // n, x.shape[1] // k)
    return pl.pallas_call(
        multiply, like(x.shape[0], y.shape[1]), grid=grid, interpret=True,
        in_specs=[pl.BlockSpec((m, k), lambda i, j, k: (i, k)), pl.BlockSpec((k, n), lambda i, j, k: (k, j))],
        out_specs=pl.BlockSpec((m, n), lambda i, j, k: (i, j)))(x, y)


@pytest.fixture(scope="module")
def matrices() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(8, 10)).astype(np.float32), rng.normal(size=(10, 6)).astype(np.float32)


def test_a_product_in_blocks(matrices: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = matrices
    for f in (matmul, olympus.jit(matmul)):
        np.testing.assert_allclose(f(x, y), x @ y, rtol=1e-5, atol=1e-5)
    batch = olympus.vmap(matmul, in_axes=(0, None))(np.stack([x, x + 1]), y)
    np.testing.assert_allclose(batch, np.stack([x @ y, (x + 1) @ y]), rtol=1e-5, atol=1e-5)


def test_derivatives(matrices: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = matrices
    check_grads(matmul, (x, y), order=2, modes=("fwd", "rev"), rtol=2e-2, atol=2e-2)
    np.testing.assert_allclose(olympus.grad(lambda x: matmul(x, y).sum())(x), np.tile(y.sum(1), (8, 1)), rtol=1e-4)


def test_under_shard_map() -> None:
    mesh = olympus.make_mesh((8,), ("x",))

    def double(x_ref: Any, o_ref: Any) -> None:
        o_ref[...] = x_ref[...] * 2

    def local(x: Any) -> Any:
        rows = pl.BlockSpec((None, 3), lambda i: (i, 0))
        return pl.pallas_call(double, like(2, 3), grid=(2,), in_specs=[rows], out_specs=rows)(x)

    x = np.arange(48, dtype=np.float32).reshape(16, 3)
    f = olympus.shard_map(local, mesh=mesh, in_specs=olympus.P("x"), out_specs=olympus.P("x"))
    np.testing.assert_array_equal(olympus.jit(f)(x), x * 2)


def test_dimensions_that_the_kernel_does_not_see() -> None:
    def kernel(x_ref: Any, o_ref: Any) -> None:
        assert x_ref.shape == (6,) and o_ref.shape == (6,)
        o_ref[...] = x_ref[...] * pl.program_id(0)

    found = pl.pallas_call(
        kernel, like(4, 6), grid=(4,), in_specs=[pl.BlockSpec((None, 6), lambda i: (i, 0))],
        out_specs=pl.BlockSpec((pl.Squeezed(), pl.Blocked(6)), lambda i: (3 - i, 0)))(X)
    np.testing.assert_array_equal(found, (X * np.arange(4)[:, None])[::-1])


@pytest.mark.parametrize("dtype, unset", [
    (np.float32, np.nan), (np.float16, np.nan), (np.int32, -2**31), (np.uint8, 0), (np.int8, -128), (np.bool_, False),
    (np.complex64, complex(np.nan, 0))])
def test_blocks_over_the_end(dtype: Any, unset: Any) -> None:
    def kernel(x_ref: Any, o_ref: Any, seen_ref: Any) -> None:
        o_ref[...] = x_ref[...]
        seen_ref[...] = x_ref[...]

    x = np.arange(6).astype(dtype)
    blocks = pl.BlockSpec((4,), lambda i: (i,))
    found, seen = pl.pallas_call(kernel, (like(6, dtype=dtype), like(8, dtype=dtype)), grid=(2,), in_specs=[blocks],
                                 out_specs=(blocks, blocks))(x)
    np.testing.assert_array_equal(found, x)
    np.testing.assert_array_equal(seen, np.concatenate([x, np.full(2, unset, dtype)]))


def test_what_is_not_written() -> None:
    def kernel(a_ref: Any, b_ref: Any) -> None:
        a_ref[0], b_ref[0] = 1.0, 1

    a, b = pl.pallas_call(kernel, [like(2), like(2, dtype=np.int32)])()
    np.testing.assert_array_equal(a, [1, np.nan])
    assert b.tolist() == [1, -2**31]
    none = pl.pallas_call(kernel, [like(2), like(2, dtype=np.int32)], grid=(0,))()
    assert np.isnan(none[0]).all()


def test_blocks_that_overlap() -> None:
    def kernel(x_ref: Any, o_ref: Any) -> None:
        o_ref[...] = x_ref[...]

    def blocks(dim: Any, place: Callable[[Any], Any]) -> Any:
        return pl.pallas_call(kernel, like(12), grid=(3,), in_specs=[pl.BlockSpec((dim,), place)],
                              out_specs=pl.BlockSpec((4,), lambda i: (i,)))(np.arange(6, dtype=np.float32))

    assert blocks(pl.Element(4), lambda i: (i,)).tolist() == [0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5]
    padded = blocks(pl.Element(4, (1, 1)), lambda i: i * 2)
    np.testing.assert_array_equal(padded, [np.nan, 0, 1, 2, 1, 2, 3, 4, 3, 4, 5, np.nan])


def test_scratch_stays_from_step_to_step() -> None:
    def kernel(x_ref: Any, o_ref: Any, total_ref: Any, count_ref: Any = None) -> None:
        @pl.when(pl.program_id(0) == 0)
        def _() -> None:
            total_ref[...] = jnp.zeros(total_ref.shape, total_ref.dtype)

        total_ref[...] += x_ref[...]

        @pl.when(pl.program_id(0) == pl.num_programs(0) - 1)
        def _() -> None:
            o_ref[...] = total_ref[...]

    rows = pl.BlockSpec((None, 6), lambda i: (i, 0), memory_space=pl.ANY)
    for scratch in ([pl.MemorySpace.ANY((6,), jnp.float32)], {"total_ref": pl.MemoryRef((6,), np.dtype(np.float32))}):
        spec = pl.GridSpec((4,), [rows], pl.BlockSpec((6,), lambda i: (0,)), scratch)
        np.testing.assert_array_equal(pl.pallas_call(kernel, like(6), grid_spec=spec)(X), X.sum(0))


def test_aliases() -> None:
    def kernel(x_ref: Any, y_ref: Any, o_ref: Any) -> None:
        o_ref[0] = x_ref[1] * y_ref[...]

    x = jnp.arange(3.0)
    found = pl.pallas_call(kernel, like(3), input_output_aliases={0: 0})(x, 10.0)
    assert found.tolist() == [10, 1, 2] and x.tolist() == [0, 1, 2]


def test_containers_of_arguments_and_results() -> None:
    def kernel(given: Any, results: Any) -> None:
        results["sum"][...] = given["a"][...] + given["b"][0][...]
        results["product"][...] = given["a"][...] * given["b"][0][...]

    found = pl.pallas_call(kernel, {"sum": like(2), "product": like(2)})({"a": np.float32([1, 2]), "b": (X[0, 3:5],)})
    assert found["sum"].tolist() == [4, 6] and found["product"].tolist() == [3, 8]


def test_loops_and_traced_slices() -> None:
    def kernel(x_ref: Any, o_ref: Any, p_ref: Any) -> None:
        i = pl.program_id(0)
        o_ref[pl.ds(i * 2, 2), :] = x_ref[pl.ds(2 - i * 2, 2), :]

        def turn(carry: Any) -> Any:
            row, total = carry
            p_ref[row] = total
            return row + 1, total + x_ref[row].sum()

        lax.while_loop(lambda carry: carry[0] < 4, turn, (0, jnp.float32(0)))

        @pl.loop(0, 4, step=2)
        def _(row: Any) -> None:
            p_ref[row] += 1

    o, p = pl.pallas_call(kernel, (like(4, 6), like(4)), grid=(2,))(X)
    np.testing.assert_array_equal(o, np.concatenate([X[2:], X[:2]]))
    np.testing.assert_array_equal(p, np.concatenate([[0], X.sum(1).cumsum()[:-1]]) + [1, 0, 1, 0])


def test_loops_hand_values_on() -> None:
    assert int(pl.loop(0, 5, init_carry=1)(lambda i, c: c + i)) == 11
    assert int(olympus.jit(lambda n: pl.loop(1, n, init_carry=0, step=3)(lambda i, c: c + i))(8)) == 12


def test_masks() -> None:
    def kernel(x_ref: Any, o_ref: Any) -> None:
        mask = pl.program_id(0) * 4 + lax.broadcasted_iota(jnp.int32, (4,), 0) < 6
        found = pl.load(x_ref, pl.ds(0, 4), mask=mask, other=-1.0)
        pl.store(o_ref, pl.ds(pl.program_id(0) * 4, 4), found, mask=mask)

    found = pl.pallas_call(kernel, like(8), grid=(2,), in_specs=[pl.BlockSpec((4,), lambda i: (i,))],
                           input_output_aliases={})(X.ravel()[:8])
    np.testing.assert_array_equal(found, [0, 1, 2, 3, 4, 5, np.nan, np.nan])
    ref = olympus.new_ref(jnp.arange(3))
    assert pl.load(ref, mask=np.array([True, False, True])).tolist() == [0, 0, 2]
    assert int(pl.swap(ref, 0, 5)) == 0 and ref[...].tolist() == [5, 1, 2]


def test_slices_of_references() -> None:
    ref = olympus.new_ref(jnp.arange(24).reshape(4, 6))
    wanted = np.arange(24).reshape(4, 6)
    f = olympus.jit(lambda i, j: ref[pl.ds(i, 2), pl.ds(j, 2, 2)])
    np.testing.assert_array_equal(f(1, 3), wanted[1:3, 3:6:2])
    np.testing.assert_array_equal(f(9, -4), wanted[2:4, 0:3:2])  # moved inside
    ref[..., pl.ds(jnp.int32(4), 2)] = 0
    ref.at[pl.ds(1, 2)][0, ::2] = 100
    wanted[..., 4:] = 0
    wanted[1, ::2] = 100
    np.testing.assert_array_equal(ref[...], wanted)
    np.testing.assert_array_equal(ref[None, pl.ds(1, 1), 2], wanted[None, 1:2, 2])
    assert pl.ds(None) == slice(None) and pl.ds(3).size == 3 and pl.dslice is pl.ds
    with pytest.raises(ArgumentError, match="longer than its dimension"):
        ref[pl.ds(0, 5)]
    with pytest.raises(ArgumentError, match="more indices than dimensions"):
        ref[pl.ds(0, 1), 0, 0]


def test_grids_of_traced_size() -> None:
    def kernel(o_ref: Any) -> None:
        o_ref[pl.program_id(0)] = pl.program_id(0) * pl.num_programs(0)

    f = olympus.jit(lambda n: pl.pallas_call(kernel, like(4, dtype=np.int32), grid=(n,))())
    assert f(3).tolist() == [0, 3, 6, -2**31]
    assert pl.pallas_call(kernel, like(4, dtype=np.int32), grid=4)().tolist() == [0, 4, 8, 12]


def test_references_of_their_own() -> None:
    def kernel(x_ref: Any, o_ref: Any) -> None:
        def inner(ref: Any) -> None:
            ref[...] = x_ref[...] * 2
            o_ref[...] = ref[...] + 1

        pl.run_scoped(inner, pl.MemorySpace.ANY((4, 6), jnp.float32))

    np.testing.assert_array_equal(pl.pallas_call(kernel, like(4, 6))(X), X * 2 + 1)


def test_products() -> None:
    a, b = np.float16([[1, 2], [3, 4]]), np.float16([[1, 0], [1, 1]])
    for i in (False, True):
        for j in (False, True):
            found = pl.dot(a, b, trans_a=i, trans_b=j)
            assert found.dtype == np.float32
            np.testing.assert_array_equal(found, (a.T if i else a) @ (b.T if j else b))
    assert pl.dot(np.int8([[100]]), np.int8([[100]])).tolist() == [[10000]]


def test_integers() -> None:
    assert [pl.cdiv(n, 4) for n in (0, 1, 4, 5)] == [0, 1, 1, 2] and int(pl.cdiv(jnp.int32(9), 4)) == 3
    assert [pl.next_power_of_2(n) for n in (0, 1, 2, 3, 4, 5, 1024, 1025)] == [1, 1, 2, 4, 4, 8, 1024, 2048]
    assert pl.align_to(13, 8) == 16 and pl.strides_from_shape((2, 3, 4)) == (12, 4, 1)


def test_what_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    def kernel(o_ref: Any) -> None:
        pl.debug_print("step {} of {}", pl.program_id(0), pl.num_programs(0))
        o_ref[...] = 0.0

    pl.pallas_call(kernel, like(), grid=(2,))()
    olympus.effects_barrier()
    assert capfd.readouterr().out == "step 0 of 2\nstep 1 of 2\n"


def _fails(**given: Any) -> Callable[[], Any]:
    def kernel(x_ref: Any, o_ref: Any) -> Any:
        o_ref[...] = x_ref[...]

    chosen = {"kernel": kernel, "out_shape": like(6), **given}
    return lambda: pl.pallas_call(chosen.pop("kernel"), chosen.pop("out_shape"), **chosen)(X[0])


@pytest.mark.parametrize("call, error, words", [
    (_fails(kernel=lambda x, o: 1), ArgumentError, "the kernel gives a result"),
    (_fails(in_specs=[pl.BlockSpec((3, 3), lambda i: (i, 0))], grid=(2,)), ArgumentError, "number of dimensions"),
    (_fails(in_specs=[pl.BlockSpec((3,), lambda i: (i, 0))], grid=(2,)), ArgumentError, "one number for each"),
    (_fails(in_specs=["x"]), ArgumentError, "BlockSpec"),
    (_fails(out_shape=3), ArgumentError, "no shape and element type"),
    (_fails(out_shape=like(6, dtype=np.int32)), ReferenceUseError, "another type"),
    (_fails(input_output_aliases={1: 0}), ArgumentError, "names what is not there"),
    (_fails(input_output_aliases={0: 0}, out_shape=like(5)), ArgumentError, "is not like result 0"),
    (_fails(grid=(2.5,)), ArgumentError, "not made of integers"),
    (_fails(grid=(-1,)), ArgumentError, "negative"),
    (_fails(in_specs=[pl.BlockSpec((pl.Indirect(3),), lambda i: (i,))], grid=(2,)), NotSupportedError, "Indirect"),
    (_fails(grid=(2,), grid_spec=pl.GridSpec((2,))), ArgumentError, "given twice"),
    (_fails(kernel=lambda x, o: pl.program_id(1), grid=(2,)), AxisError, "axis 1"),
    (lambda: pl.program_id(0), ArgumentError, "there is no grid"),
    (lambda: pl.BlockSpec(lambda i: i, (3,)), ArgumentError, "before the index map"),
    (lambda: pl.core_map(None), NotSupportedError, "cores"),
    (lambda: pl.semaphore(), NotSupportedError, "pallas.semaphore"),
])
def test_what_does_not_fit(call: Callable[[], Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()
