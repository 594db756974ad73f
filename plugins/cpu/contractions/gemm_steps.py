# SPDX-License-Identifier: Apache-2.0
"""GEMMs among the kernels of a native call: which operations become one, and the calls that each takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.dataclass import dataclass, replace
from olympus_core.program import Operation, Value

from ..codegen.target import Target
from ..machine.choice import choice
from ..native.cache import ObjectCache
from ..native.entry import Step
from ..native.linker import Library
from ..native.schedule import schedule
from .byte_products import BYTE_DOT, NARROW_CONVOLUTION
from .convolution import is_rewritable, layout_of_convolution
from .gemm import Gemm, packs_along, packs_rows
from .gemm_layout import layout_of_dot
from .gemm_variant import GemmVariant, group_of, speed_of, uses_amx, with_tile
from .reversed_convolution import REVERSED_CONVOLUTION
from .split_k import SPLIT_K

# The operations that become GEMMs.
_CONVOLUTIONS = ("convolution", REVERSED_CONVOLUTION.name, NARROW_CONVOLUTION.name)
CONTRACTIONS = ("dot_general", SPLIT_K.name, BYTE_DOT.name, *_CONVOLUTIONS)

_SECONDS = 3e-11  # of a multiply-add, in one thread
_PACK_SECONDS = 1e-9  # of an element that is packed
_MOST_ROWS = 1 << 21  # beyond, tables of offsets cost too much
_MOST_SEGMENTS = 1 << 10

_ELEMENTS: dict[np.dtype, str] = {
    dtypes.float32: "float", dtypes.float64: "double", dtypes.bfloat16: "bfloat", dtypes.float16: "half",
    **{dtype: f"i{8 * dtype.itemsize}" for dtype in dtypes.INTEGERS},
}
_COMPUTE = {"bfloat": "float", "half": "float", "i8": "i32", "i16": "i32"}
_WIDER = {("float", "double"): "double", ("i32", "i64"): "i64"}


@dataclass(frozen=True, slots=True, eq=False)
class GemmStep:
    """A GEMM in a group of kernels.

    Args:
        inputs: The first operands of all members, then the second operands.
        outputs: The result.
        gemm: What is multiplied.
        reusable: Always empty: the result cannot overwrite an operand.
        name: The operation.
        location: The user's line.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    gemm: Gemm
    reusable: tuple[tuple[int, int], ...] = ()
    name: str = "product"
    location: str | None = None

    @property
    def addresses(self) -> tuple[int, ...]:
        """The descriptors that its kernels read."""
        found = (self.gemm.descriptor, self.gemm.pack_descriptor)
        return tuple(int(d.ctypes.data) for d in found if d is not None)

    @property
    def columns(self) -> tuple[Value, ...]:
        """The operands whose columns are packed, one of each member."""
        return self.inputs[self.gemm.members:]

    @property
    def memory(self) -> tuple[int, ...]:
        """Bytes of each temporary: the packed panels of each member."""
        return (self.gemm.packed_bytes,) * self.gemm.members if self.gemm.packs_columns else ()


def made_step(operation: Operation) -> GemmStep | None:
    """A contraction as a step of a native call; None for other operations, and where there is no code."""
    gemm = _gemm(operation, 1)
    if gemm is None:
        return None
    return GemmStep(operation.operands, operation.results, gemm, (), operation.name, operation.location)


def made_sum(operation: Operation, count: int) -> GemmStep | None:
    """The sum over `count` devices of their matrix products, as one GEMM over the contracted elements of all.

    Devices of other processes cannot be in it, so results would depend on the number of processes.
    """
    if choice().is_reproducible or operation.results[0].type.dtype not in (dtypes.float32, dtypes.float64):
        return None
    gemm = _gemm(operation, count)
    # What stands in front of a panel of words is of one operand, not of all devices'.
    if gemm is None or gemm.variant.group > 1:
        return None
    inputs = tuple(Value(v.type) for v in operation.operands for _ in range(count))
    results = (Value(operation.results[0].type),)
    return GemmStep(inputs, results, gemm, (), operation.name, operation.location)


