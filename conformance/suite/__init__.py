# SPDX-License-Identifier: Apache-2.0
"""The requirements, a file for each area; importing a file registers its requirements."""

from __future__ import annotations

import importlib
import pkgutil


def load() -> None:
    """Imports every file of the suite in alphabetical order."""
    for found in sorted(pkgutil.walk_packages(__path__, f"{__name__}."), key=lambda module: module.name):
        importlib.import_module(found.name)
