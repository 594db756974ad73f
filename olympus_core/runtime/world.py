# SPDX-License-Identifier: Apache-2.0
"""The world: this process's platforms and all processes' devices. Opened at the first need."""

from __future__ import annotations

import copyreg
import threading
import warnings
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

from olympus_core.config import OPTIONS, config
from olympus_core.errors import ClosedDevicesError, DefaultDeviceError, DeviceNotFoundError, OlympusError, PluginWarning
from olympus_core.location import user_location
from olympus_core.plugin import Client, Device, PlatformSettings

from .launches import Launches
from .links import Links
from .registry import Selection, registry

if TYPE_CHECKING:
    from olympus_core.cluster.connection import Connection

_lock = threading.RLock()
_world: World | None = None
_FIXED_BY_DEVICES = (
    "olympus_platforms", "olympus_local_plugins", "olympus_num_cpu_devices", "olympus_num_cuda_devices",
    "olympus_num_pjrt_devices", "olympus_local_device_ids", "olympus_cpu_transport", "olympus_num_threads",
    "olympus_reproducible", "olympus_enable_compilation_cache", "olympus_compilation_cache_dir",
    "olympus_cache_key_file", "olympus_persistent_cache_min_entry_size_bytes",
    "olympus_persistent_cache_min_compile_time_secs", "olympus_dump_to",
)

_connection: Connection | None = None
_local_device_ids: tuple[int, ...] | None = None


class World:
    """All devices of all processes, and this process's clients.

    Attributes:
        clients: By platform name, in order of preference.
        devices_of: All processes' devices by platform name, in the order that all processes agree on.
        opened_at: The user's line that first needed a device.
    """

    def __init__(self, connection: Connection | None, opened_at: str) -> None:
        self.connection = connection
        self.opened_at = opened_at
        self.process_index = connection.process_index if connection else 0
        self.process_count = connection.process_count if connection else 1
        self.clients: dict[str, Client] = {}
        self.devices_of: dict[str, tuple[Device, ...]] = {}
        self._local: dict[str, tuple[Device, ...]] = {}
        self.links: dict[str, Links] = {}
        self.settings: list[PlatformSettings] = []
        self.launches = Launches(connection) if connection else None
        self._left_out: dict[str, OlympusError] = {}
        try:
            for selection in registry.select(config.platforms):
                self._open(selection)
        except BaseException:
            # A Ctrl-C, too: whoever opens the devices next finds nothing half open.
            with suppress(Exception):
                self.close()
            raise

    def _open(self, selection: Selection) -> None:
        platform = selection.platform
        settings = PlatformSettings(
            process_index=self.process_index,
            process_count=self.process_count,
            device_count=_option(f"num_{platform.name}_devices"),
            local_device_ids=config.local_device_ids if _local_device_ids is None else _local_device_ids,
            rendezvous=self.connection,
            transports=registry.transports(),
            transport=_option(f"{platform.name}_transport"),
            neighbours=_neighbours(self.connection),
            threads=config.num_threads, reproducible=config.reproducible,
            cache_folder=config.compilation_cache_folder(), cache_key_file=config.cache_key(),
            cache_least_bytes=config.persistent_cache_min_entry_size_bytes,
            cache_least_seconds=config.persistent_cache_min_compile_time_secs,
            dump_folder=config.dump_to,
            wait_timeout=config.late_timeout,
            transport_timeout=config.transport_timeout,
            connect_timeout=config.connect_timeout,
            reconnect_timeout=config.reconnect_timeout,
            redial_timeout=config.redial_timeout,
        )
        self.settings.append(settings)
        # What nobody named, and is not the default either, may fail without harm to who does not use it.
        is_optional = not selection.is_named and bool(self.clients)
        from .opening import Opening  # not needed before a platform is

        opening = Opening(selection, settings)
        try:
            opening.open(is_optional)
            descriptions = opening.exchange(self.connection)
            devices: list[Device] = []
            for process, listed in enumerate(descriptions):
                devices += [
                    Device(d, platform=platform.name, process_index=process, local_index=i,
                           is_addressable=process == self.process_index)
                    for i, d in enumerate(listed)
                ]
            opening.compare(descriptions)
            client = opening.bound([d for d in devices if d.is_addressable], is_optional and self.connection is None)
        except OlympusError as error:
            opening.close()
            if not is_optional or not opening.is_its_own(error):
                raise
            self._left_out[platform.name] = error
            warnings.warn(PluginWarning(platform.name, str(error).partition("\n")[0]), stacklevel=2)
            return
        except BaseException:
            opening.close()
            raise
        links = Links(client, self.connection, self.launches)
        self.devices_of[platform.name], self.links[platform.name] = tuple(devices), links
        self._local[platform.name] = tuple(d for d in devices if d.is_addressable)
        self.clients[platform.name] = client

    @property
    def default_platform(self) -> str:
        """The platform of the highest preference."""
        return next(iter(self.clients))

    def _platform(self, name: str | None) -> str:
        """The platform that a name stands for; the preferred one when None."""
        if name is None:
            return self.default_platform
        if name in self._left_out:
            raise self._left_out[name].with_traceback(None)
        return registry.resolve(name, tuple(self.clients))

    def devices(self, platform: str | None = None) -> tuple[Device, ...]:
        """All processes' devices of a platform; of the preferred one when None."""
        return self.devices_of[self._platform(platform)]

    def local_devices(self, platform: str | None = None) -> list[Device]:
        """This process's devices."""
        return list(self._local[self._platform(platform)])

    def default_device(self) -> Device:
        """Where uncommitted data is placed."""
        chosen = config.default_device
        if isinstance(chosen, Device):
            if chosen.is_closed:
                raise ClosedDevicesError([str(chosen)])
            if not chosen.is_addressable:
                raise DefaultDeviceError(str(chosen), chosen.process_index, self.process_index)
            return chosen
        return self._local[self._platform(chosen)][0]

    def client(self, device: Device) -> Client:
        """The client of a device's platform."""
        return self.clients[device.platform]

    def close(self) -> None:
        """Closes the clients; each of them, whatever becomes of the others."""
        for devices in self.devices_of.values():
            for device in devices:
                device.is_closed = True
        with ExitStack() as stack:
            if self.launches is not None:
                stack.callback(self.launches.close)
            for name, client in reversed(self.clients.items()):
                stack.callback(client.close)
                stack.callback(self.links[name].close)
                stack.callback(client.synchronize)


