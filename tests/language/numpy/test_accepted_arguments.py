# SPDX-License-Identifier: Apache-2.0
"""Arguments of NumPy's and of JAX's functions that are rarely given: what they do, and which are refused."""

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.sharding import AxisType, NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core.errors import ArgumentError, NotSupportedError

_UNIVERSAL = ("add", "subtract", "multiply", "maximum", "minimum", "logaddexp", "logaddexp2", "logical_and",
              "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor")


@pytest.mark.parametrize("name", _UNIVERSAL)
def test_universal_functions_take_no_out_and_no_where(name):
    function, x = getattr(jnp, name), jnp.array([1, 2])
    assert (function(x, x, out=None, where=None) == function(x, x)).all()
    for keyword in ("out", "where"):
        with pytest.raises(NotSupportedError, match=keyword):
            function(x, x, **{keyword: x})


@pytest.mark.parametrize("call", [
    lambda x: jnp.negative(x, out=x), lambda x: jnp.negative(x, where=x), lambda x: jnp.round(x, 0, x),
    lambda x: x.round(0, x), lambda x: jnp.isposinf(x, x), lambda x: jnp.isneginf(x, x), lambda x: jnp.modf(x, x),
    lambda x: jnp.outer(x, x, x), lambda x: jnp.quantile(x, 0.5, 0, x), lambda x: jnp.median(x, 0, x),
    lambda x: jnp.nanmax(x, 0, x), lambda x: jnp.nanmean(x, 0, None, x), lambda x: x.compress(x > 0, out=x),
    lambda x: x.view(None, np.ndarray)])
def test_nothing_is_overwritten(call):
    with pytest.raises(NotSupportedError):
        call(jnp.array([1.0, 2.0]))


def test_names_and_places_are_those_of_numpy():
    x, y = jnp.array([1.0, np.nan]), jnp.array([np.nan, 2.0])
    assert jnp.fmax(x1=x, x2=y).tolist() == jnp.fmin(x2=x, x1=y).tolist() == [1.0, 2.0]
    assert jnp.isreal(x=1j).tolist() is False and jnp.iscomplex(x=1j).tolist() is True
    assert jnp.trunc(x=-1.5).tolist() == -1.0
    assert jnp.angle(z=1j, deg=True).tolist() == 90.0
    np.testing.assert_allclose(jnp.angle(jnp.array([-1, 1j]), True), np.angle([-1, 1j], True))
    a = np.array([[1.0, np.nan, 3.0], [np.nan, 5.0, 7.0]], "float32")
    assert jnp.nanmax(a, 1, None, True).tolist() == np.nanmax(a, 1, keepdims=True).tolist()
    assert jnp.nanmin(a, 1, None, False, 2.0).tolist() == np.nanmin(a, 1, initial=2.0).tolist()
    assert jnp.nanmax(a, 0, None, False, 0.0, a < 6).tolist() == [1.0, 5.0, 3.0]
    assert jnp.nanmean(a, 0, None, None, True).tolist() == np.nanmean(a, 0, keepdims=True).tolist()
    assert jnp.nanmean(a, 1, where=a < 6).tolist() == [2.0, 5.0]
    assert jnp.digitize(a[0, :1], a[0, :1], method="sort").tolist() == [1]
    assert jnp.polyval(jnp.array([1.0, 2.0]), 3.0, unroll=4).tolist() == 5.0
    assert jnp.unique(jnp.array([2, 1]), sorted=False).tolist() == [1, 2]
    assert jnp.einsum("i,i,i", *[jnp.arange(3.0)] * 3, optimize="auto").tolist() == 9.0


def test_covariances_have_the_element_type_that_is_asked_for():
    x = np.random.default_rng(0).normal(size=(3, 8)).astype("float32")
    assert jnp.cov(x, dtype="float16").dtype == jnp.corrcoef(x, dtype="float16").dtype == "float16"
    np.testing.assert_allclose(jnp.cov(x, dtype="complex64"), np.cov(x), rtol=1e-5)
    with pytest.raises(ArgumentError, match="fractions"):
        jnp.cov(x, dtype=int)
    z = x[:, :4] + 1j * x[:, 4:]
    np.testing.assert_allclose(jnp.corrcoef(z), np.corrcoef(z), rtol=1e-4, atol=1e-6)


