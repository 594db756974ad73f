# SPDX-License-Identifier: Apache-2.0
"""Kernels are run by a C++ compiler's work; without one most tests of this room are skipped."""

from __future__ import annotations

import os

from .standin.environment import missing


def test_continuous_integration_has_a_compiler() -> None:
    lacks = missing() if os.environ.get("CI") else None
    assert lacks is None, f"{lacks}; in CI the tests of platform cuda are run and not skipped"
