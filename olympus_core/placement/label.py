"""How drawings and older shardings write a device."""

from __future__ import annotations

from olympus_core.plugin import Device

# The documents write the family of the hardware where it is not the platform's own name.
_FAMILIES = {"cuda": "gpu"}


def platform_label(device: Device) -> str:
    """The family of a device, in capitals: ``CPU``, ``GPU``, ``TPU``; a platform's ``family`` attribute decides."""
    family = getattr(device, "family", None) or _FAMILIES.get(device.platform, device.platform)
    return str(family).upper()
