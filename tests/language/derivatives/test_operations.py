# SPDX-License-Identifier: Apache-2.0
"""Every operation of the set: its rules against central differences of its own reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import olympus
from olympus.errors import MissingDerivativeError
from olympus.tracing import bind_all
from olympus.transforms import rules as _filled  # noqa: F401 - the rules fill the table
from olympus.transforms.traces.table import RULES, Rules
from olympus_core import ops

from .checking import check


def own_rules() -> dict[str, Rules]:
    """The rules of olympus's own operations: other tests, and olympus.ffi, register further ones."""
    return {name: rules for name, rules in RULES.items() if not rules.is_external}


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    with olympus.enable_x64(True):
        yield


def test_every_operation_has_one_derivative() -> None:
    assert set(own_rules()) == set(ops.OPERATIONS)
    wrong = [name for name, rules in own_rules().items()
             if [rules.jvp is not None, rules.rewrite is not None, rules.is_constant].count(True) != 1]
    assert not wrong


def _real(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> np.ndarray:
    return np.random.RandomState(seed).uniform(low, high, shape)


def _complex(*shape: int, seed: int = 0) -> np.ndarray:
    return _real(*shape, seed=seed) + 1j * _real(*shape, seed=seed + 1)


def _definite(size: int, seed: int = 0) -> np.ndarray:
    x = _real(size, size, seed=seed)
    return x @ x.T + np.eye(size)


_UNARY = {
    "acos": (-0.9, 0.9), "acosh": (1.1, 3), "asin": (-0.9, 0.9), "atanh": (-0.9, 0.9), "erf_inv": (-0.9, 0.9),
    "log": (0.1, 3), "log1p": (-0.9, 3), "rsqrt": (0.1, 3), "sqrt": (0.1, 3), "lgamma": (0.2, 4), "digamma": (0.2, 4),
    "bessel_i0e": (0.1, 12), "bessel_i1e": (-12, 12),
}
_PLAIN = "abs asinh atan cbrt cos cosh erf erfc exp expm1 logistic neg sign sin sinh tan tanh floor ceil round".split()
_BINARY = "add sub mul div rem max min atan2".split()
_SHAPED: list[tuple[str, list[np.ndarray], dict[str, Any]]] = [
    ("pow", [_real(6, low=0.1), _real(6, seed=1)], {}),
    ("pow", [np.array([-2.0, 0.0, 3.0]), np.array([3.0, 2.0, 0.0])], {"fixed": (1,)}),
    ("complex", [_real(3), _real(3, seed=1)], {}),
    *((name, [_real(6, low=0.2, high=9), _real(6, low=0.1, high=12, seed=1)], {}) for name in ("igamma", "igammac")),
    *((name, [_real(6, low=0.2, high=9), _real(6, low=0.1, high=12, seed=1)], {"fixed": (0,)})
      for name in ("igamma_grad_a", "random_gamma_grad")),
    ("igamma", [np.array([1.0, 2.0]), np.array([1e-5, 1e-5])], {"fixed": (0,)}),
    ("betainc", [_real(6, low=0.3, high=6), _real(6, low=0.3, high=6, seed=1), _real(6, low=0.1, high=0.9, seed=2)],
     {"fixed": (0, 1)}),
    ("zeta", [_real(6, low=1.2, high=6), _real(6, low=0.3, high=6, seed=1)], {"fixed": (0,)}),
    ("polygamma", [np.array([0.0, 1.0, 2.0, 5.0]), np.array([0.7, 1.5, -0.6, 3.0])], {"fixed": (0,)}),
    ("select", [np.array([True, False, True]), _real(3), _real(3, seed=1)], {}),
    ("clamp", [np.full(5, -0.5), _real(5), np.full(5, 0.7)], {}),
    ("clamp", [np.array([1.0, 1.0]), np.array([2.0, 0.5]), np.array([0.0, 3.0])], {}),
    ("convert", [_real(3)], {"dtype": np.dtype(np.complex128)}),
    ("convert", [_real(3)], {"dtype": np.dtype(np.int32)}),
    ("bitcast_convert", [_real(3)], {"dtype": np.dtype(np.int64)}),
    ("broadcast_in_dim", [_real(1, 3)], {"shape": (4, 2, 3), "dimensions": (1, 2)}),
    ("reshape", [_real(2, 3)], {"shape": (3, 2)}),
    ("transpose", [_real(2, 3, 4)], {"permutation": (2, 0, 1)}),
    ("slice", [_real(7, 5)], {"starts": (1, 0), "limits": (6, 5), "strides": (2, 3)}),
    ("slice", [_real(7)], {"starts": (3,), "limits": (3,), "strides": (1,)}),
    ("pad", [_real(4, 3), _real()], {"low": (2, -1), "high": (-1, 2), "interior": (1, 2)}),
    ("pad", [_real(4), _real()], {"low": (-3,), "high": (-2,), "interior": (2,)}),
    ("concatenate", [_real(2, 3), _real(2, 1, seed=1), _real(2, 2, seed=2)], {"dimension": 1}),
    ("reverse", [_real(3, 2)], {"dimensions": (0,)}),
    ("dynamic_slice", [_real(5, 4), np.int32(3), np.int32(1)], {"sizes": (3, 2)}),
    ("dynamic_update_slice", [_real(5, 4), _real(2, 3, seed=1), np.int32(4), np.int32(0)], {}),
    ("reduce_sum", [_real(3, 4)], {"dimensions": (1,)}),
    ("reduce_prod", [_real(3, 5, 2)], {"dimensions": (0, 1)}),
    ("reduce_prod", [np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 5.0]])], {"dimensions": (1,)}),
    ("reduce_prod", [_real(0, 2)], {"dimensions": (0,)}),
    ("reduce_max", [_real(3, 4)], {"dimensions": (0,)}),
    ("reduce_min", [_real(3, 4)], {"dimensions": (0, 1)}),
    ("argmax", [_real(3, 4)], {"dimension": 1, "dtype": np.dtype(np.int32)}),
    ("cumsum", [_real(3, 4)], {"dimension": 1, "reverse": False}),
    *(("fft", [_complex(3, 5)], {"kind": kind, "dimension": 1, "length": 5}) for kind in ("fft", "ifft")),
    *(("fft", [_complex(4, 2)], {"kind": "irfft", "dimension": 0, "length": length}) for length in (6, 7)),
    ("fft", [_real(4, 3)], {"kind": "rfft", "dimension": 0, "length": 4}),
    ("fft", [_real(2, 5)], {"kind": "rfft", "dimension": 1, "length": 5}),
    ("cumsum", [_real(3, 4)], {"dimension": 0, "reverse": True}),
    ("cumprod", [np.array([1.5, 0.0, -2.0, 3.0, 0.5])], {"dimension": 0, "reverse": False}),
    ("cummax", [_real(2, 6)], {"dimension": 1, "reverse": True}),
    ("cummin", [_real(2, 6)], {"dimension": 1, "reverse": False}),
    ("top_k", [_real(3, 5)], {"dimension": 1, "k": 2, "dtype": np.dtype(np.int32)}),
    ("cholesky", [_definite(3)], {}), ("cholesky", [np.stack([_definite(2), 2 * _definite(2)])], {}),
    ("triangular_solve", [_definite(3), _real(3, 2)], {"left_side": True, "lower": True, "transpose": False,
                                                      "conjugate": False, "unit_diagonal": False}),
    ("triangular_solve", [_definite(3), _real(2, 3)], {"left_side": False, "lower": False, "transpose": True,
                                                      "conjugate": True, "unit_diagonal": True}),
    *(("lu", [_real(*shape, seed=3)], {}) for shape in ((3, 3), (4, 2), (2, 4))),
    ("ormqr", [_real(3, 2), _real(2), _real(3, 2, seed=2)], {"left": True, "transpose": True, "fixed": (0, 1)}),
    ("eigh", [_definite(3)], {"lower": True, "vectors": True}),
    ("eigh", [_definite(3)], {"lower": False, "vectors": False}),
    *(("svd", [_real(*shape, seed=4)], {"full_matrices": False, "vectors": vectors})
      for shape in ((3, 3), (4, 2), (2, 4)) for vectors in (True, False)),
    ("eig", [_real(3, 3, seed=5)], {"left": True, "right": True}),
    ("tridiagonal_solve", [_real(4), _real(4, low=3, high=4), _real(4, seed=1), _real(4, 2)], {}),
    ("sort", [_real(3, 5)], {"dimension": 1, "keys": 1}),
    ("sort", [_real(4, 3), _real(4, 3, seed=1), np.arange(12).reshape(4, 3)], {"dimension": 0, "keys": 1}),
]


