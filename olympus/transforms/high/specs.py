# SPDX-License-Identifier: Apache-2.0
"""How `vmap` and `scan` map values of libraries' own types: by a `MappingSpec` of the library's."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

from olympus_core.errors import NotSupportedError

from ...tracing.high import HighValue, high_type, presented, register
from ..batching.containers import Container, containers
from .tangents import parts_of
from .zeros import arrays_in


class MappingSpec:
    """What stands for a value in `in_axes` and `out_axes`; to derive from. `dec_rank` and `inc_rank` know its meaning.

    It names, in its fields, a dimension or None for each array that the value consists of.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _in_use.append(cls)
        for one in _classes:
            containers.setdefault(one, _CONTAINER)


class HiPspec:
    """What stands for a value in the specs of `shard_map`; to derive from."""


def _entries(spec: Any) -> Iterator[int | None]:
    """The dimensions that a spec names, in order."""
    if spec is None or isinstance(spec, int):
        yield spec
    elif isinstance(spec, (tuple, list)):
        for one in spec:
            yield from _entries(one)
    elif isinstance(spec, dict):
        for one in spec.values():
            yield from _entries(one)
    elif dataclasses.is_dataclass(spec):
        for field in dataclasses.fields(spec):
            yield from _entries(getattr(spec, field.name))


def dimensions(type: Any, spec: Any) -> list[int | None]:
    """The mapped dimension of each array of a value.

    Raises:
        NotSupportedError: If the spec names another number of them.
    """
    found, count = list(_entries(spec)), len(arrays_in(type))
    if not isinstance(spec, MappingSpec) or len(found) not in (1, count):
        raise NotSupportedError(
            f"{spec!r} for a value of type {type!r} in in_axes or out_axes",
            f"it names no dimension for each of the {count} arrays that the value consists of",
            "Give a MappingSpec whose fields name a dimension or None for each of them, or one for all.")
    return found if len(found) == count else found * count


def _element(take: Callable[[Any, Any], Any], _: None, value: Any, spec: Any) -> Any:
    type = high_type(value)
    if spec is None:
        return value
    axes = dimensions(type, spec)
    own = parts_of(type, value)[:len(axes)]
    sizes = [a.shape[d] for a, d in zip(arrays_in(type), axes, strict=True) if d is not None]
    inner = type.dec_rank(sizes[0] if sizes else None, spec)
    return HighValue(inner, [take(x, d) for x, d in zip(own, axes, strict=True)])


def _whole(put: Callable[[Any, Any, Any], Any], size: Any, value: Any, spec: Any) -> Any:
    type = high_type(value)
    outer = type if spec is None else type.inc_rank(size, spec)
    axes = [None] * len(arrays_in(type)) if spec is None else dimensions(outer, spec)
    parts = [put(size, x, d) for x, d in zip(parts_of(type, value), axes, strict=False)]
    return presented(outer, parts)  # asked with one index's parts first, for their dimensions


_CONTAINER = Container(MappingSpec, _element, _whole)
_classes: list[type] = [HighValue]
_in_use: list[type] = []


def register_hitype(val_cls: type, typeof_fn: Callable[[Any], Any]) -> None:
    """Says what type the values of a class have: from then on they may be arguments and results of transformations.

    Args:
        val_cls: The class.
        typeof_fn: Gives a value's type.
    """
    register(val_cls, typeof_fn)
    _classes.append(val_cls)
    if _in_use:
        containers.setdefault(val_cls, _CONTAINER)
