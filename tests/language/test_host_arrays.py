# SPDX-License-Identifier: Apache-2.0
"""Arrays of NumPy that functions use from outside, and that change between calls."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.tracing.values import unchanging

N = 20
X = jnp.ones(N)


def _with(steps: Callable[[Callable[[Any], Any]], Any], array: Callable[[], Any]) -> Callable[[], Any]:
    """A call whose function stays the same object."""
    def body(x: Any, *_: Any) -> Any:
        return x + array()

    return lambda: np.asarray(steps(body))


CALLS = {
    "scan": lambda f: lax.scan(_stepping(f), X, None, length=1)[0],
    "fori_loop": lambda f: lax.fori_loop(0, 1, _counting(f), X),
    "while_loop": lambda f: lax.while_loop(_is_first, _once(f), (0, X))[1],
    "cond": lambda f: lax.cond(True, f, _same, X),
    "switch": lambda f: lax.switch(1, [_same, f], X),
    "checkpoint": lambda f: olympus.checkpoint(f)(X),
    "a jitted function of the function": lambda f: olympus.jit(f)(X),
    "that in a program": lambda f: olympus.jit(lambda x: olympus.jit(f)(x))(X),
    "map": lambda f: lax.map(f, X[None])[0],
}
_made: dict[tuple[str, Any], Any] = {}


def _kept(name: str, f: Any, made: Any) -> Any:
    """One function made of another, for all calls: only such are traced once."""
    return _made.setdefault((name, f), made)


def _stepping(f: Any) -> Any:
    return _kept("scan", f, lambda c, _: (f(c), None))


def _counting(f: Any) -> Any:
    return _kept("fori", f, lambda _, c: f(c))


def _once(f: Any) -> Any:
    return _kept("while", f, lambda c: (c[0] + 1, f(c[1])))


def _is_first(c: Any) -> Any:
    return c[0] < 1


def _same(x: Any) -> Any:
    return x


@pytest.fixture(autouse=True)
def _fresh() -> Any:
    yield
    _made.clear()


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("kind", ["itself", "a part", "of another type", "an attribute", "jnp.asarray"])
def test_what_an_array_holds_when_a_function_is_called_counts(name: str, kind: str) -> None:
    array = np.zeros(N, np.float64 if kind == "of another type" else np.float32)
    holder = SimpleNamespace(array=array)
    uses = {"a part": lambda: array[:], "an attribute": lambda: holder.array, "jnp.asarray": lambda: jnp.asarray(array)}
    call = _with(CALLS[name], uses.get(kind, lambda: array))
    for number in (0, 3, 5, 3, 0):
        array[1:] = number
        np.testing.assert_array_equal(call(), 1 + array)


@pytest.mark.parametrize("name", ["scan", "cond", "fori_loop"])
def test_other_functions_programs_do_not_change_with_an_array(name: str) -> None:
    """Programs of equal content share their code: it is not to read what somebody has written since."""
    for _ in range(2):
        array = np.zeros(N, np.float32)
        for number in (1, 2):
            array[:] = number
            call = _with(CALLS[name], lambda: array)
            np.testing.assert_array_equal(call(), 1 + array)
            _made.clear()


def test_repeated_elements_of_an_array_are_not_copied_for_each_place() -> None:
    for given in (np.broadcast_to(np.int8(3), (1 << 50,)), np.broadcast_to(np.arange(2)[:, None], (2, 1 << 50))):
        kept = unchanging(given)
        assert kept.shape == given.shape and kept.strides == given.strides
        assert kept.base is not given.base and not kept.base.flags.writeable
        assert unchanging(kept) is kept


def test_a_jitted_function_keeps_what_it_was_traced_with() -> None:
    array = np.ones(N, np.float32)
    add = olympus.jit(lambda x: lax.fori_loop(0, 3, lambda _, c: c + array, x))
    assert add(X).tolist() == [4.0] * N
    array[:] = 7
    assert add(X).tolist() == [4.0] * N


@pytest.mark.parametrize("change", [
    lambda w: olympus.vjp(lambda x: x * w, X)[1],
    lambda w: olympus.linearize(lambda x: x * w, X)[1],
    lambda w: olympus.vjp(lambda x: x @ np.diag(w)[:, ::-1], X)[1],
    lambda w: olympus.vjp(_scaled(w), X)[1],
])
def test_derivatives_keep_what_they_were_computed_with(change: Callable[[Any], Any]) -> None:
    w = np.full(N, 3.0, np.float32)
    found = change(w)
    w[:] = 7
    np.testing.assert_array_equal(np.ravel(found(X)), 3.0)


def _scaled(w: np.ndarray) -> Any:
    scaled = olympus.custom_vjp(lambda x: x * w)
    scaled.defvjp(lambda x: (x * w, w), lambda kept, g: (g * kept,))
    return scaled
