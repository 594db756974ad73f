# SPDX-License-Identifier: Apache-2.0
"""What elementwise functions are made of: promotion, records, documentation, shared bodies."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from olympus_core import dtypes, ops
from olympus_core.errors import ArgumentError, NotSupportedError, OperandError
from olympus_core.program import OperationRecord

from .. import lax
from ..operands import as_array, broadcast, check_numbers, convert, dtype_of, same_keys, shape_of
from ..tracing import aval_of, bind
from ..transforms.complex_order import bind_ordered
from ..transforms.jit import api
from ..typing import Array, ArrayLike
from .promotion import promote, promote_inexact

if TYPE_CHECKING:
    from ..signatures import Binary, Unary, Universal


_OPTIONS = {"out": "Not used: arrays never change.", "where": "Not supported: select with `olympus.numpy.where`."}


def refuse_out(function: str, out: Any) -> None:
    """Refuses NumPy's `out`, an array that is to be overwritten."""
    if out is not None:
        raise NotSupportedError(f"{function}(out=...)", "arrays never change", "Use the function's result.")


def _refuse_options(function: str, out: Any, where: Any) -> None:
    refuse_out(function, out)
    if where is not None:
        raise NotSupportedError(f"{function}(where=...)", "elements that are left out would have no value",
                                "Use olympus.numpy.where(condition, result, other).")


def _documented(
    function: Callable[..., Any], module: str, name: str, summary: str, names: str, example: str, result: str
) -> None:
    function.__name__ = function.__qualname__ = name
    function.__module__ = module
    arguments = "\n".join(f"    {n}: An array or number." for n in names.split() if n not in _OPTIONS)
    arguments += "".join(f"\n    {n}: {_OPTIONS[n]}" for n in names.split() if n in _OPTIONS)
    function.__doc__ = (
        f"{summary}\n\nArgs:\n{arguments}\n\nReturns:\n    The result, elementwise.\n\nExample:\n"
        f"    >>> import olympus.numpy as jnp\n    >>> jnp.{name}({example}).tolist()\n    {result}\n"
    )


