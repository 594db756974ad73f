# SPDX-License-Identifier: Apache-2.0
"""`wants_huge_pages`: whether large blocks of memory ask for pages of 2 MiB.

Free page reporting is feature 5 of virtio's memory balloon ("Virtual I/O Device (VIRTIO) Version 1.2", section 5.5).
Why it decides is explained in `docs/decisions/0110`.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

from .choice import chosen_huge_pages

_BALLOON = "0x0005"
_REPORTING = 5


@lru_cache(maxsize=1)
def wants_huge_pages() -> bool:
    """Whether memory is asked of the system in huge pages: where it is cheap to have them, or as the user says.

    Raises:
        OptionValueError: The variable is neither 0 nor 1.
    """
    chosen = chosen_huge_pages()
    if sys.platform != "linux":
        return False
    return not host_takes_free_pages() if chosen is None else chosen


def host_takes_free_pages(devices: Path = Path("/sys/bus/virtio/devices")) -> bool:
    """Whether this is a virtual machine that tells its host of free huge pages, which the host then takes away.

    Args:
        devices: The folder of the system's virtio devices.
    """
    for device in sorted(devices.glob("*/device")):
        try:
            features = (device.parent / "features").read_text()
            if device.read_text().strip() == _BALLOON and features[_REPORTING:_REPORTING + 1] == "1":
                return True
        except OSError:  # a device that went away, or that this user may not read
            continue
    return False
