# SPDX-License-Identifier: Apache-2.0
"""Control flow and collectives with the keyword arguments of JAX's programs."""

from __future__ import annotations

import functools

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import PartitionSpec as P
from olympus_core.errors import ArgumentError, NotSupportedError


def test_an_operand_by_name() -> None:
    assert lax.cond(True, lambda x: x, lambda x: -x, operand=1.0) == 1
    assert lax.cond(False, lambda x: 1, lambda x: 2 if x is None else 3, operand=None) == 2
    assert lax.switch(1, [lambda x: x, lambda x: x + 1], operand=4) == 5
    with pytest.raises(ArgumentError, match="by position and by name"):
        lax.cond(True, lambda x: x, lambda x: x, 1.0, operand=1.0)


def test_an_operand_for_each_branch() -> None:
    found = [lax.cond(p, 3.0, lambda x: x * 2, 4.0, lambda y: -y).item() for p in (True, False)]
    assert found == [6, -4]


def test_loops_take_unroll() -> None:
    assert lax.fori_loop(0, 3, lambda i, c: c + i, 0, unroll=True) == 3
    assert lax.fori_loop(0, 3, lambda i, c: c + i, 0, unroll=2) == 3
    assert lax.fori_loop(jnp.int32(0), 3, lambda i, c: c + i, 0, unroll=None) == 3
    with pytest.raises(ValueError, match="cannot be unrolled"):
        lax.fori_loop(jnp.int32(0), 3, lambda i, c: c + i, 0, unroll=2)
    assert lax.scan(lambda c, x: (c, x), 0.0, jnp.ones(2), _split_transpose=False)[1].tolist() == [1, 1]


@pytest.mark.parametrize("n", [0, 2, 6, 7])
def test_map_in_batches(n: int) -> None:
    x = np.arange(2.0 * n, dtype=np.float32).reshape(n, 2)
    seen = []

    def row(r: tuple[object, object]) -> dict[str, object]:
        seen.append(r[0].shape)
        return {"sum": r[0].sum(), "twice": r[1] * 2}

    found = lax.map(row, (x, x), batch_size=3)
    np.testing.assert_array_equal(found["sum"], x.sum(1))
    np.testing.assert_array_equal(found["twice"], x * 2)
    assert set(seen) == {(2,)}
    slopes = olympus.grad(lambda x: lax.map(lambda r: (r ** 2).sum(), x, batch_size=3).sum())(x)
    np.testing.assert_array_equal(slopes, 2 * x)


def test_map_refuses_what_has_no_batches() -> None:
    for batch in (0, -1, 1.5):
        with pytest.raises(ArgumentError):
            lax.map(lambda x: x, np.ones(3), batch_size=batch)
    with pytest.raises(ArgumentError, match="equal"):
        lax.map(lambda x: x, (np.ones(3), np.ones(4)), batch_size=2)


def test_einsum_with_a_product_of_its_own() -> None:
    calls = []

    def product(x: object, y: object, numbers: object, precision: object, *, preferred_element_type: object) -> object:
        calls.append(numbers)
        return 2 * lax.dot_general(x, y, numbers, precision, preferred_element_type)

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    found = jnp.einsum("ij,kj->ik", x, x, _dot_general=product)
    np.testing.assert_array_equal(found, 2 * x @ x.T)
    assert calls == [(((1,), (1,)), ((), ()))]
    # A function that closes over a traced value is called for each trace.
    scaled = olympus.jit(lambda s: jnp.einsum("ij,kj->ik", x, x, _dot_general=lambda *a, **k: s * lax.dot_general(
        *a, **k)))
    np.testing.assert_array_equal(scaled(3.0), 3 * x @ x.T)
    np.testing.assert_array_equal(jnp.einsum("ij,kj->ik", x, x, _dot_general=lax.dot_general), x @ x.T)


