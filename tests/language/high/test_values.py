# SPDX-License-Identifier: Apache-2.0
"""Values of libraries' own types as arguments and results of transformations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.as_jax.hijax import AbstractValue, HiType, aval_method, aval_property, register_hitype
from olympus.core import Tracer
from olympus.errors import ArgumentError, NotSupportedError

from .types import Quantized, QuantizedTy, Tup, TupSpec, TupTy, dequantize, get, make, quantize

ROWS = np.arange(12, dtype=np.float32).reshape(3, 4)


def _swapped(tup: Any) -> Any:
    return make(get(tup, 1), get(tup, 0))


def _tup() -> Any:
    return make(jnp.arange(3.0), jnp.asarray(ROWS))


def test_outside_of_transformations_it_is_a_leaf() -> None:
    tup = _tup()
    assert isinstance(tup, Tup)
    assert olympus.tree.leaves([tup, 1])[0] is tup
    assert isinstance(olympus.typeof(tup), TupTy)
    assert isinstance(olympus.typeof(tup), AbstractValue)


class Two(HiType):
    """A type that is equal to itself alone."""

    def lo_ty(self) -> list[Any]:
        return [olympus.typeof(jnp.float32(0))] * 2


def test_it_is_a_leaf_for_users_however_often_transformations_took_it_apart() -> None:
    from olympus.tracing.high import HighValue
    from olympus.trees import inside

    given = (HighValue(Two(), [jnp.float32(1), jnp.float32(2)]), 1.0)
    structure = inside.structure(given)
    for _ in range(80):
        assert inside.leaves(given) == [*given[0].parts, 1.0]
        assert olympus.tree.leaves(given)[0] is given[0]
    assert structure != olympus.tree.structure(given)


def test_in_a_trace_it_is_a_traced_value_of_its_type() -> None:
    seen = []

    @olympus.jit
    def f(q):
        seen.append(q)
        assert isinstance(q, Tracer)
        assert not isinstance(q, Quantized)
        assert olympus.typeof(q) == QuantizedTy((3, 4))
        assert olympus.tree.leaves({"q": q}) == [q]
        return q, jnp.zeros(q.shape)  # the attributes are those of the type

    q = quantize(jnp.asarray(ROWS))
    same, zeros = f(q)
    assert isinstance(same, Quantized)
    np.testing.assert_array_equal(same.numbers, q.numbers)
    np.testing.assert_array_equal(same.scale, q.scale)
    assert zeros.shape == (3, 4)
    f(quantize(jnp.asarray(ROWS + 1)))
    assert len(seen) == 1  # one program for all values of the type


def test_results_may_be_made_inside() -> None:
    x = jnp.asarray(ROWS)
    q = olympus.jit(quantize)(x)
    np.testing.assert_allclose(q.numbers * q.scale, ROWS, atol=float(q.scale) / 2)
    np.testing.assert_array_equal(olympus.jit(dequantize)(q), q.numbers * q.scale)


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_loops_and_branches(wrap: Any) -> None:
    tup = make(jnp.float32(2), jnp.float32(3))

    def step(state):
        i, t = state
        return i + 1, make(get(t, 0) * get(t, 1), get(t, 1))

    def f(t):
        walked = lax.while_loop(lambda s: s[0] < 3, step, (0, t))[1]
        chosen = lax.cond(get(t, 0) > 0, _swapped, lambda t: t, t)
        counted = lax.fori_loop(0, 3, lambda i, t: step((i, t))[1], t)
        return walked, chosen, counted

    walked, chosen, counted = wrap(f)(tup)
    assert [float(x) for x in walked.elements] == [54.0, 3.0]
    assert [float(x) for x in chosen.elements] == [3.0, 2.0]
    assert [float(x) for x in counted.elements] == [54.0, 3.0]


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_scan_walks_along_its_arrays(wrap: Any) -> None:
    def body(total, t):
        assert olympus.typeof(t) == TupTy((olympus.typeof(jnp.float32(0)), olympus.typeof(jnp.zeros(4))))
        return total + get(t, 0), make(get(t, 0) + 1, get(t, 1) * 2)

    total, ys = wrap(lambda t: lax.scan(body, jnp.float32(0), t))(_tup())
    assert float(total) == 3
    np.testing.assert_array_equal(ys.elements[0], np.arange(3.0) + 1)
    np.testing.assert_array_equal(ys.elements[1], ROWS * 2)


def test_scan_of_a_type_that_does_not_say_how() -> None:
    q = Quantized(jnp.zeros((3, 4), np.int8), jnp.ones(()))
    with pytest.raises(ArgumentError, match="leading dimensions"):
        lax.scan(lambda c, x: (c, None), 0, q)
    with pytest.raises(NotSupportedError, match="QuantizedTy does not define leading_axis_spec"):
        lax.scan(lambda c, x: (c, None), 0, Quantized(jnp.zeros((3, 4), np.int8), jnp.ones(3)))


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_vmap_maps_by_a_spec(wrap: Any) -> None:
    tup = _tup()
    both = TupSpec((0, 0))
    f = olympus.vmap(lambda t: make(get(t, 0) + 1, get(t, 1) * 2), in_axes=both, out_axes=both, axis_size=3)
    found = wrap(f)(tup)
    np.testing.assert_array_equal(found.elements[0], np.arange(3.0) + 1)
    np.testing.assert_array_equal(found.elements[1], ROWS * 2)
    half = olympus.vmap(_swapped, in_axes=TupSpec((0, None)), out_axes=TupSpec((None, 0)), axis_size=3)
    np.testing.assert_array_equal(wrap(half)(tup).elements[0], ROWS)
    columns = olympus.vmap(lambda t: get(t, 1), in_axes=(TupSpec((None, 1)),), out_axes=1, axis_size=4)
    np.testing.assert_array_equal(wrap(columns)(tup), ROWS)


def test_vmap_by_a_number_is_refused() -> None:
    with pytest.raises(NotSupportedError, match="MappingSpec"):
        olympus.vmap(lambda t: t, axis_size=3)(_tup())


def test_values_inside_of_a_mapped_function() -> None:
    np.testing.assert_array_equal(olympus.vmap(lambda x: get(make(x, 2 * x), 1))(jnp.arange(3.0)), [0, 2, 4])


@dataclass(frozen=True)
class Celsius:
    degrees: Any


@dataclass(frozen=True)
class CelsiusTy(HiType):
    def lo_ty(self):
        return [olympus.typeof(np.float32(0))]

    def lower_val(self, value):
        return [value.degrees]

    def raise_val(self, degrees):
        return Celsius(degrees)

    unit = aval_property(lambda value: "C")

    @aval_method
    def named(self, name):
        return name, olympus.typeof(self)

    @staticmethod
    def _add(x, y):
        return "sum"


register_hitype(Celsius, lambda c: CelsiusTy())


def test_attributes_and_operators_are_those_of_the_type() -> None:
    @olympus.jit
    def f(c):
        assert (c.unit, c.named("n"), c + c) == ("C", ("n", CelsiusTy()), "sum")
        assert c == c and c != 1
        with pytest.raises(ArgumentError, match="no such operator"):
            c * c
        with pytest.raises(AttributeError):
            _ = c.shape
        with pytest.raises(ArgumentError, match="library's own type"):
            jnp.sin(c)
        return c

    assert float(f(Celsius(jnp.float32(3))).degrees) == 3


def test_types_of_other_shapes_are_other_programs() -> None:
    f = olympus.jit(lambda q: q.shape[0])
    assert [int(f(quantize(jnp.ones((n, 2))))) for n in (2, 3, 2)] == [2, 3, 2]


def test_only_classes_are_registered() -> None:
    with pytest.raises(ArgumentError, match="register_hitype"):
        register_hitype(Celsius(1), lambda c: CelsiusTy())  # type: ignore[arg-type]


def test_what_a_type_lacks_is_named() -> None:
    class Opaque:
        pass

    class OpaqueTy(HiType):
        pass

    register_hitype(Opaque, lambda _: OpaqueTy())
    with pytest.raises(NotSupportedError, match="OpaqueTy does not define lower_val"):
        olympus.jit(lambda x: x)(Opaque())


def test_a_class_that_hands_attributes_on_is_no_array() -> None:
    """The short way of a jitted function once took such a value for the array behind it."""
    class Forwarding:
        def __init__(self, array):
            self.array = array

        def __getattr__(self, name):
            return getattr(self.__dict__["array"], name)

    olympus.tree_util.register_pytree_node(
        Forwarding, lambda f: ((f.__dict__["array"],), None), lambda _, parts: Forwarding(parts[0]))
    f = olympus.jit(lambda x: 1 if isinstance(x, Forwarding) else 0)
    x = jnp.ones(3)
    assert int(f(x)) == int(f(x)) == 0
    assert int(f(Forwarding(x))) == 1
