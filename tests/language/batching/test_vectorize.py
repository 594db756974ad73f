# SPDX-License-Identifier: Apache-2.0
"""olympus.numpy.vectorize against NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError

RANDOM = np.random.default_rng(2)


def normal(*shape: int) -> np.ndarray:
    return RANDOM.normal(size=shape).astype(np.float32)


@pytest.mark.parametrize(("function", "signature", "shapes"), [
    (lambda m, a, b: m.where(a > b, a - b, a + b), None, [(4,), (3, 1)]),
    (lambda m, a: a * 2, None, [()]),
    (lambda m, a, b: m.dot(a, b), "(n),(n)->()", [(5, 4), (2, 1, 4)]),
    (lambda m, a, b: a @ b, "(m,n),(n)->(m)", [(2, 3, 4), (4,)]),
    (lambda m, a, b: (a.sum(), m.outer(a, b)), "(n),(k)->(),(n,k)", [(2, 1, 3), (3, 2)]),
    (lambda m, a: a[::-1], " ( n ) -> ( n ) ", [(2, 0, 3)]),
])
def test_against_numpy(function: Any, signature: str | None, shapes: list[tuple[int, ...]]) -> None:
    args = [normal(*shape) for shape in shapes]
    got = jnp.vectorize(lambda *a: function(jnp, *a), signature=signature)(*args)
    if 0 in args[0].shape:
        assert got.shape == args[0].shape
        return
    wanted = np.vectorize(lambda *a: function(np, *a), signature=signature)(*args)
    olympus.tree.map(lambda a, b: np.testing.assert_allclose(a, b, rtol=1e-5), got, wanted)


def test_excluded_and_named_arguments_are_passed_as_they_are() -> None:
    seen = []

    def f(x: Any, table: Any, *, power: int) -> Any:
        seen.append((x.shape, table, power))
        return x ** power + table["offset"]

    got = olympus.jit(lambda x: jnp.vectorize(f, excluded={1})(x, {"offset": 3}, power=2))(np.arange(3))
    assert got.tolist() == [3, 4, 7] and seen[0] == ((), {"offset": 3}, 2)


@pytest.mark.parametrize(("signature", "args", "text"), [
    ("(n->", [1], "the signature is none"), ("(n)->()", [normal(2), normal(2)], "another number of arguments"),
    ("(n),(n)->()", [normal(2), normal(3)], r"argument 1 does not fit(.|\n)*n=2"),
    ("(n)->()", [np.float32(1)], "argument 0 does not fit"), (None, [normal(2), normal(3)], "do not broadcast"),
    ("(n)->(n)", [normal(2)], "result 0 does not fit"), ("(n)->(),()", [normal(2)], "another number of results"),
])
def test_errors(signature: str | None, args: list[Any], text: str) -> None:
    with pytest.raises(ArgumentError, match=text):
        jnp.vectorize(lambda *a: a[0].sum(), signature=signature)(*args)


def test_arrays_given_by_name_broadcast_unless_excluded() -> None:
    x = np.arange(12.0, dtype=np.float32).reshape(4, 3)
    product = jnp.vectorize(lambda x, n: x * jnp.sum(n))
    assert product(x, n=x).tolist() == (x * x).tolist()
    assert product(x, n=2).tolist() == (2 * x).tolist()
    whole = jnp.vectorize(lambda x, n: x * jnp.sum(n), excluded={"n"})
    assert whole(x, n=x[0]).tolist() == (3 * x).tolist()
    chosen = jnp.vectorize(lambda x, kind: x if kind == "same" else -x)
    assert chosen(x, kind="same").tolist() == x.tolist()


@pytest.mark.parametrize("excluded", [{-1}, {1.5}])
def test_what_is_excluded_is_checked(excluded: set[object]) -> None:
    with pytest.raises(ArgumentError, match="neither a position nor a name"):
        jnp.vectorize(lambda x: x, excluded=excluded)  # type: ignore[arg-type]
