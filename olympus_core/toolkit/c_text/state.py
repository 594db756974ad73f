# SPDX-License-Identifier: Apache-2.0
"""The state of what writes text: a part of the key under which a platform keeps code by its kernels."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..objectcache import state_of_sources


@cache
def state_of_text() -> str:
    """A digest of the files that write text; a platform adds that of its own.

    Example:
        >>> len(state_of_text())
        64
    """
    return state_of_sources(Path(__file__).parent.parent, ("c_text",))
