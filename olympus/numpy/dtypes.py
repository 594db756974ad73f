# SPDX-License-Identifier: Apache-2.0
"""Element types by name, and questions about them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np

from olympus_core import dtypes as core
from olympus_core.errors import ArgumentError, TypePromotionError, described
from olympus_core.program import ArrayType

from ..operands import axes_of, element_type, known
from ..tracing import Aval, aval_of, canonical_dtype, is_array_like
from ..tracing.aval import extended, prng_key
from ..typing import Array, ArrayLike, DTypeLike
from .creation import asarray
from .promotion import check_strictly, least_above, result_of

__all__ = [
    "bfloat16", "bool_", "can_cast", "cdouble", "character", "complex128", "complex64", "complex_", "complexfloating",
    "csingle", "double", "dtype", "finfo", "flexible", "float16", "float32", "float4_e2m1fn", "float64",
    "float6_e2m3fn", "float6_e3m2fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn",
    "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu", "float_", "floating", "generic", "half",
    "iinfo", "inexact", "int1", "int16", "int2", "int32", "int4", "int64", "int8", "int_", "integer", "iscomplexobj",
    "isdtype", "isrealobj", "isscalar", "issubdtype", "ndim", "number", "object_", "promote_types", "result_type",
    "shape", "signedinteger", "single", "size", "uint", "uint1", "uint16", "uint2", "uint32", "uint4", "uint64",
    "uint8", "unsignedinteger",
]

dtype = np.dtype
generic, number, inexact, integer = np.generic, np.number, np.inexact, np.integer
floating, complexfloating, signedinteger, unsignedinteger = (
    np.floating, np.complexfloating, np.signedinteger, np.unsignedinteger)
character, flexible, object_ = np.character, np.flexible, np.object_


class ScalarType(type):
    """The class of `float32` and its kind: classes that are element types, and make arrays: ``jnp.float32(3)``.

    Attributes:
        dtype: The NumPy dtype.
    """

    dtype: np.dtype

    def __call__(cls, x: Any = 0) -> Array:
        """An array of this element type."""
        return asarray(x, cls.dtype)

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, cls.dtype.type)

    def __eq__(cls, other: object) -> bool:
        if cls is other:
            return True
        if other is None or other is bool or other is int or other is float or other is complex:
            return False  # the configuration says how wide these are
        try:
            return bool(cls.dtype == np.dtype(other))  # type: ignore[call-overload]
        except Exception:  # noqa: BLE001  # NumPy raises whatever its parser of descriptions happens to meet
            return NotImplemented

    def __hash__(cls) -> int:
        return hash(cls.dtype.type)  # equal to NumPy's class: each finds the other in a dictionary

    def __repr__(cls) -> str:
        return f"<class 'olympus.numpy.{cls.__name__}'>"


def _scalar_type(dtype: np.dtype) -> ScalarType:
    name = "bool_" if core.is_bool(dtype) else dtype.name
    what = "and arrays of it: called with numbers, it makes one" if dtype in core.KNOWN else (
        "for tables and comparisons: there are no arrays of it")
    about = f"""The element type {dtype.name}, {what}.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.{name}.dtype.name
        '{dtype.name}'
    """
    return ScalarType(name, (), {"dtype": dtype, "__doc__": about, "__module__": "olympus.numpy"})


bool_ = _scalar_type(core.bool_)
int8, int16, int32, int64 = (_scalar_type(t) for t in core.SIGNED)
uint8, uint16, uint32, uint64 = (_scalar_type(t) for t in core.UNSIGNED)
float16, bfloat16, float32, float64 = (_scalar_type(t) for t in core.FLOATS)
float8_e4m3fn, float8_e5m2 = (_scalar_type(t) for t in core.NARROW_FLOATS)
complex64, complex128 = (_scalar_type(t) for t in core.COMPLEXES)
int2, int4 = (_scalar_type(t) for t in core.NARROW_SIGNED)
uint2, uint4 = (_scalar_type(t) for t in core.NARROW_UNSIGNED)
# Types of ml_dtypes of which there are no arrays: programs name them in tables, and compare element types with them.
# ml_dtypes has them since 0.6, which Python 3.10 does not get.
_HAS_ONE_BIT = hasattr(ml_dtypes, "int1")
if _HAS_ONE_BIT:
    int1, uint1 = (_scalar_type(np.dtype(t)) for t in (ml_dtypes.int1, ml_dtypes.uint1))
else:
    __all__ = [name for name in __all__ if name not in ("int1", "uint1")]
(float8_e3m4, float8_e4m3, float8_e4m3b11fnuz, float8_e4m3fnuz, float8_e5m2fnuz, float8_e8m0fnu, float4_e2m1fn,
 float6_e2m3fn, float6_e3m2fn) = (_scalar_type(t) for t in core.CARRIED_FLOATS)
_NAMED_KINDS = {
    **dict.fromkeys((int2.dtype, int4.dtype), signedinteger),
    **dict.fromkeys((uint2.dtype, uint4.dtype), unsignedinteger),
    **({int1.dtype: signedinteger, uint1.dtype: unsignedinteger} if _HAS_ONE_BIT else {}),
    **dict.fromkeys((t.dtype for t in (
        float8_e3m4, float8_e4m3, float8_e4m3b11fnuz, float8_e4m3fnuz, float8_e5m2fnuz, float8_e8m0fnu, float4_e2m1fn,
        float6_e2m3fn, float6_e3m2fn, float8_e4m3fn, float8_e5m2, bfloat16)), floating),
}
half, single, double = float16, float32, float64
int_, uint, float_, complex_, csingle, cdouble = int64, uint64, float64, complex128, complex64, complex128


def finfo(dtype: DTypeLike) -> Any:
    """Limits of a type of floats: ``eps``, ``max``, ``min``, ``tiny``, ``bits``, ...

    Args:
        dtype: The element type, or an array of it.

    Returns:
        An object with the limits as attributes.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.finfo(jnp.bfloat16).bits
        16
    """
    own = _dtype_of("finfo", dtype)
    if not core.is_float(own) and not core.is_complex(own) and _NAMED_KINDS.get(own) is not floating:
        raise ArgumentError("finfo", "it is no type of floats", own, "a type of floats", "Use iinfo for integers.")
    return FloatLimits(own)


class Limit(float):
    """A Python number that also says of which type it is a limit, and converts as NumPy's numbers do.

    Args:
        value: NumPy's number.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.finfo(jnp.float16).max.astype(jnp.float32)
        np.float32(65504.0)
    """

    def __new__(cls, value: np.generic) -> Limit:
        """The number."""
        made = super().__new__(cls, value)
        made.dtype = value.dtype
        return made

    dtype: np.dtype

    def astype(self, dtype: DTypeLike) -> np.generic:
        """NumPy's number of a type.

        Args:
            dtype: The type.
        """
        return self.dtype.type(self).astype(_dtype_of("astype", dtype))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.astype(self.dtype),)


class FloatLimits:
    """The limits of a type of floats, those of a complex number's parts for complex ones; its numbers are Python's.

    Attributes:
        dtype: The element type.
        bits: The number of bits.
        eps: The distance from one to the next greater number.
        max: The greatest number.
        min: The least number.
        tiny: The least normal positive number, also `smallest_normal`.
    """

    def __init__(self, dtype: np.dtype) -> None:
        self._limits = ml_dtypes.finfo(core.real_part(dtype))
        self.dtype = core.real_part(dtype)

    def __getattr__(self, name: str) -> Any:
        if name[:1] == "_":
            raise AttributeError(name)
        found = getattr(self._limits, name)
        return Limit(found) if isinstance(found, np.generic) and found.dtype.kind not in "iu" else found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FloatLimits) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)

    def __repr__(self) -> str:
        return repr(self._limits)

    def __str__(self) -> str:
        return str(self._limits)


def iinfo(int_type: Any) -> Any:
    """Limits of a type of integers: ``max``, ``min``, ``bits``.

    Args:
        int_type: The element type, or an array of it.

    Returns:
        An object with the limits as attributes.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.iinfo(jnp.uint8).max
        255
    """
    own = _dtype_of("iinfo", int_type)
    if own.kind not in "iu" and not issubclass(_NAMED_KINDS.get(own, generic), integer):
        raise ArgumentError("iinfo", "it is no type of integers", own, "a type of integers", "Use finfo for floats.")
    return ml_dtypes.iinfo(own)


def _dtype_of(function: str, value: Any) -> np.dtype:
    """The element type that is given, or that an array has; as wide as it is, and of any kind that NumPy knows."""
    if hasattr(value, "aval"):
        return aval_of(value).dtype
    try:
        return np.dtype(value)
    except Exception as error:  # NumPy raises whatever its parser of descriptions happens to meet
        raise ArgumentError(function, "an element type is not known", described(value),
                            ", ".join(t.name for t in core.KNOWN_IN_ORDER)) from error


def result_type(*args: Any) -> np.dtype:
    """The element type that arrays and types have together.

    Args:
        *args: Arrays, numbers or element types.

    Returns:
        The element type.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.result_type(jnp.int8, jnp.bfloat16)
        dtype(bfloat16)
        >>> jnp.result_type(jnp.float16(1), 2.5)
        dtype('float16')
    """
    if not args:
        raise ArgumentError("result_type", "there are no arguments", "none", "one or more")
    avals = []
    for arg in args:
        if isinstance(arg, type) and arg in (int, float, complex):
            avals.append(Aval(ArrayType((), element_type("result_type", arg)), weak=True))
        elif isinstance(arg, (np.dtype, type, str, ScalarType)):
            avals.append(Aval(ArrayType((), element_type("result_type", arg, is_told=False))))
        else:
            try:
                avals.append(aval_of(arg))
            except ArgumentError:  # a container of arrays may tell its element type
                if not isinstance(told := getattr(arg, "dtype", None), np.dtype):
                    raise
                avals.append(Aval(ArrayType((), element_type("result_type", told, is_told=False))))
    return result_of("result_type", avals)[0]


def promote_types(a: Any, b: Any) -> np.dtype:
    """The element type that two types have together.

    Args:
        a: An element type; ``int``, ``float`` and ``complex`` stand for the types of Python numbers.
        b: Another one.

    Returns:
        The element type.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.promote_types(jnp.uint8, jnp.int8)
        dtype('int16')
    """
    nodes = [t if isinstance(t, type) and t in (int, float, complex)
             else _dtype_of("promote_types", t).newbyteorder("=") for t in (a, b)]
    for node in nodes:
        if isinstance(node, np.dtype):
            element_type("promote_types", node, is_told=False)
    check_strictly("promote_types", nodes)
    found = least_above(frozenset(nodes))
    if found is None:
        raise TypePromotionError("promote_types", f"{a}, {b}", "types of which one holds the other",
                                 "Choose a wider one of them, such as float32.")
    return canonical_dtype(found) if isinstance(found, np.dtype) else element_type("promote_types", found)


_CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    """Whether elements can be converted by a rule.

    Args:
        from_: An element type or array.
        to: Another element type.
        casting: ``"no"``, ``"equiv"``, ``"safe"``, ``"same_kind"`` or ``"unsafe"``.

    Returns:
        Whether they can.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.can_cast(jnp.int32, jnp.float64), jnp.can_cast(jnp.int64, jnp.int8)
        (True, False)
    """
    if casting not in _CASTINGS:
        raise ArgumentError("can_cast", "the rule is not known", described(casting), f"one of {_CASTINGS}")
    return bool(np.can_cast(_dtype_of("can_cast", from_), _dtype_of("can_cast", to), casting))  # type: ignore[arg-type]


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether an element type is of a kind, such as `floating`, `integer` or `inexact`.

    Args:
        arg1: An element type.
        arg2: A kind, or another element type.

    Returns:
        Whether it is.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.issubdtype(jnp.bfloat16, jnp.floating), jnp.issubdtype(jnp.int32, jnp.inexact)
        (True, False)
    """
    if isinstance(arg1, type) and issubclass(arg1, np.generic) and arg1 in _ABSTRACT:
        return isinstance(arg2, type) and issubclass(arg1, arg2)
    own = _dtype_of("issubdtype", arg1)
    if core.is_key(own):
        return issubclass(prng_key, arg2) if isinstance(arg2, type) else own == _dtype_of("issubdtype", arg2)
    if not (isinstance(arg2, type) and arg2 in _ABSTRACT):
        return own == _dtype_of("issubdtype", arg2)
    if own in _NAMED_KINDS:  # NumPy knows no kinds of these
        return issubclass(_NAMED_KINDS[own], arg2)
    return bool(np.issubdtype(own, arg2))


