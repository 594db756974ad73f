# SPDX-License-Identifier: Apache-2.0
"""Values of libraries' own types that change, in transformations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.as_jax.hijax import control_flow_allowed_effects
from olympus.errors import ArgumentError, NotSupportedError, ReferenceUseError
from olympus.experimental import cur_qdd
from olympus.sharding import SingleDeviceSharding

from .types import Box


def _add(box: Any, x: Any) -> Any:
    box.set(box.get() + x)
    return box.get() * 2


def test_an_argument_of_a_jitted_function_changes() -> None:
    traced = []

    @olympus.jit
    def f(box, x):
        traced.append(box)
        return _add(box, x)

    box = Box(1.0)
    assert float(f(box, 2.0)) == 6 and float(box.get()) == 3
    assert float(f(Box(5.0), 2.0)) == 14  # another value of the type
    assert float(f(box, 2.0)) == 10 and float(box.get()) == 5
    f(Box(3), 2.0)  # of another type
    f({"box": box}["box"], jnp.float32(1))
    assert len(traced) == 3  # the last one for the array, which is not weakly typed


def test_a_container_with_one_and_an_argument_twice() -> None:
    box = Box(1.0)
    olympus.jit(lambda tree, x: _add(tree["box"], tree["x"] + x))({"box": box, "x": 2.0}, 3.0)
    assert float(box.get()) == 6

    @olympus.jit
    def f(first, second):
        assert first is second
        first.set(7.0)
        return second.get()

    assert float(f(box, box)) == float(box.get()) == 7


def test_an_argument_may_change_its_structure() -> None:
    box = Box({})
    olympus.jit(lambda box, x: box.set({**box.get(), "sum": x.sum()}))(box, jnp.arange(4))
    assert {name: int(x) for name, x in box.get().items()} == {"sum": 6}
    olympus.jit(lambda box: box.set((box.get()["sum"], jnp.zeros(3))))(box)
    assert [x.shape for x in box.get()] == [(), (3,)]


def test_one_from_outside_changes() -> None:
    box = Box(1.0)

    @olympus.jit
    def f(x):
        return _add(box, x)

    @olympus.jit
    def twice(x):
        f(x)
        f(x)

    assert [float(f(1.0)), float(f(1.0)), float(box.get())] == [4, 6, 3]
    before = box.get()
    twice(2.0)
    assert float(box.get()) == 7
    assert float(before) == 3  # nobody wrote over what was given out
    box.set(jnp.arange(2.0))  # another shape, between two calls
    np.testing.assert_array_equal(f(1.0), [2, 4])
    np.testing.assert_array_equal(box.get(), [1, 2])


def test_one_from_outside_keeps_its_types() -> None:
    box = Box(1.0)
    with pytest.raises(ReferenceUseError, match="changes its structure or type"):
        olympus.jit(lambda: box.set(jnp.arange(3)))()
    with pytest.raises(ReferenceUseError, match="changes its structure or type"):
        olympus.jit(lambda: box.set({"a": box.get()}))()
    assert float(box.get()) == 1


def test_one_that_is_made_inside() -> None:
    @olympus.jit
    def f(x):
        box = Box(x)
        inner = olympus.jit(lambda y: _add(box, y))
        inner(1.0)
        inner(1.0)
        return box.get()

    assert float(f(2.0)) == 4
    np.testing.assert_array_equal(olympus.vmap(lambda x: _add(Box(x), 1.0))(jnp.arange(3.0)), [2, 4, 6])
    assert float(olympus.grad(lambda x: Box(x * x).get())(3.0)) == 6


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_loops_and_branches(wrap: Any) -> None:
    box = Box(jnp.float32(1))

    def doubled():
        lax.scan(lambda c, _: (box.set(box.get() * 2), None), None, None, length=3)
        lax.fori_loop(0, 2, lambda i, n: (_add(box, 1.0), n)[1], 0)
        steps = lax.while_loop(lambda n: n < 2, lambda n: (box.set(box.get() * 2), n + 1)[1], 0)
        lax.cond(steps > 1, lambda: box.set(box.get() + 1), lambda: box.set(-box.get()))
        return box.get()

    assert float(wrap(doubled)()) == float(box.get()) == 41


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_derivatives_pass_it_by(wrap: Any) -> None:
    box = Box(jnp.float32(1))

    def f(x, given):
        given.set(given.get() + lax.stop_gradient(2 * x))
        return x * given.get()

    assert float(wrap(olympus.grad(f))(1.0, box)) == float(box.get()) == 3
    assert float(olympus.grad(wrap(lambda x: f(x, box)))(1.0)) == float(box.get()) == 5
    with pytest.raises(ReferenceUseError, match="stop_gradient"):
        olympus.grad(lambda x: (box.set(x), x)[1])(1.0)
    with pytest.raises(ReferenceUseError, match="differs from index to index"):
        olympus.vmap(lambda x: box.set(x))(jnp.arange(3.0))
    assert float(box.get()) == 5
    assert float(olympus.grad(olympus.checkpoint(lambda x: x * box.get()))(2.0)) == 5


def test_a_rule_for_the_backward_pass_writes_one() -> None:
    box = Box(jnp.float32(0))

    @olympus.custom_vjp
    def f(x):
        return x

    def backward(_, ct):
        box.set(ct)
        return (ct,)

    f.defvjp(lambda x: (x, None), backward)
    assert float(olympus.grad(lambda x: 2 * f(3 * x))(jnp.float32(1))) == 6
    assert float(box.get()) == 2


def test_who_looks_at_a_function_changes_nothing() -> None:
    box = Box(1.0)
    f = olympus.jit(_add)
    assert olympus.eval_shape(f, box, 2.0).shape == ()
    assert "add" in f.lower(box, 2.0).as_text()
    compiled = f.lower(box, 2.0).compile()
    assert float(box.get()) == 1
    assert float(compiled(box, 2.0)) == 6 and float(box.get()) == 3


def test_what_it_holds_is_known() -> None:
    box = Box(jnp.zeros(3))

    @olympus.jit
    def f(box):
        assert cur_qdd(box).leaves == (olympus.typeof(jnp.zeros(3)),)
        box.set(jnp.zeros(2, "int32"))
        assert [a.shape for a in cur_qdd(box).leaves] == [(2,)]

    f(box)
    assert [a.shape for a in cur_qdd(box).leaves] == [(2,)]
    with pytest.raises(ArgumentError, match="does not change"):
        cur_qdd(1.0)


def test_where_it_cannot_stand() -> None:
    box = Box(1.0)
    with pytest.raises(ArgumentError, match="nothing gives them back"):
        olympus.jit(lambda box: box)(box)
    with pytest.raises(ArgumentError, match="nothing gives them back"):
        olympus.jvp(lambda box, x: x, (box, 2.0), (Box(1.0), 1.0))
    place = SingleDeviceSharding(olympus.devices()[0])
    with pytest.raises(NotSupportedError, match="in_shardings or out_shardings"):
        olympus.jit(lambda box: box.get(), out_shardings=place)(box)


def test_classes_of_effects_are_noted() -> None:
    control_flow_allowed_effects.add_type(Box)
    assert Box in control_flow_allowed_effects.types
