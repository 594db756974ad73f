# SPDX-License-Identifier: Apache-2.0
"""Reductions, windows, sorting, products, gather and scatter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArtefactError

from ... import lax
from ...dimension_numbers import ConvDimensionNumbers, GatherDimensionNumbers, ScatterDimensionNumbers
from ...tracing import aval_of
from ...transforms.batching import vmap
from ...transforms.derivatives import vjp
from .bytecode import Block, Instruction
from .elementwise import TOTAL_ORDER, ordered
from .module import Step, Translation
from .vhlo import FunctionType

_SCATTERS: Mapping[str, Callable[..., Any]] = {
    "add": lax.scatter_add, "multiply": lax.scatter_mul, "minimum": lax.scatter_min, "maximum": lax.scatter_max,
    "subtract": lax.scatter_sub}
_LESS, _GREATER, _EQUAL, _AT_LEAST = 5, 3, 0, 2  # directions of comparisons
_MOST_KEYS = 32


def _fold(step: Step) -> tuple[list[Any], list[Any], Callable[..., Any]]:
    """Arrays, what to begin with, and a function of two of each."""
    half, rest = divmod(len(step.arrays()), 2)
    if rest or not half or len(step.regions) != 1:
        raise step.refused("its operands are no pairs")
    region = step.regions[0]
    if half == 1:
        return step.operands[:1], step.operands[1:], lambda x, y: region(x, y)[0]
    return step.operands[:half], step.operands[half:], lambda xs, ys: region(*xs, *ys)


def _reduce(step: Step) -> Any:
    arrays, starts, function = _fold(step)
    dimensions = step.integers("dimensions")
    if len(arrays) == 1:
        return lax.reduce(arrays[0], starts[0], function, dimensions)
    return lax.reduce(arrays, starts, function, dimensions)


def _reduce_window(step: Step) -> Any:
    arrays, starts, function = _fold(step)
    several = len(arrays) > 1
    return lax.reduce_window(
        arrays if several else arrays[0], starts if several else starts[0], function,
        step.integers("window_dimensions"), step.integers("window_strides"), _pairs(step, "padding"),
        step.integers("base_dilations"), step.integers("window_dilations"))


def _pairs(step: Step, name: str) -> list[tuple[int, int]]:
    found = step.numbers(name)
    if found.ndim != 2 or found.shape[1] != 2:
        raise step.refused(f"{name} are no pairs")
    return [(int(low), int(high)) for low, high in found]


def _select_and_scatter(step: Step) -> Any:
    """The slope of a maximum or minimum of windows, which is what JAX uses it for."""
    x, source, start = step.arrays(3)
    kinds = [_single(block) for block in step.blocks]
    compared = kinds[0]
    if compared is None or compared.name != "vhlo.compare_v1" or compared.operands != _arguments(step.blocks[0]) or (
            kinds[1] is None or kinds[1].name != "vhlo.add_v1" or set(kinds[1].operands) != {*_arguments(
                step.blocks[1])}) or not dtypes.is_float(aval_of(x).dtype):
        raise step.refused("it selects or scatters by other functions than comparison and addition")
    direction = step.module.entries.properties("compare_v1", compared)[0]["comparison_direction"]
    if direction not in (_AT_LEAST, 4):
        raise step.refused("it selects by another comparison")
    extreme = (lax.max, -np.inf) if direction == _AT_LEAST else (lax.min, np.inf)
    how = step.integers("window_dimensions"), step.integers("window_strides"), _pairs(step, "padding")

    def windows(values: Any) -> Any:
        return lax.reduce_window(values, np.array(extreme[1], aval_of(x).dtype), extreme[0], *how)

    slope, = vjp(windows, x)[1](source)
    return lax.add(slope, lax.broadcast_in_dim(start, aval_of(x).shape, ()))


def _arguments(block: Block) -> list[int]:
    return [block.first + i for i in range(len(block.arguments))]


def _single(block: Block) -> Instruction | None:
    """The one operation of a block whose result it returns; None where there are more."""
    if len(block.operations) != 2 or block.operations[1].operands != [block.operations[0].first]:
        return None
    return block.operations[0]


def _sort(step: Step) -> Any:
    """Sorted by the keys that the comparator compares, one after the other; each as integers in its order."""
    block, arrays = step.blocks[0], step.arrays()
    if len(step.blocks) != 1 or len(block.arguments) != 2 * len(arrays) or not block.operations:
        raise step.refused("its comparator takes other arguments")
    results = block.operations[-1].operands
    keys = _keys(step, results[0], 0) if len(results) == 1 else []
    shape = aval_of(arrays[0]).shape
    rows = [lax.reshape(x, (_size(shape),)) for x in arrays]
    found = []
    for number, direction, is_float in keys:
        def of(*elements: Any, number: int = number) -> Any:
            return step.value(0, number, [x for element in elements for x in (element, element)])

        key = vmap(of)(*rows)
        if aval_of(key).dtype == np.bool_:
            key = lax.convert_element_type(key, np.dtype("uint8"))
        key = ordered(step, key) if is_float else key
        found.append(lax.reshape(lax.bitwise_not(key) if direction == _GREATER else key, shape))
    sorted_ = lax.sort((*found, *arrays), step.integer("dimension"), step.flag("is_stable"), len(found))
    return list(sorted_[len(found):])


def _size(shape: Sequence[int]) -> int:
    """The number of elements of a shape."""
    return int(np.prod(shape, dtype=np.int64))


def _keys(step: Step, number: int, depth: int) -> list[tuple[int, int, bool]]:
    """For each key of a comparator the number of its value for the first element, the direction, whether it is a float.

    A comparator is ``x < y``, or ``x < y or (x == y and comparator)``.
    """
    made = {operation.first: operation for operation in step.blocks[0].operations[:-1]}
    operation = made.get(number)
    if operation is None or depth > _MOST_KEYS:
        raise step.refused("its comparator is none that is known")
    if operation.name == "vhlo.compare_v1":
        return [_key(step, made, operation)]
    if operation.name == "vhlo.or_v1" and len(operation.operands) == 2:
        first, rest = (made.get(n) for n in operation.operands)
        if first is not None and rest is not None and first.name == "vhlo.compare_v1" and rest.name == "vhlo.and_v1":
            equal = made.get(rest.operands[0])
            key = _key(step, made, first)
            if equal is not None and equal.name == "vhlo.compare_v1" and equal.operands == first.operands:
                how = step.module.entries.properties("compare_v1", equal)[0]
                if how["comparison_direction"] == _EQUAL and (how["compare_type"] == TOTAL_ORDER or not key[2]):
                    return [key, *_keys(step, rest.operands[1], depth + 1)]
    raise step.refused("its comparator is none that is known")


def _key(step: Step, made: Mapping[int, Instruction], operation: Instruction) -> tuple[int, int, bool]:
    how = step.module.entries.properties("compare_v1", operation)[0]
    x, y = operation.operands
    first = step.blocks[0].first
    arguments = range(first, first + len(step.blocks[0].arguments))
    # The same function of the first element and of the second.
    if _tree(step, made, arguments, x, 0, 0) != _tree(step, made, arguments, y, 1, 0):
        raise step.refused("its comparator compares different functions of two elements")
    type = step.module.entries.array_type(made[x].results[0] if x in made else step.blocks[0].arguments[x - first])
    is_float = dtypes.is_float(type.dtype)
    if how["comparison_direction"] not in (_LESS, _GREATER) or type.shape or dtypes.is_complex(type.dtype) or (
            is_float and how["compare_type"] != TOTAL_ORDER):
        raise step.refused("its comparator is no total order")
    return x, how["comparison_direction"], is_float


def _tree(
    step: Step, made: Mapping[int, Instruction], arguments: range, number: int, side: int, depth: int
) -> tuple[Any, ...]:
    """What a value is made of, in terms of one of the two elements."""
    if number in arguments:
        place = number - arguments.start
        if place % 2 != side:
            raise step.refused("its comparator mixes two elements")
        return ("element", place // 2)
    operation = made.get(number)
    if operation is None:
        return ("outside", number)
    if operation.regions or len(operation.results) != 1 or depth > _MOST_KEYS:
        raise step.refused("its comparator is none that is known")
    return (operation.name, operation.properties, operation.results[0],
            *(_tree(step, made, arguments, n, side, depth + 1) for n in operation.operands))


def _gather(step: Step) -> Any:
    x, indices = step.arrays(2)
    numbers = GatherDimensionNumbers(
        step.integers("offset_dims"), step.integers("collapsed_slice_dims"), step.integers("start_index_map"),
        *((step.integers("operand_batching_dims"), step.integers("start_indices_batching_dims"))
          if "operand_batching_dims" in step.properties else ()))
    return lax.gather(x, _vectors_last(step, indices), numbers, step.integers("slice_sizes"), mode="clip")


def _vectors_last(step: Step, indices: Any) -> Any:
    """Indices whose last dimension holds their vectors."""
    shape, dimension = aval_of(indices).shape, step.integer("index_vector_dim")
    if dimension == len(shape):
        return lax.reshape(indices, (*shape, 1))
    if dimension != len(shape) - 1:
        raise step.refused("the vectors of its indices do not stand in the last dimension")
    return indices


def _scatter(step: Step) -> Any:
    x, indices, updates = step.arrays(3)
    numbers = ScatterDimensionNumbers(
        step.integers("update_window_dims"), step.integers("inserted_window_dims"),
        step.integers("scatter_dims_to_operand_dims"),
        *((step.integers("input_batching_dims"), step.integers("scatter_indices_batching_dims"))
          if "input_batching_dims" in step.properties else ()))
    block = step.blocks[0]
    if len(step.blocks) != 1 or len(block.arguments) != 2 or not block.operations:
        raise step.refused("its update is no function of two numbers")
    old, new = _arguments(block)
    single = _single(block)
    if block.operations[-1].operands == [new] and len(block.operations) == 1:
        function: Callable[..., Any] | None = lax.scatter
    elif single is None or single.operands != [old, new] and (
            single.operands != [new, old] or single.name == "vhlo.subtract_v1"):
        function = None
    else:
        function = _SCATTERS.get(single.name.removeprefix("vhlo.").removesuffix("_v1"))
    if function is None or aval_of(x).dtype == np.bool_ and function is not lax.scatter:
        raise step.refused("its update is another function than addition, multiplication, an extreme or replacement")
    return function(x, _vectors_last(step, indices), updates, numbers)


def _dot_general(step: Step) -> Any:
    x, y = step.arrays(2)
    if any(isinstance(step.properties.get(name), (FunctionType, np.ndarray)) or step.properties.get(name) is not None
           for name in ("accumulation_type", "lhs_precision_type", "rhs_precision_type")):
        raise step.refused("it asks for an algorithm of products")
    numbers = ((step.integers("lhs_contracting_dimensions"), step.integers("rhs_contracting_dimensions")),
               (step.integers("lhs_batching_dimensions"), step.integers("rhs_batching_dimensions")))
    return lax.dot_general(x, y, numbers, preferred_element_type=step.type.dtype)


def _convolution(step: Step) -> Any:
    x, kernel = step.arrays(2)
    spatial = step.integers("kernel_spatial_dimensions")
    reversal = step.integers("window_reversal")
    if len(reversal) != len(spatial):
        raise ArtefactError("a convolution of its module has other windows than dimensions")
    if any(reversal):
        kernel = lax.rev(kernel, [d for d, is_reversed in zip(spatial, reversal, strict=True) if is_reversed])
    numbers = ConvDimensionNumbers(*(
        (step.integer(f"{side}_{first}_dimension"), step.integer(f"{side}_{second}_dimension"),
         *step.integers(f"{side}_spatial_dimensions"))
        for side, first, second in (("input", "batch", "feature"), ("kernel", "output_feature", "input_feature"),
                                    ("output", "batch", "feature"))))
    return lax.conv_general_dilated(
        x, kernel, step.integers("window_strides"), _pairs(step, "padding"), step.integers("lhs_dilation"),
        step.integers("rhs_dilation"), numbers, step.integer("feature_group_count"), step.integer("batch_group_count"),
        preferred_element_type=step.type.dtype)


FOLDING: Mapping[str, Translation] = {
    "convolution": _convolution, "dot_general": _dot_general, "gather": _gather, "reduce": _reduce,
    "reduce_window": _reduce_window, "scatter": _scatter, "select_and_scatter": _select_and_scatter, "sort": _sort}

__all__ = ["FOLDING"]
