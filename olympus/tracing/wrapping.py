# SPDX-License-Identifier: Apache-2.0
"""How a function that stands for a user's shows the user's name and documentation."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

# The attributes that Python lets a function have with values of one kind only.
_KINDS = {"__name__": str, "__qualname__": str, "__annotations__": dict, "__type_params__": tuple}


def wraps(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """`functools.wraps` for any callable: an object's attributes that no function can have are left out.

    Args:
        function: The user's function, or an object that is called like one.
    """
    named = [name for name in functools.WRAPPER_ASSIGNMENTS
             if isinstance(getattr(function, name, None), _KINDS.get(name, object))]
    return functools.wraps(function, assigned=named, updated=attributes_of(function))


def attributes_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """What `functools.update_wrapper` is to copy as `updated`: a function's attributes, but not an object's state.

    Args:
        function: The user's function, or an object that is called like one.
    """
    return functools.WRAPPER_UPDATES if isinstance(function, types.FunctionType) else ()
