# SPDX-License-Identifier: Apache-2.0
"""device_put: placing values."""

from __future__ import annotations

import contextlib
from typing import Any, overload

import numpy as np

from olympus_core import ops
from olympus_core.config import config
from olympus_core.dtypes import is_key
from olympus_core.errors import ArgumentError
from olympus_core.location import user_location
from olympus_core.placement import Sharding, SingleDeviceSharding
from olympus_core.plugin import Device, promised
from olympus_core.runtime import get_world, put_host

from ..array import Array, is_concrete
from ..tracing import Tracer, aval_of, bind, host_value
from ..trees import inside as tree
from ..typing import ArrayLike
from .calls import place
from .constraint import named, placed_in, says_where
from .prefix import spread


@overload
def device_put(
    x: ArrayLike, device: Any = None, *, src: Any = None, donate: bool = False, may_alias: bool | None = None
) -> Array: ...
@overload
def device_put(
    x: Any, device: Any = None, *, src: Any = None, donate: bool = False, may_alias: bool | None = None
) -> Any: ...
def device_put(
    x: Any, device: Any = None, *, src: Any = None, donate: bool = False, may_alias: bool | None = None
) -> Any:
    """Places a value: on a device, or over the devices of a sharding, of one process or many.

    Host values must be the same in all processes that own devices of the sharding. An array moves from any
    sharding to any other; all processes that own devices of either take part.

    Args:
        x: An array, a host value, or a nested container of them.
        device: A device, a sharding, a `PartitionSpec` under `set_mesh`, a kind of memory (`olympus.memory.Space`), a
            format, or a container of those with the structure of `x`. Left out: an array stays, a host value goes
            uncommitted to the default device. A sharding with `memory_kind="pinned_host"` keeps the parts in the host's
            memory; programs bring them to the devices when they are called with them.
        src: Accepted for compatibility: arrays know where they are.
        donate: Give the memory of `x` back.
        may_alias: Whether a NumPy array's memory may be used as it is, where the platform can: it must not be written
            to afterwards. Left out, only arrays that are read-only already are shared; False: always copied, as is
            an array that stays where it is.

    Returns:
        The value, placed and (when `device` is given) committed.

    Raises:
        IndivisibleError: When a dimension does not divide.
        ArgumentError: When `device` is none of these, or memory is to be given back and to be shared.

    Example:
        >>> import olympus
        >>> x = olympus.device_put(1.0, olympus.devices()[2])
        >>> x.devices()
        {CpuDevice(id=2)}
    """
    if donate and may_alias:
        raise ArgumentError("device_put", "donate and may_alias are both asked for", "donate=True, may_alias=True",
                            "one of both: memory that is given back is nobody's, memory that is shared is the caller's")
    leaves, structure = tree.flatten(x)
    targets = spread("device_put", "device", device, x, lambda d: d is None or says_where(d) or isinstance(
        d, (Device, np.ndarray)), "a device or a sharding")
    with _asked_for():
        placed = [_put(v, t, donate, may_alias) for v, t in zip(leaves, targets, strict=True)]
    return tree.unflatten(structure, placed)


def _asked_for() -> contextlib.AbstractContextManager[None]:
    """Says that transfers are wanted here, if any are guarded."""
    if not any((config.transfer_guard, config.transfer_guard_host_to_device, config.transfer_guard_device_to_device,
                config.transfer_guard_device_to_host)):
        return contextlib.nullcontext()
    from olympus_core.runtime.transfers import explicit_transfers

    return explicit_transfers()


def _put(value: Any, device: Any, donate: bool, may_alias: bool | None) -> Any:
    if isinstance(value, Tracer):
        from ..formats import Space  # most values that are placed are there

        if isinstance(device, Space):
            return in_memory(value, device.kind)
        return value if device is None else placed_in(value, target(device, value))
    if is_concrete(value):
        value._check_alive()
        if device is None:
            return value if may_alias is not False else bind(
                ops.convert, value, dtype=value.aval.dtype, weak=value.aval.weak)
        placed = place(value, target(device, value))
    else:
        aval = aval_of(value)
        host = host_value(value, aval.dtype)
        sharding = _for_host(device, host)
        if may_alias is not None and isinstance(value, np.ndarray):
            is_row_major = host.flags.c_contiguous and host.size
            host = host.copy() if not may_alias else promised(host) if is_row_major else host
        placed = put_host(Array, host, sharding, device is not None, aval.weak)
    placed._committed_at = user_location(2) if device is not None else ""
    if donate and is_concrete(value):
        value._release("it was donated to device_put")
    return placed


def _for_host(device: Any, host: np.ndarray) -> Sharding:
    """Where a host value goes: to the default device, in a kind of memory, where no other is said."""
    here = get_world().default_device()
    if device is None:
        return target(here)
    from ..formats import Space  # few values are brought to a kind of memory

    if not isinstance(device, Space):
        return target(device, host)
    return target(here) if device.kind is None else target(here).with_memory_kind(device.kind)


def in_memory(value: Any, kind: str | None) -> Any:
    """A value in a kind of memory: brought there, or, while it is traced, when it leaves the program.

    Args:
        value: An array or a traced value.
        kind: The kind; None for any.
    """
    if kind is None:
        return value
    if is_concrete(value):
        return place(value, value.sharding.with_memory_kind(kind))
    from .traces.annotations import InMemory, passed  # few programs say so

    return passed([value], InMemory(kind))[0]


def target(device: Any, value: Any = None) -> Sharding:
    """The sharding that a device, a sharding, a spec or a format stands for.

    Args:
        device: One of these.
        value: The array that is to be there.
    """
    if isinstance(device, Device):
        return SingleDeviceSharding.of(device)
    if isinstance(device, np.ndarray) and device.size == 1 and isinstance(device.flat[0], Device):
        return SingleDeviceSharding.of(device.flat[0])
    return named(device, "device_put", value)


@overload
def device_get(x: ArrayLike) -> np.ndarray: ...
@overload
def device_get(x: Any) -> Any: ...
def device_get(x: Any) -> Any:
    """Brings values to the host.

    Args:
        x: An array or a nested container of arrays.

    Returns:
        The same with NumPy arrays; keys of random numbers stay what they are.

    Raises:
        NotAddressableError: For an array that spans other processes.

    Example:
        >>> import olympus, olympus.numpy as jnp
        >>> olympus.device_get({"x": jnp.arange(2)})
        {'x': array([0, 1], dtype=int32)}
    """
    with _asked_for():
        return tree.map(lambda v: np.asarray(v) if is_concrete(v) and not is_key(v.aval.dtype) else v, x)
