# SPDX-License-Identifier: Apache-2.0
"""Numbers of 64 bits, so that differences show little but mistakes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import olympus


@pytest.fixture(autouse=True)
def wide() -> Iterator[None]:
    with olympus.enable_x64(True):
        yield