def _option(name: str) -> Any:
    """The value of an option that not every platform has; None where there is none of that name."""
    return getattr(config, name) if f"olympus_{name}" in {option.name for option in OPTIONS} else None


def get_world() -> World:
    """The world; opens the devices when nobody has yet."""
    if _world is not None:
        return _world
    return _open_world()


def _neighbours(connection: Connection | None) -> int:
    """Number of the job's processes on this machine."""
    return 1 if connection is None else connection.hosts.count(connection.hosts[connection.process_index])


def _open_world() -> World:
    global _world
    with _lock:
        if _world is None:
            opened_at = user_location(2)
            world = World(_connection, opened_at)
            try:
                config.freeze(_FIXED_BY_DEVICES, by=f"the devices, which were opened by {opened_at}")
                _world = world
            except BaseException:
                config.unfreeze()
                with suppress(Exception):
                    world.close()
                raise
        return _world


def opened_world() -> World | None:
    """The world if it is open."""
    return _world


def trim() -> None:
    """Has the platforms that are open return memory to the system that they keep for later use."""
    if _world is not None:
        for client in _world.clients.values():
            returns = getattr(client, "trim", None)
            if returns is not None:
                returns()


def get_connection() -> Connection | None:
    """The connection to the other processes, if there are any."""
    return _connection


def attach(connection: Connection, local_device_ids: tuple[int, ...] | None = None) -> None:
    """Makes this process part of a job; devices are opened at once, while all processes are at the same point.

    Args:
        connection: The connection to the other processes.
        local_device_ids: Which of the machine's devices are this process's; None for all.
    """
    global _connection, _local_device_ids
    _connection, _local_device_ids = connection, local_device_ids
    get_world()


def detach() -> None:
    """Closes the devices and forgets the connection."""
    global _world, _connection, _local_device_ids
    with _lock:
        world, _world, _connection, _local_device_ids = _world, None, None, None
        config.unfreeze()
        if world is not None:
            world.close()


def _reduced(device: Device) -> tuple[object, tuple[str, int]]:
    return _restored, (device.platform, device.id)


def _restored(platform: str, number: int) -> Device:
    """The device of this job that stands for one that was copied or pickled."""
    devices = get_world().devices_of.get(platform, ())
    found = next((device for device in devices if device.id == number), None)
    if found is None:
        raise DeviceNotFoundError(platform, number, [device.id for device in devices])
    return found


copyreg.pickle(Device, _reduced)  # type: ignore[arg-type]
