# SPDX-License-Identifier: Apache-2.0
"""Types of containers that say themselves how `vmap` takes one index of them, and puts them together again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from olympus_core.dataclass import dataclass

from ...tracing import Reference, aval_of
from ...trees import inside as tree

ToElement = Callable[[Callable[[Any, Any], Any], None, Any, Any], Any]
FromElement = Callable[[Callable[[Any, Any, Any], Any], Any, Any, Any], Any]


@dataclass(frozen=True)
class Container:
    """What is registered of a type.

    Attributes:
        spec: The type of what stands for it in `in_axes` and `out_axes`.
        to_element: Gives one index of a container: called with a function of a part and its dimension, None, the
            container and its entry of `in_axes`.
        from_element: Gives the container of one index's: called with a function of the number of indices, a part and
            its dimension, the number, the container and its entry of `out_axes`.
    """

    spec: type
    to_element: ToElement
    from_element: FromElement


containers: dict[type, Container] = {}


def is_container(value: Any) -> bool:
    """Whether a value's type is registered."""
    return type(value) in containers


class Held:
    """A container as one leaf of a tree."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


def held(values: Any) -> Any:
    """A tree in which containers are leaves."""
    return tree.map(lambda x: Held(x) if is_container(x) else x, values, is_leaf=is_container)


def is_entry(entry: Any) -> bool:
    """Whether it stands for a value in `in_axes` or `out_axes`."""
    return entry is None or isinstance(entry, (int, *(one.spec for one in containers.values())))


def parts_of(values: Sequence[Any], entries: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The arrays that leaves consist of, and the mapped dimension of each.

    Args:
        values: The leaves of a tree of `held`.
        entries: Their entries of `in_axes`.
    """
    parts: list[Any] = []
    axes: list[Any] = []

    def take(part: Any, axis: Any) -> Any:
        if is_container(part):
            return containers[type(part)].to_element(take, None, part, axis)
        if axis is not None:
            parts.append(part)
            axes.append(axis)
        return part

    for value, entry in zip(values, entries, strict=True):
        if isinstance(value, Held):
            take(value.value, entry)
        else:
            parts.append(value)
            axes.append(entry)
    return parts, axes


def elements_of(values: Sequence[Any], entries: Sequence[Any], parts: Sequence[Any]) -> list[Any]:
    """The leaves for one index, containers among them put together.

    Args:
        values: The leaves of a tree of `held`.
        entries: Their entries of `in_axes`.
        parts: One index of what `parts_of` gave.
    """
    remaining = iter(parts)

    def take(part: Any, axis: Any) -> Any:
        if is_container(part):
            return containers[type(part)].to_element(take, None, part, axis)
        return part if axis is None else next(remaining)

    return [take(value.value, entry) if isinstance(value, Held) else next(remaining)
            for value, entry in zip(values, entries, strict=True)]


def results_of(
    values: Sequence[Any], entries: Sequence[Any], size: int | None, put: Callable[[Any, Any], Any]
) -> list[Any]:
    """The leaves for all indices, containers among them put together.

    Args:
        values: The leaves of one index's tree of `held`.
        entries: Their entries of `out_axes`.
        size: How many indices there are.
        put: Gives an array for all indices: called with one index's and its dimension.
    """
    def put_part(count: Any, part: Any, axis: Any) -> Any:
        if is_container(part):
            return containers[type(part)].from_element(put_part, count, part, axis)
        return put(part, axis)

    return [put_part(size, value.value if isinstance(value, Held) else value, entry)
            for value, entry in zip(values, entries, strict=True)]


def size_of(parts: Sequence[Any], axes: Sequence[Any]) -> int | None:
    """How many indices the mapped parts have."""
    return next(((part.content_aval if isinstance(part, Reference) else aval_of(part)).shape[axis]
                 for part, axis in zip(parts, axes, strict=True) if axis is not None), None)
