# SPDX-License-Identifier: Apache-2.0
"""All modes of padding, against NumPy's."""

import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus.errors import ArgumentError

_RNG = np.random.default_rng(0)
_FLOATS = _RNG.normal(size=(3, 4)).astype(np.float32)
_INTEGERS = _RNG.integers(-20, 20, (3, 4)).astype(np.int32)
_WIDTHS = ((1, 3), ((9, 7), (5, 0)), {1: 2})
_MODES = [
    ("constant", {}), ("constant", {"constant_values": ((1, 2), (3, 4))}), ("edge", {}), ("wrap", {}), ("reflect", {}),
    ("symmetric", {}), ("reflect", {"reflect_type": "odd"}), ("symmetric", {"reflect_type": "odd"}),
    ("linear_ramp", {}), ("linear_ramp", {"end_values": (5, -3)}), ("linear_ramp", {"end_values": ((5, -3), (2, 0))}),
    *((mode, how) for mode in ("maximum", "mean", "median", "minimum")
      for how in ({}, {"stat_length": 2}, {"stat_length": ((1, 3), (2, 9))})),
]


@pytest.mark.parametrize(("mode", "how"), _MODES)
def test_modes(mode, how):
    small = _INTEGERS.astype(np.int8 if "end_values" in how else np.uint8)
    for x in (_FLOATS, _INTEGERS, small, _FLOATS[:1]):
        for widths in _WIDTHS if x is not _FLOATS[:1] else _WIDTHS[:1]:
            pairs = [widths.get(d, 0) for d in range(2)] if isinstance(widths, dict) else widths  # NumPy 1.26 has none
            pairs = [(n, n) if isinstance(n, int) else n for n in pairs]
            wanted = np.pad(x, pairs if isinstance(widths, dict) else widths, mode, **how)
            found = jnp.pad(x, widths, mode, **how)
            assert found.dtype == x.dtype
            np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=1e-5)


def test_a_function():
    def rows(row, widths, axis, options):
        low, high = widths
        row = row.at[:low].set(options["before"] + axis)
        return row.at[row.shape[0] - high:].set(row[low] * 2)

    def in_place(row, widths, axis, options):
        low, high = widths
        row[:low] = options["before"] + axis
        row[len(row) - high:] = row[low] * 2

    wanted = np.pad(_INTEGERS, ((1, 2), (3, 1)), in_place, before=7)
    np.testing.assert_array_equal(jnp.pad(_INTEGERS, ((1, 2), (3, 1)), rows, before=7), wanted)


def test_no_content_and_other_types():
    assert jnp.pad(_FLOATS, 1, "empty").shape == (5, 6)
    assert jnp.pad(np.array([True, False]), 1, "mean").tolist() == [True, True, False, True]
    assert jnp.pad(np.zeros((0, 2)), ((0, 0), (1, 1)), "maximum").shape == (0, 4)
    with olympus.enable_x64(True):
        x = _FLOATS + 1j * _FLOATS
        np.testing.assert_allclose(jnp.pad(x, 3, "linear_ramp", end_values=1j),
                                   np.pad(x, 3, "linear_ramp", end_values=1j), rtol=1e-6)
        np.testing.assert_allclose(jnp.pad(x, 5, "reflect", reflect_type="odd"),
                                   np.pad(x, 5, "reflect", reflect_type="odd"), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("mode", "how"), [
    ("reflect", {"reflect_type": "odd"}), ("linear_ramp", {"end_values": 2.0}), ("mean", {"stat_length": 2}),
    ("maximum", {}), ("wrap", {}),
])
def test_derivatives_and_batching(mode, how):
    weights = _RNG.normal(size=10)
    with olympus.enable_x64(True):
        x = _FLOATS[0].astype(np.float64)

        def loss(x):
            return (weights * jnp.pad(x, 3, mode, **how)).sum()

        found = olympus.jit(olympus.grad(loss))(x)
        steps = [(loss(x + d) - loss(x - d)) / 2e-6 for d in np.eye(4) * 1e-6]
        np.testing.assert_allclose(found, np.array(steps), rtol=1e-6, atol=1e-7)
        batched = olympus.vmap(lambda x: jnp.pad(x, 2, mode, **how))(_FLOATS)
        np.testing.assert_allclose(batched[1], np.pad(_FLOATS[1], 2, mode, **how), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(("how", "words"), [
    ({"mode": "none"}, "mode is not known"), ({"mode": "edge", "constant_values": 1}, "no such keyword"),
    ({"mode": "reflect", "reflect_type": "x"}, "kind of reflection"), ({"mode": "mean", "stat_length": 0}, "length"),
    ({"mode": "linear_ramp", "end_values": (1, 2, 3)}, "end values"), ({"stat_length": 1}, "no such keyword"),
])
def test_mistakes_are_explained(how, words):
    with pytest.raises(ArgumentError, match=words):
        jnp.pad(_FLOATS, 1, **how)
    with pytest.raises(ArgumentError, match="empty"):
        jnp.pad(np.zeros((0, 2)), 1, "mean")
