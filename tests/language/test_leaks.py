# SPDX-License-Identifier: Apache-2.0
"""Traced values that outlive their trace: told when it ends, where the option is on, and where they are used."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import LeakedTracerError, TracerLeakError
from olympus.experimental import checkify
from olympus.extend.linear_util import wrap_init
from olympus.interpreters import partial_eval

_kept: list[Any] = []


def _leaking(x: Any) -> Any:
    _kept.append(x * 2)
    return x * 3


_LINE = f"test_leaks.py:{_leaking.__code__.co_firstlineno + 1}"


def _carrying(carry: Any, x: Any) -> tuple[Any, Any]:
    _kept.append(carry)
    return carry + x, x


_LEAKS: dict[str, Callable[[], Any]] = {
    "jit": lambda: olympus.jit(_leaking)(1.0),
    "make_jaxpr": lambda: olympus.make_jaxpr(_leaking)(1.0),
    "eval_shape": lambda: olympus.eval_shape(_leaking, 1.0),
    "vmap": lambda: olympus.vmap(_leaking)(jnp.ones(3)),
    "scan": lambda: lax.scan(_carrying, 0.0, jnp.ones(3)),
    "cond": lambda: olympus.jit(lambda x: lax.cond(x > 0, _leaking, lambda x: x, x))(1.0),
    "grad": lambda: olympus.grad(_leaking)(1.0),
    "jvp": lambda: olympus.jvp(_leaking, (1.0,), (1.0,)),
    "linearize": lambda: olympus.linearize(_leaking, 1.0),
    "checkpoint": lambda: olympus.grad(olympus.checkpoint(_leaking))(1.0),
    "jit of vmap": lambda: olympus.jit(olympus.vmap(_leaking))(jnp.ones(3)),
}


@pytest.mark.parametrize("name", _LEAKS)
def test_leaks_are_told(name: str) -> None:
    _kept.clear()
    with olympus.checking_leaks(), pytest.raises(TracerLeakError, match="outlive the trace"):
        _LEAKS[name]()
    _kept.clear()
    _LEAKS[name]()  # without the option nobody looks
    _kept.clear()


def test_it_is_told_where_a_value_was_made_and_who_has_it() -> None:
    _kept.clear()
    with olympus.check_tracer_leaks(), pytest.raises(TracerLeakError) as caught:
        olympus.jit(_leaking)(1.0)
    said = str(caught.value)
    assert "the result of mul at" in said and _LINE in said
    _kept.clear()
    with olympus.check_tracer_leaks(), pytest.raises(TracerLeakError, match=_LINE):
        olympus.vmap(_leaking)(jnp.ones(3))
    _kept.clear()


def test_use_of_a_leaked_value_tells_where_it_was_made() -> None:
    _kept.clear()
    olympus.jit(_leaking)(jnp.ones(5))
    with pytest.raises(LeakedTracerError, match=f"the result of mul at .*{_LINE}"):
        olympus.jit(lambda x: x + _kept[0])(1.0)
    _kept.clear()
    olympus.jit(lambda x: _kept.append(x))(1.0)
    with pytest.raises(LeakedTracerError, match="an argument of <lambda>"):
        _kept[0] + 1
    _kept.clear()


def _loss(w: Any, x: Any) -> Any:
    return jnp.sum(jnp.tanh(x @ w) ** 2)


@olympus.custom_vjp
def _clipped(x: Any) -> Any:
    return x


_clipped.defvjp(lambda x: (x, x), lambda kept, c: (jnp.clip(c, -1, 1) * kept,))
_W, _X = np.ones((3, 2), np.float32), np.ones((4, 3), np.float32)
_SOUND: dict[str, Callable[[], Any]] = {
    "jit": lambda: olympus.jit(_loss)(_W, _X),
    "jit of grad": lambda: olympus.jit(olympus.grad(_loss))(_W, _X),
    "grad": lambda: olympus.grad(_loss)(_W, _X),
    "hessian": lambda: olympus.hessian(lambda x: jnp.sum(jnp.sin(x) ** 3))(jnp.ones(3)),
    "vmap of grad": lambda: olympus.vmap(olympus.grad(_loss), (None, 0))(_W, _X),
    "scan": lambda: lax.scan(lambda c, x: (c + x.sum(), c), 0.0, jnp.asarray(_X)),
    "grad of scan": lambda: olympus.grad(lambda x: lax.scan(lambda c, y: (c * y, c), 1.0, x)[0])(jnp.ones(3)),
    "while": lambda: lax.while_loop(lambda x: x < 10, lambda x: x * 2, 1.0),
    "custom_vjp": lambda: olympus.jit(olympus.grad(lambda x: _clipped(x) * 5))(1.0),
    "checkpoint": lambda: olympus.grad(olympus.checkpoint(lambda x: jnp.sin(jnp.sin(x))))(1.0),
    "vjp": lambda: olympus.vjp(_loss, _W, _X)[1](1.0),
    "map": lambda: lax.map(lambda x: x * 2, jnp.ones(3)),
    "closure": lambda: olympus.jit(lambda x: olympus.jit(lambda y: y + x)(x))(1.0),
    "vmap of jit": lambda: olympus.vmap(olympus.jit(lambda x: x + 1))(jnp.ones(3)),
    "random": lambda: olympus.jit(lambda k: olympus.random.normal(k, (3,)))(olympus.random.key(0)),
    "solve": lambda: olympus.grad(lambda a: jnp.linalg.solve(a, jnp.ones(2)).sum())(jnp.eye(2) * 2),
    "jacfwd": lambda: olympus.jacfwd(lambda x: jnp.cumsum(x) * x)(jnp.ones(3)),
    "shard_map": lambda: olympus.jit(olympus.shard_map(
        lambda x: lax.psum(x * 2, "i"), mesh=olympus.make_mesh((8,), ("i",)), in_specs=olympus.P("i"),
        out_specs=olympus.P()))(jnp.ones(8)),
    "jit of pmap": lambda: olympus.jit(olympus.pmap(lambda x: lax.pmean(x, "i"), axis_name="i"))(jnp.ones(8)),
    "checkify of pmap": lambda: checkify.checkify(olympus.pmap(lambda x: x * 2))(jnp.ones(8)),
    "partial evaluation": lambda: partial_eval.trace_to_jaxpr_nounits(
        wrap_init(lambda x: [x * 2, 3.0]), [partial_eval.PartialVal.unknown(olympus.typeof(1.0))]),
    "odd": lambda: olympus.jit(lambda x: jnp.where(x > 0, jnp.sort(x), jnp.fft.fft(x).real))(jnp.ones(4)),
}


@pytest.mark.parametrize("name", _SOUND)
def test_sound_functions_leak_nothing(name: str) -> None:
    with olympus.checking_leaks():
        _SOUND[name]()


def test_leaks_in_pieces_that_are_returned_are_none() -> None:
    with olympus.checking_leaks():
        y, back = olympus.vjp(jnp.sin, 1.0)
        assert float(back(1.0)[0]) == pytest.approx(float(np.cos(1.0)))
        error = None
        try:
            olympus.jit(lambda x: 1 if x > 0 else 0)(1.0)
        except TypeError as found:
            error = found
        assert error is not None


def test_the_decorator() -> None:
    _kept.clear()

    @olympus.checking_leaks()
    def run() -> Any:
        return olympus.jit(_leaking)(3.0)

    with pytest.raises(TracerLeakError):
        run()
    _kept.clear()


def test_weak_references_to_traced_values_keep_none() -> None:
    kept: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
    seen = []

    class Key:
        def __init__(self, value: Any) -> None:
            self.value = weakref.ref(value)

    def f(x: Any) -> Any:
        key = Key(x)
        kept[key] = "seen"
        seen.append(key.value() is x)
        return x * 2

    with olympus.checking_leaks():
        for place in (olympus.jit, olympus.vmap, olympus.jvp):
            found = place(f)(jnp.ones(3)) if place is not olympus.jvp else place(f, (jnp.ones(3),), (jnp.ones(3),))[0]
            np.testing.assert_array_equal(found, 2 * np.ones(3))
    assert seen == [True] * 3
