# SPDX-License-Identifier: Apache-2.0
"""Collectives that hand one device's array to another: what is computed from the first must not write over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import PartitionSpec

COUNT, SIZE = 4, 48
SPEC = PartitionSpec("d")


def _ring(y: Any) -> Any:
    return lax.ppermute(y, "d", [(i, (i + 1) % COUNT) for i in range(COUNT)])


def _some(y: Any) -> Any:
    return lax.ppermute(y, "d", [(0, 2), (2, 3)])


@pytest.mark.parametrize(("move", "sources"), [(_ring, [3, 0, 1, 2]), (_some, [None, None, 0, 2])])
def test_what_was_moved_stays_as_it_was(move: Callable[[Any], Any], sources: list[int | None]) -> None:
    x = np.random.default_rng(0).standard_normal((COUNT, SIZE, SIZE)).astype(np.float32)

    def both(part: Any) -> tuple[Any, Any, Any]:
        product = part[0] @ part[0]  # memory of the program's own, which a later kernel would like to take
        moved = move(product)
        return moved[None], (jnp.sin(product) + 1)[None], (moved * 2)[None]

    mesh = olympus.make_mesh((COUNT,), ("d",), devices=olympus.devices()[:COUNT])
    program = olympus.jit(olympus.shard_map(both, mesh=mesh, in_specs=SPEC, out_specs=SPEC))
    products = x @ x
    expected = np.stack([np.zeros((SIZE, SIZE), np.float32) if s is None else products[s] for s in sources])
    for _ in range(3):
        moved, computed, doubled = program(x)
        np.testing.assert_allclose(moved, expected, rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(computed, np.sin(products) + 1, rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(doubled, 2 * expected, rtol=1e-4, atol=1e-4)
