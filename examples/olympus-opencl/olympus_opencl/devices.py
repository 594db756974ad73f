"""Which OpenCL devices this process has: GPUs and accelerators, or else processors, and parts of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyopencl as cl

from olympus_core import dtypes
from olympus_core.plugin import DeviceDescription, PlatformSettings

from .errors import NoDeviceError

_NONE, _LONGS = frozenset[np.dtype](), frozenset({dtypes.int64, dtypes.uint64})
_DOUBLES = frozenset({dtypes.float64, dtypes.complex128})


@dataclass(frozen=True, slots=True)
class Target:
    """What generated text depends on.

    Args:
        identity: The device, its driver and their versions, as text.
        missing: Element types that its kernels cannot have.
        is_cpu: Whether it is a processor, on which a work-group runs on one core.
        is_pocl: Whether its driver is PoCL.
        units: Number of its compute units.
        most_threads: The largest work-group.
        local_bytes: Local memory of a work-group.
        widest: Elements of the longest vectors that the driver's functions take.
    """

    identity: str
    missing: frozenset[np.dtype]
    is_cpu: bool
    is_pocl: bool
    units: int
    most_threads: int
    local_bytes: int
    widest: int = 16


def target_of(device: cl.Device) -> Target:
    """A device's properties; doubles and long integers only where the device says so."""
    extensions = device.extensions.split()
    has_doubles = "cl_khr_fp64" in extensions or getattr(device, "double_fp_config", 0)
    has_longs = "EMBEDDED" not in device.profile or "cles_khr_int64" in extensions
    missing = (_NONE if has_doubles else _DOUBLES) | (_NONE if has_longs else _LONGS)
    identity = " | ".join((device.platform.name, device.platform.version, device.name, device.driver_version,
                           str(sorted(extensions))))
    # PoCL 3.0 takes Zen 4 for Zen 3, but calls its functions for AVX-512: those get vectors of 64 bytes otherwise, and crash.
    misfits = "PoCL" in device.version and "-znver3" in device.version and device.native_vector_width_float == 16
    return Target(identity, missing, bool(device.type & cl.device_type.CPU),
                  device.platform.name == "Portable Computing Language", device.max_compute_units,
                  device.max_work_group_size, device.local_mem_size, 8 if misfits else 16)


def found(settings: PlatformSettings) -> list[cl.Device]:
    """This process's devices, one after the other: whole ones, or parts where more are wanted than there are."""
    try:
        every = [device for platform in cl.get_platforms() for device in platform.get_devices()]
    except cl.LogicError as error:  # the loader has found no driver
        raise NoDeviceError(str(error)) from error
    strong = cl.device_type.GPU | cl.device_type.ACCELERATOR
    own = [d for d in every if d.type & strong] or every
    if settings.local_device_ids is not None:
        chosen = [int(i) for i in settings.local_device_ids]
        if any(not 0 <= i < len(own) for i in chosen):
            raise NoDeviceError(f"{len(own)} devices, of which local_device_ids names {chosen}")
        own = [own[i] for i in chosen]
    if not own:
        raise NoDeviceError("drivers without devices")
    count = settings.device_count or len(own)
    if count <= len(own):
        return own[:count]
    shares = [sum(i * len(own) // count == k for i in range(count)) for k in range(len(own))]
    return [part for device, share in zip(own, shares, strict=True) for part in divided(device, share)]


def divided(device: cl.Device, share: int) -> Sequence[cl.Device]:
    """A device as so many: sub-devices of equal size where it can be partitioned, else itself with several queues."""
    units, equally = device.max_compute_units // share, cl.device_partition_property.EQUALLY
    if share > 1 and units and equally in device.partition_properties:
        return list(device.create_sub_devices([equally, units]))[:share]
    return [device] * share


def described(devices: Sequence[cl.Device], settings: PlatformSettings) -> list[DeviceDescription]:
    """What olympus shows of the devices; ids are consecutive over all processes."""
    first = 0
    if settings.process_count > 1 and settings.rendezvous is not None:
        counts = settings.rendezvous.exchange("opencl/devices", str(len(devices)).encode())
        first = sum(map(int, counts[: settings.process_index]))
    return [DeviceDescription(i, device.name.strip(), f"opencl:{i}", f"OpenClDevice(id={i})", {
        "driver": f"{device.platform.name} {device.driver_version}", "core_count": device.max_compute_units})
        for i, device in enumerate(devices, first)]
