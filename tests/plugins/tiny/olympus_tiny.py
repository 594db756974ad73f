# SPDX-License-Identifier: Apache-2.0
"""A platform in one file: what a third party needs to write, and no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from olympus_core.plugin import Platform, hookimpl
from olympus_core.toolkit import table_from_references, table_platform


def add(operands: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> tuple[np.ndarray, ...]:
    """The one operation that this hardware does by itself; the references do the rest."""
    calls.append("add")
    return (np.asarray(operands[0] + operands[1]),)


calls: list[str] = []  # what the hardware was asked to do


@hookimpl
def olympus_platform() -> Platform:
    """The platform, with two devices."""
    return table_platform("tiny", table_from_references().with_entries({"add": add}), device_count=2)
