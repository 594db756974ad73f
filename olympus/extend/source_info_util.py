# SPDX-License-Identifier: Apache-2.0
"""The user's lines: which files are a library's, so that messages name the line outside of them."""

from __future__ import annotations

import os

from olympus_core.deferred import listed
from olympus_core.errors import ArgumentError, described
from olympus_core.location import EXCLUDED_FILES


def register_exclusion(path: str) -> None:
    """Leaves a file of a library out where the user's line is sought, and out of tracebacks.

    Args:
        path: The file, as `__file__` gives it.

    Raises:
        ArgumentError: It is no path.

    Example:
        >>> from olympus.extend import source_info_util
        >>> source_info_util.register_exclusion("/library/layers.py")
    """
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentError("register_exclusion", "the path of a file is needed", given=described(path))
    EXCLUDED_FILES.add(os.fspath(path))


__all__ = ["register_exclusion"]
__dir__ = listed(__all__)