def _gemm(operation: Operation, members: int) -> Gemm | None:
    if operation.name not in CONTRACTIONS or not _fits(operation):
        return None
    layout = layout_of_convolution(operation) if operation.name in _CONVOLUTIONS else layout_of_dot(operation)
    if layout is None or len(layout.segments) > _MOST_SEGMENTS:
        return None
    source, result = (_ELEMENTS[v.type.dtype] for v in (operation.operands[0], operation.results[0]))
    compute = _compute(source, result)
    signed, other = (not dtypes.is_integer(v.type.dtype) or np.issubdtype(v.type.dtype, np.signedinteger)
                     for v in operation.operands)
    target = Target.host()
    variant = GemmVariant(source, compute, result, bool(signed), packs_rows(layout, source, compute))
    splits = operation.attributes.get("splits", 1)
    if splits > 1:  # no other task reads the same columns
        variant = variant._replace(packs_rows=True, copies_columns=True, packs_along=packs_along(layout, source))
    else:
        group = group_of(source, compute, layout.length, target)
        if signed != other and group == 1:
            return None
        amx = uses_amx(source, compute, layout.length, target)
        if source == "bfloat" and operation.name in _CONVOLUTIONS and not amx:
            return None  # as float32 they are read where they lie
        variant = variant._replace(group=group, is_mixed=bool(signed != other), uses_amx=amx)
    variant = with_tile(variant, target, len(layout.x_rows), len(layout.y_columns))
    return Gemm(layout, variant, target, members, splits)


def _compute(source: str, result: str) -> str:
    compute = _COMPUTE.get(source, source)
    return _WIDER.get((compute, result), compute)


def _fits(operation: Operation) -> bool:
    """Whether there is code for the element types, and tables of offsets are small enough."""
    x, y = (v.type for v in operation.operands)
    out = operation.results[0].type
    if not {x.dtype, y.dtype, out.dtype} <= _ELEMENTS.keys() or out.size == 0:
        return False
    source, result = _ELEMENTS[x.dtype], _ELEMENTS[out.dtype]
    if source != _ELEMENTS[y.dtype]:
        return False
    if dtypes.is_integer(x.dtype):
        if not dtypes.is_integer(out.dtype):
            return False
    elif result != _compute(source, result):  # the kernel that follows rounds narrow results, once
        return False
    if 0 in (x.size, y.size):
        return False
    if operation.name in _CONVOLUTIONS:
        return out.size // out.shape[-1] <= _MOST_ROWS and is_rewritable(operation)
    shared = math.prod(x.shape[d] for d in operation.attributes["lhs_batch"])
    contracted = math.prod(x.shape[d] for d in operation.attributes["lhs_contracting"])
    return max(shared, x.size // (shared * contracted), y.size // (shared * contracted)) <= _MOST_ROWS


def gemm_calls(
    group: Any, step: GemmStep, cache: ObjectCache | None, level: int, follows: bool
) -> tuple[list[Step], int, Sequence[Any]]:
    """A GEMM's calls, their mode, and what must be kept alive for them."""
    gemm, count = step.gemm, group.count
    steps, mode, kept = packing_calls(group, [step], cache, level)
    if steps:
        follows = len(steps[0].tables) == count and steps[0].chunk >= gemm.pack_total
    multiply, own, library = multiply_call(group, step, cache, level)
    if follows and count > 1 and multiply.chunk >= gemm.total and steps:
        multiply = replace(multiply, joined=True)
    return [*steps, multiply], max(mode, own), (gemm, kept, library)


def packing_calls(
    group: Any, gemms: Sequence[GemmStep], cache: ObjectCache | None, level: int
) -> tuple[list[Step], int, Sequence[Any]]:
    """The calls that pack the columns of some GEMMs, those of equal sizes together; their mode; their libraries."""
    tables: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    seconds: dict[tuple[int, int], float] = {}
    kept: list[Any] = []
    for step in gemms:
        pack = step.gemm.packing(cache, level)
        if pack is None:
            continue
        kept.append(pack)
        key = pack["pack"], step.gemm.pack_total
        own = [table for device in range(group.count) for table in group.gemm_tables(step, device)[0]]
        tables.setdefault(key, []).extend(own)
        seconds[key] = seconds.get(key, 0.0) + step.gemm.packed_bytes / 4 * len(own) * _PACK_SECONDS
    steps, highest = [], 0
    for (address, total), found in tables.items():
        mode, chunk = schedule(total, seconds[address, total], len(found))
        steps.append(Step(address, total, chunk, tuple(found)))
        highest = max(highest, mode)
    return steps, highest, kept


def multiply_call(
    group: Any, step: GemmStep, cache: ObjectCache | None, level: int
) -> tuple[Step, int, Library]:
    """The call that multiplies; its mode; its library."""
    gemm = step.gemm
    tables = tuple(group.gemm_tables(step, device)[1] for device in range(group.count))
    seconds = gemm.layout.multiplications * gemm.members * group.count * _SECONDS / (
        gemm.variant.group * speed_of(gemm.variant))
    mode, chunk = schedule(gemm.total, seconds, group.count)
    library = gemm.multiplying(cache, level)
    return Step(library["product"], gemm.total, chunk, tables), mode, library
