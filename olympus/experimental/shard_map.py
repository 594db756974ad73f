# SPDX-License-Identifier: Apache-2.0
"""`shard_map`, under the name by which older programs know it."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any

from olympus_core.deferred import listed
from olympus_core.placement import Mesh

from ..transforms.shard_map import shard_map as _shard_map

__all__ = ["shard_map"]
__dir__ = listed(__all__)


def shard_map(
    f: Callable[..., Any], mesh: Mesh, in_specs: Any, out_specs: Any, check_rep: bool = True,
    auto: AbstractSet[str] = frozenset(),
) -> Callable[..., Any]:
    """Maps a function over the shards of its arguments, as `olympus.shard_map` does.

    Args:
        f: A function of arrays that have the shape of one shard.
        mesh: The devices.
        in_specs: For each argument (a tree prefix) the `PartitionSpec` that cuts it into shards.
        out_specs: For each result the `PartitionSpec` by which the shards make it up.
        check_rep: Refuse results whose spec leaves out an axis over which they still vary.
        auto: The axes that are not manual in `f`.

    Returns:
        A function of whole arrays.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental.shard_map import shard_map
        >>> mesh, P = olympus.make_mesh((8,), ("x",)), olympus.P
        >>> print(shard_map(lambda x: olympus.lax.psum(x, "x"), mesh, P("x"), P())(jnp.arange(8)))
        [28]
    """
    names = set(mesh.axis_names) - set(auto)
    return _shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, axis_names=names, check_vma=check_rep)
