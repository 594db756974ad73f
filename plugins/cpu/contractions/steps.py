"""Products among the kernels of a native call: which operations become one, and the calls that each takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.program import Operation, Value

from ..codegen.target import Target
from ..native.cache import ObjectCache
from ..native.entry import Step
from ..native.linker import Library
from ..native.schedule import schedule
from .convolution import form_of_convolution, is_rewritable
from .forms import form_of_dot
from .kinds import ProductKind
from .parts import IN_PARTS
from .product import Product, packs_along, packs_rows

CONTRACTIONS = ("dot_general", IN_PARTS.name, "convolution")  # the operations that are products

_SECONDS = 3e-11  # a multiplication and an addition, in one thread
_MOVE = 1e-9  # an element that is packed
_MOST_ROWS = 1 << 21  # beyond, tables of offsets cost more than they are worth
_MOST_SEGMENTS = 1 << 10

_ELEMENTS: dict[np.dtype, str] = {
    dtypes.float32: "float", dtypes.float64: "double", dtypes.bfloat16: "bfloat", dtypes.float16: "half",
    **{dtype: f"i{8 * dtype.itemsize}" for dtype in dtypes.INTEGERS},
}
_COMPUTE = {"bfloat": "float", "half": "float", "i8": "i32", "i16": "i32"}
_WIDER = {("float", "double"): "double", ("i32", "i64"): "i64"}


@dataclass(frozen=True, slots=True, eq=False)
class ProductStep:
    """A product of matrices in a group of kernels.

    Args:
        inputs: First operands of all members, then second operands.
        outputs: The result.
        product: What is multiplied.
        reusable: Always empty: no operand's memory can take the result.
    """

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    product: Product
    reusable: tuple[tuple[int, int], ...] = ()

    @property
    def addresses(self) -> tuple[int, ...]:
        """The descriptors that its kernels read."""
        found = (self.product.descriptor, self.product.pack_descriptor)
        return tuple(int(d.ctypes.data) for d in found if d is not None)

    @property
    def memory(self) -> tuple[int, ...]:
        """Bytes of each piece of memory that is there while it runs: panels, for each member."""
        return (self.product.packed_bytes,) * self.product.members if self.product.packs_columns else ()


def made_step(operation: Operation) -> ProductStep | None:
    """A contraction as a step of a native call; None where it is none, or of a kind that has no code."""
    product = _product(operation, 1)
    return None if product is None else ProductStep(operation.operands, operation.results, product)


def made_sum(operation: Operation, count: int) -> ProductStep | None:
    """The sum of what `count` devices multiply, as one product with so many times more to contract."""
    if operation.results[0].type.dtype not in (dtypes.float32, dtypes.float64):
        return None
    product = _product(operation, count)
    if product is None:
        return None
    inputs = tuple(Value(v.type) for v in operation.operands for _ in range(count))
    return ProductStep(inputs, (Value(operation.results[0].type),), product)


def _product(operation: Operation, members: int) -> Product | None:
    if operation.name not in CONTRACTIONS or not _fits(operation):
        return None
    form = form_of_convolution(operation) if operation.name == "convolution" else form_of_dot(operation)
    if form is None or len(form.segments) > _MOST_SEGMENTS:
        return None
    source, result = (_ELEMENTS[v.type.dtype] for v in (operation.operands[0], operation.results[0]))
    compute = _compute(source, result)
    signed = not dtypes.is_integer(operation.operands[0].type.dtype) or np.issubdtype(
        operation.operands[0].type.dtype, np.signedinteger)
    kind = ProductKind(source, compute, result, bool(signed), packs_rows(form, source, compute))
    parts = operation.attributes.get("parts", 1)
    if parts > 1:  # nobody else needs a part's columns
        kind = kind._replace(packs_rows=True, copies_columns=True, packs_along=packs_along(form, source))
    return Product(form, kind, Target.host(), members, parts)


def _compute(source: str, result: str) -> str:
    compute = _COMPUTE.get(source, source)
    return _WIDER.get((compute, result), compute)


def _fits(operation: Operation) -> bool:
    """Whether there is code for the types, and the sizes are worth it."""
    x, y = (v.type for v in operation.operands)
    out = operation.results[0].type
    if x.dtype not in _ELEMENTS or y.dtype != x.dtype or out.dtype not in _ELEMENTS or out.size == 0:
        return False
    source, result = _ELEMENTS[x.dtype], _ELEMENTS[out.dtype]
    if dtypes.is_integer(x.dtype):
        if not dtypes.is_integer(out.dtype):
            return False
    elif result != _compute(source, result):  # narrow results are rounded once, by the kernel that follows
        return False
    if 0 in (x.size, y.size):
        return False
    if operation.name == "convolution":
        return out.size // out.shape[-1] <= _MOST_ROWS and is_rewritable(operation)
    shared = math.prod(x.shape[d] for d in operation.attributes["lhs_batch"])
    contracted = math.prod(x.shape[d] for d in operation.attributes["lhs_contracting"])
    return max(shared, x.size // (shared * contracted), y.size // (shared * contracted)) <= _MOST_ROWS


def product_steps(
    group: Any, step: ProductStep, cache: ObjectCache | None, level: int, follows: bool
) -> tuple[list[Step], int, Sequence[Any]]:
    """A product's calls, how they are best run, and what they need kept."""
    product, count = step.product, group.count
    steps, mode, kept = packing_steps(group, [step], cache, level)
    if steps:
        follows = len(steps[0].tables) == count and steps[0].chunk >= product.pack_total
    multiply, own, library = multiplying_step(group, step, cache, level)
    if follows and count > 1 and multiply.chunk >= product.total and steps:
        multiply = replace(multiply, joined=True)
    return [*steps, multiply], max(mode, own), (product, kept, library)


def packing_steps(
    group: Any, products: Sequence[ProductStep], cache: ObjectCache | None, level: int
) -> tuple[list[Step], int, Sequence[Any]]:
    """The calls that pack columns for some products, those of one size together; how they are best run; libraries."""
    tables: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    seconds: dict[tuple[int, int], float] = {}
    kept: list[Any] = []
    for step in products:
        pack = step.product.packing(cache, level)
        if pack is None:
            continue
        kept.append(pack)
        key = pack["pack"], step.product.pack_total
        own = [table for device in range(group.count) for table in group.product_tables(step, device)[0]]
        tables.setdefault(key, []).extend(own)
        seconds[key] = seconds.get(key, 0.0) + step.product.packed_bytes / 4 * len(own) * _MOVE
    steps, highest = [], 0
    for (address, total), found in tables.items():
        mode, chunk = schedule(total, seconds[address, total], len(found))
        steps.append(Step(address, total, chunk, tuple(found)))
        highest = max(highest, mode)
    return steps, highest, kept


def multiplying_step(
    group: Any, step: ProductStep, cache: ObjectCache | None, level: int
) -> tuple[Step, int, Library]:
    """The call that multiplies, of packed columns where they are packed; how it is best run; its code."""
    product = step.product
    tables = tuple(group.product_tables(step, device)[1] for device in range(group.count))
    seconds = product.form.multiplications * product.members * group.count * _SECONDS
    mode, chunk = schedule(product.total, seconds, group.count)
    library = product.multiplying(cache, level)
    return Step(library["product"], product.total, chunk, tables), mode, library
