# SPDX-License-Identifier: Apache-2.0
"""How much work Python does for something: as good as its time, and the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def calls_of(function: Callable[[], Any]) -> int:
    """How many functions are called, Python's and others, while a function runs."""
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        function()
    finally:
        sys.setprofile(before)
    return calls - 2  # the function's own, and the one that ends the count
