# SPDX-License-Identifier: Apache-2.0
"""Convolutions as GEMMs: windows are rows that overlap in memory (implicit im2col); only padding is copied.

Two forms are read where they lie: features last, and what gives the gradient of such a convolution's weights, where the
features of its operand are the batch, and its batch is contracted.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.program import Operation, Value
from olympus_core.toolkit.passes import Builder, Match

from ..codegen.target import Target
from .byte_products import NARROW_CONVOLUTION, narrow_operands
from .gemm_layout import GemmLayout, offsets_of, strides_of
from .reversed_convolution import REVERSED_CONVOLUTION, contracted_elements, planned_reversed
from .transposed_convolution import polyphase_convolution

_NARROW = frozenset({dtypes.float16, dtypes.bfloat16, *dtypes.NARROW_FLOATS})
_MOST_TERMS = 32  # window elements of a depthwise convolution that one fused kernel holds


def is_rewritable(operation: Operation) -> bool:
    """Whether there is code for a convolution: it is neither empty nor complex."""
    values = (*operation.operands, *operation.results)
    return all(v.type.size > 0 for v in values) and not dtypes.is_complex(operation.operands[0].type.dtype)


def rewritten_convolution(new: Builder, match: Match, has_code: Callable[[Operation], bool]) -> Value | None:
    """The convolution in a form that is read where it lies, with explicit padding; of bytes where they were widened,
    and of bfloat16 where that is multiplied by AMX.

    Args:
        new: Where it is written.
        match: The convolution.
        has_code: Whether an operation becomes a GEMM.

    Returns:
        Its result; None if it has that form already.
    """
    operation, (x, kernel) = match.operation, match.operands
    attributes, result = operation.attributes, operation.results[0]
    spatial = [c for c in attributes["rhs_layout"] if c not in "OI"]
    letters = "".join(spatial)
    narrow = narrow_operands(new, match.operands, result.type.dtype)
    if x.type.dtype == dtypes.bfloat16 and Target.host().has_amx_bfloats:
        narrow = match.operands
    if _is_canonical(operation, letters):
        made = None if narrow is None else new.make(NARROW_CONVOLUTION, *narrow, **attributes, dtype=result.type.dtype)
        return None if made is None or not has_code(made) else new.emit(made)[0]
    wide = dtypes.float32 if x.type.dtype in _NARROW else x.type.dtype
    groups = attributes["feature_groups"]
    is_depthwise = groups > 1 and x.type.shape[attributes["lhs_layout"].index("C")] == groups == kernel.type.shape[
        attributes["rhs_layout"].index("O")] and kernel.type.size // groups <= _MOST_TERMS
    if narrow is None or is_depthwise:
        x, kernel = new.convert(x, wide), new.convert(kernel, wide)
    else:
        x, kernel = narrow
    if _is_of_weights(operation) and (narrow is None or x.type.dtype == dtypes.bfloat16):
        x = _padded(new, x, attributes["lhs_layout"], letters, attributes["padding"], attributes["lhs_dilation"])
        done = {"padding": ((0, 0),) * len(letters), "lhs_dilation": (1,) * len(letters)}
        return new.convert(_summed(new, {**attributes, **done}, wide, has_code, x, kernel), result.type.dtype)
    convolve = partial(_plain, new, letters, wide, has_code)
    x = new.transpose(x, _order(attributes["lhs_layout"], f"N{letters}C"))
    found = _of_reversed(new, x, kernel, letters, operation, has_code)
    if found is not None:
        return _finished(new, found, letters, operation)
    kernel = new.transpose(kernel, _order(attributes["rhs_layout"], f"{letters}IO"))
    padding, dilation = attributes["padding"], attributes["lhs_dilation"]
    plain = (1,) * len(spatial)
    steps = {"window_strides": attributes["window_strides"], "rhs_dilation": attributes["rhs_dilation"]}
    if dilation != plain and groups == attributes["batch_groups"] == 1 and plain == steps["window_strides"] == (
            steps["rhs_dilation"]):
        sizes = [result.type.shape[attributes["out_layout"].index(c)] for c in letters]
        phases = polyphase_convolution(
            new, x, kernel, dilation, padding, sizes, wide, lambda x, kernel, padding: convolve(
                _padded(new, x, f"N{letters}C", letters, padding, plain), kernel,
                {**steps, "feature_groups": 1, "batch_groups": 1}))
        if phases is not None:
            return _finished(new, phases, letters, operation)
    x = _padded(new, x, f"N{letters}C", letters, padding, dilation)
    if is_depthwise:
        out = _depthwise(new, x, kernel, **steps)
    else:
        out = convolve(x, kernel, {**steps, "feature_groups": groups, "batch_groups": attributes["batch_groups"]})
    return _finished(new, out, letters, operation)


def _of_reversed(
    new: Builder, x: Value, kernel: Value, letters: str, operation: Operation, has_code: Callable[[Operation], bool]
) -> Value | None:
    """A convolution that reads what its reversed kernel was made of; None where that cannot be."""
    attributes = operation.attributes
    planned = planned_reversed(new, x, kernel, letters, operation)
    if planned is None or not has_code(planned):
        return None
    x = _padded(new, x, f"N{letters}C", letters, attributes["padding"], attributes["lhs_dilation"])
    return new.apply(REVERSED_CONVOLUTION, x, planned.operands[1], **planned.attributes)


def _padded(new: Builder, x: Value, layout: str, letters: str, padding: Any, dilation: Sequence[int]) -> Value:
    """The operand with padding, and with the zeros of its dilation, which are by letter."""
    if all(p == (0, 0) for p in padding) and all(n == 1 for n in dilation):
        return x
    zero = new.apply(ops.constant, value=np.zeros((), x.type.dtype))
    at = [letters.find(c) for c in layout]  # -1 where nothing is added
    low, high = (tuple(padding[d][i] if d >= 0 else 0 for d in at) for i in (0, 1))
    interior = tuple(dilation[d] - 1 if d >= 0 else 0 for d in at)
    return new.apply(ops.pad, x, zero, low=low, high=high, interior=interior)


def _plain(
    new: Builder, letters: str, wide: np.dtype, has_code: Callable[[Operation], bool], x: Value, kernel: Value,
    steps: dict[str, Any],
) -> Value:
    """A convolution with features last and no padding; of narrow elements where that has code."""
    attributes = {
        **steps, "padding": ((0, 0),) * len(letters), "lhs_dilation": (1,) * len(letters),
        "lhs_layout": f"N{letters}C", "rhs_layout": f"{letters}IO", "out_layout": f"N{letters}C"}
    return _summed(new, attributes, wide, has_code, x, kernel)


def _summed(
    new: Builder, attributes: dict[str, Any], wide: np.dtype, has_code: Callable[[Operation], bool], x: Value,
    kernel: Value,
) -> Value:
    """A convolution that is read where it lies, summed in a wide type; of narrow elements where that has code."""
    if x.type.dtype != wide:
        made = new.make(NARROW_CONVOLUTION, x, kernel, **attributes, dtype=wide)
        if has_code(made):
            return new.emit(made)[0]
        x, kernel = new.convert(x, wide), new.convert(kernel, wide)
    return new.apply(ops.convolution, x, kernel, **attributes)


def _finished(new: Builder, out: Value, letters: str, operation: Operation) -> Value:
    """The result, converted to its type and layout."""
    out = new.convert(out, operation.results[0].type.dtype)
    return new.transpose(out, _order(f"N{letters}C", operation.attributes["out_layout"]))


def layout_of_convolution(operation: Operation) -> GemmLayout | None:
    """The layout of a convolution that is read where it lies, without padding; None for others."""
    attributes = operation.attributes
    letters = "".join(c for c in attributes["rhs_layout"] if c not in "OI")
    if not _is_canonical(operation, letters):
        return None
    x, kernel, out = (v.type for v in (*operation.operands, *operation.results))
    layouts = [attributes[key] for key in ("lhs_layout", "rhs_layout", "out_layout")]
    sx, sk, so = (dict(zip(layout, strides_of(t.shape, t.dtype.itemsize), strict=True))
                  for layout, t in zip(layouts, (x, kernel, out), strict=True))
    nx, nk, no = (dict(zip(layout, t.shape, strict=True)) for layout, t in zip(layouts, (x, kernel, out), strict=True))
    strides = dict(zip(letters, attributes["window_strides"], strict=True))
    features, batches = attributes["feature_groups"], attributes["batch_groups"]
    groups, size = features * batches, x.dtype.itemsize
    each_out = nk["O"] // groups
    segments, length, x_stride, y_stride = contracted_elements(operation, letters)
    group = np.arange(groups, dtype=np.int64)
    of_batch = nx["N"] // batches * sx["N"] if batches > 1 else nk["I"] * sx["C"]
    rows = layouts[2].replace("C", "")
    return GemmLayout(
        offsets_of([no[c] for c in rows], [sx[c] * strides.get(c, 1) for c in rows]),
        np.arange(each_out, dtype=np.int64) * sk["O"],
        offsets_of([no[c] for c in rows], [so[c] for c in rows]),
        group * of_batch, group * (each_out * size), group * (each_out * out.dtype.itemsize),
        segments, length, x_stride, y_stride,
    )


def _is_canonical(operation: Operation, letters: str) -> bool:
    """Whether a convolution is read where it lies, and has nothing that is written out."""
    attributes = operation.attributes
    layouts = [attributes[key] for key in ("lhs_layout", "rhs_layout", "out_layout")]
    narrow = operation.operands[0].type.dtype in _NARROW and operation.name != NARROW_CONVOLUTION.name
    groups = attributes["feature_groups"]
    kernel = operation.operands[1].type.shape
    depthwise = groups > 1 and groups == operation.operands[0].type.shape[layouts[0].index("C")] == (
        kernel[layouts[1].index("O")]) and operation.operands[1].type.size // groups <= _MOST_TERMS
    features_last = layouts[::2] == [f"N{letters}C"] * 2 and (
        layouts[1] == f"{letters}IO" or operation.name == REVERSED_CONVOLUTION.name)
    return (features_last or _is_of_weights(operation)) and _is_plain(operation) and not narrow and not depthwise


def _is_plain(operation: Operation) -> bool:
    attributes = operation.attributes
    return all(p == (0, 0) for p in attributes["padding"]) and all(n == 1 for n in attributes["lhs_dilation"])


def _is_of_weights(operation: Operation) -> bool:
    """Whether a convolution has the form of the gradient of weights: rows of all batches are contiguous in memory."""
    attributes = operation.attributes
    last = "".join(attributes[key][-1] for key in ("lhs_layout", "rhs_layout", "out_layout"))
    return last == "NOC" and attributes["feature_groups"] == attributes["batch_groups"] == 1


def _order(given: str, wanted: str) -> tuple[int, ...]:
    return tuple(given.index(letter) for letter in wanted)


def _depthwise(new: Builder, x: Value, kernel: Value, window_strides: Any, rhs_dilation: Any) -> Value:
    """A depthwise convolution as a sum over window elements of shifted operands, which becomes one kernel."""
    window, shape = kernel.type.shape[:-2], x.type.shape
    sizes = [n - (k - 1) * d for n, k, d in zip(shape[1:-1], window, rhs_dilation, strict=True)]
    total: Value | None = None
    for element in itertools.product(*map(range, window)):
        starts = (0, *(p * d for p, d in zip(element, rhs_dilation, strict=True)), 0)
        limits = (shape[0], *(s + n for s, n in zip(starts[1:-1], sizes, strict=True)), shape[-1])
        part = new.apply(ops.slice, x, starts=starts, limits=limits, strides=(1, *window_strides, 1))
        at = (*element, 0, 0)
        weight = new.apply(
            ops.slice, kernel, starts=at, limits=(*(p + 1 for p in element), 1, shape[-1]), strides=(1,) * len(at))
        weight = new.apply(ops.reshape, weight, shape=(shape[-1],))
        term = new.apply(ops.mul, part, new.broadcast(weight, part.type.shape, (len(shape) - 1,)))
        total = term if total is None else new.apply(ops.add, total, term)
    return total if total is not None else x
