# SPDX-License-Identifier: Apache-2.0
"""Taylor mode, compared with nested forward mode and closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.experimental.jet import jet
from olympus.sharding import Mesh, NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus.tracing import aval_of, bind_all
from olympus_core import ops

from .test_operations import CASES

_FIRST = {name: (operands, attributes) for name, operands, attributes in reversed(CASES)}
_CHUNKS = 4
_ONCE = {"igamma": (0,), "igammac": (0,)}  # operands by which there is a first derivative only


def _varies(x: Any) -> bool:
    return aval_of(x).dtype.kind in "fc"


def _nested(f: Callable[..., Any], primals: Sequence[Any], series: Sequence[Any]) -> list[Any]:
    """All derivatives along the curve, by one forward pass around another."""
    def curve(t: Any) -> Any:
        return f(*(x + sum(s * (t**k / math.factorial(k)) for k, s in enumerate(terms, 1))
                   for x, terms in zip(primals, series, strict=True)))

    found = [curve]
    for _ in series[0]:
        found.append(lambda t, of=found[-1]: olympus.jvp(of, (t,), (1.0,))[1])
    return [of(0.0) for of in found]


def _function(name: str) -> tuple[Callable[..., Any], list[Any]]:
    """The operation as a function of the operands that vary, those of its results that do, and the operands."""
    operands, attributes = _FIRST[name]
    attributes = dict(attributes)
    fixed = _ONCE.get(name, attributes.pop("fixed", ()))
    free = [i for i, x in enumerate(operands) if i not in fixed and _varies(x)]

    def f(*given: Any) -> Any:
        whole = list(operands)
        for i, x in zip(free, given, strict=True):
            whole[i] = x
        return [y for y in bind_all(ops.OPERATIONS[name], whole, attributes) if _varies(y)]

    return f, [operands[i] for i in free]


@pytest.mark.parametrize("chunk", range(_CHUNKS))
def test_every_operation_as_nested_forward_mode_has_it(chunk: int) -> None:
    names = sorted(_FIRST)[chunk::_CHUNKS]
    functions = {name: _function(name) for name in names}
    rng = np.random.default_rng(0)
    series = {name: [[(0.3 * rng.normal(size=np.shape(x))).astype(np.asarray(x).dtype) for _ in range(3)]
                     for x in primals] for name, (_, primals) in functions.items()}

    def both(series: Any) -> Any:
        found = {}
        for name, (f, primals) in functions.items():
            values, moved = jet(f, primals, series[name])
            terms = [[v, *m] for v, m in zip(values, moved, strict=True)]
            expected = _nested(f, primals, series[name])
            found[name] = terms, [list(parts) for parts in zip(*expected, strict=True)]
        return found

    with olympus.enable_x64():
        found = olympus.jit(both)(series)
    for name, (terms, expected) in found.items():
        for one, other in zip(terms, expected, strict=True):
            for k, (x, y) in enumerate(zip(one, other, strict=True)):
                np.testing.assert_allclose(x, y, rtol=1e-8, atol=1e-8, err_msg=f"{name}, derivative {k}")


_T = 0.4
_CLOSED: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "exp": (lambda t: jnp.exp(2 * t), [2**k * math.exp(2 * _T) for k in range(9)]),
    "sin": (jnp.sin, [math.sin(_T + k * math.pi / 2) for k in range(9)]),
    "log": (jnp.log, [math.log(_T), *((-1) ** (k - 1) * math.factorial(k - 1) / _T**k for k in range(1, 9))]),
    "quotient": (lambda t: 1 / (1 - t), [math.factorial(k) / (1 - _T) ** (k + 1) for k in range(9)]),
    "sqrt": (jnp.sqrt, [math.prod(0.5 - i for i in range(k)) * _T ** (0.5 - k) for k in range(9)]),
    "power": (lambda t: jnp.power(t, 3.0), [math.perm(3, k) * _T ** (3 - k) if k < 4 else 0.0 for k in range(9)]),
}


@pytest.mark.parametrize("name", _CLOSED)
def test_order_eight_in_closed_form(name: str) -> None:
    f, expected = _CLOSED[name]
    with olympus.enable_x64():
        value, terms = olympus.jit(lambda t: jet(f, (t,), ([1.0, *[0.0] * 7],)))(_T)
        _, coefficients = jet(f, (_T,), ([1.0, *[0.0] * 7],), factorial_scaled=False)
    np.testing.assert_allclose([value, *terms], expected, rtol=1e-11)
    np.testing.assert_allclose(coefficients, [e / math.factorial(k) for k, e in enumerate(expected)][1:], rtol=1e-11)


def test_powers_at_zero_and_of_negative_numbers() -> None:
    _, terms = jet(lambda x: jnp.power(x, 3.0), (jnp.array([0.0, -2.0]),), ([1.0, 0.0, 0.0, 0.0],))
    np.testing.assert_allclose(np.stack(terms), [[0, 12], [0, -12], [6, 6], [0, 0]], rtol=1e-6)
    _, terms = jet(lambda x: x * x, (0.0,), ([1.0, 0.0, 0.0],))
    np.testing.assert_allclose(terms, [0, 2, 0])


def _looped(x: Any) -> Any:
    def step(carry: Any, y: Any) -> Any:
        carry = jnp.sin(carry * y)
        return carry, carry**2

    last, found = lax.scan(step, x[0], x)
    last = lax.while_loop(lambda state: state[0] < 3, lambda state: (state[0] + 1, state[1] * jnp.cos(state[1])),
                          (0, last))[1]
    return lax.cond(last > 0, lambda y: jnp.exp(y), lambda y: 2 * y, last), found


@olympus.custom_jvp
def _ruled(x: Any) -> Any:
    return jnp.sin(x)


@_ruled.defjvp
def _rule(primals: Any, tangents: Any) -> Any:
    return _ruled(primals[0]), 3 * jnp.cos(primals[0]) * tangents[0]


@pytest.mark.parametrize("f", [
    _looped,
    olympus.grad(lambda x: jnp.sum(jnp.tanh(x) ** 3)),
    olympus.vmap(lambda x: jnp.exp(jnp.sin(x))),
    olympus.checkpoint(lambda x: jnp.sin(jnp.exp(x))),
    lambda x: olympus.nn.softmax(x) @ olympus.nn.gelu(x),
], ids=["control flow", "grad", "vmap", "checkpoint", "nn"])
def test_functions_of_functions(f: Callable[..., Any]) -> None:
    with olympus.enable_x64():
        x, series = jnp.array([0.5, 0.8, -0.3]), [[np.array([1.0, 0.5, -1.0]), np.array([0.2, 0.1, 0.3]), np.ones(3)]]
        value, terms = olympus.jit(lambda x: jet(f, (x,), series))(x)
        expected = olympus.jit(lambda x: _nested(f, (x,), series))(x)
    np.testing.assert_allclose(*map(_flat, (value, expected[0])), rtol=1e-12)

    def is_list(node: Any) -> bool:
        return isinstance(node, list)

    for k in range(3):
        found = olympus.tree.map(lambda t, k=k: t[k], terms, is_leaf=is_list)
        np.testing.assert_allclose(*map(_flat, (found, expected[k + 1])), rtol=1e-9, atol=1e-9)


def _flat(x: Any) -> np.ndarray:
    return np.concatenate([np.ravel(leaf) for leaf in olympus.tree.leaves(x)])


def test_rules_of_users_hold() -> None:
    _, terms = jet(_ruled, (0.0,), ([1.0, 0.0, 0.0],))
    np.testing.assert_allclose(terms, [3, 0, -3])


def test_transformed() -> None:
    def second(x: Any) -> Any:
        return jet(jnp.sin, (x,), ([1.0, 0.0],))[1][1]

    x = jnp.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(olympus.vmap(second)(x), -jnp.sin(x), rtol=1e-6)
    np.testing.assert_allclose(olympus.vmap(olympus.grad(second))(x), -jnp.cos(x), rtol=1e-6)
    np.testing.assert_allclose(jet(second, (0.1,), ([1.0, 0.0],))[1][1], math.sin(0.1), rtol=1e-6)


def test_sharded() -> None:
    mesh = Mesh(np.array(olympus.devices()), ("i",))
    x = olympus.device_put(jnp.arange(4.0 * len(olympus.devices())), NamedSharding(mesh, P("i")))
    _, terms = olympus.jit(lambda x: jet(lambda x: jnp.sum(x**2) * jnp.sin(x), (x,), ([1.0, 0.0],)))(x)
    host = np.asarray(x, np.float64)
    sums = (host**2).sum(), 2 * host.sum(), 2 * host.size
    expected = sums[2] * np.sin(host) + 2 * sums[1] * np.cos(host) - sums[0] * np.sin(host)
    np.testing.assert_allclose(terms[1], expected, rtol=1e-4, atol=0.05)


def test_trees_constants_and_integers() -> None:
    value, terms = jet(lambda d: {"y": d["x"] * 2, "c": 3.0, "n": jnp.argmax(d["x"])},
                       ({"x": jnp.arange(3.0)},), ({"x": [np.ones(3, np.float32), 0.0]},))
    np.testing.assert_array_equal(value["y"], [0, 2, 4])
    np.testing.assert_array_equal(np.stack(terms["y"]), [[2, 2, 2], [0, 0, 0]])
    assert [float(t) for t in terms["c"]] == [0, 0] and len(terms["n"]) == 2
    assert jet(jnp.sin, (0.0,), ([],))[1] == []


@pytest.mark.parametrize(("primals", "series"), [
    ((1.0,), ([1.0], [1.0])), ((1.0, 2.0), ([1.0, 0.0], [1.0])), ((jnp.ones(2),), ([jnp.ones(3)],)), (1.0, [1.0]),
    ((1,), ([1.0],)), ((1.0,), (2.0,)), ((1.0,), ([1j],)),
])
def test_refusals(primals: Any, series: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="jet: a tangent|structure"):
        jet(lambda *args: args[0], primals, series)


def test_a_leaked_value_says_so() -> None:
    kept: list[Any] = []
    jet(lambda x: kept.append(x) or x, (1.0,), ([1.0],))
    with pytest.raises(olympus.errors.LeakedTracerError):
        jet(lambda x: x + kept[0], (1.0,), ([1.0],))
