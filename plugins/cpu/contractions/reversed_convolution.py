# SPDX-License-Identifier: Apache-2.0
"""Convolutions whose kernel is reversed: the kernel is read as it was, and packing reverses and transposes it.

The gradient of a convolution's operand is one. A pass of its own over a large kernel takes a third of the time of a
convolution with few rows.
"""

from __future__ import annotations

import numpy as np

from olympus_core import ops
from olympus_core.program import ArrayType, Operation, OperationRecord, Value
from olympus_core.toolkit.passes import Builder

from .gemm_kernel import KC
from .gemm_layout import Inner, merged, offsets_of, order_of_sums, strides_of

# A convolution that reverses its kernel, of any layout, in all spatial dimensions.
REVERSED_CONVOLUTION = OperationRecord("convolution_of_reversed", "contraction", ops.convolution.type_rule)


def planned_reversed(
    new: Builder, x: Value, kernel: Value, letters: str, operation: Operation
) -> Operation | None:
    """The convolution of what a reversed kernel was made of, where sums keep their order; None elsewhere.

    Args:
        new: Knows what made the kernel; nothing is written.
        x: The operand, features last, without its padding. What is given has one with padding in its place.
        kernel: The kernel.
        letters: The spatial dimensions.
        operation: The convolution.
    """
    attributes, made, layout = operation.attributes, new.producer(kernel), operation.attributes["rhs_layout"]
    if made is None or made.name != "reverse" or new.uses[operation.operands[1]] > 1 or sorted(
            made.attributes["dimensions"]) != sorted(map(layout.index, letters)):
        return None
    if attributes["feature_groups"] * attributes["batch_groups"] > 1 or any(n > 1 for n in attributes["lhs_dilation"]):
        return None
    batch, *sizes, features = x.type.shape
    sizes = [n + low + high for n, (low, high) in zip(sizes, attributes["padding"], strict=True)]
    padded = Value(ArrayType((batch, *sizes, features), x.type.dtype))
    usual = f"{letters}IO"
    usual_kernel = Value(ArrayType(tuple(kernel.type.shape[layout.index(c)] for c in usual), kernel.type.dtype))
    plain = {**attributes, "padding": ((0, 0),) * len(letters), "lhs_layout": f"N{letters}C",
             "out_layout": f"N{letters}C"}
    planned = new.make(REVERSED_CONVOLUTION, padded, made.operands[0], **plain)
    as_usual = new.make(ops.convolution, padded, usual_kernel, **{**plain, "rhs_layout": usual})
    orders = [order_of_sums(*contracted_elements(convolution, letters), KC) for convolution in (planned, as_usual)]
    return planned if all(map(np.array_equal, *orders)) else None


def contracted_elements(operation: Operation, letters: str) -> Inner:
    """The contracted elements of a convolution.

    Args:
        operation: The convolution.
        letters: Its spatial dimensions.
    """
    attributes, (x, kernel) = operation.attributes, (v.type for v in operation.operands)
    layouts, size = (attributes["lhs_layout"], attributes["rhs_layout"]), x.dtype.itemsize
    sx, sk = (dict(zip(layout, strides_of(t.shape, size), strict=True))
              for layout, t in zip(layouts, (x, kernel), strict=True))
    nk = dict(zip(layouts[1], kernel.shape, strict=True))
    dilation = dict(zip(letters, attributes["rhs_dilation"], strict=True))
    way = -1 if operation.name == REVERSED_CONVOLUTION.name else 1
    window = [(nk[c], dilation[c] * sx[c], way * sk[c]) for c in letters]
    first = sum((nk[c] - 1) * sk[c] for c in letters) if way < 0 else 0
    inner = merged([*window, (nk["I"], sx["C"], sk["I"])])
    if way > 0:  # the others are in the order in which the usual windows of two dimensions are, whose last is merged
        inner.sort(key=lambda part: part[0] * (2 if part[1] == size else 1))
    *outer, (length, x_stride, y_stride) = inner or [(1, size, size)]
    starts = [offsets_of([p[0] for p in outer], [p[i] for p in outer]) for i in (1, 2)]
    return np.stack([starts[0], first + starts[1]], axis=1), length, x_stride, y_stride
