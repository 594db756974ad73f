# SPDX-License-Identifier: Apache-2.0
"""The terms in which olympus knows values and programs, for libraries that look into them."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from contextlib import contextmanager

from olympus_core.deferred import listed

from .extend.core.libraries_traces import Trace
from .interpreters.registers import ArrayTypes
from .operands import integer
from .tracing import EVALUATING, Aval, aval_of, use_trace
from .tracing.shaped import AbstractValue, ShapedArray
from .tracing.staging import Tracer
from .transforms.compile_time import ensure_compile_time_eval
from .transforms.jaxpr import Literal, Var, eval_jaxpr

Atom = Var | Literal
ParamDict = dict[str, typing.Any]
Value = typing.Any
pytype_aval_mappings = ArrayTypes()


@contextmanager
def eval_context() -> Iterator[None]:
    """Operations in the block are computed at once, also where a function is being traced.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> @olympus.jit
        ... def f(x):
        ...     with olympus.core.eval_context():
        ...         n = int(jnp.sum(jnp.arange(4)))  # of values that are known
        ...     return x * n
        >>> float(f(2.0))
        12.0
    """
    with use_trace(EVALUATING):
        yield


def get_aval(x: typing.Any) -> Aval:
    """What tracing knows of a value; `olympus.typeof` is the same.

    Args:
        x: An array, a traced value, a number, or what stands for an array.

    Returns:
        Its type.

    Raises:
        ArgumentError: For what is none of these.

    Example:
        >>> import olympus
        >>> olympus.core.get_aval(1.0).weak_type
        True
    """
    return aval_of(x)


def max_dim(d1: int, d2: int) -> int:
    """The greater of two sizes, which may be symbolic.

    Args:
        d1: A size.
        d2: Another one.

    Example:
        >>> import olympus
        >>> olympus.core.max_dim(3, 4)
        4
    """
    return _extreme("max", d1, d2)


def min_dim(d1: int, d2: int) -> int:
    """The smaller of two sizes, which may be symbolic.

    Args:
        d1: A size.
        d2: Another one.

    Example:
        >>> import olympus
        >>> olympus.core.min_dim(3, 4)
        3
    """
    return _extreme("min", d1, d2)


def _extreme(name: str, d1: int, d2: int) -> int:
    from .export.dimensions import extreme  # few programs have symbolic sizes

    found: int = extreme(name, *(integer(f"{name}_dim", d, "a size") for d in (d1, d2)))
    return found


__all__ = [
    "AbstractValue", "Atom", "ParamDict", "ShapedArray", "Trace", "Tracer", "Value", "eval_context", "eval_jaxpr",
    "ensure_compile_time_eval", "get_aval", "max_dim", "min_dim", "pytype_aval_mappings",
]
__dir__ = listed(__all__)
