# SPDX-License-Identifier: Apache-2.0
"""Which element type and shape operands of different kinds get together.

Python numbers are *weak*: they give way to arrays of their own kind or a wider one. The order is a lattice:
``bool < int* < int8, uint8 < ... < int64, uint64 < float* < float16, bfloat16 < float32 < float64`` and complex above,
where a star marks the weak types; two types become the least one above both.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.config import config
from olympus_core.errors import DimensionPromotionError, DimensionPromotionWarning, TypePromotionError
from olympus_core.location import warn_user

from ..operands import broadcast, broadcast_shape, cast
from ..tracing import Aval, aval_of, canonical_dtype, scalar_dtype
from ..tracing.scopes import is_users_call
from ..typing import ArrayLike

Node = Any  # an element type, or one of the three Python classes that stand for weak types

_ABOVE: dict[Node, tuple[Node, ...]] = {
    dtypes.bool_: (int,),
    # The narrowest integers go into no other type unasked.
    int: (dtypes.uint8, dtypes.int8, *dtypes.NARROW_INTEGERS),
    **{narrow: () for narrow in dtypes.NARROW_INTEGERS},
    dtypes.uint8: (dtypes.int16, dtypes.uint16),
    dtypes.uint16: (dtypes.int32, dtypes.uint32),
    dtypes.uint32: (dtypes.int64, dtypes.uint64),
    dtypes.uint64: (float,),
    dtypes.int8: (dtypes.int16,),
    dtypes.int16: (dtypes.int32,),
    dtypes.int32: (dtypes.int64,),
    dtypes.int64: (float,),
    float: (*dtypes.NARROW_FLOATS, *dtypes.CARRIED_FLOATS, dtypes.bfloat16, dtypes.float16, complex),
    **{narrow: () for narrow in (*dtypes.NARROW_FLOATS, *dtypes.CARRIED_FLOATS)},
    dtypes.bfloat16: (dtypes.float32,),
    dtypes.float16: (dtypes.float32,),
    dtypes.float32: (dtypes.float64, dtypes.complex64),
    dtypes.float64: (dtypes.complex128,),
    complex: (dtypes.complex64,),
    dtypes.complex64: (dtypes.complex128,),
    dtypes.complex128: (),
}


@functools.lru_cache(None)
def _from(node: Node) -> frozenset[Node]:
    """The types that are not below a type."""
    return frozenset({node}).union(*(_from(above) for above in _ABOVE[node]))


@functools.lru_cache(None)
def least_above(nodes: frozenset[Node]) -> Node | None:
    """The least type that is not below any of the given ones; None where there is none."""
    common = frozenset.intersection(*(_from(node) for node in nodes))
    found = [node for node in common if common <= _from(node)]
    return found[0] if found else None


def _node(aval: Aval) -> Node:
    if not aval.weak or dtypes.is_bool(aval.dtype):
        return aval.dtype
    if dtypes.is_integer(aval.dtype):
        return int
    return complex if dtypes.is_complex(aval.dtype) else float


def result_of(function: str, avals: Sequence[Aval]) -> tuple[np.dtype, bool]:
    """The element type of the result of operands, and whether it is weak.

    Raises:
        ArgumentError: If the operands' types have no common one.
    """
    first = avals[0]
    weak = first.weak
    for aval in avals:
        if aval.dtype != first.dtype or aval.weak != weak:
            break
    else:
        return first.dtype, weak and not dtypes.is_bool(first.dtype)
    if any(dtypes.is_key(aval.dtype) for aval in avals):
        raise TypePromotionError(function, ", ".join(dtypes.name_of(aval.dtype) for aval in avals),
                                 "keys of one generator, or numbers", "Take the words of keys with random.key_data.")
    check_strictly(function, [_node(aval) for aval in avals])
    all_weak = all(aval.weak or dtypes.is_bool(aval.dtype) for aval in avals)
    node = least_above(frozenset(aval.dtype if all_weak else _node(aval) for aval in avals))
    if node is None:
        raise TypePromotionError(function, ", ".join(aval.dtype.name for aval in avals),
                                 "types of which one holds the others", "Convert one of the arrays with x.astype(...).")
    if isinstance(node, np.dtype):
        return canonical_dtype(node), all_weak and not dtypes.is_bool(node)
    return scalar_dtype(node), True


def check_strictly(function: str, nodes: Sequence[Node]) -> None:
    """Refuses several element types where ``olympus_numpy_dtype_promotion`` is "strict" and the user made the call.

    Python numbers go with an element type that holds their kind.
    """
    if config.numpy_dtype_promotion != "strict" or not is_users_call():
        return
    strong = {node for node in nodes if isinstance(node, np.dtype)}
    weak = set(nodes) - strong
    if len(strong) > 1 or any(_from(dtype) & weak or (dtypes.is_bool(dtype) and weak) for dtype in strong):
        names = [node.name if isinstance(node, np.dtype) else f"Python's {node.__name__}" for node in nodes]
        raise TypePromotionError(
            function, ", ".join(names), "one element type, since olympus_numpy_dtype_promotion is 'strict'",
            "Convert with x.astype(...), or set the option to 'standard'.")


def promote_types_of(function: str, *operands: ArrayLike) -> tuple[list[Any], bool]:
    """Operands of one element type, in the shapes that they have; and whether the result is weak."""
    avals = [aval_of(x) for x in operands]
    dtype, weak = result_of(function, avals)
    return [cast(x, dtype, function) for x in operands], weak


def promote(function: str, *operands: ArrayLike) -> tuple[list[Any], bool]:
    """Operands of one element type and one shape, and whether the result is weak.

    Args:
        function: The user's function, for errors.
        *operands: Whatever counts as an array.

    Raises:
        ArgumentError: If element types or shapes do not go together.
        LiteralRangeError: If a Python integer does not fit the others' element type.
    """
    arrays, weak = promote_types_of(function, *operands)
    return _of_one_shape(function, arrays), weak


def _of_one_shape(function: str, arrays: Sequence[Any]) -> list[Any]:
    shapes = [aval_of(x).shape for x in arrays]
    shape = broadcast_shape(function, shapes)
    if config.numpy_rank_promotion != "allow" and len({len(s) for s in shapes if s}) > 1 and is_users_call():
        if config.numpy_rank_promotion == "raise":
            raise DimensionPromotionError(function, shapes)
        warn_user(DimensionPromotionWarning(function, shapes))
    return [broadcast(x, shape) for x in arrays]


def promote_inexact(function: str, *operands: ArrayLike) -> tuple[list[Any], bool]:
    """As `promote`, with integers and bools made floats: a Python integer need not fit the others' integer type."""
    dtype, weak = result_of(function, [aval_of(x) for x in operands])
    return _of_one_shape(function, [cast(x, inexact_dtype(dtype), function) for x in operands]), weak


def inexact_dtype(dtype: np.dtype) -> np.dtype:
    """The element type of a mean: floats and complex numbers stay, others become floats."""
    return dtype if dtypes.is_float(dtype) or dtypes.is_complex(dtype) else scalar_dtype(float)
