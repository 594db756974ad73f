# SPDX-License-Identifier: Apache-2.0
"""`olympus.clear_caches`: what was traced and compiled goes, arrays and functions stay."""

from __future__ import annotations

import gc
import weakref

import numpy as np

import olympus
import olympus.numpy as jnp
from olympus.transforms.calls import CompiledCall
from olympus_core.runtime import LoadedProgram


def compiled() -> list[object]:
    gc.collect()
    return [x for x in gc.get_objects() if type(x) in (CompiledCall, LoadedProgram)]


def test_everything_compiled_goes_and_is_made_again() -> None:
    traced = []
    olympus.clear_caches()
    elsewhere = set(map(id, compiled()))  # what other tests hold by themselves

    @olympus.jit
    def f(tree: dict[str, olympus.Array]) -> dict[str, olympus.Array]:
        traced.append(1)
        return {"y": tree["x"] * 2}

    x = jnp.arange(4.0)
    uses = [
        lambda: f({"x": x})["y"], lambda: olympus.grad(lambda x: f({"x": x})["y"].sum())(x),
        lambda: olympus.vmap(lambda x: f({"x": x})["y"])(x), lambda: x + 1,
        lambda: olympus.pmap(lambda x: x + 1)(x[:1]), lambda: olympus.jit(lambda x: x - 1)(x),
        lambda: olympus.device_put(x, olympus.devices()[1]),
    ]
    before = [np.asarray(use()) for use in uses for _ in range(2)]
    seen = len(traced)
    assert f({"x": x}) and len(traced) == seen
    olympus.clear_caches()
    assert not [x for x in compiled() if id(x) not in elsewhere]
    after = [np.asarray(use()) for use in uses for _ in range(2)]
    assert len(traced) > seen
    for a, b in zip(before, after, strict=True):
        np.testing.assert_array_equal(a, b)
    assert x.tolist() == [0, 1, 2, 3]


def test_what_a_function_captured_is_let_go() -> None:
    class Noted(np.ndarray):
        """Arrays that can be referred to weakly."""

    constant = np.ones(3, np.float32).view(Noted)
    gone = weakref.ref(constant)
    f = olympus.jit(lambda x, extra=constant: x + np.asarray(extra))
    f(jnp.ones(3))
    del f, constant
    olympus.clear_caches()
    gc.collect()
    assert gone() is None


def test_a_cleared_function_is_quick_again() -> None:
    f = olympus.jit(lambda x: x + 1)
    x = jnp.ones(3)
    f(x)
    olympus.clear_caches()
    assert not f._direct
    f(x)
    assert len(f._direct) == 1  # the one look-up of later calls


def test_kinds_of_arguments_are_counted() -> None:
    f = olympus.jit(lambda x: x)
    for x in (1.0, 2, 3.0):
        f(x)
    assert f._cache_size() == 2
    f.clear_cache()
    assert f._cache_size() == 0
