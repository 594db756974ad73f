# SPDX-License-Identifier: Apache-2.0
"""Platforms, devices and clients that are wrong in one way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from olympus_core.plugin import Device, DeviceDescription, Probe
from olympus_core.toolkit import LocalCommunicator
from olympus_core.toolkit.platform import TableClient, TablePlatform

from .base import build
from .form import RELEASED, broken

Descriptions = list[DeviceDescription]


def describing(change: Callable[[Descriptions], Descriptions]) -> TablePlatform:
    """A platform that describes its devices in another way."""
    right = TableClient.describe_devices
    return build(client={"describe_devices": lambda self: change(list(right(self)))})


broken("capital_name", fails=["platform/name"], says="its name has a capital letter")(
    lambda: build(platform={"name": "Capital"}))
broken("next_major", fails=["platform/api_version"], says="it was made for another major version")(
    lambda: build(platform={"api_version": (99, 0)}))
broken("priority_in_words", fails=["platform/priority"], says="its priority is a word")(
    lambda: build(platform={"priority": "high"}))
broken("unavailable", fails=["platform/probe"], says="its probe says no, though it opens")(
    lambda: build(platform={"probe": lambda: Probe(False, "nothing here")}))
broken("slow_probe", fails=["platform/probe_is_quick"], says="its probe starts the driver")(
    lambda: build(platform={"probe": lambda: (time.sleep(1.05), Probe(True, "here"))[1]}))
broken("no_devices", fails=["devices/at_least_one"], says="it opens without devices", also=("*",))(
    lambda: describing(lambda found: []))
broken("duplicate_ids", fails=["devices/ids"], says="all its devices have id 0")(
    lambda: describing(lambda found: [replace(d, id=0) for d in found]))
broken("device_text_empty", fails=["devices/texts"], says="its devices have no short text")(
    lambda: describing(lambda found: [replace(d, text="") for d in found]))
broken("device_texts_alike", fails=["devices/texts"], says="all its devices have one text")(
    lambda: describing(lambda found: [replace(d, text="X") for d in found]))
broken("lock_in_description", fails=["devices/plain_data"], says="a device's attributes hold a lock",
       also=("devices/stable",))(
    lambda: describing(lambda found: [replace(d, attributes={"lock": threading.Lock()}) for d in found]))
broken("one_device_more", fails=["devices/count_setting"], says="it has a device more than was asked for")(
    lambda: describing(
        lambda found: [*found, replace(found[-1], id=len(found), text="MORE", representation="More()")]))


@broken("device_order_changes", fails=["devices/stable"], says="each client lists the devices in another order")
def device_order_changes() -> TablePlatform:
    """Every second one turns the list round."""
    right = TableClient.describe_devices

    def describe(self: Any) -> Descriptions:
        self.platform.memory.append(None)
        return list(right(self))[:: 1 if len(self.platform.memory) % 2 else -1]

    return build(client={"describe_devices": describe})


@broken("devices_of_first_client", fails=["devices/bound_devices"], says="all clients use the first one's devices")
def devices_of_first_client() -> TablePlatform:
    """Buffers name devices that another client was given."""

    def bind(self: Any, devices: Sequence[Device]) -> None:
        self.platform.memory.extend(devices)

    def put(self: Any, value: np.ndarray, device: Device) -> Any:
        made = TableClient.buffer_from_host(self, value, device)
        made.device = self.platform.memory[device.local_index]
        return made

    return build(client={"bind_devices": bind, "buffer_from_host": put})


broken("unknown_operation_declared", fails=["client/capabilities"], says="it declares an operation that is none")(
    lambda: build(declared={"operations": frozenset({"add", "frobnicate"})}))
broken("memory_in_words", fails=["client/memory_stats"], says="a figure of its memory is text")(
    lambda: build(client={"memory_stats": lambda self, device: {"bytes_in_use": "12"}}))
broken("never_ready", fails=["client/synchronize", "buffers/metadata"], says="nothing ever becomes ready")(
    lambda: build(buffer={"is_ready": lambda self: False}))


@broken("close_clears_all", fails=["client/two_at_once"], says="closing one client clears the memory of all")
def close_clears_all() -> TablePlatform:
    """All clients' arrays are in one list."""

    def put(self: Any, value: np.ndarray, device: Device) -> Any:
        made = TableClient.buffer_from_host(self, value, device)
        made.array = np.array(value, order="C")
        self.platform.memory.append(made.array)
        return made

    def close(self: Any) -> None:
        for array in self.platform.memory:
            array[...] = 0

    return build(client={"buffer_from_host": put, "close": close})


broken("close_leaks_threads", fails=["client/close_returns"], says="each close leaves a thread behind")(
    lambda: build(client={"close": lambda self: threading.Thread(target=RELEASED.wait, daemon=True).start()}))
broken("several_processes_alone", fails=["communicators/within_a_process"],
       says="it takes groups of other processes, and hears nothing of them")(
    lambda: build(client={"open_communicator": lambda self, group, rendezvous: LocalCommunicator(group, self._wrap)}))
