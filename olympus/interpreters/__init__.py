# SPDX-License-Identifier: Apache-2.0
"""Where libraries register what the operations that they add do under each transformation."""

from typing import TYPE_CHECKING

from olympus_core.deferred import deferred as _deferred

if TYPE_CHECKING:
    from . import ad, batching, mlir, partial_eval, xla
else:
    __getattr__, __dir__ = _deferred(
        __name__, {name: name for name in ("ad", "batching", "mlir", "partial_eval", "xla")})

__all__ = ["ad", "batching", "mlir", "partial_eval", "xla"]
