# SPDX-License-Identifier: Apache-2.0
"""The public modules of a package, and the public names of a module."""

from __future__ import annotations

import importlib
import pkgutil
import types
from collections.abc import Iterator, Sequence
from typing import Any

# Names that a module imports for its own use, and no part of what it gives.
_IMPORTED = frozenset(
    "__future__ abc builtins collections contextlib dataclasses enum functools inspect itertools operator typing "
    "warnings weakref".split()
)


def modules_of(name: str, left_out: Sequence[str]) -> list[str]:
    """The module and all public ones below it, by name, without those below and in `left_out`."""
    if name in left_out:
        return []
    module = importlib.import_module(name)
    found = [name]
    for entry in pkgutil.iter_modules(getattr(module, "__path__", [])):
        if not entry.name.startswith("_"):
            found += modules_of(f"{name}.{entry.name}", left_out)
    return found


def names_of(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """The public names of a module that are no modules, with their values; names that only warn are left out."""
    listed = getattr(module, "__all__", None)
    for name in dir(module) if listed is None else listed:
        if name.startswith("_") or name == "annotations":
            continue
        try:
            value = getattr(module, name)
        except AttributeError:  # deprecated and gone, but still listed
            continue
        if isinstance(value, types.ModuleType):
            continue
        if listed is None and str(getattr(value, "__module__", "")).split(".")[0] in _IMPORTED:
            continue
        yield name, value
