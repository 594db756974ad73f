# SPDX-License-Identifier: Apache-2.0
"""Programs hold no more for a large size, count or distance than for a small one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus_core.program import operations_of


def _row(size: int) -> olympus.ShapeDtypeStruct:
    return olympus.ShapeDtypeStruct((size,), "float32")


CASES: dict[str, Callable[[int], tuple[Callable[..., Any], list[Any]]]] = {
    "pad": lambda n: (lambda x: lax.pad(x, 0.0, [(n, n, n)]), [_row(2)]),
    "gradient of a strided slice": lambda n: (olympus.grad(lambda x: x[::n].sum()), [_row(2 * n)]),
    "gradient of pad": lambda n: (olympus.grad(lambda x: lax.pad(x, 0.0, [(0, 0, n)]).sum()), [_row(2)]),
    "edges": lambda n: (lambda x: jnp.pad(x, 3, "edge"), [_row(n)]),
    "mirrored": lambda n: (lambda x: jnp.pad(x, (2, 1), "reflect"), [_row(n)]),
    "repeat": lambda n: (lambda x: jnp.repeat(x, n), [_row(2)]),
    "tile": lambda n: (lambda x: jnp.tile(x, n), [_row(2)]),
    "loop": lambda n: (lambda x: lax.fori_loop(0, n, lambda i, c: c + 1, x), [_row(2)]),
    "scan": lambda n: (lambda x: lax.scan(lambda c, _: (c + 1, c), x, None, length=n), [_row(2)]),
    "iota": lambda n: (lambda: jnp.arange(n), []),
    "linspace": lambda n: (lambda: jnp.linspace(0, 1, n), []),
    "windows apart": lambda n: (
        lambda x: lax.reduce_window(x, 0.0, lax.add, (3,), (n,), "VALID", window_dilation=(n,)), [_row(4 * n)]),
    "elements apart": lambda n: (
        lambda x: lax.reduce_window(x, 0.0, lax.add, (3,), (1,), "VALID", base_dilation=(n,)), [_row(2)]),
    "convolution": lambda n: (lambda x, w: lax.conv_general_dilated(
        x[None, None], w[None, None], (n,), [(n, n)], rhs_dilation=(n,)), [_row(4 * n), _row(3)]),
    "roll": lambda n: (lambda x: jnp.roll(x, 7), [_row(n)]),
}


@pytest.mark.parametrize("name", CASES)
def test_programs_do_not_grow_with_sizes(name: str) -> None:
    figures = []
    for n in (1000, 100_000_000):
        function, arguments = CASES[name](n)
        compiled = olympus.jit(function).lower(*arguments).compile()
        operations = list(operations_of(compiled._call.loaded.partitioned.device_program.program))
        values = [np.asarray(o.attributes["value"]) for o in operations if o.name == "constant"]
        held = sum(v.itemsize * np.prod([m for m, step in zip(v.shape, v.strides) if step]) for v in values)
        figures.append((len(operations), held))
    assert figures[0] == figures[1] and figures[1][1] < 1000


def test_padding_by_what_is_there_as_numpy_does() -> None:
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    for mode in ("edge", "reflect", "symmetric", "wrap"):
        for width in (0, 1, (2, 0), (0, 3), ((1, 2), (3, 0)), 7, ((0, 9), (11, 0))):
            for array in (x, x[:1]):
                np.testing.assert_array_equal(jnp.pad(array, width, mode), np.pad(array, width, mode))
