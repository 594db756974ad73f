# SPDX-License-Identifier: Apache-2.0
"""Formats: where an array lies, and in which order its elements lie in memory."""

from __future__ import annotations

from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from .. import tree
from ..formats import Format, Layout
from ..tracing import aval_of
from ..transforms.prefix import spread

__all__ = ["Format", "Layout", "with_layout_constraint"]
__dir__ = listed(__all__)


def with_layout_constraint(x: Any, layouts: Any) -> Any:
    """Says in which order the elements of a value should lie inside of a program.

    It is advice: what the compiler fuses lies nowhere, and what leaves the program has the last dimension fastest. The
    numbers are the same with it and without.

    Args:
        x: An array, a traced value, or a nested container of them.
        layouts: A `Layout`, or a container of them with the outer structure of `x`.

    Returns:
        The same values.

    Raises:
        ArgumentError: When a layout is of another number of dimensions, or none at all.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental.layout import Layout, with_layout_constraint
        >>> olympus.jit(lambda x: with_layout_constraint(x.T, Layout((1, 0))))(jnp.ones((2, 3))).shape
        (3, 2)
    """
    leaves, structure = tree.flatten(x)
    function = "with_layout_constraint"
    wanted = spread(function, "layouts", layouts, x, lambda one: isinstance(one, Layout), "a Layout")
    for value, layout in zip(leaves, wanted, strict=True):
        if not isinstance(layout, Layout):
            raise ArgumentError(function, "a layout is needed", described(layout), "a Layout")
        layout.check_compatible_aval(aval_of(value).shape)
    return tree.unflatten(structure, leaves)
