"""The runtime: platforms, devices of all processes, arrays, compiled programs, launches, moving content."""

from .array import Array, Shard
from .execution import LoadedProgram, forget_all, load, size_of
from .kept import Kept, KeptProgram, Remembered, kept_bytes
from .placing import place, put_host, reshard
from .recent import Recent
from .sealing import sealed
from .signature import Signature
from .world import World, attach, detach, get_connection, get_world, opened_world, trim

__all__ = [
    "Array", "Kept", "KeptProgram", "LoadedProgram", "Recent", "Remembered", "Shard", "Signature", "World", "attach",
    "detach", "forget_all", "get_connection", "get_world", "kept_bytes", "load", "opened_world", "place", "put_host",
    "reshard", "sealed", "size_of", "trim",
]