_ABSTRACT = frozenset({generic, number, inexact, integer, floating, complexfloating, signedinteger, unsignedinteger,
                       character, flexible, extended, prng_key})
_KINDS: dict[str, Callable[[np.dtype], bool]] = {
    "bool": lambda t: t == core.bool_, "signed integer": core.is_signed,
    "unsigned integer": core.is_unsigned, "integral": core.is_integer, "real floating": core.is_float,
    "complex floating": core.is_complex, "numeric": lambda t: t != core.bool_,
}


def isdtype(dtype: DTypeLike, kind: Any) -> bool:
    """Whether an element type is of a kind of the array API standard.

    Args:
        dtype: An element type.
        kind: ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``, ``"real floating"``,
            ``"complex floating"``, ``"numeric"``, an element type, or a tuple of these.

    Returns:
        Whether it is of one of them.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.isdtype(jnp.float32, "real floating"), jnp.isdtype(jnp.int8, ("bool", "integral"))
        (True, True)
    """
    own = _dtype_of("isdtype", dtype)
    for one in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(one, str) and one in _KINDS:
            if _KINDS[one](own):
                return True
        elif issubdtype(own, one):
            return True
    return False


def isscalar(element: Any) -> bool:
    """Whether something is a number or an array of no dimensions.

    Args:
        element: Anything.

    Returns:
        Whether it is.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.isscalar(1.0), jnp.isscalar(jnp.ones(2))
        (True, False)
    """
    return np.isscalar(element) or (hasattr(element, "aval") and element.ndim == 0)


