# SPDX-License-Identifier: Apache-2.0
"""What there is in this process: the arrays that live, and what a report of a fault should name."""

from __future__ import annotations

import gc
import platform as machine
import sys

from olympus_core.deferred import listed
from olympus_core.plugin.version import VERSION

from .array import Array
from .devices import device_count, devices, local_devices, process_count, process_index

__all__ = ["live_arrays", "print_environment_info"]
__dir__ = listed(__all__)


def live_arrays(platform: str | None = None) -> list[Array]:
    """The arrays of this process that something still refers to and that are not deleted.

    It looks at all objects of the interpreter, which takes milliseconds: nothing is counted as arrays come and go.

    Args:
        platform: A platform's name, such as ``"cpu"``; the preferred one when left out.

    Returns:
        The arrays, in no order. Who keeps the list keeps them.

    Raises:
        PlatformError: When there is no such platform.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> x = jnp.ones(3)
        >>> any(x is one for one in olympus.live_arrays())
        True
    """
    kind = devices(platform)[0].platform
    arrays = [found for found in gc.get_objects() if type(found) is Array]
    return [x for x in arrays if not x.is_deleted() and any(d.platform == kind for d in x.sharding.device_set)]


def print_environment_info(return_string: bool = False) -> str | None:
    """Prints the versions, devices, processes and the machine, for reports of faults. `olympus doctor` tells more.

    Args:
        return_string: Whether the text is returned and not printed.

    Returns:
        The text, if `return_string`.

    Example:
        >>> import olympus
        >>> text = olympus.print_environment_info(return_string=True)
        >>> text.startswith("olympus:")
        True
    """
    from importlib.metadata import version  # not every process reports

    local, system = local_devices(), machine.uname()
    kinds = sorted({device.device_kind for device in local})
    text = "\n".join([
        f"olympus: {VERSION}", f"numpy:   {version('numpy')}", f"python:  {sys.version}",
        f"devices: {len(local)} of this process ({', '.join(kinds)}), {device_count()} of all",
        f"process: {process_index()} of {process_count()}",
        f"machine: {system.system} {system.release} {system.machine}",
    ])
    if return_string:
        return text
    sys.stdout.write(text + "\n")
    return None
