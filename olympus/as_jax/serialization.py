"""The names of `jax.experimental.array_serialization.serialization` that checkpoint libraries ask for.

olympus stores arrays by `olympus.checkpoints`; libraries bring handlers of their own.
"""

from __future__ import annotations

import abc
import sys

from olympus_core.deferred import listed


class GlobalAsyncCheckpointManagerBase(abc.ABC):
    """Base of managers that store arrays while the program goes on; libraries ask whether a value is one."""

    @abc.abstractmethod
    def check_for_errors(self) -> None:
        """Raises what went wrong in the background."""

    @abc.abstractmethod
    def wait_until_finished(self) -> None:
        """Waits until all is stored."""


serialization = sys.modules[__name__]  # JAX has a package around it
__all__ = ["GlobalAsyncCheckpointManagerBase", "serialization"]
__dir__ = listed(__all__)
