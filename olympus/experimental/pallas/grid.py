# SPDX-License-Identifier: Apache-2.0
"""The grid of a kernel while it is traced: which step it is, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from olympus_core.errors import ArgumentError, described

from ...operands import axis_of, is_sequence
from ...tracing import aval_of
from ...typing import Array


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a grid.

    Args:
        indices: Its index along each dimension.
        sizes: The number of steps along each dimension.
    """

    indices: tuple[Any, ...]
    sizes: tuple[Any, ...]


_step: ContextVar[Step | None] = ContextVar("olympus_grid_step", default=None)


@contextmanager
def use_step(step: Step) -> Iterator[None]:
    """Makes a step the one of the kernel that is traced."""
    token = _step.set(step)
    try:
        yield
    finally:
        _step.reset(token)


def _of(function: str, axis: int, values: str) -> Any:
    step = _step.get()
    if step is None:
        raise ArgumentError(function, "there is no grid", "a call outside of a kernel", "a call in a kernel",
                            "Call it in the function that is given to pallas_call.")
    found = getattr(step, values)
    return found[axis_of(function, axis, len(found))]


def program_id(axis: int) -> Array:
    """The index of the kernel's step along a dimension of the grid.

    Args:
        axis: The dimension.

    Returns:
        The index, an int32.

    Raises:
        ArgumentError: Outside of a kernel.
        AxisError: The grid has no such dimension.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> def kernel(o_ref):
        ...     o_ref[pl.program_id(0)] = pl.program_id(0) * 10
        >>> pl.pallas_call(kernel, grid=(3,), out_shape=olympus.ShapeDtypeStruct((3,), jnp.int32))()
        Array([ 0, 10, 20], dtype=int32)
    """
    found: Array = _of("program_id", axis, "indices")
    return found


def num_programs(axis: int) -> int | Array:
    """The number of steps along a dimension of the grid.

    Args:
        axis: The dimension.

    Returns:
        The number.

    Raises:
        ArgumentError: Outside of a kernel.
        AxisError: The grid has no such dimension.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import pallas as pl
        >>> def kernel(o_ref):
        ...     o_ref[...] = pl.num_programs(0)
        >>> print(pl.pallas_call(kernel, grid=(3,), out_shape=olympus.ShapeDtypeStruct((), jnp.int32))())
        3
    """
    found: int | Array = _of("num_programs", axis, "sizes")
    return found


def sizes_of(grid: Any) -> tuple[Any, ...]:
    """The number of steps along each dimension of what a user gave for a grid.

    Args:
        grid: An integer, or a tuple of integers, of which some may be traced.

    Raises:
        ArgumentError: For anything else.
    """
    items: Sequence[Any] = tuple(grid) if is_sequence(grid) else (grid,)
    for item in items:
        if isinstance(item, int) or getattr(aval_of(item).dtype, "kind", "") in "iu" and not aval_of(item).shape:
            if isinstance(item, int) and item < 0:
                raise ArgumentError("pallas_call", "a size of the grid is negative", described(grid), "0 or more")
            continue
        raise ArgumentError("pallas_call", "the grid is not made of integers", described(grid), "a tuple of integers")
    return tuple(items)
