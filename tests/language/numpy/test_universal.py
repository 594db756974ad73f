# SPDX-License-Identifier: Apache-2.0
"""Methods of universal functions, against NumPy's."""

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError, NotSupportedError

_RNG = np.random.default_rng(0)
_FLOATS = _RNG.normal(size=(3, 5)).astype(np.float32)
_INTEGERS = _RNG.integers(-9, 9, (3, 5)).astype(np.int32)
_OF_NUMBERS = ["add", "subtract", "multiply", "maximum", "minimum", "logaddexp", "logaddexp2"]
_OF_BITS = ["bitwise_and", "bitwise_or", "bitwise_xor", "logical_and", "logical_or", "logical_xor"]
_CASES = [(name, _FLOATS) for name in _OF_NUMBERS] + [(name, _INTEGERS) for name in _OF_BITS]
_EACH = pytest.mark.parametrize(("name", "x"), _CASES, ids=[name for name, _ in _CASES])


def _same(found, wanted):
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=3e-6, atol=1e-6)
    assert found.shape == np.shape(wanted)


@_EACH
def test_reduce(name, x):
    ours, theirs = getattr(jnp, name), getattr(np, name)
    for how in ({}, {"axis": 1}, {"axis": -1, "keepdims": True}, {"axis": 1, "initial": 2}):
        _same(ours.reduce(x, **how), theirs.reduce(x, **how))
    for how in ({"axis": None}, {"axis": None, "keepdims": True}):  # NumPy refuses it for subtract
        wanted = theirs.reduce(x.ravel(), keepdims=how.get("keepdims", False))
        _same(ours.reduce(x, **how), wanted.reshape(1, 1) if "keepdims" in how else wanted)
    mask = x > 0
    start = 3 if theirs.identity is None else None
    wanted = theirs.reduce(x, axis=1, where=mask, **({} if start is None else {"initial": start})) \
        if name != "subtract" else 3 - (x * mask).sum(1)
    _same(ours.reduce(x, axis=1, where=mask, initial=start), wanted)


@_EACH
def test_accumulate_outer_and_reduceat(name, x):
    ours, theirs = getattr(jnp, name), getattr(np, name)
    for axis in (0, 1):
        _same(ours.accumulate(x, axis), theirs.accumulate(x, axis))
    _same(ours.outer(x, x[0]), theirs.outer(x, x[0]))
    for indices in ([0, 2, 4], [1], [0, 4, 1, 3], [2, 2, 0]):
        _same(ours.reduceat(x, indices, axis=1), theirs.reduceat(x, indices, axis=1))
        _same(olympus.jit(lambda x, i, f=ours: f.reduceat(x, i, axis=1))(x, np.asarray(indices)),
              theirs.reduceat(x, indices, axis=1))


@_EACH
def test_at(name, x):
    ours, theirs = getattr(jnp, name), getattr(np, name)
    b = x[0][:4].copy()
    for indices in (np.array([0, 2, 2, 4]), np.array([-1, 0, 0, 0])):
        wanted = x[1].copy()
        theirs.at(wanted, indices, b)
        _same(ours.at(x[1], indices, b, inplace=False), wanted)
    wanted = x.copy()
    theirs.at(wanted, (slice(None), np.array([1, 1])), 2)
    _same(ours.at(x, (slice(None), np.array([1, 1])), 2, inplace=False), wanted)


def test_negative_at_repeated_indices_and_outside():
    _same(jnp.negative.at(_FLOATS[0], np.array([0, 0, 1, 9]), inplace=False), _FLOATS[0] * [1, -1, 1, 1, 1])


def test_types():
    bools = np.array([True, True, False])
    assert jnp.add.reduce(bools).dtype == jnp.add.accumulate(bools).dtype == np.int32
    assert jnp.add.reduceat(bools, [0]).tolist() == [2]
    assert jnp.maximum.accumulate(bools).dtype == bool
    assert jnp.maximum.reduce(_FLOATS, dtype=np.int32).dtype == np.int32
    assert jnp.bitwise_and.reduce(np.zeros(0, np.int32)).tolist() == -1
    assert jnp.logical_and.reduce(np.zeros(0)).tolist() is True
    assert (jnp.add.nin, jnp.add.nout, jnp.add.nargs, jnp.multiply.identity, jnp.negative.nin) == (2, 1, 3, 1, 1)
    assert isinstance(jnp.add, jnp.ufunc) and isinstance(jnp.negative, jnp.ufunc)
    assert not isinstance(jnp.sin, jnp.ufunc) and not isinstance(3, jnp.ufunc)


def test_results_that_are_floats_of_integers():
    x = np.array([1, 2, 4], np.int32)
    half = jnp.frompyfunc(lambda x, y: x + y / 2, 2, 1)
    for found, wanted in [
        (jnp.logaddexp.reduce(x), np.logaddexp.reduce(x)), (jnp.logaddexp.accumulate(x), np.logaddexp.accumulate(x)),
        (jnp.logaddexp2.reduceat(x, [0, 2]), np.logaddexp2.reduceat(x, [0, 2])), (half.reduce(x), np.float64(4.0)),
        (half.accumulate(x), np.array([1, 2, 4.0])),
        (jnp.logaddexp.reduce(x, initial=1.5), np.logaddexp.reduce([*x, 1.5])),
    ]:
        assert found.dtype == np.float32
        _same(found, wanted)


