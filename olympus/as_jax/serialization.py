# SPDX-License-Identifier: Apache-2.0
"""The names of `jax.experimental.array_serialization.serialization` that checkpoint libraries ask for.

olympus stores arrays by `olympus.checkpoints`; libraries bring handlers of their own.
"""

from __future__ import annotations

import abc
import sys
from typing import Any

from olympus_core.deferred import listed
from olympus_core.errors import NotSupportedError


class GlobalAsyncCheckpointManagerBase(abc.ABC):
    """Base of managers that store arrays while the program goes on; libraries ask whether a value is one."""

    @abc.abstractmethod
    def check_for_errors(self) -> None:
        """Raises what went wrong in the background."""

    @abc.abstractmethod
    def wait_until_finished(self) -> None:
        """Waits until all is stored."""


class GlobalAsyncCheckpointManager(GlobalAsyncCheckpointManagerBase):
    """JAX's own manager, of arrays that several processes hold; making one is an error.

    Args:
        timeout_secs: How long it would wait.

    Raises:
        NotSupportedError: Always.
    """

    def __init__(self, timeout_secs: int = 300) -> None:
        raise _refused("GlobalAsyncCheckpointManager")

    def check_for_errors(self) -> None:
        """Nothing runs in the background."""

    def wait_until_finished(self) -> None:
        """Nothing is waited for."""


def get_tensorstore_spec(ckpt_path: str, ocdbt: bool = False) -> dict[str, Any]:
    """Where JAX's manager would store an array.

    Args:
        ckpt_path: The folder.
        ocdbt: Whether many arrays share one store.

    Raises:
        NotSupportedError: Always.
    """
    raise _refused("get_tensorstore_spec")


def _refused(name: str) -> NotSupportedError:
    return NotSupportedError(
        f"jax.experimental.array_serialization.{name}", "olympus stores arrays by a package of its own",
        "Use olympus.checkpoints, or orbax.")


# JAX has a package around it, by which it is imported, too.
serialization = sys.modules[__name__]
__path__: list[str] = []
__all__ = [
    "GlobalAsyncCheckpointManager", "GlobalAsyncCheckpointManagerBase", "get_tensorstore_spec", "serialization",
]
__dir__ = listed(__all__)
