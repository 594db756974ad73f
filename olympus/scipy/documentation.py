# SPDX-License-Identifier: Apache-2.0
"""Docstrings of functions whose parameters have one meaning throughout a module, and their operands."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import ArgumentError

from .. import lax
from .. import numpy as jnp
from ..numpy.promotion import inexact_dtype, promote_inexact, result_of
from ..operands import convert, dtype_of
from ..tracing import aval_of
from ..transforms.jit import api

F = TypeVar("F", bound=Callable[..., Any])


def documented(
    module: str, parameters: Mapping[str, str], call: str, result: str, *, returns: str = "", references: str = "",
    static: Sequence[str] = (), domains: Mapping[str, Callable[[Any], Any]] | None = None, widened: bool = True,
) -> Callable[[F], F]:
    """A decorator: a public function of arrays, evaluated as one cached program, whose docstring is a sentence so far.

    Args:
        module: The name by which users import it, such as ``"olympus.scipy.special"``.
        parameters: What each of its parameters is.
        call: A call for an example, such as ``"expit(0.0)"``.
        result: The number that it gives, with four digits after the point.
        returns: What is returned; the result, elementwise, where empty.
        references: Where the method is from.
        static: Names of the parameters that are Python values.
        domains: For names of parameters what is true where they are ones; elsewhere the result is NaN.
        widened: Whether operands of narrower float types come as float32; the function calls `at_least_float32` else.
    """
    def decorate(function: F) -> F:
        names = function.__code__.co_varnames[:function.__code__.co_argcount + function.__code__.co_kwonlyargcount]
        arguments = "\n".join(f"    {name}: {parameters[name]}" for name in names)
        parent, _, last = module.rpartition(".")
        function.__doc__ = (
            f"{function.__doc__}\n\nArgs:\n{arguments}\n\nReturns:\n    {returns or 'The result, elementwise.'}\n\n"
            f"Example:\n    >>> import olympus.numpy\n    >>> from {parent} import {last}\n"
            f"    >>> round(float({last}.{call}), 4)\n    {result}\n"
            + (f"\nReferences:\n    {references}\n" if references else "")
        )
        function.__module__ = module
        checked = _within_domains(function, names, domains or {})
        return api(at_least_float32(checked) if widened else checked, static=static)

    return decorate


def _within_domains(function: F, names: Sequence[str], domains: Mapping[str, Callable[[Any], Any]]) -> F:
    """The function, NaN where a parameter is outside of its domain."""
    if not domains:
        return function

    @functools.wraps(function)
    def checked(*operands: Any, **keywords: Any) -> Any:
        found = function(*operands, **keywords)
        for name, value in {**dict(zip(names, operands, strict=False)), **keywords}.items():
            if name in domains:
                found = jnp.where(domains[name](jnp.asarray(value)), found, jnp.nan)
        return found

    return cast(F, checked)


def at_least_float32(function: F) -> F:
    """The function of operands of a narrower float type by float32: its steps' errors are not the result's.

    What comes back is rounded once, to the type that operands and result would have had.
    """
    @functools.wraps(function)
    def computed(*operands: Any, **keywords: Any) -> Any:
        given = [*operands, *keywords.values()]
        if not any(_is_narrow(v) for v in given):
            return function(*operands, **keywords)
        arrays = [v for v in given if hasattr(v, "dtype") or isinstance(v, (bool, int, float, complex))]
        dtype = inexact_dtype(result_of(function.__name__, [aval_of(v) for v in arrays])[0])  # of any shapes
        found = function(*map(_widened, operands), **{name: _widened(v) for name, v in keywords.items()})
        several = found if isinstance(found, tuple) else (found,)
        if dtype.itemsize < 4:
            several = tuple(lax.convert_element_type(v, dtype) if dtypes.is_float(dtype_of(v)) else v for v in several)
        return several if isinstance(found, tuple) else several[0]

    return cast(F, computed)


def _is_narrow(x: Any) -> bool:
    return hasattr(x, "dtype") and dtypes.is_float(dtype_of(x)) and dtype_of(x).itemsize < 4


def _widened(x: Any) -> Any:
    return lax.convert_element_type(x, np.dtype(np.float32)) if _is_narrow(x) else x


def floats(function: str, *operands: Any) -> list[Any]:
    """Operands of one real floating-point type and one shape, weakly typed where all are.

    Raises:
        ArgumentError: For complex numbers.
    """
    found = inexact(function, *operands)
    if dtypes.is_complex(dtype_of(found[0])):
        raise ArgumentError(function, "it does not take complex numbers", dtype_of(found[0]).name, "real numbers")
    return found


def inexact(function: str, *operands: Any) -> list[Any]:
    """Operands of one floating-point or complex type and one shape, weakly typed where all are."""
    found, weak = promote_inexact(function, *operands)
    return [convert(x, dtype_of(x), True) for x in found] if weak else found


def all_weak(*operands: Any) -> bool:
    """Whether all operands are weakly typed."""
    return all(aval_of(v).weak for v in operands)
