# SPDX-License-Identifier: Apache-2.0
"""How many devices each process of a launch gets: options of the command as options of the platforms that it is for."""

from __future__ import annotations

from olympus_core.config import OPTIONS, config
from olympus_core.errors.platform import DeviceOptionError
from olympus_core.runtime.registry import registry

_COUNTED = tuple(
    o.name.removeprefix("olympus_num_").removesuffix("_devices")
    for o in OPTIONS if o.name.startswith("olympus_num_") and o.name.endswith("_devices")
)
_GPUS, _HOST = "cuda", "cpu"


def variables(devices: int | None, gpus: int | None, index: int) -> dict[str, str]:
    """The environment variables of one process.

    Args:
        devices: Devices of each process, of every platform whose number can be chosen; None where nothing is asked.
        gpus: GPUs of each process; None likewise.
        index: The process.

    Returns:
        Their values, by their names.

    Raises:
        DeviceOptionError: If the platforms that will be used cannot do it.
    """
    chosen = named()
    found = {}
    if gpus is not None:
        if chosen is not None and set(chosen) <= {_HOST}:
            raise DeviceOptionError("--gpus-per-process", gpus, chosen[0], "it has no GPUs")
        found["OLYMPUS_LOCAL_DEVICE_IDS"] = ",".join(map(str, range(index * gpus, (index + 1) * gpus)))
    if devices is not None:
        counted = [name for name in (_COUNTED if chosen is None else chosen) if name in _COUNTED]
        if chosen is not None and chosen[0] not in _COUNTED:
            raise DeviceOptionError("--devices-per-process", devices, chosen[0], "it has the devices that are there")
        if gpus is not None and devices < gpus and _GPUS in counted:
            raise DeviceOptionError("--devices-per-process", devices, _GPUS,
                                    f"each process has {gpus} GPUs, and some would be of no device")
        found.update({f"OLYMPUS_NUM_{name.upper()}_DEVICES": str(devices) for name in counted})
    return found


def named() -> tuple[str, ...] | None:
    """The platforms that the configuration names, by their own names; None where they are chosen automatically."""
    if config.platforms is None:
        return None
    found: dict[str, None] = {}
    for name in config.platforms:
        is_own = name in _COUNTED or registry.has(name)  # else it may be an alias, which only the plugins know
        also = [] if is_own else [p.name for p in registry.installed() if name in p.aliases]
        found.update(dict.fromkeys(also or [name]))
    return tuple(found)
