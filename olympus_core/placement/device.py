# SPDX-License-Identifier: Apache-2.0
"""Devices: what arrays are placed on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from olympus_core.dataclass import field, public_dataclass
from olympus_core.errors import ClosedDevicesError, MemoryKindError

# The kinds of memory: a device's own, and the host's, where arrays wait for the devices' memory to be free.
DEVICE_MEMORY = "device"
MEMORY_KINDS = (DEVICE_MEMORY, "pinned_host", "unpinned_host")


def memory_kind_of(given: str | None) -> str:
    """The kind of memory that an argument names; None stands for the device's own.

    Raises:
        MemoryKindError: For a name of none.
    """
    kind = DEVICE_MEMORY if given is None else given
    if kind not in MEMORY_KINDS:
        raise MemoryKindError(given, MEMORY_KINDS)
    return kind


@public_dataclass(frozen=True, slots=True)
class DeviceDescription:
    """What a platform says of one of its own process's devices; plain data, so it can cross processes.

    Args:
        id: The device's id, unique among all processes' devices of the platform.
        kind: The hardware's name, such as ``"cpu"`` or ``"TPU v5 lite"``.
        text: The short text, ``str(device)``.
        representation: The long text, ``repr(device)``.
        attributes: Further facts by name, each an attribute of the device: ``coords`` for its position in the wiring,
            ``family`` (such as ``"gpu"``) where drawings should not show the platform's own name, ``arithmetic`` for
            what results' bits depend on, in words: users are warned where it differs between a job's processes.
    """

    id: int
    kind: str
    text: str
    representation: str
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def to_plain(self) -> list[Any]:
        """What JSON can say, for `from_plain` in another process."""
        return [self.id, self.kind, self.text, self.representation, dict(self.attributes)]

    @classmethod
    def from_plain(cls, plain: Sequence[Any]) -> DeviceDescription:
        """What `to_plain` gave, after JSON has made lists of tuples."""
        id, kind, text, representation, attributes = plain
        facts = {name: tuple(v) if isinstance(v, list) else v for name, v in attributes.items()}
        return cls(id, kind, text, representation, facts)


@public_dataclass(frozen=True, slots=True)
class Memory:
    """A memory that a device can address.

    Args:
        device: The device.
        kind: ``"device"``, or ``"pinned_host"`` or ``"unpinned_host"`` for the host's memory beside it.
    """

    device: Device
    kind: str

    @property
    def platform(self) -> str:
        """The platform's name."""
        return self.device.platform

    @property
    def process_index(self) -> int:
        """The process in which it is."""
        return self.device.process_index

    def addressable_by_devices(self) -> list[Device]:
        """The devices that address it: the one."""
        return [self.device]

    def __repr__(self) -> str:
        return f"{self.kind} memory of {self.device!r}"


class Device:
    """One device of one process; the same in every process but for `is_addressable`.

    Devices are made by the runtime from the descriptions that the platforms of all processes give, are
    compared by identity, and are ordered alike in every process.

    Attributes:
        id: Unique among the platform's devices of all processes.
        platform: The platform's name.
        device_kind: The hardware's name.
        process_index: The process that owns it.
        local_index: Its index among its process's devices.
        is_addressable: Whether this process owns it.
        is_closed: Whether its job is over, so that nothing can be put on it any more.
    """

    __slots__ = (
        "_attributes", "_figures", "_representation", "_text", "device_kind", "id", "is_addressable", "is_closed",
        "local_index", "platform", "process_index",
    )

    def __init__(
        self, description: DeviceDescription, *, platform: str, process_index: int, local_index: int,
        is_addressable: bool,
    ) -> None:
        self.id = description.id
        self.platform = platform
        self.device_kind = description.kind
        self.process_index = process_index
        self.local_index = local_index
        self.is_addressable = is_addressable
        self.is_closed = False
        self._text = description.text
        self._representation = description.representation
        self._attributes = dict(description.attributes)
        self._figures: Callable[[Device], dict[str, Any]] | None = None

    @property
    def local_hardware_id(self) -> int:
        """The number of its hardware among the machine's, where the platform says; else its index in its process."""
        return int(self._attributes.get("local_hardware_id", self.local_index))

    def memory_stats(self) -> dict[str, Any] | None:
        """Figures of its memory in bytes, as its platform knows them.

        Returns:
            Among them ``bytes_in_use`` and ``bytes_limit``, where known; None for another process's device.

        Raises:
            ClosedDevicesError: When its job is over.

        Example:
            >>> import olympus
            >>> stats = olympus.devices()[0].memory_stats()
            >>> 0 < stats["bytes_in_use"] <= stats["bytes_limit"]
            True
        """
        if self.is_closed:
            raise ClosedDevicesError([self._text])
        return None if self._figures is None else self._figures(self)

    def knows(self, figures: Callable[[Device], dict[str, Any]]) -> None:
        """Told by the runtime who knows the figures of its memory."""
        self._figures = figures

    def default_memory(self) -> Memory:
        """The memory in which arrays lie that name none."""
        return Memory(self, DEVICE_MEMORY)

    def addressable_memories(self) -> list[Memory]:
        """All memories in which arrays of the device may lie."""
        return [Memory(self, kind) for kind in MEMORY_KINDS]

    def memory(self, kind: str) -> Memory:
        """The memory of a kind.

        Args:
            kind: The kind.

        Raises:
            MemoryKindError: For a kind of none.
        """
        return Memory(self, memory_kind_of(kind))

    def __getattr__(self, name: str) -> Any:
        try:
            return object.__getattribute__(self, "_attributes")[name]
        except (KeyError, AttributeError):
            raise AttributeError(f"device {self._text} has no attribute {name!r}") from None

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._representation
