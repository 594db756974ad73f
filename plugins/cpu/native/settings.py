# SPDX-License-Identifier: Apache-2.0
"""The platform's settings of native code: threads and the disk cache."""

from __future__ import annotations

from olympus_core.plugin import PlatformSettings

from ..machine.choice import use_reproducible
from ..machine.description import keep_in
from .cache import ObjectCache
from .pool import processors, use_threads
from .runtime import use_cache


def open_cache(settings: PlatformSettings) -> ObjectCache | None:
    """The disk cache of programs' object code, where this machine's description is kept, too; None if there is none.

    Args:
        settings: The runtime's settings of the platform.
    """
    cache = ObjectCache(
        settings.cache_folder, settings.cache_key_file, least_bytes=settings.cache_least_bytes,
        least_seconds=settings.cache_least_seconds) if settings.cache_folder else None
    keep_in(cache)
    return cache


def apply_settings(settings: PlatformSettings) -> ObjectCache | None:
    """Sets the number of threads and the cache, without loading or starting anything.

    Args:
        settings: The runtime's settings of the platform.

    Returns:
        The disk cache of programs' object code; None if there is none.
    """
    cache = open_cache(settings)
    # Processes of one job share the machine's processors, because barriers of oversubscribed threads are slow.
    use_threads(settings.threads or max(1, processors() // settings.neighbours))
    use_reproducible(settings.reproducible)
    use_cache(cache)
    return cache