def test_functions_of_ones_own():
    ours = jnp.frompyfunc(lambda x, y: x * y + 1, 2, 1)
    theirs = np.frompyfunc(lambda x, y: x * y + 1, 2, 1)
    x = _FLOATS[0]
    assert isinstance(ours, jnp.ufunc) and ours.nargs == 3
    _same(ours(_FLOATS, x), (_FLOATS * x + 1))
    _same(ours.reduce(_FLOATS, axis=1), theirs.reduce(_FLOATS, axis=1).astype(np.float32))
    _same(ours.accumulate(x), theirs.accumulate(x).astype(np.float32))
    _same(ours.reduceat(x, [0, 3]), theirs.reduceat(x, [0, 3]).astype(np.float32))
    wanted = x.copy()
    theirs.at(wanted, [1, 1], 2.0)
    _same(ours.at(x, np.array([1, 1]), 2.0, inplace=False), wanted)
    _same(jnp.frompyfunc(lambda x: (x, -x), 1, 2)(x)[1], -x)


def test_derivatives_and_batching():
    x = _FLOATS[0]
    _same(olympus.grad(lambda x: jnp.subtract.reduce(x))(x), np.array([1, -1, -1, -1, -1], np.float32))
    _same(olympus.grad(lambda x: jnp.logaddexp.reduce(x))(x), np.exp(x) / np.exp(x).sum())
    _same(olympus.vmap(jnp.subtract.accumulate)(_FLOATS), np.subtract.accumulate(_FLOATS, 1))


@pytest.mark.parametrize("call", [
    lambda: jnp.subtract.reduce(np.zeros((0, 2))), lambda: jnp.negative.reduce(_FLOATS),
    lambda: jnp.subtract.reduce(3.0), lambda: jnp.add.reduceat(_FLOATS, [0, 9]),
    lambda: jnp.maximum.reduce(_FLOATS, where=_FLOATS > 0), lambda: jnp.add.at(_FLOATS, 0, inplace=False),
    lambda: jnp.negative.outer(1, 2), lambda: jnp.frompyfunc(lambda x: x, 1, 1)(1, 2),
    lambda: jnp.frompyfunc(lambda x: x, 1, 2)(1), lambda: jnp.frompyfunc(3, 1, 1),
])
def test_mistakes_are_explained(call):
    with pytest.raises(ArgumentError):
        call()


def test_arrays_never_change():
    with pytest.raises(NotSupportedError, match="inplace=False"):
        jnp.add.at(_FLOATS, 0, 1)


@pytest.mark.parametrize(("name", "call"), [
    ("sum", lambda: jnp.sum([1, 2, 3])), ("mean", lambda: jnp.mean((1.0, 2.0))), ("sin", lambda: jnp.sin([1])),
    ("dot", lambda: jnp.dot([1], [2])), ("sum", lambda: olympus.jit(lambda: jnp.sum([1, 2, 3]))()),
])
def test_a_list_for_an_array_is_named(name, call):
    words = rf"(?s){name}: argument 0 is a (list|tuple), not an array.*given: [\[(]1"
    with pytest.raises(TypeError, match=words) as found:
        call()
    assert "Traced" not in str(found.value)


@pytest.mark.parametrize("axis", [(0, 2), (-1, 1), (), (1,), (0, 1, 2), None])
@pytest.mark.parametrize("keepdims", [False, True])
def test_several_dimensions_are_combined_together(axis: tuple[int, ...] | None, keepdims: bool) -> None:
    x = np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 7
    wanted = np.logaddexp.reduce(x, axis=axis, keepdims=keepdims)
    found = jnp.logaddexp.reduce(x, axis=axis, keepdims=keepdims)
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, rtol=1e-5)
    mask = x > 1
    np.testing.assert_allclose(
        jnp.logaddexp.reduce(x, axis=axis, keepdims=keepdims, initial=0.5, where=mask),
        np.logaddexp.reduce(x, axis=axis, keepdims=keepdims, initial=0.5, where=mask), rtol=1e-5)
    if axis is not None and len(axis) > 1:
        with pytest.raises(ArgumentError, match="order"):
            jnp.subtract.reduce(x, axis=axis)


def test_what_is_combined_up_to_each_element_of_a_flat_array() -> None:
    x = np.arange(6, dtype=np.float32)
    for ours, theirs in ((jnp.add, np.add), (jnp.logaddexp, np.logaddexp), (jnp.subtract, np.subtract)):
        np.testing.assert_allclose(ours.accumulate(x, axis=None), theirs.accumulate(x), rtol=1e-6)
        np.testing.assert_allclose(ours.accumulate(x.reshape(2, 3), axis=None), theirs.accumulate(x), rtol=1e-6)
