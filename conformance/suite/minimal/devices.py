# SPDX-License-Identifier: Apache-2.0
"""Devices: their descriptions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, replace

from olympus_core.errors import OlympusError
from olympus_core.plugin import DeviceDescription, PlatformSettings

from ...checks import require, require_equal
from ...context import Context
from ...errors import Failed
from ...requirement import Case, requirement


def _described(context: Context, settings: PlatformSettings | None = None) -> list[DeviceDescription]:
    """The descriptions of a client that is opened for it, with this session's settings by default."""
    own = replace(context.session.settings, process_index=0, process_count=1, rendezvous=None)
    client = context.platform.open(settings or own)
    try:
        return list(client.describe_devices())
    finally:
        client.close()


@requirement(
    "devices/at_least_one",
    "A platform that opens MUST describe one device or more, each as a `DeviceDescription`.",
    why="Arrays are placed on devices; without any the platform is of no use, and should not have opened.",
    profile="minimal",
)
def at_least_one(context: Context) -> None:
    """A client of its own, asked once."""
    found = _described(context)
    require(len(found) > 0, observed="no device is described", required="one or more")
    for description in found:
        require(isinstance(description, DeviceDescription), observed=f"a {type(description).__name__} is given",
                required="a DeviceDescription")


@requirement(
    "devices/ids",
    "The ids of a process's devices MUST be different integers that are not negative.",
    why="Programs are compared between processes by the ids of their devices.",
    profile="minimal",
)
def ids(context: Context) -> None:
    """All of this process's devices."""
    found = [d.id for d in _described(context)]
    require(all(type(i) is int and i >= 0 for i in found), observed=f"the ids are {found}",
            required="integers, 0 or more")
    require(len(set(found)) == len(found), observed=f"the ids are {found}", required="different ones")


@requirement(
    "devices/texts",
    "A device's kind, text and representation MUST be strings of one line that are not empty, and two devices MUST NOT "
    "share a text or a representation.",
    why="They are what people see of a device, in every error and drawing.",
    profile="minimal",
)
def texts(context: Context) -> None:
    """Each by itself, then all together."""
    found = _described(context)
    for description in found:
        for what in ("kind", "text", "representation"):
            value = getattr(description, what)
            require(isinstance(value, str) and bool(value.strip()) and "\n" not in value,
                    observed=f"the {what} of device {description.id} is {value!r}", required="a line of text")
    for what in ("text", "representation"):
        values = [getattr(d, what) for d in found]
        require(len(set(values)) == len(values), observed=f"the devices' {what}s are {values}",
                required="different ones")


@requirement(
    "devices/plain_data",
    "A device's description MUST be plain data: it comes out of JSON as it went in, and its attributes are a "
    "mapping from names.",
    why="Descriptions are sent to all processes of a job.",
    profile="minimal",
)
def plain_data(context: Context) -> None:
    """Through bytes and back."""
    for description in _described(context):
        attributes = description.attributes
        require(isinstance(attributes, Mapping) and all(isinstance(n, str) and n.isidentifier() for n in attributes),
                observed=f"the attributes of device {description.id} are {attributes!r}",
                required="a mapping from names to values")
        try:
            copy = json.loads(json.dumps([*_fixed(description), dict(attributes)]))
        except Exception as error:
            raise Failed(f"a description cannot be sent: {type(error).__name__}: {error}", "plain data") from error
        # The runtime makes tuples of the lists that tuples become.
        wanted = [*_fixed(description), {n: list(v) if isinstance(v, tuple) else v for n, v in attributes.items()}]
        require(copy == wanted, observed=f"a description became {copy!r}", required=repr(description))


def _fixed(description: DeviceDescription) -> list[object]:
    return [description.id, description.kind, description.text, description.representation]


@requirement(
    "devices/stable",
    "A platform that is opened again with the same settings MUST describe the same devices in the same order.",
    why="The order of devices decides which part of an array each one holds.",
    profile="minimal",
)
def stable(context: Context) -> None:
    """Three clients, one after the other."""
    first = _described(context)
    for _ in range(2):
        again = _described(context)
        require([astuple(d) for d in again] == [astuple(d) for d in first],
                observed=f"the devices are {[d.representation for d in again]}",
                required=f"{[d.representation for d in first]} as before")


@requirement(
    "devices/count_setting",
    "Where the settings ask for a number of devices, a platform MUST describe that number, or its own number if it "
    "cannot choose, or refuse with an error of olympus.",
    why="A program that asks for four devices must not split its arrays over another number without being told.",
    profile="minimal",
    cases=[Case(str(count), {"count": count}) for count in (1, 2, 3)],
)
def count_setting(context: Context, count: int) -> None:
    """Opened with a number of devices."""
    plain = PlatformSettings(transports=context.session.settings.transports)
    try:
        found = len(_described(context, replace(plain, device_count=count)))
    except OlympusError:
        return
    if found != count:
        require_equal(found, len(_described(context, plain)),
                      f"the number of devices where {count} are asked for and it does not choose")


@requirement(
    "devices/bound_devices",
    "After `bind_devices` the client MUST use exactly these devices: a buffer's device is the object that was given.",
    why="Devices are compared by identity.",
    profile="minimal",
)
def bound_devices(context: Context) -> None:
    """On two clients at once, whose devices look alike."""
    other = context.open_again()
    try:
        for session in (context.session, other):
            for device in session.devices:
                buffer = session.client.buffer_from_host(context.random.random(3).astype("f4"), device)
                require(buffer.device is device, observed=f"the buffer's device is {buffer.device!r}, another object",
                        required="the device that was bound")
    finally:
        other.close()
