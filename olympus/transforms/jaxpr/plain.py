# SPDX-License-Identifier: Apache-2.0
"""Operations whose attributes are the parameters of one primitive, under the names that other libraries know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import Operation, OperationRecord

from ...tracing import aval_of, bind, bind_all
from ...tracing.values import number_as
from ..complex_order import bind_all_ordered
from .known import READINGS, Closed, Form, Params, primitive, row, taken

_NAMES = {"next_after": "nextafter", "count_leading_zeros": "clz", "betainc": "regularized_incomplete_beta"}
# Those that elsewhere may be computed less exactly.
_WITH_ACCURACY = frozenset({"cbrt", "cos", "exp", "expm1", "log", "log1p", "logistic", "rsqrt", "sin", "sqrt", "tan",
                            "tanh"})


def _elementwise(record: OperationRecord) -> None:
    """An operation without attributes; scalars beside arrays are spread out."""
    name = _NAMES.get(record.name, record.name)
    others: Params = {"accuracy": None} if name in _WITH_ACCURACY else {"out_dtype": None} if name == "mul" else {}

    def read(operation: Operation, closed: Closed) -> Form:
        return Form(name, dict(others))

    def run(args: Sequence[Any], given: Params) -> list[Any]:
        taken(name, given, [], others)
        return bind_all_ordered(record, spread(args), {})

    READINGS[record] = read
    primitive(name, run)


def spread(args: Sequence[Any]) -> list[Any]:
    """The operands in one shape: scalars, dimensions of size 1; Python numbers also in the others' element type."""
    if len(args) < 2:
        return list(args)
    avals = [aval_of(x) for x in args]
    whole = max(avals, key=lambda aval: (aval.ndim, not aval.weak))
    shape = tuple(_spread_size([aval.shape[d] for aval in avals if aval.ndim == whole.ndim]) for d in range(whole.ndim))
    found = []
    for value, aval in zip(args, avals, strict=True):
        if aval.dtype != whole.dtype and isinstance(value, (bool, int, float, complex)):
            value = number_as(value, whole.dtype)
        if aval.shape != shape and aval.ndim in (0, len(shape)) and all(
                n in (1, size) for n, size in zip(aval.shape, shape, strict=False)):
            value = bind(ops.broadcast_in_dim, value, shape=shape, dimensions=tuple(range(aval.ndim)))
        found.append(value)
    return found


def _spread_size(sizes: Sequence[int]) -> int:
    return next((n for n in sizes if n != 1), 1)


for _record in ops.OPERATIONS.values():
    if _record.arity:
        _elementwise(_record)

row(ops.threefry2x32, multiple_results=True)
row(ops.select, "select_n", operands=(0, 2, 1))
row(ops.bitcast_convert, "bitcast_convert_type", {"new_dtype": "dtype"})

row(ops.broadcast_in_dim, None, {"shape": "shape", "broadcast_dimensions": "dimensions"}, sharding=None)
row(ops.reshape, None, {"new_sizes": "shape"}, dimensions=None, sharding=None)
row(ops.transpose, None, {"permutation": "permutation"})
row(ops.concatenate, None, {"dimension": "dimension"})
row(ops.reverse, "rev", {"dimensions": "dimensions"})
row(ops.iota, None, {"dtype": "dtype", "shape": "shape", "dimension": "dimension"}, sharding=None)
row(ops.dynamic_slice, None, {"slice_sizes": "sizes"})
row(ops.dynamic_update_slice)
row(ops.random_bits, None, {"shape": "shape", "global_shape": "global_shape", "dtype": "dtype"})

row(ops.reduce_sum, None, {"axes": "dimensions"}, out_sharding=None)
for _record in (ops.reduce_prod, ops.reduce_max, ops.reduce_min, ops.reduce_and, ops.reduce_or):
    row(_record, None, {"axes": "dimensions"})
for _record in (ops.cumsum, ops.cumprod, ops.cummax, ops.cummin):
    row(_record, None, {"axis": "dimension", "reverse": "reverse"})
row(ops.sort, None, {"dimension": "dimension", "num_keys": "keys"}, multiple_results=True, is_stable=True)

row(ops.cholesky)
row(ops.triangular_solve, None, {"left_side": "left_side", "lower": "lower", "transpose_a": "transpose",
                                 "conjugate_a": "conjugate", "unit_diagonal": "unit_diagonal"})