def _dot(lhs: Any, rhs: Any, lc: Any, rc: Any, lb: Any = (), rb: Any = ()) -> tuple[str, list[Any], dict[str, Any]]:
    return "dot_general", [lhs, rhs], {
        "lhs_contracting": lc, "rhs_contracting": rc, "lhs_batch": lb, "rhs_batch": rb, "dtype": None}


def _conv(x: Any, k: Any, layouts: tuple[str, str, str], **given: Any) -> tuple[str, list[Any], dict[str, Any]]:
    n = x.ndim - 2
    attributes = {
        "window_strides": (1,) * n, "padding": ((0, 0),) * n, "lhs_dilation": (1,) * n, "rhs_dilation": (1,) * n,
        "lhs_layout": layouts[0], "rhs_layout": layouts[1], "out_layout": layouts[2], "feature_groups": 1,
        "batch_groups": 1, **given}
    return "convolution", [x, k], attributes


_CONTRACTIONS = [
    _dot(_real(3, 4), _real(4, 5, seed=1), (1,), (0,)),
    _dot(_real(4, 3), _real(5, 4, seed=1), (0,), (1,)),
    _dot(_real(2, 3, 4), _real(4, 2, 5, seed=1), (2,), (0,), (0,), (1,)),
    _dot(_real(3, 4, 2, 5), _real(5, 6, 3, 4, seed=1), (3, 1), (0, 3), (0,), (2,)),
    _dot(_real(3), _real(3, seed=1), (0,), (0,)),
    _dot(_complex(3, 2), _complex(2, 3, seed=5), (1,), (0,)),
    _conv(_real(2, 3, 7), _real(4, 3, 3, seed=1), ("NCW", "OIW", "NCW"), window_strides=(2,), padding=((1, 2),)),
    _conv(_real(2, 7, 6, 3), _real(3, 2, 3, 4, seed=1), ("NHWC", "HWIO", "NWHC"), lhs_dilation=(2, 1),
          rhs_dilation=(1, 2), padding=((0, 3), (1, -1)), window_strides=(3, 1)),
    _conv(_real(2, 6, 5), _real(4, 3, 2, seed=1), ("NCW", "OIW", "NCW"), feature_groups=2, padding=((1, 0),)),
    _conv(_real(4, 3, 5), _real(6, 3, 2, seed=1), ("NCW", "OIW", "NCW"), batch_groups=2, window_strides=(2,)),
]


