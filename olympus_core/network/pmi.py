# SPDX-License-Identifier: Apache-2.0
"""The connection to MPICH's launcher that a process has from it."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping


def has_process_manager(environ: Mapping[str, str]) -> bool:
    """Whether the connection is here: a child of the process that was launched has the variables only.

    Args:
        environ: The environment variables: ``PMI_FD`` is an open socket, ``PMI_PORT`` an address.
    """
    number = environ.get("PMI_FD", "")
    if not number.isdigit():
        return bool(environ.get("PMI_PORT"))
    try:
        return stat.S_ISSOCK(os.fstat(int(number)).st_mode)
    except (OSError, OverflowError):
        return False