def ndim(a: ArrayLike) -> int:
    """The number of dimensions.

    Args:
        a: An array, a nested list, or anything else, such as None, which is one element, as with NumPy.

    Returns:
        How many there are.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.ndim(jnp.ones((2, 3)))
        2
    """
    return len(shape(a))


def shape(a: ArrayLike) -> tuple[int, ...]:
    """The shape.

    Args:
        a: An array, a nested list, or anything else, such as None, which is one element, as with NumPy.

    Returns:
        The sizes of the dimensions.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.shape(jnp.ones((2, 3)))
        (2, 3)
    """
    if isinstance(a, (np.ndarray, np.generic)):
        return a.shape  # of strings, for example, too
    if isinstance(a, (list, tuple)):
        return known("shape", a, "the list").shape
    # NumPy takes anything else, such as None, for one element.
    return aval_of(a).shape if is_array_like(a) else np.shape(a)


def size(a: ArrayLike, axis: int | Sequence[int] | None = None) -> int:
    """The number of elements.

    Args:
        a: An array, a nested list, or anything else, such as None, which is one element, as with NumPy.
        axis: A dimension, or several, whose size is meant; all of them for None.

    Returns:
        The number.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.size(jnp.ones((2, 3))), jnp.size(jnp.ones((2, 3)), 1)
        (6, 3)
    """
    sizes = shape(a)
    return math.prod(sizes[d] for d in axes_of("size", axis, len(sizes)))


def iscomplexobj(x: Any) -> bool:
    """Whether the elements are complex.

    Args:
        x: An array, an element type, or anything else that NumPy makes an array of.

    Returns:
        Whether they are.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.iscomplexobj(jnp.ones(2)), jnp.iscomplexobj(1j)
        (False, True)
    """
    if isinstance(x, (type, np.dtype)):
        return core.is_complex(_dtype_of("iscomplexobj", x))
    return core.is_complex(aval_of(x).dtype) if is_array_like(x) else np.iscomplexobj(x)


def isrealobj(x: Any) -> bool:
    """Whether the elements are not complex.

    Args:
        x: An array.

    Returns:
        Whether they are not.

    Example:
        >>> import olympus.numpy as jnp
        >>> jnp.isrealobj(jnp.ones(2))
        True
    """
    return not iscomplexobj(x)
