# SPDX-License-Identifier: Apache-2.0
"""Traced values that outlive their trace: found when it ends, where the option `olympus_check_tracer_leaks` is on."""

from __future__ import annotations

import gc
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from olympus_core.errors import TracerLeakError

T = TypeVar("T")
_DEPTH = 4  # how far it is followed who refers to a value


def without_leaks(name: str, run: Callable[[], tuple[T, Any]]) -> T:
    """Runs a trace, after which none of its values may be alive.

    Args:
        name: The traced function.
        run: Gives its result, which holds none of the values, and the trace.

    Raises:
        TracerLeakError: When something still refers to one.
    """
    result, trace = run()
    gc.collect()  # cycles of values and traces keep nothing alive that somebody could still use
    leaked = _values_of(trace)
    if leaked:
        told = []
        for value in leaked:
            told.append((repr(value.aval), made_at(value), ", that by ".join(_holders(value, {id(leaked)}))))
        raise TracerLeakError(name, told)
    return result


def _values_of(trace: Any) -> list[Any]:
    """The values of a trace that something else than the trace refers to."""
    own = [held for name in ("_captured", "_contents") for held in getattr(trace, name, {}).values()]
    found = [x for x in gc.get_referrers(trace) if getattr(x, "_trace", None) is trace and hasattr(x, "aval")]
    leaked = []
    for i in range(len(found)):
        known = 2 + _references(own, found[i])  # the list, and the argument of the next call
        if sys.getrefcount(found[i]) > known:
            leaked.append(found[i])
    return leaked


def _references(holders: Sequence[Any], value: Any) -> int:
    """How many references to a value these objects hold."""
    return sum(1 for holder in holders for held in gc.get_referents(holder) if held is value)


def made_at(value: Any) -> str:
    """What a traced value is, with the line at which it was made; empty where that is not known."""
    trace = value._trace
    made: str | None = (getattr(trace, "made", None) or {}).get(id(value))
    if made is not None:
        return f"made at {made}"
    builder = getattr(trace, "builder", None)
    if builder is None:
        return ""
    for operation in builder.operations:
        if any(result is value._value for result in operation.results):
            return f"the result of {operation.name}{f' at {operation.location}' if operation.location else ''}"
    inputs: Sequence[Any] = builder.inputs
    return next((f"an argument of {builder.name}" for known in inputs if known is value._value), "")


def _holders(value: Any, skipped: set[int]) -> Iterator[str]:
    """Who refers to a value, and to that, and so on, as far as it can be said in words.

    Written without comprehensions: their cells would refer to the value, too.
    """
    skipped = skipped | {id(value)}
    for _ in range(_DEPTH):
        owner = _owner(value, skipped)
        if owner is None:
            return
        skipped.add(id(owner))
        if isinstance(owner, dict):
            key = _key(owner, value)
            if "__name__" in owner and "__builtins__" in owner:
                yield f"the variable {key} of module {owner['__name__']}"
                return
            yield f"the entry {key!r} of a dictionary"
        elif isinstance(owner, types.CellType):
            yield "a variable of an enclosing function"
            return
        elif isinstance(owner, (list, tuple)):
            yield f"an item of a {type(owner).__name__}"
        else:
            yield f"an object of {type(owner).__module__}.{type(owner).__qualname__}"
        value = owner


def _key(owner: dict[Any, Any], value: Any) -> Any:
    """The key of a value."""
    return next((key for key, held in list(owner.items()) if held is value), None)


def _owner(value: Any, skipped: set[int]) -> Any:
    """Something that refers to a value, and is not of those that are skipped."""
    for found in gc.get_referrers(value):
        if id(found) not in skipped and not isinstance(found, (types.FrameType, types.GeneratorType)):
            return found
    return None
