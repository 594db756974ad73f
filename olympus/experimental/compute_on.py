# SPDX-License-Identifier: Apache-2.0
"""Where parts of a program are to be computed, as programs for other compilers say it.

All of a program is computed by its devices here; what is said is checked, and results go where they are wanted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar, overload

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described

from .. import tree
from ..formats import Space
from ..transforms.device_put import device_put
from ..transforms.prefix import spread

__all__ = ["compute_on", "compute_on2"]
__dir__ = listed(__all__)

F = TypeVar("F", bound=Callable[..., Any])
_PLACES = re.compile("device_host|device|tpu_sparsecore|gpu_stream:.*")


def _check(function: str, place: Any) -> None:
    if not isinstance(place, str) or not _PLACES.fullmatch(place):
        raise ArgumentError(function, "there is no such compute_type", described(place),
                            "'device_host', 'device', 'tpu_sparsecore' or 'gpu_stream:' and a number")


@contextmanager
def compute_on(compute_type: str) -> Iterator[None]:
    """Says what is to compute the operations of a block, or of a decorated function. The devices do so in any case.

    Args:
        compute_type: ``"device_host"``, ``"device"``, ``"tpu_sparsecore"``, or ``"gpu_stream:"`` with a number.

    Raises:
        ArgumentError: For another one.

    Example:
        >>> import olympus.numpy as jnp
        >>> from olympus.experimental.compute_on import compute_on
        >>> with compute_on("device_host"):
        ...     print(jnp.arange(3) * 2)
        [0 2 4]
    """
    _check("compute_on", compute_type)
    yield


@overload
def compute_on2(
    f: F, *, compute_type: str, out_memory_spaces: Any, compiler_options: Mapping[str, Any] | None = None
) -> F: ...
@overload
def compute_on2(
    f: None = None, *, compute_type: str, out_memory_spaces: Any, compiler_options: Mapping[str, Any] | None = None
) -> Callable[[F], F]: ...
def compute_on2(
    f: Callable[..., Any] | None = None, *, compute_type: str, out_memory_spaces: Any,
    compiler_options: Mapping[str, Any] | None = None,
) -> Any:
    """Says what is to compute a function, as `compute_on`, and in which memory its results are to be.

    Args:
        f: The function of arrays; without one, what decorates it.
        compute_type: As of `compute_on`.
        out_memory_spaces: An `olympus.memory.Space` for each result, or a tree prefix of them.
        compiler_options: Accepted for compatibility: the function is compiled with what surrounds it.

    Returns:
        The function, whose results are in these memories.

    Raises:
        ArgumentError: For another place, or memories that do not fit the results.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental.compute_on import compute_on2
        >>> host = olympus.memory.Space.Host
        >>> twice = compute_on2(lambda x: 2 * x, compute_type="device_host", out_memory_spaces=host)
        >>> olympus.jit(twice)(jnp.ones(2)).sharding.memory_kind
        'pinned_host'
    """
    _check("compute_on2", compute_type)

    def computed(*args: Any) -> Any:
        results = function(*args)
        leaves, structure = tree.flatten(results)
        spaces = spread("compute_on2", "out_memory_spaces", out_memory_spaces, results,
                        lambda x: isinstance(x, Space), "an olympus.memory.Space")
        return tree.unflatten(structure, [
            x if space is Space.Any else device_put(x, space) for x, space in zip(leaves, spaces, strict=True)])

    if f is None:
        return lambda g: compute_on2(
            g, compute_type=compute_type, out_memory_spaces=out_memory_spaces, compiler_options=compiler_options)
    function = f
    return computed