for _record in (ops.lu, ops.geqrf, ops.geqp3, ops.hessenberg):
    row(_record, multiple_results=True)
row(ops.householder_product)
row(ops.ormqr, None, {"left": "left", "transpose": "transpose"})
row(ops.eig, None, {"compute_left_eigenvectors": "left", "compute_right_eigenvectors": "right"},
    multiple_results=True, enable_eigvec_derivs=False, implementation=None)
row(ops.svd, None, {"full_matrices": "full_matrices", "compute_uv": "vectors"}, multiple_results=True,
    subset_by_index=None, algorithm=None)
row(ops.schur, None, {"compute_schur_vectors": "vectors"}, multiple_results=True, sort_eig_vals=False,
    select_callable=None)
row(ops.tridiagonal, None, {"lower": "lower"}, multiple_results=True)
row(ops.tridiagonal_solve, perturb_singular=False)


def _read_convert(operation: Operation, closed: Closed) -> Form:
    return Form("convert_element_type", {"new_dtype": operation.attributes["dtype"], "weak_type": False,
                                         "sharding": None})


def _convert(args: Sequence[Any], params: Params) -> list[Any]:
    (dtype,) = taken("convert_element_type", {k: v for k, v in params.items() if k != "weak_type"}, ["new_dtype"],
                     {"sharding": None})
    return bind_all(ops.convert, args, {"dtype": np.dtype(dtype)}, (), bool(params.get("weak_type", False)))


def _conj(args: Sequence[Any], params: Params) -> list[Any]:
    """Elsewhere it takes real numbers, too, as the derivative of `real`."""
    taken("conj", {**params, "input_dtype": None}, [], {"input_dtype": None})
    (x,) = args
    if dtypes.is_float(aval_of(x).dtype):
        return [bind(ops.complex, *spread([x, np.zeros((), aval_of(x).dtype)]))]
    return bind_all(ops.conj, args)


def _read_arg(operation: Operation, closed: Closed) -> Form:
    return Form(operation.name, {"axes": (operation.attributes["dimension"],),
                                 "index_dtype": operation.attributes["dtype"]})


def _read_top_k(operation: Operation, closed: Closed) -> Form:
    return Form("top_k", {"k": operation.attributes["k"], "axis": operation.attributes["dimension"],
                          "index_dtype": operation.attributes["dtype"]})


def _top_k(args: Sequence[Any], params: Params) -> list[Any]:
    k, axis = taken("top_k", {"index_dtype": None, **params}, ["k", "axis"], {"index_dtype": params.get("index_dtype")})
    return bind_all(ops.top_k, args, {
        "k": k, "dimension": axis, "dtype": np.dtype(params.get("index_dtype", np.int32))})


def _arg(record: OperationRecord) -> None:
    def run(args: Sequence[Any], params: Params) -> list[Any]:
        (dimension,), dtype = taken(record.name, params, ["axes", "index_dtype"], {})
        return bind_all_ordered(record, args, {"dimension": dimension, "dtype": np.dtype(dtype)})

    READINGS[record] = _read_arg
    primitive(record.name, run)


def _read_eigh(operation: Operation, closed: Closed) -> Form:
    """Elsewhere the vectors come first; without them there are the values alone."""
    vectors = operation.attributes["vectors"]
    return Form("eigh", {"lower": operation.attributes["lower"], "compute_v": vectors, **_EIGH}, None,
                (1, 0) if vectors else (0,))


def _eigh(args: Sequence[Any], params: Params) -> list[Any]:
    (lower,) = taken("eigh", params, ["lower"], {**_EIGH, "compute_v": params.get("compute_v")})
    found = bind_all(ops.eigh, args, {"lower": lower, "vectors": params.get("compute_v", True)})
    return found[::-1]


_EIGH: Params = {"sort_eigenvalues": True, "subset_by_index": None, "algorithm": None}
READINGS.update({ops.convert: _read_convert, ops.top_k: _read_top_k, ops.eigh: _read_eigh})
primitive("convert_element_type", _convert)
primitive("conj", _conj)
primitive("top_k", _top_k, True)
primitive("eigh", _eigh, True)
_arg(ops.argmax)
_arg(ops.argmin)
