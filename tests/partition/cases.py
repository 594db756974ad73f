# SPDX-License-Identifier: Apache-2.0
"""For every base operation programs of that one operation, with sizes that divide and sizes that do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from olympus_core import ops
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, OperationRecord, Program, ProgramBuilder


@dataclass(frozen=True)
class Case:
    """One operation on operands of these types."""

    name: str
    record: OperationRecord
    types: tuple[ArrayType, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    integers: Mapping[int, tuple[int, int]] = field(default_factory=dict)  # ranges of operands that are indices

    def program(self) -> Program:
        builder = ProgramBuilder(self.name)
        inputs = [builder.input(t) for t in self.types]
        return builder.finish(builder.emit(self.record, inputs, self.attributes, location="case.py:1"))

    def inputs(self) -> list[np.ndarray]:
        random = np.random.default_rng(7)
        return [draw(random, t, self.integers.get(i)) for i, t in enumerate(self.types)]


def draw(random: np.random.Generator, type: ArrayType, between: tuple[int, int] | None = None) -> np.ndarray:
    """Small integers, so that sums are exact in any order."""
    low, high = between or (-4, 5)
    if type.dtype.kind == "b":
        return random.integers(0, 2, type.shape).astype(bool)
    if type.dtype.kind == "u" and low < 0:
        low = 0
    values = random.integers(low, high, type.shape)
    if type.dtype.kind == "c":
        return (values + 1j * random.integers(low, high, type.shape)).astype(type.dtype)
    return np.asarray(values).astype(type.dtype)


def types(*given: tuple[tuple[int, ...], str]) -> tuple[ArrayType, ...]:
    return tuple(ArrayType(shape, dtype) for shape, dtype in given)


F, N = "float32", "int32"


def elementwise() -> list[Case]:
    """Every elementwise operation on the first element type that it takes."""
    cases = []
    for record in ops.OPERATIONS.values():
        if record.category != "elementwise":
            continue
        attributes: dict[str, Any] = {}
        if record.name == "convert":
            attributes = {"dtype": np.dtype("int32")}
        if record.name == "bitcast_convert":
            attributes = {"dtype": np.dtype("uint32")}
        for dtypes in (
            [F], [F, F], [F, F, F], ["bool", F, F], [N], [N, N], ["bool"], ["complex64"], ["uint32"] * 4
        ):
            given = types(*(((8, 16), dtype) for dtype in dtypes))
            try:
                record.type_rule(given, attributes, ())
            except OperandError:
                continue
            cases.append(Case(record.name, record, given, attributes))
            break
        else:
            raise AssertionError(f"no element type found for {record.name}")
    return cases


def structure() -> list[Case]:
    x = types(((8, 16), F))
    cases = [
        Case("broadcast_in_dim new", ops.broadcast_in_dim, x, {"shape": (8, 4, 16), "dimensions": (0, 2)}),
        Case("broadcast_in_dim expand", ops.broadcast_in_dim, types(((8, 1), F)),
             {"shape": (8, 16), "dimensions": (0, 1)}),
        Case("broadcast_in_dim scalar", ops.broadcast_in_dim, types(((), F)), {"shape": (8, 3), "dimensions": ()}),
        Case("reshape merge", ops.reshape, x, {"shape": (128,)}),
        Case("reshape split", ops.reshape, types(((16, 8), F)), {"shape": (2, 8, 2, 4)}),
        Case("reshape refine", ops.reshape, types(((16, 24), F)), {"shape": (8, 48)}),
        Case("reshape cross", ops.reshape, types(((8, 12), F)), {"shape": (12, 8)}),
        Case("reshape odd", ops.reshape, types(((8, 3), F)), {"shape": (4, 6)}),
        Case("reshape ones", ops.reshape, types(((8, 1, 4), F)), {"shape": (1, 8, 4, 1)}),
        Case("transpose", ops.transpose, types(((8, 4, 2), F)), {"permutation": (2, 0, 1)}),
        Case("slice", ops.slice, x, {"starts": (2, 0), "limits": (6, 16), "strides": (1, 1)}),
        Case("slice odd", ops.slice, x, {"starts": (1, 3), "limits": (6, 16), "strides": (1, 2)}),
        Case("pad", ops.pad, types(((8, 16), F), ((), F)), {"low": (4, 0), "high": (4, 0), "interior": (0, 0)}),
        Case("pad odd", ops.pad, types(((8, 16), F), ((), F)), {"low": (1, -1), "high": (0, 2), "interior": (0, 1)}),
        Case("concatenate", ops.concatenate, types(((8, 8), F), ((8, 16), F)), {"dimension": 1}),
        Case("concatenate odd", ops.concatenate, types(((8, 8), F), ((3, 8), F)), {"dimension": 0}),
        Case("reverse", ops.reverse, x, {"dimensions": (0,)}),
        Case("reverse all", ops.reverse, x, {"dimensions": (0, 1)}),
        Case("iota", ops.iota, (), {"shape": (8, 16), "dtype": np.dtype("int8"), "dimension": 1}),
        Case("constant", ops.constant, (), {"value": np.arange(128.0).reshape(8, 16)}),
        Case("constant splat", ops.constant, (), {"value": np.full((8, 16), 3, np.int32)}),
        Case("sort", ops.sort, types(((8, 16), F), ((8, 16), N)), {"dimension": 1, "keys": 1}),
        *(Case(r.name, r, types(((8, 4, 4), F)), {}) for r in (ops.cholesky, ops.lu, ops.geqrf, ops.hessenberg)),
        Case("geqp3", ops.geqp3, types(((8, 4, 4), F), ((8, 4), np.dtype("int32"))), {}),
        Case("householder_product", ops.householder_product, types(((8, 4, 4), F), ((8, 4), F)), {}),
        Case("ormqr", ops.ormqr, types(((8, 4, 4), F), ((8, 4), F), ((8, 4, 16), F)), {
            "left": True, "transpose": False}),
        Case("eigh", ops.eigh, types(((8, 4, 4), F)), {"lower": True, "vectors": False}),
        Case("eig", ops.eig, types(((8, 4, 4), F)), {"left": False, "right": False}),
        Case("schur", ops.schur, types(((8, 4, 4), F)), {"vectors": True}),
        Case("tridiagonal", ops.tridiagonal, types(((8, 4, 4), F)), {"lower": True}),
        Case("tridiagonal_solve", ops.tridiagonal_solve, types(*[((8, 4), F)] * 3, ((8, 4, 16), F)), {}),
        Case("triangular_solve", ops.triangular_solve, types(((8, 4, 4), F), ((8, 4, 16), F)), {
            "left_side": True, "lower": True, "transpose": False, "conjugate": False, "unit_diagonal": True}),
        Case("svd", ops.svd, types(((8, 4, 4), F)), {"full_matrices": False, "vectors": False}),
        Case("top_k", ops.top_k, x, {"dimension": 1, "k": 4, "dtype": np.dtype("int32")}),
    ]
    return cases


def indexing() -> list[Case]:
    x, s = ((8, 16), F), ((), N)
    rows = {"offset_dims": (1,), "collapsed_slice_dims": (0,), "start_index_map": (0,), "operand_batching_dims": (),
            "indices_batching_dims": (), "slice_sizes": (1, 16), "mode": "clip"}
    scatter = {"update_window_dims": (1,), "inserted_window_dims": (0,), "scatter_dims_to_operand_dims": (0,),
               "operand_batching_dims": (), "indices_batching_dims": (), "mode": "drop"}
    batched = {"offset_dims": (), "collapsed_slice_dims": (1,), "start_index_map": (1,), "operand_batching_dims": (0,),
               "indices_batching_dims": (0,), "slice_sizes": (1, 1), "mode": "clip"}
    cases = [
        Case("dynamic_slice", ops.dynamic_slice, types(x, s, s), {"sizes": (4, 16)}, {1: (0, 9), 2: (0, 3)}),
        Case("dynamic_slice odd", ops.dynamic_slice, types(x, s, s), {"sizes": (3, 5)}, {1: (0, 9), 2: (0, 20)}),
        Case("dynamic_update_slice", ops.dynamic_update_slice, types(x, ((4, 16), F), s, s), {},
             {2: (0, 9), 3: (0, 3)}),
        Case("gather rows", ops.gather, types(x, ((4, 1), N)), rows, {1: (0, 10)}),
        Case("gather fill", ops.gather, types(x, ((8, 1), N)), {**rows, "mode": "fill", "fill_value": 9.0},
             {1: (-2, 10)}),
        Case("gather batched", ops.gather, types(x, ((8, 4, 1), N)), batched, {1: (0, 16)}),
    ]
    cells = {"offset_dims": (), "collapsed_slice_dims": (0, 1), "start_index_map": (1, 0), "operand_batching_dims": (),
             "indices_batching_dims": (), "slice_sizes": (1, 1)}
    cases += [
        Case("gather cells clip", ops.gather, types(x, ((8, 2), "int8")), {**cells, "mode": "clip"}, {1: (-3, 20)}),
        Case("gather cells fill", ops.gather, types(x, ((8, 2), "uint32")), {**cells, "mode": "fill"}, {1: (0, 20)}),
        Case("gather truth", ops.gather, types(((8, 16), "bool"), ((8, 1), "int64")), {**rows, "mode": "fill"},
             {1: (-2, 10)}),
        Case("gather of many dims", ops.gather, types(x, ((2, 4, 1), N)), {**rows, "offset_dims": (2,)}, {1: (0, 10)}),
        Case("scatter clip", ops.scatter, types(x, ((8, 1), "uint8"), ((8, 16), F)),
             {**scatter, "combine": "add", "mode": "clip"}, {1: (0, 12)}),
    ]
    for combine in ("set", "add", "mul", "min", "max"):
        # One index for each update where the order of updates would matter.
        between = (2, 3) if combine == "set" else (-2, 10)
        count = 1 if combine == "set" else 8
        cases.append(Case(f"scatter {combine}", ops.scatter, types(x, ((count, 1), N), ((count, 16), F)),
                          {**scatter, "combine": combine}, {1: between}))
    return cases


def reductions() -> list[Case]:
    cases = []
    for name in ("sum", "prod", "max", "min"):
        record = ops.OPERATIONS[f"reduce_{name}"]
        cases.append(Case(f"reduce_{name}", record, types(((8, 16), F)), {"dimensions": (0,)}))
    for name in ("and", "or"):
        record = ops.OPERATIONS[f"reduce_{name}"]
        cases.append(Case(f"reduce_{name}", record, types(((8, 16), "bool")), {"dimensions": (1,)}))
    cases += [
        Case("reduce_sum all", ops.reduce_sum, types(((8, 4, 2), F)), {"dimensions": (0, 1, 2)}),
        Case("reduce_sum int", ops.reduce_sum, types(((8, 3), N)), {"dimensions": (0,)}),
        Case("argmax", ops.argmax, types(((8, 16), F)), {"dimension": 1, "dtype": np.dtype("int32")}),
        Case("argmin", ops.argmin, types(((8, 16), F)), {"dimension": 0, "dtype": np.dtype("int32")}),
    ]
    for name in ("cumsum", "cumprod", "cummax", "cummin"):
        cases.append(Case(name, ops.OPERATIONS[name], types(((8, 16), F)), {"dimension": 0, "reverse": False}))
    for kind, dtype, length in (("fft", "complex64", 16), ("rfft", F, 16), ("irfft", "complex64", 30)):
        cases.append(Case(f"fft {kind}", ops.fft, types(((8, 16), dtype)),
                          {"kind": kind, "dimension": 1, "length": length}))
    return cases


def contractions() -> list[Case]:
    dot = {"lhs_contracting": (1,), "rhs_contracting": (0,), "lhs_batch": (), "rhs_batch": (), "dtype": None}
    batched = {"lhs_contracting": (2,), "rhs_contracting": (1,), "lhs_batch": (0,), "rhs_batch": (0,), "dtype": None}
    image = {"window_strides": (1,), "padding": ((1, 1),), "lhs_dilation": (1,), "rhs_dilation": (1,),
             "lhs_layout": "NCH", "rhs_layout": "OIH", "out_layout": "NCH", "feature_groups": 1, "batch_groups": 1}
    return [
        Case("dot_general", ops.dot_general, types(((8, 16), F), ((16, 8), F)), dot),
        Case("dot_general odd", ops.dot_general, types(((8, 3), F), ((3, 24), F)), dot),
        Case("dot_general batched", ops.dot_general, types(((8, 2, 4), F), ((8, 4, 8), F)), batched),
        Case("dot_general vector", ops.dot_general, types(((16,), F), ((16,), F)),
             {**dot, "lhs_contracting": (0,)}),
        Case("convolution", ops.convolution, types(((8, 4, 8), F), ((8, 4, 3), F)), image),
        Case("convolution groups", ops.convolution, types(((8, 8, 8), F), ((8, 2, 3), F)),
             {**image, "feature_groups": 4}),
    ]


def random_numbers() -> list[Case]:
    return [
        Case("random_bits", ops.random_bits, types(((2,), "uint32")),
             {"shape": (8, 16), "global_shape": (8, 16), "dtype": np.dtype("uint32")}),
    ]


def all_cases() -> Sequence[Case]:
    return [*elementwise(), *structure(), *indexing(), *reductions(), *contractions(), *random_numbers()]
