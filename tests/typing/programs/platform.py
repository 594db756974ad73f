"""A platform of one's own, as plugin authors write it: a table of operations and the hook that olympus calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from typing_extensions import assert_type

from olympus_core.plugin import Platform, hookimpl
from olympus_core.toolkit import table_from_references, table_platform


def add(operands: Sequence[np.ndarray], attributes: Mapping[str, Any]) -> tuple[np.ndarray, ...]:
    x, y = operands
    return (np.asarray(x + y),)


@hookimpl
def olympus_platform() -> Platform:
    table = table_from_references().with_entries({"add": add})
    return table_platform("sample", table, device_count=2, api_version=(2, 0))


def main() -> Platform:
    platform = olympus_platform()
    assert_type(platform, Platform)
    assert platform.name == "sample"
    return platform


if __name__ == "__main__":
    main()
