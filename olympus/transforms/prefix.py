# SPDX-License-Identifier: Apache-2.0
"""Tree prefixes: one entry, of shardings, specs or axes, that stands for all the leaves below it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olympus_core.errors import ArgumentError

from ..trees import inside as tree


def spread(function: str, what: str, prefix: Any, full: Any, is_entry: Callable[[Any], bool], entry: str) -> list[Any]:
    """One entry for each leaf of `full`.

    Args:
        function: The function, for errors.
        what: The parameter's name, for errors.
        prefix: An entry, or a container of entries and containers with the outer structure of `full`.
        full: The values.
        is_entry: Says what an entry is.
        entry: What an entry is, for errors.
    """
    if is_entry(prefix):
        return [prefix] * len(tree.leaves(full))
    items, outer = tree.flatten(prefix, is_leaf=lambda x: x is not prefix)
    if len(items) == 1 and items[0] is prefix:
        raise ArgumentError(function, f"{what} holds something else than it may", repr(prefix), entry)
    parts, inner = tree.flatten(full, is_leaf=lambda x: x is not full)
    alike = outer == inner or (isinstance(prefix, (list, tuple)) and isinstance(full, (list, tuple)))
    if len(items) != len(parts) or not alike:
        given = f"{len(items)} entries for {len(parts)} values: {outer} for {inner}"
        raise ArgumentError(function, f"{what} has not the structure of the values", given,
                            f"{entry} for each value, or one for all")
    return [e for item, part in zip(items, parts, strict=True) for e in spread(
        function, what, item, part, is_entry, entry)]
