# SPDX-License-Identifier: Apache-2.0
"""pmap inside of other transforms, in one process."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.errors import ArgumentError, MappedSizesError, UnmappedResultError
from olympus.sharding import PartitionSpec as P

X = np.arange(24, dtype=np.float32).reshape(4, 6)
normalised = olympus.pmap(lambda r: r / lax.psum(r, "i"), axis_name="i")


def test_inside_of_jit_it_takes_and_gives_the_whole() -> None:
    other = olympus.pmap(lambda r, s: (r * lax.axis_index("k") * s, lax.psum(r, "k")), axis_name="k", in_axes=(1, None),
                         out_axes=(0, None))
    expected = X / X.sum(0)
    wide, total = olympus.jit(lambda x: other(normalised(x).T, 2.0))(X)
    np.testing.assert_allclose(wide, 2 * expected * np.arange(4)[:, None], rtol=1e-6)
    np.testing.assert_allclose(total, np.ones(6), rtol=1e-6)
    assert len(wide.devices()) == 4
    np.testing.assert_allclose(olympus.jit(normalised)(normalised(X)), expected / expected.sum(0), rtol=1e-6)


def test_inside_of_jit_arguments_that_are_no_arrays_and_sizes() -> None:
    f = olympus.pmap(lambda x, mode: x + len(mode), static_broadcasted_argnums=1)
    np.testing.assert_array_equal(olympus.jit(lambda x: f(x, "fast"))(X), X + 4)
    with pytest.raises(ArgumentError, match="fewer devices"):
        olympus.jit(olympus.pmap(lambda x: x))(np.ones(9))
    with pytest.raises(ArgumentError, match="axis_size"):
        olympus.jit(olympus.pmap(lambda x: x, axis_size=3))(np.ones(2))
    with pytest.raises(MappedSizesError, match=r"tree\['b'\]: 3, dimension 0 of float32\[3\]"):
        olympus.pmap(lambda n, tree: n, static_broadcasted_argnums=0)(0, {"a": np.ones(2), "b": np.ones(3)})


def both(e: Any) -> Any:
    return e + lax.psum(e, "j") * lax.axis_index("j") + lax.psum(e, ("i", "j"))


BOTH = X + X.sum(1, keepdims=True) * np.arange(6) + X.sum()


@pytest.mark.parametrize("through", [lambda f: f, olympus.jit], ids=["evaluated", "jitted"])
def test_mapped_functions_within_each_other(through: Any) -> None:
    inner = olympus.pmap(both, axis_name="j")
    mesh = olympus.make_mesh((4,), ("i",), devices=olympus.devices()[:4])
    for f in (olympus.pmap(lambda r: inner(r), axis_name="i"), olympus.vmap(olympus.pmap(
            lambda e: both(e), axis_name="j"), axis_name="i"), olympus.pmap(olympus.vmap(both, axis_name="j"),
                                                                            axis_name="i")):
        np.testing.assert_array_equal(through(f)(X), BOTH)
    mapped = olympus.shard_map(lambda r: inner(r[0])[None], mesh=mesh, in_specs=P("i"), out_specs=P("i"))
    np.testing.assert_array_equal(through(mapped)(X), BOTH)


def test_within_each_other_results_that_differ() -> None:
    with pytest.raises(UnmappedResultError, match="along axis 'j'"):
        olympus.pmap(olympus.pmap(lambda e: e, axis_name="j", out_axes=None))(X)


def test_arguments_by_name_are_mapped_in_front() -> None:
    mapped = olympus.pmap(lambda n, x, *, y, z=None: (n * x + y["a"], z), axis_name="i", in_axes=(None, 1),
                          static_broadcasted_argnums=0, out_axes=(1, 0))
    x, y = jnp.arange(12.0).reshape(3, 4), jnp.arange(12.0).reshape(4, 3)
    for run in (mapped, lambda n, x, y: olympus.jit(lambda x, y: mapped(n, x, y=y))(x, y)):
        found, nothing = run(2, x, y={"a": y})
        np.testing.assert_array_equal(found, 2 * np.asarray(x) + np.asarray(y).T)
        assert nothing is None
    with pytest.raises(MappedSizesError):
        mapped(2, x, y={"a": jnp.ones((3, 3))})


def test_the_signature_is_the_function_own() -> None:
    jitted = olympus.jit(lambda x, y=2: x)
    for follow in (True, False):
        assert str(inspect.signature(jitted, follow_wrapped=follow)) == "(x, y=2)"
    assert "function" in str(inspect.signature(type(jitted)))
    with pytest.raises(ValueError):
        inspect.signature(olympus.jit(min), follow_wrapped=False)
