# SPDX-License-Identifier: Apache-2.0
"""For each operation of arrays alone some operands of one index, and attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.ops import OPERATIONS
from olympus_core.program import ArrayType, OperationRecord

Case = tuple[list[ArrayType], dict[str, Any]]
F32, I32, U32, BOOL, C64 = (np.dtype(t) for t in ("float32", "int32", "uint32", "bool", "complex64"))
SHAPE = (2, 3)


def t(*shape: int, dtype: Any = F32) -> ArrayType:
    return ArrayType(shape, dtype)


_INTEGER = {"and", "or", "xor", "not", "shift_left", "shift_right_logical", "shift_right_arithmetic",
            "population_count", "count_leading_zeros"}
_COMPLEX = {"real", "imag", "conj"}
_OPERANDS = {"select": [t(*SHAPE, dtype=BOOL), t(*SHAPE), t(*SHAPE)], "clamp": [t(*SHAPE)] * 3,
             "threefry2x32": [t(*SHAPE, dtype=U32)] * 4}


def _elementwise(record: OperationRecord) -> list[Case]:
    name = record.name
    dtype = I32 if name in _INTEGER else C64 if name in _COMPLEX else F32
    attributes = {"dtype": I32} if name in ("convert", "bitcast_convert") else {}
    operands = _OPERANDS.get(name, [t(*SHAPE, dtype=dtype)] * (record.arity or 1))
    scalars = [o.with_shape(()) for o in operands]
    return [(operands, attributes), (scalars, attributes)]


def _gather(**changed: Any) -> dict[str, Any]:
    return {"offset_dims": (), "collapsed_slice_dims": (), "start_index_map": (), "operand_batching_dims": (),
            "indices_batching_dims": (), "slice_sizes": (), "mode": "clip", **changed}


def _scatter(**changed: Any) -> dict[str, Any]:
    return {"update_window_dims": (), "inserted_window_dims": (), "scatter_dims_to_operand_dims": (),
            "operand_batching_dims": (), "indices_batching_dims": (), "combine": "add", "mode": "drop", **changed}


def _dot(lc: Any, rc: Any, lb: Any = (), rb: Any = ()) -> dict[str, Any]:
    return {"lhs_contracting": lc, "rhs_contracting": rc, "lhs_batch": lb, "rhs_batch": rb}


def _conv(lhs: str, rhs: str, out: str, features: int = 1, batches: int = 1, **changed: Any) -> dict[str, Any]:
    n = len(rhs) - 2
    return {"window_strides": (1,) * n, "padding": ((1, 1),) * n, "lhs_dilation": (1,) * n, "rhs_dilation": (1,) * n,
            "lhs_layout": lhs, "rhs_layout": rhs, "out_layout": out, "feature_groups": features,
            "batch_groups": batches, **changed}


START = t(dtype=I32)
KEY = t(2, dtype=U32)

_OTHERS: dict[str, list[Case]] = {
    "broadcast_in_dim": [([t(3)], {"shape": (2, 3, 4), "dimensions": (1,)}), ([t(1, 3)], {
        "shape": (2, 3), "dimensions": (0, 1)}), ([t()], {"shape": (2,), "dimensions": ()})],
    "reshape": [([t(2, 3)], {"shape": (3, 2)}), ([t(1)], {"shape": ()}), ([t()], {"shape": (1, 1)})],
    "transpose": [([t(2, 3, 4)], {"permutation": (2, 0, 1)}), ([t()], {"permutation": ()})],
    "slice": [([t(4, 5)], {"starts": (1, 0), "limits": (4, 5), "strides": (1, 2)})],
    "pad": [([t(2, 3), t()], {"low": (1, -1), "high": (0, 2), "interior": (1, 0)})],
    "concatenate": [([t(2, 3), t(2, 1), t(2, 2)], {"dimension": 1}), ([t(2)], {"dimension": 0})],
    "reverse": [([t(2, 3)], {"dimensions": (1,)}), ([t(2, 3)], {"dimensions": (0, 1)})],
    "argmax": [([t(2, 3)], {"dimension": 0, "dtype": I32})], "argmin": [([t(2, 3)], {"dimension": 1, "dtype": I32})],
    "sort": [([t(3, 4), t(3, 4, dtype=I32)], {"dimension": 1, "keys": 1}), ([t(5)], {"dimension": 0, "keys": 1})],
    "top_k": [([t(3, 4)], {"dimension": 1, "k": 2, "dtype": I32}), ([t(5)], {"dimension": 0, "k": 5, "dtype": I32})],
    "fft": [([t(3, 4)], {"kind": "rfft", "dimension": 1, "length": 4}),
            ([t(3, 4, dtype=np.complex64)], {"kind": "irfft", "dimension": 0, "length": 5})],
    "gather": [
        ([t(5, 3), t(4, 1, dtype=I32)], _gather(offset_dims=(1,), collapsed_slice_dims=(0,), start_index_map=(0,),
                                                slice_sizes=(1, 3))),
        ([t(5, 6), t(2, 3, 2, dtype=I32)], _gather(offset_dims=(0, 2), start_index_map=(1, 0), slice_sizes=(2, 3),
                                                   mode="fill", fill_value=7.0)),
        ([t(2, 5, 3), t(4, 2, 1, dtype=I32)], _gather(
            offset_dims=(2,), collapsed_slice_dims=(1,), start_index_map=(1,), operand_batching_dims=(0,),
            indices_batching_dims=(1,), slice_sizes=(1, 1, 3), mode="fill")),
        ([t(5), t(1, dtype=I32)], _gather(collapsed_slice_dims=(0,), start_index_map=(0,), slice_sizes=(1,))),
    ],
    "scatter": [
        ([t(5, 3), t(4, 1, dtype=I32), t(4, 3)], _scatter(
            update_window_dims=(1,), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,))),
        ([t(5, 6), t(2, 2, dtype=I32), t(2, 2, 3)], _scatter(
            update_window_dims=(0, 2), scatter_dims_to_operand_dims=(1, 0), combine="max", mode="clip")),
        ([t(2, 5), t(4, 2, 1, dtype=I32), t(4, 2)], _scatter(
            inserted_window_dims=(1,), scatter_dims_to_operand_dims=(1,), operand_batching_dims=(0,),
            indices_batching_dims=(1,), combine="set")),
    ],
    "dynamic_slice": [([t(5, 6), START, START], {"sizes": (2, 3)}), ([t(4), t(dtype=np.int64)], {"sizes": (2,)}),
                      ([t()], {"sizes": ()})],
    "dynamic_update_slice": [([t(5, 6), t(2, 3), START, START], {}), ([t(4), t(2), t(dtype=U32)], {})],
    "dot_general": [
        ([t(2, 3), t(3, 4)], _dot((1,), (0,))), ([t(3), t(3)], _dot((0,), (0,))), ([t(2), t(3)], _dot((), ())),
        ([t(3, 2, 5, 4), t(5, 4, 3, 6)], _dot((3,), (1,), (0, 2), (2, 0))),
        ([t(4, 2, 3), t(2, 3, 4)], _dot((1, 2), (0, 1), (0,), (2,))),
    ],
    "convolution": [
        ([t(2, 3, 5), t(4, 3, 2)], _conv("NCH", "OIH", "NCH")),
        ([t(2, 5, 4, 6), t(3, 2, 3, 6)], _conv("NHWC", "HWIO", "HNWC", 2, window_strides=(2, 1), lhs_dilation=(1, 2),
                                              rhs_dilation=(2, 1))),
        ([t(6, 3, 5), t(4, 3, 2)], _conv("NCH", "OIH", "CNH", 1, 2)),
        ([t(2, 3), t(4, 3)], _conv("NC", "OI", "CN")),
    ],
    "random_bits": [
        ([KEY], {"shape": (3, 2), "global_shape": (3, 2), "dtype": U32}),
        ([KEY], {"shape": (), "global_shape": (), "dtype": np.dtype(np.uint8)}),
        ([KEY, START, START], {"shape": (2, 3), "global_shape": (2**20, 2**20), "dtype": np.dtype(np.uint64)}),
        ([KEY, START, START], {"shape": (2, 3), "global_shape": (40, 50), "dtype": np.dtype(np.uint16)}),
    ],
    "cholesky": [([t(3, 3)], {})], "lu": [([t(3, 2)], {})], "geqrf": [([t(3, 2)], {})],
    "triangular_solve": [([t(2, 2), t(2, 3)], {"left_side": True, "lower": True, "transpose": False,
                                               "conjugate": False, "unit_diagonal": True})],
    "geqp3": [([t(3, 2), t(2, dtype=I32)], {})], "householder_product": [([t(3, 2), t(2)], {})],
    "ormqr": [([t(3, 2), t(2), t(3, 1)], {"left": True, "transpose": False})],
    "eigh": [([t(3, 3)], {"lower": True, "vectors": False})], "eig": [([t(2, 2)], {"left": False, "right": False})],
    "svd": [([t(3, 2)], {"full_matrices": False, "vectors": False})], "schur": [([t(2, 2)], {"vectors": True})],
    "hessenberg": [([t(3, 3)], {})], "tridiagonal": [([t(3, 3)], {"lower": True})],
    "tridiagonal_solve": [([t(3), t(3), t(3), t(3, 2)], {})],
}


def _reductions(record: OperationRecord) -> list[Case]:
    dtype = BOOL if record.name in ("reduce_and", "reduce_or") else F32
    if record.name.startswith("cum"):
        return [([t(3, 4)], {"dimension": d, "reverse": bool(d)}) for d in range(2)]
    return [([t(2, 3, 4, dtype=dtype)], {"dimensions": dims}) for dims in ((1,), (0, 2), (), (0, 1, 2))]


# Those that need regions, groups, meshes or functions have tests of their own.
ELSEWHERE = {
    "call", "cond", "while", "scan", "manual", "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "permute",
    "broadcast", "axis_index", "host_callback", "sharding_constraint", "iota", "constant",
}


def all_cases() -> Iterator[tuple[str, int, Case]]:
    for name, record in OPERATIONS.items():
        if name in ELSEWHERE:
            continue
        if name in _OTHERS:
            found = _OTHERS[name]
        elif record.category == "elementwise":
            found = _elementwise(record)
        else:
            found = _reductions(record)
        for number, case in enumerate(found):
            yield name, number, case


def filled(type: ArrayType, random: np.random.Generator) -> np.ndarray:
    """An array of small numbers; positive for what is a logarithm's or root's argument half of the time."""
    if type.dtype == BOOL:
        return random.integers(0, 2, type.shape).astype(bool)
    if dtypes.is_integer(type.dtype):
        return random.integers(0 if type.dtype.kind == "u" else -1, 7, type.shape).astype(type.dtype)
    parts = random.normal(size=(2, *type.shape))
    value = parts[0] + 1j * parts[1] if dtypes.is_complex(type.dtype) else parts[0]
    return np.asarray(value).astype(type.dtype)
