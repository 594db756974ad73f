# SPDX-License-Identifier: Apache-2.0
"""Which dimensions of arrays are named axes: the `in_axes` and `out_axes` of xmap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from olympus_core.errors import ArgumentError

from .prefix import spread


@dataclass(frozen=True, slots=True)
class NamedDimensions:
    """The dimensions of one array that are named axes.

    Args:
        entries: Pairs of a dimension, counted from the end when negative, and a name.
        ndim: The number of dimensions that the array must have; None for any that has those.
    """

    entries: tuple[tuple[int, str], ...]
    ndim: int | None = None

    def of(self, what: str, ndim: int) -> dict[int, str]:
        """The name of each named dimension of an array.

        Args:
            what: The parameter, for errors.
            ndim: The array's number of dimensions.
        """
        if self.ndim is not None and self.ndim != ndim:
            raise ArgumentError("xmap", f"{what} names the dimensions of an array with {self.ndim} dimensions",
                                f"an array with {ndim}", fix="End the list with `...` to leave the others as they are.")
        found: dict[int, str] = {}
        for dimension, name in self.entries:
            if not -ndim <= dimension < ndim or dimension % ndim in found:
                raise ArgumentError("xmap", f"{what} names a dimension that is not there, or names one twice",
                                    f"dimension {dimension} of an array with {ndim}", f"from 0 to {ndim - 1}")
            found[dimension % ndim] = name
        return found


def spread_named(what: str, prefix: Any, full: Any) -> list[NamedDimensions]:
    """The named dimensions of each leaf of `full`.

    Args:
        what: The parameter's name, for errors.
        prefix: A dictionary from dimensions to names, or a list of names (None for a dimension without, `...` at the
            end for all that follow); or a container of those that is a tree prefix of `full`.
        full: The values.
    """
    entries = spread("xmap", what, prefix, full, _is_entry, "{dimension: name} or [name, ...]")
    return [_read(what, entry) for entry in entries]


def _is_entry(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(k, int) and isinstance(v, str) for k, v in value.items())
    return type(value) in (list, tuple) and all(v is None or v is ... or isinstance(v, str) for v in value)


def _read(what: str, entry: Any) -> NamedDimensions:
    if isinstance(entry, dict):
        found = NamedDimensions(tuple(entry.items()))
    else:
        is_open = bool(entry) and entry[-1] is ...
        names = entry[:-1] if is_open else entry
        if any(name is ... for name in names):
            raise ArgumentError("xmap", f"{what} has `...` in the middle", repr(entry), "`...` at the end only",
                                "Write a dictionary {dimension: name}; negative dimensions count from the end.")
        pairs = tuple((i, name) for i, name in enumerate(names) if name is not None)
        found = NamedDimensions(pairs, None if is_open else len(names))
    used = [name for _, name in found.entries]
    if len(set(used)) != len(used):
        raise ArgumentError("xmap", f"{what} gives two dimensions of one array the same name", repr(entry))
    return found
