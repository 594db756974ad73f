# SPDX-License-Identifier: Apache-2.0
"""How drawings and older shardings write a device."""

from __future__ import annotations

from .device import Device


def platform_label(device: Device) -> str:
    """The family of a device, in capitals: its ``family`` attribute, or the platform's name."""
    return str(getattr(device, "family", device.platform)).upper()
