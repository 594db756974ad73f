# SPDX-License-Identifier: Apache-2.0
"""The user's side of the configuration: `olympus.config`, and context managers for single options."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from olympus_core.config import OPTIONS
from olympus_core.config import config as _config
from olympus_core.errors import described
from olympus_core.errors.config import OptionAssignmentError, UnknownOptionError


class ConfigView:
    """The options of olympus, each an attribute under its whole name.

    An option is set, in order of precedence, by an argument of a call, a context manager, `update`, a flag
    (``--olympus_platforms=cpu``), an environment variable (``OLYMPUS_PLATFORMS=cpu``).

    Example:
        >>> config.update("olympus_deadlock_timeout", 8)
        >>> config.olympus_deadlock_timeout
        8.0
    """

    __slots__ = ()

    def update(self, name: str, val: Any) -> None:
        """Sets an option for the whole process.

        Args:
            name: The option's name, such as ``"olympus_num_cpu_devices"``.
            val: Its new value.

        Raises:
            UnknownOptionError: No option has that name; the message names the nearest one.
            OptionValueError: The option does not take that value.
            ConfigFrozenError: The option took effect earlier; the message names the line.
        """
        if not isinstance(name, str):
            raise UnknownOptionError(described(name), tuple(option.name for option in OPTIONS))
        _config.update(name, val)

    def parse_flags_with_absl(self) -> None:
        """Reads the flags of the command line now, such as ``--olympus_platforms=cpu``.

        They are read by themselves at the first need; calling this brings a wrong one to light at once.

        Raises:
            OptionValueError: An option does not take the value that a flag gives it.

        Example:
            >>> import olympus
            >>> olympus.config.parse_flags_with_absl()
        """
        for option in OPTIONS:
            _config.get(option.name)

    def source(self, name: str) -> str:
        """Where an option's value came from.

        Args:
            name: The option's name.

        Returns:
            A text such as ``environment variable OLYMPUS_PLATFORMS`` or ``config.update at toy.py:3``.

        Raises:
            UnknownOptionError: No option has that name.
        """
        return _config.source(name)

    def read(self, name: str) -> Any:
        """An option's value.

        Args:
            name: The option's name.

        Raises:
            UnknownOptionError: No option has that name.

        Example:
            >>> import olympus
            >>> olympus.config.read("olympus_enable_x64")
            False
        """
        return _config.get(name)

    @property
    def x64_enabled(self) -> bool:
        """Whether 64-bit types are kept."""
        return _config.enable_x64

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _config.get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise OptionAssignmentError(name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(option.name for option in OPTIONS)]

    def __repr__(self) -> str:
        rows = (f"  {o.name} = {_config.get(o.name)!r}  ({_config.source(o.name)})" for o in OPTIONS)
        return "\n".join(["olympus.config:", *rows])


config = ConfigView()


def enable_x64(enabled: bool = True) -> AbstractContextManager[None]:
    """A context manager in which 64-bit types are kept, or narrowed to 32 bits.

    Args:
        enabled: Whether they are kept.

    Returns:
        The context manager; it acts on the current thread.

    Raises:
        OptionValueError: `enabled` is not a bool.

    Example:
        >>> with enable_x64():
        ...     config.olympus_enable_x64
        True
    """
    return _config.override("olympus_enable_x64", enabled)


def disable_jit(disable: bool = True) -> AbstractContextManager[None]:
    """A context manager in which jitted functions, loops and branches run step by step, as plain Python.

    So that one may walk through them in a debugger, and print values. Last bits may differ from a compiled program's.

    Args:
        disable: Whether they run so.

    Returns:
        The context manager, which is a decorator too; it acts on the current thread.

    Raises:
        OptionValueError: `disable` is not a bool.

    Example:
        >>> import olympus
        >>> with olympus.disable_jit():
        ...     y = olympus.jit(lambda x: float(x) + 1)(1.0)
        >>> y
        2.0
    """
    return _config.override("olympus_disable_jit", disable)


def default_device(device: Any) -> AbstractContextManager[None]:
    """A context manager in which uncommitted arrays go to another device.

    Args:
        device: A device, or the name of a platform for its first one; None for the preferred platform's.

    Returns:
        The context manager; it acts on the current thread.

    Raises:
        OptionValueError: `device` is neither a device nor a name.

    Example:
        >>> with default_device("cpu"):
        ...     config.olympus_default_device
        'cpu'
    """
    return _config.override("olympus_default_device", device)
