# SPDX-License-Identifier: Apache-2.0
"""Arrays that span processes, made of what each process has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from olympus_core.errors import ArgumentError
from olympus_core.location import user_location
from olympus_core.placement import Sharding
from olympus_core.runtime import assembly

from . import tree
from .array import Array, host_content, is_concrete
from .operands import element_type, function_of, known, sequence, shape_argument
from .tracing import aval_of, host_value
from .transforms.constraint import named, says_where
from .transforms.prefix import spread


def make_array_from_single_device_arrays(
    shape: Sequence[int], sharding: Sharding, arrays: Sequence[Array], *, dtype: Any = None
) -> Array:
    """Makes one array of arrays that are on their devices already; nothing moves.

    Args:
        shape: Shape of the array.
        sharding: Where the parts are.
        arrays: One array for each of this process's devices in the sharding.
        dtype: Type of the elements; needed where this process has no part.

    Returns:
        The array, of all processes that own devices of the sharding.

    Raises:
        ShardsError: When the arrays are not the parts that the sharding describes.

    Example:
        >>> import numpy as np, olympus
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> sharding = olympus.NamedSharding(mesh, olympus.P("x"))
        >>> parts = [olympus.device_put(np.full(2, i), d) for i, d in enumerate(mesh.local_devices)]
        >>> print(olympus.make_array_from_single_device_arrays((16,), sharding, parts))
        [0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7]
    """
    function = "make_array_from_single_device_arrays"
    sharding, sizes = named(sharding, function), shape_argument(function, shape)
    parts = sequence(function, arrays, "the argument for the parts", "arrays")
    for array in parts:
        if not is_concrete(array) or len(array.sharding.devices) != 1:
            raise ArgumentError(function, "each array must be on one device",
                                repr(array.sharding) if is_concrete(array) else type(array).__name__,
                                "olympus arrays, such as olympus.device_put(value, device) makes")
    return _noted(assembly.from_single_device_arrays(Array, sizes, sharding, list(parts), dtype))


def make_array_from_callback(
    shape: Sequence[int], sharding: Sharding, data_callback: Callable[[tuple[slice, ...]], Any], dtype: Any = None
) -> Array:
    """Makes one array of parts that a function gives.

    Args:
        shape: Shape of the array.
        sharding: Where the parts shall be.
        data_callback: Takes the slices of the array that a part covers and gives the part; called once for each
            different part of this process.
        dtype: Type of the elements; needed where this process has no part.

    Returns:
        The array.

    Raises:
        ShardsError: When a part has the wrong shape.
        DivergenceError: When each process has every part, and the processes' functions give different ones.

    Example:
        >>> import numpy as np, olympus
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> sharding = olympus.NamedSharding(mesh, olympus.P("x"))
        >>> x = np.arange(16)
        >>> print(olympus.make_array_from_callback((16,), sharding, lambda index: x[index] * 10))
        [  0  10  20  30  40  50  60  70  80  90 100 110 120 130 140 150]
    """
    function = "make_array_from_callback"
    sharding, sizes = named(sharding, function), shape_argument(function, shape)
    function_of(function, data_callback, "the callback")

    kept: np.dtype | None = None  # the element type of a part that stays as it is: the next one's will, too

    def part(index: tuple[slice, ...]) -> np.ndarray:
        nonlocal kept
        value = data_callback(index)
        if type(value) is np.ndarray and value.dtype is kept:
            return value
        value = host_content(value) if is_concrete(value) else known(function, value, "a part")
        host = host_value(value, aval_of(value).dtype)
        kept = host.dtype if host is value else None
        return host

    wanted = None if dtype is None else element_type(function, dtype)
    return _noted(assembly.from_callback(Array, sizes, sharding, part, wanted, function))


def make_array_from_process_local_data(
    sharding: Any, local_data: Any, global_shape: Any = None
) -> Any:
    """Makes one array of the data that each process has for its own devices.

    Args:
        sharding: Where the parts shall be; one for all leaves, or a container of them.
        local_data: This process's data, or a nested container of them: its devices' parts, joined. A dimension may
            also be given whole.
        global_shape: Shape of the array; found from the data when left out.

    Returns:
        The array, of all processes that own devices of the sharding.

    Raises:
        ShardsError: When the data do not fit.
        DivergenceError: When the processes' data do not make one array.

    Example:
        >>> import numpy as np, olympus
        >>> mesh = olympus.make_mesh((8,), ("x",))
        >>> sharding = olympus.NamedSharding(mesh, olympus.P("x"))
        >>> olympus.make_array_from_process_local_data(sharding, np.arange(16)).shape
        (16,)
    """
    function = "make_array_from_process_local_data"

    def one(data: Any, where: Sharding, shape: Any) -> Array:
        host = host_content(data) if is_concrete(data) else known(function, data, "the data")
        host = host_value(host, aval_of(host).dtype)
        return _noted(assembly.from_process_local_data(Array, named(where, function), host, shape))

    leaves, structure = tree.flatten(local_data)
    where = spread(function, "sharding", sharding, local_data, says_where, "a sharding")
    shapes = spread(function, "global_shape", global_shape, local_data, _is_shape, "a shape, or None,")
    return tree.unflatten(structure, [one(*args) for args in zip(leaves, where, shapes, strict=True)])


def _noted(array: Array) -> Array:
    """The array, which remembers where the user committed it."""
    array._committed_at = user_location(2)
    return array


def _is_shape(value: Any) -> bool:
    return value is None or (isinstance(value, (tuple, list)) and all(n is None or isinstance(n, int) for n in value))
