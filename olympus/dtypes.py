# SPDX-License-Identifier: Apache-2.0
"""Element types: questions about them, and the rules by which they are chosen."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from olympus_core import dtypes as _core
from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, TypePromotionError

from .numpy.dtypes import finfo, iinfo, issubdtype
from .numpy.dtypes import result_type as _result_type
from .operands import dtype_of, element_type
from .tracing import aval_of
from .tracing.aval import extended, prng_key
from .transforms.traces.jvp_trace import float0
from .typing import ArrayLike, DTypeLike

__all__ = [
    "TypePromotionError", "bfloat16", "canonicalize_dtype", "extended", "finfo", "float0", "iinfo", "issubdtype",
    "itemsize_bits", "prng_key", "result_type", "scalar_type_of",
]
__dir__ = listed(__all__)

bfloat16 = ml_dtypes.bfloat16


def canonicalize_dtype(dtype: DTypeLike, allow_extended_dtype: bool = False) -> np.dtype:
    """The element type that arrays get which are asked for with another one.

    Args:
        dtype: An element type; 64-bit types stand for 32-bit ones while 64 bits are not enabled.
        allow_extended_dtype: Whether an element type with rules of its own, such as that of random keys, is given
            back as it is.

    Returns:
        The element type.

    Raises:
        ArgumentError: If arrays cannot have it.

    Example:
        >>> canonicalize_dtype("float64"), canonicalize_dtype(int)
        (dtype('float32'), dtype('int32'))
    """
    return element_type("canonicalize_dtype", dtype, is_told=False)


def result_type(*args: Any, return_weak_type_flag: bool = False) -> Any:
    """The element type that arrays and types have together.

    Args:
        *args: Arrays, numbers or element types.
        return_weak_type_flag: Whether to tell if it is weak, that is, gives way to arrays' types.

    Returns:
        The element type, or a pair of it and whether it is weak.

    Example:
        >>> result_type(1, 2.5, return_weak_type_flag=True)
        (dtype('float32'), True)
    """
    dtype = _result_type(*args)
    return (dtype, all(_is_weak(arg) for arg in args)) if return_weak_type_flag else dtype


def _is_weak(arg: Any) -> bool:
    if isinstance(arg, type):
        return arg in (int, float, complex)
    return hasattr(arg, "aval") and aval_of(arg).weak or type(arg) in (int, float, complex)


def itemsize_bits(dtype: DTypeLike) -> int:
    """How many bits one element has.

    Args:
        dtype: An element type.

    Returns:
        The number of bits.

    Example:
        >>> itemsize_bits("int4"), itemsize_bits("bfloat16"), itemsize_bits(bool)
        (4, 16, 8)
    """
    own = np.dtype(dtype)
    if own == _core.bool_ or own.kind not in "iuV" and not own.name.startswith(("float", "bfloat")):
        return 8 * own.itemsize
    return int((ml_dtypes.iinfo if "int" in own.name else ml_dtypes.finfo)(own).bits)


def scalar_type_of(x: ArrayLike) -> type:
    """Python's class of numbers that corresponds to an array's elements.

    Args:
        x: An array or number.

    Returns:
        ``bool``, ``int``, ``float`` or ``complex``.

    Example:
        >>> import olympus.numpy as jnp
        >>> scalar_type_of(jnp.ones(2))
        <class 'float'>
    """
    dtype = dtype_of(x)
    for kind, matches in ((bool, _core.is_bool), (int, _core.is_integer), (float, _core.is_float),
                          (complex, _core.is_complex)):
        if matches(dtype):
            return kind
    raise ArgumentError("scalar_type_of", "the elements are no numbers", dtype, "an array of numbers")
