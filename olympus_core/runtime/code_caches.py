# SPDX-License-Identifier: Apache-2.0
"""Where the open platforms keep compiled code."""

from __future__ import annotations

from olympus_core.config import config
from olympus_core.location import user_location
from olympus_core.toolkit.objectcache import move_caches

from .world import opened_world

_FOLDER = "olympus_compilation_cache_dir"


def use_code_cache(folder: str) -> None:
    """Keeps compiled code in another folder, also where the devices are open.

    Args:
        folder: The folder.
    """
    by = config.frozen_by(_FOLDER)
    config.unfreeze([_FOLDER])
    try:
        config.update(_FOLDER, folder)
    finally:
        if by is not None:
            config.freeze([_FOLDER], f"set_cache_dir at {user_location()}")
    world = opened_world()
    if world is not None and config.enable_compilation_cache:
        for settings in world.settings:
            settings.move_cache(folder)
        move_caches(folder)


def renew_code_caches() -> None:
    """Looks at the folders as if they had not been seen before."""
    move_caches()
