# SPDX-License-Identifier: Apache-2.0
"""Syntax trees are kept while the tests of this folder run, and no longer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from . import source


@pytest.fixture(scope="package", autouse=True)
def trees() -> Iterator[None]:
    """Millions of nodes, which every collection of garbage would go through in all the tests that follow."""
    yield
    source.tree.cache_clear()
    source.nodes.cache_clear()
