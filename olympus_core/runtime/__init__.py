# SPDX-License-Identifier: Apache-2.0
"""The runtime: platforms, devices of all processes, arrays, compiled programs, launches, moving content."""

from .array import Array, Shard
from .bounded_cache import BoundedCache
from .execution import LoadedProgram, forget_all, instrument, load, size_of
from .placing import place, put_host, reshard
from .program_cache import CacheEntry, ProgramEntry, SizedEntry, kept_bytes
from .sealing import sealed
from .signature import Signature
from .world import World, attach, detach, get_connection, get_world, opened_world, trim

__all__ = [
    "Array", "BoundedCache", "CacheEntry", "LoadedProgram", "ProgramEntry", "Shard", "Signature", "SizedEntry", "World",
    "attach", "detach", "forget_all", "get_connection", "get_world", "instrument", "kept_bytes", "load", "opened_world",
    "place", "put_host", "reshard", "sealed", "size_of", "trim",
]
