# SPDX-License-Identifier: Apache-2.0
"""Folds, running folds and orders of every element type, beside NumPy's of wide ones: ends of ranges, NaN, nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import olympus
import olympus.numpy as jnp
from olympus import lax
from olympus.sharding import NamedSharding
from olympus.sharding import PartitionSpec as P
from olympus_core import dtypes, ops

_MASKS = ([1, 0, 1, 1, 0, 1, 0, 1], [0] * 8, [1] * 8)


def _wide(x: Any) -> np.ndarray:
    x = np.asarray(x)
    return x.astype(np.float64) if dtypes.is_float(x.dtype) else x


def _ends(dtype: np.dtype) -> tuple[Any, Any]:
    """The least and the greatest element, which are infinite where a type has infinities."""
    if dtypes.is_bool(dtype):
        return False, True
    if dtypes.is_integer(dtype):
        return np.iinfo(dtype).min, np.iinfo(dtype).max
    if dtypes.is_complex(dtype):
        return complex(-np.inf, -np.inf), complex(np.inf, np.inf)
    info = ml_dtypes.finfo(dtype)
    return (float(info.min), float(info.max)) if dtype == dtypes.float8_e4m3fn else (-np.inf, np.inf)


def _arrays(dtype: np.dtype) -> list[np.ndarray]:
    """Eight elements: plain ones, with a NaN, and all of one end of the range."""
    found = [np.array([1, 3, 2, 0, 5, 4, 0, 1]).astype(dtype)]
    if dtypes.is_float(dtype):
        found[0] = np.array([1, -3, 2, 0.5, -0.0, 4, 3.5, -2]).astype(dtype)
        found.append(np.array([1, -3, np.nan, 0.5, -0.0, 4, 3.5, -2]).astype(dtype))
    if dtypes.is_complex(dtype):
        return [np.array([1 + 2j, -3 + 1j, 1 + 1j, 2 - 1j, 0, 4, 4 + 1j, -2 - 2j], dtype)]
    return found + [np.full(8, end).astype(dtype) for end in _ends(dtype)]


def _cases(dtype: np.dtype) -> list[tuple[str, Callable[[Any], Any], Callable[[np.ndarray], Any]]]:
    """Names, functions of an array, and what NumPy gives of it in a wide type."""
    low, high = (False, True) if dtypes.is_bool(dtype) else (0 if dtype.kind == "u" else -4, 6)
    found: list[tuple[str, Callable[[Any], Any], Callable[[np.ndarray], Any]]] = [
        ("max", jnp.max, np.max), ("min", jnp.min, np.min),
        ("argmax", jnp.argmax, np.argmax), ("argmin", jnp.argmin, np.argmin),
        ("sort", jnp.sort, np.sort), ("argsort", jnp.argsort, lambda x: np.argsort(x, kind="stable")),
        ("any", jnp.any, np.any), ("all", jnp.all, np.all),
        ("maximum", lambda x: jnp.maximum(x, x[::-1]), lambda x: np.maximum(x, x[::-1])),
        ("minimum", lambda x: jnp.minimum(x, x[::-1]), lambda x: np.minimum(x, x[::-1])),
        ("max of rows", lambda x: jnp.max(x.reshape(4, 2), axis=1), lambda x: np.max(x.reshape(4, 2), axis=1)),
    ]
    for bits in _MASKS:
        mask = np.array(bits, bool)
        found += [
            ("max where", lambda x, m=mask: jnp.max(x, where=m, initial=low),
             lambda x, m=mask: np.max(x, where=m, initial=low)),
            ("min where", lambda x, m=mask: jnp.min(x, where=m, initial=high),
             lambda x, m=mask: np.min(x, where=m, initial=high)),
            ("any where", lambda x, m=mask: jnp.any(x, where=m), lambda x, m=mask: np.any(x, where=m)),
            ("all where", lambda x, m=mask: jnp.all(x, where=m), lambda x, m=mask: np.all(x, where=m)),
        ]
    if not dtypes.is_complex(dtype):
        least, most = (np.asarray(end).astype(dtype) for end in _ends(dtype))
        found += [
            ("cummax", lax.cummax, np.maximum.accumulate), ("cummin", lax.cummin, np.minimum.accumulate),
            ("windows max", lambda x: lax.reduce_window(x, least, lax.max, (3,), (2,), "SAME"),
             lambda x: [np.max(x[i:i + 3]) for i in range(0, 8, 2)]),
            ("windows min", lambda x: lax.reduce_window(x, most, lax.min, (3,), (2,), "SAME"),
             lambda x: [np.min(x[i:i + 3]) for i in range(0, 8, 2)]),
        ]
    if dtypes.is_float(dtype):
        found += [("nanmax", jnp.nanmax, np.nanmax), ("nanmin", jnp.nanmin, np.nanmin),
                  ("nanargmax", jnp.nanargmax, np.nanargmax), ("nanargmin", jnp.nanargmin, np.nanargmin)]
    return found


_EVERYWHERE = (dtypes.bool_, dtypes.int8, dtypes.float8_e4m3fn, dtypes.float32)


@pytest.mark.parametrize("dtype, where", [
    *((dtype, "jitted") for dtype in dtypes.ALL),
    *((dtype, where) for dtype in _EVERYWHERE for where in ("eager", "four devices")),
], ids=str)
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_folds_and_orders(dtype: np.dtype, where: str) -> None:
    names, functions, truths = zip(*_cases(dtype), strict=True)
    with olympus.enable_x64():
        arrays = _arrays(dtype)
        if where == "four devices":
            mesh = olympus.make_mesh((4,), ("i",), devices=olympus.devices()[:4])
            given = [olympus.device_put(x, NamedSharding(mesh, P("i"))) for x in arrays]
        else:
            given = [jnp.asarray(x) for x in arrays]
        every: Callable[[Any], list[Any]] = lambda x: [f(x) for f in functions]
        run = every if where == "eager" else olympus.jit(every)
        found = [run(x) for x in given]
    for x, results in zip(arrays, found, strict=True):
        for name, truth, result in zip(names, truths, results, strict=True):
            np.testing.assert_array_equal(_wide(result), truth(_wide(x)), err_msg=f"{name} of {x}")


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if not dtypes.is_complex(d)], ids=str)
def test_extremes_of_all_devices(dtype: np.dtype) -> None:
    mesh = olympus.make_mesh((4,), ("i",), devices=olympus.devices()[:4])
    with olympus.enable_x64():
        both = olympus.jit(olympus.shard_map(
            lambda x: (lax.pmax(x, "i"), lax.pmin(x, "i")), mesh=mesh, in_specs=P("i"), out_specs=P()))
        for x in _arrays(dtype):
            highest, lowest = both(olympus.device_put(x, NamedSharding(mesh, P("i"))))
            np.testing.assert_array_equal(_wide(highest), _wide(x).reshape(4, 2).max(0))
            np.testing.assert_array_equal(_wide(lowest), _wide(x).reshape(4, 2).min(0))


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_folds_of_nothing(dtype: np.dtype) -> None:
    with olympus.enable_x64():
        nothing = jnp.zeros((0, 2), dtype)
        least, most = (np.full(2, end).astype(dtype) for end in _ends(dtype))
        np.testing.assert_array_equal(_wide(lax.reduce_max(nothing, (0,))), _wide(least))
        np.testing.assert_array_equal(_wide(lax.reduce_min(nothing, (0,))), _wide(most))
        if not dtypes.is_bool(dtype):
            np.testing.assert_array_equal(_wide(lax.reduce_sum(nothing, (0,))), [0, 0])
            np.testing.assert_array_equal(_wide(lax.reduce_prod(nothing, (0,))), [1, 1])


@pytest.mark.parametrize("dtype", dtypes.NARROW_FLOATS + dtypes.FLOATS, ids=str)
def test_softmax_leaves_out(dtype: np.dtype) -> None:
    mask = np.array([True, False, True])
    with olympus.enable_x64():
        x = jnp.asarray([0.0, 5.0, 0.0], dtype)
        np.testing.assert_array_equal(_wide(olympus.nn.softmax(x, where=mask)), [0.5, 0, 0.5])
        np.testing.assert_array_equal(_wide(olympus.nn.softmax(jnp.zeros(2, dtype))), [0.5, 0.5])
        sums = olympus.nn.logsumexp(x, where=mask), olympus.nn.logsumexp(x, b=mask.astype(dtype))
        for found in sums:
            np.testing.assert_array_equal(_wide(found), _wide(np.asarray(np.log(2.0)).astype(dtype)))


def test_records_of_folds_say_what_nothing_gives() -> None:
    combined = [(r, r.combine) for r in ops.OPERATIONS.values() if r.combine is not None]
    assert len(combined) == 10
    for record, combine in combined:
        for dtype in (dtypes.int8, dtypes.uint32):
            neutral, x = record.nothing(dtype), np.array([3, 0, 7], dtype)
            (found,) = combine.reference([x, np.full(3, neutral, dtype)], {})  # type: ignore[misc]
            np.testing.assert_array_equal(found, x)
            assert combine.nothing(dtype) == neutral


def _pairs(dtype: np.dtype) -> list[tuple[np.ndarray, np.ndarray]]:
    """Arrays to compare element by element: some elements are equal, some are NaN or ends of the range."""
    return [(x, np.roll(x, 3)) for x in _arrays(dtype)] + [(x, x) for x in _arrays(dtype)]


@pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
def test_comparisons_and_selections(dtype: np.dtype) -> None:
    names = ["equal", "not_equal"]
    if not dtypes.is_complex(dtype):
        names += ["less", "less_equal", "greater", "greater_equal"]

    def run(x: Any, y: Any) -> list[Any]:
        found = [getattr(jnp, name)(x, y) for name in names]
        found += [jnp.where(found[0], x, y[::-1]), lax.select(found[1], x[::-1], y)]
        return found if dtypes.is_complex(dtype) else [*found, lax.clamp(y, x, y[::-1]), jnp.clip(x, x[0], x[2])]

    with olympus.enable_x64():
        jitted = olympus.jit(run)
        for x, y in _pairs(dtype):
            wide = _wide(x), _wide(y)
            wanted = [getattr(np, name)(*wide) for name in names]
            wanted += [np.where(wanted[0], wide[0], wide[1][::-1]), np.where(wanted[1], wide[0][::-1], wide[1])]
            if not dtypes.is_complex(dtype):
                wanted += [np.minimum(np.maximum(*wide), wide[1][::-1]),
                           np.minimum(np.maximum(wide[0], wide[0][0]), wide[0][2])]
            for result, truth in zip(jitted(x, y), wanted, strict=True):
                assert result.dtype == (dtypes.bool_ if truth.dtype == bool else dtype)
                np.testing.assert_array_equal(_wide(result), truth)


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if not dtypes.is_bool(d)], ids=str)
@pytest.mark.parametrize("reverse", [False, True])
def test_running_sums_and_products(dtype: np.dtype, reverse: bool) -> None:
    """Of numbers whose sums and products all types hold."""
    x = np.array([1, 2, 0, 1, 2, 1, 1, 0]).astype(dtype)
    y = np.array([1, 2, 1, 1, 2, 1, 1, 2]).astype(dtype)
    with olympus.enable_x64():
        sums, products = olympus.jit(lambda x, y: (lax.cumsum(x, 0, reverse), lax.cumprod(y, 0, reverse)))(x, y)
    turn = slice(None, None, -1 if reverse else 1)
    assert sums.dtype == products.dtype == dtype
    np.testing.assert_array_equal(_wide(sums), np.cumsum(_wide(x)[turn])[turn])
    np.testing.assert_array_equal(_wide(products), np.cumprod(_wide(y)[turn])[turn])


@pytest.mark.parametrize("dtype", [d for d in dtypes.ALL if not dtypes.is_complex(d)], ids=str)
def test_greatest_elements(dtype: np.dtype) -> None:
    x = np.array([1, 3, 2, 0, 5, 4, 0, 1]).astype(dtype)
    with olympus.enable_x64():
        values, positions = olympus.jit(lambda x: lax.top_k(x, 3))(x)
    order = np.argsort(-_wide(x).astype(np.float64), kind="stable")[:3]
    np.testing.assert_array_equal(positions, order)
    np.testing.assert_array_equal(_wide(values), _wide(x)[order])
