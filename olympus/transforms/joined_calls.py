"""Jitted functions that are called while a program is traced: traced once, and joined to the program at each call."""

from __future__ import annotations

from typing import Any

from olympus_core.errors import ConcretizationError

from .. import tree
from ..tracing import JittedFunction, UsesReferences, aval_of, current_trace
from ..tracing.aval import PYTHON_SCALARS
from ..tracing.explicit import current_hidden_axes, in_manual_region
from ..tracing.scopes import without_scope
from ..tracing.staging import watching
from .context import bound_axes


def joined(jitted: JittedFunction, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call whose operations join the program that is traced.

    A user's function is traced for itself, once for arguments of the same types, as it is for calls that run at once.
    olympus's own functions are called step by step: they are short, and Python numbers mean more to them.

    Args:
        jitted: The function.
        args: The call's arguments.
        kwargs: Those by name.
    """
    trace: Any = current_trace()
    if not jitted._is_users or jitted.is_disabled or jitted.has_shardings or not is_for_itself():
        return jitted.inline(args, kwargs)
    try:
        with without_scope():
            traced, leaves = jitted.traced(args, kwargs)
    except UsesReferences:  # their contents are carried by the program around
        return jitted.inline(args, kwargs)
    except ConcretizationError:
        if not any(type(x) in PYTHON_SCALARS for x in tree.leaves((args, kwargs))):
            raise
        return jitted.inline(args, kwargs)  # within a program Python may look at Python's numbers
    operands = [*leaves, *traced.captured]
    if any(aval.layout is not None for aval in (*map(aval_of, operands), *traced.out_avals)):
        return jitted.inline(args, kwargs)  # types of values inside may be asked for by rules
    return tree.unflatten(traced.out_tree, trace.splice(traced.program, operands, traced.out_avals))


def is_for_itself() -> bool:
    """Whether what a function's trace gives depends on its arguments alone, and not on what surrounds it."""
    return not (watching.get() is not None or current_hidden_axes() or in_manual_region.get() or bound_axes())
