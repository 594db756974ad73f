"""The runtime: platforms, devices of all processes, arrays, compiled programs, launches, moving content."""

from .array import Array, Shard
from .execution import LoadedProgram, forget_all, load
from .placing import place, put_host, reshard
from .recent import Recent
from .signature import Signature
from .world import World, attach, detach, get_connection, get_world, opened_world

__all__ = [
    "Array", "LoadedProgram", "Recent", "Shard", "Signature", "World", "attach", "detach", "forget_all",
    "get_connection", "get_world", "load", "opened_world", "place", "put_host", "reshard",
]
