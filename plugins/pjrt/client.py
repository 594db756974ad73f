# SPDX-License-Identifier: Apache-2.0
"""The client of the platform: the devices of a PJRT library in one process."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core import dtypes
from olympus_core.errors import NotSupportedError
from olympus_core.plugin import (
    Capabilities,
    Communicator,
    Device,
    DeviceDescription,
    Executable,
    Group,
    Links,
    PlatformSettings,
    Rendezvous,
)
from olympus_core.program import DeviceProgram
from olympus_core.toolkit import Carrier, LocalCommunicator, SharedKeyValues
from olympus_core.toolkit.dumps import Dump

from .bridge import Client, DeviceFacts, KeyValues, Library, load
from .buffer import PjrtBuffer
from .errors import PjrtDeviceCountError, PjrtError, PjrtUnimplementedError
from .executable import PjrtExecutable
from .segments import compile_in_segments, needs_segments
from .stablehlo import TypePolicy, emit

# The distance of the first ids of consecutive processes, so that no process needs to know the others' counts.
IDS_PER_PROCESS = 131072
# The only known option for a number of devices; other libraries ignore or reject it.
_COUNT_OPTION = "cpu_device_count"


class PjrtClient:
    """One process's devices of a PJRT library.

    Args:
        path: The library's file.
        options: The library's options for opening it.
        settings: What the runtime says about this process and the job.
        name: The platform's name.
    """

    def __init__(self, path: str, options: Mapping[str, Any], settings: PlatformSettings, name: str) -> None:
        self._settings, self._name = settings, name
        self._dump = Dump(settings.dump_folder)
        self._carrier = Carrier(settings, self.buffer_from_host)
        self._client = _opened(path, dict(options), settings, name)
        self._facts = self._chosen()
        self._fact_of: dict[Device, DeviceFacts] = {}
        # What StableHLO lacks is run by references, between segments.
        self.capabilities = Capabilities(
            dtypes=self._tried(), operations=None, donation=True, asynchronous=True,
            multi_process=self._carrier.is_usable,
        )
        self._policy = TypePolicy(f"platform {name}", self.capabilities.dtypes, knows_chlo=True)

    def _chosen(self) -> tuple[DeviceFacts, ...]:
        """The library's devices that the settings ask for."""
        facts, settings = self._client.devices, self._settings
        texts = [d.text for d in facts]
        if settings.local_device_ids is not None:
            by_id = {d.id if d.local_hardware_id in (None, -1) else d.local_hardware_id: d for d in facts}
            if not set(settings.local_device_ids) <= set(by_id):
                raise PjrtDeviceCountError(list(settings.local_device_ids), texts)
            facts = tuple(by_id[i] for i in settings.local_device_ids)
        if settings.device_count is not None and settings.device_count > len(facts):
            raise PjrtDeviceCountError(settings.device_count, texts)
        return facts[: settings.device_count]

    def _tried(self) -> frozenset[np.dtype]:
        """The element types that survive a round trip to the first device, found by trying."""
        found = set()
        for dtype in dtypes.ALL:
            value = np.array([0, 1], dtype)
            try:
                same = self._client.put(value, self._facts[0]).to_host((2,), dtype).tobytes() == value.tobytes()
            except PjrtError:
                continue
            if same:
                found.add(dtype)
        return frozenset(found)

    def describe_devices(self) -> Sequence[DeviceDescription]:
        """The library's descriptions of its devices; where it knows only one process, ids are offset by process."""
        is_global = self._client.device_count > len(self._client.devices)
        first = 0 if is_global else IDS_PER_PROCESS * self._settings.process_index
        return [
            DeviceDescription(
                d.id + first, d.kind, _renumbered(d.text, d.id, first), _renumbered(d.representation, d.id, first),
                {name: list(v) if isinstance(v, tuple) else v for name, v in d.attributes.items()},
            )
            for d in self._facts
        ]

    def bind_devices(self, devices: Sequence[Device]) -> None:
        """Receives the runtime's devices, in the order of `describe_devices`."""
        self._fact_of = dict(zip(devices, self._facts, strict=True))

    def buffer_from_host(self, value: np.ndarray, device: Device) -> PjrtBuffer:
        """A buffer with a copy of the array."""
        self._policy.check(value.dtype, "an array of the host")
        content = self._client.put(np.asarray(value, order="C"), self._fact_of[device])
        return PjrtBuffer(content, value.shape, value.dtype, device, self._pointer_of)

    def compile(self, program: DeviceProgram, links: Links) -> Executable:
        """Hands the program to the library's compiler, in segments where it needs the host between them."""
        if needs_segments(program):
            return compile_in_segments(program, self, links)
        return self.compile_segment(program, program.local_positions)

    def compile_segment(self, program: DeviceProgram, positions: Sequence[int]) -> PjrtExecutable:
        """Compiles a program without callbacks for its devices at `positions`, which communicate with no others."""
        text = emit(program, policy=self._policy, positions=positions)
        inner = program.program
        self._dump.leave(f"{inner.name}-{inner.fingerprint[:12]}.mlir", text)
        part = DeviceProgram(program.program, tuple(program.devices[p] for p in positions), program.donated)
        facts = [[self._fact_of[d]] for d in part.devices]
        try:
            loaded = self._client.compile(text, facts, inputs=len(program.program.inputs))
        except PjrtUnimplementedError as error:
            raise NotSupportedError(
                f"program {program.program.name} on platform {self._name}", error.text,
                "Run this part on another platform, such as cpu.",
            ) from error
        return PjrtExecutable(part, text, loaded, self._pointer_of)

    def open_communicator(self, group: Group, rendezvous: Rendezvous | None) -> Communicator:
        """A communicator through the host's memory, with another plugin's transport between processes."""
        if len(group.processes) > 1:
            return self._carrier.open(group, rendezvous)
        return LocalCommunicator(group, self.buffer_from_host)

    def memory_stats(self, device: Device) -> dict[str, Any]:
        """The library's memory statistics of the device; empty where it has none."""
        return dict(self._client.memory_stats(self._fact_of[device]))

    def synchronize(self) -> None:
        """Waits for all executions and copies."""
        self._client.synchronize()

    def close(self) -> None:
        """Closes the transport, waits for executions in flight and drops the library's client."""
        self._carrier.close()
        self._client.close()

    def _pointer_of(self, device: Device) -> int:
        return self._fact_of[device].pointer or 0


def _renumbered(text: str, number: int, first: int) -> str:
    return re.sub(rf"(?<!\d){number}(?!\d)", str(number + first), text, count=1)


def _opened(path: str, options: dict[str, Any], settings: PlatformSettings, name: str) -> Client:
    """The library's client, with the requested number of devices where the library has an option for that."""
    library, count = load(path), settings.device_count
    if settings.rendezvous is None or settings.process_count == 1:
        return _with_count(library, options, count, None)
    with SharedKeyValues(settings.rendezvous, f"opening platform {name}") as values:
        return _with_count(library, options, count, values)


def _with_count(library: Library, options: dict[str, Any], count: int | None, values: KeyValues | None) -> Client:
    if count is not None and _COUNT_OPTION not in options:
        with contextlib.suppress(PjrtError):
            return Client(library, {**options, _COUNT_OPTION: count}, values)
    return Client(library, options, values)
