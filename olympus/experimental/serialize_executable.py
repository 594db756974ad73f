# SPDX-License-Identifier: Apache-2.0
"""Compiled functions as bytes: the program with its machine code, for the same processor and version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described
from olympus_core.plugin import Device

from ..stages import Compiled

__all__ = ["deserialize_and_load", "serialize"]
__dir__ = listed(__all__)


def serialize(compiled: Compiled) -> tuple[bytes, Any, Any]:
    """A compiled function as bytes, signed with the user's key of the compilation cache.

    Args:
        compiled: What ``jit(f).lower(...).compile()`` gives.

    Returns:
        The bytes, and the structures of the arguments and of the results, which are not in them.

    Raises:
        ArgumentError: For something else.
        NotSupportedError: When the platform stores no code, or results are moved after the program.
        NotExportableError: When the function calls the host.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> from olympus.experimental import serialize_executable
        >>> compiled = olympus.jit(lambda x: x + 1).lower(jnp.zeros(2)).compile()
        >>> stored = serialize_executable.serialize(compiled)
        >>> print(serialize_executable.deserialize_and_load(*stored)(jnp.zeros(2)))
        [1. 1.]
    """
    if not isinstance(compiled, Compiled):
        raise ArgumentError("serialize", "a compiled function is needed", described(compiled),
                            "jit(f).lower(...).compile()")
    from ..export.executables import executable_bytes  # few programs store any

    return executable_bytes(compiled), compiled.in_tree, compiled.out_tree


def deserialize_and_load(
    serialized: bytes, in_tree: Any, out_tree: Any, backend: Any = None,
    execution_devices: Sequence[Device] | None = None,
) -> Compiled:
    """The compiled function of bytes that `serialize` has made; its code is loaded, not compiled again.

    Code is run only if this user's key has signed it, so that bytes of strangers are refused.

    Args:
        serialized: The bytes.
        in_tree: Structure of the arguments, as `serialize` gave it.
        out_tree: Structure of the results.
        backend: The platform's name, where it is to be a certain one.
        execution_devices: The devices that it is to run on; by default those with the same numbers.

    Returns:
        The function; its arguments have the types that it was compiled for.

    Raises:
        ExecutableError: For bytes that are damaged, or that another user has made, or for another processor, platform
            or version.

    Example:
        >>> from olympus.experimental import serialize_executable
        >>> serialize_executable.deserialize_and_load(b"stranger", None, None)
        Traceback (most recent call last):
            ...
        olympus_core.errors.export.ExecutableError: This is no executable that can be loaded here: it does not ...
    """
    from ..export.executables import executable_from

    return executable_from(serialized, in_tree, out_tree, backend, execution_devices)
