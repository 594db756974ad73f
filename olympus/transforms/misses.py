# SPDX-License-Identifier: Apache-2.0
"""Why a call found no compiled program: what differs from the nearest call that is known, in words."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from olympus_core.config import config
from olympus_core.runtime import Signature

from ..trees.kinds import marks_of

_logger = logging.getLogger("olympus")
_codes: weakref.WeakSet[Any] = weakref.WeakSet()  # of functions that were traced


class Asked(NamedTuple):
    """What a function is traced for: the key under which the program is remembered.

    Attributes:
        structure: Of the arguments.
        marks: The structure's.
        statics: The static ones.
        avals: What is known of the others.
        layouts: Their shardings, where these are in the types.
        version: Stands for the options.
        mesh: The current mesh.
        kept: How calls of jitted functions are kept.
        axes: The manual axes over which arguments vary.
    """

    structure: Any
    marks: Any
    statics: Any
    avals: tuple[Any, ...]
    layouts: tuple[Any, ...]
    version: int
    mesh: Any
    kept: Any
    axes: Any


def explain(
    name: str, function: Callable[..., Any], asked: Asked, known: Iterable[Asked], names: Sequence[str],
    placed: Sequence[Any], calls: Iterable[Any], line: str,
) -> None:
    """Logs why a call of a jitted function is not known.

    Args:
        name: The function's name.
        function: The function.
        asked: What it is to be traced for.
        known: What it was traced for.
        names: Of the arguments that are arrays.
        placed: The arguments that are arrays.
        calls: The keys of the calls that were compiled.
        line: The caller's line.
    """
    code = getattr(function, "__code__", None)
    found = list(known)
    if asked in found:
        reasons = _placements(names, placed, calls)
    elif found:
        reasons, _ = min(((_differences(asked, one, names), _distance(asked, one)) for one in found),
                         key=lambda pair: (len(pair[0]), pair[1]))
    elif code is not None and code in _codes:
        reasons = ["it is a new function made at a line that made one before: make it once, outside of the loop or "
                   "function that makes it again"]
    else:
        reasons = ["it was never called before"]
    if code is not None:
        _codes.add(code)
    _logger.warning("olympus: %s is traced or compiled anew at %s, because\n  - %s", name, line or "an unknown line",
                    "\n  - ".join(reasons))


def _differences(asked: Asked, known: Asked, names: Sequence[str]) -> list[str]:
    found = []
    if (asked.structure, asked.marks) != (known.structure, known.marks):
        found.append(f"the arguments have another structure: now {asked.structure}, in the nearest known call "
                     f"{known.structure}")
    for now, before in zip(asked.statics, known.statics, strict=True):
        old = {entry[0]: entry[-1] for entry in before}
        for which, *_, value in now:
            if which not in old or old[which] != value or marks_of(old[which]) != marks_of(value):
                shown = f"argument {which}" if isinstance(which, int) else str(which)
                found.append(f"the static {shown} is {value!r}, and was "
                             f"{repr(old[which]) if which in old else 'not given'}")
    if asked.structure == known.structure:
        for argument, now, before, at, was in zip(
                names, asked.avals, known.avals, asked.layouts, known.layouts, strict=True):
            if now != before:
                found.append(f"{argument} is {now!r}, and was {before!r}{_about(now, before)}")
            elif at != was:
                found.append(f"{argument} has another sharding in its type")
    if asked.version != known.version:
        changed = config.difference(asked.version, known.version)
        found.append("options have other values: " + ", ".join(
            f"{option} is {now!r}, and was {before!r}" for option, now, before in changed))
    if asked.mesh != known.mesh:
        found.append(f"the current mesh is {asked.mesh}, and was {known.mesh}")
    return found or ["it is called in another kind of region"]


def _distance(asked: Asked, known: Asked) -> int:
    """How many properties of types differ, to tell apart those of which as many arguments do."""
    if len(asked.avals) != len(known.avals):
        return abs(len(asked.avals) - len(known.avals)) * 4
    return sum((a.shape != b.shape) + (a.ndim != b.ndim) + (a.dtype != b.dtype) + (a.weak != b.weak)
               for a, b in zip(asked.avals, known.avals, strict=True))


def _about(now: Any, before: Any) -> str:
    """Which part of a type differs, where the types alone do not show it."""
    if now.shape == before.shape and now.dtype == before.dtype and now.weak != before.weak:
        kinds = ("an array's", "a Python number's")
        return f" (the same but that the element type is {kinds[now.weak]} now and was {kinds[before.weak]})"
    return ""


def _placements(names: Sequence[str], placed: Sequence[Any], calls: Iterable[Any]) -> list[str]:
    """What differs where the types are known: where the arguments are."""
    now = [(name, value._signature) for name, value in zip(names, placed, strict=True) if hasattr(value, "_signature")]
    found: list[list[str]] = []
    for key in calls:
        before = [part for part in key if isinstance(part, Signature)]
        if len(before) == len(now) and all(a.type is b.type for (_, a), b in zip(now, before, strict=True)):
            found.append([f"{name} is on {a.sharding}{_chosen(a)}, and was on {b.sharding}{_chosen(b)}"
                          for (name, a), b in zip(now, before, strict=True) if a is not b])
    found = [one for one in found if one]
    return min(found, key=len) if found else ["arguments of these types come from somewhere else: numbers and NumPy "
                                              "arrays where arrays were, or the other way round"]


def _chosen(signature: Signature) -> str:
    return " (committed)" if signature.committed else ""
