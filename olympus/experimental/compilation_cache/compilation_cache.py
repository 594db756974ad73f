# SPDX-License-Identifier: Apache-2.0
"""Where compiled code is kept between processes."""

from __future__ import annotations

import os

from olympus_core.config import config
from olympus_core.deferred import listed
from olympus_core.runtime.code_caches import renew_code_caches, use_code_cache

__all__ = ["is_persistent_cache_enabled", "reset_cache", "set_cache_dir"]
__dir__ = listed(__all__)


def set_cache_dir(path: str | os.PathLike[str]) -> None:
    """Keeps compiled code in another folder from now on, in this process.

    Args:
        path: The folder; it is made when the first code is stored. Only this user may be able to write to it.

    Raises:
        OptionValueError: For what is no path.

    Example:
        >>> import os, tempfile, olympus
        >>> from olympus.experimental.compilation_cache import compilation_cache
        >>> before = olympus.config.read("olympus_compilation_cache_dir") or os.path.expanduser("~/.cache")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     compilation_cache.set_cache_dir(folder)
        ...     print(olympus.config.read("olympus_compilation_cache_dir") == folder)
        ...     compilation_cache.set_cache_dir(before)
        True
    """
    use_code_cache(os.fspath(path))


def reset_cache() -> None:
    """Looks at the folder anew: what made it unusable may be mended. What is on disk stays.

    Example:
        >>> from olympus.experimental.compilation_cache import compilation_cache
        >>> compilation_cache.reset_cache()
    """
    renew_code_caches()


def is_persistent_cache_enabled() -> bool:
    """Whether compiled code is kept on disk.

    Returns:
        False where `olympus_enable_compilation_cache` is off, or there is no folder.

    Example:
        >>> from olympus.experimental.compilation_cache import compilation_cache
        >>> isinstance(compilation_cache.is_persistent_cache_enabled(), bool)
        True
    """
    return config.compilation_cache_folder() is not None
