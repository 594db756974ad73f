"""For libraries that build on olympus: programs as data."""

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred as _deferred

if TYPE_CHECKING:
    from . import core
else:
    __getattr__, __dir__ = _deferred(__name__, {"core": "core"})

__all__ = ["core"]
