# SPDX-License-Identifier: Apache-2.0
"""Groups of devices for tests of communication, and helpers; no requirements here."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.plugin import Buffer, Communicator, Device, Group, Pending

from ...checks import require, require_equal, require_same_bits
from ...context import Context
from ...errors import Failed
from .case_lists import COMMON

Devices = tuple[Device, ...]


class Findings:
    """Keeps the first failure of a check until all its communications are done.

    A process that left a check early would make the others wait, and its later communications would not match theirs.
    """

    def __init__(self) -> None:
        self._first: Failed | None = None

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Failed):
            return False
        self._first = self._first or error
        return True

    def settle(self) -> None:
        """Fails if anything failed."""
        if self._first is not None:
            raise self._first


def is_here(devices: Sequence[Device]) -> bool:
    """Whether this process has a member."""
    return any(device.is_addressable for device in devices)


def all_groups(context: Context) -> list[tuple[str, Devices]]:
    """Named groups of many kinds, equal in every process and in the same order."""
    devices = context.all_devices
    by_process: dict[int, list[Device]] = {}
    for device in devices:
        by_process.setdefault(device.process_index, []).append(device)
    rows = [by_process[p] for p in sorted(by_process)]
    across = sorted(devices, key=lambda d: (d.local_index, d.process_index))
    half = len(devices) // 2
    kinds: list[tuple[str, Sequence[Device]]] = [
        ("all devices", devices),
        ("all devices, reversed", devices[::-1]),
        ("all devices, across the processes", across if len(rows) > 1 else [*devices[::2], *devices[1::2]]),
        ("the first device of each process", [row[0] for row in rows]),
        ("the last device of each process, reversed", [row[-1] for row in rows[::-1]]),
        *((f"devices {i} and {i + half}", (devices[i + half], devices[i])) for i in range(half)),
        ("every second process", [d for row in rows[::2] for d in row]),
        ("the last process and the first", [*rows[-1], *rows[0]] if len(rows) > 1 else devices),
        *((f"the last device of process {i}", (row[-1],)) for i, row in enumerate(rows)),
    ]
    found: dict[Devices, str] = {}
    for name, members in kinds:
        found.setdefault(tuple(members), name)
    return [(name, members) for members, name in found.items()]


def own_groups(context: Context) -> list[tuple[str, Devices]]:
    """Those of `all_groups` in which this process has members."""
    return [(name, devices) for name, devices in all_groups(context) if is_here(devices)]


def own_buffers(context: Context, devices: Sequence[Device], values: Sequence[np.ndarray]) -> list[Buffer]:
    """The buffers of this process's members, out of one value for each member."""
    return [context.put(value, d) for value, d in zip(values, devices, strict=True) if d.is_addressable]


def random_of(context: Context, name: str) -> np.random.Generator:
    """A random generator of one group, equal in all its processes, whatever other groups these have."""
    return np.random.default_rng([context.seed, zlib.crc32(name.encode())])


Begin = Callable[[Communicator, list[Buffer]], Pending]


def collective(name: str, *arguments: Any) -> Begin:
    """Begins the communicator's method of that name, with its arguments after the inputs."""

    def start(communicator: Communicator, inputs: list[Buffer]) -> Pending:
        pending: Pending = getattr(communicator, name)(inputs, *arguments)
        return pending

    return start


def begin(context: Context, devices: Devices, values: Sequence[np.ndarray], start: Begin) -> Pending:
    """Begins a communication of a group with one value for each member."""
    return start(context.communicator(devices), own_buffers(context, devices, values))


def communicate(
    context: Context, devices: Devices, values: Sequence[np.ndarray], start: Begin, label: str
) -> list[tuple[int, Buffer]]:
    """Runs a communication; returns this process's results with their positions in the group."""
    return settle(context, devices, begin(context, devices, values, start), label)


def settle(context: Context, devices: Devices, pending: Pending, label: str) -> list[tuple[int, Buffer]]:
    """Waits for a communication: this process's results with their positions in the group."""
    return _placed(devices, context.wait(pending, label), label)


def _placed(devices: Devices, results: Sequence[Buffer], label: str) -> list[tuple[int, Buffer]]:
    positions = Group(devices).local_positions
    require_equal(len(results), len(positions), f"the number of results of {label}")
    return list(zip(positions, results, strict=True))


def host(buffer: Buffer, device: Device, what: str) -> np.ndarray:
    """A result's content; fails where it is on another device than its member's."""
    require(buffer.device is device, observed=f"{what} is on {buffer.device!r}", required=f"on {device!r}")
    value = buffer.to_host()
    require_equal((buffer.shape, buffer.dtype), (value.shape, value.dtype), f"the shape and dtype of {what}")
    return value


def require_results(
    context: Context, findings: Findings, devices: Devices, pending: Pending, wanted: Sequence[np.ndarray], label: str
) -> None:
    """Waits for a communication and compares this process's results with the expected ones."""
    results = context.wait(pending, label)
    with findings:
        for position, buffer in _placed(devices, results, label):
            require_same_bits(host(buffer, devices[position], label), wanted[position], f"{label}, at {position},")


def takes_large(group: str, dtype: np.dtype) -> bool:
    """Whether a group of this name is tried with large buffers, which take longest: a few are, with common types."""
    return dtype in COMMON and (group == "all devices" or group.startswith("the first device"))


def cut(pool: Sequence[np.ndarray], shape: tuple[int, ...]) -> list[np.ndarray]:
    """Each member's flat array, as far as a shape takes it."""
    return [flat[: int(np.prod(shape))].reshape(shape) for flat in pool]


def random_values(context: Context, count: int, size: int, dtype: np.dtype, kind: str = "any") -> list[np.ndarray]:
    """Flat arrays for each member, alike in every process.

    Args:
        context: The source of randomness.
        count: Number of members.
        size: Number of elements.
        dtype: Their type.
        kind: ``any`` for values around zero; ``factors`` for floats near one in size, whose products stay in range;
            ``exact`` for small integers, of which every order of additions gives the same sum.
    """
    random = context.random

    def real() -> np.ndarray:
        if kind == "factors":
            return random.uniform(0.75, 1.5, size) * random.choice([-1.0, 1.0], size)
        if kind == "exact":
            return random.integers(1, 4, size).astype(np.float64)
        return random.standard_normal(size)

    def one() -> np.ndarray:
        if dtypes.is_bool(dtype):
            return random.integers(0, 2, size).astype(bool)
        if dtypes.is_integer(dtype) and kind != "exact":
            return np.frombuffer(random.bytes(size * dtype.itemsize), dtype)
        if dtypes.is_complex(dtype):
            return (real() + 1j * real()).astype(dtype)
        return real().astype(dtype)

    return [one() for _ in range(count)]


def added(values: Sequence[np.ndarray]) -> np.ndarray:
    """The members' sum, in their own type; for integers, of which every order gives the same."""
    return np.asarray(np.sum(values, 0, dtype=values[0].dtype))