def test_einsum_with_digits() -> None:
    x, y = np.ones((1, 2), np.float32), np.arange(6, dtype=np.float32).reshape(3, 2, 1)
    np.testing.assert_array_equal(jnp.einsum("bd,3dk->b3k", x, y), np.einsum("bd,cdk->bck", x, y))
    np.testing.assert_array_equal(jnp.einsum("a1,3ab->31b", x.T, y), np.einsum("ac,dab->dcb", x.T, y))
    np.testing.assert_array_equal(jnp.einsum("ba2,2c", y, y[:1, 0]), np.einsum("bad,dc->abc", y, y[:1, 0]))


GROUPS = [[0, 3], [2, 1], [5, 4], [6, 7]]
MEMBERS = np.array(GROUPS)


def _of(device: int) -> np.ndarray:
    """The members of a device's group."""
    return next(group for group in MEMBERS if device in group)


def test_collectives_in_groups() -> None:
    x = np.arange(16, dtype=np.float32).reshape(8, 2) ** 2

    def each(function: object) -> np.ndarray:
        return np.stack([function(x[_of(d)], list(_of(d)).index(d)) for d in range(8)])

    groups = {"axis_index_groups": GROUPS}
    programs = {
        "psum": (lambda v: lax.psum(v, "i", **groups), lambda g, i: g.sum(0)),
        "pmean": (lambda v: lax.pmean(v, "i", **groups), lambda g, i: g.mean(0)),
        "pmax": (lambda v: lax.pmax(v, "i", **groups), lambda g, i: g.max(0)),
        "pmin": (lambda v: lax.pmin(v, "i", **groups), lambda g, i: g.min(0)),
        "all_gather": (lambda v: lax.all_gather(v, "i", **groups), lambda g, i: g),
        "psum_scatter": (lambda v: lax.psum_scatter(v, "i", **groups), lambda g, i: g.sum(0)[i]),
        "all_to_all": (lambda v: lax.all_to_all(v, "i", 0, 0, **groups), lambda g, i: g[:, i]),
        "size": (lambda v: lax.psum(1, "i", **groups) + 0 * v[0], lambda g, i: np.float32(2)),
    }
    found = olympus.pmap(lambda v: {name: program(v) for name, (program, _) in programs.items()}, axis_name="i")(x)
    for name, (_, expected) in programs.items():
        np.testing.assert_array_equal(found[name], each(expected), err_msg=name)
    # What goes to a device of the group comes back from it.
    weights = np.arange(16, dtype=np.float32).reshape(8, 2)
    total = olympus.pmap(functools.partial(lax.psum, axis_name="i", **groups), axis_name="i")
    slopes = olympus.grad(lambda v: (total(v) * weights).sum())(x)
    np.testing.assert_array_equal(slopes, np.stack([weights[_of(d)].sum(0) for d in range(8)]))


def test_groups_of_one_axis_of_a_mesh() -> None:
    mesh = olympus.make_mesh((2, 4), ("x", "y"))
    total = olympus.shard_map(lambda v: lax.psum(v, "y", axis_index_groups=[[0, 2], [1, 3]]), mesh=mesh,
                              in_specs=P("x", "y"), out_specs=P("x", "y"), check_vma=False)
    v = np.arange(8, dtype=np.float32).reshape(2, 4)
    np.testing.assert_array_equal(olympus.jit(total)(v), v + v[:, [2, 3, 0, 1]])


def test_groups_that_do_not_fit() -> None:
    total = functools.partial(lax.psum, axis_name="i")
    for groups in ([[0, 1], [2]], [[0, 1]], [[0, 1], [1, 2]], 3, [3], [[0, 1.5]]):
        with pytest.raises(ArgumentError):
            olympus.pmap(functools.partial(total, axis_index_groups=groups), axis_name="i")(np.ones(4))
    with pytest.raises(NotSupportedError, match="axis of vmap"):
        olympus.vmap(functools.partial(total, axis_index_groups=[[0], [1]]), axis_name="i")(np.ones(2))
