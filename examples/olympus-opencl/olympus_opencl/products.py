"""Products of matrices as generated kernels: tiles in local memory, several elements for each work-item."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation, Value
from olympus_core.toolkit.c_text import joined, split_index, strides_of

from .codegen.emit import HEAD
from .codegen.functions import STORAGE, needed
from .codegen.language import OPENCL
from .devices import Target

_SIDE, _EACH, _DEEP = 16, 4, 16  # work-items along a side, elements of each along a side, terms of a tile

# Addresses of each operand in the text, and the indices that they are made of, by how their names begin.
_ADDRESSES = (("batch", "row", "term"), ("batch_right", "column", "term_right"))
_INDICES = {"b": "z", "r": "i", "c": "j", "t": "k"}

Part = tuple[int, int]  # a dimension's size and stride


@dataclass(frozen=True, eq=False)
class ProductStep:
    """A `dot_general` among the kernels of a program.

    Args:
        inputs: Its operands.
        outputs: Its result.
        attributes: Which dimensions are contracted, and which go side by side.
        reusable: Always empty: no result can share an operand's memory.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    attributes: Any
    reusable: tuple[tuple[int, int], ...] = ()

    @cached_property
    def places(self) -> Mapping[str, Sequence[Part]]:
        """Dimensions that are one for addresses, by the names of addresses in the text."""
        found: dict[str, Sequence[Part]] = {}
        for value, side, names in zip(self.inputs, ("lhs", "rhs"), _ADDRESSES, strict=True):
            shape, strides = value.type.shape, strides_of(value.type.shape)
            batch, terms = (tuple(self.attributes[f"{side}_{role}"]) for role in ("batch", "contracting"))
            free = [d for d in range(len(shape)) if d not in batch + terms]
            for name, dimensions in zip(names, (batch, free, terms), strict=True):
                found[name] = joined([(shape[d], strides[d]) for d in dimensions])
        return found

    @cached_property
    def sizes(self) -> Sequence[int]:
        """Number of products, of their rows, of their columns, and of an element's terms."""
        return [math.prod(size for size, _ in self.places[name]) for name in ("batch", "row", "column", "term")]

    def text(self, target: Target) -> tuple[str, str, tuple[int, ...], tuple[int, ...]]:
        """The source, the function's name, work-items in all and of a group."""
        source, result = self.inputs[0].type.dtype, self.outputs[0].type.dtype
        batch, rows, columns, terms = self.sizes
        side = _SIDE if target.most_threads >= _SIDE * _SIDE else 8
        high, wide = (min(side, 1 << (n - 1).bit_length()) for n in (rows, columns))
        each_row, each_column = (_EACH if n > side else 1 for n in (rows, columns))
        tile_rows, tile_columns = high * each_row, wide * each_column
        sum_type = "double" if dtypes.float64 in (source, result) else "float"
        load = OPENCL.loaded("{}", source)
        words: dict[str, Any] = {
            **{name: split_index(_INDICES[name[0]], parts) for name, parts in self.places.items()},
            "T": sum_type, "S": STORAGE[source], "R": STORAGE[result], "M": rows, "N": columns, "K": terms,
            "H": high, "W": wide, "A": each_row, "B": each_column, "TM": tile_rows, "TN": tile_columns, "D": _DEEP,
            "load_x": load.format("p0[xb + ({row}) + ({term})]"),
            "load_y": load.format("p1[yb + ({column}) + ({term_right})]"),
            "store": OPENCL.stored("sums[a][b]", result),
        }
        body = _TEXT.format(**words | {name: words[name].format(**words) for name in ("load_x", "load_y")})
        grid = (-(-columns // tile_columns) * wide, -(-rows // tile_rows) * high, batch)
        return HEAD + needed(body) + body, "product", grid, (wide, high, 1)


def made_product(operation: Operation, missing: Collection[np.dtype]) -> ProductStep | None:
    """The step of a product of floats, or None where there is none.

    Args:
        operation: An operation.
        missing: Element types that the device has not.
    """
    if operation.name != "dot_general":
        return None
    types = [v.type for v in (*operation.operands, *operation.results)]
    if any(t.dtype in missing or not dtypes.is_float(t.dtype) or t.dtype not in STORAGE or not t.size for t in types):
        return None
    if types[0].dtype != types[1].dtype or max(t.size for t in types) >= 1 << 31:
        return None
    return ProductStep(operation.operands, operation.results, operation.attributes)


_TEXT = """kernel __attribute__((reqd_work_group_size({W}, {H}, 1)))
void product(global const {S}* restrict p0, global const {S}* restrict p1, global {R}* restrict p2) {{
    local {T} x[{D}][{TM} + 1], y[{D}][{TN}];
    const int tx = (int)get_local_id(0), ty = (int)get_local_id(1), t = ty * {W} + tx;
    const int first_row = (int)get_group_id(1) * {TM}, first_column = (int)get_group_id(0) * {TN};
    const int z = (int)get_group_id(2), xb = {batch}, yb = {batch_right};
    {T} sums[{A}][{B}];
    for (int a = 0; a < {A}; ++a)
        for (int b = 0; b < {B}; ++b) sums[a][b] = 0;
    for (int start = 0; start < {K}; start += {D}) {{
        for (int l = t; l < {TM} * {D}; l += {W} * {H}) {{
            const int k = start + l % {D}, i = first_row + l / {D};
            x[l % {D}][l / {D}] = k < {K} && i < {M} ? ({T}){load_x} : 0;
        }}
        for (int l = t; l < {TN} * {D}; l += {W} * {H}) {{
            const int k = start + l / {TN}, j = first_column + l % {TN};
            y[l / {TN}][l % {TN}] = k < {K} && j < {N} ? ({T}){load_y} : 0;
        }}
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int d = 0; d < {D}; ++d)
            for (int a = 0; a < {A}; ++a)
                for (int b = 0; b < {B}; ++b) sums[a][b] += x[d][ty + a * {H}] * y[d][tx + b * {W}];
        barrier(CLK_LOCAL_MEM_FENCE);
    }}
    for (int a = 0; a < {A}; ++a)
        for (int b = 0; b < {B}; ++b) {{
            const int i = first_row + ty + a * {H}, j = first_column + tx + b * {W};
            if (i < {M} && j < {N}) p2[((long)z * {M} + i) * {N} + j] = {store};
        }}
}}
"""
