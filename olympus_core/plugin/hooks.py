# SPDX-License-Identifier: Apache-2.0
"""The hooks that a plugin implements; it is found by an entry point of group `olympus.platforms`.

Example:
    A module named by the entry point ``acme = "olympus_acme.hooks"``::

        from olympus_core.plugin import hookimpl

        @hookimpl
        def olympus_platform():
            from olympus_acme.platform import AcmePlatform
            return AcmePlatform()
"""

from __future__ import annotations

from collections.abc import Mapping

import pluggy

from .platform import Platform, TransportFactory

ENTRY_POINT_GROUP = "olympus.platforms"
PROJECT = "olympus"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class PluginHooks:
    """The hook specifications."""

    @hookspec
    def olympus_platform(self) -> Platform:  # type: ignore[empty-body]
        """The platform that the plugin offers."""

    @hookspec
    def olympus_transports(self) -> Mapping[str, TransportFactory]:  # type: ignore[empty-body]
        """Factories of communicators over host memory, by name, that any platform may use."""
