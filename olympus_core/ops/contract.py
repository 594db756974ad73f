# SPDX-License-Identifier: Apache-2.0
"""Contractions: the general dot product and convolution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import OperandError
from olympus_core.program import ArrayType, Attributes, FactorRule, OperationRecord, Program
from olympus_core.program.exactness import SUM

from .rules import (
    NUMBER,
    FactorTable,
    check,
    check_dimensions,
    check_domain,
    check_dtype,
    check_integers,
    compute_dtype,
    is_index,
    quiet,
    refuse,
    size_of,
    sum_dtype,
)

Types = Sequence[ArrayType]
_BILINEAR = (frozenset({0}), frozenset({1}))
_DOT = ("lhs_contracting", "rhs_contracting", "lhs_batch", "rhs_batch")
_CONVOLUTION = (
    "window_strides", "padding", "lhs_dilation", "rhs_dilation", "lhs_layout", "rhs_layout", "out_layout",
    "feature_groups", "batch_groups",
)


def _free(ndim: int, attributes: Attributes, side: str) -> list[int]:
    taken = {*attributes[f"{side}_contracting"], *attributes[f"{side}_batch"]}
    return [d for d in range(ndim) if d not in taken]


def _dot_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    name = "dot_general"
    check(name, types, attributes, regions, 2, _DOT, ["dtype"])
    x, y = types
    check_domain(name, x, NUMBER, types)
    if x.dtype != y.dtype:
        refuse(name, "operands differ in element type", types, "equal element types")
    sizes = []
    for part in ("batch", "contracting"):
        left = check_dimensions(name, attributes, f"lhs_{part}", x.ndim)
        right = check_dimensions(name, attributes, f"rhs_{part}", y.ndim, length=len(left))
        if [x.shape[d] for d in left] != [y.shape[d] for d in right]:
            refuse(name, f"{part} dimensions {left} and {right} differ in size", types, "equal sizes")
        sizes.append([x.shape[d] for d in left])
    for side in ("lhs", "rhs"):
        both = set(attributes[f"{side}_batch"]) & set(attributes[f"{side}_contracting"])
        if both:
            refuse(name, f"{side} dimensions {sorted(both)} are both batch and contracting", types, "one of the two")
    dtype = x.dtype
    if attributes.get("dtype") is not None:
        dtype = check_dtype(name, attributes, "dtype", NUMBER)
        if any(kind(dtype) != kind(x.dtype) for kind in (dtypes.is_integer, dtypes.is_float, dtypes.is_complex)):
            refuse(name, f"cannot accumulate in {dtype.name}", types, "an element type of the operands' kind")
    free = [type.shape[d] for type, side in ((x, "lhs"), (y, "rhs")) for d in _free(type.ndim, attributes, side)]
    return (ArrayType([*sizes[0], *free], dtype),)


def _dot_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    x, y = operands
    table = FactorTable()
    left, right = [-1] * x.ndim, [-1] * y.ndim
    out = []
    for i, j in zip(attributes["lhs_batch"], attributes["rhs_batch"], strict=True):
        left[i] = right[j] = table.new(x.shape[i])
        out.append(left[i])
    for type, term, side in ((x, left, "lhs"), (y, right, "rhs")):
        for d in _free(type.ndim, attributes, side):
            term[d] = table.new(type.shape[d])
            out.append(term[d])
    for i, j in zip(attributes["lhs_contracting"], attributes["rhs_contracting"], strict=True):
        left[i] = right[j] = table.new(x.shape[i], "reduced", "sum")
    return table.rule([left, right], [out])


def _dot(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    x, y = values
    dtype = attributes.get("dtype") or x.dtype
    # Narrow floats are summed in float32, and in what is asked for where that is wider.
    wide = sum_dtype(x.dtype, dtype)
    free = _free(x.ndim, attributes, "lhs"), _free(y.ndim, attributes, "rhs")
    batch, contracting = attributes["lhs_batch"], attributes["lhs_contracting"]
    x = x.transpose(*batch, *free[0], *contracting)
    y = y.transpose(*attributes["rhs_batch"], *attributes["rhs_contracting"], *free[1])
    count = len(batch)
    middle = count + len(free[0])
    shapes = x.shape[:count], x.shape[count:middle], x.shape[middle:], y.shape[count + len(contracting):]
    batches, rows, inner, columns = (size_of(shape) for shape in shapes)
    product = np.matmul(x.reshape(batches, rows, inner).astype(wide), y.reshape(batches, inner, columns).astype(wide))
    return (dtypes.cast(product.reshape((*shapes[0], *shapes[1], *shapes[3])), dtype),)


class _Shape:
    """A convolution's shapes, its dimensions in the order batch, features, spatial (as in the kernel's layout)."""

    def __init__(self, types: Types, attributes: Attributes) -> None:
        lhs, rhs = attributes["lhs_layout"], attributes["rhs_layout"]
        self.letters = [c for c in rhs if c not in "OI"]
        self.lhs_order = [lhs.index(c) for c in ["N", "C", *self.letters]]
        self.rhs_order = [rhs.index(c) for c in ["O", "I", *self.letters]]
        self.out_order = [attributes["out_layout"].index(c) for c in ["N", "C", *self.letters]]
        self.batch, self.features, *self.sizes = (types[0].shape[d] for d in self.lhs_order)
        self.out_features, self.in_features, *self.kernel = (types[1].shape[d] for d in self.rhs_order)

    def spatial(self, attributes: Attributes) -> list[int]:
        """The result's spatial sizes."""
        keys = ("window_strides", "padding", "lhs_dilation", "rhs_dilation")
        out = []
        for n, k, stride, (low, high), spread, hole in zip(
            self.sizes, self.kernel, *(attributes[key] for key in keys), strict=True
        ):
            padded = low + (max(n - 1, 0) * spread + 1 if n else 0) + high
            reach = (k - 1) * hole + 1 if k else 0
            out.append(max((padded - reach) // stride + 1, 0) if padded >= 0 else 0)
        return out


def _convolution_type(types: Types, attributes: Attributes, regions: Sequence[Program]) -> Types:
    name = "convolution"
    check(name, types, attributes, regions, 2, _CONVOLUTION)
    x, kernel = types
    check_domain(name, x, NUMBER, types)
    if x.dtype != kernel.dtype or x.ndim != kernel.ndim or x.ndim < 2:
        refuse(name, "operands differ in element type or number of dimensions", types, "equal ones, of two or more")
    count = x.ndim - 2
    _check_layouts(attributes, x.ndim)
    for key in ("window_strides", "lhs_dilation", "rhs_dilation"):
        check_integers(name, attributes, key, count, least=1)
    padding = attributes["padding"]
    pairs = isinstance(padding, tuple) and len(padding) == count
    if not pairs or not all(isinstance(p, tuple) and len(p) == 2 and all(map(is_index, p)) for p in padding):
        raise OperandError(name, "padding does not fit", padding, f"{count} pairs (low, high)")
    features, batches = attributes["feature_groups"], attributes["batch_groups"]
    if not is_index(features) or not is_index(batches) or features < 1 or batches < 1 or min(features, batches) > 1:
        given = f"feature_groups={features}, batch_groups={batches}"
        raise OperandError(name, "groups do not fit", given, "positive numbers, one of them 1")
    shape = _Shape(types, attributes)
    if shape.features != shape.in_features * features or shape.out_features % (features * batches):
        refuse(name, f"features do not fit {features} feature groups and {batches} batch groups", types,
               "operand features = kernel's input features * feature_groups; output features divisible by the groups")
    if shape.batch % batches:
        refuse(name, f"batch {shape.batch} does not fit {batches} batch groups", types, "a batch they divide")
    out = [0] * x.ndim
    sizes = [shape.batch // batches, shape.out_features, *shape.spatial(attributes)]
    for d, n in zip(shape.out_order, sizes, strict=True):
        out[d] = n
    return (x.with_shape(out),)


def _check_layouts(attributes: Attributes, ndim: int) -> None:
    kernel = attributes["rhs_layout"]
    spatial = [c for c in kernel if c not in "OI"] if isinstance(kernel, str) else []
    for key, letters in (("lhs_layout", "NC"), ("rhs_layout", "OI"), ("out_layout", "NC")):
        layout = attributes[key]
        fits = isinstance(layout, str) and len(layout) == ndim and not {"N", "C"} & set(spatial)
        if not fits or sorted(layout) != sorted([*letters, *spatial]) or len(set(layout)) != ndim:
            expected = f"{ndim} different letters: {letters[0]}, {letters[1]} and the spatial ones of rhs_layout"
            raise OperandError("convolution", f"{key} does not fit", layout, expected)


def _convolution_factors(operands: Types, results: Types, attributes: Attributes) -> FactorRule:
    shape = _Shape(operands, attributes)
    table = FactorTable()
    plain = attributes["feature_groups"] == attributes["batch_groups"] == 1
    batch = table.new(shape.batch) if attributes["batch_groups"] == 1 else table.whole(shape.batch)
    out_batch = batch if attributes["batch_groups"] == 1 else table.whole(shape.batch // attributes["batch_groups"])
    if plain:
        features = in_features = table.new(shape.features, "reduced", "sum")
        out_features = table.new(shape.out_features)
    else:
        features, in_features = table.whole(shape.features), table.whole(shape.in_features)
        out_features = table.whole(shape.out_features)
    x, kernel, out = [batch, features], [out_features, in_features], [out_batch, out_features]
    for i, (n, k, m) in enumerate(zip(shape.sizes, shape.kernel, shape.spatial(attributes), strict=True)):
        step = tuple(attributes[key][i] for key in ("window_strides", "padding", "lhs_dilation"))
        pointwise = k == 1 and step == (1, (0, 0), 1)  # each position by itself
        x.append(table.new(n) if pointwise else table.whole(n))
        kernel.append(table.whole(k))
        out.append(x[-1] if pointwise else table.whole(m))
    orders = (x, shape.lhs_order), (kernel, shape.rhs_order), (out, shape.out_order)
    terms = [[term[order.index(d)] for d in range(len(order))] for term, order in orders]
    return table.rule(terms[:2], terms[2:])


def _spread(x: np.ndarray, attributes: Attributes) -> np.ndarray:
    """The operand dilated and padded in its spatial dimensions; negative padding takes away."""
    shape, positions = list(x.shape), [slice(None)] * x.ndim
    cut = list(positions)
    pairs = zip(attributes["padding"], attributes["lhs_dilation"], strict=True)
    for d, ((low, high), spread) in enumerate(pairs, 2):
        n = (x.shape[d] - 1) * spread + 1 if x.shape[d] else 0
        shape[d] = max(low, 0) + n + max(high, 0)
        positions[d] = slice(max(low, 0), max(low, 0) + n, spread)
        cut[d] = slice(max(-low, 0), max(shape[d] + min(high, 0), 0))
    out = np.zeros(shape, x.dtype)
    out[tuple(positions)] = x
    return out[tuple(cut)]


def _convolution(values: Sequence[np.ndarray], attributes: Attributes) -> Sequence[np.ndarray]:
    types = [ArrayType(v.shape, v.dtype) for v in values]
    shape = _Shape(types, attributes)
    dtype, wide = types[0].dtype, compute_dtype(types[0].dtype)
    x = _spread(values[0].transpose(shape.lhs_order).astype(wide), attributes)
    kernel = values[1].transpose(shape.rhs_order).astype(wide)
    spatial = shape.spatial(attributes)
    features, batches = attributes["feature_groups"], attributes["batch_groups"]
    out = np.zeros([shape.batch // batches, shape.out_features, *spatial], wide)
    if out.size and kernel.size and x.size:
        groups = features * batches
        inner = shape.in_features * size_of(shape.kernel)
        windows = _windows_of(x, shape.kernel, attributes)  # batch, features, positions, kernel's positions
        count = len(spatial)
        split = windows.reshape(
            batches, shape.batch // batches, features, shape.in_features, *spatial, *shape.kernel
        )
        # groups, batch, positions, then all that is summed
        order = [0, 2, 1, *range(4, 4 + count), 3, *range(4 + count, 4 + 2 * count)]
        rows = split.transpose(order).reshape(groups, -1, inner)
        columns = kernel.reshape(groups, shape.out_features // groups, inner).transpose(0, 2, 1)
        product = np.matmul(rows, columns).reshape(groups, shape.batch // batches, *spatial, -1)
        out = np.moveaxis(product, (0, -1), (1, 2)).reshape(out.shape)
    return (dtypes.cast(out.transpose(np.argsort(shape.out_order)), dtype),)


def _windows_of(x: np.ndarray, kernel: Sequence[int], attributes: Attributes) -> np.ndarray:
    holes = attributes["rhs_dilation"]
    reach = tuple((k - 1) * hole + 1 for k, hole in zip(kernel, holes, strict=True))
    windows = np.lib.stride_tricks.sliding_window_view(x, reach, axis=tuple(range(2, x.ndim)))
    steps = [slice(None, None, n) for n in (*attributes["window_strides"], *holes)]
    return windows[(slice(None), slice(None), *steps)]


dot_general = OperationRecord(
    "dot_general", "contraction", _dot_type, _dot_factors, quiet(_dot), additive=_BILINEAR, exactness=SUM)
convolution = OperationRecord(
    "convolution", "contraction", _convolution_type, _convolution_factors, quiet(_convolution), additive=_BILINEAR,
    exactness=SUM,
)
