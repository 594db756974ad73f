# SPDX-License-Identifier: Apache-2.0
"""What the entry points of the distribution name: a plugin for each broken platform, and one that is right."""

from __future__ import annotations

from typing import Any

from olympus_core.plugin import Platform, hookimpl

from . import BROKEN
from .base import build

RIGHT = "right_in_all"


class Plugin:
    """The hooks of one platform."""

    def __init__(self, platform: Platform) -> None:
        self._platform = platform

    @hookimpl
    def olympus_platform(self) -> Platform:
        """The platform."""
        return self._platform


def __getattr__(name: str) -> Any:
    if name == RIGHT:
        platform = build()
        platform.name = RIGHT
        return Plugin(platform)
    if name in BROKEN:
        return Plugin(BROKEN[name].make())
    raise AttributeError(name)


def entry_points() -> str:
    """The distribution's entry points, as its metadata has them."""
    lines = [f"{name} = {__name__}:{name}" for name in (RIGHT, *BROKEN) if name != "capital_name"]
    return "\n".join(["[olympus.platforms]", *lines, ""])