def test_flat_indices_have_the_element_type_that_is_asked_for():
    indices = (jnp.array([1, 0]), jnp.array([2, 2]))
    found = jnp.ravel_multi_index(indices, (2, 3), dtype="uint8")
    assert found.dtype == "uint8" and found.tolist() == [5, 2]
    with pytest.raises(ArgumentError, match="all indices"):
        jnp.ravel_multi_index(indices, (20, 30), dtype="uint8")
    with pytest.raises(ArgumentError, match="all indices"):
        jnp.ravel_multi_index(indices, (2, 3), dtype=float)


@pytest.mark.parametrize("as_array", [np.asarray, jnp.asarray])
def test_negative_indices_may_be_outside(as_array):
    x, indices = jnp.arange(1.0, 4.0), as_array(np.array([-1, 0, 3, -4]))
    assert jnp.take_along_axis(x, indices, mode="clip").tolist() == [3.0, 1.0, 3.0, 1.0]
    assert jnp.take_along_axis(x, indices, mode="clip", wrap_negative_indices=False).tolist() == [1.0, 1.0, 3.0, 1.0]
    found = jnp.take_along_axis(x, indices, wrap_negative_indices=False)
    assert np.isnan(found).tolist() == [True, False, True, True]
    found = jnp.take_along_axis(x, indices, wrap_negative_indices=True)
    assert np.isnan(found).tolist() == [False, False, True, True]


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "float32", "bfloat16", "float16", "complex64"])
def test_bytes_are_swapped(dtype):
    x = np.arange(6).reshape(2, 3).astype(dtype)
    found = jnp.asarray(x).byteswap()
    assert found.dtype == dtype and found.shape == x.shape
    assert np.asarray(found).tobytes() == x.byteswap().tobytes()
    np.testing.assert_array_equal(found.byteswap(), x)
    assert np.asarray(olympus.jit(lambda v: v.byteswap())(x)).tobytes() == x.byteswap().tobytes()


def test_results_are_sharded_as_asked():
    mesh = olympus.make_mesh((8,), ("i",), axis_types=AxisType.Explicit)
    over = NamedSharding(mesh, P("i"))
    with olympus.set_mesh(mesh):
        for found in (
            jnp.array(np.arange(8), out_sharding=P("i")), jnp.asarray(np.arange(8), out_sharding=over),
            jnp.full((8,), 1.0, out_sharding=over), jnp.bincount(jnp.array([1, 7]), length=8, out_sharding=P("i")),
            jnp.repeat(jnp.arange(4), 2, out_sharding=P("i")), jnp.arange(4).repeat(2, out_sharding=P("i")),
            jnp.tensordot(jnp.ones((8, 2)), jnp.ones(2), 1, out_sharding=P("i")),
            jnp.arange(8).reshape(2, 4).flatten(out_sharding=P("i")),
            jnp.array(np.arange(8), ndmin=1, out_sharding=P("i")),
        ):
            assert olympus.typeof(found).sharding.spec == P("i")
    assert jnp.array(np.arange(8), ndmin=2, device=NamedSharding(mesh, P(None, "i"))).shape == (1, 8)
    with pytest.raises(ArgumentError, match="both"):
        jnp.full((8,), 1.0, device=over, out_sharding=over)


def test_methods_of_universal_functions_can_be_given():
    function = jnp.ufunc(lambda x, y: x + y, 2, 1, nargs=3, identity=0, call=jnp.add, reduce=lambda a, *args, **how: a)
    assert function(1, 2) == 3 and function.nargs == 3
    assert function.reduce(jnp.arange(3)).tolist() == [0, 1, 2]
    assert function.accumulate(jnp.arange(3)).tolist() == [0, 1, 3]
    with pytest.raises(ArgumentError, match="nargs"):
        jnp.ufunc(lambda x, y: x + y, 2, 1, nargs=2)


def test_initializers_take_no_element_type_for_float():
    key = olympus.random.key(0)
    for name in ("zeros", "ones"):
        assert getattr(olympus.nn.initializers, name)(key, (2,), None).dtype == "float32"
    for made in (olympus.nn.initializers.normal(0.1, None), olympus.nn.initializers.constant(1),
                 olympus.nn.initializers.he_normal(), olympus.nn.initializers.orthogonal(),
                 olympus.nn.initializers.truncated_normal()):
        assert made(key, (2, 2)).dtype == made(key, (2, 2), None).dtype == "float32"
