# SPDX-License-Identifier: Apache-2.0
"""Operations that work element by element, and those that arrange elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArtefactError

from ... import lax
from ...tracing import aval_of, bind
from .module import Step, Translation
from .vhlo import Constant

_UNARY: Mapping[str, Callable[[Any], Any]] = {
    "abs": lax.abs, "cbrt": lax.cbrt, "ceil": lax.ceil, "cosine": lax.cos, "count_leading_zeros": lax.clz,
    "exponential": lax.exp, "exponential_minus_one": lax.expm1, "floor": lax.floor, "imag": lax.imag,
    "is_finite": lax.is_finite, "log": lax.log, "log_plus_one": lax.log1p, "logistic": lax.logistic,
    "negate": lax.neg, "not": lax.bitwise_not, "popcnt": lax.population_count, "real": lax.real,
    "round_nearest_afz": lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
    "round_nearest_even": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN),
    "rsqrt": lax.rsqrt, "sign": lax.sign, "sine": lax.sin, "sqrt": lax.sqrt, "tan": lax.tan, "tanh": lax.tanh,
}
_BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": lax.add, "and": lax.bitwise_and, "atan2": lax.atan2, "complex": lax.complex, "divide": lax.div,
    "maximum": lax.max, "minimum": lax.min, "multiply": lax.mul, "or": lax.bitwise_or, "power": lax.pow,
    "remainder": lax.rem, "shift_left": lax.shift_left, "shift_right_arithmetic": lax.shift_right_arithmetic,
    "shift_right_logical": lax.shift_right_logical, "subtract": lax.sub, "xor": lax.bitwise_xor,
}
# Of truth values, addition is `or`, and so on.
_LOGICAL: Mapping[str, Callable[[Any, Any], Any]] = {
    "add": lax.bitwise_or, "maximum": lax.bitwise_or, "multiply": lax.bitwise_and, "minimum": lax.bitwise_and,
}
_DIRECTIONS: Mapping[int, Callable[[Any, Any], Any]] = {
    0: lax.eq, 1: lax.ne, 2: lax.ge, 3: lax.gt, 4: lax.le, 5: lax.lt}
TOTAL_ORDER = 2
_COMPOSITE = "chlo."  # how the names of functions begin that modules give with their meaning


def _unary(function: Callable[[Any], Any]) -> Translation:
    return lambda step: function(*step.arrays(1))


def _binary(name: str, function: Callable[[Any, Any], Any]) -> Translation:
    def translate(step: Step) -> Any:
        x, y = step.arrays(2)
        is_logical = name in _LOGICAL and aval_of(x).dtype == np.bool_
        return (_LOGICAL[name] if is_logical else function)(x, y)

    return translate


def _compare(step: Step) -> Any:
    x, y = step.arrays(2)
    direction = _DIRECTIONS.get(step.integer("comparison_direction"))
    if direction is None:
        raise step.refused("its direction is none")
    if step.integer("compare_type") == TOTAL_ORDER and dtypes.is_float(aval_of(x).dtype):
        x, y = ordered(step, x), ordered(step, y)
    return direction(x, y)


def ordered(step: Step, x: Any) -> Any:
    """Integers in the total order of floats: -NaN, -inf, ..., -0, 0, ..., inf, NaN."""
    dtype = np.dtype(f"int{8 * aval_of(x).dtype.itemsize}")
    if dtype.itemsize < 2:
        raise step.refused("its element type has no total order here")
    bits, shape = lax.bitcast_convert_type(x, dtype), aval_of(x).shape
    return lax.select(lax.lt(bits, filled(0, shape, dtype)),
                      lax.bitwise_xor(bits, filled(np.iinfo(dtype).max, shape, dtype)), bits)


def filled(value: int, shape: Sequence[int], dtype: np.dtype) -> Any:
    """An array of one number, which is made when the program runs: a small module may speak of a huge one."""
    return lax.broadcast_in_dim(np.array(value, dtype), shape, ())


def _constant(step: Step) -> Any:
    found = step.properties["value"]
    if not isinstance(found, Constant):
        raise step.refused("its value is none")
    if found.is_splat:
        return lax.broadcast_in_dim(found.scalar_or_array(), found.type.shape, ())
    return found.scalar_or_array()


def _clamp(step: Step) -> Any:
    least, x, greatest = step.arrays(3)
    return lax.clamp(least, x, greatest)


def _slice(step: Step) -> Any:
    return lax.slice(step.arrays(1)[0], step.integers("start_indices"), step.integers("limit_indices"),
                     step.integers("strides"))


def _dynamic_slice(step: Step) -> Any:
    x, *starts = step.arrays()
    return lax.dynamic_slice(x, starts, step.integers("slice_sizes"))


def _dynamic_update_slice(step: Step) -> Any:
    x, update, *starts = step.arrays()
    return lax.dynamic_update_slice(x, update, starts)


def _pad(step: Step) -> Any:
    x, value = step.arrays(2)
    amounts = (step.integers(name) for name in ("edge_padding_low", "edge_padding_high", "interior_padding"))
    return lax.pad(x, value, list(zip(*amounts, strict=True)))


def _iota(step: Step) -> Any:
    kind = step.type
    return lax.broadcasted_iota(kind.dtype, kind.shape, step.integer("iota_dimension"))


def _reduce_precision(step: Step) -> Any:
    return lax.reduce_precision(step.arrays(1)[0], step.integer("exponent_bits"), step.integer("mantissa_bits"))


def _composite(step: Step) -> Any:
    """An operation that a module gives with its meaning: done by ours where there is the same one."""
    name = step.properties.get("name")
    if isinstance(name, str) and name.startswith(_COMPOSITE) and len(step.operands) == 1:
        own = ops.OPERATIONS.get(name.removeprefix(_COMPOSITE))
        if own is not None and own.category == "elementwise" and own.arity == 1 and dtypes.is_float(
                aval_of(step.operands[0]).dtype):
            return bind(own, step.operands[0])
    return step.module.call(step.properties.get("decomposition"), step.operands)


def _size(step: Step) -> Any:
    shape, dimension = aval_of(step.arrays(1)[0]).shape, step.integer("dimension")
    if not 0 <= dimension < len(shape):
        raise ArtefactError("a dimension in its module is none")
    return np.array(shape[dimension], np.int32)


ELEMENTWISE: Mapping[str, Translation] = {
    **{name: _unary(function) for name, function in _UNARY.items()},
    **{name: _binary(name, function) for name, function in _BINARY.items()},
    "bitcast_convert": lambda step: lax.bitcast_convert_type(step.arrays(1)[0], step.type.dtype),
    "broadcast_in_dim": lambda step: lax.broadcast_in_dim(
        step.arrays(1)[0], step.type.shape, step.integers("broadcast_dimensions")),
    "clamp": _clamp,
    "compare": _compare,
    "composite": _composite,
    "concatenate": lambda step: lax.concatenate(step.arrays(), step.integer("dimension")),
    "constant": _constant,
    "convert": lambda step: lax.convert_element_type(step.arrays(1)[0], step.type.dtype),
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "get_dimension_size": _size,
    "iota": _iota,
    "optimization_barrier": lambda step: lax.optimization_barrier(tuple(step.arrays())),
    "pad": _pad,
    "reduce_precision": _reduce_precision,
    "reshape": lambda step: lax.reshape(step.arrays(1)[0], step.type.shape),
    "reverse": lambda step: lax.rev(step.arrays(1)[0], step.integers("dimensions")),
    "select": lambda step: lax.select(*step.arrays(3)),
    "slice": _slice,
    "transpose": lambda step: lax.transpose(step.arrays(1)[0], step.integers("permutation")),
}

__all__ = ["ELEMENTWISE", "TOTAL_ORDER", "filled", "ordered"]
