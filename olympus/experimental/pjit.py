# SPDX-License-Identifier: Apache-2.0
"""`jit`, under the name by which older programs know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from olympus_core.deferred import listed
from olympus_core.plugin import Device

from ..transforms.jit import Jitted, jit

__all__ = ["pjit"]
__dir__ = listed(__all__)


def pjit(
    fun: Callable[..., Any], in_shardings: Any = None, out_shardings: Any = None,
    static_argnums: int | Sequence[int] | None = None, static_argnames: str | Sequence[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None, donate_argnames: str | Sequence[str] | None = None,
    keep_unused: bool = False, device: Device | None = None, backend: str | None = None, inline: bool = False,
    compiler_options: Mapping[str, Any] | None = None,
) -> Jitted[..., Any]:
    """Compiles a function of arrays, as `olympus.jit` does; the shardings may be given by position.

    Args:
        fun: The function.
        in_shardings: As for `olympus.jit`, like all that follow.
        out_shardings: Likewise.
        static_argnums: Likewise.
        static_argnames: Likewise.
        donate_argnums: Likewise.
        donate_argnames: Likewise.
        keep_unused: Likewise.
        device: Likewise.
        backend: Likewise.
        inline: Likewise.
        compiler_options: Likewise.

    Returns:
        The compiled function.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental.pjit import pjit
        >>> sharding = olympus.NamedSharding(olympus.make_mesh((8,), ("x",)), olympus.P("x"))
        >>> pjit(lambda x: 2 * x, None, sharding)(jnp.arange(8)).sharding.spec
        PartitionSpec('x',)
    """
    return jit(fun, in_shardings=in_shardings, out_shardings=out_shardings, static_argnums=static_argnums,
               static_argnames=static_argnames, donate_argnums=donate_argnums, donate_argnames=donate_argnames,
               keep_unused=keep_unused, device=device, backend=backend, inline=inline,
               compiler_options=compiler_options)
