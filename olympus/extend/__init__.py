"""For libraries that build on olympus: programs as data, operations of their own, functions with transformations."""

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred as _deferred

if TYPE_CHECKING:
    from . import core, kernels, linear_util
else:
    __getattr__, __dir__ = _deferred(__name__, {"core": "core", "kernels": "kernels", "linear_util": "linear_util"})

__all__ = ["core", "kernels", "linear_util"]
