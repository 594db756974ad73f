# SPDX-License-Identifier: Apache-2.0
"""Over which manual axes values vary: what their types say, and how it is changed."""

from __future__ import annotations

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError
from olympus.sharding import ManualAxisType
from olympus.sharding import PartitionSpec as P

X = np.arange(16.0, dtype="f").reshape(8, 2)


def seen(f: object, in_specs: object = P("x", "y"), *args: object, **kwargs: object) -> list[object]:
    """What a function of shards over the axes x and y reports."""
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    found: list[object] = []
    olympus.shard_map(lambda *a: (f(found.append, *a), jnp.zeros(()))[1], mesh=mesh, in_specs=in_specs,
                      out_specs=P(), **kwargs)(*(args or (X,)))
    return found


def vma(x: object) -> set[str]:
    return set(olympus.typeof(x).vma)


def test_types_say_over_which_axes_values_vary() -> None:
    def f(say: object, v: olympus.Array, w: olympus.Array) -> None:
        say([vma(v), vma(w), vma(v + w), vma(lax.psum(v, "x")), vma(lax.psum(v, ("x", "y"))), vma(lax.axis_index("y")),
             vma(jnp.ones(2)), vma(lax.all_gather(v, "x")), vma(olympus.jit(jnp.sin)(v)), vma(np.ones(2))])
        say(str(olympus.typeof(v)))
        say(olympus.typeof(v).manual_axis_type == ManualAxisType(varying={"x", "y"}))
        say(olympus.typeof(v) == olympus.typeof(lax.psum(v, "x")))
        olympus.grad(lambda u: (say(vma(u)), u.sum())[1])(v)
        olympus.vmap(lambda u: (say(vma(u)), u)[1])(v)
        lax.cond(v.sum() > 0, lambda u: (say(vma(u)), u)[1], lambda u: u, lax.psum(v, "x"))

    both = {"x", "y"}
    sets, text, kind, same, *inner = seen(f, (P("x", "y"), P("x")), X, X)
    assert sets == [both, {"x"}, both, {"y"}, set(), {"y"}, set(), both, both, set()]
    assert (text, kind, same) == ("float32[2,1]{V:x,y}", True, False)
    assert inner[:2] == [both, both] and inner[2] >= {"y"}
    assert olympus.typeof(jnp.ones(2)).vma == frozenset() and olympus.typeof(jnp.ones(2)).manual_axis_type.empty


def test_regions_within_regions() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))
    found = []

    def inner(v: olympus.Array) -> olympus.Array:
        found.append(vma(v))
        return lax.psum(v, "y")

    def outer(v: olympus.Array) -> olympus.Array:
        found.append(vma(v))
        w = olympus.shard_map(inner, mesh=mesh, in_specs=P(None, "y"), out_specs=P(), axis_names={"y"})(v)
        found.append(vma(w))
        return w

    olympus.shard_map(outer, mesh=mesh, in_specs=P("x"), out_specs=P("x"), axis_names={"x"})(X)
    assert found == [{"x"}, {"x", "y"}, {"x"}]


def test_pcast_makes_equal_values_differ_in_type_only() -> None:
    def f(say: object, v: olympus.Array, w: olympus.Array) -> None:
        u = lax.pcast(w, "x", to="varying")
        say([vma(w), vma(u), vma(lax.pcast({"a": w}, ("x", "y"), to="varying")["a"]),
             vma(lax.pcast(w, "x", to="reduced")), vma(lax.psum(lax.pcast(v, "x", to="unreduced"), "x"))])
        for value, to in ((v, "varying"), (w, "unreduced"), (v, "reduced"), (w, "invarying")):
            with pytest.raises(ArgumentError, match="pcast"):
                lax.pcast(value, "x", to=to)
        with pytest.raises(NameError):
            lax.pcast(w, "z", to="varying")

    assert seen(f, (P("x"), P()), X, X) == [[set(), {"x"}, {"x", "y"}, set(), set()]]
    mesh = olympus.make_mesh((8,), ("x",))

    def mapped(w: olympus.Array) -> olympus.Array:
        return lax.pcast(w, "x", to="varying") * 2

    special = np.array([np.nan, -0.0, np.inf, 3], "f")
    out = olympus.shard_map(mapped, mesh=mesh, in_specs=P(), out_specs=P("x"))(special)
    assert np.array_equal(np.asarray(out).reshape(8, 4)[5], special * 2, equal_nan=True)
    assert np.signbit(np.asarray(out)[1])
    with pytest.raises(ArgumentError, match="differs from device to device"):
        olympus.shard_map(mapped, mesh=mesh, in_specs=P(), out_specs=P())(special)
    grad = olympus.grad(lambda w: olympus.shard_map(mapped, mesh=mesh, in_specs=P(), out_specs=P("x"))(w).sum())
    assert np.array_equal(grad(np.ones(4, "f")), np.full(4, 16))


def test_all_gather_to() -> None:
    def f(say: object, v: olympus.Array) -> None:
        for to in ("varying", "reduced", "invarying"):
            say(lax.all_gather(v, "x", tiled=True, to=to).shape)
        with pytest.raises(ArgumentError, match="'both'"):
            lax.all_gather(v, "x", to="both")

    assert seen(f) == [(8, 1)] * 3


def test_pcast_does_nothing_where_types_say_nothing_of_axes() -> None:
    mesh = olympus.make_mesh((4, 2), ("x", "y"))

    def f(v: olympus.Array) -> olympus.Array:
        return lax.pcast(lax.pcast(v, "x", to="varying"), ("x", "y"), to="reduced") * 2

    mapped = olympus.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False)
    assert mapped(jnp.arange(8.0)).tolist() == (2 * np.arange(8)).tolist()