def _gather(mode: str, **given: Any) -> dict[str, Any]:
    return {"operand_batching_dims": (), "indices_batching_dims": (), "mode": mode, "fill_value": None, **given}


_ROWS = _gather("clip", offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,), slice_sizes=(1, 3))
_PUT = {"update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
        "operand_batching_dims": (), "indices_batching_dims": ()}
_PLACES = np.array([[1], [3], [1], [7]])
_INDEXED = [
    ("gather", [_real(4, 3), _PLACES], _ROWS),
    ("gather", [_real(4, 3), np.array([[1], [3], [1]])], {**_ROWS, "mode": "fill"}),
    ("gather", [_real(4, 5), np.array([[1, 2], [3, 0]])],
     _gather("clip", offset_dims=(1, 2), collapsed_slice_dims=(), start_index_map=(0, 1), slice_sizes=(2, 3))),
    ("gather", [_real(3, 4), np.array([[1], [3], [0]])],
     _gather("fill", offset_dims=(), collapsed_slice_dims=(1,), start_index_map=(1,), operand_batching_dims=(0,),
             indices_batching_dims=(0,), slice_sizes=(1, 1))),
    *[("scatter", [_real(4, 3), _PLACES, _real(4, 3, seed=1)], {**_PUT, "combine": combine, "mode": mode})
      for combine in ("set", "add", "min", "max") for mode in ("clip", "drop")],
    ("scatter", [_real(4, 3), _PLACES, _real(4, 3, seed=1)], {**_PUT, "combine": "mul", "mode": "drop", "fixed": (2,)}),
]
CASES = [
    *((name, [_real(7, low=low, high=high)], {}) for name, (low, high) in _UNARY.items()),
    *((name, [_real(7)], {}) for name in _PLAIN),
    *((name, [_complex(4)], {}) for name in "abs sign exp sin log sqrt tanh real imag conj".split()),
    *((name, [_real(6), _real(6, seed=1)], {}) for name in _BINARY),
    *((name, [_complex(6), _complex(6, seed=2)], {}) for name in ("add", "sub", "mul", "div")),
    *_SHAPED, *_CONTRACTIONS, *_INDEXED,
]


