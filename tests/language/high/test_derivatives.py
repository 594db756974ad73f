# SPDX-License-Identifier: Apache-2.0
"""Derivatives of operations on values of libraries' own types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.as_jax.hijax import (
    HiPrimitive,
    HiType,
    ShapedArray,
    VJPHiPrimitive,
    Zero,
    instantiate_zeros,
    is_undefined_primal,
    register_hitype,
)
from olympus.errors import NotSupportedError
from olympus.transforms.high.accumulators import NullAccumulator

from .types import Tup, TupTy, dequantize, get, make, quantize

ROWS = np.arange(6, dtype=np.float32).reshape(2, 3)


class Power(VJPHiPrimitive):
    """Its rule for the backward pass is ten times too great, which shows that it was taken."""

    def __init__(self, kind, power):
        self.in_avals = (kind,)
        self.out_aval = kind
        self.params = {"power": power}
        super().__init__()

    def expand(self, x):
        return x ** self.power

    def vjp_fwd(self, nzs_in, x):
        return self(x), x

    def vjp_bwd_retval(self, x, ct):
        return (10 * ct * self.power * power(x, self.power - 1),)


class PowerBothWays(Power):
    def vjp_bwd_retval(self, x, ct):
        return (ct * self.power * type(self)(olympus.typeof(x), self.power - 1)(x),)

    def jvp(self, primals, tangents):
        (x,), (t,) = primals, tangents
        return self(x), t * self.power * type(self)(olympus.typeof(x), self.power - 1)(x)


class Sine(VJPHiPrimitive):
    """Only for linearization."""

    def __init__(self, kind):
        self.in_avals = (kind,)
        self.out_aval = kind
        self.params = {}
        super().__init__()

    def expand(self, x):
        return jnp.sin(x)

    def lin(self, nzs_in, x):
        return self(x), jnp.cos(x)

    def linearized(self, residual, t):
        return residual * t


class Product(VJPHiPrimitive):
    seen: list[Any] = []

    def __init__(self, x, y):
        self.in_avals = (x, y)
        self.out_aval = x
        self.params = {}
        super().__init__()

    def expand(self, x, y):
        return x * y

    def vjp_fwd(self, nzs_in, x, y):
        self.seen.append(nzs_in)
        return self(x, y), (x, y)

    def vjp_bwd(self, res, ct, x_accumulator, y_accumulator):
        self.seen.append([isinstance(a, NullAccumulator) for a in (x_accumulator, y_accumulator)])
        x, y = res
        x_accumulator.accum(ct * y)
        y_accumulator.accum(ct * x)


def power(x: Any, n: int) -> Any:
    return Power(olympus.typeof(x), n)(x)


def product(x: Any, y: Any) -> Any:
    return Product(olympus.typeof(x), olympus.typeof(y))(x, y)


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_the_rule_for_the_backward_pass_is_taken(wrap: Any) -> None:
    def f(x):
        return power(x, 3)

    assert float(wrap(f)(2.0)) == 8
    assert float(wrap(olympus.grad(f))(2.0)) == 120
    assert float(olympus.grad(wrap(f))(2.0)) == 120
    assert float(wrap(olympus.grad(olympus.grad(f)))(2.0)) == 10 * 3 * 10 * 2 * 2
    xs = jnp.arange(3.0)
    np.testing.assert_array_equal(wrap(olympus.vmap(f))(xs), np.arange(3.0) ** 3)
    np.testing.assert_array_equal(wrap(olympus.vmap(olympus.grad(f)))(xs), 30 * np.arange(3.0) ** 2)
    np.testing.assert_array_equal(olympus.grad(lambda x: wrap(olympus.vmap(f))(x).sum())(xs), 30 * np.arange(3.0) ** 2)
    assert float(wrap(olympus.grad(olympus.checkpoint(f)))(2.0)) == 120
    walked = olympus.grad(lambda x: lax.scan(lambda c, _: (power(c, 2), None), x, None, length=2)[0])
    assert float(wrap(walked)(2.0)) == 100 * 4 * 8
    chosen = olympus.grad(lambda x: lax.cond(x > 0, f, lambda x: x, x))
    assert [float(wrap(chosen)(x)) for x in (2.0, -2.0)] == [120, 1]


def test_without_a_rule_forward_mode_is_refused() -> None:
    with pytest.raises(NotSupportedError, match="Power does not define jvp"):
        olympus.jvp(lambda x: power(x, 3), (2.0,), (1.0,))


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_rules_for_both_directions(wrap: Any) -> None:
    def f(x):
        return PowerBothWays(olympus.typeof(x), 3)(x)

    y, dy = wrap(lambda x: olympus.jvp(f, (x,), (1.0,)))(2.0)
    assert (float(y), float(dy)) == (8, 12)
    assert float(wrap(olympus.grad(f))(2.0)) == 12
    assert float(wrap(olympus.hessian(f))(2.0)) == 12
    assert float(olympus.linearize(wrap(f), 2.0)[1](1.0)) == 12
    assert float(wrap(olympus.jacfwd(f))(2.0)) == float(wrap(olympus.jacrev(f))(2.0)) == 12


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_a_linearization_serves_all_directions(wrap: Any) -> None:
    def f(x):
        return Sine(olympus.typeof(x))(x)

    assert float(olympus.linearize(wrap(f), 2.0)[1](3.0)) == pytest.approx(3 * np.cos(2), rel=1e-6)
    assert float(wrap(olympus.grad(f))(2.0)) == pytest.approx(np.cos(2), rel=1e-6)
    assert float(wrap(olympus.grad(olympus.grad(f)))(2.0)) == pytest.approx(-np.sin(2), rel=1e-6)
    assert float(olympus.jvp(wrap(f), (2.0,), (1.0,))[1]) == pytest.approx(np.cos(2), rel=1e-6)


def test_what_nobody_differentiates_is_told() -> None:
    Product.seen.clear()
    assert float(olympus.grad(product)(2.0, 3.0)) == 3
    assert float(olympus.grad(product, 1)(2.0, 3.0)) == 2
    assert Product.seen == [(True, False), [False, True], (False, True), [True, False]]


def test_cotangents_of_what_all_indices_share_are_summed() -> None:
    xs = jnp.arange(3.0)
    found = olympus.grad(lambda x, y: olympus.vmap(product, (0, None))(x, y).sum(), (0, 1))(xs, 2.0)
    np.testing.assert_array_equal(found[0], [2, 2, 2])
    assert float(found[1]) == 3
    inner = olympus.vmap(product, in_axes=(0, None))
    outer = olympus.vmap(inner, in_axes=(2, None), out_axes=2)
    x, y = np.arange(24.0, dtype=np.float32).reshape(2, 3, 4), np.arange(3.0, dtype=np.float32)
    np.testing.assert_array_equal(outer(x, y), x * y[None, :, None])
    by_y = olympus.grad(lambda y: outer(jnp.asarray(x), y).sum())(jnp.asarray(y))
    np.testing.assert_array_equal(by_y, x.sum((0, 2)))


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_tangents_of_another_form_than_the_value(wrap: Any) -> None:
    """Rounding has no derivative; the rules say that quantized arrays have that of what they stand for."""
    x = jnp.asarray(ROWS)
    found = wrap(olympus.grad(lambda x: (dequantize(quantize(x)) ** 2).sum()))(x)
    np.testing.assert_array_equal(found, 2 * dequantize(quantize(x)))

    def halved(q, _):
        return quantize(dequantize(q) * 0.5), None

    walked = olympus.grad(lambda x: dequantize(lax.scan(halved, quantize(x), None, length=2)[0]).sum())
    np.testing.assert_array_equal(wrap(walked)(x), np.full_like(ROWS, 0.25))


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_containers_of_differentiated_values(wrap: Any) -> None:
    def f(x, y):
        tup = make(x, y)
        return get(tup, 0) * get(tup, 1) + get(tup, 0)

    assert [float(g) for g in wrap(olympus.grad(f, (0, 1)))(2.0, 3.0)] == [4, 2]
    assert float(wrap(lambda x: olympus.jvp(f, (x, 3.0), (1.0, 0.0))[1])(2.0)) == 4
    tup = Tup((jnp.arange(3.0), jnp.float32(2)))
    found = wrap(olympus.grad(lambda t: (get(t, 0) ** 2).sum() * get(t, 1)))(tup)
    np.testing.assert_array_equal(found.elements[0], 4 * np.arange(3.0))
    assert float(found.elements[1]) == 5
    mapped = olympus.grad(lambda x, y: olympus.vmap(lambda a: get(make(a, y), 1))(x).sum(), (0, 1))
    by_x, by_y = wrap(mapped)(jnp.arange(3.0), 2.0)
    np.testing.assert_array_equal(by_x, [0, 0, 0])
    assert float(by_y) == 3


@dataclass(frozen=True)
class Number:
    x: Any


@dataclass(frozen=True)
class NumberTy(HiType):
    def lo_ty(self):
        return [ShapedArray((), np.float32)]

    def lower_val(self, value):
        return [value.x]

    def raise_val(self, x):
        return Number(x)

    def to_tangent_aval(self):
        return self

    def vspace_zero(self):
        return Number(jnp.zeros(()))

    def vspace_add(self, x, y):
        return add_p.bind(x, y)


register_hitype(Number, lambda _: NumberTy())


class _Enter(HiPrimitive):
    def abstract_eval(self, aval):
        return NumberTy(), set()

    def to_lojax(self, x):
        return Number(x)

    def jvp(self, primals, tangents):
        return enter_p.bind(*primals), enter_p.bind(*tangents)

    def transpose(self, ct, _):
        return [leave_p.bind(ct)]


class _Leave(HiPrimitive):
    def abstract_eval(self, kind):
        return kind.lo_ty()[0], set()

    def to_lojax(self, number):
        return number.x

    def jvp(self, primals, tangents):
        return leave_p.bind(*primals), leave_p.bind(*tangents)

    def transpose(self, ct, _):
        return [enter_p.bind(ct)]


class _Times(HiPrimitive):
    def abstract_eval(self, x, y):
        return x, set()

    def to_lojax(self, x, y):
        return Number(x.x * y.x)

    def jvp(self, primals, tangents):
        (x, y), (dx, dy) = primals, map(instantiate_zeros, tangents)
        return times_p.bind(x, y), add_p.bind(times_p.bind(x, dy), times_p.bind(dx, y))

    def transpose(self, ct, x, y):
        return (times_p.bind(ct, y), None) if is_undefined_primal(x) else (None, times_p.bind(x, ct))


class _Add(HiPrimitive):
    def abstract_eval(self, x, y):
        return x, set()

    def to_lojax(self, x, y):
        return Number(x.x + y.x)

    def transpose(self, ct, x, y):
        return ct, ct


enter_p, leave_p, times_p, add_p = _Enter("enter"), _Leave("leave"), _Times("times"), _Add("add_numbers")


@pytest.mark.parametrize("wrap", [lambda f: f, olympus.jit])
def test_operations_with_a_derivative_and_a_transpose(wrap: Any) -> None:
    square = wrap(lambda n: times_p.bind(n, n))
    three = Number(jnp.float32(3))
    y, dy = olympus.jvp(square, (three,), (Number(jnp.float32(1)),))
    assert (float(y.x), float(dy.x)) == (9, 6)
    y, back = olympus.vjp(square, three)
    (found,) = back(Number(jnp.float32(2)))
    assert isinstance(found, Number) and float(found.x) == 12
    number = olympus.grad(lambda x: leave_p.bind(square(enter_p.bind(x))))
    assert float(wrap(number)(3.0)) == 6
    np.testing.assert_array_equal(wrap(olympus.vmap(number))(jnp.arange(3.0)), [0, 2, 4])
    cubed = olympus.grad(lambda x: leave_p.bind(
        lax.scan(lambda c, _: (times_p.bind(c, c), None), enter_p.bind(x), None, length=2)[0]))
    assert float(wrap(cubed)(2.0)) == 4 * 8


def test_custom_rules_take_such_values() -> None:
    @olympus.custom_vjp
    def f(n):
        return leave_p.bind(n)

    f.defvjp(lambda n: (f(n), n), lambda n, ct: (enter_p.bind(ct * leave_p.bind(n)),))
    assert float(olympus.grad(f)(Number(jnp.float32(3))).x) == 3


def test_zeros_of_such_types() -> None:
    assert float(instantiate_zeros(Zero(NumberTy())).x) == 0
    zero = instantiate_zeros(Zero(TupTy((olympus.typeof(np.float32(1)),))))
    assert isinstance(zero, Tup) and float(zero.elements[0]) == 0


@dataclass(frozen=True)
class Log:
    x: Any


@dataclass(frozen=True)
class LogTy(HiType):
    """Numbers by their logarithm: their sum is not that of the arrays."""

    def lo_ty(self):
        return [ShapedArray((), np.float32)]

    def lower_val(self, value):
        return [value.x]

    def raise_val(self, x):
        return Log(x)

    def to_tangent_aval(self):
        return self

    def vspace_add(self, x, y):
        return Log(jnp.logaddexp(x.x, y.x))


register_hitype(Log, lambda _: LogTy())


def test_tangents_with_a_sum_of_their_own_are_refused() -> None:
    class ToLog(_Enter):
        def abstract_eval(self, aval):
            return LogTy(), set()

        def to_lojax(self, x):
            return Log(x)

    class FromLog(_Leave):
        def to_lojax(self, log):
            return log.x

    to_log, from_log = ToLog("to_log"), FromLog("from_log")
    with pytest.raises(NotSupportedError, match="vspace_add is not the sum"):
        olympus.jit(lambda x: from_log.bind(to_log.bind(x)))(1.0)


def test_a_class_that_defines_too_much_or_too_little() -> None:
    class Twice(Power):
        def vjp_bwd(self, res, ct, accumulator):
            pass

    with pytest.raises(AttributeError, match="both vjp_bwd and vjp_bwd_retval"):
        Twice(olympus.typeof(1.0), 2)

    class Nothing(VJPHiPrimitive):
        def __init__(self):
            super().__init__()

    with pytest.raises(AttributeError, match=r"self\.in_avals"):
        Nothing()

    class Bare(HiPrimitive):
        pass

    with pytest.raises(NotSupportedError, match="Bare does not define to_lojax"):
        Bare("bare").bind(1.0)
    with pytest.raises(NotSupportedError, match="Bare does not define abstract_eval"):
        olympus.jit(Bare("bare").bind)(1.0)


def test_parameters_that_are_equal_and_not_the_same() -> None:
    class Tell(HiPrimitive):
        def abstract_eval(self, x, *, n):
            return x, set()

        def to_lojax(self, x, *, n):
            return x + {int: 1, float: 2, bool: 3, list: 4}[type(n)]

    tell = Tell("tell")
    found = [float(olympus.jit(lambda x, n=n: tell.bind(x, n=n))(0.0)) for n in (1, 1.0, True, [1], [1])]
    assert found == [1, 2, 3, 4, 4]


class Backward(VJPHiPrimitive):
    """A sine with a rule for the backward pass alone."""

    def __init__(self, type: Any) -> None:
        self.in_avals, self.out_aval, self.params = (type,), type, {}
        super().__init__()

    def expand(self, x: Any) -> Any:
        return jnp.sin(x)

    def vjp_fwd(self, moving: Any, x: Any) -> tuple[Any, Any]:
        return self(x), jnp.cos(x)

    def vjp_bwd_retval(self, residual: Any, cotangent: Any) -> tuple[Any]:
        return (cotangent * residual,)


class Both(Backward):
    """And one for forward mode."""

    def jvp(self, primals: Any, tangents: Any) -> tuple[Any, Any]:
        return self(*primals), jnp.cos(primals[0]) * tangents[0]


SECOND: list[Any] = [
    lambda f, x: olympus.grad(olympus.grad(f))(x), lambda f, x: olympus.jvp(olympus.grad(f), (x,), (1.0,))[1],
    lambda f, x: olympus.grad(lambda x: olympus.jvp(f, (x,), (1.0,))[1])(x), lambda f, x: olympus.hessian(f)(x)]


@pytest.mark.parametrize("second", SECOND)
def test_second_derivatives_in_all_orders_of_modes(second: Any) -> None:
    x = jnp.float32(0.7)
    np.testing.assert_allclose(second(lambda x: Both(olympus.typeof(x))(x), x), -np.sin(0.7), rtol=1e-6)
    if second is SECOND[0]:
        np.testing.assert_allclose(second(lambda x: Backward(olympus.typeof(x))(x), x), -np.sin(0.7), rtol=1e-6)
    else:
        with pytest.raises(NotSupportedError, match="does not define jvp"):
            second(lambda x: Backward(olympus.typeof(x))(x), x)