def unary(
    module: str, name: str, summary: str, body: Callable[[Any], Any], example: str, result: str, *,
    by_name: bool = False, methods: bool = False, is_call: bool = False,
) -> Unary:
    """A public function of one array, with its documentation.

    Args:
        module: Where it stands.
        name: Its name.
        summary: The first line of its documentation.
        body: What it does.
        example: The arguments of the example.
        result: What the example gives.
        by_name: Whether the array may be given by name.
        methods: Whether it has the keywords of `ufunc`.
        is_call: Whether it is a call for those who look at calls.
    """

    def function(x: ArrayLike, /) -> Array:
        return body(x)

    def function_by_name(x: ArrayLike) -> Array:
        return body(x)

    def function_with_options(x: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
        _refuse_options(name, out, where)
        return body(x)

    chosen: Any = function_with_options if methods else function_by_name if by_name else function
    _documented(chosen, module, name, summary, "x out where" if methods else "x", example, result)
    return api(chosen, call=name if is_call else "")


def binary(
    module: str, name: str, summary: str, body: Callable[[Any, Any], Any], example: str, result: str, *,
    by_name: bool = False, inexact: bool = False, is_call: bool = False,
) -> Binary:
    """A public function of two arrays, with its documentation.

    Python integers among the arguments are checked here, since inside they are traced values; those of functions that
    make floats of integers (`inexact`) need not fit the other one's type.
    """

    def function(x: ArrayLike, y: ArrayLike, /) -> Array:
        return body(x, y)

    def function_by_name(x1: ArrayLike, x2: ArrayLike) -> Array:
        return body(x1, x2)

    chosen: Any = function_by_name if by_name else function
    _documented(chosen, module, name, summary, "x1 x2" if by_name else "x y", example, result)
    compiled = api(chosen, call=name if is_call else "")

    @functools.wraps(function)
    def checked(x: ArrayLike, y: ArrayLike, /) -> Array:
        if not inexact and (type(x) is int or type(y) is int):
            check_numbers(name, x, y)
        return compiled(x, y)

    @functools.wraps(function_by_name)
    def checked_by_name(x1: ArrayLike, x2: ArrayLike) -> Array:
        return checked(x1, x2)

    return checked_by_name if by_name else checked


def universal(
    module: str, name: str, summary: str, body: Callable[[Any, Any], Any], example: str, result: str, identity: Any, *,
    inexact: bool = False,
) -> Universal:
    """A function of two arrays as `binary` makes it, with the methods and keywords of `ufunc`."""

    def function(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
        return body(x, y)

    _documented(function, module, name, summary, "x y out where", example, result)
    compiled = api(function)

    @functools.wraps(function)
    def checked(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
        if out is not None or where is not None:
            _refuse_options(name, out, where)
        if not inexact and (type(x) is int or type(y) is int):
            check_numbers(name, x, y)
        return compiled(x, y)

    return with_methods(checked, 2, identity)


def with_methods(function: Any, nin: int, identity: Any) -> Any:
    """The function with the attributes and methods of `ufunc`.

    It stays a plain function: calls of an object that has the methods would take longer.
    """
    function.nin, function.nout, function.nargs, function.identity = nin, 1, nin + 1, identity
    for method in ("reduce", "accumulate", "reduceat", "at", "outer"):
        setattr(function, method, functools.partial(_method, method, function))
    return function


def _method(method: str, function: Any, *args: Any, **kwargs: Any) -> Any:
    # Rarely used, so loaded when called; by name, since the methods are made of the functions that have them.
    return import_module(".universal", __package__).apply(method, function, *args, **kwargs)


def on_inexact(record: OperationRecord) -> Callable[[Any], Any]:
    """The operation on floats and complex numbers; others are made floats."""

    def body(x: Any) -> Any:
        (x,), weak = promote_inexact(record.name, x)
        return bind(record, x, weak=weak)

    return body


def refuse_complex(function: str, *operands: Any) -> None:
    """Raises `OperandError` where an operand of a function of real numbers is complex."""
    for x in operands:
        if dtypes.is_complex(dtype_of(x)):
            raise OperandError(function, "complex numbers have no order and no sign", dtype_of(x).name,
                               "floats, integers or bools")


def as_it_is(record: OperationRecord) -> Callable[[Any], Any]:
    """The operation on the element type that is given."""
    return lambda x: bind(record, x, weak=aval_of(x).weak)


def on_floats_only(record: OperationRecord) -> Callable[[Any], Any]:
    """The operation on floats; integers and bools stay as they are."""

    def body(x: Any) -> Any:
        refuse_complex(record.name, x)
        return bind(record, x) if dtypes.is_float(dtype_of(x)) else as_array(x)

    return body


def pairwise(
    name: str, record: OperationRecord, for_bool: OperationRecord | None = None, inexact: bool = False,
    needs_bits: bool = False,
) -> Callable[[Any, Any], Any]:
    """The operation on promoted operands.

    Args:
        name: The function.
        record: The operation.
        for_bool: What bools use instead.
        inexact: Whether integers are made floats.
        needs_bits: Whether floats are refused.
    """

    def body(x: Any, y: Any) -> Any:
        (x, y), weak = promote_inexact(name, x, y) if inexact else promote(name, x, y)
        dtype = dtype_of(x)
        if needs_bits and not (dtypes.is_bool(dtype) or dtypes.is_integer(dtype)):
            own = dtypes.name_of(dtype)
            raise ArgumentError(name, f"it does not take {own}", own, "integers or bools")
        if dtypes.is_key(dtype) and record in (ops.eq, ops.ne):
            return same_keys(record, x, y)
        use = for_bool if for_bool is not None and dtypes.is_bool(dtype) else record
        return bind_ordered(use, x, y, weak=weak)

    return body


def as_inexact(function: str, x: ArrayLike) -> Any:
    """An array of floats or complex numbers; weak where the argument is."""
    (x,), weak = promote_inexact(function, x)
    known = getattr(x, "aval", None)
    return x if known is not None and known.weak == weak else bind(ops.convert, x, dtype=dtype_of(x), weak=weak)


def like(x: ArrayLike, value: Any) -> Any:
    """An array of the type of another one, all of whose elements are one number."""
    aval = aval_of(x)
    return broadcast(convert(value, aval.dtype), aval.shape, weak=aval.weak)


def is_float_array(x: Any) -> bool:
    """Whether the elements are real floats."""
    return dtypes.is_float(dtype_of(x))


def size_of(x: Any) -> Any:
    """The body of `absolute`."""
    dtype = dtype_of(x)
    return as_array(x) if dtypes.is_bool(dtype) or dtypes.is_unsigned(dtype) else bind(ops.abs, x)


def sign_of(x: Any) -> Any:
    """The body of `sign`."""
    if dtypes.is_bool(dtype_of(x)):
        return as_array(x)
    found = bind(ops.sign, x)
    if dtypes.is_integer(dtype_of(x)):
        return found
    return bind(ops.add, found, like(found, 0), weak=aval_of(x).weak)  # no zero is negative


def trunc_of(x: Any) -> Any:
    """The body of `trunc`."""
    refuse_complex("trunc", x)
    return lax.select(lax.lt(x, 0), lax.ceil(x), lax.floor(x)) if is_float_array(x) else as_array(x)


def conj_of(x: Any) -> Any:
    """The body of `conjugate`."""
    return bind(ops.conj, x) if dtypes.is_complex(dtype_of(x)) else as_array(x)


def real_of(x: Any) -> Any:
    """The body of `real`."""
    return bind(ops.real, x) if dtypes.is_complex(dtype_of(x)) else as_array(x)


def imag_of(x: Any) -> Any:
    """The body of `imag`."""
    return bind(ops.imag, x) if dtypes.is_complex(dtype_of(x)) else like(x, 0)


def squared_size_of(x: Any) -> Any:
    """The square of the absolute value, by a complex number's parts: at zero its size has no slope for a second one."""
    if not dtypes.is_complex(dtype_of(x)):
        return lax.square(lax.abs(x))
    real, imaginary = bind(ops.real, x), bind(ops.imag, x)
    return bind(ops.add, bind(ops.mul, real, real), bind(ops.mul, imaginary, imaginary))


def angle_of(x: Any) -> Any:
    """The body of `angle`."""
    x = as_inexact("angle", x)
    return bind(ops.atan2, imag_of(x), real_of(x))


def isnan_of(x: Any) -> Any:
    """The body of `isnan`; keys of random numbers are none."""
    return never(x) if dtypes.is_key(dtype_of(x)) else bind(ops.ne, x, x, weak=aval_of(x).weak)


def isinf_of(x: Any) -> Any:
    """The body of `isinf`."""
    if dtypes.is_complex(dtype_of(x)):
        return bind(ops.or_, isinf_of(real_of(x)), isinf_of(imag_of(x)), weak=False)
    return bind(ops.eq, lax.abs(x), like(x, math.inf), weak=False) if is_float_array(x) else never(x)


def never(x: Any) -> Any:
    """False for every element."""
    return broadcast(np.asarray(False), shape_of(x))


def isfinite_of(x: Any) -> Any:
    """The body of `isfinite`."""
    if dtypes.is_complex(dtype_of(x)):
        return bind(ops.and_, isfinite_of(real_of(x)), isfinite_of(imag_of(x)), weak=aval_of(x).weak)
    return bind(ops.is_finite, x, weak=aval_of(x).weak) if is_float_array(x) else bind(ops.not_, never(x))


def signbit_of(x: Any) -> Any:
    """The body of `signbit`."""
    refuse_complex("signbit", x)
    dtype = dtype_of(x)
    if not dtypes.is_float(dtype):
        signed = not (dtypes.is_bool(dtype) or dtypes.is_unsigned(dtype))
        return bind(ops.lt, x, like(x, 0), weak=False) if signed else never(x)
    if dtypes.bits_of(dtype) < 8:
        x, dtype = bind(ops.convert, x, dtype=dtypes.float32, weak=False), dtypes.float32
    same_width = {1: dtypes.int8, 2: dtypes.int16, 4: dtypes.int32, 8: dtypes.int64}[dtype.itemsize]
    return lax.lt(bind(ops.bitcast_convert, x, dtype=same_width, weak=False), 0)


def as_bool(x: ArrayLike) -> Any:
    """Whether elements are true: for numbers, other than zero."""
    return x if dtypes.is_bool(dtype_of(x)) else bind(ops.ne, x, like(x, 0), weak=aval_of(x).weak)


def logically(name: str, record: OperationRecord) -> Callable[[Any, Any], Any]:
    """The operation on whether elements are true."""

    def body(x: Any, y: Any) -> Any:
        weak = aval_of(x).weak and aval_of(y).weak
        (x, y), _ = promote(name, as_bool(x), as_bool(y))
        return bind(record, x, y, weak=weak)

    return body