def _columns_signed(found: Any) -> list[Any]:
    """Of singular values and vectors, or of eigenvalues and vectors; the signs of vectors are a library's choice."""
    values, *vectors = found
    if not vectors:
        return [values]
    signs = vectors[0][..., :1, :] / abs(vectors[0][..., :1, :])
    return [values, vectors[0] * signs, *(v * signs.swapaxes(-1, -2) for v in vectors[1:])]


_SIGNED: dict[str, Any] = {"svd": _columns_signed, "eigh": _columns_signed}


@pytest.mark.parametrize(("name", "operands", "attributes"), CASES,
                         ids=[f"{i}-{name}" for i, (name, _, _) in enumerate(CASES)])
def test_against_differences(name: str, operands: list[np.ndarray], attributes: dict[str, Any]) -> None:
    record = ops.OPERATIONS[name]
    attributes = dict(attributes)
    fixed = attributes.pop("fixed", ())
    free = [np.asarray(x) for i, x in enumerate(operands) if i not in fixed]

    def whole(args: Any) -> list[Any]:
        given = iter(args)
        return [operands[i] if i in fixed else next(given) for i in range(len(operands))]

    assert record.reference is not None
    signed = _SIGNED.get(name, lambda found: found)
    check(lambda *args: signed(bind_all(record, whole(args), attributes)),
          lambda *args: signed(record.reference(whole(args), attributes)), free)


# Of packed factors, and of the Schur form.
UNRULED: dict[str, dict[str, Any]] = {
    "geqrf": {}, "geqp3": {}, "householder_product": {}, "hessenberg": {}, "tridiagonal": {"lower": True},
    "schur": {"vectors": True},
}


@pytest.mark.parametrize("name", UNRULED)
def test_what_has_no_rule_says_so(name: str) -> None:
    further = {"geqp3": [np.zeros(3, np.int32)], "householder_product": [_real(3)]}.get(name, [])

    def f(x: Any) -> Any:
        return bind_all(ops.OPERATIONS[name], [x, *further], UNRULED[name])[0]

    with pytest.raises(MissingDerivativeError, match=name):
        olympus.jvp(f, (_real(3, 3),), (_real(3, 3),))


def test_the_table_of_cases_is_complete() -> None:
    elsewhere = {"call", "cond", "while", "scan", "manual", "host_callback", "sharding_constraint"}
    collectives = {name for name, record in ops.OPERATIONS.items() if record.category == "collective"}
    tested = {name for name, _, _ in CASES} | set(UNRULED)
    assert {name for name, rules in own_rules().items() if not rules.is_constant} <= tested | elsewhere | collectives


@pytest.mark.parametrize("name", sorted(name for name, rules in own_rules().items() if rules.is_constant))
def test_constants_take_no_tangents(name: str) -> None:
    """What counts as constant gives integers or bools, or is flat almost everywhere."""
    flat = {"floor", "ceil", "round", "next_after", "bitcast_convert", "iota", "constant", "and", "or", "xor", "not",
            "shift_left", "shift_right_logical", "shift_right_arithmetic", "population_count", "count_leading_zeros",
            "reduce_and", "reduce_or", "threefry2x32", "random_bits", "axis_index", "is_finite", "argmax", "argmin",
            "eq", "ne", "lt", "le", "gt", "ge"}
    assert name in flat


def test_second_derivatives() -> None:
    """Rules are made of operations that have rules."""
    for name, (low, high) in {**_UNARY, **{n: (-2, 2) for n in ("tan", "tanh", "logistic", "erf", "sinh")}}.items():
        record = ops.OPERATIONS[name]

        def slope(x: Any) -> Any:
            return olympus.grad(lambda y: bind_all(record, [y], {})[0].sum())(x)

        x = _real(3, low=low, high=high, seed=4)
        found = np.asarray(olympus.grad(lambda y: slope(y).sum())(x))
        step = 1e-5
        expected = (np.asarray(slope(x + step)) - np.asarray(slope(x - step))) / (2 * step)
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5, err_msg=name)


def test_digamma_of_negative_numbers() -> None:
    record = ops.OPERATIONS["digamma"]
    x = np.array([-0.3, -2.6, 0.01, 30.0])
    check(lambda y: bind_all(record, [y], {}), lambda y: record.reference([y], {}), [x], tolerance=1e-4)


