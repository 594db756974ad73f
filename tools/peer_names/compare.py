# SPDX-License-Identifier: Apache-2.0
"""What of the peer's modules, names, parameters and attributes is not here, or is another."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter, Signature
from typing import Any

from .listing import names_of

_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_BY_NAME = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def differences(modules: Iterable[str]) -> Iterator[tuple[str, str]]:
    """A name of the peer and what differs here, for each difference in the modules; a class has one name only."""
    seen: set[int] = set()
    for name in modules:
        theirs = importlib.import_module(name)
        try:
            ours = importlib.import_module("olympus" + name.removeprefix("jax"))
        except ImportError:
            yield name, "there is no such module"
            continue
        for attribute, value in names_of(theirs):
            if not hasattr(ours, attribute):
                yield f"{name}.{attribute}", "missing"
                continue
            own = getattr(ours, attribute)
            yield from ((f"{name}.{attribute}", what) for what in _of_callables(value, own))
            if isinstance(value, type) and not issubclass(value, BaseException) and id(value) not in seen:
                seen.add(id(value))
                yield from ((f"{name}.{attribute}.{a}", what) for a, what in _of_classes(value, own))


def _of_classes(theirs: type, ours: Any) -> Iterator[tuple[str, str]]:
    for name in dir(theirs):
        if name.startswith("_"):
            continue
        if not hasattr(ours, name) and name not in getattr(ours, "__annotations__", {}):
            yield name, "missing"
        elif inspect.isfunction(getattr(theirs, name)):
            yield from ((name, what) for what in _of_callables(getattr(theirs, name), getattr(ours, name), bound=1))


def _of_callables(theirs: Any, ours: Any, bound: int = 0) -> list[str]:
    """Calls that the peer's signature allows and ours does not, or that mean another thing by another default.

    Of a method the first parameter is the object, whatever its name.
    """
    if not callable(theirs) or (isinstance(theirs, type) and issubclass(theirs, BaseException)):
        return []
    wanted = _signature(theirs)
    if wanted is None:
        return []
    given = _signature(ours)
    return ["has no signature"] if given is None else list(_between(wanted, given, bound))


def _signature(function: Callable[..., Any]) -> Signature | None:
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def _between(wanted: Signature, given: Signature, bound: int) -> Iterator[str]:
    theirs, ours = list(wanted.parameters.values())[bound:], list(given.parameters.values())[bound:]
    places = [p for p in ours if p.kind in _POSITIONAL]
    names = {p.name: p for p in ours if p.kind in _BY_NAME}
    kinds = {p.kind for p in ours}
    matched = set()
    for place, parameter in enumerate(p for p in theirs if p.kind in _POSITIONAL):
        if place >= len(places):
            if Parameter.VAR_POSITIONAL not in kinds:
                yield f"{parameter.name} is not taken by position {place}, as in {wanted}"
                matched.add(parameter.name)
            continue
        own = places[place]
        matched.add(own.name)
        if parameter.kind is Parameter.POSITIONAL_OR_KEYWORD and own.name != parameter.name:
            yield f"position {place} is {own.name} and not {parameter.name}"
        elif parameter.kind is Parameter.POSITIONAL_OR_KEYWORD and own.kind is Parameter.POSITIONAL_ONLY:
            yield f"{parameter.name} is not taken by name"
        else:
            yield from _defaults(parameter, own)
    for parameter in theirs:
        if parameter.kind is Parameter.KEYWORD_ONLY and not parameter.name.startswith("_"):
            matched.add(parameter.name)
            if parameter.name in names:
                yield from _defaults(parameter, names[parameter.name])
            elif Parameter.VAR_KEYWORD not in kinds:
                yield f"{parameter.name} is missing"
        elif parameter.kind is Parameter.VAR_POSITIONAL and Parameter.VAR_POSITIONAL not in kinds and not places:
            yield f"*{parameter.name} is missing"
    needed = [p.name for p in ours if p.kind in (*_POSITIONAL, Parameter.KEYWORD_ONLY) and p.default is Parameter.empty]
    any_number = any(p.kind is Parameter.VAR_POSITIONAL for p in theirs)
    for name in needed:
        if name not in matched and not any_number:
            yield f"{name} has no default, and the peer has no such parameter"


def _defaults(theirs: Parameter, ours: Parameter) -> Iterator[str]:
    if theirs.default is Parameter.empty:
        return
    if ours.default is Parameter.empty:
        yield f"{theirs.name} has no default; the peer's is {theirs.default!r}"
    elif not _same(theirs.default, ours.default):
        yield f"{theirs.name} is {ours.default!r} by default and not {theirs.default!r}"


def _same(theirs: Any, ours: Any) -> bool:
    if not isinstance(theirs, (bool, int, float, complex, str, tuple, list, frozenset, type(None))):
        return True  # a function, a type or a mark for what was not given: an object of its own on both sides
    return repr(theirs) == repr(ours) or (_is_nothing(theirs) and _is_nothing(ours))


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, (tuple, list, frozenset)) and not value)
