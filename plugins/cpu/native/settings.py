"""What the settings of the platform mean for its native code."""

from __future__ import annotations

from olympus_core.plugin import PlatformSettings

from .cache import ObjectCache
from .pool import processors, use_threads
from .runtime import use_cache


def apply_settings(settings: PlatformSettings) -> ObjectCache | None:
    """Sets the number of threads and the cache, without loading or starting anything.

    Args:
        settings: What the runtime told the platform.

    Returns:
        The cache for the object code of programs; None when none is to be used.
    """
    cache = ObjectCache(settings.cache_folder, settings.cache_key_file) if settings.cache_folder else None
    # Processes of one job share the machine's processors: threads that wait for each other would take them in turns.
    use_threads(settings.threads or max(1, processors() // settings.neighbours))
    use_cache(cache)
    return cache
